//! Copies of extracts for others, and what they still say.
use std::fs;

use whyslow_testenv::{Feature, has};

use crate::fixture;
use crate::harness::{Place, Said};

/// Parts of names that no copy may have.
const PRIVATE: [&str; 4] = ["Secret", "Payroll", "wilma", "hunter2"];

#[track_caller]
fn tells_nothing(said: &Said) {
    for private in PRIVATE {
        assert!(!said.out.contains(private), "{private} in {}", said.out);
    }
}

/// The numbers and codes after a key, in the order of the answer.
fn values<'a>(answer: &'a str, key: &str) -> Vec<&'a str> {
    let key = format!("\"{key}\":");
    let rests = answer.split(key.as_str()).skip(1);
    rests
        .filter_map(|rest| rest.split([',', '}']).next())
        .map(str::trim)
        .collect()
}

/// A program that is read from a folder with a name, with a secret among its arguments, and a thread with a name.
const PROGRAM: &str = "import ctypes, sys, threading
def count_salaries():
    ctypes.CDLL(None).prctl(15, b'Payroll-7')
    return sum(n * n % 7 for n in range(4_000_000))
thread = threading.Thread(target=count_salaries)
thread.start(); thread.join()
open('wilma/Payroll.db', 'w').write('1')
for at in range(3000): open('wilma/Payroll.db').read()
";

#[test]
fn a_copy_says_the_same_without_a_name() {
    if !has(Feature::Recording) || !has(Feature::Bpf) || !has(Feature::Python) {
        return;
    }
    let place = Place::new();
    fs::create_dir(place.path("wilma")).expect("a folder");
    place.write("Secret plan.py", PROGRAM.as_bytes());
    let program = ["python3", "Secret plan.py", "--key=hunter2"];
    let said = place.run(&[&["record", "-o", "x.data", "--"][..], &program].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["extract", "x.data"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let answer = place.run(&["why", "x.whyslow", "-f", "json"]);
    assert!(answer.out.contains("Secret plan"), "{answer:?}");
    let said = place.run(&["export", "x.whyslow", "--redact", "-o", "y.whyslow"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "y.whyslow\n"));
    for entry in fs::read_dir(place.path("y.whyslow")).expect("a copy") {
        let file = entry.expect("a file").path();
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        for private in PRIVATE {
            assert!(!text.contains(private), "{private} in {}", file.display());
        }
    }
    for question in [
        "files",
        "processes",
        "threads",
        "waits",
        "problems",
        "modules",
    ] {
        tells_nothing(&place.run(&[question, "y.whyslow", "--format", "json"]));
    }
    // The answer is the same but for names, and the user's functions keep theirs.
    let copied = place.run(&["why", "y.whyslow", "-f", "json"]);
    tells_nothing(&copied);
    for key in ["cause", "confidence", "wall_ns", "share"] {
        assert_eq!(values(&answer.out, key), values(&copied.out, key), "{key}");
    }
    assert!(copied.out.contains("count_salaries"), "{copied:?}");
}

#[test]
fn copies_go_where_they_are_told_to_and_replace_nothing() {
    let place = Place::new();
    for name in ["a.whyslow", "Payroll_12msSecret.20260101-101010.whyslow"] {
        fixture::write(&place.path(name), 1);
    }
    let both = ["a.whyslow", "Payroll_12msSecret.20260101-101010.whyslow"];
    let said = place.run(&[&["export", "-o", "one.whyslow"][..], &both].concat());
    said.fails(
        2,
        &["whyslow: several extracts cannot share one name", "hint: "],
    );
    let said = place.run(&[&["export", "--redact", "-o", "out"][..], &both].concat());
    assert_eq!(
        (said.code, said.out.lines().count()),
        (Some(0), 2),
        "{said:?}"
    );
    tells_nothing(&said);
    let said = place.run(&["export", "a.whyslow", "-o", "copies"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "copies/a.whyslow\n")
    );
    let threads = |extract: &str| place.run(&["threads", extract, "--format", "csv"]).out;
    let with_host = |text: String| text.replace("copies/", "");
    assert_eq!(threads("a.whyslow"), with_host(threads("copies/a.whyslow")));
    // A second copy does not replace the first one.
    let said = place.run(&["export", "a.whyslow", "-o", "copies"]);
    said.fails(
        3,
        &[
            "whyslow: cannot write copies/a.whyslow: already exists",
            "hint: ",
        ],
    );
    let said = place.run(&["export", "a.whyslow", "-o", "copies", "--force"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    // It is never its own copy.
    let said = place.run(&["export", "a.whyslow", "-o", "a.whyslow", "--force"]);
    said.fails(
        3,
        &["whyslow: cannot write a.whyslow: already exists", "hint: "],
    );
    let said = place.run(&["export", "none.whyslow", "-o", "x.whyslow"]);
    assert_ne!(said.code, Some(0), "{said:?}");
    assert!(!place.names().contains(&"x.whyslow".to_owned()));
}
