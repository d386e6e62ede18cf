//! What a person types on a Windows machine.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::{PROFILE_FILE, WprSettings};

/// The name of the trace in the printed commands.
const TRACE: &str = "trace.etl";

impl WprSettings {
    /// Returns the commands that record a command, or without one for some time, with the profile in a file.
    #[must_use]
    pub fn instructions(
        self,
        command: &[OsString],
        time: Option<Duration>,
        profile: &Path,
    ) -> String {
        let wpr = |words: Vec<String>| format!("wpr {}", words.join(" "));
        let start = wpr(self.start(PROFILE_FILE));
        let (stop, stop_older) = (Self::stop(TRACE, true), Self::stop(TRACE, false));
        let (stop, stop_older, cancel) = (wpr(stop), wpr(stop_older), wpr(Self::cancel()));
        let between = if command.is_empty() {
            let wait = |time: Duration| format!("timeout /t {} /nobreak", time.as_secs().max(1));
            let by_hand = "rem now do what is slow, then".to_owned();
            time.map_or(by_hand, wait)
        } else {
            let words = command.iter().map(|word| word.to_string_lossy());
            words.collect::<Vec<_>>().join(" ")
        };
        let mut text = String::new();
        let _ = write!(
            text,
            "The profile is {}. Copy it to the Windows machine (10 or later). There, in an\n\
             administrator's console, in the profile's folder:\n\n  \
             {start}\n  {between}\n  {stop}\n\n\
             Before Windows 11, if that is refused:\n\n  {stop_older}\n\n\
             To stop without a trace:\n\n  {cancel}\n\n\
             Then, on any machine:\n\n  whyslow extract {TRACE}\n",
            profile.display(),
        );
        text
    }
}
