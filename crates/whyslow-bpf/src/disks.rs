//! The eBPF programs that report requests to disks (`bpf/disks.bpf.c`).
//!
//! A disk's completions come in interrupts, often while a CPU is idle. Some machines hide the idle thread of a CPU
//! from perf, which then gets no event of these interrupts: up to two thirds of the completions are missing. Programs
//! at the same tracepoints see them. They copy what the tracepoint says, and the recorder writes it as an event
//! of that tracepoint.

use std::os::fd::{AsFd as _, BorrowedFd};

use aya::programs::TracePoint;
use aya::{Ebpf, EbpfLoader};

use crate::config::Output;
use crate::error::{BpfError, MISSING};
use crate::loaded::Loaded;
use crate::loading;
use crate::sys::set_program;
use crate::words::word;

/// The programs, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/disks.bpf.o");

/// The tracepoints of the group `block`, in the order of `enum tracepoint` in the source, and their programs.
const PROGRAMS: [(&str, &str); 4] = [
    ("block_rq_insert", "on_disk_insert"),
    ("block_rq_requeue", "on_disk_requeue"),
    ("block_rq_issue", "on_disk_issue"),
    ("block_rq_complete", "on_disk_complete"),
];

/// Bytes of the header of what a tracepoint writes: it is not reported.
pub const HEADER_BYTES: usize = 8;
/// Most bytes after it (`MOST_BYTES` in the source).
const MOST_BYTES: usize = 192;

/// The loaded programs. Each runs as long as the event that it is attached to is open.
pub struct DiskReporter {
    ebpf: Ebpf,
}

impl Loaded for DiskReporter {
    fn object(&self) -> &Ebpf {
        &self.ebpf
    }
}

impl std::fmt::Debug for DiskReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiskReporter").finish_non_exhaustive()
    }
}

impl DiskReporter {
    /// Loads the programs, which then do nothing yet; `outputs` has one event per CPU, and `longest` is how many
    /// bytes the longest of the tracepoints writes.
    ///
    /// # Errors
    /// See [`BpfError`]; nothing stays loaded then.
    pub fn load(outputs: &[Output<'_>], longest: usize) -> Result<Self, BpfError> {
        let bytes = longest.saturating_sub(HEADER_BYTES).next_multiple_of(8);
        if bytes > MOST_BYTES {
            return Err(BpfError::Settings("the tracepoints of disks say too much"));
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let mut ebpf = EbpfLoader::new()
            .btf(loading::kernel_types().ok().as_deref())
            .allow_unsupported_maps()
            .override_global("payload_bytes", &bytes, true)
            .map_max_entries("output", loading::cpu_count(outputs)?)
            .load(OBJECT)?;
        loading::set_outputs(&ebpf, outputs)?;
        for (_, name) in PROGRAMS {
            let program = program(&mut ebpf, name)?;
            let loaded = loading::again(|| program.load());
            loaded.map_err(|error| BpfError::refused(name, &error))?;
        }
        Ok(Self { ebpf })
    }

    /// Makes the program for a tracepoint of the group `block` run whenever the kernel reaches it. `event` is an event
    /// of the tracepoint on any CPU; it need not be on.
    ///
    /// # Errors
    /// [`BpfError`], also for other tracepoints.
    pub fn attach(&mut self, tracepoint: &str, event: BorrowedFd<'_>) -> Result<(), BpfError> {
        let mut all = PROGRAMS.iter();
        let (_, name) = all.find(|(known, _)| *known == tracepoint).ok_or(MISSING)?;
        let program = program(&mut self.ebpf, name)?.fd();
        let program = program.map_err(|error| BpfError::refused(name, &error))?;
        set_program(event, program.as_fd()).map_err(|source| BpfError::System {
            what: "attach the program to the tracepoint",
            source,
        })
    }
}

/// Reads what the programs write: the tracepoint, and what it says after its header.
pub fn parse(raw: &[u8]) -> Option<(&'static str, &[u8])> {
    let number = usize::try_from(word(raw, 0)?).ok()?;
    let (tracepoint, _) = PROGRAMS.get(number)?;
    Some((tracepoint, raw.get(8..)?))
}

fn program<'e>(ebpf: &'e mut Ebpf, name: &str) -> Result<&'e mut TracePoint, BpfError> {
    let program = ebpf.program_mut(name).ok_or(MISSING)?;
    program
        .try_into()
        .map_err(|error| BpfError::refused(name, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_its_tracepoint() {
        let mut raw = 3_u64.to_ne_bytes().to_vec();
        raw.extend([5; 8]);
        assert_eq!(parse(&raw), Some(("block_rq_complete", [5; 8].as_slice())));
        raw[0] = 4;
        assert_eq!(parse(&raw), None);
        assert_eq!(parse(&raw[..7]), None);
    }
}
