//! The eBPF programs, loaded into the running kernel and looked at from outside. Each test says
//! skipped where that is not permitted.
//!
//! Nothing here asserts a duration from above: the machine may be busy.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests panic and say skipped"
)]

mod processes;
mod rings;
mod waits;

use std::path::PathBuf;

use whyslow_record::bpf::payload::{Payload, StackDump};
use whyslow_record::bpf::{BpfError, Config, Programs};
use whyslow_symbols::unwind::{
    FileId, Limits, NewMapping, StackEnd, StackParts, Unwinder, UserRegs,
};

use rings::Rings;

/// Loaded programs and what they wrote.
struct Trial {
    rings: Rings,
    programs: Programs,
    raws: Vec<Vec<u8>>,
    lost: u64,
}

impl Trial {
    /// Loads the programs; `None`, after saying so, where that is not permitted.
    fn begin(config: &Config) -> Option<Self> {
        let rings = match Rings::open() {
            Ok(rings) => rings,
            Err(why) => {
                println!("skipped: cannot open events: {why}");
                return None;
            }
        };
        match Programs::load(config, &rings.outputs()) {
            Ok(programs) => Some(Self {
                rings,
                programs,
                raws: Vec::new(),
                lost: 0,
            }),
            Err(why @ (BpfError::NotPermitted | BpfError::NoTypeInformation)) => {
                println!("skipped: {why}");
                None
            }
            Err(why) => panic!("{why}"),
        }
    }

    /// Takes what is in the rings.
    fn drain(&mut self) {
        let (raws, lost) = self.rings.take();
        self.raws.extend(raws);
        self.lost += lost;
    }

    /// Everything written so far.
    fn payloads(&mut self) -> Vec<Payload<'_>> {
        self.drain();
        self.raws
            .iter()
            .map(|raw| Payload::parse(raw).unwrap())
            .collect()
    }
}

/// Settings with room for all stacks of a busy machine.
fn generous() -> Config {
    Config {
        stack_bytes_per_second: 500_000_000,
        ..Config::default()
    }
}

/// Waits until a new process has started its program and sleeps in it.
fn wait_until_asleep(pid: u32) {
    let own = std::fs::read(format!("/proc/{}/comm", std::process::id())).unwrap();
    loop {
        let comm = std::fs::read(format!("/proc/{pid}/comm")).unwrap();
        let call = std::fs::read_to_string(format!("/proc/{pid}/syscall")).unwrap_or_default();
        // Reading or sleeping, as opposed to running and to waiting for a page.
        if comm != own && (call.starts_with("0 ") || call.starts_with("230 ")) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The calling thread's id.
fn tid() -> u32 {
    let link = std::fs::read_link("/proc/thread-self").unwrap();
    link.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

/// Walks a stack of a living process: its frames and how it ended.
fn walk(pid: u32, regs: &UserRegs, parts: &StackParts<'_>) -> (Vec<u64>, StackEnd) {
    let mut unwinder = Unwinder::new(Limits::default());
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    for line in maps.lines().filter(|line| line.contains(" r-xp ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (start, end) = words[0].split_once('-').unwrap();
        let hex = |text| u64::from_str_radix(text, 16).unwrap();
        let path = PathBuf::from(words.get(5).copied().unwrap_or("//anon"));
        let mapping = NewMapping {
            start: hex(start),
            end: hex(end),
            file_offset: hex(words[2]),
            path: &path,
            file: FileId::Unknown,
        };
        unwinder.mapping(pid, &mapping);
    }
    let mut frames = Vec::new();
    let walk = unwinder.unwind_parts(pid, regs, parts, &mut frames);
    (frames, walk.end)
}

/// Walks a stack of this process: its frames, how it ended, and whether it goes through `function`.
fn walk_through(dump: &StackDump<'_>, function: fn()) -> (Vec<u64>, StackEnd, bool) {
    let parts = StackParts {
        inner: dump.inner,
        outer_start: dump.outer_start,
        outer: dump.outer,
    };
    let (frames, end) = walk(std::process::id(), &dump.regs, &parts);
    // Functions are smaller than this; what follows is none that the stack could go through.
    let start = function as usize as u64;
    let through_it = frames
        .iter()
        .any(|frame| (start..start + 1024).contains(frame));
    (frames, end, through_it)
}

/// Asserts that a stack of this process is whole and goes through `function`.
fn assert_goes_through(dump: &StackDump<'_>, function: fn()) {
    let (frames, end, through_it) = walk_through(dump, function);
    assert_eq!((end, through_it), (StackEnd::Root, true), "{frames:x?}");
}

#[test]
fn the_kernel_takes_all_programs() {
    let Some(mut trial) = Trial::begin(&Config::default()) else {
        return;
    };
    trial
        .programs
        .attach_sampler(&trial.rings.samplers())
        .unwrap();
    trial.programs.open_waits().unwrap();
}

#[test]
fn nonsensical_settings_are_refused() {
    for config in [
        Config {
            inner_bytes: 61 << 10,
            ..Config::default()
        },
        Config {
            outer_bytes: 25 << 10,
            ..Config::default()
        },
        Config {
            stack_bytes_per_second: 0,
            ..Config::default()
        },
        Config {
            wait_threshold_ns: 0,
            ..Config::default()
        },
    ] {
        let refused = Programs::load(&config, &[]);
        assert!(matches!(refused, Err(BpfError::Settings(_))), "{config:?}");
    }
}
