//! Files that were asked about once per sleep: one that is not there yet, or has not changed yet.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, SystemCall, SystemCallResult, ThreadId};
use whyslow_story::files::{self, PathId, Use};
use whyslow_story::looked_for;
use whyslow_story::story::Story;

use super::{Failed, NAMES, NOT_YET, OK, is_about_once, is_data, renames_in};

/// Returns whether the answers about a file came between the sleeps, rather than all before or after them.
fn take_turns(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    (path, operation, result): (PathId, FileOperation, SystemCallResult),
    count: i64,
    slept: &[(i64, i64)],
) -> bool {
    let Some(process) = threads.first().and_then(|&id| story.facts.thread(id)) else {
        return true;
    };
    // The path is followed backwards.
    let mut slept = slept.to_vec();
    slept.sort_unstable();
    let about = (process.process, story.files.path(path), operation, result);
    story.single_calls.tries.take_turns(about, count, &slept)
}

/// A file that is read or written once in so many looks, or more often, is not just looked at.
const USED: i64 = 4;

/// Returns how often a process asked about the same file, if it did so about once per sleep and hardly used the file
/// otherwise: it waits for the file to change.
pub(super) fn unchanged(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    slept: &[(i64, i64)],
) -> Option<(Failed, i64)> {
    let sleeps = i64::try_from(slept.len()).unwrap_or(i64::MAX);
    let (mut looks, mut used) = (BTreeMap::<PathId, i64>::new(), BTreeMap::new());
    let uses = story.files.uses.iter();
    for one in uses.filter(|one| one.is_ok() && threads.contains(&one.thread)) {
        let counts = match one.operation {
            FileOperation::Stat => &mut looks,
            _ => &mut used,
        };
        if let Some(path) = one.path {
            let sum = counts.entry(path).or_default();
            *sum = sum.saturating_add(one.sum.count);
        }
    }
    // Who works with the files in a folder, or replaces a file in it, checks that they are there.
    let works_in = |folder: &str| {
        let mut others = used.keys().map(|&other| story.files.path(other));
        others.any(|other| files::is_in(other, folder))
    };
    let only_looked = |&(path, count): &(PathId, i64)| {
        let used = used.get(&path).copied().unwrap_or(0);
        let name = story.files.path(path);
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        is_about_once(count, sleeps)
            && used.saturating_mul(USED) <= count
            && is_data(story, name)
            && !works_in(name)
            && !renames_in(story, threads, folder)
            && take_turns(
                story,
                threads,
                (path, FileOperation::Stat, OK),
                count,
                slept,
            )
    };
    let looked = looks.into_iter().filter(only_looked);
    let (_, tries) = looked.min_by_key(|&(_, count)| count.abs_diff(sleeps))?;
    let call = call_of(story, threads, (FileOperation::Stat, OK), tries)?;
    Some(((call, OK), tries))
}

/// Who waits looks for one file, or for a few; who looks for more, each as often as it sleeps, searches.
const MOST: usize = 16;

/// Returns the call about one file that failed about once per sleep, and how often it did.
pub(super) fn failing(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    slept: &[(i64, i64)],
) -> Option<(Failed, i64)> {
    let sleeps = i64::try_from(slept.len()).unwrap_or(i64::MAX);
    let mut counts: BTreeMap<_, i64> = BTreeMap::new();
    let failed = |one: &&Use| threads.contains(&one.thread) && NOT_YET.contains(&one.result.0);
    let programs = looked_for::programs(story, story.files.uses.iter().filter(failed));
    for one in story.files.uses.iter().filter(failed) {
        if let Some(path) = one.path.filter(|path| !programs.contains(path)) {
            let sum = counts.entry((path, one.operation, one.result)).or_default();
            *sum = sum.saturating_add(one.sum.count);
        }
    }
    let often = counts.into_iter();
    let often = often.filter(|&(_, count)| is_about_once(count, sleeps));
    let often: Vec<_> = often.collect();
    if often.len() > MOST {
        return None;
    }
    let often = often.into_iter();
    let often = often.filter(|&(about, count)| take_turns(story, threads, about, count, slept));
    let ((_, operation, result), tries) = often.min_by_key(|&(_, count)| count.abs_diff(sleeps))?;
    let call = call_of(story, threads, (operation, result), tries)?;
    Some(((call, result), tries))
}

/// Returns the call that had this result the fewest times, but at least as often as an operation on a file.
fn call_of(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    (operation, result): (FileOperation, SystemCallResult),
    tries: i64,
) -> Option<SystemCall> {
    let threads = threads.iter();
    let calls = threads.filter_map(|id| story.calls.threads.get(id));
    let mut sums: BTreeMap<SystemCall, i64> = BTreeMap::new();
    for (&(call, of), sum) in calls.flat_map(|thread| &thread.sums) {
        if of == result && calls_of(operation).contains(&call.0) {
            let all = sums.entry(call).or_default();
            *all = all.saturating_add(sum.count);
        }
    }
    let enough = sums.into_iter().filter(|&(_, count)| count >= tries);
    let nearest = enough.min_by_key(|&(_, count)| count);
    nearest.map(|(call, _)| call)
}

/// Returns the calls that an operation may be.
pub(super) fn calls_of(operation: FileOperation) -> &'static [i32] {
    match operation {
        FileOperation::Open => &[2, 85, 257, 437],
        // With `fstat`: what programs ask of Windows counts as that.
        FileOperation::Stat => &[4, 5, 6, 262, 332],
        FileOperation::Access => &[21, 269, 439],
        _ => NAMES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_call_on_windows_is_among_the_calls() {
        for operation in [FileOperation::Open, FileOperation::Stat] {
            let call = whyslow_story::requests::call(operation).expect("a call");
            assert!(calls_of(operation).contains(&call.0), "{operation:?}");
        }
    }
}
