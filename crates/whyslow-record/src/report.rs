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
    /// Whether a signal came that asks to end, such as Ctrl-C, even if it came too late to shorten the recording.
    pub interrupted: bool,
    /// How the command ended, if there was one.
    pub command: Option<CommandOutcome>,
    /// Samples per event, in the order of the file; and how many were lost for lack of room.
    pub events: Vec<EventCount>,
    /// The code that the command passed when it ended, if that is more than the 8 bits that the kernel keeps.
    pub long_exit_code: Option<i32>,
    /// Marks that the command set, or a program that it started, in the order of time; `None`: marks were not
    /// recorded.
    pub marks: Option<Vec<SeenMark>>,
    /// Marks of any program for which there was no room, or that were too many per second.
    pub lost_marks: u64,
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

    /// What the user can do about what is missing, the most effective remedy first; being root is mentioned once.
    pub fn remedies(&self) -> Vec<&str> {
        let mut remedies: Vec<&str> = Vec::new();
        for Missing { remedy, .. } in &self.missing {
            let is_said = |known: &&str| {
                known.contains(remedy.as_str())
                    || (known.starts_with(AS_ROOT) && Missing::is_for_root(remedy))
            };
            if !remedies.iter().any(is_said) {
                remedies.retain(|known| !remedy.contains(known));
                remedies.push(remedy);
            }
        }
        remedies
    }
}

/// A mark that a program set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenMark {
    /// When, in nanoseconds of the recording's clock.
    pub time_ns: u64,
    /// Its text as the program passed it.
    pub text: Vec<u8>,
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

impl DropReason {
    /// Every reason, in the order of the report.
    pub const ALL: [Self; 5] = [
        Self::Sampled,
        Self::Rate,
        Self::Budget,
        Self::NoTime,
        Self::Hidden,
    ];

    /// What happened to what was dropped, in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Sampled => "taken from a sample of the same place, to limit the cost",
            Self::Rate => "left out to limit the cost (--stack-rate)",
            Self::Budget => "left out to limit the cost (--stack-budget)",
            Self::NoTime => "left out, because there were too many",
            Self::Hidden => "cannot be recorded",
        }
    }
}

/// The remedy for most that is missing.
const AS_ROOT: &str = "record as root";

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
    /// Whether a remedy is to be root.
    pub fn is_for_root(remedy: &str) -> bool {
        remedy.contains(AS_ROOT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn being_root_is_mentioned_once() {
        let missing = |remedy: &str| Missing {
            what: String::new(),
            why: String::new(),
            remedy: remedy.to_owned(),
        };
        let remedies = ["record as root, or a", "b", "c; or record as root", "b"];
        let report = RecordReport {
            missing: remedies.map(missing).to_vec(),
            ..RecordReport::default()
        };
        assert_eq!(report.remedies(), ["record as root, or a", "b"]);
    }
}
