//! Numbers for a person: a fixed number of decimals, thousands in groups of three, and one unit for
//! all durations of a table, so that figures compare at a glance.
//!
//! Exactly zero prints as `0`; a small value that rounds to zero keeps its decimals (`0.0`).

/// A unit and the decimals its values print with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// The unit as it is written in a heading.
    pub label: &'static str,
    /// How many of the raw unit make one.
    pub size: u64,
    /// Decimals.
    pub digits: usize,
}

/// Microseconds, for tables in which everything is shorter than a millisecond.
const MICROSECONDS: Unit = Unit {
    label: "µs",
    size: 1_000,
    digits: 1,
};
/// Milliseconds with all their meaning, for tables below 100 ms.
const FINE_MILLISECONDS: Unit = Unit {
    label: "ms",
    size: 1_000_000,
    digits: 3,
};
/// Milliseconds, the usual unit.
const MILLISECONDS: Unit = Unit {
    label: "ms",
    size: 1_000_000,
    digits: 1,
};
/// Seconds, from 100 s.
const SECONDS: Unit = Unit {
    label: "s",
    size: 1_000_000_000,
    digits: 3,
};

/// Returns the unit for durations, the longest of which is `longest_ns`.
pub fn duration_unit(longest_ns: u64) -> Unit {
    match longest_ns {
        0..1_000_000 => MICROSECONDS,
        1_000_000..100_000_000 => FINE_MILLISECONDS,
        100_000_000..100_000_000_000 => MILLISECONDS,
        _ => SECONDS,
    }
}

/// Returns the unit for sizes, the largest of which is `largest` bytes.
pub fn byte_unit(largest: u64) -> Unit {
    let unit = |label, size| Unit {
        label,
        size,
        digits: 1,
    };
    match largest {
        0..10_000 => Unit {
            label: "bytes",
            size: 1,
            digits: 0,
        },
        10_000..10_000_000 => unit("kB", 1_000),
        10_000_000..10_000_000_000 => unit("MB", 1_000_000),
        _ => unit("GB", 1_000_000_000),
    }
}

/// Returns `value` in `unit`, rounded, as `12,345.6`.
pub fn in_unit(value: i64, unit: Unit) -> String {
    if value == 0 {
        return "0".to_owned();
    }
    let scale = 10_u128.pow(u32::try_from(unit.digits).unwrap_or(0));
    let size = u128::from(unit.size.max(1));
    let scaled = (u128::from(value.unsigned_abs()) * scale + size / 2) / size;
    let mut text = String::new();
    if value < 0 {
        text.push('-');
    }
    group(&mut text, scaled / scale);
    if unit.digits > 0 {
        text.push_str(&format!(
            ".{:0digits$}",
            scaled % scale,
            digits = unit.digits
        ));
    }
    text
}

/// Returns `value` with its thousands in groups.
pub fn grouped(value: i64) -> String {
    in_unit(
        value,
        Unit {
            label: "",
            size: 1,
            digits: 0,
        },
    )
}

/// Returns a length of time with the unit that suits it, as `1.234 s`.
pub fn duration(ns: i64) -> String {
    let (label, size, digits) = match ns.unsigned_abs() {
        0 => return "0 s".to_owned(),
        1..1_000 => ("ns", 1, 0),
        1_000..1_000_000 => ("µs", 1_000, 1),
        1_000_000..100_000_000 => ("ms", 1_000_000, 2),
        100_000_000..1_000_000_000 => ("ms", 1_000_000, 1),
        1_000_000_000..100_000_000_000 => ("s", 1_000_000_000, 3),
        _ => ("s", 1_000_000_000, 1),
    };
    format!(
        "{} {label}",
        in_unit(
            ns,
            Unit {
                label,
                size,
                digits
            }
        )
    )
}

/// Returns a length of time with three digits that matter, as `1.23 s`, `45.6 ms` or `455 ms`.
pub fn brief_duration(ns: i64) -> String {
    const UNITS: [(&str, u128); 4] = [
        ("ns", 1),
        ("µs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
    ];
    let rounded = three_digits(ns.unsigned_abs());
    if rounded == 0 {
        return "0 s".to_owned();
    }
    let sign = if ns < 0 { "-" } else { "" };
    let unit = UNITS.iter().rev().find(|(_, size)| rounded >= *size);
    let (label, size) = unit.copied().unwrap_or(UNITS[0]);
    let mut text = sign.to_owned();
    group(&mut text, rounded / size);
    let decimals = match rounded / size {
        _ if size == 1 => 0,
        0..10 => 2,
        10..100 => 1,
        _ => 0,
    };
    if decimals > 0 {
        let part = rounded % size * 10_u128.pow(decimals) / size;
        text.push_str(&format!(".{part:0digits$}", digits = decimals as usize));
    }
    format!("{text} {label}")
}

/// Returns a number of things: exact up to 9,999, with three digits that matter above.
pub fn brief_count(value: i64) -> String {
    match value.unsigned_abs() {
        0..10_000 => grouped(value),
        large => {
            let mut text = if value < 0 { "-" } else { "" }.to_owned();
            group(&mut text, three_digits(large));
            text
        }
    }
}

/// Returns `value` rounded to its first three digits.
fn three_digits(value: u64) -> u128 {
    let value = u128::from(value);
    let mut scale = 1;
    while value / scale >= 1000 {
        scale *= 10;
    }
    let rounded = (value + scale / 2) / scale;
    rounded * scale
}

/// Returns a share of 0 to 100 in whole percents, as `30 %`.
pub fn whole_percent(percent: f64) -> String {
    match percent {
        _ if percent > 0.0 && percent < 0.5 => "under 1 %".to_owned(),
        _ => format!("{percent:.0} %"),
    }
}

/// Returns a size with the unit that suits it, as `12.3 MB`; units are powers of 1000.
pub fn bytes(bytes: i64) -> String {
    let unit = byte_unit(bytes.unsigned_abs());
    format!("{} {}", in_unit(bytes, unit), unit.label)
}

/// Returns a share of 0 to 100 with the decimals that suit it.
pub fn share(percent: f64) -> String {
    if percent == 0.0 || percent >= 9.95 {
        format!("{percent:.0}")
    } else {
        format!("{percent:.1}")
    }
}

fn group(text: &mut String, value: u128) {
    let digits = value.to_string();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_in_groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
    }

    #[test]
    fn values_round_half_up_and_zero_is_exact() {
        assert_eq!(in_unit(1_250_000, MILLISECONDS), "1.3");
        assert_eq!(in_unit(999_999_999, MILLISECONDS), "1,000.0");
        assert_eq!(in_unit(1, MILLISECONDS), "0.0");
        assert_eq!(in_unit(0, MILLISECONDS), "0");
    }

    #[test]
    fn a_lone_value_brings_its_unit() {
        assert_eq!(duration(1), "1 ns");
        assert_eq!(duration(12_345_678), "12.35 ms");
        assert_eq!(duration(61_234_000_000), "61.234 s");
        assert_eq!(bytes(9_999), "9,999 bytes");
        assert_eq!(bytes(94_137_687), "94.1 MB");
    }

    #[test]
    fn a_sentence_has_three_digits_that_matter() {
        let durations = [
            (0, "0 s"),
            (1, "1 ns"),
            (999, "999 ns"),
            (1_234, "1.23 µs"),
            (99_960, "100 µs"),
            (999_600, "1.00 ms"),
            (45_678_000, "45.7 ms"),
            (455_123_456, "455 ms"),
            (7_600_000_000, "7.60 s"),
            (61_234_000_000, "61.2 s"),
            (3_661_234_000_000, "3,660 s"),
            (-1_500_000, "-1.50 ms"),
        ];
        for (ns, text) in durations {
            assert_eq!(brief_duration(ns), text);
        }
        assert_eq!(brief_count(9_999), "9,999");
        assert_eq!(brief_count(53_657), "53,700");
        assert_eq!(brief_count(-1_234_567), "-1,230,000");
        assert_eq!(whole_percent(30.4), "30 %");
        assert_eq!(whole_percent(0.2), "under 1 %");
        assert_eq!(whole_percent(0.0), "0 %");
    }
}
