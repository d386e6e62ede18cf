//! Lists the events of a trace with their fields, in order of time: `events FILE`.
#![expect(clippy::print_stdout, reason = "the list is its output")]

use std::fs::File;

use whyslow_etl::decode::Decoder;
use whyslow_etl::{FileSource, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: events FILE")?;
    let mut decoder = Decoder::default();
    // Descriptions may come after the events that need them: a first pass collects them.
    let mut reader = Reader::new(FileSource::new(File::open(&path)?)?)?;
    while let Some(record) = reader.next_record()? {
        decoder.learn(&record);
    }
    let mut reader = Reader::new(FileSource::new(File::open(&path)?)?)?;
    let clock = reader.clock();
    while let Some(record) = reader.next_record()? {
        let kind = decoder.kind(&record);
        let about = decoder.about(kind);
        let (time, process) = (clock.ns(record.raw_time), record.process_id().unwrap_or(0));
        println!("{time} pid {process} {} {}", about.provider, about.name);
        for field in decoder.fields(kind, &record) {
            println!("    {} = {:?}", field.item.name, field.item.what);
        }
    }
    for fault in reader.faults().iter() {
        println!("damage: {fault}");
    }
    Ok(())
}
