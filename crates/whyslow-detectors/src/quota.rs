//! A CPU quota stopped the path: its group of processes had used it up.
//!
//! The kernel says for each switch whether that was the reason, so nothing here is guessed. Which
//! group, and
//! how much it may use, is known where groups were read.

use whyslow_query::groups::Usage;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::path::{Step, What};
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "quota",
        "it was ready to run, but its group of processes had used up its CPU quota",
    )],
    find,
};

fn find(story: &Story<'_>) -> Vec<Draft> {
    let of_group = of_groups(story).into_iter();
    of_group.chain(of_class(story)).collect()
}

/// Finds threads of the deadline class that had used up their time.
fn of_class(story: &Story<'_>) -> Option<Draft> {
    let on = story.rivals.used_up.clone();
    let ns = on.ns();
    if ns == 0 {
        return None;
    }
    let count = i64::try_from(on.parts().count()).unwrap_or(i64::MAX);
    let is_it = |step: &&Step| step.what == What::Ready && on.within(step.from_ns, step.to_ns) > 0;
    let steps = story.path.steps.iter().filter(is_it);
    let thread = steps.max_by_key(|step| step.ns())?.thread?;
    let name = story.process_of(thread)?;
    let query = Query::new(
        "its class",
        "threads",
        &["--process", name, "--columns", "+scheduling"],
    );
    Some(
        // Its class and the length say so, not the kernel.
        Draft::new("quota", Confidence::Likely, Extent::On(on))
            .of_process(story, name)
            .fact("count", Value::Count(count))
            .claim(" used up its time in the deadline class {count} times, and then waited for its next period: {share} of the time")
            .rows("thread_state", (ns, count), query)
            .advise("Give it more time in each period (chrt --sched-runtime), or the usual scheduling class.")
            .verify("Record it again with more time: the time without a CPU should be gone."),
    )
}

/// Finds groups that had used up their quota.
fn of_groups(story: &Story<'_>) -> Vec<Draft> {
    let stopped = |step: &Step| step.what == What::Ready && step.ready.throttled_ns > 0;
    let when = story.path.when(stopped);
    if when.ns() == 0 {
        return Vec::new();
    }
    let steps = story.path.steps.iter().filter(|step| stopped(step));
    let count = i64::try_from(steps.clone().count()).unwrap_or(i64::MAX);
    let longest = steps.clone().max_by_key(|step| step.ns());
    let thread = longest.and_then(|step| Some((step.thread?, step.from_ns)));
    let process = thread.and_then(|(thread, ns)| Some((story.facts.thread(thread)?.process, ns)));
    let name = thread.and_then(|(thread, _)| story.process_of(thread));
    let name = name.unwrap_or(story.root_name()).to_owned();
    let ns = when.ns();
    let usage = process.and_then(|(process, ns)| story.limits.quota_of(story.facts, process, ns));
    let draft = Draft::new("quota", Confidence::Certain, Extent::On(when))
        .fact("process", Value::Process(name.clone()))
        .fact("count", Value::Count(count));
    let draft = match usage.and_then(|usage| of_group(&usage, draft.clone())) {
        Some(draft) => draft,
        None => draft.claim("A CPU quota stopped it {count} times: {share} of the time"),
    };
    let threads = ["--process", &name, "--columns", "+throttled"];
    let query = Query::new("who was stopped for how long", "threads", &threads);
    let draft = draft.rows("thread_state", (ns, count), query);
    let query = Query::new("all groups with a limit", "limits", &[]);
    let draft = draft.rows("group_reading", (ns, 0), query);
    let draft = draft
        .advise("Raise the quota, or let fewer of the group's threads compute at once.")
        .verify("Record it again with a larger quota: the time without a CPU should be gone.");
    vec![draft]
}

/// Adds which group it is, what it may use, and how often it was stopped.
fn of_group(usage: &Usage<'_>, draft: Draft) -> Option<Draft> {
    let quota = usage.last.cpu_quota_ns.filter(|&ns| ns > 0)?;
    let period = usage.last.cpu_period_ns.filter(|&ns| ns > 0)?;
    let draft = draft
        .fact("object", Value::Text(usage.group.name.clone()))
        .fact("quota", Value::Time(quota))
        .fact("period", Value::Time(period))
        .fact("quota-share", Value::Share(share(quota, period)))
        .detail(Message::new(
            "It may use {quota} of CPU time in each {period} ({quota-share} of a CPU).",
        ));
    let (Some(stopped), Some(periods)) = (usage.throttled_periods, usage.periods) else {
        let claim = "The CPU quota of {object} stopped it {count} times: {share} of the time";
        return Some(draft.claim(claim));
    };
    let draft = draft
        .fact("periods", Value::Count(periods))
        .fact("stopped-periods", Value::Count(stopped));
    // How often its own path was stopped is a different number, which would only confuse here.
    Some(
        draft
            .claim("The CPU quota of {object} stopped it: {share} of the time")
            .detail(Message::new(
                "It was used up in {stopped-periods} of {periods} periods.",
            )),
    )
}
