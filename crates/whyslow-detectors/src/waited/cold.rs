//! Reads that a disk served one at a time: each waits for the one before, although a disk can serve several at once.
//! Reads at random offsets: the system reads nothing ahead for them.

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

/// Returns what happened.
pub(super) fn claim(story: &Story<'_>, groups: &[&WaitGroup]) -> &'static str {
    let are_scattered = story.single_calls.disk_reads.are_scattered;
    match (are_small(story, groups), are_scattered, are_alone(story)) {
        (true, true, true) => {
            " read small pieces from the disk at random offsets, one after the other: {share} of the time"
        }
        (true, true, false) => {
            " read small pieces from the disk at random offsets: {share} of the time"
        }
        (true, false, true) => {
            " read from the disk piece by piece, one read after the other: {share} of the time"
        }
        _ => " read data that was not in memory: {share} of the time",
    }
}

/// Returns whether these waits were mostly for small reads from disks.
fn are_small(story: &Story<'_>, groups: &[&WaitGroup]) -> bool {
    let DiskReads {
        count,
        bytes,
        any_ns,
        ..
    } = story.single_calls.disk_reads;
    let waited_ns = groups
        .iter()
        .fold(0_i64, |all, one| all.saturating_add(one.ns));
    let is_it = any_ns.saturating_mul(2) >= waited_ns;
    count >= FEW && is_it && bytes / count.max(1) <= SMALL_BYTES
}

/// Returns whether only one was under way for at least nine tenths of the time.
fn are_alone(story: &Story<'_>) -> bool {
    let DiskReads { sum_ns, any_ns, .. } = story.single_calls.disk_reads;
    sum_ns.saturating_sub(any_ns).saturating_mul(10) <= any_ns
}

/// Adds how many reads there were, how large they were and how long they took.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let reads = story.single_calls.disk_reads;
    let (are_alone, are_scattered) = (are_alone(story), reads.are_scattered);
    if !are_small(story, groups) || !(are_alone || are_scattered) {
        return draft;
    }
    let all = story.files.disk_reads.max(reads.count);
    let is_own = groups.iter().any(|group| group.place.is_users());
    draft
        .fact("reads", Value::Count(all))
        .fact("read-size", Value::Text(amount(reads.bytes / reads.count.max(1))))
        .fact("each", Value::Time(reads.sum_ns / reads.count.max(1)))
        .detail(Message::new(match are_alone {
            true => "{reads} reads went to the disk, {read-size} on average, and took {each} each; only one was under way at a time.",
            false => "{reads} reads went to the disk, {read-size} on average, and took {each} each.",
        }))
        .advise(match are_scattered {
            // Who uses a program that others wrote cannot change how it reads.
            false if !is_own => "A second run shows how fast it is with these files in memory. The program itself could ask for several parts at once (threads, io_uring, posix_fadvise).",
            true => "Sort the reads by offset so that the system can read ahead, or keep the data in memory. With threads or io_uring, the disk serves several reads at once.",
            false => "Ask for several parts at once (threads, io_uring, posix_fadvise), or read in order and in larger pieces.",
        })
}
