//! Damaged and malicious Windows traces: whatever the bytes, an import ends, with counted problems,
//! and the states of every thread cover its lifetime.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::ops::ControlFlow;
use std::path::PathBuf;

use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, Limits, MemorySink, import_etl};
use whyslow_model::ProblemKind;
use whyslow_model::tables::{CpuSampleRow, ThreadStateRow};
use whyslow_testkit::payload::{stack, stack_key, stack_of_key};
use whyslow_testkit::{Buffer, Leaves, Random, ScriptedMachine, Start, Switching, T0, Trace};

/// Imports a file, if it is a trace, in little memory.
fn import(bytes: &[u8], what: &str) -> Option<Outcome> {
    let options = ImportOptions {
        limits: Limits::within(16 << 20),
        ..ImportOptions::default()
    };
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[bytes], options, &mut sink, &mut go_on).ok()?;
    let outcome = outcome(sink, settled);
    // Without a switch there are no states.
    if !outcome.rows::<ThreadStateRow>().is_empty() {
        outcome.assert_covered(what);
    }
    Some(outcome)
}

/// A trace of everything that the import reads; 900 steps make about 100 KB.
fn seed(switching: Switching, steps: usize) -> Trace {
    let mut machine = ScriptedMachine::new(3);
    machine.switching = switching;
    machine.image(0, 0xffff_f800_0000_0000, 0x10_0000, "\\SystemRoot\\nt.exe");
    machine.image(100, 0x7ff6_0000_0000, 0x10_0000, "\\Device\\a.exe");
    let end = machine.wander(&mut Random(3), 7, steps);
    for number in 0..40 {
        let time = end + 10 * number;
        let key = 1 + u64::try_from(number % 7).unwrap();
        machine.sample(time, 1, 0x7ff6_0000_1000);
        let of = stack_of_key(true, T0 + time, (100, 1001), key);
        machine.perfinfo(time + 1, 1, (0x1825, 2), &of);
        let is_defined = number % 3 == 0;
        let definition = stack_key(true, key, &[0xffff_f800_0000_1000, 0x7ff6_0000_2000]);
        if is_defined {
            machine.perfinfo(time + 2, 1, (0x1823, 2), &definition);
        }
    }
    machine.trace()
}

/// Returns the folder of real traces.
fn folder() -> Option<PathBuf> {
    Some(whyslow_testenv::data()?.join("etl"))
}

/// Cuts the file off at every `step` bytes; the rest must be read, and more of it as it grows.
fn cut_everywhere(bytes: &[u8], step: usize) {
    let mut most = 0;
    for length in (0..bytes.len()).step_by(step) {
        let Some(outcome) = import(&bytes[..length], &format!("cut at {length:#x}")) else {
            assert!(length < 0x1000, "not opened at {length:#x}");
            continue;
        };
        let rows = outcome.rows::<ThreadStateRow>().len() + outcome.rows::<CpuSampleRow>().len();
        assert!(
            rows + 200 > most,
            "{rows} rows at {length:#x}, {most} before"
        );
        most = rows.max(most);
    }
}

#[test]
fn cut_off_at_every_page() {
    for switching in [Switching::Single(4), Switching::Packed] {
        let trace = seed(switching, 900);
        cut_everywhere(&trace.bytes(), 0x1000);
        cut_everywhere(&trace.compressed().bytes(), 0x1000);
    }
}

/// Tests some pages of a real trace; all pages would take minutes.
#[test]
fn real_traces_cut_off() {
    let Some(dir) = folder() else { return };
    for name in [
        "airbus/ShutdownPerfDiagLogger.etl",
        "perfview/net.4.5.2.x64.etl",
    ] {
        let bytes = std::fs::read(dir.join(name)).unwrap();
        cut_everywhere(&bytes, 0x171 << 12);
    }
}

#[test]
#[ignore = "minutes: run it in a release build"]
fn real_traces_cut_off_at_every_page() {
    let Some(dir) = folder() else { return };
    for name in [
        "airbus/ShutdownPerfDiagLogger.etl",
        "perfview/net.4.5.2.x64.etl",
    ] {
        let bytes = std::fs::read(dir.join(name)).unwrap();
        cut_everywhere(&bytes, 0x1000);
    }
}

/// Changes some bytes: flips, extremes as wide as any length field, pages of zeros.
fn mutate(random: &mut Random, bytes: &mut [u8]) {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        if random.below(8) == 0 {
            let page = at & !0xfff;
            let end = bytes.len().min(page + 0x1000);
            bytes[page..end].fill(0);
            continue;
        }
        let width = 1 << random.below(4);
        let extremes = [0, u64::MAX, 1, 1 << 31, 1 << 63, random.number()];
        let value = extremes[random.below(6)];
        let end = bytes.len().min(at + width);
        bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
    }
}

#[test]
fn changed_bytes_anywhere() {
    let mut random = Random(0xdead_beef);
    for switching in [Switching::Single(4), Switching::Packed] {
        let trace = seed(switching, 900);
        let files = [trace.bytes(), trace.compressed().bytes()];
        for round in 0..60 {
            let mut bytes = files[round % 2].clone();
            mutate(&mut random, &mut bytes);
            import(&bytes, &format!("{switching:?}, round {round}"));
        }
    }
}

/// Sets every field of some events of every kind to its maximum, and to zero.
#[test]
fn fields_at_their_maximum() {
    let trace = seed(Switching::Single(4), 60);
    let bytes = trace.bytes();
    let start = 0x4000 + 72;
    for at in (start..start + 1600).step_by(4) {
        let mut changed = bytes.clone();
        let value = if at % 8 == 0 { 0xff } else { 0x7f };
        changed[at..at + 4].fill(value);
        import(&changed, &format!("{value:#x} at {at:#x}"));
    }
}

/// A machine with two running threads; the second is woken and sampled.
fn small() -> ScriptedMachine {
    let mut machine = ScriptedMachine::new(2);
    machine.process(100, 4, "a.exe", "a.exe");
    machine.thread(100, 101, Start::Running(0));
    machine.thread(100, 102, Start::Running(1));
    machine
}

/// Keys that are reused at once, defined twice, never, as themselves, or before their use; more
/// keys than there is room for.
#[test]
fn stack_keys_without_end() {
    let mut machine = small();
    let mut time = 10;
    for number in 0..3000_u64 {
        machine.sample(time, 1, 0x7ff6_0000_1000);
        // Some recur, some are used once.
        let key = if number % 2 == 0 { number % 5 } else { number };
        let of = stack_of_key(true, T0 + time, (100, 102), key);
        let opcode = 0x1825 + u16::from(number % 3 == 0);
        machine.perfinfo(time, 1, (opcode, 2), &of);
        let definition = stack_key(true, key, &[key, key, 0x7ff6_0000_2000]);
        for _ in 0..number % 4 {
            machine.perfinfo(time + 1, 0, (0x1824, 2), &definition);
        }
        time += 3;
    }
    let outcome = import(&machine.trace().bytes(), "keys").unwrap();
    assert_eq!(outcome.rows::<CpuSampleRow>().len(), 3000);
}

/// Stacks deeper than Windows writes, and more different ones than there is room for.
#[test]
fn stacks_without_end() {
    let mut machine = small();
    machine.header.buffer_bytes = 0x2_0000;
    let mut random = Random(17);
    let mut time = 10;
    for _ in 0..60 {
        machine.sample(time, 1, 0x7ff6_0000_1000);
        let frames: Vec<u64> = (0..8000).map(|_| random.number() >> 17).collect();
        let payload = stack(true, T0 + time, (100, 102), &frames);
        machine.perfinfo(time, 1, (0x1820, 2), &payload);
        time += 3;
    }
    let outcome = import(&machine.trace().bytes(), "stacks").unwrap();
    assert_eq!(outcome.rows::<CpuSampleRow>().len(), 60);
    assert!(outcome.count(ProblemKind::LimitReached) > 0);
}

/// Processors that no machine has: each counts as one more, and costs no more than that.
#[test]
fn processors_without_end() {
    let mut machine = small();
    machine.switch(20, 0, 0, Leaves::Waits(6));
    let mut trace = machine.trace();
    let events = trace.buffers[0].events.clone();
    for cpu in (0..2048).step_by(17) {
        let mut buffer = Buffer::new(cpu);
        buffer.events.clone_from(&events);
        trace.buffers.push(buffer);
    }
    trace.header.cpus = u32::MAX;
    import(&trace.bytes(), "processors").unwrap();
}

/// Events before the session's start, or long after it.
#[test]
fn times_outside_of_the_session() {
    for shift in [-1_000_000, -T0, i64::MIN / 4, 1 << 40, i64::MAX / 4] {
        let mut machine = small();
        machine.switch(20, 0, 0, Leaves::Waits(6));
        let mut trace = machine.trace();
        for (number, buffer) in trace.buffers.iter_mut().enumerate() {
            let mut at = 0;
            while at < buffer.events.len() {
                let event = &mut buffer.events[at..];
                let size = usize::from(u16::from_le_bytes([event[4], event[5]]));
                let time_at = if event[2] == 17 { 8 } else { 16 };
                let time = i64::from_le_bytes(event[time_at..time_at + 8].try_into().unwrap());
                if number % 2 == 0 || at % 16 == 0 {
                    let time = time.saturating_add(shift);
                    event[time_at..time_at + 8].copy_from_slice(&time.to_le_bytes());
                }
                at += size.next_multiple_of(8);
            }
        }
        import(&trace.bytes(), &format!("shifted by {shift}")).unwrap();
    }
}

/// A file with nothing but its session header is an empty trace.
#[test]
fn a_session_without_events() {
    let outcome = import(&Trace::new(Vec::new()).bytes(), "no events");
    assert!(outcome.is_none_or(|outcome| outcome.rows::<CpuSampleRow>().is_empty()));
}
