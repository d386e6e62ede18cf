//! The same files opened over and over, none of them so often that it stands out by itself.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::FileOperation;

use super::{About, OPENS, WITH_OPENS, by_thread, count, draft, made_each_time, many, with_closes};
use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::call_cost::{Calls, Taken, cost_of};
use whyslow_story::files::is_file;
use whyslow_story::files::{PathId, Use};
use whyslow_story::story::{Story, share};

/// A file that a process opens less often is not opened over and over.
const EACH: i64 = 20;

/// Who serves files, or starts programs, opens them again and again for good reason: only calls that take this
/// percentage of the command's own time stand out.
const MUCH: f64 = 30.0;

/// Opening takes at least this part (one in so many) of the time of the calls: who reads much needs to read it.
const OPENING: i64 = 3;

/// Several files were opened over and over.
pub(crate) fn reopened(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let paths = paths(story);
    let different = i64::try_from(paths.len()).unwrap_or(i64::MAX);
    let is_of_them = |one: &Use| one.is_ok() && one.path.is_some_and(|path| paths.contains(&path));
    let opens = |one: &Use| one.operation == FileOperation::Open && is_of_them(one);
    let opened = count(story, &opens);
    let ns = |wanted: &dyn Fn(&Use) -> bool| {
        let uses = story.files.uses.iter().filter(|one| wanted(one));
        uses.fold(0_i64, |all, one| {
            all.saturating_add(one.sum.ns.unwrap_or(0))
        })
    };
    if different < 2 || ns(&opens).saturating_mul(OPENING) < ns(&is_of_them) {
        return None;
    }
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

/// Returns the files that a process opened over and over: files on a disk or in memory that were neither made nor
/// written each time. What the kernel shows in `/proc` is different each time.
fn paths(story: &Story<'_>) -> BTreeSet<PathId> {
    let made = made_each_time(story);
    let mut counts = BTreeMap::<_, (i64, i64)>::new();
    for one in story.files.uses.iter().filter(|one| one.is_ok()) {
        let process = story.facts.thread(one.thread).map(|row| row.process);
        let Some(path) = one.path else { continue };
        let (opened, written) = counts.entry((process, path)).or_default();
        match one.operation {
            FileOperation::Open => *opened = opened.saturating_add(one.sum.count),
            FileOperation::Write => *written = written.saturating_add(one.sum.count),
            _ => {}
        }
    }
    let is_kept = |path: PathId| {
        let name = story.files.path(path);
        is_file(name) && !story.files.is_folder(path) && !made.contains(&path)
    };
    let often = counts
        .into_iter()
        .filter(|&((_, path), (opened, written))| {
            opened >= EACH && written.saturating_mul(2) < opened && is_kept(path)
        });
    often.map(|((_, path), _)| path).collect()
}
