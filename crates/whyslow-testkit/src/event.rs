//! Events by the kind of their header.

use crate::bytes::Bytes;

fn size16(bytes: usize) -> u16 {
    u16::try_from(bytes).unwrap()
}

/// Kernel event with process and thread (32 bytes of header, of a 32-bit or 64-bit kernel); `hook`
/// is the group and, in the lower byte, the opcode.
pub fn system(
    wide: bool,
    hook: u16,
    version: u16,
    time: i64,
    (pid, tid): (u32, u32),
    payload: &[u8],
) -> Vec<u8> {
    let code = if wide { 2 } else { 1 };
    let out = Bytes::default().u16(version).u8(code).u8(0xc0);
    let out = out
        .u16(size16(32 + payload.len()))
        .u16(hook)
        .u32(tid)
        .u32(pid);
    out.i64(time).u32(11).u32(12).bytes(payload).0
}

/// Kernel event without processor times (24 bytes of header).
pub fn compact(hook: u16, time: i64, (pid, tid): (u32, u32), payload: &[u8]) -> Vec<u8> {
    let out = Bytes::default().u16(2).u8(4).u8(0xc0);
    let out = out
        .u16(size16(24 + payload.len()))
        .u16(hook)
        .u32(tid)
        .u32(pid);
    out.i64(time).bytes(payload).0
}

/// Kernel event with only its time (16 bytes of header): `version` with the bits for counters;
/// `extra` comes before the payload.
pub fn perfinfo(hook: u16, version: u16, time: i64, extra: &[u64], payload: &[u8]) -> Vec<u8> {
    let size = size16(16 + 8 * extra.len() + payload.len());
    let mut out = Bytes::default().u16(version).u8(17).u8(0xc0);
    out = out.u16(size).u16(hook).i64(time);
    for value in extra {
        out = out.u64(*value);
    }
    out.bytes(payload).0
}

/// Classic event (48 bytes of header).
pub fn full(time: i64, class: [u8; 16], (opcode, version): (u8, u16), payload: &[u8]) -> Vec<u8> {
    let out = Bytes::default()
        .u16(size16(48 + payload.len()))
        .u8(20)
        .u8(0xc0);
    let out = out.u8(opcode).u8(4).u16(version).u32(70).u32(60).i64(time);
    out.bytes(&class).u32(5).u32(6).bytes(payload).0
}

/// Classic event of an instance (72 bytes of header).
pub fn instance(time: i64, class: [u8; 16], payload: &[u8]) -> Vec<u8> {
    let out = Bytes::default()
        .u16(size16(72 + payload.len()))
        .u8(21)
        .u8(0xc0);
    let out = out.u8(1).u8(4).u16(2).u32(70).u32(60).i64(time);
    out.bytes(&class)
        .u64(5)
        .u32(33)
        .u32(44)
        .zeros(16)
        .bytes(payload)
        .0
}

/// An event of a manifest.
#[derive(Debug, Clone)]
pub struct Manifest<'a> {
    /// Whether the process has pointers of 8 bytes.
    pub wide: bool,
    /// The provider.
    pub provider: [u8; 16],
    /// Number of the event.
    pub id: u16,
    /// Process and thread.
    pub ids: (u32, u32),
    /// Extended items: kind and data.
    pub items: &'a [(u16, Vec<u8>)],
    /// The user data.
    pub payload: &'a [u8],
}

impl Manifest<'_> {
    /// Returns the event (80 bytes of header) at a raw time.
    pub fn at(&self, time: i64) -> Vec<u8> {
        let mut items = Bytes::default();
        for (index, (kind, data)) in self.items.iter().enumerate() {
            let more = u16::from(index + 1 < self.items.len());
            let size = (8 + data.len()).next_multiple_of(8);
            items = items.u16(size16(size)).u16(*kind).u16(more);
            items = items
                .u16(size16(data.len()))
                .bytes(data)
                .zeros(size - 8 - data.len());
        }
        let size = size16(80 + items.0.len() + self.payload.len());
        let code = if self.wide { 19 } else { 18 };
        let (pid, tid) = self.ids;
        let out = Bytes::default().u16(size).u8(code).u8(0xc0);
        let out = out
            .u16(u16::from(!self.items.is_empty()))
            .u16(0)
            .u32(tid)
            .u32(pid);
        let out = out.i64(time).bytes(&self.provider);
        let out = out
            .u16(self.id)
            .u8(3)
            .u8(11)
            .u8(5)
            .u8(9)
            .u16(77)
            .u64(0x8000_0000_0000_0010);
        let out = out.u32(1).u32(2).bytes(&[7; 16]);
        out.bytes(&items.0).bytes(self.payload).0
    }
}

/// A message of the preprocessor with every possible header field.
pub fn message(time: i64, guid: [u8; 16], payload: &[u8]) -> Vec<u8> {
    let size = size16(8 + 4 + 16 + 8 + 8 + payload.len());
    let out = Bytes::default().u16(size).u8(0).u8(0x90).u16(99).u16(0xab);
    let out = out.u32(1).bytes(&guid).i64(time).u32(31).u32(32);
    out.bytes(payload).0
}

/// Returns an event with any header except a message's, in the form that a 32-bit kernel or process
/// writes.
pub fn narrow(mut event: Vec<u8>) -> Vec<u8> {
    event[2] = match event[2] {
        2 => 1,
        4 => 3,
        17 => 16,
        19 => 18,
        20 => 10,
        21 => 11,
        other => other,
    };
    event
}
