//! Clocks.

use rustix::time::{ClockId, clock_gettime};

/// The clock of all times in a recording (`CLOCK_MONOTONIC`), which events are set to use.
pub(crate) const RECORDING_CLOCK: i32 = ClockId::Monotonic as i32;

/// Seconds since 1970.
pub(crate) fn unix_s() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}
