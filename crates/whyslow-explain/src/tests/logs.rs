//! What is said about a file that is written to all the time.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{FileId, FileOperation, Named, Table, TableRow};

use super::*;

const WRITE: i32 = 1;

/// A program that writes 50,000 times, so many bytes each, through the function of a library that takes
/// `logging_ms` of its second; the calls themselves take `writing_ms`.
fn writes(bytes: i64, logging_ms: i64, writing_ms: i64, path: &str) -> Vec<Finding> {
    writes_by("libc.so.6!fprintf", (bytes, logging_ms, writing_ms), path)
}

/// The same through another function of a library.
fn writes_by(
    function: &str,
    (bytes, logging_ms, writing_ms): (i64, i64, i64),
    path: &str,
) -> Vec<Finding> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("work", "price < main < _start");
    trace.stack(
        "log",
        &format!("libc.so.6!vfprintf < {function} < price < main < _start"),
    );
    trace.stack(
        "write",
        &format!("k:ksys_write < libc.so.6!write < {function} < price < main < _start"),
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..logging_ms).collect::<Vec<_>>(), "log");
    trace.sample(main, &(logging_ms..1000).collect::<Vec<_>>(), "work");
    let count = 50_000;
    trace.calls(main, (WRITE, 0), count, Some(count * bytes), writing_ms);
    let at: Vec<_> = (0..50).collect();
    trace.called_from(main, &at, (WRITE, 1000), "write");
    let id = FileId::from_index(0).expect("few");
    trace.tables.push(Table::from_rows([FileRow {
        id,
        path: path.to_owned(),
        kind: Some("file".to_owned()),
        ..FileRow::unknown()
    }]));
    trace.tables.push(Table::from_rows([FileCallRow {
        process: Some(app),
        thread: Some(main),
        duration_ns: 1000 * MS,
        file: Some(id),
        operation: FileOperation::Write.code(),
        count,
        bytes: Some(count * bytes),
        time_ns: Some(writing_ms * MS),
        longest_ns: Some(MS),
        timed_count: count,
        ..FileCallRow::unknown()
    }]));
    findings(&trace, 100)
}

const LOG: &str = "/srv/app/debug.log";

fn is_told(all: &[Finding]) -> bool {
    all.iter().any(|one| one.cause == "flooded-log")
}

#[test]
fn a_log_that_is_written_to_all_the_time_costs_what_its_lines_cost() {
    let all = writes(110, 600, 100, LOG);
    let told = all.iter().find(|one| one.cause == "flooded-log");
    let told = told.expect("a finding");
    assert_eq!(told.wall_ns, 600 * MS);
    let Some(Value::Path { full, short }) = told.fact("object") else {
        panic!("{told:?}");
    };
    assert_eq!((full.as_str(), short.as_str()), (LOG, LOG));
    let Some(Value::Place(place)) = told.fact("place") else {
        panic!("{told:?}");
    };
    assert_eq!(place.functions().next(), Some("price"), "{place}");
}

#[test]
fn a_little_log_a_buffer_and_what_is_no_file_flood_nothing() {
    assert!(!is_told(&writes(110, 200, 60, LOG)));
    assert!(!is_told(&writes(4096, 600, 300, LOG)));
    assert!(!is_told(&writes(110, 600, 100, "/dev/null")));
    // What a program is for is no log.
    assert!(!is_told(&writes(110, 600, 100, "/srv/app/orders.csv")));
    assert!(!is_told(&writes(110, 600, 100, "/srv/app/report")));
    // Functions that write now and then are for something else.
    assert!(!is_told(&writes(110, 900, 20, LOG)));
}

#[test]
fn a_library_that_is_made_for_logs_writes_them_however_little_the_calls_cost() {
    let logger = "libc.so.6!logging.Logger.debug";
    let all = writes_by(logger, (110, 900, 20), LOG);
    assert!(is_told(&all), "{all:?}");
    // Whatever the file is called, log records went there.
    let all = writes_by(logger, (110, 900, 20), "/srv/app/today");
    let records = all.iter().find(|one| one.cause == "logging");
    let file = records.and_then(|one| one.fact("object"));
    assert!(
        matches!(file, Some(Value::Path { full, .. }) if full == "/srv/app/today"),
        "{all:?}"
    );
}
