//! Determines up to which time all records are in the rings.
//!
//! A record carries the time at which its event, or the program that reports it, began; it can be read
//! once it is complete. In between, the program runs, interrupts come (their records wait for this one),
//! and the host of a virtual CPU may run something else: no fixed delay is enough. But all of this happens
//! where the kernel does not switch to another thread, or in a
//! section that it keeps account of (RCU). `membarrier` returns when all that had begun has ended:
//!
//! ```text
//! now: t ──membarrier──► settled up to t ──► look at the rings: no record of up to t is missing
//! ```
//!
//! That takes some milliseconds, too long for the thread that empties the rings. So a separate thread
//! waits.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, sleep};
use std::time::Duration;

use rustix::thread::{MembarrierCommand, membarrier};

use crate::sys::process::set_niceness;
use crate::sys::signals::EventFlag;
use whyslow_bpf::now_ns;

/// Used where the kernel cannot tell (CPUs without a tick): a program rarely takes longer.
const MOST_OFTEN: Duration = Duration::from_millis(5);

/// The thread that waits; dropping this ends it.
#[derive(Debug)]
pub(crate) struct Settling {
    asked: SyncSender<()>,
    settled: Arc<Settled>,
}

#[derive(Debug)]
struct Settled {
    ns: AtomicU64,
    changed: EventFlag,
}

impl Settling {
    /// Starts the thread; nothing is settled yet.
    pub(crate) fn start() -> io::Result<Self> {
        let settled = Arc::new(Settled {
            ns: AtomicU64::new(0),
            changed: EventFlag::new()?,
        });
        let (asked, questions) = sync_channel(1);
        let told = Arc::clone(&settled);
        let thread = Builder::new().name("whyslow-settle".to_owned());
        thread.spawn(move || {
            let _ = set_niceness(-20);
            while questions.recv().is_ok() {
                let ns = now_ns();
                wait_for_programs();
                told.ns.store(ns, Ordering::Release);
                told.changed.raise();
            }
        })?;
        Ok(Self { asked, settled })
    }

    /// Requests that the time be advanced to now or later, within some milliseconds.
    pub(crate) fn ask(&self) {
        // A pending request that has not begun is enough.
        let _ = self.asked.try_send(());
    }

    /// All records of up to this time are in the rings.
    pub(crate) fn ns(&self) -> u64 {
        self.settled.changed.lower();
        self.settled.ns.load(Ordering::Acquire)
    }
}

/// Readable when the time has changed since it was last read.
impl AsFd for Settling {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.settled.changed.as_fd()
    }
}

/// Waits until the records of all programs and events that have begun are in the rings.
pub(crate) fn wait_for_programs() {
    if membarrier(MembarrierCommand::Global).is_err() {
        sleep(MOST_OFTEN);
    }
}
