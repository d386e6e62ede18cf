//! `waits`: what processes waited for, by class of wait.

use whyslow_model::{Capability, ProcessId};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::{Kind, Note, Order, Outcome, ResultColumn, Value};
use crate::rows::{self, Waker};
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Shape};
use crate::stacks::Stacks;
use crate::sums::notes;
use crate::wait::Classes;
use crate::waits::{WaitSum, WaitsByClass, is_wait};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1),
    ResultColumn::new("class", "class", "Waited for", Kind::Text, "Class of the wait by the rules for wait stacks, as `disk` or `lock`.").priority(0).rigid(),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads waited for this, summed over threads.").priority(0).summed(),
    ResultColumn::new("waits", "waits", "Waits", Kind::Count, "Number of waits.").priority(2).summed(),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest single wait.").priority(3),
    ResultColumn::new("longest-at", "longest_at_ns", "Longest at", Kind::Time, "When the longest wait began.").priority(6),
    ResultColumn::new("waker", "waker", "Woken by", Kind::Text, "The thread that ended most of this time, or `interrupt`.").priority(4),
    ResultColumn::new("waker-share", "waker_percent", "of it", Kind::Percent, "Share of the time that this waker ended.").priority(5),
    ResultColumn::new("frames", "longest_stack", "Longest wait's stack", Kind::Text, "Functions of the program in the longest wait, nearest to the leaf first; empty if none has a name.").priority(4),
];

static SHAPE: Shape = Shape {
    question: "waits",
    title: "What processes waited for",
    columns: COLUMNS,
    tree: None,
    order: Some(("wait", Order::Descending)),
    top_order: None,
    swap: &[],
};

/// Lists waits per process and class; idle kernel workers are left out unless `--idle` is given.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn waits(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &SHAPE, |view, facts| {
        if !facts.has(Capability::SwitchStacks) {
            return Ok(Read::NotRecorded(Capability::SwitchStacks));
        }
        let scope = Scope::new(facts, selection)?;
        let stacks = Stacks::read(view)?;
        let classes = Classes::new(&stacks, selection.rules());
        let mask = selection.methods.as_ref();
        let mask = mask.map(|pattern| stacks.tree.with_function(&stacks.matching(pattern)));
        let (mut rows, mut process) = (Vec::new(), None);
        let mut sums = WaitsByClass::new(classes.rules);
        let emit = |process: Option<ProcessId>, sums: &WaitsByClass, rows: &mut Vec<Vec<Value>>| {
            let Some(process) = process else {
                return;
            };
            for (class, sum) in sums.ranked() {
                if selection.idle || !classes.is_idle(class) {
                    let class = &classes.rules.class(class).name;
                    rows.push(row(facts, &stacks, process, class, sum));
                }
            }
        };
        rows::intervals(view, &scope, |interval| {
            if process != Some(interval.process) {
                emit(process, &sums, &mut rows);
                process = Some(interval.process);
                sums = WaitsByClass::new(classes.rules);
            }
            let node = stacks.tree.node(interval.stack) as usize;
            if is_wait(interval.state) && mask.as_ref().is_none_or(|mask| mask[node]) {
                sums.add(classes.of(&stacks, interval), interval);
            }
        })?;
        emit(process, &sums, &mut rows);
        let mut notes = notes(facts);
        if selection.totals && !selection.idle {
            let text = "waits of idle kernel workers are left out; --idle counts them";
            notes.push(Note::info(text));
        }
        Ok(Read::Part(Part::list(rows, notes)))
    })
}

fn row(
    facts: &Facts,
    stacks: &Stacks,
    process: ProcessId,
    class: &str,
    sum: &WaitSum,
) -> Vec<Value> {
    let row = facts.process(process);
    let (waker, share) = waker(facts, sum);
    let frames = stacks.user_frames(sum.longest_stack, 5);
    vec![
        Value::text(row.map_or("?", |row| row.name.as_str())),
        Value::int(row.map(|row| row.os_pid)),
        Value::text(class),
        Value::Int(sum.ns),
        Value::Int(sum.count),
        Value::Int(sum.longest_ns),
        Value::Int(sum.longest_at_ns),
        waker,
        share,
        match frames.as_slice() {
            [] => Value::Null,
            frames => Value::text(&frames.join(" < ")),
        },
    ]
}

/// Returns who ended most of the waits, and its share of their time.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
pub(super) fn waker(facts: &Facts, sum: &WaitSum) -> (Value, Value) {
    let Some((waker, ns)) = sum.top_waker() else {
        return (Value::Null, Value::Null);
    };
    let name = match waker {
        Waker::Thread(id) => facts.thread_label(id),
        Waker::Interrupt => "interrupt".to_owned(),
        Waker::Unknown => return (Value::Null, Value::Null),
    };
    let share = if sum.ns > 0 {
        100.0 * ns as f64 / sum.ns as f64
    } else {
        100.0
    };
    (Value::text(&name), Value::Float(share))
}
