//! Writes one small extract and makes the seeds of the fuzz target `extract` from it.
//!
//! ```text
//! cargo run -p whyslow-extract --example fuzz_seeds -- fuzz/corpus/extract
//! ```
//!
//! A seed is one byte, the position of a table in `tables::ALL`, followed by the table's file. The
//! file of `trace`, which every extract needs, goes next to the fuzz targets.
#![expect(clippy::expect_used, reason = "a tool of the developers may stop")]

use std::fs;
use std::path::PathBuf;

use whyslow_extract::{ExtractWriter, Options};
use whyslow_model::tables::{self, ALL, StackRow, ThreadStateRow, TraceRow};
use whyslow_model::{OwnerRef, RawRow, RawTable, RowSink, Settle, StackId, Table, TableRow};

struct AsTheyAre;

impl Settle for AsTheyAre {
    fn owners(&self) -> Vec<OwnerRef> {
        vec![OwnerRef(0)]
    }

    fn settle(&mut self, _table: RawTable, _owner: OwnerRef, row: &mut [i64]) {
        let mut row = RawRow::<ThreadStateRow, _>::over(row);
        row.set_provisional(ThreadStateRow::process, 0);
        row.set_provisional(ThreadStateRow::thread, 0);
    }
}

fn table(schema: &'static whyslow_model::TableSchema) -> Table {
    let mut table = Table::new(schema);
    match schema.name {
        "trace" => TraceRow::at(&[], 0).append(&mut table.columns),
        "stack" => {
            let row = |id: i32| StackRow {
                id: StackId(id),
                parent: StackId::from_column(id - 1),
                address: None,
                kind: 0,
                end: None,
            };
            table = Table::from_rows((0..50).map(row));
        }
        "code" => table = Table::from_rows(tables::codes()),
        _ => {}
    }
    table
}

fn main() {
    let dir = std::env::args_os().nth(1);
    let dir = PathBuf::from(dir.expect("usage: fuzz_seeds DIR"));
    fs::create_dir_all(&dir).expect("directory");
    let path = std::env::temp_dir().join(format!("seeds-{}.whyslow", std::process::id()));
    let mut writer = ExtractWriter::create(&path, Options::default()).expect("create");
    for n in 0..200_i64 {
        let mut row = RawRow::<ThreadStateRow, _>::new();
        row.set(ThreadStateRow::start_ns, n);
        row.set(ThreadStateRow::duration_ns, 1);
        row.set_provisional(ThreadStateRow::process, 0);
        row.set_provisional(ThreadStateRow::thread, 0);
        row.set_provisional(ThreadStateRow::state, n % 4);
        row.set_provisional(ThreadStateRow::cpu, n % 2);
        row.set_provisional(ThreadStateRow::stack, n % 9);
        row.set(ThreadStateRow::reason, 0);
        row.set(ThreadStateRow::flags, 0);
        let pushed = writer.push(RawTable::ThreadState, OwnerRef(0), row.cells());
        pushed.expect("push");
    }
    writer.merge(&mut AsTheyAre).expect("merge");
    for schema in ALL
        .iter()
        .filter(|schema| schema.layer != whyslow_model::Layer::Raw)
    {
        writer.write_table(&table(schema)).expect("table");
    }
    let path = writer.finish().expect("finish");
    for (position, schema) in ALL.iter().enumerate() {
        let file = fs::read(path.join(format!("{}.parquet", schema.name))).expect("file");
        if schema.name == "trace" {
            fs::write(dir.join("../../fuzz_targets/trace.parquet"), &file).expect("trace");
        }
        if matches!(schema.name, "thread_state" | "stack" | "trace" | "code") {
            let mut seed = vec![u8::try_from(position).expect("few tables")];
            seed.extend(file);
            fs::write(dir.join(schema.name), seed).expect("seed");
        }
    }
    fs::remove_dir_all(path).expect("temporary extract");
}
