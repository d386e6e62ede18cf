//! Numbers and durations as people and programs write them.

/// The unit of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
    /// Hours, minutes and seconds, as `00:00:01.25`.
    Span,
    /// Readings of a clock, as `14:03:21.57`: the cost is what lies between two.
    Clock,
    /// Exact counts.
    Count,
}

impl Unit {
    /// Returns the unit that a person calls so.
    pub fn named(text: &str) -> Option<Self> {
        Some(match text.trim().to_lowercase().as_str() {
            "ns" | "nsec" | "nanoseconds" => Self::Ns,
            "us" | "µs" | "μs" | "usec" | "microseconds" => Self::Us,
            "ms" | "msec" | "millis" | "milliseconds" => Self::Ms,
            "s" | "sec" | "secs" | "seconds" => Self::S,
            "clock" => Self::Clock,
            "count" | "counts" => Self::Count,
            _ => return None,
        })
    }

    /// Returns the unit that the name of a column ends with or holds in brackets: `took_ms`, `Time (µs)`, `Time in s`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let part = |text: &str| {
            let word = text.trim_matches(|c: char| !c.is_alphanumeric() && c != 'µ' && c != 'μ');
            Self::named(word).filter(|unit| *unit != Self::Clock)
        };
        let bracketed = name
            .rsplit(['(', '['])
            .next()
            .filter(|part| part.len() < name.len());
        let totals = name.strip_prefix("Total").and_then(Self::named);
        let last = name.rsplit(['_', ' ', '.', '-', '/']).next();
        // A column called `s` or `count` is one; in other names these are words.
        let last = last.filter(|last| last.len() < name.len() || last.len() > 1);
        bracketed
            .and_then(part)
            .or(totals)
            .or_else(|| last.and_then(part))
            .filter(|unit| *unit != Self::Count)
    }

    fn ns(self) -> f64 {
        match self {
            Self::Us => 1e3,
            Self::Ms => 1e6,
            Self::S => 1e9,
            Self::Ns | Self::Span | Self::Clock | Self::Count => 1.0,
        }
    }
}

/// How fractions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decimal {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

/// Returns how the numbers of a column are written: with a comma, if commas are not those of thousands.
pub(super) fn decimal<'a>(cells: impl Iterator<Item = &'a str>) -> Decimal {
    let mut comma = false;
    for cell in cells {
        match (cell.rfind(','), cell.rfind('.')) {
            (Some(comma), Some(point)) if comma > point => return Decimal::Comma,
            (_, Some(_)) => return Decimal::Point,
            (Some(at), None) => {
                comma = true;
                let after = cell[at + 1..]
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .count();
                if after != 3 || cell.starts_with("0,") {
                    return Decimal::Comma;
                }
            }
            (None, None) => {}
        }
    }
    // Commas before three digits each: thousands.
    let _ = comma;
    Decimal::Point
}

/// Returns the number that `text` is.
pub(super) fn number(text: &str, decimal: Decimal) -> Option<f64> {
    let (group, point) = match decimal {
        Decimal::Point => (',', '.'),
        Decimal::Comma => ('.', ','),
    };
    let text = text.trim();
    let mut plain = String::with_capacity(text.len());
    let mut since_group = None;
    for char in text.chars() {
        match char {
            _ if char == group || matches!(char, '\u{a0}' | '\u{202f}' | '\'' | '_') => {
                // Groups are of three digits.
                if since_group.is_some_and(|digits| digits != 3) || plain.is_empty() {
                    return None;
                }
                since_group = Some(0);
            }
            _ if char == point => {
                if since_group.take().is_some_and(|digits| digits != 3) {
                    return None;
                }
                plain.push('.');
            }
            '0'..='9' => {
                plain.push(char);
                since_group = since_group.map(|digits| digits + 1);
            }
            '+' | '-' | 'e' | 'E' => plain.push(char),
            _ => return None,
        }
    }
    if since_group.is_some_and(|digits| digits != 3) {
        return None;
    }
    let value: f64 = plain.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Returns the number of a duration and the unit written after it.
pub(super) fn with_unit(text: &str, decimal: Decimal) -> Option<(f64, Option<Unit>)> {
    let text = text.trim();
    let digits = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (value, unit) = text.split_at(digits);
    let value = number(value, decimal)?;
    if unit.trim().is_empty() {
        return Some((value, None));
    }
    let unit = Unit::named(unit).filter(|unit| !matches!(unit, Unit::Clock | Unit::Count))?;
    Some((value, Some(unit)))
}

/// Returns a cost in nanoseconds, or as a count; a unit after the number takes precedence over
/// `unit`.
pub(super) fn duration_ns(text: &str, unit: Unit, decimal: Decimal) -> Option<f64> {
    if let Some(span) = span_ns(text) {
        return (unit != Unit::Count).then_some(span);
    }
    let (value, own) = with_unit(text, decimal)?;
    let cost = value * own.unwrap_or(unit).ns();
    (cost >= 0.0).then_some(cost)
}

/// Returns hours, minutes and seconds in nanoseconds: `1.02:03:04.5` has a day before.
pub(super) fn span_ns(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.trim().split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return None;
    };
    let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
    let whole = |text: &str| text.trim().parse::<u32>().ok().map(f64::from);
    let seconds = number(
        seconds,
        if seconds.contains(',') {
            Decimal::Comma
        } else {
            Decimal::Point
        },
    )?;
    let (days, hours, minutes) = (whole(days)?, whole(hours)?, whole(minutes)?);
    let fits = (0.0..60.0).contains(&seconds) && minutes < 60.0;
    fits.then_some((((days * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds) * 1e9)
}

/// Returns a time of day in nanoseconds since midnight.
pub(super) fn clock_ns(text: &str) -> Option<f64> {
    // Before it there may be a date.
    let time = text.split_whitespace().rfind(|word| word.contains(':'))?;
    span_ns(time).filter(|ns| *ns < 86_400e9)
}
