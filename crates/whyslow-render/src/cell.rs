//! One value as text for a person, by the kind of its column.

use whyslow_results::wall_clock;
use whyslow_results::{Clock, Kind, ResultTable, TimeFormat, Value};

use crate::escape::escape;
use crate::exit_code;
use crate::number::{self, Unit};

/// What is shown for an unknown value; zero is `0`.
pub const UNKNOWN: &str = "-";

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeStyle {
    /// Against which zero point and zone.
    pub format: TimeFormat,
    /// Decimals of a second.
    pub digits: usize,
}

impl Default for TimeStyle {
    fn default() -> Self {
        Self {
            format: TimeFormat::Trace,
            digits: 3,
        }
    }
}

/// How the values of one column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellStyle {
    kind: Kind,
    unit: Option<Unit>,
    time: TimeStyle,
}

impl CellStyle {
    /// Returns the styles of a table's columns: one unit for all durations, one per column of sizes.
    pub fn of(table: &ResultTable, time: TimeStyle) -> Vec<Self> {
        let rows = || table.rows.iter().chain(&table.totals);
        let largest = |wanted: &dyn Fn(usize, Kind) -> bool| {
            let cells = rows().flat_map(|row| row.iter().zip(&table.columns).enumerate());
            let cells = cells.filter(|(at, (_, column))| wanted(*at, column.kind));
            let values = cells.filter_map(|(_, (value, _))| match value {
                Value::Int(value) => Some(value.unsigned_abs()),
                _ => None,
            });
            values.max().unwrap_or(0)
        };
        let durations = number::duration_unit(largest(&|_, kind| kind == Kind::Duration));
        let style = |(at, kind): (usize, Kind)| {
            let unit = match kind {
                Kind::Duration => Some(durations),
                Kind::Bytes => Some(number::byte_unit(largest(&|other, _| other == at))),
                _ => None,
            };
            Self { kind, unit, time }
        };
        let kinds = table.columns.iter().map(|column| column.kind);
        kinds.enumerate().map(style).collect()
    }

    /// Returns the unit as it is written in the heading; empty where the values need none.
    pub fn label(&self) -> &'static str {
        match self.kind {
            Kind::Percent => "%",
            Kind::Time if self.time.format == TimeFormat::Trace => "s",
            _ => self.unit.map_or("", |unit| unit.label),
        }
    }

    /// Returns whether values are aligned to the right.
    pub fn at_right(&self) -> bool {
        self.kind != Kind::Text
    }

    /// Returns `value` of a row whose file has `clock` as text.
    pub fn text(&self, value: &Value, clock: &Clock) -> String {
        match value {
            Value::Null => UNKNOWN.to_owned(),
            Value::Text(text) | Value::Json(text) => escape(text).into_owned(),
            Value::Float(value) => self.float(*value),
            Value::Int(value) => match self.unit {
                Some(unit) => number::in_unit(*value, unit),
                None => lone(self.kind, *value, self.time, clock, false),
            },
            Value::Quantity(kind, value) => lone(*kind, *value, self.time, clock, true),
        }
    }

    fn float(&self, value: f64) -> String {
        if value == 0.0 {
            return "0".to_owned();
        }
        match self.kind {
            Kind::Percent => format!("{value:.1}"),
            // Three digits that matter.
            _ if (99.95..1e15).contains(&value) => whole(value),
            _ if (9.995..99.95).contains(&value) => format!("{value:.1}"),
            _ => format!("{value:.2}"),
        }
    }
}

/// Returns a number whose decimals say nothing.
fn whole(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the caller looked")]
    let whole = value.round() as i64;
    number::grouped(whole)
}

/// Returns `value` of `kind` with its unit; a time is in seconds since the trace's start.
pub fn quantity(kind: Kind, value: i64) -> String {
    lone(kind, value, TimeStyle::default(), &Clock::default(), true)
}

/// Returns `value` of `kind` with its unit, with no more than three digits that matter.
pub(crate) fn brief(kind: Kind, value: i64) -> String {
    match kind {
        Kind::Duration => number::brief_duration(value),
        Kind::Count => number::brief_count(value),
        other => quantity(other, value),
    }
}

/// Returns `value` of `kind` by itself; `with_unit` where no heading names the unit.
fn lone(kind: Kind, value: i64, time: TimeStyle, clock: &Clock, with_unit: bool) -> String {
    match kind {
        Kind::Text | Kind::Id => value.to_string(),
        Kind::ExitCode => exit_code::text(value),
        Kind::Count | Kind::Ratio => number::grouped(value),
        Kind::Percent if with_unit => format!("{value} %"),
        Kind::Percent => value.to_string(),
        Kind::Duration => number::duration(value),
        Kind::Bytes => number::bytes(value),
        Kind::Address => format!("0x{value:x}"),
        Kind::Time => point(value, time, clock, with_unit),
        Kind::WallTime => wall(value, time, clock),
    }
}

fn point(time_ns: i64, time: TimeStyle, clock: &Clock, with_unit: bool) -> String {
    let written = time.format.format(time_ns, clock, time.digits);
    let unit = if with_unit || written.is_none() {
        " s"
    } else {
        ""
    };
    match written {
        Some(text) if time.format != TimeFormat::Trace => text,
        Some(text) => text + unit,
        // The trace does not know its wall clock or zone: its own seconds, and they say so.
        None => {
            let own = TimeFormat::Trace.format(time_ns, clock, time.digits);
            own.map_or_else(|| UNKNOWN.to_owned(), |text| text + unit)
        }
    }
}

fn wall(unix_ns: i64, time: TimeStyle, clock: &Clock) -> String {
    let offset_s = match time.format {
        TimeFormat::Here(offset_s) | TimeFormat::HereTime(offset_s) => Some(offset_s),
        TimeFormat::Utc | TimeFormat::UtcTime => None,
        TimeFormat::Trace | TimeFormat::Local | TimeFormat::LocalTime => clock.utc_offset_s,
    };
    let text = wall_clock(unix_ns, offset_s.unwrap_or(0), true, time.digits);
    let zone = if offset_s.is_none() { "Z" } else { "" };
    text.map_or_else(|| UNKNOWN.to_owned(), |text| text + zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(kind: Kind) -> CellStyle {
        CellStyle {
            kind,
            unit: None,
            time: TimeStyle::default(),
        }
    }

    #[test]
    fn unknown_and_zero_are_told_apart() {
        let clock = Clock::default();
        assert_eq!(style(Kind::Count).text(&Value::Null, &clock), "-");
        assert_eq!(style(Kind::Count).text(&Value::Int(0), &clock), "0");
    }

    #[test]
    fn a_quantity_brings_its_unit_into_a_column_of_text() {
        let text =
            |kind, value| style(Kind::Text).text(&Value::Quantity(kind, value), &Clock::default());
        assert_eq!(text(Kind::Duration, 1_500_000_000), "1.500 s");
        assert_eq!(text(Kind::Bytes, 94_137_687), "94.1 MB");
        assert_eq!(text(Kind::Count, 12_345), "12,345");
        assert_eq!(text(Kind::Id, 12_345), "12345");
        assert_eq!(text(Kind::Time, 1_500_000_000), "1.500 s");
    }

    #[test]
    fn a_trace_without_a_zone_gives_its_own_seconds() {
        let mut local = style(Kind::Time);
        local.time.format = TimeFormat::Local;
        let clock = Clock::default();
        assert_eq!(local.text(&Value::Int(2_000_000_000), &clock), "2.000 s");
        let known = Clock {
            start_unix_ns: Some(0),
            utc_offset_s: Some(3600),
            duration_ns: 0,
            zero_ns: 0,
        };
        assert_eq!(
            local.text(&Value::Int(2_000_000_000), &known),
            "1970-01-01 01:00:02.000"
        );
    }
}
