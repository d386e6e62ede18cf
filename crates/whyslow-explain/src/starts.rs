//! Programs the command started again and again.

use std::collections::BTreeMap;

use crate::Story;
use crate::words::{Text, share};

/// Fewer starts of one program are no habit.
const MANY: i64 = 20;

/// What one program's processes took.
#[derive(Debug, Default)]
struct Starts {
    /// Time the path spent in them.
    ns: i64,
    count: i64,
}

/// Returns a sentence on the program that was started most often, if that took a fifth of the time.
pub(crate) fn sentence(story: &Story<'_>) -> Option<Text> {
    let wall = story.command.wall_ns();
    let programs = programs(story);
    let worth = programs
        .iter()
        .filter(|(_, starts)| starts.count >= MANY && share(starts.ns, wall) >= 20.0);
    let (name, starts) = worth.max_by_key(|(_, starts)| starts.ns)?;
    let text = Text::default().strong("It started ").process(name);
    let text = text.say(" ").count(starts.count).say(" times: ");
    let text = text.percent(share(starts.ns, wall)).say(" of the time, ");
    Some(text.time(starts.ns / starts.count).say(" each."))
}

/// Returns the programs the command's processes ended as, but for the command itself.
fn programs<'a>(story: &Story<'a>) -> BTreeMap<&'a str, Starts> {
    let facts = story.facts;
    let mut time_of = vec![0_i64; facts.processes.len()];
    for (&thread, &ns) in &story.path.by_thread {
        let process = facts.thread(thread).map(|row| row.process);
        if let Some(time) = process.and_then(|process| time_of.get_mut(process.index())) {
            *time += ns;
        }
    }
    let mut programs: BTreeMap<&str, Starts> = BTreeMap::new();
    for (id, &of_command) in story.command.processes.iter().enumerate() {
        if !of_command || id == story.command.root {
            continue;
        }
        let last = story.command.last_image(facts, id);
        let starts = programs.entry(&facts.processes[last].name).or_default();
        starts.ns += time_of[id];
        starts.count += i64::from(last == id);
    }
    programs
}
