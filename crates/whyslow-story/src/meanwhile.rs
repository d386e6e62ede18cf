//! What other processes of this machine did while the path waited for them.
//!
//! ```text
//! client    ██ asks ─────────── waits ──────────────██     the path: it waited for the gateway
//! gateway    ─ waits ─██ asks ──── waits ────██ answers    its path meanwhile: the office …
//! office           ─ waits ─████ computes ████ answers     … and that one's: it computed
//! ```
//!
//! The path of each wait continues in the process that ended it, by the same walk as within the
//! command,
//! and from there to those that this one waited for.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Waker;
use whyslow_query::rows;
use whyslow_query::wait::{Classes, Ends};

use crate::code::Code;
use crate::command::Command;
use crate::file_names::Names;
use crate::path::{Step, What};
use crate::story::{Story, share};
use crate::walk::is_program;
use whyslow_query::spans::Spans;

/// Waits for others that take less of the command's own time than this percentage are not followed.
const MUCH: f64 = 15.0;

/// A process that ended less of the time waited than this percentage is not followed.
const PART: f64 = 10.0;

/// The most processes that are followed at each step.
const MOST: usize = 8;

/// How many steps lead from one process to the next at most, the first included.
const MOST_STEPS: usize = 3;

/// The processes that the path waited for, those that they waited for, and when.
#[derive(Debug)]
pub struct Strangers {
    /// The processes, as if they were one command.
    pub command: Command,
    /// The waits of the path, each with the thread that ended it.
    pub stretches: Vec<(ThreadId, (i64, i64))>,
}

impl Strangers {
    /// Finds them by the waits of the path that are to be `followed`; `None` if it did not wait much for
    /// others.
    pub fn find(
        view: View<'_>,
        facts: &Facts,
        story: &Story<'_>,
        followed: &BTreeSet<usize>,
    ) -> Result<Option<Self>, QueryError> {
        let stretch = |step: &Step| match step.what {
            What::Wait(at) if followed.contains(&at) => {
                let waker = step
                    .waker
                    .filter(|&id| is_stranger(facts, story.command, id))?;
                Some((waker, (step.from_ns, step.to_ns)))
            }
            _ => None,
        };
        let stretches: Vec<_> = story.path.steps.iter().filter_map(stretch).collect();
        let when = Spans::new(stretches.iter().map(|&(_, span)| span));
        let Some(&(first, _)) = stretches.first() else {
            return Ok(None);
        };
        if share(when.ns(), story.own_ns()) < MUCH {
            return Ok(None);
        }
        let mut ended = BTreeMap::new();
        for (thread, (from, to)) in &stretches {
            if let Some(row) = facts.thread(*thread) {
                *ended.entry(row.process).or_insert(0) += to - from;
            }
        }
        let mut members = BTreeSet::new();
        let mut more = much_of(ended, when.ns());
        for _ in 0..MOST_STEPS {
            if more.is_empty() {
                break;
            }
            members.extend(more.iter().copied());
            let ended = enders(view, facts, story, (&more, &members), &when)?;
            more = much_of(ended, when.ns());
        }
        let Some(first) = facts.thread(first) else {
            return Ok(None);
        };
        let command = Command::of(facts, &members, first.process, story.command.span_ns);
        Ok(Some(Self { command, stretches }))
    }
}

fn is_stranger(facts: &Facts, command: &Command, id: ThreadId) -> bool {
    is_program(facts, id) && !command.has_thread(id)
}

/// Returns the processes with much of the time.
fn much_of(ended: BTreeMap<ProcessId, i64>, all_ns: i64) -> BTreeSet<ProcessId> {
    let much = ended.into_iter();
    let much = much.filter(|&(_, ns)| share(ns, all_ns) >= PART);
    let mut much: Vec<_> = much.map(|(id, ns)| (std::cmp::Reverse(ns), id)).collect();
    much.sort_unstable();
    much.into_iter().take(MOST).map(|(_, id)| id).collect()
}

/// Returns the processes outside the command and `known` that ended waits of those in `of`, with how much
/// of `when` these waits took.
fn enders(
    view: View<'_>,
    facts: &Facts,
    story: &Story<'_>,
    (of, known): (&BTreeSet<ProcessId>, &BTreeSet<ProcessId>),
    when: &Spans,
) -> Result<BTreeMap<ProcessId, i64>, QueryError> {
    let stacks = story.code.stacks;
    let ends = Ends::new(stacks, story.rules);
    let members = Command::of(facts, of, ProcessId(0), story.command.span_ns);
    // Several threads of a process may have waited at once: that counts once.
    let mut waited: BTreeMap<ProcessId, Vec<(i64, i64)>> = BTreeMap::new();
    rows::detailed_intervals(view, &members.scope(), |interval| {
        if when.within(interval.start_ns, interval.end_ns) == 0 {
            return;
        }
        let (_, Waker::Thread(waker)) = ends.of(stacks, interval) else {
            return;
        };
        let Some(row) = facts.thread(waker) else {
            return;
        };
        if !known.contains(&row.process) && is_stranger(facts, story.command, waker) {
            let spans = waited.entry(row.process).or_default();
            spans.extend(when.cut(interval.start_ns, interval.end_ns));
        }
    })?;
    let ended = waited.into_iter();
    Ok(ended
        .map(|(id, spans)| (id, Spans::new(spans).ns()))
        .collect())
}

impl<'a> Story<'a> {
    /// Follows the strangers while the path waited for them.
    pub fn of_strangers(
        view: View<'_>,
        facts: &'a Facts,
        strangers: &'a Strangers,
        code: &'a Code<'a>,
        names: &Names<'_>,
    ) -> Result<Self, QueryError> {
        let (command, stretches) = (&strangers.command, &strangers.stretches);
        let classes = Classes::new(code.stacks, whyslow_query::wait::Rules::shipped());
        let path = crate::walk::follow_each(view, facts, command, code, &classes, stretches)?;
        Self::along((view, names), (facts, command), code, classes.rules, path)
    }
}
