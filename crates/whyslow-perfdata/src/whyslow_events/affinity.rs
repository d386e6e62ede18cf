//! Which CPUs a thread may use.

use crate::endian::Endian;

/// Payload of [`EVENT_AFFINITY`](super::EVENT_AFFINITY): the CPUs that a thread may use from now on.
///
/// There is one for each thread that may not use all CPUs when recording starts, and one whenever a
/// thread's CPUs change, at its next switch. A new thread may use its creator's CPUs.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | 1: when recording starts, 2: changed |
/// | 4 | 4 | `pid` |
/// | 8 | 4 | `tid` |
/// | 12 | 4 | number of words |
/// | 16 | 8 each | words: one bit per CPU; CPU 0 is the lowest bit of the first word |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affinity {
    /// It has held since before the recording.
    pub is_rundown: bool,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The CPUs, one bit each.
    pub cpus: Vec<u64>,
}

impl Affinity {
    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let words = u32::try_from(self.cpus.len()).unwrap_or(u32::MAX);
        let source = if self.is_rundown { 1 } else { 2 };
        for word in [source, self.pid, self.tid, words] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in &self.cpus {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let length = usize::try_from(endian.u32(bytes, 12)?).ok()?;
        let words = bytes.get(16..)?.get(..length.checked_mul(8)?)?;
        let words = words.chunks_exact(8).filter_map(|word| endian.u64(word, 0));
        Some(Self {
            is_rundown: endian.u32(bytes, 0)? == 1,
            pid: endian.u32(bytes, 4)?,
            tid: endian.u32(bytes, 8)?,
            cpus: words.collect(),
        })
    }
}
