//! Whole recordings: made by the library or by the example program, read back by the reader.
//!
//! Each test says skipped where the machine does not permit what it needs. Nothing here asserts a
//! duration from above: the machine may be busy.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests panic and say skipped"
)]

mod contents;
mod endings;
mod limits;
mod perf;
mod recording;
mod rights;
mod stacks;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use whyslow_record::{Error, Recorder, Settings};

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
    match Recorder::new(settings) {
        Ok(recorder) if !recorder.is_command_only() => Some(recorder),
        Ok(_) => {
            println!("skipped: only own processes may be recorded");
            None
        }
        Err(why @ Error::NotPermitted { .. }) => {
            println!("skipped: {why}");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

/// The example program, which `cargo test` builds too; `None`, after saying so, where it is not
/// there or could not record.
fn program(scratch: &Scratch) -> Option<PathBuf> {
    recorder(Settings::new(scratch.path("probe")))?;
    let own = std::env::current_exe().unwrap();
    let program = own
        .parent()
        .and_then(Path::parent)
        .unwrap()
        .join("examples/record");
    if !program.exists() {
        println!("skipped: {} is not built", program.display());
        return None;
    }
    Some(program)
}

/// Whether a program can be started; says skipped if not.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}
