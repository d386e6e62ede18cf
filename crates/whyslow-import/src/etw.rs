//! The frontend for Windows traces: records in, neutral events out.
//!
//! ```text
//! Reader ─Record→ Frontend ─┬─ sample, switch, wake-up ─→ Queue ─→ Importer
//!                           ├─ stack ─────────────────→ into the event in the queue
//!                           ├─ process, thread, image ─→ Queue
//!                           └─ everything else ────────→ counted
//! ```
//!
//! An event of the kernel is told by its group and opcode; the same payloads come as classic events
//! from reloggers. Several files of one session on one machine have the same clock and are merged by
//! time.

mod batches;
mod clr;
mod counts;
mod facts;
mod images;
mod kernel_process;
mod lives;
mod queue;
mod sched;
mod stacks;
mod survey;
mod zone;

use std::collections::HashMap;
use std::ops::ControlFlow;

use whyslow_etl::{
    Clock, Guid, Identity, LogMode, PointerSize, Reader, Record, Source, Value, kernel,
};
use whyslow_model::{ProblemKind, RowSink};

use crate::error::Error;
use crate::event::{Event, EventKind, ProcessFacts};
use crate::importer::{Importer, Recording};
use crate::options::{ImportOptions, PROGRESS_RECORDS, Progress};
use crate::settle::{Settled, TraceFacts};
use batches::Batches;
use clr::Clr;
use counts::Counts;
use facts::Machine;
use images::Images;
use kernel_process::{KERNEL_PROCESS, OwnEvents};
use queue::Queue;
use stacks::{Halves, Keys, Tally};
pub use zone::utc_offset_s;

/// Time between two samples where the trace does not say: what Windows does unless told otherwise.
const DEFAULT_INTERVAL_NS: i64 = 1_000_000;

/// Class of what merges tell of images.
const IMAGE_ID: Guid = Guid::new(
    0xb3e6_75d7,
    0x2554,
    0x4f18,
    [0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde],
);
/// Class of what merges tell of the machine.
const SYSTEM_CONFIG: Guid = Guid::new(
    0x9b79_ee91,
    0xb5fd,
    0x41c0,
    [0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0],
);

/// Imports Windows traces that belong together, most often one: pushes their rows into `sink`, and
/// returns what settles them.
///
/// `progress` is called every few thousand records and may ask to stop.
///
/// # Errors
/// When a trace cannot be read, the sink cannot take a row, or `progress` asked to stop. Damage in
/// a file is no error; it is among the problems.
pub fn import_etl<S: Source>(
    sources: &[S],
    options: ImportOptions,
    sink: &mut dyn RowSink,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Settled, Error> {
    let readers = sources.iter().map(Reader::new);
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    readers.sort_by_key(|reader| reader.clock().start());
    survey::check_together(&readers)?;
    readers.iter_mut().for_each(Reader::decompress_ahead);
    let (recording, own_events) = survey::look(sources)?;
    let first = readers.first().ok_or(Error::NoEvents)?;
    let clock = first.clock();
    let most_images = usize::try_from(options.limits.mappings).unwrap_or(usize::MAX);
    let mut frontend = Frontend {
        clock,
        has_cpus: !first.session().mode.has(LogMode::ONE_STREAM),
        queue: Queue::new(clock.frequency()),
        halves: Halves::default(),
        keys: Keys::new(options.limits.stack_handles),
        stacks: Tally::default(),
        batches: Batches::default(),
        images: Images::default(),
        clr: Clr::new(most_images / 2, options.limits.text_bytes / 2),
        most_images: most_images / 2,
        machine: Machine::default(),
        counts: Counts::new(),
        seen: Seen::default(),
        processes: HashMap::new(),
        interval_ns: DEFAULT_INTERVAL_NS,
        is_interval_told: false,
        recording,
        own_events,
        importer: Importer::new(recording, options.limits, sink),
    };
    if !readers.iter().any(Reader::is_wrapped) {
        frontend.importer.begin(0);
    }
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
        let Some(record) = reader.next_record()? else {
            break;
        };
        records += 1;
        frontend.record(&record);
        while let Some(event) = frontend.queue.due() {
            frontend.importer.event(&event)?;
        }
    }
    frontend.finish(&readers, options.facts)
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
struct Frontend<'s> {
    clock: Clock,
    /// Records say on which CPU they were written.
    has_cpus: bool,
    queue: Queue,
    halves: Halves,
    keys: Keys,
    stacks: Tally,
    batches: Batches,
    images: Images,
    clr: Clr,
    /// Images that are kept at most.
    most_images: usize,
    machine: Machine,
    counts: Counts,
    seen: Seen,
    /// Processes that were told of, and whether their executable's path was.
    processes: HashMap<u32, bool>,
    /// CPU time that a sample stands for.
    interval_ns: i64,
    is_interval_told: bool,
    recording: Recording,
    own_events: OwnEvents,
    importer: Importer<'s>,
}

/// What the trace holds.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    samples: u64,
    command_lines: bool,
    /// Processes that the manifest provider told of.
    told_processes: bool,
    runtime_events: u64,
}

impl Frontend<'_> {
    fn record(&mut self, record: &Record<'_>) {
        self.catch_up(record.raw_time);
        self.queue.tick(record.raw_time);
        if let Some(hook) = kernel::hook(record) {
            self.counts.kernel(record, hook.0, hook.1);
            return self.kernel(record, hook);
        }
        let identity = record.identity();
        self.counts.other(record, &identity);
        match identity {
            Identity::Classic { class, opcode, .. } if class == IMAGE_ID => {
                self.image_id(record, opcode);
            }
            Identity::Classic { class, opcode, .. } if class == SYSTEM_CONFIG => {
                self.machine(record, opcode);
            }
            Identity::Event(of) if of.provider == KERNEL_PROCESS => {
                self.kernel_process(record, &of);
            }
            Identity::Event(of) => self.provider_event(record, &of),
            _ => {}
        }
    }

    fn kernel(&mut self, record: &Record<'_>, hook: (u8, u8, u16)) {
        let (_, opcode, version) = hook;
        match (hook.0, opcode) {
            (0x0f, 46 | 55) => self.sample(record, opcode),
            (0x0f, 72..=74) => self.interval(record),
            (0x05, 36) => self.switch(record),
            (0x05, 37) => self.switches(record),
            (0x05, 50) => self.ready(record),
            (0x18, 32 | 37 | 38) => self.stack(record, opcode),
            (0x18, 35 | 36) => self.stack_definition(record),
            (0x03, 1..=4) => self.process(record, hook),
            (0x05, 1..=4) => self.thread(record, opcode, version),
            (0x05, 72) => self.thread_name(record, hook),
            (0x14, 2..=4 | 10) => self.image(record, hook),
            (0x0b, 10) => self.processors(record),
            (0x00, 66) => self.build_lab(record),
            _ => {}
        }
    }

    fn ns(&self, raw_time: i64) -> i64 {
        self.clock.ns(raw_time)
    }

    fn cpu(&self, record: &Record<'_>) -> Option<u32> {
        self.has_cpus.then_some(u32::from(record.cpu))
    }

    /// Queues an event of a record's time and CPU.
    fn push(&mut self, record: &Record<'_>, kind: EventKind) {
        let event = Event {
            time_ns: Some(self.ns(record.raw_time)),
            cpu: self.cpu(record),
            kind,
        };
        self.queue.push(record.raw_time, event);
    }

    /// Queues what was so at another time.
    fn push_at(&mut self, ns: i64, kind: EventKind) {
        let event = Event {
            time_ns: Some(ns),
            cpu: None,
            kind,
        };
        self.queue.push(i64::MIN, event);
    }

    /// Queues what has been so since before the trace.
    fn push_untimed(&mut self, kind: EventKind) {
        let event = Event {
            time_ns: None,
            cpu: None,
            kind,
        };
        self.queue.push(i64::MIN, event);
    }

    /// Takes note of a process; returns whether the path of its executable is still unknown.
    fn known_process(&mut self, pid: u32, is_new: bool) -> bool {
        if is_new {
            self.processes.insert(pid, false);
            return true;
        }
        if let Some(&has_path) = self.processes.get(&pid) {
            return !has_path;
        }
        if self.processes.len() >= self.most_images {
            return false;
        }
        self.processes.insert(pid, false);
        let facts = ProcessFacts {
            pid,
            ..ProcessFacts::default()
        };
        self.push_untimed(EventKind::Process(facts));
        true
    }

    fn path_told(&mut self, pid: u32) {
        self.processes.insert(pid, true);
    }

    fn bad(&mut self, record: &Record<'_>, what: &str) {
        let bytes = record.payload().len();
        let problems = self.importer.problems();
        problems.add(ProblemKind::BadRecord, Some(record.offset), || {
            format!("{what} of {bytes} bytes, which is too short")
        });
    }

    fn refuse(&mut self, what: &str) {
        let problems = self.importer.problems();
        problems.add(ProblemKind::LimitReached, None, || what.to_owned());
    }

    fn finish<S: Source>(
        mut self,
        readers: &[Reader<S>],
        facts: TraceFacts,
    ) -> Result<Settled, Error> {
        self.finish_batches();
        let newest = self.queue.newest();
        while let Some(event) = self.queue.pop() {
            self.importer.event(&event)?;
        }
        self.finish_methods()?;
        self.finish_images()?;
        let session = readers.first().ok_or(Error::NoEvents)?.session();
        if let Some(newest) = newest {
            self.importer.extend(self.clock.ns(newest));
        }
        let mut lost_buffers = 0;
        for reader in readers {
            facts::problems(reader.faults(), self.importer.problems());
            let session = reader.session();
            let events = u64::from(session.events_lost);
            self.importer.lost_unseen(events, || {
                format!("{events} events; the session does not say when")
            });
            let problems = self.importer.problems();
            lost_buffers += facts::lost_buffers(session, reader.faults(), problems);
        }
        let facts = self.facts(session, lost_buffers, facts);
        Ok(self.importer.finish(facts)?)
    }
}

/// Returns the size of the pointers in an event of the kernel: the one its header states, unless only
/// the other leaves nothing of the payload over. Programs that imitate the kernel get it wrong.
fn pointer_of(record: &Record<'_>, (group, opcode, version): (u8, u8, u16)) -> PointerSize {
    let stated = record.pointer_size();
    let fits = |size| {
        let event = kernel::event(group, opcode, version)?;
        let mut fields = event.fields(record.payload(), size);
        fields.by_ref().for_each(drop);
        Some(fields.rest().is_empty())
    };
    let other = match stated {
        PointerSize::Four => PointerSize::Eight,
        PointerSize::Eight => PointerSize::Four,
    };
    if fits(stated) == Some(false) && fits(other) == Some(true) {
        other
    } else {
        stated
    }
}

/// Returns the fields of an event of the kernel or of a merge.
fn fields<'a>(record: &Record<'a>) -> Vec<(&'static str, Value<'a>)> {
    let event = kernel::describe(record);
    let fields = event.map(|event| event.fields(record.payload(), record.pointer_size()));
    fields.into_iter().flatten().collect()
}

fn number(fields: &[(&str, Value<'_>)], name: &str) -> Option<u64> {
    let mut all = fields.iter();
    all.find(|(of, _)| *of == name)?.1.as_u64()
}

fn text(fields: &[(&str, Value<'_>)], name: &str) -> Option<String> {
    let mut all = fields.iter();
    Some(all.find(|(of, _)| *of == name)?.1.to_string())
}
