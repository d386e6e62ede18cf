//! Comma-separated values as RFC 4180 has them: `,` between fields, CRLF after records, quotes where
//! a field needs them and doubled inside.
//!
//! Values are raw: integers in the unit the column's name ends in, floats with a point, whatever the
//! locale. An unknown value is an empty field, an empty text is `""`. Every column of the question
//! is there; in a tree the depth of a row comes last.

use std::fmt::Write as _;
use std::io::{self, Write};

use whyslow_results::{ResultTable, Value};

use super::{Format, Head, RowWriter};

/// The format.
pub static FORMAT: Format = Format {
    name: "csv",
    title: "CSV",
    doc: "RFC 4180; raw integers, the unit in the column's name",
    needs_file: false,
    holds_notes: false,
    holds_json: false,
    block_rows: 1 << 12,
    begin,
};

/// Writes records.
struct CsvWriter<'w> {
    out: &'w mut (dyn Write + Send),
}

/// Writes the header record of `table`.
fn begin<'w>(
    table: &ResultTable,
    _: &Head<'_>,
    out: &'w mut (dyn Write + Send),
) -> io::Result<Box<dyn RowWriter + 'w>> {
    let is_tree = table.tree_column.is_some();
    let mut line = String::new();
    let names = table.columns.iter().map(|column| column.name);
    for name in names.chain(is_tree.then_some("depth")) {
        separate(&mut line);
        line.push_str(name);
    }
    end(&mut line, out)?;
    Ok(Box::new(CsvWriter { out }))
}

impl RowWriter for CsvWriter<'_> {
    fn rows(&mut self, table: &ResultTable) -> io::Result<()> {
        let is_tree = table.tree_column.is_some();
        let mut line = String::new();
        for (at, row) in table.rows.iter().enumerate() {
            for (column, value) in row.iter().enumerate() {
                if column > 0 {
                    line.push(',');
                }
                push(&mut line, value);
            }
            if is_tree {
                let depth = table.depths.get(at).copied().unwrap_or(0);
                line.push_str(&format!(",{depth}"));
            }
            end(&mut line, self.out)?;
        }
        Ok(())
    }

    fn end(self: Box<Self>, _: &ResultTable) -> io::Result<()> {
        Ok(())
    }
}

fn separate(line: &mut String) {
    if !line.is_empty() {
        line.push(',');
    }
}

fn end(line: &mut String, out: &mut dyn Write) -> io::Result<()> {
    line.push_str("\r\n");
    out.write_all(line.as_bytes())?;
    line.clear();
    Ok(())
}

fn push(line: &mut String, value: &Value) {
    match value {
        Value::Null => {}
        Value::Int(value) | Value::Quantity(_, value) => {
            let _ = write!(line, "{value}");
        }
        Value::Float(value) if value.is_finite() => line.push_str(&value.to_string()),
        Value::Float(_) => {}
        Value::Text(text) | Value::Json(text) => field(line, text),
    }
}

fn field(line: &mut String, text: &str) {
    let special = |byte: u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if !text.is_empty() && !text.bytes().any(special) {
        line.push_str(text);
        return;
    }
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut line = String::new();
        field(&mut line, text);
        line
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(written("plain text;here"), "plain text;here");
        assert_eq!(written("a,b"), "\"a,b\"");
        assert_eq!(written("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(written("two\nlines"), "\"two\nlines\"");
        assert_eq!(written(""), "\"\"");
    }

    #[test]
    fn unknown_is_an_empty_field() {
        let mut line = String::new();
        for value in [
            Value::Null,
            Value::Int(0),
            Value::Float(0.5),
            Value::Float(f64::NAN),
        ] {
            push(&mut line, &value);
            line.push('|');
        }
        assert_eq!(line, "|0|0.5||");
    }
}
