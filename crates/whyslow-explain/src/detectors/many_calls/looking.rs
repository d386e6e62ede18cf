//! Waiting for a file by looking for it again and again, without a pause.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{SystemCall, SystemCallResult};

use super::super::call_cost::Taken;
use super::{ENOENT, LOOK_UPS, cost, draft};
use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::calls::ThreadCalls;
use whyslow_story::files::PathId;
use whyslow_story::story::Story;

/// Who searches looks for a name a few times, in one folder after the other; who waits for it looks for it this
/// often.
const OFTEN: i64 = 1000;

/// Who waits does so for one file, or for a few, one after the other.
const MOST: usize = 16;

/// Who waits does nothing else: of its calls, others are at most one in so many.
const OTHERS: i64 = 10;

/// Finds threads that do nothing but look for the same few files, which are not there.
pub(super) fn looks(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let (mut paths, mut known) = (BTreeMap::<PathId, i64>::new(), 0_i64);
    for one in &story.files.uses {
        let thread = story.calls.threads.get(&one.thread);
        let fits = one.result == ENOENT && thread.is_some_and(only_looks);
        if let Some(path) = one.path.filter(|_| fits) {
            let count = paths.entry(path).or_default();
            *count = count.saturating_add(one.sum.count);
            known = known.saturating_add(one.sum.count);
        }
    }
    let (&most, _) = paths.iter().max_by_key(|&(_, count)| count)?;
    let often = paths.into_iter().filter(|&(_, count)| count >= OFTEN);
    let often: Vec<(PathId, i64)> = often.collect();
    // What it found at once, or looked for while it started, is next to nothing.
    let looked = often.iter().map(|one| one.1).fold(0, i64::saturating_add);
    let others = known.saturating_sub(looked);
    if often.is_empty() || searches(story, &often) || others.saturating_mul(OTHERS) > known {
        return None;
    }
    let is_it =
        |call: SystemCall, result: SystemCallResult| result == ENOENT && LOOK_UPS.contains(&call.0);
    let cost = cost(story, (&is_it, LOOK_UPS), taken);
    if cost.sum.count > looked.saturating_mul(2) {
        return None;
    }
    let place = story
        .calls
        .place(story.code, &|call| LOOK_UPS.contains(&call.0));
    let claim = " kept a CPU busy while it waited for a file: it looked for {object} {count} times without a pause, {share} of the time";
    let claim_of_many = " kept a CPU busy while it waited for files: it looked for {object} and others {count} times without a pause, {share} of the time";
    let files = i64::try_from(often.len()).unwrap_or(i64::MAX);
    let claim = if files == 1 { claim } else { claim_of_many };
    let draft = draft(story, ("spin", claim), &cost, place, taken)?;
    let path = story.files.path(most).to_owned();
    let draft = draft.fact("object", Value::Text(path));
    let draft = match files {
        1 => draft,
        files => draft
            .fact("files", Value::Count(files))
            .detail(Message::new("It waited for {files} files like this.")),
    };
    Some(draft.advise(
        "Wait for an event instead (inotify, a pipe, a socket), or sleep before it looks again.",
    ))
}

/// Returns whether there are too many files to wait for, or one name was looked for in several folders.
fn searches(story: &Story<'_>, often: &[(PathId, i64)]) -> bool {
    let paths = often.iter().map(|&(path, _)| story.files.path(path));
    let names: BTreeSet<&str> = paths.filter_map(|path| path.rsplit('/').next()).collect();
    often.len() > MOST || names.len() < often.len()
}

/// Returns whether nearly all calls of a thread look for files that are not there.
fn only_looks(thread: &ThreadCalls) -> bool {
    let looks = thread.sum(|call, result| result == ENOENT && LOOK_UPS.contains(&call.0));
    let all = thread.sum(|_, _| true);
    all.count.saturating_sub(looks.count).saturating_mul(OTHERS) <= all.count
}
