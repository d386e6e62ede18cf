//! Datagrams (UDP): events of the kernel, or of its manifest provider Kernel-Network.

use std::net::IpAddr;

pub(super) use whyslow_etl::kernel::DATAGRAM_EVENTS as KERNEL;
use whyslow_etl::kernel::hooks::{Hook, udp_ip};
use whyslow_etl::kernel::{KernelRecord, Tcp as Told};
use whyslow_etl::{Descriptor, Record};
use whyslow_model::DatagramWay;
use whyslow_operations::DatagramEvent;

use super::emitter::Emitter;

/// The events of Kernel-Network that are read.
pub(super) const NETWORK_IDS: &[u16] = &[42, 43, 58, 59];
/// Difference between its ids and the kernel's opcodes.
const NETWORK: u16 = 32;

/// Whose events report datagrams.
#[derive(Debug, Default)]
pub(super) struct Datagrams {
    /// The kernel's own events do; those of Kernel-Network would count twice.
    has_own: bool,
    has_network: bool,
}

impl Datagrams {
    /// Returns whether datagrams are recorded.
    pub(super) fn are_there(&self) -> bool {
        self.has_own || self.has_network
    }

    /// Returns whether events of Kernel-Network are used.
    pub(super) fn uses_network(&self) -> bool {
        self.has_network && !self.has_own
    }

    /// Takes an event of the kernel.
    pub(super) fn kernel(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        self.has_own = true;
        take(of.record, of.hook, out);
    }

    /// Takes an event of Kernel-Network.
    pub(super) fn network(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        self.has_network = true;
        let opcode = of.id.checked_sub(NETWORK).map(u8::try_from);
        if let (Some(Ok(opcode)), false) = (opcode, self.has_own) {
            let group = udp_ip::GROUP;
            take(record, Hook { group, opcode }, out);
        }
    }
}

fn take(record: &Record<'_>, hook: Hook, out: &mut Emitter<'_>) {
    let Some(told) = Told::read(record.payload(), hook) else {
        return out.bad(record, "an event of a datagram");
    };
    let end = |(address, port): (IpAddr, u16), out: &mut Emitter<'_>| {
        let is_known = !address.is_unspecified();
        let label = is_known.then(|| out.label(&address.to_string()));
        (label.flatten(), port)
    };
    // The ends are those of the datagram: from the source to the destination.
    let (destination, source) = (end(told.remote, out), end(told.local, out));
    let is_sent = matches!(hook, udp_ip::SEND | udp_ip::SEND_V6);
    let (way, local, remote) = match is_sent {
        true => (DatagramWay::Sent, source, destination),
        false => (DatagramWay::Received, destination, source),
    };
    let event = DatagramEvent {
        pid: told.process_id,
        way,
        local,
        remote,
        bytes: told.size,
    };
    let ids = (None, Some(told.process_id));
    out.push_operation(record, ids, event.into());
}
