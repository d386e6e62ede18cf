//! What goroutines of Go programs do.

use crate::endian::Endian;
use crate::whyslow_events::UserStackEnd;

/// Name of the event with a [`Goroutine`].
pub const EVENT_GOROUTINE: &str = "whyslow:goroutine";

/// What a goroutine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GoroutineState {
    /// It waits for something.
    Waiting = 1,
    /// It could run, but no thread runs it yet.
    Ready = 2,
    /// A thread runs it.
    Running = 3,
    /// It is in a system call, or in C code.
    SystemCall = 4,
}

impl GoroutineState {
    /// Returns the state with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Waiting,
            2 => Self::Ready,
            3 => Self::Running,
            4 => Self::SystemCall,
            _ => return None,
        })
    }
}

/// Payload of [`EVENT_GOROUTINE`]: a goroutine was in one state at one place for some time. It
/// comes when that ends; its process is the sample's. The frames are the sample's call chain.
///
/// The recorder reads the goroutines at random moments, up to 100 times a second. `from_ns` is the
/// time of the first read that found it in this state; the sample's time is that of the first read
/// that no longer did.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`GoroutineState`] |
/// | 1 | 1 | [`UserStackEnd`], as in the chain |
/// | 2 | 2 | 0 |
/// | 4 | 4 | `stands_for` |
/// | 8 | 8 | `id` |
/// | 16 | 8 | `from_ns` |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goroutine {
    /// What it did.
    pub state: GoroutineState,
    /// How its stack ends.
    pub end: UserStackEnd,
    /// How many goroutines it represents: more than 1 if there are too many to read all.
    pub stands_for: u32,
    /// Its number in the process.
    pub id: u64,
    /// When it was first seen in this state, in nanoseconds of the recording's clock.
    pub from_ns: u64,
}

impl Goroutine {
    /// Bytes of the payload.
    pub const BYTES: usize = 24;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.state as u8, self.end as u8, 0, 0]);
        out.extend_from_slice(&self.stands_for.to_ne_bytes());
        out.extend_from_slice(&self.id.to_ne_bytes());
        out.extend_from_slice(&self.from_ns.to_ne_bytes());
    }

    /// Reads a payload; `None` if it is too short or of an unknown state.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            state: GoroutineState::from_number(*bytes.first()?)?,
            end: UserStackEnd::from_number(usize::from(*bytes.get(1)?))?,
            stands_for: endian.u32(bytes, 4)?,
            id: endian.u64(bytes, 8)?,
            from_ns: endian.u64(bytes, 16)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Goroutine, GoroutineState};
    use crate::endian::Endian;
    use crate::whyslow_events::UserStackEnd;

    #[test]
    fn a_payload_is_read_back() {
        let told = Goroutine {
            state: GoroutineState::Waiting,
            end: UserStackEnd::DumpTooSmall,
            stands_for: 4,
            id: 1 << 40,
            from_ns: 12_345_678_901,
        };
        let endian = if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        };
        let mut bytes = Vec::new();
        told.encode(&mut bytes);
        assert_eq!(bytes.len(), Goroutine::BYTES);
        assert_eq!(Goroutine::decode(&bytes, endian), Some(told));
        for end in 0..bytes.len() {
            assert_eq!(Goroutine::decode(&bytes[..end], endian), None);
        }
        bytes[0] = 9;
        assert_eq!(Goroutine::decode(&bytes, endian), None);
    }
}
