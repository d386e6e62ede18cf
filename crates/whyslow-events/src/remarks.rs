//! What a walk over a trace reports besides its events: why it ended early, and what is wrong with
//! the trace.

use whyslow_model::Watch;
use whyslow_query::{FileInfo, Note, QueryError};
use whyslow_source::{Error, ErrorKind, Part};

use crate::seen::{Sink, Stop};

/// Returns an error if `watch` asks to stop.
pub(crate) fn check(watch: &dyn Watch, part: &Part) -> Result<(), Error> {
    if watch.is_interrupted() {
        return Err(Error::interrupted(&part.path));
    }
    Ok(())
}

/// Returns the error for a selection that has no meaning for a trace.
pub(crate) fn unselected(part: &Part, error: &QueryError) -> Stop {
    let (kind, cause) = (ErrorKind::Selection, whyslow_files::cause::chain(error));
    Stop::Failed(Error::new(kind, "select", &part.path, cause))
}

/// Ends a walk that need not go on, except to report what the trace lacks.
pub(crate) fn stop_early(
    stop: Stop,
    sink: &mut dyn Sink,
    notes: impl FnOnce() -> Vec<Note>,
) -> Stop {
    match stop {
        Stop::Enough => match sink.end(notes()) {
            Ok(()) => Stop::Enough,
            Err(stop) => stop,
        },
        stop => stop,
    }
}

/// Returns a note on a trace's quality.
pub(crate) fn warning(file: &FileInfo, text: String) -> Note {
    Note::warning(Some(&file.name), text)
}

/// Returns a note on damage: what, how often, where it was first, and details of the first case.
pub(crate) fn damage(
    file: &FileInfo,
    what: &str,
    (count, offset): (u64, u64),
    detail: &str,
) -> Note {
    let times = match count {
        1 => "at".to_owned(),
        count => format!("{count} times, first at"),
    };
    warning(file, format!("{what}, {times} {offset:#x}: {detail}"))
}
