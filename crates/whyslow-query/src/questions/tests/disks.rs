//! Answers about requests to disks.

use super::*;

/// A write of 4,096 bytes by a thread, or without a known one.
fn write(thread: Option<(ProcessId, ThreadId)>, issue_ms: i64, ms: Option<i64>) -> DiskIoRow {
    DiskIoRow {
        issue_ns: issue_ms * MS,
        process: thread.map(|(process, _)| process),
        thread: thread.map(|(_, thread)| thread),
        duration_ns: ms.map(|ms| ms * MS),
        service_ns: None,
        disk: Some((8 << 20) | 1),
        operation: DiskOperation::Write.code(),
        offset_bytes: Some(0),
        size_bytes: Some(4096),
        result: ms.map(|_| 0),
        flags: 0,
        priority: None,
        stack: None,
        file: None,
    }
}

#[test]
fn requests_to_disks_add_up_and_overlaps_count_once() {
    let mut trace = scene().trace("t");
    let daemon = Some((ProcessId(0), ThreadId(0)));
    let compiler = Some((ProcessId(2), ThreadId(2)));
    let failed = DiskIoRow {
        operation: DiskOperation::Read.code(),
        result: Some(-5),
        ..write(compiler, 100, Some(30))
    };
    let rows = [
        write(daemon, 50, Some(20)),
        write(daemon, 60, Some(20)),
        write(daemon, 200, None),
        failed,
        write(None, 10, Some(5)),
    ];
    trace.put(whyslow_model::Table::from_rows(rows));
    let words = [
        "process",
        "disk",
        "operation",
        "requests",
        "bytes",
        "busy",
        "time",
        "longest",
        "longest-at",
        "open",
        "failed",
    ];
    let table = ask("disk", &trace, &Selection::default());
    assert_eq!(
        cells(&table, &words),
        [
            "daemon 8:1 write 3 12288 30 40 20 50 1 0",
            "cc 8:1 read 1 4096 30 30 30 100 0 1",
            "- 8:1 write 1 4096 5 5 5 10 0 0",
        ]
    );
    let selection = Selection {
        processes: Some(NamePattern::parse("daemon")),
        from: Some(TimePoint::Trace(70 * MS)),
        to: Some(TimePoint::Trace(100 * MS)),
        ..Selection::default()
    };
    let table = ask("disk", &trace, &selection);
    assert_eq!(
        cells(&table, &words),
        ["daemon 8:1 write 2 8192 10 10 10 70 0 0"]
    );
}
