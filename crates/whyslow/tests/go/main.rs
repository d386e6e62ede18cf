//! A Go program whose goroutines write down how long they waited in each of its functions, against what is
//! recorded of them.
//!
//! The recorder looks at goroutines at random moments, so the sums are estimates: of 3 s of a program whose
//! goroutines wait nearly all the time, looks are expected to miss by about 3 %. Needs root and a kernel that
//! permits recording.

#![expect(clippy::expect_used, reason = "a test may stop")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use whyslow_extract::Extract;
use whyslow_model::tables::{GOROUTINE, GoroutineRow, STACK, SYMBOL, StackRow, SymbolRow};
use whyslow_model::{GoroutineState, Named, StackId, TraceView};
use whyslow_testenv::{Feature, has};

/// Recordings that are made before the test fails: a machine that is busy looks late.
const ATTEMPTS: usize = 4;

#[test]
fn recorded_waits_of_goroutines_are_those_that_the_program_adds_up() {
    if !has(Feature::Recording) || !has(Feature::Go) {
        return;
    }
    let dir = format!("go-{}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(dir);
    fs::create_dir_all(&dir).expect("a directory for the test");
    let program = build(&dir);
    let agrees = (1..=ATTEMPTS).any(|attempt| {
        let dir = dir.join(attempt.to_string());
        let (said, recorded) = record(&dir, &[program.as_os_str()]);
        let wrong: Vec<String> = said
            .iter()
            .filter_map(|(function, &ms)| {
                let found = recorded.get(function).copied().unwrap_or(0);
                println!("{function}: {ms} ms, recorded {found} ms");
                // A tenth and a few looks.
                let is_near = found.abs_diff(ms) <= ms / 10 + 150;
                (!is_near).then(|| format!("{function}: {ms} ms, recorded {found} ms"))
            })
            .collect();
        println!("attempt {attempt}: {wrong:?}");
        wrong.is_empty()
    });
    fs::remove_dir_all(&dir).expect("the directory can be removed");
    assert!(
        agrees,
        "none of {ATTEMPTS} recordings agrees with the program"
    );
}

/// `go run` builds the program into a temporary folder, and removes that when the program ends: before its
/// functions are looked up.
#[test]
fn functions_of_a_program_that_go_run_removes_have_names() {
    if !has(Feature::Recording) || !has(Feature::Go) {
        return;
    }
    let dir = format!("go-run-{}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(dir);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go/queues.go");
    let command = ["go", "run"].map(OsStr::new);
    let (said, recorded) = record(&dir, &[&command[..], &[source.as_os_str()]].concat());
    fs::remove_dir_all(&dir).expect("the directory can be removed");
    let found = said.keys().filter(|name| recorded.contains_key(*name));
    assert_eq!(found.count(), said.len(), "{said:?}, recorded {recorded:?}");
}

fn build(dir: &Path) -> PathBuf {
    let program = dir.join("queues");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go/queues.go");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(source)
        .env("CGO_ENABLED", "0")
        .output()
        .expect("go runs");
    assert!(built.status.success(), "{built:?}");
    program
}

/// Records the program; returns what it says, and what was recorded, in milliseconds by function.
fn record(dir: &Path, command: &[&OsStr]) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
    fs::create_dir_all(dir).expect("a directory");
    let run = Command::new("timeout")
        .args(["--signal=KILL", "600", env!("CARGO_BIN_EXE_whyslow")])
        .args(["run", "-o", "why.txt", "--"])
        .args(command)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .expect("`timeout` runs");
    assert!(run.status.success(), "{run:?}");
    let text = String::from_utf8_lossy(&run.stdout);
    let said = text.lines().filter_map(|line| {
        let (function, ms) = line.split_once(' ')?;
        Some((function.to_owned(), ms.parse().ok()?))
    });
    let said: BTreeMap<String, u64> = said.collect();
    assert_eq!(said.len(), 10, "{text}");
    let mut files = fs::read_dir(dir)
        .expect("the directory")
        .map(|file| file.expect("a file").path());
    let extract = files.find(|path| path.extension().is_some_and(|end| end == "whyslow"));
    let extract = Extract::open(&extract.expect("an extract")).expect("the extract opens");
    let recorded = sums(&extract, &said);
    (said, recorded)
}

/// How long goroutines waited in each of some functions.
fn sums(extract: &Extract, wanted: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let symbols = extract.read(&SYMBOL, &[]).expect("symbols");
    let mut functions: BTreeMap<i32, &str> = BTreeMap::new();
    let rows: Vec<SymbolRow> = symbols.rows().collect();
    for row in &rows {
        let name = row
            .function
            .as_deref()
            .and_then(|name| name.strip_prefix("main."));
        if let Some((name, _)) = name.and_then(|name| wanted.get_key_value(name)) {
            functions.insert(row.address.0, name);
        }
    }
    let stacks = extract.read(&STACK, &[]).expect("stacks");
    let stacks: Vec<StackRow> = stacks.rows().collect();
    let function = |stack: StackId| {
        let mut at = Some(stack);
        while let Some(row) = at.and_then(|id| stacks.get(id.index())) {
            if let Some(name) = row.address.and_then(|address| functions.get(&address.0)) {
                return Some(*name);
            }
            at = row.parent;
        }
        None
    };
    let mut sums = BTreeMap::<String, i64>::new();
    let table = extract.read(&GOROUTINE, &[]).expect("goroutines");
    for row in table.rows::<GoroutineRow>() {
        let waits = row.state == GoroutineState::Waiting.code();
        if let Some(name) = row.stack.filter(|_| waits).and_then(function) {
            *sums.entry(name.to_owned()).or_default() += row.duration_ns * row.count;
        }
    }
    let ms = |ns: i64| u64::try_from(ns / 1_000_000).unwrap_or(0);
    sums.into_iter().map(|(name, ns)| (name, ms(ns))).collect()
}
