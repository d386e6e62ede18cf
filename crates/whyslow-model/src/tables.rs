//! The tables of an extract, each described once.
//!
//! Add a table of facts here, and to [`ALL`]; add one with a row per event to [`recorded`]. The doc
//! comment of a field is the column's documentation, for readers of the code and of the files
//! alike. `Option` means nullable; `= Codes` gives the meaning of the numbers. Ids are row numbers
//! of the table they refer to. Times are nanoseconds since the trace's start.
//!
//! A column that is added to a table must be an `Option`: extracts that exist lack it, and a file that lacks a column which
//! cannot be null is taken for damaged. `tests/required_columns.rs` checks that.

#[macro_use]
mod describe;
pub mod groups;
pub mod network;
pub mod recorded;
pub mod wait_object;
pub mod windows;

use crate::codes::{self, StackEnd, StackKind, StateFlags, ThreadState, WaitReason, WakerKind};
use crate::column::{Column, NULL_I64};
use crate::ids::{AddressId, FileId, ModuleId, ProcessId, StackId, ThreadId};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::table::{Field, TableRow};
use groups::{GROUP, GROUP_MEMBER, GROUP_READING};
pub use groups::{GroupMemberRow, GroupReadingRow, GroupRow};
use network::LABEL;
pub use network::{DatagramRow, DnsQueryRow, LabelRow, NameLookupRow, TcpConnectionRow};
use recorded::RAW;
pub use recorded::*;
use wait_object::WAIT_OBJECT;
pub use wait_object::WaitObjectRow;
pub use windows::{
    AllocationRow, ExceptionRow, FilterCallRow, HandleRow, MarkRow, RegistryCallRow,
};

/// Version of the schema; a reader refuses a higher one. Every new table raises it, and is declared with `since` and the
/// new number: an extract of this version without the table is not whole.
pub const SCHEMA_VERSION: i32 = 2;

/// The number of a row's columns.
trait Width {
    const WIDTH: usize;
}

table! {
    /// The trace: exactly one row.
    TraceRow TRACE "trace" Fact {
        /// Hash of the source files; the same in every table's footer.
        trace_id: String,
        /// Version of the schema this extract was written with.
        schema_version: i32,
        /// Version of the program that wrote the extract.
        tool_version: String,
        /// File name of the source trace, without its folder.
        source: String,
        /// Size of the source trace.
        source_bytes: i64,
        /// Name of the recorded machine.
        host: Option<String>,
        /// Operating system and version of the recorded machine.
        os: Option<String>,
        /// Architecture of the recorded machine, such as `x86_64`.
        arch: Option<String>,
        /// Name of the processor.
        cpu_name: Option<String>,
        /// Number of CPUs that were online.
        cpus: Option<i32>,
        /// Physical memory of the recorded machine.
        memory_bytes: Option<i64>,
        /// Wall-clock time of the trace's start, nanoseconds since 1970 UTC.
        start_unix_ns: Option<i64>,
        /// Length of the trace.
        duration_ns: i64,
        /// Name of the recorded machine's time zone.
        zone: Option<String>,
        /// Offset of the recorded machine's local time from UTC, seconds east.
        utc_offset_s: Option<i32>,
        /// Wall-clock time of the machine's boot, nanoseconds since 1970 UTC.
        boot_unix_ns: Option<i64>,
        /// Id of the boot, where the system has one.
        boot_id: Option<String>,
        /// Clock of the trace's times, such as `monotonic`.
        clock: Option<String>,
        /// Reading of that clock at the trace's start.
        clock_start_ns: i64,
        /// Interval between two CPU samples of one CPU.
        sample_period_ns: Option<i64>,
        /// Number of events the recorder lost.
        lost_events: i64,
        /// Number of event buffers it lost in addition, of unknown content; null where it does not say.
        lost_buffers: Option<i64>,
        /// Program and version that recorded the trace.
        recorder: Option<String>,
        /// Command line of the recorder, or of the command that was recorded.
        command: Option<String>,
        /// Test case, from the file's name.
        test_case: Option<String>,
        /// Measured duration of the test case in milliseconds, from the file's name.
        measured_ms: Option<i64>,
    }
}

table! {
    /// One more fact about the machine, the session or the recorder, as key and value.
    FactRow FACT "fact" Fact {
        /// What the fact is about: `machine`, `session`, `recorder`.
        subject: String,
        /// The key, unit last, such as `recorder_cpu_ns`.
        key: String,
        /// The value as text.
        value: String,
    }
}

table! {
    /// Whether the recording holds a kind of data, and if not, how to get it.
    CapabilityRow CAPABILITY "capability" Fact {
        /// Name of the capability, such as `switches`.
        name: String,
        /// `yes`, `no` or `partial`.
        presence: String,
        /// Why it is partial or missing, and what to do.
        note: Option<String>,
    }
}

table! {
    /// One kind of event in the source, and what became of it.
    EventCountRow EVENT_COUNT "event_count" Fact {
        /// Name of the event, such as `sched:sched_switch`.
        event: String,
        /// How many there were.
        count: i64,
        /// How many more of them the recorder lost.
        lost: i64,
        /// How many bytes they took in the source, uncompressed.
        bytes: i64,
        /// What they were used for: `samples`, `states`, `processes` …, or null if only counted.
        used_for: Option<String>,
    }
}

table! {
    /// The meaning of a code in an integer column.
    CodeRow CODE "code" Fact {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The code, as in the column.
        code: i32,
        /// Its name.
        name: String,
    }
}

table! {
    /// One kind of problem with the source, the recording or the symbols.
    ProblemRow PROBLEM "problem" Fact {
        /// Name of the kind, such as `lost-events`.
        kind: String,
        /// `info`, `data loss` or `error`.
        severity: String,
        /// How often it happened.
        count: i64,
        /// File offset where it happened first.
        first_offset: Option<i64>,
        /// When it happened first.
        first_ns: Option<i64>,
        /// What happened, in a sentence with its particulars.
        detail: String,
        /// What to do about it.
        advice: String,
    }
}

table! {
    /// One executable image of a process; an exec starts a new row that names its predecessor.
    ProcessRow PROCESS "process" Fact {
        /// Row number.
        id: ProcessId,
        /// The operating system's process id.
        os_pid: i32,
        /// The process that started this one.
        parent: Option<ProcessId>,
        /// The operating system's id of the parent, even if it has no row.
        os_ppid: Option<i32>,
        /// The row this process was before its exec.
        predecessor: Option<ProcessId>,
        /// When it started; null if before the trace.
        start_ns: Option<i64>,
        /// When it ended or became another image; null if it outlived the trace.
        end_ns: Option<i64>,
        /// Exit code; null if it did not exit in the trace, was killed, or it is not recorded.
        exit_code: Option<i32>,
        /// Number of the signal that killed it.
        exit_signal: Option<i32>,
        /// Name of the executable, as the system shows it.
        name: String,
        /// Path of the executable.
        path: Option<String>,
        /// Whole command line, arguments separated by spaces and quoted where needed.
        command_line: Option<String>,
        /// Name or id of the user.
        user: Option<String>,
        /// Session id.
        session: Option<i32>,
        /// Names of the services that it runs (Windows), separated by commas; null where not known.
        services: Option<String>,
        /// 1 for the kernel and its threads, 0 for a program.
        is_kernel: i32,
    }
}

table! {
    /// One lifetime of a thread within one process row; one idle thread per CPU.
    ThreadRow THREAD "thread" Fact {
        /// Row number; ids of one process are consecutive.
        id: ThreadId,
        /// The operating system's thread id.
        os_tid: i32,
        /// The process.
        process: ProcessId,
        /// When it started; null if before the trace.
        start_ns: Option<i64>,
        /// When it ended; null if it outlived the trace.
        end_ns: Option<i64>,
        /// Its name, the last one it had.
        name: Option<String>,
        /// The CPU this is the idle thread of; null for an ordinary thread.
        idle_cpu: Option<i32>,
    }
}

table! {
    /// The CPUs that a thread may use, from a time on; a thread without a row may use all of them, or that was not recorded.
    AffinityRow AFFINITY "affinity" Fact since 2 {
        /// The thread.
        thread: ThreadId,
        /// Since when; null if since before the trace.
        from_ns: Option<i64>,
        /// The CPUs, such as `0-3,8`.
        cpus: String,
    }
}

table! {
    /// One loaded image: an executable, a library, the kernel, a file of JIT methods.
    ModuleRow MODULE "module" Fact {
        /// Row number.
        id: ModuleId,
        /// Full path as recorded.
        path: String,
        /// Last part of the path.
        name: String,
        /// `elf`, `kernel`, `kernel-module`, `vdso`, `jit`, `anonymous`, `pe`.
        kind: String,
        /// Build id (ELF), lower-case hexadecimal; PDB id (Windows) as symbol servers write it: GUID as 32 upper-case digits, then the age.
        build_id: Option<String>,
        /// Size of the image.
        size_bytes: Option<i64>,
        /// Version of the file.
        version: Option<String>,
        /// Its vendor.
        vendor: Option<String>,
        /// Time stamp of the image's header.
        time_stamp: Option<i64>,
        /// Name of its symbol file (PDB), without its folder.
        pdb_name: Option<String>,
        /// Product it belongs to.
        product: Option<String>,
    }
}

table! {
    /// One file by one of its names; a name that was only asked for has a row, too.
    FileRow FILE "file" Fact since 2 {
        /// Row number.
        id: FileId,
        /// The whole path, as far as it is known; with `outside` in the flags, what the system calls it.
        path: String,
        /// The system's number of the file within its file system, such as the inode number; null where only the name is known.
        inode: Option<i64>,
        /// The device its file system is on: major device number times 2^20 plus the minor one (Linux).
        device: Option<i32>,
        /// `file`, `folder`, `link`, `pipe`, `socket`, `device` or `other`; null where not known, as where only the name is.
        kind: Option<String>,
        /// Kind of the file system, such as `ext4`.
        file_system: Option<String>,
        /// Bits of `FileFlags`.
        flags: i32 = FileFlags,
    }
}

table! {
    /// A module at an address range of a process for a time.
    MappingRow MAPPING "mapping" Fact {
        /// The process; null for the kernel's mappings, which hold in every process.
        process: Option<ProcessId>,
        /// The module.
        module: ModuleId,
        /// First address.
        base: i64,
        /// Length of the range.
        size_bytes: i64,
        /// Offset in the file of the first address.
        file_offset: i64,
        /// When it was mapped; null if before the trace.
        from_ns: Option<i64>,
        /// When it was unmapped; null if never in the trace.
        to_ns: Option<i64>,
    }
}

table! {
    /// One distinct code location.
    AddressRow ADDRESS "address" Fact {
        /// Row number.
        id: AddressId,
        /// The module; null where no mapping was known.
        module: Option<ModuleId>,
        /// Offset in the module's file (ELF, JIT: absolute address), or the absolute address if there is no module.
        rva: i64,
    }
}

table! {
    /// What an address means; several rows where functions were inlined.
    SymbolRow SYMBOL "symbol" Symbol {
        /// The address.
        address: AddressId,
        /// 0 for the function whose source the code is from, 1 for the caller it was inlined into, and so on.
        depth: i32,
        /// Name of the function, demangled; null where unresolved.
        function: Option<String>,
        /// Bytes from the function's start; null for inlined functions.
        offset: Option<i64>,
        /// Source file.
        file: Option<String>,
        /// Line in the source file.
        line: Option<i32>,
        /// Why there is no function; null where there is one.
        reason: Option<String>,
    }
}

table! {
    /// A node of the prefix tree of stacks; a stack is the path from its node to the root.
    StackRow STACK "stack" Fact {
        /// Row number; children come after their parents.
        id: StackId,
        /// The caller's node; null at the root.
        parent: Option<StackId>,
        /// The code location; null where a node only says that nothing was recorded.
        address: Option<AddressId>,
        /// Code of `StackKind`: 0 user, 1 kernel, 2 python, 3 java, 4 javascript, 5 ruby, 6 php, 7 perl.
        kind: i32 = StackKind,
        /// Code of `StackEnd`; set on root nodes, null on all others.
        end: Option<i32> = StackEnd,
    }
}

table! {
    /// One CPU sample.
    CpuSampleRow CPU_SAMPLE "cpu_sample" Raw {
        /// When.
        time_ns: i64,
        /// The process.
        process: ProcessId,
        /// The thread.
        thread: ThreadId,
        /// The CPU.
        cpu: i32,
        /// The stack; null if none was recorded.
        stack: Option<StackId>,
        /// CPU time that the sample represents.
        weight_ns: i64,
        /// Priority of the thread, as the system counts it.
        priority: Option<i32>,
    }
}

table! {
    /// An interval in which one thread was in one state; together they cover its lifetime.
    ThreadStateRow THREAD_STATE "thread_state" Raw {
        /// When it began.
        start_ns: i64,
        /// The process.
        process: ProcessId,
        /// The thread.
        thread: ThreadId,
        /// How long it lasted.
        duration_ns: i64,
        /// Code of `ThreadState`.
        state: i32 = ThreadState,
        /// The CPU it ran on; for ready and waiting the one it left.
        cpu: Option<i32>,
        /// Where it left the CPU: the blocking stack of a wait, also on the ready time after it.
        stack: Option<StackId>,
        /// Code of `WaitReason`: why it left the CPU; for running, why it left at the end.
        reason: i32 = WaitReason,
        /// The system's own number for the reason.
        reason_raw: Option<i32>,
        /// The thread that made it runnable; on waiting rows and on the ready row after them.
        waker_thread: Option<ThreadId>,
        /// The waker's stack.
        waker_stack: Option<StackId>,
        /// Code of `WakerKind`; null where it does not apply.
        waker_kind: Option<i32> = WakerKind,
        /// Priority at the switch, as the system counts it.
        priority: Option<i32>,
        /// Bits of `StateFlags`.
        flags: i32 = StateFlags,
        /// Of ready time: how long every CPU that the thread may use ran another one; null on other rows, where it is not known what the CPUs did, and where the reason is that a CPU quota stopped the thread.
        competing_ns: Option<i64>,
        /// Of ready time: how long its waker kept the CPU that it then got, until the waker slept, or others used it although another CPU that the thread may use was idle.
        hand_over_ns: Option<i64>,
        /// Of ready time: how long both the CPU that it then got and one that it may use were idle, the latency of the wake-up itself. What is left of the ready time is unexplained.
        waking_ns: Option<i64>,
        /// What it waited for: row number in `wait_object`; null on other rows, where that is not known, and for waits for time alone.
        object: Option<i32>,
        /// How long the call that waited was to wait at most; null without limit, and where it is not known.
        timeout_ns: Option<i64>,
        /// Of running: the CPU time that the system accounts to it, somewhat more or less than `duration_ns`; null on other rows, where it is not recorded, and where the thread came or left before or after the trace.
        cpu_ns: Option<i64>,
        /// Of `cpu_ns`: how long the recorder's own programs ran; null where `cpu_ns` is, and in older recordings. Of the most frequent system calls, one in 64 is measured and stands for all.
        recorder_ns: Option<i64>,
    }
}

table! {
    /// Roll-up: one function in one process, over the whole trace.
    MethodRow METHOD "method" RollUp {
        /// The process.
        process: ProcessId,
        /// Name of the process.
        process_name: String,
        /// The operating system's process id.
        os_pid: i32,
        /// Name of the function, or of the module with the reason in brackets where unresolved.
        function: String,
        /// Name of the module.
        module: String,
        /// CPU (sampled), inclusive: the function anywhere on the stack, counted once.
        cpu_ns: i64,
        /// CPU (sampled), exclusive: the function at the leaf.
        cpu_exclusive_ns: i64,
        /// Samples with the function on the stack.
        samples: i64,
        /// Samples with the function at the leaf.
        samples_exclusive: i64,
        /// Wait, inclusive, union over the process's threads.
        wait_ns: i64,
        /// Wait, inclusive, plain sum over threads.
        wait_sum_ns: i64,
        /// Ready, inclusive, union over the process's threads.
        ready_ns: i64,
        /// Ready, inclusive, plain sum over threads.
        ready_sum_ns: i64,
        /// Times a thread left the CPU with the function on the stack.
        switches: i64,
        /// Distinct threads the function was seen in.
        threads: i32,
        /// First sight.
        first_ns: i64,
        /// Last sight.
        last_ns: i64,
    }
}

table! {
    /// Roll-up: one process in one slice of 100 ms, sums over its threads.
    TimelineRow TIMELINE "timeline" RollUp {
        /// The process.
        process: ProcessId,
        /// Start of the slice.
        start_ns: i64,
        /// CPU (sampled).
        cpu_sampled_ns: i64,
        /// CPU (precise).
        cpu_ns: i64,
        /// Ready.
        ready_ns: i64,
        /// Wait.
        wait_ns: i64,
        /// Off the CPU without a known wake-up.
        off_cpu_ns: i64,
        /// Unknown.
        unknown_ns: i64,
        /// Times a thread of the process left a CPU.
        switches: i64,
    }
}

/// Width of a slice of the `timeline` table.
pub const TIMELINE_SLICE_NS: i64 = 100_000_000;

/// Every table, in the order in which documentation lists them.
pub static ALL: &[&TableSchema] = &joined::<{ FACTS.len() + RAW.len() + ROLL_UPS.len() }>();

/// Tables of facts, of symbols, and of stacks.
const FACTS: &[&TableSchema] = &[
    &TRACE,
    &FACT,
    &CAPABILITY,
    &EVENT_COUNT,
    &CODE,
    &PROBLEM,
    &PROCESS,
    &THREAD,
    &AFFINITY,
    &GROUP,
    &GROUP_MEMBER,
    &GROUP_READING,
    &WAIT_OBJECT,
    &MODULE,
    &FILE,
    &LABEL,
    &MAPPING,
    &ADDRESS,
    &SYMBOL,
    &STACK,
];

/// Tables of sums.
const ROLL_UPS: &[&TableSchema] = &[&METHOD, &TIMELINE];

/// Returns all tables; `N` is their number.
const fn joined<const N: usize>() -> [&'static TableSchema; N] {
    let mut all = [&TRACE; N];
    let parts = [FACTS, RAW, ROLL_UPS];
    let (mut part, mut next) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            all[next] = parts[part][at];
            at += 1;
            next += 1;
        }
        part += 1;
    }
    all
}

/// Returns the schema of the table called `name`.
pub fn schema(name: &str) -> Option<&'static TableSchema> {
    ALL.iter().copied().find(|schema| schema.name == name)
}

/// Returns the rows of the `code` table.
pub fn codes() -> Vec<CodeRow> {
    let columns = ALL.iter().flat_map(|schema| {
        let columns = schema.columns.iter();
        columns.filter_map(|column| Some((schema.name, column.name, column.codes?)))
    });
    let rows = columns.flat_map(|(table, column, codes)| {
        codes().into_iter().map(move |(code, name)| CodeRow {
            table: table.to_owned(),
            column: column.to_owned(),
            code,
            name: name.to_owned(),
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests;
