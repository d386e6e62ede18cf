//! What is said of sessions of a database that wait for each other's locks.

use super::*;

const WAITS: &str = "k:do_epoll_wait < k:__x64_sys_epoll_wait < epoll_wait < WaitEventSetWait";
const RECEIVES: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main";

/// A client whose session waits for a lock, as `play` says, until the session of an idle client ends its transaction.
fn sessions(play: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "psql", 100, None, (0, 1000));
    let (_, session) = process(&mut trace, "session", 200, None, (0, 1000));
    let (_, holder) = process(&mut trace, "holder", 300, None, (0, 1000));
    let (_, person) = process(&mut trace, "person", 400, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("type", "k:n_tty_read < k:ksys_read < read < main");
    trace.stack("timer", "k:it_real_fn < k:hrtimer_interrupt");
    trace.stack("read", &format!("{WAITS} < secure_read < PostgresMain"));
    trace.stack(
        "lock",
        &format!(
            "{WAITS} < WaitLatch < ProcSleep < LockAcquireExtended < heap_update < PostgresMain"
        ),
    );
    trace.play(client, "R10 W980:recv<session R10");
    trace.play(
        session,
        &format!("W10:read<psql R5 {play} R10 W15:read<psql"),
    );
    trace.play(holder, "W970:read<person R20 W10:read");
    trace.play(person, "W960:type<! R40");
    trace
}

#[test]
fn a_session_that_waits_for_a_lock_names_the_session_that_holds_it() {
    // It looks for a deadlock in between, and goes on waiting.
    let trace = sessions("W600:lock<!@timer R1 W359:lock<holder");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "Meanwhile session(200) itself waited for a database lock that holder(300) held: 96 % of the time  certain\n    \
             LockAcquireExtended → ProcSleep → epoll_wait\n",
        ],
    );
    assert!(!answer.contains("is not known"), "{answer}");
}

#[test]
fn what_a_peer_did_is_not_called_unknown_before_the_line_that_tells_it() {
    // Half of its time, the session waits for something that nobody knows.
    let trace = sessions("W500:read<! R1 W459:lock<holder");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["itself waited for a database lock that holder(300) held"],
    );
    assert!(!answer.contains("did meanwhile is not known"), "{answer}");
}

#[test]
fn a_thread_of_a_server_that_keeps_another_one_from_replying_is_known_by_what_it_held() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "mariadb", 100, None, (0, 1000));
    let (server, session) = process(&mut trace, "mariadbd", 200, None, (0, 1000));
    let holder = trace.thread(server, "holder");
    trace.stack("recv", RECEIVES);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    let wait = "k:futex_wait < k:do_futex < pthread_cond_timedwait";
    trace.stack(
        "lock",
        &format!("{wait} < MDL_wait::timed_wait < MDL_context::acquire_lock < open_tables"),
    );
    trace.stack(
        "nap",
        &format!("{wait} < Interruptible_wait::wait < Item_func_sleep::val_int < JOIN::exec"),
    );
    trace.stack("read", &format!("{WAITS} < vio_read < do_command"));
    trace.play(client, "R10 W980:recv<mariadbd R10");
    trace.play(session, "W10:read<mariadb R5 W960:lock<holder R10 W15:read");
    trace.play(holder, "W970:nap<!@timer R30");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "Meanwhile mariadbd(200) waited for a database lock that another of its threads held: 96 % of the time",
            "Meanwhile mariadbd(200) slept: 96 % of the time",
        ],
    );
}

#[test]
fn the_session_itself_says_for_which_lock_it_waited() {
    let mut trace = sessions("W600:lock<!@timer R1 W359:lock<holder");
    trace.waited_for(ThreadId(1), Some(0), None);
    trace.tables = objects::object("pipe", "pipe:[4711]", None);
    let answer = explain_pid(&trace, 200);
    says(
        &answer,
        &["for a database lock: 96 % of the time", "holder(300)"],
    );
    // The pipe is only how it is woken.
    assert!(!answer.contains("4711"), "{answer}");
}
