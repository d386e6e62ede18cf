//! A question: everything that the command line, help, pages and tests know about it, in one value.

use whyslow_results::{Outcome, ResultSchema};

use crate::argument::{Argument, Arguments};
use crate::error::QueryError;
use crate::nothing::why_nothing;
use crate::selection::Selection;
use crate::view::View;

/// A question that extracts answer.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The name, such as `processes`; a command of the program.
    pub name: &'static str,
    /// What it shows, in one line without a final dot.
    pub about: &'static str,
    /// More detail, and examples.
    pub help: &'static str,
    /// The tables it may answer with; the selection decides which one.
    pub tables: &'static [&'static ResultSchema],
    /// Its own arguments, in addition to the selection.
    pub arguments: &'static [Argument],
    /// What it is about.
    pub about_what: Subject,
    /// What an empty answer means.
    pub empty: Empty,
    /// Answers it.
    pub ask: fn(&[View<'_>], &Request<'_>) -> Result<Outcome, QueryError>,
}

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The processes, threads and times that the selection counts.
    Selection,
    /// The whole recording, whatever is selected.
    Recording,
}

/// What an empty answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// The selection matches nothing.
    NothingMatches,
    /// There is nothing to complain about, in these words.
    AllIsWell(&'static str),
}

/// How a question is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Which data counts and which rows are shown.
    pub selection: &'a Selection,
    /// The question's own arguments.
    pub arguments: &'a Arguments,
    /// How many slices a chart has room for.
    pub chart_slices: usize,
}

impl Request<'_> {
    /// Number of slices of a chart of unknown width.
    pub const CHART_SLICES: usize = 60;
}

impl Question {
    /// Answers the question with the defaults of its own arguments.
    ///
    /// # Errors
    /// When a table cannot be read, or the selection does not fit the question.
    pub fn answer(&self, views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
        let request = Request {
            selection,
            arguments: &Arguments::default(),
            chart_slices: Request::CHART_SLICES,
        };
        (self.ask)(views, &request)
    }

    /// Returns the argument called `name`.
    pub fn argument(&self, name: &str) -> Option<&'static Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// Says why the answer is empty, in one sentence without a final dot.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn why_empty(
        &self,
        views: &[View<'_>],
        selection: &Selection,
    ) -> Result<String, QueryError> {
        match self.empty {
            Empty::AllIsWell(words)
                if selection.ranges.is_empty() && selection.conditions.is_empty() =>
            {
                Ok(words.to_owned())
            }
            _ => why_nothing(views, selection),
        }
    }

    /// Returns which of the options given in `selection` have no effect, if any.
    pub fn unused(&self, selection: &Selection) -> Option<String> {
        let unused = selection.narrowed_by().join(", ");
        let is_unused = self.about_what == Subject::Recording && !unused.is_empty();
        let name = self.name;
        is_unused.then(|| format!("{name} is about the whole recording: {unused} is not used"))
    }
}
