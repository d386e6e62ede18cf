//! `lab export`: an experiment as one program for a machine without Whyslow.

use std::path::Path;

use whyslow_lab::export::{Export, Language, program};
use whyslow_lab::systems::USUAL_DIR;
use whyslow_lab::{Asked, Request, cases};

use super::failure;
use crate::args::LabArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Prints the program.
pub(super) fn exported(args: &LabArgs, asked: &Asked) -> Result<Exit, Failure> {
    let example = "for example: whyslow lab export create --count 100k --as ps1 > create.ps1";
    let name = args.file.as_deref().and_then(Path::to_str);
    let case = name.and_then(cases::named);
    let case =
        case.ok_or_else(|| Failure::usage("export needs the name of a case").hint(example))?;
    let names = || Language::ALL.map(|(name, _)| name).join(", ");
    let language = args.language.ok_or_else(|| {
        Failure::usage("export needs a language").hint(format!("--as takes {}", names()))
    })?;
    if !asked.on.is_empty() || args.output.is_some() || args.record || args.force {
        return Err(Failure::usage(
            "an exported program works in its own directory, and keeps its own log",
        )
        .hint("leave out --on, --output, --record and --force"));
    }
    let request = Request::new(case, asked).map_err(|error| failure(&error))?;
    let dir = asked.dir.as_deref().unwrap_or(Path::new(USUAL_DIR));
    let program = program(&Export {
        case,
        options: &request.options,
        dir,
        language,
    });
    let text = program.map_err(|error| failure(&error))?;
    output::write_to(None, false, |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}
