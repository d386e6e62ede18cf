//! Walks perf.data files: samples, tracepoints and other records.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use whyslow_model::Watch;
use whyslow_perfdata::whyslow_events::FEATURE_INFO;
use whyslow_perfdata::{
    Dynamic, Endian, Event, Features, Field as Column, Mmap, Reader, Record, RecordBody, Sample,
    Task, TraceFormat,
};
use whyslow_query::{Clock, FileInfo, Note};
use whyslow_source::Part;

use crate::field::{Field, Text, Value};
use crate::filter::Filter;
use crate::remarks::{check, damage, stop_early, unselected};
use crate::seen::{FieldsOf, Seen, Sink, Stop, What};

/// Records between two progress reports; new declarations of events are also read at this interval.
const STRIDE: u64 = 1 << 12;

/// Maximum number of thread names kept.
const MOST_NAMES: usize = 1 << 20;

/// Passes on the events of a perf.data file that match.
pub(crate) fn walk(
    part: &Part,
    watch: &Arc<dyn Watch>,
    filter: &mut Filter,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let path = &part.path;
    let failed = |error: Box<whyslow_perfdata::Error>| Stop::Failed(part.unreadable_perf(&error));
    let mut reader = part.open_perf(&**watch).map_err(Stop::Failed)?;
    let mut walk = Walk::new(&part.name, &reader);
    if walk.start_ns.is_none() && path.is_file() {
        // Records that the perf tool synthesizes come before the first one with a time.
        walk.start_ns = first_time(path).map_err(failed)?;
    }
    walk.begin(part, filter, sink)?;
    let mut count = 0_u64;
    loop {
        if count.is_multiple_of(STRIDE) {
            let what = format_args!("{}: reading", part.shown);
            watch.progress(&what, reader.position(), reader.data_end());
            check(&**watch, part).map_err(Stop::Failed)?;
            walk.learn(&reader);
        }
        count += 1;
        let record = reader.next_record();
        if record.is_err() {
            // An interrupted read of a pipe is not a read error.
            check(&**watch, part).map_err(Stop::Failed)?;
        }
        let Some(record) = record.map_err(failed)? else {
            break;
        };
        let shown = walk.show(&record, filter, sink);
        shown.map_err(|stop| stop_early(stop, sink, || notes(&reader, &walk.file)))?;
    }
    sink.end(notes(&reader, &walk.file))
}

/// Returns what a file lacks.
fn notes(reader: &Reader, file: &FileInfo) -> Vec<Note> {
    let faults = reader.faults().iter().map(|fault| {
        let place = (fault.count, fault.first_offset);
        damage(file, &fault.kind.to_string(), place, &fault.detail)
    });
    faults.collect()
}

/// Returns the time of the first record that has one.
fn first_time(path: &Path) -> Result<Option<i64>, Box<whyslow_perfdata::Error>> {
    let mut reader = Reader::open(path)?;
    while let Some(record) = reader.next_record()? {
        if let Some(ns) = record.time_ns.filter(|ns| *ns > 0) {
            return Ok(i64::try_from(ns).ok());
        }
    }
    Ok(None)
}

/// State of a walk over a file.
struct Walk {
    file: FileInfo,
    endian: Endian,
    /// The zero of times, by the file's clock.
    start_ns: Option<i64>,
    unix_offset_ns: Option<i64>,
    time_ns: i64,
    /// By event of the file.
    decoders: Vec<SampleDecoder>,
    /// Kinds of records other than samples, by type.
    records: Vec<What>,
    names: HashMap<i64, Arc<str>>,
}

/// How samples of an event are decoded.
struct SampleDecoder {
    what: What,
    format: Option<TraceFormat>,
}

impl Walk {
    fn new(name: &str, reader: &Reader) -> Self {
        let info = reader.features().raw(FEATURE_INFO).unwrap_or_default();
        let info = String::from_utf8_lossy(info);
        let fact = |key: &str| {
            let mut lines = info.lines().filter_map(|line| line.split_once(' '));
            let (_, value) = lines.find(|(of, _)| *of == key)?;
            value.parse::<i64>().ok()
        };
        let whole = |number: u64| i64::try_from(number).unwrap_or(0);
        let clock = reader.features().clock_data.as_ref();
        let mut names = HashMap::new();
        names.insert(0, Arc::from("swapper"));
        Self {
            file: FileInfo {
                name: name.into(),
                clock: Clock {
                    utc_offset_s: fact("utc_offset_s").and_then(|s| i32::try_from(s).ok()),
                    ..Clock::default()
                },
            },
            endian: reader.endian(),
            start_ns: fact("start_ns"),
            unix_offset_ns: clock.map(|c| whole(c.wall_ns).saturating_sub(whole(c.clock_ns))),
            time_ns: 0,
            decoders: Vec::new(),
            records: (0..=MOST_TYPE).map(record_kind).collect(),
            names,
        }
    }

    /// Learns events and formats declared since the last call.
    fn learn(&mut self, reader: &Reader) {
        let (events, features) = (reader.events(), reader.features());
        let has_formats = self.decoders.iter().all(|decoder| decoder.format.is_some());
        if self.decoders.len() == events.len() && (has_formats || features.formats.is_empty()) {
            return;
        }
        let decoders = events
            .iter()
            .map(|event| SampleDecoder::new(event, features));
        self.decoders = decoders.collect();
    }

    /// Starts: zero is the recorder's start time, or else the time of the first record.
    fn begin(&mut self, part: &Part, filter: &mut Filter, sink: &mut dyn Sink) -> Result<(), Stop> {
        let clock = &mut self.file.clock;
        let offset = self.unix_offset_ns.zip(self.start_ns);
        clock.start_unix_ns = offset.map(|(by, start)| start.saturating_add(by));
        let begun = filter.begin(&self.file.name, &self.file.clock);
        begun.map_err(|error| unselected(part, &error))?;
        sink.begin(&self.file, false)
    }

    fn show(
        &mut self,
        record: &Record<'_>,
        filter: &mut Filter,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        self.name_threads(record);
        // Records that the recorder synthesized about the time before have no time.
        let time = record.time_ns.and_then(|ns| i64::try_from(ns).ok());
        if let Some(ns) = time.filter(|ns| *ns > 0) {
            self.time_ns = ns.saturating_sub(*self.start_ns.get_or_insert(ns));
        }
        let (pid, tid) = owner(record);
        let index = record.event.map(whyslow_perfdata::EventIndex::get);
        let (kind, what, format) = match (&record.body, index) {
            (RecordBody::Sample(_), Some(at)) => match self.decoders.get(at) {
                Some(decoder) => (
                    self.records.len() + at,
                    &decoder.what,
                    decoder.format.as_ref(),
                ),
                None => return Ok(()),
            },
            _ => {
                let at = usize::try_from(record.ty.min(MOST_TYPE)).unwrap_or(0);
                match self.records.get(at) {
                    Some(what) => (at, what, None),
                    None => return Ok(()),
                }
            }
        };
        let endian = self.endian;
        let fields = || -> FieldsOf<'_> { fields_of(record, format, endian) };
        let named = |id: Option<i64>| id.and_then(|id| self.names.get(&id));
        let seen = Seen {
            kind,
            what,
            time_ns: self.time_ns,
            raw_time: self.time_ns,
            cpu: record.cpu,
            pid,
            process: named(pid),
            tid,
            thread: named(tid).map_or("", |name| name),
            bytes: record.size.into(),
            payload_bytes: u64::from(record.size).saturating_sub(8),
            has_stack: match &record.body {
                RecordBody::Sample(sample) => !sample.callchain.is_empty(),
                _ => false,
            },
            fields: &fields,
        };
        if filter.matches(&seen) {
            sink.event(&seen)?;
        }
        Ok(())
    }

    /// Keeps the names of threads.
    fn name_threads(&mut self, record: &Record<'_>) {
        match record.body {
            RecordBody::Comm { pid, tid, name, .. } => {
                let name: Arc<str> = String::from_utf8_lossy(name).into();
                if self.names.len() < MOST_NAMES {
                    self.names.insert(tid.into(), Arc::clone(&name));
                    self.names.entry(pid.into()).or_insert(name);
                }
            }
            RecordBody::Fork(task) => {
                let parent = self.names.get(&task.parent_tid.into()).cloned();
                let parent = parent.filter(|_| self.names.len() < MOST_NAMES);
                if let Some(name) = parent {
                    self.names.insert(task.tid.into(), name);
                }
            }
            _ => {}
        }
    }
}

/// Returns process and thread of a record: those that it describes, else those it was written in.
fn owner(record: &Record<'_>) -> (Option<i64>, Option<i64>) {
    let of = match &record.body {
        RecordBody::Sample(sample) => (sample.pid(), sample.tid()),
        RecordBody::Mmap(mmap) => (Some(mmap.pid), Some(mmap.tid)),
        RecordBody::Comm { pid, tid, .. } => (Some(*pid), Some(*tid)),
        RecordBody::Fork(task) | RecordBody::Exit(task) => (Some(task.pid), Some(task.tid)),
        _ => (record.pid, record.tid),
    };
    let id = |id: Option<i32>| id.filter(|id| *id >= 0).map(i64::from);
    (id(of.0), id(of.1))
}

impl SampleDecoder {
    fn new(event: &Event, features: &Features) -> Self {
        let format = features.format(event.attr.config);
        let format = format.filter(|_| event.attr.is_tracepoint()).cloned();
        let (provider, name) = match &format {
            Some(format) => (format.system.clone(), format.name.clone()),
            None => {
                let attr = &event.attr;
                let unnamed = || format!("type {} config {:#x}", attr.kind, attr.config);
                let name = event.name.clone().unwrap_or_else(unnamed);
                match name.split_once(':') {
                    // `cycles:u` is an event with a modifier, not an event of a system `cycles`.
                    Some((system, rest)) if rest.len() > 3 => (system.to_owned(), rest.to_owned()),
                    _ => ("perf".to_owned(), name),
                }
            }
        };
        let is_raw = format.is_none() && !matches!(event.attr.kind, 0 | 1 | 3 | 4);
        let decoded = match (&format, is_raw) {
            (Some(_), _) => "trace",
            (None, true) => "raw",
            (None, false) => "record",
        };
        Self {
            what: what(&provider, &name, "", decoded),
            format,
        }
    }
}

fn what(provider: &str, event: &str, id: &str, decoded: &'static str) -> What {
    What {
        provider: provider.into(),
        provider_id: "".into(),
        event: event.into(),
        id: id.into(),
        decoded,
        takes_stacks: false,
    }
}

/// The last type of record that has a name of its own.
const MOST_TYPE: u32 = 100;

/// Names of record types, as in perf.
const RECORDS: &[(u32, &str)] = &[
    (1, "mmap"),
    (2, "lost"),
    (3, "comm"),
    (4, "exit"),
    (5, "throttle"),
    (6, "unthrottle"),
    (7, "fork"),
    (8, "read"),
    (9, "sample"),
    (10, "mmap2"),
    (11, "aux"),
    (12, "itrace_start"),
    (13, "lost_samples"),
    (14, "switch"),
    (15, "switch_cpu_wide"),
    (16, "namespaces"),
    (17, "ksymbol"),
    (18, "bpf_event"),
    (19, "cgroup"),
    (20, "text_poke"),
    (21, "aux_output_hw_id"),
    (22, "callchain_deferred"),
    (64, "header_attr"),
    (65, "event_type"),
    (66, "tracing_data"),
    (67, "build_id"),
    (68, "finished_round"),
    (69, "id_index"),
    (70, "auxtrace_info"),
    (71, "auxtrace"),
    (72, "auxtrace_error"),
    (73, "thread_map"),
    (74, "cpu_map"),
    (75, "stat_config"),
    (76, "stat"),
    (77, "stat_round"),
    (78, "event_update"),
    (79, "time_conv"),
    (80, "feature"),
    (82, "finished_init"),
];

fn record_kind(ty: u32) -> What {
    let known = RECORDS.iter().find(|(of, _)| *of == ty);
    let is_decoded = matches!(ty, 1..=8 | 10 | 11 | 13..=19 | 22 | 68 | 82);
    let decoded = if is_decoded { "record" } else { "raw" };
    match known {
        Some((_, name)) => what("record", name, &ty.to_string(), decoded),
        None if ty == MOST_TYPE => what("record", "unknown", "", "raw"),
        None => what("record", &format!("type {ty}"), &ty.to_string(), "raw"),
    }
}

fn fields_of<'a>(
    record: &'a Record<'a>,
    format: Option<&'a TraceFormat>,
    endian: Endian,
) -> FieldsOf<'a> {
    let signed = |name, value: i32| Field::plain(name, Value::Signed(value.into()));
    let text = |name, bytes| Field::plain(name, Value::Text(Text::narrow(bytes)));
    let fields = match &record.body {
        RecordBody::Sample(sample) => match format {
            Some(format) => {
                let fields = format.fields.iter();
                let own = fields.filter(|field| !field.name.starts_with("common_"));
                return Box::new(own.filter_map(move |field| {
                    let value = value_of(field, sample.raw, endian)?;
                    Some(Field::plain(&field.name, value))
                }));
            }
            None => of_sample(sample),
        },
        RecordBody::Mmap(mmap) => of_mmap(mmap),
        RecordBody::Comm { exec, name, .. } => {
            vec![text("comm", name), Field::plain("exec", Value::Bool(*exec))]
        }
        RecordBody::Fork(task) | RecordBody::Exit(task) => of_task(task),
        RecordBody::Lost { count, .. } | RecordBody::LostSamples { count } => {
            vec![Field::plain("lost", Value::Unsigned(*count))]
        }
        RecordBody::Switch { out, other } => {
            let mut fields = vec![Field::plain("out", Value::Bool(*out))];
            if let Some((pid, tid)) = other {
                let (of, thread) = match out {
                    true => ("next_pid", "next_tid"),
                    false => ("prev_pid", "prev_tid"),
                };
                fields.extend([signed(of, *pid), signed(thread, *tid)]);
            }
            if record.is_preemption() {
                fields.push(Field::plain("preempted", Value::Bool(true)));
            }
            fields
        }
        RecordBody::Ksymbol {
            address,
            length,
            removed,
            name,
        } => vec![
            Field::plain("addr", Value::Hex(*address)),
            Field::plain("len", Value::Unsigned((*length).into())),
            Field::plain("removed", Value::Bool(*removed)),
            text("name", name),
        ],
        RecordBody::BpfEvent { kind, id, tag } => vec![
            Field::plain("kind", Value::Unsigned((*kind).into())),
            Field::plain("id", Value::Unsigned((*id).into())),
            Field::plain("tag", Value::Bytes(tag)),
        ],
        RecordBody::Cgroup { id, path } => {
            vec![Field::plain("id", Value::Unsigned(*id)), text("path", path)]
        }
        RecordBody::FinishedRound | RecordBody::FinishedInit => Vec::new(),
        _ => vec![Field::plain("Payload", Value::Bytes(record.content))],
    };
    Box::new(fields.into_iter())
}

fn of_sample<'a>(sample: &Sample<'a>) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let mut add = |name, value: Option<Value<'a>>| {
        fields.extend(value.map(|value| Field::plain(name, value)));
    };
    add("ip", sample.ip().map(Value::Hex));
    let address = sample.address().filter(|address| *address != 0);
    add("addr", address.map(Value::Hex));
    add("period", sample.period().map(Value::Unsigned));
    let frames = u64::try_from(sample.callchain.len()).unwrap_or(0);
    add(
        "frames",
        sample.has_callchain().then_some(Value::Unsigned(frames)),
    );
    let raw = (!sample.raw.is_empty()).then_some(Value::Bytes(sample.raw));
    add("Payload", raw);
    fields
}

fn of_mmap<'a>(mmap: &Mmap<'a>) -> Vec<Field<'a>> {
    let mut fields = vec![
        Field::plain("addr", Value::Hex(mmap.address)),
        Field::plain("len", Value::Hex(mmap.length)),
        Field::plain("pgoff", Value::Hex(mmap.file_offset)),
        Field::plain("exec", Value::Bool(mmap.executable)),
        Field::plain("filename", Value::Text(Text::narrow(mmap.path))),
    ];
    if !mmap.build_id.is_empty() {
        fields.push(Field::plain("build_id", Value::Bytes(mmap.build_id)));
    }
    fields
}

fn of_task(task: &Task) -> Vec<Field<'static>> {
    let signed = |name, value: i32| Field::plain(name, Value::Signed(value.into()));
    vec![
        signed("pid", task.pid),
        signed("tid", task.tid),
        signed("ppid", task.parent_pid),
        signed("ptid", task.parent_tid),
    ]
}

/// Reads a field of a tracepoint's payload.
fn value_of<'a>(field: &Column, payload: &'a [u8], endian: Endian) -> Option<Value<'a>> {
    if field.text {
        let text = field.read_text(payload, endian)?;
        return Some(Value::Text(Text::narrow(text)));
    }
    if field.array || field.dynamic != Dynamic::No {
        return Some(Value::Bytes(field.read_bytes(payload, endian)?));
    }
    match field.read_i64(payload, endian) {
        Some(value) if field.pointer => Some(Value::Hex(value.cast_unsigned())),
        Some(value) if field.signed => Some(Value::Signed(value)),
        Some(value) => Some(Value::Unsigned(value.cast_unsigned())),
        // It is as wide as a structure.
        None => Some(Value::Bytes(field.read_bytes(payload, endian)?)),
    }
}
