//! Experiments from the command line: what they measure, keep, refuse, and remove. No time is asserted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use whyslow_testenv::{Feature, has, wait_until};

use crate::harness::{Place, Said};

/// Returns the values of `column` in an answer of `--format csv`.
pub(crate) fn column(said: &Said, column: &str) -> Vec<String> {
    assert_eq!(said.code, Some(0), "{said:#?}");
    let mut lines = said
        .out
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let at = names
        .iter()
        .position(|name| *name == column)
        .expect("the column");
    lines.map(|line| line[at].to_owned()).collect()
}

#[test]
fn everything_is_measured_kept_and_removed() {
    let place = Place::new();
    let args = [
        "lab", "create", "--count", "600", "-o", "kept", "--format", "csv",
    ];
    let said = place.run(&args);
    assert_eq!(column(&said, "operation"), ["create", "delete"]);
    assert_eq!(column(&said, "operations"), ["600", "600"]);
    assert_eq!(column(&said, "ending"), ["done", "done"]);
    assert_eq!(
        place.names(),
        ["kept"],
        "the directory of the files is gone"
    );
    let kept: Vec<String> = fs::read_dir(place.path("kept"))
        .expect("the directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    for name in ["operations.parquet", "report.html", "runs.csv", "runs.json"] {
        assert!(kept.contains(&name.to_owned()), "{kept:?}");
    }
    assert_eq!(kept.iter().filter(|name| name.ends_with(".svg")).count(), 2);
    let again = place.run(&args);
    again.fails(
        3,
        &["whyslow: cannot write kept: it already exists", "hint: "],
    );
}

#[test]
fn every_operation_is_in_the_parquet_file() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Row, RowAccessor};
    let place = Place::new();
    let args = ["lab", "list", "--count", "100", "-o", "kept"];
    assert_eq!(place.run(&args).code, Some(0));
    let bytes = fs::read(place.path("kept/operations.parquet")).expect("the file");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|row| row.expect("a row"))
        .collect();
    let first: Vec<_> = rows
        .iter()
        .filter(|row| row.get_long(3).expect("pass") == 1 && row.get_long(4).expect("again") == 0)
        .collect();
    assert_eq!(first.len(), 100);
    for (at, row) in (1..).zip(&first) {
        assert_eq!(row.get_long(11).expect("count"), at, "entries are counted");
        assert_eq!(row.get_long(10).expect("result"), 0);
    }
    let passes = rows.iter().map(|row| row.get_long(3).expect("pass")).max();
    let passes = usize::try_from(passes.expect("rows")).expect("a few");
    assert_eq!(rows.len(), passes * 110, "ten listings again at the end");
    let args = ["lab", "list", "--count", "1000", "-o", "more"];
    assert_eq!(place.run(&args).code, Some(0));
    let bytes = fs::read(place.path("more/operations.parquet")).expect("the file");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    let again = rows.map(|row| row.expect("a row"));
    let first = |row: &Row| row.get_long(3).expect("pass") == 1;
    let again = again.filter(|row| first(row) && row.get_long(4).expect("again") == 1);
    let counts: Vec<i64> = again.map(|row| row.get_long(11).expect("count")).collect();
    let same: Vec<i64> = (1..=10).map(|at| 5 * at).collect();
    assert_eq!(counts, same, "the first sizes, not smaller ones");
}

#[test]
fn processes_work_together() {
    let place = Place::new();
    let args = [
        "lab",
        "rename",
        "--count",
        "900",
        "--jobs",
        "1,3",
        "--prefill",
        "50",
    ];
    let said = place.run(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(column(&said, "workers"), ["1", "3"]);
    assert_eq!(column(&said, "operations"), ["900", "900"]);
    assert_eq!(column(&said, "prefilled"), ["50", "50"]);
    let args = [
        "lab", "create", "--count", "50", "--jobs", "20", "-o", "kept",
    ];
    let said = place.run(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(
        column(&said, "operations"),
        ["50"],
        "as many as were asked for"
    );
    fs::remove_dir_all(place.path("kept")).expect("it was kept");
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn ways_are_compared() {
    let place = Place::new();
    let said = place.run(&["lab", "reopen", "--count", "400"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.out.contains("Reading a setting"), "{said:#?}");
    assert!(
        said.sentences()
            .contains(" times as long per operation as "),
        "{said:#?}"
    );
    let said = place.run(&["lab", "probe", "--count", "30"]);
    assert!(said.out.contains("Counted: "), "{said:#?}");
    assert!(
        said.out.contains("linear search, small program"),
        "{said:#?}"
    );
    let said = place.run(&[
        "lab",
        "write",
        "--count",
        "20",
        "--size",
        "5kB",
        "--threads",
        "1,2",
    ]);
    assert!(said.out.contains("tasks 2"), "{said:#?}");
    let args = [
        "lab",
        "write",
        "--files",
        "20",
        "--size",
        "5kB",
        "--threads",
        "1..3",
    ];
    let said = place.run(&[&args[..], &["--strategy", "serial,tasks", "-f", "csv"]].concat());
    assert_eq!(column(&said, "arm"), ["serial", "tasks 2", "tasks 3"]);
    let said = place.run(&["lab", "spawn", "--count", "20"]);
    assert!(said.out.contains("posix_spawn"), "{said:#?}");
    let command = [
        "lab",
        "command",
        "--printed",
        "us",
        "--",
        "printf",
        "1\\n2\\n3\\n",
    ];
    let said = place.run(&command);
    assert!(
        said.out.contains("too few measurements to name a law"),
        "{said:#?}"
    );
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn runs_are_compared_with_those_they_differ_least_from() {
    let place = Place::new();
    let said = place.run(&["lab", "probe", "--on", "dir:a,dir:b", "--starts", "25"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let said = said.sentences();
    let lines = said
        .lines()
        .filter(|line| line.contains(" per operation as "));
    let across = |line: &&str| line.contains("dir:a") && line.contains("dir:b");
    let (across, within): (Vec<&str>, Vec<&str>) = lines.partition(across);
    // Three ways of two programs on each.
    assert_eq!((within.len(), across.len()), (10, 1), "{said}");
    let ways = ["linear search, on dir:a", "linear search, on dir:b"];
    assert!(ways.iter().all(|way| across[0].contains(way)), "{across:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("full")).expect("a directory");
    place.write("full/precious", b"not ours");
    place.write("file", b"");
    let lab = |args: &[&str]| place.run(&[&["lab"], args].concat());
    let usage = |args: &[&str], message: &str| lab(args).fails(2, &[message, "hint: "]);
    usage(
        &["create", "--count", "0"],
        "whyslow: there is nothing to measure",
    );
    usage(
        &["rename", "--jobs", "0"],
        "whyslow: there is nothing to measure",
    );
    let absurd = "99999999999999";
    usage(
        &["create", "--count", absurd],
        "whyslow: keeping 99,999,999,999,999 operations needs 9 PB of memory, but only ",
    );
    let many = lab(&["create", "--prefill", absurd]);
    many.fails(2, &["whyslow: 99999999999999 files are too many"]);
    usage(&["list", "--jobs", "2"], "whyslow: --jobs does not belong");
    usage(&["command"], "whyslow: the command is missing");
    usage(
        &["command", "--count", "5", "-n", "1", "--", "true"],
        "whyslow: a command needs exactly one of",
    );
    usage(&["spawn", "--dir", "x"], "whyslow: this case has no files");
    usage(
        &["shortnames", "--on", "smb"],
        "whyslow: smb: files on a share get no short names",
    );
    let small = lab(&["spawn", "--memory", "100"]);
    small.fails(2, &["whyslow: a process that grows does so by"]);
    let alone = lab(&["write", "--threads", "1", "--strategy", "tasks"]);
    alone.fails(2, &["whyslow: parallel and tasks need at least 2 threads"]);
    usage(
        &["command", "--", "true"],
        "whyslow: a command needs exactly one of",
    );
    let many = lab(&["rename", "--jobs", "5000"]);
    assert_eq!(many.code, Some(2), "{many:#?}");
    assert!(
        many.err.contains("5000 is too many: at most 500"),
        "{many:#?}"
    );
    let full = lab(&["create", "--dir", "full"]);
    full.fails(
        3,
        &["whyslow: cannot work in full: it is not empty", "hint: "],
    );
    lab(&["create", "--dir", "file"]).fails(3, &["whyslow: cannot use the directory file"]);
    let long = "x".repeat(300);
    let failed = lab(&["create", "--dir", &long]);
    assert!(failed.err.contains("file name too long"), "{failed:#?}");
    lab(&["create", "--dir", "/proc/x"]).fails(3, &["whyslow: cannot make the directory /proc/x"]);
    assert_eq!(lab(&["create", "--on", "floppy"]).code, Some(2));
    let forced = lab(&["create", "--dir", "full", "--force", "--count", "20"]);
    assert_eq!(forced.code, Some(0), "{forced:#?}");
    let left = fs::read_dir(place.path("full"))
        .expect("the directory")
        .count();
    assert_eq!(left, 1, "only what was there");
    assert_eq!(
        fs::read(place.path("full/precious")).expect("it"),
        b"not ours"
    );
}

/// Returns how often each system call was made by an experiment of `count` files, by strace.
fn system_calls(place: &Place, count: &str) -> Option<BTreeMap<String, u64>> {
    let traced = place.path("calls");
    let args = ["--format", "csv", "--passes", "1"];
    let whyslow = place.whyslow(&[&["lab", "create", "--count", count], &args[..]].concat());
    let mut command = Command::new("strace");
    command.args(["-f", "-c", "-o"]).arg(&traced);
    command.arg(whyslow.get_program()).args(whyslow.get_args());
    command.current_dir(place.path("")).stdout(Stdio::null());
    let done = command.stderr(Stdio::null()).status();
    if !done.is_ok_and(|status| status.success()) {
        return None;
    }
    let text = fs::read_to_string(&traced).ok()?;
    fs::remove_file(&traced).ok()?;
    let calls = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(((*words.last()?).to_owned(), words.get(3)?.parse().ok()?))
    });
    Some(calls.filter(|(name, _)| name != "total").collect())
}

#[test]
fn an_operation_has_the_system_calls_of_a_bare_loop() {
    let place = Place::new();
    if !has(Feature::Strace) {
        return;
    }
    let counted = (system_calls(&place, "100"), system_calls(&place, "200"));
    let (Some(few), Some(many)) = counted else {
        panic!("no list of calls: {counted:?}");
    };
    // Both measure ten files again at the end: what differs is a hundred files made and deleted.
    let more = |name: &str| {
        let of = |calls: &BTreeMap<String, u64>| calls.get(name).copied().unwrap_or(0);
        of(&many).saturating_sub(of(&few))
    };
    assert_eq!(["openat", "close", "unlinkat"].map(more), [100, 100, 100]);
    // The standard library of a build for tests looks at every descriptor before it closes it.
    let debug = if cfg!(debug_assertions) { 100 } else { 0 };
    assert_eq!(more("fcntl"), debug);
    let all: u64 = many.keys().map(|name| more(name)).sum();
    assert!(
        all - debug <= 300 + 10,
        "nothing else per file: {few:?} {many:?}"
    );
}

#[test]
fn a_suite_is_one_report_and_goes_on_without_what_is_missing() {
    let place = Place::new();
    let text = "budget = \"1min\"\non = [\"dir:work\", \"dir:/proc/none\"]\n\
                [[case]]\ncase = \"create\"\ncount = [50, 80]\n\
                [[case]]\ncase = \"command\"\nnumbers = [1, 2]\ncommand = [\"true\", \"{}\"]\n";
    place.write("suite.toml", text.as_bytes());
    let said = place.run(&["lab", "suite", "suite.toml", "-o", "kept"]);
    assert_eq!(said.code, Some(3), "{said:#?}");
    let missing = "Not measured: the case of line 3 on dir:/proc/none: cannot make the directory";
    assert_eq!(said.err.matches(missing).count(), 2, "{said:#?}");
    for part in ["reating a file", "A run of the command", "Ratio"] {
        assert!(said.out.contains(part), "{said:#?}");
    }
    let report = fs::read_to_string(place.path("kept/report.html")).expect("the report");
    assert!(report.contains("Not measured: "), "it says what is missing");
    assert_eq!(report.matches("class=\"chart\"").count(), 5);
    assert_eq!(place.names(), ["kept", "suite.toml"]);
    place.write("suite.toml", b"[[case]]\ncase = \"create\"\ncuont = 5\n");
    let wrong = place.run(&["lab", "suite", "suite.toml"]);
    let message = "whyslow: suite.toml: line 3: unknown key \"cuont\" of a case";
    wrong.fails(2, &[message, "hint: known are case, command, count"]);
    place.write("suite.toml", b"budget = \"1s\"\n\x8f\xfe\x00");
    let binary = place.run(&["lab", "suite", "suite.toml"]);
    let message = "whyslow: suite.toml: line 2: this is not text (UTF-8)";
    binary.fails(2, &[message, "hint: whyslow lab suite --example"]);
    let endless = place.run(&["lab", "suite", "/dev/zero"]);
    endless.fails(
        2,
        &["whyslow: /dev/zero: line 1: it has more than", "hint: "],
    );
    let nothing = place.run(&["lab", "suite"]);
    nothing.fails(2, &["whyslow: the suite's file is missing", "hint: "]);
    place
        .run(&["lab", "suite", "suite.toml", "--count", "5"])
        .fails(
            2,
            &[
                "whyslow: the suite's file says how much to measure, and where",
                "hint: ",
            ],
        );
}

#[test]
fn an_experiment_is_recorded_and_extracted() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let args = ["lab", "create", "--count", "300", "--record", "-o", "kept"];
    let said = place.run(&args);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(
        said.out.to_lowercase().contains("creating a file"),
        "{said:#?}"
    );
    assert!(
        said.err.contains("whyslow stacks kept/recording.whyslow"),
        "{said:#?}"
    );
    assert_eq!(place.names(), ["kept"], "the recording itself is gone");
    let cpu = place.run(&["threads", "kept/recording.whyslow", "--process", "whyslow"]);
    assert_eq!(cpu.code, Some(0), "{cpu:#?}");
    // What fails leaves nothing and exits as it does without the recording.
    let failed = place.run(&["lab", "create", "--dir", "/proc/none", "--record"]);
    assert_eq!(failed.code, Some(3), "{failed:#?}");
    assert_eq!(place.names(), ["kept"]);
}

/// Waits until `dir` holds something.
fn wait_for_something_in(dir: &Path) {
    wait_until("something happens", || {
        let places = fs::read_dir(dir).into_iter().flatten().flatten();
        places
            .filter_map(|place| fs::read_dir(place.path()).ok())
            .flatten()
            .next()
            .is_some()
    });
}

fn long_run(place: &Place, jobs: &[&str]) -> Child {
    let args = ["lab", "create", "--count", "3000000", "--dir", "work"];
    let mut command = place.whyslow(&[&args[..], jobs].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program runs");
    wait_for_something_in(&place.path("work"));
    child
}

pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_removes_what_was_made() {
    for jobs in [&[][..], &["--jobs", "2"]] {
        let place = Place::new();
        let child = long_run(&place, jobs);
        signal(&child, "-INT");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!(said.code, Some(130), "{said:#?}");
        assert!(said.out.contains("of 3,000,000: interrupted."), "{said:#?}");
        assert_eq!(place.names(), [""; 0], "{said:#?}");
    }
}

/// Whatever sends one signal and its like right after it wants to stop once.
#[test]
fn a_second_ctrl_c_right_after_the_first_leaves_nothing_behind() {
    let place = Place::new();
    let child = long_run(&place, &[]);
    let script = "kill -INT $1; sleep 0.01; kill -INT $1; sleep 0.01; kill -INT $1";
    let pid = child.id().to_string();
    // At the end there may be nobody to signal any more.
    let _sent = Command::new("sh").args(["-c", script, "sh", &pid]).output();
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!(said.code, Some(130), "{said:#?}");
    assert!(said.out.contains("of 3,000,000: interrupted."), "{said:#?}");
    assert_eq!(place.names(), [""; 0], "{said:#?}");
}

#[test]
fn what_a_killed_run_leaves_can_be_removed() {
    let place = Place::new();
    let mut child = long_run(&place, &[]);
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    let left = fs::read_dir(place.path("work"))
        .expect("the directory")
        .count();
    assert_eq!(left, 1);
    let said = place.run(&["lab", "clean", "--dir", "work"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let left = fs::read_dir(place.path("work"))
        .expect("the directory")
        .count();
    assert_eq!(left, 0, "{said:#?}");
}

#[test]
fn what_a_killed_run_left_in_memory_is_found() {
    let memory = Path::new("/dev/shm");
    if !has(Feature::Shm) {
        return;
    }
    let place = Place::new();
    let mut gone = Command::new("true").spawn().expect("it runs");
    gone.wait().expect("it ends");
    let left = memory.join(format!("whyslow-lab-{}-0", gone.id()));
    fs::create_dir(&left).expect("a directory");
    fs::write(left.join("w000000001-000"), "").expect("a file");
    let said = place.run(&["lab", "clean"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(!left.exists(), "{said:#?}");
}

/// A file system of the test's own, gone when the test ends.
pub(crate) struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    pub(crate) fn make(path: &'a Path, options: &str) -> Option<Self> {
        if !has(Feature::Mount) {
            return None;
        }
        fs::create_dir(path).expect("a directory");
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(path);
        assert!(mount.status().expect("mount runs").success());
        Some(Self(path))
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _left = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn file_systems_are_made_and_removed() {
    let place = Place::new();
    if !has(Feature::Ext) {
        return;
    }
    let listed = place.run(&["lab", "systems"]);
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    let mut lines = listed.out.lines();
    let line = lines.find(|line| line.starts_with("ext4 "));
    assert!(line.expect("ext4").ends_with("yes: ext4"), "{listed:#?}");
    let args = [
        "lab",
        "stat",
        "--on",
        "ext4,tmpfs",
        "--count",
        "50",
        "--format",
        "csv",
    ];
    let said = place.run(&args);
    assert_eq!(column(&said, "driver"), ["ext4", "tmpfs"]);
    assert_eq!(place.names(), [""; 0]);
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    assert!(
        !mounts.contains(&*place.path("whyslow-lab").to_string_lossy()),
        "{mounts}"
    );
}

#[test]
fn a_disk_without_inodes_is_a_result() {
    let place = Place::new();
    let path = place.path("small");
    let Some(_mount) = Mount::make(&path, "nr_inodes=300") else {
        return;
    };
    let said = place.run(&["lab", "create", "--dir", "small", "--count", "5000"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_no_inodes(&said);
    assert_eq!(fs::read_dir(&path).expect("the directory").count(), 0);
    let csv = [
        "lab", "create", "--dir", "small", "--count", "5000", "--format", "csv",
    ];
    let ended = column(&place.run(&csv), "ending");
    assert_eq!(
        ended,
        ["full: inodes", "done"],
        "what was made is deleted and timed"
    );
}

/// Asserts that the verdict begins with the limit.
pub(crate) fn assert_no_inodes(said: &Said) {
    let text = said.sentences();
    let verdict = text.lines().nth(1).unwrap_or_default();
    let limit = "Limit: the file system has no inode left after ";
    assert!(
        verdict.starts_with(limit) && verdict.contains(" of 5,000 files."),
        "{said:#?}"
    );
    assert!(!text.contains("expect"), "{said:#?}");
}
