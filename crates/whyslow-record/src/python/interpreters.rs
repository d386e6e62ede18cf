//! Finds the files that hold an interpreter, and announces the processes that map one to the eBPF
//! programs.
//!
//! Shared by two threads: the one that empties the rings announces a process at once, so that its
//! first functions are seen; the one that processes the records asks what a process has when it
//! reaches the same record.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use whyslow_runtimes::interpreted::Runs;
use whyslow_runtimes::{FileKey, Mapping};
use whyslow_symbols::python::{Interpreter, NoInterpreter};
use whyslow_symbols::script::{self, State};

use crate::mapped::Mapped;
use whyslow_bpf::{BpfError, PythonCost, PythonFrames};

/// Files that are remembered.
const MOST_FILES: usize = 4096;
/// Most versions that are distinguished.
const MOST_VERSIONS: usize = 16;

/// The interpreter of a process.
#[derive(Debug, Clone)]
pub(super) struct Process {
    /// What it runs.
    pub(super) runs: Runs,
    /// Whether functions that the interpreter does not export have no names.
    pub(super) is_stripped: bool,
    /// The interpreter's code.
    code: Range<u64>,
    /// The evaluation function.
    evaluation: Arc<[Range<u64>]>,
    /// The function that calls it again for the same frames.
    again: Arc<[Range<u64>]>,
}

impl Process {
    /// Whether an address is in the interpreter's code.
    pub(super) fn has_code(&self, ip: u64) -> bool {
        self.code.contains(&ip)
    }

    /// Whether an address is in the evaluation function.
    pub(super) fn has(&self, ip: u64) -> bool {
        self.evaluation.iter().any(|part| part.contains(&ip))
    }

    /// Whether an address is in the function that calls the evaluation function again for the same frames.
    pub(super) fn calls_again(&self, ip: u64) -> bool {
        self.again.iter().any(|part| part.contains(&ip))
    }
}

/// All interpreters; clones are of the same.
#[derive(Debug, Clone)]
pub(crate) struct Interpreters(Arc<Mutex<Known>>);

#[derive(Debug)]
struct Known {
    programs: PythonFrames,
    files: HashMap<FileKey, Option<OfFile>>,
    other_versions: BTreeSet<String>,
}

/// The interpreter in a file.
#[derive(Debug)]
enum OfFile {
    Python(Interpreter),
    Script(script::Interpreter),
}

impl OfFile {
    /// Reads a file where the process sees it: the very one that it mapped.
    fn read(mapped: &Mapped<'_>) -> Result<Self, NoInterpreter> {
        let path = std::str::from_utf8(mapped.path).map_err(|_| NoInterpreter::Unreadable)?;
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_python = name.contains("python");
        let read = |place: &Path| match is_python {
            true => Interpreter::read(place, name).map(Self::Python),
            false => script::Interpreter::read(place).map(Self::Script),
        };
        let mut result = Err(NoInterpreter::Unreadable);
        for place in mapped.places(path) {
            result = read(&place);
            if !matches!(result, Err(NoInterpreter::Unreadable)) {
                break;
            }
        }
        result
    }

    fn bias(&self, mapped: &Mapped<'_>) -> Option<u64> {
        let (start, offset) = (mapped.start, mapped.file_offset);
        match self {
            Self::Python(interpreter) => interpreter.bias(start, offset),
            Self::Script(interpreter) => interpreter.bias(start, offset),
        }
    }

    /// Has the programs read the frames of process `pid`.
    fn tell(&self, programs: &mut PythonFrames, pid: u32, bias: u64) {
        match self {
            Self::Python(interpreter) => programs.add(pid, interpreter, bias),
            Self::Script(interpreter) => programs.add_script(pid, interpreter, bias),
        };
    }

    /// What it runs, whether functions that it does not export have no names, and its evaluation function.
    fn parts(&self) -> (Runs, bool, &[Range<u64>]) {
        match self {
            Self::Python(of) => {
                let minor = of.layout.minor;
                (Runs::Python { minor }, of.is_stripped, &of.evaluation)
            }
            Self::Script(of) => {
                let runs = match of.state {
                    State::Ruby { layout, .. } => Runs::Ruby {
                        entry_bytes: layout.entry_bytes,
                    },
                    State::Php { .. } => Runs::Php,
                    State::Perl { .. } => Runs::Perl,
                };
                (runs, of.is_stripped, &of.evaluation)
            }
        }
    }
}

impl Interpreters {
    /// Returns a state without files.
    pub(crate) fn new(programs: PythonFrames) -> Self {
        Self(Arc::new(Mutex::new(Known {
            programs,
            files: HashMap::new(),
            other_versions: BTreeSet::new(),
        })))
    }

    /// Shows the programs.
    pub(crate) fn with_programs(&self, look: impl FnOnce(&PythonFrames)) {
        look(
            &self
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .programs,
        );
    }

    /// Detaches the programs until [`Interpreters::resume`].
    pub(crate) fn pause(&self) -> Result<(), BpfError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.programs.pause()
    }

    /// Makes the programs and what is known as they were at first. Files with an interpreter remain known.
    pub(crate) fn resume(&self) -> Result<(), BpfError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those without one may be of another version, which each recording says anew.
        known.files.retain(|_, of_file| of_file.is_some());
        known.other_versions.clear();
        known.programs.resume()
    }

    /// Announces a mapping to the programs, if it is of an interpreter.
    pub(super) fn announce(&self, mapped: &Mapped<'_>) {
        if !may_be_interpreter(mapped) || !mapped.is_of_same_process() {
            return;
        }
        self.with(mapped, |programs, interpreter, bias| {
            interpreter.tell(programs, mapped.pid, bias);
        });
    }

    /// The interpreter that a process maps; `None` if the file is none.
    pub(super) fn of(&self, mapped: &Mapped<'_>) -> Option<Process> {
        self.with(mapped, |_, interpreter, bias| {
            let (runs, is_stripped, evaluation) = interpreter.parts();
            let shifted = |parts: &[Range<u64>]| -> Arc<[Range<u64>]> {
                let parts = parts.iter();
                parts
                    .map(|part| part.start.wrapping_add(bias)..part.end.wrapping_add(bias))
                    .collect()
            };
            let again: &[Range<u64>] = match interpreter {
                OfFile::Python(_) => &[],
                OfFile::Script(of) => &of.again,
            };
            Process {
                runs,
                is_stripped,
                code: mapped.start..mapped.end,
                evaluation: shifted(evaluation),
                again: shifted(again),
            }
        })
    }

    /// Versions of interpreters whose frames cannot be read.
    pub(super) fn other_versions(&self) -> Vec<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.other_versions.iter().cloned().collect()
    }

    /// What the reading cost.
    pub(super) fn cost(&self) -> PythonCost {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.programs.cost()
    }

    fn with<T>(
        &self,
        mapped: &Mapped<'_>,
        work: impl FnOnce(&mut PythonFrames, &OfFile, u64) -> T,
    ) -> Option<T> {
        if !may_be_interpreter(mapped) {
            return None;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.files.contains_key(&mapped.file) {
            known.read(mapped);
        }
        let Known {
            programs, files, ..
        } = &mut *known;
        let interpreter = files.get(&mapped.file)?.as_ref()?;
        let bias = interpreter.bias(mapped)?;
        Some(work(programs, interpreter, bias))
    }
}

impl Known {
    fn read(&mut self, mapped: &Mapped<'_>) {
        if self.files.len() >= MOST_FILES {
            self.files.clear();
        }
        let read = OfFile::read(mapped);
        if let Err(NoInterpreter::OtherVersion(version)) = &read
            && self.other_versions.len() < MOST_VERSIONS
        {
            self.other_versions.insert(version.clone());
        }
        // A process that is already gone says nothing about the file.
        if !matches!(read, Err(NoInterpreter::Unreadable)) {
            self.files.insert(mapped.file, read.ok());
        }
    }
}

/// Whether a mapping may be of an interpreter, by the name of its file.
pub(super) fn may_be_interpreter(mapped: &Mapped<'_>) -> bool {
    let name = mapped.path.rsplit(|&byte| byte == b'/').next();
    let name = name.unwrap_or_default();
    let is_python = name.windows(6).any(|part| part == b"python");
    let others: [&[u8]; 6] = [b"libruby", b"ruby", b"php", b"libphp", b"perl", b"libperl"];
    is_python || others.iter().any(|other| name.starts_with(other))
}
