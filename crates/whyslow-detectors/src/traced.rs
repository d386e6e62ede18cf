//! The command stops another program again and again to look at what it does (ptrace): each stop takes two switches, and
//! calls about the stopped program.

use std::collections::{BTreeMap, BTreeSet};

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
    let mut pairs: BTreeMap<ThreadId, Vec<&Link>> = BTreeMap::new();
    let is_child = |link: &&Link| story.rules.class(link.class).name == "child";
    for link in story.path.links.iter().filter(is_child) {
        pairs.entry(link.waiter).or_default().push(link);
    }
    let count = |links: &[&Link]| links.iter().map(|link| link.count).sum::<i64>();
    let traced = |thread: ThreadId| {
        let calls = story.calls.threads.get(&thread);
        calls.map_or(0, |calls| calls.sum(|call, _| call.0 == PTRACE).count)
    };
    let of_tracers = pairs.into_iter().filter(|(tracer, links)| {
        let stops = count(links);
        stops >= MANY && traced(*tracer) >= stops
    });
    let (tracer, links) = of_tracers.max_by_key(|(_, links)| count(links))?;
    let most = links.iter().max_by_key(|link| link.count)?;
    let tracee = most.waker;
    let tracees: BTreeSet<ThreadId> = links.iter().map(|link| link.waker).collect();
    let on = cost(story, tracer, &tracees);
    if share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let process = story.process_of(tracer)?;
    let ns = on.ns();
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let advice = match process {
        "strace" => {
            "Let strace stop the program only at the calls that matter: strace --seccomp-bpf -f -e trace=…"
        }
        _ => {
            "Stop it only at the calls that matter: with a seccomp filter, all other calls run without a stop."
        }
    };
    let others = tracees.len() > 1;
    Some(
        Draft::new("stopped", Confidence::Certain, Extent::On(on))
            .fact("process", Value::Process(story.called(process)))
            .fact("thread", Value::Process(story.label(tracer)))
            .fact("peer", Value::Process(story.label(tracee)))
            .fact("place", Value::Place((*most.place).clone()))
            .fact("count", Value::Count(count(&links)))
            .rows("system_call", (ns, traced(tracer)), query)
            .claim(match others {
                true => "{thread} stopped {peer} and others {count} times to look at what they do (ptrace): {share} of the time",
                false => "{thread} stopped {peer} {count} times to look at what it does (ptrace): {share} of the time",
            })
            .advise(advice)
            .verify("Record it again: it should make fewer ptrace calls."),
    )
}

/// Returns what the stops cost: waking up after them, and the CPU time of the calls.
fn cost(story: &Story<'_>, tracer: ThreadId, tracees: &BTreeSet<ThreadId>) -> Spans {
    let is_one = |thread: ThreadId| thread == tracer || tracees.contains(&thread);
    let of_them = |step: &&Step| step.thread.is_some_and(is_one);
    let ready = story.path.steps.iter().filter(of_them);
    let ready = ready.filter(|step| step.what == What::Ready);
    let woken = Spans::new(ready.map(|step| {
        let competed = step.ready.competing_ns.min(step.ns());
        (step.from_ns, step.to_ns - competed)
    }));
    let all: Vec<ThreadId> = tracees.iter().copied().chain([tracer]).collect();
    let switching = worked::switching(story, &all);
    let calls = worked::sampled_in(story, &CALLS, &is_one);
    woken.and(&switching).and(&calls)
}
