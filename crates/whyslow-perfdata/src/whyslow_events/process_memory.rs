//! How much memory processes have.

use crate::endian::Endian;

/// Name of the event with a [`ProcessMemory`].
pub const EVENT_PROCESS_MEMORY: &str = "whyslow:process_memory";

/// Payload of [`EVENT_PROCESS_MEMORY`]: how much memory a process has at the sample's time, in bytes.
///
/// The recorder reads this again and again, and writes it when it has changed. As a process ends, only the peak is
/// written.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | which of the figures are known: a bit each, the first one is bit 0 |
/// | 8 | 8 each | the figures, in the order of the fields; 0 where not known |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// The process.
    pub pid: u32,
    /// Memory that it has in RAM.
    pub resident: Option<u64>,
    /// Of that: memory that no file holds.
    pub anonymous: Option<u64>,
    /// Of that: pages of files.
    pub file: Option<u64>,
    /// Of that: shared memory, and files that are in memory only.
    pub shared: Option<u64>,
    /// Memory that was moved to the swap area.
    pub swapped: Option<u64>,
    /// The most that was resident, if that was during the recording.
    pub peak: Option<u64>,
}

impl ProcessMemory {
    /// Bytes of the payload.
    pub const BYTES: usize = 8 + 8 * 6;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let figures = [
            self.resident,
            self.anonymous,
            self.file,
            self.shared,
            self.swapped,
            self.peak,
        ];
        let known = figures.iter().zip(0..);
        let known = known.map(|(figure, bit)| u32::from(figure.is_some()) << bit);
        out.extend_from_slice(&self.pid.to_ne_bytes());
        out.extend_from_slice(&known.sum::<u32>().to_ne_bytes());
        for figure in figures {
            out.extend_from_slice(&figure.unwrap_or(0).to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let known = endian.u32(bytes, 4)?;
        let figure = |number: usize| {
            let value = endian.u64(bytes, 8 + 8 * number)?;
            Some((known >> number & 1 == 1).then_some(value))
        };
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            resident: figure(0)?,
            anonymous: figure(1)?,
            file: figure(2)?,
            shared: figure(3)?,
            swapped: figure(4)?,
            peak: figure(5)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ProcessMemory;
    use crate::endian::Endian;

    #[test]
    fn a_payload_is_read_back() {
        let told = ProcessMemory {
            pid: 4711,
            resident: Some(1 << 33),
            anonymous: Some(0),
            swapped: Some(4096),
            ..ProcessMemory::default()
        };
        let endian = if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        };
        let mut bytes = Vec::new();
        told.encode(&mut bytes);
        assert_eq!(bytes.len(), ProcessMemory::BYTES);
        assert_eq!(ProcessMemory::decode(&bytes, endian), Some(told));
        for end in 0..bytes.len() {
            assert_eq!(ProcessMemory::decode(&bytes[..end], endian), None);
        }
    }
}
