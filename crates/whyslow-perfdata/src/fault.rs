//! Damage that is counted and does not stop the reading.

use std::fmt;

/// A kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file ends in the middle of a record, or before the data its header announces, or its
    /// recorder was stopped before it could finish the file.
    Truncated,
    /// Bytes that are not a record: an impossible size or type. They were skipped up to the next
    /// place that looks like records.
    BadRecord,
    /// A record shorter than its fields.
    ShortRecord,
    /// A record of a type this reader does not know; it was delivered as unknown.
    UnknownType,
    /// A sample that names no declared event; it was delivered without its fields.
    UnknownEvent,
    /// Compressed data that cannot be decompressed; what it held is lost.
    BadCompression,
    /// A record that came after later ones had been delivered.
    Late,
    /// The window for sorting was full before a round ended.
    WindowFull,
    /// A feature section that cannot be read.
    BadFeature,
    /// A feature section that the records need and the file lacks.
    MissingFeature,
    /// Auxiliary trace data (Intel PT and the like) that was skipped.
    AuxSkipped,
    /// More attributes, ids, formats or bytes of sections than the limits allow.
    Limit,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the file is not whole",
            Self::BadRecord => "bytes that are no record",
            Self::ShortRecord => "record shorter than its fields",
            Self::UnknownType => "record of an unknown type",
            Self::UnknownEvent => "sample of an undeclared event",
            Self::BadCompression => "data that cannot be decompressed",
            Self::Late => "record later than its time allows",
            Self::WindowFull => "window for sorting full",
            Self::BadFeature => "unreadable feature section",
            Self::MissingFeature => "missing feature section",
            Self::AuxSkipped => "auxiliary trace data passed over",
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
    /// Bytes of the file that were not read because of it; 0 if it cost none.
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
    /// Counts one; `detail` is only called for the first of its kind.
    pub(crate) fn add(&mut self, kind: FaultKind, offset: u64, detail: impl FnOnce() -> String) {
        self.add_lost(kind, offset, 0, detail);
    }

    /// Counts one that cost bytes.
    #[cold]
    pub(crate) fn add_lost(
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

    /// Adds bytes to the last fault of `kind`, for damage that continues.
    pub(crate) fn lose(&mut self, kind: FaultKind, bytes: u64) {
        if let Some(fault) = self.0.iter_mut().find(|fault| fault.kind == kind) {
            fault.lost_bytes = fault.lost_bytes.saturating_add(bytes);
        }
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
