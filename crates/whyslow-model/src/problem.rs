//! Trouble that is counted and documented, and does not end the work: never an error, never silent.
//!
//! Every kind is declared once, here, with its severity and what a user can do about it.

use std::collections::BTreeMap;

use crate::system::System;
use crate::tables::ProblemRow;

const LOST_ON_WINDOWS: &str = "Record again with more or larger buffers, or fewer events; times in \
     lost intervals are unknown.";
const HALF_ON_WINDOWS: &str = "The threads had not returned to their own code when the session ended, \
     or never do; the kernel half is there.";

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; the figures are right.
    Info,
    /// Something that happened is not in the figures.
    DataLoss,
    /// Part of the source could not be understood.
    Error,
}

impl Severity {
    /// Returns the `problem` table's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::DataLoss => "data loss",
            Self::Error => "error",
        }
    }
}

macro_rules! problems {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $severity:ident $advice:literal,)*) => {
        /// A kind of trouble.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProblemKind { $($(#[doc = $doc])* $variant,)* }

        impl ProblemKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name, as in the `problem` table.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns how much it matters.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Returns what to do about it in a recording of a system.
            pub fn advice(self, of: System) -> &'static str {
                match (of, self) {
                    (System::Windows, Self::LostEvents | Self::LostBuffers) => LOST_ON_WINDOWS,
                    (System::Windows, Self::NoUserHalf) => HALF_ON_WINDOWS,
                    $((_, Self::$variant) => $advice,)*
                }
            }
        }
    };
}

problems! {
    /// The recorder dropped events.
    LostEvents "lost-events" DataLoss "Record again with a larger buffer (--buffer) or fewer events; times in lost intervals are unknown.",
    /// The recorder dropped whole buffers of events, or says only that something is missing there.
    LostBuffers "lost-buffers" DataLoss "Record again with a larger buffer (--buffer) or fewer events; times in lost intervals are unknown.",
    /// Stacks that the kernel does not show.
    HiddenStacks "hidden-stacks" Info "The kernel hides these threads; their times are exact, but where they waited is not known.",
    /// The recorder limited the rate of stacks.
    DroppedStacks "dropped-stacks" Info "Times are exact; some waits have no user stack of their own. Raise --stack-rate or --stack-budget for more.",
    /// The file ends in the middle of a record.
    TruncatedFile "truncated-file" DataLoss "The recorder was killed or the copy is incomplete; everything before the cut is in the extract.",
    /// A record could not be decoded.
    BadRecord "bad-record" Error "The file is damaged there; compare its checksum with the original.",
    /// A record of a type this version does not know.
    UnknownRecord "unknown-record" Info "The recorder is newer than this program; update it if figures are missing.",
    /// A sample whose event is not declared.
    UnknownEvent "unknown-event" Error "The file's event table is damaged or incomplete.",
    /// Events that came after later ones had been processed.
    LateEvents "late-events" DataLoss "The recorder wrote events out of order by more than the window; the affected intervals are marked.",
    /// Scheduling events contradict each other.
    BrokenSchedule "broken-schedule" DataLoss "A switch is missing, most often after lost events; the affected intervals are unknown.",
    /// Something ended that was not seen to begin, or began and was not seen to end.
    UnmatchedEnd "unmatched-end" Info "It began before the trace, or an event was lost; an operation with only one known end has no duration or is left out.",
    /// A wait ended without a recorded wake-up.
    MissingWakeUp "missing-wake-up" Info "The wait includes the ready time after it; record wake-ups to tell them apart.",
    /// Stacks that stop before the root.
    TruncatedStack "truncated-stack" Info "The recorded part of the stack was too small or has no unwind information; inclusive figures of outer functions are too low.",
    /// Waits without a user half.
    NoUserHalf "no-user-half" Info "Short waits are sampled, and for some waits there is no system call at which to take the stack; the kernel half is there.",
    /// Addresses without a mapping.
    UnmappedAddress "unmapped-address" Info "No mapping covered the address when it was seen: JIT code, or a mapping that was not recorded.",
    /// Addresses without a symbol.
    Unresolved "unresolved" Info "Install debug symbols, then run `whyslow symbolize EXTRACT --from DIR`.",
    /// A file on disk is not the one that was recorded.
    ChangedModule "changed-module" Info "The file was replaced since; put the recorded version into a folder and run `whyslow symbolize EXTRACT --from DIR`.",
    /// The recorder was not allowed to record something.
    NotPermitted "not-permitted" Info "Record as root; `whyslow setup` shows how other users may be allowed to record.",
    /// A limit of the reader or importer was reached.
    LimitReached "limit-reached" DataLoss "Raise --memory if the machine allows it; what exceeds the limit is left out.",
    /// The recorder counted several kinds of things together.
    CountedTogether "counted-together" Info "Their total number and time are right; only the most frequent kinds are counted separately.",
    /// A limit of the recorder was reached.
    RecorderLimit "recorder-limit" DataLoss "The recorder left out what exceeds the limit; record for a shorter time.",
    /// Text that is not UTF-8.
    NotUtf8 "not-utf8" Info "Invalid bytes are shown as the replacement character.",
    /// A tracepoint whose fields are not described in the file.
    NoFormat "no-format" Error "The file lacks the tracepoint's description; record with a newer perf.",
    /// A thread or process appeared without a start event.
    MissingStart "missing-start" Info "Its start was not recorded; its lifetime begins at its first event.",
}

/// One kind of trouble with its details.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How often it happened.
    pub count: u64,
    /// File offset where it happened first.
    pub first_offset: Option<u64>,
    /// When it happened first, in nanoseconds of the trace's own clock.
    pub first_ns: Option<i64>,
    /// What happened, with details of the first time.
    pub detail: String,
}

/// The problems so far, by kind.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    entries: BTreeMap<ProblemKind, Problem>,
}

impl Problems {
    /// Counts one occurrence; `detail` is only called for the first.
    pub fn add(&mut self, kind: ProblemKind, offset: Option<u64>, detail: impl FnOnce() -> String) {
        self.add_many(kind, 1, offset, None, detail);
    }

    /// Counts `count` occurrences; `detail` is only called for the first.
    pub fn add_many(
        &mut self,
        kind: ProblemKind,
        count: u64,
        offset: Option<u64>,
        time_ns: Option<i64>,
        detail: impl FnOnce() -> String,
    ) {
        if count == 0 {
            return;
        }
        let problem = self.entries.entry(kind).or_insert_with(|| Problem {
            count: 0,
            first_offset: offset,
            first_ns: time_ns,
            detail: detail(),
        });
        problem.count = problem.count.saturating_add(count);
    }

    /// Returns the entry of `kind`.
    pub fn get(&self, kind: ProblemKind) -> Option<&Problem> {
        self.entries.get(&kind)
    }

    /// Returns every kind that occurred, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (ProblemKind, &Problem)> {
        self.entries.iter().map(|(kind, problem)| (*kind, problem))
    }

    /// Returns the rows of the `problem` table for a recording of a system; `start_ns` is the
    /// clock's reading at the trace's start.
    pub fn rows(&self, of: System, start_ns: i64) -> Vec<ProblemRow> {
        let row = |(kind, problem): (ProblemKind, &Problem)| ProblemRow {
            kind: kind.name().to_owned(),
            severity: kind.severity().name().to_owned(),
            count: i64::try_from(problem.count).unwrap_or(i64::MAX),
            first_offset: problem.first_offset.and_then(|at| i64::try_from(at).ok()),
            first_ns: problem.first_ns.map(|at| at.saturating_sub(start_ns)),
            detail: problem.detail.clone(),
            advice: kind.advice(of).to_owned(),
        };
        self.iter().map(row).collect()
    }
}
