//! User halves of stacks: from registers and a copy of memory to a call chain and its end.
//!
//! Wraps the unwinder of `whyslow-symbols`: feeds it the side-band records in time order, and
//! translates how stacks end.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use whyslow_perfdata::whyslow_events::UserStackEnd;
use whyslow_runtimes::Generated;
use whyslow_unwind::{
    FileId, Limits, NewMapping, Runtime, StackEnd, StackParts, Truncated, Unwinder, UserRegs,
};

use crate::mapped::Mapped;
use crate::raw_record::{Dump, u32_at, u64_at};
use crate::report::UserStackCounts;
use whyslow_bpf::payload::StackDump;
use whyslow_perfdata::abi::{context, misc, record};

/// Registers the unwinder wants, as a mask of `PERF_REG_*` bits; 0 where it knows no such machine.
pub(crate) const USER_REGISTERS: u64 = if cfg!(target_arch = "x86_64") {
    UserRegs::PERF_MASK_X86_64
} else {
    0
};

/// Unwinds the user halves of all processes.
#[derive(Debug)]
pub(crate) struct Walker {
    unwinder: Unwinder,
    /// The code that programs generate.
    pub(crate) generated: Generated,
    frames: Vec<u64>,
    registers: Vec<u64>,
    counts: UserStackCounts,
    kernel_threads: HashSet<u32>,
    is_hurried: bool,
    skipped: u64,
}

impl Walker {
    /// Returns a walker that knows no process.
    pub(crate) fn new() -> Self {
        Self {
            unwinder: Unwinder::new(Limits::default()),
            generated: Generated::default(),
            frames: Vec::new(),
            registers: Vec::new(),
            counts: UserStackCounts::default(),
            kernel_threads: HashSet::new(),
            is_hurried: false,
            skipped: 0,
        }
    }

    /// How the stacks ended so far.
    pub(crate) fn counts(&self) -> UserStackCounts {
        self.counts
    }

    /// Sets whether there is no time for unwinding: then only the innermost frame is kept. Returns
    /// the previous setting.
    pub(crate) fn set_hurried(&mut self, is_hurried: bool) -> bool {
        std::mem::replace(&mut self.is_hurried, is_hurried)
    }

    /// Stacks that were not unwound for lack of time.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Learns from a non-sample record.
    pub(crate) fn side_band(&mut self, kind: u32, misc: u16, record: &[u8]) {
        let (pid, second) = (u32_at(record, 8), u32_at(record, 12));
        match kind {
            record::MMAP2 => self.mapping(misc, record),
            record::COMM if misc & misc::COMM_EXEC != 0 => {
                self.kernel_threads.remove(&pid);
                self.unwinder.exec(pid);
                self.generated.forget(pid);
            }
            // pid, parent pid, tid, parent tid.
            record::FORK if pid != second => {
                if self.is_kernel_thread(second) && second != 0 {
                    self.kernel_threads.insert(pid);
                }
                self.unwinder.fork(second, pid);
                self.generated.forget(pid);
            }
            record::EXIT if pid == u32_at(record, 16) => {
                self.kernel_threads.remove(&pid);
                self.unwinder.exit(pid);
                self.generated.forget(pid);
            }
            _ => {}
        }
    }

    fn mapping(&mut self, misc: u16, record: &[u8]) {
        let Some(mapped) = Mapped::of_record(record) else {
            return;
        };
        self.generated.mapping(&mapped);
        let Mapped {
            pid,
            start,
            end,
            file_offset,
            path,
            ..
        } = mapped;
        let file = if misc & misc::MMAP_BUILD_ID != 0 {
            let length = usize::from(record.get(40).copied().unwrap_or(0));
            FileId::build_id(
                record
                    .get(44..64)
                    .and_then(|id| id.get(..length))
                    .unwrap_or_default(),
            )
        } else {
            FileId::Inode {
                major: u32_at(record, 40),
                minor: u32_at(record, 44),
                inode: u64_at(record, 48),
                generation: u64_at(record, 56),
            }
        };
        let mapping = NewMapping {
            start,
            end,
            file_offset,
            path: Path::new(OsStr::from_bytes(path)),
            file,
        };
        self.unwinder.mapping(pid, &mapping);
    }

    /// Appends the user half of a stack, from a plain dump, to a call chain.
    pub(crate) fn append(&mut self, pid: u32, dump: Dump<'_>, chain: &mut Vec<u64>) {
        let end = self.walk_dump(pid, dump);
        self.push(end, chain);
    }

    /// Appends the user half of a stack, from an eBPF program's copy, to a call chain. `None`: it
    /// could not be copied.
    pub(crate) fn append_parts(
        &mut self,
        pid: u32,
        stack: Option<&StackDump<'_>>,
        chain: &mut Vec<u64>,
    ) -> UserStackEnd {
        self.frames.clear();
        let end = stack.map_or(UserStackEnd::NotCaptured, |stack| {
            let parts = StackParts {
                inner: stack.inner,
                outer_start: stack.outer_start,
                outer: stack.outer,
            };
            let end = self.walk(pid, &stack.regs, &parts);
            self.walk_on(pid, end, stack.pointers)
        });
        self.push(end, chain);
        end
    }

    /// Continues a walk that stopped early along the return addresses that frame pointers lead to.
    fn walk_on(&mut self, pid: u32, end: UserStackEnd, pointers: &[u8]) -> UserStackEnd {
        if end == UserStackEnd::Root || pointers.is_empty() {
            return end;
        }
        let pointers: Vec<u64> = pointers
            .chunks_exact(8)
            .map(|word| u64_at(word, 0))
            .collect();
        let unwinder = &mut self.unwinder;
        let found = unwinder.continue_by_chain(pid, &pointers, &mut self.frames);
        found.map_or(end, end_of)
    }

    /// Appends the user half of a stack, from registers and the memory from the stack pointer on.
    pub(crate) fn append_copy(
        &mut self,
        pid: u32,
        regs: &UserRegs,
        stack: &[u8],
        chain: &mut Vec<u64>,
    ) -> UserStackEnd {
        let end = self.walk(pid, regs, &whole(stack));
        self.push(end, chain);
        end
    }

    /// Lengthens the user half of a chain, from `start` on, that stopped early: by the kernel's own
    /// user half of the same moment, which follows frame pointers from one stack to another.
    pub(crate) fn lengthen(
        &mut self,
        pid: u32,
        pointers: &[u64],
        start: usize,
        chain: &mut Vec<u64>,
    ) {
        let half = chain.get(start..).unwrap_or_default();
        let (frames, end) = UserStackEnd::split(half);
        if end == UserStackEnd::Root as usize || pointers.len() < 2 {
            return;
        }
        // The marker that opens the half is no frame.
        self.frames.clear();
        self.frames.extend(frames.iter().skip(1));
        let Some(end) = self
            .unwinder
            .continue_by_chain(pid, pointers, &mut self.frames)
        else {
            return;
        };
        self.counts.truncated -= 1;
        chain.truncate(start);
        self.push(end_of(end), chain);
    }

    /// Appends a user half that is missing although expected.
    pub(crate) fn append_absent(&mut self, chain: &mut Vec<u64>) {
        self.frames.clear();
        self.push(UserStackEnd::NotCaptured, chain);
    }

    /// Whether a process runs in the kernel only: a kernel thread from the start, or one that such
    /// a thread started.
    pub(crate) fn is_kernel_thread(&self, pid: u32) -> bool {
        pid == 0 || self.kernel_threads.contains(&pid)
    }

    /// A process that runs in the kernel only was there at the start.
    pub(crate) fn add_kernel_thread(&mut self, pid: u32) {
        self.kernel_threads.insert(pid);
    }

    fn push(&mut self, end: UserStackEnd, chain: &mut Vec<u64>) {
        chain.push(context::USER);
        chain.extend_from_slice(&self.frames);
        chain.resize(chain.len() + end as usize, context::USER);
        match end {
            UserStackEnd::Root => self.counts.complete += 1,
            _ if self.frames.is_empty() => self.counts.absent += 1,
            _ => self.counts.truncated += 1,
        }
    }

    fn walk_dump(&mut self, pid: u32, dump: Dump<'_>) -> UserStackEnd {
        self.frames.clear();
        self.registers.clear();
        self.registers
            .extend(dump.registers.chunks_exact(8).map(|word| u64_at(word, 0)));
        let regs = UserRegs::from_perf_x86_64(USER_REGISTERS, &self.registers);
        let Some(regs) = regs else {
            return UserStackEnd::NotCaptured;
        };
        if !dump.is_64_bit {
            self.frames.push(regs.ip());
            return UserStackEnd::NoUnwindInfo;
        }
        self.walk(pid, &regs, &whole(dump.stack))
    }

    /// Finds the frames of a stack.
    fn walk(&mut self, pid: u32, regs: &UserRegs, parts: &StackParts<'_>) -> UserStackEnd {
        let only_innermost = if self.is_hurried {
            self.skipped += 1;
            Some(UserStackEnd::Skipped)
        } else {
            parts.inner.is_empty().then_some(UserStackEnd::NotCaptured)
        };
        if let Some(end) = only_innermost {
            self.frames.clear();
            self.frames.push(regs.ip());
            return end;
        }
        let runtime = Some(&mut self.generated as &mut dyn Runtime);
        let walk = self
            .unwinder
            .unwind_with(pid, regs, parts, runtime, &mut self.frames);
        end_of(walk.end)
    }
}

/// A stack that was copied in one part.
fn whole(stack: &[u8]) -> StackParts<'_> {
    StackParts {
        inner: stack,
        outer_start: 0,
        outer: &[],
    }
}

fn end_of(end: StackEnd) -> UserStackEnd {
    match end {
        StackEnd::Root => UserStackEnd::Root,
        StackEnd::Truncated(Truncated::DumpTooSmall) => UserStackEnd::DumpTooSmall,
        StackEnd::Truncated(Truncated::NoUnwindInfo) => UserStackEnd::NoUnwindInfo,
        StackEnd::Truncated(Truncated::DepthLimit) => UserStackEnd::DepthLimit,
        StackEnd::Truncated(Truncated::UnknownMapping) => UserStackEnd::UnknownMapping,
        StackEnd::Truncated(_) => UserStackEnd::BadMemory,
    }
}
