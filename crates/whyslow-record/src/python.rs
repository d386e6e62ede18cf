//! The frames of Python programs, and of Ruby, PHP and Perl, between the native ones.
//!
//! ```text
//! mapping of a file with an interpreter ─► the eBPF programs are told where it keeps its threads
//! copy of a stack  ─ unwound ─► native frames ┐
//! frames of the thread at the same moment ────┴─► one call chain
//! ```
//!
//! A frame becomes an address like all others: each function has a range of addresses that no
//! process can have, in which the address says the line (`whyslow_perfdata::whyslow_events`). Names
//! and files are written once per function, whatever the number of processes that run it.

mod announcer;
mod interpreters;

use std::collections::HashMap;

use whyslow_perfdata::whyslow_events::CodeObject;
use whyslow_runtimes::interpreted::payload::{Code, Frame, Frames, LOOP_FRAMES, ScriptCode};
use whyslow_runtimes::interpreted::{Functions, Run, Runs, name_innermost, splice};

use crate::limit_reached::LimitReached;
use crate::mapped::Mapped;
use interpreters::Process;
use whyslow_bpf::PythonCost;

pub(crate) use announcer::Announcer;
pub(crate) use interpreters::Interpreters;

/// Names of the interpreter's functions that collect garbage and that wait for its lock.
const COLLECTS: &str = "gc_collect_main";
const WAITS_FOR_GIL: &str = "take_gil";
/// The same of Ruby.
const RUBY_COLLECTS: &str = "gc_marks";
const RUBY_WAITS: &str = "gvl_acquire";
/// The function in which an event loop waits.
const SELECTS: &str = "select";
/// Processes that are followed.
const MOST_PROCESSES: usize = 16 << 10;

/// What is known of the Python programs of a recording.
#[derive(Debug)]
pub(crate) struct Python {
    interpreters: Interpreters,
    processes: HashMap<u32, Process>,
    /// The mappings are from before the recording: nothing else announces them to the eBPF
    /// programs.
    pub(crate) is_rundown: bool,
    functions: Functions,
    runs: Vec<Run>,
    /// Processes beyond the limit.
    refused: u64,
}

impl Python {
    /// Returns a state without processes.
    pub(crate) fn new(interpreters: Interpreters) -> Self {
        Self {
            interpreters,
            processes: HashMap::new(),
            is_rundown: true,
            functions: Functions::default(),
            runs: Vec::new(),
            refused: 0,
        }
    }

    /// A process mapped a file.
    pub(crate) fn mapping(&mut self, mapped: &Mapped<'_>) {
        if let Some(process) = self.interpreters.of(mapped) {
            if self.is_rundown {
                self.interpreters.announce(mapped);
            }
            if self.processes.len() < MOST_PROCESSES {
                self.processes.insert(mapped.pid, process);
            } else {
                self.refused += 1;
            }
        }
    }

    /// Process `parent` made process `child`.
    pub(crate) fn fork(&mut self, parent: u32, child: u32) {
        if parent == child {
            return;
        }
        match self.processes.get(&parent).cloned() {
            Some(process) if self.processes.len() < MOST_PROCESSES => {
                self.processes.insert(child, process);
            }
            _ => {
                self.processes.remove(&child);
            }
        }
    }

    /// Process `pid` executes a new program.
    pub(crate) fn exec(&mut self, pid: u32) {
        self.processes.remove(&pid);
    }

    /// Process `pid` ended.
    pub(crate) fn exit(&mut self, pid: u32) {
        self.processes.remove(&pid);
        self.functions.exit(pid);
    }

    /// Whether a process runs Python code, whose frames follow each stack.
    pub(crate) fn has(&self, pid: u32) -> bool {
        self.processes.contains_key(&pid)
    }

    /// Takes a code object of process `pid`; returns what must be written to the file about it.
    pub(crate) fn code(&mut self, pid: u32, code: &Code<'_>) -> Option<CodeObject> {
        let Runs::Python { minor } = self.processes.get(&pid)?.runs else {
            return None;
        };
        self.functions.add(pid, minor, code)
    }

    /// The same of Ruby, PHP or Perl.
    pub(crate) fn script_code(&mut self, pid: u32, code: &ScriptCode<'_>) -> Option<CodeObject> {
        let runs = self.processes.get(&pid)?.runs;
        self.functions.add_script(pid, runs, code)
    }

    /// Puts the frames of a thread of process `pid` between those of its user half, a call chain that
    /// begins with the marker.
    pub(crate) fn splice(&mut self, pid: u32, frames: &Frames<'_>, chain: &mut Vec<u64>) {
        let Some(interpreter) = self.processes.get(&pid) else {
            return;
        };
        self.runs.clear();
        let mut run = Run::default();
        let address = |frame: Frame| {
            let code = frame.code?;
            let offset = match (u32::try_from(frame.place).ok(), interpreter.runs) {
                // Before 3.10 numbers of bytes, there of instructions.
                (Some(place), Runs::Python { minor: 10 }) => Some(place.saturating_mul(2)),
                (place, _) => place,
            };
            self.functions.address(pid, code, offset)
        };
        let mut awaited = frames.awaited().peekable();
        let innermost = frames.iter().next().and_then(|frame| frame.code);
        // A loop that runs a callback has as many frames as one that waits.
        let waits = awaited.peek().is_some()
            && innermost.is_some_and(|code| self.functions.is_called(pid, code, SELECTS));
        for (depth, frame) in frames.iter().enumerate() {
            if depth == LOOP_FRAMES && waits {
                run.frames.extend(awaited.by_ref().filter_map(address));
            }
            run.frames.extend(address(frame));
            if frame.ends_run {
                self.runs.push(std::mem::take(&mut run));
            }
        }
        if !run.frames.is_empty() {
            self.runs.push(run);
        }
        if frames.collects && interpreter.is_stripped {
            let name = match interpreter.runs {
                Runs::Ruby { .. } => RUBY_COLLECTS,
                _ => COLLECTS,
            };
            let collects = self.functions.of_interpreter(interpreter.runs, name);
            if let Some(innermost) = self.runs.first_mut() {
                innermost.frames.insert(0, collects);
            }
        }
        let is_evaluation = |ip| interpreter.has(ip);
        let is_again = |ip| interpreter.calls_again(ip);
        splice(chain, &self.runs, frames.is_cut, is_evaluation, is_again);
        if frames.waits_for_gil && interpreter.is_stripped {
            let name = match interpreter.runs {
                Runs::Ruby { .. } => RUBY_WAITS,
                _ => WAITS_FOR_GIL,
            };
            let waits = self.functions.of_interpreter(interpreter.runs, name);
            name_innermost(chain, waits, |ip| interpreter.has_code(ip));
        }
    }

    /// Takes what must be written to the file about interpreters that have no names of their own.
    pub(crate) fn take_untold(&mut self) -> Vec<CodeObject> {
        self.functions.take_untold()
    }

    /// Versions of interpreters whose frames cannot be read.
    pub(crate) fn other_versions(&self) -> Vec<String> {
        self.interpreters.other_versions()
    }

    /// What exceeded a limit.
    pub(crate) fn limits(&self) -> [LimitReached; 2] {
        [
            LimitReached::new(
                "Python functions without a name: too many",
                self.functions.refused(),
            ),
            LimitReached::new(
                "Python processes whose frames were not read: too many at once",
                self.refused,
            ),
        ]
    }

    /// What the reading cost.
    pub(crate) fn cost(&self) -> PythonCost {
        self.interpreters.cost()
    }
}
