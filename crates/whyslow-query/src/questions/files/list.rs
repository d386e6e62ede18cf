//! Calls on files one by one: `files --list`.

use std::collections::BTreeMap;

use whyslow_model::{
    Capability, FileCallFlags, FileOperation, Named, StackId, SystemCall, ThreadId, ThreadState,
};
use whyslow_results::{
    Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, grouped, shown,
};

use super::{Wanted, spelled};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::{FileNames, SingleCall, counted_file_calls, remarks, single_file_calls};
use crate::question::Request;
use crate::rows;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::Stacks;
use crate::stacks::WantedStacks;
use crate::sums::notes;
use crate::system_calls::sampled_calls;
use crate::view::View;

pub(super) static TABLE: ResultSchema = ResultSchema::new(
    "file-calls",
    "Calls on files, one by one (files --list).",
    "Calls on files",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("at", "start_ns", "Start", Kind::Time, "When it began; of calls that were not timed, when it had ended.").priority(0)
        .cell(|row, _| Value::Int(row.call.start_ns)),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(1)
        .cell(|row, of| Value::text(of.facts.process_name(row.call.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, of| Value::int(of.facts.process(row.call.process).map(|process| process.os_pid))),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's thread id.").priority(5)
        .cell(|row, of| Value::int(of.facts.thread(row.call.thread).map(|thread| thread.os_tid))),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "The operation, such as `open` or `write`.").priority(0).rigid()
        .cell(|row, _| Value::text(spelled(row.call.operation))),
    ResultColumn::new("call", "call", "Call", Kind::Text, "Name of the system call.").hidden()
        .cell(|row, _| Value::text(&SystemCall::spelled(row.call.call))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "Its result: `ok` or an error, such as `ENOENT`.").priority(1).rigid()
        .cell(|row, _| Value::text(&row.call.result.spelled())),
    ResultColumn::new("time", "time_ns", "Time", Kind::Duration, "How long it took, waits included; empty where that was not measured.").priority(0).summed()
        .cell(|row, _| Value::int(row.call.duration_ns)),
    ResultColumn::new("offset", "offset_bytes", "Offset", Kind::Count, "Where in the file it began, in bytes.").priority(3)
        .cell(|row, _| Value::int(row.call.offset_bytes)),
    ResultColumn::new("asked", "asked_bytes", "Asked", Kind::Bytes, "How much it asked for.").priority(4)
        .cell(|row, _| Value::int(row.call.asked_bytes)),
    ResultColumn::new("bytes", "size_bytes", "Size", Kind::Bytes, "How much it read, wrote or listed.").priority(2).summed()
        .cell(|row, _| Value::int(row.call.bytes)),
    ResultColumn::new("from", "served_from", "From", Kind::Text, "Of reads: `cache` if the system had the data in memory, `disk` if the call itself caused a read, `wait` if it slept without that, for example for data that another call was already reading, or for a server.").priority(2).rigid()
        .cell(|row, _| Value::optional(served_from(&row.call))),
    ResultColumn::new("disk", "disk_bytes", "Read from disk", Kind::Bytes, "How much the call read from disks, including what the system read ahead.").hidden()
        .cell(|row, _| Value::int(row.call.disk_bytes)),
    ResultColumn::new("how", "how", "How", Kind::Text, "`durable` if written data is on the disk when the call returns (`O_SYNC`, `O_DSYNC`), `direct` if it bypasses the cache (`O_DIRECT`).").priority(5)
        .cell(|row, _| Value::text(&how(row.call.flags))),
    ResultColumn::new("remarks", "remarks", "Remarks", Kind::Text, "What else is known of the path, as in the table of sums.").hidden()
        .cell(|row, of| Value::text(&of.names.get(row.call.file).as_ref().map_or_else(String::new, remarks))),
    ResultColumn::new("path", "path", "File", Kind::Text, "The path; `several` where there were too many files to keep apart.").priority(0)
        .cell(|row, of| Value::text(of.names.path(row.call.file))),
    ResultColumn::new("to", "to_path", "To", Kind::Text, "What it was renamed, linked or copied to.").priority(2)
        .cell(|row, of| row.call.other_file.map_or(Value::Null, |other| Value::text(of.names.path(Some(other))))),
    ResultColumn::new("frames", "stack", "Made by", Kind::Text, "Functions of the program, nearest to the leaf first, where a stack of this call was recorded.").priority(3)
        .cell(frames),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

struct Row {
    call: SingleCall,
    stack: Option<StackId>,
}

struct Context {
    facts: Facts,
    names: FileNames,
    stacks: Option<Stacks>,
}

fn frames(row: &Row, of: &Context) -> Value {
    let (Some(stack), Some(stacks)) = (row.stack, &of.stacks) else {
        return Value::Null;
    };
    match stacks.user_frames(Some(stack), 5).as_slice() {
        [] => Value::Null,
        frames => Value::text(&frames.join(" < ")),
    }
}

/// Returns in words how a file is used, if not in the ordinary way.
pub(super) fn how(flags: FileCallFlags) -> String {
    let told = [FileCallFlags::DURABLE, FileCallFlags::DIRECT];
    let all = FileCallFlags::ALL.iter();
    let told = all.filter(|(flag, _)| told.contains(flag) && flags.has(*flag));
    told.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

/// Returns where the data of a read came from, if known.
fn served_from(call: &SingleCall) -> Option<&'static str> {
    let reads = matches!(call.operation, FileOperation::Read | FileOperation::List);
    let is_read = reads && call.bytes.is_some_and(|bytes| bytes > 0);
    match call.disk_bytes.filter(|_| is_read)? {
        0 if call.flags.has(FileCallFlags::SLEPT) => Some("wait"),
        0 => Some("cache"),
        _ => Some("disk"),
    }
}

/// Lists the `wanted` calls.
pub(super) fn ask(
    views: &[View<'_>],
    request: &Request<'_>,
    wanted: &Wanted,
) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::SingleFileCalls) {
            return Ok(Read::lacks(&facts, Capability::SingleFileCalls));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let names = FileNames::read(view)?;
        let mut rows = Vec::new();
        let mut beyond = 0_u64;
        let mut whole = Whole::default();
        single_file_calls(view, &scope, |call| {
            whole.add_row(call);
            if !wanted.has(&names, call.file, call.result) {
                return;
            }
            if rows.len() >= MOST_ROWS {
                beyond += 1;
                return;
            }
            let call = *call;
            let stack = call.stack;
            rows.push(Row { call, stack });
        })?;
        let mut counted = 0_i64;
        counted_file_calls(view, &scope, |calls| {
            whole.add_counted(calls.thread, calls.sum.count);
            if wanted.has(&names, calls.file, calls.result) {
                counted = counted.saturating_add(calls.sum.count);
            }
        })?;
        let found = find_stacks(view, &scope, &mut rows, &whole)?;
        let functions = WantedStacks::read(view, selection.functions.as_ref())?;
        if selection.functions.is_some() {
            rows.retain(|row| row.stack.is_some() && functions.has(row.stack));
        }
        let mut notes = notes(&facts);
        notes.extend(thinned(rows.len(), counted));
        notes.extend(too_many(beyond));
        let stacks = found.then(|| Stacks::read(view)).transpose()?;
        let context = Context {
            facts,
            names,
            stacks,
        };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}

/// Most calls that are listed.
const MOST_ROWS: usize = 1 << 20;

/// Says how many rows were left out because there were too many.
fn too_many(beyond: u64) -> Option<Note> {
    (beyond > 0).then(|| {
        let text = format!(
            "{} more calls match than are listed; narrow the list: --file, --process, --from, --to",
            grouped(beyond)
        );
        Note::info(&text)
    })
}

/// Whether all calls of a thread have a row.
#[derive(Debug, Default)]
struct Whole(BTreeMap<ThreadId, (i64, i64)>);

impl Whole {
    fn add_row(&mut self, call: &SingleCall) {
        // What is copied is counted as read and as written.
        let copies = call.operation == FileOperation::Read && call.other_file.is_some();
        self.0.entry(call.thread).or_default().0 += if copies { 2 } else { 1 };
    }

    fn add_counted(&mut self, thread: ThreadId, count: i64) {
        let sum = self.0.entry(thread).or_default();
        sum.1 = sum.1.saturating_add(count);
    }

    fn is_whole(&self, thread: ThreadId) -> bool {
        self.0
            .get(&thread)
            .is_some_and(|(rows, counted)| rows >= counted)
    }
}

/// Returns a note on how many of the calls have a row.
fn thinned(rows: usize, counted: i64) -> Option<Note> {
    let counted = u64::try_from(counted).unwrap_or(0);
    let rows = u64::try_from(rows).unwrap_or(u64::MAX);
    // A copy is counted twice, as a read and as a write.
    (rows < counted - counted / 100).then(|| {
        let (rows, counted) = (grouped(rows), grouped(counted));
        let text = format!(
            "{rows} of {counted} calls are listed: where a CPU makes very many, only the first of each kind and those of 1 ms or more; without --list all count"
        );
        Note::info(&text)
    })
}

/// A call's stack is taken when it returns; the thread's next call comes later than this.
const AFTER_NS: i64 = 20_000;

/// Gives calls the stacks that were recorded of them: of a sample of all calls, and of those that waited. Returns
/// whether there are any.
///
/// Where some of a thread's calls have no row, a stack of the sample may be of one of these.
fn find_stacks(
    view: View<'_>,
    scope: &Scope,
    rows: &mut [Row],
    whole: &Whole,
) -> Result<bool, QueryError> {
    let mut of_thread: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        of_thread.entry(row.call.thread).or_default().push(at);
    }
    for places in of_thread.values_mut() {
        places.sort_by_key(|&at| rows[at].call.start_ns);
    }
    let mut found = rows.iter().any(|row| row.stack.is_some());
    // The last call that had begun by then, unless it ended long before.
    let place = |rows: &[Row], thread: ThreadId, ns: i64| {
        let places = of_thread.get(&thread)?;
        let after = places.partition_point(|&at| rows[at].call.start_ns <= ns);
        let at = *places.get(after.checked_sub(1)?)?;
        let end_ns = rows[at].call.end_ns().saturating_add(AFTER_NS);
        (ns <= end_ns).then_some(at)
    };
    sampled_calls(view, scope, |sample| {
        if !whole.is_whole(sample.thread) {
            return;
        }
        let at = place(rows, sample.thread, sample.time_ns);
        let row = at.and_then(|at| rows.get_mut(at));
        if let Some(row) = row.filter(|row| row.call.call == sample.call) {
            row.stack = sample.stack;
            found |= sample.stack.is_some();
        }
    })?;
    let waits = rows.iter();
    let mut waits = waits.filter(|row| row.call.flags.has(FileCallFlags::SLEPT));
    if waits.next().is_none() {
        return Ok(found);
    }
    rows::intervals(view, scope, |interval| {
        let is_wait = matches!(interval.state, ThreadState::Waiting | ThreadState::OffCpu);
        if !is_wait || interval.stack.is_none() {
            return;
        }
        let Some(at) = place(rows, interval.thread, interval.start_ns) else {
            return;
        };
        let row = &mut rows[at];
        let is_inside = interval.end_ns <= row.call.end_ns().saturating_add(AFTER_NS);
        if is_inside && row.stack.is_none() {
            row.stack = interval.stack;
            found = true;
        }
    })?;
    Ok(found)
}

impl SingleCall {
    fn end_ns(&self) -> i64 {
        let ns = self.duration_ns.unwrap_or(0);
        self.start_ns.saturating_add(ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_said() {
        assert!(thinned(100, 100).is_none());
        assert!(thinned(99, 100).is_none());
        assert!(thinned(120, 100).is_none());
        let note = thinned(1200, 90_000).unwrap();
        assert!(
            note.text.starts_with("1,200 of 90,000 calls"),
            "{}",
            note.text
        );
    }
}
