//! Connections and look-ups of names in Windows traces: from the events of the kernel and of manifest
//! providers to the rows that Linux fills too.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use support::Outcome;
use whyslow_model::tables::{DnsQueryRow, NameLookupRow, ProcessRow, TcpConnectionRow};
use whyslow_model::{Named, ProblemKind, ProcessId, TcpFlags, TcpResult, TcpSide};
use whyslow_testkit::payload::{Tcp, TcpTail};
use whyslow_testkit::{Bytes, Manifest, T0, system};

use windows::{PID, TID, import, is_recorded, label, there};

const TCPIP: [u8; 16] = [
    0xee, 0xe2, 0x07, 0x2f, 0xdb, 0x15, 0xf1, 0x40, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a,
];
const KERNEL_NETWORK: [u8; 16] = [
    0x49, 0x2a, 0xd4, 0x7d, 0x29, 0x53, 0x32, 0x48, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88,
];
const DNS_CLIENT: [u8; 16] = [
    0x6e, 0x12, 0x95, 0x1c, 0xea, 0x7e, 0xa9, 0x49, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d,
];

fn provided(
    provider: [u8; 16],
    id: u16,
    ids: (u32, u32),
    time: i64,
    payload: &[u8],
) -> (i64, Vec<u8>) {
    let event = Manifest {
        wide: true,
        provider,
        id,
        ids,
        items: &[],
        payload,
    };
    let mut event = event.at(T0 + time);
    event[0x2a] = 0;
    (time, event)
}

fn process(outcome: &Outcome, id: Option<ProcessId>) -> String {
    let rows: Vec<ProcessRow> = outcome.rows();
    id.map_or("-".to_owned(), |id| rows[id.index()].os_pid.to_string())
}

/// Connections as text: process, side, ends, result, open, duration, connect; sends and receives.
fn connections(outcome: &Outcome) -> Vec<String> {
    let mut rows: Vec<TcpConnectionRow> = outcome.rows();
    rows.sort_by_key(|row| (row.open_ns, row.local_port));
    let number = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    let ticks = |ns: Option<i64>| number(ns.map(|ns| ns / 100));
    let rows = rows.into_iter().map(|row| {
        let side = TcpSide::from_code(row.side).unwrap().name();
        let result = TcpResult::from_code(row.result).unwrap().name();
        format!(
            "{} {side} {}:{} {}:{} {result} {} {} {} sent {}/{} got {}/{}",
            process(outcome, row.process),
            label(outcome, row.local_address),
            number(row.local_port.map(i64::from)),
            label(outcome, row.remote_address),
            number(row.remote_port.map(i64::from)),
            row.open_ns / 100,
            ticks(row.duration_ns),
            ticks(row.connect_ns),
            row.sends,
            row.sent_bytes,
            row.receives,
            row.received_bytes,
        )
    });
    rows.collect()
}

const OPTIONS: TcpTail = TcpTail::Options([1460, 1, 0, 1], 65535, [8, 8]);

/// An event of the kernel or, with another id, of Kernel-Network.
fn tcp(is_own: bool, time: i64, opcode: u8, port: u16, size: u32) -> (i64, Vec<u8>) {
    let of = Tcp {
        process_id: PID,
        size,
        to: ([10, 0, 0, 2], 443),
        from: ([10, 0, 0, 1], port),
        ..Tcp::default()
    };
    let tail = match opcode {
        10 => TcpTail::Times(1, 2),
        12 | 15 => OPTIONS,
        _ => TcpTail::None,
    };
    let payload = of.payload(true, tail);
    // The header does not say who it was.
    let nobody = (u32::MAX, u32::MAX);
    match is_own {
        true => {
            let hook = 0x0600 | u16::from(opcode);
            (time, system(true, hook, 2, T0 + time, nobody, &payload))
        }
        false => provided(KERNEL_NETWORK, opcode.into(), nobody, time, &payload),
    }
}

#[test]
fn the_kernels_events_of_a_connection_become_one_row() {
    for is_own in [true, false] {
        let mut events = there();
        let mut add = |time, opcode, port, size| events.push(tcp(is_own, time, opcode, port, size));
        add(100, 12, 5000, 0);
        add(110, 10, 5000, 100);
        add(150, 11, 5000, 3000);
        add(160, 10, 5000, 1000);
        add(300, 14, 5000, 1000);
        add(360, 11, 5000, 10);
        add(400, 13, 5000, 0);
        // The same port again: another connection, which stays open.
        add(500, 12, 5000, 0);
        add(510, 10, 5000, 7);
        // It was there before the trace.
        add(120, 11, 6000, 50);
        add(130, 15, 7000, 0);
        let outcome = import(events);
        assert_eq!(
            connections(&outcome),
            [
                "400 unknown 10.0.0.1:6000 10.0.0.2:443 ok 0 - - sent 0/0 got 1/50",
                "400 out 10.0.0.1:5000 10.0.0.2:443 ok 100 300 - sent 2/1100 got 2/3010",
                "400 in 10.0.0.1:7000 10.0.0.2:443 ok 130 - - sent 0/0 got 0/0",
                "400 out 10.0.0.1:5000 10.0.0.2:443 ok 500 - - sent 1/7 got 0/0",
            ]
        );
        let rows: Vec<TcpConnectionRow> = outcome.rows();
        let of_first = rows.iter().find(|row| row.retransmits > 0).unwrap();
        assert_eq!(
            (
                of_first.retransmits,
                of_first.retransmit_ns,
                of_first.longest_retransmit_ns
            ),
            (1, Some(14_000), Some(14_000))
        );
        // A reply comes 40 ticks after what was sent first, and 200 after the rest.
        assert_eq!(
            (of_first.replies, of_first.reply_ns),
            (Some(2), Some(24_000))
        );
        assert_eq!(is_recorded(&outcome, "connections"), "yes");
    }
}

#[test]
fn the_provider_does_not_count_twice_what_it_reports_before_the_kernel_does() {
    let mut events = there();
    events.push(tcp(false, 100, 11, 5000, 100));
    events.push(tcp(true, 101, 11, 5000, 100));
    events.push(tcp(false, 200, 11, 5000, 50));
    events.push(tcp(true, 201, 11, 5000, 50));
    let found = connections(&import(events));
    assert_eq!(
        found,
        ["400 unknown 10.0.0.1:5000 10.0.0.2:443 ok 0 - - sent 0/0 got 2/150"]
    );
}

fn socket(address: [u8; 4], port: u16) -> Bytes {
    let out = Bytes::default().u32(16).u16(2).bytes(&port.to_be_bytes());
    out.bytes(&address).zeros(8)
}

/// Local and remote address.
fn ends(port: u16, remote: [u8; 4]) -> Bytes {
    let local = socket([10, 0, 0, 1], port);
    local.bytes(&socket(remote, 443).0)
}

const GOOD: [u8; 4] = [10, 0, 0, 2];

/// 1002: block, addresses, state, retransmissions.
fn request(block: u64, port: u16, remote: [u8; 4]) -> Vec<u8> {
    let out = Bytes::default().u64(block).bytes(&ends(port, remote).0);
    out.u32(2).u32(0).0
}

/// 1017 and 1033 to 1046: addresses, status, process, compartment, block.
fn state(block: u64, port: u16, remote: [u8; 4], status: u32) -> Vec<u8> {
    let out = ends(port, remote).u32(status).u32(PID);
    out.u32(1).u64(block).0
}

fn numbers(block: u64, values: &[u32]) -> Vec<u8> {
    let out = Bytes::default().u64(block);
    values.iter().fold(out, |out, value| out.u32(*value)).0
}

#[test]
fn the_provider_tells_of_attempts_failures_and_retransmissions() {
    let ids = (PID, TID);
    let mut events = there();
    let mut add =
        |time, id, payload: Vec<u8>| events.push(provided(TCPIP, id, ids, time, &payload));
    // It takes 30 ticks to connect; a segment is sent again 90 and 200 ticks after it was sent.
    add(100, 1002, request(0xa0, 5000, GOOD));
    add(130, 1033, state(0xa0, 5000, GOOD, 0));
    add(140, 1332, numbers(0xa0, &[10, 100, 500, 7000, 0, 0, 0]));
    add(150, 1332, numbers(0xa0, &[10, 100, 300, 7500, 0, 0, 0]));
    add(230, 1351, numbers(0xa0, &[7000, 1, 0, 0]));
    add(350, 1385, numbers(0xa0, &[7500, 7800, 0, 0, 0, 0]));
    add(400, 1074, numbers(0xa0, &[64, 1]));
    add(500, 1038, state(0xa0, 5000, GOOD, 0));
    // Its block is used again at once, by an attempt that is refused.
    add(510, 1002, request(0xa0, 5001, [10, 0, 0, 3]));
    add(540, 1034, state(0xa0, 5001, [10, 0, 0, 3], 0xc000_0236));
    // Nobody answers.
    add(600, 1002, request(0xb0, 5002, [10, 0, 0, 4]));
    add(9600, 1034, state(0xb0, 5002, [10, 0, 0, 4], 0xc000_00b5));
    // It is reset.
    add(700, 1017, state(0xc0, 5003, GOOD, 0));
    add(720, 1332, numbers(0xc0, &[10, 100, 50, 1, 0, 0, 0]));
    add(800, 1039, state(0xc0, 5003, GOOD, 0xc000_020d));
    // Still being connected when the trace ends.
    add(900, 1002, request(0xd0, 5004, [10, 0, 0, 5]));
    // Of a connection that no event names.
    add(910, 1332, numbers(0xee, &[10, 100, 50, 1, 0, 0, 0]));
    let outcome = import(events);
    assert_eq!(
        connections(&outcome),
        [
            "400 out 10.0.0.1:5000 10.0.0.2:443 ok 100 400 30 sent 2/800 got 1/64",
            "400 out 10.0.0.1:5001 10.0.0.3:443 refused 510 30 - sent 0/0 got 0/0",
            "400 out 10.0.0.1:5002 10.0.0.4:443 timed out 600 9000 - sent 0/0 got 0/0",
            "400 in 10.0.0.1:5003 10.0.0.2:443 reset 700 100 - sent 1/50 got 0/0",
            "400 out 10.0.0.1:5004 10.0.0.5:443 pending 900 - - sent 0/0 got 0/0",
        ]
    );
    let rows: Vec<TcpConnectionRow> = outcome.rows();
    let again = rows.iter().find(|row| row.retransmits > 0).unwrap();
    assert_eq!(
        (
            again.retransmits,
            again.retransmit_ns,
            again.longest_retransmit_ns
        ),
        (2, Some(29_000), Some(20_000))
    );
    let reset = rows
        .iter()
        .filter(|row| TcpFlags(row.flags).has(TcpFlags::RESET_RECEIVED));
    assert_eq!(reset.count(), 1);
    assert_eq!(outcome.count(ProblemKind::BadRecord), 0);
}

#[test]
fn both_sources_tell_of_one_connection() {
    let mut events = there();
    let ids = (PID, TID);
    events.push(provided(TCPIP, 1002, ids, 100, &request(0xa0, 5000, GOOD)));
    events.push(provided(TCPIP, 1033, ids, 130, &state(0xa0, 5000, GOOD, 0)));
    events.push(tcp(true, 131, 12, 5000, 0));
    events.push(tcp(true, 140, 10, 5000, 800));
    let sent = numbers(0xa0, &[10, 100, 800, 7000, 0, 0, 0]);
    events.push(provided(TCPIP, 1332, ids, 141, &sent));
    let again = numbers(0xa0, &[7000, 1, 0, 0]);
    events.push(provided(TCPIP, 1351, ids, 241, &again));
    events.push(tcp(true, 241, 14, 5000, 800));
    events.push(provided(TCPIP, 1038, ids, 300, &state(0xa0, 5000, GOOD, 0)));
    events.push(tcp(true, 302, 13, 5000, 0));
    let outcome = import(events);
    assert_eq!(
        connections(&outcome),
        ["400 out 10.0.0.1:5000 10.0.0.2:443 ok 100 200 30 sent 1/800 got 0/0"]
    );
    let rows: Vec<TcpConnectionRow> = outcome.rows();
    assert_eq!(
        (rows[0].retransmits, rows[0].retransmit_ns),
        (1, Some(10_000))
    );
}

fn look_up(name: &str, kind: u32) -> Bytes {
    Bytes::default().utf16(name).u32(kind).u64(0)
}

fn begin(name: &str, kind: u32) -> Vec<u8> {
    look_up(name, kind).utf16("").u32(1).u32(0).u32(0).u32(0).0
}

fn done(name: &str, kind: u32, status: u32) -> Vec<u8> {
    look_up(name, kind).u32(status).utf16("1.2.3.4;").0
}

#[test]
fn look_ups_of_several_types_at_once_are_kept_apart() {
    let ids = (PID, TID);
    let mut events = there();
    let mut add = |time, id, payload: Vec<u8>| {
        events.push(provided(DNS_CLIENT, id, ids, time, &payload));
    };
    add(100, 3006, begin("shop.example", 1));
    add(101, 3006, begin("shop.example", 28));
    add(300, 3008, done("shop.example", 1, 0));
    add(700, 3008, done("shop.example", 28, 9501));
    add(800, 3006, begin("nobody.example", 1));
    add(900, 3008, done("nobody.example", 1, 9003));
    add(910, 3006, begin("slow.example", 1));
    // It began before the trace.
    add(920, 3008, done("early.example", 1, 0));
    add(5000, 3006, begin("last.example", 1));
    let outcome = import(events);
    let mut rows: Vec<NameLookupRow> = outcome.rows();
    rows.sort_by_key(|row| (row.time_ns, row.record_type));
    let rows = rows.into_iter().map(|row| {
        let (from, ticks) = (row.time_ns / 100, row.duration_ns / 100);
        let (kind, result) = (row.record_type.unwrap(), row.result);
        let (who, name) = (process(&outcome, row.process), label(&outcome, row.name));
        format!("{who} {name} {kind} {from} {ticks} {result}")
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "400 shop.example 1 100 200 0",
            "400 shop.example 28 101 599 -5",
            "400 nobody.example 1 800 100 -2",
            "400 slow.example 1 910 4090 -100",
            "400 last.example 1 5000 0 -100",
        ]
    );
    assert_eq!(is_recorded(&outcome, "name look-ups"), "yes");
    assert_eq!(is_recorded(&outcome, "queries to name servers"), "no");
}

#[test]
fn a_look_up_whose_end_was_lost_takes_no_later_one() {
    let mut events = there();
    for (time, id, payload) in [
        (100, 3006, begin("shop.example", 1)),
        (60_000, 3006, begin("shop.example", 1)),
        (60_050, 3008, done("shop.example", 1, 0)),
        (70_000, 3006, begin("shop.example", 1)),
        (70_010, 3008, done("shop.example", 1, 0)),
    ] {
        events.push(provided(DNS_CLIENT, id, (PID, TID), time, &payload));
    }
    let rows: Vec<NameLookupRow> = import(events).rows();
    let mut times: Vec<_> = rows
        .iter()
        .map(|row| (row.time_ns / 100, row.duration_ns / 100))
        .collect();
    times.sort_unstable();
    assert_eq!(times, [(60_000, 50), (70_000, 10)]);
}

#[test]
fn queries_tell_which_server_answered_and_which_did_not() {
    let ids = (PID, TID);
    let mut events = there();
    let mut add = |time, id, payload: Vec<u8>| {
        events.push(provided(DNS_CLIENT, id, ids, time, &payload));
    };
    let sent = |name: &str, server: &str| Bytes::default().utf16(name).u32(1).utf16(server);
    add(100, 3010, sent("shop.example", "10.0.0.53").0);
    let timed_out = Bytes::default().utf16("shop.example");
    add(
        10_100,
        1015,
        timed_out.bytes(&socket([10, 0, 0, 53], 53).0).0,
    );
    add(10_200, 3010, sent("shop.example", "10.0.0.54").0);
    add(10_500, 3011, sent("shop.example", "10.0.0.54").u32(0).0);
    add(20_000, 3010, sent("nobody.example", "10.0.0.54").0);
    add(
        20_040,
        3011,
        sent("nobody.example", "10.0.0.54").u32(9003).0,
    );
    let outcome = import(events);
    let mut rows: Vec<DnsQueryRow> = outcome.rows();
    rows.sort_by_key(|row| row.time_ns);
    let rows = rows.into_iter().map(|row| {
        let ticks = row.duration_ns.map(|ns| ns / 100);
        let (name, server) = (label(&outcome, row.name), label(&outcome, row.server));
        format!("{name} {server} {ticks:?} {:?}", row.response_code)
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "shop.example 10.0.0.53 None None",
            "shop.example 10.0.0.54 Some(300) Some(0)",
            "nobody.example 10.0.0.54 Some(40) Some(3)",
        ]
    );
    assert_eq!(is_recorded(&outcome, "queries to name servers"), "yes");
}

#[test]
fn payloads_cut_off_anywhere_are_counted_or_read_but_never_stop_the_import() {
    let ids = (PID, TID);
    let whole = [
        (TCPIP, 1002, request(0xa0, 5000, GOOD)),
        (TCPIP, 1033, state(0xa0, 5000, GOOD, 0)),
        (TCPIP, 1332, numbers(0xa0, &[10, 100, 500, 7000, 0, 0, 0])),
        (TCPIP, 1351, numbers(0xa0, &[7000, 1, 0, 0])),
        (DNS_CLIENT, 3006, begin("shop.example", 1)),
        (DNS_CLIENT, 3008, done("shop.example", 1, 0)),
    ];
    let mut events = there();
    for (provider, id, payload) in &whole {
        for keep in 0..payload.len() {
            events.push(provided(*provider, *id, ids, 100, &payload[..keep]));
        }
    }
    for keep in 0..60 {
        let (_, mut event) = tcp(true, 100, 12, 5000, 0);
        let size = u16::try_from(32 + keep).unwrap();
        event.truncate(usize::from(size));
        event[4..6].copy_from_slice(&size.to_le_bytes());
        events.push((100, event));
    }
    let outcome = import(events);
    assert!(outcome.count(ProblemKind::BadRecord) > 50);
}
