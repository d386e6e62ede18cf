//! Runs the recorder of Windows.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::WprSettings;

/// Why Windows' recorder did not do what was requested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WprError {
    /// It could not be started.
    #[error("cannot start wpr: {0}")]
    NotStarted(#[source] io::Error),
    /// It refused.
    #[error("wpr {verb} failed: {why}")]
    Refused {
        /// The requested command, such as `-start`.
        verb: String,
        /// Its message, in one line.
        why: String,
    },
}

/// The recorder of Windows (`wpr`).
#[derive(Debug, Clone)]
pub struct Wpr {
    command: Vec<OsString>,
}

impl Default for Wpr {
    fn default() -> Self {
        Self {
            command: vec!["wpr".into()],
        }
    }
}

/// A running recording on Windows. If it is dropped before it is stopped, it is cancelled.
#[derive(Debug)]
pub struct Running<'a> {
    wpr: &'a Wpr,
    is_over: bool,
}

impl Wpr {
    /// Returns a recorder with another command in place of `wpr`: a program and its first
    /// arguments.
    pub fn stand_in(command: Vec<OsString>) -> Self {
        Self { command }
    }

    /// Starts a recording with a profile.
    ///
    /// # Errors
    ///
    /// The recorder is missing or refuses, usually because it is not run by an administrator, or
    /// because another recording is running.
    pub fn start(
        &self,
        settings: WprSettings,
        profile_file: &Path,
    ) -> Result<Running<'_>, WprError> {
        self.run(&settings.start(&profile_file.display().to_string()))?;
        Ok(Running {
            wpr: self,
            is_over: false,
        })
    }

    fn run(&self, words: &[String]) -> Result<(), WprError> {
        let (program, first) = self
            .command
            .split_first()
            .ok_or_else(|| WprError::NotStarted(io::Error::from(io::ErrorKind::InvalidInput)))?;
        let mut command = Command::new(program);
        command.args(first).args(words).stdin(Stdio::null());
        let output = command.output().map_err(WprError::NotStarted)?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let why: Vec<&str> = said.split_whitespace().collect();
        Err(WprError::Refused {
            verb: words.first().cloned().unwrap_or_default(),
            why: match why.join(" ") {
                why if why.is_empty() => output.status.to_string(),
                why => why,
            },
        })
    }
}

impl Running<'_> {
    /// Stops the recording and writes the trace, which may take minutes.
    ///
    /// # Errors
    ///
    /// The recorder refuses. The recording is then cancelled.
    pub fn stop(mut self, trace: &Path) -> Result<(), WprError> {
        let trace = trace.display().to_string();
        let first = self.wpr.run(&WprSettings::stop(&trace, true));
        let Err(error) = first else {
            self.is_over = true;
            return Ok(());
        };
        // Before Windows 11 it cannot skip anything, and continues recording.
        self.wpr
            .run(&WprSettings::stop(&trace, false))
            .map_err(|_| error)?;
        self.is_over = true;
        Ok(())
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            // There is no caller left to report an error to.
            let _ = self.wpr.run(&WprSettings::cancel());
        }
    }
}
