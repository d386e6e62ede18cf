//! Reads that a disk served one at a time: each waits for the one before, although a disk can serve several at once.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::amount::amount;
use whyslow_story::path::WaitGroup;
use whyslow_story::single_calls::DiskReads;
use whyslow_story::story::Story;

/// Fewer reads show no habit.
const FEW: i64 = 50;

/// Larger pieces keep a disk busy by themselves; the kernel reads ahead 128 KiB where a file is read in order.
const SMALL_BYTES: i64 = 64 << 10;

/// What happened.
pub(super) const CLAIM: &str =
    " read from the disk piece by piece, one read after the other: {share} of the time";

/// Returns whether these waits were mostly for small reads from disks that were under way alone.
pub(super) fn are_one_by_one(story: &Story<'_>, groups: &[&WaitGroup]) -> bool {
    let DiskReads {
        count,
        bytes,
        sum_ns,
        any_ns,
    } = story.single_calls.disk_reads;
    let waited_ns = groups
        .iter()
        .fold(0_i64, |all, one| all.saturating_add(one.ns));
    let is_it = any_ns.saturating_mul(2) >= waited_ns;
    let is_small = bytes / count.max(1) <= SMALL_BYTES;
    // At least nine tenths of the time only one was under way.
    let are_alone = sum_ns.saturating_sub(any_ns).saturating_mul(10) <= any_ns;
    count >= FEW && is_it && is_small && are_alone
}

/// Adds how many reads there were, how large they were and how long they took.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    if !are_one_by_one(story, groups) {
        return draft;
    }
    let reads = story.single_calls.disk_reads;
    let all = story.files.disk_reads.max(reads.count);
    draft
        .fact("reads", Value::Count(all))
        .fact("read-size", Value::Text(amount(reads.bytes / reads.count.max(1))))
        .fact("each", Value::Time(reads.sum_ns / reads.count.max(1)))
        .detail(Message::new(
            "{reads} reads went to the disk, {read-size} on average, and took {each} each; only one was under way at a time.",
        ))
        .advise(
            "Ask for several parts at once (threads, io_uring, posix_fadvise), or read in order and in larger pieces.",
        )
}
