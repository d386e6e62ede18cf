//! A recording of a program that an interpreter or virtual machine runs, and what the program said.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use whyslow_extract::Extract;
use whyslow_model::tables::{
    ADDRESS, AddressRow, CPU_SAMPLE, CpuSampleRow, FACT, FactRow, MODULE, ModuleRow, PROCESS,
    ProcessRow, STACK, SYMBOL, StackRow, SymbolRow, THREAD_STATE, ThreadStateRow,
};
use whyslow_model::{Named, StackId, StackKind, ThreadState, TraceView};
use whyslow_testenv::{Feature, has};

/// What runs a program.
#[derive(Debug)]
pub(crate) struct Version {
    /// The version and where it is from.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    /// What comes before the number of rounds.
    pub(crate) arguments: Vec<OsString>,
    /// The kind of module that its frames are in.
    pub(crate) kind: &'static str,
}

/// A frame of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: i32,
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = self.file.rsplit('/').next().unwrap_or_default();
        write!(f, "{}:{file}:{}", self.function, self.line)
    }
}

/// The frames of a thread, the innermost first.
pub(crate) type Stack = Vec<Frame>;

/// A recording.
#[derive(Debug)]
pub(crate) struct Recorded {
    printed: String,
    /// Stacks of waits and of CPU samples of the program that have frames of its language.
    pub(crate) waits: Vec<Stack>,
    pub(crate) samples: Vec<Stack>,
}

impl Recorded {
    /// Records the program, which does `rounds` times what it does; `None`, and says so, where that is
    /// not possible.
    pub(crate) fn of(version: &Version, rounds: u32) -> Option<Self> {
        if !has(Feature::Recording) || !has(Feature::Bpf) {
            return None;
        }
        let name = version.name.replace(['/', ' '], "-");
        // Several tests record the same version at once.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let dir = format!("{}-{}-{number}-{name}", version.kind, std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(dir);
        fs::create_dir_all(&dir).expect("a directory for the test");
        // The time limit is for a machine that hangs; it takes seconds.
        let run = Command::new("timeout")
            .args(["--signal=KILL", "600", env!("CARGO_BIN_EXE_whyslow")])
            .args(["run", "-o", "why.txt", "--"])
            .arg(&version.program)
            .args(&version.arguments)
            .arg(rounds.to_string())
            .env("PYTHONIOENCODING", "utf-8")
            .current_dir(&dir)
            .stdin(Stdio::null())
            .output()
            .expect("`timeout` runs");
        assert!(run.status.success(), "{run:?}");
        let files = fs::read_dir(&dir).expect("the directory");
        let mut files = files.map(|file| file.expect("a file").path());
        let extract = files.find(|path| path.extension().is_some_and(|end| end == "whyslow"));
        let extract = Extract::open(&extract.expect("an extract")).expect("the extract opens");
        let (waits, samples) = stacks(&extract, version);
        fs::remove_dir_all(&dir).expect("the directory can be removed");
        Some(Self {
            printed: String::from_utf8_lossy(&run.stdout).into_owned(),
            waits,
            samples,
        })
    }

    /// The stacks that the program printed as of this kind.
    pub(crate) fn said(&self, kind: &str) -> BTreeSet<Stack> {
        let lines = self.printed.lines();
        let lines = lines.filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
        lines
            .map(|line| line.split('\t').map(frame).collect())
            .collect()
    }
}

/// Returns the name that the program knows for a function: without the line that tells it from others of that name.
fn own_name(function: &str) -> String {
    let name = function.rsplit_once(':').filter(|(name, line)| {
        !name.ends_with(':') && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())
    });
    name.map_or(function, |(name, _)| name).to_owned()
}

/// Reads `function:file:line`.
fn frame(text: &str) -> Frame {
    let mut parts = text.rsplitn(3, ':');
    let line = parts.next().and_then(|line| line.parse().ok());
    let (file, function) = (parts.next(), parts.next());
    Frame {
        function: function.expect("a function").to_owned(),
        file: file.expect("a file").to_owned(),
        line: line.expect("a line"),
    }
}

/// The stacks of waits, and those of samples.
fn stacks(extract: &Extract, version: &Version) -> (Vec<Stack>, Vec<Stack>) {
    let file = version
        .program
        .file_name()
        .expect("a name")
        .to_string_lossy();
    let processes: Vec<ProcessRow> = rows(extract.read(&PROCESS, &[]).expect("processes").rows());
    let is_it = |row: &&ProcessRow| {
        let of = row.path.as_deref().unwrap_or_default();
        of.ends_with(&*file)
    };
    // Others may run the same program meanwhile.
    let facts: Vec<FactRow> = rows(extract.read(&FACT, &[]).expect("facts").rows());
    let pid = facts.iter().find(|row| row.key == "command_pid");
    let pid = pid.and_then(|row| row.value.parse().ok());
    let mut of_command = processes.iter().filter(|row| Some(row.os_pid) == pid);
    let process = of_command.find(is_it).expect("the program").id;
    let frames = Frames::read(extract, version.kind);
    let states: Vec<ThreadStateRow> =
        rows(extract.read(&THREAD_STATE, &[]).expect("states").rows());
    let states = states.iter().filter(|row| row.process == process);
    let waits = states.filter(|row| row.state == ThreadState::Waiting.code());
    let waits = waits.filter(|row| row.duration_ns >= 2_000_000);
    let waits = waits.filter_map(|row| frames.of(row.stack?));
    let samples: Vec<CpuSampleRow> = rows(extract.read(&CPU_SAMPLE, &[]).expect("samples").rows());
    let samples = samples.iter().filter(|row| row.process == process);
    let samples = samples.filter_map(|row| frames.of(row.stack?));
    (waits.collect(), samples.collect())
}

fn rows<T>(rows: impl Iterator<Item = T>) -> Vec<T> {
    rows.collect()
}

/// What the nodes of the stacks mean.
struct Frames {
    nodes: Vec<StackRow>,
    addresses: Vec<AddressRow>,
    modules: Vec<ModuleRow>,
    /// By address.
    symbols: Vec<Option<SymbolRow>>,
    kind: &'static str,
}

impl Frames {
    fn read(extract: &Extract, kind: &'static str) -> Self {
        let addresses: Vec<AddressRow> =
            rows(extract.read(&ADDRESS, &[]).expect("addresses").rows());
        let mut symbols = vec![None; addresses.len()];
        for row in extract
            .read(&SYMBOL, &[])
            .expect("symbols")
            .rows::<SymbolRow>()
        {
            let at = row.address.index();
            symbols[at].get_or_insert(row);
        }
        Self {
            nodes: rows(extract.read(&STACK, &[]).expect("stacks").rows()),
            modules: rows(extract.read(&MODULE, &[]).expect("modules").rows()),
            addresses,
            symbols,
            kind,
        }
    }

    /// The frames of the language of a stack; `None` if there are none, or if generated code among them
    /// could not be named any more, because the process had ended.
    fn of(&self, stack: StackId) -> Option<Stack> {
        let mut frames = Vec::new();
        let mut next = Some(stack);
        while let Some(id) = next {
            let node = &self.nodes[id.index()];
            if self.kind_of(node) == Some("jit") {
                return None;
            }
            frames.extend(node.address.and_then(|address| {
                let module = self.addresses[address.index()].module?;
                if self.modules[module.index()].kind != self.kind {
                    return None;
                }
                assert_eq!(node.kind, self.kind_of_frames().code());
                let symbol = self.symbols[address.index()].as_ref()?;
                Some(Frame {
                    function: own_name(symbol.function.as_deref()?),
                    file: symbol.file.clone()?,
                    line: symbol.line.unwrap_or(-1),
                })
            }));
            next = node.parent;
        }
        (!frames.is_empty()).then_some(frames)
    }

    /// What the frames of the language are called.
    fn kind_of_frames(&self) -> StackKind {
        let named = |kind: &&(StackKind, &str)| kind.1 == self.kind;
        StackKind::ALL.iter().find(named).expect("a kind").0
    }

    /// The kind of the module that a frame is in.
    fn kind_of(&self, node: &StackRow) -> Option<&str> {
        let module = self.addresses[node.address?.index()].module?;
        Some(&self.modules[module.index()].kind)
    }
}
