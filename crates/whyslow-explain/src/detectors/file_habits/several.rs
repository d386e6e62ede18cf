//! The same files opened over and over, none of them so often that it stands out by itself.

use std::collections::BTreeSet;

use whyslow_model::FileOperation;

use super::{About, OPENS, WITH_OPENS, by_thread, count, draft, made_each_time, many, with_closes};
use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::call_cost::{Calls, Taken, cost_of};
use whyslow_story::files::Use;
use whyslow_story::story::{Story, share};

/// Each file is opened this often, on average.
const EACH: i64 = 20;

/// Who serves files, or starts programs, opens them again and again for good reason: only calls that take this
/// percentage of the command's own time stand out.
const MUCH: f64 = 30.0;

/// Several files were opened over and over.
pub(in crate::detectors) fn reopened(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let made = made_each_time(story);
    let opens = |one: &Use| {
        let is_kept = |path| !story.files.is_folder(path) && !made.contains(&path);
        one.operation == FileOperation::Open && one.is_ok() && one.path.is_some_and(is_kept)
    };
    let uses = || story.files.uses.iter().filter(|one| opens(one));
    let process = |thread| story.facts.thread(thread).map(|row| row.process);
    let paths = uses().filter_map(|one| Some((process(one.thread), one.path?)));
    let different = paths.collect::<BTreeSet<_>>().len();
    let different = i64::try_from(different).unwrap_or(i64::MAX);
    let opened = count(story, &opens);
    if different < 2 || opened < different.saturating_mul(EACH) {
        return None;
    }
    let paths: BTreeSet<_> = uses().filter_map(|one| one.path).collect();
    let is_of_them = |one: &Use| one.is_ok() && one.path.is_some_and(|path| paths.contains(&path));
    let sums = with_closes(story, &opens, by_thread(story, &is_of_them));
    let calls = Calls {
        along: WITH_OPENS,
        ..many(OPENS)
    };
    let cost = cost_of(story, sums.into_iter(), &calls, taken);
    if share(cost.on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let object = story.files.object_by_pattern(opens, |sum| sum.count);
    let about = About::of(object.as_deref());
    let reads = count(story, &|one| {
        one.operation == FileOperation::Read && is_of_them(one)
    });
    let (verb, advice) = match reads.saturating_mul(2) >= opened {
        true => (
            " opened and read",
            "Read each file once and keep its contents.",
        ),
        false => (
            " opened",
            "Keep each file open between uses, or keep its contents.",
        ),
    };
    let draft = draft(
        story,
        "reopen",
        verb,
        (object, opened),
        (cost, OPENS),
        taken,
    )?;
    let draft = draft
        .claim(about.words())
        .claim(" {count} times: {share} of the time")
        .fact("files", Value::Count(different))
        .detail(Message::new("These were {files} different files."));
    Some(draft.advise(advice))
}
