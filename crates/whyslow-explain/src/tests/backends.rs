//! Servers that start a process for each of their clients.

use whyslow_model::tables::TcpConnectionRow;
use whyslow_model::{Named, Table, TcpSide};

use super::connections::made;
use super::*;

const RECEIVES: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main";

/// A client whose connection a server takes and leaves to a process that it starts: that one is the first to
/// speak, and has something to do for 900 ms later.
fn client_of_a_forking_server() -> Literal {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (server, listens) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.processes[server.index()].start_ns = None;
    let (_, backend) = process(&mut trace, "backend", 300, Some(server), (10, 1000));
    trace.stack(
        "recv",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main",
    );
    trace.stack("listen", "k:ep_poll < k:do_epoll_wait < epoll_wait < serve");
    trace.play(listens, "W9:listen<app R991");
    trace.play(backend, "R30 W2:listen<app R898 W60:listen<app");
    trace.play(client, "R10 W30:recv<backend R2 W898:recv<backend R60");
    trace
}

#[test]
fn a_client_waits_for_the_process_that_serves_it() {
    let answer = explain_pid(&client_of_a_forking_server(), 100);
    says(
        &answer,
        &["1 It waited for replies from backend(300): 93 % of the time  certain"],
    );
}

#[test]
fn a_connection_is_with_the_process_that_serves_it() {
    let mut trace = client_of_a_forking_server();
    // The server does not wait: nothing but the connection shows who asks.
    let listens = ThreadId::from_index(1).expect("few");
    let others = std::mem::take(&mut trace.states).into_iter();
    trace.states = others.filter(|row| row.thread != listens).collect();
    let at = |answer: &str| answer.contains("waited for replies from backend(300)");
    assert!(!at(&explain_pid(&trace, 100)));
    let client = TcpConnectionRow {
        open_ns: 9 * MS,
        sends: 2,
        reply_ns: Some(928 * MS),
        ..made()
    };
    let its_end = TcpConnectionRow {
        process: ProcessId::from_index(1),
        side: TcpSide::In.code(),
        local_port: client.remote_port,
        remote_port: client.local_port,
        ..client
    };
    // A later connection was over before the process began.
    let over = TcpConnectionRow {
        open_ns: 9 * MS + 100,
        duration_ns: Some(MS / 2),
        local_port: Some(41_000),
        reply_ns: Some(0),
        ..client
    };
    let its_other_end = TcpConnectionRow {
        open_ns: over.open_ns,
        duration_ns: over.duration_ns,
        remote_port: over.local_port,
        ..its_end
    };
    let rows = vec![client, its_end, over, its_other_end];
    trace.tables.push(Table::from_rows(rows));
    assert!(at(&explain_pid(&trace, 100)));
}

#[test]
fn who_connected_to_a_service_that_runs_already_asks() {
    // The service was there before, and hears of the client last.
    let mut trace = connections::served(
        "k:ep_poll < k:do_epoll_wait < epoll_wait < uv__io_poll < uv_run",
        (
            "R50 W400:wait<server R50 W400:wait<server R100",
            "W20:asks<app R480 W50:asks<app R450",
        ),
        0,
    );
    let main = ProcessId::from_index(0).expect("few");
    let says_so = |trace: &Literal| explain_pid(trace, 100).contains("replies from server");
    let to_it = |table: &&mut Table| table.schema.name == "tcp_connection";
    let table = trace.tables.iter_mut().find(to_it).expect("connections");
    let mut rows: Vec<TcpConnectionRow> = table.rows().collect();
    for row in &mut rows {
        let is_its = row.process == Some(main);
        row.side = if is_its { TcpSide::In } else { TcpSide::Out }.code();
        (row.replies, row.reply_ns) = (None, None);
    }
    *table = Table::from_rows(rows);
    assert!(says_so(&trace), "a program that begins may have workers");
    trace.processes[main.index()].start_ns = None;
    assert!(!says_so(&trace));
}

#[test]
fn a_server_with_a_process_for_each_connection_is_one_peer() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (server, listens) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.processes[server.index()].start_ns = None;
    trace.stack("recv", RECEIVES);
    trace.stack("accept", "k:inet_csk_accept < k:do_accept < accept < serve");
    trace.stack("work", "k:do_nanosleep < clock_nanosleep < prepare < serve");
    let mut play = String::new();
    for (at, name) in ["first", "second", "third", "fourth"].iter().enumerate() {
        let from_ms = i64::try_from(at).expect("few") * 250;
        let life = (from_ms + 10, from_ms + 250);
        let pid = 300 + i32::try_from(at).expect("few");
        let (id, child) = process(&mut trace, name, pid, Some(server), life);
        trace.processes[id.index()].name = "server".to_owned();
        trace.play(child, "R5 W200:work<! R35");
        play.push_str(&format!("R10 W210:recv<{name} R30 "));
    }
    trace.play(listens, &"W9:accept<app R241 ".repeat(4));
    trace.play(client, &play);
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["1 It waited for replies from", "84 % of the time"],
    );
    assert_eq!(answer.matches("waited for replies").count(), 1, "{answer}");
}

#[test]
fn a_part_of_the_time_has_the_processes_that_were_there() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(main, "R1000");
    for at in 0..10 {
        let (_, child) = process(&mut trace, "step", 200 + at, Some(app), (0, 1000));
        trace.play(child, "R1");
        let row = &mut trace.processes[usize::try_from(at + 1).expect("few")];
        (row.start_ns, row.end_ns) = (
            Some(i64::from(at) * 100 * MS),
            Some((i64::from(at) * 100 + 1) * MS),
        );
    }
    let target = Target {
        os_pid: Some(100),
        from_ns: Some(250 * MS),
        to_ns: Some(650 * MS),
        ..Target::default()
    };
    let answer = explain(&trace.raw("t"), &target).expect("an answer");
    let Answer::Explained(answer) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(answer.processes, 5);
}
