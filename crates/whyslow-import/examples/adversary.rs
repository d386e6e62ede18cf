//! Imports a hostile neutral stream of any length into an extract, within a memory budget.
//!
//! ```text
//! adversary EVENTS DIRECTORY [THREADS] [BUDGET_MB]
//! ```
//!
//! With two threads, one makes the stream and the other imports it. The extract's bytes must not
//! depend on that; the last line printed is a hash of them. Run it under a hard limit, such as
//! `prlimit --as=…` or a control group, to see that the budget holds.

use std::path::Path;
use std::sync::mpsc;
use std::time::Instant;

#[path = "../tests/support/adversary.rs"]
mod adversary;

use adversary::{Adversary, World};
use whyslow_extract::{ExtractWriter, Options};
use whyslow_import::{Event, Importer, Limits, Recording, Sorter, TraceFacts};
use whyslow_model::SinkError;
use whyslow_model::fnv::Fnv;
use whyslow_model::tables::ProblemRow;

/// The CPUs' streams are at most this far apart.
const WINDOW_NS: i64 = 10_000_000;
const TRACE_ID: &str = "adversary";

type Failure = Box<dyn std::error::Error>;

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: adversary EVENTS DIRECTORY [THREADS] [BUDGET_MB]";
    let number = |at: usize, default: u64| match args.get(at) {
        Some(text) => text.parse::<u64>().map_err(|_| usage),
        None => Ok(default),
    };
    let events = number(0, 1_000_000)?;
    let directory = args.get(1).ok_or(usage)?;
    let is_threaded = number(2, 1)? > 1;
    let budget = usize::try_from(number(3, 512)?)? << 20;
    let path = Path::new(directory).join(format!("adversary{}.whyslow", number(2, 1)?));
    let begin = Instant::now();

    let options = Options {
        memory_bytes: budget / 8 * 2,
        trace_id: TRACE_ID.to_owned(),
        replace: true,
        ..Options::default()
    };
    let mut writer = ExtractWriter::create(&path, options)?;
    let recording = Recording {
        switches: true,
        wake_ups: true,
        has_all_wake_ups: true,
        whole_machine: true,
        late_user_halves: true,
        late_events: false,
        pid_is_first_tid: true,
        told_first: true,
    };
    let mut importer = Importer::new(recording, Limits::within(budget / 2), &mut writer);
    let world = World::new(&mut importer).ok_or("too many stacks for the budget")?;
    let adversary = Adversary::new(world, events);
    let mut sorter = Sorter::new(WINDOW_NS, 1 << 16);
    let mut each = |event: &Event| importer.event(event);
    if is_threaded {
        threaded(adversary, &mut sorter, &mut each)?;
    } else {
        let mut adversary = adversary;
        let mut batch = Vec::new();
        loop {
            adversary.next(&mut batch);
            if !take(&batch, &mut sorter, &mut each)? {
                break;
            }
        }
    }
    let mut facts = TraceFacts::default();
    facts.trace.trace_id = TRACE_ID.to_owned();
    let mut settled = importer.finish(facts)?;
    println!("{:?} imported, peak {} MB", begin.elapsed(), peak_mb());
    writer.merge(&mut settled)?;
    println!("{:?} merged, peak {} MB", begin.elapsed(), peak_mb());
    println!("{:#?}", settled.summary());
    println!("{} MB in runs", writer.spilled_bytes() >> 20);
    settled.each_table(&mut |table| {
        println!("{:>12} {:>10} rows", table.schema.name, table.len());
        for problem in table
            .rows::<ProblemRow>()
            .filter(|_| table.schema.name == "problem")
        {
            println!(
                "{:>30} {:>10} {}",
                problem.kind, problem.count, problem.detail
            );
        }
        writer.write_table(&table)
    })?;
    let path = writer.finish()?;
    println!("{:?} written, peak {} MB", begin.elapsed(), peak_mb());
    println!("hash {}", hash_of(&path)?);
    Ok(())
}

/// Gives a batch to the sorter; returns `false` for an empty batch, which ends the stream.
fn take(
    batch: &[Event],
    sorter: &mut Sorter,
    each: &mut dyn FnMut(&Event) -> Result<(), SinkError>,
) -> Result<bool, SinkError> {
    let is_told_late = |event: &Event| event.time_ns.is_none();
    if batch.iter().any(is_told_late) || batch.is_empty() {
        // Events reported at the end have no time, and come after everything else.
        sorter.finish(each)?;
        for event in batch {
            each(event)?;
        }
    } else {
        for event in batch {
            sorter.push(*event, each)?;
        }
    }
    Ok(!batch.is_empty())
}

fn threaded(
    mut adversary: Adversary,
    sorter: &mut Sorter,
    each: &mut dyn FnMut(&Event) -> Result<(), SinkError>,
) -> Result<(), SinkError> {
    let (send, receive) = mpsc::sync_channel::<Vec<Event>>(4);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            loop {
                let mut batch = Vec::new();
                adversary.next(&mut batch);
                let is_end = batch.is_empty();
                if send.send(batch).is_err() || is_end {
                    break;
                }
            }
        });
        for batch in receive {
            if !take(&batch, sorter, each)? {
                break;
            }
        }
        Ok(())
    })
}

/// Returns the most memory this process ever had resident.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kb.unwrap_or(0) / 1024
}

/// Returns a hash of the names and bytes of a directory's files.
fn hash_of(path: &Path) -> Result<String, Failure> {
    let mut files: Vec<_> = std::fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut hash = Fnv::default();
    let mut buffer = vec![0; 1 << 16];
    for file in files {
        hash.take(file.file_name().unwrap_or_default().as_encoded_bytes());
        let mut source = std::fs::File::open(&file)?;
        loop {
            let read = std::io::Read::read(&mut source, &mut buffer)?;
            if read == 0 {
                break;
            }
            hash.take(&buffer[..read]);
        }
    }
    Ok(hash.text())
}
