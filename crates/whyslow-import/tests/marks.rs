//! Marks that Whyslow's recorder saw.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::io::Cursor;
use std::ops::ControlFlow;

use support::outcome;
use whyslow_import::{ImportOptions, MemorySink, import_perf};
use whyslow_model::tables::{CapabilityRow, LabelRow, MarkRow, ProcessRow};
use whyslow_model::{LabelId, ProblemKind};
use whyslow_perfdata::Reader;
use whyslow_perfdata::whyslow_events::{EVENT_MARK, FEATURE_INFO, Mark};
use whyslow_perfdata::writer::{
    EventAttr, EventDescription, Features, FileWriter, RecordBuffer, SampleIdentity,
};

fn import(payloads: &[(u64, &[u8])], info: &str) -> support::Outcome {
    let events = [EventDescription {
        attr: EventAttr {
            event_type: 1,
            config: 10,
            sample_type: RecordBuffer::RAW_SAMPLE,
            ..EventAttr::default()
        },
        name: EVENT_MARK.to_owned(),
        ids: vec![7],
    }];
    let mut out = RecordBuffer::new();
    let identity = |time_ns| SampleIdentity {
        pid: 11,
        tid: 12,
        time_ns,
        cpu: 0,
        id: 7,
    };
    out.comm(11, 12, b"busy", &identity(1_000));
    for &(time_ns, payload) in payloads {
        out.raw_sample(&identity(time_ns), 0, &[], payload);
    }
    out.finished_round();
    let mut bytes = Cursor::new(Vec::new());
    let mut features = Features::new();
    features.events(&events);
    let mut writer = FileWriter::create(&mut bytes, &events, &features).unwrap();
    writer.write(out.as_bytes()).unwrap();
    features.bytes(FEATURE_INFO, info.as_bytes().to_vec());
    writer.finish(&features).unwrap();
    let reader = Reader::from_seekable(Box::new(Cursor::new(bytes.into_inner()))).unwrap();
    let mut sink = MemorySink::new();
    let mut progress = |_| ControlFlow::Continue(());
    let settled = import_perf(reader, ImportOptions::default(), &mut sink, &mut progress).unwrap();
    outcome(sink, settled)
}

fn mark(text: &[u8], is_cut: bool) -> Vec<u8> {
    let mark = Mark {
        pid: 11,
        tid: 12,
        is_cut,
        descends: true,
        text: text.to_vec(),
    };
    let mut bytes = Vec::new();
    mark.encode(&mut bytes);
    bytes
}

fn label(outcome: &support::Outcome, id: Option<LabelId>) -> String {
    let labels: Vec<LabelRow> = outcome.rows();
    labels[id.unwrap().index()].text.clone()
}

fn has_marks(outcome: &support::Outcome) -> String {
    let rows: Vec<CapabilityRow> = outcome.rows();
    let row = rows.into_iter().find(|row| row.name == "marks");
    row.unwrap().presence
}

#[test]
fn each_mark_is_a_row_with_its_time_thread_and_text() {
    let texts = [mark(b"warm-up%0a 50%", false), mark(b"long", true)];
    let payloads = [
        (5_000, &texts[0][..]),
        (7_000, &texts[1]),
        (8_000, b"short"),
    ];
    let info = "start_ns 1000\nend_ns 9000\nfollows marks\nlost_marks 3\n";
    let outcome = import(&payloads, info);
    let marks: Vec<MarkRow> = outcome.rows();
    let told = marks
        .iter()
        .map(|row| (row.time_ns, label(&outcome, row.text)));
    let wanted = [(4_000, "warm-up\\n 50%"), (6_000, "long…")];
    let wanted = wanted.map(|(ns, text)| (ns, text.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), wanted);
    let processes: Vec<ProcessRow> = outcome.rows();
    let busy = processes.iter().find(|row| row.os_pid == 11).unwrap();
    assert!(marks.iter().all(|row| row.process == Some(busy.id)));
    assert_eq!(has_marks(&outcome), "yes");
    assert_eq!(outcome.count(ProblemKind::BadRecord), 1, "one was short");
    assert_eq!(
        outcome.count(ProblemKind::RecorderLimit),
        3,
        "marks were lost"
    );
}

#[test]
fn a_recorder_that_sees_marks_says_so_although_none_was_set() {
    let outcome = import(&[], "start_ns 1000\nend_ns 9000\nfollows marks\n");
    assert_eq!(has_marks(&outcome), "yes");
    let outcome = import(&[], "start_ns 1000\nend_ns 9000\n");
    assert_eq!(has_marks(&outcome), "no");
}
