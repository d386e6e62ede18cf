//! Stack dumps of a recording made with `perf record --call-graph dwarf`: unwound here.
//!
//! Unwinding needs the files that were executed. So it is done only on the machine of the
//! recording, recognized by the names of machine and kernel: elsewhere the same path may be another
//! file, and a wrong stack is worse than none. A dump that is not unwound is counted, and the stack
//! has no user half.

use whyslow_perfdata::{Features, Mmap, Sample};
use whyslow_unwind::{FileId, Limits, NewMapping, StackEnd, Unwinder, UserRegs, path_of};

use crate::importer::Importer;
use whyslow_stacks::{HalfRef, Root};

/// Registers of a process of 64 bits.
const ABI_64: u64 = 2;

/// Unwinds stack dumps.
#[derive(Debug, Default)]
pub(super) struct Dumps {
    unwinder: Option<Box<Unwinder>>,
    registers: Vec<u64>,
    frames: Vec<u64>,
    /// Dumps that were not unwound.
    pub(super) unwalked: u64,
}

impl Dumps {
    /// Returns an unwinder; it works only if the recording `has_dumps` and was made on this
    /// machine.
    pub(super) fn new(has_dumps: bool, features: &Features) -> Self {
        let can_walk = has_dumps && is_this_machine(features);
        Self {
            unwinder: can_walk.then(|| Box::new(Unwinder::new(Limits::default()))),
            ..Self::default()
        }
    }

    /// A file was mapped.
    pub(super) fn mapping(&mut self, pid: u32, mmap: &Mmap<'_>) {
        let Some(unwinder) = &mut self.unwinder else {
            return;
        };
        let file = match mmap.inode {
            _ if !mmap.build_id.is_empty() => FileId::build_id(mmap.build_id),
            Some(inode) if inode.number != 0 => FileId::Inode {
                major: inode.major,
                minor: inode.minor,
                inode: inode.number,
                generation: inode.generation,
            },
            _ => FileId::Unknown,
        };
        let mapping = NewMapping {
            start: mmap.address,
            end: mmap.address.saturating_add(mmap.length),
            file_offset: mmap.file_offset,
            path: &path_of(mmap.path),
            file,
        };
        unwinder.mapping(pid, &mapping);
    }

    /// A process made another one.
    pub(super) fn fork(&mut self, parent: u32, child: u32) {
        if let Some(unwinder) = &mut self.unwinder {
            unwinder.fork(parent, child);
        }
    }

    /// A process became another program.
    pub(super) fn exec(&mut self, pid: u32) {
        if let Some(unwinder) = &mut self.unwinder {
            unwinder.exec(pid);
        }
    }

    /// A process ended.
    pub(super) fn exit(&mut self, pid: u32) {
        if let Some(unwinder) = &mut self.unwinder {
            unwinder.exit(pid);
        }
    }

    /// Returns the user half of a sample that has a dump; `None` if it has none.
    pub(super) fn walk(
        &mut self,
        importer: &mut Importer<'_>,
        sample: &Sample<'_>,
    ) -> Option<HalfRef> {
        let extras = sample.extras()?;
        let dump = extras.user_stack?;
        let registers = extras
            .user_registers
            .filter(|registers| registers.abi == ABI_64);
        let pid = sample.pid().and_then(|pid| u32::try_from(pid).ok());
        let (Some(registers), Some(pid), Some(unwinder)) = (registers, pid, self.unwinder.as_mut())
        else {
            self.unwalked += u64::from(!dump.bytes.is_empty());
            return None;
        };
        self.registers.clear();
        self.registers.extend(registers.values.iter());
        let registers = UserRegs::from_perf_x86_64(registers.mask, &self.registers)?;
        let walk = unwinder.unwind(pid, &registers, dump.bytes, &mut self.frames);
        for frame in self.frames.iter_mut().skip(1) {
            *frame = frame.wrapping_sub(1);
        }
        let root = match walk.end {
            StackEnd::Root => Root::UserComplete,
            StackEnd::Truncated(_) => Root::UserTruncated,
        };
        Some(importer.half(root, &self.frames))
    }
}

fn is_this_machine(features: &Features) -> bool {
    let is = |file: &str, recorded: &Option<String>| {
        let here = std::fs::read_to_string(file).unwrap_or_default();
        recorded.as_deref() == Some(here.trim())
    };
    features.arch.as_deref() == Some("x86_64")
        && is("/proc/sys/kernel/hostname", &features.hostname)
        && is("/proc/sys/kernel/osrelease", &features.os_release)
}
