//! DNS messages (RFC 1035): queries, and the beginnings of answers.
//!
//! A packet is trusted only within its bytes: names have at most 255 bytes, pointers in them lead only
//! backwards, and anything else that is wrong means that it is not a message.

use std::fmt::Write as _;

/// Most bytes of a name, and of a part of it.
const MOST_NAME_BYTES: usize = 255;
/// Most pointers that a name follows.
const MOST_POINTERS: u32 = 16;
const HEAD_BYTES: usize = 12;

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedDns {
    /// The number that the client gave the query.
    pub number: u16,
    /// It answers.
    pub is_answer: bool,
    /// It did not fit.
    pub is_truncated: bool,
    /// 0 for success, 3 for a name that does not exist.
    pub response_code: u8,
    /// How many records the answer has.
    pub answers: u16,
    /// The name that was asked for, without a dot at its end; `.` for the root.
    pub name: String,
    /// Number of the type of record that was asked for; `None`: the message ends before.
    pub record_type: Option<u16>,
}

/// Reads a message; `None` if it is not a message, or has no question.
pub fn parse_dns(bytes: &[u8]) -> Option<ParsedDns> {
    let [flags_high, flags_low] = *bytes.get(2..)?.first_chunk()?;
    let questions = short(bytes, 4)?;
    let operation = flags_high >> 3 & 15;
    if operation != 0 || questions != 1 {
        return None;
    }
    let (name, end) = name(bytes, HEAD_BYTES)?;
    Some(ParsedDns {
        number: short(bytes, 0)?,
        is_answer: flags_high & 0x80 != 0,
        is_truncated: flags_high & 2 != 0,
        response_code: flags_low & 15,
        answers: short(bytes, 6)?,
        name,
        record_type: short(bytes, end),
    })
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Returns the name that begins at `at`, and where it ends.
fn name(bytes: &[u8], at: usize) -> Option<(String, usize)> {
    let mut text = String::new();
    let (mut at, mut end) = (at, None);
    let (mut length, mut pointers) = (0, 0);
    loop {
        let size = usize::from(*bytes.get(at)?);
        match size {
            0 => break,
            1..64 => {
                let part = bytes.get(at + 1..at + 1 + size)?;
                length += size + 1;
                if length > MOST_NAME_BYTES {
                    return None;
                }
                if !text.is_empty() {
                    text.push('.');
                }
                // A dot within a part does not separate parts.
                for &byte in part {
                    push(&mut text, byte, byte == b'.');
                }
                at += size + 1;
            }
            192.. => {
                let to = usize::from(short(bytes, at)? & 0x3fff);
                pointers += 1;
                if to >= at || pointers > MOST_POINTERS {
                    return None;
                }
                end = end.or(Some(at + 2));
                at = to;
            }
            _ => return None,
        }
    }
    if text.is_empty() {
        text.push('.');
    }
    Some((text, end.unwrap_or(at + 1)))
}

fn push(text: &mut String, byte: u8, is_escaped: bool) {
    match byte {
        b'!'..=b'~' if !is_escaped && byte != b'\\' => {
            text.push(char::from(byte.to_ascii_lowercase()));
        }
        _ => {
            // As name servers write them: three decimal digits.
            let _ = write!(text, "\\{byte:03}");
        }
    }
}

/// Returns a name as a program gave it, with invalid characters escaped.
#[must_use]
pub fn printable(name: &[u8]) -> String {
    let mut text = String::new();
    for &byte in name.iter().take(MOST_NAME_BYTES) {
        push(&mut text, byte, false);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(flags: u16, name: &[u8], rest: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x12, 0x34];
        bytes.extend(flags.to_be_bytes());
        bytes.extend([0, 1, 0, 2, 0, 0, 0, 0]);
        bytes.extend(name);
        bytes.extend(rest);
        bytes
    }

    const NAME: &[u8] = b"\x03WWW\x07example\x03org\0";

    #[test]
    fn questions_and_answers_are_read() {
        let question = parse_dns(&message(0x0100, NAME, &[0, 28, 0, 1])).unwrap();
        assert_eq!(question.name, "www.example.org");
        assert_eq!((question.number, question.record_type), (0x1234, Some(28)));
        assert!(!question.is_answer);
        let answer = parse_dns(&message(0x8383, NAME, &[0, 1, 0, 1])).unwrap();
        assert!(answer.is_answer && answer.is_truncated);
        assert_eq!((answer.response_code, answer.answers), (3, 2));
        assert_eq!(parse_dns(&message(0, b"\0", &[])).unwrap().name, ".");
    }

    #[test]
    fn names_that_lie_are_refused() {
        let refused = |name: &[u8]| assert_eq!(parse_dns(&message(0, name, &[])), None);
        refused(b"\x40aa\0");
        refused(b"\x05aa\0");
        refused(b"\xc0\x0c");
        refused(b"\x01a\xc0\x0c");
        refused(b"\xc1\xff");
        refused(b"");
        let mut long = Vec::new();
        for _ in 0..5 {
            long.push(63);
            long.extend([b'a'; 63]);
        }
        long.push(0);
        refused(&long);
        assert_eq!(parse_dns(&message(0x2800, NAME, &[0, 1, 0, 1])), None);
    }

    #[test]
    fn what_disturbs_a_terminal_is_escaped() {
        let parsed = parse_dns(&message(0, b"\x04a.\x1b\xff\0", &[])).unwrap();
        assert_eq!(parsed.name, "a\\046\\027\\255");
        assert_eq!(printable(b"Host name\n"), "host\\032name\\010");
    }

    /// No change of a message makes the reader panic, or give more than a name can have.
    #[test]
    fn any_change_of_a_message_is_a_message_or_none() {
        let good = message(0x8180, NAME, &[0, 1, 0, 1, 0xc0, 0x0c, 0, 1, 0, 1]);
        for at in 0..good.len() {
            for value in 0..=255 {
                let mut bytes = good.clone();
                bytes[at] = value;
                let parsed = parse_dns(&bytes);
                assert!(parsed.is_none_or(|parsed| parsed.name.len() <= 4 * MOST_NAME_BYTES));
            }
            assert!(parse_dns(&good[..at]).is_none_or(|parsed| parsed.name == "www.example.org"));
        }
    }
}
