//! What the kernel permits, and what the user should know about the rest.

use std::io;

use rustix::io::Errno;

use crate::error::Error;
use crate::events::{self, Scope};
use crate::report::Missing;
use crate::settings::Settings;
use crate::sys::perf::{PerfEvent, Target};
use crate::walker::USER_REGISTERS;
use whyslow_bpf::BpfError;

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
const REMEDY_ALL: &str =
    "record as root; `whyslow setup` explains how other users may be allowed to record";

/// What the kernel lets this user record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permitted {
    /// Only commands that are started for it, and their children.
    pub is_own_only: bool,
    /// What happens inside the kernel, too.
    pub has_kernel: bool,
}

/// Asks the kernel what this user may record.
///
/// # Errors
/// [`Error::NotPermitted`] if it is nothing at all.
pub fn permitted() -> Result<Permitted, Error> {
    probe().map(|scope| Permitted {
        is_own_only: scope.is_own_only,
        has_kernel: scope.has_kernel,
    })
}

/// Finds the widest scope that the kernel permits, and what it can do.
pub(crate) fn probe() -> Result<Scope, Error> {
    let widest = Scope {
        is_own_only: false,
        has_kernel: true,
        has_lost_count: true,
        user_registers: USER_REGISTERS,
        has_build_ids: true,
    };
    let mut refusal = None;
    for (is_own_only, has_kernel) in [(false, true), (true, true), (true, false)] {
        let scope = Scope {
            is_own_only,
            has_kernel,
            ..widest
        };
        match probe_features(scope) {
            Ok(scope) => return Ok(scope),
            Err(error) => refusal = Some(error),
        }
    }
    let error = refusal.unwrap_or_else(|| io::Error::from(io::ErrorKind::PermissionDenied));
    Err(refused("open an event", error))
}

/// Older kernels return EINVAL for what they do not know: build ids (5.12), lost counts (6.0).
fn probe_features(scope: Scope) -> io::Result<Scope> {
    let mut last = Err(io::Error::from(io::ErrorKind::InvalidInput));
    for (has_build_ids, has_lost_count) in [(true, true), (true, false), (false, false)] {
        let scope = Scope {
            has_build_ids,
            has_lost_count,
            ..scope
        };
        match try_open(scope) {
            Ok(()) => return Ok(scope),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => last = Err(error),
            Err(error) => return Err(error),
        }
    }
    last
}

fn try_open(scope: Scope) -> io::Result<()> {
    let target = if scope.is_own_only {
        Target::TaskOnCpu { pid: 0, cpu: 0 }
    } else {
        Target::Cpu(0)
    };
    let settings = Settings::new("");
    for spec in [
        events::side_band(scope, 0),
        events::cpu_clock(&settings, scope, true),
    ] {
        PerfEvent::open(&spec.attr, target)?;
    }
    Ok(())
}

const NETWORK: &str = "connections and names that were looked up";
/// What the programs that count system calls give.
const SYSTEM_CALLS: &str = "counts and times of system calls, and marks that programs set";

/// What a narrow scope leaves out.
pub(crate) fn missing_scope(scope: Scope) -> Vec<Missing> {
    let mut missing = Vec::new();
    let paranoid = std::fs::read_to_string(PARANOID).unwrap_or_default();
    let why = format!("kernel.perf_event_paranoid is {}", paranoid.trim());
    if scope.is_own_only {
        missing.push(Missing {
            what: "processes other than the command and its children; why threads wait and who \
                   wakes them; command lines and exit codes"
                .to_owned(),
            why: why.clone(),
            remedy: REMEDY_ALL.to_owned(),
        });
    }
    if !scope.has_kernel {
        missing.push(Missing {
            what: "CPU time and stacks inside the kernel".to_owned(),
            why,
            remedy: format!("{REMEDY_ALL}; or: sysctl kernel.perf_event_paranoid=1"),
        });
    }
    if scope.user_registers == 0 {
        missing.push(Missing {
            what: "user stacks".to_owned(),
            why: "stacks are unwound on x86-64 only".to_owned(),
            remedy: "record on an x86-64 machine".to_owned(),
        });
    }
    missing
}

/// The rings had to be smaller than asked for.
pub(crate) fn small_rings(got_bytes: usize, wanted_bytes: usize) -> Missing {
    Missing {
        what: format!(
            "with buffers of {} KB per CPU (they have {} KB)",
            wanted_bytes >> 10,
            got_bytes >> 10
        ),
        why: "kernel.perf_event_mlock_kb and the limit of locked memory allow no more".to_owned(),
        remedy: "more events may be lost; raise the limit (ulimit -l) or record as root".to_owned(),
    }
}

/// There is no memory for the rings.
pub(crate) fn no_rings(bytes: usize, cpus: usize, source: io::Error) -> Error {
    let all = bytes.saturating_mul(cpus) >> 10;
    Error::System {
        what: format!(
            "cannot get buffers of {} KiB per CPU ({all} KiB in all; choose a smaller --buffer)",
            bytes >> 10
        ),
        source,
    }
}

/// The formats of tracepoints cannot be read.
pub(crate) fn no_tracefs(error: &io::Error) -> Missing {
    Missing {
        what: "context switches, wake-ups and everything else that comes from tracepoints"
            .to_owned(),
        why: format!("/sys/kernel/tracing cannot be read: {error}"),
        remedy: REMEDY_ALL.to_owned(),
    }
}

/// There are no eBPF programs.
pub(crate) fn no_programs(error: &BpfError) -> Missing {
    let remedy = match error {
        BpfError::NotPermitted => REMEDY_ALL,
        BpfError::NoTypeInformation => "use a kernel with CONFIG_DEBUG_INFO_BTF",
        _ => "nothing to do on this kernel; see why",
    };
    Missing {
        what:
            "exit codes, exact command lines, and user stacks of waits, of preempted threads and \
               of wakers"
                .to_owned(),
        why: error.to_string(),
        remedy: remedy.to_owned(),
    }
}

/// The frames of Python programs cannot be read.
pub(crate) fn no_python(error: &BpfError) -> Missing {
    Missing {
        what: "the functions of Python, Ruby, PHP and Perl programs".to_owned(),
        ..no_programs(error)
    }
}

/// The frames of programs on this Java virtual machine cannot be read.
pub(crate) fn other_java(field: &str) -> Missing {
    Missing {
        what: "the functions of programs of a Java virtual machine".to_owned(),
        why: format!("it does not expose {field}"),
        remedy: "use OpenJDK 11 to 25; the virtual machine's own functions are recorded".to_owned(),
    }
}

/// The goroutines of programs built with this version of Go cannot be read.
pub(crate) fn other_go(minor: u32) -> Missing {
    Missing {
        what: format!("what goroutines of Go 1.{minor} programs wait for"),
        why: "the runtime's structures are not those of a known version".to_owned(),
        remedy: "build with Go 1.18 to 1.26; the threads of the program are recorded".to_owned(),
    }
}

/// The frames of programs on this JavaScript engine cannot be read.
pub(crate) fn other_node(field: &str) -> Missing {
    Missing {
        what: "the functions of JavaScript programs".to_owned(),
        why: format!("the engine does not expose {field}"),
        remedy: "use Node.js 18 to 24; the engine's own functions are recorded".to_owned(),
    }
}

/// The frames of programs of a version of Python, Ruby, PHP or Perl cannot be read.
pub(crate) fn other_interpreter(version: &str) -> Missing {
    let known = match version.split(' ').next() {
        Some("Ruby") => "Ruby 3.0 to 3.4, built with a shared library",
        Some("PHP") => "PHP 7.3 to 8.5, built without threads",
        Some("Perl") => "Perl 5.34 to 5.40, built with threads",
        _ => "Python 3.8 to 3.15, built with the lock (GIL)",
    };
    Missing {
        what: format!("the functions of programs that {version} runs"),
        why: "how that version keeps them is not known".to_owned(),
        remedy: format!("use {known}; the interpreter's own functions are recorded"),
    }
}

/// System calls are not counted, as requested.
pub(crate) fn uncounted_calls(why: &str) -> Missing {
    Missing {
        what: SYSTEM_CALLS.to_owned(),
        why: why.to_owned(),
        remedy: "record without --no-bpf and --no-syscalls, and with this part".to_owned(),
    }
}

/// System calls cannot be counted without rights.
pub(crate) fn forbidden_calls() -> Missing {
    no_calls(&BpfError::NotPermitted)
}

/// System calls cannot be counted.
pub(crate) fn no_calls(error: &BpfError) -> Missing {
    Missing {
        what: SYSTEM_CALLS.to_owned(),
        ..no_programs(error)
    }
}

/// Calls about files cannot be counted by file.
pub(crate) fn no_files(error: &BpfError) -> Missing {
    Missing {
        what: "which files programs work with".to_owned(),
        ..no_programs(error)
    }
}

/// Connections and look-ups were not asked for.
pub(crate) fn no_network_asked() -> Missing {
    Missing {
        what: NETWORK.to_owned(),
        why: "they were not requested".to_owned(),
        remedy: "record without --no-bpf and --no-network, and with this part".to_owned(),
    }
}

/// Parts that were not requested and that nothing else reports.
pub(crate) fn left_out(settings: &Settings) -> Vec<Missing> {
    let counts_files = settings.count_system_calls && settings.record_files;
    let all = [
        ("requests to disks", settings.record_disks),
        (
            "stalls for lack of memory, and how much memory processes have",
            settings.record_memory,
        ),
        (
            "which files programs work with",
            settings.record_files || !settings.count_system_calls,
        ),
        (
            "single calls about files",
            settings.file_rows_per_second > 0 || !counts_files,
        ),
    ];
    let left_out = all.into_iter().filter(|&(_, is_there)| !is_there);
    let missing = |(what, _): (&str, bool)| Missing {
        what: what.to_owned(),
        why: "they were not requested".to_owned(),
        remedy: "record with this part (--profile, --only, --without)".to_owned(),
    };
    left_out.map(missing).collect()
}

/// Connections and look-ups cannot be followed.
pub(crate) fn no_network(error: &BpfError) -> Missing {
    Missing {
        what: NETWORK.to_owned(),
        ..no_programs(error)
    }
}

/// One event cannot be opened.
pub(crate) fn no_event(name: &str, error: &io::Error) -> Missing {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "this kernel has no such event".to_owned(),
        io::ErrorKind::PermissionDenied => REMEDY_ALL.to_owned(),
        _ => "see why".to_owned(),
    };
    Missing {
        what: format!("events {name}"),
        why: error.to_string(),
        remedy,
    }
}

/// Nothing can be recorded.
pub(crate) fn refused(what: &str, source: io::Error) -> Error {
    let paranoid = std::fs::read_to_string(PARANOID).unwrap_or_default();
    let remedy = match Errno::from_io_error(&source) {
        Some(Errno::ACCESS | Errno::PERM) => format!(
            "kernel.perf_event_paranoid is {}: {REMEDY_ALL}; or allow recording of own processes: \
             sysctl kernel.perf_event_paranoid=2",
            paranoid.trim()
        ),
        Some(Errno::NOSYS) => "a kernel with CONFIG_PERF_EVENTS is needed".to_owned(),
        Some(Errno::MFILE | Errno::NFILE) => "raise the limit of open files (ulimit -n)".to_owned(),
        _ => "the kernel gave no reason".to_owned(),
    };
    Error::NotPermitted {
        what: what.to_owned(),
        source,
        remedy,
    }
}
