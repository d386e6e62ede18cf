//! What is said about servers that are looked at while they run on.

use whyslow_model::Table;

use super::*;

const SELECTS: &str = "k:do_select < k:core_sys_select < select < serve < main";
const LOCK: &str = "k:do_epoll_wait < epoll_wait < ProcSleep < update < main";
const NAP: &str = "k:do_nanosleep < clock_nanosleep < pay < view";

/// A server that ran before the recording and runs on; its first thread waits for connections.
fn server(main_does: &str) -> (Literal, ProcessId) {
    let mut trace = Literal::new(1000);
    let id = trace.process("desk", 100, None);
    let main = trace.thread(id, "desk");
    trace.threads[main.index()].os_tid = 100;
    trace.stack("select", SELECTS);
    trace.stack("lock", LOCK);
    trace.stack("nap", NAP);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("hot", "price < view");
    trace.play(main, main_does);
    trace.threads[main.index()].end_ns = None;
    (trace, id)
}

#[test]
fn a_process_that_works_counts_not_the_one_that_takes_connections() {
    let (mut trace, id) = server("W1000:select");
    let worker = trace.process("desk", 101, Some(id));
    let thread = trace.thread(worker, "desk");
    trace.threads[thread.index()].os_tid = 101;
    trace.play(thread, "W1000:lock");
    says(
        &explain_pid(&trace, 100),
        &["It waited for a database lock: 100 % of the time", "update"],
    );
}

#[test]
fn a_server_that_ends_after_the_part_that_is_looked_at_ran_on_in_it() {
    let (mut trace, id) = server("W900:select R100");
    let worker = trace.thread(id, "worker");
    trace.play(worker, "W900:lock R100");
    for row in &mut trace.threads {
        row.end_ns = Some(1000 * MS);
    }
    for row in &mut trace.processes {
        row.end_ns = Some(1000 * MS);
    }
    let target = Target {
        os_pid: Some(100),
        to_ns: Some(800 * MS),
        ..Target::default()
    };
    let trace = trace.raw("served");
    let answer = explain(&trace, &target).expect("an answer");
    says(
        &print(&answer),
        &["It waited for a database lock: 100 % of the time"],
    );
}

#[test]
fn a_pool_that_waits_for_something_to_do_is_idle() {
    let waits = [
        "k:futex_wait < k:do_futex < sem_wait < next_job < work < start_thread",
        "k:futex_wait < k:do_futex < __lll_lock_wait < accept_mutex < work < start_thread",
        "k:locks_lock_inode_wait < k:__do_sys_flock < flock < be_leader < work < start_thread",
    ];
    for waits in waits {
        let (mut trace, id) = server("W1000:select");
        trace.stack("job", waits);
        for name in ["one", "two"] {
            let thread = trace.thread(id, name);
            trace.play(thread, "W1000:job");
            trace.threads[thread.index()].end_ns = None;
        }
        let answer = explain_pid(&trace, 100);
        for words in ["semaphore", "a lock", "locked"] {
            assert!(!answer.contains(words), "{answer}");
        }
    }
}

#[test]
fn a_supervisor_that_looks_up_every_now_and_then_is_not_what_matters() {
    let looks = "W249:select<!@timer R1 ".repeat(4);
    let (mut trace, id) = server(&looks);
    let worker = trace.process("desk", 101, Some(id));
    let thread = trace.thread(worker, "desk");
    trace.threads[thread.index()].os_tid = 101;
    trace.play(thread, &"R10 W240:nap<!@timer ".repeat(4));
    says(
        &explain_pid(&trace, 100),
        &["It slept: 96 % of the time", "view → pay"],
    );
}

#[test]
fn the_sleep_of_a_thread_beside_one_that_waits_for_clients_is_its_own() {
    let (mut trace, id) = server("W1000:select");
    let crawler = trace.thread(id, "crawler");
    trace.play(crawler, &"R1 W99:nap<!@timer ".repeat(10));
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("slept"), "{answer}");
}

#[test]
fn requests_that_a_thread_each_serves_are_all_followed() {
    let (mut trace, id) = server("W500:select<!@timer W500:select<!@timer");
    for (name, from, to) in [("one", 20, 320), ("two", 330, 480)] {
        let thread = trace.thread(id, name);
        let row = &mut trace.threads[thread.index()];
        (row.start_ns, row.end_ns) = (Some(from * MS), Some(to * MS));
        trace.start(thread, from);
        trace.play(thread, &format!("R{}", to - from));
        trace.sample(thread, &(from..to).collect::<Vec<_>>(), "hot");
    }
    let answer = explain_pid(&trace, 100);
    says(&answer, &["on CPU 45 %"]);
    assert!(!answer.contains("is not known"), "{answer}");
}

#[test]
fn waits_at_a_listening_socket_when_the_recording_ends_are_for_clients() {
    let (mut trace, id) = server("");
    let main = ThreadId::from_index(0).expect("few");
    trace.play(main, "R300 W700:select");
    trace.states.last_mut().expect("one").object = Some(0);
    trace.processes[id.index()].end_ns = None;
    let row = whyslow_model::tables::WaitObjectRow {
        name: "127.0.0.1:80 (listening)".to_owned(),
        ..objects::row("tcp", "", None)
    };
    trace.tables.push(Table::from_rows([row]));
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("possible"), "{answer}");
}
