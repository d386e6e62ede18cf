//! The command stops another program again and again to look at what it does (ptrace): each stop takes two switches, and
//! calls about the stopped program.

use std::collections::BTreeMap;

use whyslow_model::ThreadId;

use super::worked;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::path::{Link, Step, What};
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[],
    find: |story| find(story).into_iter().collect(),
};

const PTRACE: i32 = 101;

/// `ptrace` and the calls that wait for a stop; at which the stopped program stops.
const CALLS: [&str; 3] = ["ptrace", "wait4", "waitid"];

/// Fewer stops do not matter.
const MANY: i64 = 1000;

/// Stops that cost less of the command's own time than this percentage do not matter.
const MUCH: f64 = 20.0;

fn find(story: &Story<'_>) -> Option<Draft> {
    let mut pairs: BTreeMap<(ThreadId, ThreadId), Vec<&Link>> = BTreeMap::new();
    let is_child = |link: &&Link| story.rules.class(link.class).name == "child";
    for link in story.path.links.iter().filter(is_child) {
        let pair = pairs.entry((link.waiter, link.waker)).or_default();
        pair.push(link);
    }
    let count = |links: &[&Link]| links.iter().map(|link| link.count).sum::<i64>();
    let traced = |thread: ThreadId| {
        let calls = story.calls.threads.get(&thread);
        calls.map_or(0, |calls| calls.sum(|call, _| call.0 == PTRACE).count)
    };
    let of_tracers = pairs.into_iter().filter(|((waiter, _), links)| {
        let stops = count(links);
        stops >= MANY && traced(*waiter) >= stops
    });
    let ((tracer, tracee), links) = of_tracers.max_by_key(|(_, links)| count(links))?;
    let on = cost(story, (tracer, tracee));
    if share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let process = story.process_of(tracer)?;
    let ns = on.ns();
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let most = links.iter().max_by_key(|link| link.ns)?;
    Some(
        Draft::new("stopped", Confidence::Certain, Extent::On(on))
            .fact("process", Value::Process(story.called(process)))
            .fact("thread", Value::Process(story.label(tracer)))
            .fact("peer", Value::Process(story.label(tracee)))
            .fact("place", Value::Place((*most.place).clone()))
            .fact("count", Value::Count(count(&links)))
            .rows("system_call", (ns, traced(tracer)), query)
            .claim("{thread} stopped {peer} {count} times to look at what it does (ptrace): {share} of the time")
            .advise("Stop it only at the calls that matter: a seccomp filter lets all others pass.")
            .verify("Record it again: it should make fewer ptrace calls."),
    )
}

/// Returns what the stops cost: waking up after them, and the CPU time of the calls.
fn cost(story: &Story<'_>, threads: (ThreadId, ThreadId)) -> Spans {
    let of_pair = |step: &&Step| [Some(threads.0), Some(threads.1)].contains(&step.thread);
    let ready = story.path.steps.iter().filter(of_pair);
    let ready = ready.filter(|step| step.what == What::Ready);
    let woken = Spans::new(ready.map(|step| {
        let competed = step.ready.competing_ns.min(step.ns());
        (step.from_ns, step.to_ns - competed)
    }));
    let switching = worked::switching(story, &[threads.0, threads.1]);
    let calls = worked::sampled_in(story, &CALLS);
    woken.and(&switching).and(&calls)
}
