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
            "Meanwhile pool (8 processes) waited for a database lock that another of them held: 63 % of the time",
        ],
    );
}

#[test]
fn sessions_that_wait_for_each_others_mutex_say_once_that_it_was_held() {
    let lock = "k:futex_wait < k:do_futex < do_futex_wait < PGSemaphoreLock < LWLockAcquire < PostgresMain";
    let trace = client_of_a_pool(lock, &|at| {
        let (before, after) = (100 * (at + 1), 700 - 100 * at);
        let holder = (at + 7) % 8;
        format!("W{before}:listen<app R5 W90:work<pool-{holder} R5 R{after}")
    });
    says(
        &explain_pid(&trace, 100),
        &["Meanwhile pool (8 processes) waited for a lock that another of them held: 63 %"],
    );
}

#[test]
fn clients_of_one_name_are_one_peer_and_whoever_of_them_asked_first_asked() {
    let mut trace = Literal::new(1000);
    let (_, server) = process(&mut trace, "desk", 100, None, (0, 1000));
    trace.stack(
        "listen",
        "k:unix_stream_read_generic < k:__x64_sys_recvfrom < recv < serve < main",
    );
    trace.stack(
        "reply",
        "k:unix_stream_read_generic < k:__x64_sys_recvfrom < recv < ask < main",
    );
    let [one, two] = [200, 201].map(|pid| {
        let (_, client) = process(&mut trace, "psql", pid, None, (0, 1000));
        trace.threads[client.index()].name = Some(format!("psql-{pid}"));
        client
    });
    // The second one asks first, the first one more often.
    trace.play(server, "W100:listen<psql-201 R20 W180:listen<psql-200 R20 W180:listen<psql-200 R20 W180:listen<psql-201 R20 W180:listen<psql-200 R100");
    trace.play(
        one,
        "R300 W20:reply<desk R180 W20:reply<desk R380 W20:reply<desk R80",
    );
    trace.play(two, "R100 W20:reply<desk R580 W20:reply<desk R280");
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("replies"), "{answer}");
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
