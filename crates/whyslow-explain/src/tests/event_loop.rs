//! What is said of an event loop that computes.

use super::*;

const EPOLL_WAIT: i32 = 232;
const ACCEPT: i32 = 43;

/// Returns the answer about a program whose event loop computes for a second on `stack`, and looks for events
/// so often.
fn answer(stack: &str, looks: i64) -> String {
    answer_of(stack, looks, 1)
}

/// The same of a program that took so many connections.
fn answer_of(stack: &str, looks: i64, accepts: i64) -> String {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
    trace.stack("hash", stack);
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "hash");
    trace.calls(main, (EPOLL_WAIT, 0), looks, None, 0);
    trace.calls(main, (ACCEPT, 0), accepts, None, 0);
    explain_pid(&trace, 100)
}

const TURNS: &str = "Its event loop looked for other events only";
const IN_CALLBACK: &str = "app.js!hashPassword < app.js!logIn < uv_run < main";

#[test]
fn an_event_loop_that_computes_for_long_says_so() {
    let said = "only 10 times, after 100 ms of computing";
    says(&answer(IN_CALLBACK, 10), &[TURNS, said]);
}

#[test]
fn a_loop_that_turns_often_or_computes_outside_says_nothing() {
    assert!(!answer(IN_CALLBACK, 200).contains(TURNS));
    // Nobody waits for a program that takes no connections.
    assert!(!answer_of(IN_CALLBACK, 10, 0).contains(TURNS));
    assert!(!answer("app.js!hashPassword < app.js!logIn < main", 10).contains(TURNS));
    // Node looks for events as it starts and ends.
    assert!(!answer(IN_CALLBACK, 3).contains(TURNS));
}

#[test]
fn timers_are_placed_where_the_loop_goes_on() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
    trace.stack(
        "loop",
        "k:ep_poll < k:do_epoll_wait < epoll_wait < uv__io_poll < uv_run < main",
    );
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "member",
        "app.js!breathe < app.js!importAll < uv__run_timers < uv_run < main",
    );
    trace.play(main, &"R1 W2:loop<!@timer ".repeat(330));
    trace.sample(
        main,
        &(0..330).map(|at| at * 3).collect::<Vec<_>>(),
        "member",
    );
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It waited for its own timers: 66 % of the time",
            "importAll → breathe",
        ],
    );
}
