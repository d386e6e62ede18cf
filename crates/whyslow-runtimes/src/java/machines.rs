//! Which processes run a Java virtual machine, and how to read them.

use std::collections::{BTreeSet, HashMap};

use whyslow_symbols::jvm::{CodeCache, JvmImage, Layout, NoLayout};

use crate::mapping::{FileKey, Mapping};
use crate::process_memory::ProcessMemory;

/// Files that are remembered.
const MOST_FILES: usize = 256;
/// Processes that are followed.
const MOST_PROCESSES: usize = 512;
/// How long a virtual machine that starts is left alone between two attempts to read it.
const AGAIN_NS: u64 = 20_000_000;
/// How often it is tried in all: while nothing can be read, and while something is missing.
const MOST_ATTEMPTS: u32 = 500;
const FEW_ATTEMPTS: u32 = 10;
/// Most distinct complaints.
const MOST_UNKNOWN: usize = 16;

/// A virtual machine that can be read.
#[derive(Debug)]
pub(super) struct JavaMachine {
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
    Running(Box<JavaMachine>),
    /// It cannot be read.
    Closed,
}

/// All virtual machines.
#[derive(Debug, Default)]
pub(super) struct Machines {
    files: HashMap<FileKey, JvmImage>,
    processes: HashMap<u32, Process>,
    unknown: BTreeSet<String>,
    refused: u64,
}

impl Machines {
    /// Looks for a virtual machine in a file that was mapped.
    pub(super) fn mapping(&mut self, mapped: &dyn Mapping) {
        let path = std::str::from_utf8(mapped.path()).ok();
        let Some(path) = path.filter(|path| path.ends_with("/libjvm.so")) else {
            return;
        };
        if self.processes.contains_key(&mapped.pid()) {
            return;
        }
        if self.processes.len() >= MOST_PROCESSES {
            self.refused += 1;
            return;
        }
        if !self.files.contains_key(&mapped.file()) {
            if self.files.len() >= MOST_FILES {
                self.files.clear();
            }
            // A process that is gone already says nothing of the file.
            if let Some(image) = read(mapped, path) {
                self.files.insert(mapped.file(), image);
            }
        }
        let Some(image) = self.files.get(&mapped.file()) else {
            return;
        };
        let memory = ProcessMemory::of(mapped);
        let process = match (image.bias(mapped.start(), mapped.file_offset()), memory) {
            (Some(bias), Some(memory)) => Process::Starting {
                image: image.clone(),
                bias,
                memory,
                tried_ns: 0,
                attempts: 0,
            },
            _ => Process::Closed,
        };
        self.processes.insert(mapped.pid(), process);
    }

    /// Whether process `pid` runs a virtual machine.
    pub(super) fn has(&self, pid: u32) -> bool {
        self.processes.contains_key(&pid)
    }

    /// Process `pid` runs something else.
    pub(super) fn remove(&mut self, pid: u32) {
        self.processes.remove(&pid);
    }

    /// The virtual machine of a process, once it has started.
    pub(super) fn of(&mut self, pid: u32, now_ns: u64) -> Option<&mut JavaMachine> {
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

    /// How many there was no room for.
    pub(super) fn refused(&self) -> u64 {
        self.refused
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
        Ok(layout) => Process::Running(Box::new(JavaMachine {
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

/// Reads a file where the process sees it: the very one that it mapped.
fn read(mapped: &dyn Mapping, path: &str) -> Option<JvmImage> {
    let mut places = mapped.places(path);
    places.find_map(|place| JvmImage::read(&place))
}
