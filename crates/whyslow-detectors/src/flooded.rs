//! One log got nearly all that was written, a line or so per system call.
//!
//! Only its name shows that a file is a log: writing to other files in the same way may be what the program
//! is for.
//!
//! A line costs more than its system call: the library function that the program calls for it checks
//! levels, formats, and writes. So all CPU time in the functions through which most of the calls are made
//! counts.

use std::collections::BTreeMap;

use whyslow_model::{FileOperation, SystemCall, SystemCallResult, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::worked;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::call_cost::MANY;
use whyslow_story::files::Use;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "flooded-log",
        "it wrote to a log again and again, a line or so per system call",
    )],
    find: |story| draft(story).into_iter().collect(),
};

/// Calls that move fewer bytes on average are a cause of their own; those that move more have a real
/// buffer.
const LINE_BYTES: std::ops::RangeInclusive<i64> = 65..=1024;

/// Percentage of all calls and bytes that go to one file, if the others do not matter.
const MOST: f64 = 80.0;

/// Less of the command's own time than this percentage is usual.
const MUCH: f64 = 30.0;

/// If less of the time is in the calls themselves, the functions that make them serve another purpose.
const WRITING: f64 = 8.0;

/// Fewer samples say nothing about what a line costs.
const FEW_SAMPLES: i64 = 20;

const OK: SystemCallResult = SystemCallResult(0);

/// `write`, `pwrite64`, `writev`, `pwritev`.
const WRITES: &[i32] = &[1, 18, 20, 296];

/// Words in the names of logs.
const LOG_WORDS: &[&str] = &[
    "log", "logs", "syslog", "journal", "audit", "trace", "stderr",
];

/// Endings of names of files that other programs are meant to read.
const TABLES: &[&str] = &["csv", "tsv"];

/// Returns whether a file is a log by its name, or by that of a folder that it is in.
fn is_log(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let is_table = name
        .rsplit_once('.')
        .is_some_and(|(_, ending)| TABLES.contains(&ending));
    // A database does not write text there.
    let is_of_database = name.ends_with("-journal");
    let in_logs = folders
        .split('/')
        .any(|folder| matches!(folder, "log" | "logs"));
    let is_called_so = in_logs || words.any(|word| LOG_WORDS.contains(&word));
    is_called_so && !is_table && !is_of_database
}

/// Returns the log that nearly all is written to, and the calls.
fn most_written<'a>(story: &'a Story<'_>) -> Option<(&'a str, CallSum, ThreadId)> {
    let writes = |one: &Use| one.operation == FileOperation::Write && one.result == OK;
    let (path, _) = story.files.most(writes)?;
    let (mut here, mut all) = (CallSum::default(), CallSum::default());
    let mut threads: BTreeMap<ThreadId, i64> = BTreeMap::new();
    for one in story.files.uses.iter().filter(|one| writes(one)) {
        all.add(&one.sum);
        if one.path == Some(path) {
            here.add(&one.sum);
            let sum = threads.entry(one.thread).or_default();
            *sum = sum.saturating_add(one.sum.count);
        }
    }
    let name = story.files.path(path);
    let is_file = name.starts_with('/') && !name.starts_with("/dev/") && is_log(name);
    let bytes = here.bytes?;
    let is_most = share(here.count, all.count) >= MOST && share(bytes, all.bytes?) >= MOST;
    let of_lines = LINE_BYTES.contains(&(bytes / here.count.max(1)));
    let (writer, _) = threads.into_iter().max_by_key(|&(_, count)| count)?;
    let fits = is_file && is_most && of_lines && here.count >= MANY;
    fits.then_some((name, here, writer))
}

/// Returns the CPU time in the functions through which most of the calls are made.
fn cost(story: &Story<'_>) -> Option<Spans> {
    let is_write = |call: SystemCall| WRITES.contains(&call.0);
    let entries = story.calls.entries(story.code, &is_write);
    let enough = story.hot.samples >= FEW_SAMPLES;
    enough.then(|| worked::below(story, &entries)).flatten()
}

fn draft(story: &Story<'_>) -> Option<Draft> {
    if !story.has_path() {
        return None;
    }
    let (name, sum, writer) = most_written(story)?;
    let is_write = |call: SystemCall| WRITES.contains(&call.0);
    let place = story.calls.place(story.code, &is_write);
    let place = place.filter(Place::is_users)?;
    let on = cost(story)?;
    // A program that writes now and then, such as a server, does more than write; a library that is made to write logs
    // does nothing else.
    let logs = worked::work_of(story, "logging").is_some_and(|work| work.ns * 2 >= on.ns());
    let writes = logs || share(sum.ns?, on.ns()) >= WRITING;
    if share(on.ns(), story.own_ns()) < MUCH || !writes {
        return None;
    }
    let process = story.process_of(writer)?;
    let each = sum.bytes? / sum.count.max(1);
    let amount = (on.ns(), sum.count);
    let process_is = ["--process", process];
    let files = Query::new("its files", "files", &process_is);
    let stacks = Query::new("where it computed", "stacks", &process_is);
    let draft = Draft::new("flooded-log", Confidence::Likely, Extent::On(on))
        .of_process(story, process)
        .fact("object", Value::Text(name.to_owned()))
        .fact("place", Value::Place(place))
        .fact("count", Value::Count(sum.count))
        .fact("size", Value::Text(format!("{each} bytes")))
        .claim(" wrote to {object} {count} times, {size} each, and prepared what it wrote: {share} of the time");
    let draft = draft.rows("file_call", amount, files);
    Some(
        draft
            .rows("cpu_sample", amount, stacks)
            .advise(
                "Log less, log only when something goes wrong, or write many lines with one call.",
            )
            .verify("Record it again: it should write less."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_known_by_their_names() {
        for path in [
            "/srv/app/debug.log",
            "/srv/app/Debug.LOG.1",
            "/var/log/app/today",
            "/srv/access_log",
            "/srv/audit.jsonl",
            "/tmp/stderr",
            "/srv/trace.log (deleted)",
        ] {
            assert!(is_log(path), "{path}");
        }
        for path in [
            "/srv/export.csv",
            "/srv/catalog.txt",
            "/srv/log/trace.csv",
            "/srv/data.db-journal",
            "/home/dialog/out",
            "",
        ] {
            assert!(!is_log(path), "{path}");
        }
    }
}
