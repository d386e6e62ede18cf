//! Whether a thread or an interrupt wakes, while other programs keep all CPUs busy.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorded_whole};

/// Timers wake the programs; each of them wakes the shell when it ends.
const SCRIPT: &str = "for i in 1 2 3 4 5 6 7 8; do sleep 0.02; done";

/// Bits of `common_flags`: an interrupt of the hardware, deferred work of one.
const IN_INTERRUPT: u8 = 0x08 | 0x10 | 0x40;

#[test]
fn an_interrupted_thread_is_no_waker() {
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let settings = Settings::new(scratch.path("x.data"));
    let command = ["sh", "-c", SCRIPT].map(OsStr::new);
    let is_done = AtomicBool::new(false);
    let report = thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let report = recorded_whole(&settings, &command);
        is_done.store(true, Ordering::Relaxed);
        report
    });
    if report.is_none() {
        return;
    }
    let recording = Recording::read(&scratch.path("x.data"));
    let started = |name: &[u8]| -> BTreeSet<u32> {
        let execs = recording.execs.iter();
        let execs = execs.filter(|exec| exec.arguments.starts_with(name));
        execs.map(|exec| exec.pid).collect()
    };
    let (sleeps, shells) = (started(b"sleep\x000.02\0"), started(b"sh\0-c\0for i"));
    assert_eq!((sleeps.len(), shells.len()), (8, 1));

    let (mut by_timer, mut by_child) = (BTreeSet::new(), BTreeSet::new());
    for raw in &recording.raws {
        if raw.event != "sched:sched_waking" {
            continue;
        }
        let number = |at: usize| u32::from_ne_bytes(raw.bytes[at..at + 4].try_into().unwrap());
        let (flags, waker, target) = (raw.bytes[2], number(4), number(24));
        let is_by_interrupt = flags & IN_INTERRUPT != 0;
        if sleeps.contains(&target) && is_by_interrupt {
            by_timer.insert(target);
        }
        if shells.contains(&target) && sleeps.contains(&waker) && !is_by_interrupt {
            by_child.insert(waker);
        }
    }
    // Not of all: a program may have lost its CPU before it slept, and the shell may have waited for a CPU,
    // not for the program.
    assert!(!by_timer.is_empty());
    assert!(!by_child.is_empty());
}
