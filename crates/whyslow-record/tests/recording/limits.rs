//! Loss: none in ordinary work; and where stacks are too many, only stacks are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use whyslow_perfdata::Endian;
use whyslow_perfdata::whyslow_events::sites;
use whyslow_record::{DropReason, DroppedStacks, RecordReport, Settings};
use whyslow_testenv::{Feature, has};

use crate::recording::{Raw, Recording};
use crate::{Scratch, recorded_whole};

#[test]
fn nothing_is_lost_while_files_are_created_on_all_cpus() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let script = "cd $0; for d in 1 2; do (mkdir -p $d; cd $d; i=0; while [ $i -lt 10000 ]; do \
                  : > f$i; i=$((i+1)); done) & done; wait";
    let directory = scratch.0.clone();
    let command = ["sh".as_ref(), "-c".as_ref(), script.as_ref()];
    let command = [&command[..], &[directory.as_os_str()]].concat();
    let Some(report) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    assert!(report.dropped_stacks.iter().all(
        |dropped| dropped.reason == DropReason::Sampled || !dropped.name.starts_with("sched:")
    ));
}

/// Offsets in the payloads of `sched_switch`: name of the previous thread, previous thread and its state, next
/// thread.
const PREVIOUS_NAME: usize = 8;
const PREVIOUS: usize = 24;
const STATE: usize = 32;
const NEXT: usize = 56;
/// Where its fields end.
const FIELDS_END: usize = 64;

/// Records two threads that take turns as fast as they can.
fn recorded_turns(limit: impl FnOnce(&mut Settings)) -> Option<(RecordReport, Recording)> {
    if !has(Feature::Perf) {
        return None;
    }
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let mut settings = Settings::new(&output);
    limit(&mut settings);
    let command = ["perf", "bench", "sched", "pipe", "-l", "30000"].map(OsStr::new);
    let report = recorded_whole(&settings, &command)?;
    let recording = Recording::read(&output);
    Some((report, recording))
}

#[test]
fn limited_rate_leaves_out_stacks_and_never_switches() {
    let Some((report, recording)) = recorded_turns(|settings| {
        settings.stacks_per_second = 50;
        settings.use_bpf = false;
    }) else {
        return;
    };
    let switches = report
        .events
        .iter()
        .find(|event| event.name == "sched:sched_switch")
        .unwrap();
    assert!(switches.samples >= 60_000, "{}", switches.samples);
    let dropped = report
        .dropped_stacks
        .iter()
        .find(|dropped| dropped.name == switches.name)
        .unwrap();
    assert!(dropped.count > 10_000, "{dropped:?}");

    let bare = recording
        .stacks
        .iter()
        .filter(|stack| stack.event == "sched:sched_switch" && stack.kernel.is_empty());
    let hidden = report
        .dropped_stacks
        .iter()
        .find(|dropped| dropped.name.ends_with("hides"));
    let hidden = hidden.map_or(0, |hidden| hidden.count);
    assert_eq!(bare.count() as u64, dropped.count + hidden);
    assert_eq!(broken_chains(&recording), Vec::<String>::new());
}

#[test]
fn a_fair_sample_has_stacks_of_every_site_and_never_leaves_out_switches() {
    let Some((report, recording)) = recorded_turns(|_| ()) else {
        return;
    };
    assert!(recording.count("sched:sched_switch") >= 60_000);
    let is_sampled = |dropped: &&DroppedStacks| dropped.reason == DropReason::Sampled;
    let sampled = report.dropped_stacks.iter().filter(is_sampled);
    let switches = sampled.filter(|dropped| dropped.name == "sched:sched_switch");
    assert!(switches.map(|dropped| dropped.count).sum::<u64>() > 10_000);

    let switches = recording
        .raws
        .iter()
        .filter(|raw| raw.event == "sched:sched_switch");
    let mut with_stack = BTreeSet::new();
    let mut all = BTreeSet::new();
    for switch in switches {
        let [site, _] = sites(&switch.bytes, FIELDS_END, Endian::Little);
        if site != 0 {
            all.insert(site);
        }
        if switch.has_chain {
            with_stack.insert(site);
        }
    }
    assert_eq!(all.difference(&with_stack).collect::<Vec<_>>(), [&0; 0]);
    assert_eq!(broken_chains(&recording), Vec::<String>::new());
}

/// Waits for input on a terminal: `select` first waits until the kernel has worked off what was typed.
const TYPED: &str = "
import os, pty, select, threading
master, slave = pty.openpty()
def type_lines():
    for _ in range(5000):
        os.write(master, b'x\\n')
        select.select([master], [], [])
        os.read(master, 100)
threading.Thread(target=type_lines, daemon=True).start()
for _ in range(5000):
    select.select([slave], [], [], 1)
    os.read(slave, 1)
";

/// Siblings that call from the same place with the same stack pointer: some of them wait there, others are
/// taken off the CPU on their way back. Their ids differ by few bits.
const FORKED: &str = "
import os
end, feed = os.pipe()
zero = os.open('/dev/zero', os.O_RDONLY)
for _ in range(32):
    if os.fork() == 0:
        os.close(feed)
        for turn in range(6000):
            os.read(zero if turn % 50 else end, 20000 if turn % 50 else 1)
        os._exit(0)
os.close(end)
for _ in range(32 * 120):
    os.write(feed, b'x')
for _ in range(32):
    os.wait()
";

#[test]
fn a_site_has_one_state_that_threads_wait_in() {
    if !has(Feature::Python) {
        return;
    }
    for program in [TYPED, FORKED] {
        let scratch = Scratch::new();
        let output = scratch.path("a.data");
        let command = ["python3", "-c", program].map(OsStr::new);
        if recorded_whole(&Settings::new(&output), &command).is_none() {
            return;
        }
        let states = states_by_site(&Recording::read(&output));
        let mixed: Vec<_> = states
            .iter()
            .filter(|(_, states)| states.len() > 1)
            .collect();
        assert!(mixed.is_empty(), "{mixed:?} of {} sites", states.len());
    }
}

/// The states in which threads left the CPU at each site.
fn states_by_site(recording: &Recording) -> BTreeMap<u64, BTreeSet<u64>> {
    let switches = recording.raws.iter();
    let switches = switches.filter(|raw| raw.event == "sched:sched_switch");
    let mut states: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for switch in switches {
        let [site, _] = sites(&switch.bytes, FIELDS_END, Endian::Little);
        let state = u64::from_ne_bytes(*switch.bytes.get(STATE..).unwrap().first_chunk().unwrap());
        if site != 0 {
            states.entry(site).or_default().insert(state & 3);
        }
    }
    states
}

/// Places where a switch is missing or there twice: every switch of a CPU begins with the thread
/// that the one before ended with.
///
/// Some kernels hide threads, idle ones among them; a gap between two of those is none of ours.
fn broken_chains(recording: &Recording) -> Vec<String> {
    let thread = |raw: &[u8], offset: usize| {
        u32::from_ne_bytes(*raw.get(offset..).unwrap().first_chunk().unwrap())
    };
    let switches = recording
        .raws
        .iter()
        .filter(|raw| raw.event == "sched:sched_switch");
    let mut by_cpu: BTreeMap<u32, Vec<(u64, u32, u32)>> = BTreeMap::new();
    let mut reporting = BTreeSet::new();
    for Raw {
        cpu,
        time_ns,
        bytes,
        ..
    } in switches
    {
        let (previous, next) = (thread(bytes, PREVIOUS), thread(bytes, NEXT));
        // Switches from hidden threads come without their names.
        if bytes.get(PREVIOUS_NAME) != Some(&0) {
            reporting.insert((previous, *cpu));
        }
        by_cpu
            .entry(*cpu)
            .or_default()
            .push((*time_ns, previous, next));
    }
    let reports = |tid: u32, cpu: u32| {
        if tid == 0 {
            reporting.contains(&(0, cpu))
        } else {
            reporting.iter().any(|(known, _)| *known == tid)
        }
    };
    let mut broken = Vec::new();
    for (cpu, switches) in by_cpu {
        for (index, pair) in switches.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            let is_twice = before == after;
            if before.2 != after.1 && (is_twice || reports(before.2, cpu)) {
                let context = &switches[index.saturating_sub(4)..index + 2];
                broken.push(format!("CPU {cpu}: {context:?}"));
            }
        }
    }
    broken
}
