//! Decimal numbers as people write them, as whole millionths.

/// Values are compared in millionths of the base unit.
pub(crate) const SCALE: i128 = 1_000_000;

/// Returns `value` with its thousands in groups, as notes show it.
pub fn grouped(value: u64) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{},{:03}", grouped(value / 1000), value % 1000),
    }
}

/// Returns the decimal number `digits` in millionths; digits beyond are dropped.
pub(crate) fn decimal(digits: &str) -> Option<i128> {
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: i128 = 0;
    let mut any = false;
    for c in whole.chars().filter(|&c| c != '_') {
        value = value.checked_mul(10)?.checked_add(c.to_digit(10)?.into())?;
        any = true;
    }
    let mut unit = SCALE;
    value = value.checked_mul(SCALE)?;
    for c in fraction.chars() {
        unit /= 10;
        value = value.checked_add(unit.checked_mul(c.to_digit(10)?.into())?)?;
        any = true;
    }
    any.then_some(if negative { -value } else { value })
}

/// Returns the nanoseconds of a number with a unit of time; seconds without one.
pub(crate) fn duration(text: &str) -> Option<i64> {
    let end = text.find(|c: char| c.is_alphabetic() || c.is_whitespace());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit_ns: i128 = match unit.trim() {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "" | "s" | "sec" => 1_000_000_000,
        "min" | "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    // `decimal` keeps six decimals; nanoseconds of a second need nine.
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let tail: String = fraction.chars().skip(6).take(3).collect();
    let head: String = fraction.chars().take(6).collect();
    let millionths = decimal(&format!("{whole}.{head}"))?;
    let rest = if tail.is_empty() {
        0
    } else {
        format!("{tail:0<3}").parse::<i128>().ok()?
    };
    let sign = if number.starts_with('-') { -1 } else { 1 };
    let billionths = millionths.checked_mul(1_000)?.checked_add(sign * rest)?;
    i64::try_from(billionths.checked_mul(unit_ns)? / 1_000_000_000).ok()
}
/// Returns seconds since the trace's start with `digits` decimals, cut, not rounded.
pub fn trace_seconds(time_ns: i64, digits: usize) -> String {
    let sign = if time_ns < 0 { "-" } else { "" };
    let (ns, second) = (time_ns.unsigned_abs(), 1_000_000_000_u64);
    let fraction = i64::try_from(ns % second).unwrap_or(0);
    format!("{sign}{}{}", ns / second, decimals(fraction, digits))
}

pub(crate) fn decimals(fraction_ns: i64, digits: usize) -> String {
    let all = format!(".{fraction_ns:09}");
    let keep = if digits == 0 { 0 } else { digits.min(9) + 1 };
    all.get(..keep).unwrap_or_default().to_owned()
}
