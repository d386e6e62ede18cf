//! Whether the switches of a CPU follow from each other.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorded_whole};

/// Also where the kernel hides threads from tracing, and one comes for the first time long after the start.
#[test]
fn each_switch_begins_with_the_thread_that_came_before() {
    // Older kernels tell it only once a hidden thread was seen.
    if !has(Feature::Bpf) || !has(Feature::ExitTracepoint) {
        return;
    }
    let scratch = Scratch::new();
    let settings = Settings::new(scratch.path("x.data"));
    if recorded_whole(&settings, &["sleep", "1.5"].map(OsStr::new)).is_none() {
        return;
    }
    let recording = Recording::read(&scratch.path("x.data"));
    let mut running = BTreeMap::new();
    for raw in &recording.raws {
        if raw.event != "sched:sched_switch" {
            continue;
        }
        let thread = |at: usize| u32::from_ne_bytes(raw.bytes[at..at + 4].try_into().unwrap());
        let (leaver, comer) = (thread(24), thread(56));
        let came = running.insert(raw.cpu, comer).unwrap_or(leaver);
        assert_eq!(came, leaver, "on CPU {} at {} ns", raw.cpu, raw.time_ns);
    }
    assert!(!running.is_empty());
}
