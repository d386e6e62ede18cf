//! The unit of time in the suffix of a field's name: `DurationMSec`, `wait_us`, `ElapsedSeconds`.

/// Suffixes of names, in lower case without underscores, with their units in ns; the first match
/// counts.
const ENDINGS: [(&str, f64); 16] = [
    ("nanoseconds", 1.0),
    ("nanosec", 1.0),
    ("nsec", 1.0),
    ("microseconds", 1e3),
    ("microsec", 1e3),
    ("usec", 1e3),
    ("milliseconds", 1e6),
    ("millisec", 1e6),
    ("msec", 1e6),
    ("seconds", 1e9),
    ("secs", 1e9),
    ("sec", 1e9),
    ("ns", 1.0),
    ("us", 1e3),
    ("ms", 1e6),
    ("minutes", 60e9),
];

/// Returns how many nanoseconds one unit of the field with this name is. A name without a unit
/// is from one of Linux's own events, which count in nanoseconds.
pub(crate) fn unit_ns(field: &str) -> f64 {
    let last = field.rsplit('.').next().unwrap_or(field);
    // `Status` and `Items` do not end in a unit: two letters count only as a word of their own.
    let is_own_word = |ending: &str| {
        let Some(at) = last.len().checked_sub(ending.len()) else {
            return false;
        };
        let before = last.get(..at).and_then(|text| text.chars().last());
        let first = last.get(at..).and_then(|text| text.chars().next());
        match (before, first) {
            (None, _) | (Some('_'), _) => true,
            (Some(before), Some(first)) => before.is_lowercase() && first.is_uppercase(),
            _ => false,
        }
    };
    let name: String = last.to_lowercase();
    let found = ENDINGS
        .iter()
        .find(|(ending, _)| name.ends_with(ending) && (ending.len() > 2 || is_own_word(ending)));
    found.map_or(1.0, |(_, ns)| *ns)
}

/// Converts a text such as `5ms` to nanoseconds; `None` if it names no unit of time.
pub(crate) fn time_ns(text: &str) -> Option<f64> {
    let at = text.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c))?;
    let (digits, unit) = text.split_at(at);
    let ns = match unit.trim() {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 60e9,
        "h" => 3600e9,
        _ => return None,
    };
    Some(digits.parse::<f64>().ok()? * ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_their_units() {
        for (name, ns) in [
            ("DurationMSec", 1e6),
            ("wait_us", 1e3),
            ("TimeMs", 1e6),
            ("ElapsedSeconds", 1e9),
            ("Items", 1.0),
            ("Status", 1.0),
            ("delay", 1.0),
            ("Stop.PauseMSec", 1e6),
        ] {
            assert_eq!(unit_ns(name).to_bits(), f64::to_bits(ns), "{name}");
        }
        assert_eq!(
            time_ns("1.5 ms").map(f64::to_bits),
            Some(1.5e6_f64.to_bits())
        );
        for none in ["", "5", "5k", "ms", "5m", "5mb", "é"] {
            assert_eq!(time_ns(none).map(f64::to_bits), None, "{none}");
        }
    }
}
