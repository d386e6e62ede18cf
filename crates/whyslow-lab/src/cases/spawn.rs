//! `spawn`: starts of processes by different system calls, from a parent that may grow.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::io::Errno;
use rustix::process::getuid;

use crate::bench::Bench;
use crate::case::Case;
use crate::error::{Error, errno, size};
use crate::measuring::{alone, look_again};
use crate::memory;
use crate::operation::Operation;
use crate::options::{Options, Parameter, Takes};
use whyslow_series::{Run, Words};

use whyslow_law::count as real;

/// Starts processes from a growing parent.
pub(super) static CASE: Case = Case {
    name: "spawn",
    about: "start processes by fork and by posix_spawn, from a process that may grow",
    examples: &["spawn --memory 1GB"],
    words: Words::new("spawn", "Starting a process", "starts"),
    parameters: &[MEMORY, DESCRIPTORS],
    usual_count: Some(500),
    needs_directory: false,
    check,
    series: |_| 2,
    measure,
    ..Case::PLAIN
};

/// Bytes the parent has at the end.
const MEMORY: Parameter = Parameter {
    name: "memory",
    short: None,
    value: "SIZE",
    help: "let the starting process grow to this size",
    takes: Takes::Size,
    local_only: false,
};

/// Open files the parent has more than usual.
const DESCRIPTORS: Parameter = Parameter {
    name: "descriptors",
    short: None,
    value: "N",
    help: "open this many more files in the starting process",
    takes: Takes::Number,
    local_only: false,
};

/// Starting from a parent that grows.
const GROWING: Words = Words::new("spawn", "Starting a process", "MB of the parent");

/// Returns the bytes that the parent grows by at every start.
fn step(options: &Options) -> usize {
    let memory = options.number(&MEMORY, 0);
    usize::try_from(memory.checked_div(options.count).unwrap_or(0)).unwrap_or(0)
}

fn check(options: &Options) -> Result<(), Error> {
    let (memory, free) = (
        options.number(&MEMORY, 0),
        memory::free().unwrap_or(u64::MAX),
    );
    let text = if memory > free / 2 {
        let (memory, free) = (size(memory), size(free));
        format!("the starting process cannot grow to {memory}: only {free} is free")
    } else if memory > 0 && step(options) == 0 {
        "a process that grows does so by at least one byte per start".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::Options(text))
}

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let step = step(options);
    let words = if step > 0 { GROWING } else { CASE.words };
    let descriptors = options.number(&DESCRIPTORS, 0);
    for (arm, call) in [("fork", Call::Fork), ("posix_spawn", Call::PosixSpawn)] {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut spawn = Spawn::new(call, step, descriptors)?;
        let setup = bench.setup(words).named(arm);
        let mut run = alone(&mut spawn, setup.clone(), options.limits(), context);
        if step > 0 {
            for n in &mut run.first.n {
                *n *= real(step) / 1e6;
            }
        }
        // A parent that is small again.
        drop(spawn);
        look_again(&mut run, options, context, |limits| {
            let mut spawn = Spawn::new(call, step, descriptors)?;
            Ok(alone(&mut spawn, setup, limits, context))
        });
        runs.push(run);
    }
    Ok(())
}

/// How a process is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    /// `posix_spawn`, which shares the parent's memory until the exec.
    PosixSpawn,
    /// `fork`, which copies the parent's page tables, then exec.
    Fork,
}

/// Starts of `/bin/true`, one after another, from a parent that grows.
struct Spawn {
    call: Call,
    step_bytes: usize,
    memory: Vec<Vec<u8>>,
    _descriptors: Vec<OwnedFd>,
}

/// What is started.
const PROGRAM: &str = "/bin/true";

impl Spawn {
    /// Returns the starts; the parent grows by `step_bytes` before each, and holds `descriptors`
    /// open files more than usual.
    fn new(call: Call, step_bytes: usize, descriptors: u64) -> Result<Self, Error> {
        let null = Path::new("/dev/null");
        let open = |_| File::open(null).map(OwnedFd::from);
        let descriptors: Result<Vec<_>, _> = (0..descriptors).map(open).collect();
        Ok(Self {
            call,
            step_bytes,
            memory: Vec::new(),
            _descriptors: descriptors.map_err(Error::io("open many times", null))?,
        })
    }
}

impl Operation for Spawn {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        let mut command = Command::new(PROGRAM);
        if self.call == Call::Fork {
            // The standard library forks where a user is given; it is the same one.
            command.uid(getuid().as_raw());
        }
        let status = command.status().map_err(|error| errno(&error))?;
        if status.success() {
            Ok(0)
        } else {
            Err(Errno::CHILD)
        }
    }

    fn prepare(&mut self, _at: u64, _go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        self.memory.push(vec![1; self.step_bytes]);
        Ok(true)
    }

    fn prepares(&self) -> bool {
        self.step_bytes > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_calls_start_a_process() {
        for call in [Call::PosixSpawn, Call::Fork] {
            let mut spawn = Spawn::new(call, 4096, 3).expect("descriptors");
            assert_eq!(spawn.prepare(0, &|| true), Ok(true));
            assert_eq!(spawn.run(0), Ok(0));
        }
    }
}
