//! What is said of attempts to connect that a full listen queue drops.

use whyslow_model::tables::{LabelRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, Table, TcpResult, TcpSide};

use super::connections::{causes_of, tried};
use super::*;

const CONNECTS: &str = "k:inet_stream_connect < k:__x64_sys_connect < connect < reach < main";

/// A program that connects after a second, to a server of this machine or of another; `dropped`: how many attempts the
/// listening socket there dropped.
fn connects(address: &str, dropped: i64, connect_ms: Option<i64>) -> Literal {
    let mut trace = Literal::new(2000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 2000));
    let (server, thread) = process(&mut trace, "booking", 200, None, (0, 2000));
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("wait", CONNECTS);
    trace.play(main, "R100 W1500:wait<!@timer R400");
    trace.play(thread, "R500 W1500:wait<!@timer");
    let texts = [(0, address), (1, "0.0.0.0"), (2, "10.0.0.5")].map(|(id, text)| LabelRow {
        id: LabelId::from_index(id).expect("few"),
        text: text.to_owned(),
    });
    let result = match connect_ms {
        Some(_) => TcpResult::Ok,
        None => TcpResult::GivenUp,
    };
    let client = TcpConnectionRow {
        connect_ns: connect_ms.map(|ms| ms * MS),
        local_address: LabelId::from_index(2),
        retransmits: 1,
        syn_retransmits: Some(1),
        ..tried(result, (100, 1500))
    };
    let listener = TcpConnectionRow {
        process: Some(server),
        thread: Some(thread),
        duration_ns: None,
        side: TcpSide::Listening.code(),
        local_address: LabelId::from_index(1),
        local_port: client.remote_port,
        remote_address: None,
        remote_port: None,
        dropped: Some(dropped),
        backlog: Some(1),
        syn_retransmits: None,
        ..tried(TcpResult::Ok, (0, 2000))
    };
    trace.tables.push(Table::from_rows(texts));
    trace.tables.push(Table::from_rows(vec![client, listener]));
    trace
}

#[test]
fn a_full_listen_queue_is_told_with_its_server_and_backlog() {
    for connect_ms in [Some(1490), None] {
        let trace = connects("127.0.0.1", 3, connect_ms);
        assert!(!causes_of(&trace).contains(&"slow-peer".to_owned()));
        says(
            &explain_pid(&trace, 100),
            &[
                "It waited to connect to 127.0.0.1:5432 because the listen queue of booking(200) was full (backlog 1)",
                "repeated the attempt (SYN) once",
                "reach",
            ],
        );
    }
}

#[test]
fn the_question_behind_it_shows_the_attempts_and_the_queue() {
    let all = findings(&connects("127.0.0.1", 3, Some(1490)), 100);
    let queue = all.iter().find(|one| one.cause == "listen-queue");
    let evidence = &queue.expect("a finding").evidence;
    assert_eq!(
        evidence[0].query.to_string(),
        "whyslow tcp EXTRACT --process 'app;booking' \
         --columns process,side,peer,port,longest-connect,connect-repeats,dropped,backlog"
    );
}

#[test]
fn of_several_sockets_that_listen_there_one_is_only_likely_the_full_one() {
    let confidence = |trace: &Literal| {
        let all = findings(trace, 100).into_iter();
        let mut queues = all.filter(|one| one.cause == "listen-queue");
        queues.next().map(|one| one.confidence)
    };
    let mut trace = connects("127.0.0.1", 3, Some(1490));
    assert_eq!(confidence(&trace), Some(Confidence::Certain));
    let table = trace.tables.last_mut().expect("connections");
    let mut rows: Vec<TcpConnectionRow> = table.rows().collect();
    let other = TcpConnectionRow {
        dropped: Some(0),
        ..rows[1].clone()
    };
    rows.push(other);
    *table = Table::from_rows(rows);
    assert_eq!(confidence(&trace), Some(Confidence::Likely));
}

#[test]
fn without_a_drop_here_no_queue_is_blamed() {
    let blamed = |trace: &Literal| causes_of(trace).contains(&"listen-queue".to_owned());
    assert!(blamed(&connects("127.0.0.1", 3, Some(1490))));
    // It dropped nothing, or the packets went to another machine.
    for (address, dropped) in [("127.0.0.1", 0), ("10.9.9.9", 3)] {
        assert!(!blamed(&connects(address, dropped, Some(1490))));
    }
}
