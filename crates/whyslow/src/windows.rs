//! Recording on Windows: the profile and commands for its recorder, printed on any system, and
//! driving it there.

use std::path::PathBuf;

use whyslow_wpr::{PROFILE_FILE, WprSettings, profile};

use crate::args::{RecordArgs, WindowsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

#[cfg(any(windows, test))]
mod drive;
#[cfg(windows)]
pub(crate) use drive::record;

fn settings(args: &WindowsArgs) -> WprSettings {
    WprSettings {
        is_light: args.light,
        is_circular: args.circular,
    }
}

/// Writes the profile and prints the commands.
pub(crate) fn print(args: &RecordArgs) -> Result<Exit, Failure> {
    let dir = args.output.clone().unwrap_or_else(|| PathBuf::from("."));
    let made = std::fs::create_dir_all(&dir);
    made.map_err(|error| Failure::io(format!("create {}", dir.display()), &error))?;
    let path = dir.join(PROFILE_FILE);
    let text = profile();
    // Making the same again is no loss.
    if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
        output::write_to(Some(&path), args.force, |out| {
            out.write_all(text.as_bytes())
        })?;
    }
    let settings = settings(&args.windows);
    let text = settings.instructions(&args.command, args.time, &path);
    Ok(output::print(text))
}

/// Returns why `run` works only on Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn no_run() -> Failure {
    let failure = Failure::cannot("record", "`run` works only on Linux");
    failure
        .hint("whyslow record -o T.etl -- COMMAND, then whyslow extract T.etl")
        .exit(Exit::RecorderFailed)
}

/// Returns why nothing is recorded here.
#[cfg(not(any(target_os = "linux", windows)))]
pub(crate) fn no_recorder() -> Failure {
    let failure = Failure::cannot("record", "only Linux and Windows can be recorded");
    failure.exit(Exit::RecorderFailed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn printed(words: &[&str]) -> String {
        let words = ["whyslow", "record", "--print-windows"].iter().chain(words);
        let Some(Command::Record(args)) = Cli::parse_from(words).command else {
            panic!("not understood");
        };
        let path = std::path::Path::new("x/whyslow.wprp");
        settings(&args.windows).instructions(&args.command, args.time, path)
    }

    #[test]
    fn commands_for_windows() {
        let text = printed(&[]);
        for line in [
            "wpr -start whyslow.wprp!Whyslow.Verbose -filemode",
            "wpr -stop trace.etl -skipPdbGen",
            "wpr -stop trace.etl",
            "wpr -cancel",
        ] {
            assert!(text.lines().any(|found| found.trim() == line), "{line}");
        }
        let text = printed(&["--light", "--circular", "--for", "90s"]);
        assert!(text.contains("wpr -start whyslow.wprp!Whyslow.Light\n  timeout /t 90 /nobreak\n"));
        let text = printed(&["--", "app.exe", "/x"]);
        assert!(text.contains("-filemode\n  app.exe /x\n  wpr -stop"));
    }

    #[test]
    #[cfg(not(windows))]
    fn options_of_windows_are_none_of_linux() {
        for option in ["--light", "--circular"] {
            assert!(Cli::try_parse_from(["whyslow", "record", option]).is_err());
        }
    }
}
