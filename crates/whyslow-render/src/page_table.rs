//! A table as HTML: what a page says at a glance.

use std::io::{self, Write};

use whyslow_results::{Clock, Kind, ResultTable, Value};

use crate::cell::{CellStyle, TimeStyle};
use crate::number;
use crate::picture::escape_html;

/// Writes the columns of `table` that a person sees and that say something; each duration has the unit
/// that suits it, for they span six decimal powers.
pub(crate) fn write_table(table: &ResultTable, out: &mut dyn Write) -> io::Result<()> {
    let styles = CellStyle::of(table, TimeStyle::default());
    let columns = table.columns.iter().zip(&styles).enumerate();
    let columns: Vec<_> = columns
        .filter(|(at, (column, _))| column.shown && says_something(table, *at))
        .collect();
    if columns.is_empty() {
        return Ok(());
    }
    out.write_all(b"<div class=\"wide\"><table><thead><tr>")?;
    for (_, (column, style)) in &columns {
        let unit = match column.kind {
            Kind::Duration => "",
            _ => style.label(),
        };
        let heading = format!("{} {unit}", column.heading);
        let doc = escape_html(column.doc);
        let heading = escape_html(heading.trim());
        write!(out, "<th{} title=\"{doc}\">{heading}</th>", side(**style))?;
    }
    out.write_all(b"</tr></thead><tbody>")?;
    for row in &table.rows {
        out.write_all(b"<tr>")?;
        for (at, (column, style)) in &columns {
            let text = match row.get(*at) {
                Some(Value::Int(ns)) if column.kind == Kind::Duration => {
                    number::brief_duration(*ns)
                }
                Some(value) => style.text(value, &Clock::default()),
                None => String::new(),
            };
            write!(out, "<td{}>{}</td>", side(**style), escape_html(&text))?;
        }
        out.write_all(b"</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")
}

/// Returns what puts numbers at the right of their column.
fn side(style: CellStyle) -> &'static str {
    if style.at_right() { " class=\"n\"" } else { "" }
}

fn says_something(table: &ResultTable, at: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(at));
    cells.any(|cell| match cell {
        Value::Null => false,
        Value::Text(text) => !text.is_empty(),
        _ => true,
    })
}
