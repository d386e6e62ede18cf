//! Connections and name look-ups.

use crate::endian::Endian;

/// Name of the event with a [`TcpReport`].
pub const EVENT_TCP: &str = "whyslow:tcp";
/// Name of the event with a [`DnsPacket`].
pub const EVENT_DNS_PACKET: &str = "whyslow:dns_packet";
/// Name of the event with a [`NameLookup`].
pub const EVENT_NAME_LOOKUP: &str = "whyslow:name_lookup";

const AF_INET: u16 = 2;
const AF_INET6: u16 = 10;

/// Payload of [`EVENT_TCP`]: a TCP socket, reported when its owner becomes known, and when the
/// socket or the recording ends.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | 1: it is open; 2: it has ended, or the recording has |
/// | 2 | 2 | family: 2 for IPv4, 10 for IPv6 |
/// | 4, 6 | 2 | `local_port`, `remote_port` |
/// | 8, 12 | 4 | `pid`, `tid` |
/// | 16 | 8 | `number` |
/// | 24, 32, 40 | 8 | `opened_ns`, `connected_ns`, `ended_ns` |
/// | 48, 49, 50, 51 | 1 | `side`, `state`, `flags`, `syn_retransmits` |
/// | 52 | 4 | `error` |
/// | 56, 72 | 16 | `local`, `remote` |
/// | 88, 96 | 8 | `sent_bytes`, `received_bytes` |
/// | 104, 108, 112, 116 | 4 | `sends`, `receives`, `small_sends`, `retransmits` |
/// | 120, 128 | 8 | `retransmit_ns`, `longest_retransmit_ns` |
/// | 136, 140 | 4 | `replies`, `held_replies` |
/// | 144, 152, 160 | 8 | `reply_ns`, `longest_reply_ns`, `held_ns` |
/// | 168, 172 | 4 | `answers`, `drops` |
/// | 176 | 8 | `answer_ns` |
/// | 184, 188 | 4 | `rtt_us`, `window` |
/// | 192, 196 | 4 | `small_receives`, `partial_receives`; missing in older recordings |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpReport {
    /// The socket or the recording ended; otherwise the owner has just become known.
    pub is_end: bool,
    /// The kernel's number for the family of its addresses.
    pub family: u16,
    /// Its own port; 0: not known yet.
    pub local_port: u16,
    /// The other end's port; 0: it listens.
    pub remote_port: u16,
    /// The process that connected it, accepted it or first used it; 0: none yet.
    pub pid: u32,
    /// The thread that did so.
    pub tid: u32,
    /// Identifies it uniquely within the recording.
    pub number: u64,
    /// When it was opened, in nanoseconds of the recording's clock.
    pub opened_ns: u64,
    /// When it was connected; 0: not, or not seen.
    pub connected_ns: u64,
    /// When the program closed it, or it ended without that; 0: neither.
    pub ended_ns: u64,
    /// 0: not known, 1: connected from here, 2: accepted, 3: it listens.
    pub side: u8,
    /// The kernel's number for its state.
    pub state: u8,
    /// Bits: [`TcpReport::EXISTED`] and the constants after it.
    pub flags: u8,
    /// How often its attempt to connect (SYN) was repeated; 255: that often or more.
    pub syn_retransmits: u8,
    /// The error that ended it; 0: none.
    pub error: u32,
    /// Its own address: the first 4 bytes for IPv4.
    pub local: [u8; 16],
    /// The other end's address.
    pub remote: [u8; 16],
    /// Bytes that the program sent.
    pub sent_bytes: u64,
    /// Bytes that the program received.
    pub received_bytes: u64,
    /// Calls that sent data.
    pub sends: u32,
    /// Calls that received data.
    pub receives: u32,
    /// How many of the sending calls sent less than 256 bytes.
    pub small_sends: u32,
    /// Segments that were retransmitted.
    pub retransmits: u32,
    /// Sum over retransmits of the time since the last segment arrived, or since data was sent with
    /// nothing in flight.
    pub retransmit_ns: u64,
    /// The longest of these times.
    pub longest_retransmit_ns: u64,
    /// How often data was received after data was sent.
    pub replies: u32,
    /// How many of these came while the end of the sent data was held back here for at least 20 ms.
    pub held_replies: u32,
    /// Time from the last send to each reply, summed.
    pub reply_ns: u64,
    /// The longest of these times.
    pub longest_reply_ns: u64,
    /// How long sent data was held back before replies, at most.
    pub held_ns: u64,
    /// How often data was sent after data was received.
    pub answers: u32,
    /// Connections that a listening socket refused.
    pub drops: u32,
    /// Time from the last receive to each answer, summed.
    pub answer_ns: u64,
    /// The kernel's last smoothed round-trip time; 0: not known.
    pub rtt_us: u32,
    /// How many segments the kernel would have sent at a time; of a listening socket: how many connections may
    /// wait to be accepted.
    pub window: u32,
    /// How many of the receiving calls received less than 256 bytes.
    pub small_receives: Option<u32>,
    /// How many of these did so although more had already arrived.
    pub partial_receives: Option<u32>,
}

impl TcpReport {
    /// Bit of `flags`: it was open when the recording began, and is counted from then on.
    pub const EXISTED: u8 = 1;
    /// Bit of `flags`: the other end closed it first.
    pub const PEER_CLOSED_FIRST: u8 = 2;
    /// Bit of `flags`: this end reset it.
    pub const RESET_SENT: u8 = 4;
    /// Bit of `flags`: the other end reset it.
    pub const RESET_RECEIVED: u8 = 8;
    /// Bit of `flags`: this end sent something, and received nothing after it.
    pub const AWAITS_REPLY: u8 = 16;
    /// Bytes of the payload.
    pub const BYTES: usize = 200;

    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let short = |at| endian.u16(bytes, at);
        let half = |at| endian.u32(bytes, at);
        let word = |at| endian.u64(bytes, at);
        let byte = |at: usize| bytes.get(at).copied();
        let kind = short(0)?;
        Some(Self {
            is_end: match kind {
                1 => false,
                2 => true,
                _ => return None,
            },
            family: short(2)?,
            local_port: short(4)?,
            remote_port: short(6)?,
            pid: half(8)?,
            tid: half(12)?,
            number: word(16)?,
            opened_ns: word(24)?,
            connected_ns: word(32)?,
            ended_ns: word(40)?,
            side: byte(48)?,
            state: byte(49)?,
            flags: byte(50)?,
            syn_retransmits: byte(51)?,
            error: half(52)?,
            local: address(bytes, 56)?,
            remote: address(bytes, 72)?,
            sent_bytes: word(88)?,
            received_bytes: word(96)?,
            sends: half(104)?,
            receives: half(108)?,
            small_sends: half(112)?,
            retransmits: half(116)?,
            retransmit_ns: word(120)?,
            longest_retransmit_ns: word(128)?,
            replies: half(136)?,
            held_replies: half(140)?,
            reply_ns: word(144)?,
            longest_reply_ns: word(152)?,
            held_ns: word(160)?,
            answers: half(168)?,
            drops: half(172)?,
            answer_ns: word(176)?,
            rtt_us: half(184)?,
            window: half(188)?,
            small_receives: half(192),
            partial_receives: half(196),
        })
    }
}

/// Payload of [`EVENT_DNS_PACKET`]: a packet sent to a name server or by one, as on the wire.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | 3 |
/// | 2 | 2 | family: 2 for IPv4, 10 for IPv6 |
/// | 4, 6 | 2 | `source_port`, `target_port` |
/// | 8, 12 | 4 | `pid`, `tid` |
/// | 16 | 8 | `time_ns` |
/// | 24 | 1 | `protocol` |
/// | 25 | 1 | `is_received` |
/// | 26 | 2 | bytes of the message |
/// | 32, 48 | 16 | `source`, `target` |
/// | 64 | … | the message |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DnsPacket<'a> {
    /// The kernel's number for the family of its addresses.
    pub family: u16,
    /// The port it came from.
    pub source_port: u16,
    /// The port it goes to.
    pub target_port: u16,
    /// The process that ran when it was sent: the sender, unless the packet was received.
    pub pid: u32,
    /// The thread that ran then.
    pub tid: u32,
    /// When, in nanoseconds of the recording's clock.
    pub time_ns: u64,
    /// 6 for TCP, 17 for UDP.
    pub protocol: u8,
    /// It came from another machine.
    pub is_received: bool,
    /// Where it came from: the first 4 bytes for IPv4.
    pub source: [u8; 16],
    /// Where it goes to.
    pub target: [u8; 16],
    /// Its content, or the beginning of it; over TCP, preceded by its length.
    pub message: &'a [u8],
}

impl<'a> DnsPacket<'a> {
    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &'a [u8], endian: Endian) -> Option<Self> {
        let short = |at| endian.u16(bytes, at);
        let length = usize::from(short(26)?);
        Some(Self {
            family: (short(0)? == 3).then(|| short(2))??,
            source_port: short(4)?,
            target_port: short(6)?,
            pid: endian.u32(bytes, 8)?,
            tid: endian.u32(bytes, 12)?,
            time_ns: endian.u64(bytes, 16)?,
            protocol: *bytes.get(24)?,
            is_received: *bytes.get(25)? != 0,
            source: address(bytes, 32)?,
            target: address(bytes, 48)?,
            message: bytes.get(64..)?.get(..length)?,
        })
    }
}

/// Payload of [`EVENT_NAME_LOOKUP`]: a call of a function of the C library that finds the addresses of a
/// name.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | 4 |
/// | 2 | 2 | bytes of the name |
/// | 4 | 4 | `result` |
/// | 8, 12 | 4 | `pid`, `tid` |
/// | 16, 24 | 8 | `from_ns`, `to_ns` |
/// | 32 | … | the name |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLookup<'a> {
    /// 0, or the error number of `getaddrinfo`.
    pub result: i32,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// When the call began, in nanoseconds of the recording's clock.
    pub from_ns: u64,
    /// When it returned.
    pub to_ns: u64,
    /// The name as the program passed it, at most 255 bytes; empty: none, or it could not be read.
    pub name: &'a [u8],
}

impl<'a> NameLookup<'a> {
    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &'a [u8], endian: Endian) -> Option<Self> {
        let length = usize::from(endian.u16(bytes, 2)?);
        if endian.u16(bytes, 0)? != 4 {
            return None;
        }
        Some(Self {
            result: endian.u32(bytes, 4)?.cast_signed(),
            pid: endian.u32(bytes, 8)?,
            tid: endian.u32(bytes, 12)?,
            from_ns: endian.u64(bytes, 16)?,
            to_ns: endian.u64(bytes, 24)?,
            name: bytes.get(32..)?.get(..length)?,
        })
    }
}

/// Returns an address as text; `None` for an unknown family.
pub fn address_text(family: u16, bytes: &[u8; 16]) -> Option<String> {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    let [a, b, c, d, ..] = *bytes;
    let address = match family {
        AF_INET => IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        AF_INET6 => IpAddr::V6(Ipv6Addr::from(*bytes)).to_canonical(),
        _ => return None,
    };
    Some(address.to_string())
}

fn address(bytes: &[u8], at: usize) -> Option<[u8; 16]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDIAN: Endian = Endian::Little;

    #[test]
    fn a_report_is_read_where_it_is_written_and_a_cut_one_is_none() {
        let mut bytes: Vec<u8> = (0..192).map(|at| u8::try_from(at).unwrap()).collect();
        (bytes[0], bytes[1]) = (2, 0);
        let report = TcpReport::decode(&bytes, ENDIAN).unwrap();
        assert!(report.is_end);
        assert_eq!(report.local_port, u16::from_le_bytes([4, 5]));
        assert_eq!((report.side, report.state, report.flags), (48, 49, 50));
        assert_eq!(report.syn_retransmits, 51);
        assert_eq!((report.local[0], report.remote[15]), (56, 87));
        assert_eq!(report.window.to_le_bytes(), [188, 189, 190, 191]);
        assert_eq!(TcpReport::decode(&bytes[..191], ENDIAN), None);
        bytes[0] = 9;
        assert_eq!(TcpReport::decode(&bytes, ENDIAN), None);
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        let mut bytes = vec![0; 70];
        (bytes[0], bytes[26]) = (3, 6);
        let packet = DnsPacket::decode(&bytes, ENDIAN).unwrap();
        assert_eq!(packet.message.len(), 6);
        bytes[26] = 7;
        assert_eq!(DnsPacket::decode(&bytes, ENDIAN), None);
        let mut bytes = vec![0; 34];
        (bytes[0], bytes[2], bytes[32]) = (4, 2, b'a');
        let lookup = NameLookup::decode(&bytes, ENDIAN).unwrap();
        assert_eq!(lookup.name, b"a\0");
        bytes[3] = 1;
        assert_eq!(NameLookup::decode(&bytes, ENDIAN), None);
    }

    #[test]
    fn addresses_are_written_as_people_write_them() {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&[127, 0, 0, 1]);
        assert_eq!(address_text(2, &bytes).unwrap(), "127.0.0.1");
        let mut mapped = [0; 16];
        mapped[10..].copy_from_slice(&[255, 255, 10, 0, 0, 7]);
        assert_eq!(address_text(10, &mapped).unwrap(), "10.0.0.7");
        assert_eq!(address_text(10, &[0; 16]).unwrap(), "::");
        assert_eq!(address_text(3, &bytes), None);
    }
}
