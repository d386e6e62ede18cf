//! What to record, and where to.

use std::ffi::OsString;
use std::path::PathBuf;

/// Settings of a recording. [`Settings::new`] gives the defaults.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file to write. It appears under this name when it is whole; until then it is
    /// `NAME.PID.part` beside it.
    pub output: PathBuf,
    /// Replace an existing file of that name.
    pub replace_output: bool,
    /// CPU samples per second and CPU; 0: none.
    pub sample_hz: u32,
    /// Bytes of the ring of each CPU, rounded up to a power of two.
    pub ring_bytes: usize,
    /// Bytes of user stack copied per CPU sample where no eBPF program does it (those copy as much
    /// as there is), at most 60 KB; 0: CPU samples have no user stacks.
    pub stack_dump_bytes: u32,
    /// Switches (and as many wake-ups) per second and CPU that get a stack. Beyond that, stacks are
    /// sampled; the switches themselves are always recorded.
    pub stacks_per_second: u32,
    /// Waits of one system call that together last this long get a user stack; shorter ones are
    /// added up per thread, and one stack is taken each time the sum reaches it. In nanoseconds.
    pub wait_threshold_ns: u64,
    /// Most bytes of user stacks per second and CPU of waits, of preempted threads and of wakers,
    /// each.
    pub user_stack_bytes_per_second: u32,
    /// Use eBPF programs where the kernel permits: command lines, exit codes, user stacks of waits.
    pub use_bpf: bool,
    /// Count every system call, by eBPF programs.
    pub count_system_calls: bool,
    /// Time only one in sixteen of them while they follow each other faster than this on a CPU, on
    /// average, in nanoseconds; 0: time all.
    pub hot_call_gap_ns: u32,
    /// Count the calls about files by file; needs that system calls are counted.
    pub record_files: bool,
    /// How many calls about files have rows of their own, per second and CPU, before some are left out; 0: none.
    pub file_rows_per_second: u32,
    /// Follow TCP connections and look-ups of names, by eBPF programs.
    pub record_network: bool,
    /// Record requests to disks.
    pub record_disks: bool,
    /// Record stalls for lack of memory.
    pub record_memory: bool,
    /// If something has the name of the output, take the same name with a number instead of refusing.
    pub numbers_output: bool,
    /// Further tracepoints.
    pub tracepoints: Vec<ExtraTracepoint>,
    /// The recorder's own command line, for the file; empty: that of this process.
    pub command_line: Vec<OsString>,
}

/// A tracepoint that is recorded in addition to the usual ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraTracepoint {
    /// Its group, such as `block`.
    pub group: String,
    /// Its name, such as `block_rq_issue`.
    pub name: String,
    /// With the kernel's call chain.
    pub has_stack: bool,
}

impl Settings {
    /// Returns the defaults: 997 samples per second, 8 MB per CPU, 16 KB of stack.
    pub fn new(output: impl Into<PathBuf>) -> Self {
        Self {
            output: output.into(),
            replace_output: false,
            sample_hz: 997,
            ring_bytes: 8 << 20,
            stack_dump_bytes: 16 << 10,
            stacks_per_second: 50_000,
            wait_threshold_ns: 1_000_000,
            user_stack_bytes_per_second: 8_000_000,
            use_bpf: true,
            count_system_calls: true,
            hot_call_gap_ns: 20_000,
            record_files: true,
            file_rows_per_second: 5_000,
            record_network: true,
            record_disks: true,
            record_memory: true,
            numbers_output: false,
            tracepoints: Vec::new(),
            command_line: Vec::new(),
        }
    }
}
