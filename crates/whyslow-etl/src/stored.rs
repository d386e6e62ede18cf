//! How self-describing events and manifests store values: the numbers of `TlgIn_t` and, up to 25,
//! of `TDH_INTYPE` of the Windows SDK, which agree except for binary data.

use std::net::{Ipv6Addr, SocketAddr, SocketAddrV6};

use crate::clock::FileTime;
use crate::cursor::Cursor;
use crate::guid::Guid;
use crate::pointer::PointerSize;
use crate::text::{Ansi, Utf16};
use crate::value::Value;

/// Returns how many steps the walk through a payload may take: values and structures that take no
/// bytes are fewer than the payload's bytes, unless they are nested on purpose.
pub(crate) fn most_steps(payload: &[u8]) -> u32 {
    crate::bytes::narrow(payload.len())
        .saturating_mul(8)
        .saturating_add(1024)
}

/// Ways to show a value that change its type.
pub(crate) mod shown {
    pub(crate) const BOOLEAN: u8 = 3;
    pub(crate) const HEX: u8 = 4;
    pub(crate) const PORT: u8 = 7;
    pub(crate) const IPV4: u8 = 8;
    pub(crate) const IPV6: u8 = 9;
    pub(crate) const SOCKET: u8 = 10;
    pub(crate) const NT_STATUS: u8 = 14;
    pub(crate) const HRESULT: u8 = 15;
    pub(crate) const SIGNED: u8 = 17;
    pub(crate) const UNSIGNED: u8 = 18;
    pub(crate) const CODE_POINTER: u8 = 37;
}

/// Reads a value of the type `stored`, to be shown as `how`; `None` if the payload ends too early,
/// or for an unknown type.
pub(crate) fn read_value<'a>(payload: &mut Cursor<'a>, stored: u8, how: u8) -> Option<Value<'a>> {
    let signed = |value: i64, bytes: u32| match how {
        shown::UNSIGNED => Value::Unsigned(value.cast_unsigned() & (u64::MAX >> (64 - 8 * bytes))),
        shown::BOOLEAN => Value::Bool(value != 0),
        shown::HEX | shown::NT_STATUS | shown::HRESULT => {
            Value::Hex(value.cast_unsigned() & (u64::MAX >> (64 - 8 * bytes)))
        }
        _ => Value::Signed(value),
    };
    let unsigned = |value: u64, bytes: u32| match how {
        shown::SIGNED => {
            let shift = 64 - 8 * bytes;
            Value::Signed((value << shift).cast_signed() >> shift)
        }
        shown::BOOLEAN => Value::Bool(value != 0),
        shown::HEX | shown::NT_STATUS | shown::HRESULT | shown::CODE_POINTER => Value::Hex(value),
        _ => Value::Unsigned(value),
    };
    Some(match stored {
        1 => Value::Utf16(payload.utf16()?),
        2 => Value::Ansi(payload.ansi()?),
        3 => signed(payload.i8()?.into(), 1),
        4 => unsigned(payload.u8()?.into(), 1),
        5 => signed(payload.u16()?.cast_signed().into(), 2),
        6 if how == shown::PORT => Value::Port(payload.array().map(u16::from_be_bytes)?),
        6 => unsigned(payload.u16()?.into(), 2),
        7 => signed(payload.i32()?.into(), 4),
        8 if how == shown::IPV4 => Value::Ipv4(payload.array()?),
        8 => unsigned(payload.u32()?.into(), 4),
        9 => signed(payload.i64()?, 8),
        10 => unsigned(payload.u64()?, 8),
        11 => Value::Float(f32::from_bits(payload.u32()?).into()),
        12 => Value::Float(f64::from_bits(payload.u64()?)),
        13 => Value::Bool(payload.u32()? != 0),
        14 | 25 => {
            let bytes = payload.u16()?;
            read_bytes(payload.take(usize::from(bytes))?, how)
        }
        15 => Value::Guid(Guid(payload.array()?)),
        16 => Value::Hex(payload.pointer()?),
        17 => Value::Time(FileTime(payload.i64()?)),
        18 => Value::SystemTime(payload.system_time()?),
        19 => Value::Sid(payload.plain_sid()?),
        20 => Value::Hex(payload.u32()?.into()),
        21 => Value::Hex(payload.u64()?),
        22 => {
            let bytes = payload.u16()?;
            Value::Utf16(Utf16::new(payload.take(usize::from(bytes))?))
        }
        23 => {
            let bytes = payload.u16()?;
            Value::Ansi(Ansi(payload.take(usize::from(bytes))?))
        }
        _ => return None,
    })
}

/// Returns bytes as the type in which they are shown.
pub(crate) fn read_bytes(bytes: &[u8], how: u8) -> Value<'_> {
    let special = match how {
        shown::IPV6 => bytes.try_into().ok().map(Value::Ipv6),
        shown::SOCKET => read_socket(bytes).map(Value::Socket),
        _ => None,
    };
    special.unwrap_or(Value::Bytes(bytes))
}

/// Reads a `sockaddr_in` or `sockaddr_in6`.
fn read_socket(bytes: &[u8]) -> Option<SocketAddr> {
    const IPV4: u16 = 2;
    const IPV6: u16 = 23;
    let mut cursor = Cursor::new(bytes, PointerSize::Eight);
    let family = cursor.u16()?;
    let port = cursor.array().map(u16::from_be_bytes)?;
    match family {
        IPV4 => Some(SocketAddr::from((cursor.array::<4>()?, port))),
        IPV6 => {
            let flow = cursor.u32()?;
            let address = Ipv6Addr::from(cursor.array::<16>()?);
            let scope = cursor.u32()?;
            Some(SocketAddrV6::new(address, port, flow, scope).into())
        }
        _ => None,
    }
}
