//! A rule: what it asks, which rows it counts, and what it says about them.

use std::collections::BTreeSet;

use whyslow_explain::finding::{Confidence, Message, Piece};
use whyslow_query::condition::Condition;
use whyslow_query::{
    Arguments, ColumnChoice, FunctionPattern, Kind, NamePattern, Question, ResultColumn, Value,
};

/// The number of rows, as a column.
pub(crate) const ROWS: ResultColumn = ResultColumn::new(
    "rows",
    "rows",
    "Rows",
    Kind::Count,
    "How many rows meet the conditions.",
);

/// The value of a finding that says what it is about.
pub(crate) const OBJECT: &str = "object";

/// The value of a finding that is its share of the wall time.
pub(crate) const SHARE: &str = "share";

/// The value of a column that is called as that is.
const ROW_OBJECT: &str = "row-object";

/// The value of a finding that says which words the user has for it.
pub(crate) const TAGS: &str = "tags";

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Its name.
    pub(crate) name: String,
    /// The line in which it begins.
    pub(crate) line: usize,
    /// Words of the user for what it is about.
    pub(crate) tags: Vec<String>,
    /// What it asks.
    pub(crate) asks: Asks,
    /// Conditions on each row.
    pub(crate) when: Vec<Condition>,
    /// The same, as they are written.
    pub(crate) written: Vec<String>,
    /// Conditions on all of these rows together: on how many there are, and on sums.
    pub(crate) total: Vec<Condition>,
    /// The column that says how much time it is about.
    pub(crate) time: Option<ResultColumn>,
    /// Less than this percentage of the wall time makes no finding.
    pub(crate) least_share: f64,
    /// The column that says what it is about.
    pub(crate) about: Option<ResultColumn>,
    /// How sure its finding is.
    pub(crate) confidence: Confidence,
    /// What happened.
    pub(crate) text: Message,
    /// What to do.
    pub(crate) advice: Option<Message>,
    /// The columns whose values the messages have.
    pub(crate) said: Vec<ResultColumn>,
}

/// What a rule asks.
#[derive(Debug)]
pub(crate) struct Asks {
    /// The question.
    pub(crate) question: &'static Question,
    /// Its arguments.
    pub(crate) arguments: Arguments,
    /// Only stacks with such a function.
    pub(crate) functions: Option<FunctionPattern>,
    /// Only such threads.
    pub(crate) threads: Option<NamePattern>,
    /// All of these, as on the command line.
    pub(crate) words: Vec<String>,
    /// Whether only what the command and its children did counts.
    pub(crate) is_of_command: bool,
    /// The columns of the answer.
    pub(crate) columns: Vec<ResultColumn>,
    /// Whether its rows form a tree in which each row includes those below it, so that they cannot be added up.
    pub(crate) is_tree: bool,
}

/// What a rule knows of the rows that it counts.
#[derive(Debug)]
pub(crate) struct Found {
    /// How many there are.
    pub(crate) rows: i64,
    /// The first of them: those with the most time, if the rule has a time.
    pub(crate) kept: Vec<Vec<Value>>,
    /// Sums over all of them, where sums make sense.
    pub(crate) sums: Vec<Value>,
}

impl Rule {
    /// Says what the rule is about as the object of its finding, so that it is not said twice.
    pub(crate) fn with_object(mut self) -> Self {
        let Some(about) = self.about else {
            return self;
        };
        self.said.retain(|column| column.key != about.key);
        let messages = std::iter::once(&mut self.text).chain(&mut self.advice);
        for piece in messages.flat_map(|message| &mut message.0) {
            if *piece == Piece::Value(fact_of(&about)) {
                *piece = Piece::Value(OBJECT);
            }
        }
        self
    }

    /// Returns the columns that it looks at, except for the number of rows.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &ResultColumn> {
        let conditions = self.when.iter().chain(&self.total);
        let conditions = conditions.map(|condition| &condition.column);
        let said = self.said.iter().chain(&self.time).chain(&self.about);
        said.chain(conditions)
            .filter(|column| column.key != ROWS.key)
    }

    /// Returns which columns it needs in addition to those that are shown anyway.
    pub(crate) fn more_columns(&self) -> ColumnChoice {
        let hidden: BTreeSet<_> = self
            .needed()
            .filter(|column| !column.shown)
            .map(|column| column.key)
            .collect();
        let words = hidden.into_iter().map(|key| format!("+{key}"));
        ColumnChoice {
            words: words.collect(),
        }
    }

    /// Returns how long the rows took together, if that is known: at most the wall time.
    pub(crate) fn time_ns(&self, found: &Found, wall_ns: i64) -> Option<i64> {
        let column = self.time?;
        let ns = self.value(found, &column).as_int()?;
        Some(ns.clamp(0, wall_ns.max(0)))
    }

    /// Returns the sum of a column, or its value in the first row.
    pub(crate) fn value(&self, found: &Found, column: &ResultColumn) -> Value {
        if column.key == ROWS.key {
            return Value::Int(found.rows);
        }
        let cells = match column.additive {
            true => Some(&found.sums),
            false => found.kept.first(),
        };
        let cell = cells.zip(self.place(column));
        let cell = cell.and_then(|(cells, at)| cells.get(at));
        cell.cloned().unwrap_or(Value::Null)
    }

    /// Returns the place of a column among those of the answer.
    pub(crate) fn place(&self, column: &ResultColumn) -> Option<usize> {
        let mut columns = self.asks.columns.iter();
        columns.position(|one| one.key == column.key)
    }

    /// Returns words for the other texts that a column of texts has in the rows that are counted: what is said of all
    /// of them is not of the first alone.
    pub(crate) fn others(&self, found: &Found, column: &ResultColumn) -> Option<String> {
        if column.kind != Kind::Text || column.key == ROWS.key {
            return None;
        }
        let at = self.place(column)?;
        let mut texts = found.kept.iter().map(|row| match row.get(at) {
            Some(Value::Text(text) | Value::Json(text)) => Some(text),
            _ => None,
        });
        let first = texts.next()?;
        let others: BTreeSet<_> = texts.filter(|text| *text != first).collect();
        let is_all = i64::try_from(found.kept.len()).is_ok_and(|kept| kept == found.rows);
        let least = if is_all { "" } else { "at least " };
        match others.len() {
            0 => None,
            1 => Some(format!(" and {least}1 other")),
            count => Some(format!(" and {least}{count} others")),
        }
    }

    /// Returns the first condition on all rows together that does not hold.
    pub(crate) fn unmet(&self, found: &Found) -> Option<&Condition> {
        let mut total = self.total.iter();
        total.find(|condition| !condition.holds(&self.value(found, &condition.column)))
    }
}

/// Returns the name that the value of a column has in a finding.
///
/// Names that have a meaning of their own there are none of a column.
pub(crate) fn fact_of(column: &ResultColumn) -> &'static str {
    match column.key {
        OBJECT => ROW_OBJECT,
        SHARE | TAGS => column.name,
        key => key,
    }
}

/// Returns the name by which a text has the value of a column.
pub(crate) fn word_of(column: &ResultColumn) -> &'static str {
    match column.key {
        SHARE => column.name,
        key => key,
    }
}

/// Returns `part` in percent of `whole`.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
pub(crate) fn percent(part: i64, whole: i64) -> f64 {
    match whole {
        ..=0 => 0.0,
        _ => 100.0 * part as f64 / whole as f64,
    }
}
