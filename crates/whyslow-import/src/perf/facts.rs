//! Facts about the machine and the recording, and its capabilities.

use whyslow_model::tables::{FactRow, TraceRow};
use whyslow_model::{Capabilities, Capability as C, Presence, ProblemKind as P, Problems};
use whyslow_perfdata::{FaultKind, Faults, Features, Reader};
use whyslow_settle::TraceFacts;

use super::counts::Counts;
use super::own::{Info, Own};
use super::plan::{Plan, Weight};
use super::session::Session;
use crate::importer::Recording;
use crate::operations::SOURCES;

/// Completes the facts of the trace from what the file says.
pub(super) fn trace(
    reader: &Reader,
    session: &Session,
    recording: Recording,
    counts: &Counts,
    mut known: TraceFacts,
) -> TraceFacts {
    let features = reader.features();
    let trace = &mut known.trace;
    trace.host.clone_from(&features.hostname);
    trace.os = features
        .os_release
        .as_ref()
        .map(|release| format!("Linux {release}"));
    trace.arch.clone_from(&features.arch);
    trace.cpu_name.clone_from(&features.cpu_name);
    trace.cpus = features
        .cpus_online
        .and_then(|cpus| i32::try_from(cpus).ok());
    trace.memory_bytes = features
        .memory_bytes
        .and_then(|bytes| i64::try_from(bytes).ok());
    let clock = reader.events().first().and_then(|event| event.attr.clock());
    trace.clock = Some(clock_name(clock));
    trace.sample_period_ns = session.plans.iter().find_map(|plan| match plan {
        Plan::Cpu(Weight::PeriodNs(period) | Weight::AimedNs(period)) => Some(*period),
        _ => None,
    });
    let version = features.version.as_deref().unwrap_or_default();
    trace.recorder = Some(format!("perf {version}").trim_end().to_owned());
    if !features.command_line.is_empty() {
        trace.command = Some(features.command_line.join(" "));
    }
    own_facts(trace, &session.info);
    known.unix_offset_ns = features.clock_data.as_ref().map(|clock| {
        let wall = i64::try_from(clock.wall_ns).unwrap_or(0);
        wall.saturating_sub(i64::try_from(clock.clock_ns).unwrap_or(0))
    });
    known.facts.extend(facts(features));
    known.facts.extend(session.info.rows());
    known.capabilities = capabilities(reader, session, recording, counts);
    known.event_counts = counts.rows(session);
    known
}

/// Whyslow's own recorder reports more exact facts.
fn own_facts(trace: &mut TraceRow, info: &Info) {
    let text = |key: &str| {
        info.get(key)
            .filter(|value| !value.is_empty())
            .map(ToOwned::to_owned)
    };
    let system = text("system").map(|system| match info.get("kernel") {
        Some(kernel) => format!("{system}, Linux {kernel}"),
        None => system,
    });
    trace.os = system.or(trace.os.take());
    trace.recorder = text("recorder").or(trace.recorder.take());
    trace.zone = text("time_zone");
    trace.boot_id = text("boot_id");
    trace.boot_unix_ns = info
        .number("boot_unix_s")
        .and_then(|s| s.checked_mul(1_000_000_000));
    trace.utc_offset_s = info
        .number("utc_offset_s")
        .and_then(|s| i32::try_from(s).ok());
    let command: Vec<&str> = info.all("command_argument").collect();
    if !command.is_empty() {
        trace.command = Some(super::own::command_line(command.join("\0").as_bytes()));
    }
}

/// Counts the damage the reader met, and what the recorder says it left out.
pub(super) fn problems(faults: &Faults, session: &Session, problems: &mut Problems) {
    for fault in faults.iter() {
        let kind = match fault.kind {
            FaultKind::Truncated => P::TruncatedFile,
            FaultKind::UnknownType => P::UnknownRecord,
            FaultKind::UnknownEvent => P::UnknownEvent,
            FaultKind::Late => P::LateEvents,
            FaultKind::WindowFull | FaultKind::Limit => P::LimitReached,
            _ => P::BadRecord,
        };
        let detail = || fault.detail.clone();
        problems.add_many(kind, fault.count, Some(fault.first_offset), None, detail);
    }
    problems.add_many(P::NoFormat, session.without_format, None, None, || {
        "events of the scheduler that cannot be decoded".to_owned()
    });
    problems.add_many(P::LimitReached, session.info.refused, None, None, || {
        "facts of the recorder left out: too many".to_owned()
    });
    for (event, count) in session.info.numbers("dropped_stacks.") {
        problems.add_many(P::DroppedStacks, count, None, None, || {
            let event = event.replace('-', " ");
            format!("{event}: left out to limit their rate")
        });
    }
    for limit in session.info.all("limit") {
        let (count, what) = limit.split_once(' ').unwrap_or((limit, "left out"));
        let count = count.parse().unwrap_or(1);
        let kind = match ["counted without", "counted together"]
            .iter()
            .any(|words| what.contains(words))
        {
            true => P::CountedTogether,
            false => P::RecorderLimit,
        };
        problems.add_many(kind, count, None, None, || what.to_owned());
    }
    let mut left_out = |kind, key, why: &str| {
        let count = session.info.number(key).unwrap_or(0);
        let count = u64::try_from(count).unwrap_or(0);
        problems.add_many(kind, count, None, None, || why.to_owned());
    };
    let no_time = "user stacks that there was no time to unwind";
    left_out(P::DroppedStacks, "late_stacks", no_time);
    let uncounted = "system calls that were not counted: no room for counts";
    left_out(P::RecorderLimit, "lost_system_calls", uncounted);
    let uncounted = "calls on files that were not counted by file: no room for counts";
    left_out(P::RecorderLimit, "lost_file_calls", uncounted);
    let unnamed =
        "names of files left out: no room for them; calls on these files may have no path";
    left_out(P::RecorderLimit, "lost_file_names", unnamed);
    let uncounted = "single calls on files that are only counted: no room for them";
    left_out(P::RecorderLimit, "lost_single_file_calls", uncounted);
    let lost = "marks: no room for them, or more than 10,000 in a second on one CPU";
    left_out(P::RecorderLimit, "lost_marks", lost);
    let uncounted = "connections, or what else was seen of the network: no room for it";
    left_out(P::RecorderLimit, "lost_network", uncounted);
    let hidden = "switches of threads that the kernel hides, whose stacks cannot be taken";
    left_out(P::HiddenStacks, "hidden_stacks", hidden);
    for missing in session.info.all("missing") {
        problems.add(P::NotPermitted, None, || missing.replace('\t', ": "));
    }
}

fn clock_name(clock: Option<i32>) -> String {
    let name = match clock {
        None => "perf",
        Some(0) => "realtime",
        Some(1) => "monotonic",
        Some(4) => "monotonic-raw",
        Some(7) => "boottime",
        Some(11) => "tai",
        Some(other) => return format!("clock {other}"),
    };
    name.to_owned()
}

fn facts(features: &Features) -> Vec<FactRow> {
    let fact = |subject: &str, key: &str, value: String| FactRow {
        subject: subject.to_owned(),
        key: key.to_owned(),
        value,
    };
    let available = features.cpus_available.map(|cpus| cpus.to_string());
    available
        .map(|cpus| fact("machine", "cpus_available", cpus))
        .into_iter()
        .collect()
}

const CALLCHAIN: u64 = 1 << 5;

/// Sets capabilities by what Whyslow's recorder counted: it declares the events in any case.
fn counted(session: &Session, counts: &Counts, has: &mut Capabilities) {
    let is = |own: Own| {
        counts.has(
            session,
            move |plan: &Plan| matches!(plan, Plan::Own(of) if *of == own),
        )
    };
    let counted = [
        (C::Files, is(Own::FileCalls)),
        (C::SingleFileCalls, is(Own::SingleFileCalls)),
        (C::SystemCalls, is(Own::SystemCalls)),
        (C::Limits, is(Own::Group)),
        (C::ProcessMemory, is(Own::ProcessMemory)),
        (C::Marks, is(Own::Mark)),
    ];
    for (capability, _) in counted.into_iter().filter(|&(_, is_there)| is_there) {
        has.set(capability);
    }
}

/// Sets what the recorder follows, even if nothing of the kind happened.
fn follows(session: &Session, has: &mut Capabilities) {
    for word in session.info.all("follows") {
        match word {
            "connections" => has.set(C::Connections),
            "names" => has.set(C::DnsQueries),
            "look-ups" => has.set(C::NameLookups),
            "marks" => has.set(C::Marks),
            _ => {}
        }
    }
}

/// Sets capabilities by the events that the recorder declares.
fn declared(session: &Session, has: &mut Capabilities) {
    for (capability, own) in [
        (C::CommandLines, Own::Exec),
        (C::Goroutines, Own::Goroutine),
    ] {
        let is_it = |plan: &Plan| matches!(plan, Plan::Own(of) if *of == own);
        if session.plans.iter().any(is_it) {
            has.set(capability);
        }
    }
}

fn capabilities(
    reader: &Reader,
    session: &Session,
    recording: Recording,
    counts: &Counts,
) -> Capabilities {
    let mut has = Capabilities::default();
    let with_chain = |wanted: fn(&Plan) -> bool| {
        let mut events = session.plans.iter().zip(reader.events());
        events.any(|(plan, event)| wanted(plan) && event.attr.sample_type & CALLCHAIN != 0)
    };
    let is_cpu = |plan: &Plan| matches!(plan, Plan::Cpu(_));
    let is_switch = |plan: &Plan| matches!(plan, Plan::Switch(_));
    if session.plans.iter().any(is_cpu) {
        has.set(C::CpuSamples);
    }
    let is_stack = |plan: &Plan| matches!(plan, Plan::Own(Own::UserStack));
    let shallow = "user stacks follow frame pointers, which most programs do not keep";
    if with_chain(is_cpu) {
        has.set(C::SampleStacks);
        if session.is_own {
            has.set(C::UserStacks);
        } else {
            has.note(C::UserStacks, Presence::Partial, shallow);
        }
    }
    if recording.switches {
        has.set(C::Switches);
    }
    if with_chain(is_switch) {
        has.set(C::SwitchStacks);
        if !session.is_own {
            has.note(C::WaitUserStacks, Presence::Partial, shallow);
        }
    }
    if session.plans.iter().any(is_stack) {
        has.set(C::WaitUserStacks);
    }
    for source in SOURCES {
        let mut needed = source.tracepoints.iter().filter(|of| of.is_needed);
        if !source.tracepoints.is_empty() && needed.all(|of| session.reads(of)) {
            has.set(source.capability);
        }
    }
    declared(session, &mut has);
    let is_exit = |plan: &Plan| matches!(plan, Plan::Own(Own::Exit));
    if session.plans.iter().any(is_exit) {
        has.set(C::ExitCodes);
    }
    counted(session, counts, &mut has);
    follows(session, &mut has);
    if recording.wake_ups {
        has.set(C::WakeUps);
    }
    const TASK: u64 = 1 << 13;
    if reader
        .events()
        .iter()
        .any(|event| event.attr.flags & TASK != 0)
    {
        has.set(C::ProcessEvents);
    }
    if recording.whole_machine {
        has.set(C::WholeMachine);
    }
    if recording.switches && !counts.has(session, is_switch) && !session.has_switch_records {
        has.note(
            C::Switches,
            Presence::Partial,
            "asked for, but none was recorded",
        );
    }
    has
}
