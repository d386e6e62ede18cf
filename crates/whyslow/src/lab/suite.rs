//! `lab suite`: experiments that a file lists, in one report.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use whyslow_lab::suite::{EXAMPLE, MOST_BYTES, Suite, Why};
use whyslow_render::escape;
use whyslow_report::said;

use super::{Bench, show};
use crate::args::{LabArgs, UNITS};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Prints a file to begin with.
pub(super) fn example() -> Result<Exit, Failure> {
    output::write_to(None, false, |out| out.write_all(EXAMPLE.as_bytes()))?;
    Ok(Exit::Success)
}

/// Reads the file of a suite.
pub(super) fn read(args: &LabArgs) -> Result<Suite, Failure> {
    let Some(path) = &args.file else {
        return Err(Failure::usage("the suite's file is missing")
            .hint("whyslow lab suite --example prints one to start from"));
    };
    let given = args.count.is_some() || args.dir.is_some() || !args.on.is_empty() || args.force;
    if given {
        return Err(
            Failure::usage("the suite's file says how much to measure, and where")
                .hint("only --output, --format and --record go with lab suite"),
        );
    }
    let bytes =
        bytes(path).map_err(|error| Failure::unread(format!("read {}", path.display()), &error))?;
    Suite::parse(&bytes, UNITS)
        .map_err(|wrong| Failure::usage(format!("{}: {wrong}", path.display())).hint(&wrong.hint))
}

/// Returns the content of a file, or as much as is too much for a suite.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes all experiments, as far as the time goes, and shows what they say.
pub(super) fn run(
    suite: &Suite,
    args: &LabArgs,
    words: &[OsString],
    bench: &Bench,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let mut runs = Vec::new();
    let missing = bench.measuring(|context| suite.run(context, &mut runs));
    if runs.is_empty() && bench.interrupt.asked() {
        return Err(Failure::interrupted());
    }
    if let (true, Some(first)) = (runs.is_empty(), missing.first()) {
        return Err(Failure::cannot(
            format!("measure {}", first.what),
            &first.why,
        ));
    }
    let notes: Vec<String> = missing
        .iter()
        .map(|one| format!("Not measured: {}: {}.", one.what, one.why))
        .collect();
    for note in &notes {
        terminal.tell(&escape(note));
    }
    show(args, &runs, words, &notes, said::suite, terminal)?;
    let failed = missing.iter().any(|one| matches!(one.why, Why::Failed(_)))
        || runs.iter().any(whyslow_series::Run::command_failed);
    Ok(match (bench.interrupt.asked(), failed) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Failure,
        _ => Exit::Success,
    })
}
