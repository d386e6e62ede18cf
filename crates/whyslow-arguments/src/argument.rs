//! The arguments that a question has of its own, beside the selection: described once, as data.

use crate::pattern::Pattern;

/// An argument of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Argument {
    /// The name, on the command line `--name`.
    pub name: &'static str,
    /// What it changes, in one sentence without a final dot.
    pub doc: &'static str,
    /// What it takes.
    pub takes: Takes,
}

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// One of these words.
    Choice {
        /// The words.
        choices: &'static [Choice],
        /// The word if none is given.
        default: &'static str,
    },
    /// A share, 0 to 100.
    Percent {
        /// The share if none is given.
        default: f64,
    },
    /// A number of things.
    Count {
        /// The number if none is given.
        default: usize,
    },
    /// A length of time; without one the question chooses.
    Duration,
    /// A text filter, see [`Pattern`](struct@crate::pattern::Pattern); without one everything passes.
    Pattern,
}

/// A word to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub word: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentValue {
    /// It is there.
    Given,
    /// A word of a choice.
    Word(String),
    /// A share.
    Percent(f64),
    /// A number of things.
    Count(usize),
    /// A length of time in nanoseconds.
    DurationNs(i64),
    /// A text filter.
    Pattern(String),
}

/// The arguments a question is asked with; the others have their defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    given: Vec<(&'static str, ArgumentValue)>,
}

impl Arguments {
    /// Returns the arguments with a value for one more.
    #[must_use]
    pub fn with(mut self, argument: &Argument, value: ArgumentValue) -> Self {
        self.set(argument, value);
        self
    }

    /// Sets the value of an argument.
    pub fn set(&mut self, argument: &Argument, value: ArgumentValue) {
        self.given.push((argument.name, value));
    }

    fn get(&self, argument: &Argument) -> Option<&ArgumentValue> {
        let mut given = self.given.iter().rev();
        let found = given.find(|(name, _)| *name == argument.name);
        found.map(|(_, value)| value)
    }

    /// Returns whether `argument` is given.
    pub fn has(&self, argument: &Argument) -> bool {
        self.get(argument).is_some()
    }

    /// Returns the position of the chosen word among the choices of `argument`.
    pub fn choice(&self, argument: &Argument) -> usize {
        let Takes::Choice { choices, default } = argument.takes else {
            return 0;
        };
        let word = match self.get(argument) {
            Some(ArgumentValue::Word(word)) => word,
            _ => default,
        };
        let mut choices = choices.iter();
        choices
            .position(|choice| choice.word == word)
            .unwrap_or_default()
    }

    /// Returns the share that `argument` takes.
    pub fn percent(&self, argument: &Argument) -> f64 {
        match (self.get(argument), argument.takes) {
            (Some(ArgumentValue::Percent(share)), _) => *share,
            (_, Takes::Percent { default }) => default,
            _ => 0.0,
        }
    }

    /// Returns the number that `argument` takes.
    pub fn count(&self, argument: &Argument) -> usize {
        match (self.get(argument), argument.takes) {
            (Some(ArgumentValue::Count(count)), _) => *count,
            (_, Takes::Count { default }) => default,
            _ => 0,
        }
    }

    /// Returns the text filter that `argument` takes; one that lets everything pass if none is given.
    pub fn pattern(&self, argument: &Argument) -> Pattern {
        match self.get(argument) {
            Some(ArgumentValue::Pattern(text)) => Pattern::parse(text),
            _ => Pattern::default(),
        }
    }

    /// Returns the length of time that `argument` takes, if it is given.
    pub fn duration_ns(&self, argument: &Argument) -> Option<i64> {
        match self.get(argument) {
            Some(ArgumentValue::DurationNs(ns)) => Some(*ns),
            _ => None,
        }
    }
}
