//! `files`.

use whyslow_model::tables::{CallSampleRow, FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{FileCallFlags, FileFlags, FileId, FileOperation, Named, StackId};

use super::*;

const ENOENT: i32 = 2;
const OK: i32 = 0;

/// Calls of a thread, all timed, in a period of 100 ms.
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

/// A read by the second thread of the compiler.
fn read(start_ms: i64, ns: Option<i64>, (asked, got, disk): (i64, i64, i64)) -> SingleFileCallRow {
    SingleFileCallRow {
        start_ns: start_ms * MS,
        process: Some(ProcessId(2)),
        thread: Some(ThreadId(3)),
        duration_ns: ns,
        file: Some(FileId(0)),
        other_file: None,
        operation: FileOperation::Read.code(),
        call: 0,
        result: OK,
        flags: 0,
        offset_bytes: Some(0),
        asked_bytes: Some(asked),
        bytes: Some(got),
        disk_bytes: Some(disk),
        stack: None,
    }
}

fn single() -> MemoryTrace {
    let mut trace = trace();
    let rename = SingleFileCallRow {
        operation: FileOperation::Rename.code(),
        call: 82,
        file: Some(FileId(1)),
        other_file: Some(FileId(0)),
        offset_bytes: None,
        asked_bytes: None,
        bytes: None,
        disk_bytes: Some(0),
        ..read(210, Some(7), (0, 0, 0))
    };
    let slept = SingleFileCallRow {
        flags: FileCallFlags::SLEPT.0,
        ..read(170, Some(101 * MS), (9, 9, 0))
    };
    trace.put(whyslow_model::Table::from_rows([
        read(150, Some(MS), (100, 10, 4096)),
        read(160, Some(2 * MS), (100, 10, 0)),
        slept,
        read(205, Some(MS), (20, 5, 0)),
        rename,
    ]));
    let sample = |ms: i64, call: i32, stack: i32| CallSampleRow {
        time_ns: ms * MS,
        process: Some(ProcessId(2)),
        thread: Some(ThreadId(3)),
        call,
        count: 64,
        stack: Some(StackId(stack)),
    };
    // The first belongs to the first read; the second to a call that is not listed, the third to
    // another thread's.
    trace.put(whyslow_model::Table::from_rows([
        sample(151, 0, parse()),
        sample(163, 3, parse()),
        CallSampleRow {
            thread: Some(ThreadId(2)),
            ..sample(161, 0, parse())
        },
    ]));
    trace
}

/// The stack of the scene's samples with `lex` innermost.
fn parse() -> i32 {
    let trace = scene().trace("t");
    let samples = trace
        .read(
            <whyslow_model::tables::CpuSampleRow as whyslow_model::TableRow>::SCHEMA,
            &[],
        )
        .unwrap();
    let mut samples = samples.rows::<whyslow_model::tables::CpuSampleRow>();
    samples.next().unwrap().stack.unwrap().0
}

fn rows_of(trace: &MemoryTrace) -> Vec<FileCallRow> {
    let schema = <FileCallRow as whyslow_model::TableRow>::SCHEMA;
    let table = trace.read(schema, &[]).unwrap();
    table.rows::<FileCallRow>().collect()
}

#[test]
fn single_calls_have_place_origin_target_and_stack() {
    let list = [("list", ArgumentValue::Given)];
    let selection = Selection {
        sort: Some(Sort {
            column: "start".to_owned(),
            order: Some(Order::Ascending),
        }),
        ..Selection::default()
    };
    let outcome = put("files", &single(), &selection, &list);
    let table = outcome.table().unwrap();
    let words = [
        "at",
        "operation",
        "time",
        "offset",
        "asked",
        "bytes",
        "from",
        "path",
        "to",
    ];
    assert_eq!(
        cells(&table, &words),
        [
            "150 read 1 0 100 10 disk /etc/app.ini -",
            "160 read 2 0 100 10 cache /etc/app.ini -",
            "170 read 101 0 9 9 wait /etc/app.ini -",
            "205 read 1 0 20 5 cache /etc/app.ini -",
            "210 rename 0 - - - - /usr/lib/none.so /etc/app.ini",
        ]
    );
    let frames = cells(&table, &["frames"]);
    assert_eq!(frames[..2], ["lex < parse < main", "-"]);
    // The thread waited during the call: that wait has a stack.
    assert_eq!(frames[2], "lock_slow < parse < main");
    let notes: Vec<_> = table.notes.iter().map(|note| note.text.clone()).collect();
    assert!(
        notes.iter().any(|note| note.starts_with("5 of 45 calls")),
        "{notes:?}"
    );
    // Where a call of the thread has no row, the sample may have been of that one.
    let mut thinned = single();
    let more = calls((2, 3), Some(1), (FileOperation::Open, ENOENT), 1);
    let mut counted: Vec<FileCallRow> = rows_of(&thinned);
    counted.push(more);
    thinned.put(whyslow_model::Table::from_rows(counted));
    let outcome = put("files", &thinned, &selection, &list);
    let frames = cells(&outcome.table().unwrap(), &["frames"]);
    assert_eq!(frames[..3], ["-", "-", "lock_slow < parse < main"]);
    let failed = [list[0].clone(), ("failed", ArgumentValue::Given)];
    let outcome = put("files", &single(), &Selection::default(), &failed);
    assert_eq!(outcome.table().unwrap().rows.len(), 0);
}

#[test]
fn a_file_says_where_its_file_system_is() {
    let mut trace = trace();
    let fact = |value: &str| whyslow_model::tables::FactRow {
        subject: "recorder".to_owned(),
        key: "file_system".to_owned(),
        value: value.to_owned(),
    };
    let share = format!("{} cifs //nas/data /etc - rw,vers=3.1.1", 8 << 20);
    trace.put(whyslow_model::Table::from_rows([fact(&share)]));
    let table = ask("files", &trace, &Selection::default());
    let told = cells(&table, &["source", "path"]);
    assert_eq!(told[0], "//nas/data (SMB 3.1.1) /etc/app.ini");
    assert_eq!(told[1], "- /usr/lib/none.so");
}

fn folders(given: &[(&str, ArgumentValue)], top: Option<usize>) -> ResultTable {
    let selection = Selection {
        top,
        ..Selection::default()
    };
    let given = [&[("tree", ArgumentValue::Given)], given].concat();
    let outcome = put("files", &trace(), &selection, &given);
    outcome.table().unwrap()
}

#[test]
fn folders_are_a_tree() {
    let tree = |given: &[(&str, ArgumentValue)], top: Option<usize>| {
        let table = folders(given, top);
        let rows = cells(&table, &["calls", "files", "path"]);
        let rows = table.depths.iter().zip(rows);
        rows.map(|(depth, row)| format!("{depth} {row}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        tree(&[], None),
        [
            "0 45 4 all",
            "1 .41 3 /",
            "2 ..34 2 etc/app.ini",
            "2 ..7 1 usr/lib/none.so",
            "1 .4 1 several",
        ]
    );
    let depth = [("depth", ArgumentValue::Count(2))];
    let rows = tree(&depth, None);
    assert_eq!(
        rows[2..],
        ["2 ..34 2 etc/", "2 ..7 1 usr/", "1 .4 1 several"]
    );
    // The heaviest rows, and those above them.
    assert_eq!(tree(&[], Some(2)), ["0 45 4 all", "1 .41 3 /"]);
}

#[test]
fn the_heaviest_rows_of_a_tree_are_chosen_among_those_that_are_shown() {
    let told = |top: Option<usize>| {
        let table = folders(&[], top);
        let hidden = table.notes.iter().map(|note| note.text.clone());
        let hidden = hidden.filter(|text| text.contains("no row")).collect();
        (table.rows.len(), hidden)
    };
    // `etc/` is in a row with the only file in it, and `usr/` in one with `lib/none.so`.
    assert_eq!(told(None), (5, vec![]));
    assert_eq!(told(Some(5)), (5, vec![]));
    let one = "1 folder or file has no row: it has less than 1 % of the calls and of their time, or is beyond --top";
    assert_eq!(told(Some(4)), (4, vec![one.to_owned()]));
    let two = "2 folders and files have no row: each has less than 1 % of the calls and of their time, or is beyond --top";
    assert_eq!(told(Some(3)), (3, vec![two.to_owned()]));
}

#[test]
fn sums_by_file_process_operation_result_and_extension() {
    let answer = |by: &str| {
        let by = [("by", ArgumentValue::Word(by.to_owned()))];
        let outcome = put("files", &single(), &Selection::default(), &by);
        let words = ["process", "operation", "result", "calls", "files", "path"];
        cells(&outcome.table().unwrap(), &words)
    };
    assert_eq!(
        answer("file"),
        [
            "- - - 34 2 /etc/app.ini",
            "- - - 7 1 /usr/lib/none.so",
            "- - - 4 1 several"
        ]
    );
    assert_eq!(answer("process"), ["cc - - 42 4 -", "daemon - - 3 1 -"]);
    let operations = ["- read - 28 1 -", "- stat - 10 2 -", "- open - 7 1 -"];
    assert_eq!(answer("operation"), operations);
    assert_eq!(answer("result")[2], "- open ENOENT 7 1 -");
    let extensions = ["- - - 34 2 .ini", "- - - 7 1 .so", "- - - 4 1 several"];
    assert_eq!(answer("extension"), extensions);
}

#[test]
fn percentiles_come_from_single_calls() {
    let selection = Selection {
        columns: crate::selection::ColumnChoice::parse("operation,median,p99"),
        ..Selection::default()
    };
    let by = [("by", ArgumentValue::Word("operation".to_owned()))];
    let outcome = put("files", &single(), &selection, &by);
    let rows = &outcome.table().unwrap().rows;
    let read = rows
        .iter()
        .find(|row| row[0] == Value::text("read"))
        .unwrap();
    let near = |value: &Value, ns: i64| match value {
        Value::Int(told) => (told - ns).abs() <= ns / 20,
        _ => false,
    };
    assert!(near(&read[1], MS) && near(&read[2], 101 * MS), "{read:?}");
    // A condition needs them, too.
    let slow = Selection {
        conditions: vec!["p99>=50ms".to_owned(), "operation=read".to_owned()],
        ..Selection::default()
    };
    let outcome = put("files", &single(), &slow, &by);
    assert_eq!(outcome.table().unwrap().matched_rows, 1);
}

#[test]
fn stacks_of_calls_are_narrowed_to_calls_and_files() {
    let read = |path: i32, count: i64| calls((2, 3), Some(path), (FileOperation::Read, OK), count);
    let mut trace = single();
    // Of ten reads four are of a socket, and two of another file.
    trace.put(whyslow_model::Table::from_rows([
        file(0, "/etc/app.ini", Some(7)),
        file(1, "/tmp/notes", Some(8)),
        FileRow {
            kind: Some("socket".to_owned()),
            ..file(2, "[socket]", Some(9))
        },
    ]));
    trace.put(whyslow_model::Table::from_rows([
        read(0, 4),
        read(1, 2),
        read(2, 4),
    ]));
    let answer = |given: &[(&str, ArgumentValue)]| {
        let outcome = put("stacks", &trace, &Selection::default(), given);
        let table = outcome.table().unwrap();
        let rows = cells(&table, &["calls", "function"]);
        rows.first().cloned().unwrap_or_default()
    };
    let by = |word: &str| ("by", ArgumentValue::Word(word.to_owned()));
    let pattern = |name, text: &str| (name, ArgumentValue::Pattern(text.to_owned()));
    // A read and a close, each of 64, and a read of another thread.
    assert!(answer(&[by("calls")]).starts_with("192 "));
    assert!(answer(&[by("calls"), pattern("call", "close")]).starts_with("64 "));
    assert!(answer(&[by("calls"), pattern("call", "!close")]).starts_with("128 "));
    // Of 64 reads six tenths are of files.
    assert!(answer(&[by("file-io")]).starts_with("38 "));
    assert!(answer(&[by("file-io"), pattern("file", "*.ini")]).starts_with("25 "));
    assert_eq!(answer(&[by("file-io"), pattern("call", "close")]), "");
}
