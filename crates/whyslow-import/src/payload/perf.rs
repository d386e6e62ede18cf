//! The payload of a tracepoint, and the thread it happened in.

use whyslow_perfdata::Endian;
pub(crate) use whyslow_perfdata::payload::{Place, TextPlace, lossy, place, text};

/// The payload of one tracepoint's record, and the thread it happened in.
#[derive(Debug)]
pub(crate) struct Tracepoint<'a> {
    /// The payload.
    pub(crate) raw: &'a [u8],
    /// Its byte order.
    pub(crate) endian: Endian,
    /// The thread in whose context it happened.
    pub(crate) tid: Option<u32>,
}

impl Tracepoint<'_> {
    /// Returns a number, or `None` if the payload is too short.
    pub(crate) fn number(&self, place: Place) -> Option<i64> {
        place.read(self.raw, self.endian)
    }

    /// Returns a text of fixed size, or `None` if the payload is too short.
    pub(crate) fn text(&self, place: TextPlace) -> Option<String> {
        place.read(self.raw)
    }
}
