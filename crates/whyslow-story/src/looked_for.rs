//! Programs that are looked for in one folder after the other, as who starts them does.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{PathId, Use};
use crate::story::Story;

/// Folders with such names have nothing but programs in them.
const FOLDERS: [&str; 2] = ["bin", "sbin"];

/// Returns the paths at which a program of the command was looked for and not found: in several folders, or in one for
/// programs.
pub fn programs<'a>(story: &Story<'_>, failed: impl Iterator<Item = &'a Use>) -> BTreeSet<PathId> {
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
    let is_of_programs = |&path: &PathId| {
        let folder = story.files.path(path).rsplit('/').nth(1);
        folder.is_some_and(|folder| FOLDERS.contains(&folder))
    };
    let searches = by_name.into_values();
    let searches = searches.filter(|paths| paths.len() > 1 || paths.iter().all(is_of_programs));
    searches.flatten().collect()
}
