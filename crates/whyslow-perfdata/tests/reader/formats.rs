//! Containers: file and pipe mode, both byte orders, attributes of every version.

use std::io::{Cursor, Read};

use whyslow_perfdata::{Endian, ErrorKind, FaultKind, Reader, RecordBody};

use crate::synthetic::{Bytes, Event, File, IDENTIFIER, SAMPLE_ID_ALL, TIME, tail};
use crate::touch::{walk, walk_reader};

/// Two events, every kind of common record, features.
pub(crate) fn rich(big: bool) -> File {
    let mut file = File::new(big);
    file.events[0].ids = vec![1, 2];
    file.events[0].flags.extend([10, 25]);
    file.events[0].precise = 2;
    file.events[0].clockid = 1;
    file.events.push(Event {
        kind: 2,
        config: 370,
        sample_type: Event::default().sample_type | 1 << 10 | 1 << 5,
        ids: vec![70, 5_000_000_000],
        name: "sched:sched_waking",
        ..Event::default()
    });
    let comm = tail(file.bytes().i32(7).i32(8).name("worker"), 0, 0, 0).record(3, 1 << 13);
    let mmap = file
        .bytes()
        .i32(7)
        .i32(7)
        .words(&[0x40_0000, 0x1000, 0x2000]);
    let mmap = tail(mmap.name("/bin/true"), 0, 0, 0).record(1, 2);
    let fork = file.bytes().i32(9).i32(7).i32(10).i32(8).u64(110);
    let fork = tail(fork, 110, 7, 1).record(7, 0);
    let waking = file
        .bytes()
        .u64(5_000_000_000)
        .u32(8)
        .u32(8)
        .u64(120)
        .u32(1)
        .u32(0);
    let chain = [
        u64::MAX - 127,
        0xffff_ffff_8100_0000,
        u64::MAX - 511,
        0x40_0010,
    ];
    let waking = waking
        .u64(4)
        .words(&chain)
        .u32(12)
        .raw(b"payload12345")
        .record(9, 1);
    let lost = tail(file.bytes().words(&[1, 42]), 130, 0, 0).record(2, 0);
    file.push(&comm)
        .push(&mmap)
        .sample(100, 8, 0)
        .push(&fork)
        .round();
    file.push(&waking).push(&lost).sample(140, 10, 1).round();
    file.features = vec![
        (3, file.bytes().string("host").out),
        (4, file.bytes().string("6.18.44").out),
        (7, file.bytes().u32(4).u32(2).out),
        (10, file.bytes().u64(1 << 20).out),
        (11, file.bytes().u32(2).string("perf").string("record").out),
        (240, b"own facts".to_vec()),
    ];
    file
}

fn description(file: &File) -> Bytes {
    let mut section = file.bytes().u32(2).u32(128);
    for event in &file.events {
        let ids = u32::try_from(event.ids.len()).unwrap();
        section = section.raw(&event.attr(file.big)).u32(ids);
        section = section.string(event.name).words(&event.ids);
    }
    section
}

fn open(bytes: Vec<u8>) -> Reader {
    Reader::from_seekable(Box::new(Cursor::new(bytes))).unwrap()
}

#[test]
fn both_byte_orders_say_the_same() {
    let little = walk(&rich(false).regular()).unwrap();
    let big = walk(&rich(true).regular()).unwrap();
    assert_eq!(little, big);
    assert_eq!((little.records, little.samples, little.late), (9, 3, 0));
    let piped = walk(&rich(true).pipe()).unwrap();
    assert_eq!(walk(&rich(false).pipe()).unwrap(), piped);
    assert_eq!(piped.samples, 3);
}

#[test]
fn attributes_flags_and_names() {
    for big in [false, true] {
        let mut file = rich(big);
        let section = description(&file).out;
        file.features.push((12, section));
        let reader = open(file.regular());
        assert_eq!(
            reader.endian(),
            if big { Endian::Big } else { Endian::Little }
        );
        let [clock, waking] = reader.events() else {
            panic!("two events");
        };
        assert_eq!(clock.name.as_deref(), Some("cpu-clock"));
        assert_eq!(waking.name.as_deref(), Some("sched:sched_waking"));
        assert_eq!(waking.ids, [70, 5_000_000_000]);
        assert!(clock.attr.is_cpu_clock() && clock.attr.is_frequency());
        assert!(waking.attr.is_tracepoint() && !waking.attr.is_frequency());
        assert_eq!((clock.attr.clock(), waking.attr.clock()), (Some(1), None));
        assert_eq!((clock.attr.precise_ip(), waking.attr.precise_ip()), (2, 0));
        assert_eq!(clock.attr.flags, 1 << 18 | 1 << 10 | 1 << 25 | 2 << 15);
        assert_eq!((clock.attr.period, clock.attr.max_stack), (1_000_000, 127));
    }
}

#[test]
fn features_of_files_and_pipes() {
    let file = rich(true);
    for bytes in [file.regular(), file.pipe()] {
        let mut reader = open(bytes);
        walk_reader(&mut reader).unwrap();
        let features = reader.features();
        assert_eq!(features.hostname.as_deref(), Some("host"));
        assert_eq!(features.os_release.as_deref(), Some("6.18.44"));
        assert_eq!(
            (features.cpus_available, features.cpus_online),
            (Some(4), Some(2))
        );
        assert_eq!(features.memory_bytes, Some(1 << 30));
        assert_eq!(features.command_line, ["perf", "record"]);
        assert_eq!(reader.feature_raw(240), Some(b"own facts".as_slice()));
        assert_eq!(reader.feature_raw(241), None);
        let events: Vec<_> = reader
            .events()
            .iter()
            .map(|event| event.ids.len())
            .collect();
        assert_eq!(events, [2, 2]);
    }
}

/// Time, thread and CPU of the first sample.
fn first_sample(reader: &mut Reader) -> (Option<u64>, Option<i32>, Option<u32>) {
    while let Some(record) = reader.next_record().unwrap() {
        if let RecordBody::Sample(sample) = record.body {
            return (sample.time_ns(), sample.tid(), sample.cpu());
        }
    }
    (None, None, None)
}

#[test]
fn attributes_of_every_size() {
    for big in [false, true] {
        for attr_bytes in [64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 1024] {
            let mut file = File::new(big);
            file.events[0].attr_bytes = attr_bytes;
            file.events[0].regs_user = 5;
            file.sample(100, 8, 3);
            for bytes in [file.regular(), file.pipe()] {
                let mut reader = open(bytes);
                assert_eq!(first_sample(&mut reader), (Some(100), Some(8), Some(3)));
                let attr = reader.events()[0].attr;
                assert_eq!(attr.regs_user, if attr_bytes >= 96 { 5 } else { 0 });
                assert_eq!(attr.config3, if attr_bytes >= 136 { 13 } else { 0 });
            }
        }
    }
}

#[test]
fn a_single_event_needs_no_id() {
    let mut file = File::new(false);
    file.events[0].sample_type = TIME;
    file.events[0].ids = Vec::new();
    let record = file.bytes().u64(77).record(9, 0);
    file.push(&record);
    let mut reader = open(file.regular());
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(
        (record.time_ns, record.event.map(|event| event.0)),
        (Some(77), Some(0))
    );
}

#[test]
fn samples_of_undeclared_events_are_counted() {
    let mut file = rich(false);
    let stray = file
        .bytes()
        .u64(99)
        .u32(1)
        .u32(1)
        .u64(150)
        .u32(0)
        .u32(0)
        .record(9, 0);
    file.push(&stray);
    let mut reader = open(file.regular());
    assert_eq!(walk_reader(&mut reader).unwrap().samples, 3);
    assert_eq!(
        reader
            .faults()
            .get(FaultKind::UnknownEvent)
            .map(|fault| fault.count),
        Some(1)
    );
}

#[test]
fn records_without_sample_id_all_keep_their_place() {
    let mut file = File::new(false);
    file.events[0].flags.retain(|&flag| flag != SAMPLE_ID_ALL);
    let comm = file.bytes().i32(7).i32(8).name("late").record(3, 0);
    file.sample(100, 1, 0)
        .sample(200, 1, 0)
        .push(&comm)
        .sample(150, 2, 1)
        .round();
    let mut reader = open(file.regular());
    let mut order = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        order.push((record.ty, record.time_ns));
    }
    let expected = [
        (9, Some(100)),
        (9, Some(150)),
        (68, None),
        (9, Some(200)),
        (3, None),
    ];
    assert_eq!(order, expected);
}

#[test]
fn sections_before_the_data_of_an_unfinished_file() {
    let mut file = rich(false);
    file.unfinished = true;
    let mut reader = open(file.regular());
    assert_eq!(walk_reader(&mut reader).unwrap().records, 9);
    let fault = reader
        .faults()
        .get(FaultKind::Truncated)
        .expect("unfinished");
    assert_eq!(fault.count, 1);
    assert!(reader.faults().get(FaultKind::MissingFeature).is_some());
}

#[test]
fn a_file_without_records_is_not_unfinished() {
    let mut file = rich(true);
    file.records.clear();
    let mut reader = open(file.regular());
    assert!(reader.next_record().unwrap().is_none());
    assert_eq!(reader.features().hostname.as_deref(), Some("host"));
    assert!(reader.faults().get(FaultKind::Truncated).is_none());
}

/// A pipe: returns a few bytes at a time and cannot seek.
struct Trickle(Cursor<Vec<u8>>);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(7);
        self.0.read(&mut buffer[..count])
    }
}

#[test]
fn a_stream_that_trickles() {
    let bytes = rich(true).pipe();
    let whole = walk(&bytes).unwrap();
    let trickle = Box::new(Trickle(Cursor::new(bytes)));
    let mut reader = Reader::from_stream(trickle).unwrap();
    assert_eq!(walk_reader(&mut reader).unwrap(), whole);
}

#[test]
fn foreign_bytes_are_refused() {
    let refused = |bytes: &[u8]| {
        let error = walk(bytes).expect_err("refused");
        assert!(!error.advice().is_empty() && format!("{error:#}").contains(error.advice()));
        (error.kind, error.to_string())
    };
    assert_eq!(refused(b"").0, ErrorKind::Empty);
    assert_eq!(refused(b"PERF").0, ErrorKind::NotPerfData);
    let (kind, text) = refused(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    assert_eq!(kind, ErrorKind::NotPerfData);
    assert_eq!(
        text,
        "expected the magic PERFILE2, found \"\\x7fELF\\x02\\x01\\x01\\x00\" at 0x0"
    );
    assert_eq!(refused(b"PERFFILE00000000").0, ErrorKind::Unsupported);
    assert_eq!(
        refused(b"PERFILE2\x68\0\0\0\0\0\0\0").0,
        ErrorKind::BadHeader
    );
    let regular = Box::new(Cursor::new(rich(false).regular()));
    let error = Reader::from_stream(regular).expect_err("needs a file");
    assert_eq!(error.kind, ErrorKind::Unsupported);
}

#[test]
fn paths_that_cannot_be_read() {
    let missing = std::env::temp_dir().join("whyslow-no-such-file.data");
    let error = Reader::open(&missing).expect_err("does not exist");
    assert_eq!(
        (error.kind, error.path.as_deref()),
        (ErrorKind::Io, Some(missing.as_path()))
    );
    let error = Reader::open(&std::env::temp_dir()).expect_err("a directory");
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().contains("directory"));
}

#[test]
fn ids_at_the_end_of_records_find_the_event() {
    let mut file = rich(false);
    file.events[0].sample_type = IDENTIFIER | TIME;
    file.events[1].sample_type = IDENTIFIER | TIME;
    file.records.clear();
    let lost = file.bytes().words(&[70, 3]).words(&[500, 70]).record(2, 0);
    file.push(&lost);
    let mut reader = open(file.regular());
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(record.event.map(|event| event.0), Some(1));
    assert!(matches!(record.body, RecordBody::Lost { id: 70, count: 3 }));
}
