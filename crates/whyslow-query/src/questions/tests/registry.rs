//! Answers about the registry of Windows.

use whyslow_model::tables::{FileRow, LabelRow, RegistryCallRow};
use whyslow_model::{FileId, LabelId, RegistryOperation, Table};

use super::*;

const NOT_FOUND: i32 = 0xc000_0034_u32.cast_signed();

fn trace() -> MemoryTrace {
    let mut trace = scene().trace("t");
    let calls = |operation: RegistryOperation, (key, value), result, (count, ms, longest)| {
        let value: Option<i32> = value;
        RegistryCallRow {
            from_ns: 100 * MS,
            process: Some(ProcessId(2)),
            thread: Some(ThreadId(2)),
            duration_ns: 20 * MS,
            key: Some(FileId(key)),
            value: value.map(LabelId),
            operation: operation.code(),
            result,
            count,
            time_ns: Some(ms * MS),
            longest_ns: Some(longest * MS),
        }
    };
    let untimed = RegistryCallRow {
        process: Some(ProcessId(0)),
        thread: Some(ThreadId(0)),
        time_ns: None,
        longest_ns: None,
        ..calls(RegistryOperation::Close, (1, None), 0, (9, 0, 0))
    };
    trace.put(Table::from_rows([
        calls(RegistryOperation::Open, (0, None), 0, (3, 30, 20)),
        calls(
            RegistryOperation::QueryValue,
            (0, Some(0)),
            NOT_FOUND,
            (5, 6, 2),
        ),
        calls(
            RegistryOperation::QueryValue,
            (0, Some(1)),
            NOT_FOUND,
            (4, 5, 3),
        ),
        untimed,
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
    trace.put(Table::from_rows([
        file(0, r"HKLM\App"),
        file(1, r"HKU\App"),
    ]));
    let label = |id, text: &str| LabelRow {
        id: LabelId(id),
        text: text.to_owned(),
    };
    trace.put(Table::from_rows([label(0, "Color"), label(1, "Size")]));
    trace
}

const WORDS: [&str; 7] = [
    "process",
    "operation",
    "result",
    "calls",
    "time",
    "longest",
    "key",
];

#[test]
fn operations_are_summed_by_what_is_asked() {
    let trace = trace();
    let everything = Selection::default();
    let table = ask("registry", &trace, &everything);
    assert_eq!(
        cells(&table, &WORDS),
        [
            r"cc open ok 3 30 20 HKLM\App",
            r"cc query value STATUS_OBJECT_NAME_NOT_FOUND 9 11 3 HKLM\App",
            r"daemon close ok 9 - - HKU\App",
        ]
    );
    let answer = |by: &str, words: &[&str]| {
        let answer = put("registry", &trace, &everything, &[("by", word(by))]);
        cells(&answer.table().expect("recorded"), words)
    };
    let by_value = answer("value", &["operation", "value", "calls", "time"]);
    assert_eq!(
        by_value,
        [
            "open - 3 30",
            "query value Color 5 6",
            "query value Size 4 5",
            "close - 9 -"
        ]
    );
    let by_process = answer("process", &["process", "calls", "time"]);
    assert_eq!(by_process, ["cc 12 41", "daemon 9 -"]);
}

#[test]
fn keys_values_and_failures_are_selected() {
    let trace = trace();
    let everything = Selection::default();
    let answer = |arguments: &[(&str, ArgumentValue)]| {
        let answer = put("registry", &trace, &everything, arguments);
        cells(&answer.table().expect("recorded"), &["operation", "calls"])
    };
    let pattern = |text: &str| ArgumentValue::Pattern(text.to_owned());
    assert_eq!(
        answer(&[("failed", ArgumentValue::Given)]),
        ["query value 9"]
    );
    assert_eq!(answer(&[("key", pattern(r"HKU\*"))]), ["close 9"]);
    assert_eq!(answer(&[("value", pattern("Si*"))]), ["query value 4"]);
}
