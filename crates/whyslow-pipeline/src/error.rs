//! Failures of each step, as errors of the whole pipeline.

use std::path::Path;

use whyslow_model::{ViewError, Watch};
use whyslow_query::QueryError;
use whyslow_source::{Error, ErrorKind, Part};

use crate::etl_file::open_etl;

/// Returns an error if `watch` asks to stop.
pub(crate) fn check(watch: &dyn Watch, path: &Path) -> Result<(), Error> {
    if watch.is_interrupted() {
        return Err(Error::interrupted(path));
    }
    Ok(())
}

/// Returns the error that the extract `output` cannot be written.
pub fn unwritable(output: &Path, error: &whyslow_extract::Error) -> Error {
    let cause = error.to_string();
    let own = format!("{}: ", error.path.display());
    let cause = cause.strip_prefix(&own).unwrap_or(&cause).to_owned();
    let elsewhere = error.path != output;
    let cause = if elsewhere {
        format!("{cause} ({})", error.path.display())
    } else {
        cause
    };
    let action = format!("write {}", output.display());
    Error::new(ErrorKind::Unwritable, action, &error.path, cause).hint(error.hint())
}

/// Returns the error that a table of the extract at `path` cannot be read.
pub(crate) fn unread_table(path: &Path, error: &ViewError) -> Error {
    let action = format!("read table {} of {}", error.table, error.trace);
    let unread = Error::new(ErrorKind::Damaged, action, path, &error.cause);
    match error.advice {
        Some(advice) => unread.hint(advice),
        None => unread,
    }
}

/// Returns the error that the extract at `path` cannot be summed up.
pub(crate) fn damaged_view(path: &Path, error: &QueryError) -> Error {
    match error {
        QueryError::View(error) => unread_table(path, error),
        error => {
            let cause = whyslow_files::cause::chain(error);
            Error::new(ErrorKind::Damaged, "sum up", path, cause)
        }
    }
}

/// Returns the files of a recording as one, for messages.
fn whole(files: &[Part]) -> Part {
    let first = files.first().map(|part| part.path.clone());
    let shown: Vec<&str> = files.iter().map(|part| part.shown.as_str()).collect();
    let names: Vec<&str> = files.iter().map(|part| part.name.as_str()).collect();
    let mut whole = Part::plain(&first.unwrap_or_default());
    (whole.shown, whole.name) = (shown.join(", "), names.join(", "));
    whole
}

/// Returns the error that a recording in several files cannot be read; opening each file separately
/// shows which of them is at fault.
fn unreadable_part(files: &[Part], error: &whyslow_etl::Error) -> Error {
    let bad = files.iter().find_map(|part| {
        let source = open_etl(&part.path).ok()?;
        let error = whyslow_etl::Reader::new(source).err()?;
        Some(part.unreadable_etl(&error))
    });
    bad.unwrap_or_else(|| whole(files).unreadable_etl(error))
}

/// Returns the error that a recording cannot be imported.
pub(crate) fn failed_import(files: &[Part], output: &Path, error: &whyslow_import::Error) -> Error {
    use whyslow_import::Error as Import;
    let whole = whole(files);
    let action = format!("extract {}", whole.shown);
    match error {
        Import::Read(error) => whole.unreadable_perf(error),
        Import::ReadEtl(error) => unreadable_part(files, error),
        Import::Cancelled => Error::interrupted(output),
        Import::Sink(error) => {
            let action = format!("write {} ({})", output.display(), error.what);
            Error::io(ErrorKind::Unwritable, action, output, &error.source)
        }
        Import::NoEvents => {
            let why = "it holds no events";
            Error::new(ErrorKind::Empty, action, &whole.path, why)
                .hint("the recorder was stopped before anything happened, or the file is cut off; record again")
        }
        Import::NotTogether(_) => Error::new(ErrorKind::NotTogether, action, &whole.path, error)
            .hint("extract each one separately, without --together"),
        error => Error::new(ErrorKind::Damaged, action, &whole.path, error),
    }
}
