//! Events of Microsoft-Windows-TCPIP, by control block.

use std::net::IpAddr;

use whyslow_etl::{Descriptor, Guid, Record, Value};
use whyslow_operations::seen_tcp::{Connection, Side};
use whyslow_perfdata::whyslow_events::TcpReport;

use super::{Connections, Ends};
use crate::etw::emitter::Emitter;
use crate::payload::etw::Fields;

/// Microsoft-Windows-TCPIP.
pub(in crate::etw) const TCPIP: Guid = Guid::new(
    0x2f07_e2ee,
    0x15db,
    0x40f1,
    [0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a],
);

/// Its events.
const REQUEST_CONNECT: u16 = 1002;
const ACCEPTED: u16 = 1017;
const CONNECTED: u16 = 1033;
const CONNECT_FAILED: u16 = 1034;
const CLOSED: u16 = 1038;
const ABORTED: u16 = 1039;
const SHUT_DOWN: u16 = 1044;
const TIMED_OUT: u16 = 1046;
const RECEIVED: u16 = 1074;
const RESET_IN_CONNECT: u16 = 1183;
const RUNDOWN: u16 = 1300;
const SENT: u16 = 1332;
const RETRANSMIT_ROUND: u16 = 1351;
const TAIL_LOSS_PROBE: u16 = 1385;
const SUMMARY: u16 = 1477;

pub(in crate::etw) const TCPIP_IDS: &[u16] = &[
    REQUEST_CONNECT,
    ACCEPTED,
    CONNECTED,
    CONNECT_FAILED,
    CLOSED,
    ABORTED,
    SHUT_DOWN,
    TIMED_OUT,
    RECEIVED,
    RESET_IN_CONNECT,
    RUNDOWN,
    SENT,
    RETRANSMIT_ROUND,
    TAIL_LOSS_PROBE,
    SUMMARY,
];

/// Errors of Linux for statuses of Windows.
const ERRORS: &[(u64, u32)] = &[
    (0xc000_0236, ECONNREFUSED),
    (0xc000_00b5, ETIMEDOUT),
    (0xc000_023c, EHOSTUNREACH),
    (0xc000_023d, EHOSTUNREACH),
    (0xc000_023e, EHOSTUNREACH),
    (0xc000_023f, EHOSTUNREACH),
    (0xc000_020d, ECONNRESET),
    (0xc000_0241, ECONNRESET),
];
const ECONNRESET: u32 = 104;
const ETIMEDOUT: u32 = 110;
const ECONNREFUSED: u32 = 111;
const EHOSTUNREACH: u32 = 113;
/// Any other error.
const EIO: u32 = 5;
/// The program gave up itself: no error.
const CANCELLED: u64 = 0xc000_0120;

impl Connections {
    /// Takes an event of Microsoft-Windows-TCPIP.
    pub(in crate::etw) fn provided(
        &mut self,
        record: &Record<'_>,
        of: &Descriptor,
        out: &mut Emitter<'_>,
    ) {
        let fields = Fields::of_provider(record, of);
        let block = fields.as_ref().and_then(|fields| fields.number("Tcb"));
        let (Some(fields), Some(block)) = (fields, block) else {
            return out.bad(record, "an event of a connection");
        };
        self.has_provider = true;
        let ns = out.ns(record.raw_time);
        let told = ends(&fields);
        let begins = matches!(of.id, REQUEST_CONNECT | ACCEPTED);
        if let Some(ends) = told {
            // The block may have stood for another connection before.
            let is_over = match of.id {
                REQUEST_CONNECT => Connection::is_over,
                _ => Connection::has_ended,
            };
            if begins && self.by_ends.get(&ends).is_some_and(is_over) {
                self.finish_one(ends, record, out);
            }
            let has_room = self.of_block.len() < self.most.saturating_mul(2);
            if has_room || self.of_block.contains_key(&block) {
                self.of_block.insert(block, ends);
            }
        }
        let Some(ends) = told.or_else(|| self.of_block.get(&block).copied()) else {
            // Of a connection whose addresses no event has told.
            return;
        };
        let Some(connection) = self.connection(ends, (ns, begins), record, out) else {
            return;
        };
        let pid = fields.id("ProcessId").or_else(|| fields.id("Pid"));
        if let Some(pid) = pid.filter(|&pid| pid != 0) {
            let own = record.process_id() == Some(pid);
            connection.owned_by(pid, record.thread_id().filter(|_| own));
        }
        if of.id == REQUEST_CONNECT {
            connection.attempted_by(record.process_id(), record.thread_id());
        }
        take(connection, of.id, ns, &fields);
        if of.id == SUMMARY {
            // The last event of a block.
            self.of_block.remove(&block);
        }
        self.tell_owner(ends, record, out);
    }
}

fn take(connection: &mut Connection, id: u16, ns: i64, fields: &Fields<'_>) {
    let number = |name| fields.number(name).unwrap_or(0);
    let sequence = |name| fields.id(name);
    match id {
        REQUEST_CONNECT => connection.begins(ns),
        ACCEPTED => connection.made(ns, Side::In),
        CONNECTED => match fields.number("Status") {
            Some(0) | None => connection.made(ns, Side::Out),
            Some(status) => fail(connection, ns, status),
        },
        CONNECT_FAILED => fail(connection, ns, number("Status")),
        RESET_IN_CONNECT => connection.failed(ns, ECONNREFUSED, TcpReport::RESET_RECEIVED),
        CLOSED => connection.ended(ns),
        SHUT_DOWN if number("Status") != 0 => fail(connection, ns, number("Status")),
        ABORTED => connection.failed(ns, ECONNRESET, TcpReport::RESET_RECEIVED),
        TIMED_OUT => connection.failed(ns, ETIMEDOUT, 0),
        RUNDOWN => connection.was_there(),
        SENT => {
            let bytes = number("BytesSent");
            match sequence("SeqNo") {
                Some(sequence) => connection.provider.sent_as(ns, bytes, sequence),
                None => connection.provider.sent(ns, bytes),
            }
        }
        RECEIVED => connection.provider.received(ns, number("NumBytes")),
        RETRANSMIT_ROUND | TAIL_LOSS_PROBE => {
            let first = sequence("SndUna");
            connection.provider.retransmitted(ns, first);
        }
        SUMMARY => connection.summed(number("DataBytesOut"), number("DataBytesIn")),
        _ => {}
    }
}

fn fail(connection: &mut Connection, ns: i64, status: u64) {
    let known = ERRORS.iter().find(|(of, _)| *of == status);
    match known {
        Some(&(_, error)) => connection.failed(ns, error, 0),
        None if status == CANCELLED || status == 0 => connection.ended(ns),
        None => connection.failed(ns, EIO, 0),
    }
}

/// Returns the addresses that an event states.
fn ends(fields: &Fields<'_>) -> Option<Ends> {
    let address = |name| match fields.value(name)? {
        Value::Socket(address) => Some((address.ip(), address.port())),
        _ => None,
    };
    let remote: (IpAddr, u16) = address("RemoteAddress")?;
    Some((address("LocalAddress")?, remote))
}
