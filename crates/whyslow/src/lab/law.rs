//! `lab law`: the law of numbers that others measured.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use whyslow_lab::Run;
use whyslow_lab::imported::{Numbers, read, run, sentences};
use whyslow_render::escape;
use whyslow_report::said;
use whyslow_report::unit::cost;

use crate::args::LabArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the file and says what its numbers follow.
pub(super) fn told(
    args: &LabArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let Some(path) = &args.file else {
        let failure = Failure::usage("the file is missing");
        return Err(failure.hint("as in: whyslow lab law durations.csv --duration ms"));
    };
    let what = format!("read {}", path.display());
    let bytes = bytes(path).map_err(|error| Failure::io(&what, &error))?;
    let series = read(&bytes, &args.law.asked()).map_err(|wrong| {
        let hint = "--n, --duration and --by name columns, --unit says what the durations are";
        Failure::cannot(what, wrong).hint(hint)
    })?;
    let runs: Vec<Run> = series.iter().filter_map(run).collect();
    if !runs.is_empty() {
        super::show(args, &runs, words, &[], said::experiment, terminal)?;
        return Ok(Exit::Success);
    }
    // Counts are no times, which tables and charts are of.
    let each = |one: &Numbers| [vec![one.name.clone()], sentences(one, cost)].concat();
    let lines = series.iter().flat_map(each).filter(|line| !line.is_empty());
    output::write_to(None, false, |out| {
        lines
            .clone()
            .try_for_each(|line| writeln!(out, "{}", escape(&line)))
    })?;
    Ok(Exit::Success)
}

/// Returns the content of a file, or of standard input.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    }
    match u64::try_from(bytes.len()) {
        Ok(len) if len <= MOST_BYTES => Ok(bytes),
        _ => Err(io::ErrorKind::FileTooLarge.into()),
    }
}
