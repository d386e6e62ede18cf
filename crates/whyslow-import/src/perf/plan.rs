//! What each event of a file means, and where the fields of its payload lie.

use std::collections::HashMap;

use whyslow_model::WaitReason;
use whyslow_perfdata::abi::sample;
use whyslow_perfdata::{Attr, Endian, Event, Features, Field, TraceFormat};

use super::disks::DiskFields;
use super::own::{Info, Own};
use crate::importer::Recording;

/// What the samples of one event are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    /// CPU samples.
    Cpu(Weight),
    /// `sched:sched_switch`.
    Switch(SwitchFields),
    /// `sched:sched_waking`, or `sched:sched_wakeup` where that is all there is.
    Waking(WakingFields),
    /// `sched:sched_wakeup_new`.
    FirstWaking(WakingFields),
    /// `sched:sched_process_exec`.
    Exec(ExecFields),
    /// `block:block_rq_issue`.
    DiskIssue(DiskFields),
    /// `block:block_rq_complete`.
    DiskCompletion(DiskFields),
    /// An event of Whyslow's own recorder.
    Own(Own),
    /// Of no use yet; counted.
    Counted,
}

/// How much CPU time a sample stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    /// The sample's period is nanoseconds; the number is for samples that do not tell theirs.
    PeriodNs(i64),
    /// The kernel aims at so many nanoseconds between samples by adapting the period.
    AimedNs(i64),
    /// Every so many cycles or instructions: time is taken from the sample before on that CPU.
    Measured,
}

/// A number in a payload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    offset: usize,
    size: usize,
    is_signed: bool,
}

/// A text of fixed size in a payload.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPlace {
    offset: usize,
    size: usize,
}

/// Fields of `sched:sched_switch`.
#[derive(Debug, Clone, Copy)]
pub(super) struct SwitchFields {
    pub(super) prev_pid: Place,
    pub(super) prev_prio: Place,
    pub(super) prev_state: Place,
    pub(super) next_pid: Place,
    pub(super) prev_comm: TextPlace,
    pub(super) next_comm: TextPlace,
    /// Where the fields end.
    pub(super) end: usize,
    pub(super) states: States,
}

/// Fields of the wake-up tracepoints.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakingFields {
    pub(super) pid: Place,
    pub(super) flags: Place,
    pub(super) comm: TextPlace,
    /// Where the fields end.
    pub(super) end: usize,
}

/// Fields of `sched:sched_process_exec`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExecFields {
    pub(super) filename: Place,
}

/// Bits of `prev_state`, which moved between kernels; the print format spells them out.
#[derive(Debug, Clone, Copy)]
pub(super) struct States {
    preempted: i64,
    exited: i64,
    stopped: i64,
    uninterruptible: i64,
    interruptible: i64,
    idle: i64,
}

/// What the events of a file add up to.
#[derive(Debug)]
pub(super) struct Session {
    /// One plan per event.
    pub(super) plans: Vec<Plan>,
    /// Whyslow's own recorder wrote the file.
    pub(super) is_own: bool,
    /// What that recorder says of machine and recording.
    pub(super) info: Info,
    /// Byte order of the payloads.
    pub(super) endian: Endian,
    /// All CPUs were recorded, not one process.
    pub(super) is_whole_machine: bool,
    /// Switches come as records of their own, not as tracepoints.
    pub(super) has_switch_records: bool,
    /// Samples carry copies of the user stack.
    pub(super) has_dumps: bool,
    /// Tracepoints whose format the file lacks.
    pub(super) without_format: u64,
    /// When the last sample was on each CPU, where their distance is what they stand for.
    pub(super) last_sample_ns: HashMap<u32, i64>,
    cpu_rank: u32,
}

impl Session {
    /// Finds out what the events of a file are.
    pub(super) fn new(events: &[Event], features: &Features, endian: Endian) -> Self {
        let info = Info::read(features);
        let is_whole_machine = match info.get("scope") {
            Some(scope) => scope == "machine",
            None => is_whole_machine(events, features),
        };
        let mut session = Self {
            plans: Vec::new(),
            is_own: !info.is_empty(),
            info,
            endian,
            is_whole_machine,
            has_switch_records: false,
            has_dumps: false,
            without_format: 0,
            last_sample_ns: HashMap::new(),
            cpu_rank: u32::MAX,
        };
        session.learn(events, features);
        session
    }

    /// Finds out about events again, when more were declared.
    pub(super) fn learn(&mut self, events: &[Event], features: &Features) {
        let names: Vec<String> = events
            .iter()
            .map(|event| name_of(event, features))
            .collect();
        let has = |name: &str| names.iter().any(|other| other == name);
        let wakes_by = if has("sched:sched_waking") {
            "sched:sched_waking"
        } else {
            "sched:sched_wakeup"
        };
        self.is_own |= names.iter().any(|name| Own::of_name(name).is_some());
        let ranks = events.iter().filter_map(|event| cpu_rank(&event.attr));
        self.cpu_rank = ranks.min().unwrap_or(u32::MAX);
        self.without_format = 0;
        self.plans = events
            .iter()
            .zip(&names)
            .map(|(event, name)| self.plan(event, name, features, wakes_by))
            .collect();
        let has_switches = self
            .plans
            .iter()
            .any(|plan| matches!(plan, Plan::Switch(_)));
        let mut attrs = events.iter().map(|event| &event.attr);
        self.has_dumps = attrs.any(|attr| attr.sample_type & sample::STACK_USER != 0);
        let asked = events
            .iter()
            .any(|event| event.attr.flags & CONTEXT_SWITCH != 0);
        self.has_switch_records = asked && !has_switches;
    }

    /// Returns what the trackers must know beforehand.
    pub(super) fn recording(&self) -> Recording {
        let has = |wanted: fn(&Plan) -> bool| self.plans.iter().any(wanted);
        Recording {
            switches: self.has_switch_records || has(|plan| matches!(plan, Plan::Switch(_))),
            wake_ups: has(|plan| matches!(plan, Plan::Waking(_))),
            whole_machine: self.is_whole_machine,
            late_user_halves: has(|plan| matches!(plan, Plan::Own(Own::UserStack))),
            // Also of our own recorder if it was killed before it could say since when all was on.
            late_events: self.info.number("start_ns").is_none(),
            pid_is_first_tid: true,
            told_first: true,
        }
    }

    fn plan(&mut self, event: &Event, name: &str, features: &Features, wakes_by: &str) -> Plan {
        let attr = &event.attr;
        if cpu_rank(attr) == Some(self.cpu_rank) {
            return Plan::Cpu(weight(attr));
        }
        if let Some(own) = Own::of_name(name) {
            return Plan::Own(own);
        }
        let wanted = match name {
            "sched:sched_switch" => switch_fields as fn(&TraceFormat) -> Option<Plan>,
            "sched:sched_wakeup_new" => {
                |format: &TraceFormat| waking_fields(format).map(Plan::FirstWaking)
            }
            "sched:sched_process_exec" => exec_fields,
            "block:block_rq_issue" => {
                |format: &TraceFormat| DiskFields::of(format).map(Plan::DiskIssue)
            }
            "block:block_rq_complete" => {
                |format: &TraceFormat| DiskFields::of(format).map(Plan::DiskCompletion)
            }
            _ if name == wakes_by => |format: &TraceFormat| waking_fields(format).map(Plan::Waking),
            _ => return Plan::Counted,
        };
        let format = features
            .format(attr.config)
            .filter(|_| attr.is_tracepoint());
        let plan = format.and_then(wanted);
        self.without_format += u64::from(plan.is_none());
        plan.unwrap_or(Plan::Counted)
    }
}

impl Plan {
    /// Returns the word the `event_count` table has for its use.
    pub(super) fn used_for(&self) -> Option<&'static str> {
        match self {
            Self::Cpu(_) => Some("samples"),
            Self::Switch(_) | Self::Waking(_) | Self::FirstWaking(_) => Some("states"),
            Self::Exec(_) | Self::Own(Own::Exec | Own::Exit) => Some("processes"),
            Self::DiskIssue(_) | Self::DiskCompletion(_) => Some("disk requests"),
            Self::Own(Own::UserStack) => Some("stacks"),
            Self::Own(Own::Thread) => Some("states"),
            Self::Counted => None,
        }
    }
}

/// Returns the name of an event: of its tracepoint, else as the recorder called it.
pub(super) fn name_of(event: &Event, features: &Features) -> String {
    let format = features
        .format(event.attr.config)
        .filter(|_| event.attr.is_tracepoint());
    let known = format.map(|format| format!("{}:{}", format.system, format.name));
    let named = known.or_else(|| event.name.clone());
    named.unwrap_or_else(|| format!("type {} config {:#x}", event.attr.kind, event.attr.config))
}

const ENABLE_ON_EXEC: u64 = 1 << 12;
const CONTEXT_SWITCH: u64 = 1 << 26;
const SAMPLE_CPU: u64 = 1 << 7;

/// A recording of one program starts with its exec, or does not say on which CPU a sample was.
fn is_whole_machine(events: &[Event], features: &Features) -> bool {
    let mut words = features.command_line.iter();
    let is_asked = words.any(|word| word == "--all-cpus" || word == "-a");
    let is_one = |event: &Event| {
        let attr = &event.attr;
        attr.flags & ENABLE_ON_EXEC != 0
            || (!attr.is_tracepoint() && attr.sample_type & SAMPLE_CPU == 0)
    };
    is_asked || !events.iter().any(is_one)
}

/// How well an event measures CPU time, the best first; `None` for one that does not.
fn cpu_rank(attr: &Attr) -> Option<u32> {
    if attr.period == 0 {
        return None;
    }
    // The upper half names the PMU on machines with several kinds of cores.
    match (attr.kind, attr.config & u64::from(u32::MAX)) {
        (1, 0) => Some(0),
        (1, 1) => Some(1),
        (0, 0) => Some(2),
        (0, 9) => Some(3),
        (0, 1) => Some(4),
        (0, 6) => Some(5),
        _ => None,
    }
}

fn weight(attr: &Attr) -> Weight {
    let period = i64::try_from(attr.period).unwrap_or(i64::MAX).max(1);
    match (attr.is_cpu_clock(), attr.is_frequency()) {
        (true, true) => Weight::PeriodNs(1_000_000_000 / period),
        (true, false) => Weight::PeriodNs(period),
        (false, true) => Weight::AimedNs(1_000_000_000 / period),
        (false, false) => Weight::Measured,
    }
}

fn switch_fields(format: &TraceFormat) -> Option<Plan> {
    Some(Plan::Switch(SwitchFields {
        prev_pid: place(format, "prev_pid")?,
        prev_prio: place(format, "prev_prio")?,
        prev_state: place(format, "prev_state")?,
        next_pid: place(format, "next_pid")?,
        prev_comm: text(format, "prev_comm")?,
        next_comm: text(format, "next_comm")?,
        end: end(format),
        states: States::new(&format.flags()),
    }))
}

fn waking_fields(format: &TraceFormat) -> Option<WakingFields> {
    Some(WakingFields {
        pid: place(format, "pid")?,
        flags: place(format, "common_flags")?,
        comm: text(format, "comm")?,
        end: end(format),
    })
}

/// Returns where the fields of a payload end.
fn end(format: &TraceFormat) -> usize {
    let ends = format.fields.iter();
    let ends = ends.map(|field| field.offset.saturating_add(field.size));
    ends.max().unwrap_or(0)
}

fn exec_fields(format: &TraceFormat) -> Option<Plan> {
    Some(Plan::Exec(ExecFields {
        filename: place(format, "filename")?,
    }))
}

pub(super) fn place(format: &TraceFormat, name: &str) -> Option<Place> {
    let &Field {
        offset,
        size,
        signed,
        ..
    } = format.field(name)?;
    Some(Place {
        offset,
        size,
        is_signed: signed,
    })
}

pub(super) fn text(format: &TraceFormat, name: &str) -> Option<TextPlace> {
    let &Field { offset, size, .. } = format.field(name)?;
    Some(TextPlace { offset, size })
}

impl Place {
    /// Reads the number, or `None` if the payload is too short.
    pub(super) fn read(self, payload: &[u8], endian: Endian) -> Option<i64> {
        let bytes = payload.get(self.offset..self.offset.checked_add(self.size)?)?;
        let is_little = endian == Endian::Little;
        let value = match *bytes {
            [a] => u64::from(a),
            [a, b] if is_little => u64::from(u16::from_le_bytes([a, b])),
            [a, b] => u64::from(u16::from_be_bytes([a, b])),
            [a, b, c, d] if is_little => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d] => u64::from(u32::from_be_bytes([a, b, c, d])),
            _ => {
                let bytes = <[u8; 8]>::try_from(bytes).ok()?;
                if is_little {
                    u64::from_le_bytes(bytes)
                } else {
                    u64::from_be_bytes(bytes)
                }
            }
        };
        let unused = 64 - 8 * u32::try_from(self.size).ok()?;
        let value = value.cast_signed();
        Some(if self.is_signed {
            (value << unused) >> unused
        } else {
            value
        })
    }

    /// Reads the text of variable length that the number at this place points to.
    pub(super) fn text(self, payload: &[u8], endian: Endian) -> Option<String> {
        let place = u64::try_from(self.read(payload, endian)?).ok()? & u64::from(u32::MAX);
        let start = usize::try_from(place & 0xffff).ok()?;
        let length = usize::try_from(place >> 16).ok()?;
        Some(lossy(payload.get(start..start.checked_add(length)?)?))
    }
}

impl TextPlace {
    /// Reads the text.
    pub(super) fn read(self, payload: &[u8]) -> Option<String> {
        Some(lossy(
            payload.get(self.offset..self.offset.checked_add(self.size)?)?,
        ))
    }
}

/// Returns bytes up to their first zero as text.
pub(super) fn lossy(bytes: &[u8]) -> String {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes)).into_owned()
}

impl States {
    fn new(flags: &[(String, u64)]) -> Self {
        let bits = |letters: &[&str], default: i64| {
            let known = flags
                .iter()
                .filter(|(name, _)| letters.contains(&name.as_str()));
            let found = known.fold(0, |bits, (_, bit)| bits | bit.cast_signed());
            if found == 0 { default } else { found }
        };
        let highest = flags.iter().map(|(_, bit)| *bit).max().unwrap_or(0x80);
        Self {
            // The bit above the last letter, printed as `+`.
            preempted: highest.checked_shl(1).unwrap_or(0).cast_signed(),
            exited: bits(&["X", "x", "Z"], 0x30),
            stopped: bits(&["T", "t"], 0x0c),
            uninterruptible: bits(&["D"], 2),
            interruptible: bits(&["S"], 1),
            idle: bits(&["I", "P"], 0xc0),
        }
    }

    /// Returns why a thread with this state left the CPU.
    pub(super) fn reason(self, state: i64) -> WaitReason {
        let has = |bits: i64| state & bits != 0;
        match state {
            0 => WaitReason::Preempted,
            _ if has(self.preempted) => WaitReason::Preempted,
            _ if has(self.exited) => WaitReason::Exited,
            _ if has(self.stopped) => WaitReason::Stopped,
            _ if has(self.idle) => WaitReason::Idle,
            _ if has(self.uninterruptible) => WaitReason::Uninterruptible,
            _ if has(self.interruptible) => WaitReason::Interruptible,
            _ => WaitReason::Unknown,
        }
    }
}
