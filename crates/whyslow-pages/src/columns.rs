//! What columns mean: of questions, and of the tables of an extract.

use whyslow_model::{ColumnType, TableSchema, tables};
use whyslow_query::questions;
use whyslow_query::{Kind, ResultColumn, ResultSchema, ResultTable, Value};

/// Returns every table that a command answers with; `others` are those of commands that are no questions.
pub fn all(others: &'static [ResultSchema]) -> impl Iterator<Item = &'static ResultSchema> {
    let asked = questions::ALL.iter().flat_map(|question| question.tables);
    let tables = asked.chain(questions::EVENT_TABLES).copied();
    tables.chain(others)
}

/// Returns the columns of the question or table `name`, or without a name the lists of all questions and all tables;
/// `None` if there is no such question or table.
#[must_use]
pub fn explained(name: Option<&str>, others: &'static [ResultSchema]) -> Option<Vec<ResultTable>> {
    let Some(name) = name else {
        return Some(vec![questions_table(others), tables_table()]);
    };
    if let Some(found) = all(others).find(|table| table.name == name) {
        return Some(vec![question_table(found)]);
    }
    tables::schema(name).map(|schema| vec![schema_table(schema)])
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

fn questions_table(others: &'static [ResultSchema]) -> ResultTable {
    let row = |table: &'static ResultSchema| vec![table.name.into(), table.summary.into()];
    let rows = all(others).map(row).collect();
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
pub(crate) fn holds(kind: Kind) -> &'static str {
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
