//! What the answer cannot know: lost, not recorded, or too much.

use crate::plain_name::plain_name;
use whyslow_model::{Capability, Presence};

use crate::finding::{Message, Value};
use crate::place::Place;
use crate::story::{Story, share};

/// Shares below this are not worth a line.
const LITTLE: f64 = 1.0;

/// Something that is not known, and what it means for the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// What is missing.
    pub message: Message,
    /// The values of the message.
    pub facts: Vec<(&'static str, Value)>,
}

impl Gap {
    fn new(message: &'static str, facts: Vec<(&'static str, Value)>) -> Self {
        let message = Message::new(message);
        Self { message, facts }
    }
}

/// Returns what is not known of the command.
pub(crate) fn find(story: &Story<'_>) -> Vec<Gap> {
    let mut gaps = not_recorded(story);
    gaps.extend(on_path(story));
    gaps.extend(samples(story));
    gaps
}

fn not_recorded(story: &Story<'_>) -> Vec<Gap> {
    let facts = story.facts;
    let lost = facts.lost().map(|lost| {
        let text = "the recorder lost {lost}; times around the gaps are unknown";
        Gap::new(text, vec![("lost", Value::Text(lost))])
    });
    let needed = [
        (Capability::Switches, "waiting and ready times"),
        (Capability::WakeUps, "who ended waits, and ready times"),
        (Capability::SwitchStacks, "what was waited for"),
        (Capability::CpuSamples, "functions on the CPU"),
        (Capability::WholeMachine, "what other processes did"),
    ];
    let missing = needed.into_iter();
    let missing = missing.filter(|(what, _)| facts.capabilities.presence(*what) == Presence::No);
    let missing = missing.map(|(capability, what)| {
        let how = facts.how_to_record(capability).to_owned();
        let values = vec![
            ("what", Value::Text(what.to_owned())),
            ("how", Value::Text(how)),
        ];
        Gap::new("{what}: not recorded ({how})", values)
    });
    lost.into_iter().chain(missing).collect()
}

fn on_path(story: &Story<'_>) -> Vec<Gap> {
    let (path, wall) = (&story.path, story.wall_ns());
    let mut gaps = Vec::new();
    let unknown = share(path.unknown_ns(), wall);
    if path.too_many {
        let text = "the command has too many switches to follow its path; see `threads`";
        gaps.push(Gap::new(text, Vec::new()));
    } else if unknown >= LITTLE {
        let text = "{share} of the time nothing tells what it did";
        gaps.push(Gap::new(text, vec![("share", Value::Share(unknown))]));
    }
    let waited = path.wait_ns();
    let part = share(path.no_user_half_ns, waited);
    if part >= 20.0 && share(waited, wall) >= 5.0 {
        let text = "{share} of the waiting has no stack in the program";
        gaps.push(Gap::new(text, vec![("share", Value::Share(part))]));
    }
    gaps
}

fn samples(story: &Story<'_>) -> Vec<Gap> {
    let hot = &story.hot;
    let mut gaps = Vec::new();
    let late = hot.leaves.iter().filter(|leaf| {
        enables_interrupts(&story.stacks.frames.function(leaf.function).name)
            && share(leaf.ns, hot.ns) >= 10.0
    });
    if let Some(leaf) = late.max_by_key(|leaf| leaf.ns) {
        let name = plain_name(&story.stacks.frames.function(leaf.function).name);
        let text = "samples cannot interrupt code that runs with interrupts off: {function} also \
                    stands for what ran before it";
        let name = Value::Place(Place::function(&name));
        gaps.push(Gap::new(text, vec![("function", name)]));
    }
    let computed = share(story.path.cpu_ns(), story.wall_ns());
    let sampled = story.facts.has(Capability::CpuSamples);
    if hot.samples < 20 && computed >= 30.0 && sampled {
        let text = "only {samples} samples: functions on the CPU are a rough guess";
        let count = Value::Count(hot.samples);
        gaps.push(Gap::new(text, vec![("samples", count)]));
    }
    gaps
}

/// Returns whether a kernel function lets interrupts in again, and with them the samples that a
/// software clock could not take before.
fn enables_interrupts(function: &str) -> bool {
    let names = [
        "finish_task_switch",
        "_raw_spin_unlock_irqrestore",
        "_raw_spin_unlock_irq",
        "do_softirq",
        "handle_softirqs",
        "__do_softirq",
    ];
    names.contains(&function.split('.').next().unwrap_or(function))
}
