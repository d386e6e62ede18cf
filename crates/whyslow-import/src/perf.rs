//! The frontend for `perf.data`: records in, neutral events out.
//!
//! ```text
//! Reader ─Record→ Frontend ─┬─ sample of a planned event ─→ switch, wake-up, CPU sample …
//!                           ├─ side-band record ─────────→ processes, threads, mappings
//!                           └─ everything else ──────────→ counted
//! ```
//!
//! The meaning of each event of the file is determined once, as a [`Plan`]: which tracepoint it is
//! and where its fields are. After that, a record takes an index, a few reads at fixed offsets, and
//! one look-up of its stack.

mod chain;
mod counts;
mod dispatch;
mod dumps;
mod facts;
mod groups;
mod own;
mod plan;
mod samples;
mod scheduler;
mod session;
mod sideband;
mod wait_objects;

use std::ops::ControlFlow;
use std::rc::Rc;

use whyslow_model::{ProblemKind, RowSink};
use whyslow_perfdata::{Reader, Record, RecordBody};
use whyslow_settle::{Settled, TraceFacts};

use crate::error::Error;
use crate::event::{Event, EventKind};
use crate::importer::{Importer, Recording};
use crate::options::{ImportOptions, PROGRESS_RECORDS, Progress};
use chain::Chains;
use counts::Counts;
use dumps::Dumps;
use plan::Plan;
use session::Session;

/// Imports a `perf.data` file: pushes its rows into `sink`, and returns what settles them.
///
/// `progress` is called every few thousand records and may ask to stop.
///
/// # Errors
/// When the file cannot be read, the sink cannot take a row, or `progress` asked to stop. Damage in
/// the file is not an error; it is listed among the problems.
pub fn import_perf(
    reader: Reader,
    options: ImportOptions,
    sink: &mut dyn RowSink,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Settled, Error> {
    let mut reader = reader;
    if reader.events().is_empty() {
        // A stream declares its events in its first records, which say nothing else.
        reader.next_record()?;
    }
    let session = Session::new(reader.events(), reader.features(), reader.endian());
    let recording = session.recording();
    let whole_from_ns = session.info.number("start_ns").unwrap_or(i64::MIN);
    let whole_to_ns = session.info.number("end_ns").unwrap_or(i64::MAX);
    let mut frontend = Frontend {
        whole_from_ns,
        whole_to_ns,
        chains: Chains::new(session.is_own),
        dumps: Dumps::new(session.has_dumps, reader.features()),
        counts: Counts::new(reader.events(), reader.features()),
        session,
        nameless: 0,
        importer: Importer::new(recording, options.limits, sink),
    };
    let features = reader.features();
    if let Some(online) = features.cpus_online
        && features.cpus_available == Some(online)
    {
        frontend.importer.tell_cpus(online);
    }
    if whole_from_ns != i64::MIN {
        frontend.importer.begin(whole_from_ns);
    }
    let mut records = 0;
    loop {
        if records % PROGRESS_RECORDS == 0 {
            let bytes = reader.position();
            if progress(Progress { bytes, records }).is_break() {
                return Err(Error::Cancelled);
            }
            frontend.learn(&reader);
        }
        // A record is large: it is examined where it is returned.
        let next = reader.next_record();
        let Ok(Some(record)) = &next else {
            next?;
            break;
        };
        frontend.record(record)?;
        records += 1;
    }
    frontend.finish(&reader, recording, options.facts)
}

/// The state of one import.
struct Frontend<'s> {
    session: Session,
    /// From this time on all events were enabled, as far as the recorder says. They are enabled one
    /// by one: earlier events show that threads exist, not what they did.
    whole_from_ns: i64,
    /// Until this time. After it, only the recorder's own findings and losses count, as of this
    /// time.
    whole_to_ns: i64,
    chains: Chains,
    dumps: Dumps,
    counts: Counts,
    importer: Importer<'s>,
    /// Number of births without a name at the last check.
    nameless: u64,
}

impl Frontend<'_> {
    /// Learns the events declared since the last call.
    fn learn(&mut self, reader: &Reader) {
        if self.session.plans.len() < reader.events().len() {
            self.session.learn(reader.events(), reader.features());
            self.counts.learn(reader.events(), reader.features());
        }
    }

    fn record(&mut self, record: &Record<'_>) -> Result<(), Error> {
        self.counts.take(record);
        let is_after = time(record).is_some_and(|ns| ns > self.whole_to_ns);
        match &record.body {
            RecordBody::Sample(sample) => {
                let index = record.event.and_then(|index| usize::try_from(index.0).ok());
                let plans = Rc::clone(&self.session.plans);
                match index.and_then(|index| plans.get(index)) {
                    Some(plan @ Plan::Own(own)) if !is_after || own.is_finding() => {
                        self.sample(record, sample, plan)
                    }
                    _ if is_after || self.is_before(record) => Ok(()),
                    Some(Plan::Counted) | None => self.context(record),
                    Some(plan) => self.sample(record, sample, plan),
                }
            }
            RecordBody::Lost { .. } | RecordBody::LostSamples { .. } => self.side_band(record),
            _ if is_after => Ok(()),
            RecordBody::FinishedRound | RecordBody::Unknown | RecordBody::Short => Ok(()),
            _ => self.side_band(record),
        }
    }

    /// Even an event that is only counted shows which thread was on the CPU.
    fn context(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let tid = record.tid.and_then(|tid| u32::try_from(tid).ok());
        if let (Some(tid), Some(_)) = (tid, record.cpu) {
            self.event(record, EventKind::OnCpu { tid })?;
        }
        Ok(())
    }

    fn event(&mut self, record: &Record<'_>, kind: EventKind) -> Result<(), Error> {
        // The CPU a thread used before that time says nothing about where it was at that time.
        let cpu = record.cpu.filter(|_| !self.is_before(record));
        let time_ns = time(record).map(|ns| ns.min(self.whole_to_ns));
        Ok(self.importer.event(&Event { time_ns, cpu, kind })?)
    }

    /// Returns whether a record is older than the time from which everything is recorded.
    fn is_before(&self, record: &Record<'_>) -> bool {
        time(record).is_some_and(|ns| ns < self.whole_from_ns)
    }

    fn finish(
        mut self,
        reader: &Reader,
        recording: Recording,
        facts: TraceFacts,
    ) -> Result<Settled, Error> {
        if !self.importer.has_begun() {
            return Err(Error::NoEvents);
        }
        if let Some(end) = self.session.info.number("end_ns") {
            self.importer.extend(end);
        }
        facts::problems(reader.faults(), &self.session, self.importer.problems());
        let unwalked = self.dumps.unwalked;
        let problems = self.importer.problems();
        problems.add_many(ProblemKind::NoUserHalf, unwalked, None, None, || {
            "stack dumps that can be walked only on the recorded machine".to_owned()
        });
        let ids = reader.features().build_ids.iter();
        self.importer
            .suggest_build_ids(ids.map(|id| (id.path.as_str(), id.id.as_slice())));
        let facts = facts::trace(reader, &self.session, recording, &self.counts, facts);
        Ok(self.importer.finish(facts)?)
    }
}

/// Returns when a record was written, or `None` if it describes the time before the trace.
fn time(record: &Record<'_>) -> Option<i64> {
    let time = record.time_ns.filter(|&time| time != 0)?;
    i64::try_from(time).ok()
}
