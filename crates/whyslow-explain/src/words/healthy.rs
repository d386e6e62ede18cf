//! The answer for a program that did what it was asked to do.

use crate::answer::{Explained, Failed, Leaf, Sampled};
use crate::finding::{Finding, Message, Value};
use crate::words::text::{Role, Text};
use crate::words::{Names, sentence};
use whyslow_query::wait::{Nature, Rules};
use whyslow_story::story::share;

/// Fewer samples say nothing of where it computed.
const FEW_SAMPLES: i64 = 20;

/// A function with this percentage of the time has most of it.
const MOST: f64 = 50.0;

/// With less than this, the time is spread over many functions, and none is worth naming.
const MUCH: f64 = 20.0;

/// A place with this percentage of the wall time, or more, is where the time went, whatever the reason: the answer does
/// not begin by denying it.
const PLACE: f64 = 30.0;

/// Who computed for less of the time than the first percentage did not mostly compute; from the second on, it did
/// hardly anything else.
const MOSTLY: [f64; 2] = [50.0, 90.0];

/// Returns a summary if nothing stands out.
pub(super) fn summary(answer: &Explained) -> Option<Text> {
    if !answer.nothing_stands_out {
        return None;
    }
    let text = failed(answer);
    let text = match text.0.is_empty() {
        true => text.words(Role::Strong, "Nothing stands out"),
        false => text.say("Nothing else stands out"),
    };
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    let mut tops = tops.filter(|one| !one.is_of_rule());
    let Some(first) = tops.next() else {
        return Some(text.say("."));
    };
    let mut all = answer.findings.iter();
    let cpu = all.find(|one| one.cause == "cpu");
    Some(match (first.cause.as_str(), cpu, waited(answer)) {
        ("sleep", ..) => slept(first, text.say(": ")),
        (cause, Some(_), Some((phrase, ns))) if cause != "idle" => {
            let text = text.say(": it waited for ").say(&phrase).say(" for ");
            let text = text.percent(share(ns, answer.wall_ns));
            let text = text.say(" of the time, and computed for ");
            let part = share(answer.part_ns("cpu"), answer.wall_ns);
            text.percent(part).say(".")
        }
        (cause, Some(cpu), None) if cause != "idle" => computed(answer, cpu, text),
        _ => text
            .say(": it was idle for ")
            .percent(share(first.wall_ns, answer.wall_ns))
            .say(" of the time."),
    })
}

/// A command that took longer did something before it failed, or means something else by its exit code.
const SHORT_NS: i64 = 500_000_000;

/// Says that a short command failed, and how: whatever took its time is then not what matters.
fn failed(answer: &Explained) -> Text {
    let text = Text::default();
    match answer.failed.filter(|_| answer.wall_ns < SHORT_NS) {
        Some(Failed::Code(code)) => {
            let text = text.words(Role::Strong, "It ended with exit code ");
            text.exit_code(code)
                .say("; if that is a failure, look at what it printed. ")
        }
        _ => text,
    }
}

/// Returns what it waited for, in words, and for how long, if that is for a thing and longer than it computed.
fn waited(answer: &Explained) -> Option<(String, i64)> {
    let rules = Rules::shipped();
    let cpu_ns = answer.part_ns("cpu");
    let waits = answer.parts.iter().filter_map(|part| {
        let class = rules.class(rules.find(&part.kind)?);
        let is_thing = class.nature == Nature::Thing && class.name != "sleep";
        (is_thing && part.ns > cpu_ns).then(|| (class.phrase.clone(), part.ns))
    });
    waits.max_by_key(|&(_, ns)| ns)
}

fn slept(finding: &Finding, text: Text) -> Text {
    let text = text.say("it slept for ").time(finding.wall_ns);
    match finding.fact("ended-by") {
        Some(Value::Text(end)) => text.say(", until ").say(end).say(" ended it."),
        _ => text.say(", as it was asked to."),
    }
}

/// The values in a sentence about what it did with files.
const FILES: [&str; 3] = ["opens", "bytes-read", "bytes-written"];

/// Adds what it did with files, if that is much.
fn with_files(finding: &Finding, text: Text) -> Text {
    let is_about = |message: &&Message| message.names().any(|name| FILES.contains(&name));
    let Some(about) = finding.details.iter().find(is_about) else {
        return text;
    };
    let mut text = text.say(" ");
    let more = sentence::filled(about, &finding.facts, Role::Plain, Names::Short);
    text.0.extend(more.0);
    text
}

/// Says that it computed, and where. `nothing`: the words for that nothing stands out, which begin the answer where no
/// place has much of the time.
fn computed(answer: &Explained, finding: &Finding, nothing: Text) -> Text {
    let ns = match answer.has_parts {
        true => answer.part_ns("cpu"),
        false => finding.wall_ns,
    };
    let part = share(ns, answer.wall_ns);
    let (place, of_time) = place(answer, finding, ns);
    let has_place = of_time >= PLACE;
    let [mostly, only] = MOSTLY;
    let is_most = has_place && (mostly..only).contains(&part);
    let text = match (has_place, is_most) {
        (false, _) => nothing.say(": it computed for "),
        (true, true) => Text::default()
            .words(Role::Strong, "It spent most of its time computing")
            .say(": "),
        (true, false) => Text::default().words(Role::Strong, "It computed").say(": "),
    };
    let text = text.percent(part);
    let text = match is_most {
        true => text,
        false => text.say(" of the time"),
    };
    let mut text = match answer.cpus {
        Some(cpus) if cpus > 1 => {
            let text = text.say(", on ").ratio(answer.cpus_used()).say(" of ");
            text.count(cpus.into()).say(" CPUs")
        }
        _ => text,
    };
    text.0.extend(place.0);
    let text = with_files(finding, text.say("."));
    match has_place {
        true => text.say(" Nothing else stands out."),
        false => text,
    }
}

/// Says where it computed, to go on with after how much that was, and returns the percentage of the wall time that is
/// there. `ns`: how long it computed.
fn place(answer: &Explained, finding: &Finding, ns: i64) -> (Text, f64) {
    let text = Text::default();
    let of_time = share(ns, answer.wall_ns);
    // What processes that it started did says more than a function.
    if let Some(Value::Shares(programs)) = finding.fact("programs")
        && finding.wall_ns / 9 * 10 >= ns
    {
        let mut text = text.say("; of that, ");
        for (at, (name, part)) in programs.iter().enumerate() {
            text = text.say(if at == 0 { "" } else { ", " }).say(name);
            text = text.say(" ").percent(*part);
        }
        let most = programs.first().map_or(0.0, |(_, part)| *part);
        return (users_place(answer, finding, text), of_time * most / 100.0);
    }
    let started = match finding.fact("peer") {
        Some(Value::Process(name)) if finding.wall_ns * 2 >= ns => Some(name),
        _ => None,
    };
    if let Some(name) = started {
        let text = text
            .say("; ")
            .say(name)
            .say(", which it started, computed for ");
        let part = share(finding.wall_ns, answer.wall_ns);
        let text = text.percent(part).say(" of the time");
        // The samples are of all programs.
        let text = match answer.sampled.process == *name {
            true => through(text, &answer.sampled).0,
            false => text,
        };
        return (text, part);
    }
    let (text, part) = in_function(&answer.sampled);
    (text, of_time * part / 100.0)
}

/// Adds the function of the user's own that much of the CPU time of all programs is in. An outermost function, such as
/// `main`, says nothing.
fn users_place(answer: &Explained, finding: &Finding, text: Text) -> Text {
    if answer.sampled.samples < FEW_SAMPLES {
        return text;
    }
    match (finding.fact("place"), finding.fact("place-share")) {
        (Some(Value::Place(place)), Some(Value::Share(part)))
            if *part >= MUCH && place.is_users() && place.functions().count() > 1 =>
        {
            let function = place.functions().next().unwrap_or_default();
            let text = text.say("; ").percent(*part);
            text.say(" of all of it was in ").function(function)
        }
        _ => text,
    }
}

/// Says which function it computed in, and returns the percentage of the CPU time that is there.
fn in_function(sampled: &Sampled) -> (Text, f64) {
    let text = Text::default();
    let leaf = sampled.leaves.first();
    let has_name = |leaf: &&Leaf| !leaf.function.starts_with('[');
    let leaf = leaf.filter(|leaf| sampled.samples >= FEW_SAMPLES && has_name(leaf));
    let in_kernel = leaf.is_some() && sampled.kernel_share >= 60.0;
    let text = match in_kernel {
        true => {
            let text = text.say("; of the CPU time, ");
            let text = text.percent(sampled.kernel_share);
            text.say(" was in the kernel")
        }
        false => text,
    };
    // A library whose inner functions have no names may be called by one that has.
    let is_nameless = |leaf: &Leaf| leaf.module.is_none() && sampled.through.is_some();
    match leaf {
        Some(leaf) if in_kernel && leaf.share >= MUCH => {
            let text = text.say(", and ").percent(leaf.share);
            (text.say(" in ").function(&leaf.function), leaf.share)
        }
        Some(leaf) if leaf.share >= MOST && !is_nameless(leaf) => {
            let text = text.say(", ").percent(leaf.share);
            (
                text.say(" of that in ").function(&leaf.function),
                leaf.share,
            )
        }
        _ if sampled.samples >= FEW_SAMPLES && has_place(sampled) => through(text, sampled),
        Some(leaf) if leaf.share >= MUCH => {
            let text = text.say(", ").percent(leaf.share);
            (
                text.say(" of that in ").function(&leaf.function),
                leaf.share,
            )
        }
        _ => (text, 0.0),
    }
}

/// A function of the program with less of the CPU time than this percentage says nothing.
const SOME: f64 = 15.0;

fn has_place(sampled: &Sampled) -> bool {
    let is_some = |(_, part): &(String, f64)| *part >= SOME;
    named(sampled).is_some_and(|place| sampled.through.is_some() || is_some(place))
}

/// Returns the function that much of the CPU time goes through, or else the one of the program with most of it. All that
/// a program does is in `main`: there, the function that computed says more.
fn named(sampled: &Sampled) -> Option<&(String, f64)> {
    let leaf = sampled.leaves.first();
    let has_leaf = leaf.is_some_and(|leaf| leaf.share >= MUCH && leaf.function != "main");
    let place = sampled.through.as_ref().or(sampled.own.as_ref());
    place.filter(|(name, _)| !(has_leaf && name == "main"))
}

/// Says which function much of the CPU time goes through, or else which one of the program has most of it, and returns
/// its percentage.
fn through(text: Text, sampled: &Sampled) -> (Text, f64) {
    match named(sampled) {
        Some((name, part)) if sampled.samples >= FEW_SAMPLES && has_place(sampled) => {
            let text = text.say(", ").percent(*part);
            (text.say(" of that in ").function(name), *part)
        }
        _ => (text, 0.0),
    }
}
