//! Whole recordings: made by the library or by the example program, read back by the reader.
//!
//! Each test says skipped where the machine does not permit what it needs. Nothing here asserts a
//! duration from above: the machine may be busy.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop, and says what it saw"
)]

mod back_to_back;
mod contents;
mod disks;
mod endings;
mod files;
mod limits;
mod marks;
mod memory;
mod operations;
mod perf;
mod recording;
mod repeated_calls;
mod rights;
mod rounds;
mod stacks;
mod switches;
mod system_calls;
mod wait_objects;
mod wakers;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use whyslow_record::{Missing, RecordReport, Recorder, Settings};
use whyslow_testenv::{Feature, fresh, has};

/// A directory of one test, removed at its end.
///
/// One test runs at a time: each recording would be full of the others'.
struct Scratch(
    PathBuf,
    #[expect(dead_code, reason = "held for its lock")] MutexGuard<'static, ()>,
);

impl Scratch {
    fn new() -> Self {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        static NEXT: AtomicU32 = AtomicU32::new(0);
        fresh();
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("whyslow-recording-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path, turn)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of the files in it, sorted.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A recorder of the whole machine; `None`, after saying so, where that is not permitted.
fn recorder(settings: Settings) -> Option<Recorder> {
    if !has(Feature::Recording) {
        return None;
    }
    let recorder = Recorder::new(settings).unwrap();
    assert!(!recorder.is_command_only(), "the machine may be recorded");
    Some(recorder)
}

/// Records until nothing is lost, with more room each time: a loss is reported, and no fault on a busy
/// machine. `None`, after saying so, where the machine may not be recorded.
fn recorded_whole(settings: &Settings, command: &[&OsStr]) -> Option<RecordReport> {
    let mut settings = settings.clone();
    for _ in 0..6 {
        let report = recorder(settings.clone())?.run_command(command).unwrap();
        if report.lost() == 0 {
            return Some(report);
        }
        println!("lost: {report:?}");
        settings.replace_output = true;
        settings.ring_bytes *= 2;
    }
    panic!("every recording has losses");
}

/// What could not be recorded of this machine. Which languages and versions other programs on it are written
/// in is none of a test's business.
fn missing(report: &RecordReport) -> Vec<&Missing> {
    let of_languages = ["the functions of ", "what goroutines of "];
    let is_of_language = |what: &str| of_languages.iter().any(|words| what.starts_with(words));
    let missing = report.missing.iter();
    missing
        .filter(|missing| !is_of_language(&missing.what))
        .collect()
}

/// The example program, which `cargo test` builds too; `None`, after saying so, where it could not
/// record.
fn program() -> Option<PathBuf> {
    if !has(Feature::Recording) {
        return None;
    }
    let own = std::env::current_exe().unwrap();
    let built = own.parent().and_then(Path::parent).unwrap();
    let program = built.join("examples/record");
    assert!(program.exists(), "not built: cargo build --examples");
    Some(program)
}

/// One second of CPU time for a shell, on machines of any speed and load.
const BUSY: &str = "ulimit -S -t 1; trap busy= XCPU; busy=1; while [ $busy ]; do :; done";
