//! Programs made by Go: what is read from outside is what the runtime itself reports.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use whyslow_goroutines::{Observer, Runtime, State};
use whyslow_symbols::go::GoImage;
use whyslow_symbols::jvm::Memory;
use whyslow_symbols::{ModuleRef, Names, Options, Origin, Resolution, SymbolFrame, Symbolizer};
use whyslow_testenv::{Feature, has};
use whyslow_unwind::{FileId, Limits, NewMapping, Unwinder, UserRegs};

#[derive(Debug)]
struct ProcessMemory(File);

impl Memory for ProcessMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.read_exact_at(into, address).ok()
    }
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("whyslow-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that runs, and what it reported about its goroutines: for each its functions, the leaf
/// first.
struct Running {
    child: Child,
    told: BTreeMap<u64, Vec<String>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(program: &Path) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut told = BTreeMap::<u64, Vec<String>>::new();
        let mut id = 0;
        for line in lines.by_ref().map(Result::unwrap) {
            if line == "end" {
                break;
            }
            if let Some(rest) = line.strip_prefix("goroutine ") {
                id = rest.split(' ').next().unwrap().parse().unwrap();
                told.entry(id).or_default();
            } else if !line.starts_with(['\t', ' ']) && !line.is_empty() {
                // A function that was inlined has no arguments to print, and no name in the file.
                let has_frame = !line.starts_with("created by ") && !line.ends_with("(...)");
                if let Some(end) = line.rfind('(').filter(|_| has_frame) {
                    told.get_mut(&id).unwrap().push(line[..end].to_owned());
                }
            }
        }
        Self { child, told }
    }

    fn memory(&self) -> ProcessMemory {
        ProcessMemory(File::open(format!("/proc/{}/mem", self.child.id())).unwrap())
    }

    /// Where the code of the program is mapped: start, end, offset in the file.
    fn code(&self, program: &Path) -> (u64, u64, u64) {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap();
        let name = program.to_str().unwrap();
        let mut lines = maps.lines().filter(|line| line.ends_with(name));
        let line = lines.find(|line| line.contains(" r-xp ")).unwrap();
        let mut words = line.split(' ');
        let (start, end) = words.next().unwrap().split_once('-').unwrap();
        let number = |text| u64::from_str_radix(text, 16).unwrap();
        (number(start), number(end), number(words.nth(1).unwrap()))
    }
}

fn build(folder: &Path, flags: &[&str]) -> PathBuf {
    let program = folder.join("waits");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/waits.go");
    let built = Command::new("go")
        .arg("build")
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(source)
        .env("GOFLAGS", "")
        .env("CGO_ENABLED", "0")
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    program
}

/// Names of functions at addresses of the file.
fn names(program: &Path, addresses: &BTreeSet<u64>) -> BTreeMap<u64, Vec<String>> {
    let addresses: Vec<u64> = addresses.iter().copied().collect();
    let mut names = Names::default();
    let mut found = Vec::new();
    let module = ModuleRef::elf(program, None);
    let symbolizer = Symbolizer::new(Options {
        origin: Origin::ThisMachine,
        ..Options::default()
    });
    symbolizer.symbolize_module(&module, &addresses, &mut names, &mut |at, resolution| {
        if let Resolution::Frames(frames) = resolution {
            found.push((at, frames.to_vec()));
        }
    });
    let name = |frame: &SymbolFrame| names.text(frame.function).to_owned();
    let named = found
        .iter()
        .map(|(at, frames)| (addresses[*at], frames.iter().map(name).collect()));
    named.collect()
}

/// Builds the program with flags, and compares what is read with what it reports.
fn check(name: &str, flags: &[&str]) {
    if !has(Feature::Go) {
        return;
    }
    let folder = Folder::new(name);
    let program = build(&folder.0, flags);
    let running = Running::start(&program);
    assert!(running.told.len() > 10, "{:?}", running.told);

    let image = GoImage::read(&program).expect("a Go program");
    let (start, end, file_offset) = running.code(&program);
    let bias = image.bias(start, file_offset).unwrap();
    let memory = running.memory();
    let runtime = Runtime::find(&memory, &image, bias).expect("its goroutines");
    let mut observer = Observer::new(7, runtime);
    let look = observer.look(&memory, 1000).unwrap();

    let mut unwinder = Unwinder::new(Limits::default());
    let mapping = NewMapping {
        start,
        end,
        file_offset,
        path: &program,
        file: FileId::Unknown,
    };
    unwinder.mapping(7, &mapping);
    let mut seen = BTreeMap::new();
    for change in &look.changes {
        assert_eq!(
            (change.pid, change.time_ns, change.stands_for),
            (7, 1000, 1)
        );
        let Some(stack) = &change.stack else {
            assert_ne!(
                change.state,
                Some(State::Waiting),
                "goroutine {}",
                change.id
            );
            continue;
        };
        let regs = UserRegs::from_ip_sp_bp(stack.pc, stack.sp, stack.bp);
        let mut frames = Vec::new();
        let walk = unwinder.unwind(7, &regs, &stack.bytes, &mut frames);
        assert!(
            format!("{:?}", walk.end).contains("Root"),
            "{:?}: {frames:x?}",
            walk.end
        );
        // Return addresses: the call is before.
        let calls = frames.iter().enumerate();
        let calls: Vec<u64> = calls
            .map(|(at, ip)| ip - start + file_offset - u64::from(at > 0))
            .collect();
        seen.insert(change.id, calls);
    }
    let addresses: BTreeSet<u64> = seen.values().flatten().copied().collect();
    let names = names(&program, &addresses);
    for (id, told) in &running.told {
        let Some(calls) = seen.get(id) else {
            // Goroutine 1 reads its input by now.
            assert_eq!(*id, 1, "{told:?}");
            continue;
        };
        let read = calls.iter().filter_map(|ip| names.get(ip)).flatten();
        let read: Vec<&String> = read.collect();
        // The runtime does not report its own functions.
        let mut rest = read.iter();
        let has = |function: &String| rest.any(|name| *name == function);
        assert!(told.iter().all(has), "goroutine {id}: {read:?}, {told:?}");
    }
    // Nothing has changed since.
    let again = observer.look(&memory, 2000).unwrap();
    let parked: BTreeSet<u64> = again.changes.iter().map(|change| change.id).collect();
    assert!(
        running
            .told
            .keys()
            .all(|id| *id == 1 || !parked.contains(id)),
        "{parked:?}"
    );
}

#[test]
fn goroutines_are_those_that_the_runtime_tells() {
    check("goroutines", &[]);
}

#[test]
fn stripped_programs_are_read_too() {
    check("goroutines-stripped", &["-ldflags=-s -w"]);
}

#[test]
fn programs_at_addresses_of_the_kernels_choice_are_read_too() {
    check("goroutines-pie", &["-buildmode=pie", "-ldflags=-s -w"]);
}
