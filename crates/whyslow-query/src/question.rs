//! A question: everything that the command line, help, pages and tests know about it, in one value.

use std::fmt;

use whyslow_model::ViewError;
use whyslow_results::{Outcome, ResultSchema};

use crate::argument::{Argument, Arguments};
use crate::error::QueryError;
use crate::nothing::{excludes_all, why_nothing};
use crate::parallel;
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

/// What those extracts answer that can be read.
pub struct Readable<'v> {
    /// Their answer.
    pub outcome: Outcome,
    /// The extracts that can be read.
    pub views: Vec<View<'v>>,
    /// Why the others cannot.
    pub unread: Vec<ViewError>,
}

impl fmt::Debug for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Readable");
        shown.field("outcome", &self.outcome);
        shown.field("unread", &self.unread);
        shown.finish_non_exhaustive()
    }
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

    /// Answers the question from those of `views` that can be read. Returns these, too, and why the others cannot.
    ///
    /// # Errors
    /// When no view can be read, or the selection does not fit the question.
    pub fn ask_readable<'v>(
        &self,
        views: &[View<'v>],
        request: &Request<'_>,
    ) -> Result<Readable<'v>, QueryError> {
        let unread = match (self.ask)(views, request) {
            Ok(outcome) => {
                return Ok(Readable {
                    outcome,
                    views: views.to_vec(),
                    unread: Vec::new(),
                });
            }
            Err(QueryError::View(error)) if views.len() > 1 => error,
            Err(error) => return Err(error),
        };
        // Only the damaged ones fail alone, too.
        let alone = parallel::map(views, |&view| (self.ask)(&[view], request).err());
        let (mut readable, mut errors) = (Vec::new(), Vec::new());
        for (&view, failed) in views.iter().zip(alone) {
            match failed {
                Some(QueryError::View(error)) => errors.push(error),
                _ => readable.push(view),
            }
        }
        if readable.is_empty() || errors.is_empty() {
            return Err(unread.into());
        }
        Ok(Readable {
            outcome: (self.ask)(&readable, request)?,
            views: readable,
            unread: errors,
        })
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
            Empty::AllIsWell(words) if self.is_well(views, selection) => Ok(words.to_owned()),
            _ => why_nothing(views, selection),
        }
    }

    /// Returns whether an empty answer is good news: nothing in the selection excludes everything.
    #[must_use]
    pub fn is_well(&self, views: &[View<'_>], selection: &Selection) -> bool {
        let is_free = selection.ranges.is_empty() && selection.conditions.is_empty();
        let has_words = matches!(self.empty, Empty::AllIsWell(_));
        has_words && is_free && matches!(excludes_all(views, selection), Ok(None))
    }

    /// Returns which of the options given in `selection` have no effect, if any.
    pub fn unused(&self, selection: &Selection) -> Option<String> {
        let unused = selection.narrowed_by().join(", ");
        let is_unused = self.about_what == Subject::Recording && !unused.is_empty();
        let name = self.name;
        is_unused.then(|| format!("{name} is about the whole recording: {unused} is not used"))
    }
}
