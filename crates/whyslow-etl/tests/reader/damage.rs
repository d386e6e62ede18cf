//! Damage: whatever the bytes, the walk ends, with bounded work and no panic, and undamaged events
//! are delivered.

use std::io;

use whyslow_etl::{ErrorKind, FaultKind, Reader, Source};

use crate::container::{sample, ticks};
use crate::touch::{walk, walk_both_ways, walk_reader};
use whyslow_testkit::{Random, T0, Trace, system};

#[test]
fn cut_off_anywhere() {
    for trace in [sample(), sample().compressed()] {
        let bytes = trace.bytes();
        let whole = walk(&bytes).unwrap();
        let mut most = 0;
        for length in (0..bytes.len()).step_by(101) {
            let Ok(touched) = walk(&bytes[..length]) else {
                assert!(length < 500, "not opened at {length}");
                continue;
            };
            assert!(
                touched.records >= most,
                "more bytes, fewer events at {length}"
            );
            most = touched.records;
        }
        assert!(most > whole.records - 70 && most <= whole.records);
    }
}

#[test]
fn cut_off_within_a_buffers_header() {
    let bytes = sample().bytes();
    for length in 0x4000..0x4000 + 80 {
        assert_eq!(walk(&bytes[..length]).unwrap().records, 1 + 50 + 60 + 40);
    }
}

#[test]
fn a_cut_is_counted_with_its_place() {
    let trace = sample();
    let bytes = trace.bytes();
    let length = bytes.len() - 0x1000 + 72 + trace.buffers[3].events.len() - 9;
    let mut reader = Reader::new(&bytes[..length]).unwrap();
    let touched = walk_reader(&mut reader).unwrap();
    assert_eq!(touched.records, 1 + 50 + 60 + 40 + 69);
    let fault = reader.faults().get(FaultKind::Truncated).unwrap();
    assert_eq!((fault.count, fault.first_offset), (1, 0x4000));
    assert_eq!(fault.lost_bytes, (bytes.len() - length) as u64);
}

#[test]
fn flipped_bits_anywhere() {
    for trace in [sample(), sample().compressed()] {
        let seed = trace.bytes();
        for at in (0..seed.len()).step_by(43) {
            let mut bytes = seed.clone();
            bytes[at] ^= 1 << (at % 8);
            if let Ok(touched) = walk(&bytes) {
                assert!(touched.records > 100, "flip at {at:#x}");
            }
        }
    }
}

#[test]
fn random_mutations() {
    let mut random = Random(0xdead_beef);
    let seeds = [sample().bytes(), sample().compressed().bytes()];
    for _ in 0..200 {
        let mut bytes = seeds[random.below(2)].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            let width = 1 << random.below(4);
            let extremes = [0, u64::MAX, 1, 1 << 31, 1 << 63, random.number()];
            let value = extremes[random.below(6)];
            let end = bytes.len().min(at + width);
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
        }
        drop(walk_both_ways(bytes));
    }
}

/// Sets every length field of a buffer's and an event's header to its worst values.
#[test]
fn impossible_lengths() {
    for trace in [sample(), sample().compressed()] {
        let seed = trace.bytes();
        for start in [0x1000, 0x1000 + 72, 0x1000 + 72 + 40] {
            for at in (start..start + 56).step_by(2) {
                for value in [0, 71, 0x8000, 0xffff_ffff_u32] {
                    let mut bytes = seed.clone();
                    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                    let touched = walk(&bytes).unwrap();
                    assert!(touched.records >= 1 + 60 + 70, "{value:#x} at {at:#x}");
                }
            }
        }
    }
}

/// After bytes that are not an event, events are found again.
#[test]
fn events_behind_garbage_are_found() {
    let mut trace = Trace::new(vec![ticks(0, 10, 3, 40)]);
    let whole = walk(&trace.bytes()).unwrap().records;
    trace.buffers[0].events[400..464].fill(0xee);
    let mut reader = Reader::new(trace.bytes()).unwrap();
    let touched = walk_reader(&mut reader).unwrap();
    assert!(touched.records >= whole - 3, "{}", touched.records);
    let fault = reader.faults().get(FaultKind::BadEvent).unwrap();
    assert_eq!(fault.count, 1);
    assert!((8..=160).contains(&fault.lost_bytes), "{fault}");
}

/// One time stamp from the far future holds nothing back; a real pause is accepted.
#[test]
fn a_damaged_time_is_not_believed() {
    let hour = 36_000_000_000;
    let event = |time| system(true, 0x0501, 3, T0 + time, (4, 8), b"");
    let buffer = [10, 1 << 60, 20, 30, 40 + 2 * hour, 50 + 2 * hour].map(event);
    let buffer = buffer
        .into_iter()
        .fold(whyslow_testkit::Buffer::new(0), |b, e| b.push(e));
    let trace = Trace::new(vec![buffer, ticks(1, 15, 1, 4)]);
    let mut reader = Reader::new(trace.bytes()).unwrap();
    let touched = walk_reader(&mut reader).unwrap();
    let times: Vec<_> = touched.order.iter().map(|(time, _, _)| time - T0).collect();
    let late = [40 + 2 * hour, 50 + 2 * hour];
    assert_eq!(times[..9], [0, 10, 10, 15, 16, 17, 18, 20, 30]);
    assert_eq!((&times[9..], touched.late), (&late[..], 0));
    let fault = reader.faults().get(FaultKind::BadTime).unwrap();
    assert_eq!((fault.count, fault.first_offset), (1, 0x1000 + 72 + 32));
}

/// After bytes that are not a buffer, buffers are found again.
#[test]
fn buffers_behind_garbage_are_found() {
    for filler in [0, 0xaa] {
        for bytes_between in [1, 72, 4096, 500_001] {
            for trace in [sample(), sample().compressed()] {
                let mut bytes = trace.bytes();
                let tail = bytes.split_off(0x1000);
                bytes.resize(bytes.len() + bytes_between, filler);
                bytes.extend(tail);
                let mut reader = Reader::new(bytes).unwrap();
                assert_eq!(walk_reader(&mut reader).unwrap().records, 221);
                let lost: u64 = reader.faults().iter().map(|fault| fault.lost_bytes).sum();
                assert_eq!(lost, bytes_between as u64);
            }
        }
    }
}

/// A page of zeros costs the buffer it is in, and no other.
#[test]
fn zeroed_pages() {
    let seed = sample().bytes();
    for page in 1..seed.len() / 4096 {
        let mut bytes = seed.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0);
        let mut reader = Reader::new(bytes).unwrap();
        let lost = [0, 50, 60, 40, 70][page];
        assert_eq!(walk_reader(&mut reader).unwrap().records, 221 - lost);
        assert_eq!(reader.faults().get(FaultKind::Unused).unwrap().count, 1);
    }
}

/// A stream of a few bytes that announces gigabytes is decompressed only up to the limit.
#[test]
fn a_bomb_is_bounded() {
    let mut trace = Trace::new(vec![ticks(0, 10, 3, 10), ticks(1, 10, 3, 10)]).compressed();
    trace.buffers[1].events.resize(2 << 20, 0xff);
    let mut bytes = trace.bytes();
    assert!(bytes.len() < 0x2000);
    assert_eq!(walk(&bytes).unwrap().records, 21);
    // Now it claims to have the size of a session's buffer, although the file has only its
    // beginning, and to hold 4 GiB.
    let start = bytes.len() - trace.buffers[1].write(&trace.header).len();
    let in_file = (bytes.len() - start) as u64;
    let most = Reader::new(bytes.clone()).unwrap().session().buffer_bytes;
    bytes[start..start + 4].copy_from_slice(&most.to_le_bytes());
    bytes[start + 0x30..start + 0x34].fill(0xff);
    let mut reader = Reader::new(bytes.clone()).unwrap();
    assert_eq!(walk_reader(&mut reader).unwrap().records, 21);
    let lost = reader.faults().get(FaultKind::BadCompression);
    assert!(
        lost.is_none_or(|fault| fault.lost_bytes <= 4096 * in_file),
        "{lost:?}"
    );
    assert!(reader.faults().get(FaultKind::Truncated).is_some());
    // Compression makes no buffer larger than it was, so this one is not a buffer.
    bytes[start..start + 4].copy_from_slice(&(64_u32 << 20).to_le_bytes());
    let mut reader = Reader::new(bytes).unwrap();
    assert_eq!(walk_reader(&mut reader).unwrap().records, 11);
    assert!(reader.faults().get(FaultKind::BadBuffer).is_some());
}

struct Failing(Vec<u8>);

impl Source for Failing {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        if offset == 0x4048 {
            return Err(io::Error::other("disk on fire"));
        }
        self.0.read_at(offset, into)
    }
}

#[test]
fn a_failing_source_is_an_error_with_its_place() {
    let mut reader = Reader::new(Failing(Trace::new(vec![ticks(0, 1, 1, 1); 5]).bytes())).unwrap();
    let error = walk_reader(&mut reader).unwrap_err();
    assert_eq!(
        (error.kind, error.to_string().as_str()),
        (ErrorKind::Io, "cannot read at 0x4048")
    );
}

#[test]
fn extended_items_beyond_their_event() {
    let mut event = vec![0; 80];
    event[..4].copy_from_slice(&[0, 0, 19, 0xc0]);
    event[4] = 1;
    event[16..24].copy_from_slice(&(T0 + 3).to_le_bytes());
    // One good item, then one that is too long.
    event.extend([16, 0, 10, 0, 1, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    event.extend([0, 1, 10, 0, 0, 0, 8, 0, 9, 9, 9, 9]);
    let size = u16::try_from(event.len()).unwrap();
    event[..2].copy_from_slice(&size.to_le_bytes());
    let next = system(true, 0x0501, 3, T0 + 4, (4, 8), b"");
    let buffer = whyslow_testkit::Buffer::new(0).push(event).push(next);
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!((record.extended().count(), record.payload().len()), (1, 12));
    assert_eq!(walk_reader(&mut reader).unwrap().records, 1);
    let fault = reader.faults().get(FaultKind::BadExtended).unwrap();
    assert_eq!((fault.count, fault.first_offset), (1, 0x1048));
}
