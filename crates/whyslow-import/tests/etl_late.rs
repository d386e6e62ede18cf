//! What Windows traces report late, or only once for several files.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::ops::ControlFlow;

use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, MemorySink, import_etl};
use whyslow_model::tables::{CapabilityRow, CpuSampleRow, StackRow, TraceRow};
use whyslow_model::{NULL_I32, ProblemKind, StackId};
use whyslow_testkit::payload::{sample, sample_interval, stack};
use whyslow_testkit::{Header, T0, Trace, perfinfo};

fn import(files: &[Vec<u8>]) -> Outcome {
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(files, ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

fn file(header: Header, events: Vec<(u16, Vec<u8>)>) -> Vec<u8> {
    Trace::of(header, events).bytes()
}

fn sampled(time: i64, tid: u32) -> Vec<u8> {
    let payload = sample(true, 0xffff_8000_0000_1000, tid, 1, 0);
    perfinfo(0x0f2e, 2, T0 + time, &[], &payload)
}

fn walked(time: i64, event_time: i64, tid: u32) -> Vec<u8> {
    let frames = [0xffff_8000_0000_1000, 0xffff_8000_0000_2000];
    let payload = stack(true, T0 + event_time, (70, tid), &frames);
    perfinfo(0x1820, 2, T0 + time, &[], &payload)
}

/// A stack that extends from the kernel into the program.
fn walked_through(time: i64, event_time: i64, tid: u32) -> Vec<u8> {
    let frames = [0xffff_8000_0000_1000, 0x7ff6_0000_1000];
    let payload = stack(true, T0 + event_time, (70, tid), &frames);
    perfinfo(0x1820, 2, T0 + time, &[], &payload)
}

/// A user half that names an earlier event in the kernel.
fn user_half(time: i64, event_time: i64, tid: u32) -> Vec<u8> {
    let payload = stack(true, T0 + event_time, (70, tid), &[0x7ff6_0000_2000]);
    perfinfo(0x1820, 2, T0 + time, &[], &payload)
}

/// Samples by time: how many frames their stacks have.
fn depths(outcome: &Outcome) -> Vec<usize> {
    let stacks: Vec<StackRow> = outcome.rows();
    let depth = |leaf: Option<StackId>| {
        let parent = |id: &StackId| stacks.iter().find(|row| row.id == *id)?.parent;
        std::iter::successors(leaf, parent).count()
    };
    let mut samples: Vec<CpuSampleRow> = outcome.rows();
    samples.sort_by_key(|row| row.time_ns);
    samples.iter().map(|row| depth(row.stack)).collect()
}

/// The clock has 10,000 ticks in a millisecond. An event waits 10 ms for its stack; one that comes
/// within a second still finds its event.
#[test]
fn late_stacks_find_their_events() {
    let events = vec![
        (0, sampled(1000, 71)),
        (0, walked(1001, 1000, 71)),
        (0, sampled(2000, 71)),
        (0, sampled(2000, 72)),
        (0, sampled(2500, 73)),
        (0, sampled(3000, 74)),
        (0, sampled(150_000, 75)),
        (0, walked(150_001, 2000, 71)),
        (0, walked_through(150_002, 2000, 72)),
        (0, walked(150_003, 150_000, 75)),
        // In the kernel only; its user half is still to come.
        (0, walked(160_000, 2500, 73)),
        (0, user_half(170_000, 2500, 73)),
        (0, sampled(9_000_000, 75)),
    ];
    let outcome = import(&[file(Header::default(), events)]);
    assert_eq!(depths(&outcome), [2, 2, 2, 3, 0, 2, 0]);
    assert_eq!(outcome.count(ProblemKind::LateEvents), 0);
}

#[test]
fn stacks_that_come_too_late_are_counted() {
    let events = vec![
        (0, sampled(1000, 71)),
        (0, walked(1001, 1000, 71)),
        (0, sampled(2000, 71)),
        (0, sampled(11_000_000, 72)),
        (0, walked(11_000_001, 2000, 71)),
        (0, walked(11_000_002, 11_000_000, 72)),
    ];
    let outcome = import(&[file(Header::default(), events)]);
    assert_eq!(depths(&outcome), [2, 0, 2]);
    assert_eq!(outcome.count(ProblemKind::LateEvents), 1);
}

#[test]
fn an_interval_that_comes_last_counts_for_all_samples() {
    let interval = sample_interval(0, 1221, 1221, None);
    let events = vec![
        (0, sampled(1000, 71)),
        (0, sampled(2000, 71)),
        (0, perfinfo(0x0f4a, 2, T0 + 3000, &[], &interval)),
    ];
    let outcome = import(&[file(Header::default(), events)]);
    let samples: Vec<CpuSampleRow> = outcome.rows();
    let weights: Vec<_> = samples.iter().map(|row| row.weight_ns).collect();
    assert_eq!(weights, [122_100, 122_100]);
    let trace: TraceRow = outcome.rows().remove(0);
    assert_eq!(trace.sample_period_ns, Some(122_100));
    let capabilities: Vec<CapabilityRow> = outcome.rows();
    let mut notes = capabilities.iter().filter_map(|row| row.note.as_deref());
    assert!(!notes.any(|note| note.contains("assumed")));
}

/// One file has a single stream of records for all processors, the other has one for each.
#[test]
fn each_file_says_whether_its_records_have_processors() {
    const ONE_STREAM: u32 = 0x1000_0000;
    let one_stream = Header {
        mode: 1 | ONE_STREAM,
        ..Header::default()
    };
    let first = file(one_stream, vec![(0, sampled(1000, 71))]);
    let second = file(Header::default(), vec![(3, sampled(2000, 71))]);
    let outcome = import(&[first, second]);
    let samples: Vec<CpuSampleRow> = outcome.rows();
    let cpus: Vec<_> = samples.iter().map(|row| row.cpu).collect();
    assert_eq!(cpus, [NULL_I32, 3]);
}
