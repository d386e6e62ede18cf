//! What is said of programs that look who listens, and of those that follow what others send.

use whyslow_model::TcpResult;
use whyslow_model::tables::TcpConnectionRow;

use super::connections::{CONNECTED, causes_of, naps, served_after, tried, waits};
use super::*;

#[test]
fn who_is_refused_everywhere_looks_who_listens() {
    let answer = |ports: i32| {
        let refused = |port| {
            [40, 290, 540, 790].map(|at| TcpConnectionRow {
                remote_port: Some(5432 + port),
                ..tried(TcpResult::Refused, (at, 1))
            })
        };
        let trace = waits(CONNECTED, &naps(), (0..ports).flat_map(refused).collect());
        (causes_of(&trace), explain_pid(&trace, 100))
    };
    let (causes, text) = answer(2);
    let refused = causes.iter().filter(|cause| *cause == "connect-refused");
    assert_eq!(refused.count(), 1, "{text}");
    says(&text, &["It tried other addresses in the same way: 1."]);
    let (causes, _) = answer(12);
    assert_eq!(causes[0], "sleep");
    assert!(
        !causes.contains(&"connect-refused".to_owned()),
        "{causes:?}"
    );
}

#[test]
fn who_follows_what_another_sends_waits_for_work() {
    let follows = |sends: i64| {
        let stack = "k:sk_wait_data < k:tcp_recvmsg < recv < follow < main";
        let play = "R10 W90:wait<server@asks ".repeat(10);
        let server = "W90 R10 ".repeat(10);
        let trace = served_after(sends, stack, (&play, &server), 900);
        causes_of(&trace)
    };
    assert!(
        !follows(0).contains(&"slow-peer".to_owned()),
        "{:?}",
        follows(0)
    );
    assert!(
        follows(10).contains(&"slow-peer".to_owned()),
        "{:?}",
        follows(10)
    );
}

#[test]
fn letters_from_a_connection_are_tiny_reads_and_messages_are_not() {
    const RECVFROM: i32 = 45;
    let answer = |receives: i64, sends: i64, partial: Option<i64>| {
        let row = TcpConnectionRow {
            receives,
            sends,
            small_receives: partial.map(|_| receives),
            partial_receives: partial,
            ..connections::made()
        };
        let mut trace = waits(CONNECTED, "R1000", vec![row]);
        trace.calls(ThreadId(0), (RECVFROM, 0), 500_000, Some(500_000), 700);
        explain_pid(&trace, 100)
    };
    let tiny = "It read one byte at a time, 500000 times: 70 % of the time";
    says(&answer(500_000, 10, None), &[tiny, "10.1.2.3:5432"]);
    let left = "After 98 % of its receives of less than 256 bytes, more data was already there.";
    says(&answer(500_000, 10, Some(490_000)), &[tiny, left]);
    // Each letter came alone: there was no more to receive.
    let text = answer(500_000, 10, Some(100));
    assert!(!text.contains("at a time"), "{text}");
    // Most come from one that sends messages; the letters of the other one are none of its.
    let of = |port: i32, receives: i64, partial_receives: i64| TcpConnectionRow {
        remote_port: Some(port),
        receives,
        sends: 10,
        small_receives: Some(receives),
        partial_receives: Some(partial_receives),
        ..connections::made()
    };
    let rows = vec![of(5432, 550_000, 55_000), of(5433, 450_000, 450_000)];
    let mut trace = waits(CONNECTED, "R1000", rows);
    trace.calls(ThreadId(0), (RECVFROM, 0), 1_000_000, Some(1_000_000), 700);
    let text = explain_pid(&trace, 100);
    assert!(!text.contains("at a time"), "{text}");
    // Datagrams are as long as their senders made them, and requests that are answered one by one are whole.
    for (receives, sends) in [(10, 10), (500_000, 500_000)] {
        let text = answer(receives, sends, None);
        assert!(!text.contains("at a time"), "{text}");
    }
}
