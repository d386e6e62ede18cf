//! `docs/extract-format.md`: every table of an extract, for people who read it with another engine.
//! A test compares the file with what this module makes.

use whyslow_model::tables::{self, SCHEMA_VERSION, TIMELINE_SLICE_NS};
use whyslow_model::{ColumnSchema, ColumnType, Layer, TableSchema};

const INTRODUCTION: &str = "\
# The format of an extract

`whyslow markdown --page extract-format` prints this page from the program's own definitions. A test
keeps it up to date.

An extract is a directory `NAME.whyslow` with one Parquet file per table. It also holds `meta.json`, a
copy of the facts about the trace for human readers. Every engine that reads Parquet can read an
extract directly: DuckDB, Polars, Spark, ClickHouse, DataFusion. Nothing is nested, and only three
types occur: `INT32`, `INT64`, and UTF-8 text.

## Rules that hold in every table

* **Times** are nanoseconds since the start of the trace. Add `trace.start_unix_ns` to get the wall
  clock. **Durations** are nanoseconds. If a column has a unit, it is the last word of the column's
  name.
* **Null means unknown** or not recorded. It never means zero, and zero never means unknown.
* **Ids** (`id`, `process`, `thread`, `module`, `address`, `stack`) are row numbers in the table that
  they name. They start at 0 and are unique within one extract. The operating system's own ids, which
  it may reuse, are in the columns `os_pid` and `os_tid`.
* **Codes** (states, reasons, kinds, flags) are small integers. The table `code` explains them. A code
  never changes its meaning.
* **Addresses** are `INT64` in two's complement: kernel addresses are negative.
* **Order**: raw tables are sorted by process, thread and time, so a filter on a process reads only a
  small part of the file.
* **Absent tables**: an extract has all tables of its schema version, even if they are empty; only
  `method` and `timeline` may be missing. An older extract may lack a table or a column. Read a missing
  column as null.
* The footer of every file holds the keys `whyslow.schema`, the version of the schema, `whyslow.trace`,
  the id of the trace, and `whyslow.table`, the name of the table.

The table `capability` says what the recording holds. Check it before you count: an empty table can
mean that nothing happened, or that nothing was recorded.

## Stacks

A stack is a path in a prefix tree. `stack.parent` is the caller's node, and parents have smaller ids
than their children. A sample or an interval refers to its leaf node. `stack.address` refers to
`address`, and `symbol` gives the functions at an address: `depth` 0 is the function itself, and higher
depths are the callers into which it was inlined. Where `function` is null, `reason` says why.

## Examples

CPU time by process, in DuckDB:

```sql
SELECT p.name, p.os_pid, sum(s.weight_ns) / 1e6 AS cpu_sampled_ms
FROM 'NAME.whyslow/cpu_sample.parquet' s
JOIN 'NAME.whyslow/process.parquet' p ON s.process = p.id
GROUP BY ALL ORDER BY cpu_sampled_ms DESC LIMIT 10;
```

What every thread of a program did:

```sql
SELECT t.os_tid, t.name, c.name AS state, sum(i.duration_ns) / 1e6 AS ms
FROM 'NAME.whyslow/thread_state.parquet' i
JOIN 'NAME.whyslow/thread.parquet' t ON i.thread = t.id
JOIN 'NAME.whyslow/process.parquet' p ON i.process = p.id
JOIN 'NAME.whyslow/code.parquet' c
  ON c.\"table\" = 'thread_state' AND c.\"column\" = 'state' AND c.code = i.state
WHERE p.name = 'PROGRAM'
GROUP BY ALL ORDER BY t.os_tid, ms DESC;
```

Functions on the stacks of one process, each counted once per sample:

```sql
WITH RECURSIVE frames AS (
  SELECT s.rowid AS sample, s.weight_ns, s.stack AS node
  FROM (SELECT row_number() OVER () AS rowid, * FROM 'NAME.whyslow/cpu_sample.parquet') s
  WHERE s.process = 42 AND s.stack IS NOT NULL
  UNION ALL
  SELECT f.sample, f.weight_ns, n.parent
  FROM frames f JOIN 'NAME.whyslow/stack.parquet' n ON n.id = f.node
  WHERE n.parent IS NOT NULL
), functions AS (
  SELECT DISTINCT f.sample, f.weight_ns, y.function
  FROM frames f
  JOIN 'NAME.whyslow/stack.parquet' n ON n.id = f.node
  JOIN 'NAME.whyslow/symbol.parquet' y ON y.address = n.address
)
SELECT function, sum(weight_ns) / 1e6 AS cpu_sampled_ms
FROM functions GROUP BY function ORDER BY cpu_sampled_ms DESC LIMIT 20;
```

The roll-up `method` gives the same answer for whole traces at once. In Spark, `spark.read.parquet`
takes the files as they are. To read many extracts, give it `*/cpu_sample.parquet` and use
`input_file_name()` to tell them apart.
";

/// Returns the page.
#[must_use]
pub fn extract_format() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str(&format!(
        "\n## Tables\n\nSchema version {SCHEMA_VERSION}. A slice of `timeline` is {} ms long.\n\n",
        TIMELINE_SLICE_NS / 1_000_000
    ));
    page.push_str("| table | written | a row is |\n|---|---|---|\n");
    for table in tables::ALL {
        let (name, doc) = (table.name, cell(table.doc));
        let layer = layer(table.layer);
        page.push_str(&format!("| [`{name}`](#{name}) | {layer} | {doc} |\n"));
    }
    for table in tables::ALL {
        page.push_str(&section(table));
    }
    page
}

fn section(table: &TableSchema) -> String {
    let mut text = format!("\n### {}\n\n{}\n\n", table.name, cell(table.doc));
    text.push_str("| column | type | meaning |\n|---|---|---|\n");
    for column in table.columns {
        let (name, doc) = (column.name, cell(column.doc));
        text.push_str(&format!("| `{name}` | {} | {doc} |\n", kind(column)));
    }
    text
}

fn kind(column: &ColumnSchema) -> String {
    let name = match column.ty {
        ColumnType::I32 => "INT32",
        ColumnType::I64 => "INT64",
        ColumnType::Str => "text",
    };
    let null = if column.nullable { ", nullable" } else { "" };
    format!("{name}{null}")
}

fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Fact => "once",
        Layer::Raw => "once, one row per event or interval",
        Layer::Symbol => "again by `symbolize`",
        Layer::RollUp => "again by `symbolize`, sums",
    }
}

/// Returns a sentence that fits into a cell of a table.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}
