//! Answers about mini-filters of Windows.

use whyslow_model::tables::{FileRow, FilterCallRow};
use whyslow_model::{FileId, FileOperation, FilterPhase, StackId, Table};

use super::*;

fn trace() -> MemoryTrace {
    let mut trace = scene();
    let scan = trace.stack("scan", "k:scan_pre_create");
    let mut trace = trace.trace("t");
    let calls = |file: i32, operation: FileOperation, (count, ms, longest): (i64, i64, i64)| {
        FilterCallRow {
            from_ns: 100 * MS,
            process: Some(ProcessId(2)),
            thread: Some(ThreadId(2)),
            duration_ns: 20 * MS,
            file: Some(FileId(file)),
            operation: operation.code(),
            phase: FilterPhase::Before.code(),
            count,
            time_ns: ms * MS,
            longest_ns: longest * MS,
            stack: Some(scan),
        }
    };
    let of_daemon = FilterCallRow {
        process: Some(ProcessId(0)),
        thread: Some(ThreadId(0)),
        phase: FilterPhase::After.code(),
        stack: None::<StackId>,
        ..calls(0, FileOperation::Read, (1, 1, 1))
    };
    trace.put(Table::from_rows([
        calls(0, FileOperation::Open, (3, 30, 20)),
        calls(1, FileOperation::Open, (2, 6, 5)),
        calls(1, FileOperation::Read, (7, 1, 1)),
        of_daemon,
    ]));
    let file = |id, path: &str| FileRow {
        id: FileId(id),
        path: path.to_owned(),
        inode: None,
        device: None,
        kind: None,
        file_system: None,
        flags: 0,
    };
    let files = [file(0, r"C:\a.dll"), file(1, r"C:\b.txt")];
    trace.put(Table::from_rows(files));
    trace
}

#[test]
fn time_is_summed_by_driver_and_whatever_else_is_asked() {
    let trace = trace();
    let words = [
        "process",
        "driver",
        "operation",
        "phase",
        "calls",
        "time",
        "longest",
    ];
    let everything = Selection::default();
    let table = ask("filters", &trace, &everything);
    assert_eq!(
        cells(&table, &words),
        [
            "cc [kernel] open before 5 36 20",
            "daemon unknown read after 1 1 1",
            "cc [kernel] read before 7 1 1",
        ]
    );
    let answer = |by: &str, words: &[&str]| {
        let answer = put("filters", &trace, &everything, &[("by", word(by))]);
        cells(&answer.table().expect("recorded"), words)
    };
    let by_file = answer("file", &["driver", "path", "calls", "time"]);
    assert_eq!(
        by_file,
        [
            r"[kernel] C:\a.dll 3 30",
            r"[kernel] C:\b.txt 9 7",
            r"unknown C:\a.dll 1 1",
        ]
    );
    let by_routine = answer("routine", &["routine", "calls"]);
    assert_eq!(by_routine, ["scan_pre_create 12", "- 1"]);
}
