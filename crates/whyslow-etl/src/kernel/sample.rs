//! A CPU sample: group 15, opcode 46, of the profiling timer, 55 for several at once; 47 of a
//! performance counter.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;

/// What a processor was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// Address of the instruction.
    pub instruction: u64,
    /// The thread; 0 is an idle thread, or an interrupt on top of one.
    pub thread_id: u32,
    /// For the timer, how many samples this one represents; for a counter, the counter's number.
    pub count: u16,
    /// Whether a deferred procedure call ran.
    pub in_dpc: bool,
    /// Whether an interrupt routine ran.
    pub in_isr: bool,
    /// Priority of the thread, 0 to 31; 0 if the system does not say.
    pub priority: u8,
}

impl Sample {
    /// Reads a payload of group 15, opcode 46 or 47; `None` if it is too short.
    #[inline]
    pub fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        Self::take(&mut Cursor::new(payload, pointer))
    }

    /// Reads a payload of group 15, opcode 55: samples that the kernel held back for a while, in
    /// order; nothing if it is too short.
    ///
    /// `u32` number, padded to a pointer, then that many samples. From `ntwmi.h` of System Informer
    /// (`PERFINFO_SAMPLED_PROFILE_CACHE`); tested on synthetic traces only.
    pub fn read_cache(payload: &[u8], pointer: PointerSize) -> impl Iterator<Item = Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let count = cursor.u32().unwrap_or(0);
        let rest = payload.get(pointer.bytes()..).unwrap_or_default();
        let mut samples = Cursor::new(rest, pointer);
        (0..count).map_while(move |_| Self::take(&mut samples))
    }

    fn take(cursor: &mut Cursor<'_>) -> Option<Self> {
        let instruction = cursor.pointer()?;
        let (thread_id, count) = (cursor.u32()?, cursor.u16()?);
        let [flags, _] = cursor.array()?;
        Some(Self {
            instruction,
            thread_id,
            count,
            in_dpc: flags & 1 != 0,
            in_isr: flags & 2 != 0,
            priority: flags >> 3,
        })
    }

    /// Returns whether the processor was idle: no thread, and nothing on top of it.
    pub fn is_idle(&self) -> bool {
        self.thread_id == 0 && !self.in_dpc && !self.in_isr
    }
}
