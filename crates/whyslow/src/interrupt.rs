//! Ctrl-C while an extract is written or an experiment runs: finish the step, remove what is incomplete, say
//! so.
//!
//! A second Ctrl-C ends the program at once, unless it comes so soon that it is the same one: a key that bounces, or a
//! signal to the process and one to its group.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::exit::Exit;
use crate::failure::Failure;

/// So soon after the first signal, further ones are the same.
const SAME_MS: u64 = 1000;

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
        let first_ms = Arc::new(AtomicU64::new(0));
        for signal in SIGNALS {
            flag::register(*signal, Arc::clone(&asked))
                .and_then(|_| end_on_second(*signal, Arc::clone(&first_ms)))
                .map_err(|error| Failure::io("watch for signals", &error))?;
        }
        Ok(Self { asked })
    }

    /// Returns whether to stop.
    pub(crate) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns the flag that is set when the user asked to stop.
    #[cfg(target_os = "linux")]
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.asked
    }
}

/// Has a signal end the program if another one came before, `first_ms` after the start; 0: none came.
#[expect(unsafe_code, reason = "a handler of signals")]
fn end_on_second(signal: i32, first_ms: Arc<AtomicU64>) -> io::Result<()> {
    let start = Instant::now();
    let handler = move || {
        let now_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(0) + 1;
        let order = Ordering::Relaxed;
        if let Err(first) = first_ms.compare_exchange(0, now_ms, order, order)
            && now_ms.saturating_sub(first) > SAME_MS
        {
            low_level::exit(Exit::Interrupted.code().into());
        }
    };
    // SAFETY: the handler reads the clock, changes a number and ends the program, all of which handlers may.
    unsafe { low_level::register(signal, handler) }.map(drop)
}
