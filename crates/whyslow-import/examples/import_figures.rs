//! Imports a `perf.data` or `.etl` file into memory or into nothing, and prints figures.
//!
//! `import_figures FILE [count]`: with `count` rows are only counted, to measure import alone.

use std::fs::File;
use std::ops::ControlFlow;
use std::time::Instant;

use whyslow_etl::FileSource;
use whyslow_import::{ImportOptions, MemorySink, Settled, import_etl, import_perf};
use whyslow_model::tables::{ThreadRow, ThreadStateRow};
use whyslow_model::{Named, OwnerRef, RawTable, RowSink, SinkError, Table, ThreadState};
use whyslow_perfdata::Reader;

struct Counting(u64);

impl RowSink for Counting {
    fn push(&mut self, _: RawTable, _: OwnerRef, row: &[i64]) -> Result<(), SinkError> {
        self.0 += row.len() as u64;
        Ok(())
    }
}

fn import(path: &str, sink: &mut dyn RowSink) -> Result<Settled, Box<dyn std::error::Error>> {
    let mut go_on = |_| ControlFlow::Continue(());
    let options = ImportOptions::default();
    if path.ends_with(".etl") {
        let source = FileSource::new(File::open(path)?)?;
        return Ok(import_etl(&[source], options, sink, &mut go_on)?);
    }
    let reader = Reader::open(path.as_ref())?;
    Ok(import_perf(reader, options, sink, &mut go_on)?)
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: import_figures FILE [count]")?;
    let start = Instant::now();
    if args.next().is_some() {
        let mut sink = Counting(0);
        let settled = import(&path, &mut sink)?;
        println!("{:?} {:?}", start.elapsed(), settled.summary());
        return Ok(());
    }
    let mut sink = MemorySink::new();
    let mut settled = import(&path, &mut sink)?;
    println!("import {:?}", start.elapsed());
    let mut tables = sink.into_tables(&mut settled);
    println!("settle {:?}", start.elapsed());
    let summary = settled.summary();
    tables.extend(settled.into_tables());
    println!("tables {:?}", start.elapsed());
    println!("{summary:#?}");
    for table in &tables {
        println!("{:>12} {:>9} rows", table.schema.name, table.len());
    }
    let find = |name: &str| tables.iter().find(|table| table.schema.name == name);
    for name in ["problem", "trace", "event_count", "capability", "fact"] {
        if let Some(table) = find(name) {
            print_table(table, 40);
        }
    }
    if let (Some(states), Some(threads)) = (find("thread_state"), find("thread")) {
        let threads: Vec<ThreadRow> = threads.rows().collect();
        let mut sums = vec![[0_i64; 6]; threads.len()];
        for row in states.rows::<ThreadStateRow>() {
            sums[row.thread.index()][row.state as usize] += row.duration_ns;
        }
        let names: Vec<_> = ThreadState::ALL.iter().map(|(_, name)| *name).collect();
        println!("{:>20} {:>8} {names:?} ms", "thread", "tid");
        let mut order: Vec<usize> = (0..threads.len()).collect();
        order.sort_by_key(|&thread| std::cmp::Reverse((sums[thread][0], sums[thread][1])));
        for thread in order.into_iter().take(25) {
            let ms: Vec<f64> = sums[thread].iter().map(|&ns| ns as f64 / 1e6).collect();
            let row = &threads[thread];
            println!(
                "{:>20} {:>8} {ms:.2?}",
                row.name.as_deref().unwrap_or("?"),
                row.os_tid
            );
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn print_table(table: &Table, rows: usize) {
    println!("--- {}", table.schema.name);
    for row in 0..table.len().min(rows) {
        let cells: Vec<String> = table
            .columns
            .iter()
            .map(|column| match column.int(row) {
                Some(value) => value.to_string(),
                None => column.text(row).unwrap_or("-").to_owned(),
            })
            .collect();
        println!("  {}", cells.join(" | "));
    }
}
