//! Conditions on the cells of a row, as `--where` takes them: `path=*.log`, `calls>=100`, `time=10ms..1s`.
//!
//! Text matches a [`Pattern`]; a number is compared in the unit of its column, as in a
//! [`Range`]. A cell whose value is not known meets no condition.

use whyslow_results::{Kind, Range, ResultColumn, ResultSchema, Value};

use super::choice;
use crate::comparison::{Comparison, Operator};
use crate::error::QueryError;
use crate::pattern::Pattern;

/// A condition on one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The column.
    pub column: ResultColumn,
    test: Test,
}

/// What a cell must be, or with `false` what it must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Text(Pattern, bool),
    Number(Range, bool),
}

impl Condition {
    /// Returns the condition in `text`, on a column of `schema`, and where that column is.
    ///
    /// # Errors
    /// When the text is not a valid condition, or does not fit the column.
    pub(crate) fn parse(text: &str, schema: &ResultSchema) -> Result<(usize, Self), QueryError> {
        let written = compared(text)?;
        let at = choice::find(schema, written.name)?;
        Ok((at, Self::on(text, written, schema.columns[at])?))
    }

    /// Returns the condition in `text` on one of `columns`, which are those of the answer to `question`. The column is
    /// named in full: the text may be kept, and there may be more columns one day.
    ///
    /// # Errors
    /// When the text is not a valid condition, or does not fit the column.
    pub fn of(
        text: &str,
        columns: &[ResultColumn],
        question: &'static str,
    ) -> Result<Self, QueryError> {
        let written = compared(text)?;
        let name = written.name;
        let mut all = columns.iter();
        let column = all.find(|column| column.key == name || column.name == name);
        let column = column.ok_or_else(|| choice::unknown(columns, question, name))?;
        Self::on(text, written, *column)
    }

    fn on(text: &str, written: Comparison<'_>, column: ResultColumn) -> Result<Self, QueryError> {
        let bad = |why: String| QueryError::BadCondition {
            text: text.to_owned(),
            why,
        };
        let value = written.value;
        if value.is_empty() {
            return Err(bad("there is nothing to compare with".to_owned()));
        }
        let is_wanted = !matches!(
            written.operator,
            Operator::IsNot | Operator::Less | Operator::More
        );
        let test = match (column.kind, written.operator) {
            (Kind::Text, Operator::Is | Operator::IsNot) => {
                Test::Text(Pattern::parse(value), is_wanted)
            }
            (Kind::Text, _) => {
                let key = column.key;
                let why = format!("{key} is a column of text, which only = and != compare");
                return Err(bad(why));
            }
            (kind, operator) => {
                let range = match operator {
                    Operator::Is | Operator::IsNot if value.contains("..") => value.to_owned(),
                    Operator::Is | Operator::IsNot => format!("{value}..{value}"),
                    Operator::Less | Operator::AtLeast => format!("{value}.."),
                    Operator::AtMost | Operator::More => format!("..{value}"),
                };
                let range = Range::parse(&range, kind);
                Test::Number(range.map_err(|error| bad(error.why()))?, is_wanted)
            }
        };
        Ok(Self { column, test })
    }

    /// Returns whether a cell of the column meets it.
    #[must_use]
    pub fn holds(&self, cell: &Value) -> bool {
        match (&self.test, cell) {
            (Test::Text(pattern, wanted), Value::Text(text)) => pattern.matches(text) == *wanted,
            (Test::Number(range, wanted), Value::Int(_) | Value::Float(_)) => {
                range.contains(cell) == *wanted
            }
            _ => false,
        }
    }
}

fn compared(text: &str) -> Result<Comparison<'_>, QueryError> {
    Comparison::parse(text, "column").map_err(|why| QueryError::BadCondition {
        text: text.to_owned(),
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [ResultColumn; 3] = [
        ResultColumn::new("path", "path", "File", Kind::Text, ""),
        ResultColumn::new("calls", "calls", "Calls", Kind::Count, ""),
        ResultColumn::new("time", "time_ns", "Time", Kind::Duration, ""),
    ];

    fn holds(text: &str, cell: impl Into<Value>) -> bool {
        let condition = Condition::of(text, &COLUMNS, "files").expect(text);
        condition.holds(&cell.into())
    }

    #[test]
    fn text_matches_a_pattern() {
        assert!(holds("path=*.LOG;*.txt", "/var/a.log"));
        assert!(!holds("path=*.log", "/var/a.log.1"));
        assert!(holds("path!=*.log", "/var/a.log.1"));
        assert!(!holds("path!=*.log", Value::Null));
    }

    #[test]
    fn numbers_compare_in_the_unit_of_their_column() {
        let of = |text: &str| [4, 5, 6].map(|cell: i64| holds(text, cell));
        assert_eq!(of("calls=5"), [false, true, false]);
        assert_eq!(of("calls!=5"), [true, false, true]);
        assert_eq!(of("calls<5"), [true, false, false]);
        assert_eq!(of("calls<=5"), [true, true, false]);
        assert_eq!(of("calls>5"), [false, false, true]);
        assert_eq!(of("calls >= 5"), [false, true, true]);
        assert_eq!(of("calls=5..9"), [false, true, true]);
        assert_eq!(of("calls!=..5"), [false, false, true]);
        assert!(holds("time>=1.5ms", 1_500_000));
        assert!(holds("time_ns<2", 1_999_999), "a bare number is in ms");
        for text in ["calls!=5", "calls<5", "calls>5", "calls=..5"] {
            assert!(!holds(text, Value::Null), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let why = |text: &str| {
            let error = Condition::of(text, &COLUMNS, "files").expect_err(text);
            error.to_string()
        };
        assert_eq!(
            why("path>5"),
            "\"path>5\" is not a condition: path is a column of text, which only = and != compare"
        );
        assert_eq!(
            why("calls=many"),
            "\"calls=many\" is not a condition: unknown unit \"many\", use one of k m g %"
        );
        assert_eq!(
            why("calls>="),
            "\"calls>=\" is not a condition: there is nothing to compare with"
        );
        assert!(why("calls").contains("it has no ="));
        for short in ["colls=5", "call=5"] {
            assert!(why(short).contains("unknown column"), "{short}");
        }
        assert!(why("calls=9..5").contains("lower end lies above"));
    }
}
