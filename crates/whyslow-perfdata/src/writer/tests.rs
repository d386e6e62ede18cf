//! The reader of this crate reads back what the writer writes.

use crate::abi::feature;
use std::io::Cursor;

use super::{
    AttrFlag, ClockReading, EventAttr, EventDescription, Features, FileWriter, MappedFile,
    MappingRecord, ModuleBuildId, RecordBuffer, SampleIdentity, TracingData,
};
use crate::whyslow_events::{FEATURE_INFO, UserStackEnd};
use crate::{FaultKind, Reader, RecordBody};

const SAMPLE_TYPE: u64 = 1 << 16 | 1 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 5 | 1 << 10;
const CONTEXT_USER: u64 = (-512_i64).cast_unsigned();

fn events() -> Vec<EventDescription> {
    let attr = EventAttr {
        event_type: 1,
        config: 10,
        sample_type: SAMPLE_TYPE,
        clock_id: 1,
        ..EventAttr::default()
    }
    .with(AttrFlag::SampleIdAll)
    .with(AttrFlag::UseClockId);
    vec![
        EventDescription {
            attr: attr.clone(),
            name: "first".to_owned(),
            ids: vec![71, 72],
        },
        EventDescription {
            attr,
            name: "whyslow:exec".to_owned(),
            ids: vec![81],
        },
    ]
}

fn early() -> Features {
    let mut features = Features::new();
    features.string(feature::HOSTNAME, "machine");
    features.events(&events());
    features.clock(ClockReading {
        clock_id: 1,
        clock_ns: 5,
        wall_ns: 6,
    });
    features
}

fn identity(time_ns: u64, id: u64) -> SampleIdentity {
    SampleIdentity {
        pid: 11,
        tid: 12,
        time_ns,
        cpu: 1,
        id,
    }
}

fn records() -> RecordBuffer {
    let mut out = RecordBuffer::new();
    out.comm(11, 12, b"name", &identity(0, 71));
    out.mapping(
        &MappingRecord {
            pid: 11,
            tid: 12,
            start: 0x1000,
            size_bytes: 0x2000,
            file_offset: 0x100,
            file: MappedFile::BuildId(&[7; 20]),
            protection: 5,
            flags: 2,
            path: b"/bin/thing",
        },
        &identity(0, 71),
    );
    assert!(out.raw_sample(
        &identity(100, 81),
        0x1234,
        &[CONTEXT_USER, 0x1234],
        b"payload"
    ));
    out.finished_round();
    out
}

fn written(finish: bool) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = FileWriter::create(&mut bytes, &events(), &early()).unwrap();
    writer.write(records().as_bytes()).unwrap();
    if finish {
        let mut features = early();
        features.cpu_counts(4, 2);
        features.numbers(feature::TOTAL_MEM, &[1024]);
        features.strings(feature::CMDLINE, [b"a".as_slice(), b"b c"].into_iter());
        features.numbers(feature::SAMPLE_TIME, &[100, 100]);
        features.build_ids(&[ModuleBuildId {
            is_kernel: true,
            id: vec![9; 20],
            name: b"[kernel.kallsyms]".to_vec(),
        }]);
        features.bytes(FEATURE_INFO, b"key value\n".to_vec());
        writer.finish(&features).unwrap();
    } else {
        writer.flush().unwrap();
    }
    bytes.into_inner()
}

#[test]
fn whole_file_is_read_back() {
    let mut reader = Reader::from_seekable(Box::new(Cursor::new(written(true)))).unwrap();
    let names: Vec<_> = reader
        .events()
        .iter()
        .map(|event| event.name.clone().unwrap_or_default())
        .collect();
    assert_eq!(names, ["first", "whyslow:exec"]);
    let features = reader.features();
    assert_eq!(features.hostname.as_deref(), Some("machine"));
    assert_eq!(
        (features.cpus_available, features.cpus_online),
        (Some(4), Some(2))
    );
    assert_eq!(features.memory_bytes, Some(1 << 20));
    assert_eq!(features.command_line, ["a", "b c"]);
    assert_eq!(features.clock_data.unwrap().wall_ns, 6);
    assert_eq!(features.build_ids[0].id, [9; 20]);
    assert_eq!(features.raw(FEATURE_INFO), Some(b"key value\n".as_slice()));

    let mut seen = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        match record.body {
            RecordBody::Comm {
                pid,
                tid,
                exec,
                name,
            } => {
                assert_eq!((pid, tid, exec, name), (11, 12, false, b"name".as_slice()));
                seen.push("comm");
            }
            RecordBody::Mmap(mapping) => {
                assert_eq!((mapping.address, mapping.length), (0x1000, 0x2000));
                assert_eq!((mapping.file_offset, mapping.executable), (0x100, true));
                assert_eq!(mapping.build_id, [7; 20]);
                seen.push("mapping");
            }
            RecordBody::Sample(sample) => {
                assert_eq!(
                    (sample.time_ns(), sample.cpu(), sample.tid()),
                    (Some(100), Some(1), Some(12))
                );
                assert_eq!(sample.ip(), Some(0x1234));
                assert_eq!(sample.raw.get(..7), Some(b"payload".as_slice()));
                let chain: Vec<u64> = sample.callchain.iter().collect();
                assert_eq!(UserStackEnd::split(&chain), (chain.as_slice(), 0));
                seen.push("sample");
            }
            _ => {}
        }
    }
    assert_eq!(seen, ["comm", "mapping", "sample"]);
    assert_eq!(reader.faults().iter().count(), 0);
}

#[test]
fn unfinished_file_has_the_early_sections_and_its_records() {
    let mut reader = Reader::from_seekable(Box::new(Cursor::new(written(false)))).unwrap();
    assert_eq!(reader.features().hostname.as_deref(), Some("machine"));
    assert_eq!(reader.events()[1].name.as_deref(), Some("whyslow:exec"));
    let mut samples = 0;
    while let Some(record) = reader.next_record().unwrap() {
        samples += u32::from(matches!(record.body, RecordBody::Sample(_)));
    }
    assert_eq!(samples, 1);
    assert!(
        reader
            .faults()
            .iter()
            .any(|fault| fault.kind == FaultKind::Truncated)
    );
}

#[test]
fn record_that_is_too_long_is_refused_and_leaves_no_trace() {
    let mut out = RecordBuffer::new();
    assert!(!out.raw_sample(&identity(1, 81), 0, &[], &[0; 66_000]));
    assert!(out.as_bytes().is_empty());
    assert!(out.raw_sample(&identity(1, 81), 0, &[], &[0; 65_400]));
}

#[test]
fn formats_of_tracepoints_are_read_back() {
    let format = b"name: thing\nID: 42\nformat:\n\tfield:unsigned short common_type;\toffset:0;\t\
                   size:2;\tsigned:0;\n\n\tfield:int value;\toffset:8;\tsize:4;\tsigned:1;\n\n\
                   print fmt: \"value=%d\", REC->value\n";
    let tracing = TracingData {
        header_page: b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n".to_vec(),
        header_event: b"# compressed entry header\n".to_vec(),
        formats: vec![("group".to_owned(), format.to_vec())],
        page_bytes: 4096,
    };
    let mut features = early();
    features.bytes(feature::TRACING_DATA, tracing.to_bytes());
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = FileWriter::create(&mut bytes, &events(), &early()).unwrap();
    writer.write(records().as_bytes()).unwrap();
    writer.finish(&features).unwrap();
    let reader = Reader::from_seekable(Box::new(Cursor::new(bytes.into_inner()))).unwrap();
    assert!(reader.features().format(42).is_some());
}
