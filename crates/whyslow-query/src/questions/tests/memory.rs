//! `memory`.

use whyslow_model::MemoryStall;
use whyslow_model::tables::MemoryStallRow;

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
    trace.put(whyslow_model::Table::from_rows([
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
