//! Images of Windows traces: the file of each, and which of them is a process's own program.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;

use std::ops::ControlFlow;

use real::folder;
use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, MemorySink, import_etl};
use whyslow_model::tables::{ModuleRow, ProcessRow};
use whyslow_testkit::payload::{Image, Process};
use whyslow_testkit::{Bytes, Header, T0, Trace, full, system};

/// Class of the events that merges add about images.
const IMAGE_ID: [u8; 16] = [
    0xd7, 0x75, 0xe6, 0xb3, 0x54, 0x25, 0x18, 0x4f, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde,
];
const SIZE: u32 = 0x9000;

fn import(events: Vec<Vec<u8>>) -> Outcome {
    let events = events.into_iter().map(|event| (0, event));
    let file = Trace::of(Header::default(), events).bytes();
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[file], ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

fn image(time: i64, opcode: u16, pid: u32, base: u64, path: &str) -> Vec<u8> {
    let image = Image {
        base,
        size: SIZE.into(),
        process_id: pid,
        path,
        ..Image::default()
    };
    let hook = 0x1400 | opcode;
    system(true, hook, 3, T0 + time, (pid, 1), &image.payload(true, 3))
}

fn process(time: i64, opcode: u16, pid: u32, name: &str) -> Vec<u8> {
    let process = Process {
        process_id: pid,
        parent_id: 4,
        image: name,
        ..Process::default()
    };
    let hook = 0x0300 | opcode;
    system(true, hook, 4, T0 + time, (4, 1), &process.payload(true, 4))
}

/// What a merge says about an image's file.
fn info(time: i64, (pid, base): (u32, u64), stamp: u32, name: &str) -> Vec<u8> {
    let out = Bytes::default().u64(base).u64(SIZE.into()).u32(pid);
    let out = out.u32(stamp).utf16(name);
    full(T0 + time, IMAGE_ID, (0, 2), &out.0)
}

/// What a merge says about a file's version.
fn version(time: i64, stamp: u32, name: &str, version: &str) -> Vec<u8> {
    let mut out = Bytes::default().u32(SIZE).u32(stamp);
    let texts = [name, "what it does", version, version, "1033", "A product"];
    for text in texts.into_iter().chain(["A company", "1", "", ""]) {
        out = out.utf16(text);
    }
    full(T0 + time, IMAGE_ID, (64, 2), &out.0)
}

/// Images of the same size without time stamps: process and address identify the file of each,
/// whether the file's event comes before the image or after it.
#[test]
fn a_version_is_that_of_the_images_file() {
    let (one, two, three) = ((700, 0x1000_0000), (800, 0x1000_0000), (800, 0x2000_0000));
    let outcome = import(vec![
        version(1, 0, "OTHER.DLL", "0.0"),
        info(2, one, 0x5000_0000, "ONE.DLL"),
        image(3, 3, one.0, one.1, r"C:\a\one.dll"),
        version(4, 0x5000_0000, "ONE.DLL", "1.0"),
        image(5, 10, two.0, two.1, r"C:\a\two.dll"),
        info(6, two, 0x5000_0000, "TWO.DLL"),
        version(7, 0x5000_0000, "TWO.DLL", "2.0"),
        image(8, 10, three.0, three.1, r"C:\a\three.dll"),
    ]);
    let modules: Vec<ModuleRow> = outcome.rows();
    let mut found: Vec<_> = modules
        .iter()
        .map(|row| (row.path.as_str(), row.version.as_deref(), row.time_stamp))
        .collect();
    found.sort_unstable();
    let stamp = Some(0x5000_0000);
    assert_eq!(
        found,
        [
            (r"C:\a\one.dll", Some("1.0"), stamp),
            (r"C:\a\three.dll", None, None),
            (r"C:\a\two.dll", Some("2.0"), stamp),
        ]
    );
}

/// A merge added 705 versions; each belongs to one module.
#[test]
fn real_images_have_the_versions_of_their_files() {
    let Some(dir) = folder() else { return };
    let outcome = real::import(&[dir.join("perfview/net.4.5.2.x64.etl")]);
    let modules: Vec<ModuleRow> = outcome.rows();
    let with_version = modules.iter().filter(|row| row.version.is_some()).count();
    let with_stamp = modules.iter().filter(|row| row.time_stamp.is_some());
    assert_eq!(
        (modules.len(), with_version, with_stamp.count()),
        (731, 705, 709)
    );
}

/// The first program loaded is not always the process's own.
#[test]
fn a_process_has_the_path_of_the_program_with_its_name() {
    let outcome = import(vec![
        process(1, 3, 700, "own.exe"),
        image(2, 3, 700, 0x1000_0000, r"C:\a\helper.exe"),
        image(3, 3, 700, 0x2000_0000, r"C:\a\own.exe"),
        image(4, 3, 800, 0x1000_0000, r"C:\a\helper.exe"),
        image(5, 3, 800, 0x2000_0000, r"C:\a\LongNameOfAProgram.exe"),
        process(6, 4, 800, "LongNameOfAPro"),
        image(7, 3, 900, 0x1000_0000, r"C:\a\nobody.exe"),
    ]);
    let processes: Vec<ProcessRow> = outcome.rows();
    let mut found: Vec<_> = processes
        .iter()
        .map(|row| (row.os_pid, row.path.as_deref()))
        .filter(|(_, path)| path.is_some())
        .collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            (700, Some(r"C:\a\own.exe")),
            (800, Some(r"C:\a\LongNameOfAProgram.exe")),
            (900, Some(r"C:\a\nobody.exe")),
        ]
    );
}

#[test]
fn an_unload_is_no_start_of_its_process() {
    let outcome = import(vec![image(5000, 2, 700, 0x1000_0000, r"C:\a\own.dll")]);
    let processes: Vec<ProcessRow> = outcome.rows();
    let row = processes.iter().find(|row| row.os_pid == 700).unwrap();
    assert_eq!(row.start_ns, None);
}
