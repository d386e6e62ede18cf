//! Facts of the machine and the session, what the trace holds, and what is wrong with it.

use whyslow_etl::kernel::hooks::{process, thread};
use whyslow_etl::{ClockKind, FaultKind, Faults, LogMode, PointerSize, Session};
use whyslow_model::tables::FactRow;
use whyslow_model::{Capabilities, Capability as C, Presence, ProblemKind as P, Problems};
use whyslow_settle::TraceFacts;

use super::counts::Counts;
use super::dispatch::{Dispatch, Trackers};
use super::dns::DNS_CLIENT;
use super::files::KERNEL_FILE;
use super::kernel_process::KERNEL_PROCESS;
use super::machine_facts::MachineFacts;
use super::tcp::{KERNEL_NETWORK, TCPIP};
use super::zone;
use crate::importer::Recording;

/// Completes the facts of a trace from what the trace itself says.
pub(super) fn complete(
    mut known: TraceFacts,
    session: &Session,
    lost_buffers: u64,
    (trackers, dispatch, counts, recording): (&Trackers, &Dispatch, &Counts, Recording),
) -> TraceFacts {
    let machine = &trackers.machine;
    let trace = &mut known.trace;
    trace.os = Some(os(session, machine));
    trace.arch = machine.arch.map(ToOwned::to_owned);
    let cpus = i32::try_from(session.cpus).ok().filter(|&cpus| cpus > 0);
    trace.cpus = machine.cpus.or(cpus);
    trace.memory_bytes = machine.memory_bytes;
    trace.clock = Some(clock_name(session.clock));
    trace.lost_buffers = i64::try_from(lost_buffers).ok();
    trace.sample_period_ns = trackers.samples.interval_ns();
    trace.boot_unix_ns = session.boot_time.map(|time| time.unix_ns());
    trace.zone = zone::name(session);
    trace.utc_offset_s = Some(zone::utc_offset_s(session));
    trace.recorder = (!session.name.is_empty()).then(|| session.name.clone());
    trace.host = machine.host.clone();
    known.unix_offset_ns = Some(session.start_time.unix_ns());
    known.facts.extend(fact_rows(session, machine));
    known.capabilities = capabilities(trackers, counts, recording);
    dispatch
        .capabilities()
        .for_each(|found| known.capabilities.set(found));
    known.event_counts = counts.rows(&|provider| match provider {
        KERNEL_PROCESS => trackers.kernel_process.is_used(),
        KERNEL_FILE => trackers.files.uses_provider(),
        KERNEL_NETWORK => trackers.network.uses_provider(),
        TCPIP => trackers.connections.uses_provider(),
        DNS_CLIENT => trackers.dns.has_lookups || trackers.dns.has_queries,
        provider => dispatch.uses(provider),
    });
    known
}

fn capabilities(trackers: &Trackers, counts: &Counts, recording: Recording) -> Capabilities {
    const PROCESSES: [whyslow_etl::kernel::Hook; 4] = [
        process::START,
        process::STOP,
        process::DC_START,
        process::DC_STOP,
    ];
    let mut has = Capabilities::default();
    let samples = &trackers.samples;
    let has_stacks = trackers.stacks.are_there();
    if samples.are_there() {
        has.set(C::CpuSamples);
        if has_stacks {
            has.set(C::SampleStacks);
            has.set(C::UserStacks);
        }
    }
    if recording.switches {
        has.set(C::Switches);
        if has_stacks {
            has.set(C::SwitchStacks);
            has.set(C::WaitUserStacks);
        }
    }
    if recording.wake_ups {
        has.set(C::WakeUps);
    }
    let has_processes = PROCESSES.iter().any(|&hook| counts.of(hook) > 0);
    if has_processes || trackers.kernel_process.has_processes() {
        has.set(C::ProcessEvents);
        if trackers.processes.have_command_lines() {
            has.set(C::CommandLines);
        }
        has.set(C::ExitCodes);
    }
    if samples.are_there() || recording.switches {
        has.set(C::WholeMachine);
    }
    let files = &trackers.files;
    if files.are_there() {
        has.set(C::Files);
        has.set(C::SingleFileCalls);
    } else if files.has_parts {
        let note =
            "only faults that read from disks, and mappings, are recorded, no other calls on files";
        has.note(C::Files, Presence::Partial, note);
        has.note(C::SingleFileCalls, Presence::Partial, note);
    }
    if trackers.process_memory.has_counters {
        let note = "only one reading per process: when it ended, or at the end of the recording";
        has.note(C::ProcessMemory, Presence::Partial, note);
    }
    let found = [
        (files.has_filters, C::FilterCalls),
        (trackers.registry.is_there, C::Registry),
        (trackers.has_allocations, C::Allocations),
        (trackers.process_memory.has_working_sets, C::ProcessMemory),
        (trackers.handles.are_there, C::Handles),
        (trackers.connections.are_there(), C::Connections),
        (trackers.has_datagrams, C::Datagrams),
        (trackers.dns.has_lookups, C::NameLookups),
        (trackers.dns.has_queries, C::DnsQueries),
        (trackers.notes.has_exceptions, C::Exceptions),
        (trackers.notes.has_marks, C::Marks),
    ];
    let found = found.into_iter().filter(|(is_there, _)| *is_there);
    found.for_each(|(_, capability)| has.set(capability));
    if let Some(note) = samples.lack_interval() {
        has.note(C::CpuSamples, Presence::Partial, note);
    }
    if counts.of(thread::PACKED_SWITCHES) > 0 {
        let note = "switches are packed: why threads waited was not recorded";
        has.note(C::Switches, Presence::Partial, note);
    }
    has
}

/// Counts the damage the reader met, and the losses the session states.
pub(super) fn problems(faults: &Faults, problems: &mut Problems) {
    for fault in faults.iter() {
        let kind = match fault.kind {
            FaultKind::Truncated | FaultKind::Unused | FaultKind::NotClosed => P::TruncatedFile,
            FaultKind::Late => P::LateEvents,
            FaultKind::Limit => P::LimitReached,
            FaultKind::LossFlagged => continue,
            _ => P::BadRecord,
        };
        let detail = || format!("{}: {}", fault.kind, fault.detail);
        problems.add_many(kind, fault.count, Some(fault.first_offset), None, detail);
    }
}

/// Counts the lost buffers that the session states, or else the buffers that follow a loss of
/// unknown size; returns how many.
pub(super) fn lost_buffers(session: &Session, faults: &Faults, problems: &mut Problems) -> u64 {
    let lost = u64::from(session.buffers_lost);
    let flagged = faults.get(FaultKind::LossFlagged);
    let (count, what) = match (lost, session.events_lost, flagged) {
        (0, 0, Some(flagged)) => (flagged.count, "come after a loss of unknown size"),
        _ => (lost, "of unknown content; the session does not say when"),
    };
    problems.add_many(P::LostBuffers, count, None, None, || {
        format!("{count} buffers {what}")
    });
    count
}

/// Returns the system's usual name; builds of Windows 11 still report version 10.
fn os(session: &Session, machine: &MachineFacts) -> String {
    let build = session.os_build;
    let name = match &machine.product {
        Some(product) if product.starts_with("Windows 10") && build >= 22_000 => {
            product.replacen("10", "11", 1)
        }
        Some(product) => product.clone(),
        None => match (session.os_version, build) {
            ((10, 0), 22_000..) => "Windows 11".to_owned(),
            ((10, 0), _) => "Windows 10".to_owned(),
            ((6, 3), _) => "Windows 8.1".to_owned(),
            ((6, 2), _) => "Windows 8".to_owned(),
            ((6, 1), _) => "Windows 7".to_owned(),
            ((major, minor), _) => format!("Windows {major}.{minor}"),
        },
    };
    format!("{name}, build {build}")
}

fn clock_name(kind: ClockKind) -> String {
    match kind {
        ClockKind::PerformanceCounter => "performance counter".to_owned(),
        ClockKind::SystemTime => "system time".to_owned(),
        ClockKind::ProcessorCycles => "processor cycles".to_owned(),
        ClockKind::Unknown(code) => format!("clock {code}"),
    }
}

fn fact_rows(session: &Session, machine: &MachineFacts) -> Vec<FactRow> {
    let mut rows = Vec::new();
    let mut fact = |subject: &str, key: &str, value: Option<String>| {
        rows.extend(value.map(|value| FactRow {
            subject: subject.to_owned(),
            key: key.to_owned(),
            value,
        }));
    };
    let mhz = u64::from(session.cpu_mhz);
    fact(
        "machine",
        "cpu_mhz",
        Some(machine.mhz.unwrap_or(mhz).to_string()),
    );
    fact("machine", "build_lab", machine.build_lab.clone());
    fact("machine", "domain", machine.domain.clone());
    let bits = match session.pointer_size {
        4 => PointerSize::Four,
        _ => PointerSize::Eight,
    };
    fact("machine", "pointer_bytes", Some(bits.bytes().to_string()));
    let name = |text: &String| (!text.is_empty()).then(|| text.clone());
    fact("session", "name", name(&session.name));
    fact("session", "file_name", name(&session.file_name));
    fact(
        "session",
        "clock_frequency_hz",
        Some(session.frequency.to_string()),
    );
    fact(
        "session",
        "buffer_bytes",
        Some(session.buffer_bytes.to_string()),
    );
    fact(
        "session",
        "buffers_lost",
        Some(session.buffers_lost.to_string()),
    );
    let is_relogged = session.mode.has(LogMode::RELOGGED);
    fact("session", "is_merged", is_relogged.then(|| "1".to_owned()));
    rows
}
