//! The command computed: the path was on a CPU, or, where no path is known, samples say so.

use crate::plain_name::plain_name;
use crate::plumbing::is_system_module;
use whyslow_model::Capability;
use whyslow_query::frames::Function;

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
        Some(_) if used < 1.3 && share(ns, wall) >= 50.0 => {
            draft.claim(" on one CPU at a time: {share} of the time ({cpus-used} of {cpus} CPUs)")
        }
        Some(cpus) if used >= 0.85 * f64::from(cpus) => {
            draft.claim(" on all CPUs: {share} of the time ({cpus-used} of {cpus} CPUs)")
        }
        _ => draft.claim(": {share} of the time"),
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
    let frames = &story.stacks.frames;
    let functions: Vec<&Function> = hot.trunk.iter().map(|&id| frames.function(id)).collect();
    // The program's own functions, and the last one whosever it is.
    let last = functions.len().saturating_sub(1);
    let own = |(at, f): &(usize, &&Function)| *at == last || !is_system_module(&f.module);
    let own = functions.iter().enumerate().filter(own);
    let names: Vec<_> = own.map(|(_, f)| plain_name(&f.name)).collect();
    let from = names.len().saturating_sub(4);
    let trunk = names[from..].iter().map(|name| name.to_string());
    let trunk: Vec<_> = trunk.collect();
    let leaf = hot.leaves.first().map(|leaf| {
        let name = plain_name(&frames.function(leaf.function).name);
        (name, share(leaf.ns, hot.ns))
    });
    let leaf = leaf.filter(|(_, part)| *part >= 40.0);
    let kernel = share(hot.kernel_ns, hot.ns);
    let named = leaf.as_ref().map(|(leaf, _)| leaf);
    let below = named.is_some() && names.last() != named;
    let mut draft = draft
        .fact("place-share", Value::Share(hot.trunk_share * 100.0))
        .fact("kernel-share", Value::Share(kernel));
    if let Some((name, part)) = &leaf {
        draft = draft
            .fact("leaf", Value::Place(Place::function(name)))
            .fact("leaf-share", Value::Share(*part));
    }
    let message = match (trunk.is_empty(), leaf.is_some()) {
        (true, false) => return draft,
        (true, true) => Message::new("{leaf-share} of the CPU time in {leaf}"),
        (false, _) => Message::new("{place}: {place-share} of the CPU time"),
    };
    let message = match below && !trunk.is_empty() {
        true => message.and(", {leaf-share} in {leaf}"),
        false => message,
    };
    let message = match kernel >= 60.0 {
        true => message.and("; {kernel-share} in the kernel"),
        false => message,
    };
    if !trunk.is_empty() {
        let place = Place::Functions {
            names: trunk,
            cut: false,
        };
        draft = draft.fact("place", Value::Place(place));
    }
    let process = ["--process", story.runner()];
    let query = Query::new("where it computed", "stacks", &process);
    let draft = draft.detail(message);
    draft.rows("cpu_sample", (hot.ns, hot.samples), query)
}
