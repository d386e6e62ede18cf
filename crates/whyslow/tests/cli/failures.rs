//! What bad input gets: a line that says what and why, a line that says what to do, an exit code.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use whyslow_testenv::{Feature, has, need};

use crate::fixture;
use crate::harness::{Place, Said};
use crate::mounted::EndsWithTest;

#[test]
fn extracts_that_are_not_there() {
    let place = Place::new();
    place
        .run(&["cpu"])
        .fails(2, &["whyslow: no extract was given", "hint: "]);
    place
        .run(&["cpu", "x.whyslow"])
        .fails(3, &["whyslow: cannot open x.whyslow: not found", "hint: "]);
    place
        .run(&["cpu", "*.whyslow"])
        .fails(3, &["whyslow: cannot open *.whyslow: not found", "hint: "]);
    place.write("notes.txt", b"hello");
    place
        .run(&["cpu", "notes.txt"])
        .fails(3, &["whyslow: cannot open notes.txt: ", "hint: "]);
    place.write("nothing", b"");
    fs::create_dir(place.path("dir")).expect("a directory");
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("nowhere", place.path("link")).expect("a link");
    for (name, what) in [
        ("notes.txt", "it is a file, not an extract"),
        ("nothing", "it is an empty file, not an extract"),
        ("dir", "there is no extract in this directory"),
        ("pipe", "it is a pipe, a socket or a device, not an extract"),
        ("link", "it is a link to something that does not exist"),
    ] {
        let said = place.run(&["why", name]);
        let line = format!("whyslow: cannot open {name}: {what}");
        said.fails(3, &[&line, "hint: "]);
    }
    place.write("perf.data", b"PERFILE2and more");
    let said = place.run(&["cpu", "perf.data"]);
    said.fails(
        3,
        &[
            "whyslow: cannot open perf.data: ",
            "hint: it looks like a recording: whyslow extract perf.data",
        ],
    );
}

#[test]
fn an_answer_is_not_called_an_extract() {
    let place = Place::new();
    place
        .run(&["run", "-o", "slow.whyslow", "--", "true"])
        .fails(
            125,
            &[
                "whyslow: slow.whyslow: -o names the file of the answer",
                "hint: for the extract, use --name NAME",
            ],
        );
    assert!(place.names().is_empty(), "nothing ran, nothing is left");
}

#[test]
fn recordings_that_cannot_be_read() {
    let place = Place::new();
    place
        .run(&["extract", "no.data"])
        .fails(3, &["whyslow: cannot read no.data: no such file", "hint: "]);
    place.write("empty.data", b"");
    place
        .run(&["extract", "empty.data"])
        .fails(3, &["whyslow: cannot read empty.data: ", "hint: "]);
    place.write("foreign.data", &[b'x'; 4096]);
    place
        .run(&["extract", "foreign.data"])
        .fails(3, &["whyslow: cannot read foreign.data: ", "hint: "]);
    place.write("cut.data", b"PERFILE2\x68\0\0\0\0\0\0\0");
    place
        .run(&["extract", "cut.data"])
        .fails(3, &["whyslow: cannot read cut.data: ", "hint: "]);
    fs::create_dir(place.path("dir")).expect("a directory");
    place.run(&["extract", "dir"]).fails(
        3,
        &["whyslow: cannot read dir: it is a directory", "hint: "],
    );
    assert!(
        !place.names().iter().any(|name| name.ends_with(".whyslow")),
        "no half an extract"
    );
}

#[test]
fn windows_traces_that_cannot_be_read() {
    let place = Place::new();
    let mut random = 3_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (random >> 56) as u8
    })
    .take(9000)
    .collect();
    let cases: [(&str, &[u8], &str); 5] = [
        ("empty", b"", "the file is empty"),
        ("zeros", &[0; 9000], "found nothing but zeros"),
        ("noise", &noise, "it is probably encrypted or compressed"),
        ("locked", b"Salted__12345678", "found an encrypted file"),
        ("text", b"hello world", "found text"),
    ];
    for (name, bytes, found) in cases {
        let file = format!("{name}.etl");
        place.write(&file, bytes);
        let said = place.run(&["extract", &file]);
        let first = format!("whyslow: cannot read {file}: ");
        said.fails(3, &[&first, "hint: "]);
        assert!(said.err.contains(found), "{name}: {}", said.err);
    }
}

#[test]
fn one_bad_input_does_not_spoil_the_others() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    fixture::write(&place.path("b.whyslow"), 1);
    place.write("b.whyslow/trace.parquet", b"not at all");
    let said = place.run(&["cpu", "."]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(
        said.out.contains("worker") && said.err.contains("cannot open ./b.whyslow"),
        "{said:?}"
    );
}

#[test]
fn a_damaged_table_does_not_spoil_the_other_extracts() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        fixture::write(&place.path(&format!("{name}.whyslow")), 1);
    }
    let alone = place.run(&["threads", "a.whyslow", "c.whyslow", "-f", "csv"]);
    assert_eq!(alone.code, Some(0), "{alone:?}");
    place.write("b.whyslow/process.parquet", b"not at all");
    let all = ["a.whyslow", "b.whyslow", "c.whyslow"];
    for question in [
        "threads",
        "files",
        "processes",
        "cpu",
        "stacks",
        "timeline",
        "waits",
    ] {
        let said = place.run(&[&[question][..], &all, &["-f", "csv"]].concat());
        assert_eq!(said.code, Some(3), "{said:?}");
        let why = "whyslow: cannot read table process of b.whyslow: ";
        assert!(
            said.err.contains(why) && said.err.contains("hint: "),
            "{said:?}"
        );
        assert!(!said.out.is_empty(), "{said:?}");
        if question == "threads" {
            assert_eq!(said.out, alone.out);
        }
    }
    // If none is readable, there is no answer.
    place.write("a.whyslow/process.parquet", b"not at all");
    let said = place.run(&["threads", "a.whyslow", "b.whyslow"]);
    said.fails(
        3,
        &[
            "whyslow: cannot read table process of a.whyslow: ",
            "hint: ",
        ],
    );
}

#[test]
fn a_damaged_page_of_a_table() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let file = place.path("a.whyslow/thread_state.parquet");
    let mut bytes = fs::read(&file).expect("a table");
    // The first page follows the four letters at the beginning.
    bytes[4..200].fill(0xa5);
    fs::write(&file, bytes).expect("a table");
    let said = place.run(&["threads", "a.whyslow"]);
    said.fails(
        3,
        &[
            "whyslow: cannot read table thread_state of a.whyslow: ",
            "hint: extract the trace again with --force, or use a copy of the extract",
        ],
    );
    assert!(
        said.err.contains("thread_state.parquet: is damaged"),
        "{said:?}"
    );
    assert!(
        !said.err.contains("write") && !said.err.contains("permission"),
        "{said:?}"
    );
}

#[test]
fn a_damaged_table() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    place.write("a.whyslow/process.parquet", b"not at all");
    let said = place.run(&["processes", "a.whyslow"]);
    said.fails(
        3,
        &[
            "whyslow: cannot read table process of a.whyslow: ",
            "hint: ",
        ],
    );
}

#[test]
fn an_extract_of_a_newer_version() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let file = place.path("a.whyslow/trace.parquet");
    let mut bytes = fs::read(&file).expect("a table");
    let key = b"whyslow.schema";
    let at = bytes.windows(key.len()).position(|window| window == key);
    let after = at.expect("the version's key") + key.len();
    // The version is a text of one digit, behind its length.
    let is_version = |pair: &[u8]| pair[0] == 1 && pair[1].is_ascii_digit();
    let digit = bytes[after..].windows(2).position(is_version);
    bytes[after + digit.expect("the version") + 1] = b'9';
    fs::write(&file, bytes).expect("a table");
    let said = place.run(&["cpu", "a.whyslow"]);
    said.fails(
        3,
        &[
            "whyslow: cannot open a.whyslow: was written by a newer whyslow",
            "hint: update whyslow",
        ],
    );
}

#[test]
fn options_that_make_no_sense() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let fails = |args: &[&str], line: &str| {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(line), "{said:?}");
    };
    fails(
        &["cpu", "a.whyslow", "--sort", "beauty"],
        "unknown column \"beauty\"",
    );
    fails(&["cpu", "a.whyslow", "--cpu", "many"], "is not a range");
    fails(&["cpu", "a.whyslow", "--from", "noon"], "is not a time");
    fails(
        &["cpu", "a.whyslow", "--tops", "3"],
        "whyslow: `whyslow cpu` has no option --tops\n\
         hint: did you mean --top? `whyslow cpu --help` lists the options\n",
    );
    fails(
        &["cqu", "a.whyslow"],
        "whyslow: there is no command \"cqu\"\nhint: did you mean cpu? ",
    );
    fails(
        &["extract", "x.data", "--memory", "much"],
        "whyslow: --memory cannot be \"much\": it does not begin with a number\n",
    );
    fails(
        &["stacks", "--by"],
        "whyslow: --by needs a value: WHAT\nhint: it can be cpu, ",
    );
    // What would act in a terminal is shown instead.
    fails(&["cpu", "--\x1b[31m"], "has no option --\\x1b[31m\n");
}

#[test]
fn a_directory_that_cannot_be_written() {
    let place = Place::new();
    if !has(Feature::Root) {
        return;
    }
    fixture::write(&place.path("a.whyslow"), 1);
    let secret = as_nobody(&place, &["cpu", "a.whyslow"]);
    secret.fails(3, &["whyslow: cannot open a.whyslow: ", "hint: "]);
    assert!(secret.err.contains("ermission denied"), "{secret:?}");
    for entry in fs::read_dir(place.path("a.whyslow")).expect("an extract") {
        let file = entry.expect("a file").path();
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).expect("permissions");
    }
    fs::set_permissions(place.path("a.whyslow"), fs::Permissions::from_mode(0o755))
        .expect("permissions");
    fs::create_dir(place.path("locked")).expect("a directory");
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555))
        .expect("permissions");
    let args = ["cpu", "a.whyslow", "-o", "locked/cpu.csv"];
    let said = as_nobody(&place, &args);
    said.fails(
        3,
        &[
            "whyslow: cannot create locked/cpu.csv: permission denied",
            "hint: ",
        ],
    );
}

#[test]
fn a_full_disk() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let path = place.path("small");
    let Some(small) = SmallDisk::mount(&path) else {
        return;
    };
    // It is meant to fail when the disk is full.
    let _full = fs::write(place.path("small/ballast"), vec![0_u8; 64 << 10]);
    let said = place.run(&[
        "cpu",
        "a.whyslow",
        "--functions",
        "*",
        "-o",
        "small/cpu.json",
    ]);
    said.fails(
        3,
        &[
            "whyslow: cannot write small/cpu.json: no space left on device",
            "hint: free some space",
        ],
    );
    let left = fs::read_dir(place.path("small")).expect("the disk").count();
    assert_eq!(left, 1, "only the ballast");
    drop(small);
}

#[test]
fn an_experiment_leaves_no_empty_directory_on_a_full_disk() {
    let place = Place::new();
    let path = place.path("small");
    let Some(small) = SmallDisk::mount(&path) else {
        return;
    };
    // It is meant to fail when the disk is full.
    let _full = fs::write(place.path("small/ballast"), vec![0_u8; 64 << 10]);
    let args = ["lab", "create", "--count", "50", "-o", "small/kept"];
    let said = place.run(&args);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("no space left on device"), "{said:?}");
    assert!(!place.path("small/kept").exists(), "{said:?}");
    fs::remove_file(place.path("small/ballast")).expect("the ballast");
    let said = place.run(&args);
    // Now there is room for something.
    assert!(
        place.path("small/kept/operations.parquet").exists(),
        "{said:?}"
    );
    drop(small);
}

#[test]
fn a_full_pipe_end() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let output = place
        .whyslow(&["cpu", "a.whyslow"])
        .stdout(full)
        .output()
        .expect("the program runs");
    Said::of(output).fails(
        3,
        &[
            "whyslow: cannot write to standard output: no space left on device",
            "hint: ",
        ],
    );
}

/// Runs the program as a user without rights.
pub(crate) fn as_nobody(place: &Place, args: &[&str]) -> Said {
    // The build directory may lie below a directory only root may enter: a copy, called from here.
    let copy = place.path("whyslow");
    fs::copy(env!("CARGO_BIN_EXE_whyslow"), copy).expect("a copy of the program");
    let output = Command::new("setpriv")
        .args([
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=-all",
            "--bounding-set=-all",
        ])
        .arg("./whyslow")
        .args(args)
        .current_dir(place.path("."))
        .output();
    Said::of(output.expect("setpriv runs"))
}

/// A file system of some kilobytes.
pub(crate) struct SmallDisk<'a> {
    path: &'a Path,
    watch: Option<EndsWithTest>,
}

impl<'a> SmallDisk<'a> {
    /// Mounts it on a new directory; `None`, after saying so, where that is not permitted.
    pub(crate) fn mount(path: &'a Path) -> Option<Self> {
        fs::create_dir(path).expect("a directory");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(path)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            let watch = Some(EndsWithTest::new(path));
            return Some(Self { path, watch });
        }
        need(Feature::Mount, Err("may not mount a small file system"))
    }

    /// Returns what unmounts it if the test is killed.
    pub(crate) fn watch(&mut self) -> Option<EndsWithTest> {
        self.watch.take()
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        // An unmounted disk would only stay in the build directory.
        let _left = Command::new("umount").arg(self.path).output();
    }
}
