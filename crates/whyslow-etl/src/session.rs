//! The session header: the first event of every trace (`TRACE_LOGFILE_HEADER`, documented with
//! `EVENT_TRACE_LOGFILE`), seen from Windows 7 (build 7600) to Windows 11 (build 26100).
//!
//! Offsets are those of the payload; where two are given, the second is for 32-bit machines.
//! *Folklore:* the pointers in it are those of the recording process and mean nothing; the two
//! names follow the fixed part. A relogged file keeps the numbers of losses of its source.

use crate::bytes::{i64_at, u8_at, u16_at, u32_at};
use crate::clock::{ClockKind, FileTime};
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// What the recording session says about itself and its machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// Size of a buffer in memory, in bytes; in an uncompressed file also the size on disk.
    pub buffer_bytes: u32,
    /// Version of Windows: major and minor.
    pub os_version: (u8, u8),
    /// Build of Windows.
    pub os_build: u32,
    /// Number of processors.
    pub cpus: u32,
    /// When the session ended; `None` if it was not closed.
    pub end_time: Option<FileTime>,
    /// Period of the timer interrupt, in 100 ns.
    pub timer_resolution: u32,
    /// Maximum size of the file, in MiB, or in KiB with [`LogMode::KILOBYTES`]; 0 for no limit.
    pub max_file_size: u32,
    /// How it was recorded.
    pub mode: LogMode,
    /// Buffers written.
    pub buffers_written: u32,
    /// First buffers that a circular file never overwrites.
    pub start_buffers: u32,
    /// Pointer size of the recording machine's kernel, as stated.
    pub pointer_size: u32,
    /// Events lost, as stated.
    pub events_lost: u32,
    /// Buffers lost, as stated.
    pub buffers_lost: u32,
    /// Speed of the processor in MHz.
    pub cpu_mhz: u32,
    /// The machine's time zone.
    pub time_zone: TimeZone,
    /// When the machine was started; `None` if not stated.
    pub boot_time: Option<FileTime>,
    /// Ticks of the performance counter per second.
    pub frequency: i64,
    /// When the session started.
    pub start_time: FileTime,
    /// The clock of the time stamps.
    pub clock: ClockKind,
    /// Name of the session, such as `NT Kernel Logger`, or `Relogger` in merged files.
    pub name: String,
    /// Name of the file as it was recorded, or `[multiple files]` in merged files.
    pub file_name: String,
}

/// A time zone of Windows (`TIME_ZONE_INFORMATION`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone {
    /// Minutes to add to local time to get UTC, in addition to the two below.
    pub bias_minutes: i32,
    /// Name in winter; often a resource such as `@tzres.dll,-112`.
    pub standard_name: String,
    /// When winter time begins.
    pub standard_start: ZoneDate,
    /// Minutes to add in winter.
    pub standard_bias_minutes: i32,
    /// Name in summer.
    pub daylight_name: String,
    /// When summer time begins.
    pub daylight_start: ZoneDate,
    /// Minutes to add in summer, usually −60.
    pub daylight_bias_minutes: i32,
}

/// A date of a time zone's change (`SYSTEMTIME`): with year 0, `day` is the week of the month (5
/// for the last) and `weekday` counts from Sunday; month 0 means that there is no change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the words of a calendar")]
pub struct ZoneDate {
    pub year: u16,
    pub month: u16,
    pub weekday: u16,
    pub day: u16,
    pub hour: u16,
    pub minute: u16,
}

/// How a session was recorded (`LogFileMode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LogMode(pub u32);

impl LogMode {
    /// The file is circular: the oldest buffers are overwritten.
    pub const CIRCULAR: u32 = 0x2;
    /// The file was created in its full size at the start.
    pub const PREALLOCATED: u32 = 0x20;
    /// The maximum size is in KiB.
    pub const KILOBYTES: u32 = 0x2000;
    /// Written by a relogger, such as the merge of `xperf` or `wpr`.
    pub const RELOGGED: u32 = 0x1_0000;
    /// Buffers are compressed.
    pub const COMPRESSED: u32 = 0x0400_0000;
    /// One stream of buffers for all processors.
    pub const ONE_STREAM: u32 = 0x1000_0000;

    /// Returns whether all of `bits` are set.
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits == bits
    }
}

impl Session {
    /// Bytes of the fixed part, without the names.
    fn fixed_bytes(pointer: PointerSize) -> usize {
        match pointer {
            PointerSize::Four => 0x110,
            PointerSize::Eight => 0x118,
        }
    }

    /// Returns the ticks per second of the time stamps, as stated.
    pub(crate) fn ticks_per_second(&self) -> i64 {
        match self.clock {
            ClockKind::SystemTime => 10_000_000,
            ClockKind::ProcessorCycles => i64::from(self.cpu_mhz) * 1_000_000,
            _ => self.frequency,
        }
    }

    /// Reads the payload of the first event; `None` if it is too short.
    pub(crate) fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        let fixed = payload.get(..Self::fixed_bytes(pointer))?;
        // Two pointers come before the zone, so everything after them is shifted by the same 8
        // bytes.
        let shift = match pointer {
            PointerSize::Four => 0,
            PointerSize::Eight => 8,
        };
        let word = |at| u32_at(fixed, at);
        let names = payload.get(fixed.len()..).unwrap_or_default();
        let (name, used) = Utf16::terminated(names);
        let (file_name, _) = Utf16::terminated(names.get(used..).unwrap_or_default());
        let some = |time| (time != 0).then_some(FileTime(time));
        Some(Self {
            buffer_bytes: word(0)?,
            os_version: (u8_at(fixed, 4)?, u8_at(fixed, 5)?),
            os_build: word(8)?,
            cpus: word(0xc)?,
            end_time: some(i64_at(fixed, 0x10)?),
            timer_resolution: word(0x18)?,
            max_file_size: word(0x1c)?,
            mode: LogMode(word(0x20)?),
            buffers_written: word(0x24)?,
            start_buffers: word(0x28)?,
            pointer_size: word(0x2c)?,
            events_lost: word(0x30)?,
            cpu_mhz: word(0x34)?,
            time_zone: TimeZone::read(fixed.get(0x40 + shift..)?)?,
            boot_time: some(i64_at(fixed, 0xf0 + shift)?),
            frequency: i64_at(fixed, 0xf8 + shift)?,
            start_time: FileTime(i64_at(fixed, 0x100 + shift)?),
            clock: ClockKind::new(word(0x108 + shift)?),
            buffers_lost: word(0x10c + shift)?,
            name: name.to_string(),
            file_name: file_name.to_string(),
        })
    }
}

impl TimeZone {
    fn read(bytes: &[u8]) -> Option<Self> {
        let minutes = |at| u32_at(bytes, at).map(u32::cast_signed);
        let name = |at: usize| {
            let bytes = bytes.get(at..at + 64)?;
            Some(Utf16::terminated(bytes).0.to_string())
        };
        Some(Self {
            bias_minutes: minutes(0)?,
            standard_name: name(4)?,
            standard_start: ZoneDate::read(bytes, 68)?,
            standard_bias_minutes: minutes(84)?,
            daylight_name: name(88)?,
            daylight_start: ZoneDate::read(bytes, 152)?,
            daylight_bias_minutes: minutes(168)?,
        })
    }
}

impl ZoneDate {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        let part = |index: usize| u16_at(bytes, at + 2 * index);
        Some(Self {
            year: part(0)?,
            month: part(1)?,
            weekday: part(2)?,
            day: part(3)?,
            hour: part(4)?,
            minute: part(5)?,
        })
    }
}
