//! A server for tests that says what it was told to, whatever it is asked.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};

/// What was sent to it.
pub(super) type Heard = Arc<Mutex<Vec<u8>>>;

/// Answers ready to be read, one after the other.
pub(super) struct Script {
    answers: io::Cursor<Vec<u8>>,
    heard: Heard,
}

impl Script {
    pub(super) fn new(answers: Vec<u8>) -> (Self, Heard) {
        let heard = Heard::default();
        let script = Self {
            answers: io::Cursor::new(answers),
            heard: Arc::clone(&heard),
        };
        (script, heard)
    }
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // In small pieces, as a network may.
        let most = buffer.len().min(57);
        self.answers
            .read(buffer.get_mut(..most).unwrap_or_default())
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut heard) = self.heard.lock() {
            heard.extend(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Calls `with` for `bytes` with one place changed, all places in turn, and for every beginning.
pub(super) fn mutated(bytes: &[u8], mut with: impl FnMut(Vec<u8>)) {
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.to_vec();
            if let Some(byte) = changed.get_mut(at) {
                *byte = value;
            }
            with(changed);
        }
        with(bytes.get(..at).unwrap_or_default().to_vec());
    }
}
