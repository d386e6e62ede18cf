//! The questions: one file each, all with the same selection and the same kind of answer.

mod cpu;
mod events;
mod methods;
mod missing;
mod options;
mod problems;
mod processes;
mod stacks;
mod stats;
mod threads;
mod timeline;
mod waits;

pub use cpu::cpu;
pub use events::{EventCounts, event_list, events};
pub use methods::methods;
pub use missing::missing;
pub use options::{Chart, Direction, Series, StackOptions, Timeline, TimelineOptions, Weight};
pub use problems::problems;
pub use processes::processes;
pub use stacks::stacks;
pub use stats::stats;
pub use threads::threads;
pub use timeline::timeline;
pub use waits::waits;

use crate::result::ResultColumn;

/// A question as help and documentation show it.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The name, as `processes`.
    pub name: &'static str,
    /// What it answers, in one sentence.
    pub summary: &'static str,
    /// The columns of its table, without the leading `file`; for help, and for the range options.
    pub columns: &'static [ResultColumn],
}

/// Every question.
pub static ALL: &[Question] = &[
    Question {
        name: "processes",
        summary: "Which processes ran, from when to when, and what they cost.",
        columns: processes::COLUMNS,
    },
    Question {
        name: "threads",
        summary: "What every thread did: running, ready, waiting, and who woke it.",
        columns: threads::COLUMNS,
    },
    Question {
        name: "cpu",
        summary: "Which processes used the CPUs.",
        columns: cpu::COLUMNS,
    },
    Question {
        name: "methods",
        summary: "Which functions used the CPUs, waited, or were ready.",
        columns: methods::COLUMNS,
    },
    Question {
        name: "stacks",
        summary: "The call tree of a selection.",
        columns: stacks::COLUMNS,
    },
    Question {
        name: "timeline",
        summary: "What processes did over time.",
        columns: timeline::COLUMNS,
    },
    Question {
        name: "waits",
        summary: "What processes waited for.",
        columns: waits::COLUMNS,
    },
    Question {
        name: "stats",
        summary: "The machine, the recording and its quality.",
        columns: stats::COLUMNS,
    },
    Question {
        name: "problems",
        summary: "What was damaged, lost or unresolved, and what to do about it.",
        columns: problems::COLUMNS,
    },
    Question {
        name: "events",
        summary: "How many events of which kind a trace holds.",
        columns: events::COUNTS,
    },
    Question {
        name: "event-list",
        summary: "The events of a trace one by one (events --list).",
        columns: events::LINES,
    },
    Question {
        name: "missing",
        summary: "Which modules lack symbols, and what to fetch for them.",
        columns: missing::COLUMNS,
    },
];

#[cfg(test)]
mod tests;
