//! `tcp` and `dns`.

use whyslow_model::tables::{DnsQueryRow, LabelRow, NameLookupRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, Table, TcpResult, TcpSide};

use super::*;

fn label(id: i32, text: &str) -> LabelRow {
    LabelRow {
        id: LabelId(id),
        text: text.to_owned(),
    }
}

/// An end of a connection from port 4000 to port 80, both at label 0, with ten replies of 2 ms.
fn end(owner: (u32, u32), side: TcpSide, result: TcpResult) -> TcpConnectionRow {
    let id = |id: u32| i32::try_from(id).unwrap();
    let is_out = side == TcpSide::Out;
    let (local_port, remote_port) = if is_out { (4000, 80) } else { (80, 4000) };
    let has_replies = is_out && result == TcpResult::Ok;
    TcpConnectionRow {
        open_ns: 50 * MS,
        process: Some(ProcessId(id(owner.0))),
        thread: Some(ThreadId(id(owner.1))),
        duration_ns: Some(100 * MS),
        side: side.code(),
        local_address: Some(LabelId(0)),
        local_port: Some(local_port),
        remote_address: Some(LabelId(0)),
        remote_port: Some(remote_port),
        result: result.code(),
        connect_ns: (is_out && result == TcpResult::Ok).then_some(MS),
        flags: 0,
        sends: 10,
        sent_bytes: 1000,
        small_sends: Some(10),
        receives: 10,
        received_bytes: 3000,
        retransmits: 0,
        retransmit_ns: Some(0),
        longest_retransmit_ns: Some(0),
        replies: has_replies.then_some(10),
        reply_ns: has_replies.then_some(20 * MS),
        longest_reply_ns: has_replies.then_some(9 * MS),
        held_replies: Some(0),
        held_ns: Some(0),
        answers: Some(0),
        answer_ns: Some(0),
        round_trip_ns: None,
        window_segments: None,
        dropped: None,
        backlog: None,
        syn_retransmits: Some(0),
        small_receives: None,
        partial_receives: None,
    }
}

fn with(tables: [Table; 2], capabilities: &[Capability]) -> MemoryTrace {
    let mut scene = scene();
    for &capability in capabilities {
        scene.capabilities.set(capability);
    }
    let mut trace = scene.trace("t");
    for table in tables {
        trace.put(table);
    }
    trace
}

fn connections() -> MemoryTrace {
    let (daemon, cc) = ((0, 0), (2, 2));
    let rows = [
        end(daemon, TcpSide::In, TcpResult::Ok),
        end(cc, TcpSide::Out, TcpResult::Ok),
        end(cc, TcpSide::Out, TcpResult::Refused),
        end(cc, TcpSide::Out, TcpResult::Refused),
    ];
    let labels = Table::from_rows([label(0, "127.0.0.1")]);
    with([Table::from_rows(rows), labels], &[Capability::Connections])
}

#[test]
fn connections_add_up_by_peer_and_result_and_name_the_other_end() {
    let table = ask("tcp", &connections(), &Selection::default());
    let words = [
        "process",
        "side",
        "peer",
        "port",
        "peer-process",
        "result",
        "connections",
        "sent",
        "replies",
        "reply",
        "longest-reply",
    ];
    assert_eq!(
        cells(&table, &words),
        [
            "cc out 127.0.0.1:80 - daemon ok 1 1000 10 2 9",
            "daemon in 127.0.0.1 80 cc ok 1 1000 0 - -",
            "cc out 127.0.0.1:80 - daemon refused 2 2000 0 - -",
        ]
    );
}

#[test]
fn connections_are_chosen_by_peer_and_result_or_listed() {
    let count = |given: &[(&str, ArgumentValue)]| {
        let outcome = put("tcp", &connections(), &Selection::default(), given);
        cells(&outcome.table().unwrap(), &["connections", "result"])
    };
    assert_eq!(count(&[("failed", ArgumentValue::Given)]), ["2 refused"]);
    assert_eq!(count(&[("list", ArgumentValue::Given)]).len(), 4);
    let pattern = |text: &str| [("peer", ArgumentValue::Pattern(text.to_owned()))];
    assert_eq!(count(&pattern("*:80")).len(), 2);
    assert_eq!(count(&pattern("10.*")).len(), 0);
}

#[test]
fn small_receives_add_up_and_the_smallest_window_counts() {
    let mut trace = connections();
    let small = |small, partial, window| TcpConnectionRow {
        small_receives: small,
        partial_receives: partial,
        window_segments: window,
        ..end((2, 2), TcpSide::Out, TcpResult::Ok)
    };
    let rows = [
        small(Some(5), Some(4), Some(10)),
        small(Some(2), Some(0), Some(2)),
        small(None, None, None),
    ];
    trace.put(Table::from_rows(rows));
    let words = [
        "connections",
        "small-receives",
        "partial-receives",
        "window",
    ];
    let table = ask("tcp", &trace, &Selection::default());
    assert_eq!(cells(&table, &words), ["3 7 4 2"]);
}

#[test]
fn a_full_queue_shows_at_both_ends() {
    let (daemon, cc) = ((0, 0), (2, 2));
    let tried = |syn_retransmits| TcpConnectionRow {
        syn_retransmits,
        ..end(cc, TcpSide::Out, TcpResult::Ok)
    };
    let listens = |dropped, backlog| TcpConnectionRow {
        remote_address: None,
        remote_port: None,
        dropped,
        backlog,
        ..end(daemon, TcpSide::Listening, TcpResult::Ok)
    };
    let rows = [
        tried(Some(2)),
        tried(Some(1)),
        // How often the other end repeated its attempts is not known here.
        end(daemon, TcpSide::In, TcpResult::Ok),
        listens(Some(3), Some(5)),
        listens(Some(1), Some(1)),
    ];
    let labels = Table::from_rows([label(0, "127.0.0.1")]);
    let trace = with([Table::from_rows(rows), labels], &[Capability::Connections]);
    let words = ["process", "side", "connect-repeats", "dropped", "backlog"];
    let ask = |trace| cells(&ask("tcp", trace, &Selection::default()), &words);
    let mut rows = ask(&trace);
    rows.sort();
    assert_eq!(
        rows,
        ["cc out 3 - -", "daemon in - - -", "daemon listening - 4 1",]
    );
    // A recording of another system does not say.
    let labels = Table::from_rows([label(0, "127.0.0.1")]);
    let rows = Table::from_rows([tried(None)]);
    let trace = with([rows, labels], &[Capability::Connections]);
    assert_eq!(ask(&trace), ["cc out - - -"]);
}

fn query(time_ns: i64, answer: Option<(i64, i32)>, attempts: i32) -> DnsQueryRow {
    DnsQueryRow {
        time_ns,
        process: Some(ProcessId(2)),
        thread: Some(ThreadId(2)),
        duration_ns: answer.map(|(ns, _)| ns),
        server: Some(LabelId(0)),
        name: Some(LabelId(1)),
        record_type: Some(28),
        response_code: answer.map(|(_, code)| code),
        answers: answer.map(|_| 0),
        attempts,
        flags: 0,
    }
}

#[test]
fn look_ups_that_overlap_count_once() {
    let queries = [
        query(50 * MS, Some((20 * MS, 0)), 1),
        query(60 * MS, Some((20 * MS, 0)), 1),
        query(90 * MS, Some((5 * MS, 3)), 1),
        query(100 * MS, None, 2),
    ];
    let labels = [label(0, "10.0.0.53"), label(1, "shop.example")];
    let tables = [Table::from_rows(queries), Table::from_rows(labels)];
    let mut trace = with(tables, &[Capability::DnsQueries, Capability::NameLookups]);
    trace.put(Table::from_rows([NameLookupRow {
        time_ns: 50 * MS,
        process: Some(ProcessId(2)),
        thread: Some(ThreadId(2)),
        duration_ns: 30 * MS,
        name: Some(LabelId(1)),
        result: -2,
        record_type: None,
    }]));
    let words = [
        "kind", "server", "result", "count", "attempts", "time", "sum", "name",
    ];
    let table = ask("dns", &trace, &Selection::default());
    assert_eq!(
        cells(&table, &words),
        [
            "AAAA 10.0.0.53 ok 2 2 30 40 shop.example",
            "call - no such name 1 - 30 30 shop.example",
            "AAAA 10.0.0.53 no such name 1 1 5 5 shop.example",
            "AAAA 10.0.0.53 no answer 1 2 0 0 shop.example",
        ]
    );
    let given = [("failed", ArgumentValue::Given)];
    let outcome = put("dns", &trace, &Selection::default(), &given);
    assert_eq!(outcome.table().unwrap().rows.len(), 3);
}
