//! TCP connections (group 6), and datagrams (UDP, group 8), which have the same fields. The manifest's
//! provider Microsoft-Windows-Kernel-Network writes the same layouts.
//!
//! Seen: sends, receives, connects, disconnects and copies of both address families (Windows 7 and
//! 8), and datagrams; the others on single payloads.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::hooks::{Hook, tcp_ip, udp_ip};
use crate::cursor::Cursor;
use crate::pointer::PointerSize;

/// What an event says about a connection, or a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tcp {
    /// The process, which the event's header does not say.
    pub process_id: u32,
    /// How many bytes.
    pub size: u32,
    /// Address and port of this end, whatever the direction; of a datagram its source.
    pub local: (IpAddr, u16),
    /// Address and port of the other end; of a datagram its destination.
    pub remote: (IpAddr, u16),
}

/// The events that [`Tcp::read`] reads.
pub const TCP_EVENTS: &[Hook] = &[
    tcp_ip::SEND,
    tcp_ip::RECV,
    tcp_ip::CONNECT,
    tcp_ip::DISCONNECT,
    tcp_ip::RETRANSMIT,
    tcp_ip::ACCEPT,
    tcp_ip::RECONNECT,
    tcp_ip::TCP_COPY,
    tcp_ip::SEND_V6,
    tcp_ip::RECV_V6,
    tcp_ip::CONNECT_V6,
    tcp_ip::DISCONNECT_V6,
    tcp_ip::RETRANSMIT_V6,
    tcp_ip::ACCEPT_V6,
    tcp_ip::RECONNECT_V6,
    tcp_ip::TCP_COPY_V6,
];

/// The events of datagrams that [`Tcp::read`] reads.
pub const DATAGRAM_EVENTS: &[Hook] =
    &[udp_ip::SEND, udp_ip::RECV, udp_ip::SEND_V6, udp_ip::RECV_V6];

/// Difference between the opcodes of the two address families.
const V6: u8 = 16;

impl Tcp {
    /// Reads a payload of group 6, opcodes 10 to 16, 18 and the same for IPv6, or of group 8, opcodes
    /// 10, 11 and the same for IPv6; `None` if it is too short or of another event.
    #[inline]
    pub fn read(payload: &[u8], hook: Hook) -> Option<Self> {
        let is_v6 = hook.opcode >= tcp_ip::SEND_V6.opcode;
        let plain = if is_v6 { hook.opcode - V6 } else { hook.opcode };
        if !matches!(
            (hook.group, plain),
            (tcp_ip::GROUP, 10..=16 | 18) | (udp_ip::GROUP, 10 | 11)
        ) {
            return None;
        }
        let mut cursor = Cursor::new(payload, PointerSize::Eight);
        let (process_id, size) = (cursor.u32()?, cursor.u32()?);
        let mut address = || {
            Some(match is_v6 {
                true => IpAddr::V6(Ipv6Addr::from(cursor.array::<16>()?)),
                false => IpAddr::V4(Ipv4Addr::from(cursor.array::<4>()?)),
            })
        };
        let (remote, local) = (address()?, address()?);
        let mut port = || Some(u16::from_be_bytes(cursor.array::<2>()?));
        let (remote_port, local_port) = (port()?, port()?);
        Some(Self {
            process_id,
            size,
            local: (local, local_port),
            remote: (remote, remote_port),
        })
    }
}
