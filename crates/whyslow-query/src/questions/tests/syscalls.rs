//! `syscalls`.

use whyslow_model::tables::SystemCallRow;

use super::*;

const READ: i32 = 0;
const OPENAT: i32 = 257;
const EXIT_GROUP: i32 = 231;
const ENOENT: i32 = 2;

/// Calls of a thread, all timed, in a period of 100 ms.
fn calls(thread: (u32, u32), from_ms: i64, call: i32, result: i32, count: i64) -> SystemCallRow {
    let id = |id: u32| i32::try_from(id).unwrap();
    SystemCallRow {
        from_ns: from_ms * MS,
        process: Some(ProcessId(id(thread.0))),
        thread: Some(ThreadId(id(thread.1))),
        duration_ns: 100 * MS,
        call: Some(call),
        result: Some(result),
        count,
        bytes: (call == READ).then_some(10 * count),
        time_ns: Some(count * MS),
        longest_ns: Some(2 * MS),
        timed_count: count,
    }
}

fn trace() -> MemoryTrace {
    let (daemon, cc, helper) = ((0, 0), (2, 2), (2, 3));
    let mut trace = scene().trace("t");
    let never = SystemCallRow {
        result: None,
        time_ns: None,
        timed_count: 0,
        ..calls(cc, 200, EXIT_GROUP, 0, 1)
    };
    trace.put(whyslow_model::Table::from_rows([
        calls(daemon, 0, READ, 0, 3),
        calls(cc, 0, READ, 0, 20),
        calls(cc, 100, READ, 0, 5),
        calls(cc, 100, OPENAT, ENOENT, 7),
        never,
        calls(helper, 200, READ, 0, 1),
    ]));
    trace
}

#[test]
fn calls_of_io_uring_say_that_its_requests_are_not_counted() {
    const ENTER: i32 = 426;
    let notes = |trace: &MemoryTrace| {
        let outcome = put("syscalls", trace, &Selection::default(), &[]);
        let table = outcome.table().unwrap();
        let notes = table.notes.iter();
        let texts = notes.map(|note| note.text.clone());
        texts
            .filter(|text| text.contains("io_uring"))
            .collect::<Vec<_>>()
    };
    let mut with = trace();
    assert_eq!(notes(&with), [""; 0]);
    with.put(whyslow_model::Table::from_rows([
        calls((0, 0), 0, ENTER, 0, 3),
        calls((2, 2), 0, ENTER, 0, 2000),
    ]));
    let [note] = &notes(&with)[..] else {
        panic!("one note");
    };
    let says = "io_uring_enter was called 2,003 times, mostly by cc; the requests it submitted are not counted here";
    assert!(note.contains(says), "{note}");
    // No process made more than half of the calls.
    let mut shared = trace();
    shared.put(whyslow_model::Table::from_rows([
        calls((0, 0), 0, ENTER, 0, 5),
        calls((2, 2), 0, ENTER, 0, 5),
    ]));
    let [note] = &notes(&shared)[..] else {
        panic!("one note");
    };
    assert!(note.contains("10 times, for example by "), "{note}");
}

const WORDS: [&str; 7] = [
    "process", "call", "result", "calls", "bytes", "time", "longest",
];

#[test]
fn calls_add_up_by_process_call_and_result() {
    let table = ask("syscalls", &trace(), &Selection::default());
    assert_eq!(
        cells(&table, &WORDS),
        [
            "cc read ok 26 260 26 2",
            "cc openat ENOENT 7 - 7 2",
            "daemon read ok 3 30 3 2",
            "cc exit_group - 1 - - 2",
        ]
    );
    assert_eq!(cells(&table, &["rate", "per-call"])[0], "65 10");
}

#[test]
fn calls_are_chosen_by_result_thread_and_time() {
    let trace = trace();
    let given = |name| [(name, ArgumentValue::Given)];
    let all = Selection::default();
    let answer = |selection: &Selection, given: &[(&str, ArgumentValue)]| {
        let outcome = put("syscalls", &trace, selection, given);
        cells(&outcome.table().unwrap(), &WORDS[..4])
    };
    assert_eq!(answer(&all, &given("failed")), ["cc openat ENOENT 7"]);
    let per_thread = answer(&all, &given("per-thread"));
    assert_eq!(per_thread.len(), 5, "{per_thread:?}");
    let late = Selection {
        from: Some(TimePoint::Trace(120 * MS)),
        to: Some(TimePoint::Trace(200 * MS)),
        ..Selection::default()
    };
    assert_eq!(answer(&late, &[]), ["cc openat ENOENT 7", "cc read ok 5"]);
}

#[test]
fn what_was_not_timed_is_said() {
    let outcome = put("syscalls", &trace(), &Selection::default(), &[]);
    let table = outcome.table().unwrap();
    assert!(
        table
            .notes
            .iter()
            .any(|note| note.text.contains("estimates")),
        "{:?}",
        table.notes
    );
}
