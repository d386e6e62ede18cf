//! What columns mean: of questions, and of the tables of an extract.

use whyslow_model::{ColumnType, TableSchema, tables};
use whyslow_query::questions;
use whyslow_query::{Kind, ResultColumn, ResultSchema, ResultTable, Value};
use whyslow_render::{TextOptions, write_text};

use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(target_os = "linux")]
use crate::lab::TABLES;
use crate::output;
use crate::terminal::Terminal;

/// Returns every table that a command answers with.
pub(super) fn all() -> impl Iterator<Item = &'static ResultSchema> {
    #[cfg(not(target_os = "linux"))]
    static TABLES: [ResultSchema; 0] = [];
    let asked = questions::ALL.iter().flat_map(|question| question.tables);
    let tables = asked.chain(questions::EVENT_TABLES).copied();
    tables.chain(&TABLES)
}

/// Prints the columns of the question or table `name`, or lists all questions and tables.
pub(crate) fn columns(name: Option<&str>, terminal: &Terminal) -> Result<Exit, Failure> {
    let Some(name) = name else {
        return print(&[questions_table(), tables_table()], terminal);
    };
    if let Some(found) = all().find(|table| table.name == name) {
        return print(&[question_table(found)], terminal);
    }
    match tables::schema(name) {
        Some(schema) => print(&[schema_table(schema)], terminal),
        None => Err(
            Failure::usage(format!("there is no question or table {name:?}"))
                .hint("whyslow columns lists them"),
        ),
    }
}

fn print(tables: &[ResultTable], terminal: &Terminal) -> Result<Exit, Failure> {
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    output::write_to(None, false, |out| {
        for (at, table) in tables.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            write_text(table, &options, out)?;
        }
        Ok(())
    })?;
    Ok(Exit::Success)
}

const NAME: ResultColumn = ResultColumn::new("name", "name", "Name", Kind::Text, "").rigid();
const KEY: ResultColumn = ResultColumn::new("key", "key", "Option", Kind::Text, "").rigid();
const UNIT: ResultColumn = ResultColumn::new("unit", "unit", "Holds", Kind::Text, "").rigid();
const MEANING: ResultColumn = ResultColumn::new("meaning", "meaning", "Meaning", Kind::Text, "");

fn table(columns: &[ResultColumn], first: &'static str, rows: Vec<Vec<Value>>) -> ResultTable {
    let mut table = ResultTable::new("columns", "Columns", columns);
    if let Some(column) = table.columns.first_mut() {
        column.heading = first;
    }
    for column in &mut table.columns {
        column.priority = 0;
        // A sentence cut short explains nothing.
        column.elastic = false;
    }
    table.rows = rows;
    table
}

fn questions_table() -> ResultTable {
    let row = |table: &'static ResultSchema| vec![table.name.into(), table.summary.into()];
    let rows = all().map(row).collect();
    table(&[NAME, MEANING], "Question", rows)
}

fn tables_table() -> ResultTable {
    let row = |schema: &&TableSchema| vec![schema.name.into(), schema.doc.trim().into()];
    let rows = tables::ALL.iter().map(row).collect();
    table(&[NAME, MEANING], "Table", rows)
}

fn question_table(asked: &ResultSchema) -> ResultTable {
    let row = |column: &ResultColumn| {
        vec![
            column.key.into(),
            column.name.into(),
            holds(column.kind).into(),
            column.doc.into(),
        ]
    };
    let rows = asked.columns.iter().map(row).collect();
    table(&[KEY, NAME, UNIT, MEANING], "Option", rows)
}

fn schema_table(schema: &TableSchema) -> ResultTable {
    let row = |column: &whyslow_model::ColumnSchema| {
        let ty = match column.ty {
            ColumnType::I32 => "int32",
            ColumnType::I64 => "int64",
            ColumnType::Str => "string",
        };
        let null = if column.nullable { ", may be null" } else { "" };
        vec![
            column.name.into(),
            Value::text(&format!("{ty}{null}")),
            column.doc.trim().into(),
        ]
    };
    let rows = schema.columns.iter().map(row).collect();
    table(&[NAME, UNIT, MEANING], "Column", rows)
}

/// Returns what a column holds, in words.
pub(super) fn holds(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Id => "id",
        Kind::ExitCode => "exit code",
        Kind::Count => "count",
        Kind::Duration => "duration, ns",
        Kind::Time => "time since start, ns",
        Kind::WallTime => "time since 1970, ns",
        Kind::Bytes => "bytes",
        Kind::Percent => "percent",
        Kind::Ratio => "number",
        Kind::Address => "address",
    }
}
