//! What each event of a file means.

use super::groups::MoveFields;
use super::own::Own;
use super::scheduler::{ExecFields, SwitchFields, WakingFields};
use crate::operations::{Source, Tracepoint};

/// How to read the samples of one event.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    /// CPU samples.
    Cpu(Weight),
    /// `sched:sched_switch`.
    Switch(SwitchFields),
    /// `sched:sched_waking`, or `sched:sched_wakeup` if there is no other.
    Waking(WakingFields),
    /// `sched:sched_wakeup` in addition to `sched:sched_waking`.
    Queued(WakingFields),
    /// `sched:sched_wakeup_new`.
    FirstWaking(WakingFields),
    /// `sched:sched_process_exec`.
    Exec(ExecFields),
    /// `cgroup:cgroup_attach_task`.
    GroupMove(MoveFields),
    /// The start or end of an operation.
    Operation(Found),
    /// An event of Whyslow's own recorder.
    Own(Own),
    /// Not used yet; counted.
    Counted,
}

/// A tracepoint of an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) source: &'static Source,
    pub(super) tracepoint: &'static Tracepoint,
    /// Its place among the decoders of the session.
    pub(super) decoder: usize,
}

/// How much CPU time a sample represents.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    /// The sample's period is nanoseconds; the number is for samples without a period of their own.
    PeriodNs(i64),
    /// The kernel adapts the period to keep about this many nanoseconds between samples.
    AimedNs(i64),
    /// One sample per number of cycles or instructions: its time is the distance from the previous
    /// sample on that CPU.
    Measured,
}

impl Plan {
    /// Returns the word the `event_count` table has for its use.
    pub(super) fn used_for(&self) -> Option<&'static str> {
        match self {
            Self::Cpu(_) => Some("samples"),
            Self::Switch(_) | Self::Waking(_) | Self::Queued(_) | Self::FirstWaking(_) => {
                Some("states")
            }
            Self::Exec(_) | Self::Own(Own::Exec | Own::Exit) => Some("processes"),
            Self::Operation(found) => Some(found.source.used_for),
            Self::Own(Own::UserStack | Own::WaitObject | Own::Code) => Some("stacks"),
            Self::Own(Own::Thread | Own::Affinity) => Some("states"),
            Self::Own(Own::SystemCalls) => Some("system calls"),
            Self::GroupMove(_) | Self::Own(Own::Group | Own::GroupMember) => Some("limits"),
            Self::Own(Own::Goroutine) => Some("goroutines"),
            Self::Own(Own::FileCalls | Own::FileName | Own::SingleFileCalls) => Some("files"),
            Self::Own(Own::ProcessMemory) => Some("memory"),
            Self::Own(Own::Mark) => Some("marks"),
            Self::Own(Own::Tcp) => Some("connections"),
            Self::Own(Own::DnsPacket | Own::NameLookup) => Some("names"),
            Self::Counted => None,
        }
    }
}
