//! A folder in which each call costs more than the one before, because there are more and more names in it.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::draft;
use crate::detector::Draft;
use crate::finding::{Confidence, Message, Value};
use whyslow_story::call_cost::{Calls, Cost, Taken, cost_of};
use whyslow_story::files::Use;
use whyslow_story::single_calls::Growing;
use whyslow_story::story::Story;

/// Fewer calls cost little, however much one of them grows.
const LEAST: i64 = 300;

/// Finds the folder whose growth cost most; lists that are made again and again are another habit.
pub(super) fn growing(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let growing = story.single_calls.growing.iter();
    // Removing makes a folder smaller, and a call that fails makes nothing.
    let growing = growing.filter(|one| {
        one.is_ok && !matches!(one.operation, FileOperation::List | FileOperation::Remove)
    });
    let costs = growing.map(|one| (one, cost(story, one, taken)));
    let (most, cost) = costs.max_by_key(|(_, cost)| cost.on.ns())?;
    let numbers = calls_of(most.operation);
    let place = story
        .calls
        .place(story.code, &|call| numbers.contains(&call.0));
    let claim = match most.operation {
        FileOperation::Stat | FileOperation::Access => {
            " asked about files in {object}, where each call takes longer the more files there are: {share} of the time"
        }
        FileOperation::Rename | FileOperation::Link => {
            " renamed or linked files in {object}, where each call takes longer the more files there are: {share} of the time"
        }
        _ => {
            " opened or created files in {object}, where each call takes longer the more files there are: {share} of the time"
        }
    };
    let draft = draft(story, ("growing-folder", claim), &cost, place, taken)?;
    let mut draft = draft
        .fact("object", Value::Text(format!("{}/", most.folder)))
        .fact("files", Value::Count(files(story, most)))
        .fact("first", Value::Time(most.first_ns))
        .fact("last", Value::Time(most.last_ns))
        .detail(Message::new(
            "A call took {first} at first and {last} at the end, after {files} different files.",
        ))
        .advise("Spread the files over several folders, or use a file system that keeps an index of its folders.")
        .verify("Record it again with fewer files in the folder: a call should take as long at the end as at first.");
    // That the calls got slower is certain; why, is not.
    draft.confidence = Confidence::Likely;
    Some(draft)
}

/// Returns the calls that got slower, and the part of the path that they took.
fn cost(story: &Story<'_>, growing: &Growing, taken: &Taken) -> Cost {
    let mut sums = BTreeMap::<ThreadId, CallSum>::new();
    for one in story
        .files
        .uses
        .iter()
        .filter(|one| is_of(story, growing, one))
    {
        sums.entry(one.thread).or_default().add(&one.sum);
    }
    let calls = Calls {
        least: LEAST,
        are_long: true,
        are_of_files: true,
        numbers: calls_of(growing.operation),
        along: &[],
    };
    cost_of(story, sums.into_iter(), &calls, taken)
}

/// Returns how many different files they were about.
fn files(story: &Story<'_>, growing: &Growing) -> i64 {
    let uses = story.files.uses.iter();
    let uses = uses.filter(|one| is_of(story, growing, one));
    let paths: BTreeSet<_> = uses.filter_map(|one| one.path).collect();
    i64::try_from(paths.len()).unwrap_or(i64::MAX)
}

fn is_of(story: &Story<'_>, growing: &Growing, one: &Use) -> bool {
    let of_process = || {
        let thread = story.facts.thread(one.thread);
        thread.is_some_and(|row| row.process == growing.process)
    };
    let in_folder = || {
        let path = one.path.map(|id| story.files.path(id));
        let folder = path.and_then(|path| path.rsplit_once('/'));
        folder.is_some_and(|(folder, _)| folder == growing.folder)
    };
    one.operation == growing.operation
        && one.is_ok() == growing.is_ok
        && of_process()
        && in_folder()
}

/// Returns the system calls that an operation may be.
fn calls_of(operation: FileOperation) -> &'static [i32] {
    match operation {
        // `open`, `creat`, `openat`, `openat2`.
        FileOperation::Open => &[2, 85, 257, 437],
        // `stat`, `lstat`, `newfstatat`, `statx`.
        FileOperation::Stat => &[4, 6, 262, 332],
        // `access`, `faccessat`, `faccessat2`.
        FileOperation::Access => &[21, 269, 439],
        // `rename`, `renameat`, `renameat2`.
        FileOperation::Rename => &[82, 264, 316],
        // `rmdir`, `unlink`, `unlinkat`.
        FileOperation::Remove => &[84, 87, 263],
        // `mkdir`, `mknod`, `mkdirat`, `mknodat`.
        FileOperation::Create => &[83, 133, 258, 259],
        // `link`, `symlink`, `linkat`, `symlinkat`.
        FileOperation::Link => &[86, 88, 265, 266],
        _ => &[],
    }
}
