//! What Whyslow's own recorder adds to a `perf.data` file beyond what `perf record` writes.
//!
//! This is the only description of it; the recorder encodes with it and the importer decodes with
//! it. Other tools see ordinary `bpf-output` events, ordinary call chains and unknown feature
//! sections; they skip them or print them unchanged.
//!
//! # Ends of user stacks
//!
//! A recorded user stack either reached the thread's first function or stopped early. Call chains
//! have no place to say which, so a user half that stopped early is followed by *trailing*
//! `PERF_CONTEXT_USER` markers; their number is the number of the reason ([`UserStackEnd`]):
//!
//! ```text
//! … kernel frames, USER, frame, frame, frame                  reached the first function
//! … kernel frames, USER, frame, frame, USER                   stopped, reason 1
//! … kernel frames, USER, frame, frame, USER, USER, USER       stopped, reason 3
//! … kernel frames, USER, USER, USER                           no user frame at all, reason 2
//! … kernel frames                                             no user half (kernel thread)
//! ```
//!
//! For perf a marker only changes the mode, so a trailing one has no effect there. Files of other
//! recorders never end a chain in this way: the section [`FEATURE_INFO`] shows who wrote a file.
//!
//! # Events
//!
//! All are `PERF_TYPE_SOFTWARE` / `PERF_COUNT_SW_BPF_OUTPUT`, distinguished by their name in the
//! `EVENT_DESC` section, and all have `CALLCHAIN` and `RAW`. The raw payloads are the structs here;
//! numbers are in the byte order of the file; the kernel pads raw payloads to 4 bytes past a
//! multiple of 8, so a payload may be longer than its struct.
//!
//! # Frames of interpreters
//!
//! [`CodeObject`] describes how functions run by an interpreter appear in call chains.
//!
//! # Switches without stack
//!
//! A sample of `sched:sched_switch` or `sched:sched_waking` with an empty call chain was recorded
//! while the rate of stacks was limited: the switch is exact, its stack was left out on purpose.
//! [`FEATURE_INFO`] counts them (`sampled_stacks.…` and `dropped_stacks.…`). Idle threads have no
//! stacks.
//!
//! Some kernels hide threads, idle ones among them, from all tracing. The recorder adds the
//! switches from those threads, derived from the threads that come next: with empty call chain and
//! empty names, and (unless the leaving thread is an idle thread, which has `R`) with the state
//! [`UNKNOWN_STATE`].
//!
//! The state of a switch also holds facts that no field of the tracepoint has: [`THROTTLED_STATE`]
//! and [`IDLE_CLASS_STATE`].
//!
//! [`sites`](sites()) describes the numbers that follow the payloads of switches and wake-ups, and
//! [`accounted_ns`] the CPU time that the kernel accounts to the thread that leaves, and [`recorder_ns`] what the
//! recorder's own programs took of it.
//!
//! # Sections
//!
//! Feature sections with numbers that perf does not know:
//!
//! [`FEATURE_KALLSYMS`]: the lines of `/proc/kallsyms` that cover the kernel addresses in the file
//! (for a return address also the line for the byte before it), and `_text` and `_etext`, in the
//! order of addresses.
//!
//! [`FEATURE_KEPT_FILES`]: what names need of files that were executed and were gone, or replaced, when the
//! recording ended ([`KeptFile`]).
//!
//! [`FEATURE_INFO`]: a text of lines `key value`. In values, `\n` means a line end and `\\` a backslash.
//! Keys may be repeated or missing, and new ones may be added:
//!
//! | key | value |
//! |---|---|
//! | `recorder` | `whyslow` and its version |
//! | `host`, `system`, `kernel`, `kernel_version`, `cpu_model` | as the machine reports them |
//! | `cpus_online`, `cpus_possible`, `memory_kb` | numbers |
//! | `boot_id`, `boot_unix_s` | id and time of the boot (seconds since 1970, UTC) |
//! | `time_zone`, `utc_offset_s` | name in the tz database, and offset east of UTC |
//! | `scope` | `machine`, or `command`: the command and its children only |
//! | `start_ns`, `end_ns` | the time during which all events were on, in the recording's clock |
//! | `sample_hz` | CPU samples per second |
//! | `recorder_pid` | the recorder itself |
//! | `command_pid`, `command_argument` (one per word) | the command that was recorded |
//! | `command_folder` | the folder in which it began |
//! | `file_lock` | who held a lock on a file when the recording began: the pid, and after a blank the path |
//! | `file_system` | a file system that was mounted as the recording began or ended: device number (major times 2^20 plus minor), kind, source, where it is mounted, pid of the process that serves it or `-`, options; separated by blanks, which inside of texts are `\040` |
//! | `disk` | a disk of any size: device number, name, 1 if it is rotational, scheduler, how many requests may be queued, how many the device takes at a time, `back` or `through` for its write cache, partitions separated by commas; `-` where not known |
//! | `command_limit.WHAT` | what the command may use at most: soft and hard limit, and the unit |
//! | `sampled_looks` | where only the command could be recorded: how often the recorder looked into `/proc` to see what the thread of the command that matters was doing |
//! | `sampled_wait.N` | one thing that it was seen doing: in how many looks, the letter of its state, the number of the system call, and the kernel function it slept in (`-`: none) |
//! | `sampled_process.N`, `sampled_object.N` | its process, and the file or connection of the call |
//! | `command_wall_ns`, `command_user_ns`, `command_system_ns` | how long it took, and its CPU time |
//! | `command_exit_code` or `command_signal` | how it ended |
//! | `samples.EVENT`, `lost.EVENT` | samples in the file, samples for which there was no room |
//! | `lost_in_rings` | the sum of the `LOST` records |
//! | `dropped_stacks.WHAT` | stacks left out on purpose because there were too many; no blanks in WHAT |
//! | `sampled_stacks.EVENT` | samples without a stack because others at their site have one |
//! | `lost_system_calls` | system calls that were not counted because there was no room for counts |
//! | `lost_file_calls` | the same for calls on files |
//! | `lost_file_names` | names of files for which there was no room |
//! | `single_file_calls_per_second` | how many calls on files have rows of their own, per second and CPU, before some are left out |
//! | `lost_single_file_calls` | rows of single calls on files for which there was no room |
//! | `limit` | data left out because there was too much of it: how much, and after a blank what |
//! | `lost_marks` | marks for which there was no room, or that were too many per second |
//! | `follows` (one per word) | `connections`, `names` (on the wire), `look-ups` (by the C library), `marks` |
//! | `lost_network` | connections that were not followed, and reports of the network for which there was no room |
//! | `late_stacks` | user stacks that there was no time to unwind |
//! | `hidden_stacks` | switches of threads that the kernel hides, whose stacks cannot be recorded |
//! | `user_stacks_complete`, `user_stacks_truncated`, `user_stacks_absent` | how they ended |
//! | `recorder_user_ns`, `recorder_system_ns` | CPU time of the recorder |
//! | `handlers.MOMENT_count`, `handlers.MOMENT_ns` | how often an event at which the recorder's eBPF programs run (`switch`, `wake_up`, `system_call`, `sample`) occurred on the whole machine while the kernel measured, and how long the programs then ran. The kernel measures for the first 100 ms and about a tenth of the rest, in older recordings all the time; missing if the kernel does not measure it |
//! | `interpreted_stacks`, `interpreted_stacks_ns`, `interpreted_stacks_p99_ns`, `interpreted_stacks_longest_ns` | stacks whose interpreter frames were read, the time that took in the kernel, what 99 of 100 took less than (a power of two), and the longest such time |
//! | `go_setting` | what the environment of a Go program tells its runtime: the pid, and after a blank `GOGC=5` or another setting |
//! | `goroutines_looks`, `goroutines_ns`, `goroutines_longest_ns` | how often the recorder read the goroutines of a Go program, its CPU time for that, and the CPU time of the longest read |
//! | `missing` | what could not be recorded, why, and what to do, separated by tabs |
//!
//! # Files of a recorder that was killed
//!
//! The header's data size is 0 until the recording is complete, and the feature sections, which
//! follow the data, are missing. So the sections known at the start are repeated between the
//! attributes and the data, where perf does not look: see [`early_sections`].

mod affinity;
mod code_object;
mod files;
mod goroutine;
mod groups;
mod kept_files;
mod mark;
mod network;
mod process_memory;
mod single_file_calls;
mod sites;
mod states;
mod system_calls;
mod user_stack;
mod wait_object;

pub use sites::{accounted_ns, push_behind_switch, push_sites, recorder_ns, sites};
pub use states::{IDLE_CLASS_STATE, THROTTLED_STATE, UNKNOWN_STATE};

use crate::endian::Endian;

pub use affinity::Affinity;
pub use code_object::{CODE_ADDRESSES, CodeLanguage, CodeObject};
pub use files::{EVENT_FILE_CALLS, EVENT_FILE_NAME, FileCall, FileCalls, FileFlags, FileName};
pub use goroutine::{EVENT_GOROUTINE, Goroutine, GoroutineState};
pub use groups::{
    EVENT_GROUP, EVENT_GROUP_MEMBER, GroupFigure, GroupKind, GroupMember, GroupReading,
    MOST_GROUP_PATH,
};
pub use kept_files::{FEATURE_KEPT_FILES, KeptFile};
pub use mark::{EVENT_MARK, Mark};
pub use network::{
    DnsPacket, EVENT_DNS_PACKET, EVENT_NAME_LOOKUP, EVENT_TCP, NameLookup, TcpReport, address_text,
};
pub use process_memory::{EVENT_PROCESS_MEMORY, ProcessMemory};
pub use single_file_calls::{EVENT_SINGLE_FILE_CALLS, SingleFileCall, SingleFileCalls};
pub use system_calls::{CallEnd, CallTable, EVENT_SYSTEM_CALLS, SystemCall, SystemCalls};
pub use user_stack::{UserStack, UserStackEnd, UserStackKind, WakerKind};
pub use wait_object::{EVENT_WAIT_OBJECT, WaitObject, WaitObjectKind};

/// Name of the event with the user half of a stack, delivered separately from its kernel half.
pub const EVENT_USER_STACK: &str = "whyslow:user_stack";
/// Name of the event with a command line.
pub const EVENT_EXEC: &str = "whyslow:exec";
/// Name of the event with an exit code.
pub const EVENT_EXIT: &str = "whyslow:exit";
/// Name of the event with the state of one thread at the start or end of the recording.
pub const EVENT_THREAD: &str = "whyslow:thread";
/// Name of the event with the CPUs that a thread may use.
pub const EVENT_AFFINITY: &str = "whyslow:affinity";
/// Name of the event with a function that an interpreter runs.
pub const EVENT_CODE: &str = "whyslow:code";

/// Feature section: facts about the machine and the recording, one `key value` per line; see above.
pub const FEATURE_INFO: u16 = 240;
/// Feature section: the lines of `/proc/kallsyms` that cover the kernel addresses in the file.
pub const FEATURE_KALLSYMS: u16 = 241;

/// First eight bytes of the block that [`early_sections`] reads.
pub const EARLY_MAGIC: [u8; 8] = *b"WHYSLOW1";

/// Payload of [`EVENT_EXEC`]: the command line of a process from the sample's time on.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`ExecSource`] |
/// | 1 | 1 | 1: the command line is longer than the part here |
/// | 2 | 2 | 0 |
/// | 4 | 4 | `pid` |
/// | 8 | 4 | `parent_pid` |
/// | 12 | 4 | bytes of the command line |
/// | 16 | 8 | `start_ns` |
/// | 24 | … | the arguments, each ended by a zero byte |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exec {
    /// How the command line was obtained.
    pub source: ExecSource,
    /// The command line is longer than the part here.
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

/// How a command line was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExecSource {
    /// Read by the kernel at the moment of the `exec`: exact.
    Kernel = 1,
    /// Read from `/proc` when the recording started: exact, for processes that existed before.
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
/// | 12 | 4 | 1: this was the last thread, the process has ended; 2: the user follows |
/// | 16 | 4 | `user`; missing in older recordings |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// As `wait` returns it: the signal in the low 7 bits, 0x80 for a core dump, the exit code in
    /// bits 8 to 15.
    pub wait_status: u32,
    /// This was the last thread of the process.
    pub is_process: bool,
    /// Number of the user that files which the thread made belonged to.
    pub user: Option<u32>,
}

impl Exit {
    /// Bytes of the payload.
    pub const BYTES: usize = 20;
    const IS_PROCESS: u32 = 1;
    const HAS_USER: u32 = 2;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let is_process = if self.is_process { Self::IS_PROCESS } else { 0 };
        let has_user = self.user.map_or(0, |_| Self::HAS_USER);
        for word in [
            self.pid,
            self.tid,
            self.wait_status,
            is_process | has_user,
            self.user.unwrap_or(0),
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let flags = endian.u32(bytes, 12)?;
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            wait_status: endian.u32(bytes, 8)?,
            is_process: flags & Self::IS_PROCESS != 0,
            user: (flags & Self::HAS_USER != 0)
                .then(|| endian.u32(bytes, 16))
                .flatten(),
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
    /// clock's zero), with the precision of the kernel's clock tick.
    pub start_ns: i64,
    /// The kernel function in which it waits; empty: it does not wait, or the function is not
    /// known.
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

/// A feature section that is repeated before the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlySection {
    /// The feature's number.
    pub feature: u16,
    /// Where the section starts in the file.
    pub offset: u64,
    /// Its bytes.
    pub size_bytes: u64,
}

/// Reads the directory of feature sections between the attributes and the data.
///
/// `bytes` are those between the end of the attribute section and the start of the data section.
/// The directory is [`EARLY_MAGIC`], the number of entries (8 bytes), and per entry the feature's
/// number, offset in the file and size (8 bytes each). An empty result means there is none.
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
