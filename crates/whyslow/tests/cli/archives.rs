//! Recordings in archives.

use std::fs;
use std::io::{Cursor, Write};

use sevenz_rust2::{ArchiveEntry, ArchiveWriter, SourceReader};
use whyslow_testkit::{Leaves, ScriptedMachine, Start};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::Place;

/// A file in an archive.
pub(crate) type Packed<'a> = (&'a str, &'a [u8]);

/// A machine with one thread that runs and waits.
fn machine() -> ScriptedMachine {
    let mut machine = ScriptedMachine::new(1);
    machine.process(100, 4, "app.exe", "app.exe /x");
    machine.thread(100, 101, Start::Running(0));
    machine.switch(2_000, 0, 0, Leaves::Waits(7));
    machine
}

/// A Windows trace of it.
fn trace() -> Vec<u8> {
    machine().trace().bytes()
}

pub(crate) fn zip(files: &[Packed<'_>]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).expect("a file in a zip");
        writer.write_all(bytes).expect("bytes in a zip");
    }
    writer.finish().expect("a zip").into_inner()
}

/// One block for all files, as 7-Zip makes.
fn seven_zip(files: &[Packed<'_>]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).expect("a 7z");
    let entries = files.iter().map(|(name, _)| ArchiveEntry::new_file(name));
    let readers = files.iter().map(|(_, bytes)| SourceReader::new(*bytes));
    let pushed = writer.push_archive_entries(entries.collect(), readers.collect());
    pushed.expect("files in a 7z");
    writer.finish().expect("a 7z").into_inner()
}

/// The bytes of all files of an extract but for what names the source.
fn tables(place: &Place, name: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(place.path(name)).expect("an extract");
    let mut files: Vec<_> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let bytes = fs::read(entry.path()).expect("a file");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_recording_in_an_archive_is_the_recording() {
    let place = Place::new();
    let trace = trace();
    place.write("t.etl", &trace);
    let other: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
    let files: [Packed<'_>; 3] = [
        ("notes/readme.txt", b"hello"),
        ("dump.bin", &other),
        ("deep/er/t.etl", &trace),
    ];
    place.write("a.zip", &zip(&files));
    place.write("b.7z", &seven_zip(&files));
    place.write("c.diagsession", &zip(&files));
    let said = place.run(&["extract", "t.etl", "a.zip", "b.7z", "c.diagsession"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(said.out, "t.whyslow\na.whyslow\nb.whyslow\nc.whyslow\n");
    for name in ["a.whyslow", "b.whyslow", "c.whyslow"] {
        assert!(
            tables(&place, name) == tables(&place, "t.whyslow"),
            "{name}"
        );
    }
    let left = place
        .names()
        .into_iter()
        .filter(|name| !name.ends_with(".whyslow"));
    assert_eq!(
        left.collect::<Vec<_>>(),
        ["a.zip", "b.7z", "c.diagsession", "t.etl"]
    );
}

#[test]
fn names_in_archives_are_labels() {
    let place = Place::new();
    let trace = trace();
    let names = [
        "../../up.etl",
        "/root.etl",
        r"C:\drive\..\x.ETL",
        "a\u{202e}b\n.etl",
    ];
    for name in names {
        place.write(
            "a.zip",
            &zip(&[(name, &trace), ("__MACOSX/._t.etl", b"apple")]),
        );
        let said = place.run(&["extract", "--force", "a.zip", "-o", "deep"]);
        assert_eq!(
            (said.code, said.out.as_str()),
            (Some(0), "deep/a.whyslow\n"),
            "{said:#?}"
        );
        assert_eq!(place.names(), ["a.zip", "deep"]);
    }
    assert!(!place.path("../up.etl").exists() && !place.path("../../up.etl").exists());
}

#[test]
fn files_of_one_session_belong_together() {
    let place = Place::new();
    let (user, kernel) = machine().trace().split();
    place.write(
        "a.zip",
        &zip(&[("t.etl", &user.bytes()), ("t.kernel.etl", &kernel.bytes())]),
    );
    let said = place.run(&["extract", "a.zip"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(place.names(), ["a.whyslow", "a.zip"]);
}

/// Whoever packs what a customer sent packs everything.
#[test]
fn each_recording_in_an_archive_is_extracted() {
    let place = Place::new();
    let mut later = machine();
    // An hour, in steps of 100 ns.
    later.header.start_time += 36_000_000_000;
    let later = later.trace().bytes();
    let files = [
        ("u.data", &b"PERFILE2"[..]),
        ("x/t.etl", &trace()[..]),
        ("y/t.etl", &later),
    ];
    place.write("b.zip", &zip(&files));
    let said = place.run(&["extract", "b.zip"]);
    assert_eq!(said.code, Some(3), "{said:#?}");
    assert_eq!(said.out, "b.t.whyslow\nb.t-2.whyslow\n");
    let failed = "whyslow: cannot read b.zip/u.data: ";
    assert!(said.err.contains(failed), "{said:#?}");
    let one = ["extract", "b.zip", "-o", "c.whyslow"];
    let line = "whyslow: several extracts cannot share one name: b.zip holds 3";
    place
        .run(&one)
        .fails(2, &[line, "hint: give -o a directory"]);
    assert_eq!(place.names(), ["b.t-2.whyslow", "b.t.whyslow", "b.zip"]);
}

#[test]
fn failures_name_the_file_they_are_of() {
    let place = Place::new();
    let trace = trace();
    place.write("a.zip", &zip(&[("deep/t.etl", b"no trace at all")]));
    let line = "whyslow: cannot read a.zip/deep/t.etl: ";
    place.run(&["extract", "a.zip"]).fails(3, &[line, "hint: "]);
    place.write("good.etl", &trace);
    place.write("bad.etl", b"no trace at all");
    let line = "whyslow: cannot read bad.etl: ";
    let said = place.run(&["extract", "--together", "good.etl", "bad.etl"]);
    said.fails(3, &[line, "hint: "]);
    assert_eq!(place.names(), ["a.zip", "bad.etl", "good.etl"]);
}

#[test]
fn a_recording_does_not_count_twice() {
    let place = Place::new();
    place.write("a.etl", &trace());
    place.write("b.etl", &trace());
    place.write("c.zip", &zip(&[("x/a.etl", &trace())]));
    for (other, shown) in [
        ("a.etl", "a.etl"),
        ("b.etl", "b.etl"),
        ("c.zip", "c.zip/x/a.etl"),
    ] {
        let said = place.run(&["extract", "--together", "a.etl", other]);
        let line = format!("whyslow: cannot extract a.etl and {shown} together: they are the same");
        said.fails(3, &[&line, "hint: everything in it would count twice"]);
    }
    assert_eq!(place.names(), ["a.etl", "b.etl", "c.zip"]);
}

#[test]
fn archives_without_a_recording_say_what_they_hold() {
    let place = Place::new();
    let names = [
        "a.txt", "b.txt", "c/d.txt", "e.txt", "f.txt", "g.txt", "etl",
    ];
    let files = names.map(|name| (name, b"text".as_slice()));
    place.write("a.zip", &zip(&files));
    place.write("b.7z", &seven_zip(&files[..2]));
    place.write("c.zip", &zip(&[]));
    for (name, why) in [
        (
            "a.zip",
            "it holds no recording, only a.txt, b.txt, c/d.txt, e.txt, f.txt and 2 more",
        ),
        ("b.7z", "it holds no recording, only a.txt, b.txt"),
        ("c.zip", "it is empty"),
    ] {
        let line = format!("whyslow: cannot extract {name}: {why}");
        let hint = "hint: recordings are .etl or .data files";
        place.run(&["extract", name]).fails(3, &[&line, hint]);
    }
    assert_eq!(place.names(), ["a.zip", "b.7z", "c.zip"]);
}

#[test]
fn bombs_and_lies_are_refused() {
    let place = Place::new();
    let large = vec![0; 1_200_000];
    place.write("a.zip", &zip(&[("x.etl", &large)]));
    place.write("b.7z", &seven_zip(&[("x.etl", &large)]));
    for name in ["a.zip", "b.7z"] {
        let said = place.run(&["extract", name, "--most-unpacked", "1MiB"]);
        let line = format!("whyslow: cannot extract {name}: it unpacks to ");
        said.fails(
            3,
            &[
                &line,
                "hint: if that is expected, allow it with --most-unpacked",
            ],
        );
    }
    // The directory of the zip tells less than there is.
    let mut liar = zip(&[("x.etl", &large)]);
    let size = 1_200_000_u32.to_le_bytes();
    while let Some(at) = liar.windows(4).position(|bytes| bytes == size) {
        liar[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
    }
    place.write("c.zip", &liar);
    place
        .run(&["extract", "c.zip"])
        .fails(3, &["whyslow: cannot extract c.zip: ", "hint: "]);
    assert_eq!(place.names(), ["a.zip", "b.7z", "c.zip"]);
}

#[test]
fn archives_that_are_cut_off_are_named_as_such() {
    let place = Place::new();
    let whole = seven_zip(&[("x.etl", b"text")]);
    // Whatever they are called.
    for bytes in [&whole[..8], &whole[..whole.len() - 1]] {
        place.write("a.etl", bytes);
        place.run(&["extract", "a.etl"]).fails(
            3,
            &[
                "whyslow: cannot extract a.etl: it is cut off",
                "hint: the archive is damaged; compare its checksum",
            ],
        );
    }
    assert_eq!(place.names(), ["a.etl"]);
}

#[test]
fn encrypted_archives_are_named_as_such() {
    let place = Place::new();
    let mut bytes = zip(&[("x.etl", b"secret")]);
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = bytes.windows(4).position(|bytes| bytes == signature);
        bytes[at.expect("a header") + flags] |= 1;
    }
    place.write("a.zip", &bytes);
    place.run(&["extract", "a.zip"]).fails(
        3,
        &[
            "whyslow: cannot extract a.zip: it is encrypted",
            "hint: unpack it with its password first",
        ],
    );
    assert_eq!(place.names(), ["a.zip"]);
}

/// Runs the program while somebody writes `bytes` into the pipe `name`.
fn piped(place: &Place, name: &str, bytes: &[u8], args: &[&str]) -> crate::harness::Said {
    let fifo = place.path(name);
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut pipe = fs::File::options().write(true).open(&fifo).expect("a pipe");
            // Whoever has read enough hangs up.
            let _written = pipe.write_all(bytes);
        });
        let said = place.run(args);
        writer.join().expect("no panic");
        fs::remove_file(&fifo).expect("removed");
        said
    })
}

#[test]
fn a_windows_trace_comes_through_a_pipe() {
    let place = Place::new();
    let trace = trace();
    place.write("t.etl", &trace);
    assert_eq!(place.run(&["extract", "t.etl"]).code, Some(0));
    fs::create_dir(place.path("in")).expect("a directory");
    let said = piped(&place, "in/t.etl", &trace, &["extract", "in/t.etl"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "in/t.whyslow\n"),
        "{said:#?}"
    );
    assert!(tables(&place, "in/t.whyslow") == tables(&place, "t.whyslow"));
    let counted = place.run(&["events", "t.etl", "--format", "csv"]);
    let said = piped(
        &place,
        "q.etl",
        &trace,
        &["events", "q.etl", "--format", "csv"],
    );
    assert_eq!(
        (said.code, said.out),
        (Some(0), counted.out.replace("t.etl", "q.etl"))
    );
    let limited = ["extract", "r.etl", "--most-unpacked", "1000"];
    piped(&place, "r.etl", &trace, &limited)
        .fails(3, &["whyslow: cannot extract r.etl: ", "hint: "]);
    piped(&place, "e.etl", b"", &["extract", "e.etl"]).fails(
        3,
        &["whyslow: cannot read e.etl: the file is empty", "hint: "],
    );
    assert_eq!(place.names(), ["in", "t.etl", "t.whyslow"]);
}

/// `<(…)` of a shell is a pipe whose name says nothing.
#[test]
fn what_comes_through_a_pipe_says_what_it_is() {
    let place = Place::new();
    let trace = trace();
    place.write("t.etl", &trace);
    assert_eq!(place.run(&["extract", "t.etl"]).code, Some(0));
    let said = piped(&place, "63", &trace, &["extract", "63"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "63.whyslow\n"));
    let counts = |name: &str| place.run(&["processes", name, "--format", "csv"]).out;
    assert_eq!(
        counts("63.whyslow"),
        counts("t.whyslow").replace("t.whyslow", "63.whyslow")
    );
    let events = ["events", "63", "--format", "csv"];
    let said = piped(&place, "63", &trace, &events);
    assert_eq!(said.code, Some(0), "{said:#?}");
    piped(
        &place,
        "63",
        b"something else",
        &["extract", "63", "--force"],
    )
    .fails(
        3,
        &[
            "whyslow: cannot read 63: expected the magic PERFILE2",
            "hint: ",
        ],
    );
    let mut command = place.whyslow(&["extract", "/dev/stdin"]);
    let said = command.stdin(std::process::Stdio::piped()).output();
    crate::harness::Said::of(said.expect("it runs")).fails(
        2,
        &[
            "whyslow: cannot put an extract beside /dev/stdin",
            "hint: give -o a name",
        ],
    );
}
