//! The path was ready to run, but no CPU ran it.

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use crate::path::What;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "competing",
            "it was ready to run while other programs used the CPUs",
        ),
        (
            "too-many-threads",
            "it was ready to run while its own threads used the CPUs",
        ),
    ],
    find,
};

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return Vec::new();
    }
    let on = story.path.when(|step| step.what == What::Ready);
    let ns = on.ns();
    let rivals = &story.rivals;
    let others: i64 = rivals.starvers.iter().map(|(_, ns)| ns).sum();
    let idle = story.cpus().map(|cpus| {
        let capacity = i64::from(cpus).saturating_mul(ns);
        (100.0 - share(rivals.all_ns, capacity)).clamp(0.0, 100.0)
    });
    let busy = idle.is_some_and(|idle| idle < 10.0);
    let cause = match rivals.own_ns > others {
        true => "too-many-threads",
        false => "competing",
    };
    let confidence = match (busy, idle.is_some_and(|idle| idle < 30.0)) {
        (true, _) => Confidence::Certain,
        (false, true) => Confidence::Likely,
        (false, false) => Confidence::Possible,
    };
    let draft = Draft::new(cause, confidence, Extent::On(on))
        .fact("process", Value::Process(story.root_name().to_owned()))
        .claim("*It was starved*: for {share} of the time it could have run, but got no CPU");
    let mut draft = meanwhile(story, draft);
    if let Some(idle) = idle {
        draft = draft.fact("idle", Value::Share(idle));
        if idle >= 30.0 && rivals.all_ns > 0 && story.path.long_ready() {
            draft = draft.claim(", although {idle} of the CPUs' time was idle");
        }
    }
    let steps = story.path.steps.iter();
    let count = steps.filter(|step| step.what == What::Ready).count();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let process = ["--process", story.root_name()];
    let query = Query::new("who was ready for how long", "threads", &process);
    let draft = draft.claim(".").rows("thread_state", (ns, count), query);
    let query = Query::new("who used the CPUs", "cpu", &[]);
    let draft = draft.rows("thread_state", (rivals.all_ns, 0), query);
    vec![match (cause, busy) {
        ("competing", true) => draft
            .advise("Run it when the others do not, or keep CPUs free for it.")
            .verify("Record it again without them: the time without a CPU is gone."),
        ("too-many-threads", true) => draft
            .advise("Let no more of its threads compute at once than there are CPUs.")
            .verify("Record it again with fewer threads: the time without a CPU is gone."),
        _ => draft,
    }]
}

/// Adds who used the CPUs while the path was ready.
fn meanwhile(story: &Story<'_>, draft: Draft) -> Draft {
    let rivals = &story.rivals;
    if rivals.all_ns == 0 {
        return draft;
    }
    let own = share(rivals.own_ns, rivals.all_ns);
    let others = rivals.starvers.iter().take(3);
    let others = others.map(|(name, ns)| (name.clone(), share(*ns, rivals.all_ns)));
    let others: Vec<_> = others.filter(|(_, part)| *part >= 5.0).collect();
    let others_ran = !others.is_empty();
    let draft = draft
        .fact("own-share", Value::Share(own))
        .fact("peer", Value::Shares(others));
    match (own >= 50.0, others_ran) {
        (true, true) => {
            draft.claim("; its own processes used {own-share} of the CPU time meanwhile, {peer}")
        }
        (true, false) => {
            draft.claim("; its own processes used {own-share} of the CPU time meanwhile")
        }
        (false, true) => draft.claim("; meanwhile the CPUs ran {peer}"),
        (false, false) => draft,
    }
}
