//! Points in time: what people write and read, against nanoseconds since the trace's start.
//!
//! A trace is read somewhere else than it was recorded, so a wall-clock time is the *recorded
//! machine's* unless it says otherwise. A time of day without a date is the one nearest to the
//! trace.

use std::str::FromStr;

use whyslow_model::civil::Civil;
use whyslow_model::tables::TraceRow;

use crate::decimal::{decimals, duration, trace_seconds};
use crate::error::TextError;
use crate::marks::Marks;

const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400 * SECOND;

/// What turns a trace's times into wall-clock times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Wall-clock time of the trace's start, nanoseconds since 1970 UTC.
    pub start_unix_ns: Option<i64>,
    /// Offset of the recorded machine's local time from UTC, seconds east.
    pub utc_offset_s: Option<i32>,
    /// Length of the trace.
    pub duration_ns: i64,
    /// From which time on seconds are counted, where a user wants that; 0 is the trace's start.
    pub zero_ns: i64,
}

impl Clock {
    /// Returns the clock of a trace.
    pub fn of(trace: &TraceRow) -> Self {
        Self {
            start_unix_ns: trace.start_unix_ns,
            utc_offset_s: trace.utc_offset_s,
            duration_ns: trace.duration_ns,
            zero_ns: 0,
        }
    }
}

/// How times print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeFormat {
    /// Seconds since the trace's start, or since [`Clock::zero_ns`].
    #[default]
    Trace,
    /// Date and local time of the recorded machine.
    Local,
    /// Local time of the recorded machine, without the date.
    LocalTime,
    /// Date and time UTC.
    Utc,
    /// Time UTC, without the date.
    UtcTime,
    /// Date and time of the reader, whose offset from UTC is given in seconds east.
    Here(i32),
    /// Time of the reader, without the date.
    HereTime(i32),
}

impl TimeFormat {
    /// Returns the format called `word` (`s`, `local`, `local-time`, `utc`, `utc-time`, `here`,
    /// `here-time`); `here_offset_s` is the reader's offset from UTC in seconds east.
    pub fn parse(word: &str, here_offset_s: i32) -> Option<Self> {
        Some(match word {
            "s" | "trace" | "second" | "seconds" => Self::Trace,
            "local" => Self::Local,
            "local-time" => Self::LocalTime,
            "utc" => Self::Utc,
            "utc-time" => Self::UtcTime,
            "here" => Self::Here(here_offset_s),
            "here-time" => Self::HereTime(here_offset_s),
            _ => return None,
        })
    }

    /// Returns `time_ns` of a trace with `clock` as text with `digits` (0 to 9) decimals.
    ///
    /// Returns `None` where the trace does not say what is needed: its wall-clock start, or its
    /// time zone.
    pub fn format(self, time_ns: i64, clock: &Clock, digits: usize) -> Option<String> {
        let offset_s = match self {
            Self::Trace => {
                let since = time_ns.saturating_sub(clock.zero_ns);
                return Some(trace_seconds(since, digits));
            }
            Self::Local | Self::LocalTime => clock.utc_offset_s?,
            Self::Utc | Self::UtcTime => 0,
            Self::Here(offset_s) | Self::HereTime(offset_s) => offset_s,
        };
        let unix_ns = clock.start_unix_ns?.checked_add(time_ns)?;
        let dated = matches!(self, Self::Local | Self::Utc | Self::Here(_));
        let text = wall_clock(unix_ns, offset_s, dated, digits)?;
        let utc = matches!(self, Self::Utc | Self::UtcTime);
        Some(if utc { text + "Z" } else { text })
    }
}

/// How a user wants times to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeChoice {
    /// In this format; the offset of the reader is still to be found.
    Format(TimeFormat),
    /// Seconds since the mark of this name.
    SinceMark(String),
}

impl TimeChoice {
    /// Returns the format.
    #[must_use]
    pub fn format(&self) -> TimeFormat {
        match self {
            Self::Format(format) => *format,
            Self::SinceMark(_) => TimeFormat::Trace,
        }
    }

    /// Returns the name of the mark from which times count.
    #[must_use]
    pub fn mark(&self) -> Option<&str> {
        match self {
            Self::Format(_) => None,
            Self::SinceMark(name) => Some(name),
        }
    }
}

impl FromStr for TimeChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let mark = text.strip_prefix("mark:").map(str::trim);
        if let Some(name) = mark.filter(|name| !name.is_empty()) {
            return Ok(Self::SinceMark(name.to_owned()));
        }
        TimeFormat::parse(text, 0)
            .map(Self::Format)
            .ok_or("use trace, local, local-time, utc, utc-time, here, here-time, or mark:NAME")
    }
}

/// Returns `unix_ns` as date and time in the zone `offset_s` seconds east of UTC.
pub fn wall_clock(unix_ns: i64, offset_s: i32, dated: bool, digits: usize) -> Option<String> {
    let local = unix_ns.checked_add(i64::from(offset_s) * SECOND)?;
    let date = Civil::from_days(local.div_euclid(DAY));
    let of_day = local.rem_euclid(DAY);
    let (hour, minute) = (of_day / (3600 * SECOND), of_day / (60 * SECOND) % 60);
    let seconds = of_day % (60 * SECOND);
    let fraction = decimals(seconds % SECOND, digits);
    let time = format!("{hour:02}:{minute:02}:{:02}{fraction}", seconds / SECOND);
    Some(if dated {
        format!("{:04}-{:02}-{:02} {time}", date.year, date.month, date.day)
    } else {
        time
    })
}

/// A point in time as a user gives it; [`TimePoint::resolve`] finds it in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimePoint {
    /// Nanoseconds since the trace's start.
    Trace(i64),
    /// Nanoseconds after the start of the window (for its end), or before the trace's end.
    Relative(i64),
    /// A wall-clock time.
    Wall {
        /// Days since 1970; `None` means the day nearest to the trace.
        day: Option<i64>,
        /// Nanoseconds since midnight.
        of_day_ns: i64,
        /// Offset from UTC in seconds east; `None` is the recorded machine's.
        offset_s: Option<i32>,
    },
    /// The name of a mark, as [`Marks::find`] reads it.
    Mark {
        /// The name.
        name: String,
        /// Why it is not a time.
        not_time: String,
    },
}

impl TimePoint {
    /// Returns the time in `text`; what is no time is the name of a mark.
    ///
    /// # Errors
    /// When the text is empty.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TextError::BadTime {
                text: text.to_owned(),
                why: "it is empty".to_owned(),
            });
        }
        Ok(Self::time(text).unwrap_or_else(|not_time| Self::Mark {
            name: text.to_owned(),
            not_time,
        }))
    }

    /// Returns the time in `text`, or why it is none.
    fn time(text: &str) -> Result<Self, String> {
        if text.contains(':') {
            return wall(text);
        }
        let (relative, rest) = match text.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let ns = duration(rest).ok_or("it is not a number with a unit of time")?;
        Ok(if relative {
            Self::Relative(ns)
        } else {
            Self::Trace(ns)
        })
    }

    /// Returns the moment of a mark that `name` means, even if that could be a time.
    #[must_use]
    pub fn mark(name: &str) -> Self {
        Self::Mark {
            name: name.to_owned(),
            not_time: "a mark was asked for".to_owned(),
        }
    }

    /// Returns whether the marks of the trace are needed.
    #[must_use]
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::Mark { .. })
    }

    /// Returns the time in nanoseconds since the start of the trace called `trace`.
    ///
    /// A relative time counts from `base_ns`. `marks` are those of the trace; `None`, if it has no marks with names.
    ///
    /// # Errors
    /// When a wall-clock time is asked of a trace that does not know its own, or the trace has no such mark.
    pub fn resolve(
        &self,
        trace: &str,
        clock: &Clock,
        base_ns: i64,
        marks: Option<&Marks>,
    ) -> Result<i64, TextError> {
        let missing = |what| TextError::NoClock {
            trace: trace.to_owned(),
            what,
        };
        match self {
            Self::Trace(ns) => Ok(*ns),
            Self::Relative(ns) => Ok(base_ns.saturating_add(*ns)),
            Self::Mark { name, not_time } => match marks {
                Some(marks) => marks.find(name, trace, not_time),
                None => Err(TextError::BadTime {
                    text: name.clone(),
                    why: not_time.clone(),
                }),
            },
            &Self::Wall {
                day,
                of_day_ns,
                offset_s,
            } => {
                let start = clock.start_unix_ns.ok_or_else(|| missing("time"))?;
                let offset = offset_s.or(clock.utc_offset_s);
                let offset = i64::from(offset.ok_or_else(|| missing("time zone"))?) * SECOND;
                let on = |day: i64| {
                    let local = day.saturating_mul(DAY).saturating_add(of_day_ns);
                    local.saturating_sub(offset).saturating_sub(start)
                };
                let first = start.saturating_add(offset).div_euclid(DAY);
                Ok(day.map_or_else(|| nearest(first, clock.duration_ns, on), on))
            }
        }
    }
}

/// Returns the time on the day, among those around `first`, that lies nearest to the trace.
fn nearest(first: i64, duration_ns: i64, on: impl Fn(i64) -> i64) -> i64 {
    let last = first.saturating_add(duration_ns / DAY + 1);
    let distance = |ns: i64| {
        let outside = if ns < 0 {
            ns.saturating_neg()
        } else {
            ns.saturating_sub(duration_ns)
        };
        outside.max(0)
    };
    let days = (first - 1..=last).map(on);
    days.min_by_key(|&ns| distance(ns)).unwrap_or(0)
}

/// Reads `[date][T ]hh:mm[:ss[.f]][Z|UTC|±hh:mm]`.
fn wall(text: &str) -> Result<TimePoint, String> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) if date.contains('-') => (Some(date), time.trim()),
        _ => (None, text),
    };
    let day = match date {
        Some(date) => Some(
            Civil::parse(date)
                .ok_or("the date is not YYYY-MM-DD")?
                .days(),
        ),
        None => None,
    };
    let (time, offset_s) = zone(time)?;
    let of_day_ns = time_of_day(time).ok_or("the time is not hh:mm:ss")?;
    Ok(TimePoint::Wall {
        day,
        of_day_ns,
        offset_s,
    })
}

fn zone(time: &str) -> Result<(&str, Option<i32>), String> {
    for suffix in ["Z", "z", "UTC", "utc"] {
        if let Some(time) = time.strip_suffix(suffix) {
            return Ok((time.trim_end(), Some(0)));
        }
    }
    let Some(at) = time.find(['+', '-']) else {
        return Ok((time, None));
    };
    let (time, offset) = time.split_at(at);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = offset
        .split_at(1)
        .1
        .split_once(':')
        .unwrap_or((&offset[1..], "0"));
    let number = |text: &str| text.parse::<i32>().ok().filter(|n| (0..60).contains(n));
    match (number(hours), number(minutes)) {
        (Some(h), Some(m)) if h < 24 => Ok((time.trim_end(), Some(sign * (h * 3600 + m * 60)))),
        _ => Err("the offset is not +hh:mm".to_owned()),
    }
}

fn time_of_day(text: &str) -> Option<i64> {
    let mut parts = text.trim().splitn(3, ':');
    let mut next = |below: i64| {
        let part = parts.next()?;
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let value: i64 = digits.then(|| part.parse().ok()).flatten()?;
        (value < below).then_some(value)
    };
    let (hour, minute) = (next(24)?, next(60)?);
    let seconds = parts.next().unwrap_or("0");
    let numeric = seconds.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = numeric.then(|| duration(seconds)).flatten()?;
    let whole = (hour * 3600 + minute * 60) * SECOND;
    (seconds < 61 * SECOND).then_some(whole + seconds)
}

#[cfg(test)]
mod tests;
