//! Locks that cost CPU time instead of waits, and programs that are stopped by their tracer.

use super::*;

const FUTEX: i32 = 202;
const PTRACE: i32 = 101;
const EAGAIN: i32 = 11;
const ETIMEDOUT: i32 = 110;

/// Two threads that draw random numbers for a second; `refused`: how many of 100,000 futex calls of each fail with EAGAIN.
fn draw(refused: i64, function: &str) -> Vec<Finding> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let other = trace.thread(app, "app");
    trace.start(other, 0);
    let wakes = "k:futex_wake < k:do_futex < k:__x64_sys_futex < libc.so.6!__lll_lock_wake_private";
    trace.stack(
        "wake",
        &format!("{wakes} < libc.so.6!{function} < send < work < start_thread"),
    );
    trace.stack("send", "send < work < start_thread");
    for module in &mut trace.modules {
        if module.name == "libc.so.6" {
            module.path = "/usr/lib/x86_64-linux-gnu/libc.so.6".into();
        }
    }
    for thread in [main, other] {
        trace.play(thread, "R1000");
        trace.sample(thread, &(0..600).collect::<Vec<_>>(), "wake");
        trace.sample(thread, &(600..1000).collect::<Vec<_>>(), "send");
        trace.calls(thread, (FUTEX, 0), 100_000 - refused, None, 400);
        trace.calls(thread, (FUTEX, EAGAIN), refused, None, 100);
        trace.called_from(thread, &[100, 200], (FUTEX, 50_000), "wake");
    }
    findings(&trace, 100)
}

#[test]
fn threads_that_keep_taking_a_lock_from_each_other_do_not_wait_for_it() {
    let lock = |refused| {
        let mut all = draw(refused, "random").into_iter();
        all.find(|one| one.cause == "lock")
    };
    let found = lock(40_000).expect("the lock");
    assert_eq!(found.fact("refused"), Some(&Value::Count(80_000)));
    assert_eq!(found.fact("threads"), Some(&Value::Count(2)));
    assert_eq!(
        found.fact("function"),
        Some(&Value::Text("random".to_owned()))
    );
    assert!(found.wall_ns >= 500 * MS, "{found:?}");
    // Threads that only wake others have no such lock.
    assert!(lock(1000).is_none());
    // Its own lock is inside nothing.
    let own = draw(40_000, "pthread_mutex_unlock").into_iter();
    let mut own = own.filter(|one| one.cause == "lock");
    assert!(own.any(|one| one.fact("function").is_none()));
}

#[test]
fn who_only_wakes_the_threads_that_contend_does_not_pay_for_it() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let pool = ["pool", "pool"].map(|name| trace.thread(app, name));
    let wakes = "k:futex_wake < k:do_futex < k:__x64_sys_futex < sem_post";
    trace.stack("wake", &format!("{wakes} < publish < main"));
    trace.stack("work", "crunch < work < start_thread");
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "wake");
    trace.calls(main, (FUTEX, 0), 1_000_000, None, 700);
    for thread in pool {
        trace.start(thread, 0);
        trace.play(thread, "R1000");
        trace.sample(thread, &(0..1000).collect::<Vec<_>>(), "work");
        trace.calls(thread, (FUTEX, 0), 850, None, 1);
        trace.calls(thread, (FUTEX, EAGAIN), 150, None, 1);
    }
    let all = findings(&trace, 100);
    assert!(all.iter().all(|one| one.cause != "lock"), "{all:?}");
}

#[test]
fn a_tracer_is_slow_because_it_stops_a_program_again_and_again() {
    let trace = |traced: i64| {
        let mut trace = Literal::new(2000);
        let (judge, main) = process(&mut trace, "judge", 100, None, (0, 2000));
        let (_, solution) = process(&mut trace, "solution", 101, Some(judge), (0, 2000));
        trace.stack(
            "stop",
            "k:do_wait < k:__x64_sys_wait4 < wait4 < supervise < main",
        );
        trace.stack(
            "trace",
            "k:ptrace_stop < k:ptrace_do_notify < pread64 < main",
        );
        trace.play(main, "R1 W1:stop<solution r1:stop<solution ");
        trace.play(main, &"W1:stop<solution r1:stop<solution ".repeat(999));
        trace.play(solution, &"r1:trace<judge R1 ".repeat(1000));
        trace.calls(main, (PTRACE, 0), traced, None, 10);
        findings(&trace, 100)
    };
    let is_it = |one: &Finding| one.cause == "stopped";
    let all = trace(2000);
    let found = all.iter().find(|one| is_it(one)).expect("the stops");
    assert_eq!(
        found.fact("peer"),
        Some(&Value::Process("solution(101)".to_owned()))
    );
    assert!(found.wall_ns >= 800 * MS, "{found:?}");
    assert!(!trace(10).iter().any(is_it));
}

#[test]
fn a_wait_whose_time_is_over_from_the_beginning_keeps_a_cpu_busy() {
    let causes = |waits: &str, timed_out: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let wait = "k:futex_wait < k:do_futex < k:__x64_sys_futex < pthread_cond_timedwait";
        trace.stack("wait", &format!("{wait} < await_plate < main"));
        trace.play(main, waits);
        trace.sample(main, &(0..1000).collect::<Vec<_>>(), "wait");
        trace.calls(main, (FUTEX, ETIMEDOUT), timed_out, None, 800);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    assert!(causes("R1000", 100_000).contains(&"spin".to_owned()));
    // It slept until then, most times.
    let sleeps = "R9 W1:wait<! ".repeat(100);
    assert!(!causes(&sleeps, 100).contains(&"spin".to_owned()));
}

#[test]
fn locks_inside_a_collector_are_part_of_collecting_garbage() {
    let causes = |collects: usize, locks_inside: bool| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let other = trace.thread(app, "app");
        trace.start(other, 0);
        let wakes = "k:futex_wake < k:do_futex < k:__x64_sys_futex < libc.so.6!__lll_lock_wake < ";
        let inside = if locks_inside { wakes } else { "" };
        let mark = "node!v8::internal::ConcurrentMarking::RunMajor < start_thread";
        trace.stack("mark", &format!("{inside}{mark}"));
        trace.stack("work", &format!("{wakes}work < start_thread"));
        for thread in [main, other] {
            trace.play(thread, "R1000");
            let at: Vec<i64> = (0..1000).collect();
            let (mark, work) = at.split_at(collects);
            trace.sample(thread, mark, "mark");
            trace.sample(thread, work, "work");
            trace.calls(thread, (FUTEX, 0), 60_000, None, 400);
            trace.calls(thread, (FUTEX, EAGAIN), 40_000, None, 100);
        }
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let all = [causes(900, true), causes(100, true), causes(700, false)];
    let has = |of: usize, cause: &str| all[of].iter().any(|one| one == cause);
    assert!(has(0, "gc") && !has(0, "lock"), "{all:?}");
    // The program has a lock of its own, however much it collects.
    assert!(has(1, "lock"), "{all:?}");
    assert!(has(2, "gc") && has(2, "lock"), "{all:?}");
}
