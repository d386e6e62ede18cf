//! The extracts a question is asked of.

use std::path::PathBuf;

use whyslow_extract::{Error, ErrorKind, Extract};
use whyslow_files::cause::without_number;
use whyslow_query::View;
use whyslow_query::parallel;
use whyslow_source::looks_recorded;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Extracts that are open, and how many could not be opened.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// The extracts, in the order questions go through them.
    pub(crate) extracts: Vec<Extract>,
    /// How many were named and could not be opened; each was reported.
    pub(crate) unreadable: usize,
}

impl Inputs {
    /// Opens the extracts that `paths` name; those that cannot be opened are reported and left out.
    ///
    /// # Errors
    /// When none is left.
    pub(crate) fn open(paths: &[PathBuf], terminal: &Terminal) -> Result<Self, Failure> {
        let found = find(paths)?;
        let mut inputs = Self {
            extracts: Vec::with_capacity(found.len()),
            unreadable: 0,
        };
        let several = found.len() > 1;
        let opened = parallel::map(&found, |path| Extract::open(path));
        for extract in opened {
            match extract {
                Ok(extract) => inputs.extracts.push(extract),
                Err(error) if !several => return Err(unopened(&error)),
                Err(error) => {
                    terminal.fail(&unopened(&error));
                    inputs.unreadable += 1;
                }
            }
        }
        if inputs.extracts.is_empty() {
            return Err(Failure::cannot("answer", "no extract could be opened"));
        }
        Ok(inputs)
    }

    /// Returns the extracts as questions take them.
    pub(crate) fn views(&self) -> Vec<View<'_>> {
        self.extracts
            .iter()
            .map(|extract| extract as View<'_>)
            .collect()
    }
}

/// Returns the extracts that `paths` name, in the order of their test runs; those of the current
/// directory if none is named.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !paths.is_empty() {
        return whyslow_extract::find(paths).map_err(|error| unopened(&error));
    }
    whyslow_extract::find(&[PathBuf::from(".")]).map_err(|_| {
        Failure::usage("no extract was given, and there is none in the current directory")
            .hint("whyslow extract TRACE makes one from a recording, whyslow run from a command")
            .exit(Exit::Usage)
    })
}

/// Returns the failure to open an extract.
pub(crate) fn unopened(error: &Error) -> Failure {
    let cause = error.to_string();
    let own = format!("{}: ", error.path.display());
    let cause = without_number(cause.strip_prefix(&own).unwrap_or(&cause));
    let failure = Failure::cannot(format!("open {}", error.path.display()), cause);
    match error.kind {
        ErrorKind::NotAnExtract if looks_recorded(&error.path) => {
            let path = error.path.display();
            failure.hint(format!("it looks like a recording: whyslow extract {path}"))
        }
        _ => failure.hint(error.hint_on_reading()),
    }
}
