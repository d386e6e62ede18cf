//! The eBPF programs that read the frames of Python, Ruby, PHP and Perl programs (`bpf/python.bpf.c`).
//!
//! ```text
//! sample, end of a wait, switch, wake-up ─ stack copied ─┐ tail call
//!                                                        ▼
//!   thread's state ─► frame ─► frame ─► …   addresses of code objects, places in them
//!                       └► code object not seen before: its name, file and table of lines
//! ```
//!
//! The programs do nothing until a process is announced ([`PythonFrames::add`]). A forked process is
//! announced like its parent; a process that executes a new program is forgotten. The programs read
//! the memory of the running thread and never write to it. The walk ends at anything that is not a
//! code object by its type.
//!
//! Where an event loop of `asyncio` waits, the frames of what it waits for follow: the chain of
//! coroutines of its task. If the innermost coroutine awaits another task, the chain goes on with the
//! coroutines of that task. They are suspended, so no stack of the thread contains them.
//!
//! **What it costs**: about 100 ns per frame. A stack with more than 64 frames is read on (up to
//! 1,024 frames) as long as this takes less than 1/64 of the CPU's time; otherwise it is cut.

use std::error::Error;

use aya::maps::{Array, HashMap, MapData, MapError, PerCpuArray};
use aya::programs::{PerfEvent, ProgramFd};
use aya::{Btf, Ebpf, EbpfLoader, Pod};
use whyslow_runtimes::interpreted::{Words, words as words_of};
use whyslow_symbols::python::{Awaits, Interpreter, Layout, Runs, Top, Within};
use whyslow_symbols::script;

use crate::clearing;
use crate::config::Output;
use crate::ends::Ends;
use crate::error::{BpfError, MISSING};
use crate::links::{self, Links};
use crate::loaded::Loaded;
use crate::loading;
use crate::programs::Programs;

/// The programs, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/python.bpf.o");

/// `LEVELS` in the source.
const LEVELS: u32 = 3;
/// `LAYOUTS` in the source.
const MOST_LAYOUTS: usize = 64;
/// Words of `struct layout` and of `struct cost`.
const LAYOUT_WORDS: usize = 35;
const COST_WORDS: usize = 6 + LENGTHS;
/// `LENGTHS` in the source: the number of classes of stacks by how long they took, and the limit of the first class.
const LENGTHS: usize = 32;
const SHORT_NS: u64 = 128;
/// Words of `struct process`.
const PROCESS_WORDS: usize = 8;
/// What is copied of a frame, a code object and a text in the source.
const FRAME_BYTES: u32 = 112;
const CODE_BYTES: u32 = 144;
const TEXT_BYTES: u32 = 64;

/// Programs that are tail-called: name, tracepoint, map of the caller.
const CALLED: [(&str, &str, &str); 3] = [
    ("frames_of_wait", "sys_exit", "after_wait"),
    ("frames_of_switch", "sched_switch", "after_switch"),
    ("frames_of_waker", "sched_waking", "after_waking"),
];
/// Room to work in. Nothing is left in it when no program runs.
const SCRATCHES: &str = "scratches";
const OF_SAMPLE: &str = "frames_of_sample";
/// Programs on tracepoints: name in the source, tracepoint.
const ATTACHED: [(&str, &str); 2] = [
    ("on_fork", "task_newtask"),
    ("on_exec", "sched_process_exec"),
];

/// The loaded programs. Dropping it unloads them.
pub struct PythonFrames {
    ebpf: Ebpf,
    links: Links,
    processes: HashMap<MapData, u32, [u64; PROCESS_WORDS]>,
    layouts: Array<MapData, [u32; LAYOUT_WORDS]>,
    scripts: HashMap<MapData, u32, Words>,
    known: Vec<(Layout, Option<Awaits>)>,
}

impl Loaded for PythonFrames {
    fn object(&self) -> &Ebpf {
        &self.ebpf
    }
}

impl std::fmt::Debug for PythonFrames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PythonFrames").finish_non_exhaustive()
    }
}

/// What reading frames cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PythonCost {
    /// Stacks that were read.
    pub stacks: u64,
    /// How long that took, in ns.
    pub ns: u64,
    /// The longest of them, in ns.
    pub longest_ns: u64,
    /// 99 of 100 took less than this, in ns; rounded up to a power of two.
    pub most_ns: u64,
    /// Stacks that were lost because there was no room for them.
    pub lost: u64,
}

impl PythonFrames {
    /// Loads the programs and makes `callers` tail-call them. `outputs` has one event per CPU, and so
    /// has `bells`, which wakes the recorder when a process executes a new program.
    ///
    /// # Errors
    /// See [`BpfError`]; nothing stays loaded then.
    pub fn load(
        callers: &mut Programs,
        outputs: &[Output<'_>],
        bells: &[Output<'_>],
    ) -> Result<Self, BpfError> {
        let btf = loading::kernel_types()?;
        let cpus = loading::cpu_count(outputs)?;
        let mut ebpf = EbpfLoader::new()
            .btf(Some(&btf))
            .allow_unsupported_maps()
            .map_max_entries("scratches", cpus.saturating_mul(LEVELS))
            .map_max_entries("output", cpus)
            .map_max_entries("bell", cpus)
            .load(OBJECT)?;
        loading::set_outputs(&ebpf, outputs)?;
        loading::set_bells(&ebpf, bells)?;
        let sampler = load_sampler(&mut ebpf)?;
        let mut called = Vec::new();
        for (name, tracepoint, map) in CALLED {
            called.push((map, load_tracepoint(&mut ebpf, name, tracepoint, &btf)?));
        }
        for (name, tracepoint) in ATTACHED {
            load_tracepoint(&mut ebpf, name, tracepoint, &btf)?;
        }
        let ends = Ends::take(&mut ebpf)?;
        let processes = take_map(&mut ebpf, "processes")?;
        let layouts = take_map(&mut ebpf, "layouts")?;
        let scripts = take_map(&mut ebpf, "scripts")?;
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("a map", error);
        let mut loaded = Self {
            ebpf,
            links: Links::default(),
            processes: processes.try_into().map_err(|error| refused(&error))?,
            layouts: layouts.try_into().map_err(|error| refused(&error))?,
            scripts: scripts.try_into().map_err(|error| refused(&error))?,
            known: Vec::new(),
        };
        loaded.start()?;
        callers.share_sums(&loaded.ebpf)?;
        callers.ends.add(ends);
        callers.call_at_end("after_sample", &sampler)?;
        for (map, program) in called {
            callers.call_at_end(map, &program)?;
        }
        Ok(loaded)
    }

    fn start(&mut self) -> Result<(), BpfError> {
        ATTACHED
            .iter()
            .try_for_each(|(name, _)| self.links.attach(&mut self.ebpf, name))
    }

    /// Detaches the programs. Those that others end in run when these do.
    ///
    /// # Errors
    /// [`BpfError`]; some of them may still be attached.
    pub fn pause(&mut self) -> Result<(), BpfError> {
        self.links.detach(&mut self.ebpf)
    }

    /// Attaches them again, after [`PythonFrames::pause`] and as if they had just been loaded: no process is announced.
    /// No program may run that had begun before.
    ///
    /// # Errors
    /// [`BpfError`]; then they cannot be used any more.
    pub fn resume(&mut self) -> Result<(), BpfError> {
        // The map of layouts has what `known` says, and is not in the object any more.
        clearing::clear(&self.ebpf, &[SCRATCHES])?;
        empty_table(&mut self.processes)?;
        empty_table(&mut self.scripts)?;
        self.start()
    }

    /// From now on, reads the frames of process `pid`, in which the addresses of `interpreter` are
    /// shifted by `bias`. Returns whether that is possible.
    pub fn add(&mut self, pid: u32, interpreter: &Interpreter, bias: u64) -> bool {
        let awaits = interpreter.coroutines.map(|(_, awaits)| awaits);
        let Some(number) = self.number(interpreter.layout, awaits) else {
            return false;
        };
        let coroutines = interpreter
            .coroutines
            .map(|(kind, _)| kind.wrapping_add(bias));
        let shifted = |at: Option<u64>| at.map_or(0, |at| at.wrapping_add(bias));
        let process = [
            interpreter.runtime.wrapping_add(bias),
            interpreter.code_type.wrapping_add(bias),
            u64::from(number),
            coroutines.unwrap_or(0),
            0,
            shifted(interpreter.containers[0]),
            shifted(interpreter.containers[1]),
            shifted(interpreter.containers[2]),
        ];
        self.processes.insert(pid, process, 0).is_ok()
    }

    /// The same for an interpreter of Ruby, PHP or Perl.
    pub fn add_script(&mut self, pid: u32, interpreter: &script::Interpreter, bias: u64) -> bool {
        let words = words_of(&interpreter.state, bias);
        self.scripts.insert(pid, words, 0).is_ok()
    }

    /// What reading frames has cost so far.
    pub fn cost(&self) -> PythonCost {
        let costs = || -> Option<PerCpuArray<&MapData, [u64; COST_WORDS]>> {
            self.ebpf.map("costs")?.try_into().ok()
        };
        let mut sum = PythonCost::default();
        let by_cpu = costs().and_then(|costs| costs.get(&0, 0).ok());
        let mut lengths = [0; LENGTHS];
        for words in by_cpu.iter().flat_map(|by_cpu| by_cpu.iter()) {
            let [stacks, ns, longest_ns, lost, _, _, of_cpu @ ..] = words;
            sum.stacks += stacks;
            sum.ns += ns;
            sum.longest_ns = sum.longest_ns.max(*longest_ns);
            sum.lost += lost;
            for (length, count) in lengths.iter_mut().zip(of_cpu) {
                *length += count;
            }
        }
        sum.most_ns = most_of(&lengths);
        sum
    }

    /// The number of a layout for the programs; `None` if they cannot use it.
    fn number(&mut self, layout: Layout, awaits: Option<Awaits>) -> Option<u32> {
        let wanted = (layout, awaits);
        let known = self.known.iter().position(|known| *known == wanted);
        let number = known.unwrap_or(self.known.len());
        let key = u32::try_from(number).ok()?;
        if known.is_none() {
            if number >= MOST_LAYOUTS || !fits(&layout) {
                return None;
            }
            self.layouts.set(key, words(&layout, awaits), 0).ok()?;
            self.known.push(wanted);
        }
        Some(key)
    }
}

/// Returns a time that 99 of 100 took less than.
fn most_of(lengths: &[u64; LENGTHS]) -> u64 {
    let all: u64 = lengths.iter().sum();
    let mut below = 0;
    let at = lengths.iter().position(|count| {
        below += count;
        below.saturating_mul(100) >= all.saturating_mul(99)
    });
    match all {
        0 => 0,
        _ => SHORT_NS << at.unwrap_or(LENGTHS - 1),
    }
}

/// Whether everything lies within what the programs copy.
fn fits(layout: &Layout) -> bool {
    let within = |offsets: &[u32], bytes: u32| offsets.iter().all(|&offset| offset <= bytes - 8);
    let of_frame = [
        layout.frame_code,
        layout.frame_previous,
        layout.frame_place,
        layout.frame_kind,
    ];
    let of_code = [
        layout.code_file,
        layout.code_name,
        layout.code_first_line,
        layout.code_lines,
        layout.object_type,
    ];
    let of_text = [layout.text_length, layout.text_state];
    within(&of_frame, FRAME_BYTES) && within(&of_code, CODE_BYTES) && within(&of_text, TEXT_BYTES)
}

/// `struct layout`.
fn words(layout: &Layout, awaits: Option<Awaits>) -> [u32; LAYOUT_WORDS] {
    let [frame, kind, locals, top, top_kind] = awaits.map_or([0; 5], |awaits| {
        let (top, kind) = match awaits.top {
            Top::Address(at) => (at, 0),
            Top::OfLocals(at) => (at, 1),
            Top::OfValues(at) => (at, 2),
        };
        let is_inside = u32::from(awaits.is_inside);
        [
            awaits.coroutine_frame,
            is_inside,
            awaits.frame_locals,
            top,
            kind,
        ]
    });
    let (gil_of_runtime, gil_of_interpreter) = within(layout.gil);
    let (collecting_of_runtime, collecting_of_interpreter) = within(layout.collecting);
    [
        layout.interpreters,
        layout.interpreter_threads,
        layout.interpreter_next,
        layout.thread_next,
        layout.thread_id,
        layout.thread_frame,
        layout.c_frame.map_or(0, |offset| offset + 1),
        layout.frame_code,
        layout.frame_previous,
        layout.frame_place,
        layout.frame_kind,
        match layout.runs {
            Runs::OfOne => 0,
            Runs::ByEntry => 1,
            Runs::AfterForeign => 2,
        },
        layout.code_file,
        layout.code_name,
        layout.code_first_line,
        layout.code_lines,
        layout.code_instructions,
        layout.object_type,
        layout.text_length,
        layout.text_state,
        layout.text_ascii,
        layout.text_other,
        layout.bytes_size,
        layout.bytes_data,
        layout.thread_interpreter,
        layout.thread_base.map_or(0, |offset| offset + 1),
        gil_of_runtime,
        gil_of_interpreter,
        collecting_of_runtime,
        collecting_of_interpreter,
        frame,
        kind,
        locals,
        top,
        top_kind,
    ]
}

/// An offset plus one, in the runtime or in the interpreter; 0: it is in the other one.
fn within(of: Within) -> (u32, u32) {
    match of {
        Within::Runtime(offset) => (offset + 1, 0),
        Within::Interpreter(offset) => (0, offset + 1),
    }
}

/// Removes all processes.
fn empty_table<V: Pod>(table: &mut HashMap<MapData, u32, V>) -> Result<(), BpfError> {
    let pids: Vec<u32> = table.keys().filter_map(Result::ok).collect();
    for pid in pids {
        match table.remove(&pid) {
            // It may have been replaced by a newer one.
            Ok(()) | Err(MapError::KeyNotFound) => {}
            Err(error) => return Err(BpfError::refused("a map", &error)),
        }
    }
    Ok(())
}

fn take_map(ebpf: &mut Ebpf, name: &str) -> Result<aya::maps::Map, BpfError> {
    ebpf.take_map(name).ok_or(MISSING)
}

fn load_sampler(ebpf: &mut Ebpf) -> Result<ProgramFd, BpfError> {
    let refused = |error: &(dyn Error + 'static)| BpfError::refused(OF_SAMPLE, error);
    let program = ebpf.program_mut(OF_SAMPLE).ok_or(MISSING)?;
    let program: &mut PerfEvent = program.try_into().map_err(|error| refused(&error))?;
    loading::again(|| program.load()).map_err(|error| refused(&error))?;
    owned(program.fd(), OF_SAMPLE)
}

fn load_tracepoint(
    ebpf: &mut Ebpf,
    name: &str,
    tracepoint: &str,
    btf: &Btf,
) -> Result<ProgramFd, BpfError> {
    let program = links::program(ebpf, name)?;
    let loaded = loading::again(|| program.load(tracepoint, btf));
    loaded.map_err(|error| BpfError::refused(name, &error))?;
    owned(program.fd(), name)
}

fn owned(
    fd: Result<&ProgramFd, aya::programs::ProgramError>,
    name: &str,
) -> Result<ProgramFd, BpfError> {
    let fd = fd.map_err(|error| BpfError::refused(name, &error))?;
    fd.try_clone()
        .map_err(|error| BpfError::refused(name, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_nine_of_a_hundred_are_most() {
        let mut lengths = [0; LENGTHS];
        assert_eq!(most_of(&lengths), 0);
        (lengths[0], lengths[3], lengths[10]) = (50, 49, 1);
        assert_eq!(most_of(&lengths), 1024);
        lengths[10] = 2;
        assert_eq!(most_of(&lengths), 128 << 10);
        lengths[31] = 1000;
        assert_eq!(most_of(&lengths), 128 << 31);
    }
}
