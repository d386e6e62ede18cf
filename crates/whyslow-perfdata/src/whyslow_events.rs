//! What Whyslow's own recorder puts into a `perf.data` file beyond what `perf record` writes.
//!
//! This is the only description of it; the recorder encodes with it and the importer decodes with
//! it. Other tools see ordinary `bpf-output` events, ordinary call chains and unknown feature
//! sections, all of which they skip or print as they are.
//!
//! # Ends of user stacks
//!
//! A recorded user stack either reached the thread's first function or stopped early. Call chains
//! have no place to say which, so a user half that stopped early is followed by *trailing*
//! `PERF_CONTEXT_USER` markers, as many as the number of the reason ([`UserStackEnd`]):
//!
//! ```text
//! … kernel frames, USER, frame, frame, frame                  reached the first function
//! … kernel frames, USER, frame, frame, USER                   stopped, reason 1
//! … kernel frames, USER, frame, frame, USER, USER, USER       stopped, reason 3
//! … kernel frames, USER, USER, USER                           no user frame at all, reason 2
//! … kernel frames                                             no user half (kernel thread)
//! ```
//!
//! Perf takes a marker for a change of mode and nothing else, so a trailing one changes nothing
//! there. A file that another recorder wrote never ends a chain so: tell by the section
//! [`FEATURE_INFO`] who wrote it.
//!
//! # Events
//!
//! All are `PERF_TYPE_SOFTWARE` / `PERF_COUNT_SW_BPF_OUTPUT`, told apart by their name in the
//! `EVENT_DESC` section, and all have `CALLCHAIN` and `RAW`. The raw payloads are the structs
//! here; numbers are in the byte order of the file; the kernel pads raw payloads to 4 bytes past a
//! multiple of 8, so a payload may be longer than its struct.
//!
//! # Switches without stack
//!
//! A sample of `sched:sched_switch` or `sched:sched_waking` whose call chain is empty was recorded
//! while the rate of stacks was limited: the switch is exact, its stack was left out on purpose.
//! [`FEATURE_INFO`] tells how many (`sampled_stacks.…` and `dropped_stacks.…`). Idle threads have none.
//!
//! Some kernels hide threads, idle ones among them, from all tracing. The recorder adds the switches
//! from those, as it learns them from the threads that come: with empty call chain and empty names,
//! and (unless the leaver is an idle thread, which is `R`) with the state [`UNKNOWN_STATE`].
//!
//! The state of a switch also says what no field of the tracepoint does: [`THROTTLED_STATE`] and
//! [`IDLE_CLASS_STATE`].
//!
//! What follows the payloads of switches and wake-ups: [`sites`](sites()).
//!
//! # Sections
//!
//! Feature sections with numbers that perf does not know.
//!
//! [`FEATURE_KALLSYMS`]: the lines of `/proc/kallsyms` that cover the kernel addresses in the file
//! (for a return address also what covers the byte before it), and `_text` and `_etext`, in the
//! order of addresses.
//!
//! [`FEATURE_INFO`]: a text of lines `key value`. In values `\n` stands for a line end and `\\` for
//! a backslash. Keys may be repeated or missing, and new ones may come:
//!
//! | key | value |
//! |---|---|
//! | `recorder` | `whyslow` and its version |
//! | `host`, `system`, `kernel`, `kernel_version`, `cpu_model` | as the machine calls them |
//! | `cpus_online`, `cpus_possible`, `memory_kb` | numbers |
//! | `boot_id`, `boot_unix_s` | which boot it was, and when (seconds since 1970, UTC) |
//! | `time_zone`, `utc_offset_s` | name in the tz database, and how far it was east of UTC |
//! | `scope` | `machine`, or `command`: the command and its children only |
//! | `start_ns`, `end_ns` | from when to when all events were on, in the recording's clock |
//! | `sample_hz` | CPU samples per second |
//! | `command_pid`, `command_argument` (one per word) | the command that was recorded |
//! | `command_wall_ns`, `command_user_ns`, `command_system_ns` | what it took |
//! | `command_exit_code` or `command_signal` | how it ended |
//! | `samples.EVENT`, `lost.EVENT` | samples in the file, samples that found no room |
//! | `lost_in_rings` | the sum of the `LOST` records |
//! | `dropped_stacks.WHAT` | stacks left out on purpose because there were too many; no blanks in WHAT |
//! | `sampled_stacks.EVENT` | samples without a stack because others of their site have one |
//! | `lost_system_calls` | system calls that were not counted, because there was no room for counts |
//! | `lost_file_calls` | the same of calls about files |
//! | `late_stacks` | user stacks that there was no time to unwind |
//! | `hidden_stacks` | switches of threads that the kernel hides, whose stacks cannot be had |
//! | `user_stacks_complete`, `user_stacks_truncated`, `user_stacks_absent` | how they ended |
//! | `recorder_user_ns`, `recorder_system_ns` | CPU time of the recorder |
//! | `missing` | what could not be recorded, why, what to do: separated by tabs |
//!
//! # Files of a recorder that was killed
//!
//! The header's data size is 0 until the recording is whole, and the feature sections, which
//! follow the data, are missing. So the sections known at the start are repeated between the
//! attributes and the data, where perf does not look: see [`early_sections`].

mod affinity;
mod files;
mod groups;
mod sites;
mod system_calls;

pub use sites::{push_sites, sites};

use crate::endian::Endian;

pub use affinity::Affinity;
pub use files::{EVENT_FILE_CALLS, EVENT_FILE_NAME, FileCall, FileCalls, FileFlags, FileName};
pub use groups::{
    EVENT_GROUP, EVENT_GROUP_MEMBER, GroupFigure, GroupKind, GroupMember, GroupReading,
    MOST_GROUP_PATH,
};
pub use system_calls::{CallEnd, CallTable, EVENT_SYSTEM_CALLS, SystemCall, SystemCalls};

/// Name of the event that carries the user half of a stack, delivered apart from its kernel half.
pub const EVENT_USER_STACK: &str = "whyslow:user_stack";
/// Name of the event that carries a command line.
pub const EVENT_EXEC: &str = "whyslow:exec";
/// Name of the event that carries an exit code.
pub const EVENT_EXIT: &str = "whyslow:exit";
/// Name of the event that tells the state of one thread at the start or end of the recording.
pub const EVENT_THREAD: &str = "whyslow:thread";
/// Name of the event that tells which CPUs a thread may use.
pub const EVENT_AFFINITY: &str = "whyslow:affinity";

/// `prev_state` of a switch from a thread that the kernel hides: nobody knows why it left the CPU.
pub const UNKNOWN_STATE: u64 = 1 << 30;
/// Bit in `prev_state` of a switch: the thread could run on, but its group of processes has used up its
/// quota of CPU time.
pub const THROTTLED_STATE: u64 = 1 << 29;
/// Bit in `prev_state` of a switch: the thread is of the class that runs only when nobody else wants to
/// (`SCHED_IDLE`).
pub const IDLE_CLASS_STATE: u64 = 1 << 28;

/// Feature section: facts of the machine and the recording, one `key value` per line; see above.
pub const FEATURE_INFO: u16 = 240;
/// Feature section: the lines of `/proc/kallsyms` that cover the kernel addresses in the file.
pub const FEATURE_KALLSYMS: u16 = 241;

/// First eight bytes of the block that [`early_sections`] reads.
pub const EARLY_MAGIC: [u8; 8] = *b"WHYSLOW1";

/// Why a user stack ends where it ends. The numbers are the count of trailing markers in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum UserStackEnd {
    /// The walk reached the first function of the thread.
    Root = 0,
    /// The stack is deeper than the part of it that was copied.
    DumpTooSmall = 1,
    /// An address lies in no known executable mapping.
    UnknownMapping = 2,
    /// The code has no usable unwind information.
    NoUnwindInfo = 3,
    /// The next frame is not in the copied memory, or does not move towards the root.
    BadMemory = 4,
    /// The stack could not be copied (thread gone, memory not readable).
    NotCaptured = 5,
    /// More frames than the recorder keeps.
    DepthLimit = 6,
    /// The recorder was too busy to unwind it; only the innermost frame is there.
    Skipped = 7,
}

impl UserStackEnd {
    /// Every end, in the order of the numbers.
    pub const ALL: [Self; 8] = [
        Self::Root,
        Self::DumpTooSmall,
        Self::UnknownMapping,
        Self::NoUnwindInfo,
        Self::BadMemory,
        Self::NotCaptured,
        Self::DepthLimit,
        Self::Skipped,
    ];

    /// Returns the end with this number, or `None` where a newer recorder knows more ends.
    pub fn from_number(number: usize) -> Option<Self> {
        Self::ALL.get(number).copied()
    }

    /// Splits the trailing markers off a call chain: the chain without them, and their number.
    ///
    /// A chain that consists of one leading marker only keeps it.
    pub fn split(chain: &[u64]) -> (&[u64], usize) {
        let frames = chain
            .iter()
            .rposition(|&ip| ip != CONTEXT_USER)
            .map_or(0, |last| last + 1);
        let markers = chain.len() - frames;
        // The marker that opens an empty user half is no trailing one.
        let opened = chain
            .get(..frames)
            .is_some_and(|head| head.contains(&CONTEXT_USER));
        let keep = if opened || markers == 0 {
            frames
        } else {
            frames + 1
        };
        (chain.get(..keep).unwrap_or(chain), chain.len() - keep)
    }
}

const CONTEXT_USER: u64 = -512_i64 as u64;

/// What a [`UserStack`] belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum UserStackKind {
    /// The waits of one system call, taken when it returned: all waits of the thread that began at
    /// `anchor_ns` or later and ended before the sample's time, except those that have a
    /// [`Block`](Self::Block) of their own.
    Wait = 1,
    /// One wait outside of any system call (a page fault, work on the way back to user mode),
    /// taken when it began: the wait whose `sched_switch` follows the sample's time by
    /// microseconds.
    Block = 2,
    /// The thread was preempted; the stack is that of the `sched_switch` that follows.
    Preempted = 3,
    /// The thread wakes another one that waited long; the stack is the waker's, of the
    /// `sched_waking` of `other_tid` at the sample's time.
    Waker = 4,
    /// A wait that was still open when the recording ended.
    OpenWait = 5,
}

impl UserStackKind {
    /// Returns the kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Wait,
            2 => Self::Block,
            3 => Self::Preempted,
            4 => Self::Waker,
            5 => Self::OpenWait,
            _ => return None,
        })
    }
}

/// Who wakes a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WakerKind {
    /// Not told, or the stack is no waker's.
    Unknown = 0,
    /// The running thread, on purpose.
    Thread = 1,
    /// A thread of the kernel; it has no user stack.
    KernelThread = 2,
    /// A hardware or software interrupt: no thread is the waker.
    Interrupt = 3,
}

impl WakerKind {
    fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Thread,
            2 => Self::KernelThread,
            3 => Self::Interrupt,
            _ => Self::Unknown,
        }
    }
}

/// Payload of [`EVENT_USER_STACK`]; the frames are the sample's call chain.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`UserStackKind`] |
/// | 1 | 1 | [`UserStackEnd`], as in the chain |
/// | 2 | 1 | [`WakerKind`] |
/// | 3 | 1 | 1: the thread is ending (it was killed while it waited, or exits) |
/// | 4 | 4 | `system_call` |
/// | 8 | 8 | `anchor_ns` |
/// | 16 | 8 | `off_cpu_ns` |
/// | 24 | 8 | `sampled_ns` |
/// | 32 | 4 | `wait_count` |
/// | 36 | 4 | `sampled_count` |
/// | 40 | 4 | `other_pid` |
/// | 44 | 4 | `other_tid` |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserStack {
    /// What the stack belongs to.
    pub kind: UserStackKind,
    /// How the stack ends.
    pub end: UserStackEnd,
    /// [`UserStackKind::Waker`]: who wakes. For an interrupt the sample's thread is the one that
    /// happened to be interrupted.
    pub waker: WakerKind,
    /// The thread is ending: it was killed while it waited, or exits.
    pub is_exiting: bool,
    /// [`UserStackKind::Wait`]: number of the system call; otherwise -1.
    pub system_call: i32,
    /// When the first wait of the system call, or the wait of the woken or still waiting thread,
    /// began, in nanoseconds of the recording's clock; for the other kinds the sample's time. 0:
    /// not known, before the recording.
    pub anchor_ns: u64,
    /// How long the thread waited in this system call, from leaving the CPU to running again, in
    /// nanoseconds; 0 where that does not apply.
    pub off_cpu_ns: u64,
    /// Where short waits are sampled: how much waiting this stack stands for, with that of earlier
    /// system calls of the thread which got no stack. 0: the stack stands for its own waits only.
    pub sampled_ns: u64,
    /// Number of waits in `off_cpu_ns`.
    pub wait_count: u32,
    /// Number of waits in `sampled_ns`.
    pub sampled_count: u32,
    /// [`UserStackKind::Waker`]: process of the thread that is woken; otherwise 0.
    pub other_pid: u32,
    /// [`UserStackKind::Waker`]: the thread that is woken; otherwise 0.
    pub other_tid: u32,
}

impl UserStack {
    /// Bytes of the payload.
    pub const BYTES: usize = 48;

    /// Returns a payload that says nothing but these.
    pub fn new(kind: UserStackKind, end: UserStackEnd, anchor_ns: u64) -> Self {
        Self {
            kind,
            end,
            waker: WakerKind::Unknown,
            is_exiting: false,
            system_call: -1,
            anchor_ns,
            off_cpu_ns: 0,
            sampled_ns: 0,
            wait_count: 0,
            sampled_count: 0,
            other_pid: 0,
            other_tid: 0,
        }
    }

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let flags = u8::from(self.is_exiting);
        out.extend_from_slice(&[self.kind as u8, self.end as u8, self.waker as u8, flags]);
        out.extend_from_slice(&self.system_call.to_ne_bytes());
        for word in [self.anchor_ns, self.off_cpu_ns, self.sampled_ns] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in [
            self.wait_count,
            self.sampled_count,
            self.other_pid,
            self.other_tid,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            kind: UserStackKind::from_number(*bytes.first()?)?,
            end: UserStackEnd::from_number(usize::from(*bytes.get(1)?))?,
            waker: WakerKind::from_number(*bytes.get(2)?),
            is_exiting: *bytes.get(3)? & 1 != 0,
            system_call: endian.i32(bytes, 4)?,
            anchor_ns: endian.u64(bytes, 8)?,
            off_cpu_ns: endian.u64(bytes, 16)?,
            sampled_ns: endian.u64(bytes, 24)?,
            wait_count: endian.u32(bytes, 32)?,
            sampled_count: endian.u32(bytes, 36)?,
            other_pid: endian.u32(bytes, 40)?,
            other_tid: endian.u32(bytes, 44)?,
        })
    }
}

/// Payload of [`EVENT_EXEC`]: the command line of a process from the sample's time on.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`ExecSource`] |
/// | 1 | 1 | 1: the command line is longer than what is here |
/// | 2 | 2 | 0 |
/// | 4 | 4 | `pid` |
/// | 8 | 4 | `parent_pid` |
/// | 12 | 4 | bytes of the command line |
/// | 16 | 8 | `start_ns` |
/// | 24 | … | the arguments, each ended by a zero byte |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exec {
    /// How the command line was learned.
    pub source: ExecSource,
    /// The command line is longer than what is here.
    pub is_cut: bool,
    /// The process.
    pub pid: u32,
    /// Its parent; 0: not known here.
    pub parent_pid: u32,
    /// When the process was born, in nanoseconds of the recording's clock (negative: before the
    /// clock's zero); 0: not known here.
    pub start_ns: i64,
    /// The arguments, each ended by a zero byte (the last one perhaps not).
    pub arguments: Vec<u8>,
}

/// How a command line was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExecSource {
    /// Read by the kernel at the moment of the `exec`: exact.
    Kernel = 1,
    /// Read from `/proc` when the recording started: exact, for processes that were there before.
    Rundown = 2,
    /// Read from `/proc` some time after the `exec`: may be that of a later `exec`.
    ProcLater = 3,
}

impl Exec {
    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.source as u8, u8::from(self.is_cut), 0, 0]);
        out.extend_from_slice(&self.pid.to_ne_bytes());
        out.extend_from_slice(&self.parent_pid.to_ne_bytes());
        let length = u32::try_from(self.arguments.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&length.to_ne_bytes());
        out.extend_from_slice(&self.start_ns.to_ne_bytes());
        out.extend_from_slice(&self.arguments);
    }

    /// Reads a payload; `None` if it is too short or of an unknown source.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let source = match *bytes.first()? {
            1 => ExecSource::Kernel,
            2 => ExecSource::Rundown,
            3 => ExecSource::ProcLater,
            _ => return None,
        };
        let length = usize::try_from(endian.u32(bytes, 12)?).ok()?;
        Some(Self {
            source,
            is_cut: *bytes.get(1)? != 0,
            pid: endian.u32(bytes, 4)?,
            parent_pid: endian.u32(bytes, 8)?,
            start_ns: endian.u64(bytes, 16)?.cast_signed(),
            arguments: bytes.get(24..)?.get(..length)?.to_vec(),
        })
    }
}

/// Payload of [`EVENT_EXIT`]: how a thread ended.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | `tid` |
/// | 8 | 4 | `wait_status` |
/// | 12 | 4 | 1: this was the last thread, the process has ended |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// As `wait` gives it: the signal in the low 7 bits, 0x80 for a core dump, the exit code in
    /// bits 8 to 15.
    pub wait_status: u32,
    /// This was the last thread of the process.
    pub is_process: bool,
}

impl Exit {
    /// Bytes of the payload.
    pub const BYTES: usize = 16;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        for word in [
            self.pid,
            self.tid,
            self.wait_status,
            u32::from(self.is_process),
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            wait_status: endian.u32(bytes, 8)?,
            is_process: endian.u32(bytes, 12)? != 0,
        })
    }
}

/// Payload of [`EVENT_THREAD`]: one thread when the recording started or ended.
///
/// Its name and process come in `COMM` and `FORK` records of the same moment. The call chain, if
/// not empty, is where the thread was waiting.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | 1: at the start, 2: at the end |
/// | 1 | 1 | `state` |
/// | 2 | 2 | bytes of the wait channel |
/// | 4 | 4 | `pid` |
/// | 8 | 4 | `tid` |
/// | 12 | 4 | `parent_pid` |
/// | 16 | 8 | `start_ns` |
/// | 24 | … | the wait channel: the kernel function it waits in |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadState {
    /// At the end of the recording, not at its start.
    pub at_end: bool,
    /// The letter of `/proc/PID/task/TID/stat`: `R`, `S`, `D`, `T`, `I`, `Z` ….
    pub state: u8,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The parent of the process.
    pub parent_pid: u32,
    /// When the thread was born, in nanoseconds of the recording's clock (negative: before the
    /// clock's zero), to the precision of the kernel's clock tick.
    pub start_ns: i64,
    /// The kernel function in which it waits; empty: it does not, or that is not to be known.
    pub wait_channel: Vec<u8>,
}

impl ThreadState {
    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let channel = self
            .wait_channel
            .get(..usize::from(u16::MAX))
            .unwrap_or(&self.wait_channel);
        out.extend_from_slice(&[if self.at_end { 2 } else { 1 }, self.state]);
        let length = u16::try_from(channel.len()).unwrap_or(u16::MAX);
        out.extend_from_slice(&length.to_ne_bytes());
        for word in [self.pid, self.tid, self.parent_pid] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        out.extend_from_slice(&self.start_ns.to_ne_bytes());
        out.extend_from_slice(channel);
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let length = usize::from(endian.u16(bytes, 2)?);
        Some(Self {
            at_end: *bytes.first()? == 2,
            state: *bytes.get(1)?,
            pid: endian.u32(bytes, 4)?,
            tid: endian.u32(bytes, 8)?,
            parent_pid: endian.u32(bytes, 12)?,
            start_ns: endian.u64(bytes, 16)?.cast_signed(),
            wait_channel: bytes.get(24..)?.get(..length)?.to_vec(),
        })
    }
}

/// One feature section that is repeated before the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlySection {
    /// The feature's number.
    pub feature: u16,
    /// Where the section starts in the file.
    pub offset: u64,
    /// Its bytes.
    pub size_bytes: u64,
}

/// Reads the directory of feature sections that stands between the attributes and the data.
///
/// `bytes` are those between the end of the attribute section and the start of the data section.
/// The directory is [`EARLY_MAGIC`], the number of entries (8 bytes), and per entry the feature's
/// number, offset in the file and size (8 bytes each). An empty answer means there is none.
pub fn early_sections(bytes: &[u8], endian: Endian) -> Vec<EarlySection> {
    if bytes.get(..8) != Some(EARLY_MAGIC.as_slice()) {
        return Vec::new();
    }
    let count = endian.u64(bytes, 8).unwrap_or(0).min(256);
    let mut sections = Vec::new();
    for entry in 0..count {
        let Some(base) = usize::try_from(entry).ok().map(|entry| 16 + entry * 24) else {
            break;
        };
        let (Some(feature), Some(offset), Some(size_bytes)) = (
            endian.u64(bytes, base),
            endian.u64(bytes, base + 8),
            endian.u64(bytes, base + 16),
        ) else {
            break;
        };
        if let Ok(feature) = u16::try_from(feature) {
            sections.push(EarlySection {
                feature,
                offset,
                size_bytes,
            });
        }
    }
    sections
}

#[cfg(test)]
mod tests;
