//! What is said about the many processes of a server that each serve one connection.

use super::*;

/// A client with eight connections, whose sessions each reply to it after 100 ms that they spent as `play` says of the
/// time before and the session.
fn client_of_a_pool(stack: &str, play: &dyn Fn(usize) -> String) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "recv",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main",
    );
    trace.stack(
        "listen",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < serve < main",
    );
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("work", stack);
    let (listener, _) = process(&mut trace, "pool", 199, None, (0, 1000));
    let sessions: Vec<_> = (0..8)
        .map(|at| {
            let (_, session) = process(&mut trace, "pool", 200 + at, Some(listener), (1, 1000));
            trace.threads[session.index()].name = Some(format!("pool-{at}"));
            session
        })
        .collect();
    let waits: String = (0..8).map(|at| format!("W100:recv<pool-{at} ")).collect();
    trace.play(client, &format!("R100 {waits} R100"));
    for (at, &session) in sessions.iter().enumerate() {
        trace.play(session, &play(at));
    }
    trace
}

#[test]
fn what_each_of_many_sessions_did_is_added_up() {
    let trace = client_of_a_pool(
        "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < commit < main",
        &|at| format!("W{}:listen<app R5 D90:work<! R5", 100 * (at + 1)),
    );
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "Meanwhile pool (8 processes) flushed its data to disk (fsync): 72 % of the time  certain",
        ],
    );
}

#[test]
fn sessions_that_wait_for_each_others_locks_name_the_lock() {
    let lock = "k:do_epoll_wait < k:__x64_sys_epoll_wait < epoll_wait < WaitLatch < ProcSleep < PostgresMain";
    // Each is kept out by the one before.
    let trace = client_of_a_pool(lock, &|at| {
        let (before, after) = (100 * (at + 1), 700 - 100 * at);
        let holder = (at + 7) % 8;
        format!("W{before}:listen<app R5 W90:work<pool-{holder} R5 R{after}")
    });
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "Meanwhile pool (8 processes) waited for a lock of the database that another one of them held: 63 % of the time",
        ],
    );
}

#[test]
fn what_they_computed_is_added_up() {
    let trace = client_of_a_pool(
        "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < pause < main",
        &|at| format!("W{}:listen<app R100", 100 * (at + 1)),
    );
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["Meanwhile pool (8 processes) computed: 79 % of the time"],
    );
    assert!(!answer.contains("Meanwhile pool(200)"), "{answer}");
}
