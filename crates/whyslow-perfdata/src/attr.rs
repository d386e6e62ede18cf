//! The attributes an event was opened with: `struct perf_event_attr`, all versions.
//!
//! Source of knowledge: `linux/perf_event.h`. Versions differ only in length (64 bytes in version
//! 0, 136 in version 8). Fields that a version lacks are 0; fields that a future version appends
//! are skipped.
//!
//! *Folklore:* the flags are C bit fields, which a big-endian compiler fills from the most
//! significant bit. So the bits of every byte are reversed there, and a field of two bits
//! (`precise_ip`) must itself be reversed once more.

use crate::abi::flag;
use crate::endian::Endian;

/// The attributes of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attr {
    /// Kind of event: 0 hardware, 1 software, 2 tracepoint, 3 cache, 4 raw, 5 breakpoint; above 5,
    /// a PMU's own.
    pub kind: u32,
    /// Which event of the kind; the id for a tracepoint.
    pub config: u64,
    /// Period in units of the event, or frequency in hertz if [`Attr::is_frequency`].
    pub period: u64,
    /// Bits of `sample_type`, see [`abi::sample`](crate::abi::sample).
    pub sample_type: u64,
    /// Bits of `read_format`, see [`abi::read_format`](crate::abi::read_format).
    pub read_format: u64,
    /// The flags, by the numbers of [`abi::flag`](crate::abi::flag), in either byte order.
    pub flags: u64,
    /// More of the configuration, or a breakpoint's address.
    pub config1: u64,
    /// More of the configuration, or a breakpoint's length.
    pub config2: u64,
    /// More of the configuration.
    pub config3: u64,
    /// Bits of `branch_sample_type`.
    pub branch_sample_type: u64,
    /// User registers in samples, one bit each.
    pub regs_user: u64,
    /// Registers at the interrupt in samples, one bit each.
    pub regs_intr: u64,
    /// Bytes of user stack in samples.
    pub stack_user_bytes: u32,
    /// Clock of the time stamps, if `use_clockid` is set.
    pub clockid: i32,
    /// Maximum number of frames in a call chain; 0: the system's limit.
    pub max_stack: u16,
}

impl Attr {
    /// Decodes an attribute of any version; `None` if it is shorter than the shortest.
    pub(crate) fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let mut flags: [u8; 8] = bytes.get(40..48)?.try_into().ok()?;
        if endian == Endian::Big {
            flags = flags.map(u8::reverse_bits);
        }
        let mut flags = u64::from_le_bytes(flags);
        if endian == Endian::Big {
            let precise = flags >> flag::PRECISE_IP & 3;
            let reversed = precise >> 1 | (precise & 1) << 1;
            flags = flags & !(3 << flag::PRECISE_IP) | reversed << flag::PRECISE_IP;
        }
        let u64_at = |at| endian.u64(bytes, at).unwrap_or(0);
        let u32_at = |at| endian.u32(bytes, at).unwrap_or(0);
        Some(Self {
            kind: endian.u32(bytes, 0)?,
            config: u64_at(8),
            period: u64_at(16),
            sample_type: u64_at(24),
            read_format: u64_at(32),
            flags,
            config1: u64_at(56),
            config2: u64_at(64),
            config3: u64_at(128),
            branch_sample_type: u64_at(72),
            regs_user: u64_at(80),
            regs_intr: u64_at(96),
            stack_user_bytes: u32_at(88),
            clockid: u32_at(92).cast_signed(),
            max_stack: endian.u16(bytes, 108).unwrap_or(0),
        })
    }

    /// Returns a flag by its number in [`abi::flag`](crate::abi::flag).
    pub fn has_flag(&self, number: u32) -> bool {
        self.flags.checked_shr(number).unwrap_or(0) & 1 != 0
    }

    /// Returns whether [`Attr::period`] is a frequency in samples per second.
    pub fn is_frequency(&self) -> bool {
        self.has_flag(flag::FREQ)
    }

    /// Returns how precise the instruction pointer is: 0 (may skid) to 3 (may not).
    pub fn precise_ip(&self) -> u8 {
        u8::try_from(self.flags >> flag::PRECISE_IP & 3).unwrap_or(0)
    }

    /// Returns whether records other than samples carry pid, time and CPU at their end.
    pub fn has_sample_id_all(&self) -> bool {
        self.has_flag(flag::SAMPLE_ID_ALL)
    }

    /// Returns the clock of the time stamps, or `None` for perf's own clock.
    pub fn clock(&self) -> Option<i32> {
        self.has_flag(flag::USE_CLOCKID).then_some(self.clockid)
    }

    /// Returns whether the event counts nanoseconds of CPU time (`cpu-clock`, `task-clock`).
    pub fn is_cpu_clock(&self) -> bool {
        self.kind == 1 && self.config <= 1
    }

    /// Returns whether the event is a tracepoint; [`Attr::config`] is then its id.
    pub fn is_tracepoint(&self) -> bool {
        self.kind == 2
    }
}
