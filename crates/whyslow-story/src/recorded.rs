//! Which process an answer about an extract is for.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use whyslow_model::tables::FactRow;
use whyslow_model::{ProcessId, Scan, TableRow};
use whyslow_query::NamePattern;
use whyslow_query::View;
use whyslow_query::called;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;

/// Returns the pid of the command that was recorded; `None` if only the whole machine was recorded, or
/// by another recorder.
///
/// # Errors
/// When a table cannot be read.
pub fn recorded_command(view: View<'_>) -> Result<Option<i32>, QueryError> {
    let pid = fact(view, "command_pid")?;
    Ok(pid.and_then(|pid| pid.parse().ok()))
}

/// Returns the command line of that command, as it was given.
///
/// # Errors
/// When a table cannot be read.
pub fn recorded_line(view: View<'_>) -> Result<Option<String>, QueryError> {
    if recorded_command(view)?.is_none() {
        // It is the recorder's own.
        return Ok(None);
    }
    Ok(Facts::head(view)?.trace.and_then(|trace| trace.command))
}

/// Returns the pid of the process that an answer is about if nobody says which: of the command that was recorded, or of
/// the process that `now` was asked about; `None` for the whole machine.
///
/// # Errors
/// When a table cannot be read.
pub fn subject(view: View<'_>) -> Result<Option<i32>, QueryError> {
    if let Some(pid) = recorded_command(view)? {
        return Ok(Some(pid));
    }
    let trace = Facts::head(view)?.trace;
    let is_own = |recorder: &String| recorder.starts_with("whyslow ");
    let trace = trace.filter(|trace| trace.recorder.as_ref().is_some_and(is_own));
    let Some(wanted) = trace.and_then(|trace| asked_of_now(&trace.command?)) else {
        return Ok(None);
    };
    Ok(processes_of(view, &NamePattern::parse(&wanted))?
        .first()
        .copied())
}

/// Returns the process that a command line asks `now` about.
fn asked_of_now(line: &str) -> Option<String> {
    const OPTIONS: [&str; 3] = ["--process", "--name", "--pid"];
    let words = words(line);
    let mut words = words.iter().map(String::as_str).skip(1);
    words
        .find(|word| !word.starts_with('-'))
        .filter(|&word| word == "now")?;
    while let Some(word) = words.next() {
        if word == "-p" || OPTIONS.contains(&word) {
            return words.next().map(str::to_owned);
        }
        let mut options = OPTIONS.iter();
        let value = options.find_map(|option| word.strip_prefix(option)?.strip_prefix('='));
        let value = value.or_else(|| word.strip_prefix("-p").filter(|_| !word.starts_with("--")));
        if let Some(value) = value {
            return Some(value.to_owned());
        }
    }
    None
}

/// Returns the words of a command line, without the quotes that it is written with.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match (letter, words.last_mut()) {
            ('\'', _) => is_quoted = !is_quoted,
            (' ', _) if !is_quoted => words.push(String::new()),
            (letter, Some(word)) => word.push(letter),
            (_, None) => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the process that recorded; `None` if another recorder made the recording, or it covers
/// other processes only.
pub fn recorder(view: View<'_>, facts: &Facts) -> Result<Option<ProcessId>, QueryError> {
    let pid = fact(view, "recorder_pid")?.and_then(|pid| pid.parse::<i32>().ok());
    let rows = facts.processes.iter().enumerate();
    // Its pid cannot have been another process's before: it was there from the start.
    let mut of_pid = rows.filter(|(_, row)| row.is_kernel == 0 && Some(row.os_pid) == pid);
    let first = of_pid.next();
    Ok(first.and_then(|(at, _)| ProcessId::from_index(at)))
}

/// Returns the folder in which the recorded command began.
pub fn folder(view: View<'_>) -> Result<Option<String>, QueryError> {
    fact(view, "command_folder")
}

/// Returns who held locks on which files as the recording began: pids and paths.
pub(crate) fn locks(view: View<'_>) -> Result<Vec<(i32, String)>, QueryError> {
    of_processes(view, "file_lock")
}

/// Returns what the environments of Go programs tell their runtimes: pids, and settings as `GOGC=5`.
pub(crate) fn go_settings(view: View<'_>) -> Result<Vec<(i32, String)>, QueryError> {
    of_processes(view, "go_setting")
}

/// Returns the facts with this key that are about processes: pids, and what they say.
fn of_processes(view: View<'_>, key: &str) -> Result<Vec<(i32, String)>, QueryError> {
    let mut all = Vec::new();
    view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
        let of_key = table.rows::<FactRow>().filter(|row| row.key == key);
        all.extend(of_key.filter_map(|row| {
            let (pid, text) = row.value.split_once(' ')?;
            Some((pid.parse().ok()?, text.to_owned()))
        }));
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

/// Returns the facts whose keys begin like this; each key counts once.
pub(crate) fn facts_from(
    view: View<'_>,
    beginning: &str,
) -> Result<BTreeMap<String, String>, QueryError> {
    let mut all = BTreeMap::new();
    view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
        let of_keys = table
            .rows::<FactRow>()
            .filter(|row| row.key.starts_with(beginning));
        for row in of_keys {
            all.entry(row.key).or_insert(row.value);
        }
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

fn fact(view: View<'_>, key: &str) -> Result<Option<String>, QueryError> {
    let mut value = None;
    view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
        let mut rows = table.rows::<FactRow>();
        let row = rows.find(|row| row.key == key);
        value = value.take().or_else(|| row.map(|row| row.value));
        ControlFlow::Continue(())
    })?;
    Ok(value)
}

/// Returns the pids of the processes that a name or pid means, without those that one of them started;
/// the one that lived longest first.
///
/// # Errors
/// When a table cannot be read.
pub fn processes_of(view: View<'_>, wanted: &NamePattern) -> Result<Vec<i32>, QueryError> {
    let facts = Facts::read(view)?;
    let rows = &facts.processes;
    let matches: Vec<bool> = rows
        .iter()
        .map(|row| row.is_kernel == 0 && called::is_wanted(row, wanted))
        .collect();
    let is_below = |at: usize| {
        let mut above = rows[at].parent;
        // At most as many steps as there are processes, in case parents form a cycle.
        for _ in 0..rows.len() {
            let Some(id) = above.filter(|id| id.index() < rows.len()) else {
                return false;
            };
            if matches[id.index()] {
                return true;
            }
            above = rows[id.index()].parent;
        }
        false
    };
    let tops = (0..rows.len()).filter(|&at| matches[at] && !is_below(at));
    let life = |at: usize| {
        let end = rows[at].end_ns.unwrap_or_else(|| facts.duration_ns());
        end.saturating_sub(rows[at].start_ns.unwrap_or(0))
    };
    let mut tops: Vec<usize> = tops.collect();
    tops.sort_by_key(|&at| (std::cmp::Reverse(life(at)), at));
    let mut pids: Vec<i32> = Vec::new();
    for at in tops {
        if !pids.contains(&rows[at].os_pid) && pids.len() < MOST {
            pids.push(rows[at].os_pid);
        }
    }
    Ok(pids)
}

/// The most processes that are looked for.
const MOST: usize = 1000;

#[cfg(test)]
mod tests {
    use super::asked_of_now;

    #[test]
    fn the_command_line_of_now_says_which_process_it_was_asked_about() {
        let asked = |line: &str| asked_of_now(line);
        for line in [
            "whyslow now --name node",
            "/usr/bin/whyslow now --for 2s -p node -q",
            "whyslow -q now --pid=node",
            "whyslow now -pnode",
            "whyslow now --process 'node'",
        ] {
            assert_eq!(asked(line).as_deref(), Some("node"), "{line}");
        }
        let spaced = asked("whyslow now --name 'node *'");
        assert_eq!(spaced.as_deref(), Some("node *"));
        for line in [
            "whyslow now --for 2s",
            "whyslow record -p node",
            "whyslow now --profile light",
            "now -p node",
            "whyslow now --name",
            "whyslow record -- now -p node",
            "",
        ] {
            assert_eq!(asked(line), None, "{line}");
        }
    }
}
