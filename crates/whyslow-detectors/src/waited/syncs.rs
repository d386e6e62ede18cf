//! The calls that flush data to disk: how many there were, and how long each took.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, SystemCall};
use whyslow_query::system_calls::CallSum;
use whyslow_story::files::{PathId, Use};
use whyslow_story::story::Story;

use crate::detector::Draft;
use crate::finding::{Message, Value};

/// The system calls that flush data to disk: `msync`, `fsync`, `fdatasync`, `sync`,
/// `sync_file_range`, `syncfs`.
const SYNCS: [i32; 6] = [26, 74, 75, 162, 277, 306];

const MSYNC: SystemCall = SystemCall(26);
/// It is for all files.
const SYNC: SystemCall = SystemCall(162);

/// Returns whether there was more than one of them.
pub(super) fn are_many(story: &Story<'_>) -> bool {
    most(story).is_some_and(|(_, sum)| sum.count > 1)
}

/// Returns whether most of them were for files mapped into memory.
pub(super) fn are_of_mappings(story: &Story<'_>) -> bool {
    most(story).is_some_and(|(call, _)| call == MSYNC)
}

/// Returns whether the recording says for which files all of them were: older ones do not for `msync`.
pub(super) fn have_files(story: &Story<'_>) -> bool {
    let threads = story.calls.threads.values();
    let sums = threads.flat_map(|thread| &thread.sums);
    let sums = sums.filter(|((call, _), _)| *call != SYNC && SYNCS.contains(&call.0));
    let calls = sums.map(|(_, sum)| sum.count);
    let uses = story.files.uses.iter();
    let uses = uses.filter(|one| one.operation == FileOperation::Sync);
    let known = uses.map(|one| one.sum.count);
    calls.fold(0, i64::saturating_add) <= known.fold(0, i64::saturating_add)
}

/// Returns which call took most time to flush data, and its sum.
fn most(story: &Story<'_>) -> Option<(SystemCall, CallSum)> {
    let threads = story.calls.threads.values();
    let mut sums = BTreeMap::<SystemCall, CallSum>::new();
    for (&(call, _), sum) in threads.flat_map(|thread| &thread.sums) {
        if SYNCS.contains(&call.0) {
            sums.entry(call).or_default().add(sum);
        }
    }
    sums.into_iter().max_by_key(|(_, sum)| (sum.ns, sum.count))
}

/// Returns the file that was mapped into memory, programs and libraries aside; of several, the one that was also
/// written to or made longer.
pub(super) fn mapped(story: &Story<'_>) -> Option<String> {
    let changes = |one: &Use| {
        matches!(one.operation, FileOperation::Write | FileOperation::Resize) && one.is_ok()
    };
    let changed = story.files.uses.iter().filter(|one| changes(one));
    let changed: BTreeSet<PathId> = changed.filter_map(|one| one.path).collect();
    let is_data = |path| !story.code.is_module(story.files.path(path));
    let is_mapped =
        |one: &Use| one.operation == FileOperation::Map && one.path.is_some_and(is_data);
    let is_changed = |one: &Use| one.path.is_some_and(|path| changed.contains(&path));
    let of_changed = story
        .files
        .object(|one| is_mapped(one) && is_changed(one), |_| 1);
    of_changed.or_else(|| story.files.object(is_mapped, |_| 1))
}

/// Adds how many calls asked for the data to be safe, and how long each took.
pub(super) fn add(story: &Story<'_>, draft: Draft) -> Draft {
    let Some((call, sum)) = most(story).filter(|(_, sum)| sum.count > 1) else {
        return draft;
    };
    let draft = draft
        .fact("calls", Value::Count(sum.count))
        .fact("call", Value::Text(story.calls.name(call)))
        .advise("Flush once for several changes, or let the system write them later.");
    match sum.ns.filter(|_| sum.timed > 0) {
        Some(ns) => draft
            .fact("each", Value::Time(ns / sum.count))
            .detail(Message::new("Each call took {each} on average.")),
        None => draft,
    }
}
