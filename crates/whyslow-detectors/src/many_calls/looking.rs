//! Waiting for a file by looking for it again and again, without a pause.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::ThreadId;
use whyslow_query::system_calls::CallSum;

use super::{ENOENT, LOOK_UPS, draft};
use crate::detector::Draft;
use crate::file_habits::watching;
use crate::finding::{Message, Value};
use whyslow_story::call_cost::{Calls, MANY, Taken, cost_of};
use whyslow_story::calls::ThreadCalls;
use whyslow_story::files::PathId;
use whyslow_story::story::Story;

/// A search looks for a name a few times, in one folder after another; a program that waits for it looks for it
/// this often.
const OFTEN: i64 = 1000;

/// A program waits for one file, or for a few, one after another.
const MOST: usize = 16;

/// A waiting thread does nothing else: at most one in so many of its calls is another one.
const OTHERS: i64 = 10;

/// A thread that waits by looking spends at least this part (one in so many) of its CPU time on it.
const MOSTLY: i64 = 2;

/// Finds threads that do nothing but look for the same few files, which are not there.
pub(super) fn looks(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let threads = story.calls.threads.iter();
    let waits = threads.filter_map(|(&id, thread)| Some((id, only_looks(thread)?)));
    let waits: BTreeMap<ThreadId, CallSum> = waits.collect();
    let (mut paths, mut known) = (BTreeMap::<PathId, i64>::new(), 0_i64);
    for one in &story.files.uses {
        if one.result != ENOENT || !waits.contains_key(&one.thread) {
            continue;
        }
        known = known.saturating_add(one.sum.count);
        // Files that were too many to keep apart count as others.
        if let Some(path) = one.path {
            let count = paths.entry(path).or_default();
            *count = count.saturating_add(one.sum.count);
        }
    }
    let (&most, _) = paths.iter().max_by_key(|&(_, count)| count)?;
    let often = paths.into_iter().filter(|&(_, count)| count >= OFTEN);
    let often: Vec<(PathId, i64)> = often.collect();
    // What it found at once, or looked for while it started, is negligible.
    let looked = often.iter().map(|one| one.1).fold(0, i64::saturating_add);
    let others = known.saturating_sub(looked);
    if often.is_empty() || searches(story, &often) || others.saturating_mul(OTHERS) > known {
        return None;
    }
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: false,
        numbers: LOOK_UPS,
        along: &[],
    };
    let threads = waits.keys().filter_map(|id| story.calls.threads.get(id));
    let running_ns: i64 = threads.map(|thread| thread.times.running_ns).sum();
    let cost = cost_of(story, waits.into_iter(), &calls, taken);
    let is_mostly = cost.parts_ns().saturating_mul(MOSTLY) >= running_ns;
    if cost.sum.count > looked.saturating_mul(2) || !is_mostly {
        return None;
    }
    let place = story
        .calls
        .place(story.code, &|call| LOOK_UPS.contains(&call.0));
    let claim = " kept a CPU busy while it waited for a file: it looked for {object} {count} times without a pause, {share} of the time";
    let claim_of_many = " kept a CPU busy while it waited for files: it looked for {object} and other files, {count} times in all, without a pause, {share} of the time";
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
    Some(draft.advise(watching(
        story,
        "Wait for an event instead (inotify, a pipe, a socket), or sleep before looking again.",
        "Wait for an event instead (ReadDirectoryChangesW, a pipe), or sleep before looking again.",
    )))
}

/// Returns whether there are too many files to wait for, or one name was looked for in several folders.
fn searches(story: &Story<'_>, often: &[(PathId, i64)]) -> bool {
    let paths = often.iter().map(|&(path, _)| story.files.path(path));
    let names: BTreeSet<&str> = paths.filter_map(|path| path.rsplit('/').next()).collect();
    often.len() > MOST || names.len() < often.len()
}

/// Returns the look-ups of a thread for files that are not there, if they are nearly all of its calls and most
/// of its time on the CPU: a thread that computes in between does not wait.
fn only_looks(thread: &ThreadCalls) -> Option<CallSum> {
    let looks = thread.sum(|call, result| result == ENOENT && LOOK_UPS.contains(&call.0));
    let all = thread.sum(|_, _| true);
    let others = all.count.saturating_sub(looks.count);
    (others.saturating_mul(OTHERS) <= all.count).then_some(looks)
}
