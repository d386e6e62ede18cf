//! The states that a script gives its threads are consistent.

use whyslow_testkit::{Interval, Leaves, Random, ScriptedMachine, Start, State, Waker};

fn told(machine: &ScriptedMachine, tid: u32, end: i64) -> Vec<String> {
    let intervals = machine.intervals(end);
    let of_thread = intervals.iter().filter(|interval| interval.thread == tid);
    let tell = |interval: &Interval| {
        let Interval {
            start,
            end,
            state,
            cpu,
            reason,
            waker,
            stack,
            ..
        } = interval;
        format!("{start}-{end} {state:?} {cpu:?} {reason:?} {waker:?} {stack:?}")
    };
    of_thread.map(tell).collect()
}

#[test]
fn a_thread_waits_is_woken_and_runs_elsewhere() {
    let mut machine = ScriptedMachine::new(2);
    machine.thread(100, 101, Start::Running(0));
    machine.thread(100, 102, Start::Running(1));
    machine.switch(10, 0, 0, Leaves::Waits(6));
    machine.ready(30, 1, 101, Waker::Thread(102)).stack(&[7, 8]);
    machine.switch(35, 1, 101, Leaves::Ready).stack(&[1, 2]);
    machine.switch(40, 1, 102, Leaves::Ended);
    assert_eq!(
        told(&machine, 101, 50),
        [
            "0-10 Running Some(0) None None []",
            "10-30 Waiting Some(0) Some(6) Some(Thread(102)) [1, 2]",
            "30-35 Ready Some(0) Some(6) Some(Thread(102)) [1, 2]",
            "35-40 Running Some(1) None None []",
        ]
    );
    assert_eq!(
        told(&machine, 102, 50),
        [
            "0-35 Running Some(1) None None []",
            "35-40 Ready Some(1) None None []",
            "40-50 Running Some(1) None None []",
        ]
    );
    let woken = machine.intervals(50);
    let woken = woken.iter().filter(|i| !i.waker_stack.is_empty());
    let woken: Vec<_> = woken.map(|i| (i.thread, i.start, i.state)).collect();
    assert_eq!(woken, [(101, 10, State::Waiting), (101, 30, State::Ready)]);
}

/// The states of a thread follow each other without a gap, and a processor has one thread at a
/// time.
#[test]
fn wandering_threads_are_somewhere_all_the_time() {
    let mut machine = ScriptedMachine::new(3);
    let end = machine.wander(&mut Random(5), 9, 2000) + 10;
    let intervals = machine.intervals(end);
    let mut running = [0; 3];
    for pair in intervals.windows(2) {
        let same = pair[0].thread == pair[1].thread && pair[1].start > 0;
        assert_eq!(same, pair[0].end == pair[1].start, "{pair:?}");
        assert!(same || (pair[0].end, pair[1].start) == (end, 0));
    }
    for interval in intervals.iter().filter(|i| i.state == State::Running) {
        running[usize::from(interval.cpu.unwrap())] += interval.end - interval.start;
    }
    assert_eq!(running, [end; 3]);
}
