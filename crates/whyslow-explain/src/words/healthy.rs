//! The answer for a program that did what it was asked to do.

use crate::answer::Explained;
use crate::finding::{Finding, Value};
use crate::story::share;
use crate::words::text::{Role, Text};

/// With less of its CPU time in one function of the program, that function does not stand out.
const CONCENTRATED: f64 = 50.0;

/// Fewer samples say nothing of where it computed.
const FEW_SAMPLES: i64 = 20;

/// Returns a summary if nothing stands out.
pub(super) fn summary(answer: &Explained) -> Option<Text> {
    if !answer.has_parts || !answer.findings.iter().all(|one| is_usual(answer, one)) {
        return None;
    }
    let text = Text::default().words(Role::Strong, "Nothing stands out");
    let mut tops = answer.findings.iter().filter(|one| one.below.is_none());
    let Some(first) = tops.next() else {
        return Some(text.say("."));
    };
    let text = text.say(": ");
    Some(match first.cause.as_str() {
        "cpu" => computed(answer, first, text),
        "sleep" => text
            .say("it slept for ")
            .time(first.wall_ns)
            .say(", as it was asked to."),
        _ => text
            .say("it waited for work for ")
            .percent(share(first.wall_ns, answer.wall_ns))
            .say(" of the time."),
    })
}

/// Returns whether a finding only says what the program is for.
fn is_usual(answer: &Explained, finding: &Finding) -> bool {
    let process = match finding.fact("process") {
        Some(Value::Process(name)) => Some(name.as_str()),
        _ => None,
    };
    match finding.cause.as_str() {
        "idle" => true,
        "sleep" => process == Some("sleep") && answer.processes == 1,
        "cpu" => !stands_out(answer, finding),
        _ => false,
    }
}

/// Returns whether the CPU time is mostly in one place of the user's own code, while CPUs were idle.
fn stands_out(answer: &Explained, finding: &Finding) -> bool {
    let all_cpus = answer
        .cpus
        .is_some_and(|cpus| used(answer) >= 0.85 * f64::from(cpus));
    let concentrated = match finding.fact("place-share") {
        Some(Value::Share(part)) => *part >= CONCENTRATED,
        _ => false,
    };
    let own = match finding.fact("place") {
        Some(Value::Place(place)) => place.is_own(),
        _ => false,
    };
    concentrated && own && !all_cpus && answer.sampled.samples >= FEW_SAMPLES
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for a person")]
fn used(answer: &Explained) -> f64 {
    answer.cpu_ns as f64 / answer.wall_ns.max(1) as f64
}

fn computed(answer: &Explained, finding: &Finding, text: Text) -> Text {
    let part = share(finding.wall_ns, answer.wall_ns);
    let text = text
        .say("it computed for ")
        .percent(part)
        .say(" of the time");
    let text = match answer.cpus {
        Some(cpus) if cpus > 1 => {
            let text = text.say(", on ").ratio(used(answer)).say(" of ");
            text.count(cpus.into()).say(" CPUs")
        }
        _ => text,
    };
    let sampled = &answer.sampled;
    let leaf = sampled.leaves.first();
    let leaf = leaf.filter(|_| sampled.samples >= FEW_SAMPLES);
    let text = match leaf {
        Some(leaf) if sampled.kernel_share >= 60.0 => {
            let text = text.say("; ").percent(sampled.kernel_share);
            let text = text.say(" of that in the kernel, most in ");
            text.function(&leaf.function)
                .say(" (")
                .percent(leaf.share)
                .say(")")
        }
        Some(leaf) => {
            let text = text.say(", most in ").function(&leaf.function);
            text.say(" (").percent(leaf.share).say(")")
        }
        None => text,
    };
    text.say(".")
}
