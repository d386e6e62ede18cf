//! Decompression ahead of the reader, in a separate thread.
//!
//! The order in which buffers are opened is known from the start, so the next few can be
//! decompressed before their turn. The result is the same as without: a buffer that is damaged or
//! cannot be read is left to the reader, which meets and counts the damage in its turn.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use crate::index::Slot;
use crate::run::Unpacker;
use crate::source::Source;

/// Maximum number of buffers that are ready.
const MOST_READY: usize = 4;

/// The reader's end.
#[derive(Debug)]
pub(crate) struct Ahead {
    ready: Receiver<Option<Vec<u8>>>,
    old: Sender<Vec<u8>>,
}

impl Ahead {
    /// Starts with the first of `slots`; `None` if no thread can be started.
    pub(crate) fn start(source: Box<dyn Source + Send>, slots: Arc<[Slot]>) -> Option<Self> {
        let (give, ready) = sync_channel(MOST_READY);
        let (old, take) = channel();
        let thread = std::thread::Builder::new().name("decompress".to_owned());
        // It ends after its slots, or when nothing receives its output.
        thread
            .spawn(move || work(&*source, &slots, &give, &take))
            .ok()?;
        Some(Self { ready, old })
    }

    /// Returns the events of the next slot; `None` if the reader must read them itself. Must be
    /// called once for every slot.
    pub(crate) fn next(&self) -> Option<Vec<u8>> {
        self.ready.recv().ok().flatten()
    }

    /// Takes back memory for reuse.
    pub(crate) fn give_back(&self, old: Vec<u8>) {
        // If the thread has ended, this frees it.
        drop(self.old.send(old));
    }
}

fn work(
    source: &dyn Source,
    slots: &[Slot],
    give: &SyncSender<Option<Vec<u8>>>,
    take: &Receiver<Vec<u8>>,
) {
    let mut unpacker = Unpacker::default();
    for slot in slots {
        let mut bytes = take.try_recv().unwrap_or_default();
        let is_whole = unpacker.unpack(&source, slot.offset, &mut bytes);
        if give.send(is_whole.then_some(bytes)).is_err() {
            return;
        }
    }
}
