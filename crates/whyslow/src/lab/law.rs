//! `lab law`: the law of numbers that others measured.

use std::ffi::OsString;

use whyslow_report::{numbers, said};
use whyslow_series::Run;
use whyslow_series::imported::{read, run};

use crate::args::LabArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Reads the file and says what its numbers follow.
pub(super) fn told(
    args: &LabArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let Some(path) = &args.file else {
        let failure = Failure::usage("the file is missing");
        return Err(failure.hint("for example: whyslow lab law durations.csv --duration ms"));
    };
    let what = format!("read {}", path.display());
    let bytes = numbers::bytes(path).map_err(|error| Failure::unread(&what, &error))?;
    let series = read(&bytes, &args.law.asked()).map_err(|wrong| {
        let hint = match bytes.iter().all(u8::is_ascii_whitespace) {
            true => "it takes one duration per line, or a table in CSV",
            false => "--n, --duration and --by name columns, --unit says what the durations are",
        };
        Failure::cannot(what, wrong).hint(hint)
    })?;
    let runs: Vec<Run> = series.iter().filter_map(run).collect();
    if !runs.is_empty() {
        super::show(args, &runs, words, &[], said::experiment, terminal)?;
        return Ok(Exit::Success);
    }
    output::write_to(None, false, |out| {
        numbers::say(&series, super::page(terminal), out)
    })?;
    Ok(Exit::Success)
}
