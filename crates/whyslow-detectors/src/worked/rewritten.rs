//! A file that is written anew again and again: each time, the file system waits until the disk has what was written to
//! it before.

use whyslow_model::FileOperation;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::spans::Spans;
use whyslow_query::system_calls::CallSum;
use whyslow_story::files::{PathId, Use};
use whyslow_story::story::Story;

/// A file that is opened less often is not written anew again and again.
const OFTEN: i64 = 200;

/// Calls that belong to writing a file anew.
const CALLS: [&str; 7] = [
    "open",
    "creat",
    "openat",
    "write",
    "writev",
    "close",
    "ftruncate",
];

/// Such a file.
pub(super) struct Rewritten<'a> {
    object: &'a str,
    count: i64,
}

impl<'a> Rewritten<'a> {
    /// Finds the file whose openings took half of the time that the command waited for the disk, or more.
    pub(super) fn find(story: &'a Story<'_>, waited_ns: i64) -> Option<Self> {
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
        let opened = story.files.uses.iter().filter(opens);
        let longest = opened.max_by_key(|one| one.sum.ns.unwrap_or(0))?;
        let path = longest.path?;
        let opened = sum(path, FileOperation::Open);
        let written = sum(path, FileOperation::Write);
        let is_it = opened.count >= OFTEN
            && opened.ns.unwrap_or(0).saturating_mul(2) >= waited_ns
            && written.count.saturating_mul(2) >= opened.count;
        is_it.then(|| Self {
            object: story.files.path(path),
            count: opened.count,
        })
    }

    /// Returns the CPU time of the calls that write it.
    pub(super) fn computed(story: &Story<'_>) -> Spans {
        super::sampled_in(story, &CALLS)
    }

    /// Adds which file it is.
    pub(super) fn add(&self, draft: Draft) -> Draft {
        let mut draft = draft
            .fact("opened", Value::Count(self.count))
            .detail(Message::new("It opened {object} and wrote it anew {opened} times."))
            .advise(
                "Write it less often, or write over its contents: a file that was truncated goes to the disk when it is closed, and cannot be truncated again before it is there.",
            );
        draft.facts.retain(|(name, _)| *name != "object");
        draft.fact("object", Value::Text(self.object.to_owned()))
    }
}
