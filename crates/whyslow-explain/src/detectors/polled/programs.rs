//! Programs that are looked for in one folder after the other, as who starts them does.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_story::files::{PathId, Use};
use whyslow_story::story::Story;

/// Returns the paths at which a program of the command was looked for in several folders, and not found.
pub(super) fn looked_for<'a>(
    story: &Story<'_>,
    failed: impl Iterator<Item = &'a Use>,
) -> BTreeSet<PathId> {
    let processes = story.facts.processes.iter().zip(&story.command.processes);
    let started = processes.filter(|&(_, &of_command)| of_command);
    let started: BTreeSet<&str> = started.map(|(row, _)| row.name.as_str()).collect();
    let mut by_name: BTreeMap<&str, BTreeSet<PathId>> = BTreeMap::new();
    for path in failed.filter_map(|one| one.path) {
        let name = story
            .files
            .path(path)
            .rsplit('/')
            .next()
            .unwrap_or_default();
        if started.contains(name) {
            by_name.entry(name).or_default().insert(path);
        }
    }
    let several = by_name.into_values().filter(|paths| paths.len() > 1);
    several.flatten().collect()
}
