//! Live unwinding of user stacks from registers and a copy of the stack's memory.
//!
//! Programs of common distributions are built without frame pointers, so the kernel's own user
//! call chain ends after one or two frames. The recorder therefore asks the kernel for the user
//! registers and a copy of the stack (`PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER`) and this
//! crate walks it with the call frame information (CFI, `.eh_frame`) of the executed files.
//!
//! How it fits together:
//! * an address space per process knows which file is mapped where,
//! * an image per *file* (shared between processes) holds its CFI and a cache of rules that were
//!   worked out before. The rules are per file and relative, so the second `cc1` of a build finds
//!   everything warm,
//! * the walk applies one rule per frame and says how it ended.
//!
//! **What the frames are.** The output is what `perf` stores as a call chain: the leaf's
//! instruction pointer first, then *return addresses as found on the stack* (not minus one).
//! Whoever names them looks up `address - 1` for all but the first, as `perf report` does.
//!
//! **What root means.** [`StackEnd::Root`] is claimed only when CFI declares the return address of
//! the last frame undefined (`_start`, `clone3`, thread starts), or when code that has no CFI at
//! all (hand-written `_start`, Go) has a zero frame pointer as the x86-64 ABI demands of the
//! outermost frame, or is where the kernel's chain of frame pointers ends. Everything else is [`StackEnd::Truncated`] with its reason.
//!
//! **Why not an existing unwinder.** framehop 0.16 was read first. It keeps rules by absolute address
//! under a 16-bit generation number that every mapping of every process bumps (a build of some ten
//! thousand processes wraps it, after which foreign rules are found), so nothing learnt from one
//! process helps the next; it falls back to frame pointers without saying so when CFI fails; it
//! returns the same `None` for a true root and for a null return address or frame pointer; and it
//! follows two registers only, so a frame whose CFA is in another one is lost. gimli does the
//! parsing in both.

mod cfi;
mod exits;
mod image;
mod images;
mod regs;
mod rule;
mod space;
mod walk;

use std::path::Path;

pub use images::{FileId, ImageCounters, path_of};
pub use regs::UserRegs;

use exits::Budget;
use images::Images;
use space::Spaces;
use walk::Walker;

/// Limits of what an [`Unwinder`] may keep and do.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most frames of one stack; the rest is cut ([`Truncated::DepthLimit`]).
    pub max_depth: usize,
    /// Most processes whose mappings are kept. Beyond it the oldest exited ones go first, then
    /// mappings of new processes are refused (and counted).
    pub max_processes: usize,
    /// Most mappings of one process.
    pub max_mappings: usize,
    /// Bytes of CFI and rules kept over all files; the least recently used files are dropped.
    pub max_image_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 1024,
            max_processes: 32 << 10,
            max_mappings: 16 << 10,
            max_image_bytes: 192 << 20,
        }
    }
}

/// Why a stack ends before its root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Truncated {
    /// The next frame lies beyond the end of the copied stack: a larger dump would have helped.
    DumpTooSmall,
    /// The code has no usable unwind information and frame pointers led nowhere.
    NoUnwindInfo,
    /// The next frame is in memory that is not part of the dump (another stack, a wild pointer) or
    /// does not move towards the root.
    BadMemory,
    /// More frames than [`Limits::max_depth`].
    DepthLimit,
    /// An address belongs to no known executable mapping of the process.
    UnknownMapping,
}

/// How a stack ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StackEnd {
    /// The last frame is the outermost function of the thread.
    Root,
    /// The walk stopped early.
    Truncated(Truncated),
}

/// What one walk yielded beside its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// How the stack ends.
    pub end: StackEnd,
    /// Frames found by following frame pointers through code without CFI (JIT code, Go). Zero
    /// means that every frame is backed by CFI. A guess never passes the check that its return
    /// address lies in executable memory by luck alone, but frames may be missing around it.
    pub frame_pointer_frames: u32,
}

/// The copied memory of a stack.
#[derive(Debug, Clone, Copy)]
pub struct StackParts<'a> {
    /// Bytes from the stack pointer upwards.
    pub inner: &'a [u8],
    /// Address of `outer`.
    pub outer_start: u64,
    /// Bytes of the outermost part of a stack that is too deep to be copied whole. For a whole stack, maybe the bytes
    /// below the stack pointer, where a leaf may keep data (the red zone).
    pub outer: &'a [u8],
}

/// An executable mapping of a process, as `PERF_RECORD_MMAP2` or `/proc/PID/maps` describes it.
#[derive(Debug, Clone, Copy)]
pub struct NewMapping<'a> {
    /// First address.
    pub start: u64,
    /// Address after the last one.
    pub end: u64,
    /// Offset of `start` in the file, in bytes.
    pub file_offset: u64,
    /// Path as the process saw it; `[vdso]`, `//anon` and the like as the kernel names them.
    pub path: &'a Path,
    /// What identifies the file, however often and wherever it is mapped.
    pub file: FileId,
}

/// Knows the code that a runtime generates in memory, or brings without call frame information: its
/// functions, and how its frames look.
pub trait Runtime {
    /// Returns how the frame at `place` looks, and appends the functions that run there to `functions`,
    /// innermost first; they replace the frame's address. `None`: it is not known; if there is no
    /// function, the address stays.
    fn frame(&mut self, place: &GeneratedPlace<'_>, functions: &mut Vec<u64>)
    -> Option<FrameShape>;
}

/// A frame of generated code, or of code in a file without call frame information.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct GeneratedPlace<'a> {
    /// The process.
    pub pid: u32,
    /// The registers as far as they are known: the instruction pointer is the return address, except at
    /// the leaf.
    pub regs: &'a UserRegs,
    /// Whether it was interrupted, not calling.
    pub is_leaf: bool,
    /// Whether the code is in a file.
    pub is_in_file: bool,
    /// Reads a word of the copied stack.
    pub read: &'a dyn Fn(u64) -> Option<u64>,
}

/// How a frame looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameShape {
    /// So large from the stack pointer on; the saved frame pointer and the return address are its last words.
    Sized {
        /// Bytes.
        bytes: u64,
    },
    /// The frame pointer leads to the saved one and the return address.
    FramePointer {
        /// The caller's stack pointer, if it is not right after it.
        caller_stack: Option<u64>,
    },
    /// It is not there yet, or no more.
    Begun,
}

/// Counts of an [`Unwinder`] since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Files: loaded, failed, evicted, bytes held.
    pub images: ImageCounters,
    /// Mappings not kept because a limit of [`Limits`] was reached.
    pub refused_mappings: u64,
}

/// Unwinds user stacks of many processes.
///
/// Feed it the process events of the recording in time order, then [`unwind`](Self::unwind) each
/// dump. Files are opened when a stack first runs through them, not when they are mapped.
#[derive(Debug)]
pub struct Unwinder {
    limits: Limits,
    spaces: Spaces,
    images: Images,
}

impl Unwinder {
    /// An unwinder that knows no process yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            spaces: Spaces::new(limits),
            images: Images::new(limits.max_image_bytes),
        }
    }

    /// Process `pid` (thread group id) has a new executable mapping. Older mappings it overlaps
    /// are cut or removed, as the kernel does.
    pub fn mapping(&mut self, pid: u32, mapping: &NewMapping<'_>) {
        let image = self.images.intern(mapping.path, mapping.file);
        self.spaces.map(pid, mapping, image);
    }

    /// Process `pid` no longer has anything executable in `start..end`.
    pub fn unmap(&mut self, pid: u32, start: u64, end: u64) {
        self.spaces.unmap(pid, start, end);
    }

    /// Process `parent` made process `child`, which begins with the same mappings. Ignored for
    /// threads (`parent == child`).
    pub fn fork(&mut self, parent: u32, child: u32) {
        self.spaces.fork(parent, child);
    }

    /// Process `pid` executes a new program: its mappings are gone; the new ones follow.
    pub fn exec(&mut self, pid: u32) {
        self.spaces.exec(pid);
    }

    /// Process `pid` ended. Its mappings stay for a while, for dumps that are still to come.
    pub fn exit(&mut self, pid: u32) {
        self.spaces.exit(pid);
    }

    /// Walks one stack of process `pid`.
    ///
    /// `stack` holds the bytes from `regs.sp()` upwards. `out` is cleared and receives the leaf's
    /// instruction pointer and then the return addresses.
    pub fn unwind(&mut self, pid: u32, regs: &UserRegs, stack: &[u8], out: &mut Vec<u64>) -> Walk {
        let parts = StackParts {
            inner: stack,
            outer_start: 0,
            outer: &[],
        };
        self.unwind_parts(pid, regs, &parts, out)
    }

    /// Walks one stack of process `pid` from two parts that were copied; see [`Self::unwind`].
    pub fn unwind_parts(
        &mut self,
        pid: u32,
        regs: &UserRegs,
        parts: &StackParts<'_>,
        out: &mut Vec<u64>,
    ) -> Walk {
        self.unwind_with(pid, regs, parts, None, out)
    }

    /// Walks one stack of process `pid`, whose generated code `runtime` knows; see [`Self::unwind`].
    pub fn unwind_with<'a>(
        &'a mut self,
        pid: u32,
        regs: &UserRegs,
        parts: &StackParts<'_>,
        runtime: Option<&'a mut (dyn Runtime + 'a)>,
        out: &mut Vec<u64>,
    ) -> Walk {
        out.clear();
        let max_depth = self.limits.max_depth;
        let mut walker = Walker {
            pid,
            space: self.spaces.get(pid),
            images: &mut self.images,
            runtime,
            budget: Budget::of_stack(),
        };
        walker.walk(regs, parts, max_depth, out)
    }

    /// Continues a walk that stopped early with a call chain that follows frame pointers only.
    ///
    /// `out` holds what [`unwind`](Self::unwind) found, `chain` what the kernel found of the same moment: the
    /// instruction pointer, then return addresses. The walk sees one copied stack; the kernel's chain
    /// passes from one stack of a thread to another, as Go does between the stacks of its runtime and
    /// those of goroutines. It is believed only from the frame where the walk stopped, and only through code
    /// of Go, whose compiler keeps frame pointers. A function that switches stacks may be missing.
    /// Returns how the stack ends now; `None` if nothing was added.
    pub fn continue_by_chain(
        &mut self,
        pid: u32,
        chain: &[u64],
        out: &mut Vec<u64>,
    ) -> Option<StackEnd> {
        let max_depth = self.limits.max_depth;
        self.walker(pid).continue_by_chain(chain, max_depth, out)
    }

    /// Whether code at `address` of process `pid` is the root function of a thread by its CFI.
    ///
    /// `address` is an instruction pointer; pass a return address minus one.
    pub fn is_root_function(&mut self, pid: u32, address: u64) -> bool {
        self.walker(pid).is_root_function(address)
    }

    fn walker(&mut self, pid: u32) -> Walker<'_> {
        Walker {
            pid,
            space: self.spaces.get(pid),
            images: &mut self.images,
            runtime: None,
            budget: Budget::of_stack(),
        }
    }

    /// Counts since the beginning.
    pub fn counters(&self) -> Counters {
        Counters {
            images: self.images.counters(),
            refused_mappings: self.spaces.refused(),
        }
    }
}
