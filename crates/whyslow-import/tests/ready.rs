//! What kept a ready thread from running: events in, the kinds of its ready time out. Together with
//! the unexplained part they add up to it exactly.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, feed, import};
use whyslow_import::Recording;
use whyslow_model::tables::ThreadStateRow;
use whyslow_model::{Named, ProblemKind, WaitReason};

/// Imports a script and compares the ready intervals of thread 1.
#[track_caller]
fn check(script: &str, expected: &str) {
    check_as(EVERYTHING, script, expected);
}

#[track_caller]
fn check_as(recording: Recording, script: &str, expected: &str) {
    let outcome = import(recording, |importer| feed(importer, script));
    outcome.assert_covered(script);
    assert_eq!(outcome.ready(1), expected, "\n{}", outcome.states());
}

#[test]
fn competing_while_every_cpu_runs_another_thread() {
    //  CPU 0   1 ── 2 ─────────────── 1
    //  CPU 1   3 ──────────────────────
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         30 0 switch 2 R 1",
        "10-30 competing 20",
    );
}

#[test]
fn waking_while_the_cpu_it_gets_is_idle() {
    check(
        "0  0 switch 1 S 0
         0  1 switch 0 R 3
         10 1 wake 1 by 3
         30 0 switch 0 R 1",
        "10-30 waking 20",
    );
}

#[test]
fn hand_over_until_the_waker_sleeps_also_while_another_cpu_is_idle() {
    // Two ends of a pipe share one CPU; the other CPU has nothing to do.
    check(
        "0  0 switch 1 S 2
         0  1 switch 3 S 0
         10 0 wake 1 by 2
         14 0 switch 2 S 1",
        "10-14 hand-over 4",
    );
}

#[test]
fn hand_over_until_the_waker_sleeps_also_while_the_others_are_busy() {
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 0 wake 1 by 2
         14 0 switch 2 S 1",
        "10-14 hand-over 4",
    );
}

#[test]
fn a_waker_that_the_cpu_is_taken_from_competed() {
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 0 wake 1 by 2
         14 0 switch 2 R 1",
        "10-14 competing 4",
    );
}

#[test]
fn a_waker_that_came_back_competed() {
    // 2 wakes 1 on CPU 0, leaves the CPU to 4, and has it again when 1 comes.
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 0 wake 1 by 2
         12 0 switch 2 R 4
         14 0 switch 4 S 2
         20 0 switch 2 S 1",
        "10-20 competing 10",
    );
}

#[test]
fn a_busy_cpu_is_a_hand_over_while_another_one_is_idle() {
    //  CPU 0   1 ── 2 ──────────── 1        the queue of CPU 0, though CPU 1 has nothing to do
    //  CPU 1   3 ──────── idle ─────
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         20 1 switch 3 S 0
         30 0 switch 2 R 1",
        "10-30 competing 10 hand-over 10",
    );
}

#[test]
fn each_moment_has_its_kind() {
    //  CPU 0   2 ────── idle ── 4 ── 1
    //  CPU 1   3 ───────────── idle ──
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         15 0 switch 2 S 0
         22 0 switch 0 R 4
         24 1 switch 3 S 0
         30 0 switch 4 S 1",
        "10-30 competing 7 hand-over 6 waking 7",
    );
}

#[test]
fn its_own_threads_compete_as_others_do() {
    check(
        "- - seen 5 1 a
         - - seen 5 2 b
         - - seen 5 3 c
         0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         30 0 switch 2 R 1",
        "10-30 competing 20",
    );
}

#[test]
fn preempted_is_ready_from_the_switch_on() {
    check(
        "0  1 switch 0 R 3
         5  0 switch 1 R 2
         30 0 switch 2 R 1",
        "5-30 competing 25",
    );
}

#[test]
fn a_new_thread_waits_for_its_maker() {
    check(
        "- - seen 2 2 sh
         0 0 switch 0 R 2
         0 1 switch 9 S 0
         5 0 fork 2 1
         5 0 new 1 by 2
         9 0 switch 2 S 1",
        "5-9 hand-over 4",
    );
}

#[test]
fn while_nobody_knows_what_a_cpu_runs_nothing_is_claimed() {
    // CPU 1 exists, but nothing was seen of it before 20.
    check(
        "0  0 switch 1 S 2
         5  1 lost 1
         10 0 wake 1 irq
         20 1 switch 3 S 4
         30 0 switch 2 R 1",
        "10-30 competing 10 ? 10",
    );
}

#[test]
fn where_events_were_lost_in_between_nothing_is_claimed() {
    check(
        "0  0 switch 1 R 2
         0  1 switch 0 R 3
         10 1 lost 1
         20 1 switch 3 S 4
         30 0 switch 2 R 1",
        "",
    );
}

#[test]
fn ready_at_the_end_competes_and_gets_no_cpu() {
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         20 1 switch 3 S 0
         30 0 oncpu 2",
        "10-30 competing 10 waking 10",
    );
}

#[test]
fn a_second_wake_up_counts_from_then_on() {
    // The first wake-up found the thread not yet asleep.
    check(
        "0  0 switch 2 R 1
         0  1 oncpu 3
         2  1 wake 1 by 3
         10 0 switch 1 S 2
         25 1 wake 1 by 3
         30 0 switch 2 R 1",
        "25-30 competing 5",
    );
}

#[test]
fn without_the_whole_machine_nothing_is_claimed() {
    let recording = Recording {
        whole_machine: false,
        ..EVERYTHING
    };
    check_as(
        recording,
        "0  0 switch 1 R 2
         30 0 switch 2 R 1",
        "0-30 ? 30",
    );
}

#[test]
fn until_it_is_on_a_queue_it_wakes_whatever_the_cpus_run() {
    // 3 wakes 1 for CPU 0; an interrupt notifies CPU 0, which puts 1 on its queue at 16.
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 by 3
         16 0 queue 1
         20 1 switch 3 S 0
         30 0 switch 2 R 1
         40 0 switch 1 R 2
         50 0 switch 2 R 1",
        "10-30 competing 4 hand-over 10 waking 6 | 40-50 hand-over 10",
    );
}

#[test]
fn long_ago_on_a_queue_counts_from_the_wake_up() {
    let mut script =
        "0 0 switch 1 S 0\n0 1 switch 0 R 3\n1 1 wake 1 by 3\n5 0 queue 1\n".to_owned();
    for round in 0..20 {
        let ns = 10 + 4 * round;
        script += &format!("{ns} 0 switch 0 R 2\n{} 0 switch 2 S 0\n", ns + 2);
    }
    script += "200 0 switch 0 R 1";
    check(&script, "1-200 competing 40 waking 159");
}

#[test]
fn bound_to_a_busy_cpu_it_competes_though_another_one_is_idle() {
    check(
        "- - bind 5 1 1
         0  0 switch 1 S 2
         0  1 switch 3 S 0
         10 1 wake 1 irq
         20 0 switch 2 R 4
         30 0 switch 4 S 1",
        "10-30 competing 20",
    );
}

#[test]
fn what_other_cpus_run_does_not_matter_to_a_bound_thread() {
    check(
        "- - bind 5 1 1
         0  0 switch 1 S 0
         0  1 switch 0 R 3
         10 1 wake 1 by 3
         30 0 switch 0 R 1",
        "10-30 waking 20",
    );
}

#[test]
fn bound_while_it_was_ready_nothing_is_claimed() {
    check(
        "0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         20 1 bind 5 1 1
         30 0 switch 2 R 1
         40 0 switch 1 R 2
         50 0 switch 2 R 1",
        "10-30 ? 20 | 40-50 competing 10",
    );
}

#[test]
fn on_a_cpu_that_it_may_not_use_nothing_is_claimed() {
    check(
        "- - bind 5 1 2
         0  0 switch 1 S 2
         0  1 switch 0 R 3
         10 1 wake 1 irq
         30 0 switch 2 R 1",
        "10-30 ? 20",
    );
}

#[test]
fn children_threads_and_execs_are_bound_as_their_maker() {
    let script = "- - seen 4 4 shell
         - - bind 4 4 3
         0  0 switch 0 R 4
         10 0 fork 4 5
         12 0 thread 4 6
         20 0 exec 4 prog
         30 0 bind 4 4 6
         40 1 bind 4 4 6";
    let outcome = import(EVERYTHING, |importer| feed(importer, script));
    let expected = ["4 … 0-1", "6 12 0-1", "5 10 0-1", "4 20 0-1", "4 30 1-2"];
    assert_eq!(outcome.affinity(), expected);
}

#[test]
fn a_cpu_that_is_known_to_be_there_may_be_idle() {
    let script = "0  0 switch 1 S 2
         10 0 wake 1 irq
         30 0 switch 2 R 1";
    check(script, "10-30 competing 20");
    let outcome = import(EVERYTHING, |importer| {
        importer.tell_cpus(2);
        feed(importer, script);
    });
    assert_eq!(outcome.ready(1), "10-30 ? 20");
}

#[test]
fn sets_of_cpus_have_a_limit_that_counts() {
    let mut sets = 0;
    let outcome = import(EVERYTHING, |importer| {
        let masks = 1..1000_u64;
        sets = masks.filter_map(|mask| importer.cpu_set(&[mask])).count();
    });
    assert!(sets < 100, "{sets}");
    let refused = u64::try_from(999 - sets).unwrap();
    assert_eq!(outcome.count(ProblemKind::LimitReached), refused);
}

#[test]
fn many_changes_of_the_cpu_it_gets_still_add_up() {
    let mut script = "0 0 switch 1 S 0\n0 1 switch 0 R 3\n1 1 wake 1 by 3\n".to_owned();
    for round in 0..20 {
        let ns = 10 + 4 * round;
        script += &format!("{ns} 0 switch 0 R 2\n{} 0 switch 2 S 0\n", ns + 2);
    }
    script += "200 0 switch 0 R 1";
    check(&script, "1-200 competing 40 waking 159");
}

#[test]
fn a_thread_whose_quota_is_used_up_competes_with_nobody() {
    let script = "0  0 switch 0 R 1
         0  1 switch 0 R 3
         10 0 switch 1 Q 2
         70 0 switch 2 R 1
         80 0 switch 1 R 2
         90 0 switch 2 R 1";
    check(script, "10-70 ? 60 | 80-90 competing 10");
    let outcome = import(EVERYTHING, |importer| feed(importer, script));
    let reasons: Vec<i32> = outcome
        .rows::<ThreadStateRow>()
        .iter()
        .map(|row| row.reason)
        .collect();
    assert_eq!(
        reasons
            .iter()
            .filter(|&&reason| reason == WaitReason::Throttled.code())
            .count(),
        2
    );
}
