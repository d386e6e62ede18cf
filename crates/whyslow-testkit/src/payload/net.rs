//! Connections and the registry.

use crate::bytes::Bytes;

/// An event of a TCP connection over IPv4 (group 6).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Tcp {
    pub process_id: u32,
    pub size: u32,
    /// Address and port of the other side.
    pub to: ([u8; 4], u16),
    /// Address and port of this side.
    pub from: ([u8; 4], u16),
    pub sequence: u32,
    pub connection: u64,
}

/// The fields between the addresses and the sequence number.
#[derive(Debug, Clone, Copy)]
pub enum TcpTail {
    /// Nothing: opcodes 11 receive, 13 disconnect, 14 retransmit, 16 reconnect and 18 copy.
    None,
    /// Start and end in milliseconds: opcode 10 send.
    Times(u32, u32),
    /// Segment size, three options, window and its two scales: opcodes 12 connect and 15 accept.
    Options([u16; 4], u32, [i16; 2]),
}

impl Tcp {
    /// Returns the payload.
    pub fn payload(&self, wide: bool, tail: TcpTail) -> Vec<u8> {
        let out = Bytes::default().u32(self.process_id).u32(self.size);
        let out = out.bytes(&self.to.0).bytes(&self.from.0);
        let out = out
            .bytes(&self.to.1.to_be_bytes())
            .bytes(&self.from.1.to_be_bytes());
        let out = match tail {
            TcpTail::None => out,
            TcpTail::Times(start, end) => out.u32(start).u32(end),
            TcpTail::Options(options, window, scales) => {
                let out = options.iter().fold(out, |out, option| out.u16(*option));
                let out = out.u32(window);
                scales.iter().fold(out, |out, scale| out.i16(*scale))
            }
        };
        out.u32(self.sequence).pointer(wide, self.connection).0
    }
}

/// A datagram over IPv6 (group 8, opcodes 26 and 27): process, size, the other end, this end.
pub fn udp_v6(
    wide: bool,
    (pid, size): (u32, u32),
    to: ([u8; 16], u16),
    from: ([u8; 16], u16),
) -> Vec<u8> {
    let out = Bytes::default().u32(pid).u32(size);
    let out = out.bytes(&to.0).bytes(&from.0);
    let out = out.bytes(&to.1.to_be_bytes());
    let out = out.bytes(&from.1.to_be_bytes());
    out.u32(0).pointer(wide, 0).0
}

/// An operation of the registry (group 9, opcodes 10 to 29).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Registry<'a> {
    /// Raw time.
    pub since: i64,
    pub status: u32,
    pub index: u32,
    pub key: u64,
    pub name: &'a str,
}

impl Registry<'_> {
    /// Returns the payload; version 1 has the duration instead of the time.
    pub fn payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let out = Bytes::default();
        let out = if version < 2 {
            let out = out.u32(self.status).pointer(wide, self.key);
            out.i64(self.since).u32(self.index)
        } else {
            let out = out.i64(self.since).u32(self.status).u32(self.index);
            out.pointer(wide, self.key)
        };
        out.utf16(self.name).0
    }
}
