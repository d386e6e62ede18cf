//! One program that the command started again and again.

use std::collections::BTreeMap;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use crate::path::{Step, What};
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[("process-storm", "it started one program again and again")],
    find,
};

/// Fewer starts of one program are no habit.
const MANY: i64 = 20;

/// What one program's processes took.
#[derive(Debug, Default)]
struct Starts {
    /// Time the path spent in them.
    ns: i64,
    count: i64,
}

/// Finds the program that was started most often, if that took a fifth of the time.
fn find(story: &Story<'_>) -> Vec<Draft> {
    let own = story.own_ns();
    let programs = programs(story);
    let worth = programs
        .iter()
        .filter(|(_, starts)| starts.count >= MANY && share(starts.ns, own) >= 20.0);
    let Some((&name, starts)) = worth.max_by_key(|(_, starts)| starts.ns) else {
        return Vec::new();
    };
    let on = story
        .path
        .when(|step| program_of(story, step) == Some(name));
    let query = Query::new("the processes", "processes", &["--process", name]);
    let draft = Draft::new("process-storm", Confidence::Certain, Extent::On(on))
        .fact("process", Value::Process(story.root_name().to_owned()))
        .fact("object", Value::Process(name.to_owned()))
        .fact("count", Value::Count(starts.count))
        .fact("each", Value::Time(starts.ns / starts.count))
        .claim("It started {object} {count} times, {each} each: {share} of the time")
        .rows("process", (starts.ns, starts.count), query)
        .advise("Start {object} once for many items, or do its work without a process.")
        .verify("Record it again: {object} is started less often.");
    vec![draft]
}

/// Returns the program that the process of a step ended as, unless that is the command itself.
/// That it was ready without a CPU is not its doing.
fn program_of<'a>(story: &Story<'a>, step: &Step) -> Option<&'a str> {
    if step.what == What::Ready {
        return None;
    }
    let process = story.facts.thread(step.thread?)?.process.index();
    let command = story.command;
    let of_command = command.processes.get(process).copied().unwrap_or(false);
    let last = command.images.last(process);
    let wanted = of_command && process != command.root;
    wanted.then(|| story.facts.processes[last].name.as_str())
}

/// Returns the programs the command's processes ended as, but for the command itself.
fn programs<'a>(story: &Story<'a>) -> BTreeMap<&'a str, Starts> {
    let facts = story.facts;
    let mut programs: BTreeMap<&str, Starts> = BTreeMap::new();
    for step in &story.path.steps {
        if let Some(program) = program_of(story, step) {
            programs.entry(program).or_default().ns += step.ns();
        }
    }
    for (id, &of_command) in story.command.processes.iter().enumerate() {
        let is_last = story.command.images.last(id) == id;
        if of_command && id != story.command.root && is_last {
            programs.entry(&facts.processes[id].name).or_default().count += 1;
        }
    }
    programs
}
