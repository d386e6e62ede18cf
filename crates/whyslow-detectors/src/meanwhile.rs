//! What other processes of this machine did while the path waited for them: a cause behind the cause.
//!
//! Each finding lies within the waits that it explains, and so is shown below them.

use std::collections::BTreeMap;

use whyslow_model::{FileOperation, ProcessId, ThreadId};

mod programs;

use self::programs::Units;
use super::computed::Most;
use super::handed::EXCLUSIVE;
use super::{waited, worked};
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_findings::ranking::DISK_WORK;
use whyslow_query::spans::Spans;
use whyslow_story::files::Use;
use whyslow_story::path::{Link, WaitGroup, What};
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[],
    find: |story| {
        let found = story.meanwhile.as_deref().map(|there| found(story, there));
        let mut found = found.unwrap_or_default();
        found.sort_by_key(|one| (one.order, std::cmp::Reverse(one.on.ns())));
        let waiter = Value::Process(story.called(story.root_name()));
        let drafts = found.into_iter().map(|one| one.draft);
        drafts
            .map(|draft| with(draft, "waiter", waiter.clone()))
            .collect()
    },
};

/// Anything that takes less of the waiting time than this percentage says little about it.
const MUCH: f64 = 25.0;

/// The order of findings about time in which others had the CPUs.
const STARVED: u8 = 3;

/// Something that a process, or several processes of a program, did, and when.
struct Found {
    /// The order in which findings are shown: those that say who waited for whom come first.
    order: u8,
    /// Who did it.
    who: ProcessId,
    on: Spans,
    draft: Draft,
}

/// Returns when `story`'s path continued in other processes.
fn followed(there: &Story<'_>) -> Spans {
    there.path.when(|_| true)
}

/// Adds a sentence to a draft about replies if it is not known what the other process did meanwhile.
pub(super) fn completed(story: &Story<'_>, draft: Draft) -> Draft {
    let has = |wanted: &str| draft.facts.iter().any(|(name, _)| *name == wanted);
    let sure = draft.confidence == Confidence::Certain;
    let is_about_replies = draft.cause == "slow-peer" && sure && has("peer") && !has("waiter");
    match &draft.extent {
        Extent::On(on) if is_about_replies && !is_known(story, on) && !is_followed(story, on) => {
            draft.detail(Message::new("What {peer} did meanwhile is not known."))
        }
        _ => draft,
    }
}

/// Returns whether a finding says, for some of the waiting time, for whom the other process waited itself.
fn is_followed(story: &Story<'_>, on: &Spans) -> bool {
    let there = story.meanwhile.as_deref();
    there.is_some_and(|there| {
        let mut found = found(story, there).into_iter();
        found.any(|one| one.order == 0 && share(one.on.overlap(on), on.ns()) >= MUCH)
    })
}

/// Returns whether it is known, for half of the waiting time, what others did while the path waited
/// for them.
fn is_known(story: &Story<'_>, on: &Spans) -> bool {
    let there = story.meanwhile.as_deref();
    there.is_none_or(|there| did_something(story, there, on))
}

/// Returns whether others did something of their own for half of the time that the path waited for them: they
/// did not wait for the command.
pub(super) fn were_busy(story: &Story<'_>, on: &Spans) -> bool {
    let there = story.meanwhile.as_deref();
    there.is_some_and(|there| did_something(story, there, on))
}

fn did_something(story: &Story<'_>, there: &Story<'_>, on: &Spans) -> bool {
    let all = followed(there).common(on);
    let certain = looked_for(story, there, &Units::default()).into_iter();
    let certain = certain.filter(|one| one.order > 0);
    let known = certain.fold(Spans::default(), |all, one| all.and(&one.on));
    is_half(&known, &all)
}

/// Returns whether half of some time is known: there must be any.
fn is_half(known: &Spans, all: &Spans) -> bool {
    all.ns() > 0 && known.overlap(all) * 2 >= all.ns()
}

/// Returns what is much of the time waited.
fn found(story: &Story<'_>, there: &Story<'_>) -> Vec<Found> {
    let mut all = much_of(story, there, &Units::default());
    // What each of many processes did is little; what all of them did may be much.
    let units = Units::of_programs(there, &all.iter().map(|one| one.who).collect());
    if !units.is_empty() {
        let together = much_of(story, there, &units).into_iter();
        all.extend(together.filter(|one| units.has(one.who)));
    }
    all
}

/// Returns what is much of the time waited, for these units.
fn much_of(story: &Story<'_>, there: &Story<'_>, units: &Units) -> Vec<Found> {
    let mut all = looked_for(story, there, units);
    // If it is much of the time that the process had for itself, it is worth reporting however busy
    // the machine was.
    let all_ns = followed(there).ns();
    let own_ns = all_ns - starved(there).ns();
    all.retain(|one| {
        let of_ns = if one.order == STARVED { all_ns } else { own_ns };
        share(one.on.ns(), of_ns) >= MUCH
    });
    all
}

/// Returns what each unit did, however little of the time waited that is.
fn looked_for(story: &Story<'_>, there: &Story<'_>, units: &Units) -> Vec<Found> {
    let mut all = passed_on(there, units);
    let mut waits = BTreeMap::<_, waited::Waits<'_>>::new();
    for ((cause, process), more) in
        waited::causes_by_process(there, &|group| is_its_own(story, there, group))
    {
        if let Some(process) = process {
            waits
                .entry((cause, units.of(process)))
                .or_default()
                .add(more);
        }
    }
    let waits = waits.into_iter();
    all.extend(waits.filter_map(|(key, waits)| waiting(there, units, key, waits)));
    let explained = all.iter().filter(|one| one.order > 0);
    let explained = explained.fold(Spans::default(), |all, one| all.and(&one.on));
    all.extend(computing(there, units, &explained));
    all.extend(without_cpu(there, units));
    all
}

/// Returns whether the waits of a process were not for the command itself, as far as they were for others
/// at all.
fn is_its_own(story: &Story<'_>, there: &Story<'_>, group: &WaitGroup) -> bool {
    let waker = group.between.and_then(|(_, waker)| waker);
    match waker {
        Some(waker) => !story.command.has_process(waker),
        // For whom it was is not known.
        None => {
            let followed = there.rules.followed()[usize::from(group.class)];
            !followed || there.rules.is_timeout(group.end)
        }
    }
}

/// Returns the unit with most of the path in `on`.
fn busiest(there: &Story<'_>, units: &Units, on: &Spans) -> Option<ProcessId> {
    let mut times: BTreeMap<ProcessId, i64> = BTreeMap::new();
    for step in &there.path.steps {
        if let Some(id) = step.thread.and_then(|id| process_of(there, id)) {
            *times.entry(units.of(id)).or_default() += on.within(step.from_ns, step.to_ns);
        }
    }
    let most = times.into_iter().max_by_key(|&(_, ns)| ns);
    most.filter(|&(_, ns)| ns > 0).map(|(id, _)| id)
}

/// Returns when the path was in a unit.
fn of(there: &Story<'_>, units: &Units, unit: ProcessId) -> Spans {
    let is_there = |id| process_of(there, id).map(|id| units.of(id)) == Some(unit);
    there.path.when(|step| step.thread.is_some_and(is_there))
}

fn process_of(there: &Story<'_>, thread: ThreadId) -> Option<ProcessId> {
    there.facts.thread(thread).map(|row| row.process)
}

/// Sets a value, whether there is one of that name or not.
fn with(mut draft: Draft, name: &'static str, value: Value) -> Draft {
    draft.facts.retain(|(known, _)| *known != name);
    draft.fact(name, value)
}

/// Returns the waits of one process for another one that were followed, and those for what one of its own threads held.
fn passed_on(there: &Story<'_>, units: &Units) -> Vec<Found> {
    let mut pairs: BTreeMap<(ProcessId, ProcessId), Vec<&Link>> = BTreeMap::new();
    for link in &there.path.links {
        if let Some(waiter) = process_of(there, link.waiter)
            && let Some(waker) = process_of(there, link.waker)
            && (waiter != waker || is_exclusive(there, link))
        {
            let pair = (units.of(waiter), units.of(waker));
            pairs.entry(pair).or_default().push(link);
        }
    }
    let found = pairs.into_iter().filter_map(|((waiter, waker), links)| {
        let on = Spans::new(links.iter().flat_map(|link| link.when.iter().copied()));
        let longest = links.iter().max_by_key(|link| link.ns)?;
        let class = there.rules.class(longest.class);
        let cause = match waited::is_for_messages(&class.name) {
            true => "slow-peer",
            false => class.name.as_str(),
        };
        let count = links.iter().map(|link| link.count).sum();
        let name = there.facts.process(waiter)?.name.as_str();
        let query = Query::new("who waited for whom", "threads", &["--process", name]);
        // A thread that was merely busy meanwhile was perhaps not what was waited for.
        let confidence = match links.iter().any(|link| link.beside) {
            true => Confidence::Likely,
            false => Confidence::Certain,
        };
        let draft = Draft::new(cause, confidence, Extent::On(on.clone()))
            .fact("process", units.label(there, waiter)?)
            .fact("peer", units.label(there, waker)?)
            .fact(
                "class",
                Value::Class {
                    name: class.name.clone(),
                    phrase: class.phrase.clone(),
                },
            )
            .fact("place", Value::Place((*longest.place).clone()))
            .fact("count", Value::Count(count))
            .claim(match cause {
                // The same of several threads.
                "lock" if waiter == waker && !units.has(waiter) => {
                    "Meanwhile {process} waited for a lock that another of its threads held: {share} of the time"
                }
                _ if waiter == waker && !units.has(waiter) => {
                    "Meanwhile {process} waited for {class} that another of its threads held: {share} of the time"
                }
                // The same of several processes.
                "lock" if waiter == waker => {
                    "Meanwhile {process} waited for a lock that another of them held: {share} of the time"
                }
                cause if waiter == waker && EXCLUSIVE.contains(&cause) && cause != "once" => {
                    "Meanwhile {process} waited for {class} that another of them held: {share} of the time"
                }
                _ if waiter == waker => {
                    "Meanwhile {process} waited for one another ({class}): {share} of the time"
                }
                "slow-peer" => "Meanwhile {process} itself waited for {peer}: {share} of the time",
                // The words for the class say already that somebody held it.
                "lock" => {
                    "Meanwhile {process} itself waited for a lock that {peer} held: {share} of the time"
                }
                cause if EXCLUSIVE.contains(&cause) && cause != "once" => {
                    "Meanwhile {process} itself waited for {class} that {peer} held: {share} of the time"
                }
                _ => {
                    "Meanwhile {process} itself waited for {class}, until {peer} woke it: {share} of the time"
                }
            })
            .rows("thread_state", (on.ns(), count), query);
        let draft = match locked_file(there, units, waiter).filter(|_| cause == "file-lock") {
            Some(file) => draft.fact("object", Value::Text(file)),
            None => draft,
        };
        Some(Found {
            order: 0,
            who: waiter,
            on,
            draft,
        })
    });
    found.collect()
}

/// Returns whether a link is about something that only one thread can have at a time.
fn is_exclusive(there: &Story<'_>, link: &Link) -> bool {
    let class = there.rules.class(link.class).name.as_str();
    EXCLUSIVE.contains(&class) && class != "once"
}

/// Returns the file that a unit locked, or asked to lock, for most of the time of such calls.
fn locked_file(there: &Story<'_>, units: &Units, unit: ProcessId) -> Option<String> {
    let is_own = |thread| process_of(there, thread).map(|id| units.of(id)) == Some(unit);
    let locks = |one: &Use| one.operation == FileOperation::Lock && is_own(one.thread);
    there.files.object(locks, |sum| sum.ns.unwrap_or(0))
}

/// Returns waits of a unit that nothing else explains.
fn waiting(
    there: &Story<'_>,
    units: &Units,
    (cause, who): (&str, ProcessId),
    waits: waited::Waits<'_>,
) -> Option<Found> {
    let claim = match cause {
        // Nothing is certain of these, or work was waited for.
        "idle" | "unknown" | "other" | "poll" | "events" | "goroutines" | "futex" | "stopped" => {
            return None;
        }
        "fsync" => "Meanwhile {peer} flushed its data to disk (fsync): {share} of the time",
        "cold-read" => "Meanwhile {peer} read data that was not in memory: {share} of the time",
        "sleep" if waited::claims::are_timers(there, &waits.groups) => {
            "Meanwhile {peer} waited for its own timers: {share} of the time"
        }
        "sleep" => "Meanwhile {peer} slept: {share} of the time",
        "timeout" => "Meanwhile {peer} waited for {class} until it timed out: {share} of the time",
        "silent-peer" => {
            "Meanwhile {peer} waited for an answer until it timed out: {share} of the time"
        }
        "slow-peer" => "Meanwhile {peer} itself waited for replies: {share} of the time",
        _ => "Meanwhile {peer} itself waited for {class}: {share} of the time",
    };
    let draft = match DISK_WORK.contains(&cause) {
        true => worked::with_disk_waits(there, (cause, waits), Spans::default()),
        false => waited::draft(there, cause, waits),
    };
    let on = match &draft.extent {
        Extent::On(on) if draft.confidence != Confidence::Possible => {
            on.common(&of(there, units, who))
        }
        _ => return None,
    };
    let mut draft = with(draft, "peer", units.label(there, who)?);
    draft.extent = Extent::On(on.clone());
    draft.claim = Message::new(claim);
    draft.details.clear();
    Some(Found {
        order: 1,
        who,
        on,
        draft,
    })
}

/// Returns the CPU time of each unit, without the time that other findings are about.
fn computing(there: &Story<'_>, units: &Units, without: &Spans) -> Vec<Found> {
    let found = units.on_path(there).into_iter().filter_map(|who| {
        let ran = of(there, units, who).common(&ran_at_all(there));
        let on = ran.without(without);
        let name = there.facts.process(who)?.name.as_str();
        let query = Query::new("when its threads ran", "threads", &["--process", name]);
        let draft = Draft::new("cpu", Confidence::Certain, Extent::On(on.clone()))
            .fact("peer", units.label(there, who)?)
            .claim("Meanwhile {peer} computed: {share} of the time")
            .rows("thread_state", (on.ns(), 0), query);
        // The place of most of the CPU time is the place of this part only if both are of the same unit.
        let place = match busiest(there, units, &ran_at_all(there)) == Some(who) {
            true => Most::of(there).filter(|_| sampled(there)),
            false => None,
        };
        let draft = match place {
            Some(most) => {
                let message = most.message();
                most.facts(draft).detail(message)
            }
            None => draft,
        };
        Some(Found {
            order: 2,
            who,
            on,
            draft,
        })
    });
    found.collect()
}

fn ran_at_all(there: &Story<'_>) -> Spans {
    there.path.when(|step| step.what == What::Cpu)
}

/// Returns whether the samples are those of the time waited: where these are too few, all of the processes
/// count.
fn sampled(there: &Story<'_>) -> bool {
    share(there.hot.ns, there.path.cpu_ns()) <= 150.0
}

/// Returns when others had the CPUs.
fn starved(there: &Story<'_>) -> Spans {
    let path = &there.path;
    path.when(|step| step.ready.competing_ns * 2 > step.ns())
}

/// Returns when others had the CPUs, by unit.
fn without_cpu(there: &Story<'_>, units: &Units) -> Vec<Found> {
    let all = starved(there);
    let found = units.on_path(there).into_iter().filter_map(|who| {
        let on = of(there, units, who).common(&all);
        let name = there.facts.process(who)?.name.as_str();
        let query = Query::new(
            "who was ready for how long",
            "threads",
            &["--process", name],
        );
        let draft = Draft::new("competing", Confidence::Certain, Extent::On(on.clone()))
            .fact("peer", units.label(there, who)?)
            .claim(
                "Meanwhile {peer} was ready to run, but others used the CPUs: {share} of the time",
            )
            .rows("thread_state", (on.ns(), 0), query);
        Some(Found {
            order: STARVED,
            who,
            on,
            draft,
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_of_no_time() {
        let (none, some) = (Spans::default(), Spans::new([(0, 10)]));
        assert!(!is_half(&none, &none) && !is_half(&some, &none));
        assert!(is_half(&Spans::new([(5, 10)]), &some));
        assert!(!is_half(&Spans::new([(6, 10)]), &some));
    }
}
