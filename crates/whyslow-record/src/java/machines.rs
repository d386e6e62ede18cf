//! Which processes run a Java virtual machine, and how to read them.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use whyslow_symbols::jvm::{CodeCache, JvmImage, Layout, Memory, NoLayout};

use crate::mapped::Mapped;

/// Files that are remembered.
const MOST_FILES: usize = 256;
/// Processes that are followed.
const MOST_PROCESSES: usize = 512;
/// How long a virtual machine that starts is left alone between two attempts to read it.
const AGAIN_NS: u64 = 20_000_000;
/// How often it is tried in all: while nothing can be read, and while something is missing.
const MOST_ATTEMPTS: u32 = 500;
const FEW_ATTEMPTS: u32 = 10;
/// Complaints that are told apart.
const MOST_UNKNOWN: usize = 16;

/// The memory of a process. It stays that process's, also when another one gets its number.
#[derive(Debug)]
pub(super) struct ProcessMemory(File);

impl Memory for ProcessMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.read_exact_at(into, address).ok()
    }
}

/// A virtual machine that can be read.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) memory: ProcessMemory,
    pub(super) cache: CodeCache,
    /// The time of the stack that is unwound.
    pub(super) now_ns: u64,
}

#[derive(Debug)]
enum Process {
    /// It starts.
    Starting {
        image: JvmImage,
        bias: u64,
        memory: ProcessMemory,
        tried_ns: u64,
        attempts: u32,
    },
    Running(Box<Machine>),
    /// It cannot be read.
    Closed,
}

/// All virtual machines.
#[derive(Debug, Default)]
pub(super) struct Machines {
    /// By path.
    files: HashMap<String, JvmImage>,
    processes: HashMap<u32, Process>,
    unknown: BTreeSet<String>,
}

impl Machines {
    /// Looks for a virtual machine in a file that was mapped.
    pub(super) fn mapping(&mut self, mapped: &Mapped<'_>) {
        let path = std::str::from_utf8(mapped.path).ok();
        let Some(path) = path.filter(|path| path.ends_with("/libjvm.so")) else {
            return;
        };
        let is_full = self.processes.len() >= MOST_PROCESSES;
        if is_full || self.processes.contains_key(&mapped.pid) {
            return;
        }
        if !self.files.contains_key(path) {
            if self.files.len() >= MOST_FILES {
                self.files.clear();
            }
            // A process that is gone already says nothing of the file.
            if let Some(image) = read(mapped, path) {
                self.files.insert(path.to_owned(), image);
            }
        }
        let Some(image) = self.files.get(path) else {
            return;
        };
        let memory = File::open(format!("/proc/{}/mem", mapped.pid));
        let process = match (image.bias(mapped.start, mapped.file_offset), memory) {
            (Some(bias), Ok(memory)) => Process::Starting {
                image: image.clone(),
                bias,
                memory: ProcessMemory(memory),
                tried_ns: 0,
                attempts: 0,
            },
            _ => Process::Closed,
        };
        self.processes.insert(mapped.pid, process);
    }

    /// Process `pid` runs something else.
    pub(super) fn remove(&mut self, pid: u32) {
        self.processes.remove(&pid);
    }

    /// The virtual machine of a process, once it has started.
    pub(super) fn of(&mut self, pid: u32, now_ns: u64) -> Option<&mut Machine> {
        let process = self.processes.get_mut(&pid)?;
        if let Process::Starting { tried_ns, .. } = process {
            if now_ns.saturating_sub(*tried_ns) < AGAIN_NS {
                return None;
            }
            *tried_ns = now_ns;
            let tried = std::mem::replace(process, Process::Closed);
            *process = started(tried, &mut self.unknown);
        }
        match process {
            Process::Running(machine) => {
                machine.now_ns = now_ns;
                Some(machine)
            }
            Process::Starting { .. } | Process::Closed => None,
        }
    }

    pub(super) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.iter().map(String::as_str)
    }
}

/// Tries to read a virtual machine that starts.
fn started(process: Process, unknown: &mut BTreeSet<String>) -> Process {
    let Process::Starting {
        image,
        bias,
        memory,
        tried_ns,
        attempts,
    } = process
    else {
        return process;
    };
    match Layout::read(&memory, &image, bias) {
        Ok(layout) => Process::Running(Box::new(Machine {
            memory,
            cache: CodeCache::new(layout),
            now_ns: tried_ns,
        })),
        // The tables are filled in by the loader.
        Err(NoLayout::Unreadable) if attempts < MOST_ATTEMPTS => Process::Starting {
            image,
            bias,
            memory,
            tried_ns,
            attempts: attempts + 1,
        },
        Err(_) if attempts < FEW_ATTEMPTS => Process::Starting {
            image,
            bias,
            memory,
            tried_ns,
            attempts: attempts + 1,
        },
        Err(error) => {
            if let NoLayout::Missing(what) = error
                && unknown.len() < MOST_UNKNOWN
            {
                unknown.insert(what);
            }
            Process::Closed
        }
    }
}

/// Reads a file where the process sees it: the very one that it mapped, else what its path leads to.
fn read(mapped: &Mapped<'_>, path: &str) -> Option<JvmImage> {
    let Mapped {
        pid, start, end, ..
    } = *mapped;
    let candidates = [
        PathBuf::from(format!("/proc/{pid}/map_files/{start:x}-{end:x}")),
        PathBuf::from(format!("/proc/{pid}/root{path}")),
        PathBuf::from(path),
    ];
    let mut candidates = candidates.iter();
    candidates.find_map(|path| JvmImage::read(path))
}
