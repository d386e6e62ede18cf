//! A recording that begins while the events of the one before are still being closed.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorded_whole};

/// Starts `tee` eight times. Each one waits for a line and then for the end of its input, unless it starts too late.
const SCRIPT: &str = "for i in 1 2 3 4 5 6 7 8; do \
    (sleep 0.02; echo line; sleep 0.02) | tee /dev/null; done";

/// Wake-ups are of new threads at new places here, so each has its stack, whatever else listens to the same
/// tracepoints: the events of the first recording do while the second one runs.
#[test]
fn both_know_who_wakes_whom() {
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let mut wake_ups = Vec::new();
    for name in ["first.data", "second.data"] {
        let settings = Settings::new(scratch.path(name));
        let command = ["sh", "-c", SCRIPT].map(OsStr::new);
        if recorded_whole(&settings, &command).is_none() {
            return;
        }
        wake_ups.push(of_readers(&Recording::read(&scratch.path(name))));
    }
    for (readers, with_stack, without) in wake_ups {
        assert_eq!(readers, 8);
        // One that starts late on a busy machine finds the line, or the end, there already.
        assert!(with_stack > 0);
        assert_eq!(without, 0, "{with_stack} have one");
    }
}

/// How many processes read the lines, and their wake-ups with and without stack.
fn of_readers(recording: &Recording) -> (usize, usize, usize) {
    /// Where the payload of `sched:sched_waking` has the thread.
    const TARGET: std::ops::Range<usize> = 24..28;
    let readers: BTreeSet<u32> = recording
        .execs
        .iter()
        .filter(|exec| exec.arguments.starts_with(b"tee\0"))
        .map(|exec| exec.pid)
        .collect();
    let target = |bytes: &[u8]| u32::from_ne_bytes(bytes[TARGET].try_into().unwrap());
    let wake_ups = recording
        .raws
        .iter()
        .filter(|raw| raw.event == "sched:sched_waking" && readers.contains(&target(&raw.bytes)));
    let (with, without): (Vec<_>, Vec<_>) = wake_ups.partition(|raw| raw.has_chain);
    (readers.len(), with.len(), without.len())
}
