//! The clock of all measurements: `CLOCK_MONOTONIC`, the same in every process of the machine.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Returns the time in nanoseconds since some fixed moment before the start of the machine's work.
pub fn now_ns() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Monotonic);
    let whole = u64::try_from(tv_sec).unwrap_or(0);
    whole * 1_000_000_000 + u64::try_from(tv_nsec).unwrap_or(0)
}
