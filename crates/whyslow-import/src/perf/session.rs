//! The events of a file together: a plan for each, and what the recording holds.

use std::collections::HashMap;
use std::rc::Rc;

use whyslow_perfdata::abi::sample;
use whyslow_perfdata::record_options::asks_for_all_cpus;
use whyslow_perfdata::{Attr, Endian, Event, Features};

use super::dispatch;
use super::own::{Info, Own};
use super::plan::{Plan, Weight};
use crate::importer::Recording;
use crate::operations::{Decoder, Tracepoint};
use whyslow_settle::Resource;

/// The events of a file together.
pub(super) struct Session {
    /// One plan per event.
    pub(super) plans: Rc<[Plan]>,
    /// Whyslow's own recorder wrote the file.
    pub(super) is_own: bool,
    /// What that recorder says about the machine and the recording.
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
    /// Time of the last sample on each CPU, where the distance between samples is their weight.
    pub(super) last_sample_ns: HashMap<u32, i64>,
    /// Decoders of the operations' tracepoints.
    pub(super) decoders: Vec<Decoder>,
    /// Which resource each hierarchy of groups limits, by the hierarchy's number.
    pub(super) hierarchies: Vec<(u32, Resource)>,
    cpu_rank: u32,
}

impl Session {
    /// Determines what the events of a file are.
    pub(super) fn new(events: &[Event], features: &Features, endian: Endian) -> Self {
        let info = Info::read(features);
        let is_whole_machine = match info.get("scope") {
            Some(scope) => scope == "machine",
            None => is_whole_machine(events, features),
        };
        let mut session = Self {
            plans: Rc::default(),
            is_own: !info.is_empty(),
            info,
            endian,
            is_whole_machine,
            has_switch_records: false,
            has_dumps: false,
            without_format: 0,
            last_sample_ns: HashMap::new(),
            decoders: Vec::new(),
            hierarchies: Vec::new(),
            cpu_rank: u32::MAX,
        };
        session.learn(events, features);
        session
    }

    /// Determines the plans again, when more events were declared.
    pub(super) fn learn(&mut self, events: &[Event], features: &Features) {
        let names: Vec<String> = events
            .iter()
            .map(|event| name_of(event, features))
            .collect();
        self.is_own |= names.iter().any(|name| Own::of_name(name).is_some());
        let ranks = events.iter().filter_map(|event| cpu_rank(&event.attr));
        self.cpu_rank = ranks.min().unwrap_or(u32::MAX);
        self.without_format = 0;
        self.decoders.clear();
        self.plans = events
            .iter()
            .zip(&names)
            .map(|(event, name)| self.plan(event, name, &names, features))
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
            has_all_wake_ups: true,
            whole_machine: self.is_whole_machine,
            late_user_halves: has(|plan| matches!(plan, Plan::Own(Own::UserStack))),
            // This includes our own recorder if it was killed before it could write when everything
            // was on.
            late_events: self.info.number("start_ns").is_none(),
            pid_is_first_tid: true,
            told_first: true,
        }
    }

    /// Returns whether the file has a tracepoint that can be read.
    pub(super) fn reads(&self, tracepoint: &Tracepoint) -> bool {
        let mut plans = self.plans.iter();
        plans.any(|plan| {
            matches!(plan, Plan::Operation(found) if found.tracepoint.name == tracepoint.name)
        })
    }

    fn plan(&mut self, event: &Event, name: &str, names: &[String], features: &Features) -> Plan {
        let attr = &event.attr;
        if cpu_rank(attr) == Some(self.cpu_rank) {
            return Plan::Cpu(weight(attr));
        }
        if let Some(own) = Own::of_name(name) {
            return Plan::Own(own);
        }
        let format = features.format(attr.config);
        let format = format.filter(|_| attr.is_tracepoint());
        let Some(plan) = dispatch::plan(name, names, format, &mut self.decoders) else {
            return Plan::Counted;
        };
        self.without_format += u64::from(plan.is_none());
        plan.unwrap_or(Plan::Counted)
    }
}

/// Returns the name of an event: its tracepoint's name, else the recorder's name for it.
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
    let is_asked = asks_for_all_cpus(features.command_line.iter().map(AsRef::as_ref));
    let is_one = |event: &Event| {
        let attr = &event.attr;
        attr.flags & ENABLE_ON_EXEC != 0
            || (!attr.is_tracepoint() && attr.sample_type & SAMPLE_CPU == 0)
    };
    is_asked || !events.iter().any(is_one)
}

/// How well an event measures CPU time, best first; `None` if it does not.
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
