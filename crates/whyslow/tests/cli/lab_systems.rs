//! File systems that the lab makes for itself: what they are called, how they end, what stays behind
//! after Ctrl-C and after a kill. Where the machine cannot have one, its test says so.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use whyslow_testenv::{Feature, has, wait_until};

use crate::harness::{Place, Said};
use crate::lab::{column, signal};

/// Returns what a system needs of the machine.
fn feature(system: &str) -> Feature {
    match system.split_once('+') {
        Some(_) => Feature::Mount,
        None => match system {
            "ntfs" => Feature::Ntfs,
            "exfat" => Feature::Exfat,
            "fat" => Feature::Fat,
            "xfs" => Feature::Xfs,
            "fuse2fs" => Feature::Fuse2fs,
            "smb" => Feature::Smb,
            "nfs" => Feature::Nfs,
            _ => Feature::Ext,
        },
    }
}

/// Returns whether this machine can have a system; the program must say the same.
pub(crate) fn can(place: &Place, system: &str) -> bool {
    if !has(feature(system)) {
        return false;
    }
    let listed = place.run(&["lab", "systems"]);
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    let name = match system.split_once('+') {
        Some((_, scanner)) => format!("SYSTEM+{scanner}"),
        None => system.to_owned(),
    };
    let mut lines = listed.out.lines();
    let line = lines.find(|line| line.split_whitespace().next() == Some(&name));
    let line = line.expect("every system has a line");
    assert!(line.contains("  yes"), "{line}");
    true
}

/// What of a place's fixtures is still there: mounts, loop devices, processes.
pub(crate) fn left(place: &Place) -> Vec<String> {
    let path = place.path("whyslow-lab");
    let path = path.to_string_lossy();
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    let mounts = mounts.lines().filter(|line| line.contains(&*path));
    let mut found: Vec<String> = mounts.map(str::to_owned).collect();
    for device in fs::read_dir("/sys/block").expect("devices").flatten() {
        let backing = fs::read_to_string(device.path().join("loop/backing_file"));
        found.extend(
            backing
                .into_iter()
                .filter(|backing| backing.contains(&*path)),
        );
    }
    for process in fs::read_dir("/proc").expect("processes").flatten() {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        found.extend(words.contains(&*path).then_some(words));
    }
    found
}

/// Starts an experiment that lasts, on `system`, and waits until it creates files.
fn long_run(place: &Place, system: &str) -> Child {
    let args = ["lab", "create", "--count", "3000000", "--on", system];
    let mut command = place.whyslow(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program runs");
    let entries = |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten();
    let works = || {
        let fixtures = entries(&place.path("whyslow-lab"));
        let mut places = fixtures.flat_map(|fixture| {
            let work = fixture.path().join("work");
            entries(&work).collect::<Vec<_>>()
        });
        places.any(|place| entries(&place.path()).next().is_some())
    };
    wait_until("it creates files", works);
    child
}

#[test]
fn nothing_stays_behind_after_a_kill_and_a_clean() {
    for system in ["ext4", "ntfs", "exfat", "tmpfs+scanner"] {
        let place = Place::new();
        if !can(&place, system) {
            continue;
        }
        let mut child = long_run(&place, system);
        child.kill().expect("it is there");
        child.wait().expect("it ends");
        assert!(!left(&place).is_empty(), "{system}: it was mounted");
        let said = place.run(&["lab", "clean"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert_eq!(left(&place), [""; 0], "{system}: {said:#?}");
        assert_eq!(place.names(), [""; 0], "{system}: {said:#?}");
    }
}

#[test]
fn nothing_stays_behind_after_ctrl_c() {
    for system in ["ext4", "ntfs", "tmpfs+scanner-reads"] {
        let place = Place::new();
        if !can(&place, system) {
            continue;
        }
        let child = long_run(&place, system);
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!(said.code, Some(130), "{said:#?}");
        assert!(said.out.contains("of 3,000,000: interrupted."), "{said:#?}");
        assert_eq!((left(&place), place.names()), (vec![], vec![]), "{system}");
    }
}

/// Returns the process whose words contain these.
fn process(words: &[&[u8]]) -> Option<String> {
    let mut processes = fs::read_dir("/proc").expect("processes").flatten();
    let found = processes.find(|process| {
        let said = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let has = |word: &&[u8]| said.windows(word.len()).any(|part| part == *word);
        words.iter().all(has)
    });
    found.map(|process| process.file_name().to_string_lossy().into_owned())
}

#[test]
fn files_open_again_when_the_scanner_dies() {
    let place = Place::new();
    if !can(&place, "tmpfs+scanner") {
        return;
    }
    let child = long_run(&place, "tmpfs+scanner");
    let path = place.path("whyslow-lab");
    let scanner = process(&[b"lab-scanner", path.as_os_str().as_bytes()]).expect("a scanner");
    let send = |signal: &str| {
        let sent = Command::new("kill").args([signal, &scanner]).status();
        assert!(sent.expect("kill runs").success());
    };
    // While it does not answer, the experiment waits for it …
    send("-STOP");
    // … and goes on when there is none to ask.
    send("-KILL");
    signal(&child, "-INT");
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!(said.code, Some(130), "{said:#?}");
    assert_eq!((left(&place), place.names()), (vec![], vec![]));
}

#[test]
fn reports_name_the_daemon() {
    for (system, driver) in [("ntfs", "ntfs-3g"), ("fuse2fs", "fuse2fs"), ("xfs", "xfs")] {
        let place = Place::new();
        if !can(&place, system) {
            continue;
        }
        let args = [
            "lab", "list", "--passes", "1", "--on", system, "--count", "20", "--format", "csv",
        ];
        assert_eq!(column(&place.run(&args), "driver"), [driver]);
        assert_eq!((left(&place), place.names()), (vec![], vec![]), "{system}");
    }
}

#[test]
fn a_slow_file_system_ends_with_its_budget() {
    let place = Place::new();
    if !can(&place, "fat") {
        return;
    }
    let count = "100000";
    let args = [
        "lab",
        "create",
        "--on",
        "fat",
        "--count",
        count,
        "--prefill",
        count,
    ];
    let said = place.run(&[&args[..], &["--budget", "1s", "--format", "csv"]].concat());
    assert_eq!(column(&said, "ending")[0], "budget");
    assert_eq!((left(&place), place.names()), (vec![], vec![]));
}

#[test]
fn short_names_are_counted() {
    let place = Place::new();
    let args = ["lab", "shortnames", "--passes", "1", "--count", "3000"];
    let said = place.run(&args);
    assert_eq!(said.code, Some(0), "{said:#?}");
    // All names begin alike: the first generation looks up 1 + 2 + … + 3000.
    assert!(
        said.sentences()
            .contains("It looked up 4,501,500 names in all"),
        "{said:#?}"
    );
    let csv = place.run(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(column(&csv, "operations"), ["3000"; 4]);
    assert_eq!(place.names(), [""; 0]);
    let refused = place.run(&[
        "lab",
        "create",
        "--short-names",
        "off,windows7",
        "--count",
        "5",
    ]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(
        refused.err.contains("short names can be set on NTFS only"),
        "{refused:#?}"
    );
    let odd = place.run(&["lab", "stat", "--short-names", "off"]);
    odd.fails(2, &["whyslow: --short-names does not belong", "hint: "]);
}

#[test]
fn short_names_of_a_real_ntfs_are_as_simulated() {
    let place = Place::new();
    if !can(&place, "ntfs") {
        return;
    }
    let probes = |on: &[&str], dir: &str| {
        let args = [
            "lab",
            "shortnames",
            "--count",
            "400",
            "--short-names",
            "windowsxp",
        ];
        let said = place.run(&[&args[..], on, &["-o", dir]].concat());
        assert_eq!(said.code, Some(0), "{said:#?}");
        counts(&place.path(dir).join("operations.parquet"))
    };
    let real = probes(&["--on", "ntfs"], "real");
    assert_eq!(real, probes(&[], "simulated"));
    assert!(real.iter().any(|count| *count > 5), "{real:?}");
    let args = [
        "lab", "rename", "--passes", "1", "--on", "ntfs", "--count", "40", "--jobs", "1,2",
    ];
    let names = ["--short-names", "off,windows7", "--format", "csv"];
    let said = place.run(&[&args[..], &names[..]].concat());
    assert_eq!(column(&said, "operations"), ["40"; 4]);
}

/// Returns the counts of the operations in a file.
fn counts(path: &Path) -> Vec<i64> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let bytes = fs::read(path).expect("the file");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    let rows = rows.map(|row| row.expect("a row"));
    let first = rows
        .filter(|row| row.get_long(3).expect("pass") == 1 && row.get_long(4).expect("again") == 0);
    first.map(|row| row.get_long(11).expect("count")).collect()
}
