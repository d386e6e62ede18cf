//! The sections after the data: who recorded what, where and how.
//!
//! In pipe mode the same facts come as records. Source of knowledge:
//! `tools/perf/Documentation/perf.data-file-format.txt`.

use crate::abi::feature;
use crate::build_id::BuildId;
use crate::endian::{Cursor, Endian, count};
use crate::trace_format::TraceFormat;
use crate::tracing_data;

/// Facts that a file states about its recording; `None` or empty if it does not.
#[derive(Debug, Clone, Default)]
pub struct Features {
    /// Name of the machine.
    pub hostname: Option<String>,
    /// Release of its kernel.
    pub os_release: Option<String>,
    /// Version of the recorder.
    pub version: Option<String>,
    /// Architecture, as `uname -m` gives it.
    pub arch: Option<String>,
    /// CPUs that were on line.
    pub cpus_online: Option<u32>,
    /// CPUs that could have been on line.
    pub cpus_available: Option<u32>,
    /// Name of the processor.
    pub cpu_name: Option<String>,
    /// Vendor, family, model and stepping of the processor.
    pub cpu_id: Option<String>,
    /// Memory of the machine.
    pub memory_bytes: Option<u64>,
    /// Command line of the recorder, argument by argument.
    pub command_line: Vec<String>,
    /// First and last time of samples.
    pub sample_time_ns: Option<(u64, u64)>,
    /// Resolution of the clock.
    pub clock_resolution_ns: Option<u64>,
    /// Readings of the time stamps' clock and of the wall clock.
    pub clock_data: Option<ClockData>,
    /// How records are compressed.
    pub compression: Option<Compression>,
    /// Formats of the tracepoints.
    pub formats: Vec<TraceFormat>,
    /// Build ids by path.
    pub build_ids: Vec<BuildId>,
    raw: Vec<(u16, Vec<u8>)>,
    raw_bytes: u64,
}

/// The same moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockData {
    /// Number of the clock the time stamps are in (`CLOCK_MONOTONIC` is 1).
    pub clockid: u32,
    /// Wall clock, nanoseconds since 1970 UTC.
    pub wall_ns: u64,
    /// The time stamps' clock.
    pub clock_ns: u64,
}

/// How a recorder compressed its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compression {
    /// The method: 1 is zstd, the only one there is.
    pub method: u32,
    /// Its level.
    pub level: u32,
    /// Compression ratio reached.
    pub ratio: u32,
    /// Bytes of the ring that are compressed at once.
    pub ring_bytes: u32,
}

/// Maximum size of a section that is read.
pub(crate) const MOST_SECTION_BYTES: u64 = 64 << 20;

/// Maximum size of sections that are kept undecoded, in bytes.
const MOST_RAW_BYTES: u64 = 128 << 20;
const MOST_ARGUMENTS: u32 = 100_000;
const MOST_BUILD_IDS: usize = 1_000_000;

impl Features {
    /// Returns a section that this reader does not interpret, by its bit; a recorder's own sections
    /// are among them.
    pub fn raw(&self, bit: u16) -> Option<&[u8]> {
        let (_, bytes) = self.raw.iter().find(|(b, _)| *b == bit)?;
        Some(bytes)
    }

    /// Returns the format of the tracepoint with this id; its event has the id in `config`.
    pub fn format(&self, id: u64) -> Option<&TraceFormat> {
        self.formats.iter().find(|format| format.id == id)
    }

    /// Takes a section; returns `None` if it does not decode. Entries before the damage are kept.
    pub(crate) fn take(&mut self, bit: u16, bytes: &[u8], endian: Endian) -> Option<()> {
        let mut cursor = Cursor::new(bytes, endian);
        match bit {
            feature::HOSTNAME => self.hostname = Some(cursor.string()?),
            feature::OSRELEASE => self.os_release = Some(cursor.string()?),
            feature::VERSION => self.version = Some(cursor.string()?),
            feature::ARCH => self.arch = Some(cursor.string()?),
            feature::CPUDESC => self.cpu_name = Some(cursor.string()?),
            feature::CPUID => self.cpu_id = Some(cursor.string()?),
            feature::NRCPUS => {
                self.cpus_available = Some(cursor.u32()?);
                self.cpus_online = Some(cursor.u32()?);
            }
            feature::TOTAL_MEM => self.memory_bytes = cursor.u64()?.checked_mul(1024),
            feature::CMDLINE => {
                self.command_line.clear();
                for _ in 0..cursor.u32()?.min(MOST_ARGUMENTS) {
                    self.command_line.push(cursor.string()?);
                }
            }
            feature::SAMPLE_TIME => self.sample_time_ns = Some((cursor.u64()?, cursor.u64()?)),
            feature::CLOCKID => self.clock_resolution_ns = Some(cursor.u64()?),
            feature::COMPRESSED => {
                let _version = cursor.u32()?;
                self.compression = Some(Compression {
                    method: cursor.u32()?,
                    level: cursor.u32()?,
                    ratio: cursor.u32()?,
                    ring_bytes: cursor.u32()?,
                });
            }
            feature::CLOCK_DATA => {
                let _version = cursor.u32()?;
                self.clock_data = Some(ClockData {
                    clockid: cursor.u32()?,
                    wall_ns: cursor.u64()?,
                    clock_ns: cursor.u64()?,
                });
            }
            feature::TRACING_DATA => return tracing_data::decode(bytes, &mut self.formats),
            feature::BUILD_ID => return self.take_build_ids(bytes, endian),
            _ => return self.keep(bit, bytes),
        }
        Some(())
    }

    fn keep(&mut self, bit: u16, bytes: &[u8]) -> Option<()> {
        let total = self.raw_bytes.saturating_add(count(bytes.len()));
        if total > MOST_RAW_BYTES {
            return None;
        }
        self.raw_bytes = total;
        self.raw.retain(|(kept, _)| *kept != bit);
        self.raw.push((bit, bytes.to_vec()));
        Some(())
    }

    /// Takes a sequence of entries, each with a record's header.
    pub(crate) fn take_build_ids(&mut self, bytes: &[u8], endian: Endian) -> Option<()> {
        let mut rest = bytes;
        while rest.len() >= 8 {
            if self.build_ids.len() >= MOST_BUILD_IDS {
                return None;
            }
            let size = usize::from(endian.u16(rest, 6)?);
            let (entry, after) = rest.split_at_checked(size)?;
            self.build_ids.push(BuildId::decode(entry, endian)?);
            rest = after;
        }
        Some(())
    }
}
