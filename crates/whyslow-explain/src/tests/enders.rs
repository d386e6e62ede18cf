//! Who ended a wait, and who was busy meanwhile.

use super::*;

#[test]
fn another_program_that_ends_the_wait_is_named() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "client", 100, None, (0, 1000));
    let (other, server) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.processes[other.index()].command_line = Some("/usr/sbin/server --slow".to_owned());
    trace.stack(
        "recv",
        "k:unix_stream_read_generic < k:__x64_sys_recvfrom < recv < ask < main",
    );
    trace.play(main, "R10 W950:recv<server r5:recv<server R35");
    trace.play(server, "R1000");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "It waited for data from a socket or room to send: 95 % of the time, until server(200) (server --slow) ended it  possible\n    main → ask → recv\n",
        ],
    );
}

#[test]
fn a_wait_that_no_program_ended_leads_to_whom_was_busy_meanwhile() {
    let mut trace = Literal::new(1000);
    let (build, main) = process(&mut trace, "build", 100, None, (0, 1000));
    let (_, script) = process(&mut trace, "script", 101, Some(build), (100, 990));
    let (kernel, worker) = process(&mut trace, "kworker", 7, None, (0, 1000));
    trace.processes[kernel.index()].is_kernel = 1;
    trace.play(worker, "R1000");
    let (_, watcher) = process(&mut trace, "watcher", 102, Some(build), (100, 1000));
    trace.stack(
        "queue",
        "k:futex_wait < k:do_futex < pthread_cond_timedwait < drain < main",
    );
    trace.stack("nap", "k:do_nanosleep < sleep < prepare < main");
    trace.stack("poll", "k:do_poll < k:do_sys_poll < poll < watch < main");
    trace.play(main, "R100 W400:queue<! W400:queue<kworker R100");
    trace.play(script, "R10 W870:nap<! R10");
    trace.play(watcher, "W900:poll<!");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 script slept: 79 % of the time  certain\n    main → prepare → sleep\n",
            "build(100) waited 800 ms for another thread's signal (condition variable): 80 % of the time  likely",
            "    script(101) slept for 99 % of that time, in main → prepare → sleep.\n",
        ],
    );
}

#[test]
fn running_beats_sleeping_where_no_program_ended_the_wait() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let helper = trace.thread(app, "sysmon");
    let one = trace.thread(app, "one");
    let two = trace.thread(app, "two");
    let three = trace.thread(app, "three");
    trace.stack("park", "k:futex_wait < k:do_futex < runtime.futex < park");
    trace.stack("nap", "k:do_nanosleep < usleep < runtime.sysmon");
    trace.play(main, "R50 W900:park<! R50");
    trace.play(helper, "R10 W980:nap<! R10");
    // None ran for half of the wait; together they did.
    trace.play(one, "W50:park<! R300 W650:park<!");
    trace.play(two, "W350:park<! R300 W350:park<!");
    trace.play(three, "W650:park<! R300 W50:park<!");
    let all = findings(&trace, 100);
    assert_eq!(all[0].cause, "cpu", "{all:?}");
    assert_eq!(all[0].wall_ns, 1000 * MS, "{all:?}");
    let slept = |one: &Finding| one.cause == "sleep";
    assert!(!all.iter().any(slept), "{all:?}");
}

#[test]
fn who_waits_for_a_signal_with_a_child_waits_for_that_child() {
    let mut trace = Literal::new(1000);
    let (wrapper, main) = process(&mut trace, "wrap", 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "tool", 101, Some(wrapper), (20, 990));
    let (_, printer) = process(&mut trace, "printer", 200, None, (0, 1000));
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("suspend", "k:sigsuspend < k:__x64_sys_rt_sigsuspend < main");
    trace.stack("watch", "k:do_poll < k:do_sys_poll < poll < follow < main");
    trace.play(main, "R20 W960:suspend<!@timer R20");
    trace.play(child, &"W200:watch<printer R40 ".repeat(3));
    // The child is ended then: the time limit was one for it.
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
    trace.play(child, "W250:watch<wrap@kill");
    trace.play(printer, "R1000");
    trace.tables = objects::object("event", "inotify", None);
    trace.waited_for(child, Some(0), None);
    let answer = explain_pid(&trace, 100);
    says(&answer, &["Nothing stands out: it was idle for"]);
    assert!(!answer.contains("signal"), "{answer}");
}

/// What the causes are where a process that waits for a signal has a child that waits for work meanwhile.
fn waits_for_a_signal(ended_by: &str, child_does: &str) -> Vec<String> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "logger", 101, Some(app), (20, 1000));
    let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
    trace.stack("alarm", "k:it_real_fn < k:hrtimer_interrupt");
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
    trace.stack("pause", "k:__x64_sys_pause < pause < main");
    trace.stack(
        "serve",
        "k:inet_csk_accept < k:__sys_accept4 < accept < serve < main",
    );
    trace.play(main, &format!("R20 W940:pause<{ended_by} R40"));
    trace.play(child, child_does);
    trace.play(other, "R1000");
    let all = findings(&trace, 100);
    all.into_iter().map(|one| one.cause).collect()
}

#[test]
fn a_child_that_lives_on_did_not_end_the_wait_for_a_signal() {
    let lives_on = "R10 W970:serve<!";
    for ended_by in ["!@alarm", "other@kill"] {
        let causes = waits_for_a_signal(ended_by, lives_on);
        assert_eq!(causes[0], "signal", "{ended_by}: {causes:?}");
    }
    let until_ended = "R10 W950:serve<app@kill R20";
    let causes = waits_for_a_signal("!@alarm", until_ended);
    assert_eq!(causes[0], "idle", "{causes:?}");
    // It was asked to end, and still waited for something before it did.
    let woken = "R10 W932:serve<app R2 W15:pause<! R21";
    let causes = waits_for_a_signal("!@alarm", woken);
    assert_eq!(causes[0], "signal", "{causes:?}");
    let asked = "R10 W932:serve<app@kill R2 W15:pause<! R1";
    let causes = waits_for_a_signal("!@alarm", asked);
    assert_eq!(causes[0], "idle", "{causes:?}");
}

#[test]
fn who_stops_a_command_is_not_what_it_waited_for() {
    let answer = |child_does: &str| {
        let mut trace = Literal::new(1000);
        let (shell, main) = process(&mut trace, "sh", 100, None, (0, 1000));
        let (_, child) = process(&mut trace, "job", 101, Some(shell), (10, 1000));
        let (_, person) = process(&mut trace, "terminal", 200, None, (0, 1000));
        trace.stack("wait", "k:do_wait < k:kernel_wait4 < wait4 < main");
        trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
        trace.stack("nap", "k:do_nanosleep < sleep < prepare < main");
        trace.play(main, "R20 W970:wait<terminal@kill R10");
        trace.play(child, child_does);
        trace.play(person, "R1000");
        let all = findings(&trace, 100);
        (all[0].cause.clone(), all[0].wall_ns)
    };
    assert_eq!(answer("R10 W970:nap<terminal@kill R10").0, "sleep");
    assert_eq!(answer("R990"), ("cpu".to_owned(), 1000 * MS));
}

#[test]
fn who_looks_up_a_name_keeps_those_busy_who_wait_in_short_turns() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "fetch", 100, None, (0, 1000));
    let resolver = trace.thread(app, "resolver");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("poll", "k:do_poll < k:do_sys_poll < poll < perform < main");
    trace.stack(
        "ask",
        "k:do_poll < k:do_sys_poll < poll < send_dg < getaddrinfo < resolve",
    );
    trace.play(main, &format!("R50 {}R50", "W180:poll<!@timer ".repeat(5)));
    trace.play(resolver, "W50:poll<! R5 W890:ask<!@timer R5 W50:poll<!");
    let all = findings(&trace, 100);
    assert_eq!(all[0].cause, "dns", "{all:?}");
    assert!(all[0].wall_ns > 800 * MS, "{all:?}");
}
