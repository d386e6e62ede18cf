//! The same files renamed, created, removed or changed again and again.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::draft;
use crate::detector::Draft;
use crate::file_habits::{About, WITH_OPENS_TO_WRITE, with_closes};
use crate::finding::{Message, Value};
use whyslow_story::call_cost::{Calls, MANY, Taken, cost_of};
use whyslow_story::files::Use;
use whyslow_story::story::Story;

/// Each file is changed more often than this, on average: once is what a program is for, and a few times what it
/// takes to replace a file.
const EACH: i64 = 4;

/// Fewer temporary files are no habit, such as the log of a database.
const MANY_TEMPORARY: i64 = 20;

/// What is done to the files, and what it is called.
const KINDS: &[(FileOperation, &str)] = &[
    (FileOperation::Rename, " renamed"),
    (FileOperation::Remove, " removed"),
    (FileOperation::Create, " created"),
    (FileOperation::Link, " linked"),
    (
        FileOperation::Change,
        " changed the permissions or times of",
    ),
    (FileOperation::Resize, " changed the size of"),
];

/// `ftruncate`, `truncate`, `rename`, `mkdir`, `rmdir`, `link`, `unlink`, `symlink`, `chmod`, `fchmod`, `chown`,
/// `fchown`, `lchown`, `utime`, `mknod`, `utimes`, `mkdirat`, `mknodat`, `fchownat`, `futimesat`, `unlinkat`,
/// `renameat`, `linkat`, `symlinkat`, `fchmodat`, `utimensat`, `fallocate`, `renameat2`.
const CHANGES: &[i32] = &[
    76, 77, 82, 83, 84, 86, 87, 88, 90, 91, 92, 93, 94, 132, 133, 235, 258, 259, 260, 261, 263,
    264, 265, 266, 268, 280, 285, 316,
];

/// Finds changes of the same files again and again.
pub(super) fn changes(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let is_change = |one: &Use| KINDS.iter().any(|&(kind, _)| kind == one.operation);
    let uses = || story.files.uses.iter().filter(|one| one.is_ok());
    let mut sums = BTreeMap::<ThreadId, CallSum>::new();
    for one in uses().filter(|one| is_change(one)) {
        sums.entry(one.thread).or_default().add(&one.sum);
    }
    let &(kind, verb) = most_costly(story)?;
    let of_kind = |one: &Use| one.is_ok() && one.operation == kind;
    let counts = uses().filter(|one| of_kind(one)).map(|one| one.sum.count);
    let count = counts.fold(0, i64::saturating_add);
    let paths = uses().filter(|one| of_kind(one)).filter_map(|one| one.path);
    let paths: BTreeSet<_> = paths.collect();
    let different = i64::try_from(paths.len()).unwrap_or(i64::MAX);
    // What was removed so often must have been made as often.
    let of_paths = |one: &Use| one.is_ok() && one.path.is_some_and(|path| paths.contains(&path));
    let opens = |one: &Use| one.operation == FileOperation::Open && of_paths(one);
    let times = |of: FileOperation| {
        let uses = uses().filter(|one| one.operation == of && of_paths(one));
        uses.fold(0, |all: i64, one| all.saturating_add(one.sum.count))
    };
    // Who only reads what it removes gets it from somebody else.
    let many = |count_of: i64| count_of.saturating_mul(2) >= count;
    let writes = many(times(FileOperation::Write));
    let only_reads = many(times(FileOperation::Read)) && !writes;
    let is_made = kind == FileOperation::Remove && many(times(FileOperation::Open)) && !only_reads;
    // A temporary file for each item may have another name each time.
    let written = uses().filter(|one| one.operation == FileOperation::Write && of_paths(one));
    let written: BTreeSet<_> = written.filter_map(|one| one.path).collect();
    let is_habit = is_made && writes && count >= MANY_TEMPORARY;
    let is_temporary = is_habit && written.len() * 2 >= paths.len();
    let is_again = count >= different.saturating_mul(EACH) || is_temporary;
    if different == 0 || !is_again {
        return None;
    }
    if is_made {
        for one in uses().filter(|one| of_paths(one) && !is_change(one)) {
            sums.entry(one.thread).or_default().add(&one.sum);
        }
        sums = with_closes(story, &opens, sums);
    }
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: true,
        numbers: CHANGES,
        along: if is_made { WITH_OPENS_TO_WRITE } else { &[] },
    };
    let verb = if is_made { " made and removed" } else { verb };
    let cost = cost_of(story, sums.into_iter(), &calls, taken);
    let object = story.files.object(of_kind, |sum| sum.count);
    let about = About::of(object.as_deref());
    let place = story
        .calls
        .place(story.code, &|call| CHANGES.contains(&call.0));
    let draft = draft(story, ("file-churn", verb), &cost, place, taken)?;
    let draft = draft
        .claim(about.words())
        .claim(" {times} times: {share} of the time")
        .fact("times", Value::Count(count));
    let draft = match object {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    let draft = match different {
        0 | 1 => draft,
        _ => draft
            .fact("files", Value::Count(different))
            .detail(Message::new("These were {files} different names.")),
    };
    Some(draft.advise("Do it once for many items, or keep the file as it is."))
}

/// Returns the kind of change that took most of the time of calls, and what it is called.
fn most_costly(story: &Story<'_>) -> Option<&'static (FileOperation, &'static str)> {
    let ns = |kind: FileOperation| {
        let uses = story.files.uses.iter();
        let uses = uses.filter(|one| one.is_ok() && one.operation == kind);
        let ns = uses.map(|one| one.sum.ns.unwrap_or(0));
        ns.fold(0, i64::saturating_add)
    };
    KINDS.iter().max_by_key(|&&(kind, _)| ns(kind))
}
