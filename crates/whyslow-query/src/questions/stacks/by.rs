//! How the stacks of a call tree are weighted, and the direction in which it grows.

use whyslow_model::Capability;

use crate::argument::{Argument, Arguments, Choice, Takes};
use crate::weight::Weight;

pub(super) const BY: Argument = Argument {
    name: "by",
    doc: "Weight stacks by this",
    takes: Takes::Choice {
        choices: &BY_CHOICES,
        default: Weight::Cpu.choice().word,
    },
};

const BY_CHOICES: [Choice; 6] = [
    Weight::Cpu.choice(),
    Weight::Wait.choice(),
    Weight::Ready.choice(),
    Choice {
        word: "calls",
        doc: "System calls, from a sample by count",
    },
    Choice {
        word: "goroutines",
        doc: "Waits of the goroutines of Go programs, in user space too",
    },
    Choice {
        word: "file-io",
        doc: "System calls on files, from the same sample as calls",
    },
];

pub(super) const CALL: Argument = Argument {
    name: "call",
    doc: "With --by calls and file-io: only these system calls, such as 'openat;newfstatat'",
    takes: Takes::Pattern,
};

pub(super) const FILE: Argument = Argument {
    name: "file",
    doc: "With --by file-io: only files whose path matches, such as '*.ini;!/proc/*'",
    takes: Takes::Pattern,
};

/// How stacks are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Time(Weight),
    Calls,
    Goroutines,
    FileIo,
}

impl By {
    pub(super) fn chosen(arguments: &Arguments) -> Self {
        let times = [Weight::Cpu, Weight::Wait, Weight::Ready];
        let chosen = arguments.choice(&BY);
        match times.get(chosen) {
            Some(&weight) => Self::Time(weight),
            None if chosen == times.len() => Self::Calls,
            None if chosen == times.len() + 1 => Self::Goroutines,
            None => Self::FileIo,
        }
    }

    /// Returns the table's title, and what the recording must hold.
    pub(super) fn title(self, direction: Direction) -> (&'static str, Capability) {
        let (down, callers, needed) = match self {
            Self::Time(Weight::Cpu) => (
                "CPU (sampled) by call tree",
                "CPU (sampled) by callers",
                Capability::SampleStacks,
            ),
            Self::Time(Weight::Wait) => (
                "Wait by call tree",
                "Wait by callers",
                Capability::SwitchStacks,
            ),
            Self::Time(Weight::Ready) => (
                "Ready by call tree",
                "Ready by callers",
                Capability::SwitchStacks,
            ),
            Self::Calls => (
                "System calls by call tree",
                "System calls by callers",
                Capability::SystemCalls,
            ),
            Self::Goroutines => (
                "Waits of goroutines by call tree",
                "Waits of goroutines by callers",
                Capability::Goroutines,
            ),
            Self::FileIo => (
                "Calls on files by call tree",
                "Calls on files by callers",
                Capability::SingleFileCalls,
            ),
        };
        match direction {
            Direction::TopDown => (down, needed),
            Direction::Callers => (callers, needed),
        }
    }
}

/// The direction in which a call tree grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the root of the stacks to their leaves.
    TopDown,
    /// From the functions that match `--functions` (or the leaves) to their callers.
    Callers,
}
