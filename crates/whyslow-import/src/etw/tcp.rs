//! TCP connections: events of the kernel (or of its manifest provider Kernel-Network) and of
//! Microsoft-Windows-TCPIP, joined by addresses.
//!
//! The kernel's events have the process and what was sent and received; the provider's have the
//! attempts that failed, retransmissions by sequence number, and resets. Where a trace has both,
//! each figure comes from one of them.

mod provider;

use std::net::IpAddr;

pub(super) use whyslow_etl::kernel::TCP_EVENTS as KERNEL;
use whyslow_etl::kernel::Tcp as Told;
use whyslow_etl::kernel::hooks::{Hook, tcp_ip};
use whyslow_etl::{Descriptor, Guid, Record};
use whyslow_model::FastMap;
use whyslow_operations::seen_tcp::{Connection, Side};
use whyslow_stacks::StackRef;

use super::emitter::Emitter;
use crate::event::{EventKind, OperationEvent};
pub(super) use provider::{TCPIP, TCPIP_IDS};
use whyslow_etl::kernel::KernelRecord;

/// Microsoft-Windows-Kernel-Network.
pub(super) const KERNEL_NETWORK: Guid = Guid::new(
    0x7dd4_2a49,
    0x5329,
    0x4832,
    [0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88],
);

/// Its events that are read: their ids are the kernel's opcodes.
pub(super) const KERNEL_NETWORK_IDS: &[u16] = &[
    10, 11, 12, 13, 14, 15, 16, 18, 26, 27, 28, 29, 30, 31, 32, 34,
];

/// This end and the other end.
type Ends = ((IpAddr, u16), (IpAddr, u16));

/// The connections that are open, or ended not long ago.
#[derive(Debug)]
pub(super) struct Connections {
    by_ends: FastMap<Ends, Connection>,
    /// The connection of each control block at this time; the system reuses the blocks.
    of_block: FastMap<u64, Ends>,
    most: usize,
    newest: u64,
    /// Whether events of the kernel, or of Kernel-Network, report connections.
    has_kernel: bool,
    has_provider: bool,
}

impl Connections {
    /// Returns an empty set of at most about `most` connections.
    pub(super) fn new(most: u32) -> Self {
        Self {
            by_ends: FastMap::default(),
            of_block: FastMap::default(),
            most: usize::try_from(most).unwrap_or(usize::MAX),
            newest: 0,
            has_kernel: false,
            has_provider: false,
        }
    }

    /// Returns whether connections are recorded.
    pub(super) fn are_there(&self) -> bool {
        self.has_kernel || self.has_provider
    }

    /// Returns whether events of Microsoft-Windows-TCPIP are used.
    pub(super) fn uses_provider(&self) -> bool {
        self.has_provider
    }

    /// Takes an event of the kernel.
    pub(super) fn kernel(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        self.has_kernel = true;
        self.take(of.record, of.hook, out);
    }

    /// Takes an event of Kernel-Network.
    pub(super) fn network(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        self.has_kernel = true;
        let opcode = u8::try_from(of.id).unwrap_or(0);
        let group = tcp_ip::GROUP;
        self.take(record, Hook { group, opcode }, out);
    }

    fn take(&mut self, record: &Record<'_>, hook: Hook, out: &mut Emitter<'_>) {
        let Some(told) = Told::read(record.payload(), hook) else {
            return out.bad(record, "an event of a connection");
        };
        let ends = (told.local, told.remote);
        let ns = out.ns(record.raw_time);
        let side = match hook {
            tcp_ip::CONNECT | tcp_ip::CONNECT_V6 => Some(Side::Out),
            tcp_ip::ACCEPT | tcp_ip::ACCEPT_V6 => Some(Side::In),
            _ => None,
        };
        if side.is_some() {
            // The provider may have told of it already.
            let is_open = self.by_ends.get(&ends).is_some_and(Connection::may_be_made);
            if !is_open {
                self.finish_one(ends, record, out);
            }
        }
        let pid = Some(told.process_id).filter(|&pid| pid != u32::MAX);
        let Some(connection) = self.connection(ends, (ns, side.is_some()), record, out) else {
            return;
        };
        if let Some(pid) = pid {
            connection.owned_by(pid, None);
        }
        let size = u64::from(told.size);
        match hook {
            tcp_ip::SEND | tcp_ip::SEND_V6 => connection.kernel.sent(ns, size),
            tcp_ip::RECV | tcp_ip::RECV_V6 => connection.kernel.received(ns, size),
            tcp_ip::RETRANSMIT | tcp_ip::RETRANSMIT_V6 => connection.kernel.retransmitted(ns, None),
            tcp_ip::DISCONNECT | tcp_ip::DISCONNECT_V6 => connection.ended(ns),
            _ => {}
        }
        if let Some(side) = side {
            connection.made_by_kernel(ns, side);
        }
        self.tell_owner(ends, record, out);
    }

    /// Returns a connection, adding it if it is new; `None` at the limit.
    fn connection(
        &mut self,
        ends: Ends,
        (ns, is_new): (i64, bool),
        record: &Record<'_>,
        out: &mut Emitter<'_>,
    ) -> Option<&mut Connection> {
        if !self.by_ends.contains_key(&ends) {
            if self.by_ends.len() >= self.most {
                self.finish_ended(record, out);
            }
            if self.by_ends.len() >= self.most {
                out.refuse("connections: too many open at once");
                return None;
            }
            self.newest += 1;
            let new = Connection::new(self.newest, ns, is_new);
            self.by_ends.insert(ends, new);
        }
        self.by_ends.get_mut(&ends)
    }

    /// Tells whose a connection is, once that is known: later its process may be gone.
    fn tell_owner(&mut self, ends: Ends, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some(connection) = self.by_ends.get_mut(&ends) else {
            return;
        };
        if connection.is_owner_new() {
            push(connection, ends, record, out, false);
        }
    }

    /// Pushes a connection that is over.
    fn finish_one(&mut self, ends: Ends, record: &Record<'_>, out: &mut Emitter<'_>) {
        if let Some(mut connection) = self.by_ends.remove(&ends) {
            push(&mut connection, ends, record, out, true);
        }
    }

    /// Pushes the connections that have ended.
    fn finish_ended(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let all = self.by_ends.iter();
        let ended = all.filter(|(_, connection)| connection.has_ended());
        let mut ended: Vec<_> = ended.map(|(&ends, one)| (one.number, ends)).collect();
        ended.sort_unstable();
        for (_, ends) in ended {
            self.finish_one(ends, record, out);
        }
        self.of_block
            .retain(|_, ends| self.by_ends.contains_key(ends));
    }

    /// Ends the trace: what is open is pushed as it is.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) {
        let mut all: Vec<_> = self.by_ends.drain().collect();
        all.sort_unstable_by_key(|(_, connection)| connection.number);
        for (ends, mut connection) in all {
            let kind = event_of(&mut connection, ends, out, true);
            out.push_at_end(kind);
        }
    }
}

fn push(
    connection: &mut Connection,
    ends: Ends,
    record: &Record<'_>,
    out: &mut Emitter<'_>,
    is_end: bool,
) {
    let kind = event_of(connection, ends, out, is_end);
    out.push(record, kind);
}

fn event_of(
    connection: &mut Connection,
    (local, remote): Ends,
    out: &mut Emitter<'_>,
    is_end: bool,
) -> EventKind {
    let label = |(address, _): (IpAddr, u16), out: &mut Emitter<'_>| {
        let is_known = !address.is_unspecified();
        is_known.then(|| out.label(&address.to_string())).flatten()
    };
    let addresses = (label(local, out), label(remote, out));
    let ports = (local.1, remote.1);
    let event = connection.event(ports, addresses, is_end);
    let (tid, pid) = connection.owner();
    EventKind::Operation(OperationEvent {
        tid,
        pid,
        stack: StackRef::NONE,
        operation: event.into(),
    })
}
