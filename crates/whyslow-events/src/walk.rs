//! Shows the events of traces, one trace after another, whatever their format.

use std::sync::Arc;

use whyslow_model::Watch;
use whyslow_source::{Error, ErrorKind, Part, metadata};

use crate::etl::EtlTraces;
use crate::filter::Filter;
use crate::perf;
use crate::seen::{Sink, Stop};

/// Passes every event of every trace that `filter` accepts to `sink`; returns how many traces could
/// not be read.
///
/// If there are several traces, those that cannot be read are reported to `unreadable`, and the
/// others are read.
///
/// # Errors
/// [`Stop::Failed`] when the only trace, or every one, cannot be read, or `watch` asks to stop;
/// [`Stop::Written`] when the sink fails. [`Stop::Enough`] is not an error.
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
