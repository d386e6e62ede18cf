//! A mark that a program set.

use crate::endian::Endian;

/// Name of the event with a [`Mark`].
pub const EVENT_MARK: &str = "whyslow:mark";

/// Payload of [`EVENT_MARK`]: what a program marked, at the time of the sample.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | `tid` |
/// | 8 | 4 | 1: the text is longer than the part here; 2: the program descends from the recorder |
/// | 12 | 4 | bytes of the text |
/// | 16 | … | the text as the program passed it: `%` and two hexadecimal digits mean a byte |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The text is longer than the part here.
    pub is_cut: bool,
    /// The process descends from the recorder: it is the recorded command, or was started by it.
    pub descends: bool,
    /// The text as the program passed it.
    pub text: Vec<u8>,
}

impl Mark {
    const HEAD_BYTES: usize = 16;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let flags = u32::from(self.is_cut) | u32::from(self.descends) << 1;
        let length = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        for word in [self.pid, self.tid, flags, length] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        out.extend_from_slice(&self.text);
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let flags = endian.u32(bytes, 8)?;
        let length = usize::try_from(endian.u32(bytes, 12)?).ok()?;
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            is_cut: flags & 1 != 0,
            descends: flags & 2 != 0,
            text: bytes.get(Self::HEAD_BYTES..)?.get(..length)?.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_survive_and_short_ones_are_refused() {
        let native = match cfg!(target_endian = "big") {
            true => Endian::Big,
            false => Endian::Little,
        };
        let mark = Mark {
            pid: 1,
            tid: 2,
            is_cut: true,
            descends: false,
            text: b"warm-up %0a\xff".to_vec(),
        };
        let mut bytes = Vec::new();
        mark.encode(&mut bytes);
        assert_eq!(Mark::decode(&bytes[..bytes.len() - 1], native), None);
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(Mark::decode(&bytes, native), Some(mark));
        bytes[12..16].fill(0xff);
        assert_eq!(Mark::decode(&bytes, native), None);
    }
}
