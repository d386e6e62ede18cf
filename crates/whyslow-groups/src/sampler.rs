//! Reads the figures of groups during the recording.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::hierarchies::{GroupReadings, Hierarchies};

/// How often the figures are read, beside the start and the end.
const EVERY: Duration = Duration::from_secs(1);
/// Most readings that are kept, beside those of the end.
const MOST_READINGS: usize = 1 << 16;

/// Reads the figures of all groups with a limit, about once per second.
#[derive(Debug)]
pub struct GroupSampler {
    /// Dropped to stop it.
    stop: Sender<()>,
    thread: JoinHandle<GroupReadings>,
}

impl GroupSampler {
    /// Reads them now, and again and again.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub fn start(of: Hierarchies) -> io::Result<Self> {
        let (stop, stopped) = channel();
        // The initial figures are read before anything continues.
        let first = of.read();
        let run = move || sample(&of, first, &stopped);
        let thread = Builder::new()
            .name("whyslow-groups".to_owned())
            .spawn(run)?;
        Ok(Self { stop, thread })
    }

    /// Reads them a last time; returns all readings.
    pub fn finish(self) -> GroupReadings {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

fn sample(of: &Hierarchies, first: GroupReadings, stopped: &Receiver<()>) -> GroupReadings {
    let mut all = first;
    loop {
        let is_last = stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout);
        if is_last || all.readings.len() < MOST_READINGS {
            let GroupReadings {
                readings,
                cut_looks,
                left_out,
            } = of.read();
            all.readings.extend(readings);
            all.cut_looks += cut_looks;
            all.left_out += left_out;
        } else {
            all.left_out += 1;
        }
        if is_last {
            return all;
        }
    }
}
