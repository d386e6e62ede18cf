//! What is said about a command that was ready to run without a CPU.

use super::*;
use crate::finding::Piece;

#[test]
fn starvation_names_who_took_the_cpus() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, one) = process(&mut trace, "greedy", 200, None, (0, 1000));
    let (_, two) = process(&mut trace, "greedy", 201, None, (0, 1000));
    trace.stack("loop", "step < main");
    trace.play(main, "R100 P700:loop R200");
    trace.play(one, "R1000");
    trace.play(two, "P100 R700 P200");
    trace.ready_was(main, [700, 0, 0]);
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "It was ready to run, but other programs used the CPUs: 70 % of the time  likely",
            "CPU time meanwhile: greedy 100 %.",
            "competing 70 %  on CPU 30 %",
        ],
    );
}

#[test]
fn a_server_does_not_compete_with_its_own_clients() {
    let by = |clients: bool| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, one) = process(&mut trace, "client", 200, None, (0, 1000));
        let (_, two) = process(&mut trace, "client-2", 201, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.stack(
            "accept",
            "k:inet_csk_accept < k:__sys_accept4 < accept < main",
        );
        let asked = |times: usize| "W4:accept<client W4:accept<client-2 R2 ".repeat(times);
        let play = match clients {
            true => asked(10),
            // A single message makes nobody a client.
            false => format!("{}W90:accept<! ", asked(1)),
        };
        trace.play(main, &format!("{play}P700:loop R200"));
        trace.play(one, "R1000");
        trace.play(two, "R100 R700 P200");
        trace.ready_was(main, [700, 0, 0]);
        findings(&trace, 100)
    };
    let causes = |all: Vec<Finding>| all.into_iter().any(|one| one.cause == "competing");
    assert!(!causes(by(true)));
    assert!(causes(by(false)));
}

#[test]
fn who_used_the_cpus_is_told_apart() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, helper) = process(&mut trace, "helper", 101, Some(app), (0, 1000));
    let worker = trace.thread(app, "worker");
    let (_, client) = process(&mut trace, "client", 200, None, (0, 1000));
    let (_, greedy) = process(&mut trace, "greedy", 201, None, (0, 1000));
    trace.stack("loop", "step < main");
    trace.stack(
        "accept",
        "k:inet_csk_accept < k:__sys_accept4 < accept < main",
    );
    let asked = "W9:accept<client R1 ".repeat(10);
    trace.play(main, &format!("{asked}P700:loop R200"));
    trace.play(greedy, "R1000");
    trace.play(worker, "P100 R250 P650");
    trace.play(helper, "P350 R150 P500");
    trace.play(client, "P500 R300 P200");
    trace.ready_was(main, [700, 0, 0]);
    says(
        &explain_pid(&trace, 100),
        &[
            "other programs and its other threads used the CPUs",
            "CPU time meanwhile: greedy 50 %, its other threads 18 %, its other processes 11 %, programs it talks to 21 %.",
        ],
    );
}

#[test]
fn a_nice_program_says_so_beside_others_that_are_not() {
    for (own, others, expected) in [
        (139, 120, "low-priority"),
        (124, 120, "low-priority"),
        (123, 120, "competing"),
        (120, 110, "low-priority"),
        (139, 139, "competing"),
        (120, 139, "competing"),
        // Of real time, and of Windows.
        (139, 50, "competing"),
        (13, 8, "competing"),
    ] {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, one) = process(&mut trace, "greedy", 200, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.play(main, "R100 P700:loop R200");
        trace.play(one, "P100 R700 P200");
        trace.ready_was(main, [700, 0, 0]);
        trace.priority(main, own);
        trace.priority(one, others);
        let finding = &findings(&trace, 100)[0];
        assert_eq!(finding.cause, expected, "{own} {others}");
        let mut advice = finding.advice.iter().flat_map(|advice| &advice.0);
        let to_renice = advice
            .any(|piece| matches!(piece, Piece::Ours(words) if words.contains("without `nice`")));
        assert_eq!(to_renice, expected == "low-priority" && own > 120);
        if own == 139 && others == 120 {
            let answer = explain_pid(&trace, 100);
            says(
                &answer,
                &[
                    "It was ready to run, but programs of higher priority used the CPUs: 70 % of the time  likely",
                    "Its nice value is 19; that of greedy is 0.",
                    "CPU time meanwhile: greedy 100 %.",
                ],
            );
        }
    }
}

#[test]
fn who_waits_for_a_lock_of_a_nice_thread_waits_for_the_lock() {
    let causes = |waiter: i32, holder: i32| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, greedy) = process(&mut trace, "greedy", 200, None, (0, 1000));
        let ranker = trace.thread(app, "ranker");
        trace.stack(
            "want",
            "k:futex_wait < k:do_futex < __lll_lock_wait < balance < answer < main",
        );
        trace.stack("rank", "sort_all < keep_ranking < start_thread");
        trace.play(main, "R100 W750:want<ranker R150");
        trace.play(ranker, "R50 P750:rank R100 P100");
        trace.play(greedy, "P50 R750 P200");
        trace.ready_was(ranker, [850, 0, 0]);
        trace.priority(main, waiter);
        trace.priority(ranker, holder);
        trace.priority(greedy, 120);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let inverted = causes(120, 139);
    assert!(inverted.contains(&"lock".to_owned()), "{inverted:?}");
    assert!(
        inverted.contains(&"low-priority".to_owned()),
        "{inverted:?}"
    );
    assert!(!causes(120, 120).contains(&"lock".to_owned()));
    // The whole program is nice.
    assert!(!causes(139, 139).contains(&"lock".to_owned()));
}

#[test]
fn waking_up_and_taking_turns_starve_nobody() {
    for parts_ms in [[0, 0, 700], [0, 700, 0], [0, 400, 300]] {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.play(main, "R100 P700:loop R200");
        trace.play(other, "W100 R700 W200");
        trace.ready_was(main, parts_ms);
        let all = findings(&trace, 100);
        let causes = ["competing", "pinned", "too-many-threads"];
        let is_about_cpus = |one: &Finding| causes.contains(&one.cause.as_str());
        assert!(!all.iter().any(is_about_cpus), "{all:?}");
    }
}

#[test]
fn ready_for_reasons_unknown_is_no_starvation() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("loop", "step < main");
    trace.play(main, "R100 P700:loop R200");
    let answer = explain_pid(&trace, 100);
    says(&answer, &["ready 70 %"]);
    assert!(!answer.contains("had the CPUs"), "{answer}");
}

#[test]
fn a_thread_for_each_cpu_is_not_too_many() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    trace.stack("loop", "step < main");
    trace.play(main, "R700 P200:loop R100");
    trace.play(worker, "W100 R900");
    trace.ready_was(main, [200, 0, 0]);
    let causes = findings(&trace, 100);
    assert!(causes.iter().all(|one| one.cause == "cpu"), "{causes:?}");
}

#[test]
fn two_workers_and_the_thread_that_feeds_them_are_not_too_many() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (one, two) = (trace.thread(app, "worker"), trace.thread(app, "worker"));
    let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
    trace.stack("loop", "step < main");
    trace.play(main, &"R10 P10:loop R50 W30:loop".repeat(10));
    trace.play(one, &"R70 P10:loop R20 ".repeat(10));
    trace.play(two, &"P20:loop R80 ".repeat(10));
    trace.play(other, &"W10 R2 W88 ".repeat(10));
    trace.ready_was(main, [100, 0, 0]);
    trace.ready_was(one, [100, 0, 0]);
    trace.ready_was(two, [200, 0, 0]);
    let causes = findings(&trace, 100);
    let many = causes.iter().find(|one| one.cause == "too-many-threads");
    assert!(many.is_none(), "{causes:?}");
}

#[test]
fn threads_that_share_all_cpus_for_one_piece_of_work_are_not_too_many() {
    let accused = |others_ms: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
        trace.stack("join", "k:futex_wait < pthread_join < main");
        trace.stack("loop", "step < start_thread");
        let threads = ["worker 1", "worker 2", "worker 3"].map(|name| trace.thread(app, name));
        trace.play(main, "W1000:join<@");
        trace.play(threads[0], "R500 P500:loop");
        let own_ms = 1000 - others_ms;
        trace.play(threads[1], &format!("R{own_ms} W{others_ms}:join<@"));
        trace.play(threads[2], "P500:loop R500");
        trace.play(other, &format!("W{own_ms} R{others_ms}"));
        trace.ready_was(threads[0], [500, 0, 0]);
        trace.ready_was(threads[2], [500, 0, 0]);
        let all = findings(&trace, 100);
        let many = all.iter().any(|one| one.cause == "too-many-threads");
        (many, format!("{all:?}"))
    };
    // Others that used a CPU meanwhile change nothing about that.
    for others_ms in [0, 550] {
        let (many, text) = accused(others_ms);
        assert!(!many, "{others_ms}: {text}");
    }
}

#[test]
fn the_thread_that_waits_for_workers_is_not_of_their_kind() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("loop", "step < start_thread");
    let threads = ["worker-1", "worker-2", "worker-3"].map(|name| trace.thread(app, name));
    trace.play(main, "P600:loop R50 W350:loop<worker-2");
    trace.play(threads[0], "R600 P50:loop R350");
    trace.play(threads[1], "R500 P350:loop R150");
    trace.play(threads[2], "P500:loop R500");
    trace.ready_was(main, [600, 0, 0]);
    trace.ready_was(threads[0], [50, 0, 0]);
    trace.ready_was(threads[1], [350, 0, 0]);
    trace.ready_was(threads[2], [500, 0, 0]);
    let all = findings(&trace, 100);
    let many = all.iter().find(|one| one.cause == "too-many-threads");
    assert!(many.is_none(), "{all:?}");
}

#[test]
fn more_threads_than_cpus_accuse_nobody_else() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    trace.stack("loop", "step < main");
    trace.play(main, "R100 P700:loop R200");
    trace.play(worker, "W100 R700 W200");
    trace.ready_was(main, [400, 300, 0]);
    let another = trace.thread(app, "worker");
    trace.play(another, "W100 R700 W200");
    let finding = &findings(&trace, 100)[0];
    assert_eq!(finding.cause, "too-many-threads");
    // With a CPU for each thread, no waker would have been in the way, either.
    assert_eq!(finding.wall_ns, 700 * MS);
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("had the CPUs"), "{answer}");
}

#[test]
fn a_pipe_that_is_read_later_is_not_of_too_many_threads() {
    let mut trace = Literal::new(2000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 2000));
    let [worker, helper, another] =
        ["worker", "helper", "worker"].map(|name| trace.thread(app, name));
    trace.stack("loop", "step < main");
    trace.stack(
        "read",
        "k:pipe_read < k:vfs_read < k:__x64_sys_read < read < main",
    );
    let turns = "W4:read<helper ".repeat(300);
    trace.play(main, &format!("R100 P500:loop R200 {turns}"));
    let turns = "P1:read R3 ".repeat(300);
    trace.play(helper, &format!("W800:read<app {turns}"));
    for thread in [worker, another] {
        trace.play(thread, "W100 R500 W1400");
    }
    trace.ready_was(main, [500, 0, 0]);
    trace.ready_was(helper, [0, 300, 0]);
    let all = findings(&trace, 100);
    let many = all.iter().find(|one| one.cause == "too-many-threads");
    let ns = many.map_or(0, |one| one.wall_ns);
    assert!((500 * MS..=520 * MS).contains(&ns), "{all:?}");
}
