//! Datagrams (UDP): events of the kernel, or of its manifest provider Kernel-Network.

use std::net::IpAddr;

pub(super) use whyslow_etl::kernel::DATAGRAM_EVENTS as KERNEL;
use whyslow_etl::kernel::Tcp as Told;
use whyslow_etl::kernel::hooks::{Hook, udp_ip};
use whyslow_etl::{Descriptor, Record};
use whyslow_model::DatagramWay;
use whyslow_operations::DatagramEvent;

use super::emitter::Emitter;

/// The events of Kernel-Network that are read.
pub(super) const NETWORK_IDS: &[u16] = &[42, 43, 58, 59];
/// Difference between its ids and the kernel's opcodes.
const NETWORK: u16 = 32;

/// Takes an event of Kernel-Network.
pub(super) fn network(record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
    let group = udp_ip::GROUP;
    if let Some(Ok(opcode)) = of.id.checked_sub(NETWORK).map(u8::try_from) {
        take(record, Hook { group, opcode }, out);
    }
}

/// Takes an event with the layout of the kernel's.
pub(super) fn take(record: &Record<'_>, hook: Hook, out: &mut Emitter<'_>) {
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
