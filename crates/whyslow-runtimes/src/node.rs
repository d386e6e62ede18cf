//! The frames of JavaScript programs that Node.js runs, between the native ones.
//!
//! V8 exports how its objects and frames are laid out ([`whyslow_symbols::v8`]). While stacks are unwound,
//! soon after they were copied, the process's memory says which function a frame is of. Nothing is asked of
//! the program, and it is never stopped.
//!
//! A frame becomes an address like those of Python's functions (`whyslow_perfdata::whyslow_events`).

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use whyslow_perfdata::whyslow_events::CodeLanguage;
use whyslow_symbols::v8::{FrameAt, Frames, Function, Layout, NoLayout, Running};
use whyslow_unwind::{FrameShape, GeneratedPlace};

use crate::functions::{Described, Functions};
use crate::mapping::{FileKey, Mapping};
use crate::process_memory::ProcessMemory;

/// Files that are remembered.
const MOST_FILES: usize = 256;
/// Processes that are followed.
const MOST_PROCESSES: usize = 512;
/// Functions that are remembered of a process.
const MOST_FUNCTIONS: usize = 64 << 10;
/// Most distinct complaints.
const MOST_UNKNOWN: usize = 16;

/// A program that can be read.
#[derive(Debug)]
struct Program {
    memory: ProcessMemory,
    frames: Frames,
    /// By where it is kept, what it was and its number.
    functions: HashMap<usize, (Arc<Function>, usize)>,
}

/// What is known about the JavaScript programs of a recording.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// `None`: nothing can be read.
    files: HashMap<FileKey, Option<Arc<Layout>>>,
    programs: HashMap<u32, Program>,
    unknown: BTreeSet<String>,
    refused: u64,
}

impl Node {
    /// Looks for V8 in a mapped file.
    pub(crate) fn mapping(&mut self, mapped: &dyn Mapping) {
        let path = std::str::from_utf8(mapped.path()).ok();
        let Some(path) = path.filter(|path| may_hold_v8(path)) else {
            return;
        };
        if self.programs.contains_key(&mapped.pid()) {
            return;
        }
        if self.programs.len() >= MOST_PROCESSES {
            self.refused += 1;
            return;
        }
        if !self.files.contains_key(&mapped.file()) {
            self.read(mapped, path);
        }
        let layout = self.files.get(&mapped.file()).cloned().flatten();
        if let (Some(layout), Some(memory)) = (layout, ProcessMemory::of(mapped)) {
            let program = Program {
                memory,
                frames: Frames::new(layout),
                functions: HashMap::new(),
            };
            self.programs.insert(mapped.pid(), program);
        }
    }

    /// Process `pid` runs something else.
    pub(crate) fn forget(&mut self, pid: u32) {
        self.programs.remove(&pid);
    }

    /// Whether the frames of process `pid` can be read.
    pub(crate) fn has(&self, pid: u32) -> bool {
        self.programs.contains_key(&pid)
    }

    /// Processes that there was no room for.
    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }

    /// What is not known about engines of other versions.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.iter().map(String::as_str)
    }

    /// Finds the function of a frame; see `whyslow_unwind::Runtime`.
    pub(crate) fn frame(
        &mut self,
        place: &GeneratedPlace<'_>,
        now_ns: u64,
        known: &mut Functions,
        functions: &mut Vec<u64>,
    ) -> Option<FrameShape> {
        let program = self.programs.get_mut(&place.pid)?;
        let at = FrameAt {
            address: place.regs.ip(),
            is_leaf: place.is_leaf,
            is_in_file: place.is_in_file,
            frame: place.regs.frame_pointer()?,
            stack: place.regs.sp(),
            read: place.read,
        };
        let frame = program.frames.at(&program.memory, now_ns, &at)?;
        for running in &frame.running {
            functions.extend(program.address(running, known));
        }
        Some(match frame.is_complete {
            true => FrameShape::FramePointer { caller_stack: None },
            false => FrameShape::Begun,
        })
    }

    fn read(&mut self, mapped: &dyn Mapping, path: &str) {
        if self.files.len() >= MOST_FILES {
            self.files.clear();
        }
        let mut places = mapped.places(path);
        let read = places.find_map(|place| match Layout::read(&place) {
            Err(NoLayout::Unreadable) => None,
            read => Some(read),
        });
        // A process that has already ended says nothing about the file.
        let Some(read) = read else {
            return;
        };
        if let Err(NoLayout::Missing(what)) = &read
            && self.unknown.len() < MOST_UNKNOWN
        {
            self.unknown.insert(what.clone());
        }
        self.files.insert(mapped.file(), read.ok().map(Arc::new));
    }
}

impl Program {
    /// The address that represents a line of a function.
    fn address(&mut self, running: &Running, known: &mut Functions) -> Option<u64> {
        let function = &running.function;
        let key = Arc::as_ptr(function).addr();
        // What is remembered is kept, so nothing else is where it is.
        if let Some(&(_, number)) = self.functions.get(&key) {
            return known.address(number, running.line);
        }
        let first = function.line.unwrap_or(0);
        let last = function.last_line.unwrap_or(first);
        let number = known.number(Described {
            language: CodeLanguage::JavaScript,
            name: function.name.clone(),
            file: function.file.to_string(),
            lines: (first, last),
        })?;
        if self.functions.len() >= MOST_FUNCTIONS {
            self.functions.clear();
        }
        self.functions.insert(key, (Arc::clone(function), number));
        known.address(number, running.line)
    }
}

/// Returns whether a file may hold V8, by its name.
fn may_hold_v8(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("node") || name.starts_with("libnode")
}
