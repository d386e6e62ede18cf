//! What the processes of an experiment waited for, from the recording that was made meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use whyslow_extract::Extract;
use whyslow_query::pattern::Pattern;
use whyslow_query::wait::Rules;
use whyslow_query::{Outcome, QueryError, ResultTable, Selection, View, questions};
use whyslow_results::Value;

use crate::unit::cost;

/// Waits that belong to the start of workers: they are set off together, through pipes, at a time.
const STARTING: [&str; 2] = ["pipe", "sleep"];

/// Returns what most of the processes that did the operation together waited for, by the extract at `path`; `None`
/// where there were not several, they waited for nothing, or it cannot be read.
pub fn together(path: &Path) -> Option<String> {
    let extract = Extract::open(path).ok()?;
    asked(&extract).ok().flatten()
}

fn asked(recording: View<'_>) -> Result<Option<String>, QueryError> {
    let pattern = format!("*{}*", whyslow_lab::workers::WORKER);
    let selection = Selection {
        command_line: Some(Pattern::parse(&pattern)),
        ..Selection::default()
    };
    let ask = |name: &str| match questions::find(name) {
        Some(question) => question.answer(&[recording], &selection),
        None => Ok(Outcome::Table(Box::new(ResultTable::new("", "", &[])))),
    };
    let (Outcome::Table(processes), Outcome::Table(waits)) = (ask("processes")?, ask("waits")?)
    else {
        return Ok(None);
    };
    let pids = |table: &ResultTable| -> BTreeSet<i64> {
        let rows = 0..table.rows.len();
        rows.filter_map(|row| whole(table, row, "pid")).collect()
    };
    Ok(sentence(pids(&processes).len(), &waits))
}

/// The waits of one class.
#[derive(Debug, Default)]
struct Waited {
    pids: BTreeSet<i64>,
    ns: i64,
    longest_ns: i64,
    frames: Option<String>,
}

fn sentence(processes: usize, waits: &ResultTable) -> Option<String> {
    let mut classes: BTreeMap<String, Waited> = BTreeMap::new();
    for row in 0..waits.rows.len() {
        let class = text(waits, row, "class")?;
        if STARTING.contains(&class.as_str()) {
            continue;
        }
        let one = classes.entry(class).or_default();
        one.pids.extend(whole(waits, row, "pid"));
        one.ns += whole(waits, row, "wait_ns").unwrap_or(0);
        let longest = whole(waits, row, "longest_ns").unwrap_or(0);
        if longest > one.longest_ns {
            one.longest_ns = longest;
            one.frames = text(waits, row, "longest_stack");
        }
    }
    let (class, most) = classes.into_iter().max_by_key(|(_, one)| one.ns)?;
    let rules = Rules::shipped();
    let phrase = rules
        .find(&class)
        .map_or(class, |id| rules.class(id).phrase.clone());
    let place = most
        .frames
        .map(|frames| format!(" (in {frames})"))
        .unwrap_or_default();
    (processes > 1 && most.ns > 0).then(|| {
        format!(
            "{} of {processes} processes waited for {phrase}: {} in all; the longest single wait took {}{place}.",
            most.pids.len(),
            duration(most.ns),
            duration(most.longest_ns)
        )
    })
}

fn duration(ns: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "durations below 2⁵³ ns")]
    let ns = ns as f64;
    cost(ns)
}

fn whole(table: &ResultTable, row: usize, column: &str) -> Option<i64> {
    match table.cell(row, column) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    }
}

fn text(table: &ResultTable, row: usize, column: &str) -> Option<String> {
    match table.cell(row, column) {
        Some(Value::Text(text)) => Some(text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_results::{Kind, ResultColumn};

    const fn column(name: &'static str, kind: Kind) -> ResultColumn {
        ResultColumn::new(name, name, name, kind, "")
    }

    static COLUMNS: [ResultColumn; 5] = [
        column("pid", Kind::Id),
        column("class", Kind::Text),
        column("wait_ns", Kind::Duration),
        column("longest_ns", Kind::Duration),
        column("longest_stack", Kind::Text),
    ];

    #[test]
    fn the_wait_that_took_most_of_all_processes_is_named() {
        let mut waits = ResultTable::new("waits", "", &COLUMNS);
        let mut row = |pid: i64, class: &str, ns: i64, longest: i64| {
            let frames = if longest > 50_000_000 {
                "rename < work".into()
            } else {
                Value::Null
            };
            let row = vec![
                Value::Int(pid),
                class.into(),
                Value::Int(ns),
                Value::Int(longest),
                frames,
            ];
            waits.rows.push(row);
        };
        for pid in 1..=20 {
            row(pid, "file-system", 500_000_000, 40_000_000);
            row(pid, "pipe", 9_000_000_000, 9_000_000_000);
        }
        row(7, "file-system", 96_000_000, 96_000_000);
        row(3, "disk", 1_000_000, 1_000_000);
        let said = sentence(20, &waits);
        let expected = "20 of 20 processes waited for a lock inside the file system: 10.1 s in all; the longest \
                        single wait took 96.0 ms (in rename < work).";
        assert_eq!(said.as_deref(), Some(expected));
        assert_eq!(sentence(1, &waits), None);
    }
}
