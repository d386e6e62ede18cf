//! How stacks and charts are weighted.

use crate::argument::{Argument, Arguments, Choice, Takes};

/// How stacks and charts are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) enum Weight {
    /// CPU (sampled).
    #[default]
    Cpu,
    /// Waiting, summed over threads.
    Wait,
    /// Ready, summed over threads.
    Ready,
}

impl Weight {
    const ALL: [Self; 3] = [Self::Cpu, Self::Wait, Self::Ready];
    const CHOICES: [Choice; 3] = {
        let mut choices = [Self::Cpu.choice(); Self::ALL.len()];
        let mut at = 0;
        while at < choices.len() {
            choices[at] = Self::ALL[at].choice();
            at += 1;
        }
        choices
    };

    /// Returns the word that selects it.
    pub(crate) const fn choice(self) -> Choice {
        let (word, doc) = match self {
            Self::Cpu => ("cpu", "CPU time"),
            Self::Wait => ("wait", "Waiting"),
            Self::Ready => ("ready", "Runnable without a CPU"),
        };
        Choice { word, doc }
    }

    /// Returns an argument that selects a weight.
    pub(crate) const fn argument(doc: &'static str) -> Argument {
        Argument {
            name: "by",
            doc,
            takes: Takes::Choice {
                choices: &Self::CHOICES,
                default: Self::Cpu.choice().word,
            },
        }
    }

    /// Returns the selected weight.
    pub(crate) fn chosen(arguments: &Arguments, argument: &Argument) -> Self {
        let at = arguments.choice(argument);
        Self::ALL.get(at).copied().unwrap_or_default()
    }
}
