//! How a recording is made: `run` and `record` share these.

use std::time::Duration;

use clap::Args;

use super::size::{duration, size};

/// How a recording is made.
#[derive(Debug, Clone, Args)]
pub(crate) struct RecordingArgs {
    /// CPU samples per second and CPU; 0 for none
    #[arg(
        long,
        short = 'F',
        help_heading = "Recording",
        value_name = "HZ",
        default_value_t = 997
    )]
    pub(crate) frequency: u32,
    /// Size of the buffer per CPU
    #[arg(long, help_heading = "Recording", value_name = "SIZE", default_value = "8MiB", value_parser = size)]
    pub(crate) buffer: u64,
    /// Copy this much of a user stack per sample where eBPF programs, which copy all, are not
    /// permitted; at most 60 KiB; 0 for no user stacks
    #[arg(long, help_heading = "Recording", value_name = "SIZE", default_value = "16KiB", value_parser = size)]
    pub(crate) stack_size: u64,
    /// Stacks of switches per second and CPU, and as many of wake-ups; switches are always counted
    #[arg(
        long,
        help_heading = "Recording",
        value_name = "N",
        default_value_t = 50_000
    )]
    pub(crate) stack_rate: u32,
    /// Copy at most this much of user stacks per second and CPU for waits, preemptions and wakers
    #[arg(long, help_heading = "Recording", value_name = "SIZE", default_value = "8MB", value_parser = size)]
    pub(crate) stack_budget: u64,
    /// Take a user stack of waits this long; shorter ones are added up and sampled
    #[arg(long, help_heading = "Recording", value_name = "TIME", default_value = "1ms", value_parser = duration)]
    pub(crate) wait_threshold: Duration,
    /// Also record this tracepoint, as block:block_rq_issue; may be given several times
    #[arg(long, help_heading = "Recording", value_name = "EVENT")]
    pub(crate) event: Vec<String>,
    /// Use no eBPF programs: no exact command lines, exit codes, or user stacks of waits
    #[arg(long, help_heading = "Recording")]
    pub(crate) no_bpf: bool,
    /// Do not count system calls, which makes each call slower while it is recorded
    #[arg(long, help_heading = "Recording")]
    pub(crate) no_syscalls: bool,
    /// Time every system call; otherwise one in sixteen is timed where a CPU makes more than 50,000 per second
    #[arg(long, help_heading = "Recording", conflicts_with = "no_syscalls")]
    pub(crate) exact_call_times: bool,
    /// Do not follow TCP connections and name look-ups, which makes each send and receive slower
    #[arg(long, help_heading = "Recording")]
    pub(crate) no_network: bool,
}

/// How a Windows machine is recorded.
#[derive(Debug, Clone, Args)]
pub(crate) struct WindowsArgs {
    /// Write a profile for Windows' recorder into the directory of -o, or into this one, and print
    /// the commands to give there
    #[arg(long, help_heading = "Recording on Windows")]
    pub(crate) print_windows: bool,
    /// Record no file operations, wake-ups and network events: a smaller file
    #[arg(long, help_heading = "Recording on Windows")]
    #[cfg_attr(not(windows), arg(requires = "print_windows"))]
    pub(crate) light: bool,
    /// Keep the latest events in memory until the recording is stopped, instead of all in a file
    #[arg(long, help_heading = "Recording on Windows")]
    #[cfg_attr(not(windows), arg(requires = "print_windows"))]
    pub(crate) circular: bool,
}
