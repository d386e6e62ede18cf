//! `lab compare`: what changed between two kept experiments.

use std::ffi::OsString;
use std::path::Path;

use whyslow_files::cause::plain;
use whyslow_report::said;
use whyslow_series::changes::{Changes, changes, table};
use whyslow_series::kept::{Kept, Unreadable};

use super::said_as;
use crate::args::{Format, LabArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Reads both experiments and shows what changed.
pub(super) fn compared(
    args: &LabArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let (Some(before), Some(after)) = (&args.file, &args.other) else {
        return Err(Failure::usage("compare needs two experiments that were kept")
            .hint("for example: whyslow lab create -o before; whyslow lab create -o after; whyslow lab compare before after"));
    };
    let given = args.count.is_some()
        || args.dir.is_some()
        || !args.on.is_empty()
        || args.force
        || args.record;
    if given || args.output.is_some() {
        return Err(
            Failure::usage("compare measures nothing: it reads what was kept")
                .hint("only --format goes with it"),
        );
    }
    let found = changes(&read(before)?, &read(after)?);
    if found.series.is_empty() {
        let why = "they have no series in common: same operation, same way, same system";
        return Err(Failure::cannot("compare these experiments", why).hint(alone(&found)));
    }
    let table = table(&found.series);
    output::write_to(None, false, |out| match args.format {
        Format::Table => said::changes(&found, &table, super::page(terminal), out),
        Format::Data(format) => format.write(&table, &said_as(words), out),
    })?;
    Ok(Exit::Success)
}

fn read(path: &Path) -> Result<Kept, Failure> {
    Kept::read(path).map_err(|error| match error {
        Unreadable::Io { path, source } => {
            Failure::cannot(format!("read {}", path.display()), plain(&source))
                .hint("name the directory that an experiment wrote with -o")
        }
        Unreadable::Odd { path, why } => Failure::cannot(format!("read {}", path.display()), why)
            .hint("name the directory that an experiment wrote with -o"),
    })
}

/// Returns what each has that the other has not.
fn alone(found: &Changes) -> String {
    format!(
        "the first has: {}; the second has: {}",
        found.gone.join("; "),
        found.new.join("; ")
    )
}
