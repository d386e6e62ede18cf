//! A directory with everything an experiment measured: `operations.parquet`, `runs.csv`, `runs.json`.

use std::fs;
use std::io::Write;
use std::path::Path;

use whyslow_lab::Run;
use whyslow_query::ResultTable;
use whyslow_render::{write_csv, write_json};

use super::operations::write_operations;
use crate::failure::Failure;
use crate::output;

/// Refuses a directory that is there already, before anything is measured.
pub(super) fn check(dir: &Path) -> Result<(), Failure> {
    if dir.symlink_metadata().is_ok() {
        let failure = Failure::cannot(format!("write {}", dir.display()), "it exists already");
        return Err(failure.hint("name a new directory"));
    }
    Ok(())
}

/// Writes everything into `dir`.
pub(super) fn keep(
    dir: &Path,
    runs: &[Run],
    table: &ResultTable,
    arguments: &[String],
) -> Result<(), Failure> {
    fs::create_dir(dir)
        .map_err(|error| Failure::io(format!("make the directory {}", dir.display()), &error))?;
    let file = |name: &str, write: &dyn Fn(&mut (dyn Write + Send)) -> std::io::Result<()>| {
        output::write_to(Some(&dir.join(name)), false, |out| write(out)).map(|_| ())
    };
    file("operations.parquet", &|out| {
        write_operations(runs, arguments, out)
    })?;
    file("runs.csv", &|out| write_csv(table, out))?;
    file("runs.json", &|out| write_json(table, arguments, out))
}
