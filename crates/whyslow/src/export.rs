//! `export`: copies of extracts for others.

use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::sync::Arc;

use whyslow_pipeline::Exporter;
use whyslow_render::path_line;

use crate::args::ExportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::output;
use crate::progress::Spectator;
use crate::terminal::Terminal;
use whyslow_pipeline::place::names_extract;

/// Copies each extract; the paths of the copies go to standard output.
pub(crate) fn export(args: &ExportArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let inputs = Inputs::open(&args.extracts, terminal)?;
    let is_name = names_extract(&args.output);
    if is_name && inputs.extracts.len() > 1 {
        let why = "several extracts cannot share one name";
        let failure = Failure::usage(why).hint("give -o a directory");
        return Err(failure.exit(Exit::Usage));
    }
    let dir = match is_name {
        true => args.output.parent().unwrap_or(Path::new("")),
        false => &args.output,
    };
    if !dir.as_os_str().is_empty() {
        let made = whyslow_files::owner::create_dirs(dir);
        made.map_err(|error| Failure::io(format!("create {}", dir.display()), &error))?;
    }
    let watch = Spectator::new(terminal)?;
    let mut exporter = Exporter::new(args.redact, args.force, Arc::clone(&watch) as _);
    let mut failed = false;
    for extract in &inputs.extracts {
        let output = match is_name {
            true => args.output.clone(),
            false => dir.join(exporter.name_of(extract.path())),
        };
        let copied = exporter.export(extract, &output);
        watch.clear();
        copied?;
        failed |= output::print(path_line(&output, stdout().is_terminal())) != Exit::Success;
    }
    Ok(if failed || inputs.unreadable > 0 {
        Exit::Failure
    } else {
        Exit::Success
    })
}
