//! How experiments end where the system says no: a clear message, what was measured is kept, and what
//! was made is removed. Where the machine cannot make it say so, the test tells why.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::fuse::{Growing, Rule};
use crate::harness::{Place, Said};
use crate::lab::{Mount, assert_no_inodes, column, signal};
use crate::lab_systems::{can, left};
use whyslow_testenv::{Feature, has, need};

/// Runs a command of the test's own; returns what it complains about.
fn run(words: &[&str]) -> Result<(), String> {
    let (program, arguments) = words.split_first().expect("a program");
    let mut command = Command::new(program);
    let done = command.args(arguments).stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    done.status.success().then_some(()).ok_or(said)
}

/// Runs the program as a user who owns nothing; `None`, after saying so, if tests may not be one.
fn as_nobody(place: &Place, args: &[&str]) -> Option<Said> {
    if !has(Feature::Root) {
        return None;
    }
    let said = crate::failures::as_nobody(place, args);
    fs::remove_file(place.path("whyslow")).expect("the copy of the program");
    Some(said)
}

#[test]
fn a_full_disk_ends_writing() {
    let place = Place::new();
    let path = place.path("small");
    let Some(_mount) = Mount::make(&path, "size=1m") else {
        return;
    };
    let args = [
        "lab",
        "write",
        "--dir",
        "small",
        "--count",
        "100",
        "--threads",
        "2",
    ];
    let said = place.run(&[&args[..], &["--format", "csv"]].concat());
    let endings = column(&said, "ending");
    assert!(
        endings.iter().all(|ending| ending == "full: disk"),
        "{said:#?}"
    );
    assert!(endings.len() >= 3, "{said:#?}");
    assert_eq!(fs::read_dir(&path).expect("the directory").count(), 0);
}

#[test]
fn a_file_system_that_cannot_be_written_is_refused() {
    let place = Place::new();
    let path = place.path("fixed");
    let Some(_mount) = Mount::make(&path, "ro") else {
        return;
    };
    let said = place.run(&["lab", "create", "--dir", "fixed"]);
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{said:#?}");
    assert!(said.err.contains("read-only file system"), "{said:#?}");
}

#[test]
fn a_directory_of_somebody_else_is_refused() {
    let place = Place::new();
    let Some(said) = as_nobody(&place, &["lab", "create", "--dir", "mine"]) else {
        return;
    };
    said.fails(
        3,
        &[
            "whyslow: cannot make the directory mine: permission denied",
            "hint: ",
        ],
    );
    let said = as_nobody(&place, &["lab", "create", "--on", "ext4"]).expect("as before");
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert!(said.err.contains("only root may mount"), "{said:#?}");
    assert_eq!(place.names(), [""; 0], "nothing was made");
}

/// Makes ext4 with a quota of 100 files for the user who owns nothing.
fn with_quota(place: &Place) -> Result<(), String> {
    let (image, point) = (place.path("image"), place.path("limited"));
    let (image, point) = (image.to_string_lossy(), point.to_string_lossy());
    fs::create_dir(&*point).map_err(|error| error.to_string())?;
    let usr = "quotatype=usrquota";
    run(&[
        "mke2fs", "-q", "-F", "-t", "ext4", "-O", "quota", "-E", usr, &image, "16M",
    ])?;
    run(&["mount", "-o", "loop,usrquota", &image, &point])?;
    run(&["setquota", "-u", "65534", "0", "0", "0", "100", &point])?;
    run(&["chmod", "0777", &point])
}

#[test]
fn a_quota_is_a_result() {
    let place = Place::new();
    let made = with_quota(&place);
    let point = place.path("limited");
    let said = made.map(|()| {
        let args = [
            "lab", "stat", "--dir", "limited", "--force", "--count", "500",
        ];
        as_nobody(&place, &args)
    });
    let unmounted = run(&["umount", &point.to_string_lossy()]);
    if let Some(Some(said)) = need(Feature::Quota, said) {
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(
            said.out.contains("of 500: disk quota exceeded."),
            "{said:#?}"
        );
        assert_eq!(unmounted, Ok(()), "nothing is in use");
    }
}

/// Creates files on a file system that takes 300 in a directory and then does this; says how it ended.
fn created_until(then: Option<i32>) -> Option<(Place, Said)> {
    let place = Place::new();
    let rule = Rule {
        cost: |_| Duration::ZERO,
        most: 300,
        then,
    };
    let mount = need(Feature::Fuse, Growing::mount(&place.path("mount"), rule))?;
    let args = ["lab", "create", "--dir", "mount", "--count", "5000"];
    let said = place.run(&[&args[..], &["-o", "kept"]].concat());
    drop(mount);
    Some((place, said))
}

#[test]
fn what_a_file_system_refuses_is_a_result() {
    let quota = "Limit: the disk quota is used up after 300 of 5,000 files.";
    let name = "It failed after 300 of 5,000 files: file name too long.";
    for (errno, why) in [(122, quota), (36, name)] {
        let Some((place, said)) = created_until(Some(errno)) else {
            return;
        };
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.out.contains(why), "{said:#?}");
        assert!(
            said.out.to_lowercase().contains("deleting a file"),
            "{said:#?}"
        );
        let left = fs::read_dir(place.path("mount")).expect("there").count();
        assert_eq!(left, 0, "{said:#?}");
    }
}

#[test]
fn what_was_measured_is_kept_when_the_file_system_dies() {
    let Some((place, said)) = created_until(None) else {
        return;
    };
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert!(
        said.out.contains("It failed after 300 of 5,000 files: "),
        "{said:#?}"
    );
    let told = "The first sizes could not be measured again: ";
    assert!(said.sentences().contains(told), "{said:#?}");
    let why = "transport endpoint is not connected";
    assert!(
        said.err.contains(why) && said.sentences().contains(why),
        "{said:#?}"
    );
    assert!(place.path("kept/operations.parquet").exists(), "{said:#?}");
}

#[test]
fn a_file_system_without_inodes_says_so() {
    let place = Place::new();
    let (image, point) = (place.path("image"), place.path("few"));
    let (image, point) = (image.to_string_lossy(), point.to_string_lossy());
    fs::create_dir(&*point).expect("a directory");
    let made = run(&[
        "mke2fs", "-q", "-F", "-t", "ext4", "-N", "300", &image, "16M",
    ])
    .and_then(|()| run(&["mount", "-o", "loop", &image, &point]));
    if need(Feature::Ext, made).is_none() {
        return;
    }
    let said = place.run(&["lab", "open", "--dir", "few", "--force", "--count", "5000"]);
    let unmounted = run(&["umount", &point]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_no_inodes(&said);
    assert_eq!(unmounted, Ok(()), "nothing is in use");
}

#[test]
fn threads_that_cannot_be_started_are_told() {
    let place = Place::new();
    // Room for the program and two stacks, not for a third; and for whatever else the threads allocate.
    let limited = "ulimit -v 2500000; exec \"$0\" \"$@\"";
    let args = [
        "lab",
        "write",
        "--count",
        "500",
        "--size",
        "9",
        "--threads",
        "450",
    ];
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_whyslow")]);
    command.env("RUST_MIN_STACK", "1000000000");
    command.env("MALLOC_ARENA_MAX", "1");
    let done = command.args(args).current_dir(place.path("")).output();
    let said = Said::of(done.expect("it runs"));
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert!(
        said.err.contains("cannot start the threads for"),
        "{said:#?}"
    );
    assert!(
        said.out.contains("write, serial"),
        "what came before is shown: {said:#?}"
    );
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn a_run_that_does_not_end_ends_with_the_budget_or_ctrl_c() {
    let place = Place::new();
    let args = ["lab", "command", "-n", "0,600", "--budget", "5s"];
    let command = ["--", "sleep", "{}"];
    let said = place.run(&[&args[..], &command].concat());
    assert_eq!(said.code, Some(0), "{said:#?}");
    let told = "Stopped at 1 of 2: the time budget is used up.";
    assert!(said.out.contains(told), "{said:#?}");
    let mut child = place.whyslow(&[&args[..4], &command].concat());
    child.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().expect("the program runs");
    std::thread::sleep(Duration::from_secs(1));
    signal(&child, "-INT");
    let said = Said::of(child.wait_with_output().expect("it ends"));
    // On a machine that is very busy it may not have begun.
    assert!(matches!(said.code, Some(130) | None), "{said:#?}");
}

#[test]
fn what_fails_at_once_is_a_failure() {
    let place = Place::new();
    let said = place.run(&["lab", "command", "--count", "8", "--", "false"]);
    let message =
        "whyslow: cannot measure: A run of the command failed the first time: exit code 1";
    said.fails(3, &[message]);
    let said = place.run(&[
        "lab", "command", "-n", "600", "--budget", "1s", "--", "sleep", "{}",
    ]);
    assert_eq!(said.code, Some(3), "{said:#?}");
}

#[test]
fn what_a_command_starts_ends_with_the_budget() {
    let place = Place::new();
    let script = "echo $$ > pid; sleep 601 & sleep 602";
    let args = ["lab", "command", "--count", "3", "--budget", "1s"];
    place.run(&[&args[..], &["--", "sh", "-c", script]].concat());
    let group = fs::read_to_string(place.path("pid")).expect("it began");
    let group = group.trim();
    // Those that are killed may take a moment to be gone.
    let has_some = || {
        let all = fs::read_dir("/proc").expect("processes").flatten();
        all.filter_map(|one| fs::read_to_string(one.path().join("stat")).ok())
            .any(|stat| {
                let rest = stat.rsplit(") ").next().unwrap_or_default();
                let mut words = rest.split(' ');
                let is_dead = words
                    .next()
                    .is_none_or(|state| state == "Z" || state == "X");
                !is_dead && words.nth(1) == Some(group)
            })
    };
    for _ in 0..600 {
        if !has_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("processes of group {group} go on");
}

#[test]
fn what_cannot_be_kept_is_known_before_or_shown() {
    let place = Place::new();
    let said = place.run(&["lab", "create", "--count", "5", "-o", "none/kept"]);
    said.fails(
        3,
        &["whyslow: cannot make the directory none/kept: no such file"],
    );
    fs::create_dir(place.path("gone")).expect("a directory");
    let args = ["lab", "command", "--count", "1", "-o", "gone/kept"];
    let said = place.run(&[&args[..], &["--", "rmdir", "gone"]].concat());
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert!(said.out.contains("A run of the command"), "{said:#?}");
    assert!(
        said.err.contains("cannot make the directory gone/kept"),
        "{said:#?}"
    );
}

#[test]
fn a_full_directory_is_a_result() {
    let place = Place::new();
    if !can(&place, "ext3-1k") {
        return;
    }
    let args = [
        "lab", "create", "--passes", "1", "--on", "ext3-1k", "--count", "400000", "--jobs", "1",
    ];
    let said = place.run(&[&args[..], &["--budget", "10min", "--format", "csv"]].concat());
    let (ending, done) = (&column(&said, "ending")[0], &column(&said, "operations")[0]);
    assert_eq!(ending, "full: directory", "{said:#?}");
    assert!(
        (250_000..400_000).contains(&done.parse::<u32>().expect("a number")),
        "{done}"
    );
    assert_eq!((left(&place), place.names()), (vec![], vec![]));
}

#[test]
fn ctrl_c_at_any_moment_leaves_nothing() {
    let place = Place::new();
    let systems = if can(&place, "ext4") {
        "tmpfs,ext4"
    } else {
        "tmpfs"
    };
    for moment_ms in [1, 30, 300, 1_500] {
        let args = [
            "lab", "create", "--passes", "1", "--on", systems, "--count", "20000", "--jobs", "1,2",
        ];
        let mut command = place.whyslow(&[&args[..], &["--prefill", "9000"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program runs");
        let ours = format!("whyslow-lab-{}-", child.id());
        std::thread::sleep(Duration::from_millis(moment_ms));
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        // Before it watches for the signal it has made nothing.
        assert!(matches!(said.code, Some(0 | 130) | None), "{said:#?}");
        assert_eq!(
            (left(&place), place.names()),
            (vec![], vec![]),
            "{moment_ms} ms"
        );
        let memory = fs::read_dir(Path::new("/dev/shm"))
            .expect("memory")
            .flatten();
        let memory = memory.filter(|one| one.file_name().to_string_lossy().starts_with(&ours));
        assert_eq!(memory.count(), 0, "{moment_ms} ms: {said:#?}");
    }
}
