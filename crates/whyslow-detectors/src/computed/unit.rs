//! One process of a compiler that took much of the time, and what it translated.

use whyslow_model::ProcessId;

use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use whyslow_story::path::{Step, What};
use whyslow_story::story::{Story, share};
use whyslow_story::unit;

/// One process with less of the time than this percentage is one of many.
const MUCH: f64 = 20.0;

/// What one process of a compiler translated.
pub(super) struct Unit {
    process: ProcessId,
    name: String,
}

/// Returns the process of the command that computed most, if that is a compiler which another one started.
pub(super) fn largest(story: &Story<'_>) -> Option<Unit> {
    let ran = story.ran_while(&|_| true).into_iter();
    let (process, ns) = ran.max_by_key(|&(_, ns)| ns)?;
    let row = story.facts.process(process)?;
    let name = unit::of(row.command_line.as_deref()?)?;
    let is_much = row.name != story.root_name() && share(ns, story.own_ns()) >= MUCH;
    is_much.then_some(Unit { process, name })
}

impl Unit {
    pub(super) fn has(&self, story: &Story<'_>, step: &Step) -> bool {
        let thread = step.thread.and_then(|id| story.facts.thread(id));
        thread.is_some_and(|thread| thread.process == self.process)
    }

    pub(super) fn draft(self, story: &Story<'_>) -> Draft {
        let ran = |step: &Step| step.what == What::Cpu && self.has(story, step);
        let on = story.path.when(ran);
        let steps = story.path.steps.iter().filter(|step| ran(step)).count();
        let steps = i64::try_from(steps).unwrap_or(i64::MAX);
        let row = &story.facts.processes[self.process.index()];
        let pid = row.os_pid.to_string();
        let query = Query::new("when its threads ran", "threads", &["--process", &pid]);
        let called = format!("{} ({})", row.name, self.name);
        let ns = on.ns();
        Draft::new("cpu", Confidence::Certain, Extent::On(on))
            .fact("process", Value::Process(row.name.clone()))
            .fact("peer", Value::Process(called))
            .fact("unit", Value::Text(self.name))
            .fact("pid", Value::Count(row.os_pid.into()))
            .claim("{process} compiled {unit}, in one process: {share} of the time")
            .rows("thread_state", (ns, steps), query)
    }
}
