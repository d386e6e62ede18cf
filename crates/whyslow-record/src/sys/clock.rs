//! Clocks.

use rustix::time::{ClockId, clock_gettime};

/// The clock of all times in a recording (`CLOCK_MONOTONIC`), as events are asked to use it.
pub(crate) const RECORDING_CLOCK: i32 = ClockId::Monotonic as i32;

/// Now, on the recording's clock.
pub(crate) fn now_ns() -> u64 {
    u64::try_from(read_ns(ClockId::Monotonic)).unwrap_or(0)
}

/// How far the clock that goes on while the machine is suspended is ahead of the recording's.
pub(crate) fn suspended_ns() -> i64 {
    read_ns(ClockId::Boottime) - read_ns(ClockId::Monotonic)
}

/// Seconds since 1970.
pub(crate) fn unix_s() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}

fn read_ns(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
