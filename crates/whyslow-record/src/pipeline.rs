//! The threads of a recording, from the rings to the file.
//!
//! ```text
//! rings ──drain──► batches ──merge──► chunks ──write──► file
//!         copies            sorts, unwinds,    (sink)
//!                           rewrites
//! ```
//!
//! Each hands on through a queue of bounded size, so that neither a large program whose unwind
//! tables have to be read nor a slow disk keeps the rings from being emptied.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use whyslow_perfdata::writer::FileWriter;

use crate::bpf::OpenWait;
use crate::drain::{Drain, RingSource};
use crate::merge::{self, Merge, Merged};
use crate::rundown::{self, ThreadReading};
use crate::sink::Sink;
use crate::sys::signals::EventFlag;
use crate::transform::Transform;

/// The running threads.
#[derive(Debug)]
pub(crate) struct Pipeline {
    drain: JoinHandle<io::Result<()>>,
    merge: JoinHandle<Merged>,
    stop: Arc<EventFlag>,
    ended: Arc<EventFlag>,
}

impl Pipeline {
    /// Starts the threads.
    pub(crate) fn start(
        source: RingSource,
        transform: Transform,
        writer: FileWriter<File>,
    ) -> io::Result<Self> {
        let (stop, ended) = (Arc::new(EventFlag::new()?), Arc::new(EventFlag::new()?));
        let (queue, intake) = merge::queue();
        let merge = Merge::new(source.rings.len(), intake, transform, Sink::start(writer)?);
        let drain = Drain {
            source,
            queue,
            stop: Arc::clone(&stop),
        };
        let has_ended = Arc::clone(&ended);
        let merge = thread("whyslow-merge", move || {
            let merged = merge.run();
            has_ended.raise();
            merged
        })?;
        let drain = thread("whyslow-drain", move || drain.run())?;
        Ok(Self {
            drain,
            merge,
            stop,
            ended,
        })
    }

    /// Readable when the threads have ended, which before [`finish`](Self::finish) means that they
    /// failed.
    pub(crate) fn ended(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// Takes what is left in the rings, whose events must be off; then, as of `end_ns`, the waits
    /// that are still open, and the states of threads. Ends the threads.
    pub(crate) fn finish(
        self,
        states: &[ThreadReading],
        open_waits: &[OpenWait],
        end_ns: u64,
    ) -> io::Result<(FileWriter<File>, Transform)> {
        self.stop.raise();
        let panicked = |_| io::Error::other("a thread of the recorder panicked");
        let drained = self.drain.join().map_err(panicked)?;
        let Merged {
            mut transform,
            sink,
            failure,
        } = self.merge.join().map_err(panicked)?;
        if let Some(failure) = failure {
            // Whoever failed first knows best why.
            drained?;
            sink.finish()?;
            return Err(failure);
        }
        transform.release_all_held();
        for wait in open_waits {
            transform.open_wait(wait, end_ns);
        }
        rundown::write_states(states, &mut transform);
        transform.output().finished_round();
        // If the sink has failed, finishing it tells why.
        let _ = sink.send(transform.output().replace(Vec::new()));
        Ok((sink.finish()?, transform))
    }
}

fn thread<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(run)
}
