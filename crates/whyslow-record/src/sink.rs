//! Writes the file in a thread of its own, so that a slow disk does not stop the draining of rings.
//!
//! Machines that are worth recording often have slow disks: a write can take seconds while a
//! journal commits. Chunks wait in a queue of bounded size; only when it is full does the drain
//! wait, too, and the kernel counts what the rings then lose.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use whyslow_perfdata::writer::FileWriter;

/// Chunks that may wait; one has at most about [`CHUNK_BYTES`].
const MAX_CHUNKS: usize = 256;
/// Bytes collected before they are handed over.
pub(crate) const CHUNK_BYTES: usize = 1 << 20;

/// The file's writer, running in its own thread.
#[derive(Debug)]
pub(crate) struct Sink {
    chunks: SyncSender<Vec<u8>>,
    /// Chunks that were written, to be filled again: fresh memory costs a page fault per 4 KB.
    used: Receiver<Vec<u8>>,
    writer: JoinHandle<io::Result<FileWriter<File>>>,
}

impl Sink {
    /// Starts the thread.
    pub(crate) fn start(writer: FileWriter<File>) -> io::Result<Self> {
        let (chunks, queue) = sync_channel(MAX_CHUNKS);
        let (give_back, used) = channel();
        let writer = std::thread::Builder::new()
            .name("whyslow-write".to_owned())
            .spawn(move || write_all(writer, &queue, &give_back))?;
        Ok(Self {
            chunks,
            used,
            writer,
        })
    }

    /// Returns an empty buffer to collect records in.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        let mut buffer = self.used.try_recv().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Hands over whole records. Fails if the writer has stopped: [`finish`](Self::finish) says why.
    pub(crate) fn send(&self, records: Vec<u8>) -> io::Result<()> {
        self.chunks
            .send(records)
            .map_err(|_gone| io::Error::from(io::ErrorKind::BrokenPipe))
    }

    /// Waits until everything is written and gives the writer back, or why it failed.
    pub(crate) fn finish(self) -> io::Result<FileWriter<File>> {
        drop(self.chunks);
        self.writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}

fn write_all(
    mut writer: FileWriter<File>,
    queue: &Receiver<Vec<u8>>,
    give_back: &Sender<Vec<u8>>,
) -> io::Result<FileWriter<File>> {
    while let Ok(chunk) = queue.recv() {
        writer.write_through(&chunk)?;
        // Nothing receives it once the drain has ended.
        let _ = give_back.send(chunk);
    }
    Ok(writer)
}
