//! What is said about stalls for lack of memory.

use whyslow_model::tables::{MemoryStallRow, ProcessMemoryRow};
use whyslow_model::{MemoryStall, Named, Table};

use super::*;

/// A program that runs all the time, 1000 ms, and another one beside it.
fn program() -> (Literal, [(ProcessId, ThreadId); 2]) {
    let mut trace = Literal::new(1000);
    let own = process(&mut trace, "app", 100, None, (0, 1000));
    let other = process(&mut trace, "other", 200, None, (0, 1000));
    trace.play(own.1, "R1000");
    trace.play(other.1, "R1000");
    (trace, [own, other])
}

fn stalls(of: (ProcessId, ThreadId), kind: MemoryStall, ms: &[(i64, i64)]) -> Vec<MemoryStallRow> {
    let row = |&(start, duration): &(i64, i64)| MemoryStallRow {
        start_ns: start * MS,
        process: Some(of.0),
        thread: Some(of.1),
        duration_ns: Some(duration * MS),
        kind: kind.code(),
        pages: Some(32),
        victim_thread: None,
    };
    ms.iter().map(row).collect()
}

#[test]
fn a_program_that_frees_memory_of_its_group_is_at_the_limit() {
    let (mut trace, [own, _]) = program();
    let ms = [(100, 200), (500, 150), (700, 50)];
    trace.tables = vec![Table::from_rows(stalls(
        own,
        MemoryStall::GroupReclaim,
        &ms,
    ))];
    says(
        &explain_pid(&trace, 100),
        &[
            "Its cgroup was at its memory limit, so it freed memory 3 times before it got any: 40 % of the time  certain",
            "Raise the limit, or let the group use less memory.",
        ],
    );
}

/// A process needs so many MB at these times.
fn needs(of: (ProcessId, ThreadId), mb: [i64; 2]) -> [ProcessMemoryRow; 2] {
    [read(of, 1, mb[0]), read(of, 390, mb[1])]
}

fn read(of: (ProcessId, ThreadId), ms: i64, mb: i64) -> ProcessMemoryRow {
    ProcessMemoryRow {
        time_ns: ms * MS,
        process: Some(of.0),
        thread: Some(of.1),
        // What does not fit into RAM is in the swap area.
        resident_bytes: Some(mb.min(100) << 20),
        private_bytes: Some(mb.min(100) << 20),
        file_bytes: None,
        shared_bytes: None,
        swapped_bytes: Some((mb - 100).max(0) << 20),
        committed_bytes: None,
        peak_bytes: None,
    }
}

#[test]
fn who_needed_more_and_more_is_said_where_memory_was_short() {
    let (mut trace, [own, other]) = program();
    let rows = stalls(own, MemoryStall::Reclaim, &[(100, 300)]);
    let readings = [needs(own, [50, 60]), needs(other, [50, 300])].concat();
    trace.tables = vec![Table::from_rows(rows), Table::from_rows(readings)];
    says(
        &explain_pid(&trace, 100),
        &["Meanwhile, the private memory of other grew by 262 MB, to 315 MB."],
    );
    // Of a group, only those that were held up count: nothing is known of who else is in it.
    let rows = stalls(own, MemoryStall::GroupReclaim, &[(100, 300)]);
    let readings = [needs(own, [50, 60]), needs(other, [50, 300])].concat();
    trace.tables = vec![Table::from_rows(rows), Table::from_rows(readings)];
    let text = explain_pid(&trace, 100);
    assert!(!text.contains("Meanwhile"), "{text}");
}

#[test]
fn who_grew_is_not_said_beside_a_large_process_that_started_meanwhile() {
    // The other one grew by 50 MB. A third one starts late: how large it is, when it ends.
    let said = |mb: i64, end_ms: i64| {
        let (mut trace, [own, other]) = program();
        let late = process(&mut trace, "late", 300, None, (50, end_ms));
        trace.play(late.1, &format!("R{}", end_ms - 50));
        let rows = stalls(own, MemoryStall::Reclaim, &[(100, 300)]);
        let late = vec![read(late, 60, mb)];
        let readings = [
            needs(own, [5, 6]).into(),
            needs(other, [50, 100]).into(),
            late,
        ];
        trace.tables = vec![Table::from_rows(rows), Table::from_rows(readings.concat())];
        explain_pid(&trace, 100).contains("the private memory of other grew by 52 MB")
    };
    assert!(said(30, 1000));
    assert!(!said(900, 1000));
    // It had ended before memory was short.
    assert!(said(900, 90));
}

#[test]
fn who_grew_after_memory_was_short_is_not_said() {
    let (mut trace, [own, other]) = program();
    let rows = stalls(own, MemoryStall::Reclaim, &[(100, 300)]);
    let readings = vec![
        read(other, 1, 50),
        read(other, 390, 50),
        read(other, 900, 300),
    ];
    trace.tables = vec![Table::from_rows(rows), Table::from_rows(readings)];
    let text = explain_pid(&trace, 100);
    assert!(
        text.contains("short of memory") && !text.contains("Meanwhile"),
        "{text}"
    );
}

#[test]
fn who_only_grows_is_not_accused() {
    let (mut trace, [own, other]) = program();
    let readings = [needs(own, [50, 900]), needs(other, [50, 300])].concat();
    trace.tables = vec![Table::from_rows(readings)];
    let text = explain_pid(&trace, 100);
    assert!(!text.contains("memory"), "{text}");
    // Nor is anybody named if several need more.
    let (mut trace, [own, other]) = program();
    let rows = stalls(own, MemoryStall::Reclaim, &[(100, 300)]);
    let third = process(&mut trace, "third", 300, None, (0, 1000));
    trace.play(third.1, "R1000");
    let all = [own, other, third].map(|of| needs(of, [50, 99]));
    trace.tables = vec![Table::from_rows(rows), Table::from_rows(all.concat())];
    let text = explain_pid(&trace, 100);
    assert!(!text.contains("Meanwhile"), "{text}");
}

#[test]
fn what_overlaps_counts_once_and_writers_are_told_apart() {
    let (mut trace, [own, _]) = program();
    let mut rows = stalls(own, MemoryStall::Reclaim, &[(100, 100)]);
    rows.extend(stalls(own, MemoryStall::Pause, &[(150, 100)]));
    rows.extend(stalls(own, MemoryStall::DirtyPause, &[(600, 300)]));
    trace.tables = vec![Table::from_rows(rows)];
    says(
        &explain_pid(&trace, 100),
        &[
            "The machine was short of memory, so it freed memory 2 times before it got any: 15 % of the time",
            "It wrote faster than the disk, so the kernel paused it once: 30 % of the time",
            "The longest pause took 300 ms.",
        ],
    );
}

#[test]
fn a_little_reclaim_and_the_stalls_of_others_are_no_cause() {
    let (mut trace, [own, other]) = program();
    let mut rows = stalls(own, MemoryStall::Reclaim, &[(100, 20)]);
    rows.extend(stalls(other, MemoryStall::GroupReclaim, &[(0, 900)]));
    trace.tables = vec![Table::from_rows(rows)];
    let causes = ["memory-limit", "memory-short", "write-pause"];
    let found = findings(&trace, 100);
    assert!(
        found
            .iter()
            .all(|one| !causes.contains(&one.cause.as_str())),
        "{found:#?}"
    );
}

#[test]
fn what_is_for_the_limit_is_not_for_the_machine_and_no_cpu_is_no_stall() {
    let mut trace = Literal::new(1000);
    let own = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(own.1, "R300 P300 R400");
    let mut rows = stalls(own, MemoryStall::GroupReclaim, &[(200, 400)]);
    rows.extend(stalls(own, MemoryStall::Pause, &[(210, 80)]));
    trace.tables = vec![Table::from_rows(rows)];
    let text = explain_pid(&trace, 100);
    says(
        &text,
        &["freed memory once before it got any: 10 % of the time"],
    );
    assert!(!text.contains("machine was short"), "{text}");
}

#[test]
fn joining_free_memory_is_no_shortage() {
    let (mut trace, [own, _]) = program();
    let rows = stalls(own, MemoryStall::Compaction, &[(100, 200), (500, 150)]);
    trace.tables = vec![Table::from_rows(rows)];
    let causes: Vec<_> = findings(&trace, 100)
        .into_iter()
        .map(|one| one.cause)
        .collect();
    assert_eq!(causes, ["cpu"]);
}

#[test]
fn a_write_pause_is_said_of_the_process_that_the_path_went_through() {
    let (mut trace, [own, _]) = program();
    // It writes beside the path, and nobody waits for it.
    let beside = process(&mut trace, "beside", 300, Some(own.0), (0, 1000));
    trace.play(beside.1, "R1000");
    let mut rows = stalls(own, MemoryStall::DirtyPause, &[(100, 100), (300, 120)]);
    rows.extend(stalls(beside, MemoryStall::DirtyPause, &[(100, 800)]));
    trace.tables = vec![Table::from_rows(rows)];
    says(
        &explain_pid(&trace, 100),
        &[
            "It wrote faster than the disk, so the kernel paused it 2 times: 22 % of the time",
            "The longest pause took 120 ms.",
        ],
    );
}

#[test]
fn write_pauses_of_several_processes_are_said_of_all() {
    let mut trace = Literal::new(1000);
    let own = process(&mut trace, "app", 100, None, (0, 1000));
    let child = process(&mut trace, "child", 200, Some(own.0), (300, 900));
    trace.stack("wait", "k:do_wait < wait4 < main");
    trace.play(own.1, "R300 W600:wait<child R100");
    trace.play(child.1, "R600");
    let mut rows = stalls(own, MemoryStall::DirtyPause, &[(100, 100)]);
    rows.extend(stalls(
        child,
        MemoryStall::DirtyPause,
        &[(400, 60), (500, 140)],
    ));
    trace.tables = vec![Table::from_rows(rows)];
    says(
        &explain_pid(&trace, 100),
        &[
            "Several processes, such as child, wrote faster than the disk, so the kernel paused them 3 times: 30 % of the time",
            "The longest pause took 140 ms.",
        ],
    );
}
