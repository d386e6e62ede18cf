//! Windows traces of one process on one volume, and what an import finds in them.

#![allow(dead_code, reason = "each test file uses its part")]

use std::ops::ControlFlow;

use whyslow_import::{ImportOptions, MemorySink, import_etl};
use whyslow_model::tables::{
    CapabilityRow, FileRow, LabelRow, ProblemRow, ProcessRow, SingleFileCallRow, ThreadRow,
};
use whyslow_model::{FileId, FileOperation, LabelId, Named, ProcessId, SystemCallResult, ThreadId};
use whyslow_testkit::payload::{Process, Thread};
use whyslow_testkit::{Header, T0, Trace, full, system};

use crate::support::{Outcome, outcome};

pub(crate) const PID: u32 = 400;
pub(crate) const TID: u32 = 404;
pub(crate) const OTHER: u32 = 408;
pub(crate) const IDS: (u32, u32) = (PID, TID);

pub(crate) type Events = Vec<(i64, Vec<u8>)>;

pub(crate) fn import(mut events: Events) -> Outcome {
    events.sort_by_key(|(time, _)| *time);
    let events = events.into_iter().map(|(_, event)| (0, event));
    let file = Trace::of(Header::default(), events).bytes();
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[file], ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

pub(crate) fn there() -> Events {
    let process = Process {
        process_id: PID,
        parent_id: 4,
        image: "writer.exe",
        ..Process::default()
    };
    let process = system(true, 0x0303, 4, T0, (0, 0), &process.payload(true, 4));
    let thread = |thread_id| {
        let thread = Thread {
            process_id: PID,
            thread_id,
            ..Thread::default()
        };
        system(true, 0x0503, 3, T0, (0, 0), &thread.payload(true, 3, false))
    };
    vec![(0, process), (0, thread(TID)), (0, thread(OTHER))]
}

/// A process that the first one starts.
pub(crate) fn process_starts(at: i64, process_id: u32, image: &'static str) -> (i64, Vec<u8>) {
    let process = Process {
        process_id,
        parent_id: PID,
        image,
        ..Process::default()
    };
    let payload = process.payload(true, 4);
    (at, system(true, 0x0301, 4, T0 + at, IDS, &payload))
}

/// Its thread.
pub(crate) fn thread_starts(at: i64, (process_id, thread_id): (u32, u32)) -> (i64, Vec<u8>) {
    let thread = Thread {
        process_id,
        thread_id,
        ..Thread::default()
    };
    let payload = thread.payload(true, 3, false);
    (at, system(true, 0x0501, 3, T0 + at, IDS, &payload))
}

/// What a row belongs to, when, and how long: `writer.exe/404 100 50`.
pub(crate) fn owned(
    outcome: &Outcome,
    (process, thread): (Option<ProcessId>, Option<ThreadId>),
    (time_ns, duration_ns): (i64, Option<i64>),
) -> String {
    let processes: Vec<ProcessRow> = outcome.rows();
    let threads: Vec<ThreadRow> = outcome.rows();
    let lasts = duration_ns.map(|ns| (ns / 100).to_string());
    format!(
        "{}/{} {} {}",
        processes[process.unwrap().index()].name,
        threads[thread.unwrap().index()].os_tid,
        time_ns / 100,
        lasts.unwrap_or("-".to_owned()),
    )
}

/// How often a problem was noted whose details have this text.
pub(crate) fn problem(outcome: &Outcome, text: &str) -> i64 {
    let problems: Vec<ProblemRow> = outcome.rows();
    let found = problems.iter().filter(|row| row.detail.contains(text));
    found.map(|row| row.count).sum()
}

/// Names the volume of the traces here.
pub(crate) fn volume() -> (i64, Vec<u8>) {
    const SYSTEM_CONFIG_EX: [u8; 16] = [
        0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5, 0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9,
        0xd0,
    ];
    let names = [r"\Device\HarddiskVolume1\", r"C:\"];
    let text = names.join("\0") + "\0";
    let payload: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    (1, full(T0 + 1, SYSTEM_CONFIG_EX, (35, 0), &payload))
}

pub(crate) fn in_volume(path: &str) -> String {
    format!(r"\Device\HarddiskVolume1\{path}")
}

pub(crate) fn path(outcome: &Outcome, file: Option<FileId>) -> String {
    let files: Vec<FileRow> = outcome.rows();
    file.map_or("-".to_owned(), |file| files[file.index()].path.clone())
}

pub(crate) fn is_recorded(outcome: &Outcome, capability: &str) -> String {
    let rows: Vec<CapabilityRow> = outcome.rows();
    let row = rows.into_iter().find(|row| row.name == capability);
    row.unwrap().presence
}

/// Single calls as text: operation, path, start, duration, result, asked, got.
pub(crate) fn lines(outcome: &Outcome) -> Vec<String> {
    let threads: Vec<ThreadRow> = outcome.rows();
    let mut rows: Vec<SingleFileCallRow> = outcome.rows();
    rows.sort_by_key(|row| row.start_ns);
    let number = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    let lines = rows.into_iter().map(|row| {
        let operation = FileOperation::from_code(row.operation).unwrap().name();
        let tid = row.thread.map(|thread| threads[thread.index()].os_tid);
        format!(
            "{} {operation} {} {} {} {} {} {}",
            number(tid.map(i64::from)),
            path(outcome, row.file),
            row.start_ns / 100,
            number(row.duration_ns.map(|ns| ns / 100)),
            SystemCallResult(row.result).spelled(),
            number(row.asked_bytes),
            number(row.bytes),
        )
    });
    lines.collect()
}

pub(crate) fn label(outcome: &Outcome, id: Option<LabelId>) -> String {
    let labels: Vec<LabelRow> = outcome.rows();
    id.map_or("-".to_owned(), |id| labels[id.index()].text.clone())
}
