//! Which files hold an interpreter, and telling the eBPF programs of the processes that map one.
//!
//! Shared by two threads: the one that empties the rings tells the programs at once, so that the first
//! function of a new process is seen; the one that works on the records asks what a process has when
//! it comes to the same record.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use whyslow_perfdata::abi::record;
use whyslow_symbols::python::{Interpreter, NoInterpreter};

use crate::bpf::{PythonCost, PythonFrames};
use crate::mapped::Mapped;
use crate::raw_record::{HEADER_BYTES, header};

/// Files that are remembered.
const MOST_FILES: usize = 4096;
/// Versions that are told apart.
const MOST_VERSIONS: usize = 16;

/// The interpreter of a process.
#[derive(Debug, Clone)]
pub(super) struct Process {
    /// Version 3.`minor`.
    pub(super) minor: u32,
    /// The evaluation function.
    evaluation: Arc<[Range<u64>]>,
}

impl Process {
    /// Whether an address is in the evaluation function.
    pub(super) fn has(&self, ip: u64) -> bool {
        self.evaluation.iter().any(|part| part.contains(&ip))
    }
}

/// All interpreters; clones are of the same.
#[derive(Debug, Clone)]
pub(crate) struct Interpreters(Arc<Mutex<Known>>);

#[derive(Debug)]
struct Known {
    programs: PythonFrames,
    /// By path.
    files: HashMap<String, Option<Interpreter>>,
    other_versions: BTreeSet<String>,
}

impl Interpreters {
    /// Returns what knows no file yet.
    pub(crate) fn new(programs: PythonFrames) -> Self {
        Self(Arc::new(Mutex::new(Known {
            programs,
            files: HashMap::new(),
            other_versions: BTreeSet::new(),
        })))
    }

    /// Looks for mappings of interpreters among records, and tells the programs of them.
    pub(crate) fn announce(&self, mut records: &[u8]) {
        while records.len() >= HEADER_BYTES {
            let (kind, _, size) = header(records);
            let Some((record, rest)) = records.split_at_checked(size.max(HEADER_BYTES)) else {
                return;
            };
            if kind == record::MMAP2
                && let Some(mapped) = Mapped::of_record(record)
            {
                self.announce_one(&mapped);
            }
            records = rest;
        }
    }

    /// Tells the programs of a mapping, if it is of an interpreter.
    pub(super) fn announce_one(&self, mapped: &Mapped<'_>) {
        self.with(mapped, |programs, interpreter, bias| {
            programs.add(mapped.pid, interpreter, bias);
        });
    }

    /// What a process has that maps an interpreter; `None` if the file is none.
    pub(super) fn of(&self, mapped: &Mapped<'_>) -> Option<Process> {
        self.with(mapped, |_, interpreter, bias| {
            let evaluation = interpreter.evaluation.iter();
            let shifted =
                evaluation.map(|part| part.start.wrapping_add(bias)..part.end.wrapping_add(bias));
            Process {
                minor: interpreter.layout.minor,
                evaluation: shifted.collect(),
            }
        })
    }

    /// Versions of interpreters whose frames cannot be read.
    pub(super) fn other_versions(&self) -> Vec<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.other_versions.iter().cloned().collect()
    }

    /// What the reading took.
    pub(super) fn cost(&self) -> PythonCost {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.programs.cost()
    }

    fn with<T>(
        &self,
        mapped: &Mapped<'_>,
        work: impl FnOnce(&mut PythonFrames, &Interpreter, u64) -> T,
    ) -> Option<T> {
        let path = std::str::from_utf8(mapped.path).ok()?;
        let name = path.rsplit('/').next().unwrap_or_default();
        if !name.contains("python") {
            return None;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.files.contains_key(path) {
            known.read(mapped, path, name);
        }
        let Known {
            programs, files, ..
        } = &mut *known;
        let interpreter = files.get(path)?.as_ref()?;
        let bias = interpreter.bias(mapped.start, mapped.file_offset)?;
        Some(work(programs, interpreter, bias))
    }
}

impl Known {
    fn read(&mut self, mapped: &Mapped<'_>, path: &str, name: &str) {
        if self.files.len() >= MOST_FILES {
            self.files.clear();
        }
        let read = read(mapped, path, name);
        if let Err(NoInterpreter::OtherVersion(version)) = &read
            && self.other_versions.len() < MOST_VERSIONS
        {
            self.other_versions.insert(version.clone());
        }
        // A process that is gone already says nothing of the file.
        if !matches!(read, Err(NoInterpreter::Unreadable)) {
            self.files.insert(path.to_owned(), read.ok());
        }
    }
}

/// Reads a file where the process sees it: the very one that it mapped, else what its path leads to.
fn read(mapped: &Mapped<'_>, path: &str, name: &str) -> Result<Interpreter, NoInterpreter> {
    let Mapped {
        pid, start, end, ..
    } = *mapped;
    let candidates = [
        PathBuf::from(format!("/proc/{pid}/map_files/{start:x}-{end:x}")),
        PathBuf::from(format!("/proc/{pid}/root{path}")),
        PathBuf::from(path),
    ];
    let mut result = Err(NoInterpreter::Unreadable);
    for candidate in candidates {
        result = Interpreter::read(&candidate, name);
        if !matches!(result, Err(NoInterpreter::Unreadable)) {
            break;
        }
    }
    result
}
