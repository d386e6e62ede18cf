//! Shows the events of traces, one trace after the other, whatever wrote them.

use std::sync::Arc;

use whyslow_model::Watch;
use whyslow_query::{FileInfo, Note, QueryError};
use whyslow_source::{Error, ErrorKind, Part, metadata};

use crate::etl::EtlTraces;
use crate::filter::Filter;
use crate::perf;
use crate::seen::{Sink, Stop};

/// Shows every event of every trace that `filter` lets pass to `sink`; returns how many traces could
/// not be read.
///
/// Of several traces those that cannot be read are reported to `unreadable`, and the others are read.
///
/// # Errors
/// [`Stop::Failed`] when the only trace, or every one, cannot be read, or `watch` wants to stop;
/// [`Stop::Written`] when the sink fails. [`Stop::Enough`] is none.
pub fn walk(
    traces: &[Part],
    filter: &mut Filter,
    watch: &Arc<dyn Watch>,
    unreadable: &mut dyn FnMut(&Error),
    sink: &mut dyn Sink,
) -> Result<usize, Stop> {
    let mut bad = 0;
    let mut etl = EtlTraces::open(traces, &**watch)?;
    for (number, part) in traces.iter().enumerate() {
        let walked = match (metadata(&part.path), etl.take(number)) {
            (Err(error), _) | (_, Some(Err(error))) => Err(Stop::Failed(error)),
            (_, Some(Ok(trace))) => etl.walk(&trace, &**watch, filter, sink),
            (_, None) => perf::walk(part, watch, filter, sink),
        };
        match walked {
            Ok(()) => {}
            Err(Stop::Enough) => break,
            Err(Stop::Failed(error))
                if traces.len() > 1 && error.kind != ErrorKind::Interrupted =>
            {
                unreadable(&error);
                bad += 1;
            }
            Err(stop) => return Err(stop),
        }
    }
    if let Some(part) = traces.first().filter(|_| bad == traces.len()) {
        let (kind, why) = (ErrorKind::Unreadable, "no trace could be read");
        return Err(Stop::Failed(Error::new(kind, "answer", &part.path, why)));
    }
    Ok(bad)
}

/// Returns the failure to go on, if `watch` wants to stop.
pub(crate) fn check(watch: &dyn Watch, part: &Part) -> Result<(), Error> {
    if watch.is_interrupted() {
        return Err(Error::interrupted(&part.path));
    }
    Ok(())
}

/// Returns the failure of a selection that has no meaning for a trace.
pub(crate) fn unselected(part: &Part, error: &QueryError) -> Stop {
    let (kind, cause) = (ErrorKind::Selection, whyslow_files::cause::chain(error));
    Stop::Failed(Error::new(kind, "select", &part.path, cause))
}

/// Ends a walk that need not go on, but for saying what the trace lacks.
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

/// Returns a note on damage: what, how often, where first, and the first one's particulars.
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
