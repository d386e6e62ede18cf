//! What a program without names of functions did with files: often that alone says what it works on.

use std::collections::BTreeMap;

use whyslow_model::FileOperation;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::amount::amount;
use whyslow_story::call_cost::MUCH;
use whyslow_story::story::{Story, share};

/// Per second of computing, this is much: so many opened files, so many bytes.
const MANY_PER_S: i64 = 2_000;
const BYTES_PER_S: i64 = 50_000_000;

/// Fewer files, or bytes, are worth no word, however short it computed.
const FEW: i64 = 1_000;
const LITTLE: i64 = 10_000_000;

const SECOND_NS: i64 = 1_000_000_000;

/// From this percentage of the CPU time in the kernel on, a program that opens many files mostly goes through them.
const IN_KERNEL: f64 = 60.0;

/// A file with less of the opens than this percentage is one of several.
const ONE_FILE: f64 = 80.0;

/// Adds how often it opened files, and how much it read and wrote, if that is much and where it computed has no name, or
/// is in the kernel. A file that is opened thousands of times is named in any case.
pub(super) fn add(story: &Story<'_>, draft: Draft, (name, ns): (&str, i64)) -> Draft {
    let frames = &story.code.stacks.frames;
    let leaf = story.hot.leaves.first();
    let in_kernel = share(story.hot.kernel_ns, story.hot.ns) >= IN_KERNEL;
    let is_known = leaf.is_none_or(|leaf| frames.function(leaf.function).resolved && !in_kernel);
    let sum = |operation: FileOperation| {
        let uses = story.files.uses.iter();
        let of = uses.filter(|one| one.operation == operation && one.is_ok());
        let of = of.filter(|one| story.process_of(one.thread) == Some(name));
        of.fold((0_i64, 0_i64), |(count, bytes), one| {
            let more = one.sum.bytes.unwrap_or(0);
            (
                count.saturating_add(one.sum.count),
                bytes.saturating_add(more),
            )
        })
    };
    let is_much = |sum: i64, (least, per_s): (i64, i64)| {
        let much = i128::from(ns) * i128::from(per_s) / i128::from(SECOND_NS);
        sum >= least && i128::from(sum) >= much
    };
    let (opens, _) = sum(FileOperation::Open);
    let (_, read) = sum(FileOperation::Read);
    let (_, written) = sum(FileOperation::Write);
    let opens_much = is_much(opens, (FEW, MANY_PER_S));
    let moves_much = !is_known && is_much(read.max(written), (LITTLE, BYTES_PER_S));
    if opens_much
        && !moves_much
        && let Some((file, opens)) = one_file(story, name, opens)
    {
        return draft
            .fact("opens", Value::Count(opens))
            .fact("reopened", Value::Text(file))
            .detail(Message::new("It opened {reopened} {opens} times."));
    }
    if is_known || !opens_much && !moves_much {
        return draft;
    }
    draft
        .fact("opens", Value::Count(opens))
        .fact("bytes-read", Value::Text(amount(read)))
        .fact("bytes-written", Value::Text(amount(written)))
        .detail(Message::new(match (opens_much, written > read) {
            (true, _) if read.max(written) < LITTLE => "It opened files {opens} times.",
            (true, false) => "It opened files {opens} times, and read {bytes-read}.",
            (true, true) => "It opened files {opens} times, and wrote {bytes-written}.",
            (false, false) => "It read {bytes-read} from files.",
            (false, true) => "It wrote {bytes-written} to files.",
        }))
}

/// Returns the file that nearly all of a program's opens are about, and how many are, unless the calls about it take so
/// much of the time that they are a finding of their own.
fn one_file(story: &Story<'_>, name: &str, opens: i64) -> Option<(String, i64)> {
    let mut counts = BTreeMap::new();
    let mut times = BTreeMap::new();
    for one in &story.files.uses {
        let is_open = one.operation == FileOperation::Open && one.is_ok();
        let is_its = story.process_of(one.thread) == Some(name);
        if is_its {
            let time: &mut i64 = times.entry(one.path).or_default();
            *time = time.saturating_add(one.sum.ns.unwrap_or(0));
        }
        if let (Some(path), true) = (one.path, is_open && is_its) {
            let count: &mut i64 = counts.entry(path).or_default();
            *count = count.saturating_add(one.sum.count);
        }
    }
    let (path, count) = counts.into_iter().max_by_key(|&(_, count)| count)?;
    let took = times.get(&Some(path)).copied().unwrap_or(0);
    if share(took, story.own_ns()) >= MUCH / 2.0 {
        return None;
    }
    let is_file = !story.files.is_folder(path) && share(count, opens) >= ONE_FILE;
    is_file.then(|| (story.files.path(path).to_owned(), count))
}
