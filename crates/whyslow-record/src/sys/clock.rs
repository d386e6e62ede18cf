//! Clocks.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The clock of all times in a recording (`CLOCK_MONOTONIC`), which events are set to use.
pub(crate) const RECORDING_CLOCK: i32 = ClockId::Monotonic as i32;

/// Seconds since 1970.
pub(crate) fn unix_s() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}

/// How long the machine has been suspended since it was started.
pub(crate) fn suspended() -> Duration {
    let since_start = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    let awake = since_start(ClockId::Monotonic);
    since_start(ClockId::Boottime).saturating_sub(awake)
}
