//! Data that went to and from files while the command waited for the disk: how much, and which file.

use whyslow_model::FileOperation;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::files::Use;
use whyslow_story::path::WaitGroup;
use whyslow_story::story::Story;

/// Fewer files are worth no word.
const MANY_FILES: i64 = 1_000;

/// Adds how fast the command moved data while it waited for the disk, and how many files and folders it opened, if these
/// are many: a program that goes through them is as slow as there are many.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], ns: i64, draft: Draft) -> Draft {
    let draft = draft.fact("rate", Value::Count(rate(story, ns)));
    let waits = |one: &Use| {
        let process = story.process_of(one.thread);
        groups.iter().any(|group| process == Some(&*group.process))
    };
    let opens = |one: &&Use| one.operation == FileOperation::Open && one.is_ok() && waits(one);
    let opens = story.files.uses.iter().filter(opens);
    let opens = opens.fold(0_i64, |all, one| all.saturating_add(one.sum.count));
    match opens >= MANY_FILES {
        true => draft
            .fact("opens", Value::Count(opens))
            .detail(Message::new("It opened files or folders {opens} times.")),
        false => draft,
    }
}

/// Returns how many bytes the command's calls moved for each second that it waited.
fn rate(story: &Story<'_>, waited_ns: i64) -> i64 {
    let threads = story.calls.threads.values();
    let sums = threads.map(|thread| thread.sum(|call, _| MOVES.contains(&call.0)).bytes);
    let bytes: i128 = sums.map(|bytes| i128::from(bytes.unwrap_or(0))).sum();
    let rate = bytes * 1_000_000_000 / i128::from(waited_ns.max(1));
    i64::try_from(rate).unwrap_or(i64::MAX)
}

/// `read`, `write`, `pread64`, `pwrite64`, `readv`, `writev`, `sendfile`, `preadv`, `pwritev`,
/// `copy_file_range`.
const MOVES: [i32; 10] = [0, 1, 17, 18, 19, 20, 40, 295, 296, 326];

/// Returns the file that was the subject of the system call with most of the waiting time.
///
/// Calls that took less time than the waits cannot be what waited.
pub(super) fn file(story: &Story<'_>, call: Option<&str>, waited_ns: i64) -> Option<String> {
    let operation = operation(call?)?;
    let moves = |one: &Use| one.operation == operation;
    let uses = story.files.uses.iter().filter(|one| moves(one));
    let took = uses.filter_map(|one| one.sum.ns);
    let took_ns = took.fold(0, i64::saturating_add);
    if took_ns.saturating_mul(2) < waited_ns {
        return None;
    }
    story.files.object(moves, |sum| sum.ns.unwrap_or(0))
}

/// Returns what a system call does with a file, by its name in the kernel.
fn operation(call: &str) -> Option<FileOperation> {
    match call {
        "read" | "pread64" | "readv" | "preadv" | "preadv2" => Some(FileOperation::Read),
        "write" | "pwrite64" | "writev" | "pwritev" | "pwritev2" => Some(FileOperation::Write),
        "open" | "openat" | "openat2" | "creat" => Some(FileOperation::Open),
        "unlink" | "unlinkat" => Some(FileOperation::Remove),
        "rename" | "renameat" | "renameat2" => Some(FileOperation::Rename),
        "truncate" | "ftruncate" => Some(FileOperation::Resize),
        _ => None,
    }
}
