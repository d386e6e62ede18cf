//! Decompression of compressed records: a single zstd stream runs through all of them.
//!
//! A compressed record may expand to thousands of times its size, so it is inflated in pieces; each
//! piece can be delivered before the next one is inflated.

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// Bytes inflated at a time.
const PIECE_BYTES: usize = 1 << 20;

/// Maximum inflated size of one compressed record. Recorders write at most 64 KiB of compressed
/// data into one; in real traces that expands to a megabyte.
const MOST_BYTES: usize = 64 << 20;

/// The stream's state.
#[derive(Default)]
pub(crate) struct Inflater {
    decoder: Option<Decoder<'static>>,
    input: Vec<u8>,
    at: usize,
    made: usize,
    busy: bool,
}

impl Inflater {
    /// Takes the next compressed piece of the stream.
    pub(crate) fn start(&mut self, payload: &[u8]) {
        self.input.clear();
        self.input.extend_from_slice(payload);
        self.at = 0;
        self.made = 0;
        self.busy = true;
    }

    /// Returns whether there is more to inflate from the piece taken last.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Appends the next piece to `bytes`; on failure, returns the reason and resets the stream.
    pub(crate) fn step(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        let result = self.run(bytes);
        if result.is_err() {
            self.decoder = None;
            self.busy = false;
        }
        result
    }

    fn run(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        let decoder = match &mut self.decoder {
            Some(decoder) => decoder,
            none => none.insert(Decoder::new().map_err(|error| error.to_string())?),
        };
        let start = bytes.len();
        let end = start + PIECE_BYTES;
        bytes.reserve_exact(PIECE_BYTES);
        while self.busy && bytes.len() < end {
            let input = self.input.get(self.at..).unwrap_or_default();
            let mut input = InBuffer::around(input);
            let before = bytes.len();
            let mut output = OutBuffer::around_pos(bytes, before);
            let result = decoder.run(&mut input, &mut output);
            let full = output.pos() == output.capacity();
            let read = input.pos();
            let made = bytes.len() - before;
            result.map_err(|error| error.to_string())?;
            self.at += read;
            self.made += made;
            if self.made > MOST_BYTES {
                return Err(format!("more than {MOST_BYTES} bytes in one record"));
            }
            if self.at == self.input.len() && !full {
                self.busy = false;
            } else if read == 0 && made == 0 {
                return Err("no progress".to_owned());
            }
        }
        Ok(())
    }
}
