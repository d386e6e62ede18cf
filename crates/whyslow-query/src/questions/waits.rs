//! `waits`: what processes waited for, by class of wait.

use whyslow_model::{Capability, ProcessId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::objects::Objects;
use crate::own_stacks::OwnStacks;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::shown::{LANGUAGE, NO_NATIVE, Shown};
use crate::stacks::Stacks;
use crate::sums::notes;
use crate::view::View;
use crate::wait::{Classes, Ends};
use crate::waits::{EndedWait, EndedWaits, WaitSum, WaitsByClass, is_wait};

/// The question.
pub(super) static QUESTION: Question = Question {
    name: "waits",
    about: "What was waited for: disk, lock, pipe, sleep, child …",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[LANGUAGE, NO_NATIVE],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
The kernel functions in which a thread waited decide the class of the wait: disk, lock, pipe, socket,
sleep, child, page fault …

Examples:
  whyslow waits x.whyslow --process make
  whyslow waits x.whyslow --thread 4711 --from 2s --to 3s";

static TABLE: ResultSchema = ResultSchema::new(
    "waits",
    "What processes waited for.",
    "What processes waited for",
    &SHOWN,
)
.largest("wait");

#[rustfmt::skip]
const COLUMNS: Columns<Row, File> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, of| Value::text(of.facts.process_name(row.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1)
        .cell(|row, of| Value::int(of.facts.process(row.process).map(|process| process.os_pid))),
    ResultColumn::new("class", "class", "Waited for", Kind::Text, "Class of the wait by the rules for wait stacks, such as `disk` or `lock`.").priority(0).rigid()
        .cell(|row, _| Value::text(&row.class)),
    ResultColumn::new("object", "object", "Object", Kind::Text, "What most of that time was for, where known: a path, the address and port of the other end, a child.").priority(2)
        .cell(|row, of| Value::optional(row.sum.top_object().and_then(|object| of.objects.name(object)).as_deref())),
    ResultColumn::new("holder", "holder", "Held by", Kind::Text, "Who the wait depended on, if known: the holder of the lock when the wait began, the sender of the signal, the program that decides whether the file may be used (fanotify), the tracer, the program that serves the file system, or the process at the other end. A thread for locks in memory, otherwise a process.").priority(5)
        .cell(|row, of| Value::optional(row.sum.top_object().and_then(|object| of.objects.holder(object, &of.facts)).as_deref())),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads waited for this, summed over threads.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.ns)),
    ResultColumn::new("waits", "waits", "Waits", Kind::Count, "Number of waits.").priority(2).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest single wait.").priority(3)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("longest-at", "longest_at_ns", "Longest at", Kind::Time, "When the longest wait began.").priority(6)
        .cell(|row, _| Value::Int(row.sum.longest_at_ns)),
    ResultColumn::new("ended-by", "ended_by", "Ended by", Kind::Text, "What ended most of this time: `thread`, `timeout` (the call's own time was up), `disk`, `network`, `timer`, `signal`, `kill`, `recording` and others, by the rules for wait stacks.").priority(3).rigid()
        .cell(|row, _| Value::optional(row.ended_by.as_deref())),
    ResultColumn::new("waker", "waker", "Woken by", Kind::Text, "The thread that ended most of this time, or `interrupt`.").priority(4)
        .cell(|row, of| row.sum.waker(&of.facts)),
    ResultColumn::new("waker-share", "waker_percent", "Waker's share", Kind::Percent, "Share of the time that this waker ended.").priority(5)
        .cell(|row, _| row.sum.waker_share()),
    ResultColumn::new("frames", "longest_stack", "Longest wait's stack", Kind::Text, "Functions of the program in the longest wait, nearest to the leaf first; empty if none has a name.").priority(4)
        .cell(frames),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// The waits of one class in one process.
struct Row {
    process: ProcessId,
    class: String,
    /// What ended most of the time.
    ended_by: Option<String>,
    sum: WaitSum,
}

/// What all rows of a file share.
struct File {
    facts: Facts,
    stacks: Stacks,
    objects: Objects,
}

fn frames(row: &Row, of: &File) -> Value {
    match of.stacks.user_frames(row.sum.longest_stack, 5).as_slice() {
        [] => Value::Null,
        frames => Value::text(&frames.join(" < ")),
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    waits(views, request.selection, Shown::chosen(request.arguments))
}

/// Lists waits per process and class; idle kernel workers are left out unless `--idle` is given.
fn waits(
    views: &[View<'_>],
    selection: &Selection,
    shown: Option<Shown>,
) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::SwitchStacks) {
            return Ok(Read::lacks(&facts, Capability::SwitchStacks));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let stacks = Stacks::read(view)?;
        let classes = Classes::new(&stacks, selection.rules());
        let mask = selection.functions.as_ref();
        let mask = mask.map(|pattern| stacks.tree.with_function(&stacks.matching(pattern)));
        let (mut rows, mut process) = (Vec::new(), None);
        let mut sums = WaitsByClass::new(classes.rules);
        let ends = Ends::new(&stacks, classes.rules);
        let mut own_stacks = OwnStacks::default();
        let mut ended = EndedWaits::new(&ends, &stacks, &facts);
        let emit = |process: Option<ProcessId>, sums: &WaitsByClass, rows: &mut Vec<Row>| {
            let Some(process) = process else {
                return;
            };
            for (class, sum) in sums.ranked() {
                if selection.idle || !classes.is_idle(class) {
                    rows.push(Row {
                        process,
                        class: classes.rules.class(class).name.clone(),
                        ended_by: sum.ended_by(classes.rules),
                        sum: sum.clone(),
                    });
                }
            }
        };
        let add = |sums: &mut WaitsByClass, wait: Option<EndedWait>| {
            if let Some(wait) = wait {
                sums.add(classes.of(&stacks, &wait.interval), &wait);
            }
        };
        rows::detailed_intervals(view, &scope, |interval| {
            if process != Some(interval.process) {
                add(&mut sums, ended.finish());
                emit(process, &sums, &mut rows);
                process = Some(interval.process);
                sums = WaitsByClass::new(classes.rules);
            }
            let node = stacks.tree.node(interval.stack) as usize;
            if is_wait(interval.state) && mask.as_ref().is_none_or(|mask| mask[node]) {
                own_stacks.add(interval);
                add(&mut sums, ended.push(interval));
            }
        })?;
        add(&mut sums, ended.finish());
        emit(process, &sums, &mut rows);
        let mut notes = notes(&facts);
        notes.extend(own_stacks.note(&facts));
        if selection.totals && !selection.idle {
            let text = "waits of idle kernel workers are left out; --idle counts them";
            notes.push(Note::info(text));
        }
        // All frames are needed to classify a wait.
        let mut stacks = stacks;
        if let Some(shown) = shown {
            shown.apply(&mut stacks);
        }
        let file = File {
            objects: Objects::read(view)?,
            facts,
            stacks,
        };
        Ok(Read::rows(COLUMNS, rows, file, notes))
    })
}
