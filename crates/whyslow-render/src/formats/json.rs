//! One JSON object per answer:
//!
//! ```json
//! { "schema": 1,
//!   "query": { "question": "cpu", "title": "…", "arguments": ["cpu", "x.whyslow"],
//!              "files": ["x.whyslow"], "sort": "cpu", "descending": true, "matched_rows": 90 },
//!   "columns": [ { "name": "cpu_sampled_ns", "key": "cpu", "kind": "duration", "doc": "…" } ],
//!   "rows": [ { "file": "x.whyslow", "cpu_sampled_ns": 12000000 } ],
//!   "totals": null,
//!   "notes": [ { "level": "warning", "file": null, "text": "…" } ] }
//! ```
//!
//! Values are raw as in CSV; unknown is `null`, also how many rows match a list that is written while
//! it is read. New members may be added, none changes its meaning
//! without a new `schema`.

use std::io::{self, Write};

use whyslow_model::json::quoted;
use whyslow_results::{Kind, NoteLevel, Order, ResultTable, Value};

use super::{Format, Head, RowWriter};

/// Version of the object's shape.
pub const JSON_SCHEMA: u32 = 1;

/// The format.
pub static FORMAT: Format = Format {
    name: "json",
    title: "JSON",
    doc: "One object with the query, columns, rows and notes",
    needs_file: false,
    holds_notes: true,
    holds_json: true,
    block_rows: 1 << 12,
    begin,
};

/// Writes one object.
struct JsonWriter<'w> {
    has_rows: bool,
    out: &'w mut (dyn Write + Send),
}

fn begin<'w>(
    table: &ResultTable,
    head: &Head<'_>,
    out: &'w mut (dyn Write + Send),
) -> io::Result<Box<dyn RowWriter + 'w>> {
    writeln!(out, "{{\"schema\":{JSON_SCHEMA},")?;
    let query = query(table, head);
    writeln!(out, "\"query\":{query},")?;
    write!(out, "\"columns\":[")?;
    let columns = table.columns.iter().map(|column| {
        object(&[
            ("name", quoted(column.name)),
            ("key", quoted(column.key)),
            ("kind", quoted(kind(column.kind))),
            ("doc", quoted(column.doc)),
        ])
    });
    for (at, column) in columns.enumerate() {
        write_item(out, &column, at == 0)?;
    }
    write!(out, "],\n\"rows\":[")?;
    Ok(Box::new(JsonWriter {
        has_rows: false,
        out,
    }))
}

impl RowWriter for JsonWriter<'_> {
    fn rows(&mut self, table: &ResultTable) -> io::Result<()> {
        for (at, row) in table.rows.iter().enumerate() {
            let mut members = Vec::new();
            if table.tree_column.is_some() {
                let depth = table.depths.get(at).copied().unwrap_or(0);
                members.push(("depth", depth.to_string()));
            }
            members.extend(cells(table, row));
            write_item(self.out, &object(&members), !self.has_rows)?;
            self.has_rows = true;
        }
        Ok(())
    }

    fn end(self: Box<Self>, table: &ResultTable) -> io::Result<()> {
        let out = self.out;
        writeln!(out, "],")?;
        let totals = table.totals.as_ref();
        let totals = totals.map_or_else(null, |row| object(&cells(table, row)));
        writeln!(out, "\"totals\":{totals},")?;
        let notes = table.notes.iter().map(|note| {
            let level = match note.level {
                NoteLevel::Info => "info",
                NoteLevel::Warning => "warning",
            };
            object(&[
                ("level", quoted(level)),
                ("file", note.file.as_deref().map_or_else(null, quoted)),
                ("text", quoted(&note.text)),
            ])
        });
        let notes: Vec<String> = notes.collect();
        writeln!(out, "\"notes\":[{}]}}", notes.join(","))
    }
}

fn write_item(out: &mut dyn Write, item: &str, is_first: bool) -> io::Result<()> {
    let before = if is_first { "\n" } else { ",\n" };
    write!(out, "{before}{item}")
}

fn query(table: &ResultTable, head: &Head<'_>) -> String {
    let list = |texts: &mut dyn Iterator<Item = &str>| {
        let texts: Vec<String> = texts.map(quoted).collect();
        format!("[{}]", texts.join(","))
    };
    let sorted = table.sorted_by;
    let column = sorted.and_then(|(at, _)| table.columns.get(at));
    object(&[
        ("question", quoted(table.question)),
        ("title", quoted(&table.title)),
        (
            "arguments",
            list(&mut head.arguments.iter().map(String::as_str)),
        ),
        (
            "files",
            list(&mut table.files.iter().map(|file| &*file.name)),
        ),
        (
            "sort",
            column.map_or_else(null, |column| quoted(column.key)),
        ),
        (
            "descending",
            sorted.map_or_else(null, |(_, order)| (order == Order::Descending).to_string()),
        ),
        (
            "matched_rows",
            head.matched_rows.map_or_else(null, |rows| rows.to_string()),
        ),
    ])
}

fn cells(table: &ResultTable, row: &[Value]) -> Vec<(&'static str, String)> {
    let cells = table.columns.iter().zip(row);
    cells
        .map(|(column, value)| (column.name, json(value)))
        .collect()
}

fn json(value: &Value) -> String {
    match value {
        Value::Int(value) | Value::Quantity(_, value) => value.to_string(),
        Value::Float(value) if value.is_finite() => value.to_string(),
        Value::Null | Value::Float(_) => null(),
        Value::Text(text) => quoted(text),
        Value::Json(json) => json.to_string(),
    }
}

pub(crate) fn null() -> String {
    "null".to_owned()
}

pub(crate) fn object(members: &[(&str, String)]) -> String {
    let members = members.iter();
    let members: Vec<String> = members
        .map(|(name, value)| format!("{}:{value}", quoted(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Id => "id",
        Kind::ExitCode => "exit_code",
        Kind::Count => "count",
        Kind::Duration => "duration_ns",
        Kind::Time => "time_ns",
        Kind::WallTime => "unix_ns",
        Kind::Bytes => "bytes",
        Kind::Percent => "percent",
        Kind::Ratio => "ratio",
        Kind::Address => "address",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("a\"b\\c\n\u{1b}[0m"), "\"a\\\"b\\\\c\\n\\u001b[0m\"");
        assert_eq!(quoted("日本"), "\"日本\"");
    }

    #[test]
    fn unknown_is_null() {
        assert_eq!(json(&Value::Null), "null");
        assert_eq!(json(&Value::Float(f64::INFINITY)), "null");
        assert_eq!(json(&Value::Int(0)), "0");
    }
}
