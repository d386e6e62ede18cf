//! Every field of a sample.

use std::io::Cursor;

use whyslow_perfdata::{Callchain, Counter, Reader, Record, RecordBody, Sample};

use crate::synthetic::File;
use crate::touch::walk;

/// Passes the first record of a file to `check`.
pub(crate) fn first(file: &File, check: impl FnOnce(&Record<'_>)) {
    let mut reader = Reader::from_seekable(Box::new(Cursor::new(file.regular()))).unwrap();
    let record = reader.next_record().unwrap().unwrap();
    check(&record);
}

fn sample_of(file: &File, check: impl FnOnce(&Sample<'_>)) {
    first(file, |record| match &record.body {
        RecordBody::Sample(sample) => check(sample),
        other => panic!("expected a sample, found {other:?}"),
    });
}

/// A sample with every possible field, in the order of `perf_output_sample`.
fn everything(big: bool) -> File {
    let mut file = File::new(big);
    file.events[0].sample_type = (1 << 25) - 1;
    // Only one form of weight is possible: here the struct.
    file.events[0].sample_type &= !(1 << 14);
    file.events[0].read_format = 1 | 2 | 4 | 8 | 16;
    file.events[0].branch_sample_type = 1 << 17 | 1 << 19;
    file.events[0].regs_user = 1 << 8 | 1 << 7 | 1;
    file.events[0].regs_intr = 1 << 63;
    file.events[0].stack_user = 32;
    let sample = file
        .bytes()
        .words(&[1, 0x1111])
        .u32(7)
        .u32(8)
        .words(&[900, 0x2222, 1, 1]);
    let sample = sample.u32(3).u32(0).u64(1000);
    let sample = sample.words(&[2, 50, 40, 100, 1, 9, 200, 2, 8]);
    let sample = sample.words(&[3, u64::MAX - 127, 0x3333, 0x4444]);
    let sample = sample.u32(12).raw(b"twelve bytes");
    let sample = sample.words(&[2, 77, 1, 2, 3, 4, 5, 6, 0, 0]);
    let sample = sample.words(&[2, 10, 17, 18]);
    let sample = sample.u64(32).raw(&[0xcc; 32]).u64(24);
    let sample = sample
        .u64(7 << 48 | 6 << 32 | 5)
        .words(&[0x55, 0x66])
        .words(&[1, 99]);
    let sample = sample
        .words(&[0x7777, 88, 4096, 2 << 20])
        .u64(8)
        .raw(b"aux data");
    let record = sample.record(9, 2);
    file.push(&record);
    file
}

#[test]
fn every_field_of_a_sample() {
    for big in [false, true] {
        sample_of(&everything(big), |sample| {
            assert_eq!((sample.id(), sample.stream_id()), (Some(1), Some(1)));
            assert_eq!(
                (sample.ip(), sample.address()),
                (Some(0x1111), Some(0x2222))
            );
            assert_eq!((sample.pid(), sample.tid()), (Some(7), Some(8)));
            assert_eq!((sample.time_ns(), sample.cpu()), (Some(900), Some(3)));
            assert_eq!(sample.period(), Some(1000));
            let chain: Vec<_> = sample.callchain.iter().collect();
            assert_eq!(chain, [u64::MAX - 127, 0x3333, 0x4444]);
            assert!(Callchain::is_marker(chain[0]) && !Callchain::is_marker(chain[1]));
            assert_eq!(sample.callchain.iter().next_back(), Some(0x4444));
            assert_eq!(sample.raw, b"twelve bytes");
            let counters = sample.counters().unwrap();
            assert_eq!(counters.time_enabled_ns(), Some(50));
            assert_eq!(counters.time_running_ns(), Some(40));
            let counter = |value, id, lost| Counter {
                value,
                id: Some(id),
                lost: Some(lost),
            };
            let counters: Vec<_> = counters.iter().collect();
            assert_eq!(counters, [counter(100, 1, 9), counter(200, 2, 8)]);
            let extras = sample.extras().unwrap();
            assert_eq!(
                (extras.branches, extras.weight),
                (Some(2), Some(7 << 48 | 6 << 32 | 5))
            );
            assert_eq!(
                (extras.data_source, extras.transaction),
                (Some(0x55), Some(0x66))
            );
            assert_eq!(
                (extras.physical_address, extras.cgroup),
                (Some(0x7777), Some(88))
            );
            assert_eq!(extras.data_page_bytes, Some(4096));
            assert_eq!(extras.code_page_bytes, Some(2 << 20));
            assert_eq!(extras.aux, b"aux data");
            let registers = extras.user_registers.unwrap();
            assert_eq!(registers.abi, 2);
            let values = [0, 7, 8, 9, 64].map(|number| registers.get(number));
            assert_eq!(values, [Some(10), Some(17), Some(18), None, None]);
            assert_eq!(extras.interrupt_registers.unwrap().get(63), Some(99));
            let stack = extras.user_stack.unwrap();
            assert_eq!(
                (stack.bytes, stack.wanted_bytes),
                ([0xcc; 24].as_slice(), 32)
            );
        });
    }
}

/// A sample cut at any length is short and does not panic; only whole ones are samples.
#[test]
fn samples_of_every_length() {
    let whole = everything(false);
    for length in (8..whole.records.len()).step_by(8) {
        let mut file = whole.clone();
        file.records.truncate(length);
        let size = u16::try_from(length).unwrap();
        file.records[6..8].copy_from_slice(&size.to_le_bytes());
        let touched = walk(&file.regular()).unwrap();
        assert_eq!((touched.records, touched.samples), (1, 0), "{length}");
    }
}

/// Kernel threads have neither registers nor stack.
#[test]
fn absent_registers_and_stack() {
    let mut file = File::new(false);
    file.events[0].sample_type = 1 << 12 | 1 << 13 | 1 << 18;
    file.events[0].regs_user = 0xff;
    file.events[0].regs_intr = 1;
    let record = file.bytes().words(&[0, 0, 2, 5]).record(9, 1);
    file.push(&record);
    sample_of(&file, |sample| {
        let extras = sample.extras().unwrap();
        assert!(extras.user_registers.is_none() && extras.user_stack.is_none());
        assert_eq!(extras.interrupt_registers.unwrap().get(0), Some(5));
        assert!(!sample.has_callchain() && sample.raw.is_empty() && sample.ip().is_none());
    });
}

/// `PERF_FORMAT_LOST` and times of a counter without a group.
#[test]
fn a_counter_alone() {
    let mut file = File::new(true);
    file.events[0].sample_type = 1 << 4;
    file.events[0].read_format = 2 | 16;
    let record = file.bytes().words(&[100, 40, 3]).record(9, 1);
    file.push(&record);
    sample_of(&file, |sample| {
        let counters = sample.counters().unwrap();
        assert_eq!(
            (counters.time_enabled_ns(), counters.time_running_ns()),
            (None, Some(40))
        );
        let expected = Counter {
            value: 100,
            id: None,
            lost: Some(3),
        };
        assert_eq!(counters.iter().collect::<Vec<_>>(), [expected]);
    });
}
