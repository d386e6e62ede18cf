//! From the compiled object to attached programs.

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use aya::maps::{Array, Map};
use aya::programs::{Iter, ProgramError};
use aya::{Btf, Ebpf, EbpfLoader};
use rustix::io::Errno;
use whyslow_proc::release;

use crate::config::{Config, Output};
use crate::error::{BpfError, MISSING};
use crate::links::{self, Links};
use crate::sys::set_descriptor;

/// The programs, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/whyslow.bpf.o");

/// Buffers per CPU (`LEVELS` in the source).
const LEVELS: u32 = 3;
/// Words of CPUs that the programs look at (`CPU_WORDS` in the source).
const MOST_CPU_WORDS: u32 = 16;
/// How long a budget may be saved up.
const BURST_NS: u64 = 100_000_000;

/// The iterators over all threads.
const KNOW_THREAD: &str = "know_thread";
pub(crate) const LIST_WAITING: &str = "list_waiting";
/// Programs on tracepoints: name in the source, tracepoint. In the order of attaching: the first
/// makes what the others need of each new thread.
const TRACEPOINTS: [(&str, &str); 6] = [
    ("on_new_task", "task_newtask"),
    ("on_exec", "sched_process_exec"),
    ("on_exit", "sched_process_exit"),
    ("on_switch", "sched_switch"),
    ("on_waking", "sched_waking"),
    ("on_system_call_exit", "sys_exit"),
];

/// The program that finds switches which the tracepoint does not report, and what it is attached to
/// (Linux 6.16).
const UNSEEN: (&str, &str) = ("on_switched", "sched_exit_tp");

/// The programs that follow requests of io_uring, and what they are attached to.
const RINGS: [(&str, &str); 2] = [
    ("on_request_end", "io_uring_complete"),
    ("on_request", "io_uring_submit_req"),
];

/// The iterator that removes what belongs to threads. It writes a byte for each thread for which it could not.
pub(crate) const FORGET_THREAD: &str = "forget_thread";

pub(crate) fn load_object(
    config: &Config,
    btf: &Btf,
    outputs: &[Output<'_>],
) -> Result<Ebpf, BpfError> {
    let cpus = cpu_count(outputs)?;
    let cpu_words = cpus.div_ceil(64).min(MOST_CPU_WORDS);
    let kilobyte_cost_ns = |per_second: u32| 1_024_000_000_000 / u64::from(per_second);
    let stack_cost_ns = kilobyte_cost_ns(config.stack_bytes_per_second);
    let sample_cost_ns = kilobyte_cost_ns(config.sample_bytes_per_second);
    let chain_cost_ns = 1_000_000_000 / u64::from(config.chains_per_second);
    let reports_switches = u32::from(config.reports_switches);
    let entries = config.interrupt_entries.clone();
    let entries = entries.unwrap_or_default();
    let has_find_vma = u32::from(finds_mappings());
    EbpfLoader::new()
        .btf(Some(btf))
        .allow_unsupported_maps()
        .override_global("wait_threshold_ns", &config.wait_threshold_ns, true)
        .override_global("kilobyte_cost_ns", &stack_cost_ns, true)
        .override_global("sample_kilobyte_cost_ns", &sample_cost_ns, true)
        .override_global("burst_ns", &BURST_NS, true)
        .override_global("own_pid", &config.own_pid, true)
        .override_global("reports_switches", &reports_switches, true)
        .override_global("chain_cost_ns", &chain_cost_ns, true)
        .override_global("inner_limit", &config.inner_bytes, true)
        .override_global("outer_limit", &config.outer_bytes, true)
        .override_global("irq_entry_start", &entries.start, true)
        .override_global("irq_entry_end", &entries.end, true)
        .override_global("cpu_words", &cpu_words, true)
        .override_global("has_find_vma", &has_find_vma, true)
        .map_max_entries("buffers", cpus.saturating_mul(LEVELS))
        .map_max_entries("output", cpus)
        .map_max_entries("chained_output", cpus)
        .load(OBJECT)
        .map_err(BpfError::from)
}

/// Whether programs can ask the kernel what is mapped at an address.
pub(crate) fn finds_mappings() -> bool {
    release::is_since((5, 17))
}

/// The types of the running kernel. As long as anything holds them, they are not read again: there are
/// a hundred thousand.
pub fn kernel_types() -> Result<Arc<Btf>, BpfError> {
    static KNOWN: Mutex<Weak<Btf>> = Mutex::new(Weak::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(types) = known.upgrade() {
        return Ok(types);
    }
    let types = Btf::from_sys_fs().map_err(|_| BpfError::NoTypeInformation)?;
    let types = Arc::new(types);
    *known = Arc::downgrade(&types);
    Ok(types)
}

/// How many CPUs the maps must have room for.
pub(crate) fn cpu_count(outputs: &[Output<'_>]) -> Result<u32, BpfError> {
    let last_cpu = outputs.iter().map(|output| output.cpu).max().unwrap_or(0);
    let cpus = aya::util::nr_cpus().map_err(|(_, source)| BpfError::System {
        what: "count the CPUs",
        source,
    })?;
    let cpus = u32::try_from(cpus).unwrap_or(u32::MAX);
    Ok(cpus.max(last_cpu.saturating_add(1)))
}

/// Gives the programs the event of each CPU that takes plain records.
pub(crate) fn set_outputs(ebpf: &Ebpf, outputs: &[Output<'_>]) -> Result<(), BpfError> {
    let events = outputs.iter().map(|output| (output.cpu, output.event));
    set_events(ebpf, "output", events)
}

/// Gives the programs the event of each CPU that wakes the recorder.
pub(crate) fn set_bells(ebpf: &Ebpf, bells: &[Output<'_>]) -> Result<(), BpfError> {
    let events = bells.iter().map(|bell| (bell.cpu, bell.event));
    set_events(ebpf, "bell", events)
}

/// Gives the programs the event of each CPU that takes records with a kernel stack.
pub(crate) fn set_chained_outputs(ebpf: &Ebpf, outputs: &[Output<'_>]) -> Result<(), BpfError> {
    let events = outputs.iter();
    let events = events.filter_map(|output| Some((output.cpu, output.chained?)));
    set_events(ebpf, "chained_output", events)
}

fn set_events<'e>(
    ebpf: &Ebpf,
    name: &str,
    events: impl Iterator<Item = (u32, BorrowedFd<'e>)>,
) -> Result<(), BpfError> {
    let Some(Map::PerfEventArray(map)) = ebpf.map(name) else {
        return Err(MISSING);
    };
    for (cpu, event) in events {
        let set = set_descriptor(map.fd().as_fd(), cpu, event);
        set.map_err(|source| BpfError::System {
            what: "give the output event to the eBPF programs",
            source,
        })?;
    }
    Ok(())
}

/// Loads the programs for tracepoints, and the iterators.
pub(crate) fn load_programs(ebpf: &mut Ebpf, btf: &Btf) -> Result<(), BpfError> {
    for name in [KNOW_THREAD, LIST_WAITING, FORGET_THREAD] {
        load_iterator(ebpf, btf, name, "task")?;
    }
    for (name, tracepoint) in TRACEPOINTS {
        let program = links::program(ebpf, name)?;
        let loaded = again(|| program.load(tracepoint, btf));
        loaded.map_err(|error| BpfError::refused(name, &error))?;
    }
    Ok(())
}

/// Loads an iterator over what the kernel calls `target`.
pub(crate) fn load_iterator(
    ebpf: &mut Ebpf,
    btf: &Btf,
    name: &str,
    target: &str,
) -> Result<(), BpfError> {
    let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
    let iterator = ebpf.program_mut(name).ok_or(MISSING)?;
    let iterator: &mut Iter = iterator.try_into().map_err(|error| refused(&error))?;
    again(|| iterator.load(target, btf)).map_err(|error| refused(&error))
}

/// Attaches the programs for tracepoints.
pub(crate) fn attach(ebpf: &mut Ebpf, links: &mut Links) -> Result<(), BpfError> {
    TRACEPOINTS
        .iter()
        .try_for_each(|(name, _)| links.attach(ebpf, name))
}

/// Loads the program that makes the others report switches that the tracepoint does not. They cannot before Linux 6.16.
pub(crate) fn load_unseen(ebpf: &mut Ebpf, btf: &Btf) -> Option<()> {
    let (name, tracepoint) = UNSEEN;
    let program = links::program(ebpf, name).ok()?;
    again(|| program.load(tracepoint, btf)).ok()
}

/// Attaches that program.
pub(crate) fn attach_unseen(ebpf: &mut Ebpf, links: &mut Links) -> Result<(), BpfError> {
    links.attach(ebpf, UNSEEN.0)
}

/// Loads the programs that follow requests of io_uring; older kernels have no such tracepoints, or other ones.
pub(crate) fn load_rings(ebpf: &mut Ebpf, btf: &Btf) -> Option<()> {
    RINGS.iter().try_for_each(|(name, tracepoint)| {
        let program = links::program(ebpf, name).ok()?;
        again(|| program.load(tracepoint, btf)).ok()
    })
}

/// Attaches them.
pub(crate) fn attach_rings(ebpf: &mut Ebpf, links: &mut Links) -> Result<(), BpfError> {
    RINGS
        .iter()
        .try_for_each(|(name, _)| links.attach(ebpf, name))
}

/// Tells the programs when they begin to be attached.
pub(crate) fn set_start(ebpf: &mut Ebpf, now_ns: u64) -> Result<(), BpfError> {
    let refused = |error: &(dyn Error + 'static)| BpfError::refused("a map", error);
    let map = ebpf.map_mut("started").ok_or(MISSING)?;
    let mut map: Array<_, u64> = map.try_into().map_err(|error| refused(&error))?;
    map.set(0, now_ns, 0).map_err(|error| refused(&error))
}

/// Announces to the programs the threads that already exist; they see new threads start.
pub(crate) fn know_threads(ebpf: &mut Ebpf) -> Result<(), BpfError> {
    let mut nothing = Vec::new();
    iterate(ebpf, KNOW_THREAD)?
        .read_to_end(&mut nothing)
        .map(drop)
        .map_err(|source| BpfError::System {
            what: "list the threads",
            source,
        })
}

/// Loads a program, and tries again if that was interrupted: the verifier gives up as soon as a
/// signal is pending for the calling thread.
pub(crate) fn again(
    mut load: impl FnMut() -> Result<(), ProgramError>,
) -> Result<(), ProgramError> {
    const ATTEMPTS: u32 = 20;
    for _ in 1..ATTEMPTS {
        match load() {
            Err(ProgramError::LoadError { io_error, .. })
                if Errno::from_io_error(&io_error) == Some(Errno::AGAIN) => {}
            result => return result,
        }
    }
    load()
}

/// A file that runs an iterator over all threads while it is read.
pub(crate) fn iterate(ebpf: &mut Ebpf, name: &'static str) -> Result<File, BpfError> {
    let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
    let program = ebpf.program_mut(name).ok_or(MISSING)?;
    let program: &mut Iter = program.try_into().map_err(|error| refused(&error))?;
    let link = program.attach().map_err(|error| refused(&error))?;
    let link = program.take_link(link).map_err(|error| refused(&error))?;
    link.into_file().map_err(|error| refused(&error))
}
