//! Servers that start a process for each of their clients.

use whyslow_model::tables::TcpConnectionRow;
use whyslow_model::{Named, Table, TcpSide};

use super::connections::made;
use super::*;

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
    trace.tables.push(Table::from_rows(vec![client, its_end]));
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
