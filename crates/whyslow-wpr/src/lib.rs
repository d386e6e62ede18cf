//! Recording on Windows, with the recorder that ships with Windows 10 and later: `wpr`.
//!
//! [`profile`] is the file that says what to record; it can be made on any system. [`WprSettings`]
//! has the command lines, and instructions for a person who types them; [`Wpr`] runs them. None of it could be run on Windows during development:
//! the profile follows Microsoft's documentation of its elements ("Recording Profile XML Reference"
//! of the Windows Performance Toolkit) and the profiles of MSO-Scripts (MIT), and a test checks its
//! structure; [`Wpr`] was tested with a fake `wpr`.

mod instructions;
mod profile;
mod wpr;

pub use profile::profile;
pub use wpr::{Running, Wpr, WprError};

/// Name of the profile's file.
pub const PROFILE_FILE: &str = "whyslow.wprp";
/// Name of the profile in it.
const PROFILE: &str = "Whyslow";

/// How a Windows machine is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "made by the caller, field by field"
)]
pub struct WprSettings {
    /// Leave out file operations and wake-ups: the file is smaller and covers more time.
    pub is_light: bool,
    /// Keep the latest events in memory until the recording is stopped, instead of a growing file.
    pub is_circular: bool,
}

impl WprSettings {
    /// Returns the arguments that start a recording with the profile in a file.
    pub fn start(self, profile_file: &str) -> Vec<String> {
        let detail = if self.is_light { "Light" } else { "Verbose" };
        let mut words = vec![
            "-start".to_owned(),
            format!("{profile_file}!{PROFILE}.{detail}"),
        ];
        if !self.is_circular {
            words.push("-filemode".to_owned());
        }
        words
    }

    /// Returns the arguments that stop it and write the trace. They skip making symbols of native
    /// .NET images: that takes minutes, and the trace has their methods. Recorders before Windows
    /// 11 cannot skip it.
    pub fn stop(trace: &str, knows_to_skip: bool) -> Vec<String> {
        let mut words = vec!["-stop".to_owned(), trace.to_owned()];
        if knows_to_skip {
            words.push("-skipPdbGen".to_owned());
        }
        words
    }

    /// Returns the arguments that stop it and discard everything.
    pub fn cancel() -> Vec<String> {
        vec!["-cancel".to_owned()]
    }
}
