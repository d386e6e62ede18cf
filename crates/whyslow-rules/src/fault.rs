//! What is wrong with a file of rules.

use std::fmt;

/// The most faults that are kept.
pub(crate) const MOST_FAULTS: usize = 100;

/// Something that is wrong in a file of rules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, and what to write instead.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Everything that is wrong in a file of rules, in the order of its lines; never empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// The faults.
    pub all: Vec<Fault>,
    /// How many more there are that are not kept.
    pub more: usize,
}

impl Faults {
    /// Adds one.
    pub(crate) fn add(&mut self, line: usize, what: impl Into<String>) {
        if self.all.len() >= MOST_FAULTS {
            self.more += 1;
            return;
        }
        let what = what.into();
        self.all.push(Fault { line, what });
    }

    /// Returns one line per fault, as `FILE:LINE: what`.
    #[must_use]
    pub fn list(&self, file: &str) -> String {
        let lines = self.all.iter();
        let lines = lines.map(|one| format!("{file}:{}: {}\n", one.line, one.what));
        let mut text: String = lines.collect();
        if self.more > 0 {
            text.push_str(&format!("{file}: and {} more\n", self.more));
        }
        text
    }

    /// Returns how many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len() + self.more
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.all.first() else {
            return Ok(());
        };
        first.fmt(f)?;
        match self.count() - 1 {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for Faults {}
