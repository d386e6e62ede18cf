//! Files that `perf record` writes during the test, from start to tables.
//!
//! Skipped if there is no perf or it may not record.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, MemorySink, import_perf};
use whyslow_model::tables::{
    CapabilityRow, CpuSampleRow, ProcessRow, StackRow, ThreadRow, ThreadStateRow, TraceRow,
};
use whyslow_model::{Named, ProblemKind, RawTable, StackEnd, StackId, ThreadState};
use whyslow_perfdata::Reader;
use whyslow_testenv::{Feature, has, need};

/// A file that is deleted when the test ends.
struct Recorded(PathBuf);

impl Drop for Recorded {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.0);
    }
}

/// Records with perf (without build ids, which crash it on some files), or prints why the test is
/// skipped.
fn record(name: &str, arguments: &[&str]) -> Option<Recorded> {
    if !has(Feature::Perf) {
        return None;
    }
    let path = std::env::temp_dir().join(format!("whyslow-{}-{name}.data", std::process::id()));
    let recorded = Recorded(path);
    let mut command = Command::new("perf");
    command
        .args(["record", "-q", "-B", "-o"])
        .arg(&recorded.0)
        .args(arguments);
    let done = match command.output() {
        Ok(output) if output.status.success() => Ok(recorded),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    };
    need(Feature::Perf, done)
}

fn import(recorded: &Recorded) -> Outcome {
    let reader = Reader::open(&recorded.0).unwrap();
    let mut sink = MemorySink::new();
    let mut calls = 0;
    let mut progress = |_| {
        calls += 1;
        ControlFlow::Continue(())
    };
    let settled = import_perf(reader, ImportOptions::default(), &mut sink, &mut progress).unwrap();
    assert!(calls > 0);
    outcome(sink, settled)
}

/// One second of CPU time, on machines of any speed and load, and two processes.
const BUSY: &str = "ulimit -S -t 1; trap busy= XCPU; busy=1; while [ $busy ]; do :; done; \
                    ls -R /etc | wc -l";

#[test]
fn a_recording_of_the_whole_machine() {
    let events = [
        "-e",
        "cpu-clock/freq=997/",
        "-e",
        "sched:sched_switch",
        "-e",
        "sched:sched_waking",
    ];
    let mut arguments = vec!["-a", "-g", "-m", "4M"];
    arguments.extend(events);
    // A unique name distinguishes our processes from everything else that runs here.
    let mark = format!("wm{}", std::process::id());
    let link = std::env::temp_dir().join(&mark);
    std::os::unix::fs::symlink("/bin/sleep", &link).unwrap();
    let script = format!("{BUSY}; {} 0.05", link.display());
    arguments.extend(["--", "sh", "-c", &script]);
    let recorded = record("all", &arguments);
    std::fs::remove_file(&link).unwrap();
    let Some(recorded) = recorded else {
        return;
    };
    let outcome = import(&recorded);
    let threads: Vec<ThreadRow> = outcome.rows();
    let states: Vec<ThreadStateRow> = outcome.rows();
    let processes: Vec<ProcessRow> = outcome.rows();
    for thread in &threads {
        let mut at = thread.start_ns.unwrap_or(0);
        for row in states.iter().filter(|row| row.thread == thread.id) {
            assert_eq!(row.start_ns, at);
            at += row.duration_ns;
        }
        assert_eq!(at, thread.end_ns.unwrap_or(outcome.summary.duration_ns));
    }
    let marks = processes.iter().filter(|row| row.name == mark);
    let mut shells = marks.filter_map(|row| processes.get(row.parent?.index()));
    let shell = shells
        .next()
        .unwrap_or_else(|| panic!("no shell in {processes:?}"));
    assert_eq!(shell.name, "sh");
    assert!(
        shell.start_ns.is_some() && shell.end_ns.is_some(),
        "{shell:?}"
    );

    let sum = |state: ThreadState| -> i64 {
        let mine = states
            .iter()
            .filter(|row| row.process == shell.id && row.state == state.code());
        mine.map(|row| row.duration_ns).sum()
    };
    let samples: Vec<CpuSampleRow> = outcome.rows();
    let sampled: i64 = {
        let mine = samples.iter().filter(|row| row.process == shell.id);
        mine.map(|row| row.weight_ns).sum()
    };
    let running = sum(ThreadState::Running);
    assert!(running > 0 && sum(ThreadState::Waiting) >= 50_000_000);
    // It may have run where events were lost.
    let most = running + sum(ThreadState::Unknown);
    let range = running / 2 - 20_000_000..most + most / 2 + 20_000_000;
    assert!(
        range.contains(&sampled),
        "{sampled} of {running} to {most} ns"
    );

    // A kernel that loses events without reporting it leaves gaps that the import must not fill.
    let gaps = outcome.count(ProblemKind::BrokenSchedule) + outcome.count(ProblemKind::LostEvents);
    let (unknown, covered) = (outcome.summary.unknown_ns, outcome.summary.covered_ns);
    if gaps == 0 {
        assert!(
            unknown < covered / 1000,
            "{unknown} of {covered} ns are unknown"
        );
    } else {
        println!("the kernel withheld {gaps} events: unknown are {unknown} of {covered} ns");
    }
}

#[test]
fn a_recording_of_one_program_without_stacks() {
    let Some(recorded) = record("one", &["-e", "cpu-clock", "--", "sh", "-c", BUSY]) else {
        return;
    };
    let outcome = import(&recorded);
    let samples: Vec<CpuSampleRow> = outcome.rows();
    assert!(!samples.is_empty());
    assert!(
        samples.iter().all(|row| row.stack.is_some()),
        "at least the address"
    );
    assert_eq!(outcome.summary.rows_of(RawTable::ThreadState), 0);
    let capabilities: Vec<CapabilityRow> = outcome.rows();
    let of = |name: &str| {
        let mut rows = capabilities.iter();
        rows.find(|row| row.name == name)
            .map(|row| row.presence.clone())
    };
    assert_eq!(of("cpu samples").as_deref(), Some("yes"));
    assert_eq!(of("switches").as_deref(), Some("no"));
    assert_eq!(of("whole machine").as_deref(), Some("no"));
    let trace: Vec<TraceRow> = outcome.rows();
    assert!(
        trace[0]
            .recorder
            .as_deref()
            .is_some_and(|recorder| recorder.starts_with("perf"))
    );
    assert!(
        trace[0]
            .command
            .as_deref()
            .is_some_and(|command| command.contains("cpu-clock"))
    );
}

#[test]
fn stack_dumps_are_walked_on_the_recorded_machine() {
    let arguments = [
        "--call-graph",
        "dwarf,16384",
        "-e",
        "cpu-clock",
        "--",
        "sh",
        "-c",
        BUSY,
    ];
    if !has(Feature::X86) {
        return;
    }
    let Some(recorded) = record("dwarf", &arguments) else {
        return;
    };
    let outcome = import(&recorded);
    let stacks: Vec<StackRow> = outcome.rows();
    let root = |mut node: StackId| loop {
        let row = &stacks[node.index()];
        match row.parent {
            Some(parent) => node = parent,
            None => return row.end.and_then(StackEnd::from_code),
        }
    };
    let samples: Vec<CpuSampleRow> = outcome.rows();
    let ends: Vec<_> = samples
        .iter()
        .filter_map(|row| row.stack)
        .map(root)
        .collect();
    let complete = ends
        .iter()
        .filter(|&&end| end == Some(StackEnd::Complete))
        .count();
    assert!(
        complete * 2 > ends.len(),
        "{complete} of {} reach the root",
        ends.len()
    );
}

#[test]
fn an_import_can_be_stopped() {
    let Some(recorded) = record("stop", &["-e", "cpu-clock", "--", "true"]) else {
        return;
    };
    let reader = Reader::open(&recorded.0).unwrap();
    let mut sink = MemorySink::new();
    let mut stop = |_| ControlFlow::Break(());
    let stopped = import_perf(reader, ImportOptions::default(), &mut sink, &mut stop);
    assert!(matches!(stopped, Err(whyslow_import::Error::Cancelled)));
}
