//! The answer for a program that did what it was asked to do.

use crate::answer::{Explained, Leaf, Sampled};
use crate::finding::{Finding, Message, Value};
use crate::words::text::{Role, Text};
use crate::words::{Names, sentence};
use whyslow_story::story::share;

/// Fewer samples say nothing of where it computed.
const FEW_SAMPLES: i64 = 20;

/// A function with this percentage of the time has most of it.
const MOST: f64 = 50.0;

/// With less than this, the time is spread over many functions, and none is worth naming.
const MUCH: f64 = 20.0;

/// Returns a summary if nothing stands out.
pub(super) fn summary(answer: &Explained) -> Option<Text> {
    if !answer.nothing_stands_out {
        return None;
    }
    let text = Text::default().words(Role::Strong, "Nothing stands out");
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    let mut tops = tops.filter(|one| !one.is_of_rule());
    let Some(first) = tops.next() else {
        return Some(text.say("."));
    };
    let text = text.say(": ");
    let mut all = answer.findings.iter();
    let cpu = all.find(|one| one.cause == "cpu");
    Some(match (first.cause.as_str(), cpu) {
        ("sleep", _) => slept(first, text),
        (cause, Some(cpu)) if cause != "idle" => with_files(cpu, computed(answer, cpu, text)),
        _ => text
            .say("it was idle for ")
            .percent(share(first.wall_ns, answer.wall_ns))
            .say(" of the time."),
    })
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

fn computed(answer: &Explained, finding: &Finding, text: Text) -> Text {
    let ns = match answer.has_parts {
        true => answer.part_ns("cpu"),
        false => finding.wall_ns,
    };
    let part = share(ns, answer.wall_ns);
    let text = text
        .say("it computed for ")
        .percent(part)
        .say(" of the time");
    let text = match answer.cpus {
        Some(cpus) if cpus > 1 => {
            let text = text.say(", on ").ratio(answer.cpus_used()).say(" of ");
            text.count(cpus.into()).say(" CPUs")
        }
        _ => text,
    };
    // What processes that it started did says more than a function.
    if let Some(Value::Shares(programs)) = finding.fact("programs")
        && finding.wall_ns / 9 * 10 >= ns
    {
        let mut text = text.say("; of that, ");
        for (at, (name, part)) in programs.iter().enumerate() {
            text = text.say(if at == 0 { "" } else { ", " }).say(name);
            text = text.say(" ").percent(*part);
        }
        return text.say(".");
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
        return match answer.sampled.process == *name {
            true => through(text, &answer.sampled).say("."),
            false => text.say("."),
        };
    }
    let sampled = &answer.sampled;
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
    let text = match leaf {
        Some(leaf) if in_kernel && leaf.share >= MUCH => {
            let text = text.say(", and ").percent(leaf.share);
            text.say(" in ").function(&leaf.function)
        }
        Some(leaf) if leaf.share >= MOST => {
            let text = text.say(", most in ").function(&leaf.function);
            text.say(" (").percent(leaf.share).say(")")
        }
        _ if sampled.samples >= FEW_SAMPLES && has_place(sampled) => through(text, sampled),
        Some(leaf) if leaf.share >= MUCH => {
            let text = text.say(", ").percent(leaf.share);
            text.say(" of it in ").function(&leaf.function)
        }
        _ => text,
    };
    text.say(".")
}

/// A function of the program with less of the CPU time than this percentage says nothing.
const SOME: f64 = 15.0;

fn has_place(sampled: &Sampled) -> bool {
    let is_some = |(_, part): &(String, f64)| *part >= SOME;
    sampled.through.is_some() || sampled.own.as_ref().is_some_and(is_some)
}

/// Says which function much of the CPU time goes through, or else which one of the program has most of it.
fn through(text: Text, sampled: &Sampled) -> Text {
    let place = sampled.through.as_ref().or(sampled.own.as_ref());
    match place {
        Some((name, part)) if sampled.samples >= FEW_SAMPLES && has_place(sampled) => {
            let text = text.say(", ").percent(*part);
            text.say(" of it in ").function(name)
        }
        _ => text,
    }
}
