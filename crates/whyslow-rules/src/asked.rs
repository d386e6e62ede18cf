//! What rules ask of an extract. Rules that ask the same are answered together, because each answer takes time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use whyslow_explain::Target;
use whyslow_model::ViewError;
use whyslow_query::error::QueryError;
use whyslow_query::{
    ColumnChoice, NamePattern, NotRecorded, Outcome, Request, ResultColumn, ResultTable, Selection,
    Sort, TimePoint, Value, View, parallel,
};

use crate::about::About;
use crate::complete::Complete;
use crate::rule::{Found, Rule};

/// The most rows of an answer that rules with different conditions share; if there are more, each asks for its own.
const MOST_SHARED: usize = 100_000;

/// The most rows that are kept for the names in them.
const MOST_KEPT: usize = 100;

/// What a rule's question comes to.
#[derive(Debug)]
pub(crate) enum Answered {
    /// The rows that the rule counts; there is at least one.
    Rows(Found),
    /// No row. These tables are missing, which an extract has.
    Nothing(BTreeSet<&'static str>),
    /// The recording lacks what the question needs.
    NotRecorded(NotRecorded),
    /// It cannot be answered for this recording, and why.
    Impossible(String),
    /// A table cannot be read.
    Unread(ViewError),
}

/// The answer of a question, and which tables that it wanted are missing.
type Asked = Result<(Outcome, BTreeSet<&'static str>), QueryError>;

/// Which rows are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those that meet the conditions of the rules, which have the same.
    Matching,
    /// All, for rules with different conditions.
    All,
}

/// Asks for all rules, and returns their answers in the same order.
pub(crate) fn answers(rules: &[&Rule], view: View<'_>, about: &About) -> Vec<Answered> {
    let question = |rule: &Rule| {
        let asks = &rule.asks;
        (asks.question.name, asks.words.clone(), asks.is_of_command)
    };
    let groups = grouped(rules, question);
    let answered = parallel::map(&groups, |group| {
        let rules: Vec<&Rule> = group.iter().map(|&at| rules[at]).collect();
        together(&rules, view, about)
    });
    in_order(groups, answered)
}

/// Answers rules that ask the same question with the same options, but may have other conditions.
fn together(rules: &[&Rule], view: View<'_>, about: &About) -> Vec<Answered> {
    let groups = grouped(rules, |rule| {
        let sorted_by = rule.time.as_ref().map(|time| time.key);
        (rule.written.clone(), sorted_by)
    });
    if groups.len() > 1
        && let Ok((Outcome::Table(table), missing)) = ask(rules, Wanted::All, view, about)
        && table.matched_rows <= table.rows.len()
    {
        let answers = rules.iter().map(|rule| {
            let counted = rule.counted(&table.rows, &places(rule, &table));
            counted.map_or_else(|| Answered::Nothing(missing.clone()), Answered::Rows)
        });
        return answers.collect();
    }
    let answered = groups.iter().map(|group| {
        let rules: Vec<&Rule> = group.iter().map(|&at| rules[at]).collect();
        let asked = ask(&rules, Wanted::Matching, view, about);
        let answers = rules.iter().map(|rule| of_asked(rule, &asked));
        answers.collect()
    });
    let answered = answered.collect();
    in_order(groups, answered)
}

/// Returns the places of rules that are alike, group by group.
fn grouped<K: Ord>(rules: &[&Rule], key: impl Fn(&Rule) -> K) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (at, rule) in rules.iter().enumerate() {
        groups.entry(key(rule)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// Returns the answers of groups in the order of the rules.
fn in_order(groups: Vec<Vec<usize>>, answered: Vec<Vec<Answered>>) -> Vec<Answered> {
    let places = groups.into_iter().flatten();
    let mut all: Vec<_> = places.zip(answered.into_iter().flatten()).collect();
    all.sort_by_key(|&(at, _)| at);
    all.into_iter().map(|(_, answer)| answer).collect()
}

/// Asks what these rules ask: the same question with the same options.
fn ask(rules: &[&Rule], wanted: Wanted, view: View<'_>, about: &About) -> Asked {
    let Some(first) = rules.first() else {
        let none = ResultTable::new("", "", &[]);
        return Ok((Outcome::Table(Box::new(none)), BTreeSet::new()));
    };
    let mut selection = selection(first, about.of(first))?;
    let words: BTreeSet<String> = match wanted {
        Wanted::Matching => {
            selection.conditions.clone_from(&first.written);
            selection.sort = first.time.as_ref().map(|time| Sort::parse(time.key));
            selection.top = Some(MOST_KEPT);
            selection.totals = true;
            // Some columns are only computed where they are asked for.
            rules
                .iter()
                .flat_map(|rule| rule.more_columns().words)
                .collect()
        }
        // Of many rows, only what the rules look at.
        Wanted::All => {
            selection.top = Some(MOST_SHARED);
            let needed = rules.iter().flat_map(|rule| rule.needed());
            needed.map(|column| column.key.to_owned()).collect()
        }
    };
    selection.columns = ColumnChoice {
        words: words.into_iter().collect(),
    };
    let request = Request {
        selection: &selection,
        arguments: &first.asks.arguments,
        chart_slices: Request::CHART_SLICES,
    };
    let complete = Complete::new(view);
    let outcome = (first.asks.question.ask)(&[&complete], &request)?;
    Ok((outcome, complete.missing()))
}

/// Returns what a rule makes of the answer to its own question.
fn of_asked(rule: &Rule, asked: &Asked) -> Answered {
    let (table, missing) = match asked {
        Ok((Outcome::Table(table), missing)) => (table, missing),
        Ok((Outcome::NotRecorded(what), _)) => return Answered::NotRecorded(what.clone()),
        Err(QueryError::View(error)) => return Answered::Unread(error.clone()),
        Err(error) => return Answered::Impossible(error.to_string()),
    };
    if table.rows.is_empty() {
        return Answered::Nothing(missing.clone());
    }
    let places = places(rule, table);
    Answered::Rows(Found {
        rows: i64::try_from(table.matched_rows).unwrap_or(i64::MAX),
        kept: table.rows.iter().map(|row| cells(&places, row)).collect(),
        sums: cells(&places, table.totals.as_deref().unwrap_or_default()),
    })
}

/// Returns where the rule's columns are in an answer.
fn places(rule: &Rule, table: &ResultTable) -> Vec<Option<usize>> {
    let columns = rule.asks.columns.iter();
    columns.map(|column| table.column(column.key)).collect()
}

/// Returns the cells of a row of an answer in the order of the rule's columns; those that were not asked for are not
/// known.
fn cells(places: &[Option<usize>], row: &[Value]) -> Vec<Value> {
    let cell = |at: &Option<usize>| at.and_then(|at| row.get(at)).cloned();
    let cells = places.iter().map(|at| cell(at).unwrap_or(Value::Null));
    cells.collect()
}

impl Rule {
    /// Returns those of `rows` that meet its conditions, those with the most time first, and their sums; `None` if there
    /// is no such row. `places` says where its columns are in the rows.
    pub(crate) fn counted(&self, rows: &[Vec<Value>], places: &[Option<usize>]) -> Option<Found> {
        let place = |column: &ResultColumn| self.place(column).and_then(|at| places[at]);
        let conditions = self.when.iter().map(|one| (one, place(&one.column)));
        let conditions: Vec<_> = conditions.collect();
        let meets = |row: &&Vec<Value>| {
            conditions.iter().all(|(one, at)| {
                let cell = at.and_then(|at| row.get(at));
                cell.is_some_and(|cell| one.holds(cell))
            })
        };
        let mut met: Vec<&Vec<Value>> = rows.iter().filter(meets).collect();
        if met.is_empty() {
            return None;
        }
        if let Some(at) = self.time.as_ref().and_then(place) {
            met.sort_by_key(|row| Reverse(row.get(at).and_then(Value::as_int)));
        }
        let columns = self.asks.columns.iter().zip(places);
        let sums = columns.map(|(column, at)| match at.filter(|_| column.additive) {
            Some(at) => sum(&met, at),
            None => Value::Null,
        });
        Some(Found {
            rows: i64::try_from(met.len()).unwrap_or(i64::MAX),
            sums: sums.collect(),
            kept: met
                .iter()
                .take(MOST_KEPT)
                .map(|row| cells(places, row))
                .collect(),
        })
    }

    /// Returns the first condition that a row does not meet, as it is written.
    pub(crate) fn unmet_of(&self, row: &[Value]) -> Option<&String> {
        let mut all = self.when.iter().zip(&self.written);
        let unmet = all.find(|(one, _)| {
            let cell = self.place(&one.column).and_then(|at| row.get(at));
            !cell.is_some_and(|cell| one.holds(cell))
        });
        unmet.map(|(_, text)| text)
    }
}

/// Returns the sum of the known cells of a column.
fn sum(rows: &[&Vec<Value>], at: usize) -> Value {
    let cells = rows.iter().filter_map(|row| row.get(at));
    cells.fold(Value::Null, |sum, cell| match (sum, cell) {
        (Value::Int(sum), Value::Int(more)) => Value::Int(sum.saturating_add(*more)),
        (Value::Float(sum), Value::Float(more)) => Value::Float(sum + more),
        (Value::Null, more) => more.clone(),
        (sum, _) => sum,
    })
}

/// Returns which part of the extract a rule asks about.
fn selection(rule: &Rule, target: &Target) -> Result<Selection, QueryError> {
    let mut selection = Selection {
        functions: rule.asks.functions.clone(),
        threads: rule.asks.threads.clone(),
        ..Selection::default()
    };
    if let Some(pid) = target.os_pid.filter(|_| rule.asks.is_of_command) {
        selection.processes = Some(NamePattern::parse(&pid.to_string()));
        selection.with_children = true;
    }
    let point = |ns| limit(ns).map(|text| TimePoint::parse(&text)).transpose();
    selection.from = point(target.from_ns)?;
    selection.to = point(target.to_ns)?;
    Ok(selection)
}

/// Returns the words of the command line with which a person asks the same.
pub(crate) fn words(rule: &Rule, target: &Target) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    if let Some(pid) = target.os_pid.filter(|_| rule.asks.is_of_command) {
        add("--process", pid.to_string());
    }
    for (option, ns) in [("--from", target.from_ns), ("--to", target.to_ns)] {
        if let Some(text) = limit(ns) {
            add(option, text);
        }
    }
    if let Some(at) = words.iter().position(|word| word == "--process") {
        words.insert(at + 2, "--with-children".to_owned());
    }
    words.extend(rule.asks.words.iter().cloned());
    for text in &rule.written {
        words.extend(["--where".to_owned(), text.clone()]);
    }
    if let Some(time) = &rule.time {
        words.extend(["--sort".to_owned(), time.key.to_owned()]);
    }
    let more = rule.more_columns().words;
    if !more.is_empty() {
        words.extend(["--columns".to_owned(), more.join(",")]);
    }
    words
}

/// Returns a limit of time as it is written. Where there is none, it is far away.
fn limit(ns: Option<i64>) -> Option<String> {
    let ns = ns.filter(|ns| (1..i64::MAX / 4).contains(ns))?;
    Some(format!("{}.{:09}s", ns / 1_000_000_000, ns % 1_000_000_000))
}
