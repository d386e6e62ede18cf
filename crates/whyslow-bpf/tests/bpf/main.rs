//! The eBPF programs, loaded into the running kernel and looked at from outside. Skipped where
//! that is not permitted.
//!
//! Nothing here asserts a duration from above: the machine may be busy.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop, and says what it saw"
)]

mod calls;
mod processes;
mod rings;
mod waits;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use whyslow_bpf::payload::{Payload, StackDump};
use whyslow_bpf::{BpfError, Config, Programs};
use whyslow_unwind::{FileId, Limits, NewMapping, StackEnd, StackParts, Unwinder, UserRegs};

use whyslow_testenv::{Feature, has, wait_until};

use rings::Rings;

/// Loaded programs and what they wrote.
struct Trial {
    rings: Rings,
    programs: Programs,
    raws: Vec<Vec<u8>>,
    lost: u64,
}

/// Loads the programs and looks at what they write, if that is permitted. Again where the rings
/// overflow, which is no fault on a busy machine. One test at a time: each would be full of the others'.
fn on_trial(config: &Config, look: impl Fn(&mut Trial)) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    if !has(Feature::Bpf) {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..10 {
        let mut trial = Trial::begin(config);
        let looked = catch_unwind(AssertUnwindSafe(|| look(&mut trial)));
        trial.drain();
        match looked {
            Ok(()) => return,
            Err(why) if trial.lost == 0 => resume_unwind(why),
            Err(_) => println!("{} records are lost", trial.lost),
        }
    }
    panic!("the rings overflow every time");
}

impl Trial {
    fn begin(config: &Config) -> Self {
        let rings = Rings::open().unwrap();
        let programs = Programs::load(config, &rings.outputs()).unwrap();
        Self {
            rings,
            programs,
            raws: Vec::new(),
            lost: 0,
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
    wait_until("it sleeps", || {
        let comm = std::fs::read(format!("/proc/{pid}/comm")).unwrap();
        let call = std::fs::read_to_string(format!("/proc/{pid}/syscall")).unwrap_or_default();
        // Reading or sleeping, as opposed to running and to waiting for a page.
        comm != own && (call.starts_with("0 ") || call.starts_with("230 "))
    });
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
    on_trial(&Config::default(), |trial| {
        trial
            .programs
            .attach_sampler(&trial.rings.samplers())
            .unwrap();
        trial.programs.open_waits().unwrap();
    });
}

#[test]
fn entries_of_interrupts_are_found_where_the_kernel_hides_its_addresses() {
    if !has(Feature::Bpf) {
        return;
    }
    let found = match whyslow_bpf::interrupt_entries() {
        Ok(found) => found,
        Err(why) => return println!("needs Linux 6.0: {why}"),
    };
    let table = std::fs::read_to_string("/proc/kallsyms").unwrap();
    let shown = |name: &str| {
        let line = table.lines().find(|line| line.ends_with(name)).unwrap();
        u64::from_str_radix(line.split_once(' ').unwrap().0, 16).unwrap()
    };
    let shown = shown(" __irqentry_text_start")..shown(" __irqentry_text_end");
    assert!(!found.is_empty());
    // Here they may be hidden, too.
    assert!(shown.is_empty() || shown == found, "{shown:x?} {found:x?}");
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
