//! Why nothing matches a selection: the part of it that alone excludes everything, and what would
//! be found instead.

use std::collections::BTreeSet;

use whyslow_model::ThreadId;
use whyslow_model::tables::ProcessRow;

use crate::called;
use crate::error::QueryError;
use crate::facts::Facts;
use crate::frames::Frames;
use crate::pattern::{FunctionPattern, NamePattern, Pattern};
use crate::scope;
use crate::selection::Selection;
use crate::view::View;

/// How many names an explanation gives as examples.
const EXAMPLES: usize = 3;

/// Length of an example, in characters.
const LONGEST: usize = 50;

/// Returns why no row of `views` matches `selection`, in one sentence without a final dot.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn why_nothing(views: &[View<'_>], selection: &Selection) -> Result<String, QueryError> {
    if let Some(why) = excludes_all(views, selection)? {
        return Ok(why);
    }
    let parts = parts(selection);
    Ok(match parts.as_slice() {
        [] => "the recording has no rows for this question".to_owned(),
        [one] => format!("nothing matches {one}"),
        all => format!("nothing matches all of {} together", all.join(", ")),
    })
}

/// Returns which part of `selection` excludes everything, whatever is asked.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn excludes_all(
    views: &[View<'_>],
    selection: &Selection,
) -> Result<Option<String>, QueryError> {
    if selection.top == Some(0) {
        return Ok(Some("--top 0 shows no rows".to_owned()));
    }
    let facts: Vec<Facts> = views
        .iter()
        .map(|view| Facts::read(*view))
        .collect::<Result<_, _>>()?;
    if let Some(why) = outside(views, &facts, selection)? {
        return Ok(Some(why));
    }
    if let Some(why) = by_name(&facts, selection) {
        return Ok(Some(why));
    }
    match &selection.functions {
        Some(pattern) => by_function(views, pattern),
        None => Ok(None),
    }
}

/// Returns the window of a selection in a trace: `None` is the whole trace, and an error says why there is none in it.
///
/// # Errors
/// When the trace cannot place these times, a table cannot be read, or the window is outside the trace.
pub fn window_inside(
    view: View<'_>,
    facts: &Facts,
    selection: &Selection,
) -> Result<Option<(i64, i64)>, QueryError> {
    match outside(&[view], std::slice::from_ref(facts), selection)? {
        Some(why) => Err(QueryError::Outside { why }),
        None => scope::window(view, facts, selection),
    }
}

/// Says if the window is outside every trace.
#[expect(clippy::cast_precision_loss, reason = "seconds for a message")]
fn outside(
    views: &[View<'_>],
    facts: &[Facts],
    selection: &Selection,
) -> Result<Option<String>, QueryError> {
    for (&view, facts) in views.iter().zip(facts) {
        let window = scope::window(view, facts, selection)?;
        if !scope::is_outside(facts, window) {
            return Ok(None);
        }
    }
    let options = match (&selection.from, &selection.to) {
        (Some(_), None) => "--from lies",
        (None, _) => "--to lies",
        (Some(_), Some(_)) => "--from and --to lie",
    };
    let longest = facts.iter().map(Facts::duration_ns).max().unwrap_or(0) as f64 / 1e9;
    let what = match facts.len() {
        1 => "the recording, which is",
        _ => "every recording; the longest is",
    };
    Ok(Some(format!(
        "{options} outside {what} {longest:.3} s long"
    )))
}

/// Names the first pattern of processes or threads that matches none.
fn by_name(facts: &[Facts], selection: &Selection) -> Option<String> {
    let processes = || facts.iter().flat_map(|facts| &facts.processes);
    if let Some(pattern) = &selection.processes {
        let found = processes().map(|row| (row, row.name.as_str()));
        let hit = |p: &NamePattern, &(row, _): &(&ProcessRow, &str)| called::is_wanted(row, p);
        if let Some(found) = missed(found, pattern, &pattern.loosened(), hit, |row| row.1) {
            return Some(sentence("--process", "process", &found));
        }
    }
    if let Some(pattern) = &selection.command_line {
        let lines = processes().map(|row| row.command_line.as_deref().unwrap_or_default());
        let hit = |p: &Pattern, line: &&str| p.matches(line);
        if let Some(found) = missed(lines, pattern, &pattern.loosened(), hit, |line| *line) {
            return Some(sentence("--cmdline", "command line", &found));
        }
    }
    let pattern = selection.threads.as_ref()?;
    let threads = facts.iter().flat_map(|facts| {
        let ids = ThreadId::all().zip(&facts.threads);
        ids.map(|(id, row)| (facts.thread_name(id), i64::from(row.os_tid)))
    });
    let hit = |p: &NamePattern, &(name, tid): &(&str, i64)| p.matches(name, tid);
    let found = missed(threads, pattern, &pattern.loosened(), hit, |row| row.0)?;
    Some(sentence("--thread", "thread", &found))
}

/// Says if `pattern` matches no function of any trace.
fn by_function(
    views: &[View<'_>],
    pattern: &FunctionPattern,
) -> Result<Option<String>, QueryError> {
    let mut functions = Vec::new();
    for view in views {
        functions.append(&mut Frames::read(*view)?.functions);
    }
    let hit = |p: &FunctionPattern, f: &&crate::frames::Function| p.matches(&f.module, &f.name);
    let found = missed(functions.iter(), pattern, &pattern.loosened(), hit, |f| {
        &f.name
    });
    Ok(found.map(|found| sentence("--functions", "function", &found)))
}

/// Returns `None` if `pattern` matches any of `all`; otherwise examples that `loosened` matches.
fn missed<'a, T: 'a, P>(
    all: impl Iterator<Item = T>,
    pattern: &P,
    loosened: &P,
    hit: impl Fn(&P, &T) -> bool,
    name: impl Fn(&T) -> &'a str,
) -> Option<Vec<String>> {
    let mut near = BTreeSet::new();
    for one in all {
        if hit(pattern, &one) {
            return None;
        }
        if hit(loosened, &one) {
            // The shortest names are closest to what was typed.
            let text: String = name(&one).chars().take(LONGEST).collect();
            near.insert((text.len(), text));
            if near.len() > EXAMPLES {
                near.pop_last();
            }
        }
    }
    Some(near.into_iter().map(|(_, text)| text).collect())
}

fn sentence(option: &str, what: &str, near: &[String]) -> String {
    if near.is_empty() {
        return format!(
            "{option} matches no {what} of the recording (* is any text, ; separates alternatives)"
        );
    }
    format!(
        "{option} matches no {what}: patterns match whole names; with * on both sides it would match {}",
        near.join(", ")
    )
}

/// Returns the options of the selection that leave rows out.
fn parts(selection: &Selection) -> Vec<String> {
    let ranges = selection.ranges.iter();
    let ranges = ranges.map(|range| format!("--{} {}", range.column, range.range));
    let options = selection.narrowed_by().into_iter().map(ToOwned::to_owned);
    let conditions = selection.conditions.iter();
    let conditions = conditions.map(|text| format!("--where '{text}'"));
    options.chain(ranges).chain(conditions).collect()
}
