//! The path waited for something outside the command: one finding per class of waits.

use std::collections::BTreeMap;

use whyslow_query::wait::Rules;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use crate::path::{WaitGroup, What};
use crate::spans::Spans;
use crate::story::{Story, share};
use crate::walk::is_program;

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

/// Returns what a group is counted as: its class, or the disk.
fn cause_of<'a>(rules: &'a Rules, group: &WaitGroup) -> &'a str {
    match rules.class(group.class).name.as_str() {
        "writeback" | "journal" => "disk",
        class => class,
    }
}

/// The waits of one cause.
#[derive(Default)]
struct Waits<'a> {
    groups: Vec<&'a WaitGroup>,
    when: Vec<(i64, i64)>,
    ns: i64,
}

fn find(story: &Story<'_>) -> Vec<Draft> {
    let groups = &story.path.waits;
    let of_group: Vec<&str> = groups.iter().map(|g| cause_of(story.rules, g)).collect();
    let mut causes: BTreeMap<&str, Waits<'_>> = BTreeMap::new();
    for (&cause, group) in of_group.iter().zip(groups) {
        let waits = causes.entry(cause).or_default();
        waits.groups.push(group);
        waits.ns += group.ns;
    }
    for step in &story.path.steps {
        if let What::Wait(at) = step.what
            && let Some(waits) = causes.get_mut(of_group[at])
        {
            waits.when.push((step.from_ns, step.to_ns));
        }
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, waits)| std::cmp::Reverse(waits.ns));
    let causes = causes.into_iter();
    causes
        .map(|(cause, waits)| draft(story, cause, waits))
        .collect()
}

fn draft(story: &Story<'_>, cause: &str, waits: Waits<'_>) -> Draft {
    let (on, ns) = (Spans::new(waits.when), waits.ns);
    let confidence = match cause {
        "unknown" | "other" => Confidence::Possible,
        _ => Confidence::Certain,
    };
    let groups = waits.groups;
    let draft = Draft::new(cause, confidence, Extent::On(on))
        .fact("class", class(story, &groups, ns))
        .claim("*It waited* for {class}: {share} of the time");
    let mut places: BTreeMap<_, Vec<&WaitGroup>> = BTreeMap::new();
    for &group in &groups {
        let place = (&group.process, &group.place);
        places.entry(place).or_default().push(group);
    }
    let time = |groups: &[&WaitGroup]| groups.iter().map(|group| group.ns).sum::<i64>();
    let most = places.into_iter().max_by_key(|(_, groups)| time(groups));
    let draft = match most {
        Some(((process, place), there)) => {
            let part = share(time(&there), ns);
            let draft = draft
                .fact("process", Value::Process(process.to_string()))
                .fact("place", Value::Place((**place).clone()))
                .fact("place-share", Value::Share(part));
            let draft = match part >= 95.0 {
                true => draft.claim(", "),
                false => draft.claim(", {place-share} of that "),
            };
            let draft = match **process == *story.root_name() {
                true => draft.claim("in {place}"),
                false => draft.claim("by {process} in {place}"),
            };
            ended(story, &there, draft)
        }
        None => draft.claim("."),
    };
    evidence(&groups, draft)
}

/// Returns the class of the waits; those about the disk go by that name if they are of several.
fn class(story: &Story<'_>, groups: &[&WaitGroup], ns: i64) -> Value {
    let mut classes = BTreeMap::new();
    for group in groups {
        *classes.entry(group.class).or_insert(0) += group.ns;
    }
    let one = classes.iter().find(|(_, part)| share(**part, ns) >= 95.0);
    let (name, phrase) = match one {
        Some((&class, _)) => {
            let class = story.rules.class(class);
            (class.name.clone(), class.phrase.clone())
        }
        None => ("disk".to_owned(), "the disk".to_owned()),
    };
    Value::Class { name, phrase }
}

/// Adds the program that ended the waits, if one did.
fn ended(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let waker = groups.iter().find_map(|group| group.main_waker());
    let Some(id) = waker.filter(|&id| is_program(story.facts, id)) else {
        return draft.claim(".");
    };
    let draft = draft.fact("peer", Value::Process(story.facts.thread_label(id)));
    match story.stranger(id) {
        Some(line) => draft
            .fact("peer-command", Value::Process(line))
            .claim(", until {peer} ({peer-command}) ended it."),
        None => draft.claim(", until {peer} ended it."),
    }
}

/// Adds the waits' rows and their heaviest stacks.
fn evidence(groups: &[&WaitGroup], draft: Draft) -> Draft {
    let count = groups.iter().map(|group| group.count).sum();
    let ns = groups.iter().map(|group| group.ns).sum();
    let Some(first) = groups.first() else {
        return draft;
    };
    let by = |group: &WaitGroup| group.process.to_string();
    let query = Query::new("its waits by class", "waits", &["--process", &by(first)]);
    let mut draft =
        draft
            .fact("count", Value::Count(count))
            .rows("thread_state", (ns, count), query);
    for group in groups.iter().take(3) {
        if let Some(stack) = group.main_stack() {
            let arguments = ["--process", &by(group), "--by", "wait"];
            let query = Query::new("where it waited", "stacks", &arguments);
            let amount = (group.ns, group.count);
            draft = draft.stack((stack, &group.place), amount, query);
        }
    }
    draft
}
