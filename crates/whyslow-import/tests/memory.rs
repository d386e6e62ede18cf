//! Memory stalls: from events to the rows of `memory_stall`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, Outcome};
use whyslow_import::operations::{MemoryEvent, MemoryPhase};
use whyslow_import::{Event, EventKind, Importer, OperationEvent, StackRef};
use whyslow_model::tables::{MemoryStallRow, ThreadRow};
use whyslow_model::{MemoryStall, Named, ProblemKind};

fn send(importer: &mut Importer<'_>, ns: i64, tid: u32, kind: MemoryStall, phase: MemoryPhase) {
    let tid = Some(tid);
    let event = Event {
        time_ns: Some(ns),
        cpu: Some(0),
        kind: EventKind::Operation(OperationEvent {
            pid: None,
            tid,
            stack: StackRef::NONE,
            operation: MemoryEvent { tid, kind, phase }.into(),
        }),
    };
    importer.event(&event).unwrap();
}

/// A row as text: kind, start, thread, duration, pages, thread of the victim.
fn lines(outcome: &Outcome) -> Vec<String> {
    let threads: Vec<ThreadRow> = outcome.rows();
    let rows = outcome.rows::<MemoryStallRow>().into_iter();
    let tid = |thread: Option<whyslow_model::ThreadId>| thread.map(|id| threads[id.index()].os_tid);
    let mut lines: Vec<_> = rows
        .map(|row| {
            let kind = MemoryStall::from_code(row.kind).unwrap().name();
            let (thread, victim) = (tid(row.thread).unwrap(), tid(row.victim_thread));
            let start = row.start_ns;
            format!(
                "{kind} {start} {thread} {:?} {:?} {victim:?}",
                row.duration_ns, row.pages
            )
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn beginning_and_end_are_one_row_per_thread_and_kind() {
    use MemoryPhase::{Ahead, Begin, End, Kill, Over};
    let outcome = support::import(EVERYTHING, |importer| {
        let freed = End { pages: Some(32) };
        send(importer, 100, 7, MemoryStall::Reclaim, Begin);
        // Meanwhile another thread stalls, and another kind begins.
        send(importer, 110, 9, MemoryStall::Reclaim, Begin);
        send(importer, 120, 7, MemoryStall::Compaction, Begin);
        send(
            importer,
            130,
            7,
            MemoryStall::Compaction,
            End { pages: None },
        );
        send(importer, 150, 7, MemoryStall::Reclaim, freed);
        send(importer, 170, 9, MemoryStall::Reclaim, freed);
        // It began before the trace.
        send(importer, 180, 7, MemoryStall::GroupReclaim, freed);
        send(
            importer,
            200,
            7,
            MemoryStall::Pause,
            Over { duration_ns: 40 },
        );
        send(
            importer,
            210,
            7,
            MemoryStall::DirtyPause,
            Ahead { duration_ns: 0 },
        );
        send(
            importer,
            210,
            7,
            MemoryStall::DirtyPause,
            Ahead { duration_ns: 60 },
        );
        send(importer, 300, 7, MemoryStall::Kill, Kill { victim: 9 });
        send(importer, 310, 7, MemoryStall::Kill, Kill { victim: 12345 });
        // It is still under way when the trace ends.
        send(importer, 320, 9, MemoryStall::Reclaim, Begin);
    });
    assert_eq!(
        lines(&outcome),
        [
            "compaction 20 7 Some(10) None None",
            "kill 200 7 None None Some(9)",
            "kill 210 7 None None None",
            "reclaim 0 7 Some(50) Some(32) None",
            "reclaim 10 9 Some(60) Some(32) None",
            "reclaim pause 60 7 Some(40) None None",
            "write pause 110 7 Some(60) None None",
        ]
    );
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 2);
}
