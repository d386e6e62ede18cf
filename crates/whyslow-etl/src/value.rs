//! Values of decoded fields, borrowed from the payload.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::clock::FileTime;
use crate::guid::Guid;
use crate::pointer::Pointers;
use crate::text::{Ansi, Utf16};

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A number that is usually read in hexadecimal: a pointer, flags, a status.
    Hex(u64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// 8-bit text.
    Ansi(Ansi<'a>),
    /// UTF-16 text.
    Utf16(Utf16<'a>),
    /// A GUID.
    Guid(Guid),
    /// A point in time.
    Time(FileTime),
    /// A date and time of `SYSTEMTIME`: year, month, weekday, day, hour, minute, second, millisecond.
    SystemTime([u16; 8]),
    /// A security identifier; empty if there is none.
    Sid(&'a [u8]),
    /// An IPv4 address.
    Ipv4([u8; 4]),
    /// An IPv6 address.
    Ipv6([u8; 16]),
    /// A port.
    Port(u16),
    /// An address with its port.
    Socket(SocketAddr),
    /// Bytes of no known form.
    Bytes(&'a [u8]),
    /// Pointers, such as the frames of a stack.
    Pointers(Pointers<'a>),
}

impl Value<'_> {
    /// Returns the number, in any form; a negative one in two's complement.
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Unsigned(value) | Self::Hex(value) => Some(value),
            Self::Signed(value) => Some(value.cast_unsigned()),
            Self::Bool(value) => Some(u64::from(value)),
            Self::Port(value) => Some(u64::from(value)),
            Self::Time(time) => Some(time.0.cast_unsigned()),
            _ => None,
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            Self::Hex(value) => write!(f, "{value:#x}"),
            Self::Float(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Ansi(text) => text.fmt(f),
            Self::Utf16(text) => text.fmt(f),
            Self::Guid(guid) => guid.fmt(f),
            Self::Time(time) => write!(f, "{}", time.0),
            Self::SystemTime([year, month, _, day, hour, minute, second, ms]) => write!(
                f,
                "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{ms:03}"
            ),
            Self::Sid(sid) => fmt_sid(sid, f),
            Self::Ipv4(address) => Ipv4Addr::from(*address).fmt(f),
            Self::Ipv6(address) => Ipv6Addr::from(*address).fmt(f),
            Self::Port(port) => port.fmt(f),
            Self::Socket(address) => address.fmt(f),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Pointers(all) => {
                for (index, pointer) in all.iter().enumerate() {
                    let space = if index == 0 { "" } else { " " };
                    write!(f, "{space}{pointer:#x}")?;
                }
                Ok(())
            }
        }
    }
}

/// Writes a security identifier such as `S-1-5-18`.
fn fmt_sid(sid: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [revision, _, authority @ ..] = sid else {
        return Ok(());
    };
    let Some((authority, parts)) = authority.split_at_checked(6) else {
        return Ok(());
    };
    let number = authority
        .iter()
        .fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    write!(f, "S-{revision}-{number}")?;
    let mut parts = parts.as_chunks::<4>().0.iter();
    parts.try_for_each(|part| write!(f, "-{}", u32::from_le_bytes(*part)))
}
