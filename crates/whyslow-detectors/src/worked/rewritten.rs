//! A file that is written anew again and again: each time, the file system waits until the disk has what was written to
//! it before.

use whyslow_model::FileOperation;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use crate::waited::Waits;
use whyslow_query::spans::Spans;
use whyslow_query::system_calls::CallSum;
use whyslow_story::files::{PathId, Use};
use whyslow_story::story::Story;

/// A file that is opened less often is not written anew again and again.
const OFTEN: i64 = 200;

/// Calls that belong to writing a file anew, beside those that write.
const CALLS: [&str; 4] = ["open", "creat", "openat", "close"];

/// The kernel's function that removes the contents of a file.
const TRUNCATES: &str = "do_truncate";

/// If at least one in so many openings is of another file, the cost of all calls is not that of this file's.
const OTHERS: i64 = 5;

/// Such a file.
pub(super) struct Rewritten<'a> {
    object: &'a str,
    count: i64,
    /// Whether hardly any other file was opened.
    is_alone: bool,
}

impl<'a> Rewritten<'a> {
    /// Finds the file whose openings took half of the time that the command waited for the disk, or more, if most of
    /// that was to remove its contents.
    pub(super) fn find(story: &'a Story<'_>, waits: &Waits<'_>) -> Option<Self> {
        if !are_truncations(story, waits) {
            return None;
        }
        let sum = |path: PathId, operation: FileOperation| {
            let uses = story.files.uses.iter();
            let of_path = |one: &&Use| one.path == Some(path) && one.operation == operation;
            let mut sum = CallSum::default();
            for one in uses.filter(of_path).filter(|one| one.is_ok()) {
                sum.add(&one.sum);
            }
            sum
        };
        let opens = |one: &&Use| one.operation == FileOperation::Open && one.is_ok();
        let all = || story.files.uses.iter().filter(opens);
        let longest = all().max_by_key(|one| one.sum.ns.unwrap_or(0))?;
        let path = longest.path?;
        let opened = sum(path, FileOperation::Open);
        let written = sum(path, FileOperation::Write);
        let is_it = opened.count >= OFTEN
            && opened.ns.unwrap_or(0).saturating_mul(2) >= waits.ns
            && written.count.saturating_mul(2) >= opened.count;
        is_it.then(|| Self {
            object: story.files.path(path),
            count: opened.count,
            is_alone: {
                let all = all().fold(0, |all: i64, one| all.saturating_add(one.sum.count));
                (all - opened.count).saturating_mul(OTHERS) < all
            },
        })
    }

    /// Returns the CPU time of opening and closing it, if that is known.
    pub(super) fn computed(&self, story: &Story<'_>) -> Spans {
        match self.is_alone {
            true => super::sampled_in(story, &CALLS, &|_| true),
            false => Spans::default(),
        }
    }

    /// Adds which file it is.
    pub(super) fn add(&self, draft: Draft) -> Draft {
        let mut draft = draft
            .fact("opened", Value::Count(self.count))
            .detail(Message::new("It opened {object} {opened} times, and mostly waited until its earlier contents were on the disk."))
            .advise(
                "Write it less often, or overwrite its contents without truncating it: a file that was truncated is written to the disk when it is closed, and cannot be truncated again until that is done.",
            );
        draft.facts.retain(|(name, _)| *name != "object");
        draft.fact("object", Value::Text(self.object.to_owned()))
    }
}

/// Returns whether most of the time was waited to remove the contents of files, as far as stacks say.
fn are_truncations(story: &Story<'_>, waits: &Waits<'_>) -> bool {
    let (tree, frames) = (&story.code.stacks.tree, &story.code.stacks.frames);
    let stacks = waits.groups.iter().flat_map(|group| &group.stacks);
    let (mut below, mut all) = (0_i64, 0_i64);
    for (&id, &ns) in stacks {
        let nodes = tree.path(tree.node(Some(id)));
        let mut functions = nodes.flat_map(|node| tree.functions(node));
        let is_below = functions.any(|&id| &*frames.function(id).name == TRUNCATES);
        all = all.saturating_add(ns);
        below = below.saturating_add(if is_below { ns } else { 0 });
    }
    below > 0 && below.saturating_mul(2) >= all
}
