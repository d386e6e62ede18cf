//! The clock of all times in a recording.

use rustix::time::{ClockId, clock_gettime};

/// Returns the time now in nanoseconds, on the clock that a recording's events are set to use (`CLOCK_MONOTONIC`).
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or(0)
}
