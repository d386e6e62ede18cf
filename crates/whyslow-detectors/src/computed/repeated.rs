//! Several processes of one program computed: how many, and which file they read again.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ProcessId};

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::story::{Story, share};

/// Fewer processes need no mention.
const SEVERAL: usize = 3;

/// A process with this percentage of the time of all of them did the work alone.
const NEARLY_ALL: f64 = 90.0;

/// A file with less of what they read than this percentage is not what they work on.
const MOST: f64 = 60.0;

/// If each reads fewer bytes of it, it is not what they work on.
const LARGE: usize = 64 << 10;

/// Adds how many processes of this name the command had, and which file most of them read.
pub(super) fn add(story: &Story<'_>, draft: Draft, name: &str) -> Draft {
    let rows = story.facts.processes.iter().zip(ProcessId::all());
    let named = rows.filter(|(row, id)| row.name == name && story.command.has_process(*id));
    // A process that became another program by exec was this one only for a moment.
    let named = named.filter(|(_, id)| story.command.images.next(id.index()).is_none());
    let ids: BTreeSet<ProcessId> = named.map(|(_, id)| id).collect();
    // One that took nearly all of the time is not one of several.
    let ran = story.ran_while(&|_| true).into_iter();
    let ran = ran.filter(|(id, _)| ids.contains(id)).map(|(_, ns)| ns);
    let (most, all) = ran.fold((0, 0), |(most, all), ns| {
        (ns.max(most), ns.saturating_add(all))
    });
    if ids.len() < SEVERAL || share(most, all) >= NEARLY_ALL {
        return draft;
    }
    let count = |number: usize| Value::Count(i64::try_from(number).unwrap_or(i64::MAX));
    let draft = draft.fact("processes", count(ids.len()));
    match read(story, &ids) {
        Some((file, readers)) => draft
            .fact("file", Value::Text(file))
            .fact("readers", count(readers))
            .detail(Message::new(match readers == ids.len() {
                true => "There were {processes} such processes, and all of them read {file}.",
                false => "There were {processes} such processes; {readers} of them read {file}.",
            })),
        None => draft.detail(Message::new("There were {processes} such processes.")),
    }
}

/// Returns the file that these processes read most of, and how many of them did; `None` if most did not read
/// one and the same.
fn read(story: &Story<'_>, ids: &BTreeSet<ProcessId>) -> Option<(String, usize)> {
    let mut sums = BTreeMap::new();
    let mut all = 0_i64;
    for one in &story.files.uses {
        let process = story.facts.thread(one.thread).map(|row| row.process);
        let process = process.filter(|id| ids.contains(id));
        let is_read = one.operation == FileOperation::Read && one.is_ok();
        // Loading a library reads its first bytes.
        let path = one
            .path
            .filter(|&id| !story.code.is_module(story.files.path(id)));
        if let (Some(process), Some(path), true) = (process, path, is_read) {
            let bytes = one.sum.bytes.unwrap_or(0);
            all = all.saturating_add(bytes);
            let (sum, readers): &mut (i64, BTreeSet<ProcessId>) = sums.entry(path).or_default();
            *sum = sum.saturating_add(bytes);
            readers.insert(process);
        }
    }
    let (path, (bytes, readers)) = sums.into_iter().max_by_key(|(_, (bytes, _))| *bytes)?;
    let is_large = usize::try_from(bytes).unwrap_or(0) >= LARGE * readers.len();
    let is_much = is_large && share(bytes, all) >= MOST && readers.len() * 2 > ids.len();
    is_much.then(|| (story.files.path(path).to_owned(), readers.len()))
}
