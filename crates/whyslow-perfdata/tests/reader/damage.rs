//! Damage: whatever the bytes, the walk ends, with bounded work and no panic, and undamaged records
//! are delivered.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use whyslow_perfdata::{FaultKind, Reader};

use crate::formats::rich;
use crate::synthetic::{Bytes, Event, File, Random};
use crate::touch::{walk, walk_reader};
use crate::tracepoints::container;

fn open(bytes: Vec<u8>) -> Reader {
    Reader::from_seekable(Box::new(Cursor::new(bytes))).unwrap()
}

fn with_formats(big: bool) -> File {
    let mut file = rich(big);
    file.features.push((1, container(big, "0.6")));
    file.features.sort();
    file
}

#[test]
fn cut_off_anywhere() {
    for big in [false, true] {
        let file = with_formats(big);
        for bytes in [file.regular(), file.pipe()] {
            let whole = walk(&bytes).unwrap();
            let mut most = 0;
            for length in 0..bytes.len() {
                if let Ok(touched) = walk(&bytes[..length]) {
                    assert!(touched.records <= whole.records);
                    assert!(
                        touched.samples >= most,
                        "more bytes, fewer samples at {length}"
                    );
                    most = touched.samples;
                }
            }
            assert_eq!(most, whole.samples);
        }
    }
}

#[test]
fn a_cut_is_counted_with_its_place() {
    let mut file = File::new(false);
    file.sample(100, 1, 0).sample(200, 1, 0);
    let bytes = file.regular();
    let mut reader = open(bytes[..bytes.len() - 5].to_vec());
    assert_eq!(walk_reader(&mut reader).unwrap().samples, 1);
    let fault = reader.faults().get(FaultKind::Truncated).unwrap();
    assert_eq!(
        (fault.count, fault.first_offset),
        (2, bytes.len() as u64 - 5)
    );
}

#[test]
fn flipped_bits_anywhere() {
    let file = with_formats(false);
    for bytes in [file.regular(), file.pipe()] {
        for at in 0..bytes.len() {
            for bit in [0, 3, 7] {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let _ = walk(&bytes);
            }
        }
    }
}

#[test]
fn random_mutations() {
    let mut random = Random(0xdead_beef);
    let seeds = [with_formats(false).regular(), with_formats(true).pipe()];
    for _ in 0..4000 {
        let seed = &seeds[usize::try_from(random.below(2)).unwrap()];
        let mut bytes = seed.clone();
        for _ in 0..=random.below(4) {
            let at = usize::try_from(random.below(bytes.len() as u64)).unwrap();
            let width = usize::try_from(1 << random.below(4)).unwrap();
            let extremes = [0, u64::MAX, 1, 1 << 31, 1 << 63, random.next()];
            let value = extremes[usize::try_from(random.below(6)).unwrap()];
            let end = bytes.len().min(at + width);
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
        }
        let _ = walk(&bytes);
    }
}

/// Sets each length and count of the header to its worst values.
#[test]
fn impossible_headers() {
    let seed = with_formats(false).regular();
    for at in (0..104).step_by(8) {
        for value in [0, 1, 15, 16, 80, 104, 4096, 1 << 32, 1 << 62, u64::MAX] {
            let mut bytes = seed.clone();
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            let _ = walk(&bytes);
        }
    }
}

/// Thousands of attributes that all point to the same megabytes of ids.
#[test]
fn overlapping_ids_are_read_once() {
    let mut file = File::new(false);
    file.events = vec![
        Event {
            ids: (0..1000).collect(),
            ..Event::default()
        };
        2000
    ];
    let bytes = file.regular();
    let mut reader = open(bytes);
    walk_reader(&mut reader).unwrap();
    let ids: usize = reader.events().iter().map(|event| event.ids.len()).sum();
    assert!(ids <= 1_000_000, "{ids}");
    assert!(reader.faults().get(FaultKind::Limit).is_some());
}

fn damaged(damage: &[u8]) -> (u64, Reader) {
    let mut file = File::new(false);
    for time in 1..=50 {
        file.sample(time, 1, 0);
    }
    file.push(damage);
    for time in 51..=100 {
        file.sample(time, 1, 0);
    }
    let mut reader = open(file.regular());
    let samples = walk_reader(&mut reader).unwrap().samples;
    (samples, reader)
}

/// After bytes that are not a record, records are found again.
#[test]
fn records_after_garbage_are_found() {
    let header = |ty, size| Bytes::new(false).u32(ty).u16(0).u16(size);
    let cases = [
        header(9, 0).out,
        header(9, 7).out,
        header(0, 16).zeros(8).out,
        header(0xffff_8100, 48).zeros(40).out,
        vec![0xaa; 12_345],
        vec![0; 4096],
        Random(5).0.to_le_bytes().repeat(999),
    ];
    for damage in cases {
        let (samples, reader) = damaged(&damage);
        assert_eq!(samples, 100, "{}", damage.len());
        let fault = reader.faults().get(FaultKind::BadRecord).expect("counted");
        assert_eq!((fault.count, fault.lost_bytes), (1, damage.len() as u64));
    }
}

/// Garbage longer than a block.
#[test]
fn records_after_megabytes_of_garbage_are_found() {
    let (samples, reader) = damaged(&vec![0xaa; 3_000_001]);
    assert_eq!(samples, 100);
    let fault = reader.faults().get(FaultKind::BadRecord).unwrap();
    assert_eq!(fault.lost_bytes, 3_000_001);
}

/// A record that claims to be longer than it is swallows others; then records are found again.
#[test]
fn a_wrong_size_costs_little() {
    let mut file = File::new(false);
    for time in 1..=100 {
        file.sample(time, 1, 0);
    }
    file.records[40 * 50 + 6] = 100;
    let mut reader = open(file.regular());
    let samples = walk_reader(&mut reader).unwrap().samples;
    assert!((97..=99).contains(&samples), "{samples}");
    assert!(reader.faults().get(FaultKind::BadRecord).is_some());
}

#[test]
fn garbage_up_to_the_end() {
    let mut file = File::new(false);
    file.sample(1, 1, 0).push(&[0xee; 1000]);
    let mut reader = open(file.regular());
    assert_eq!(walk_reader(&mut reader).unwrap().samples, 1);
    let fault = reader.faults().get(FaultKind::BadRecord).unwrap();
    assert_eq!(fault.lost_bytes, 1000);
}

#[test]
fn unknown_and_short_records_are_delivered_and_counted() {
    let unknown = Bytes::new(false).u64(5).record(60, 0);
    let (samples, reader) = damaged(&unknown);
    assert_eq!(samples, 100);
    let fault = reader.faults().get(FaultKind::UnknownType).unwrap();
    assert_eq!((fault.count, fault.detail.as_str()), (1, "type 60"));
    let short = Bytes::new(false).u64(5).record(9, 0);
    let (samples, reader) = damaged(&short);
    assert_eq!(samples, 100);
    assert_eq!(
        reader
            .faults()
            .get(FaultKind::ShortRecord)
            .map(|fault| fault.count),
        Some(1)
    );
}

#[test]
fn auxiliary_data_is_passed_over() {
    let aux = Bytes::new(false)
        .u64(2_500_000)
        .words(&[0, 0, 0])
        .u32(0)
        .u32(0)
        .record(71, 0);
    let (samples, reader) = damaged(&[aux, vec![0x77; 2_500_000]].concat());
    assert_eq!(samples, 100);
    let fault = reader.faults().get(FaultKind::AuxSkipped).unwrap();
    assert_eq!(fault.lost_bytes, 2_500_000);
    assert!(reader.faults().get(FaultKind::BadRecord).is_none());
}

/// More auxiliary data than the file has bytes: a damaged size, which must not be trusted.
#[test]
fn impossible_auxiliary_data_is_not_passed_over() {
    let aux = Bytes::new(false)
        .u64(1 << 40)
        .words(&[0, 0, 0])
        .u32(0)
        .u32(0)
        .record(71, 0);
    let (samples, reader) = damaged(&aux);
    assert_eq!(samples, 100);
    assert!(reader.faults().get(FaultKind::ShortRecord).is_some());
}

/// A source that fails in the middle.
struct Failing {
    bytes: Cursor<Vec<u8>>,
    fails_at: u64,
}

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.position() >= self.fails_at {
            return Err(io::Error::other("no such sector"));
        }
        let left = usize::try_from(self.fails_at - self.bytes.position()).unwrap();
        let count = buffer.len().min(left);
        self.bytes.read(&mut buffer[..count])
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn what_was_read_before_a_failure_is_delivered() {
    let mut file = File::new(false);
    for time in 1..=1000 {
        file.sample(time, 1, 0);
    }
    let bytes = file.pipe();
    let source = Failing {
        fails_at: 20_000,
        bytes: Cursor::new(bytes),
    };
    let mut reader = Reader::from_seekable(Box::new(source)).unwrap();
    let mut samples = 0;
    let error = loop {
        match reader.next_record() {
            Ok(Some(record)) => samples += u64::from(record.ty == 9),
            Ok(None) => panic!("the failure is told"),
            Err(error) => break error,
        }
    };
    assert!(samples > 480, "{samples}");
    assert_eq!(error.to_string(), "cannot read at 0x4e20: no such sector");
    assert!(reader.next_record().unwrap().is_none());
}
