//! What an event takes from other events of the trace: names of files, and the description that
//! applies.

use whyslow_etl::Reader;
use whyslow_etl::decode::{Decoder, Owner, Owners};

use whyslow_testkit::payload::{DiskIo, FileIo, FileOpen, Process, file_name, file_simple};
use whyslow_testkit::{Buffer, Bytes, Manifest, T0, Trace, system};

use crate::schemas::PROVIDER;

/// Returns the fields of each event after the first, limited to these names.
fn told(events: impl IntoIterator<Item = Vec<u8>>, names: &[&str]) -> Vec<String> {
    let buffer = events.into_iter().fold(Buffer::new(0), Buffer::push);
    let bytes = Trace::new(vec![buffer]).bytes();
    let mut decoder = Decoder::default();
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        decoder.learn(&record);
    }
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    reader.next_record().unwrap();
    let mut lines = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        let kind = decoder.kind(&record);
        let time = record.raw_time - T0;
        let mut line = format!("{time} {}", decoder.about(kind).name);
        for field in decoder.fields(kind, &record) {
            let name = field.item.name.to_string();
            if names.is_empty() || names.contains(&name.as_str()) {
                line += &format!(" {name}={:?}", field.item.what);
            }
        }
        lines.push(line);
    }
    lines
}

#[test]
fn files_have_their_names_of_the_time() {
    let event =
        |time: i64, hook, payload: Vec<u8>| system(true, hook, 2, T0 + time, (4, 8), &payload);
    let name =
        |time, opcode: u16, key, name| event(time, 0x400 | opcode, file_name(true, key, name));
    let read = |time, file_object| {
        let read = DiskIo {
            file_object,
            ..DiskIo::default()
        };
        event(time, 0x10a, read.payload(true, 2))
    };
    let of = |file_key, file_object| FileIo {
        file_object,
        file_key,
        ..FileIo::default()
    };
    let open = FileOpen {
        file_object: 0x77,
        path: r"\d",
        ..FileOpen::default()
    };
    // A directory listing has a pattern of its own.
    let list = file_simple(of(0x20, 0), true, 2);
    let list = Bytes(list).u32(0).u32(0).u32(0).utf16("*.txt").0;
    let events = [
        read(5, 0x10),
        read(6, 0x20),
        name(10, 32, 0x10, r"\a"),
        event(12, 0x440, open.payload(true, 2)),
        event(14, 0x443, of(0x99, 0x77).transfer(true, 2, 0, (1, 2))),
        event(15, 0x443, of(0x10, 0x77).transfer(true, 2, 0, (1, 2))),
        name(20, 35, 0x10, r"\a"),
        read(25, 0x10),
        name(30, 32, 0x10, r"\b"),
        read(35, 0x10),
        event(40, 0x448, list),
        name(50, 36, 0x20, r"\c"),
        read(55, 0),
    ];
    assert_eq!(
        told(events, &["FileName", "DirectoryName"]),
        [
            "5 DiskIO/Read",
            r#"6 DiskIO/Read FileName=Value(Ansi("\\c"))"#,
            r#"10 FileIO/FileCreate FileName=Value(Utf16("\\a"))"#,
            r#"12 FileIO/Create FileName=Value(Utf16("\\d"))"#,
            r#"14 FileIO/Read FileName=Value(Ansi("\\d"))"#,
            r#"15 FileIO/Read FileName=Value(Ansi("\\a"))"#,
            r#"20 FileIO/FileDelete FileName=Value(Utf16("\\a"))"#,
            "25 DiskIO/Read",
            r#"30 FileIO/FileCreate FileName=Value(Utf16("\\b"))"#,
            r#"35 DiskIO/Read FileName=Value(Ansi("\\b"))"#,
            concat!(
                r#"40 FileIO/DirEnum FileName=Value(Utf16("*.txt"))"#,
                r#" DirectoryName=Value(Ansi("\\c"))"#
            ),
            r#"50 FileIO/FileRundown FileName=Value(Utf16("\\c"))"#,
            "55 DiskIO/Read",
        ]
    );
}

/// A piece of the manifest of a program's version, whose only event has this task and field.
fn manifest(time: i64, pid: u32, task: &str, field: &str) -> Vec<u8> {
    let text = format!(
        r#"<provider name="Shop" guid="{{33323130-3534-3736-3839-616263646566}}">
        <event value="1" version="3" task="{task}" template="A"/>
        <template tid="A">{field}</template></provider>"#
    );
    let head = Bytes::default().u8(1).u8(1).u8(0).u8(0x5b).u16(1).u16(0);
    let payload = head.bytes(text.as_bytes()).0;
    let mut event = event(time, pid, 0xfffe, &payload);
    event[0x2d] = 0xfe;
    event
}

fn event(time: i64, pid: u32, id: u16, payload: &[u8]) -> Vec<u8> {
    let event = Manifest {
        wide: true,
        provider: PROVIDER,
        id,
        ids: (pid, 1),
        items: &[],
        payload,
    };
    event.at(T0 + time)
}

#[test]
fn versions_of_a_program_have_descriptions_of_their_own() {
    let number = r#"<data name="Count" inType="win:UInt32"/>"#;
    let halves = r#"<data name="Low" inType="win:UInt16"/><data name="High" inType="win:UInt16"/>"#;
    let sold = |time, pid| event(time, pid, 1, &[1, 0, 2, 0]);
    let lines = told(
        [
            sold(0, 1),
            manifest(10, 1, "Sold", number),
            sold(20, 1),
            manifest(30, 1, "SoldNow", halves),
            sold(40, 1),
            // Like most descriptions, its description comes at the end.
            sold(45, 2),
            // It says nothing about itself.
            sold(50, 3),
            manifest(60, 2, "Sold", number),
            manifest(61, 1, "SoldNow", halves),
            sold(70, 3),
        ],
        &["Count", "Low", "High"],
    );
    let sold: Vec<_> = lines.iter().filter(|line| line.contains("Sold")).collect();
    assert_eq!(
        sold,
        [
            "0 Sold Count=Value(Unsigned(131073))",
            "20 Sold Count=Value(Unsigned(131073))",
            "40 SoldNow Low=Value(Unsigned(1)) High=Value(Unsigned(2))",
            "45 Sold Count=Value(Unsigned(131073))",
            "50 SoldNow Low=Value(Unsigned(1)) High=Value(Unsigned(2))",
            "70 SoldNow Low=Value(Unsigned(1)) High=Value(Unsigned(2))",
        ]
    );
}

/// Passes each event of a file to `look`.
fn each(events: impl IntoIterator<Item = Vec<u8>>, mut look: impl FnMut(&whyslow_etl::Record<'_>)) {
    let buffer = events.into_iter().fold(Buffer::new(0), Buffer::push);
    let bytes = Trace::new(vec![buffer]).bytes();
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        look(&record);
    }
}

#[test]
fn a_process_id_means_what_it_meant_then_in_whichever_file_that_stands() {
    const START: u16 = 1;
    const END: u16 = 2;
    const THERE: u16 = 3;
    let process = |time: i64, opcode: u16, image| {
        let process = Process {
            process_id: 100,
            image,
            ..Process::default()
        };
        let payload = process.payload(true, 4);
        system(true, 0x300 | opcode, 4, T0 + time, (4, 8), &payload)
    };
    // One provider reports all, another only the first; a third file still has them.
    let files = [
        vec![
            process(10, START, "a.exe"),
            process(20, END, "a.exe"),
            process(30, START, "b.exe"),
            process(50, END, "b.exe"),
        ],
        vec![process(11, START, "a.exe"), process(20, END, "a.exe")],
        vec![process(40, THERE, "b.exe"), process(60, START, "c.exe")],
    ];
    let mut owners = Owners::default();
    for file in files {
        each(file, |record| owners.learn(record));
    }
    let names = [5, 15, 25, 35, 55, 65].map(|time| owners.name_of(100, T0 + time).map(|n| &**n));
    let wanted = ["a.exe", "a.exe", "b.exe", "b.exe", "c.exe"].map(Some);
    assert_eq!(names[0], None);
    assert_eq!(names[1..], wanted);
}

#[test]
fn what_a_processor_ran_in_one_file_is_not_known_in_another() {
    let switch = Bytes::default().u32(7).u32(8).zeros(16).0;
    let switch = system(true, 0x524, 2, T0 + 10, (u32::MAX, u32::MAX), &switch);
    let fault = system(true, 0x20b, 2, T0 + 20, (u32::MAX, u32::MAX), &[0; 16]);
    let mut owners = Owners::default();
    let mut last = Owner::default();
    each([switch, fault.clone()], |record| last = owners.of(record));
    assert_eq!(last.thread, Some(7));
    owners.begin();
    each([fault], |record| last = owners.of(record));
    assert_eq!(last.thread, None);
}
