//! Damage that is counted and does not stop the reading.

use std::fmt;

/// A kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file ends in the middle of a buffer.
    Truncated,
    /// The session was not stopped, or its file not finished: the header has no end time.
    NotClosed,
    /// Zeros in place of a buffer: space that was reserved and never written, or wiped.
    Unused,
    /// Bytes that are not a buffer, skipped up to the next one.
    BadBuffer,
    /// Bytes in a buffer that are not an event, skipped up to the next one.
    BadEvent,
    /// A compressed buffer that cannot be decompressed from here on; the rest of it is lost.
    BadCompression,
    /// Extended data items that do not fit into their event; the rest of it counts as its payload.
    BadExtended,
    /// An event that came after later ones had been delivered.
    Late,
    /// An event far in the future of the one after it; it was given the time of the one before it.
    BadTime,
    /// A session header without a usable clock; times assume one of 10 MHz.
    BadClock,
    /// A buffer that says that events before it were lost.
    LossFlagged,
    /// More buffers than the limits allow, or more of them open at once.
    Limit,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the file is not whole",
            Self::NotClosed => "the session was not closed",
            Self::Unused => "zeros in place of a buffer",
            Self::BadBuffer => "bytes that are no buffer",
            Self::BadEvent => "bytes that are no event",
            Self::BadCompression => "data that cannot be decompressed",
            Self::BadExtended => "extended data beyond its event",
            Self::Late => "event later than its time allows",
            Self::BadTime => "time stamp that cannot be right",
            Self::BadClock => "unusable clock",
            Self::LossFlagged => "buffer after a loss",
            Self::Limit => "more than the reader's limits allow",
        })
    }
}

/// One kind of damage and how often it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// How often.
    pub count: u64,
    /// Bytes that were not read because of it; 0 if it cost none. In a compressed buffer these are
    /// bytes of the decompressed data.
    pub lost_bytes: u64,
    /// File offset of the first.
    pub first_offset: u64,
    /// Details of the first.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            count,
            first_offset,
            detail,
            ..
        } = self;
        write!(
            f,
            "{kind}: {count} times, first at {first_offset:#x}: {detail}"
        )
    }
}

/// The damage met so far, by kind.
#[derive(Debug, Clone, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Counts one that cost no bytes; `detail` is only called for the first of its kind.
    #[cold]
    pub(crate) fn add(&mut self, kind: FaultKind, offset: u64, detail: impl FnOnce() -> String) {
        self.lose(kind, offset, 0, detail);
    }

    /// Counts one that cost bytes.
    #[cold]
    pub(crate) fn lose(
        &mut self,
        kind: FaultKind,
        offset: u64,
        lost_bytes: u64,
        detail: impl FnOnce() -> String,
    ) {
        if let Some(fault) = self.0.iter_mut().find(|fault| fault.kind == kind) {
            fault.count += 1;
            fault.lost_bytes = fault.lost_bytes.saturating_add(lost_bytes);
            return;
        }
        self.0.push(Fault {
            kind,
            count: 1,
            lost_bytes,
            first_offset: offset,
            detail: detail(),
        });
    }

    /// Returns every kind that was met, in the order they were first met.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }

    /// Returns the entry of `kind`, or `None` if there is none.
    pub fn get(&self, kind: FaultKind) -> Option<&Fault> {
        self.0.iter().find(|fault| fault.kind == kind)
    }

    /// Returns whether nothing was damaged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
