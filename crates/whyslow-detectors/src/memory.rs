//! The path was held up because memory was short: its thread had to free memory before it got any, or was
//! paused because it wrote faster than the disk.
//!
//! The kernel reports when each of these begins and ends, so nothing is guessed.

use whyslow_model::{FileOperation, MemoryStall, ProcessId};
use whyslow_query::system_calls::CallSum;
use whyslow_story::amount::amount;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::files::Use;
use whyslow_story::memory::Held;
use whyslow_story::path::What;
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
        let held = story.memory.on_path(&story.path, kinds, except);
        let ns = held.when.ns();
        (ns > 0 && ns >= story.wall_ns() / LEAST_PART).then_some(held)
    };
    // What a thread does because of its group's limit is not due to the machine's shortage.
    let group = &[MemoryStall::GroupReclaim];
    let for_group = story.memory.on_path(&story.path, group, &Spans::default());
    let of = |kinds: &[MemoryStall]| on_path(kinds, &for_group.when);
    let limit = on_path(group, &Spans::default()).map(|held| {
        let of_command = |process| held.processes.contains_key(&process);
        grower(story, begin(story, "memory-limit", &held), of_command)
            .claim("Its cgroup was at its memory limit, so it freed memory {count} times before it got any: {share} of the time")
            .advise("Raise the limit, or let the group use less memory.")
            .verify("Record it again with a higher limit: `whyslow memory` should show no group reclaim.")
    });
    // Compaction is no sign of a shortage: it joins free memory for huge pages.
    let short = of(&[MemoryStall::Reclaim, MemoryStall::Pause]);
    let short = short.map(|held| {
        grower(story, begin(story, "memory-short", &held), |_| true)
            .claim("The machine was short of memory, so it freed memory {count} times before it got any: {share} of the time")
            .advise("Let fewer programs run at once, give the machine more memory, or let this one use less.")
            .verify("Record it again with more memory free: `whyslow memory` should show no reclaim.")
    });
    let pause = of(&[MemoryStall::DirtyPause]).map(|mut held| {
        held.when = whole_waits(story, &held.when);
        paused(story, &held)
            .advise("Write less, or to a faster disk; programs that write at the same time share the limit.")
            .verify("Record it again with less to write: `whyslow memory` should show no write pause.")
    });
    limit.into_iter().chain(short).chain(pause).collect()
}

/// Says which process needed more and more memory meanwhile, if one of those that count stands out. That it grew is no
/// fault of its own.
fn grower(story: &Story<'_>, draft: Draft, counts: impl Fn(ProcessId) -> bool) -> Draft {
    let grown = story.memory.most_grown(counts);
    let named = grown.and_then(|one| Some((one, story.facts.process(one.process)?)));
    let Some((one, process)) = named else {
        return draft;
    };
    draft
        .fact("grower", Value::Process(process.name.clone()))
        .fact("growth", Value::Text(amount(one.growth_bytes)))
        .fact("needed", Value::Text(amount(one.bytes)))
        .detail(Message::new(
            "Meanwhile, the private memory of {grower} grew by {growth}, to {needed}.",
        ))
}

/// Returns the waits of the path that these pauses are in: a timer may end later than was asked for.
fn whole_waits(story: &Story<'_>, pauses: &Spans) -> Spans {
    let waits = story.path.steps.iter().filter(|step| {
        let waits = matches!(step.what, What::Wait(_));
        waits && pauses.within(step.from_ns, step.to_ns) > 0
    });
    let waits = Spans::new(waits.map(|step| (step.from_ns, step.to_ns)));
    waits.and(pauses)
}

/// Says that programs wrote faster than the disk: which, what they wrote, where, and for how long they were paused.
fn paused(story: &Story<'_>, held: &Held) -> Draft {
    let longest = held.processes.values().map(|of| of.longest_ns).max();
    let claim = match (held.processes.len(), name(story, held) == story.root_name()) {
        (0 | 1, true) => {
            "It wrote faster than the disk, so the kernel paused it {count} times: {share} of the time"
        }
        (0 | 1, false) => {
            "{process} wrote faster than the disk, so the kernel paused it {count} times: {share} of the time"
        }
        _ => {
            "Several processes, such as {process}, wrote faster than the disk, so the kernel paused them {count} times: {share} of the time"
        }
    };
    let draft = begin(story, "write-pause", held)
        .claim(claim)
        .fact("longest", Value::Time(longest.unwrap_or(0)))
        .detail(Message::new("The longest pause took {longest}."));
    let is_paused = |one: &Use| {
        let thread = story.facts.thread(one.thread);
        thread.is_some_and(|row| held.processes.contains_key(&row.process))
    };
    let writes = |one: &Use| one.operation == FileOperation::Write && one.is_ok() && is_paused(one);
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

/// Returns the name of the process that held up the path longest.
fn name<'s>(story: &'s Story<'_>, held: &Held) -> &'s str {
    let process = held.most().and_then(|(id, _)| story.facts.process(id));
    process.map_or(story.root_name(), |row| &row.name)
}

fn begin(story: &Story<'_>, cause: &str, held: &Held) -> Draft {
    let name = name(story, held).to_owned();
    let (ns, count) = (held.when.ns(), held.count);
    let query = Query::new(
        "who was held up for how long",
        "memory",
        &["--process", &name],
    );
    Draft::new(cause, Confidence::Certain, Extent::On(held.when.clone()))
        .fact("process", Value::Process(name))
        .fact("count", Value::Count(count))
        .rows("memory_stall", (ns, count), query)
}
