//! `meta.json`: a copy of the trace's facts for people who look into the directory.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use whyslow_model::tables::{CAPABILITY, TRACE};
use whyslow_model::{Column, Table, TraceView};

use crate::extract::Extract;

/// Returns the trace row and the capabilities as JSON.
pub(crate) fn describe(extract: &Extract) -> String {
    let mut json = String::from("{\n");
    if let Ok(trace) = extract.read(&TRACE, &[]) {
        for (column, schema) in trace.columns.iter().zip(trace.schema.columns) {
            let _infallible = writeln!(json, "  {}: {},", quoted(schema.name), value(column, 0));
        }
    }
    json.push_str("  \"capabilities\": {");
    if let Ok(table) = extract.read(&CAPABILITY, &[]) {
        let entry = |row| {
            let name = table.column("name").text(row).unwrap_or_default();
            let presence = table.column("presence").text(row).unwrap_or_default();
            format!("\n    {}: {}", quoted(name), quoted(presence))
        };
        let entries: Vec<_> = (0..Table::len(&table)).map(entry).collect();
        json.push_str(&entries.join(","));
    }
    json.push_str("\n  }\n}\n");
    json
}

/// Returns when the recording of the extract at `path` began, according to `meta.json`.
pub(crate) fn start_unix_ns(path: &Path) -> Option<i64> {
    // It is near the beginning of the file.
    const MOST_BYTES: u64 = 16 << 10;
    let mut text = Vec::new();
    let path = path.join("meta.json");
    std::fs::metadata(&path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let file = File::open(path).ok()?;
    file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix("\"start_unix_ns\": "))?;
    value.trim_end_matches(',').parse().ok()
}

fn value(column: &Column, row: usize) -> String {
    match (column.text(row), column.int(row)) {
        (Some(text), _) => quoted(text),
        (None, Some(number)) => number.to_string(),
        (None, None) => "null".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if (c as u32) < 0x20 => {
                let _infallible = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}
