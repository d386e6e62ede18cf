//! The initial state: processes, threads, mappings and command lines when recording starts, and the
//! states of threads when it starts and ends.
//!
//! As with `perf record`, records of time 0 contain names, parents and mappings, and come before
//! all others in the file. The states are samples of `whyslow:thread` with the time at which they
//! were read: at the start *after* all events were switched on, so a thread whose first event is
//! later was in this state until then; at the end, after they were switched off.

use whyslow_groups::Hierarchies;
use whyslow_perfdata::whyslow_events::{Exec, ExecSource, GroupReading, ThreadState};
use whyslow_perfdata::writer::{MappedFile, MappingRecord, RecordBuffer, SampleIdentity};

use whyslow_proc::cpus;
use whyslow_proc::processes::{self as proc, BirthClock, Mapping};

use crate::events::EventKind;
use crate::goroutines::Scout;
use whyslow_perfdata::abi::context;
use whyslow_proc::build_ids::BuildIds;

use crate::sys::process::allowed_cpus;
use crate::transform::Transform;
use whyslow_bpf::now_ns;

/// Whose rundown it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    /// All processes.
    Everybody,
    /// One process.
    One(u32),
}

impl Whose {
    /// The one process, if it is not that of all.
    pub(crate) fn only(self) -> Option<u32> {
        match self {
            Self::Everybody => None,
            Self::One(pid) => Some(pid),
        }
    }

    fn processes(self) -> Vec<u32> {
        match self {
            Self::Everybody => proc::processes(),
            Self::One(pid) => vec![pid],
        }
    }
}

/// Appends names, parents, mappings, groups and command lines of all processes; `id`: of the side-band.
pub(crate) fn processes(
    whose: Whose,
    id: u64,
    (hierarchies, scout): (&Hierarchies, &Scout),
    transform: &mut Transform,
) {
    let clock = BirthClock::now();
    let every = cpus::online().map_or_else(|_| Vec::new(), |cpus| cpus::words(&cpus));
    let mut build_ids = BuildIds::default();
    for pid in whose.processes() {
        let Some(parent_pid) = threads_of(pid, id, &every, transform) else {
            continue;
        };
        for mapping in proc::executable_mappings(pid) {
            let mut record = RecordBuffer::new();
            push_mapping(&mut record, pid, id, &mapping, &mut build_ids);
            transform.record(0, record.as_bytes());
            scout.look(record.as_bytes());
        }
        groups_of(pid, hierarchies, transform);
        let arguments = proc::command_line(pid);
        if arguments.is_empty() {
            if proc::is_kernel_thread(pid) {
                transform.walker.add_kernel_thread(pid);
            }
            continue;
        }
        let cut = arguments.get(..MAX_ARGUMENT_BYTES);
        let exec = Exec {
            source: ExecSource::Rundown,
            is_cut: cut.is_some(),
            pid,
            parent_pid,
            start_ns: proc::thread_stat(pid, pid)
                .map_or(0, |stat| clock.start_ns(stat.start_ticks)),
            arguments: cut.map_or_else(|| arguments.clone(), <[u8]>::to_vec),
        };
        let mut payload = Vec::new();
        exec.encode(&mut payload);
        let identity = SampleIdentity {
            pid,
            tid: pid,
            time_ns: now_ns(),
            cpu: 0,
            id: 0,
        };
        transform.own_sample(EventKind::ExecArguments, identity, &[], &payload);
    }
}

/// Appends the groups that a process is in.
fn groups_of(pid: u32, hierarchies: &Hierarchies, transform: &mut Transform) {
    for member in hierarchies.members(pid) {
        let mut payload = Vec::new();
        member.encode(&mut payload);
        let identity = SampleIdentity {
            pid,
            tid: pid,
            time_ns: now_ns(),
            cpu: 0,
            id: 0,
        };
        transform.own_sample(EventKind::GroupMember, identity, &[], &payload);
    }
}

/// Appends the figures of groups, after everything else in the file.
pub(crate) fn write_groups(readings: &[GroupReading], transform: &mut Transform) {
    for reading in readings {
        let mut payload = Vec::new();
        reading.encode(&mut payload);
        let identity = SampleIdentity {
            pid: 0,
            tid: 0,
            time_ns: transform.behind_all(now_ns()),
            cpu: 0,
            id: 0,
        };
        transform.own_sample(EventKind::Group, identity, &[], &payload);
    }
}

/// Longest command line in a record of at most 64 KB.
const MAX_ARGUMENT_BYTES: usize = 60 << 10;

/// Appends the names of a process' threads, and the CPUs of those that may not use `every` one;
/// returns the parent's id.
fn threads_of(pid: u32, id: u64, every: &[u64], transform: &mut Transform) -> Option<u32> {
    let mut parent = None;
    for tid in proc::threads(pid) {
        let Some(stat) = proc::thread_stat(pid, tid) else {
            continue;
        };
        parent = Some(stat.parent_pid);
        let identity = SampleIdentity {
            pid,
            tid,
            time_ns: 0,
            cpu: 0,
            id,
        };
        let of = if tid == pid {
            (stat.parent_pid, stat.parent_pid)
        } else {
            (pid, pid)
        };
        let out = transform.output();
        out.fork((pid, tid), of, &identity);
        out.comm(pid, tid, &stat.name, &identity);
        let cpus = allowed_cpus(tid).filter(|cpus| cpus != every);
        if let Some(cpus) = cpus {
            let time_ns = now_ns();
            let identity = SampleIdentity {
                time_ns,
                ..identity
            };
            transform.affinity(identity, true, cpus);
        }
    }
    parent
}

fn push_mapping(
    out: &mut RecordBuffer,
    pid: u32,
    id: u64,
    mapping: &Mapping,
    build_ids: &mut BuildIds,
) {
    let (major, minor) = mapping.device;
    let inode = mapping.inode;
    let path = String::from_utf8_lossy(&mapping.path);
    let places = [
        // The file itself, even if it was deleted or replaced or is in another mount namespace.
        format!(
            "/proc/{pid}/map_files/{:x}-{:x}",
            mapping.start, mapping.end
        ),
        format!("/proc/{pid}/root{path}"),
    ];
    let build_id = if inode == 0 {
        None
    } else {
        build_ids.of((major, minor, inode), places.iter())
    };
    let file = build_id.map_or(
        MappedFile::Inode {
            major,
            minor,
            inode,
        },
        MappedFile::BuildId,
    );
    let path = mapping
        .path
        .strip_suffix(b" (deleted)")
        .unwrap_or(&mapping.path);
    out.mapping(
        &MappingRecord {
            pid,
            tid: pid,
            start: mapping.start,
            size_bytes: mapping.end - mapping.start,
            file_offset: mapping.file_offset,
            file,
            protection: mapping.protection,
            flags: mapping.flags,
            path,
        },
        &SampleIdentity {
            pid,
            tid: pid,
            time_ns: 0,
            cpu: 0,
            id,
        },
    );
}

/// The state of one thread at one moment, ready to be written.
#[derive(Debug)]
pub(crate) struct ThreadReading {
    pub(crate) identity: SampleIdentity,
    payload: Vec<u8>,
    /// Call chain of where in the kernel it waits; empty: not known.
    pub(crate) chain: Vec<u64>,
}

/// Reads the state of every thread as of now.
pub(crate) fn thread_states(whose: Whose, at_end: bool) -> Vec<ThreadReading> {
    let clock = BirthClock::now();
    let mut readings = Vec::new();
    for pid in whose.processes() {
        for tid in proc::threads(pid) {
            let time_ns = now_ns();
            let Some(stat) = proc::thread_stat(pid, tid) else {
                continue;
            };
            let state = ThreadState {
                at_end,
                state: stat.state,
                pid,
                tid,
                parent_pid: stat.parent_pid,
                start_ns: clock.start_ns(stat.start_ticks),
                wait_channel: proc::wait_channel(pid, tid),
            };
            let mut payload = Vec::new();
            state.encode(&mut payload);
            readings.push(ThreadReading {
                identity: SampleIdentity {
                    pid,
                    tid,
                    time_ns,
                    cpu: 0,
                    id: 0,
                },
                payload,
                chain: Vec::new(),
            });
        }
    }
    readings
}

/// Appends what [`thread_states`] has read.
pub(crate) fn write_states(readings: &[ThreadReading], transform: &mut Transform) {
    for reading in readings {
        for &ip in reading.chain.iter().filter(|&&ip| ip < context::MAX) {
            transform.addresses.add(ip);
        }
        let (identity, chain) = (reading.identity, &reading.chain);
        transform.own_sample(EventKind::ThreadState, identity, chain, &reading.payload);
    }
}
