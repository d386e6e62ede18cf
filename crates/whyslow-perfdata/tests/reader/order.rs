//! Order of time: rounds, windows, late records, damaged time stamps.

use std::io::Cursor;

use whyslow_perfdata::{FaultKind, Reader};

use crate::synthetic::{File, Random};

/// Times and lateness of all samples, in order of delivery.
fn times(reader: &mut Reader) -> Vec<(u64, bool)> {
    let mut times = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        if record.ty == 9 {
            times.push((record.time_ns.unwrap(), record.late));
        }
    }
    times
}

fn open(file: &File) -> Reader {
    Reader::from_seekable(Box::new(Cursor::new(file.regular()))).unwrap()
}

fn check(file: &File, expected: &[(u64, bool)]) {
    assert_eq!(times(&mut open(file)), expected);
}

fn on_time(times: &[u64]) -> Vec<(u64, bool)> {
    times.iter().map(|&time| (time, false)).collect()
}

/// ```text
/// ring 0: 1 4 7 | 9 12    ring 1: 2 3 8 | 10 11
/// ```
#[test]
fn rounds_merge_rings() {
    let mut file = File::new(false);
    for time in [1, 4, 7, 2, 3, 8] {
        file.sample(time, 1, 0);
    }
    file.round();
    for time in [9, 12, 10, 11] {
        file.sample(time, 1, 0);
    }
    file.round();
    check(&file, &on_time(&[1, 2, 3, 4, 7, 8, 9, 10, 11, 12]));
}

/// A ring that was drained before another one wrote something older: the older record comes a round
/// later.
#[test]
fn a_round_may_hold_what_belongs_before_it() {
    let mut file = File::new(false);
    file.sample(10, 1, 0).sample(20, 1, 0).round();
    file.sample(15, 2, 1).sample(30, 1, 0).round();
    file.sample(40, 1, 0).round();
    check(&file, &on_time(&[10, 15, 20, 30, 40]));
}

/// Two rounds later it is too late: newer records have been delivered.
#[test]
fn late_records_are_delivered_and_flagged() {
    let mut file = File::new(false);
    file.sample(10, 1, 0).sample(20, 1, 0).round();
    file.sample(30, 1, 0).round();
    file.sample(40, 1, 0).round();
    file.sample(15, 2, 1).sample(50, 1, 0).round();
    let mut reader = open(&file);
    let expected = [
        (10, false),
        (20, false),
        (30, false),
        (15, true),
        (40, false),
        (50, false),
    ];
    assert_eq!(times(&mut reader), expected);
    assert_eq!(
        reader
            .faults()
            .get(FaultKind::Late)
            .map(|fault| fault.count),
        Some(1)
    );
}

#[test]
fn without_rounds_everything_in_the_window_is_sorted() {
    let mut file = File::new(true);
    for time in (1..2000_u64).rev() {
        file.sample(time, 1, 0);
    }
    let expected: Vec<_> = (1..2000).collect();
    check(&file, &on_time(&expected));
}

/// 12 MB without the end of a round in a window of 4 MB: nearly sorted pieces stay in order, and
/// the overflow is counted.
#[test]
fn a_small_window_overflows_gracefully() {
    let mut file = File::new(false);
    for time in 0..300_000_u64 {
        // Two rings, drained alternately, ten records at a time.
        let ring = time / 10 % 2;
        file.sample(1000 + time - 5 * ring, 1, u32::try_from(ring).unwrap());
    }
    let mut reader = open(&file);
    reader.set_window_bytes(0);
    let found = times(&mut reader);
    assert_eq!(found.len(), 300_000);
    assert!(found.is_sorted() && found.iter().all(|&(_, late)| !late));
    assert!(reader.faults().get(FaultKind::WindowFull).is_some());
}

/// One damaged time stamp must not disturb the order of all others.
#[test]
fn one_time_stamp_in_the_far_future() {
    for first in [true, false] {
        let mut file = File::new(false);
        let hour = 3_600_000_000_000;
        let start = 50 * hour;
        let stray = start | 1 << 60;
        if first {
            file.sample(stray, 1, 0);
        }
        file.sample(start + 10, 1, 0)
            .sample(start + 5, 2, 1)
            .round();
        if !first {
            file.sample(stray, 1, 0);
        }
        file.sample(start + 20, 1, 0)
            .sample(start + 15, 2, 1)
            .round();
        file.sample(start + 40, 1, 0)
            .sample(start + 18, 2, 1)
            .round();
        let expected = [5, 10, 15, 18, 20, 40].map(|offset| start + offset);
        let mut expected = on_time(&expected);
        expected.push((stray, false));
        check(&file, &expected);
    }
}

/// A gap of hours, as on a machine that was suspended, is accepted once a second record confirms
/// it.
#[test]
fn a_long_gap_is_no_damage() {
    let mut file = File::new(false);
    let day = 86_400_000_000_000_u64;
    file.sample(10, 1, 0).round();
    file.sample(day + 20, 1, 0).sample(day + 10, 2, 1).round();
    file.sample(day + 30, 1, 0).sample(day + 15, 2, 1).round();
    check(
        &file,
        &on_time(&[10, day + 10, day + 15, day + 20, day + 30]),
    );
}

/// Random rings, drained one after another at any time while others are written: within the
/// recorder's promise the order is exact.
#[test]
fn random_rings_come_out_sorted() {
    let mut random = Random(0x5eed);
    for _ in 0..200 {
        let mut file = File::new(random.below(2) == 0);
        let mut rings = vec![Vec::new(); usize::try_from(1 + random.below(6)).unwrap()];
        let count = rings.len() as u64;
        let (mut all, mut now, mut next) = (Vec::new(), 1, 0);
        for _ in 0..random.below(300) {
            now += random.below(3);
            all.push(now);
            rings[usize::try_from(random.below(count)).unwrap()].push(now);
            if random.below(4) == 0 {
                drain(&mut file, &mut rings, &mut next);
            }
        }
        for _ in 0..rings.len() {
            drain(&mut file, &mut rings, &mut next);
        }
        check(&file, &on_time(&all));
    }
}

/// Drains the next ring; the last one ends the round.
fn drain(file: &mut File, rings: &mut [Vec<u64>], next: &mut usize) {
    for time in rings[*next].drain(..) {
        file.sample(time, 1, 0);
    }
    *next += 1;
    if *next == rings.len() {
        file.round();
        *next = 0;
    }
}
