//! What is said about waits: what ended them, for whom they were, and who blocked whom.

use super::*;

/// Returns the cause, the milliseconds and how sure it is, of all findings.
pub(super) fn causes_of(trace: &Literal, os_pid: i32) -> Vec<(String, i64, Confidence)> {
    let all = findings(trace, os_pid);
    let short = |one: Finding| (one.cause, one.wall_ns / MS, one.confidence);
    all.into_iter().map(short).collect()
}

/// Names stacks of wakers: of a timer, a signal, a network card, and another thread.
fn wakers(trace: &mut Literal) {
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
    trace.stack("card", "k:tcp_v4_rcv < k:virtnet_poll < k:net_rx_action");
    trace.stack("exit", "k:zap_other_threads < k:do_group_exit");
}

#[test]
fn a_select_of_no_descriptor_is_a_sleep() {
    let causes = |object: Option<(&str, &str)>| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        wakers(&mut trace);
        trace.stack(
            "wait",
            "k:do_select < k:core_sys_select < select < nap < main",
        );
        trace.play(main, &"R10 W90:wait<!@timer ".repeat(10));
        trace.waited_for(main, object.map(|_| 0), Some(90));
        let (kind, name) = object.unwrap_or_default();
        trace.tables = objects::object(kind, name, None);
        let all = findings(&trace, 100).into_iter().map(|one| one.cause);
        all.collect::<Vec<_>>()
    };
    let nothing = causes(Some(("nothing", "no descriptor")));
    assert_eq!(nothing.first().map(String::as_str), Some("sleep"));
    let reply = causes(Some(("tcp", "10.1.2.3:5432")));
    assert_eq!(reply.first().map(String::as_str), Some("timeout"));
    // Which descriptors it watched is not known.
    assert_eq!(causes(None).first().map(String::as_str), Some("timeout"));
}

#[test]
fn a_wait_until_its_own_time_out_says_so_and_how_alike_they_were() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    wakers(&mut trace);
    trace.stack(
        "poll",
        "k:do_poll < k:do_sys_poll < poll < await_reply < main",
    );
    trace.play(main, &"R50 W200:poll<!@timer ".repeat(4));
    says(
        &explain_pid(&trace, 100),
        &[
            "It waited for a file or socket to become ready (poll, select, epoll) until it timed out: 80 % of the time",
            "4 waits of 200 ms each, all within 1 %.",
        ],
    );
    assert_eq!(
        causes_of(&trace, 100)[0],
        ("timeout".to_owned(), 800, Confidence::Certain)
    );
}

#[test]
fn a_lock_that_is_looked_at_again_is_waited_for_all_the_time() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "java", 100, None, (0, 1000));
    let clerk = trace.thread(app, "clerk");
    wakers(&mut trace);
    let park = "k:futex_wait < k:do_futex < pthread_cond_timedwait < ObjectMonitor::enter < Desk.ask < Desk.main";
    trace.stack("lock", park);
    trace.play(
        main,
        "R50 W50:lock<!@timer W300:lock<!@timer W500:lock<clerk R100",
    );
    trace.play(clerk, "R1000");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["waited 850 ms for a lock that another thread held"],
    );
    assert!(!answer.contains("timed out"), "{answer}");
}

#[test]
fn waits_that_only_their_time_outs_end_say_that_nobody_wakes() {
    let answer = |plays: &str| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let other = trace.thread(app, "producer");
        wakers(&mut trace);
        trace.stack(
            "take",
            "k:futex_wait < k:do_futex < pthread_cond_timedwait < take_item < main",
        );
        trace.stack("nap", "k:do_nanosleep < clock_nanosleep < produce");
        trace.play(other, "W1000:nap<!@timer");
        trace.play(main, plays);
        explain_pid(&trace, 100)
    };
    let lost = "R10 W190:take<!@timer ".repeat(5);
    says(
        &answer(&lost),
        &[
            "until it timed out: 95 % of the time",
            "No thread woke it: each of these waits ended by its time-out.",
            "If another thread should wake it, find out",
        ],
    );
    // One that was woken, or a few waits, show nothing of this.
    let woken = "R10 W190:take<!@timer ".repeat(4) + "R10 W180:take<producer R10";
    assert!(!answer(&woken).contains("No thread woke it"));
    let few = "R10 W190:take<!@timer ".repeat(2) + "R600";
    assert!(!answer(&few).contains("No thread woke it"));
}

#[test]
fn a_program_that_waits_for_work_is_idle_and_not_accused() {
    let table = [
        (
            "k:inet_csk_accept < k:__sys_accept4 < accept < serve < main",
            Confidence::Certain,
        ),
        (
            "k:n_tty_read < k:tty_read < k:ksys_read < read < main",
            Confidence::Certain,
        ),
        (
            "k:ep_poll < k:do_epoll_wait < uv__io_poll < uv_run < main",
            Confidence::Likely,
        ),
        (
            "k:futex_wait < k:do_futex < rayon_core::sleep::Sleep::sleep < main",
            Confidence::Likely,
        ),
    ];
    for (stack, confidence) in table {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        wakers(&mut trace);
        trace.stack("wait", stack);
        trace.play(main, "R20 W450:wait<!@card R10 W500:wait<!@timer R20");
        let idle = ("idle".to_owned(), 950, confidence);
        assert_eq!(causes_of(&trace, 100)[0], idle, "{stack}");
        says(&explain_pid(&trace, 100), &["Nothing stands out"]);
    }
}

#[test]
fn threads_of_a_runtime_are_no_causes() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "go", 100, None, (0, 1000));
    let names = ["sysmon", "m1", "GC Thread#0"];
    let [sysmon, worker, helper] = names.map(|name| trace.thread(app, name));
    wakers(&mut trace);
    trace.stack(
        "stopm",
        "k:futex_wait < k:do_futex < runtime.stopm < runtime.findRunnable",
    );
    trace.stack("sysmon", "k:do_nanosleep < runtime.usleep < runtime.sysmon");
    trace.stack("nap", "k:do_nanosleep < collect");
    trace.play(main, "R50 W900:stopm<m1 R50");
    trace.play(sysmon, "W1000:sysmon<!@timer");
    trace.play(helper, "R5 W995:nap<!@timer");
    trace.play(worker, "R990 W10:stopm<!");
    let all = causes_of(&trace, 100);
    assert_eq!(all, [("cpu".to_owned(), 1000, Confidence::Certain)]);
}

/// A program that waits for another one at a socket; `first` says who wakes the other first.
pub(super) fn pair(first: &str) -> Literal {
    pair_at(first, "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < main")
}

/// The same, with the stack at which both wait.
fn pair_at(first: &str, stack: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
    trace.stack("recv", stack);
    trace.stack("loopback", "k:tcp_v4_rcv < k:do_softirq < k:tcp_sendmsg");
    match first {
        // It asks three times, and waits for the replies.
        "app" => {
            trace.play(main, &"R10 W290:recv<%other@loopback ".repeat(3));
            trace.play(other, &"W10:recv<%app@loopback R290 ".repeat(3));
        }
        // The other one asks, now and then.
        _ => {
            trace.play(main, &"W290:recv<%other@loopback R10 ".repeat(3));
            trace.play(other, &"R290 W10:recv<%app@loopback ".repeat(3));
        }
    }
    trace.play(main, "R100");
    trace.play(other, "R100");
    trace
}

#[test]
fn what_goroutines_wait_for_comes_from_another_program() {
    let netpoll = "k:ep_poll < k:do_epoll_wait < runtime.netpoll < runtime.findRunnable < main";
    let cause = |first| causes_of(&pair_at(first, netpoll), 100)[0].0.clone();
    assert_eq!(
        (cause("app").as_str(), cause("other").as_str()),
        ("slow-peer", "idle")
    );
}

#[test]
fn who_only_takes_connections_waits_for_work() {
    let causes = |connects: i64, began: Option<i64>| {
        let mut trace = pair_at(
            "app",
            "k:unix_stream_read_generic < k:ksys_read < read < serve < main",
        );
        trace.processes[0].start_ns = began;
        trace.calls(ThreadId(0), (288, 0), 2, None, 1);
        trace.calls(ThreadId(0), (42, 0), connects, None, 1);
        let causes = causes_of(&trace, 100).into_iter();
        causes.map(|(cause, ..)| cause).collect::<Vec<_>>()
    };
    let is_told = |causes: Vec<String>| causes.contains(&"slow-peer".to_owned());
    assert!(!is_told(causes(0, Some(0))));
    // One that also connects may ask.
    assert!(is_told(causes(1, Some(0))));
    // One that ran before may have connected then.
    assert!(is_told(causes(0, None)));
}

#[test]
fn a_way_to_wait_is_no_cause() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "poll",
        "k:do_poll < k:do_sys_poll < poll < wait_for_it < main",
    );
    trace.play(main, "R100 W800:poll R100");
    let answer = explain_pid(&trace, 100);
    let words = "It waited for a file or socket to become ready (poll, select, epoll) for 80 % of the time; the \
                 reason is not known.";
    says(&answer, &[words]);
    assert!(!answer.contains("Nothing stands out"), "{answer}");
    assert!(
        causes_of(&trace, 100)
            .iter()
            .all(|(cause, ..)| cause != "poll")
    );
}

#[test]
fn an_event_loop_whose_task_sleeps_slept() {
    let cause = |awaited: &str, waker: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "bot", 100, None, (0, 1000));
        let stack = format!(
            "k:ep_poll < k:do_epoll_wait < select_epoll_poll < selectors.py!select < \
             asyncio/base_events.py!run_forever < {awaited} < bot.py!answer < bot.py!main < \
             asyncio/base_events.py!run_until_complete"
        );
        trace.stack("loop", &stack);
        trace.stack("tick", "k:hrtimer_wakeup < k:__hrtimer_run_queues");
        trace.stack("packet", "k:sock_def_readable < k:tcp_rcv_established");
        trace.play(main, &format!("R100 W800:loop<!@{waker} R100"));
        causes_of(&trace, 100)[0].0.clone()
    };
    let sleep = "asyncio/tasks.py!sleep";
    assert_eq!(cause(sleep, "tick"), "sleep");
    assert_ne!(cause("asyncio/tasks.py!wait_for", "tick"), "sleep");
    assert_ne!(
        cause(sleep, "packet"),
        "sleep",
        "another task was waited for"
    );
}

#[test]
fn who_asked_once_does_not_wait_for_replies_ever_after() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, display) = process(&mut trace, "display", 200, None, (0, 1000));
    trace.stack("recv", "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < main");
    trace.play(display, "W10:recv<app R990");
    trace.play(main, "R10");
    trace.play(main, &"W90:recv<display R9 ".repeat(10));
    let (cause, _, confidence) = causes_of(&trace, 100).swap_remove(0);
    assert_eq!(
        (cause.as_str(), confidence),
        ("slow-peer", Confidence::Possible),
        "it may well wait for requests"
    );
}

#[test]
fn every_peer_that_is_waited_for_is_a_cause_of_its_own() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, fast) = process(&mut trace, "fast", 200, None, (0, 1000));
    wakers(&mut trace);
    trace.stack(
        "cache",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask_cache",
    );
    trace.stack(
        "remote",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask_remote",
    );
    trace.play(main, "R10 W90:cache<fast W900:remote<!@card");
    trace.play(fast, "W10:cache<app R90");
    let all = causes_of(&trace, 100);
    let slow = |ms, confidence| ("slow-peer".to_owned(), ms, confidence);
    assert_eq!(all[0], slow(900, Confidence::Possible));
    assert_eq!(all[1], slow(90, Confidence::Certain));
}

#[test]
fn a_wait_for_a_reply_is_told_from_one_for_a_request_by_who_asked_first() {
    let trace = pair("app");
    assert_eq!(
        causes_of(&trace, 100)[0],
        ("slow-peer".to_owned(), 870, Confidence::Certain)
    );
    says(
        &explain_pid(&trace, 100),
        &["It waited for replies from other(200): 87 % of the time  certain\n    main → recv\n"],
    );
    let trace = pair("other");
    assert_eq!(
        causes_of(&trace, 100)[0],
        ("idle".to_owned(), 870, Confidence::Certain)
    );
    // A machine that was not recorded answered.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    wakers(&mut trace);
    trace.stack("recv", "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < main");
    trace.play(main, "R100 W900:recv<!@card");
    assert_eq!(
        causes_of(&trace, 100)[0],
        ("slow-peer".to_owned(), 900, Confidence::Possible)
    );
}

/// Two threads that wait for a lock each until `end`, and a third one that waits on `third`.
fn two_locked(end: &str, third: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "bank", 100, None, (0, 1000));
    trace.processes[app.index()].exit_signal = Some(9);
    let clerk = trace.thread(app, "clerk");
    let other = trace.thread(app, "other");
    wakers(&mut trace);
    trace.stack(
        "debit",
        "k:futex_wait < k:do_futex < __lll_lock_wait < debit < main",
    );
    trace.stack(
        "credit",
        "k:futex_wait < k:do_futex < __lll_lock_wait < credit < run",
    );
    trace.stack("nap", "k:do_nanosleep < nap < run");
    trace.stack(
        "cond",
        "k:futex_wait < k:do_futex < pthread_cond_wait < run",
    );
    trace.play(main, &format!("R50 W900:debit{end} R50"));
    trace.play(clerk, &format!("R60 W890:credit{end} R50"));
    trace.play(other, &format!("R10 W980:{third}<! R10"));
    trace
}

#[test]
fn threads_that_block_each_other_are_a_deadlock_with_both_places() {
    for (end, words) in [
        ("<!@timer", "its own time-out"),
        ("<other@kill", "the kill of its process"),
    ] {
        let trace = two_locked(end, "cond");
        let answer = explain_pid(&trace, 100);
        let ended =
            format!("Two threads blocked each other: 89 % of the time, until {words} ended it");
        says(
            &answer,
            &[
                &ended,
                "bank(100) waited for a lock in main → debit → __lll_lock_wait, bank/clerk(1001) in run",
                "Take the locks in the same order everywhere.",
            ],
        );
    }
    // The third one holds what both want, and sleeps: they wait for it, not for each other.
    let trace = two_locked("<!@timer", "nap");
    let all = causes_of(&trace, 100);
    assert!(!all.iter().any(|one| one.0 == "deadlock"), "{all:?}");
}

/// Four threads that take turns in waits on `stack`, all the time.
fn taking_turns(stack: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let names = ["one", "two", "three", "four"];
    let threads = names.map(|name| trace.thread(app, name));
    trace.stack("join", "k:futex_wait < k:do_futex < pthread_join < main");
    trace.stack("wait", stack);
    trace.play(main, "R10 W985:join<four R5");
    for (at, thread) in threads.into_iter().enumerate() {
        let before = names[(at + 3) % 4];
        if at > 0 {
            trace.play(thread, &format!("W{}:wait<{before}", 10 * at));
        }
        trace.play(thread, &format!("R10 W30:wait<{before} ").repeat(24));
        trace.play(thread, "R10");
        trace.play(thread, &format!("W{}:wait<!", 1000 - 10 * at - 970));
    }
    trace
}

#[test]
fn many_short_turns_behind_one_lock_are_one_cause() {
    let trace = taking_turns("k:futex_wait < k:do_futex < take_gil < run");
    let gil = findings(&trace, 100)
        .into_iter()
        .find(|one| one.cause == "gil");
    let gil = gil.expect("the lock of the interpreter");
    assert!(gil.wall_ns > 700 * MS, "{gil:?}");
    assert_eq!(gil.fact("threads"), Some(&Value::Count(3)));
    // Where nobody is kept out, who was waited for only did his part of the work.
    let trace = taking_turns("k:futex_wait < k:do_futex < pthread_cond_wait < run");
    let all = causes_of(&trace, 100);
    assert!(!all.iter().any(|one| one.0 == "condition"), "{all:?}");
}

#[test]
fn who_had_the_lock_of_the_interpreter_is_told_with_its_place() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let report = trace.thread(app, "report");
    trace.stack(
        "wait",
        "k:futex_wait < k:do_futex < take_gil < serve < main",
    );
    trace.stack("work", "sre_match < summarize < report < run");
    trace.stack("other", "sre_match < prepare < report < run");
    // Before anybody waits it computes elsewhere.
    trace.play(main, "R300 W600:wait<report R100");
    trace.play(report, "R1000");
    let moments = |range: std::ops::Range<i64>| range.step_by(5).collect::<Vec<_>>();
    trace.sample(report, &moments(0..300), "other");
    trace.sample(report, &moments(301..900), "work");
    trace.sample(report, &moments(901..1000), "other");
    let gil = findings(&trace, 100)
        .into_iter()
        .find(|one| one.cause == "gil");
    let gil = gil.expect("the lock of the interpreter");
    let place = gil.fact("peer-place").expect("where it computed");
    assert!(format!("{place:?}").contains("summarize"), "{place:?}");
    let answer = explain_pid(&trace, 100);
    says(&answer, &["computed for 100 % of that time, in"]);
}

#[test]
fn another_process_has_an_interpreter_of_its_own() {
    let has_gil = |is_inside: bool| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let worker = match is_inside {
            true => trace.thread(app, "worker"),
            false => process(&mut trace, "worker", 101, Some(app), (0, 1000)).1,
        };
        trace.stack(
            "wait",
            "k:futex_wait < k:do_futex < take_gil < serve < main",
        );
        trace.stack("work", "summarize < report < run");
        trace.play(main, "R300 W600:wait<worker R100");
        trace.play(worker, "R1000");
        trace.sample(worker, &(0..1000).collect::<Vec<_>>(), "work");
        findings(&trace, 100)
            .iter()
            .any(|one| one.cause == "gil" && one.fact("peer").is_some())
    };
    assert!(has_gil(true));
    assert!(!has_gil(false));
}

#[test]
fn one_of_many_children_is_not_said_to_be_there_often() {
    let answer = |children: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        wakers(&mut trace);
        trace.stack("job", "k:do_wait < wait4 < run_job < main");
        trace.stack("lock", "k:flock_lock_inode_wait < flock < main");
        let each = 960 / children;
        let mut play = String::from("R20 ");
        for at in 0..children {
            let (from, to) = (20 + at * each, 20 + (at + 1) * each);
            let pid = i32::try_from(200 + at).expect("few");
            let (_, child) = process(&mut trace, "render", pid, Some(app), (from, to));
            trace.threads[child.index()].name = Some(format!("c{at}"));
            play += &format!("W{each}:job<c{at} ");
            trace.play(child, &format!("R1 W{}:lock<! R1", each - 2));
        }
        play += &format!("R{}", 980 - children * each);
        trace.play(main, &play);
        let all = findings(&trace, 100);
        let waits = all.iter().find(|one| one.cause == "child");
        let details = waits.map(|one| format!("{:?}", one.details));
        details.unwrap_or_default()
    };
    let many = answer(12);
    assert!(many.contains(", one of "), "{many}");
    let few = answer(4);
    assert!(few.contains(", often "), "{few}");
}

#[test]
fn who_waits_for_a_shell_waits_for_what_it_runs() {
    for (runner, is_told) in [("sh", true), ("report", false)] {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (between, shell) = process(&mut trace, runner, 200, Some(app), (50, 960));
        let (_, child) = process(&mut trace, "flock", 300, Some(between), (60, 950));
        wakers(&mut trace);
        trace.threads[shell.index()].name = Some("between".to_owned());
        trace.threads[child.index()].name = Some("child".to_owned());
        trace.stack("job", "k:do_wait < wait4 < run_job < main");
        trace.stack("wait", "k:do_wait < wait4 < execute < main");
        trace.stack("lock", "k:flock_lock_inode_wait < flock < main");
        trace.play(main, "R50 W910:job<between R40");
        trace.play(shell, "R10 W890:wait<child R10");
        trace.play(child, "R10 W870:lock<! R10");
        let all = findings(&trace, 100);
        let waits = all.iter().find(|one| one.cause == "child").unwrap();
        let place = waits.fact("place");
        let is_of_app = matches!(place, Some(Value::Place(place)) if place.functions().any(|name| name == "run_job"));
        let peer = waits.fact("peer-class");
        let is_for_lock = matches!(peer, Some(Value::Class { name, .. }) if name == "file-lock");
        assert!(is_for_lock, "{runner}: {peer:?}");
        // A program of the user's own has a place of its own.
        assert_eq!(is_of_app, is_told, "{runner}: {place:?}");
    }
}

#[test]
fn an_event_loop_that_waits_for_one_short_timer_after_another_sleeps() {
    let sleeps = |known: usize, asked_ms: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        let nap = "k:ep_poll < k:do_epoll_wait < epoll_pwait < uv__io_poll < uv_run < main";
        trace.stack("nap", nap);
        let naps = "R1 W1:nap<!@timer ";
        trace.play(main, &naps.repeat(known));
        trace.waited_for(main, None, Some(asked_ms));
        trace.play(main, &naps.repeat(500 - known));
        causes_of(&trace, 100)
            .iter()
            .any(|(cause, ..)| cause == "sleep")
    };
    // What was asked for is known of a sample.
    assert!(sleeps(310, 1));
    assert!(sleeps(500, 1));
    // It has something to do now and then.
    assert!(!sleeps(310, 5000));
}

#[test]
fn a_wait_in_pieces_for_a_thread_leads_to_what_that_thread_waits_for() {
    // A library looks up a name in a thread, and waits for it with time limits that grow.
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let resolver = trace.thread(app, "resolver");
    trace.start(resolver, 0);
    wakers(&mut trace);
    trace.stack(
        "select",
        "k:do_select < k:core_sys_select < select < fetch < main",
    );
    trace.stack(
        "name",
        "k:do_poll < k:do_sys_poll < poll < send_dg < getaddrinfo",
    );
    trace.stack("net", "k:sock_def_readable < k:udp_queue_rcv_skb");
    let waits = "W100:select<!@timer ".repeat(8);
    trace.play(main, &format!("R50 {waits} W100:select<resolver R50"));
    trace.play(resolver, "R50 W895:name<!@net R5 R50");
    trace.waited_for(main, Some(0), None);
    trace.tables = objects::object("unix", "a Unix socket", None);
    says(
        &explain_pid(&trace, 100),
        &["1 It waited for a name server (DNS): 90 % of the time"],
    );
}
