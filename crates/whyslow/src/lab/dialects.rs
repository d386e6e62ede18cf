//! `lab dialects`: what a setting on a share costs for every pair of a server's and a client's newest
//! dialect, as a table of both.

use whyslow_lab::dialect_table::table;
use whyslow_lab::dialects::{Pair, dialects, sentences};
use whyslow_lab::share_name::ShareName;
use whyslow_render::escape;
use whyslow_report::unit::cost;
use whyslow_report::{map, said};
use whyslow_series::{Run, Summary};
use whyslow_share::{Protocol, Share};

use super::Bench;
use crate::args::{Format, LabArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Settings where the user names no number.
const USUAL_COUNT: u64 = 2_700;

/// Returns the share to measure: plain SMB if the user names none.
fn share(args: &LabArgs) -> Result<Share, Failure> {
    let plain = Share {
        protocol: Protocol::Smb,
        dialect: None,
        case_sensitive: false,
        rtt: std::time::Duration::ZERO,
    };
    let share = match args.on.as_slice() {
        [] if args.dir.is_none() => plain,
        [system] => match system.share() {
            Some(ShareName { share, on: None })
                if share.protocol == Protocol::Smb && share.dialect.is_none() =>
            {
                *share
            }
            _ => return Err(odd()),
        },
        _ => return Err(odd()),
    };
    match share.protocol.lacks() {
        Some(lack) => Err(Failure::cannot("work on smb", lack)
            .hint("whyslow lab systems lists what this machine can provide")),
        None => Ok(share),
    }
}

fn odd() -> Failure {
    Failure::usage("dialects works on one SMB share")
        .hint("leave out --on, or name one, such as --on smb:rtt=10ms")
}

/// Measures and shows every pair.
pub(super) fn show(
    args: &LabArgs,
    arguments: &[String],
    bench: &Bench,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let share = share(args)?;
    let asked = args.asked().map_err(|error| super::failure(&error))?;
    let options = asked.options(USUAL_COUNT);
    let mut exit = Exit::Success;
    let (mut pairs, mut runs): (Vec<Pair>, Vec<Run>) = (Vec::new(), Vec::new());
    let measured =
        bench.measuring(|context| dialects(&share, &options, context, &mut pairs, &mut runs));
    if let Err(error) = measured {
        let failure = super::failure(&error);
        if runs.is_empty() {
            return Err(failure);
        }
        terminal.fail(&failure);
        exit = failure.exit;
    } else if bench.interrupt.asked() {
        exit = Exit::Interrupted;
    }
    let table = table(&pairs);
    if let Some(dir) = &args.output {
        let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
        let (notes, maps) = (sentences(&pairs, cost), map::dialects(&pairs));
        super::keep::keep(dir, &runs, &summaries, &table, arguments, (&notes, &maps))?;
        terminal.tell(&format!(
            "every operation is in {}",
            escape(&dir.display().to_string())
        ));
    }
    output::write_to(None, false, |out| match args.format {
        Format::Table => said::dialects(&pairs, super::page(terminal), out),
        Format::Data(format) => format.write(&table, arguments, out),
    })?;
    Ok(exit)
}
