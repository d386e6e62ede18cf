//! How experiments end where the system says no: a clear message, what was measured is kept, and what
//! was made is removed. Where the machine cannot make it say so, the test tells why.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::harness::{Place, Said};
use crate::lab::{Mount, column, signal};
use crate::lab_systems::{can, left};

/// Runs a command of the test's own; returns what it complains about.
fn run(words: &[&str]) -> Result<(), String> {
    let (program, arguments) = words.split_first().expect("a program");
    let mut command = Command::new(program);
    let done = command.args(arguments).stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    done.status.success().then_some(()).ok_or(said)
}

/// Runs the program as a user who owns nothing; `None` if that cannot be done here.
fn as_nobody(place: &Place, args: &[&str]) -> Option<Said> {
    let program = env!("CARGO_BIN_EXE_whyslow");
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    let said = |words: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(nobody).arg(program).args(words);
        let done = command.current_dir(place.path("")).output().ok()?;
        Some(Said::of(done))
    };
    if said(&["--version"]).is_none_or(|said| said.code != Some(0)) {
        println!("skipped: the program cannot be run as another user here");
        return None;
    }
    said(args)
}

#[test]
fn a_full_disk_ends_writing() {
    let place = Place::new();
    let path = place.path("small");
    let Some(_mount) = Mount::make(&path, "size=1m") else {
        println!("skipped: this user may not mount a small file system");
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
    assert_eq!(endings, ["28", "28", "28"], "{said:#?}");
    assert_eq!(fs::read_dir(&path).expect("the directory").count(), 0);
}

#[test]
fn a_file_system_that_cannot_be_written_is_refused() {
    let place = Place::new();
    let path = place.path("fixed");
    let Some(_mount) = Mount::make(&path, "ro") else {
        println!("skipped: this user may not mount a file system");
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
    assert_eq!(place.names(), [""; 0]);
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
    match said {
        Err(why) => println!("skipped: {why}"),
        Ok(None) => {}
        Ok(Some(said)) => {
            assert_eq!(said.code, Some(0), "{said:#?}");
            assert!(
                said.out.contains("of 500: disk quota exceeded."),
                "{said:#?}"
            );
            assert_eq!(unmounted, Ok(()), "nothing is in use");
        }
    }
}

#[test]
fn a_full_directory_is_a_result() {
    let place = Place::new();
    if !can(&place, "ext3-1k") {
        return;
    }
    let args = [
        "lab", "create", "--on", "ext3-1k", "--count", "400000", "--jobs", "1",
    ];
    let said = place.run(&[&args[..], &["--budget", "10s", "--format", "csv"]].concat());
    let (ending, done) = (&column(&said, "ending")[0], &column(&said, "operations")[0]);
    if ending == "budget" {
        println!("skipped: only {done} files in 10 s, the directory was not full");
        return;
    }
    assert_eq!(ending, "28", "{said:#?}");
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
            "lab", "create", "--on", systems, "--count", "20000", "--jobs", "1,2",
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
