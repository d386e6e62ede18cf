//! The command computed: the path was on a CPU, or, where no path is known, samples say so.

use whyslow_model::Capability;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use crate::path::What;
use crate::place::Place;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[("cpu", "it computed")],
    find,
};

/// Fewer samples say nothing of where it computed.
const FEW_SAMPLES: i64 = 5;

/// A function of the user's own with less of the CPU time than this is not the place of it.
const MUCH: f64 = 40.0;

fn find(story: &Story<'_>) -> Vec<Draft> {
    vec![match story.has_path() {
        true => on_path(story),
        false => sampled(story),
    }]
}

#[expect(clippy::cast_precision_loss, reason = "ratios for a person")]
fn on_path(story: &Story<'_>) -> Draft {
    let on = story.path.when(|step| step.what == What::Cpu);
    let (ns, wall) = (on.ns(), story.wall_ns());
    let used = story.path.all_cpu_ns as f64 / wall.max(1) as f64;
    let draft = Draft::new("cpu", Confidence::Certain, Extent::On(on))
        .fact("process", Value::Process(story.runner().to_owned()))
        .fact("cpus-used", Value::Ratio(used))
        .fact("cpus", Value::Count(story.cpus().unwrap_or(1).into()));
    let draft = draft.claim(match story.runner() == story.root_name() {
        true => "It computed",
        false => "{process} computed",
    });
    let draft = match story.cpus().filter(|&cpus| cpus > 1) {
        Some(_) if used < 1.3 && share(ns, wall) >= 50.0 => draft.claim(
            " mostly on one CPU at a time: {share} of the time ({cpus-used} of {cpus} CPUs)",
        ),
        Some(cpus) if used >= 0.85 * f64::from(cpus) => {
            draft.claim(" on all CPUs: {share} of the time ({cpus-used} of {cpus} CPUs)")
        }
        _ => draft.claim(": {share} of the time"),
    };
    let draft = match story.runner() == story.root_name() {
        true => draft.rest("Besides, it computed: {share} of the time"),
        false => draft
            .rest("Besides, {process} computed: {share} of the time")
            .fact("peer", Value::Process(story.runner().to_owned())),
    };
    let steps = story.path.steps.iter();
    let runs = steps.filter(|step| step.what == What::Cpu).count();
    let runs = i64::try_from(runs).unwrap_or(i64::MAX);
    let process = ["--process", story.runner()];
    let query = Query::new("when its threads ran", "threads", &process);
    let draft = draft.rows("thread_state", (ns, runs), query);
    place(story, draft)
}

/// Returns what can be said without switches.
fn sampled(story: &Story<'_>) -> Draft {
    let (hot, wall) = (&story.hot, story.wall_ns());
    let part = share(hot.all_ns, wall);
    let draft = Draft::new("cpu", Confidence::Possible, Extent::Some(hot.all_ns))
        .fact("process", Value::Process(story.root_name().to_owned()))
        .fact("cpu-share", Value::Share(part))
        .claim("It computed: its CPU time is {cpu-share} of the wall time");
    let draft = match part < 50.0 {
        true => draft.claim("; mostly it waited, but for what was not recorded"),
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
    let mut message: Option<Message> = None;
    if let Some((place, part)) = most(story) {
        draft = draft
            .fact("place", Value::Place(place))
            .fact("place-share", Value::Share(part));
        message = Some(Message::new("{place}: {place-share} of the CPU time"));
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
    let draft = draft.detail(message);
    draft.rows("cpu_sample", (hot.ns, hot.samples), query)
}

/// Returns the place that most of the CPU time went into, with its share: a function of the user's
/// own, or else where nearly all stacks go through.
pub(super) fn most(story: &Story<'_>) -> Option<(Place, f64)> {
    let hot = &story.hot;
    if let Some(own) = &hot.own
        && share(own.ns, hot.ns) >= MUCH
    {
        let place = Place::of_functions(story.code, &own.functions).at(own.source.clone());
        return Some((place, share(own.ns, hot.ns)));
    }
    let place = Place::of_functions(story.code, &hot.trunk);
    place.is_known().then_some((place, hot.trunk_share * 100.0))
}
