//! Order: whatever the order of the buffers in the file, events come by time.

use std::ops::ControlFlow;

use whyslow_etl::{FaultKind, Reader, Record};

use crate::container::{sample, ticks};
use crate::touch::{walk, walk_both_ways, walk_reader};
use whyslow_testkit::{Buffer, Random, T0, Trace, system};

/// The times of a trace's events, sorted by an independent method: by time, then by processor, then
/// by place.
fn sorted(trace: &Trace) -> Vec<(i64, u16, usize)> {
    let mut all = Vec::new();
    for buffer in &trace.buffers {
        let mut at = 0;
        while at < buffer.events.len() {
            let event = &buffer.events[at..];
            let size = usize::from(u16::from_le_bytes([event[4], event[5]]));
            let time = i64::from_le_bytes(event[16..24].try_into().unwrap());
            all.push((time, buffer.cpu, size - 32));
            at += size.next_multiple_of(8);
        }
    }
    all.sort_by_key(|(time, cpu, _)| (*time, *cpu));
    all
}

#[test]
fn buffers_that_overlap_are_merged() {
    let trace = sample();
    let touched = walk(&trace.bytes()).unwrap();
    assert_eq!(touched.order[1..], sorted(&trace));
}

/// Hundreds of buffers in random order, of one session and of others merged into it.
#[test]
fn any_order_of_buffers() {
    let mut random = Random(77);
    for round in 0..8 {
        let mut trace = Trace::new(Vec::new());
        for cpu in 0..4 + round {
            let mut first = 1 + random.below(50) as i64;
            for _ in 0..random.below(9) {
                let (step, count) = (random.below(5) as i64, random.below(50) as i64);
                trace.buffers.push(ticks(cpu, first, step, count));
                first += step * count + 1;
            }
        }
        let wanted = sorted(&trace);
        for index in (1..trace.buffers.len()).rev() {
            trace.buffers.swap(index, random.below(index + 1));
        }
        let touched = walk(&trace.bytes()).unwrap();
        assert_eq!(touched.order[1..], wanted, "round {round}");
        assert_eq!(touched.late, 0);
        assert_eq!(walk_both_ways(trace.compressed().bytes()).unwrap(), touched);
    }
}

/// Events earlier than the session's start keep their negative times.
#[test]
fn before_the_start() {
    let mut reader = Reader::new(Trace::new(vec![ticks(0, -500, 100, 10)]).bytes()).unwrap();
    let clock = reader.clock();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!((clock.ns(record.raw_time), record.late), (-50_000, false));
    assert_eq!(walk_reader(&mut reader).unwrap().late, 0);
}

/// A buffer that is itself out of order: its events are delivered, marked and counted.
#[test]
fn disorder_in_a_buffer_is_marked() {
    let event = |time| system(true, 0x0501, 3, T0 + time, (4, 8), b"");
    let buffer = Buffer::new(0)
        .push(event(10))
        .push(event(5))
        .push(event(20));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    let touched = walk_reader(&mut reader).unwrap();
    assert_eq!((touched.records, touched.late), (4, 1));
    let fault = reader.faults().get(FaultKind::Late).unwrap();
    assert_eq!((fault.count, fault.lost_bytes), (1, 0));
    assert_eq!(fault.detail, "5 ticks before the last event");
}

#[test]
fn the_next_time_is_known_before() {
    let bytes = sample().bytes();
    let all = walk(&bytes).unwrap().order;
    let mut reader = Reader::new(bytes).unwrap();
    for (time, _, _) in all {
        assert_eq!(reader.next_time().unwrap(), Some(time));
        assert_eq!(reader.next_time().unwrap(), Some(time));
        assert_eq!(reader.next_record().unwrap().unwrap().raw_time, time);
    }
    assert_eq!(reader.next_time().unwrap(), None);
    assert!(reader.next_record().unwrap().is_none());
    assert!(reader.next_record().unwrap().is_none());
}

/// More overlapping buffers than may be open: everything still comes.
#[test]
fn too_many_at_once() {
    let buffers = (0..2100).map(|n| ticks(n % 2048, i64::from(n), 5000, 3));
    let mut reader = Reader::new(Trace::new(buffers.collect()).bytes()).unwrap();
    assert_eq!(walk_reader(&mut reader).unwrap().records, 1 + 3 * 2100);
    assert!(reader.faults().get(FaultKind::Limit).is_some());
}

/// Reading some buffers without order does not affect the walk.
#[test]
fn some_buffers_only() {
    let buffers = (0..30).map(|n| ticks(n % 3, 100 * i64::from(n), 1, 10));
    let mut reader = Reader::new(Trace::new(buffers.collect()).bytes()).unwrap();
    reader.next_record().unwrap();
    // All, including the session header; every fourth.
    for (most, wanted) in [(31, 301), (1000, 301), (8, 71), (0, 1)] {
        let mut seen = 0;
        let mut look = |_: &Record<'_>| {
            seen += 1;
            ControlFlow::Continue(())
        };
        reader.sample_buffers(most, &mut look).unwrap();
        assert_eq!(seen, wanted);
    }
    let mut seen = 0;
    let mut look = |_: &Record<'_>| {
        seen += 1;
        ControlFlow::Break(())
    };
    reader.sample_buffers(31, &mut look).unwrap();
    assert_eq!(seen, 1);
    assert_eq!(walk_reader(&mut reader).unwrap().records, 300);
}
