//! A thread that serves others did one thing for long, and they waited: nobody else gets a turn meanwhile.

use whyslow_model::ProcessId;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::held_up::HeldUp;
use whyslow_story::path::What;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "blocked-loop",
        "its event loop was busy with one thing while others waited",
    )],
    find: |story| {
        let drafts = story.held_up.iter();
        drafts.filter_map(|one| draft(story, one)).collect()
    },
};

/// Less of the command's own time than this percentage does not matter.
const MUCH: f64 = 15.0;

/// What to do about a thread that works while others wait for it.
pub(super) const LET_OTHERS_IN: &str = "Move this work to another thread or process, or split it into parts so that others get a turn in between.";

/// The most waiters that are named.
const MOST_NAMES: usize = 3;

fn draft(story: &Story<'_>, held: &HeldUp) -> Option<Draft> {
    let ran = story
        .path
        .when(|step| step.what == What::Cpu && step.thread == Some(held.thread));
    let on = ran.common(&Spans::new(held.stretches.iter().copied()));
    if share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let mut lengths: Vec<i64> = held.stretches.iter().map(|(from, to)| to - from).collect();
    lengths.sort_unstable();
    let typical = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let count = i64::try_from(lengths.len()).unwrap_or(i64::MAX);
    let process = story.process_of(held.thread).unwrap_or_default();
    let ns = on.ns();
    let query = Query::new("where it computed", "stacks", &["--process", process]);
    let draft = Draft::new("blocked-loop", Confidence::Likely, Extent::On(on))
        .fact("process", Value::Process(story.called(process)))
        .fact("count", Value::Count(count))
        .fact("typical-ns", Value::Time(typical))
        .fact("waiters", Value::Text(names(story, &held.waiters)))
        .claim(match (held.is_loop, count) {
            (true, 1) => "It blocked its event loop for {typical-ns}",
            (true, _) => "It blocked its event loop for about {typical-ns} at a time, {count} times",
            (false, 1) => "It worked on one thing and served nobody else for {typical-ns}",
            (false, _) => "It worked on one thing and served nobody else for about {typical-ns} at a time, {count} times",
        })
        .claim(": {share} of the time")
        .rows("thread_state", (ns, count), query);
    let draft = match &held.place {
        Some(place) => draft.fact("place", Value::Place(place.clone())),
        None => draft,
    };
    let draft = match &held.callee {
        Some(callee) => draft
            .fact("callee", Value::Place(Place::function(callee)))
            .detail(Message::new("Most of that was in {callee}.")),
        None => draft,
    };
    Some(
        draft
            .detail(Message::new("Meanwhile {waiters} waited for it."))
            .advise(LET_OTHERS_IN),
    )
}

/// Returns the names of those who waited.
fn names(story: &Story<'_>, waiters: &[ProcessId]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in waiters.iter().filter_map(|&id| story.facts.process(id)) {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let more = names.len().saturating_sub(MOST_NAMES);
    let others = match more {
        0 => None,
        1 => Some("another program".to_owned()),
        more => Some(format!("{more} other programs")),
    };
    names.truncate(MOST_NAMES);
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.extend(others);
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        Some((last, _)) => last.clone(),
        None => "others".to_owned(),
    }
}
