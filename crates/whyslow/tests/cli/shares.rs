//! Experiments on shares from the command line: real servers, where they are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use whyslow_testenv::{PATIENCE, end_of, wait_until};

use crate::harness::{Place, Said};
use crate::lab::{column, signal};
use crate::lab_systems::can;

/// Runs an experiment.
fn lab(place: &Place, args: &[&str]) -> Said {
    place.run(&[&["lab"], args, &["--format", "csv", "--passes", "1"]].concat())
}

#[test]
fn every_case_of_files_runs_on_shares() {
    let place = Place::new();
    for system in ["smb", "nfs"] {
        if !can(&place, system) {
            continue;
        }
        let runs = |args: &[&str]| lab(&place, &[args, &["--on", system]].concat());
        let created = runs(&["create", "--count", "40"]);
        assert_eq!(column(&created, "operation"), ["create", "delete"]);
        assert_eq!(column(&created, "operations"), ["40", "40"]);
        let cases: [(&[&str], &[&str]); 6] = [
            (&["stat", "--count", "30", "--prefill", "5"], &["30"]),
            (&["open", "--count", "30"], &["30"]),
            (&["list", "--count", "30"], &["30"]),
            (&["reopen", "--count", "30"], &["30", "30", "30"]),
            (&["probe", "--count", "12"], &["12", "12"]),
            (
                &[
                    "write",
                    "--count",
                    "12",
                    "--size",
                    "100kB",
                    "--threads",
                    "2",
                ],
                &["12", "12", "12"],
            ),
        ];
        for (args, operations) in cases {
            let said = runs(args);
            assert_eq!(column(&said, "operations"), operations, "{args:?}");
            let done = vec!["done"; operations.len()];
            assert_eq!(column(&said, "ending"), done, "{args:?}");
        }
        let together = runs(&["rename", "--count", "40", "--jobs", "1,2"]);
        assert_eq!(column(&together, "workers"), ["1", "2"]);
        assert_eq!(column(&together, "operations"), ["40", "40"]);
    }
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn round_trips_are_counted_and_can_be_longer() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let place = Place::new();
    if !can(&place, "smb") {
        return;
    }
    let args = [
        "reopen",
        "--count",
        "20",
        "-o",
        "kept",
        "--on",
        "smb:3.00+rtt=2ms",
    ];
    let said = lab(&place, &args);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let bytes = fs::read(place.path("kept/operations.parquet")).expect("the file");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
    let mut seen = 0;
    for row in reader.get_row_iter(None).expect("rows") {
        let row = row.expect("a row");
        let (arm, trips) = (row.get_string(2).expect("arm").clone(), row.get_long(11));
        let trips = trips.expect("count");
        // Open, read, close; greeting and four steps of logging on before.
        match arm.as_str() {
            "reopen" => assert_eq!(trips, 3),
            "reconnect" => assert_eq!(trips, 1 + 4 + 3),
            _ => assert!(trips <= 4, "{trips}"),
        }
        let duration = row.get_long(9).expect("duration");
        assert!(duration >= trips * 2_000_000, "{arm}: {duration}");
        seen += 1;
    }
    assert!(seen >= 60, "{seen}");
}

#[test]
fn every_pair_of_dialects_is_measured() {
    let place = Place::new();
    if !can(&place, "smb") {
        return;
    }
    let said = lab(&place, &["dialects", "--count", "2"]);
    let servers = column(&said, "server");
    let clients = column(&said, "client");
    let agreed = column(&said, "agreed");
    assert_eq!(servers.len(), 25);
    for ((server, client), agreed) in servers.iter().zip(&clients).zip(&agreed) {
        assert_eq!(agreed, server.min(client), "the newest that both have");
    }
    let alone = column(&said, "alone");
    assert_eq!(alone.iter().filter(|alone| *alone == "taken").count(), 15);
    assert_eq!(column(&said, "reopen_round_trips"), ["3"; 25]);
    let text = place.run(&["lab", "dialects", "--count", "1"]);
    assert!(text.out.contains("refused in 10 of 25 pairs"), "{text:#?}");
}

#[test]
fn what_makes_no_sense_on_a_share_is_refused() {
    let place = Place::new();
    let usage = |args: &[&str]| {
        let said = place.run(&[&["lab"], args].concat());
        assert_eq!(said.code, Some(2), "{said:#?}");
    };
    usage(&["spawn", "--on", "smb"]);
    if can(&place, "smb") {
        usage(&["write", "--on", "smb", "--size", "2GB"]);
        usage(&["create", "--on", "smb", "--count", "0"]);
    }
    usage(&["create", "--on", "smb:4.00"]);
    usage(&["create", "--on", "nfs:3.11"]);
    usage(&["create", "--on", "smb:rtt=1h"]);
    usage(&["create", "--on", "smb:on=floppy"]);
    usage(&["dialects", "--on", "smb:on=ext4"]);
    usage(&["dialects", "--on", "tmpfs"]);
    usage(&["dialects", "--on", "smb:3.11"]);
}

fn network(pid: &str) -> Option<PathBuf> {
    fs::read_link(Path::new("/proc").join(pid).join("ns/net")).ok()
}

/// Returns the processes in a network, with their names.
fn inside(theirs: &Path) -> Vec<(String, String)> {
    let all = fs::read_dir("/proc").expect("processes").flatten();
    let pids = all.map(|one| one.file_name().to_string_lossy().into_owned());
    let there = pids.filter(|pid| network(pid).as_deref() == Some(theirs));
    let named = there.map(|pid| {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        (pid, name.trim().to_owned())
    });
    named.collect()
}

/// Starts a run that creates files for long, and waits until its server's network has some; returns
/// both.
fn long_run(place: &Place, system: &str, more: &[&str]) -> Option<(Child, PathBuf)> {
    let args = ["create", "--count", "3000000", "--on", system];
    let (child, theirs) = long(place, system, &[&args[..], more].concat())?;
    wait_until("files are created", || has_files(&theirs));
    Some((child, theirs))
}

/// Returns whether a run has created files on the share of a network.
fn has_files(theirs: &Path) -> bool {
    let entries = |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten();
    inside(theirs).iter().any(|(pid, _)| {
        // The run itself has no such directory.
        let share = Path::new("/proc").join(pid).join("root/tmp/lab");
        // A machine may have a /tmp/lab of its own; the last file may be under way.
        let ours = |place: &fs::DirEntry| place.file_name().to_string_lossy().starts_with("place-");
        entries(&share)
            .filter(ours)
            .any(|place| entries(&place.path()).nth(10).is_some())
    })
}

/// The same with these arguments, if the machine can serve `system`.
fn long(place: &Place, system: &str, args: &[&str]) -> Option<(Child, PathBuf)> {
    if !can(place, system) {
        return None;
    }
    let mut command = place.whyslow(&[&["lab"], args].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    if let Some(theirs) = settled(&mut child) {
        return Some((child, theirs));
    }
    panic!("it ended: {:#?}", Said::of(end_of(child)));
}

/// Waits until a run stays in its server's network, and returns that; `None` if the run ended.
fn settled(child: &mut Child) -> Option<PathBuf> {
    let pid = child.id().to_string();
    let home = network("self").expect("a network");
    let end = Instant::now() + PATIENCE;
    let mut since = None;
    loop {
        assert!(Instant::now() < end, "nothing happens");
        if !matches!(child.try_wait(), Ok(None)) {
            return None;
        }
        let theirs = network(&pid).filter(|theirs| *theirs != home);
        // It looks in several times before it stays.
        let begun = since.get_or_insert_with(Instant::now);
        match theirs {
            None => since = None,
            Some(theirs) if begun.elapsed() > Duration::from_millis(300) => return Some(theirs),
            Some(_) => {}
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until nobody is in a network any more.
fn empty(theirs: &Path) {
    wait_until("nobody is left", || inside(theirs).is_empty());
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_ends_the_server() {
    for (system, jobs) in [("smb", &[][..]), ("smb", &["--jobs", "2"]), ("nfs", &[])] {
        let place = Place::new();
        let Some((child, theirs)) = long_run(&place, system, jobs) else {
            continue;
        };
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!(said.code, Some(130), "{said:#?}");
        assert!(said.out.contains("of 3,000,000: interrupted."), "{said:#?}");
        empty(&theirs);
        assert_eq!(place.names(), [""; 0], "{said:#?}");
    }
}

/// Signals the servers in a network.
fn servers(theirs: &Path, what: &str) {
    let named = |name: &str| name.starts_with("smbd") || name.starts_with("ganesha");
    for (pid, _) in inside(theirs).iter().filter(|(_, name)| named(name)) {
        // The first may take the others with it.
        let _gone = Command::new("kill")
            .args([what, pid])
            .stderr(Stdio::null())
            .status();
    }
}

#[test]
fn a_silent_server_does_not_hold_up_ctrl_c() {
    for system in ["smb", "nfs"] {
        let place = Place::new();
        let Some((child, theirs)) = long_run(&place, system, &[]) else {
            continue;
        };
        servers(&theirs, "-STOP");
        std::thread::sleep(Duration::from_millis(50));
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        // Patience would have ended as a failure.
        assert_eq!(said.code, Some(130), "{said:#?}");
        assert!(said.out.contains("of 3,000,000: interrupted."), "{said:#?}");
        empty(&theirs);
        assert_eq!(place.names(), [""; 0], "{said:#?}");
    }
}

#[test]
fn dialects_that_were_measured_before_ctrl_c_are_shown_and_kept() {
    let place = Place::new();
    let args = ["dialects", "--count", "9000", "-o", "kept"];
    // Nothing tells from outside when measuring begins.
    for seconds in [1, 2, 4, 8, 16, 32, 64, 128] {
        let Some((child, theirs)) = long(&place, "smb", &args) else {
            return;
        };
        std::thread::sleep(Duration::from_secs(seconds));
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!(said.code, Some(130), "{said:#?}");
        empty(&theirs);
        if said.out.contains("pairs were measured.") {
            assert!(fs::metadata(place.path("kept/operations.parquet")).is_ok());
            break;
        }
        assert!(seconds < 128, "{said:#?}");
    }
    // What is there is refused before anything is measured.
    let said = place.run(&[&["lab"], &args[..]].concat());
    assert_eq!(said.code, Some(3), "{said:#?}");
}

#[test]
fn files_made_first_are_counted_on_shares_too() {
    let place = Place::new();
    if !can(&place, "nfs") {
        return;
    }
    let args = ["lab", "stat", "--on", "nfs", "--count", "2"];
    let said = place.run(&[&args[..], &["--prefill", "3000000", "--budget", "300ms"]].concat());
    let note = "of 3000000 files were made first; a longer --budget allows more.";
    assert!(said.out.contains(note), "{said:#?}");
}

#[test]
fn a_share_lies_where_it_is_told() {
    let place = Place::new();
    if !can(&place, "ext4") {
        return;
    }
    for system in ["smb", "nfs"] {
        let on = format!("{system}:rtt=1ms+on=ext4");
        let args = ["create", "--count", "3000000", "--on", &on];
        let Some((child, theirs)) = long(&place, system, &args) else {
            continue;
        };
        wait_until("files are created", || has_files(&theirs));
        let ours = child.id().to_string();
        let served = inside(&theirs).into_iter().find(|(pid, name)| {
            *pid != ours && (name.starts_with("smbd") || name.starts_with("ganesha"))
        });
        let (pid, _) = served.expect("a server");
        let mounts = fs::read_to_string(format!("/proc/{pid}/mountinfo")).expect("mounts");
        let share = mounts.lines().find(|line| line.contains(" /tmp/lab "));
        assert!(
            share.is_some_and(|line| line.contains(" ext4 ")),
            "{mounts}"
        );
        // Nor does it hold what runs have mounted, this one or another.
        assert!(!mounts.contains("/whyslow-lab-"), "{mounts}");
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!(said.code, Some(130), "{said:#?}");
        empty(&theirs);
        assert_eq!(place.names(), [""; 0], "{said:#?}");
    }
}

#[test]
fn many_clients_far_away_need_few_descriptors() {
    let place = Place::new();
    if !can(&place, "smb") {
        return;
    }
    let command = place.whyslow(&[
        "lab",
        "write",
        "--on",
        "smb:rtt=1ms",
        "--threads",
        "16",
        "--count",
        "16",
        "--size",
        "1kB",
    ]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -S -n 90; exec \"$0\" \"$@\""]);
    limited.arg(command.get_program()).args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        limited.current_dir(dir);
    }
    let said = Said::of(limited.output().expect("it runs"));
    assert_eq!(said.code, Some(0), "{said:#?}");
}

#[test]
fn a_killed_run_leaves_no_server() {
    for system in ["smb", "nfs"] {
        let place = Place::new();
        let Some((mut child, theirs)) = long_run(&place, system, &[]) else {
            continue;
        };
        child.kill().expect("it is there");
        child.wait().expect("it ends");
        empty(&theirs);
        assert_eq!(place.names(), [""; 0]);
    }
}

#[test]
fn a_server_that_dies_in_the_middle_ends_it_with_what_was_measured() {
    let place = Place::new();
    let Some((child, theirs)) = long_run(&place, "smb", &[]) else {
        return;
    };
    servers(&theirs, "-KILL");
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert!(
        said.out
            .contains("of 3,000,000 files: connection reset by peer."),
        "{said:#?}"
    );
    assert!(said.out.contains("reating a file"), "{said:#?}");
    assert!(
        said.err.contains("whyslow: cannot measure: the "),
        "{said:#?}"
    );
    empty(&theirs);
    assert_eq!(place.names(), [""; 0]);
}
