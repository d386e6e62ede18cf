//! The same parts of one file were read over and over.

use std::collections::BTreeMap;

use whyslow_model::{FileOperation, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::READS;
use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::amount::amount;
use whyslow_story::call_cost::{Calls, MANY, Taken, cost_of, is_much, take};
use whyslow_story::files::Use;
use whyslow_story::files::is_file;
use whyslow_story::story::Story;

/// A file whose bytes were read so often, on average, is read over and over.
const TIMES: i64 = 5;

/// Looks for a file that was read over and over through calls that take the time themselves.
pub(super) fn rereads(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let reads = |one: &Use| one.operation == FileOperation::Read && one.is_ok();
    let process = |one: &Use| story.facts.thread(one.thread).map(|row| row.process);
    let uses = story.files.uses.iter().filter(|one| reads(one));
    let mut sums = BTreeMap::new();
    for (key, one) in uses.filter_map(|one| Some(((process(one)?, one.path?), one))) {
        let sum: &mut i64 = sums.entry(key).or_default();
        *sum = sum.saturating_add(one.sum.bytes.unwrap_or(0));
    }
    let over = sums.into_iter().filter_map(|((process, path), moved)| {
        let end = story.files.read_over(process, path)?;
        let times = moved / end.max(1);
        let is_file = is_file(story.files.path(path));
        (is_file && times >= TIMES).then_some((moved, (process, path), (end, times)))
    });
    let (moved, (reader, path), (end, times)) = over.max_by_key(|&(moved, ..)| moved)?;
    let name = story.files.path(path);
    let mut of_path: BTreeMap<ThreadId, CallSum> = BTreeMap::new();
    let (mut here, mut all) = (0_i64, 0_i64);
    for one in story.files.uses.iter().filter(|one| reads(one)) {
        all = all.saturating_add(one.sum.count);
        if one.path == Some(path) && process(one) == Some(reader) {
            here = here.saturating_add(one.sum.count);
            of_path.entry(one.thread).or_default().add(&one.sum);
        }
    }
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: true,
        numbers: READS,
        along: &[],
    };
    let cost = cost_of(story, of_path.into_iter(), &calls, taken);
    if !is_much(story, cost.on.ns()) {
        return None;
    }
    let place = story
        .calls
        .place(story.code, &|call| READS.contains(&call.0))
        .filter(|_| here.saturating_mul(2) > all);
    let process = cost.caller(story);
    let query = Query::new("its files", "files", &["--process", process]);
    let draft = Draft::new("reread", Confidence::Certain, Extent::On(cost.on.clone()))
        .of_process(story, process)
        .fact("object", Value::Text(name.to_owned()))
        .fact("times", Value::Count(times))
        .fact("count", Value::Count(cost.sum.count))
        .fact("bytes", Value::Text(amount(moved)))
        .fact("size", Value::Text(amount(end)))
        .claim(" read {object} {times} times over: {share} of the time")
        .detail(Message::new(
            "It read {bytes} in {count} calls, all from the first {size}.",
        ))
        .rows("file_call", (cost.on.ns(), cost.sum.count), query)
        .advise("Keep what was read, or read only what is needed; a seek may discard a reader's buffer.");
    take(&cost, taken);
    Some(match place {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    })
}
