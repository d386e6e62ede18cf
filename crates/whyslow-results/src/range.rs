//! Ranges of numbers: `10-20ms`, `10ms..`, `..1s`, `10 20`, `>=5` is `5..`.
//!
//! Both ends belong to the range. A unit on the upper end holds for the lower one too if that has
//! none; without any unit the column's own holds: milliseconds for durations, seconds for points
//! in time, bytes for sizes. A single number means *at least*, except for ids, which it names.
//!
//! Numbers are decimal with a dot, whatever the locale; they are kept as millionths of the
//! column's base unit in 128 bits, so nothing is rounded.

use crate::decimal::{SCALE, decimal};
use crate::error::TextError;
use crate::result::{Kind, Value};

/// A closed range; an open end is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    min: Option<i128>,
    max: Option<i128>,
}

impl Range {
    /// Returns the range in `text`, in a column of `kind`.
    ///
    /// # Errors
    /// When the text is not a range, or its lower end lies above the upper one.
    pub fn parse(text: &str, kind: Kind) -> Result<Self, TextError> {
        let bad = |why: String| TextError::BadRange {
            text: text.to_owned(),
            why,
        };
        let (low, high) = ends(text.trim());
        let high_unit = high.map_or("", |high| split_unit(high).1);
        let min = match low {
            Some(low) => Some(number(low, high_unit, kind).map_err(bad)?),
            None => None,
        };
        let max = match high {
            Some(high) => Some(number(high, "", kind).map_err(bad)?),
            None if !text.contains("..") && matches!(kind, Kind::Id | Kind::ExitCode) => min,
            None => None,
        };
        match (min, max) {
            (None, None) => Err(bad("it has no number".to_owned())),
            (Some(min), Some(max)) if min > max => {
                Err(bad("its lower end lies above the upper one".to_owned()))
            }
            _ => Ok(Self { min, max }),
        }
    }

    /// Returns whether `value` lies in the range; null and text never do.
    pub fn contains(&self, value: &Value) -> bool {
        let value = match value {
            Value::Int(value) | Value::Quantity(_, value) => i128::from(*value) * SCALE,
            #[expect(
                clippy::cast_possible_truncation,
                reason = "`as` saturates, which is right"
            )]
            Value::Float(value) => (value * 1e6).round() as i128,
            Value::Null | Value::Text(_) | Value::Json(_) => return false,
        };
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }
}

/// Returns the number in `text` as a cell of a column of `kind` has it; without a unit it has the column's.
///
/// # Errors
/// When the text is not a number.
#[expect(
    clippy::cast_precision_loss,
    reason = "cells with decimals are no more exact"
)]
pub fn amount(text: &str, kind: Kind) -> Result<Value, TextError> {
    let text = text.trim();
    let bad = |why: String| TextError::BadRange {
        text: text.to_owned(),
        why,
    };
    let scaled = number(text, "", kind).map_err(bad)?;
    if matches!(kind, Kind::Percent | Kind::Ratio) {
        return Ok(Value::Float(scaled as f64 / SCALE as f64));
    }
    let whole = i64::try_from(scaled / SCALE).ok();
    let whole = whole.filter(|_| scaled % SCALE == 0);
    let why = "it is too large, or not whole";
    whole.map(Value::Int).ok_or_else(|| bad(why.to_owned()))
}

/// Returns the texts of the two ends.
fn ends(text: &str) -> (Option<&str>, Option<&str>) {
    if let Some((low, high)) = text.split_once("..") {
        return (non_empty(low), non_empty(high));
    }
    if let Some(low) = text.strip_prefix(">=") {
        return (non_empty(low), None);
    }
    if let Some(high) = text.strip_prefix("<=") {
        return (None, non_empty(high));
    }
    let dash = text.char_indices().skip(1).find(|&(_, c)| c == '-');
    if let Some((at, _)) = dash {
        let (low, high) = text.split_at(at);
        return (non_empty(low), high.strip_prefix('-').and_then(non_empty));
    }
    match text.split_once(char::is_whitespace) {
        // "10 ms" is one number, "10 20" and "10ms 20ms" are two.
        Some((low, high)) if high.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
            (non_empty(low), non_empty(high))
        }
        _ => (non_empty(text), None),
    }
}

fn non_empty(text: &str) -> Option<&str> {
    let text = text.trim();
    (!text.is_empty()).then_some(text)
}

/// Splits `text` into its number and its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '+');
    let end = text.find(|c| !digit(c)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim())
}

/// Returns the number in `text` in millionths of the base unit.
fn number(text: &str, other_unit: &str, kind: Kind) -> Result<i128, String> {
    if let Some(code) = exit_code(text).filter(|_| kind == Kind::ExitCode) {
        return Ok(i128::from(code) * SCALE);
    }
    let (digits, unit) = split_unit(text);
    let unit = if unit.is_empty() { other_unit } else { unit };
    let factor = unit_factor(unit, kind)?;
    let scaled = decimal(digits).ok_or_else(|| format!("{digits:?} is not a number"))?;
    scaled
        .checked_mul(factor)
        .ok_or_else(|| "the number is too large".to_owned())
}

/// Returns the exit code that a hexadecimal number is, which is kept with a sign.
fn exit_code(text: &str) -> Option<i32> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"))?;
    Some(u32::from_str_radix(digits, 16).ok()?.cast_signed())
}

/// Returns how many base units (ns, bytes, one) `unit` is in a column of `kind`.
fn unit_factor(unit: &str, kind: Kind) -> Result<i128, String> {
    let times = &[
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("sec", 1_000_000_000),
        ("second", 1_000_000_000),
        ("seconds", 1_000_000_000),
        ("min", 60_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ][..];
    let sizes = &[
        ("b", 1),
        ("byte", 1),
        ("bytes", 1),
        ("k", 1_000),
        ("m", 1_000_000),
        ("g", 1_000_000_000),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("tb", 1_000_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
    ][..];
    let counts = &[
        ("k", 1_000),
        ("m", 1_000_000),
        ("g", 1_000_000_000),
        ("%", 1),
    ][..];
    let (units, default) = match kind {
        Kind::Duration => (times, 1_000_000),
        Kind::Time | Kind::WallTime => (times, 1_000_000_000),
        Kind::Bytes => (sizes, 1),
        Kind::Count
        | Kind::Percent
        | Kind::Ratio
        | Kind::Id
        | Kind::ExitCode
        | Kind::Address
        | Kind::Text => (counts, 1),
    };
    if unit.is_empty() {
        return Ok(default);
    }
    if !unit.starts_with(|letter: char| letter.is_alphabetic() || letter == '%') {
        return Err(format!("{unit:?} is no part of a number"));
    }
    let lower = unit.to_lowercase();
    let found = units.iter().find(|(name, _)| *name == lower);
    found.map(|&(_, factor)| factor).ok_or_else(|| {
        let known: Vec<_> = units.iter().map(|(name, _)| *name).collect();
        format!("unknown unit {unit:?}, use one of {}", known.join(" "))
    })
}

#[cfg(test)]
mod tests;
