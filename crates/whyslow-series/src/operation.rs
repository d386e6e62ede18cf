//! One operation as it was measured, and why a series of them ended.

use crate::limit::Limit;

/// One operation that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// When it started, on the system's monotonic clock.
    pub start_ns: u64,
    /// How long it took.
    pub duration_ns: u64,
    /// 0, or the system's error number.
    pub result: i32,
    /// Its count, where the case has one.
    pub count: u32,
}

/// Why a series ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything asked for was done.
    Done,
    /// The time budget was used up.
    Budget,
    /// The user stopped it.
    Interrupted,
    /// An operation failed with this error number of the system.
    Failed(i32),
    /// Something that an operation needs is exhausted.
    Full(Limit),
    /// A command ended with this exit code, or by the signal of this number below zero.
    Exited(i32),
}
