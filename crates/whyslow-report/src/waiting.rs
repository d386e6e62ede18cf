//! What the processes of an experiment waited for, from the recording that was made meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use whyslow_extract::Extract;
use whyslow_lab::workers::{WORKER, who};
use whyslow_names::{is_frame_of_start, plain_name};
use whyslow_query::pattern::Pattern;
use whyslow_query::wait::Rules;
use whyslow_query::{Outcome, QueryError, ResultTable, Selection, View, questions};
use whyslow_results::Value;

use crate::unit::cost;

/// Waits that belong to the start of workers: they are set off together, through pipes, at a time.
const STARTING: [&str; 2] = ["pipe", "sleep"];

/// Functions that are named of the stack of the longest wait, at most.
const NAMED: usize = 3;

/// Returns what most of the processes that did the operation together waited for, by the extract at `path`; where
/// several numbers of processes did it, of the most. `None` where there were not several, they waited for nothing, or it
/// cannot be read.
pub fn together(path: &Path) -> Option<String> {
    let extract = Extract::open(path).ok()?;
    asked(&extract).ok().flatten()
}

fn asked(recording: View<'_>) -> Result<Option<String>, QueryError> {
    let pattern = format!("*{WORKER}*");
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
    let (all, workers) = most(&processes);
    Ok(sentence(all, &workers, &waits))
}

/// Returns the most processes that did it together, and by process id which of them each is. Every pass has processes
/// of its own.
fn most(processes: &ResultTable) -> (u32, BTreeMap<i64, u32>) {
    let rows = 0..processes.rows.len();
    let workers: Vec<(i64, u32, u32)> = rows
        .filter_map(|row| {
            let (worker, all) = who(&text(processes, row, "command_line")?)?;
            Some((whole(processes, row, "pid")?, worker, all))
        })
        .collect();
    let all = workers.iter().map(|(_, _, all)| *all).max().unwrap_or(0);
    let together = workers.iter().filter(|(_, _, of)| *of == all);
    (
        all,
        together.map(|(pid, worker, _)| (*pid, *worker)).collect(),
    )
}

/// The waits of one class.
#[derive(Debug, Default)]
struct Waited {
    workers: BTreeSet<u32>,
    ns: i64,
    longest_ns: i64,
    frames: Option<String>,
}

fn sentence(all: u32, workers: &BTreeMap<i64, u32>, waits: &ResultTable) -> Option<String> {
    let mut classes: BTreeMap<String, Waited> = BTreeMap::new();
    for row in 0..waits.rows.len() {
        let class = text(waits, row, "class")?;
        let worker = whole(waits, row, "pid").and_then(|pid| workers.get(&pid));
        let Some(worker) = worker.filter(|_| !STARTING.contains(&class.as_str())) else {
            continue;
        };
        let one = classes.entry(class).or_default();
        one.workers.insert(*worker);
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
        .and_then(|frames| path(&frames))
        .map(|path| format!(" (in {path})"))
        .unwrap_or_default();
    (all > 1 && most.ns > 0).then(|| {
        format!(
            "{} of {all} processes waited for {phrase}: {} in all; the longest single wait took {}{place}.",
            most.workers.len(),
            duration(most.ns),
            duration(most.longest_ns)
        )
    })
}

/// Returns the innermost functions of `frames`, the leaf first, as people write them: `work → rename`.
fn path(frames: &str) -> Option<String> {
    let own = frames
        .split(" < ")
        .filter(|frame| !is_frame_of_start(frame));
    let mut names: Vec<String> = own.map(|frame| plain_name(frame).into_owned()).collect();
    names.dedup();
    names.truncate(NAMED);
    names.reverse();
    (!names.is_empty()).then(|| names.join(" → "))
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

    static PROCESSES: [ResultColumn; 2] =
        [column("pid", Kind::Id), column("command_line", Kind::Text)];

    #[test]
    fn the_wait_that_took_most_of_all_processes_is_named() {
        let mut processes = ResultTable::new("processes", "", &PROCESSES);
        let mut worker = |pid: i64, of: &str| {
            let line = format!("/usr/bin/whyslow lab-worker rename+ {of} 10 10 /dir");
            processes
                .rows
                .push(vec![Value::Int(pid), Value::text(&line)]);
        };
        // Twenty processes, twice, and one alone.
        for number in 0..20 {
            worker(number + 1, &format!("{number}/20"));
            worker(number + 101, &format!("{number}/20"));
        }
        worker(99, "0/1");
        let mut waits = ResultTable::new("waits", "", &COLUMNS);
        let mut row = |pid: i64, class: &str, ns: i64, longest: i64| {
            let stack = "rename < whyslow_lab::file_operation::Files::rename < <whyslow_lab::file_operation::Files as \
                         whyslow_lab::operation::Operation>::run < whyslow_lab::operation::measure < main";
            let frames = if longest > 50_000_000 {
                stack.into()
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
        for pid in (1..=20).chain(101..=120) {
            row(pid, "file-system", 250_000_000, 40_000_000);
            row(pid, "pipe", 9_000_000_000, 9_000_000_000);
        }
        row(7, "file-system", 96_000_000, 96_000_000);
        row(3, "disk", 1_000_000, 1_000_000);
        row(99, "disk", 77_000_000_000, 77_000_000_000);
        let (all, workers) = most(&processes);
        assert_eq!((all, workers.len()), (20, 40));
        let said = sentence(all, &workers, &waits);
        let expected = "20 of 20 processes waited for a lock inside the file system: 10.1 s in all; the longest \
                        single wait took 96.0 ms (in Files::run → Files::rename → rename).";
        assert_eq!(said.as_deref(), Some(expected));
        assert_eq!(sentence(1, &workers, &waits), None);
    }
}
