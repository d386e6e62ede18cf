//! How a recording is made: `run` and `record` share these.

use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use whyslow_record::{Part, Profile};

use whyslow_arguments::size::{duration, size};

/// Takes one of these words.
fn names<const N: usize>(names: &[&'static str; N]) -> PossibleValuesParser {
    PossibleValuesParser::new(*names)
}

/// How a recording is made.
#[derive(Debug, Clone, Args)]
pub(crate) struct RecordingArgs {
    /// How much to record: light costs least (199 samples per second; no system calls, files or
    /// connections), deep records more single events and stacks, and costs more. The options below
    /// override the profile
    #[arg(long, help_heading = "Recording", value_name = "NAME", default_value = "default", value_parser = names(&Profile::ALL.map(|(_, name)| name)))]
    pub(crate) profile: String,
    /// Record only these parts, separated by commas, in addition to what threads do and wait for: samples,
    /// syscalls, files, file-list (single calls about files), network, disk, memory
    #[arg(long, help_heading = "Recording", value_name = "PARTS", value_delimiter = ',', conflicts_with = "without", value_parser = names(&Part::ALL.map(|(_, name, _)| name)))]
    pub(crate) only: Vec<String>,
    /// Record all but these parts
    #[arg(long, help_heading = "Recording", value_name = "PARTS", value_delimiter = ',', value_parser = names(&Part::ALL.map(|(_, name, _)| name)))]
    pub(crate) without: Vec<String>,
    /// CPU samples per second and CPU; 0 for none [default: 997; light: 199]
    #[arg(long, short = 'F', help_heading = "Recording", value_name = "HZ")]
    pub(crate) frequency: Option<u32>,
    /// Size of the buffer per CPU
    #[arg(long, help_heading = "Recording", value_name = "SIZE", default_value = "8MiB", value_parser = size)]
    pub(crate) buffer: u64,
    /// Copy this much of a user stack per sample where eBPF programs, which copy all of it, are not
    /// permitted; at most 60 KiB; 0 for no user stacks
    #[arg(long, help_heading = "Recording", value_name = "SIZE", default_value = "16KiB", value_parser = size)]
    pub(crate) stack_size: u64,
    /// Stacks of switches per second and CPU, and as many of wake-ups; switches are always counted
    /// [default: 50000; deep: 200000]
    #[arg(long, help_heading = "Recording", value_name = "N")]
    pub(crate) stack_rate: Option<u32>,
    /// Copy at most this much of user stacks per second and CPU for waits, preemptions and wakers
    /// [default: 8MB; deep: 32MB]
    #[arg(long, help_heading = "Recording", value_name = "SIZE", value_parser = size)]
    pub(crate) stack_budget: Option<u64>,
    /// Take a user stack of each wait at least this long; shorter ones are added up and sampled
    /// [default: 1ms; deep: 100us]
    #[arg(long, help_heading = "Recording", value_name = "TIME", value_parser = duration)]
    pub(crate) wait_threshold: Option<Duration>,
    /// File calls per second and CPU that get a row of their own; beyond that, only the first of each
    /// kind and those of 1 ms or more do [default: 5000; deep: 100000]
    #[arg(long, help_heading = "Recording", value_name = "N")]
    pub(crate) file_list_rate: Option<u32>,
    /// Also record this tracepoint, such as block:block_rq_issue; may be given several times
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

/// Whose the command is.
#[derive(Debug, Clone, Args)]
pub(crate) struct OwnerArgs {
    /// Run the command as this user, by name or number; without it, as whoever called sudo
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Command",
        conflicts_with = "as_root"
    )]
    pub(crate) user: Option<String>,
    /// With sudo: run the command as root, and write files as root
    #[arg(long, help_heading = "Command")]
    pub(crate) as_root: bool,
}

/// How a Windows machine is recorded.
#[derive(Debug, Clone, Args)]
pub(crate) struct WindowsArgs {
    /// Write a profile for Windows' recorder into the directory of -o, or into this one, and print
    /// the commands to run there
    #[arg(long, help_heading = "Recording on Windows")]
    pub(crate) print_windows: bool,
    /// Record no file operations, wake-ups or network events: a smaller file
    #[arg(long, help_heading = "Recording on Windows")]
    #[cfg_attr(not(windows), arg(requires = "print_windows"))]
    pub(crate) light: bool,
    /// Keep the latest events in memory until the recording is stopped, instead of all in a file
    #[arg(long, help_heading = "Recording on Windows")]
    #[cfg_attr(not(windows), arg(requires = "print_windows"))]
    pub(crate) circular: bool,
}
