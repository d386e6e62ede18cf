//! Clocks: raw time stamps to nanoseconds since the trace's start, and to UTC.

/// 100 ns intervals between 1601-01-01, the epoch of Windows, and 1970-01-01.
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;

/// A point in time: 100 ns intervals since 1601-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileTime(pub i64);

impl FileTime {
    /// Returns nanoseconds since 1970-01-01 UTC; saturates beyond the years 1677 to 2262.
    pub fn unix_ns(self) -> i64 {
        self.0.saturating_sub(UNIX_EPOCH).saturating_mul(100)
    }
}

/// Which clock stamped the events (`ReservedFlags` of the session header).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockKind {
    /// The performance counter, the usual one; its frequency is in the session header. Frequencies
    /// seen range from 1.8 MHz (Windows 7, time stamp counter / 1024) to 10 MHz (Windows 10 and
    /// newer).
    PerformanceCounter,
    /// System time in 100 ns intervals since 1601.
    SystemTime,
    /// Cycles of the processor, at the speed that the session header states.
    ProcessorCycles,
    /// A kind this reader does not know, treated as a performance counter.
    Unknown(u32),
}

impl ClockKind {
    pub(crate) fn new(code: u32) -> Self {
        match code {
            1 => Self::PerformanceCounter,
            2 => Self::SystemTime,
            3 => Self::ProcessorCycles,
            other => Self::Unknown(other),
        }
    }
}

/// Converts the time stamps of one trace.
///
/// Zero is the time stamp of the trace's first event, the session header; earlier events have
/// negative times. The boot time in the header cannot serve as a base: it is the system time at
/// boot, which does not follow later corrections of the clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    start: i64,
    start_time: FileTime,
    /// Ticks per second, 1 to 2⁶³−1.
    frequency: i64,
}

const NS: i64 = 1_000_000_000;

impl Clock {
    /// Returns a clock with this many ticks per second that read `start` at `start_time`, and
    /// whether the frequency can be right.
    pub(crate) fn new(frequency: i64, start: i64, start_time: FileTime) -> (Self, bool) {
        let good = frequency > 0;
        let clock = Self {
            start,
            start_time,
            frequency: if good { frequency } else { 10_000_000 },
        };
        (clock, good)
    }

    /// Returns the ticks per second.
    pub fn frequency(&self) -> i64 {
        self.frequency
    }

    /// Returns the raw time stamp that is zero.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// Returns nanoseconds since the trace's start; saturates after 292 years.
    #[inline]
    pub fn ns(&self, raw_time: i64) -> i64 {
        self.duration_ns(raw_time.saturating_sub(self.start))
    }

    /// Returns a number of ticks in nanoseconds, rounded down.
    #[inline]
    pub fn duration_ns(&self, ticks: i64) -> i64 {
        if self.frequency == 10_000_000 {
            return ticks.saturating_mul(100);
        }
        if self.frequency > NS {
            let ns = i128::from(ticks) * i128::from(NS) / i128::from(self.frequency);
            return i64::try_from(ns).unwrap_or(if ticks < 0 { i64::MIN } else { i64::MAX });
        }
        // The rest is less than 10⁹, and its product less than 10¹⁸.
        let (seconds, rest) = (
            ticks.div_euclid(self.frequency),
            ticks.rem_euclid(self.frequency),
        );
        seconds
            .saturating_mul(NS)
            .saturating_add(rest * NS / self.frequency)
    }

    /// Returns nanoseconds since 1970-01-01 UTC, by the wall clock at the trace's start.
    pub fn unix_ns(&self, raw_time: i64) -> i64 {
        let start = self.start_time.unix_ns();
        start.saturating_add(self.ns(raw_time))
    }
}
