//! Real traces, where they are available: all of them whole and in order.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use whyslow_etl::{Reader, kernel};

use crate::touch::{walk, walk_reader};

/// Returns the folder of real traces.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(whyslow_testenv::data()?.join("etl"))
}

pub(crate) fn traces(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(traces(&path));
        } else if path.extension().is_some_and(|extension| extension == "etl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every trace is walked to its end without damage, in order, with all bytes of its buffers
/// accounted for.
#[test]
fn every_trace_is_whole_and_in_order() {
    let Some(dir) = folder() else { return };
    let mut table = String::new();
    for path in traces(&dir) {
        let bytes = fs::read(&path).unwrap();
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        let touched = walk_reader(&mut reader).unwrap();
        let name = path.strip_prefix(&dir).unwrap().display();
        let faults: Vec<_> = reader.faults().iter().collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
        assert!(
            touched
                .order
                .is_sorted_by_key(|(time, cpu, _)| (*time, *cpu)),
            "{name}"
        );
        let session = reader.session();
        let (buffers, lost) = (reader.buffers(), session.events_lost);
        table += &format!(
            "{name}: {} events, {buffers} buffers, {lost} lost\n",
            touched.records
        );
        assert_eq!(u64::from(session.buffers_written), buffers, "{name}");
    }
    // Files of other collections may be in the same folder.
    for line in include_str!("real.txt").lines() {
        assert!(
            table.lines().any(|l| l == line),
            "{line}\nis not in\n{table}"
        );
    }
}

/// Every kernel event with a known layout is decoded to its last byte; unknown ones are listed.
#[test]
fn kernel_events_decode_to_their_last_byte() {
    let Some(dir) = folder() else { return };
    let mut decoded = 0_u64;
    let (mut unknown, mut left) = (BTreeMap::new(), BTreeMap::new());
    for path in traces(&dir) {
        // These tag 64-bit payloads as 32-bit ones on purpose.
        let mistagged = path.to_str().unwrap().contains("_data_64_");
        let mut reader = Reader::new(fs::read(&path).unwrap()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            if mistagged {
                continue;
            }
            let Some(event) = kernel::describe(&record) else {
                if let Some(hook) = kernel::hook(&record) {
                    *unknown.entry(hook).or_insert(0_u64) += 1;
                }
                continue;
            };
            let mut fields = event.fields(record.payload(), record.pointer_size());
            black_box(fields.by_ref().fold(0, |sum, (name, _)| sum + name.len()));
            decoded += 1;
            if !fields.rest().is_empty() {
                let key = (event.class, event.name, fields.rest().len());
                *left.entry(key).or_insert(0_u64) += 1;
            }
        }
    }
    println!("{decoded} decoded; unknown (group, opcode, version): {unknown:?}");
    assert!(left.is_empty(), "{left:?}");
    assert!(decoded > 280_000);
}

/// However much is missing at the end, everything before it is there.
#[test]
fn real_traces_cut_at_every_page() {
    let Some(dir) = folder() else { return };
    for name in [
        "perfview/gcevents.etl",
        "monogame/PerfViewData.etl",
        "s4/waasmedic.20251005_113019_195.etl",
    ] {
        let bytes = fs::read(dir.join(name)).unwrap();
        let step = if bytes.len() > 40_000 { 4096 } else { 256 };
        let whole = walk(&bytes).unwrap().records;
        let mut most = 0;
        for length in (step.max(1024)..bytes.len()).step_by(step) {
            let records = walk(&bytes[..length]).unwrap().records;
            assert!(
                records >= most && records <= whole,
                "{name} cut at {length}"
            );
            most = records;
        }
    }
}

#[test]
fn real_traces_with_flipped_bytes() {
    let Some(dir) = folder() else { return };
    let mut random = whyslow_testkit::Random(4711);
    for name in ["perfview/gcevents.etl", "monogame/PerfViewData.etl"] {
        let seed = fs::read(dir.join(name)).unwrap();
        for _ in 0..60 {
            let mut bytes = seed.clone();
            for _ in 0..20 {
                let at = 4096 + random.below(bytes.len() - 4096);
                bytes[at] = random.number().to_le_bytes()[1];
            }
            assert!(walk(&bytes).unwrap().records > 1, "{name}");
        }
    }
}
