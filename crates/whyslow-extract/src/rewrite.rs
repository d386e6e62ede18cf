//! Replacing the symbol layer and the roll-ups of an extract.
//!
//! New files are written beside the old ones and renamed one by one, roll-ups last. A crash in
//! between leaves new symbols with old sums: harmless, since both are right about the same trace,
//! and the next `symbolize` renews them.

use std::fs;
use std::path::Path;

use whyslow_model::tables::{SCHEMA_VERSION, TRACE};
use whyslow_model::{Layer, Table, TraceView};

use crate::error::{Error, ErrorKind};
use crate::extract::Extract;
use crate::file::TableFile;

/// Replaces tables of the symbol and roll-up layers, or the list of problems, of an extract.
///
/// # Errors
/// When a table is raw or a fact other than `problem`, or a file cannot be written; the extract is
/// then unchanged, or has some of the new tables.
pub fn rewrite(extract: &Extract, tables: &[Table]) -> Result<(), Error> {
    let trace = extract.read(&TRACE, &["trace_id"]);
    let trace = trace.map_err(|e| Error::new(extract.path(), ErrorKind::Damaged, e.to_string()))?;
    let trace_id = trace
        .column("trace_id")
        .text(0)
        .unwrap_or_default()
        .to_owned();
    let mut renames = Vec::new();
    for table in tables {
        let layer = table.schema.layer;
        if layer == Layer::Raw || (layer == Layer::Fact && table.schema.name != "problem") {
            let what = format!("table {} is never rewritten", table.schema.name);
            return Err(Error::new(extract.path(), ErrorKind::Io, what));
        }
        let path = extract
            .path()
            .join(format!("{}.parquet", table.schema.name));
        let temporary = temporary(&path);
        let written = TableFile::create(&temporary, table.schema, SCHEMA_VERSION, &trace_id)
            .and_then(|mut file| {
                if !table.is_empty() {
                    file.write(table)?;
                }
                file.close()?;
                // Before the rename: else a power cut leaves the new name without the bytes.
                let synced = fs::File::open(&temporary).and_then(|file| file.sync_data());
                synced.map_err(|e| Error::io(&temporary, "cannot write", e))
            });
        renames.push((temporary, path));
        if let Err(error) = written {
            for (temporary, _) in renames {
                let _gone = fs::remove_file(temporary);
            }
            return Err(error);
        }
    }
    for (temporary, path) in renames {
        let renamed = fs::rename(&temporary, &path);
        renamed.map_err(|e| Error::io(&path, "cannot be replaced", e))?;
    }
    Ok(())
}

fn temporary(path: &Path) -> std::path::PathBuf {
    path.with_extension(format!("parquet.{}.tmp", std::process::id()))
}
