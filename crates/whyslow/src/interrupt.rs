//! Ctrl-C while an extract is written or an experiment runs: finish the step, remove what is incomplete, say
//! so.
//!
//! A second Ctrl-C ends the program at once, unless it comes so soon that it is the same one: a key that bounces, or a
//! signal to the process and one to its group.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    ending: Arc<Ending>,
}

/// When a signal ends the program.
#[derive(Debug, Default)]
struct Ending {
    /// When the first signal came, after the start; 0: none came.
    first_ms: AtomicU64,
    /// Whether the first one does.
    at_once: AtomicBool,
    /// The file to be removed.
    litter: Mutex<Option<PathBuf>>,
}

impl Interrupt {
    /// Watches for Ctrl-C and its like from now on.
    pub(crate) fn watch() -> Result<Self, Failure> {
        let interrupt = Self::default();
        for signal in SIGNALS {
            flag::register(*signal, Arc::clone(&interrupt.asked))
                .and_then(|_| end_on_second(*signal, Arc::clone(&interrupt.ending)))
                .map_err(|error| Failure::io("watch for signals", &error))?;
        }
        Ok(interrupt)
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

    /// Lets the first signal end the program, or no longer: while it waits for who reads its answer. The answer may be cut
    /// then, so this is no success.
    #[cfg(target_os = "linux")]
    pub(crate) fn end_at_once(&self, at_once: bool) {
        self.ending.at_once.store(at_once, Ordering::Relaxed);
    }

    /// Has the second signal remove a file before it ends the program.
    #[cfg(target_os = "linux")]
    pub(crate) fn remove_at_end(&self, file: Option<PathBuf>) {
        // Removing a file with a longer name needs memory, which a handler must not get.
        let file = file.filter(|file| file.as_os_str().len() < 300);
        *self
            .ending
            .litter
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = file;
    }
}

/// Has a signal end the program if another one came before.
#[expect(unsafe_code, reason = "a handler of signals")]
fn end_on_second(signal: i32, ending: Arc<Ending>) -> io::Result<()> {
    let start = Instant::now();
    let handler = move || {
        let now_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(0) + 1;
        let order = Ordering::Relaxed;
        if ending.at_once.load(order) {
            low_level::exit(Exit::Interrupted.code().into());
        }
        if let Err(first) = ending.first_ms.compare_exchange(0, now_ms, order, order)
            && now_ms.saturating_sub(first) > SAME_MS
        {
            if let Ok(litter) = ending.litter.try_lock() {
                let _gone = litter.as_ref().map(std::fs::remove_file);
            }
            low_level::exit(Exit::Interrupted.code().into());
        }
    };
    // SAFETY: the handler reads the clock, changes a number, tries a lock without waiting, removes a file with a short name and
    // ends the program, all of which handlers may.
    unsafe { low_level::register(signal, handler) }.map(drop)
}
