//! Processes and threads: pid reuse, forks, execs, ends, and late facts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, Outcome, check, feed, import};
use whyslow_import::{Event, EventKind, ProcessFacts};
use whyslow_model::ProblemKind;
use whyslow_model::tables::{ProcessRow, ThreadRow};

#[track_caller]
fn check_processes(script: &str, expected: &str) -> Outcome {
    let outcome = import(EVERYTHING, |importer| feed(importer, script));
    let trim = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let processes = outcome.processes();
    assert_eq!(
        trim(&processes),
        trim(expected),
        "\n{processes}\n{}",
        outcome.states()
    );
    outcome
}

#[test]
fn a_process_id_used_again_is_another_process() {
    check_processes(
        "- - seen 1 1 init
         0 0 switch 0 R 1
         5 0 fork 1 50
         9 0 switch 1 S 50
         20 0 exit 50 50
         22 0 switch 50 X 1
         30 0 fork 1 50
         40 0 switch 1 S 50",
        "0: 0 idle …-…
         1: 1 init …-…
         2: 50 init 5-22 parent 1
         3: 50 init 30-… parent 1",
    );
}

#[test]
fn a_process_may_be_listed_before_its_parent() {
    check_processes(
        "- - fork 100 50
         - - seen 50 50 worker
         - - fork 1 100
         - - seen 100 100 server
         0 0 switch 0 R 50",
        "0: 0 idle …-…
         1: 50 worker …-… parent 2
         2: 100 server …-…",
    );
}

#[test]
fn an_exec_starts_a_new_process_row_and_a_new_thread() {
    let outcome = check_processes(
        "- - seen 1 1 sh
         0 0 switch 0 R 1
         5 0 fork 1 50
         9 0 switch 1 S 50
         15 0 exec 50 cc1
         20 0 switch 50 S 1",
        "0: 0 idle …-…
         1: 1 sh …-…
         2: 50 sh 5-15 parent 1
         3: 50 cc1 15-… parent 1 was 2",
    );
    assert_eq!(
        outcome.states(),
        "idle0: 0-20 waiting idle >\n\
         1: 0-9 running S | 9-20 waiting S by ? no-wake\n\
         50: 5-9 ready new | 9-15 running\n\
         50: 15-20 running S\n"
    );
}

#[test]
fn a_thread_that_is_not_the_main_one_may_exec() {
    // 51 calls exec: 50, the main thread, is gone, and 51 goes on with the id 50.
    let outcome = check_processes(
        "- - seen 50 50 java
         - - seen 50 51 java
         0 0 switch 0 R 51
         0 1 switch 0 R 50
         3 1 exit 50 50
         4 1 switch 50 X 0
         10 0 exec 50 sh 51
         20 0 switch 50 S 0",
        "0: 0 idle …-…
         1: 50 java …-10
         2: 50 sh 10-… was 1",
    );
    let threads: Vec<ThreadRow> = outcome.rows();
    let of: Vec<_> = threads
        .iter()
        .map(|row| (row.os_tid, row.process.0, row.end_ns))
        .collect();
    assert_eq!(
        of,
        [
            (0, 0, None),
            (0, 0, None),
            (50, 1, Some(4)),
            (51, 1, Some(10)),
            (50, 2, None)
        ]
    );
}

#[test]
fn an_exec_by_another_thread_is_found_by_who_runs_there() {
    let outcome = check_processes(
        "- - seen 50 50 java
         - - seen 50 51 java
         0 0 switch 0 R 51
         10 0 exec 50 sh
         20 0 switch 50 S 0",
        "0: 0 idle …-…
         1: 50 java …-10
         2: 50 sh 10-… was 1",
    );
    assert_eq!(
        outcome.count(ProblemKind::BrokenSchedule),
        0,
        "{}",
        outcome.states()
    );
}

#[test]
fn a_process_ends_with_its_last_thread() {
    check_processes(
        "- - seen 1 1 init
         0 0 switch 0 R 1
         1 0 fork 1 50
         2 0 thread 50 51
         3 0 switch 1 S 50
         5 0 exit 50 50
         6 0 switch 50 X 51
         9 0 exit 50 51
         10 0 switch 51 X 0
         20 0 oncpu 0",
        "0: 0 idle …-…
         1: 1 init …-…
         2: 50 init 1-10 parent 1",
    );
}

#[test]
fn a_thread_that_never_left_the_cpu_after_its_exit_ends_with_it() {
    check(
        "- - seen 1 1 init
         0 0 switch 0 R 1
         5 0 exit 1 1",
        "idle0: 0-5 waiting idle >
         1: 0-5 running exited",
    );
}

#[test]
fn without_switches_a_thread_ends_at_its_exit() {
    let recording = whyslow_import::Recording {
        switches: false,
        ..EVERYTHING
    };
    let outcome = import(recording, |importer| {
        feed(
            importer,
            "- - seen 1 1 init\n 3 0 fork 1 9\n 5 0 sample 9\n 8 0 exit 9 9\n 10 0 sample 1",
        );
    });
    let threads: Vec<ThreadRow> = outcome.rows();
    assert_eq!(threads[1].start_ns, Some(0));
    assert_eq!(threads[1].end_ns, Some(5));
}

#[test]
fn a_thread_nobody_announced_begins_at_its_first_event() {
    let outcome = check_processes(
        "- - seen 1 1 init
         0 0 switch 0 R 1
         5 0 wake 77 by 1
         9 0 switch 1 S 77",
        "0: 0 idle …-…
         1: 1 init …-…
         2: 77 [77] 5-…",
    );
    assert_eq!(outcome.count(ProblemKind::MissingStart), 1);
}

#[test]
fn without_a_rundown_threads_were_there_before() {
    let outcome = check_processes("0 0 switch 1 S 2", "0: 1 [1] …-…\n1: 2 [2] …-…");
    assert_eq!(outcome.count(ProblemKind::MissingStart), 0);
}

#[test]
fn late_facts_find_the_process_they_are_about() {
    let outcome = import(EVERYTHING, |importer| {
        feed(
            importer,
            "- - seen 1 1 init
             0 0 switch 0 R 1
             1 0 fork 1 50
             2 0 switch 1 S 50
             5 0 exec 50 prog
             8 0 exit 50 50
             9 0 switch 50 X 1
             20 0 fork 1 50",
        );
        let line = importer.text("prog --all");
        let facts = ProcessFacts {
            pid: 50,
            command_line: line,
            exit_code: Some(3),
            ..ProcessFacts::default()
        };
        // Reported late, for the time between exec and exit.
        let kind = EventKind::Process(facts);
        importer
            .event(&Event {
                time_ns: Some(7),
                cpu: None,
                kind,
            })
            .unwrap();
    });
    let rows: Vec<ProcessRow> = outcome.rows();
    let told: Vec<_> = rows
        .iter()
        .filter(|row| row.command_line.is_some())
        .collect();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].start_ns, told[0].exit_code), (Some(5), Some(3)));
}

#[test]
fn the_main_thread_names_the_process() {
    check_processes(
        "- - seen 1 1 init
         0 0 switch 0 R 1
         1 0 fork 1 50
         2 0 thread 50 51
         3 0 rename 50 51 worker
         4 0 rename 50 50 server",
        "0: 0 idle …-…
         1: 1 init …-…
         2: 50 server 1-… parent 1",
    );
}
