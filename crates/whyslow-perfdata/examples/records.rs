//! Lists the records of a `perf.data` file, in order of time: `records FILE`.
#![expect(clippy::print_stdout, reason = "the list is its output")]

use std::path::PathBuf;

use whyslow_perfdata::{Reader, RecordBody};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: records FILE")?);
    let mut reader = Reader::open(&path)?;
    while let Some(record) = reader.next_record()? {
        let time = record.time_ns.unwrap_or(0);
        let event = record.event;
        match record.body {
            RecordBody::Sample(sample) => {
                let (pid, tid) = (sample.pid().unwrap_or(-1), sample.tid().unwrap_or(-1));
                let frames = sample.callchain.len();
                let ip = sample.ip().unwrap_or(0);
                // The event's name is known only to the reader.
                let event = event.and_then(|id| {
                    let at = usize::try_from(id.0).ok()?;
                    reader.events().get(at)?.name.clone()
                });
                let event = event.unwrap_or_default();
                println!("{time} {pid}/{tid} {event} at {ip:#x}, {frames} frames");
            }
            RecordBody::Comm { tid, name, .. } => {
                let name = String::from_utf8_lossy(name);
                println!("{time} thread {tid} is called {name}");
            }
            RecordBody::Fork(task) => println!("{time} {task:?} begins"),
            RecordBody::Exit(task) => println!("{time} {task:?} ends"),
            RecordBody::Lost { count, .. } => println!("{time} {count} records were lost"),
            _ => {}
        }
    }
    for fault in reader.faults().iter() {
        println!("damage: {fault}");
    }
    Ok(())
}
