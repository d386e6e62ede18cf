//! Files that a program looks for before it creates them: it expects not to find them.

use std::collections::BTreeSet;

use super::{ENOENT, Habit};
use whyslow_story::files::Use;
use whyslow_story::story::Story;

/// A name that is looked for more often than this, and is not there, is looked for in vain.
const EACH: i64 = 3;

/// Returns whether most of what was looked for and not found exists when the program has done its work, and was
/// looked for no more often than necessary.
pub(super) fn afterwards(story: &Story<'_>, habit: &Habit) -> bool {
    let uses = || story.files.uses.iter();
    let is_missed = |one: &&Use| one.result == ENOENT && habit.operations.contains(&one.operation);
    let made = uses().filter(|one| one.is_ok());
    let made: BTreeSet<_> = made.filter_map(|one| one.path).collect();
    let sum = |wanted: &dyn Fn(&Use) -> bool| {
        let missed = uses().filter(is_missed).filter(|one| wanted(one));
        missed.fold(0, |all: i64, one| all.saturating_add(one.sum.count))
    };
    let all = sum(&|_| true);
    let before = sum(&|one| one.path.is_some_and(|path| made.contains(&path)));
    let missed = uses().filter(is_missed).filter_map(|one| one.path);
    let names: BTreeSet<_> = missed.filter(|path| made.contains(path)).collect();
    let names = i64::try_from(names.len()).unwrap_or(i64::MAX);
    before.saturating_mul(2) > all && before <= names.saturating_mul(EACH)
}
