//! A million events of every kind at once: complete, exact, deterministic, within a small budget.

#![expect(clippy::unwrap_used, reason = "a test may stop")]

#[path = "support/adversary.rs"]
mod adversary;

use adversary::{Adversary, World};
use whyslow_import::{
    Event, Importer, Limits, MemorySink, Recording, Settled, Sorter, Summary, TraceFacts,
};
use whyslow_model::tables::{
    AddressRow, CpuSampleRow, ModuleRow, ProcessRow, StackRow, ThreadRow, ThreadStateRow,
};
use whyslow_model::{OwnerRef, RawRow, RawTable, RowSink, SinkError, Table, TableRow};

const EVENTS: u64 = 1_000_000;
const RECORDING: Recording = Recording {
    switches: true,
    wake_ups: true,
    has_all_wake_ups: true,
    whole_machine: true,
    late_user_halves: true,
    late_events: false,
    pid_is_first_tid: true,
    told_first: true,
};

fn run(events: u64, limits: Limits, sink: &mut dyn RowSink) -> Settled {
    let mut importer = Importer::new(RECORDING, limits, sink);
    let mut stream = Adversary::new(World::new(&mut importer).unwrap(), events);
    let mut sorter = Sorter::new(10_000_000, 1 << 15);
    let mut batch = Vec::new();
    let mut each = |event: &Event| importer.event(event);
    loop {
        stream.next(&mut batch);
        if batch.first().is_none_or(|event| event.time_ns.is_none()) {
            break;
        }
        for event in &batch {
            sorter.push(*event, &mut each).unwrap();
        }
    }
    sorter.finish(&mut each).unwrap();
    while !batch.is_empty() {
        for event in &batch {
            importer.event(event).unwrap();
        }
        stream.next(&mut batch);
    }
    importer.finish(TraceFacts::default()).unwrap()
}

/// Keeps, per thread, only the sum of its intervals.
#[derive(Default)]
struct Sums {
    by_thread: Vec<i64>,
    rows: u64,
}

impl RowSink for Sums {
    fn push(&mut self, table: RawTable, owner: OwnerRef, row: &[i64]) -> Result<(), SinkError> {
        self.rows += 1;
        let owner = usize::try_from(owner.0).unwrap();
        if owner >= self.by_thread.len() {
            self.by_thread.resize(owner + 1, 0);
        }
        if table == RawTable::ThreadState {
            let row = RawRow::<ThreadStateRow, _>::over(row);
            self.by_thread[owner] += row.get(ThreadStateRow::duration_ns);
        }
        Ok(())
    }
}

fn table<R: TableRow>(tables: &[Table]) -> Vec<R> {
    let table = tables
        .iter()
        .find(|table| table.schema.name == R::SCHEMA.name);
    table.unwrap().rows().collect()
}

#[test]
fn every_lifetime_is_covered_to_the_nanosecond() {
    let mut sums = Sums::default();
    let settled = run(EVENTS, Limits::within(64 << 20), &mut sums);
    let summary = settled.summary();
    assert_eq!(sums.rows, summary.rows.iter().sum::<u64>());
    assert!(
        summary.rows_of(RawTable::ThreadState) > EVENTS,
        "{summary:?}"
    );
    let threads: Vec<ThreadRow> = table(&settled.into_tables());
    let covered =
        |row: &ThreadRow| row.end_ns.unwrap_or(summary.duration_ns) - row.start_ns.unwrap_or(0);
    let lifetimes: i64 = threads.iter().map(covered).sum();
    assert_eq!(lifetimes, summary.covered_ns);
    assert_eq!(lifetimes, sums.by_thread.iter().sum::<i64>());
}

fn everything(events: u64) -> (Vec<Table>, Summary) {
    let mut sink = MemorySink::new();
    let mut settled = run(events, Limits::within(64 << 20), &mut sink);
    let mut tables = sink.into_tables(&mut settled);
    let summary = settled.summary();
    tables.extend(settled.into_tables());
    (tables, summary)
}

#[test]
fn what_came_late_is_found_for_every_row() {
    let (tables, _) = everything(EVENTS / 10);
    let stacks: Vec<StackRow> = table(&tables);
    let addresses: Vec<AddressRow> = table(&tables);
    let modules: Vec<ModuleRow> = table(&tables);
    let processes: Vec<ProcessRow> = table(&tables);
    let programs = processes.iter().filter(|row| row.is_kernel == 0).count();
    assert!(programs + 1 == processes.len(), "all but the idle process");
    let unmapped = addresses
        .iter()
        .filter(|address| address.module.is_none())
        .count();
    assert_eq!(unmapped, 0, "all mappings were told, if only at the end");
    assert_eq!(modules.len(), 5);
    let samples: Vec<CpuSampleRow> = table(&tables);
    // Only keys that were not defined again before the end have no stack.
    let without = samples.iter().filter(|row| row.stack.is_none()).count();
    assert!(
        without * 5 < samples.len(),
        "{without} of {}",
        samples.len()
    );
    for row in &stacks {
        assert!(row.parent.is_none_or(|parent| parent < row.id));
    }
    let states: Vec<ThreadStateRow> = table(&tables);
    for pair in states.windows(2) {
        if pair[0].thread == pair[1].thread {
            assert_eq!(pair[0].start_ns + pair[0].duration_ns, pair[1].start_ns);
        }
        let order = |row: &ThreadStateRow| (row.process, row.thread, row.start_ns);
        assert!(order(&pair[0]) < order(&pair[1]));
    }
}

#[test]
fn the_same_stream_gives_the_same_tables() {
    let (a, b) = (everything(50_000), everything(50_000));
    assert!(a == b);
}
