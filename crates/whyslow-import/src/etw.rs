//! The frontend for Windows traces: records in, neutral events out.
//!
//! ```text
//! Reader ─Record→ dispatch ─→ a tracker per family of events ─→ Emitter: Queue ─→ Importer
//! ```
//!
//! [`dispatch`] is the table of what is read: each row names events and the tracker that takes
//! them. A tracker has state of its own and pushes neutral events to the [`emitter`], which queues
//! them until their stacks have arrived. An event of the kernel is identified by its group and
//! opcode; the same payloads come as classic events from reloggers. Several files of one session on
//! one machine share a clock and are merged by time.

mod clr;
mod counts;
mod datagrams;
mod dispatch;
mod dns;
mod emitter;
mod facts;
mod file_names;
mod files;
mod handles;
mod image_files;
mod images;
mod kernel_process;
mod late_stacks;
mod machine_facts;
mod memory;
mod notes;
mod packed_switches;
mod prescan;
mod processes_and_threads;
mod queue;
mod registry;
mod samples;
mod stacks;
mod switches;
mod tcp;
mod zone;

use std::ops::ControlFlow;

use whyslow_etl::{Identity, LogMode, Reader, Record, Source, kernel};
use whyslow_model::{ProblemKind, RowSink};
use whyslow_settle::{Settled, TraceFacts};

use crate::error::Error;
use crate::importer::{Importer, Recording};
use crate::options::{ImportOptions, PROGRESS_RECORDS, Progress};
use counts::Counts;
use dispatch::{Dispatch, Trackers};
use emitter::Emitter;
use whyslow_etl::kernel::KernelRecord;
pub use {prescan::check_together, zone::utc_offset_s};

/// Imports Windows traces that belong together (usually just one): pushes their rows into `sink`,
/// and returns what settles them.
///
/// `progress` is called every few thousand records and may ask to stop.
///
/// # Errors
/// When a trace cannot be read, the sink cannot take a row, or `progress` asked to stop. Damage in
/// a file is not an error; it is listed among the problems.
pub fn import_etl<S: Source>(
    sources: &[S],
    options: ImportOptions,
    sink: &mut dyn RowSink,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Settled, Error> {
    let readers = sources.iter().map(Reader::new);
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    readers.sort_by_key(|reader| reader.clock().start());
    check_together(&readers)?;
    readers.iter_mut().for_each(Reader::decompress_ahead);
    let found = prescan::prescan(sources)?;
    let mut recording = found.recording;
    recording.has_all_wake_ups = readers.iter().all(is_whole);
    let first = readers.first().ok_or(Error::NoEvents)?;
    let mut importer = Importer::new(recording, options.limits, sink);
    if !readers.iter().any(Reader::is_wrapped) {
        importer.begin(0);
    }
    let mut import = Import {
        dispatch: Dispatch::new(),
        trackers: Trackers::new(&options.limits, &found),
        counts: Counts::new(),
        recording,
        out: Emitter::new(first.clock(), importer, options.limits.stack_handles / 16),
    };
    let sizes: u64 = sources.iter().map(Source::size).sum();
    let mut records = 0;
    loop {
        if records % PROGRESS_RECORDS == 0 {
            let share = readers.iter().map(Reader::progress).sum::<f64>() / readers.len() as f64;
            // A share of a file's size, far below 2⁵³.
            let bytes = (sizes as f64 * share) as u64;
            if progress(Progress { bytes, records }).is_break() {
                return Err(Error::Cancelled);
            }
        }
        let Some(reader) = earliest(&mut readers)? else {
            break;
        };
        import
            .out
            .set_has_cpus(!reader.session().mode.has(LogMode::ONE_STREAM));
        let Some(record) = reader.next_record()? else {
            break;
        };
        records += 1;
        import.record(&record);
        import.out.hand_on()?;
    }
    import.finish(&readers, options.facts)
}

/// Returns whether a trace has all its events, as far as the session says.
fn is_whole<S: Source>(reader: &Reader<S>) -> bool {
    let session = reader.session();
    !reader.is_wrapped() && session.events_lost == 0 && session.buffers_lost == 0
}

/// Returns the reader that has the next event.
fn earliest<S: Source>(readers: &mut [Reader<S>]) -> Result<Option<&mut Reader<S>>, Error> {
    if let [_] = readers {
        return Ok(readers.first_mut());
    }
    let mut best = None;
    for (number, reader) in readers.iter_mut().enumerate() {
        let time = reader.next_time()?;
        if let Some(time) = time.filter(|&time| best.is_none_or(|(least, _)| time < least)) {
            best = Some((time, number));
        }
    }
    Ok(best.and_then(|(_, number)| readers.get_mut(number)))
}

/// The state of one import.
struct Import<'s> {
    dispatch: Dispatch,
    trackers: Trackers,
    counts: Counts,
    recording: Recording,
    out: Emitter<'s>,
}

impl Import<'_> {
    fn record(&mut self, record: &Record<'_>) {
        let (to, out) = (&mut self.trackers, &mut self.out);
        to.packed_switches.catch_up(record.raw_time, out);
        out.tick(record.raw_time);
        if let Some(of) = KernelRecord::new(record) {
            self.counts.kernel(record, of.hook);
            return self.dispatch.kernel(&of, to, out);
        }
        let identity = record.identity();
        self.counts.other(record, &identity);
        if let Some(hook) = kernel::merged::merge_hook(record) {
            dispatch::merged(hook, record, to, out);
        } else if let Identity::Event(of) = identity {
            self.dispatch.provider(&of, record, to, out);
        }
    }

    fn finish<S: Source>(
        mut self,
        readers: &[Reader<S>],
        facts: TraceFacts,
    ) -> Result<Settled, Error> {
        let (to, out) = (&mut self.trackers, &mut self.out);
        to.packed_switches.finish(out);
        to.processes.finish(out);
        to.connections.finish(out);
        to.dns.finish(out);
        to.notes.finish(out);
        let newest = out.drain()?;
        to.clr.finish(out)?;
        to.images.finish(out)?;
        let session = readers.first().ok_or(Error::NoEvents)?.session();
        let newest_ns = newest.map(|newest| out.ns(newest));
        let mut importer = self.out.into_importer();
        // Some providers do not report this name.
        importer.suggest_process_name(processes_and_threads::SYSTEM_PID, "System");
        let folders = &mut self.trackers.machine.folders;
        for (path, command_line) in importer.commands() {
            folders.learn(path, command_line);
        }
        let folders = &*folders;
        for (pid, services) in &self.trackers.machine.services {
            importer.set_services(*pid, &services.join(", "));
        }
        importer.rename_paths(&mut |path| folders.program_path(path));
        if let Some(ns) = newest_ns {
            importer.extend(ns);
        }
        let mut lost_buffers = 0;
        for reader in readers {
            facts::problems(reader.faults(), importer.problems());
            let session = reader.session();
            let events = u64::from(session.events_lost);
            importer.lost_unseen(events, || {
                format!("{events} events; the session does not say when")
            });
            lost_buffers += facts::lost_buffers(session, reader.faults(), importer.problems());
        }
        let late = self.trackers.stacks.late();
        let problems = importer.problems();
        problems.add_many(ProblemKind::LateEvents, late, None, None, || {
            format!("{late} stacks that came too long after their event are left out")
        });
        let seen = (&self.trackers, &self.dispatch, &self.counts, self.recording);
        let facts = facts::complete(facts, session, lost_buffers, seen);
        Ok(importer.finish(facts)?)
    }
}
