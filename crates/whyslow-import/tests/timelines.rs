//! Every rule of the scheduling tracker as a timeline: events in, states out.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, check, check_as};
use whyslow_import::Recording;
use whyslow_model::{ProblemKind, RawTable};

#[test]
fn a_wait_is_out_to_waking_and_ready_is_waking_to_in() {
    //  0        10          20       25      40
    //  ├ run 1 ─┤ waiting   ┤ ready  ┤ run 1 ┤
    check(
        "0  0 oncpu 1
         0  1 oncpu 3
         10 0 switch 1 S 2
         20 1 wake 1 by 3
         25 0 switch 2 R 1
         40 0 switch 1 S 0",
        "idle0: 0-40 waiting idle <
         1: 0-10 running S < | 10-20 waiting S by 3 | 20-25 ready S by 3 | 25-40 running S
         2: 0-10 ready by ? < | 10-25 running preempted | 25-40 ready preempted >
         3: 0-40 running < >",
    );
}

#[test]
fn preempted_is_ready_all_the_time() {
    check(
        "0 0 switch 1 R 2
         7 0 switch 2 R 1
         9 0 switch 1 D 0",
        "idle0: 0-9 waiting idle <
         1: 0-7 ready preempted | 7-9 running D
         2: 0-7 running preempted | 7-9 ready preempted >",
    );
}

#[test]
fn deferred_work_of_an_interrupt_names_the_thread_it_ran_on() {
    check(
        "0 0 switch 1 S 0
         0 1 oncpu 3
         5 1 wake 1 softirq 3
         6 0 switch 0 R 1
         9 0 oncpu 1",
        "idle0: 0-6 running idle | 6-9 waiting idle >
         1: 0-5 waiting S by softirq by 3 | 5-6 ready S by softirq by 3 | 6-9 running >
         3: 0-9 running < >",
    );
}

#[test]
fn the_idle_thread_runs_or_waits_and_is_never_ready() {
    check(
        "0 0 switch 1 S 0
         5 0 wake 1 irq
         6 0 switch 0 R 1
         9 0 switch 1 S 0
         12 0 oncpu 0",
        "idle0: 0-6 running idle | 6-9 waiting idle | 9-12 running >
         1: 0-5 waiting S by irq | 5-6 ready S by irq | 6-9 running S | 9-12 waiting S >",
    );
}

#[test]
fn a_wake_up_just_before_the_switch_makes_it_ready_at_once() {
    // wake 8, switch 10: the thread had announced its sleep, and was woken before it slept
    check(
        "0  0 switch 2 R 1
         0  1 oncpu 3
         8  1 wake 1 by 3
         10 0 switch 1 S 2
         30 0 switch 2 R 1",
        "1: 0-10 running S | 10-30 ready S by 3
         2: 0-10 ready preempted | 10-30 running preempted
         3: 0-30 running < >",
    );
}

#[test]
fn an_early_wake_up_followed_by_another_was_for_an_earlier_sleep() {
    // wake 2 found it not yet asleep; from 10 to 25 it really sleeps
    check(
        "0  0 switch 2 R 1
         0  1 oncpu 3
         2  1 wake 1 by 3
         10 0 switch 1 S 2
         25 1 wake 1 by 3
         30 0 switch 2 R 1",
        "1: 0-10 running S | 10-25 waiting S by 3 | 25-30 ready S by 3
         2: 0-10 ready preempted | 10-30 running preempted
         3: 0-30 running < >",
    );
}

#[test]
fn a_wake_up_while_running_does_not_outlive_the_next_switch_in() {
    check(
        "0  0 switch 2 R 1
         2  1 wake 1 irq
         4  0 switch 1 R 2
         6  0 switch 2 R 1
         10 0 switch 1 S 2
         20 0 switch 2 R 1",
        "1: 0-4 running preempted | 4-6 ready preempted | 6-10 running S | 10-20 waiting S by ? no-wake
         2: 0-4 ready preempted | 4-6 running preempted | 6-10 ready preempted | 10-20 running preempted",
    );
}

#[test]
fn a_second_wake_up_of_a_ready_thread_changes_nothing() {
    check(
        "0 0 switch 1 S 0
         2 0 wake 1 irq
         3 1 wake 1 irq
         5 0 switch 0 R 1",
        "idle0: 0-5 running idle
         1: 0-2 waiting S by irq | 2-5 ready S by irq",
    );
}

#[test]
fn migration_changes_nothing_but_the_cpu() {
    check(
        "0 0 switch 1 S 0
         0 1 switch 2 S 0
         2 0 wake 1 irq
         5 1 switch 0 R 1
         9 1 switch 1 S 0",
        "idle0: 0-9 running >
         idle1: 0-5 running idle | 5-9 waiting idle
         1: 0-2 waiting S by irq | 2-5 ready S by irq | 5-9 running S
         2: 0-9 waiting S >",
    );
}

#[test]
fn stopped_is_no_wait() {
    check(
        "0 0 switch 1 T 0
         5 0 wake 1 irq
         6 0 switch 0 R 1",
        "idle0: 0-6 running idle
         1: 0-5 stopped stopped by irq | 5-6 ready stopped by irq",
    );
}

#[test]
fn a_wait_open_at_the_end_says_so() {
    check(
        "0 0 switch 1 D 0
         5 0 wake 1 irq
         6 0 switch 0 R 1
         7 0 switch 1 D 0
         9 0 oncpu 0",
        "idle0: 0-6 running idle | 6-7 waiting idle | 7-9 running >
         1: 0-5 waiting D by irq | 5-6 ready D by irq | 6-7 running D | 7-9 waiting D >",
    );
}

#[test]
fn woken_and_never_switched_in_is_ready_to_the_end() {
    check(
        "0 0 switch 1 S 0
         5 0 wake 1 irq
         9 0 oncpu 0",
        "idle0: 0-9 running >
         1: 0-5 waiting S by irq | 5-9 ready S by irq >",
    );
}

#[test]
fn the_first_event_tells_what_was_before() {
    // 1 leaves its CPU first: it ran; 2 comes without a wake-up: it was ready; 3 is woken: it
    // waited
    check(
        "0 - oncpu 9
         4 0 switch 1 S 2
         6 0 wake 3 by 2
         8 0 switch 2 S 3",
        "1: 0-4 running S < | 4-8 waiting S >
         2: 0-4 ready by ? < | 4-8 running S
         3: 0-6 waiting by 2 < | 6-8 ready by 2",
    );
}

#[test]
fn threads_without_any_event_were_off_the_cpu_all_along() {
    check(
        "- - seen 7 7 sleeper
         0 0 switch 1 S 0
         9 0 switch 0 R 1",
        "idle0: 0-9 running idle
         1: 0-9 waiting S by ? no-wake
         7: 0-9 off-CPU < >",
    );
}

#[test]
fn before_the_first_event_that_tells_what_runs_nothing_is_known() {
    let recording = Recording {
        late_events: true,
        ..EVERYTHING
    };
    check_as(
        recording,
        "0 0 rename 1 1 init
         3 0 fork 1 4
         5 0 switch 1 S 2
         8 1 switch 3 S 0",
        "idle1: 0-8 waiting idle <
         1: 0-5 unknown < | 5-8 waiting S >
         2: 0-5 unknown < | 5-8 running >
         3: 0-5 unknown < | 5-8 running S
         4: 3-5 unknown | 5-8 off-CPU >",
    );
}

#[test]
fn without_wake_ups_time_off_the_cpu_is_only_that() {
    let recording = Recording {
        wake_ups: false,
        ..EVERYTHING
    };
    check_as(
        recording,
        "0 0 switch 1 S 2
         4 0 switch 2 R 1
         6 0 switch 1 S 2",
        "1: 0-4 off-CPU S | 4-6 running S
         2: 0-4 running preempted | 4-6 ready preempted",
    );
}

#[test]
fn without_switches_no_state_is_claimed() {
    let recording = Recording {
        switches: false,
        wake_ups: false,
        ..EVERYTHING
    };
    let outcome = check_as(recording, "0 0 sample 1\n 5 0 sample 1", "1:");
    assert_eq!(outcome.summary.rows_of(RawTable::CpuSample), 2);
    assert_eq!(outcome.summary.rows_of(RawTable::ThreadState), 0);
}

#[test]
fn a_loss_makes_the_runner_unknown_from_the_last_event() {
    //  0      5        20        25
    //  ├ run ─┤ unknown          ┤      the last event before the loss was at 5
    let outcome = check(
        "0 0 switch 2 S 1
         5 0 oncpu 1
         20 0 lost 7
         25 0 switch 1 S 3
         30 0 switch 3 S 1",
        "1: 0-5 running | 5-25 unknown loss | 25-30 waiting S by ? no-wake
         2: 0-5 waiting S | 5-30 unknown > loss
         3: 25-30 running S",
    );
    assert_eq!(outcome.count(ProblemKind::LostEvents), 7);
}

#[test]
fn a_wait_whose_wake_up_was_lost_is_known_up_to_the_loss() {
    check(
        "0 0 switch 1 S 0
         5 0 oncpu 0
         20 0 lost 7
         25 1 oncpu 9
         30 0 switch 0 R 1",
        "idle0: 0-5 running | 5-30 unknown loss
         1: 0-5 waiting S | 5-30 unknown loss
         9: 25-30 running >",
    );
}

#[test]
fn a_wait_that_spans_a_loss_is_unknown_while_events_were_lost() {
    check(
        "0 0 switch 1 S 0
         0 1 oncpu 3
         5 0 oncpu 0
         20 0 lost 7
         30 1 wake 1 by 3",
        "idle0: 0-5 running | 5-30 unknown > loss
         1: 0-5 waiting S | 5-20 unknown loss | 20-30 waiting S by 3 loss approx
         3: 0-30 running < >",
    );
}

#[test]
fn ready_time_that_spans_a_loss_is_unknown_from_then_on() {
    check(
        "0 0 switch 1 R 2
         5 0 oncpu 2
         5 1 oncpu 9
         20 1 lost 7
         30 0 switch 2 R 1",
        "1: 0-5 ready preempted | 5-30 unknown loss
         2: 0-30 running preempted
         9: 0-5 running < | 5-30 unknown > loss",
    );
}

#[test]
fn an_early_wake_up_long_before_the_switch_was_for_an_earlier_sleep() {
    check(
        "0       0 switch 2 R 1
         0       1 oncpu 3
         2       1 wake 1 by 3
         2000000 0 switch 1 S 2
         3000000 1 oncpu 3",
        "1: 0-2000000 running S | 2000000-3000000 waiting S >
         2: 0-2000000 ready preempted | 2000000-3000000 running >
         3: 0-3000000 running < >",
    );
}

#[test]
fn a_thread_that_left_unseen_is_unknown_from_its_last_evidence() {
    //  2 came at 10 and was seen at 12; at 20 it is 3 that leaves
    let outcome = check(
        "0  0 switch 1 S 2
         12 0 oncpu 2
         20 0 switch 3 S 1
         30 0 switch 1 S 2",
        "1: 0-20 waiting S by ? no-wake | 20-30 running S
         2: 0-12 running | 12-20 unknown loss | 20-30 off-CPU loss
         3: 0-20 unknown < | 20-30 waiting S >",
    );
    assert_eq!(outcome.count(ProblemKind::BrokenSchedule), 1);
}

#[test]
fn a_thread_that_came_unseen_was_away_while_another_one_was_there() {
    //  1 leaves CPU 0 again at 20; 2 was there until 12, so 1 cannot have come before
    let outcome = check(
        "0  0 switch 1 S 2
         12 0 oncpu 2
         20 0 switch 1 S 3
         30 0 switch 3 S 1",
        "1: 0-12 waiting S | 12-20 unknown loss | 20-30 waiting S by ? no-wake
         2: 0-12 running | 12-20 unknown loss | 20-30 off-CPU > loss
         3: 0-20 ready by ? < | 20-30 running S",
    );
    assert_eq!(outcome.count(ProblemKind::BrokenSchedule), 1);
}

#[test]
fn a_thread_cannot_leave_twice() {
    let outcome = check(
        "0  0 switch 1 S 2
         10 1 switch 1 S 3
         20 0 switch 2 S 1",
        "1: 0-10 unknown loss | 10-20 waiting S by ? no-wake
         2: 0-20 running S
         3: 0-10 ready by ? < | 10-20 running >",
    );
    assert_eq!(outcome.count(ProblemKind::BrokenSchedule), 1);
}

#[test]
fn an_event_older_than_what_is_known_is_left_out_and_counts_as_a_loss() {
    let outcome = check(
        "0  0 switch 1 S 2
         20 0 switch 2 S 1
         10 0 switch 1 S 2
         30 0 switch 1 S 2",
        "1: 0-20 waiting S by ? no-wake | 20-30 unknown loss
         2: 0-20 running S | 20-30 waiting S by ? no-wake",
    );
    assert_eq!(outcome.count(ProblemKind::LateEvents), 1);
}

#[test]
fn the_other_side_of_a_switch_may_be_untold() {
    let nobody = u32::MAX;
    check(
        &format!(
            "0 0 switch {nobody} S 1
             5 0 switch 1 S {nobody}
             9 0 switch {nobody} S 1"
        ),
        "1: 0-5 running S | 5-9 waiting S by ? no-wake",
    );
}
