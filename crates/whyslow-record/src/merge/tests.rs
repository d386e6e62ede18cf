//! Times and bounds of records in a batch, and the order of what is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use whyslow_perfdata::Reader;
use whyslow_perfdata::writer::{EventDescription, Features, FileWriter};

use super::{Cursor, HURRY_BYTES, Merge, queue};
use crate::drain::{Batch, Queue};
use crate::event_index::EventIndex;
use crate::events::{EventKind, Scope, tracepoint};
use crate::open::OpenEvent;
use crate::sink::Sink;
use crate::transform::Transform;
use crate::walker::Walker;

fn record(kind: u32, size: u16, time: u64) -> Vec<u8> {
    let mut record = kind.to_ne_bytes().to_vec();
    record.extend_from_slice(&[0, 0]);
    record.extend_from_slice(&size.to_ne_bytes());
    record.resize(usize::from(size), 0);
    let offset = if kind == 9 {
        32
    } else {
        usize::from(size) - 24
    };
    record[offset..offset + 8].copy_from_slice(&time.to_ne_bytes());
    record
}

#[test]
fn times_of_samples_and_of_others() {
    let mut cursor = Cursor::default();
    cursor.add([record(9, 48, 7), record(3, 64, 8)].concat());
    assert_eq!(cursor.time().unwrap(), Some(7));
    assert_eq!(cursor.record().len(), 48);
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), Some(8));
    cursor.add(record(9, 48, 9));
    assert_eq!(cursor.time().unwrap(), Some(8), "what was left comes first");
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), Some(9));
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), None);
}

#[test]
fn what_is_no_record_is_refused() {
    for bytes in [vec![0; 16], vec![0xff; 16], record(9, 48, 7)[..40].to_vec()] {
        let mut cursor = Cursor::default();
        cursor.add(bytes);
        assert!(cursor.time().is_err());
    }
}

fn scratch_path() -> PathBuf {
    std::env::temp_dir().join(format!(
        "whyslow-merge-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ))
}

const ID: u64 = 7;

/// A merge of two rings that writes to a file, and where its batches come from.
fn new_merge(path: &Path) -> (Merge, Queue) {
    let scope = Scope {
        is_own_only: false,
        has_kernel: true,
        has_lost_count: false,
        user_registers: 0,
        has_build_ids: false,
    };
    let spec = tracepoint(
        EventKind::Operation,
        "block:block_rq_issue",
        1,
        false,
        scope,
    );
    let description = EventDescription {
        attr: spec.file_attr(),
        name: spec.name.clone(),
        ids: vec![ID],
    };
    let event = OpenEvent {
        spec,
        per_cpu: Vec::new(),
        ids: vec![ID],
    };
    let file = std::fs::File::create(path).unwrap();
    let writer = FileWriter::create(file, &[description], &Features::new()).unwrap();
    let transform = Transform::new(EventIndex::new(&[event]), 2, Walker::new());
    let (queue, intake) = queue(Arc::new(AtomicBool::new(false)));
    let mut merge = Merge::new(2, intake, transform, Sink::start(writer).unwrap());
    merge.made_ns = 0;
    (merge, queue)
}

/// Times of records by ring.
type Rings<'a> = [&'a [u64]; 2];

/// Merges batches, each of which is settled up to a time, and reads what was written: times, and whether
/// they come too late. `sorts`: sort as a reader does between the ends of rounds.
fn merged(batches: &[(u64, Rings<'_>)], sorts: bool) -> Vec<(u64, bool)> {
    merged_within(super::MAX_UNSETTLED_BYTES, batches, sorts)
}

/// The same, giving up the order at that many unsettled bytes.
fn merged_within(
    max_unsettled_bytes: usize,
    batches: &[(u64, Rings<'_>)],
    sorts: bool,
) -> Vec<(u64, bool)> {
    let path = scratch_path();
    let (mut merge, queue) = new_merge(&path);
    merge.max_unsettled_bytes = max_unsettled_bytes;
    let sample = |&time: &u64| {
        let mut sample = record(9, 56, time);
        sample[8..16].copy_from_slice(&ID.to_ne_bytes());
        sample[48] = 4;
        sample
    };
    for (number, (settled_ns, rings)) in (1..).zip(batches) {
        let rings = rings.map(|times| times.iter().flat_map(sample).collect());
        let batch = Batch {
            rings: rings.into(),
            settled_ns: *settled_ns,
            is_last: number == batches.len(),
        };
        queue.batches.send(batch).unwrap();
    }
    let done = merge.run();
    assert!(done.failure.is_none(), "{:?}", done.failure);
    done.sink
        .finish()
        .unwrap()
        .finish(&Features::new())
        .unwrap();
    if !sorts {
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        // Samples in the order of the file.
        let places = (0..bytes.len() - 56).filter(|&at| bytes[at..at + 16] == sample(&0)[..16]);
        let time = |at: usize| u64::from_ne_bytes(bytes[at + 32..at + 40].try_into().unwrap());
        return places.map(|at| (time(at), false)).collect();
    }
    let file = std::fs::File::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut reader = Reader::from_seekable(Box::new(file)).unwrap();
    let mut times = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        times.extend(
            record
                .time_ns
                .map(|time| (time, record.late))
                .filter(|_| record.ty == 9),
        );
    }
    times
}

/// A record of CPU 1 is on its way, past any number of looks at the rings, while CPU 0 writes and writes.
#[test]
fn what_is_not_settled_waits_for_what_is_on_its_way() {
    let batches: [(u64, Rings<'_>); 4] = [
        (0, [&[10, 20], &[]]),
        (15, [&[30, 40], &[]]),
        (15, [&[50], &[25]]),
        (60, [&[70], &[55]]),
    ];
    let times = merged(&batches, false);
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(times.len(), 8);
}

/// Written with the time at which its program began, 35, which is in the round before the one it comes in.
#[test]
fn a_round_does_not_end_twice() {
    let batches: [(u64, Rings<'_>); 4] = [
        (50, [&[10, 40], &[]]),
        (50, [&[60], &[]]),
        (120, [&[110], &[35]]),
        (200, [&[130], &[]]),
    ];
    let times = merged(&batches, true);
    let expected = [10, 35, 40, 60, 110, 130].map(|time| (time, false));
    assert_eq!(times, expected);
}

/// The end of a round here would claim that nothing as old can still come.
#[test]
fn what_is_settled_up_to_before_the_order_was_given_up_ends_no_round() {
    let batches: [(u64, Rings<'_>); 3] = [
        (0, [&[10, 50, 60], &[]]),
        (15, [&[], &[12]]),
        (20, [&[], &[11]]),
    ];
    let times = merged_within(2 * 56, &batches, true);
    let expected = [10, 11, 12, 50, 60].map(|time| (time, false));
    assert_eq!(times, expected);
}

#[test]
fn what_waits_to_be_settled_is_work_too() {
    let path = scratch_path();
    let (mut merge, _queue) = new_merge(&path);
    std::fs::remove_file(&path).unwrap();
    assert!(!merge.is_behind(HURRY_BYTES));
    merge.cursors[1].add(record(9, 56, 10));
    assert!(merge.is_behind(HURRY_BYTES));
    assert!(!merge.is_behind(HURRY_BYTES - 56));
}

#[test]
fn what_is_written_at_the_end_is_behind_everything() {
    let mut transform = Transform::new(EventIndex::new(&[]), 1, Walker::new());
    transform.record(0, &record(4, 64, 900));
    assert_eq!(transform.behind_all(500), 900);
    assert_eq!(transform.behind_all(1000), 1000);
}
