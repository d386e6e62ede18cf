//! Clocks.

use rustix::time::{ClockId, clock_gettime};

/// The clock of all times in a recording (`CLOCK_MONOTONIC`), which events are set to use.
pub(crate) const RECORDING_CLOCK: i32 = ClockId::Monotonic as i32;

/// Now, on the recording's clock.
pub(crate) fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or(0)
}

/// Seconds since 1970.
pub(crate) fn unix_s() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}
