//! Windows traces of machines whose threads follow a script: the import finds the same states.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::ops::ControlFlow;

use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, MemorySink, import_etl};
use whyslow_model::tables::{AddressRow, MappingRow, StackRow, ThreadRow, ThreadStateRow};
use whyslow_model::{Named, StackId, ThreadId, ThreadState, WaitReason, WakerKind};
use whyslow_testkit::{Interval, Leaves, Random, ScriptedMachine, Start, State, Switching, Waker};

fn import(files: &[Vec<u8>]) -> Outcome {
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(files, ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

/// Imports a file that may be no trace at all.
fn try_import(file: &[u8]) -> Option<Outcome> {
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[file], ImportOptions::default(), &mut sink, &mut go_on).ok()?;
    Some(outcome(sink, settled))
}

/// An interval in one state, in ticks of 100 ns, as text: thread, CPU, from, to, state, reason,
/// waker, stack of the wait, stack of the waker.
fn told(outcome: &Outcome) -> Vec<String> {
    let threads: Vec<ThreadRow> = outcome.rows();
    let thread = |id: ThreadId| &threads[id.index()];
    let stacks = Stacks::of(outcome);
    let stack = |id: Option<StackId>| stacks.frames(id);
    let states: Vec<ThreadStateRow> = outcome.rows();
    let tell = |row: &ThreadStateRow| {
        let thread_row = thread(row.thread);
        let state = ThreadState::from_code(row.state).unwrap();
        let is_off = state == ThreadState::Waiting || state == ThreadState::Ready;
        let reason = WaitReason::from_code(row.reason).unwrap();
        let waker = match row
            .waker_kind
            .map(|kind| WakerKind::from_code(kind).unwrap())
        {
            Some(WakerKind::Interrupt) => "interrupt".to_owned(),
            Some(WakerKind::Thread) => thread(row.waker_thread.unwrap()).os_tid.to_string(),
            _ => "-".to_owned(),
        };
        let is_idle = thread_row.idle_cpu.is_some();
        let (from, to) = (row.start_ns / 100, (row.start_ns + row.duration_ns) / 100);
        let mut line = format!("{} {from}-{to} {}", thread_row.os_tid, state.name());
        if state == ThreadState::Running || is_idle {
            line += &format!(" on {}", row.cpu.or(thread_row.idle_cpu).unwrap());
        }
        if is_off && !is_idle {
            let raw = row.reason_raw.filter(|_| reason != WaitReason::Preempted);
            line += &format!(
                " {raw:?} {waker} {:x?} {:x?}",
                stack(row.stack),
                stack(row.waker_stack)
            );
        }
        line
    };
    let mut lines: Vec<_> = states.iter().map(tell).collect();
    lines.sort();
    lines
}

/// The same text for the intervals of the script.
fn expected(machine: &ScriptedMachine, end: i64) -> Vec<String> {
    let tell = |interval: &Interval| {
        let Interval {
            thread, start, end, ..
        } = interval;
        let state = match interval.state {
            State::Running => ThreadState::Running,
            State::Ready => ThreadState::Ready,
            State::Waiting => ThreadState::Waiting,
        };
        let mut line = format!("{thread} {start}-{end} {}", state.name());
        if state == ThreadState::Running || *thread == 0 {
            line += &format!(" on {}", interval.cpu.unwrap());
        } else {
            let waker = match interval.waker {
                Some(Waker::Thread(tid)) => tid.to_string(),
                Some(Waker::Interrupt) => "interrupt".to_owned(),
                None => "-".to_owned(),
            };
            let raw = interval.reason.map(i32::from);
            let (stack, mut woken) = (kept(&interval.stack), kept(&interval.waker_stack));
            if interval.waker == Some(Waker::Interrupt) {
                // The interrupted program's own frames do not belong to the waker's stack.
                woken.retain(|frame| frame >> 63 == 1);
            }
            line += &format!(" {raw:?} {waker} {stack:x?} {woken:x?}");
        }
        line
    };
    let intervals = machine.intervals(end);
    // An idle thread that never ran is not reported.
    let ran = |of: &Interval| {
        let mut all = intervals.iter();
        all.any(|it| (it.thread, it.cpu, it.state) == (0, of.cpu, State::Running))
    };
    let told = intervals.iter().filter(|it| it.thread != 0 || ran(it));
    let mut lines: Vec<_> = told.map(tell).collect();
    lines.sort();
    lines
}

/// The stacks of a trace, for look-ups.
struct Stacks {
    stacks: Vec<StackRow>,
    addresses: Vec<AddressRow>,
    mappings: Vec<MappingRow>,
}

impl Stacks {
    fn of(outcome: &Outcome) -> Self {
        Self {
            stacks: outcome.rows(),
            addresses: outcome.rows(),
            mappings: outcome.rows(),
        }
    }

    /// Returns the frames of a stack as they are kept, leaf first.
    fn frames(&self, stack: Option<StackId>) -> Vec<u64> {
        let mut frames = Vec::new();
        let mut node = stack;
        while let Some(row) = node.map(|id| &self.stacks[id.index()]) {
            node = row.parent;
            let Some(id) = row.address else { continue };
            let address = &self.addresses[id.index()];
            let base = address.module.map(|module| {
                let mut all = self.mappings.iter();
                all.find(|mapping| mapping.module == module).unwrap().base
            });
            frames.push(base.unwrap_or(0).wrapping_add(address.rva).cast_unsigned());
        }
        frames
    }
}

/// Return addresses are moved into their calls; the innermost frame of each half is not one.
fn kept(frames: &[u64]) -> Vec<u64> {
    let mut before = None;
    let keep = |&frame: &u64| {
        let half = frame >> 63;
        let is_first = before.replace(half) != Some(half);
        frame - u64::from(!is_first)
    };
    frames.iter().map(keep).collect()
}

#[track_caller]
fn check(machine: &mut ScriptedMachine, end: i64) {
    let outcome = import(&[machine.trace().bytes()]);
    same(&outcome, &told(&outcome), &expected(machine, end));
}

#[track_caller]
fn same(outcome: &Outcome, told: &[String], expected: &[String]) {
    let missing: Vec<_> = expected
        .iter()
        .filter(|line| !told.contains(line))
        .collect();
    let wrong: Vec<_> = told
        .iter()
        .filter(|line| !expected.contains(line))
        .collect();
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "missing {missing:#?}\nwrong {wrong:#?}\nproblems {:?}",
        outcome.problems
    );
}

fn machine() -> ScriptedMachine {
    let mut machine = ScriptedMachine::new(2);
    machine.process(4, 0, "System", "");
    machine.process(100, 4, "a.exe", "a.exe -x");
    machine.thread(100, 101, Start::Running(0));
    machine.thread(100, 102, Start::Running(1));
    machine
}

#[test]
fn a_thread_waits_is_woken_and_runs_elsewhere() {
    let mut machine = machine();
    machine.switch(10, 0, 0, Leaves::Waits(6));
    machine
        .ready(30, 1, 101, Waker::Thread(102))
        .stack(&[0x7ff6_0000_2000]);
    machine
        .switch(35, 1, 101, Leaves::Ready)
        .stack(&[0xffff_8000_0000_1000, 0x7ff6_0000_1000]);
    machine.switch(40, 1, 102, Leaves::Ended);
    machine.sample(50, 1, 0x7ff6_0000_1000);
    check(&mut machine, 50);
}

/// A thread that nothing woke has been ready since the start, unless its wake-up may be among the
/// lost events.
#[test]
fn a_lost_wake_up_may_be_why_a_thread_came() {
    for (buffers_lost, state) in [(0, "ready None - [] []"), (1, "unknown")] {
        let mut machine = machine();
        machine.header.buffers_lost = buffers_lost;
        machine.thread(100, 103, Start::Ready);
        machine.switch(10, 0, 103, Leaves::Waits(6));
        machine.ready(20, 1, 101, Waker::Thread(102));
        machine.sample(50, 1, 0x7ff6_0000_1000);
        let told = told(&import(&[machine.trace().bytes()]));
        assert!(told.contains(&format!("103 0-10 {state}")), "{told:#?}");
    }
}

#[test]
fn wandering_threads_are_found_where_they_were() {
    for seed in 1..=12 {
        let mut machine = ScriptedMachine::new(1 + u16::try_from(seed % 4).unwrap());
        machine.switching = Switching::Single(2 + u16::try_from(seed % 4).unwrap());
        machine.rundown_at_end = seed % 3 == 0;
        let end = machine.wander(&mut Random(seed), 9, 600);
        machine.sample(end + 10, 0, 0x7ff6_0000_1000);
        check(&mut machine, end + 10);
    }
}

/// Packed switches do not say why a thread stopped, but they do say which one ran where.
#[test]
fn packed_switches_say_who_ran() {
    for seed in 1..=6 {
        let mut machine = ScriptedMachine::new(3);
        machine.switching = Switching::Packed;
        let end = machine.wander(&mut Random(seed), 9, 600);
        machine.sample(end + 10, 0, 0x7ff6_0000_1000);
        let outcome = import(&[machine.trace().bytes()]);
        // The thread after the last switch of each processor is not known.
        let last = format!("-{} ", end + 10);
        let runs = |mut lines: Vec<String>| {
            lines.retain(|line| line.contains("running") && !line.contains(&last));
            lines
        };
        let expected = runs(expected(&machine, end + 10));
        same(&outcome, &runs(told(&outcome)), &expected);
    }
}

/// A session split into several files, each with some of its buffers, is one trace.
#[test]
fn files_of_one_session_are_merged() {
    let mut machine = ScriptedMachine::new(3);
    let end = machine.wander(&mut Random(7), 9, 2000);
    machine.sample(end + 10, 0, 0x7ff6_0000_1000);
    let trace = machine.trace();
    let whole = import(&[trace.bytes()]);
    let (first, second) = trace.split();
    let merged = import(&[second.bytes(), first.bytes()]);
    let times = |outcome: &Outcome| {
        let rows: Vec<ThreadStateRow> = outcome.rows();
        let time = |row: &ThreadStateRow| (row.thread, row.start_ns, row.duration_ns, row.state);
        rows.iter().map(time).collect::<Vec<_>>()
    };
    // A stack and its event have the same time here, so across two files they may come in either
    // order.
    assert_eq!(times(&whole), times(&merged));
    for name in ["thread", "process", "cpu_sample"] {
        assert!(whole.table(name) == merged.table(name), "{name}");
    }
}

/// The user half comes when the thread returns to its own code, on any processor.
#[test]
fn user_halves_come_later() {
    let mut machine = machine();
    let (kernel, user) = (
        [0xffff_8000_0000_1000],
        [0x7ff6_0000_3000, 0x7ff6_0000_4001],
    );
    machine.sample(5, 1, 0x7ff6_0000_1000);
    machine.switch(10, 0, 0, Leaves::Waits(6));
    machine.ready(30, 1, 101, Waker::Thread(102));
    let later = 4_000_000;
    machine
        .switch(35, 0, 101, Leaves::Waits(0))
        .halves(&kernel, &user, (later, 1));
    machine.sample(later + 10, 1, 0x7ff6_0000_1000);
    check(&mut machine, later + 10);
}

/// A key may be dropped between an event and the record of its stack, and then has another meaning.
#[test]
fn keys_mean_what_they_did_when_they_were_written() {
    use whyslow_testkit::payload::{stack_key, stack_of_key};
    let mut machine = machine();
    machine.sample(5, 1, 0x7ff6_0000_1000);
    let mut step = |time: i64, forgotten: &[u64], frames: &[u64]| {
        machine.switch(time, 0, 0, Leaves::Waits(6));
        machine.ready(time + 10, 1, 101, Waker::Thread(102));
        machine.switch(time + 20, 0, 101, Leaves::Waits(0));
        machine.expect_stack(frames);
        let old = stack_key(true, 7, forgotten);
        machine.perfinfo(time + 21, 0, (0x1823, 2), &old);
        let key = stack_of_key(true, whyslow_testkit::T0 + time + 20, (100, 101), 7);
        machine.perfinfo(time + 22, 0, (0x1826, 2), &key);
    };
    let (one, two) = ([0x7ff6_0000_3000], [0x7ff6_0000_5000]);
    step(10, &[0x7ff6_0000_9000], &one);
    step(50, &one, &two);
    machine.perfinfo(100, 0, (0x1824, 2), &stack_key(true, 7, &two));
    machine.sample(110, 1, 0x7ff6_0000_1000);
    check(&mut machine, 110);
}

/// Without any list of processes and threads, stacks still show which process a thread belongs to;
/// the other threads belong to one unknown process.
#[test]
fn without_a_rundown_stacks_tell_processes() {
    use whyslow_model::tables::ProcessRow;
    use whyslow_testkit::Trace;
    let mut machine = machine();
    machine.switch(10, 0, 0, Leaves::Waits(6));
    machine.ready(30, 0, 101, Waker::Interrupt);
    machine
        .switch(35, 0, 101, Leaves::Waits(0))
        .stack(&[0x7ff6_0000_2000]);
    machine.switch(40, 1, 0, Leaves::Waits(6));
    let whole = machine.trace();
    let Trace { header, buffers } = whole;
    // The first processor's buffer begins with the list.
    let events = |buffer: &whyslow_testkit::Buffer| buffer.events.clone();
    let first = events(&buffers[0]);
    let mut at = 0;
    while first[at + 7] != 0x05 || first[at + 6] != 0x24 {
        at += usize::from(u16::from_le_bytes([first[at + 4], first[at + 5]])).next_multiple_of(8);
    }
    let mut cut = Trace { header, buffers };
    cut.buffers[0].events = first[at..].to_vec();
    let outcome = import(&[cut.bytes()]);
    let processes: Vec<ProcessRow> = outcome.rows();
    let threads: Vec<ThreadRow> = outcome.rows();
    let of = |tid: i32| {
        let thread = threads.iter().find(|thread| thread.os_tid == tid).unwrap();
        let process = &processes[thread.process.index()];
        (process.os_pid, process.name.as_str())
    };
    assert_eq!(of(101), (100, "[100]"));
    assert_eq!(of(102), (-1, "[unknown]"));
}

/// Damaged traces are imported as far as possible: the import ends, with the same result twice.
#[test]
fn damaged_traces_are_imported_as_far_as_they_go() {
    let mut machine = ScriptedMachine::new(2);
    machine.switching = Switching::Packed;
    let middle = machine.wander(&mut Random(3), 6, 200);
    machine.switching = Switching::Single(4);
    machine.image(
        0,
        0xffff_f800_0000_0000,
        0x1000,
        r"\SystemRoot\system32\ntoskrnl.exe",
    );
    machine.image(
        100,
        0x7ff6_0000_0000,
        0x1000,
        r"\Device\HarddiskVolume3\first.exe",
    );
    machine
        .sample(middle + 10, 0, 0x7ff6_0000_0010)
        .stack(&[0x7ff6_0000_0010]);
    let bytes = machine.trace().bytes();
    let mut random = Random(11);
    let mut imported = 0;
    for round in 0..45 {
        let mut bytes = bytes.clone();
        match round % 3 {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => (0..4).for_each(|_| {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }),
            _ => {
                let at = random.below(bytes.len() / 8) * 8;
                bytes[at..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
            }
        }
        let once = try_import(&bytes);
        imported += usize::from(once.is_some());
        if round % 9 == 0 {
            let twice = try_import(&bytes);
            let tables = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.tables);
            assert!(tables(once) == tables(twice), "round {round}");
        }
    }
    assert!(imported > 30, "{imported}");
}
