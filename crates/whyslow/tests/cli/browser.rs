//! The lab's page in a browser: it runs its script, nothing else, and draws its charts.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use whyslow_testenv::{Feature, end_of, has};

use crate::harness::Place;

/// What a browser made of a page.
struct Opened {
    /// The page as its script left it.
    page: String,
    /// What the browser reported of it: errors of scripts, and whatever the page's own rules forbid.
    reports: Vec<String>,
}

/// Opens a page. Pictures are drawn at once instead of with the next frame, so that all is done when the page
/// is loaded, however busy the machine is; the script that sees to it comes before the page's own rules.
fn open(place: &Place, page: &str) -> Opened {
    const AT_ONCE: &str = "<head><script>requestAnimationFrame = draw => (draw(), 0)</script>";
    let at_once = page.replacen("<head>", AT_ONCE, 1);
    assert_ne!(at_once, page);
    place.write("page.html", at_once.as_bytes());
    let (page, log) = (place.path("page.txt"), place.path("log.txt"));
    let file = |path| Stdio::from(File::create(path).expect("a file"));
    let options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--window-size=1200,900",
        "--enable-logging=stderr",
        "--virtual-time-budget=5000",
        "--dump-dom",
    ];
    let mut browser = Command::new("chromium");
    browser
        .args(options)
        .arg(format!(
            "--user-data-dir={}",
            place.path("profile").display()
        ))
        .arg(format!("file://{}", place.path("page.html").display()))
        .env("HOME", place.path("home"))
        .stdin(Stdio::null())
        .stdout(file(&page))
        .stderr(file(&log));
    let ended = end_of(browser.spawn().expect("the browser"));
    let log = fs::read(log).expect("what the browser said");
    let log = String::from_utf8_lossy(&log);
    assert!(ended.status.success(), "{log}");
    let reports = log.lines().filter(|line| line.contains(":CONSOLE"));
    Opened {
        page: fs::read_to_string(page).expect("the page"),
        reports: reports.map(ToOwned::to_owned).collect(),
    }
}

fn report(place: &Place) -> String {
    fs::read_to_string(place.path("kept/report.html")).expect("the report")
}

#[test]
fn the_labs_page_runs_without_errors_and_draws_its_charts() {
    if !has(Feature::Chromium) {
        return;
    }
    let place = Place::new();
    let args = "lab write --files 20 --size 5kB --threads 1..3 --strategy serial,tasks -o kept";
    let args: Vec<&str> = args.split(' ').collect();
    let said = place.run(&args);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let opened = open(&place, &report(&place));
    assert_eq!(opened.reports, [""; 0]);
    let charts = opened.page.matches("class=\"chart\"").count();
    assert!(charts >= 3, "{}", opened.page);
    let canvases = opened.page.split("<canvas").skip(1);
    let drawn = canvases.filter(|rest| {
        let tag = rest.split('>').next().unwrap_or_default();
        // Set when a picture is complete.
        tag.contains("data-ms=")
    });
    assert_eq!(drawn.count(), charts, "{}", opened.page);
}

#[test]
fn errors_and_forbidden_scripts_of_a_page_are_noticed() {
    if !has(Feature::Chromium) {
        return;
    }
    let place = Place::new();
    let said = place.run(&["lab", "create", "--count", "50", "-o", "kept"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let page = report(&place);
    // A script that is not the page's own.
    let foreign = page.replace("<h1>", "<script>document.title = 'ours'</script><h1>");
    assert_ne!(foreign, page);
    let opened = open(&place, &foreign);
    let is_about_rules = |report: &String| report.contains("Content Security Policy");
    assert!(
        opened.reports.iter().any(is_about_rules),
        "{:?}",
        opened.reports
    );
    // The page's own script, with nothing it can read.
    let empty = page.replace("data-ns=\"", "data-other=\"");
    assert_ne!(empty, page);
    let opened = open(&place, &empty);
    let is_error = |report: &String| report.contains("Uncaught");
    assert!(opened.reports.iter().any(is_error), "{:?}", opened.reports);
}
