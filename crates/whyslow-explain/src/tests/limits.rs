//! What is said about limits that a group of processes has.

use whyslow_model::Table;
use whyslow_model::tables::{GroupMemberRow, GroupReadingRow, GroupRow};

use super::*;

fn group(id: i32, resource: &str, path: &str, name: &str) -> GroupRow {
    GroupRow {
        id,
        resource: resource.to_owned(),
        path: path.to_owned(),
        name: name.to_owned(),
    }
}

fn reading(process_group: i32, time_ms: i64) -> GroupReadingRow {
    GroupReadingRow {
        process_group,
        time_ns: time_ms * MS,
        cpu_quota_ns: None,
        cpu_period_ns: None,
        periods: None,
        throttled_periods: None,
        throttled_ns: None,
        cpu_shares: None,
        memory_limit_bytes: None,
        memory_high_bytes: None,
        memory_bytes: None,
        memory_failures: None,
        memory_high_events: None,
        memory_kills: None,
        cpu_stall_ns: None,
        memory_stall_ns: None,
        io_stall_ns: None,
        steal_ns: None,
        available_bytes: None,
        dirty_bytes: None,
        swapped_bytes: None,
    }
}

/// A shell that goes into a group and starts a program there, which is stopped for 0.7 of a second.
fn stopped() -> Literal {
    let mut trace = Literal::new(1000);
    let (shell, main) = process(&mut trace, "sh", 100, None, (0, 1000));
    let (_, worker) = process(&mut trace, "app", 200, Some(shell), (10, 1000));
    trace.stack("wait", "k:do_wait < wait4 < main < _start");
    trace.play(main, "R10 W989:wait<app R1");
    trace.start(worker, 10);
    trace.play(worker, "R200 Q300 R100 Q388 R1");
    trace
}

fn in_group(trace: &mut Literal) {
    let of = |process| GroupMemberRow {
        process: ProcessId(process),
        from_ns: Some(MS),
        process_group: 1,
    };
    let quota = |time_ms, periods, throttled| GroupReadingRow {
        cpu_quota_ns: Some(20 * MS),
        cpu_period_ns: Some(100 * MS),
        periods: Some(periods),
        throttled_periods: Some(throttled),
        throttled_ns: Some(throttled * 80 * MS),
        ..reading(0, time_ms)
    };
    let groups = [
        group(0, "cpu", "/web", "web"),
        group(1, "cpu", "/web/inner", "inner"),
    ];
    trace.tables = vec![
        Table::from_rows(groups),
        Table::from_rows([of(0)]),
        Table::from_rows([quota(0, 5, 3), quota(1000, 15, 11)]),
    ];
}

#[test]
fn a_used_up_quota_names_the_group_around_that_has_it() {
    let mut trace = stopped();
    in_group(&mut trace);
    says(
        &explain_pid(&trace, 100),
        &[
            "CPU quota used up 69 %",
            "1 The CPU quota of web stopped it: 69 % of the time  certain",
            "It may use 20 ms of CPU time in each 100 ms (20 % of a CPU).",
            "It was used up in 8 of 10 periods.",
        ],
    );
}

#[test]
fn a_used_up_quota_is_certain_without_its_group() {
    let text = explain_pid(&stopped(), 100);
    says(
        &text,
        &["1 A CPU quota stopped it 2 times: 69 % of the time  certain"],
    );
    assert!(!text.contains("It may use"), "{text}");
}

#[test]
fn a_quota_that_stopped_nobody_is_no_cause() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(main, "R500 P300 R200");
    trace.ready_was(main, [300, 0, 0]);
    in_group(&mut trace);
    assert!(findings(&trace, 100).iter().all(|one| one.cause != "quota"));
}

#[test]
fn the_nice_value_of_the_threads_that_it_waits_for_counts() {
    for (main_is, beside_is, expected) in [(120, 139, "competing"), (139, 120, "low-priority")] {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, one) = process(&mut trace, "greedy", 200, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.play(main, "R100 P700:loop R200");
        trace.play(one, "P100 R700 P200");
        trace.ready_was(main, [700, 0, 0]);
        trace.priority(main, main_is);
        trace.priority(one, 120);
        for name in ["index-1", "index-2", "index-3"] {
            let beside = trace.thread(app, name);
            trace.play(beside, "P1000:loop");
            trace.ready_was(beside, [1000, 0, 0]);
            trace.priority(beside, beside_is);
        }
        let all = findings(&trace, 100);
        assert_eq!(all[0].cause, expected, "{all:?}");
    }
}

#[test]
fn who_has_used_up_its_time_in_the_deadline_class_is_not_slow_to_wake() {
    let trace = |priority: i32| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "organ", 100, None, (0, 1000));
        trace.stack("loop", "add_pipe < main");
        trace.play(main, &"R10 P30:loop ".repeat(25));
        trace.ready_was(main, [0, 0, 30]);
        trace.priority(main, priority);
        trace
    };
    says(
        &explain_pid(&trace(-1), 100),
        &[
            "It used up its time in the deadline class 25 times, and then waited for its next period: 75 % of the time",
        ],
    );
    let usual = explain_pid(&trace(120), 100);
    assert!(!usual.contains("deadline class"), "{usual}");
}
