//! Ctrl-C while an extract is written or an experiment runs: finish the step, remove what is not whole, say so.
//!
//! A second Ctrl-C ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;
use crate::failure::Failure;

/// What asks to stop.
const SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    SIGQUIT,
    #[cfg(unix)]
    SIGHUP,
];

/// Whether the user asked to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Watches for Ctrl-C and its like from now on.
    pub(crate) fn watch() -> Result<Self, Failure> {
        let asked = Arc::new(AtomicBool::new(false));
        let watch = |signal| -> io::Result<()> {
            // Registered in this order, the second signal finds the flag up.
            let code = i32::from(Exit::Interrupted.code());
            flag::register_conditional_shutdown(signal, code, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
            Ok(())
        };
        for signal in SIGNALS {
            watch(*signal).map_err(|error| Failure::io("watch for signals", &error))?;
        }
        Ok(Self { asked })
    }

    /// Returns whether to stop.
    pub(crate) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns what is up when the user asked to stop.
    #[cfg(target_os = "linux")]
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.asked
    }
}
