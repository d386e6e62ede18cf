//! Finds columns by word, and chooses the ones to show.

use super::FILE;
use whyslow_results::{ResultColumn, ResultSchema};

use crate::comparison::Comparison;
use crate::error::QueryError;
use crate::pattern::Pattern;
use crate::selection::{ColumnChoice, Selection};

/// Returns the position of the column that `word` names: its key, its name, or a prefix of one of
/// them that no other column shares.
pub(super) fn find(schema: &ResultSchema, word: &str) -> Result<usize, QueryError> {
    let columns = schema.columns;
    let lower = word.to_lowercase().replace('-', "_");
    let exact = |c: &ResultColumn| c.key.replace('-', "_") == lower || c.name == lower;
    if let Some(at) = columns.iter().position(exact) {
        return Ok(at);
    }
    let starts = |c: &ResultColumn| c.key.starts_with(&lower) || c.name.starts_with(&lower);
    let mut found = (0..columns.len()).filter(|&at| starts(&columns[at]));
    match (found.next(), found.next()) {
        (Some(at), None) if !lower.is_empty() => Ok(at),
        _ => Err(unknown(columns, schema.name, word)),
    }
}

/// Returns the columns to show, each with its position (`None` for the file).
///
/// Without a choice these are all columns, some of them marked as hidden; the file is shown if
/// there are `several`.
pub(super) fn columns(
    schema: &ResultSchema,
    choice: &ColumnChoice,
    (sum, several): (bool, bool),
) -> Result<Vec<(Option<usize>, ResultColumn)>, QueryError> {
    let own = schema.columns.iter().enumerate();
    let all = own.map(|(at, &column)| (Some(at), column));
    let mut all: Vec<_> = std::iter::once((None, FILE)).chain(all).collect();
    all[0].1.shown = several;
    if sum {
        for (_, column) in &mut all {
            for (hidden, shown) in schema.sums {
                if column.key == *hidden {
                    column.shown = false;
                } else if column.key == *shown {
                    column.shown = true;
                }
            }
        }
    }
    if choice.words.is_empty() {
        return Ok(all);
    }
    let signed = |word: &String| word.starts_with(['!', '+']);
    let defaults = choice.words.first().is_some_and(signed);
    let mut wanted: Vec<usize> = match defaults {
        true => (0..all.len()).filter(|&at| all[at].1.shown).collect(),
        false => Vec::new(),
    };
    for word in &choice.words {
        let (remove, word) = match word.strip_prefix('!') {
            Some(word) => (true, word),
            None => (false, word.strip_prefix('+').unwrap_or(word)),
        };
        let hits = matching(schema, &all, word)?;
        wanted.retain(|at| !remove || !hits.contains(at));
        if !remove {
            let new: Vec<_> = hits.into_iter().filter(|at| !wanted.contains(at)).collect();
            wanted.extend(new);
        }
    }
    let shown = |at: usize| {
        let (position, mut column) = all[at];
        column.shown = true;
        (position, column)
    };
    Ok(wanted.into_iter().map(shown).collect())
}

/// Returns whether a selection shows one of the columns with these keys, or decides with one: by a range, a condition or the
/// order. Words that name no column are no error here.
pub(crate) fn needs_one_of(selection: &Selection, schema: &ResultSchema, keys: &[&str]) -> bool {
    let ranges = selection.ranges.iter().map(|range| range.column.as_str());
    let sort = selection.sort.iter().map(|sort| sort.column.as_str());
    let compared = selection.conditions.iter();
    let compared = compared.filter_map(|text| Comparison::parse(text, "column").ok());
    let words = ranges.chain(sort).chain(compared.map(|one| one.name));
    let mut decide = words.filter_map(|word| find(schema, word).ok());
    let is_one = |column: &ResultColumn| keys.contains(&column.key);
    decide.any(|at| schema.columns.get(at).is_some_and(is_one))
        || columns(schema, &selection.columns, (selection.sum, false))
            .is_ok_and(|all| all.iter().any(|(_, column)| column.shown && is_one(column)))
}

fn matching(
    schema: &ResultSchema,
    all: &[(Option<usize>, ResultColumn)],
    word: &str,
) -> Result<Vec<usize>, QueryError> {
    if word.contains(['*', '?']) {
        let pattern = Pattern::parse(word);
        let hit = |c: &ResultColumn| pattern.matches(c.key) || pattern.matches(c.name);
        return Ok((0..all.len()).filter(|&at| hit(&all[at].1)).collect());
    }
    if word == FILE.key {
        return Ok(vec![0]);
    }
    let at = find(schema, word)?;
    Ok(all
        .iter()
        .position(|&(p, _)| p == Some(at))
        .into_iter()
        .collect())
}

/// Returns an error about a column; it says so if only the answer about recordings of another system, with the table
/// `other`, has the column.
pub(crate) fn elsewhere(
    error: QueryError,
    system: &'static str,
    other: &ResultSchema,
) -> QueryError {
    match error {
        QueryError::UnknownColumn {
            word,
            question,
            known,
        } if find(other, &word).is_ok() => QueryError::ColumnElsewhere {
            word,
            system,
            question,
            known,
        },
        error => error,
    }
}

/// Says that no column of the answer to `question` is called `word`.
pub(super) fn unknown(columns: &[ResultColumn], question: &'static str, word: &str) -> QueryError {
    let keys: Vec<_> = columns.iter().map(|column| column.key).collect();
    QueryError::UnknownColumn {
        word: word.to_owned(),
        question,
        known: keys.join(" "),
    }
}
