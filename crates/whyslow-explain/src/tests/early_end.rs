//! A main thread that ends before the others.

use super::*;

const EXIT: i32 = 60;
const EXIT_GROUP: i32 = 231;

/// A program whose main thread ends after 100 ms of 1000, by a call of this number, and whose other thread computes and
/// sleeps meanwhile.
fn ends_early(call: i32) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    trace.start(worker, 90);
    trace.threads[main.index()].end_ns = Some(100 * MS);
    let row = &mut trace.threads[worker.index()];
    (row.start_ns, row.end_ns) = (Some(90 * MS), Some(1000 * MS));
    trace.stack(
        "nap",
        "k:do_nanosleep < k:__x64_sys_clock_nanosleep < dry_wool < weave",
    );
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(main, "R100");
    trace.play(worker, "R310 W600:nap<!@timer");
    trace.calls(main, (call, 0), 1, None, 0);
    trace
}

#[test]
fn the_other_threads_of_a_process_whose_main_thread_ended_by_itself_are_the_process() {
    let answer = explain_pid(&ends_early(EXIT), 100);
    says(
        &answer,
        &[
            "sleeping 60 %  on CPU 40 %",
            "It slept: 60 % of the time",
            "dry_wool",
        ],
    );
    assert!(!answer.contains("unknown"), "{answer}");
}

#[test]
fn a_main_thread_that_ends_the_process_counts_to_its_end() {
    let answer = explain_pid(&ends_early(EXIT_GROUP), 100);
    says(&answer, &["unknown 90 %"]);
}
