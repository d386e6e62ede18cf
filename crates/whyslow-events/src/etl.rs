//! Walks Windows traces: once to learn descriptions of their events and their processes, then to
//! show the events.

use std::fs::File;
use std::sync::Arc;

use whyslow_etl::decode::{About, Decoder, DescribedBy, Owners};
use whyslow_etl::{FileSource, Reader, Record};
use whyslow_model::Watch;
use whyslow_query::{Clock, FileInfo, Note};
use whyslow_source::{Error, ErrorKind, Part, RecordingKind, kind};

use crate::field::Field;
use crate::filter::Filter;
use crate::remarks::{check, damage, stop_early, unselected, warning};
use crate::seen::{FieldsOf, Seen, Sink, Stop, What};
use crate::stacks::{Stacks, is_stack};

/// Events between two progress reports.
const STRIDE: u64 = 1 << 12;

/// The Windows traces of a command.
pub(crate) struct EtlTraces {
    /// By the number of the trace; `None` for those that are not Windows traces.
    opened: Vec<Option<Result<Trace, Error>>>,
    machines: Vec<Uptime>,
}

/// What is known about one run of a machine, from its start to its end: a session often
/// writes several files, and one of them explains the others.
struct Uptime {
    boot: i64,
    decoder: Decoder,
    owners: Owners,
    stacks: Stacks,
    whats: Vec<What>,
}

/// A trace that has been walked once.
pub(crate) struct Trace {
    part: Part,
    file: FileInfo,
    /// Index of its machine.
    machine: usize,
    /// Whether stacks come separately from their events.
    has_stacks: bool,
}

impl EtlTraces {
    /// Walks all traces for the first time, in order of time: the first of them gives the first
    /// meaning of a process id.
    pub(crate) fn open(traces: &[Part], watch: &dyn Watch) -> Result<Self, Stop> {
        let mut all = Self {
            opened: traces.iter().map(|_| None).collect(),
            machines: Vec::new(),
        };
        let parts = traces.iter().enumerate();
        let etl = parts.filter(|(_, part)| kind(&part.path) == RecordingKind::Etl);
        let mut etl: Vec<_> = etl.collect();
        if etl.len() > 1 {
            let start = |part| open(part).map(|reader| reader.session().start_time.0);
            etl.sort_by_cached_key(|(_, part)| start(part).unwrap_or(i64::MAX));
        }
        for (number, part) in etl {
            let trace = all.learn(part, watch);
            check(watch, part).map_err(Stop::Failed)?;
            if let Some(opened) = all.opened.get_mut(number) {
                *opened = Some(trace);
            }
        }
        Ok(all)
    }

    /// Returns the trace with a number, once; `None` if it is not a Windows trace.
    pub(crate) fn take(&mut self, number: usize) -> Option<Result<Trace, Error>> {
        self.opened.get_mut(number)?.take()
    }

    fn learn(&mut self, part: &Part, watch: &dyn Watch) -> Result<Trace, Error> {
        let mut reader = open(part)?;
        reader.decompress_ahead();
        let session = reader.session();
        let boot = session.boot_time.unwrap_or(session.start_time).0;
        let start_unix_ns = session.start_time.unix_ns();
        let utc_offset_s = whyslow_import::utc_offset_s(session);
        let known = self
            .machines
            .iter()
            .position(|machine| machine.boot == boot);
        let place = known.unwrap_or(self.machines.len());
        if known.is_none() {
            self.machines.push(Uptime {
                boot,
                decoder: Decoder::default(),
                owners: Owners::default(),
                stacks: Stacks::default(),
                whats: Vec::new(),
            });
        }
        let clock = reader.clock();
        let (mut count, mut last, mut has_stacks) = (0_u64, clock.start(), false);
        let mut stacks = Stacks::default();
        loop {
            if count.is_multiple_of(STRIDE) {
                show(watch, part, "looking through", reader.progress());
                check(watch, part)?;
            }
            count += 1;
            let record = reader
                .next_record()
                .map_err(|error| part.unreadable_etl(&error))?;
            let Some(record) = record else { break };
            last = last.max(record.raw_time);
            if let Some(machine) = self.machines.get_mut(place) {
                machine.decoder.learn(&record);
                machine.owners.learn(&record);
            }
            has_stacks = has_stacks || stacks.take(&record).is_some();
        }
        Ok(Trace {
            part: part.clone(),
            file: FileInfo {
                name: part.name.as_str().into(),
                clock: Clock {
                    start_unix_ns: Some(start_unix_ns),
                    utc_offset_s: Some(utc_offset_s),
                    duration_ns: clock.ns(last),
                    zero_ns: 0,
                },
            },
            machine: place,
            has_stacks,
        })
    }

    /// Passes on the events of a trace that match.
    pub(crate) fn walk(
        &mut self,
        trace: &Trace,
        watch: &dyn Watch,
        filter: &mut Filter,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let (part, file) = (&trace.part, &trace.file);
        let Some(machine) = self.machines.get_mut(trace.machine) else {
            return Ok(());
        };
        machine.owners.begin();
        let mut reader = open(part).map_err(Stop::Failed)?;
        reader.decompress_ahead();
        let begun = filter.begin(&file.name, &file.clock);
        begun.map_err(|error| unselected(part, &error))?;
        sink.begin(file, trace.has_stacks)?;
        let clock = reader.clock();
        let mut count = 0_u64;
        loop {
            if count.is_multiple_of(STRIDE) {
                show(watch, part, "reading", reader.progress());
                check(watch, part).map_err(Stop::Failed)?;
            }
            count += 1;
            let record = reader.next_record();
            let record = record.map_err(|error| Stop::Failed(part.unreadable_etl(&error)))?;
            let Some(record) = record else { break };
            let time_ns = clock.ns(record.raw_time);
            if filter.is_over(time_ns) && !record.late {
                break;
            }
            let shown = machine.show(&record, time_ns, filter, sink);
            shown.map_err(|stop| stop_early(stop, sink, || notes(&reader, file)))?;
        }
        sink.end(notes(&reader, file))
    }
}

impl Uptime {
    #[inline]
    fn show(
        &mut self,
        record: &Record<'_>,
        time_ns: i64,
        filter: &mut Filter,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let kind = self.decoder.kind(record);
        let known = self.whats.len();
        let new = self.decoder.all().iter().skip(known);
        self.whats.extend(new.map(what));
        let Some(what) = self.whats.get(kind.index()) else {
            return Ok(());
        };
        let owner = self.owners.of(record);
        let process = owner
            .process
            .and_then(|id| self.owners.name_of(id, record.raw_time));
        let decoder = &self.decoder;
        let fields = || -> FieldsOf<'_> { Box::new(decoder.fields(kind, record).map(Field::from)) };
        let seen = Seen {
            kind: kind.index(),
            what,
            time_ns,
            raw_time: record.raw_time,
            cpu: Some(record.cpu.into()),
            pid: owner.process.map(i64::from),
            process,
            tid: owner.thread.map(i64::from),
            thread: "",
            bytes: whole(record.bytes().len()),
            payload_bytes: whole(record.payload().len()),
            has_stack: record.extended().any(|item| is_stack(&item)),
            fields: &fields,
        };
        if filter.matches(&seen) {
            sink.event(&seen)?;
        }
        if let Some(stack) = self.stacks.take(record) {
            sink.stack(stack);
        }
        Ok(())
    }
}

fn what(about: &About) -> What {
    What {
        provider: Arc::clone(&about.provider),
        provider_id: about.guid.to_string().into(),
        event: Arc::clone(&about.name),
        id: Arc::clone(&about.id),
        decoded: match about.described_by {
            DescribedBy::Kernel => "kernel",
            DescribedBy::Trace => "trace",
            DescribedBy::Table => "table",
            DescribedBy::Itself => "itself",
            _ => "raw",
        },
        // A disk access has its stack where it was started; events that a merge adds have none.
        takes_stacks: !about.name.starts_with("StackWalk/")
            && !about.name.starts_with("ImageID")
            && &*about.name != "ClrStack/Walk"
            && !["DiskIO/Read", "DiskIO/Write", "DiskIO/FlushBuffers"].contains(&&*about.name),
    }
}

fn whole(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Returns what a trace lacks.
fn notes(reader: &Reader<FileSource>, file: &FileInfo) -> Vec<Note> {
    let session = reader.session();
    let mut notes = Vec::new();
    let lost = u64::from(session.events_lost);
    if lost > 0 {
        notes.push(warning(file, format!("the recording lost {lost} events")));
    }
    let lost = u64::from(session.buffers_lost);
    if lost > 0 {
        notes.push(warning(file, format!("the recording lost {lost} buffers")));
    }
    let faults = reader.faults().iter();
    notes.extend(faults.map(|fault| {
        let place = (fault.count, fault.first_offset);
        damage(file, &fault.kind.to_string(), place, &fault.detail)
    }));
    notes
}

fn open(part: &Part) -> Result<Reader<FileSource>, Error> {
    let file = File::open(&part.path).and_then(FileSource::new);
    let action = || format!("read {}", part.shown);
    let failed = |error| Error::io(ErrorKind::Unreadable, action(), &part.path, &error);
    Reader::new(file.map_err(failed)?).map_err(|error| part.unreadable_etl(&error))
}

/// Reports the progress of a walk; `share` of it is done.
fn show(watch: &dyn Watch, part: &Part, what: &str, share: f64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share is within 0 and 1"
    )]
    let done = (share.clamp(0.0, 1.0) * 1e3) as u64;
    watch.progress(&format_args!("{}: {what}", part.shown), done, Some(1000));
}
