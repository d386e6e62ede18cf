//! The command computed: the path was on a CPU, or, where no path is known, samples say so.

mod event_loop;
mod files;
mod most;
mod program;
mod repeated;
mod rounds;
mod unit;

use whyslow_model::Capability;

use super::handed;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::callees::{self, Callee};
use whyslow_story::path::{Step, What};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(super) use most::Most;

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        ("cpu", "it computed"),
        ("spin", "it kept a CPU busy while it waited"),
    ],
    find,
};

/// Fewer samples say nothing about where it computed.
const FEW_SAMPLES: i64 = 5;

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return vec![sampled(story)];
    }
    if let Some(unit) = unit::largest(story) {
        let is_unit = |step: &Step| unit.has(story, step);
        let others = on_path(story, &|step| !is_unit(step));
        return vec![unit.draft(story), others];
    }
    // What a child computed while the command waited for it belongs to that wait.
    let mut drafts = match handed::for_computing_child(story) {
        Some(waits) => {
            let inside = |step: &Step| waits.within(step.from_ns, step.to_ns) * 2 > step.ns();
            let outside = |step: &Step| !inside(step);
            // Workers that are copies of the command: the samples do not tell whose time is where.
            let runner = |wanted: &dyn Fn(&Step) -> bool| {
                let runners = story.runners_while(wanted);
                runners.first().map(|&(name, _)| name.to_owned())
            };
            match runner(&inside) == runner(&outside) {
                true => vec![on_path(story, &|_| true)],
                false => vec![on_path(story, &inside), on_path(story, &outside)],
            }
        }
        None => vec![on_path(story, &|_| true)],
    };
    drafts.extend(rounds::find(story));
    drafts
}

/// A program with less of the time than this percentage did not compute alone.
const ALONE: f64 = 80.0;

/// At most this many programs are listed with their shares.
const MOST_PROGRAMS: usize = 4;

/// Adds how much of the time each program computed.
fn each(story: &Story<'_>, draft: Draft, runners: &[(&str, i64)], ns: i64) -> Draft {
    let parts = runners
        .iter()
        .map(|&(name, of)| (story.called(name), share(of, ns)));
    let parts: Vec<_> = parts
        .filter(|(_, part)| *part >= 1.0)
        .take(MOST_PROGRAMS)
        .collect();
    draft
        .fact("programs", Value::Shares(parts))
        .detail(Message::new("Of that: {programs}"))
}

/// Drafts what the path computed in its `wanted` steps.
#[expect(clippy::cast_precision_loss, reason = "ratios for a person")]
fn on_path(story: &Story<'_>, wanted: &dyn Fn(&Step) -> bool) -> Draft {
    let ran = |step: &Step| step.what == What::Cpu && wanted(step);
    let on = story.path.when(ran);
    let (ns, wall) = (on.ns(), story.wall_ns());
    let used = story.path.all_cpu_ns as f64 / wall.max(1) as f64;
    let runners = story.runners_while(wanted);
    let runner = runners.first().map_or(story.root_name(), |(name, _)| *name);
    let is_own = runner == story.root_name();
    let are_others = runners.len() > 1
        && runners
            .first()
            .is_some_and(|(_, most)| share(*most, ns) < ALONE);
    let draft = Draft::new("cpu", Confidence::Certain, Extent::On(on))
        .fact("process", Value::Process(story.called(runner)))
        .fact("cpus-used", Value::Ratio(used))
        .fact("cpus", Value::Count(story.cpus().unwrap_or(1).into()));
    let draft = draft.claim(match (is_own, are_others) {
        (true, _) => "It computed",
        (false, false) => "{process} computed",
        (false, true) => "{process} and others computed",
    });
    let draft = match story.cpus().filter(|&cpus| cpus > 1) {
        Some(_) if story.path.tids.len() == 1 && share(ns, wall) >= 50.0 => {
            draft.claim(" on one of {cpus} CPUs: {share} of the time")
        }
        Some(_) if used < 1.3 && share(ns, wall) >= 50.0 => draft.claim(
            " mostly on one CPU at a time: {share} of the time ({cpus-used} of {cpus} CPUs)",
        ),
        Some(cpus) if used >= 0.85 * f64::from(cpus) => {
            draft.claim(" on all CPUs: {share} of the time ({cpus-used} of {cpus} CPUs)")
        }
        _ => draft.claim(": {share} of the time"),
    };
    let draft = match is_own {
        true => draft.rest("It also computed: {share} of the time"),
        false => draft
            .rest(match are_others {
                true => "{process} and others also computed: {share} of the time",
                false => "{process} also computed: {share} of the time",
            })
            .fact("peer", Value::Process(story.called(runner))),
    };
    let draft = match are_others {
        true => each(story, draft, &runners, ns),
        false => draft,
    };
    let runs = story.path.steps.iter().filter(|step| ran(step)).count();
    let runs = i64::try_from(runs).unwrap_or(i64::MAX);
    let query = Query::new("when its threads ran", "threads", &["--process", runner]);
    let draft = draft.rows("thread_state", (ns, runs), query);
    let draft = match is_own {
        true => draft,
        false => repeated::add(story, draft, runner),
    };
    // The place of most of the CPU time is the place of this part only if both are of the same
    // program.
    match runner == story.runner() {
        true => files::add(story, place(story, draft), (runner, ns)),
        false if are_others => draft,
        false => program::add_place(story, draft, runner),
    }
}

/// Returns what can be said without switches.
fn sampled(story: &Story<'_>) -> Draft {
    let (hot, wall) = (&story.hot, story.wall_ns());
    let part = share(hot.all_ns, wall);
    let draft = Draft::new("cpu", Confidence::Possible, Extent::Some(hot.all_ns))
        .fact("process", Value::Process(story.called(story.root_name())))
        .fact("cpu-share", Value::Share(part))
        .claim("It computed: its CPU time is {cpu-share} of the wall time");
    let draft = match part < 50.0 {
        true => draft.claim("; it mostly waited, and what for was not recorded"),
        false => draft,
    };
    let query = Query::new("by process", "cpu", &["--process", story.root_name()]);
    let draft = draft.rows("cpu_sample", (hot.all_ns, hot.all_samples), query);
    place(story, draft)
}

/// Adds where in the program most of the CPU time went.
fn place(story: &Story<'_>, draft: Draft) -> Draft {
    let hot = &story.hot;
    if hot.samples < FEW_SAMPLES || !story.facts.has(Capability::CpuSamples) {
        return draft;
    }
    let kernel = share(hot.kernel_ns, hot.ns);
    let mut draft = draft.fact("kernel-share", Value::Share(kernel));
    if let Some(rest) = Most::beside_disk(story) {
        let Some(most) = rest else { return draft };
        let message = most.message();
        let query = Query::new(
            "where it computed",
            "stacks",
            &["--process", story.runner()],
        );
        let draft = most.facts(draft).detail(message);
        return draft.rows("cpu_sample", (hot.ns, hot.samples), query);
    }
    let mut message: Option<Message> = None;
    if let Some(most) = Most::of(story).or_else(|| Most::largest(story)) {
        message = Some(most.message());
        draft = most.facts(draft);
    }
    if let Some(leaf) = hot.leaves.first()
        && share(leaf.ns, hot.ns) >= 40.0
    {
        let name = story.code.name(leaf.function);
        let said = draft.facts.iter().any(|(_, value)| match value {
            Value::Place(place) => place.functions().any(|known| known == name),
            _ => false,
        });
        draft = draft
            .fact("leaf", Value::Place(Place::function(&name)))
            .fact("leaf-share", Value::Share(share(leaf.ns, hot.ns)));
        message = match message {
            None => Some(Message::new("{leaf-share} of the CPU time in {leaf}")),
            Some(message) if !said => Some(message.and(", {leaf-share} in {leaf}")),
            known => known,
        };
    }
    let Some(message) = message else {
        return draft;
    };
    let message = match kernel >= 60.0 {
        true => message.and("; {kernel-share} in the kernel"),
        false => message,
    };
    let process = ["--process", story.runner()];
    let query = Query::new("where it computed", "stacks", &process);
    let draft = called(story, draft.detail(message));
    let draft = collected(story, event_loop::add(story, draft));
    draft.rows("cpu_sample", (hot.ns, hot.samples), query)
}

/// Collecting garbage is worth a line from this percentage of the CPU time on, and a finding from this percentage of the
/// command's own time on.
const COLLECTED: f64 = 15.0;
const COLLECTED_MUCH: f64 = 30.0;

/// Adds how much of the time went into collecting garbage, if that is not a finding of its own.
fn collected(story: &Story<'_>, draft: Draft) -> Draft {
    let gc = story.hot.works.iter().find(|work| work.class.name == "gc");
    let part = gc.map_or(0.0, |work| share(work.ns, story.hot.ns));
    let of_time = part * share(story.path.cpu_ns(), story.own_ns()) / 100.0;
    match part >= COLLECTED && of_time < COLLECTED_MUCH {
        true => draft
            .fact("collected", Value::Share(part))
            .detail(Message::new(
                "The garbage collector used {collected} of the CPU time.",
            )),
        false => draft,
    }
}

/// A callee with less of the CPU time than this percentage is not worth naming.
const MUCH_CALLED: f64 = 10.0;

/// The most callees that are named.
const CALLEES: usize = 3;

/// Adds which library functions the user's function called, if they took much of the time.
fn called(story: &Story<'_>, draft: Draft) -> Draft {
    let hot = &story.hot;
    let is_place = hot.own.as_ref().and_then(|own| own.functions.last());
    let is_place = is_place.is_some_and(|&id| {
        let name = story.code.name(id);
        draft.facts.iter().any(|(key, value)| match value {
            Value::Place(place) => {
                let is_named = matches!(*key, "place" | "inner");
                is_named && place.functions().next() == Some(&*name)
            }
            _ => false,
        })
    });
    let much = |callees: &[Callee]| -> Vec<(String, f64)> {
        let parts = callees
            .iter()
            .map(|callee| (callee.name.clone(), share(callee.ns, hot.ns)));
        let much = parts.filter(|(_, part)| *part >= MUCH_CALLED);
        much.take(CALLEES).collect()
    };
    let called = much(&hot.callees);
    let function = hot.own.as_ref().and_then(|own| own.functions.last());
    let Some(&function) = function.filter(|_| is_place && !called.is_empty()) else {
        return draft;
    };
    let stacks = hot.stacks.iter().map(|(&(node, _), &ns)| (node, ns));
    let inside = much(&callees::inside(story.code, stacks, function));
    let draft = draft.fact("callees", Value::Shares(called));
    match inside.is_empty() {
        true => draft.detail(Message::new("CPU time of what it called: {callees}")),
        false => draft
            .fact("inside", Value::Shares(inside))
            .detail(Message::new(
                "CPU time of what it called: {callees}; further inside: {inside}",
            )),
    }
}
