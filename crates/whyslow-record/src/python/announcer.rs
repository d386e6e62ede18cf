//! Announces new processes that run Python to the eBPF programs, in a thread of its own.
//!
//! This has to happen soon, so that the first functions of a process are seen. So the thread that empties
//! the rings reports the mappings. But the tables of a new file have to be read from a disk, and that
//! thread has no time for it.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::interpreters::{Interpreters, may_be_interpreter};
use crate::mapped::Mapped;
use crate::sys::process::set_niceness;

/// Mappings that wait to be looked at; more are seen when their record is worked on.
const MOST_WAITING: usize = 4096;

/// The thread, and the way to it. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Announcer {
    /// `None` once it ends.
    records: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Announcer {
    /// Starts the thread.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub(crate) fn start(interpreters: Interpreters) -> io::Result<Self> {
        let (records, waiting) = sync_channel(MOST_WAITING);
        let thread = Builder::new().name("whyslow-python".to_owned());
        let thread = thread.spawn(move || announce(&interpreters, &waiting))?;
        Ok(Self {
            records: Some(records),
            thread: Some(thread),
        })
    }

    /// Hands a mapping on if it may be of an interpreter.
    pub(crate) fn look(&self, record: &[u8]) {
        if let Some(mapped) = Mapped::of_record(record)
            && may_be_interpreter(&mapped)
            && let Some(sender) = &self.records
        {
            let _ = sender.try_send(record.to_vec());
        }
    }
}

impl Drop for Announcer {
    fn drop(&mut self) {
        self.records = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn announce(interpreters: &Interpreters, waiting: &Receiver<Vec<u8>>) {
    // If a process is announced late, its first functions are missed; announcing is quick.
    let _ = set_niceness(-10);
    while let Ok(record) = waiting.recv() {
        if let Some(mapped) = Mapped::of_record(&record) {
            interpreters.announce(&mapped);
        }
    }
}
