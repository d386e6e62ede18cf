//! Answers about requests to disks.

use whyslow_model::tables::FactRow;

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
        queued_ns: None,
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

/// Returns answers about two requests that were queued, one that was not, and one of another disk.
fn asked(given: &[(&str, ArgumentValue)], words: &[&str]) -> Vec<String> {
    let mut trace = scene().trace("t");
    let daemon = Some((ProcessId(0), ThreadId(0)));
    let compiler = Some((ProcessId(2), ThreadId(2)));
    let queued = |queued_ms: i64, row: DiskIoRow| DiskIoRow {
        queued_ns: Some(queued_ms * MS),
        ..row
    };
    let rows = [
        queued(5, write(daemon, 50, Some(20))),
        queued(15, write(compiler, 60, Some(40))),
        write(daemon, 70, Some(10)),
        DiskIoRow {
            disk: Some(7 << 20),
            ..write(daemon, 10, Some(1))
        },
    ];
    trace.put(whyslow_model::Table::from_rows(rows));
    trace.put(whyslow_model::Table::from_rows([FactRow {
        subject: "machine".to_owned(),
        key: "disk".to_owned(),
        value: "8388609 sda 1 bfq 64 - through -".to_owned(),
    }]));
    let outcome = put("disk", &trace, &Selection::default(), given);
    let table = outcome.table().unwrap();
    let notes = table.notes.iter().map(|note| note.text.as_str());
    let described = notes.filter(|text| text.starts_with("sda: rotational, scheduler bfq"));
    assert_eq!(described.count(), 1);
    cells(&table, words)
}

#[test]
fn the_time_of_requests_is_split_where_the_driver_gets_them() {
    let words = [
        "disk",
        "requests",
        "time",
        "median",
        "p99",
        "queue",
        "queue-p99",
        "device",
        "device-median",
    ];
    assert_eq!(
        asked(&[("by", word("disk"))], &words),
        ["8:1 3 70 20 40 20 15 50 15", "7:0 1 1 1 1 - - 1 1"]
    );
    let words = ["process", "at", "time", "queue", "device"];
    let mut list = asked(&[("list", ArgumentValue::Given)], &words);
    list.sort();
    assert_eq!(
        list,
        [
            "cc 60 40 15 25",
            "daemon 10 1 - 1",
            "daemon 50 20 5 15",
            "daemon 70 10 - 10"
        ]
    );
}
