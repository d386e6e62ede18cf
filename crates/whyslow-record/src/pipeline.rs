//! The threads of a recording, from the rings to the file.
//!
//! ```text
//! rings ──drain──► batches ──merge──► chunks ──write──► file
//!         copies            sorts, unwinds,    (sink)
//!                           rewrites
//! ```
//!
//! Each passes its output on through a bounded queue, so that neither reading a large program's
//! unwind tables nor a slow disk keeps the rings from being emptied.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use whyslow_perfdata::whyslow_events::GroupReading;
use whyslow_perfdata::writer::FileWriter;

use crate::drain::{Drain, RingSource};
use crate::merge::{self, Intake, Merge, Merged};
use crate::rundown::{self, ThreadReading};
use crate::settling::Settling;
use crate::sink::Sink;
use crate::sys::ring::Ring;
use crate::sys::signals::EventFlag;
use crate::transform::Transform;
use whyslow_bpf::OpenWait;
use whyslow_bpf::system_calls::Told;

/// The running threads.
#[derive(Debug)]
pub(crate) struct Pipeline {
    drain: JoinHandle<io::Result<Vec<Ring>>>,
    merge: JoinHandle<Merged>,
    leash: Leash,
    ended: Arc<EventFlag>,
}

/// Ends the threads when dropped, whatever they still have to do: a recording that is given up must
/// not continue in the background.
#[derive(Debug)]
struct Leash {
    stop: Arc<EventFlag>,
    discard: Arc<AtomicBool>,
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.discard.store(true, Ordering::Relaxed);
        self.stop.raise();
    }
}

/// The rings are being emptied, but their contents are not processed yet.
#[derive(Debug)]
pub(crate) struct Draining {
    drain: JoinHandle<io::Result<Vec<Ring>>>,
    n_rings: usize,
    intake: Intake,
    leash: Leash,
}

impl Draining {
    /// Starts the first thread. Between switching on the events and this call, the rings only fill.
    pub(crate) fn start(source: RingSource) -> io::Result<Self> {
        let stop = Arc::new(EventFlag::new()?);
        let discard = Arc::new(AtomicBool::new(false));
        let leash = Leash {
            stop: Arc::clone(&stop),
            discard: Arc::clone(&discard),
        };
        let (queue, intake) = merge::queue(discard);
        let n_rings = source.rings.len();
        let drain = Drain {
            source,
            queue,
            settling: Settling::start()?,
            stop,
        };
        Ok(Self {
            drain: thread("whyslow-drain", move || drain.run())?,
            n_rings,
            intake,
            leash,
        })
    }

    /// Starts the other threads.
    pub(crate) fn process(
        self,
        transform: Transform,
        writer: FileWriter<File>,
    ) -> io::Result<Pipeline> {
        let ended = Arc::new(EventFlag::new()?);
        let merge = Merge::new(self.n_rings, self.intake, transform, Sink::start(writer)?);
        Ok(Pipeline {
            drain: self.drain,
            merge: flagged_thread("whyslow-merge", &ended, move || merge.run())?,
            leash: self.leash,
            ended,
        })
    }
}

impl Pipeline {
    /// Readable when the threads have ended, which before [`finish`](Self::finish) means that they
    /// failed.
    pub(crate) fn ended(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// Takes what is left in the rings, whose events must be off and settled; then, as of `end_ns`, the waits
    /// that are still open, the system calls that threads still count and the open connections, the states of threads and the
    /// figures of groups. Ends the threads, and returns the rings, which are empty.
    pub(crate) fn finish(
        self,
        states: &[ThreadReading],
        open_waits: &[OpenWait],
        (system_calls, connections): (Vec<Told>, Vec<Vec<u8>>),
        groups: &[GroupReading],
        end_ns: u64,
    ) -> io::Result<(FileWriter<File>, Transform, Vec<Ring>)> {
        self.leash.stop.raise();
        let panicked = |_| io::Error::other("a thread of the recorder panicked");
        let drained = self.drain.join().map_err(panicked)?;
        let Merged {
            mut transform,
            sink,
            failure,
        } = self.merge.join().map_err(panicked)?;
        if let Some(failure) = failure {
            // The first to fail knows best why.
            drained?;
            sink.finish()?;
            return Err(failure);
        }
        transform.release_all_held();
        transform.finish_goroutines(end_ns);
        transform.finish_memory();
        for wait in open_waits {
            transform.open_wait(wait, end_ns);
        }
        for told in system_calls {
            transform.left_system_calls(told, end_ns);
        }
        for connection in &connections {
            transform.open_connection(connection, end_ns);
        }
        rundown::write_states(states, &mut transform);
        rundown::write_groups(groups, &mut transform);
        transform.output().finished_round();
        // If the sink has failed, finishing it says why.
        let _ = sink.send(transform.output().replace(Vec::new()));
        Ok((sink.finish()?, transform, drained?))
    }
}

/// Starts a thread that raises `ended` when it ends, even by a panic.
pub(crate) fn flagged_thread<T: Send + 'static>(
    name: &str,
    ended: &Arc<EventFlag>,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    struct RaiseAtEnd(Arc<EventFlag>);
    impl Drop for RaiseAtEnd {
        fn drop(&mut self) {
            self.0.raise();
        }
    }
    let at_end = RaiseAtEnd(Arc::clone(ended));
    thread(name, move || {
        let _at_end = at_end;
        run()
    })
}

fn thread<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(run)
}
