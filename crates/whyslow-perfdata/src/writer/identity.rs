//! The fields of every record in our recordings: who, when, where, and which event.

/// `TID | TIME | CPU | IDENTIFIER` of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleIdentity {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Nanoseconds of the recording's clock; 0: it held before the recording started (perf
    /// processes records with time 0 at once, whatever their place in the file).
    pub time_ns: u64,
    /// The CPU.
    pub cpu: u32,
    /// An id of the event the record belongs to.
    pub id: u64,
}
