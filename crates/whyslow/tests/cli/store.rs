//! Extracts on bad ground: places that cannot be written, writers that are stopped, tables that are
//! damaged, foreign or gone. Nothing half written appears, and nothing makes a question panic.

use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::process::{Child, Command, Stdio};

use whyslow_perfdata::writer::{
    AttrFlag, EventAttr, EventDescription, Features, FileWriter, RecordBuffer, SampleIdentity,
};

use whyslow_testenv::{Feature, has, wait_until};

use crate::failures::{SmallDisk, as_nobody};
use crate::fixture;
use crate::harness::{Place, Said};

/// `ENXIO`: nobody has the other end of the pipe open.
const NO_READER: i32 = 6;
/// `O_NONBLOCK`.
const NON_BLOCKING: i32 = 0o4000;

/// Returns a recording of so many samples, each with a stack of its own.
fn recording(samples: u64) -> Vec<u8> {
    let attr = EventAttr {
        event_type: 1,
        config: 0,
        sample_type: RecordBuffer::RAW_SAMPLE,
        ..EventAttr::default()
    };
    let events = [EventDescription {
        attr: attr.with(AttrFlag::SampleIdAll),
        name: "cpu-clock".to_owned(),
        ids: vec![7],
    }];
    let mut out = RecordBuffer::new();
    let identity = |time_ns| SampleIdentity {
        pid: 11,
        tid: 11,
        time_ns,
        cpu: 0,
        id: 7,
    };
    out.comm(11, 11, b"busy", &identity(1));
    for number in 1..=samples {
        let frame = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let user = (-512_i64).cast_unsigned();
        let chain = [user, frame, frame ^ 0xffff, frame ^ 0xff_ffff];
        assert!(out.raw_sample(&identity(number * 1000), frame, &chain, &[]));
    }
    out.finished_round();
    let mut bytes = Cursor::new(Vec::new());
    let mut features = Features::new();
    features.events(&events);
    let mut writer = FileWriter::create(&mut bytes, &events, &features).expect("a header");
    writer.write(out.as_bytes()).expect("records");
    writer.finish(&features).expect("features");
    bytes.into_inner()
}

/// Returns the names of the extracts and what else a writer made, hidden or not.
fn made(place: &Place) -> Vec<String> {
    let mut names = place.names();
    names.retain(|name| name.contains("whyslow") && name != "whyslow");
    names
}

#[test]
fn an_extract_that_is_there_is_replaced_only_when_asked() {
    let place = Place::new();
    place.write("x.data", &recording(10));
    assert_eq!(place.run(&["extract", "x.data"]).code, Some(0));
    place.run(&["extract", "x.data"]).fails(
        3,
        &["whyslow: cannot write x.whyslow: already exists", "hint: "],
    );
    assert_eq!(place.run(&["extract", "x.data", "--force"]).code, Some(0));
    fs::remove_file(place.path("x.whyslow/trace.parquet")).expect("a table");
    place.run(&["extract", "x.data", "--force"]).fails(
        3,
        &[
            "whyslow: cannot write x.whyslow: exists and is not an extract",
            "hint: ",
        ],
    );
    assert_eq!(made(&place), ["x.whyslow"]);
}

#[test]
fn the_reader_keeps_to_the_memory_too() {
    let place = Place::new();
    place.write("x.data", &recording(60_000));
    for (memory, is_over) in [("512MiB", false), ("16MiB", true)] {
        let said = place.run(&["extract", "x.data", "--force", "--memory", memory]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let said = place.run(&["problems", "x.whyslow", "--format", "csv"]);
        assert_eq!(said.out.contains("rounds do not end"), is_over, "{said:?}");
    }
}

#[test]
fn a_directory_nobody_may_write() {
    let place = Place::new();
    if !has(Feature::Root) {
        return;
    }
    fs::create_dir(place.path("locked")).expect("a directory");
    place.write("locked/x.data", &recording(10));
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555))
        .expect("permissions");
    let said = as_nobody(&place, &["extract", "locked/x.data"]);
    said.fails(
        3,
        &[
            "whyslow: cannot write locked/x.whyslow: cannot write into this directory: ",
            "hint: check the permissions of the directory, or write elsewhere with -o",
        ],
    );
}

#[test]
fn a_disk_that_fills_up() {
    let place = Place::new();
    let path = place.path("small");
    let Some(small) = SmallDisk::mount(&path) else {
        return;
    };
    place.write("x.data", &recording(20_000));
    let said = place.run(&["extract", "x.data", "-o", "small"]);
    said.fails(
        3,
        &[
            "whyslow: cannot write small/x.whyslow: ",
            "hint: free some space",
        ],
    );
    let left = fs::read_dir(place.path("small")).expect("the disk").count();
    assert_eq!(left, 0, "nothing half written");
    drop(small);
}

/// Starts to extract from a pipe, and waits until the program has begun to write.
fn begin(place: &Place) -> (Child, File) {
    let fifo = place.path("slow.data");
    let fifo_made = Command::new("mkfifo").arg(&fifo).status();
    assert!(fifo_made.expect("mkfifo runs").success());
    let mut command = place.whyslow(&["extract", "slow.data"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut pipe = None;
    wait_until("the program opens its input", || {
        let mut options = fs::OpenOptions::new();
        match options.write(true).custom_flags(NON_BLOCKING).open(&fifo) {
            Ok(opened) => pipe = Some(opened),
            Err(error) => assert_eq!(error.raw_os_error(), Some(NO_READER), "{error}"),
        }
        let ended = child.try_wait().expect("the program can be waited for");
        assert!(ended.is_none(), "it ended before it read: {ended:?}");
        pipe.is_some()
    });
    let mut pipe = pipe.expect("it is open");
    let header = b"PERFILE2\x10\0\0\0\0\0\0\0";
    pipe.write_all(header).expect("a header");
    wait_until("the program writes", || !made(place).is_empty());
    (child, pipe)
}

fn kill(child: &Child, signal: &str) {
    let killed = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
}

/// Returns what the program said, when it ends.
fn end_of(child: Child) -> Said {
    Said::of(whyslow_testenv::end_of(child))
}

#[test]
fn a_name_for_the_extract_or_a_directory_for_many() {
    let place = Place::new();
    place.write("x.data", &recording(10));
    let named = place.run(&["extract", "x.data", "-o", "sub/y.whyslow"]);
    assert_eq!(
        (named.code, named.out.as_str()),
        (Some(0), "sub/y.whyslow\n")
    );
    let inside = place.run(&["extract", "x.data", "-o", "sub"]);
    assert_eq!(inside.out, "sub/x.whyslow\n");
    assert_eq!(place.run(&["stats", "sub"]).code, Some(0));
    let both = place.run(&["extract", "x.data", "x.data", "-o", "z.whyslow"]);
    both.fails(
        2,
        &[
            "whyslow: several extracts cannot share one name",
            "hint: give -o a directory",
        ],
    );
}

#[test]
fn stopped_in_the_middle() {
    let place = Place::new();
    let (child, pipe) = begin(&place);
    let begun = made(&place);
    assert!(begun[0].starts_with(".slow.whyslow."), "{begun:?}");
    kill(&child, "-INT");
    // The pipe stays open: the wait for data ends, too.
    let said = end_of(child);
    drop(pipe);
    said.fails(
        130,
        &["whyslow: interrupted; nothing half written is left behind"],
    );
    assert_eq!(place.names(), ["slow.data"]);
}

/// Nobody writes into the pipe.
#[test]
fn stopped_before_anything_came() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("slow.data")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut command = place.whyslow(&["extract", "slow.data"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let status = format!("/proc/{}/status", child.id());
    wait_until("it can be interrupted", || {
        let ended = child.try_wait().expect("the program can be waited for");
        assert!(ended.is_none(), "it ended: {ended:?}");
        let status = fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.is_some_and(|caught| {
            u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & 0b10 != 0)
        })
    });
    kill(&child, "-INT");
    end_of(child).fails(
        130,
        &["whyslow: interrupted; nothing half written is left behind"],
    );
    assert_eq!(place.names(), ["slow.data"]);
}

#[test]
fn killed_in_the_middle() {
    let place = Place::new();
    let (child, pipe) = begin(&place);
    kill(&child, "-KILL");
    drop(pipe);
    assert_eq!(end_of(child).code, None, "a signal ended it");
    let left = made(&place);
    assert!(
        left.len() == 1 && left[0].starts_with(".slow.whyslow."),
        "{left:?}"
    );
    let said = place.run(&["cpu"]);
    said.fails(
        2,
        &["whyslow: no extract was given, and there is none", "hint: "],
    );
    place.write("x.data", &recording(10));
    assert_eq!(place.run(&["extract", "x.data"]).code, Some(0));
    assert_eq!(made(&place), ["x.whyslow"], "the next writer tidies up");
}

/// Ways to spoil the bytes of a table.
fn spoiled(bytes: &[u8], other: &[u8], seed: usize) -> Vec<(&'static str, Vec<u8>)> {
    let flipped = |at: usize| {
        let mut flipped = bytes.to_vec();
        flipped[at % bytes.len()] ^= 1 << (seed % 8);
        flipped
    };
    let tail = bytes.len() - 8;
    let mut huge = bytes.to_vec();
    // The length of the footer.
    huge[tail..tail + 4].copy_from_slice(&0x7fff_fff0_u32.to_le_bytes());
    vec![
        ("empty", Vec::new()),
        ("cut", bytes[..bytes.len() / 2].to_vec()),
        ("another table", other.to_vec()),
        ("a huge length", huge),
        ("a flipped bit at its start", flipped(5 + seed * 7)),
        (
            "a flipped bit in its footer",
            flipped(tail - 1 - (seed * 13) % 200),
        ),
    ]
}

#[test]
fn tables_that_are_damaged_or_foreign() {
    const QUESTIONS: [&[&str]; 5] = [
        &["cpu", "--functions", "*"],
        &["threads"],
        &["stacks", "--by", "wait"],
        &["processes", "--process", "*"],
        &["timeline"],
    ];
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let foreign = fs::read(place.path("a.whyslow/code.parquet")).expect("a table");
    let tables = fs::read_dir(place.path("a.whyslow")).expect("the extract");
    let mut tables: Vec<_> = tables
        .map(|entry| entry.expect("an entry").path())
        .collect();
    tables.retain(|path| path.extension().is_some_and(|ending| ending == "parquet"));
    tables.sort();
    for (seed, path) in tables.iter().enumerate() {
        let whole = fs::read(path).expect("a table");
        for (turn, (what, bytes)) in spoiled(&whole, &foreign, seed).into_iter().enumerate() {
            fs::write(path, bytes).expect("a table");
            let mut args = vec!["a.whyslow"];
            args.splice(
                0..0,
                QUESTIONS[(seed + turn) % QUESTIONS.len()].iter().copied(),
            );
            let said = place.run(&args);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // An answer, no match, an error that says what to do, or not recorded.
            let ended = matches!(said.code, Some(0 | 1 | 3 | 4));
            let advised = said.code != Some(3) || said.err.contains("hint: ");
            let calm = !said.err.contains("panicked");
            assert!(
                ended && advised && calm,
                "{name}, {what}, {args:?}: {said:#?}"
            );
        }
        fs::write(path, whole).expect("a table");
    }
}

#[test]
fn a_table_that_is_gone() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let whole = place.run(&["cpu", "a.whyslow", "--functions", "*"]);
    fs::remove_file(place.path("a.whyslow/method.parquet")).expect("a roll-up");
    let from_rows = place.run(&["cpu", "a.whyslow", "--functions", "*"]);
    assert_eq!(
        from_rows.out, whole.out,
        "the rows hold what the roll-up held"
    );
    fs::remove_file(place.path("a.whyslow/process.parquet")).expect("a table");
    place.run(&["cpu", "a.whyslow"]).fails(
        3,
        &[
            "whyslow: cannot open a.whyslow: it is not whole: process.parquet is missing",
            "hint: extract the trace again",
        ],
    );
}

/// Lets the dictionaries of a table's columns claim one value more than they hold: the Parquet library panics.
fn claim_more(path: &std::path::Path) {
    let mut bytes = fs::read(path).expect("a table");
    // The kind of a page, its two sizes, and the number of the dictionary's values.
    let is_dictionary = |at: &&[u8]| {
        let sizes = at[2] == 0x15 && at[4] == 0x15;
        at.starts_with(&[0x15, 4]) && sizes && at[6..8] == [0x4c, 0x15] && at[8] < 0x7e
    };
    let windows = bytes.windows(9).enumerate();
    let found = windows.filter(|(_, at)| is_dictionary(at));
    let places: Vec<usize> = found.map(|(at, _)| at + 8).collect();
    assert!(!places.is_empty(), "{}", path.display());
    for at in places {
        bytes[at] += 2;
    }
    fs::write(path, bytes).expect("a table");
}

#[test]
fn nothing_is_printed_about_a_panic_that_was_caught() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    claim_more(&place.path("a.whyslow/trace.parquet"));
    for question in ["stats", "why", "files", "cpu", "processes"] {
        place.run(&[question, "a.whyslow"]).fails(
            3,
            &[
                "whyslow: cannot read table trace of a.whyslow: a.whyslow/trace.parquet: \
                 it is too damaged to be read",
                "hint: extract the trace again with --force, or use a copy of the extract",
            ],
        );
    }
}

#[test]
fn the_file_of_another_table() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let file = |name: &str| place.path(&format!("a.whyslow/{name}.parquet"));
    let other = fs::read(file("thread_state")).expect("a table");
    fs::write(file("cpu_sample"), other).expect("a table");
    for question in ["why", "cpu", "stats"] {
        place.run(&[question, "a.whyslow", "--from", "0s"]).fails(
            3,
            &[
                "whyslow: cannot read table cpu_sample of a.whyslow: ",
                "hint: extract the trace again with --force, or use a copy of the extract",
            ],
        );
    }
    // A table of what the recording holds cannot be missing.
    fs::remove_file(file("file_call")).expect("a table");
    place.run(&["files", "a.whyslow"]).fails(
        3,
        &[
            "whyslow: cannot open a.whyslow: it is not whole: file_call.parquet is missing",
            "hint: extract the trace again",
        ],
    );
}
