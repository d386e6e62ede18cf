//! Datagrams (UDP) in Windows traces.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::{DatagramRow, ProblemRow, ProcessRow};
use whyslow_model::{DatagramWay, Named};
use whyslow_testkit::payload::{Tcp, TcpTail, udp_v6};
use whyslow_testkit::{Manifest, T0, system};

use support::Outcome;
use windows::{PID, import, is_recorded, label, there};

/// Opcodes.
const SEND: u16 = 10;
const RECEIVE: u16 = 11;
const SEND_V6: u16 = 26;
const RECEIVE_V6: u16 = 27;

const KERNEL_NETWORK: [u8; 16] = [
    0x49, 0x2a, 0xd4, 0x7d, 0x29, 0x53, 0x32, 0x48, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88,
];

/// A datagram between port 5000 of this machine and port 53 of a name server; no thread is known.
fn event(at: i64, opcode: u16, size: u32) -> (i64, Vec<u8>) {
    let mut of = of(size);
    if opcode == RECEIVE {
        (of.to, of.from) = (of.from, of.to);
    }
    let payload = of.payload(true, TcpTail::None);
    let ids = (u32::MAX, u32::MAX);
    (at, system(true, 0x0800 | opcode, 2, T0 + at, ids, &payload))
}

fn of(size: u32) -> Tcp {
    Tcp {
        process_id: PID,
        size,
        to: ([10, 0, 0, 53], 53),
        from: ([10, 0, 0, 1], 5000),
        ..Tcp::default()
    }
}

/// Rows as text: process, when, how long, way, ends, count, bytes.
fn lines(outcome: &Outcome) -> Vec<String> {
    let processes: Vec<ProcessRow> = outcome.rows();
    let rows: Vec<DatagramRow> = outcome.rows();
    let port = |port: Option<i32>| port.map_or("-".to_owned(), |port| port.to_string());
    let lines = rows.into_iter().map(|row| {
        let process = row.process.map(|id| processes[id.index()].name.clone());
        format!(
            "{} {}+{} {} {} {} > {} {} {} {}",
            process.unwrap_or("-".to_owned()),
            row.from_ns / 100,
            row.duration_ns / 100,
            DatagramWay::from_code(row.way).unwrap().name(),
            label(outcome, row.local_address),
            port(row.local_port),
            label(outcome, row.remote_address),
            port(row.remote_port),
            row.count,
            row.bytes,
        )
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines
}

#[test]
fn datagrams_are_counted_by_process_way_and_ends() {
    const GROUP: [u8; 16] = [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc];
    let mut events = there();
    events.push(event(100, SEND, 40));
    events.push(event(110, SEND, 42));
    events.push(event(120, RECEIVE, 300));
    for (at, opcode, size) in [(130, SEND_V6, 7), (140, RECEIVE_V6, 9)] {
        let payload = udp_v6(true, (PID, size), (GROUP, 1900), ([0; 16], 1901));
        let ids = (u32::MAX, u32::MAX);
        events.push((at, system(true, 0x0800 | opcode, 2, T0 + at, ids, &payload)));
    }
    // A process that the trace does not know.
    let unknown = Tcp {
        process_id: 77,
        ..of(5)
    };
    let payload = unknown.payload(true, TcpTail::None);
    events.push((
        150,
        system(true, 0x0800 | SEND, 2, T0 + 150, (0, 0), &payload),
    ));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            "- 150+0 sent 10.0.0.1 5000 > 10.0.0.53 53 1 5",
            "writer.exe 100+40 received 10.0.0.1 5000 > 10.0.0.53 53 1 300",
            "writer.exe 100+40 received ff02::c 1900 > - 1901 1 9",
            "writer.exe 100+40 sent - 1901 > ff02::c 1900 1 7",
            "writer.exe 100+40 sent 10.0.0.1 5000 > 10.0.0.53 53 2 82",
        ]
    );
    assert_eq!(is_recorded(&outcome, "datagrams"), "yes");
    // They are no connections.
    assert_eq!(is_recorded(&outcome, "connections"), "no");
}

#[test]
fn the_manifest_provider_reports_them_too_but_the_kernel_counts() {
    let sent = of(40).payload(true, TcpTail::None);
    let provided = |at: i64| {
        let event = Manifest {
            wide: true,
            provider: KERNEL_NETWORK,
            id: 42,
            ids: (u32::MAX, u32::MAX),
            items: &[],
            payload: &sent,
        };
        (at, event.at(T0 + at))
    };
    let mut events = there();
    events.push(provided(100));
    let outcome = import(events);
    let expected = ["writer.exe 100+0 sent 10.0.0.1 5000 > 10.0.0.53 53 1 40"];
    assert_eq!(lines(&outcome), expected);
    assert_eq!(is_recorded(&outcome, "datagrams"), "yes");
    let mut events = there();
    events.push(event(100, SEND, 40));
    events.push(provided(101));
    assert_eq!(lines(&import(events)), expected);
    // Also those that come before the kernel's first one, which may be about a connection.
    let mut events = there();
    events.push(provided(99));
    events.push(event(100, SEND, 40));
    assert_eq!(lines(&import(events)), expected);
    let payload = of(1).payload(true, TcpTail::None);
    let connection = system(true, 0x0600 | SEND, 2, T0 + 100, (0, 0), &payload);
    let mut events = there();
    events.push(provided(99));
    events.push((100, connection));
    assert_eq!(lines(&import(events)), [""; 0]);
}

#[test]
fn long_exchanges_have_a_row_for_about_each_second() {
    const SECOND: i64 = 10_000_000;
    let mut events = there();
    for at in 0..40 {
        events.push(event(100 + at * SECOND / 10, SEND, 10));
    }
    let rows: Vec<DatagramRow> = import(events).rows();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows.iter().map(|row| row.count).sum::<i64>(), 40);
    assert_eq!(rows.iter().map(|row| row.bytes).sum::<i64>(), 400);
}

#[test]
fn datagrams_of_a_real_trace_are_complete() {
    let Some(dir) = real::folder() else { return };
    let outcome = real::import(&[dir.join("perfview/net.4.5.2.x64.etl")]);
    let rows: Vec<DatagramRow> = outcome.rows();
    let count = |way: DatagramWay| {
        let rows = rows.iter().filter(|row| row.way == way.code());
        rows.map(|row| row.count).sum::<i64>()
    };
    // As another reader counts the events: 1 and 6 of both address families, 19 and 10.
    let counts = (count(DatagramWay::Sent), count(DatagramWay::Received));
    assert_eq!(counts, (7, 29));
    assert!(rows.iter().all(|row| row.process.is_some()));
    // A question to a group, from another machine; and one of this machine.
    let found = lines(&outcome);
    let asked = "received 239.255.255.250 1900 > 10.128.0.117 60441";
    assert!(found.iter().any(|line| line.contains(asked)), "{found:#?}");
    let own = "sent 10.128.0.55 138 > 10.128.3.255 138 1 201";
    assert!(found.iter().any(|line| line.contains(own)), "{found:#?}");
}

#[test]
fn an_event_that_is_cut_leaves_the_others_alone() {
    let payload = of(40).payload(true, TcpTail::None);
    for length in 0..payload.len() {
        let mut events = there();
        events.push(event(100, RECEIVE, 300));
        let ids = (u32::MAX, u32::MAX);
        let cut = system(true, 0x0800 | SEND, 2, T0 + 200, ids, &payload[..length]);
        events.push((200, cut));
        let outcome = import(events);
        let found = lines(&outcome);
        assert!(found[0].contains("received"), "{length}: {found:?}");
        let problems: Vec<ProblemRow> = outcome.rows();
        let bad = problems.iter();
        let bad = bad.filter(|row| row.detail.contains("an event of a datagram"));
        // Process, size, addresses and ports are needed.
        assert_eq!(bad.count(), usize::from(length < 20), "{length}");
    }
}
