//! Files that are opened again and again, or exist only for a moment, where no single file stands out.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{FileId, FileOperation, Named, Table};

use super::*;

const READ: i32 = 0;
const CLOSE: i32 = 3;
const OPENAT: i32 = 257;
const UNLINK: i32 = 87;

/// A program that computes for a second and does each of these things to each of ten files so often, for so many
/// milliseconds altogether.
fn uses(operations: &[(FileOperation, i64, i64)], calls: &[(i32, i64, i64)]) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("work", "search < main");
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "work");
    for &(call, count, ms) in calls {
        trace.calls(main, (call, 0), count, None, ms);
    }
    let ids: Vec<_> = (0..10).filter_map(FileId::from_index).collect();
    trace
        .tables
        .push(Table::from_rows(ids.iter().map(|&id| FileRow {
            id,
            path: format!("/t/part-{}.js", id.0),
            inode: None,
            device: None,
            kind: Some("file".to_owned()),
            file_system: None,
            flags: 0,
        })));
    let rows = ids.iter().flat_map(|&id| {
        operations
            .iter()
            .map(move |&(operation, count, ms)| FileCallRow {
                from_ns: 0,
                process: Some(app),
                thread: Some(main),
                duration_ns: 1000 * MS,
                file: Some(id),
                operation: operation.code(),
                result: 0,
                flags: 0,
                count,
                bytes: None,
                time_ns: Some(ms * MS / 10),
                longest_ns: Some(MS),
                timed_count: count,
            })
    });
    trace.tables.push(Table::from_rows(rows));
    trace
}

#[test]
fn several_files_that_are_opened_over_and_over_are_one_finding() {
    let answer = |each: i64, ms: i64| {
        let operations = [
            (FileOperation::Open, each, ms),
            (FileOperation::Read, each, ms),
        ];
        let all = each * 10;
        let calls = [(OPENAT, all, ms), (READ, all, ms), (CLOSE, all, 10)];
        explain_pid(&uses(&operations, &calls), 100)
    };
    says(
        &answer(150, 200),
        &[
            "It opened and read the files /t/part-*.js 1500 times: 41 % of the time",
            "These were 10 different files.",
        ],
    );
    // Once in a while, or for little time: that is what programs do.
    assert!(!answer(10, 200).contains("opened and read"));
    assert!(!answer(150, 60).contains("opened and read"));
}

#[test]
fn a_few_temporary_files_are_no_habit() {
    let churns = |files_removed: i64| {
        let operations = [
            (FileOperation::Open, files_removed, 10),
            (FileOperation::Write, 200, 100),
            (FileOperation::Remove, files_removed, 200),
        ];
        let calls = [
            (OPENAT, files_removed * 10, 10),
            (UNLINK, files_removed * 10, 200),
            (1, 2000, 100),
        ];
        let all = findings(&uses(&operations, &calls), 100);
        all.iter().any(|one| one.cause == "file-churn")
    };
    assert!(churns(3));
    assert!(!churns(1));
}

#[test]
fn a_file_that_is_opened_thousands_of_times_is_named_though_the_calls_are_cheap() {
    let opens = |ms: i64| {
        let operations = [(FileOperation::Open, 8000, ms)];
        let calls = [(OPENAT, 8000, ms), (CLOSE, 8000, 1)];
        explain_pid(
            &reopened::uses_in("libsqlite3.so!step < ask < main", &operations, &calls),
            100,
        )
    };
    says(&opens(20), &["It opened /t/words 8000 times."]);
    // Calls that take much of the time are a finding.
    let costly = opens(300);
    says(
        &costly,
        &["It opened /t/words 8000 times: 30 % of the time"],
    );
    assert!(!costly.contains("times."), "{costly}");
}
