//! `memory`.

use whyslow_model::tables::{AllocationRow, MemoryStallRow, ProcessMemoryRow, TraceRow};
use whyslow_model::{MemoryStall, Table, TableRow, TraceView as _};

use super::*;

fn stall(thread: (i32, i32), start_ms: i64, ms: i64, kind: MemoryStall) -> MemoryStallRow {
    MemoryStallRow {
        start_ns: start_ms * MS,
        process: Some(ProcessId(thread.0)),
        thread: Some(ThreadId(thread.1)),
        duration_ns: Some(ms * MS),
        kind: kind.code(),
        pages: (kind == MemoryStall::GroupReclaim).then_some(32),
        victim_thread: None,
    }
}

fn trace() -> MemoryTrace {
    let (daemon, cc, helper) = ((0, 0), (2, 2), (2, 3));
    let mut trace = scene().trace("t");
    let kill = MemoryStallRow {
        duration_ns: None,
        victim_thread: Some(ThreadId(3)),
        ..stall(daemon, 300, 0, MemoryStall::Kill)
    };
    trace.put(Table::from_rows([
        stall(daemon, 10, 5, MemoryStall::Compaction),
        kill,
        stall(cc, 100, 20, MemoryStall::GroupReclaim),
        stall(cc, 150, 30, MemoryStall::GroupReclaim),
        stall(helper, 150, 10, MemoryStall::GroupReclaim),
    ]));
    trace
}

const WORDS: [&str; 7] = [
    "process", "stall", "count", "time", "longest", "pages", "killed",
];

#[test]
fn stalls_add_up_by_process_and_kind() {
    let table = ask("memory", &trace(), &Selection::default());
    assert_eq!(
        cells(&table, &WORDS),
        [
            "cc group reclaim 3 60 30 96 -",
            "daemon compaction 1 5 5 - -",
            "daemon kill 1 0 0 - cc",
        ]
    );
}

#[test]
fn stalls_are_cut_to_the_time_that_is_asked_for() {
    let selection = Selection {
        from: Some(TimePoint::Trace(160 * MS)),
        ..Selection::default()
    };
    let table = ask("memory", &trace(), &selection);
    assert_eq!(
        cells(&table, &WORDS),
        ["cc group reclaim 2 20 20 64 -", "daemon kill 1 0 0 - cc"]
    );
}

/// A range that a process got, how long it had it, and its size in bytes.
fn allocation(of: (i32, i32), ms: i64, lasts_ms: Option<i64>, bytes: i64) -> AllocationRow {
    AllocationRow {
        time_ns: ms * MS,
        process: Some(ProcessId(of.0)),
        thread: Some(ThreadId(of.1)),
        duration_ns: lasts_ms.map(|ms| ms * MS),
        address: 0x1000,
        size_bytes: bytes,
        stack: None,
    }
}

fn of_windows() -> MemoryTrace {
    let (daemon, cc) = ((0, 0), (2, 2));
    let mut scene = scene();
    let stack = scene.stack("fill", "fill < load");
    let mut trace = scene.trace("t");
    let table = trace.read(TraceRow::SCHEMA, &[]).expect("one");
    let mut rows: Vec<TraceRow> = table.rows().collect();
    rows[0].os = Some("Windows 11, build 22621".to_owned());
    trace.put(Table::from_rows(rows));
    let leaked = AllocationRow {
        stack: Some(stack),
        ..allocation(cc, 150, None, 300)
    };
    trace.put(Table::from_rows([
        allocation(daemon, 10, Some(5), 1000),
        allocation(cc, 100, Some(100), 4096),
        allocation(cc, 200, Some(50), 8192),
        leaked,
    ]));
    trace
}

const OF_WINDOWS: [&str; 6] = [
    "process",
    "got",
    "got-bytes",
    "kept",
    "kept-bytes",
    "peak-bytes",
];

#[test]
fn memory_of_windows_is_what_processes_got_and_kept() {
    let trace = of_windows();
    let everything = Selection::default();
    let table = ask("memory", &trace, &everything);
    // What is given back at 200 ms is gone before more is got then.
    assert_eq!(
        cells(&table, &OF_WINDOWS),
        ["cc 3 12588 1 300 8492", "daemon 1 1000 0 0 1000"]
    );
    let by_stack = [("by", word("stack"))];
    let answer = put("memory", &trace, &everything, &by_stack);
    let table = answer.table().expect("recorded");
    assert_eq!(
        cells(&table, &["process", "kept", "frames"]),
        ["cc 1 fill < load", "daemon 0 -", "cc 0 -"]
    );
    // At the end of the selected time, some of it has not been given back yet.
    let selection = Selection {
        to: Some(TimePoint::Trace(120 * MS)),
        ..Selection::default()
    };
    let table = ask("memory", &trace, &selection);
    assert_eq!(
        cells(&table, &OF_WINDOWS),
        ["cc 1 4096 1 4096 4096", "daemon 1 1000 0 0 1000"]
    );
}

#[test]
fn a_column_of_another_system_is_said_to_be_one() {
    let said = |trace: &MemoryTrace, word: &str| {
        let selection = Selection {
            columns: crate::selection::ColumnChoice::parse(word),
            ..Selection::default()
        };
        let question = find("memory").expect("a question");
        let answer = question.answer(&[trace], &selection);
        answer.expect_err("no such column").to_string()
    };
    assert!(said(&trace(), "kept-bytes").starts_with(
        "only recordings of Windows have the column \"kept-bytes\"; for other recordings, memory has"
    ));
    assert!(said(&of_windows(), "stall").starts_with("only recordings of Linux have the column"));
    assert!(said(&trace(), "weather").starts_with("unknown column \"weather\""));
}

/// What a process has at a time.
fn reading(process: i32, ms: i64, kilobytes: i64) -> ProcessMemoryRow {
    ProcessMemoryRow {
        time_ns: ms * MS,
        process: Some(ProcessId(process)),
        // It ends long before the process does.
        thread: Some(ThreadId(process)),
        resident_bytes: Some(kilobytes << 10),
        private_bytes: Some(kilobytes << 9),
        file_bytes: None,
        shared_bytes: None,
        swapped_bytes: Some(0),
        committed_bytes: None,
        peak_bytes: None,
    }
}

fn peak(process: i32, ms: i64, kilobytes: i64) -> ProcessMemoryRow {
    ProcessMemoryRow {
        resident_bytes: None,
        private_bytes: None,
        swapped_bytes: None,
        peak_bytes: Some(kilobytes << 10),
        ..reading(process, ms, 0)
    }
}

fn with_readings() -> MemoryTrace {
    let mut trace = scene().trace("t");
    let swapped = ProcessMemoryRow {
        swapped_bytes: Some(7),
        ..reading(0, 200, 60)
    };
    trace.put(Table::from_rows([
        reading(0, 1, 100),
        swapped,
        reading(0, 390, 80),
        // Too short to be read.
        peak(1, 310, 5),
        reading(2, 25, 10),
        reading(2, 100, 40),
        reading(2, 200, 30),
        peak(2, 320, 900),
    ]));
    trace
}

const PROCESSES: [&str; 9] = [
    "process", "first", "peak", "last", "growth", "own", "swapped", "peak-at", "readings",
];

#[test]
fn processes_have_memory_at_first_at_most_and_at_last() {
    let answer = |selection: &Selection| {
        let asked = [("processes", ArgumentValue::Given)];
        let answer = put("memory", &with_readings(), selection, &asked);
        cells(&answer.table().expect("recorded"), &PROCESSES)
    };
    let mut selection = Selection::default();
    assert_eq!(
        answer(&selection),
        [
            "cc 10240 921600 30720 20480 15360 0 - 4",
            "daemon 102400 102400 81920 -20480 40960 7 1 3",
            "sh - 5120 - - - - - 1",
        ]
    );
    // What a process had as the time began it had been read to have before. Of the peak nobody knows when it was.
    selection.from = Some(TimePoint::Trace(150 * MS));
    selection.to = Some(TimePoint::Trace(330 * MS));
    assert_eq!(
        answer(&selection),
        [
            "daemon 102400 102400 61440 -40960 30720 7 1 1",
            "cc 40960 40960 30720 -10240 15360 0 100 2",
            "sh - - - - - - - 1",
        ]
    );
    selection.processes = Some(NamePattern::parse("cc"));
    let lines = answer(&selection);
    assert_eq!(lines, ["cc 40960 40960 30720 -10240 15360 0 100 2"]);
}

#[test]
fn readings_are_listed_in_the_order_of_time() {
    let selection = Selection {
        from: Some(TimePoint::Trace(150 * MS)),
        ..Selection::default()
    };
    let asked = [("list", ArgumentValue::Given)];
    let answer = put("memory", &with_readings(), &selection, &asked);
    let table = answer.table().expect("recorded");
    assert_eq!(
        cells(
            &table,
            &["at", "process", "resident", "own", "swapped", "peak"]
        ),
        [
            "200 daemon 61440 30720 7 -",
            "200 cc 30720 15360 0 -",
            "310 sh - - - 5120",
            "320 cc - - - 921600",
            "390 daemon 81920 40960 0 -",
        ]
    );
}

#[test]
fn the_peak_of_a_process_of_windows_may_have_been_before_the_recording() {
    let mut trace = of_windows();
    let ended = |process| ProcessMemoryRow {
        peak_bytes: Some(900 << 10),
        ..reading(process, 399, 100)
    };
    trace.put(Table::from_rows([ended(0), ended(2)]));
    let asked = [("processes", ArgumentValue::Given)];
    let answer = put("memory", &trace, &Selection::default(), &asked);
    let table = answer.table().expect("recorded");
    assert_eq!(
        cells(&table, &["process", "peak", "last", "peak-at"]),
        ["cc 921600 102400 -", "daemon 102400 102400 399"]
    );
}

#[test]
fn what_a_later_source_does_not_say_still_holds() {
    let mut trace = of_windows();
    let at_end = ProcessMemoryRow {
        private_bytes: None,
        committed_bytes: Some(700 << 10),
        ..reading(0, 399, 300)
    };
    // Only read at the end: nobody knows whether it grew.
    let once = reading(2, 399, 100);
    trace.put(Table::from_rows([reading(0, 100, 200), at_end, once]));
    let asked = [("processes", ArgumentValue::Given)];
    let answer = put("memory", &trace, &Selection::default(), &asked);
    let table = answer.table().expect("recorded");
    assert_eq!(
        cells(
            &table,
            &["process", "last", "growth", "own", "committed", "readings"]
        ),
        [
            "daemon 307200 102400 102400 716800 2",
            "cc 102400 - 51200 - 1",
        ]
    );
}
