//! The content of records other than samples, by type.
//!
//! Source of knowledge: `enum perf_event_type` in `linux/perf_event.h`.

use crate::abi::{misc, record};
use crate::counters::Counters;
use crate::endian::{Cursor, Endian, until_nul};
use crate::layout::Layout;
use crate::mapping::Mmap;
use crate::sample::Sample;
use crate::words::{Callchain, Words};

/// The content of a record.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum RecordBody<'a> {
    /// A sample, or one occurrence of a tracepoint.
    Sample(Sample<'a>),
    /// A file was mapped into a process (MMAP and MMAP2).
    Mmap(Mmap<'a>),
    /// A thread got a name.
    Comm {
        /// The process.
        pid: i32,
        /// The thread.
        tid: i32,
        /// Whether by an exec.
        exec: bool,
        /// The name; may not be UTF-8.
        name: &'a [u8],
    },
    /// A thread, or a process with its first thread, was created.
    Fork(Task),
    /// A thread ended.
    Exit(Task),
    /// The kernel dropped records because the ring was full.
    Lost {
        /// Id of the event instance that owned the ring.
        id: u64,
        /// How many since the last such record.
        count: u64,
    },
    /// The kernel dropped samples.
    LostSamples {
        /// How many.
        count: u64,
    },
    /// Sampling was stopped because it took too long.
    Throttle {
        /// Id of the event.
        id: u64,
        /// Id of its stream.
        stream_id: u64,
    },
    /// Sampling continues.
    Unthrottle {
        /// Id of the event.
        id: u64,
        /// Id of its stream.
        stream_id: u64,
    },
    /// Counters of a thread that ended.
    Read {
        /// The process.
        pid: i32,
        /// The thread.
        tid: i32,
        /// The values.
        counters: Counters<'a>,
    },
    /// A context switch of the CPU (SWITCH and `SWITCH_CPU_WIDE`).
    Switch {
        /// Whether the thread left the CPU.
        out: bool,
        /// The other thread, if the record names it: process and thread.
        other: Option<(i32, i32)>,
    },
    /// The namespaces of a process.
    Namespaces {
        /// The process.
        pid: i32,
        /// The thread.
        tid: i32,
        /// Device and inode of each, alternating, in the order of `perf_ns_link_info`.
        links: Words<'a>,
    },
    /// Code appeared in kernel memory, or disappeared from it.
    Ksymbol {
        /// First address.
        address: u64,
        /// Length in bytes.
        length: u32,
        /// Whether it disappeared.
        removed: bool,
        /// Its name.
        name: &'a [u8],
    },
    /// A BPF program was loaded or unloaded.
    BpfEvent {
        /// 1 loaded, 2 unloaded.
        kind: u16,
        /// Id of the program.
        id: u32,
        /// Hash of its instructions.
        tag: &'a [u8],
    },
    /// A cgroup was seen for the first time.
    Cgroup {
        /// Its id, as in samples.
        id: u64,
        /// Its path from the root of the hierarchy.
        path: &'a [u8],
    },
    /// Code of the kernel was changed in place.
    TextPoke {
        /// Where.
        address: u64,
        /// The bytes before.
        old: &'a [u8],
        /// The bytes after.
        new: &'a [u8],
    },
    /// Auxiliary trace data was written.
    Aux {
        /// Offset in the auxiliary buffer.
        offset: u64,
        /// Bytes.
        size_bytes: u64,
        /// 1 truncated, 2 overwrite, 4 partial, 8 collision.
        flags: u64,
    },
    /// User frames of a call chain that was recorded without them.
    CallchainDeferred {
        /// The number after the chain's `USER_DEFERRED` marker.
        cookie: u64,
        /// The frames.
        callchain: Callchain<'a>,
    },
    /// The end of a round: all rings have been read once.
    FinishedRound,
    /// The end of the records that the recorder synthesized about the time before.
    FinishedInit,
    /// A record this reader knows but does not decode.
    Other,
    /// A record too short for its fields.
    Short,
    /// A record of an unknown type.
    Unknown,
}

/// Creation or end of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The process.
    pub pid: i32,
    /// The thread.
    pub tid: i32,
    /// The parent's process.
    pub parent_pid: i32,
    /// The thread that created it.
    pub parent_tid: i32,
    /// When, in nanoseconds of the file's clock; 0 in synthesized records.
    pub time_ns: u64,
}

impl Task {
    fn take(cursor: &mut Cursor<'_>) -> Option<Self> {
        let (pid, parent_pid) = (cursor.i32()?, cursor.i32()?);
        let (tid, parent_tid) = (cursor.i32()?, cursor.i32()?);
        Some(Self {
            pid,
            tid,
            parent_pid,
            parent_tid,
            time_ns: cursor.u64()?,
        })
    }
}

impl<'a> RecordBody<'a> {
    /// Decodes the content of a record other than a sample, without header and trailing fields;
    /// `None` if it is too short.
    pub(crate) fn decode(
        (ty, misc): (u32, u16),
        content: &'a [u8],
        endian: Endian,
        layout: &Layout,
    ) -> Option<Self> {
        let mut cursor = Cursor::new(content, endian);
        Some(match ty {
            record::MMAP | record::MMAP2 => {
                Self::Mmap(Mmap::decode((ty, misc), layout.build_ids, cursor)?)
            }
            record::COMM => Self::Comm {
                pid: cursor.i32()?,
                tid: cursor.i32()?,
                exec: misc & misc::COMM_EXEC != 0,
                name: until_nul(cursor.rest()),
            },
            record::FORK => Self::Fork(Task::take(&mut cursor)?),
            record::EXIT => Self::Exit(Task::take(&mut cursor)?),
            record::LOST => Self::Lost {
                id: cursor.u64()?,
                count: cursor.u64()?,
            },
            record::LOST_SAMPLES => Self::LostSamples {
                count: cursor.u64()?,
            },
            record::THROTTLE | record::UNTHROTTLE => decode_throttle(ty, cursor)?,
            record::READ => Self::Read {
                pid: cursor.i32()?,
                tid: cursor.i32()?,
                counters: Counters::take(cursor.rest(), layout.read, endian)?,
            },
            record::SWITCH => switch(misc, None),
            record::SWITCH_CPU_WIDE => switch(misc, Some((cursor.i32()?, cursor.i32()?))),
            record::FINISHED_ROUND => Self::FinishedRound,
            record::FINISHED_INIT => Self::FinishedInit,
            record::NAMESPACES..=record::CALLCHAIN_DEFERRED => decode_rare(ty, cursor)?,
            record::AUX => decode_rare(ty, cursor)?,
            record::ITRACE_START => Self::Other,
            record::HEADER_ATTR..=record::TOOL_MAX => Self::Other,
            _ => Self::Unknown,
        })
    }
}

fn switch<'a>(misc: u16, other: Option<(i32, i32)>) -> RecordBody<'a> {
    RecordBody::Switch {
        out: misc & misc::SWITCH_OUT != 0,
        other,
    }
}

fn decode_throttle(ty: u32, mut cursor: Cursor<'_>) -> Option<RecordBody<'_>> {
    let _time = cursor.u64()?;
    let (id, stream_id) = (cursor.u64()?, cursor.u64()?);
    Some(if ty == record::THROTTLE {
        RecordBody::Throttle { id, stream_id }
    } else {
        RecordBody::Unthrottle { id, stream_id }
    })
}

fn decode_rare(ty: u32, mut cursor: Cursor<'_>) -> Option<RecordBody<'_>> {
    Some(match ty {
        record::NAMESPACES => {
            let (pid, tid) = (cursor.i32()?, cursor.i32()?);
            let links = cursor.u64()?.checked_mul(16)?;
            let links = Words::new(cursor.take_count(links)?, cursor.endian);
            RecordBody::Namespaces { pid, tid, links }
        }
        record::KSYMBOL => {
            let (address, length) = (cursor.u64()?, cursor.u32()?);
            let _kind = cursor.u16()?;
            RecordBody::Ksymbol {
                address,
                length,
                removed: cursor.u16()? & 1 != 0,
                name: until_nul(cursor.rest()),
            }
        }
        record::BPF_EVENT => {
            let kind = cursor.u16()?;
            let _flags = cursor.u16()?;
            RecordBody::BpfEvent {
                kind,
                id: cursor.u32()?,
                tag: cursor.take(8)?,
            }
        }
        record::CGROUP => RecordBody::Cgroup {
            id: cursor.u64()?,
            path: until_nul(cursor.rest()),
        },
        record::TEXT_POKE => {
            let address = cursor.u64()?;
            let (old, new) = (cursor.u16()?, cursor.u16()?);
            RecordBody::TextPoke {
                address,
                old: cursor.take(usize::from(old))?,
                new: cursor.take(usize::from(new))?,
            }
        }
        record::AUX => RecordBody::Aux {
            offset: cursor.u64()?,
            size_bytes: cursor.u64()?,
            flags: cursor.u64()?,
        },
        record::CALLCHAIN_DEFERRED => {
            let cookie = cursor.u64()?;
            let bytes = cursor.u64()?.checked_mul(8)?;
            let callchain = Words::new(cursor.take_count(bytes)?, cursor.endian);
            RecordBody::CallchainDeferred { cookie, callchain }
        }
        _ => RecordBody::Other,
    })
}
