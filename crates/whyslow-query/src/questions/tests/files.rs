//! `files`.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{FileFlags, FileId, FileOperation, Named};

use super::*;

const ENOENT: i32 = 2;
const OK: i32 = 0;

/// Calls of a thread, all timed, in a stretch of 100 ms.
fn calls(
    thread: (u32, u32),
    file: Option<i32>,
    (operation, result): (FileOperation, i32),
    count: i64,
) -> FileCallRow {
    let id = |id: u32| i32::try_from(id).unwrap();
    FileCallRow {
        from_ns: 100 * MS,
        process: Some(ProcessId(id(thread.0))),
        thread: Some(ThreadId(id(thread.1))),
        duration_ns: 100 * MS,
        file: file.map(FileId),
        operation: operation.code(),
        result,
        flags: 0,
        count,
        bytes: (operation == FileOperation::Read).then_some(10 * count),
        time_ns: Some(count * MS),
        longest_ns: Some(2 * MS),
        timed_count: count,
    }
}

fn file(id: i32, path: &str, inode: Option<i64>) -> FileRow {
    FileRow {
        id: FileId(id),
        path: path.to_owned(),
        inode,
        device: inode.map(|_| 8 << 20),
        kind: inode.map(|_| "file".to_owned()),
        file_system: inode.map(|_| "ext4".to_owned()),
        flags: if inode.is_some() {
            0
        } else {
            FileFlags::NAME_ONLY.0
        },
    }
}

fn trace() -> MemoryTrace {
    let (daemon, cc, helper) = ((0, 0), (2, 2), (2, 3));
    let mut trace = scene().trace("t");
    trace.put(whyslow_model::Table::from_rows([
        file(0, "/etc/app.ini", Some(7)),
        file(1, "/usr/lib/none.so", None),
        file(2, "/etc/app.ini", None),
    ]));
    trace.put(whyslow_model::Table::from_rows([
        calls(daemon, Some(0), (FileOperation::Read, OK), 3),
        calls(cc, Some(0), (FileOperation::Read, OK), 20),
        calls(helper, Some(0), (FileOperation::Read, OK), 5),
        calls(cc, Some(1), (FileOperation::Open, ENOENT), 7),
        calls(cc, Some(2), (FileOperation::Stat, OK), 6),
        calls(cc, None, (FileOperation::Stat, OK), 4),
    ]));
    trace
}

const WORDS: [&str; 7] = [
    "process",
    "operation",
    "result",
    "calls",
    "bytes",
    "time",
    "path",
];

#[test]
fn calls_add_up_by_process_operation_result_and_path() {
    let table = ask("files", &trace(), &Selection::default());
    assert_eq!(
        cells(&table, &WORDS),
        [
            "cc read ok 25 250 25 /etc/app.ini",
            "cc open ENOENT 7 - 7 /usr/lib/none.so",
            "cc stat ok 6 - 6 /etc/app.ini",
            "cc stat ok 4 - 4 several",
            "daemon read ok 3 30 3 /etc/app.ini",
        ]
    );
    let told = cells(&table, &["file-system", "remarks"]);
    assert_eq!(told[..2], ["ext4 ", "- name only"]);
}

#[test]
fn files_are_chosen_by_path_and_result_and_summed_by_folder() {
    let answer = |given: &[(&str, ArgumentValue)]| {
        let outcome = put("files", &trace(), &Selection::default(), given);
        cells(
            &outcome.table().unwrap(),
            &["operation", "calls", "files", "path"],
        )
    };
    let failed = [("failed", ArgumentValue::Given)];
    assert_eq!(answer(&failed), ["open 7 1 /usr/lib/none.so"]);
    let pattern = |text: &str| [("file", ArgumentValue::Pattern(text.to_owned()))];
    assert_eq!(answer(&pattern("*.so")), ["open 7 1 /usr/lib/none.so"]);
    assert_eq!(answer(&pattern("!/etc/*;!several")).len(), 1);
    let folders = answer(&[("depth", ArgumentValue::Count(1))]);
    assert_eq!(folders[0], "read 25 1 /etc/");
    assert!(
        folders.contains(&"open 7 1 /usr/".to_owned()),
        "{folders:?}"
    );
}
