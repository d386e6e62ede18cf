//! Drives the recorder of Windows.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use whyslow_files::cause::plain;
use whyslow_wpr::{Wpr, WprError, WprSettings, profile};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Records until the command ends, the time is over, or Ctrl-C.
#[cfg(windows)]
pub(crate) fn record(
    args: &crate::args::RecordArgs,
    terminal: &crate::terminal::Terminal,
) -> Result<Exit, Failure> {
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| format!("{}.etl", whyslow_stamp::host_and_time()).into());
    if output.exists() && !args.force {
        let failure = Failure::cannot(format!("write {}", output.display()), "it already exists");
        return Err(failure
            .hint("choose another name with -o, or replace it with --force")
            .exit(Exit::RecorderFailed));
    }
    let interrupt = Interrupt::watch()?;
    let drive = Drive {
        wpr: &Wpr::default(),
        settings: super::settings(&args.windows),
        command: &args.command,
        time: args.time,
        interrupt: &interrupt,
    };
    let exit = drive.run(&output)?;
    terminal.tell(&format!("next: whyslow extract {}", output.display()));
    Ok(exit)
}

/// A recording to be made.
#[derive(Debug)]
pub(super) struct Drive<'a> {
    pub(super) wpr: &'a Wpr,
    pub(super) settings: WprSettings,
    /// Empty for none.
    pub(super) command: &'a [OsString],
    pub(super) time: Option<Duration>,
    pub(super) interrupt: &'a Interrupt,
}

impl Drive<'_> {
    /// Records into a file; returns what to exit with.
    pub(super) fn run(&self, output: &Path) -> Result<Exit, Failure> {
        let profile_file = Removed(&output.with_extension("whyslow.wprp"));
        let written = std::fs::write(profile_file.0, profile());
        let what = format!("write {}", profile_file.0.display());
        written.map_err(|error| Failure::io(what, &error).exit(Exit::RecorderFailed))?;
        let running = self
            .wpr
            .start(self.settings, profile_file.0)
            .map_err(failed)?;
        let exit = match self.command.split_first() {
            Some((program, words)) => command(program, words),
            None => Ok(self.wait()),
        };
        running.stop(output).map_err(failed)?;
        exit
    }

    fn wait(&self) -> Exit {
        const STEP: Duration = Duration::from_millis(50);
        let start = Instant::now();
        let is_over = || self.time.is_some_and(|time| start.elapsed() >= time);
        while !is_over() && !self.interrupt.asked() {
            thread::sleep(STEP);
        }
        Exit::Success
    }
}

/// Runs the command and waits for its end; a Ctrl-C reaches it, too.
fn command(program: &OsString, words: &[OsString]) -> Result<Exit, Failure> {
    let status = Command::new(program).args(words).status();
    let status = status.map_err(|error| {
        let what = format!("run {}", program.display());
        let is_missing = error.kind() == std::io::ErrorKind::NotFound;
        let exit = if is_missing {
            Exit::NotFound
        } else {
            Exit::NotExecutable
        };
        Failure::cannot(what, plain(&error)).exit(exit)
    })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(Exit::Command(code.unwrap_or(u8::MAX)))
}

fn failed(error: WprError) -> Failure {
    let hint = match &error {
        WprError::NotStarted(_) => "wpr is part of Windows 10 and later",
        _ => "start the console as administrator; `wpr -cancel` ends an earlier recording",
    };
    let failure = Failure::cannot("record", error).hint(hint);
    failure.exit(Exit::RecorderFailed)
}

/// A file that is removed in the end.
struct Removed<'a>(&'a Path);

impl Drop for Removed<'_> {
    fn drop(&mut self) {
        // It is small, and not needed any more.
        let _ = std::fs::remove_file(self.0);
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// Logs its arguments beside itself, and makes the trace.
    const STAND_IN: &str = r#"
        echo "$1" >> "$0"
        case "$1" in
            -start) test -f "${2%%!*}" ;;
            -stop) echo trace > "$2" ;;
        esac
    "#;

    #[test]
    fn a_command_is_recorded() {
        let dir = std::env::temp_dir().join(format!("whyslow-drive-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let told = dir.join("told");
        let words = [
            "sh".into(),
            "-c".into(),
            STAND_IN.into(),
            told.clone().into(),
        ];
        let interrupt = Interrupt::watch().unwrap();
        let mut drive = Drive {
            wpr: &Wpr::stand_in(words.into()),
            settings: WprSettings::default(),
            command: &["sh".into(), "-c".into(), "exit 7".into()],
            time: Some(Duration::ZERO),
            interrupt: &interrupt,
        };
        let output = dir.join("t.etl");
        assert_eq!(drive.run(&output).unwrap(), Exit::Command(7));
        assert_eq!(std::fs::read_to_string(&output).unwrap(), "trace\n");
        drive.command = &[];
        assert_eq!(drive.run(&output).unwrap(), Exit::Success);
        // The recording is kept where the command is none.
        let none = ["/nowhere/at/all".into()];
        drive.command = &none;
        assert_eq!(drive.run(&output).unwrap_err().exit, Exit::NotFound);
        let told = std::fs::read_to_string(told).unwrap();
        assert_eq!(told, "-start\n-stop\n".repeat(3));
        let left = std::fs::read_dir(&dir).unwrap().count();
        assert_eq!(left, 2, "the profile is removed");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
