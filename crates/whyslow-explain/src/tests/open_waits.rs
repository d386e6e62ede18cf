//! Waits that last longer than the recording: what they are for is known as far as it was seen.

use whyslow_model::tables::TcpConnectionRow;
use whyslow_model::{StateFlags, TcpFlags};

use super::*;

const QUEUE: &str = "k:futex_wait < k:do_futex < pthread_cond_wait < drain < main";
const PIPE: &str = "k:pipe_read < k:__x64_sys_read < read < collect < job";

/// A program whose main thread waits at this stack from 100 ms on.
fn build(trace: &mut Literal, stack: &str) -> ProcessId {
    let (build, main) = process(trace, "build", 100, None, (0, 1000));
    trace.threads[main.index()].end_ns = None;
    trace.processes[build.index()].end_ns = None;
    trace.stack("wait", stack);
    trace.play(main, "R100 W900:wait");
    build
}

#[test]
fn a_thread_that_waits_for_another_one_leads_to_what_that_waits_for() {
    let mut trace = Literal::new(1000);
    let id = build(&mut trace, QUEUE);
    let job = trace.thread(id, "job");
    trace.start(job, 0);
    trace.stack("pipe", PIPE);
    trace.play(job, "R50 W950:pipe");
    let (_, child) = process(&mut trace, "cc", 200, Some(id), (50, 1000));
    trace.stack("hot", "optimize < compile");
    trace.play(child, "R950");
    trace.sample(child, &(100..990).collect::<Vec<_>>(), "hot");
    let answer = explain_pid(&trace, 100);
    says(&answer, &["cc computed", "optimize"]);
}

#[test]
fn threads_that_wait_for_different_things_leave_it_open() {
    let mut trace = Literal::new(1000);
    let id = build(&mut trace, QUEUE);
    trace.stack("pipe", PIPE);
    trace.stack("poll", "k:do_poll < k:do_sys_poll < poll < watch < main");
    for (name, stack) in [("job", "pipe"), ("watcher", "poll")] {
        let thread = trace.thread(id, name);
        trace.start(thread, 0);
        trace.play(thread, &format!("R50 W950:{stack}"));
    }
    says(
        &explain_pid(&trace, 100),
        &["1 It waited for another thread's signal (condition variable): 90 % of the time"],
    );
}

#[test]
fn of_several_children_the_one_that_does_most_is_waited_for() {
    let mut trace = Literal::new(1000);
    let id = build(
        &mut trace,
        "k:do_wait < k:kernel_wait4 < wait4 < wait_for < main",
    );
    trace.stack("nap", "k:do_nanosleep < sleep < prepare < main");
    trace.stack("poll", "k:do_poll < k:do_sys_poll < poll < watch < main");
    let (_, idle) = process(&mut trace, "watcher", 200, Some(id), (50, 1000));
    trace.play(idle, "W950:poll");
    let (_, slow) = process(&mut trace, "script", 300, Some(id), (50, 1000));
    trace.play(slow, "R10 W930:nap<! R10");
    says(
        &explain_pid(&trace, 100),
        &["1 script slept: 89 % of the time"],
    );
}

#[test]
fn who_was_answered_last_waits_for_no_reply() {
    let causes = |flags| {
        let asks = TcpConnectionRow {
            flags,
            sends: 3,
            receives: 3,
            replies: Some(3),
            answers: Some(3),
            ..connections::made()
        };
        let polls = "k:poll_schedule_timeout < k:do_sys_poll < poll < ask < main";
        let mut trace = connections::waits(polls, "R100 W900:wait", vec![asks]);
        trace.threads[0].end_ns = None;
        trace.processes[0].end_ns = None;
        trace.states.last_mut().expect("a wait").flags = StateFlags::OPEN_END.0;
        connections::causes_of(&trace)
    };
    assert_eq!(causes(TcpFlags::AWAITS_REPLY.0), ["slow-peer"]);
    assert_ne!(causes(0), ["slow-peer"]);
}
