//! Whose turn it is to change the kernel's list of events.
//!
//! The kernel changes it for one process at a time, and closing a probe's event keeps it for up to 200 ms. What
//! closes the events of the last recording would keep the next one from beginning for seconds: so it closes one
//! after the other, and not while a recording begins.
//!
//! What both lock is the program's own file: it is there for all of them, and nothing is left behind.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

/// How long it is waited for before one goes on without.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// A recording begins as long as this lives.
#[derive(Debug)]
pub(crate) struct Turn {
    _file: File,
}

impl Turn {
    /// Waits for the turn; `None` where it does not come, which only makes the beginning slower, or if the recording
    /// is given up meanwhile.
    pub(crate) fn take(is_given_up: impl Fn() -> bool) -> Option<Self> {
        let tries = PATIENCE.as_millis() / PAUSE.as_millis();
        for _ in 0..tries {
            if is_given_up() {
                return None;
            }
            match Self::try_take() {
                Ok(turn) => return Some(turn),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
                Err(_) => return None,
            }
        }
        None
    }

    fn try_take() -> io::Result<Self> {
        let file = File::open(OWN_FILE)?;
        flock(file.as_fd(), FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { _file: file })
    }
}

/// The program's own file.
const OWN_FILE: &str = "/proc/self/exe";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_the_turn_and_the_next_gets_it_when_it_is_dropped() {
        let turn = Turn::take(|| false).expect("nobody else has it");
        let error = Turn::try_take().expect_err("somebody has it");
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert!(Turn::take(|| true).is_none());
        drop(turn);
        Turn::try_take().expect("it is free");
    }
}
