//! Replaces the symbol layer and the roll-ups of an extract.
//!
//! New files are written next to the old ones and renamed one by one, roll-ups last. A crash in
//! between leaves new symbols with old sums. This is harmless: both are correct for the same trace,
//! and the next `symbolize` renews them.

use std::fs;

use whyslow_files::{Access, PartFile};
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
    let mut parts = Vec::new();
    for table in tables {
        let layer = table.schema.layer;
        if layer == Layer::Raw || (layer == Layer::Fact && table.schema.name != "problem") {
            let what = format!("table {} is never rewritten", table.schema.name);
            return Err(Error::new(extract.path(), ErrorKind::Io, what));
        }
        parts.push(write(extract, table, &trace_id)?);
    }
    for part in parts {
        let path = part.target().to_owned();
        let renamed = part.finish();
        renamed.map_err(|e| Error::io(&path, "cannot be replaced", e))?;
    }
    Ok(())
}

/// Writes a table under a temporary name next to the old one.
fn write(extract: &Extract, table: &Table, trace_id: &str) -> Result<PartFile, Error> {
    let name = format!("{}.parquet", table.schema.name);
    let path = extract.path().join(name);
    let created = PartFile::create(&path, true, Access::Owner);
    let (part, open) = created.map_err(|e| Error::io(&path, "cannot create", e))?;
    let unwritten = |e| Error::io(part.part(), "cannot write", e);
    // Everyone who could read the extract still can, even after root looked up its names.
    if let Ok(old) = path.metadata() {
        keep_owner(&open, &old);
        open.set_permissions(old.permissions()).map_err(unwritten)?;
    }
    let same = open.try_clone().map_err(unwritten)?;
    let to = (open, part.part());
    let mut file = TableFile::in_file(to, table.schema, SCHEMA_VERSION, trace_id)?;
    if !table.is_empty() {
        file.write(table)?;
    }
    file.close()?;
    // This comes before the rename: otherwise a power cut leaves the new name without the bytes.
    same.sync_data().map_err(unwritten)?;
    Ok(part)
}

/// Gives a new file the owner of an old one, if that is allowed.
#[cfg(unix)]
fn keep_owner(file: &fs::File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _only_root_can = fchown(file, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &fs::File, _old: &fs::Metadata) {}
