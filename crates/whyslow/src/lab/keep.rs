//! The directory of `-o`: looked at before anything is measured, filled afterwards.

use std::fs;
use std::path::Path;

use whyslow_query::ResultTable;
use whyslow_render::HeatMap;
use whyslow_report::kept::{self, About, Unwritten};
use whyslow_series::kept::OPERATIONS;
use whyslow_series::{Run, Summary};

use crate::failure::Failure;

/// Refuses a directory that already exists, or cannot be made, before anything is measured.
pub(super) fn check(dir: &Path) -> Result<(), Failure> {
    if dir.symlink_metadata().is_ok() {
        let failure = Failure::cannot(format!("write {}", dir.display()), "it already exists");
        return Err(failure.hint("name a new directory"));
    }
    let tried = fs::create_dir(dir).and_then(|()| fs::remove_dir(dir));
    tried.map_err(|error| Failure::io(format!("make the directory {}", dir.display()), &error))
}

/// Writes everything into `dir`.
pub(super) fn keep(
    dir: &Path,
    runs: &[Run],
    summaries: &[Summary],
    table: &ResultTable,
    arguments: &[String],
    (notes, maps): (&[String], &[HeatMap]),
) -> Result<(), Failure> {
    let about = About {
        arguments,
        facts: &facts(),
        notes,
        maps,
    };
    let kept = kept::keep(dir, runs, summaries, table, &about);
    kept.map_err(|Unwritten { path, error }| match path == dir {
        true => Failure::io(format!("make the directory {}", dir.display()), &error),
        false if dir.exists() => Failure::unwritten(&path, &error).add(&format!(
            "; all operations are in {}",
            dir.join(OPERATIONS).display()
        )),
        false => Failure::unwritten(&path, &error),
    })
}

/// Returns when, where and with what this was measured.
fn facts() -> Vec<(String, String)> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let own = [
        ("measured", whyslow_stamp::local()),
        ("host", whyslow_stamp::host()),
        ("version", version),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    own.into_iter().chain(kept::machine()).collect()
}
