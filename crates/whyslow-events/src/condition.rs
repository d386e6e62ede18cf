//! Conditions on the fields of events: `FileName=*.dll`, `Status!=0`, `Size>=64k`, `Size=1k..4k`,
//! `DurationMSec>=5ms`.

use std::cmp::Ordering;

use whyslow_query::comparison::{Comparison, Operator};
use whyslow_query::{Kind, Pattern, Range};

use crate::field::{Field, Step, Value};
use crate::fields::text_of;
use crate::seen::Seen;
use crate::time_unit::{time_ns, unit_ns};

/// A text that is not a condition on a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a condition on a field: {why}")]
pub struct BadCondition {
    /// The text.
    pub text: String,
    /// Why it is not one.
    pub why: String,
}

/// A condition on a field.
#[derive(Debug)]
pub(crate) struct Condition {
    /// The name of the field as the user wrote it.
    name: String,
    field: Pattern,
    /// Whether any event had the field.
    is_known: bool,
    test: Test,
}

#[derive(Debug)]
enum Test {
    Is(Wanted),
    IsNot(Wanted),
    /// Whether a number compares this way with this one.
    Compares(Operator, Amount),
}

/// What a value should be.
#[derive(Debug)]
struct Wanted {
    pattern: Pattern,
    number: Option<Amount>,
    /// The range, and whether it is a range of times.
    range: Option<(Range, bool)>,
}

impl Condition {
    /// Parses a condition.
    pub(crate) fn parse(text: &str) -> Result<Self, BadCondition> {
        let bad = |why: String| BadCondition {
            text: text.to_owned(),
            why,
        };
        let written = Comparison::parse(text, "field").map_err(bad)?;
        let test = match written.operator {
            Operator::Is => Test::Is(Wanted::new(written.value)),
            Operator::IsNot => Test::IsNot(Wanted::new(written.value)),
            operator => {
                let number = Amount::parse(written.value);
                let number = number.ok_or_else(|| bad("only numbers compare".to_owned()))?;
                Test::Compares(operator, number)
            }
        };
        Ok(Self {
            name: written.name.to_owned(),
            field: Pattern::parse(written.name),
            is_known: false,
            test,
        })
    }

    /// Returns whether any field of the event, or any element of one, meets the condition.
    pub(crate) fn holds(&mut self, seen: &Seen<'_>) -> bool {
        let Self {
            field: wanted_field,
            is_known,
            test,
            ..
        } = self;
        (seen.fields)().any(|field| {
            let Step::Value(value) = field.step else {
                return false;
            };
            if !wanted_field.matches(&field.name.to_string()) {
                return false;
            }
            *is_known = true;
            // A path matches in the trace's form and in the form that users know.
            let name = || field.value_name().or_else(|| field.path());
            match test {
                Test::Is(wanted) => wanted.is(&field, &value, name().as_deref()),
                Test::IsNot(wanted) => !wanted.is(&field, &value, name().as_deref()),
                Test::Compares(operator, with) => number_of(&value)
                    .is_some_and(|number| compares(*operator, with.order(number, &field))),
            }
        })
    }
}

impl Condition {
    /// Returns the name of the field as the user wrote it, if no event has had it yet.
    pub(crate) fn unknown_field(&self) -> Option<&str> {
        (!self.is_known).then_some(self.name.as_str())
    }
}

impl Wanted {
    fn new(text: &str) -> Self {
        Self {
            // An empty text matches only empty text, not any text.
            pattern: Pattern::parse(text),
            number: Amount::parse(text),
            range: range(text),
        }
    }

    fn is(&self, field: &Field<'_>, value: &Value<'_>, name: Option<&str>) -> bool {
        let number = number_of(value);
        if let (Some((range, is_time)), Some(number)) = (&self.range, number) {
            let number = match is_time {
                true => number.in_ns(field),
                false => number,
            };
            return range.contains(&number.value());
        }
        if let (Some(number), Some(wanted)) = (number, &self.number)
            && wanted.order(number, field) == Some(Ordering::Equal)
        {
            return true;
        }
        name.is_some_and(|name| self.pattern.matches(name))
            || self.pattern.matches(&text_of(value, usize::MAX))
    }
}

/// Returns whether two numbers in this order compare that way.
fn compares(operator: Operator, order: Option<Ordering>) -> bool {
    order.is_some_and(|order| match operator {
        Operator::Is => order.is_eq(),
        Operator::IsNot => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::AtMost => order.is_le(),
        Operator::More => order.is_gt(),
        Operator::AtLeast => order.is_ge(),
    })
}

/// Parses a range. Also returns whether it is a range of times, that is, whether its upper end (or
/// its lower end if there is no upper one) has a unit of time.
fn range(text: &str) -> Option<(Range, bool)> {
    let (low, high) = text.split_once("..")?;
    let is_time = time_ns(high.trim())
        .or_else(|| time_ns(low.trim()))
        .is_some();
    let kind = match is_time {
        true => Kind::Duration,
        false => Kind::Count,
    };
    Some((Range::parse(text, kind).ok()?, is_time))
}

/// A number from the command line.
#[derive(Debug, Clone, Copy)]
enum Amount {
    /// Compared with the number in a field directly.
    Plain(Number),
    /// A time in ns, compared in the unit of the field.
    Time(f64),
}

impl Amount {
    fn parse(text: &str) -> Option<Self> {
        let time = time_ns(text).map(Self::Time);
        time.or_else(|| Number::parse(text).map(Self::Plain))
    }

    /// Returns how the number of a field compares with this one; `None` if one is not a number.
    fn order(self, number: Number, field: &Field<'_>) -> Option<Ordering> {
        match self {
            Self::Plain(with) => number.compare(with),
            Self::Time(ns) => number.in_ns(field).compare(Number::Real(ns)),
        }
    }
}

/// A number of a field or of the command line.
#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Real(f64),
}

impl Number {
    /// Returns the number in a text: decimal, followed by `k`, `M`, `G`, `KB`, `MB`, `GB`
    /// (thousands) or `KiB`, `MiB`, `GiB`, or else `0x…`.
    fn parse(text: &str) -> Option<Self> {
        if let Some(hex) = text.strip_prefix("0x") {
            return i128::from_str_radix(hex, 16).ok().map(Self::Whole);
        }
        const UNITS: [(&str, u32); 9] = [
            ("KiB", 1 << 10),
            ("MiB", 1 << 20),
            ("GiB", 1 << 30),
            ("KB", 1_000),
            ("MB", 1_000_000),
            ("GB", 1_000_000_000),
            ("k", 1_000),
            ("M", 1_000_000),
            ("G", 1_000_000_000),
        ];
        let unit = UNITS.iter().find_map(|(unit, factor)| {
            let (digits, end) = text.split_at_checked(text.len().checked_sub(unit.len())?)?;
            end.eq_ignore_ascii_case(unit).then_some((digits, *factor))
        });
        let (digits, factor) = unit.unwrap_or((text, 1));
        match digits.parse::<i128>() {
            Ok(whole) => whole.checked_mul(factor.into()).map(Self::Whole),
            // Words like "inf" and "nan" are not numbers.
            Err(_) if digits.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                let real: f64 = digits.parse().ok()?;
                Some(Self::Real(real * f64::from(factor)))
            }
            Err(_) => None,
        }
    }

    /// Returns the order of two numbers; `None` if one is not a number.
    fn compare(self, with: Self) -> Option<Ordering> {
        match (self, with) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(&b)),
            (a, b) => a.real().partial_cmp(&b.real()),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "the other number is no more exact"
    )]
    fn real(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// Converts a number in the field's unit to ns.
    fn in_ns(self, field: &Field<'_>) -> Self {
        Self::Real(self.real() * unit_ns(&field.name.to_string()))
    }

    fn value(self) -> whyslow_query::Value {
        match self {
            Self::Whole(whole) => {
                whyslow_query::Value::Int(i64::try_from(whole).unwrap_or(i64::MAX))
            }
            Self::Real(real) if real.is_nan() => whyslow_query::Value::Null,
            Self::Real(real) => whyslow_query::Value::Float(real),
        }
    }
}

/// Returns the number that a value is.
fn number_of(value: &Value<'_>) -> Option<Number> {
    match value {
        Value::Float(number) => Some(Number::Real(*number)),
        other => other.whole().map(Number::Whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(value: &Value<'_>, with: &str) -> Option<Ordering> {
        number_of(value)?.compare(Number::parse(with)?)
    }

    #[test]
    fn numbers_compare_as_they_are() {
        let value = Value::Float(3.25);
        assert_eq!(compared(&value, "3"), Some(Ordering::Greater));
        assert_eq!(compared(&value, "3.25"), Some(Ordering::Equal));
        assert_eq!(compared(&value, "3.3"), Some(Ordering::Less));
        assert_eq!(compared(&Value::Float(f64::NAN), "0"), None);
        assert_eq!(compared(&Value::Signed(-1), "0"), Some(Ordering::Less));
        let most = Value::Unsigned(u64::MAX);
        assert_eq!(
            compared(&most, "0xfffffffffffffffe"),
            Some(Ordering::Greater)
        );
    }

    #[test]
    fn units_are_thousands_or_binary() {
        let kib = Value::Unsigned(32 << 10);
        assert_eq!(compared(&kib, "32KiB"), Some(Ordering::Equal));
        assert_eq!(compared(&kib, "32k"), Some(Ordering::Greater));
        assert_eq!(compared(&kib, "32.768KB"), Some(Ordering::Equal));
        assert_eq!(compared(&kib, "1.5M"), Some(Ordering::Less));
        for none in ["", "k", "inf", "nan", "KiB", "twelve", "0x", "é"] {
            assert!(Number::parse(none).is_none(), "{none}");
        }
    }
}
