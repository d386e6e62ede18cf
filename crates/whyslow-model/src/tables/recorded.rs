//! What a recording may hold: the kinds of data, and a table for each kind of event.
//!
//! A new kind of event is described here, all in one place: its capability, its row, the meaning of
//! the row's codes, and a line among the raw tables. Its rows go through the sink, so an id may be
//! provisional until everything is known; settling depends on the types of the columns:
//!
//! | column | until it is settled |
//! |---|---|
//! | the first, the time that orders the rows of a thread | the trace's own clock |
//! | `process`, `thread` | null: they are those of the owner |
//! | another `ThreadId` | the import's number of a thread |
//! | `StackId`, named `stack` | the import's stack of the owner, at the row's time |

use super::network::{DatagramRow, DnsQueryRow, NameLookupRow, TcpConnectionRow};
use super::windows::{
    AllocationRow, ExceptionRow, FilterCallRow, HandleRow, MarkRow, RegistryCallRow,
};
use super::{CpuSampleRow, ThreadStateRow, Width};
use crate::codes::{self, Named};
use crate::column::{Column, NULL_I64};
use crate::ids::{FileId, ProcessId, StackId, ThreadId};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::system::System;
use crate::system_calls::{SystemCall, SystemCallResult};
use crate::table::{Field, TableRow};

capabilities! {
    /// CPU samples.
    CpuSamples "cpu samples" "record with `whyslow record`, or `perf record -e cpu-clock -a -g`",
    /// Samples carry stacks.
    SampleStacks "sample stacks" "record with `whyslow record`, or give `perf record` the option -g",
    /// User stacks are unwound, not only two frames deep.
    UserStacks "user stacks" "record with `whyslow record` as root, or `perf record --call-graph dwarf`",
    /// Context switches.
    Switches "switches" "record with `whyslow record` as root, or add `-e sched:sched_switch`",
    /// Switches carry the stack of the thread that left.
    SwitchStacks "switch stacks" "record with `whyslow record` as root, or add -g to the switch event",
    /// Waits carry the user half of their stack.
    WaitUserStacks "wait user stacks" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Wake-ups: who made a thread runnable, and when.
    WakeUps "wake-ups" "record with `whyslow record` as root, or add `-e sched:sched_waking`",
    /// Process starts, execs and exits.
    ProcessEvents "process events" "record with `whyslow record`; `perf record` always has them",
    /// Whole command lines.
    CommandLines "command lines" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Exit codes.
    ExitCodes "exit codes" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Requests to disks, from their issue to their completion.
    DiskIo "disk requests" "record with `whyslow record` as root, or add `-e block:block_rq_issue -e block:block_rq_complete`",
    /// System calls, counted by thread, call and result.
    SystemCalls "system calls" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Memory stalls: reclaim, compaction, pauses of writers, kills.
    MemoryStalls "memory stalls" "record with `whyslow record` as root, or add `-e vmscan:mm_vmscan_direct_reclaim_begin -e vmscan:mm_vmscan_direct_reclaim_end`",
    /// How much memory processes have, over time.
    ProcessMemory "memory of processes" "record with `whyslow record`; on Windows with its full profile",
    /// Which processes share limits, and how much of them is used.
    Limits "limits" "record with `whyslow record`",
    /// Which files were used: calls on files, counted by thread, file, operation and result.
    Files "files" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Calls on files one by one, with time, duration and place in the file.
    SingleFileCalls "single file calls" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Calls of mini-filters: which driver looked at which requests to file systems, and how long that took.
    FilterCalls "mini-filters" "only traces of Windows have them",
    /// Operations on the registry, counted by thread, key, value and result.
    Registry "registry operations" "only traces of Windows have them",
    /// Memory that processes got from the system, and when they gave it back.
    Allocations "memory allocations" "only traces of Windows have them",
    /// Handles of kernel objects: who opened them, and when they were closed.
    Handles "handles" "only traces of Windows have them",
    /// Exceptions of .NET programs.
    Exceptions "exceptions" "only traces of Windows have them",
    /// Marks that somebody set in the recording.
    Marks "marks" "record with `whyslow record` as root on a kernel that allows eBPF, with system calls",
    /// TCP connections: who opened them, their result, what was sent and received.
    Connections "connections" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Datagrams (UDP): who sent how much to whom.
    Datagrams "datagrams" "only traces of Windows have them",
    /// Queries to name servers, as they were on the wire.
    DnsQueries "queries to name servers" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Calls of the C library's functions that look up names.
    NameLookups "name look-ups" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// What goroutines of Go programs do, read up to 100 times a second.
    Goroutines "goroutines" "record with `whyslow record` as root",
    /// The whole machine, not one process.
    WholeMachine "whole machine" "record as root with `whyslow record`, or give `perf record` the option -a",
}

table! {
    /// One request to a disk, from its issue to its completion.
    DiskIoRow DISK_IO "disk_io" Raw since 2 {
        /// When it was put into the disk's queue or, if that was not recorded, given to the disk's driver. A request that is older than the trace begins with the trace.
        issue_ns: i64,
        /// The process that issued it (a kernel worker for data that is written back later); null where not known.
        process: Option<ProcessId>,
        /// The thread that issued it.
        thread: Option<ThreadId>,
        /// Time from its issue, or the start of the trace, to its completion; null where that is not in the trace.
        duration_ns: Option<i64>,
        /// Time the system itself measured for it; null where it does not.
        service_ns: Option<i64>,
        /// The disk: number of the disk (Windows), or major device number times 2^20 plus the minor one (Linux).
        disk: Option<i32>,
        /// Code of `DiskOperation`.
        operation: i32 = DiskOperation,
        /// Where on the disk it begins.
        offset_bytes: Option<i64>,
        /// How many bytes it reads, writes or discards.
        size_bytes: Option<i64>,
        /// The system's own number for how it ended, 0 for success; null where it does not say.
        result: Option<i32>,
        /// Bits of `DiskFlags`.
        flags: i32 = DiskFlags,
        /// Its priority, as the system counts it.
        priority: Option<i32>,
        /// Where it was issued; null if no stack was recorded.
        stack: Option<StackId>,
        /// The file it is for; null where that was not recorded, as on Linux, and for the file system's own data.
        file: Option<FileId>,
        /// How long it was in the disk's queue before the disk's driver took it: a part of `duration_ns`, or of the time until the trace ended; null where it was not queued, or where that was not recorded.
        queued_ns: Option<i64>,
    }
}

table! {
    /// The system calls of one thread that were alike and ended in a stretch of about a second: counted exactly; the stretches of a thread do not overlap.
    SystemCallRow SYSTEM_CALL "system_call" Raw since 2 {
        /// When the first of the thread's calls in this stretch began, or later than the last one before.
        from_ns: i64,
        /// The process that made them.
        process: Option<ProcessId>,
        /// The thread that made them.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the thread's calls in this stretch had ended.
        duration_ns: i64,
        /// Code of `SystemCall`; null where several kinds of calls were counted together, because the recorder had no room for more.
        call: Option<i32> = SystemCall,
        /// Code of `SystemCallResult`: 0, or the number of the error; null where the thread ended in the call, and for several kinds of calls.
        result: Option<i32> = SystemCallResult,
        /// How many calls there were.
        count: i64,
        /// How many bytes they moved; null for calls that do not return that.
        bytes: Option<i64>,
        /// Time from entering the kernel to leaving it, summed over the calls: an estimate if not all were timed, null if none was.
        time_ns: Option<i64>,
        /// The longest of those that were timed.
        longest_ns: Option<i64>,
        /// How many of them were timed.
        timed_count: i64,
    }
}

table! {
    /// A system call with the place that made it: one in many of its thread, chosen at random.
    CallSampleRow CALL_SAMPLE "call_sample" Raw since 2 {
        /// When it returned.
        time_ns: i64,
        /// The process that made it.
        process: Option<ProcessId>,
        /// The thread that made it.
        thread: Option<ThreadId>,
        /// Code of `SystemCall`.
        call: i32 = SystemCall,
        /// How many system calls of the thread, of any kind, it represents.
        count: i64,
        /// Where it was made.
        stack: Option<StackId>,
    }
}

table! {
    /// A goroutine of a Go program was in one state at one place for some time. The recorder looks at the goroutines at random moments, so waits shorter than about 10 ms are seen in proportion to their length.
    GoroutineRow GOROUTINE "goroutine" Raw since 2 {
        /// When a look first saw it so.
        from_ns: i64,
        /// The process that it belongs to.
        process: Option<ProcessId>,
        /// The first thread of the process; which threads run a goroutine is not recorded.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the look that no longer saw it so, or until the process ended.
        duration_ns: i64,
        /// Number of the goroutine in the process, as Go counts them; 1 is the one that runs `main`.
        goroutine: i64,
        /// Code of `GoroutineState`.
        state: i32 = GoroutineState,
        /// How many goroutines it represents; more than 1 if the process has too many to look at each.
        count: i64,
        /// Where it waits; null for one that does not wait.
        stack: Option<StackId>,
    }
}

codes! {
    /// What a goroutine does.
    GoroutineState {
        /// Not known.
        Unknown = 0 "unknown",
        /// It waits for something.
        Waiting = 1 "waiting",
        /// It could run, but no thread runs it yet.
        Ready = 2 "ready",
        /// A thread runs it.
        Running = 3 "running",
        /// It is in a system call, or in C code.
        SystemCall = 4 "system call",
    }
}

table! {
    /// Calls about one file by one thread that were alike and ended in a stretch of at most about a second: counted exactly. They are among those of `system_call`.
    FileCallRow FILE_CALL "file_call" Raw since 2 {
        /// When the first of the thread's calls about files in this stretch began, or later than the last one before.
        from_ns: i64,
        /// The process that made them.
        process: Option<ProcessId>,
        /// The thread that made them.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the thread's calls in this stretch had ended.
        duration_ns: i64,
        /// The file; null where there were too many to keep apart.
        file: Option<FileId>,
        /// Code of `FileOperation`.
        operation: i32 = FileOperation,
        /// Code of `SystemCallResult`: 0, or the number of the error.
        result: i32 = SystemCallResult,
        /// Bits of `FileCallFlags`.
        flags: i32 = FileCallFlags,
        /// How many calls there were.
        count: i64,
        /// How many bytes they moved; null for operations that move none.
        bytes: Option<i64>,
        /// Time from entering the kernel to leaving it, summed over the calls: an estimate if not all were timed, null if none was.
        time_ns: Option<i64>,
        /// The longest of those that were timed.
        longest_ns: Option<i64>,
        /// How many of them were timed.
        timed_count: i64,
    }
}

table! {
    /// One call about a file. Each of them is counted in `file_call`, too; where a program makes very many, only some have a row here.
    SingleFileCallRow SINGLE_FILE_CALL "single_file_call" Raw since 2 {
        /// When it began; where `duration_ns` is null, when it had ended.
        start_ns: i64,
        /// The process that made it.
        process: Option<ProcessId>,
        /// The thread that made it.
        thread: Option<ThreadId>,
        /// How long it took, waits included; null where that was not measured.
        duration_ns: Option<i64>,
        /// The file; null where there were too many to keep apart.
        file: Option<FileId>,
        /// The second file: what it was renamed, linked or copied to; null where there is none.
        other_file: Option<FileId>,
        /// Code of `FileOperation`.
        operation: i32 = FileOperation,
        /// Code of `SystemCall`.
        call: i32 = SystemCall,
        /// Code of `SystemCallResult`: 0, or the number of the error.
        result: i32 = SystemCallResult,
        /// Bits of `FileCallFlags`.
        flags: i32 = FileCallFlags,
        /// Where in the file it began; null where that is not known or means nothing.
        offset_bytes: Option<i64>,
        /// How many bytes it asked for.
        asked_bytes: Option<i64>,
        /// How many bytes it moved; null for operations that move none, and for errors.
        bytes: Option<i64>,
        /// How many bytes it read from disks, including read-ahead; null where that was not measured.
        disk_bytes: Option<i64>,
        /// Where it was made; null where that was recorded otherwise (`call_sample`) or not at all.
        stack: Option<StackId>,
    }
}

table! {
    /// How much memory a process has, from `time_ns` on. A new row follows when this changes noticeably. When the process or the recording ends, a last row has the peak.
    ProcessMemoryRow PROCESS_MEMORY "process_memory" Raw since 2 {
        /// When it was read.
        time_ns: i64,
        /// The process.
        process: Option<ProcessId>,
        /// Any thread of the process.
        thread: Option<ThreadId>,
        /// Memory that it has in RAM (Windows: its working set), pages shared with other processes included; null where only the peak is known.
        resident_bytes: Option<i64>,
        /// Of that: memory of its own, which no file holds (Linux: anonymous; Windows: its private working set).
        private_bytes: Option<i64>,
        /// Of that: pages of files, such as programs and libraries; Linux only.
        file_bytes: Option<i64>,
        /// Of that: shared memory, and files that are in memory only; Linux only.
        shared_bytes: Option<i64>,
        /// Memory that was moved to the swap area; Linux only.
        swapped_bytes: Option<i64>,
        /// Memory that the system has promised it, in RAM or in the page file; Windows only.
        committed_bytes: Option<i64>,
        /// The most that was in RAM since it started or executed its program; null on most rows, and where that may have been before the recording.
        peak_bytes: Option<i64>,
    }
}

table! {
    /// A thread that wanted memory and did not get it at once, or wrote faster than the disk.
    MemoryStallRow MEMORY_STALL "memory_stall" Raw since 2 {
        /// When it began.
        start_ns: i64,
        /// The process that was held up.
        process: Option<ProcessId>,
        /// The thread that was held up; of a kill the one that wanted memory.
        thread: Option<ThreadId>,
        /// How long it took: for a write pause how long it was to take, for a kill null.
        duration_ns: Option<i64>,
        /// Code of `MemoryStall`.
        kind: i32 = MemoryStall,
        /// Pages that were freed; null where that was not recorded.
        pages: Option<i64>,
        /// The first thread of the process that was killed.
        victim_thread: Option<ThreadId>,
    }
}

codes! {
    /// What the kernel does while a thread waits for memory.
    MemoryStall {
        /// Not known.
        Unknown = 0 "unknown",
        /// The thread frees memory, because the machine has too little.
        Reclaim = 1 "reclaim",
        /// The thread frees memory of its cgroup, which has reached its limit.
        GroupReclaim = 2 "group reclaim",
        /// Memory is moved to free a large contiguous piece.
        Compaction = 3 "compaction",
        /// It waits until other threads have freed some.
        Pause = 4 "reclaim pause",
        /// It wrote faster than the disk and is paused.
        DirtyPause = 5 "write pause",
        /// A process is killed to free its memory.
        Kill = 6 "kill",
    }
}

codes! {
    /// What a call does with its file.
    FileOperation {
        /// Not known.
        Unknown = 0 "unknown",
        /// Open it, or create and open it.
        Open = 1 "open",
        /// Ask for its size, times, owner or further attributes.
        Stat = 2 "stat",
        /// Ask whether it may be used.
        Access = 3 "access",
        /// Ask where a link leads.
        ReadLink = 4 "read link",
        /// Read from it.
        Read = 5 "read",
        /// Write to it.
        Write = 6 "write",
        /// Make the data written durable.
        Sync = 7 "sync",
        /// List a folder.
        List = 8 "list",
        /// Give it another name; the file is the old one.
        Rename = 9 "rename",
        /// Remove the name.
        Remove = 10 "remove",
        /// Make a folder, a pipe, a device or a Unix socket.
        Create = 11 "create",
        /// Make a link to it.
        Link = 12 "link",
        /// Change its owner, permissions, times or further attributes.
        Change = 13 "change",
        /// Make it shorter or longer, or reserve room for it.
        Resize = 14 "resize",
        /// Lock or unlock it.
        Lock = 15 "lock",
        /// Map it into memory.
        Map = 16 "map",
        /// Run it.
        Execute = 17 "execute",
        /// Ask for the file system it is on.
        FileSystem = 18 "file system",
        /// Make it the folder in which relative names begin.
        Enter = 19 "enter",
        /// Ask to be notified of changes.
        Watch = 20 "watch",
        /// Close a descriptor.
        Close = 21 "close",
        /// Mount a file system there, or unmount it.
        Mount = 22 "mount",
        /// Connect to the Unix socket of that name.
        Connect = 23 "connect",
        /// Give up the last reference to an open file (Windows); handles and mappings were closed before.
        Release = 24 "release",
        /// Read from the disk for the cache or for mapped memory (Windows).
        PageIn = 25 "page in",
        /// Write to the disk for the cache or for mapped memory (Windows).
        PageOut = 26 "page out",
        /// Command to the file system (Windows).
        Control = 27 "control",
        /// A thread used memory that had to be read from the disk first (Windows).
        Fault = 28 "hard fault",
    }
}

flags! {
    /// Bits of the `flags` column of `file`.
    FileFlags {
        /// The name was removed while the file was still open.
        DELETED = 1 "deleted",
        /// It is in no folder that the program can see: memory, events, another container.
        OUTSIDE = 2 "outside",
        /// The beginning of the path is missing.
        CUT = 4 "cut",
        /// A name that a program asked for; there may be no such file.
        NAME_ONLY = 8 "name only",
        /// All further files of that folder: there were too many to distinguish.
        OTHERS = 16 "others",
    }
}

flags! {
    /// Bits of the `flags` column of `file_call`.
    FileCallFlags {
        /// Data is durable when the call returns (`O_SYNC`, `O_DSYNC`, write-through).
        DURABLE = 1 "durable",
        /// Bypasses the system's cache (`O_DIRECT`, no buffering).
        DIRECT = 2 "direct",
        /// It caused a read from a disk.
        DISK = 4 "from disk",
        /// Its thread slept during the call; only in single calls.
        SLEPT = 8 "slept",
    }
}

codes! {
    /// What a request asks a disk to do.
    DiskOperation {
        /// Not known.
        Unknown = 0 "unknown",
        /// Read.
        Read = 1 "read",
        /// Write.
        Write = 2 "write",
        /// Move data from the disk's cache to durable storage.
        Flush = 3 "flush",
        /// Discard the data there (trim).
        Discard = 4 "discard",
        /// Something else: a pass-through command, a zone reset.
        Other = 5 "other",
    }
}

flags! {
    /// Bits of the `flags` column of `disk_io`.
    DiskFlags {
        /// A thread waits for it.
        SYNC = 1 "sync",
        /// For the file system's own data.
        META = 2 "metadata",
        /// Read ahead of demand.
        READ_AHEAD = 4 "read-ahead",
        /// Complete only once durable (FUA, write-through).
        DURABLE = 8 "durable",
        /// For memory that is paged in or out.
        PAGING = 16 "paging",
    }
}

raw_tables! {
    CpuSample CpuSampleRow,
    ThreadState ThreadStateRow,
    DiskIo DiskIoRow,
    SystemCall SystemCallRow,
    CallSample CallSampleRow,
    FileCall FileCallRow,
    SingleFileCall SingleFileCallRow,
    Goroutine GoroutineRow,
    TcpConnection TcpConnectionRow,
    Datagram DatagramRow,
    DnsQuery DnsQueryRow,
    NameLookup NameLookupRow,
    MemoryStall MemoryStallRow,
    ProcessMemory ProcessMemoryRow,
    FilterCall FilterCallRow,
    RegistryCall RegistryCallRow,
    Allocation AllocationRow,
    Handle HandleRow,
    Exception ExceptionRow,
    Mark MarkRow,
}

/// A row of a raw table.
pub trait RawTableRow: TableRow {
    /// The table.
    const TABLE: RawTable;
}

impl RawTable {
    /// The number of raw tables.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the table's position in [`RawTable::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}
