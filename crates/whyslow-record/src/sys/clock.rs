//! Clocks.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The clock of all times in a recording (`CLOCK_MONOTONIC`), which events are set to use.
pub(crate) const RECORDING_CLOCK: i32 = ClockId::Monotonic as i32;

/// Seconds since 1970.
pub(crate) fn unix_s() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}

/// How often two clocks are read to get readings that belong together.
const READINGS: usize = 5;

/// How long the machine has been suspended since it was started.
pub(crate) fn suspended() -> Duration {
    let since_start = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    // The clocks cannot be read at once. The program may be interrupted in between: the closest readings count.
    let readings = (0..READINGS).map(|_| {
        let before = since_start(ClockId::Monotonic);
        let all = since_start(ClockId::Boottime);
        let apart = since_start(ClockId::Monotonic).saturating_sub(before);
        (apart, all.saturating_sub(before))
    });
    readings.min().map_or(Duration::ZERO, |(_, time)| time)
}
