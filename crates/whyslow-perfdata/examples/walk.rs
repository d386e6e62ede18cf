//! Walks a file, touches every field, and prints what is in it: `walk FILE`.
#![expect(clippy::print_stdout, reason = "the counts are its output")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use whyslow_perfdata::{Reader, RecordBody};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: walk FILE")?);
    let mut reader = Reader::open(&path)?;
    let (mut records, mut frames, mut bytes, mut late) = (0_u64, 0, 0, 0);
    let (mut sum, mut last) = (0_u64, 0);
    let mut by_event = BTreeMap::new();
    while let Some(record) = reader.next_record()? {
        records += 1;
        bytes += u64::from(record.size);
        late += u64::from(record.late);
        if let RecordBody::Sample(sample) = record.body {
            frames += sample.callchain.len();
            sum = sample.callchain.iter().fold(sum, u64::wrapping_add);
            *by_event.entry(record.event).or_insert(0_u64) += 1;
            let time = record.time_ns.unwrap_or(0);
            assert!(record.late || time >= last, "out of order");
            last = last.max(time);
        }
    }
    println!("{records} records, {bytes} bytes, {frames} frames, {late} late, check {sum:x}");
    for (event, count) in by_event {
        let event = event.and_then(|e| reader.events().get(usize::try_from(e.0).ok()?));
        let name = event.and_then(|e| e.name.as_deref()).unwrap_or("?");
        println!("{count:10} {name}");
    }
    for fault in reader.faults().iter() {
        println!("{fault:?}");
    }
    Ok(())
}
