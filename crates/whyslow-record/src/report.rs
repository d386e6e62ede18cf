//! The report of a recording: what it contains, what is missing, and what it cost.

use std::path::PathBuf;
use std::time::Duration;

use crate::limit_reached::LimitReached;

/// The report of a finished recording.
#[derive(Clone, Debug, Default)]
pub struct RecordReport {
    /// The file.
    pub output: PathBuf,
    /// Its size.
    pub file_bytes: u64,
    /// From the first to the last moment recorded.
    pub duration: Duration,
    /// How the command ended, if there was one.
    pub command: Option<CommandOutcome>,
    /// Samples per event, in the order of the file; and how many were lost for lack of room.
    pub events: Vec<EventCount>,
    /// Samples lost according to `LOST` records in the rings; normally the sum of the losses in
    /// [`events`](Self::events), and the only figure on kernels before 6.0.
    pub lost_in_rings: u64,
    /// Stacks deliberately not taken, because there were more than the settings allow.
    pub dropped_stacks: Vec<DroppedStacks>,
    /// User halves of stacks: how they ended.
    pub user_stacks: UserStackCounts,
    /// CPU time of the recorder in user mode.
    pub recorder_user: Duration,
    /// CPU time of the recorder in the kernel. What the events cost the recorded programs is
    /// inside those programs' CPU.
    pub recorder_system: Duration,
    /// What could not be recorded.
    pub missing: Vec<Missing>,
    /// What was left out because a limit was reached.
    pub limits: Vec<LimitReached>,
}

impl RecordReport {
    /// Samples of all events that were lost.
    pub fn lost(&self) -> u64 {
        self.events
            .iter()
            .map(|event| event.lost)
            .sum::<u64>()
            .max(self.lost_in_rings)
    }
}

/// How a recorded command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// From its release to its end.
    pub wall: Duration,
    /// CPU time in user mode, its finished children included.
    pub user: Duration,
    /// CPU time in the kernel, its finished children included.
    pub system: Duration,
    /// How it ended.
    pub ending: CommandEnding,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEnding {
    /// With an exit code.
    Exited(i32),
    /// By a signal.
    Signaled(i32),
}

impl CommandEnding {
    /// Reads a status as `wait` gives it.
    pub(crate) fn from_wait_status(status: i32) -> Self {
        match status & 0x7f {
            0 => Self::Exited((status >> 8) & 0xff),
            signal => Self::Signaled(signal),
        }
    }

    /// The code a shell would report: the exit code, or 128 + signal.
    pub fn shell_code(self) -> i32 {
        match self {
            Self::Exited(code) => code,
            Self::Signaled(signal) => 128 + signal,
        }
    }
}

/// How many samples of one event there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventCount {
    /// The event's name.
    pub name: String,
    /// Samples in the file.
    pub samples: u64,
    /// Samples for which there was no room in a ring.
    pub lost: u64,
}

/// Stacks of one kind that were deliberately not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedStacks {
    /// What has no stack: the name of the event.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Why.
    pub reason: DropReason,
}

/// Why stacks were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// Others of the same site have one, and are a fair sample.
    Sampled,
    /// More than [`Settings::stacks_per_second`](crate::Settings::stacks_per_second).
    Rate,
    /// More than
    /// [`Settings::user_stack_bytes_per_second`](crate::Settings::user_stack_bytes_per_second).
    Budget,
    /// More than the recorder could unwind meanwhile.
    NoTime,
    /// The kernel hides the threads.
    Hidden,
}

impl DropReason {
    /// All of them, with what happened to the stacks.
    pub const ALL: [(Self, &str); 5] = [
        (
            Self::Sampled,
            "taken from a sample of the same place, to limit the cost",
        ),
        (Self::Rate, "left out to limit the cost (--stack-rate)"),
        (Self::Budget, "left out to limit the cost (--stack-budget)"),
        (Self::NoTime, "left out, because there were too many"),
        (Self::Hidden, "cannot be recorded"),
    ];
}

/// How the user halves of stacks ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserStackCounts {
    /// Reached the first function of the thread.
    pub complete: u64,
    /// Stopped early.
    pub truncated: u64,
    /// Missing although expected.
    pub absent: u64,
}

/// Something that could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
    /// What the user can do.
    pub remedy: String,
}

impl Missing {
    /// The remedy for most that is missing.
    pub const AS_ROOT: &str = "record as root";

    /// Whether root could record it.
    #[must_use]
    pub fn needs_root(&self) -> bool {
        self.remedy.contains(Self::AS_ROOT)
    }
}

impl RecordReport {
    /// Returns what the user can do, the most effective remedy first; being root is mentioned once.
    #[must_use]
    pub fn remedies(&self) -> Vec<&str> {
        let mut remedies: Vec<&str> = Vec::new();
        for Missing { remedy, .. } in &self.missing {
            let is_said = |known: &&str| {
                known.contains(remedy.as_str())
                    || (known.starts_with(Missing::AS_ROOT) && remedy.contains(Missing::AS_ROOT))
            };
            if !remedies.iter().any(is_said) {
                remedies.retain(|known| !remedy.contains(known));
                remedies.push(remedy);
            }
        }
        remedies
    }
}
