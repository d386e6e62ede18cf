//! The examples of a rule: small tables of which it must, or must not, make a finding.

use toml::de::{DeTable, DeValue};

use whyslow_arguments::size;
use whyslow_query::{Kind, ResultColumn, Value, amount};

use crate::document::{Document, Item, kind, number};
use crate::fault::Faults;
use crate::rule::{Rule, percent};
use crate::wording::{named, not_one_of};

/// The most examples of a rule, and the most rows of one.
const MOST: usize = 50;

/// The keys of an example.
const KEYS: [&str; 3] = ["finds", "rows", "took"];

/// Checks the examples of a rule, and returns how many there are; adds what is wrong with them, and if the rule `is_right`,
/// also where it does something else than they say.
pub(crate) fn check(
    rule: &Rule,
    examples: Option<&Item<'_>>,
    (file, faults): (&Document<'_>, &mut Faults),
    is_right: bool,
) -> usize {
    let Some(examples) = examples else {
        return 0;
    };
    let all = file.tables("example", "[[rule.example]]", examples, faults);
    if let Some(&(line, _)) = all.get(MOST) {
        faults.add(line, format!("a rule has more than {MOST} examples"));
    }
    for &(line, table) in all.iter().take(MOST) {
        let before = faults.count();
        let Some(example) = Example::read(rule, (line, table), file, faults) else {
            continue;
        };
        if is_right
            && faults.count() == before
            && let Err(why) = example.holds(rule)
        {
            faults.add(line, format!("rule {}: {why}", rule.name));
        }
    }
    all.len()
}

/// An example.
struct Example {
    finds: bool,
    rows: Vec<Vec<Value>>,
    took_ns: Option<i64>,
}

impl Example {
    fn read(
        rule: &Rule,
        (line, table): (usize, &DeTable<'_>),
        file: &Document<'_>,
        faults: &mut Faults,
    ) -> Option<Self> {
        let (mut finds, mut rows, mut took_ns) = (None, None, None);
        for (key, value) in table {
            let name: &str = key.get_ref();
            let at = file.line(&value.span());
            match (name, value.get_ref()) {
                ("finds", DeValue::Boolean(it)) => finds = Some(*it),
                ("rows", DeValue::Array(_)) => {
                    let written = "{ COLUMN = VALUE }";
                    let tables = file.tables("a row", written, value, faults);
                    if tables.len() > MOST {
                        faults.add(at, format!("an example has more than {MOST} rows"));
                    }
                    let tables = tables.into_iter().take(MOST);
                    let read = tables.map(|(_, table)| row(rule, table, file, faults));
                    rows = Some(read.collect());
                }
                ("took", DeValue::String(text)) => match size::duration(text) {
                    Ok(time) => took_ns = i64::try_from(time.as_nanos()).ok(),
                    Err(why) => faults.add(at, format!("took: {why}")),
                },
                ("finds", _) => faults.add(at, "finds must be true or false"),
                ("rows", _) => {
                    let is = kind(value);
                    let what =
                        format!("rows must be a list of rows such as [{{ calls = 5 }}], not {is}");
                    faults.add(at, what);
                }
                ("took", _) => faults.add(at, "took must be a time such as \"2s\""),
                _ => faults.add(at, not_one_of("key", name, KEYS.into_iter())),
            }
        }
        for (key, is_there) in [("finds", finds.is_some()), ("rows", rows.is_some())] {
            let is_written = table.keys().any(|one| *one.get_ref() == key);
            if !is_there && !is_written {
                faults.add(line, format!("the example has no key {key}"));
            }
        }
        Some(Self {
            finds: finds?,
            rows: rows?,
            took_ns,
        })
    }

    /// Says what is different from what the example says.
    fn holds(&self, rule: &Rule) -> Result<(), String> {
        match (self.outcome(rule), self.finds) {
            (Ok(()), true) | (Err(_), false) => Ok(()),
            (Ok(()), false) => Err("it makes a finding of this example, but should not".to_owned()),
            (Err(why), true) => Err(format!("it makes no finding of this example: {why}")),
        }
    }

    /// Says why the rule makes no finding.
    fn outcome(&self, rule: &Rule) -> Result<(), String> {
        let own: Vec<Option<usize>> = (0..rule.asks.columns.len()).map(Some).collect();
        let Some(found) = rule.counted(&self.rows, &own) else {
            let mut rows = self.rows.iter();
            let first = rows.find_map(|row| rule.unmet_of(row));
            return Err(match first {
                Some(text) => {
                    format!("no row meets all of when; the first one does not meet {text:?}")
                }
                None => "it has no rows".to_owned(),
            });
        };
        if let Some(condition) = rule.unmet(&found) {
            let key = condition.column.key;
            return Err(format!("the condition of total on {key} is not met"));
        }
        let Some(took_ns) = self.took_ns else {
            return Ok(());
        };
        match rule.time_ns(&found, took_ns).map(|ns| percent(ns, took_ns)) {
            Some(share) if share < rule.least_share => {
                Err(format!("its share is {share:.1} %, less than least-share"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the cells of a row; those that are not given are not known.
fn row(rule: &Rule, table: &DeTable<'_>, file: &Document<'_>, faults: &mut Faults) -> Vec<Value> {
    let columns = &rule.asks.columns;
    let mut cells = vec![Value::Null; columns.len()];
    for (key, value) in table {
        let name: &str = key.get_ref();
        let line = file.line(&value.span());
        let column = named(name, columns);
        let at = columns
            .iter()
            .position(|one| Some(one.key) == column.map(|of| of.key));
        let Some((column, at)) = column.zip(at) else {
            let keys = columns.iter().map(|column| column.key);
            faults.add(line, not_one_of("column", name, keys));
            continue;
        };
        match cell(&column, value) {
            Ok(cell) => cells[at] = cell,
            Err(why) => faults.add(line, format!("{name}: {why}")),
        }
    }
    cells
}

fn cell(column: &ResultColumn, value: &Item<'_>) -> Result<Value, String> {
    let text = match (value.get_ref(), column.kind) {
        (DeValue::String(text), Kind::Text) => return Ok(Value::text(text)),
        (_, Kind::Text) => {
            let is = kind(value);
            return Err(format!(
                "it is a column of text, so its value cannot be {is}"
            ));
        }
        (DeValue::String(text), _) => text.to_string(),
        _ => number(value).ok_or_else(|| format!("it must be a number, not {}", kind(value)))?,
    };
    amount(&text, column.kind).map_err(|error| format!("{text:?}: {}", error.why()))
}
