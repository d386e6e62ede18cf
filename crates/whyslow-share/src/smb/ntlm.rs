//! The messages of an anonymous log-on (MS-NLMP 2.2.1, 3.2.5.1.2).

const SIGNATURE: &[u8; 8] = b"NTLMSSP\0";

/// Unicode, the target's name, NTLM, a signed session were it signed, extended session security.
const FLAGS: u32 = 0x0000_0001 | 0x0000_0004 | 0x0000_0200 | 0x0000_8000 | 0x0008_0000;

/// The client is anonymous.
const ANONYMOUS: u32 = 0x0000_0800;

/// Returns the first message: what the client can do.
pub(super) fn negotiate() -> Vec<u8> {
    let mut out = head(1);
    out.extend(FLAGS.to_le_bytes());
    // Neither a domain nor a workstation.
    out.extend([0; 16]);
    out
}

/// Returns the last message: an anonymous answer to the server's challenge.
pub(super) fn authenticate() -> Vec<u8> {
    /// Bytes before the data of the fields.
    const FIXED: u32 = 64;
    let mut out = head(3);
    // An anonymous LM answer is a single zero byte.
    field(&mut out, 1, FIXED);
    for _ in ["NT answer", "domain", "user", "workstation", "session key"] {
        field(&mut out, 0, FIXED + 1);
    }
    out.extend((FLAGS | ANONYMOUS).to_le_bytes());
    out.push(0);
    out
}

fn head(message: u32) -> Vec<u8> {
    let mut out = SIGNATURE.to_vec();
    out.extend(message.to_le_bytes());
    out
}

/// Writes where a field lies: its length twice, its offset.
fn field(out: &mut Vec<u8>, length: u16, offset: u32) {
    out.extend(length.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(offset.to_le_bytes());
}
