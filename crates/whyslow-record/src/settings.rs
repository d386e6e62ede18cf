//! What to record, and where to.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::error::Error;

/// The kernel's timers sample no more often.
const MOST_SAMPLES: u32 = 100_000;
/// A sample has no room for more of a stack.
const MOST_STACK_BYTES: u32 = 60 << 10;
/// The kernel maps no larger ring.
const MOST_RING_BYTES: usize = 1 << 30;

/// Settings of a recording. [`Settings::new`] gives the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Record stalls for lack of memory, and how much memory processes have.
    pub record_memory: bool,
    /// If something has the name of the output, take the same name with a number instead of refusing.
    pub numbers_output: bool,
    /// Whose the command is; `None`: ours.
    #[cfg(target_os = "linux")]
    pub command_of: Option<whyslow_person::Owner>,
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
    /// Fails if something is asked for that cannot be had.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let problem = if self.sample_hz > MOST_SAMPLES {
            format!(
                "{} samples per second and CPU are too many: the kernel takes at most {MOST_SAMPLES} (-F)",
                self.sample_hz
            )
        } else if self.stack_dump_bytes > MOST_STACK_BYTES {
            format!(
                "{} bytes of stack per sample are too many: a sample has room for at most 60 KiB \
                 (--stack-size)",
                self.stack_dump_bytes
            )
        } else if self.ring_bytes > MOST_RING_BYTES {
            format!(
                "a buffer of {} MiB per CPU is too large: the kernel allows at most 1024 MiB (--buffer)",
                self.ring_bytes >> 20
            )
        } else {
            return Ok(());
        };
        Err(Error::Settings(problem))
    }

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
            #[cfg(target_os = "linux")]
            command_of: None,
            tracepoints: Vec::new(),
            command_line: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_refused_with_the_limit() {
        let default = Settings::new("x");
        assert!(default.check().is_ok());
        let most = Settings {
            sample_hz: 100_000,
            stack_dump_bytes: 60 << 10,
            ring_bytes: 1 << 30,
            ..default
        };
        assert!(most.check().is_ok());
        let refused = |settings: Settings| {
            settings
                .check()
                .map_or_else(|e| e.to_string(), |()| String::new())
        };
        let mut settings = most.clone();
        settings.sample_hz += 1;
        assert!(refused(settings).contains("at most 100000 (-F)"));
        let mut settings = most.clone();
        settings.stack_dump_bytes += 1;
        assert!(refused(settings).contains("at most 60 KiB"));
        let mut settings = most;
        settings.ring_bytes += 1;
        assert!(refused(settings).contains("at most 1024 MiB (--buffer)"));
    }
}
