//! The path was held up because memory was short: its thread had to free memory before it got any, or was
//! paused because it wrote faster than the disk.
//!
//! The kernel reports when each of these begins and ends, so nothing is guessed.

use whyslow_model::{FileOperation, MemoryStall, ThreadId};
use whyslow_query::system_calls::CallSum;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::files::Use;
use whyslow_story::story::Story;

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "memory-limit",
            "its cgroup was at its memory limit, so it had to free memory first",
        ),
        (
            "memory-short",
            "the machine was short of memory, so the program had to free some first",
        ),
        (
            "write-pause",
            "it wrote faster than the disk, so the kernel paused it",
        ),
    ],
    find,
};

/// A smaller share of the time is no cause.
const LEAST_PART: i64 = 20;

/// `write`, `pwrite64`, `writev`, `sendfile`, `splice`, `pwritev`, `copy_file_range`, `pwritev2`.
const WRITES: [i32; 8] = [1, 18, 20, 40, 275, 296, 326, 328];

fn find(story: &Story<'_>) -> Vec<Draft> {
    let on_path = |kinds: &[MemoryStall], except: &Spans| {
        let (when, count) = story.memory.on_path(&story.path, kinds, except);
        let is_much = when.ns() > 0 && when.ns() >= story.wall_ns() / LEAST_PART;
        is_much.then_some((when, count))
    };
    // What a thread does because of its group's limit is not due to the machine's shortage.
    let group = &[MemoryStall::GroupReclaim];
    let (for_group, _) = story.memory.on_path(&story.path, group, &Spans::default());
    let of = |kinds: &[MemoryStall]| on_path(kinds, &for_group);
    let limit = on_path(group, &Spans::default()).map(|(when, count)| {
        begin(story, "memory-limit", when, count)
            .claim("Its cgroup was at its memory limit, so it freed memory {count} times before it got any: {share} of the time")
            .advise("Raise the limit, or let the group use less memory.")
            .verify("Record it again with a higher limit: `whyslow memory` should show no group reclaim.")
    });
    // Compaction is no sign of a shortage: it joins free memory for huge pages.
    let short = of(&[MemoryStall::Reclaim, MemoryStall::Pause]);
    let short = short.map(|(when, count)| {
        begin(story, "memory-short", when, count)
            .claim("The machine was short of memory, so it freed memory {count} times before it got any: {share} of the time")
            .advise("Let fewer programs run at once, give the machine more memory, or let this one use less.")
            .verify("Record it again with more memory free: `whyslow memory` should show no reclaim.")
    });
    let pause = of(&[MemoryStall::DirtyPause]).map(|(when, count)| {
        paused(story, when, count)
            .claim(" wrote faster than the disk, so the kernel paused it {count} times: {share} of the time")
            .advise("Write less, or to a faster disk; programs that write at the same time share the limit.")
            .verify("Record it again with less to write: `whyslow memory` should show no write pause.")
    });
    limit.into_iter().chain(short).chain(pause).collect()
}

/// Begins what is said of a program that wrote faster than the disk: what it wrote, where, and for how long it was paused.
fn paused(story: &Story<'_>, when: Spans, count: i64) -> Draft {
    let (longest_ns, process) = story.memory.longest(&[MemoryStall::DirtyPause]);
    let process = process.and_then(|thread| story.process_of(thread));
    let process = process.unwrap_or(story.root_name());
    let draft =
        begin(story, "write-pause", when, count).claim(match process == story.root_name() {
            true => "It",
            false => "{process}",
        });
    let draft = draft
        .fact("longest", Value::Time(longest_ns))
        .detail(Message::new("The longest pause took {longest}."));
    let writes = |one: &Use| one.operation == FileOperation::Write && one.is_ok();
    let written = |sum: &CallSum| sum.bytes.unwrap_or(0);
    let draft = match story.files.object_by_pattern(writes, written) {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    let place = story
        .calls
        .place(story.code, &|call| WRITES.contains(&call.0));
    match place {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    }
}

fn begin(story: &Story<'_>, cause: &str, when: Spans, count: i64) -> Draft {
    let steps = story.path.steps.iter();
    let held = steps.filter_map(|step| {
        let thread = step.thread?;
        Some((when.within(step.from_ns, step.to_ns), thread))
    });
    let longest = held.max_by_key(|&(ns, ThreadId(thread))| (ns, thread));
    let name = longest.and_then(|(_, thread)| story.process_of(thread));
    let name = name.unwrap_or(story.root_name()).to_owned();
    let ns = when.ns();
    let query = Query::new(
        "who was held up for how long",
        "memory",
        &["--process", &name],
    );
    Draft::new(cause, Confidence::Certain, Extent::On(when))
        .fact("process", Value::Process(name))
        .fact("count", Value::Count(count))
        .rows("memory_stall", (ns, count), query)
}
