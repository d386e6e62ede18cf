//! What a thread waited for, as `bpf/wait_object.h` writes it.

use whyslow_perfdata::whyslow_events::{WaitObject, WaitObjectKind};

use crate::file_calls;

/// Bytes of `struct waited`, and of `struct watched`.
const BYTES: usize = 112;
const WATCHED_BYTES: usize = BYTES + 80;
/// `IS_LISTENING` in the source.
const IS_LISTENING: u16 = 0x1000;

/// Reads what follows the head; `None` if it is cut off or of an unknown kind.
pub(crate) fn parse(raw: &[u8]) -> Option<WaitObject> {
    let word = |at: usize| Some(u64::from_ne_bytes(*raw.get(at..)?.first_chunk()?));
    let half = |at: usize| Some(u32::from_ne_bytes(*raw.get(at..)?.first_chunk()?));
    let short = |at: usize| Some(u16::from_ne_bytes(*raw.get(at..)?.first_chunk()?));
    let kind = WaitObjectKind::from_number(half(24)?)?;
    let told = u16::try_from(half(104)?).ok()?;
    let length = usize::try_from(half(108)?).ok()?;
    let text = raw.get(BYTES..)?.get(..length)?;
    let watched = match kind.watches() {
        true => text.chunks_exact(WATCHED_BYTES).filter_map(parse).collect(),
        false => Vec::new(),
    };
    let listening = match told & IS_LISTENING {
        0 => 0,
        _ => WaitObject::LISTENING,
    };
    let system = raw.get(88..104)?;
    let end = system.iter().position(|&byte| byte == 0);
    Some(WaitObject {
        since_ns: word(0)?,
        asked_ns: Some(word(8)?).filter(|&ns| ns != u64::MAX),
        number: word(16)?,
        kind,
        system_call: half(28)?,
        device: half(32)?,
        mode: half(36)?,
        others: half(40)?,
        peer_pid: half(44)?,
        family: short(48)?,
        protocol: short(50)?,
        local_port: short(52)?,
        remote_port: short(54)?,
        local: *raw.get(56..)?.first_chunk()?,
        remote: *raw.get(72..)?.first_chunk()?,
        file_system: system.get(..end.unwrap_or(system.len()))?.to_vec(),
        flags: file_calls::flags(told).0 | listening,
        text: match kind {
            WaitObjectKind::File => file_calls::path(text, &[], told),
            _ if kind.watches() => Vec::new(),
            _ => text.to_vec(),
        },
        watched,
    })
}
