//! The cause, in a sentence or two with its evidence.

use std::collections::BTreeMap;

use whyslow_model::Capability;

use crate::path::{Link, WaitGroup, is_program};
use crate::words::{Text, share};
use crate::{Story, starts};
use whyslow_query::frames::Function;
use whyslow_query::plain_name::plain_name;
use whyslow_query::stacks::is_system_module;
use whyslow_query::wait::{ClassId, Rules};

/// What took a part of the wall time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Cpu,
    Ready,
    /// Waits of a class, or of all classes that are about the disk.
    Wait(ClassId),
    Disk,
}

/// Returns what waits of `class` are counted as.
fn cause_of(rules: &Rules, class: ClassId) -> Cause {
    match rules.class(class).name.as_str() {
        "disk" | "writeback" | "journal" => Cause::Disk,
        _ => Cause::Wait(class),
    }
}

/// Returns the sentences, the cause first.
pub(crate) fn sentences(story: &Story<'_>) -> Vec<Text> {
    if !story.facts.has(Capability::Switches) || story.path.too_many {
        return sampled_only(story);
    }
    let wall = story.command.wall_ns();
    let mut causes: BTreeMap<Cause, i64> = BTreeMap::new();
    causes.insert(Cause::Cpu, story.path.cpu_ns);
    causes.insert(Cause::Ready, story.path.ready_ns);
    for group in &story.path.waits {
        let cause = cause_of(story.classes.rules, group.class);
        *causes.entry(cause).or_default() += group.ns;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|&(cause, ns)| (std::cmp::Reverse(ns), cause));
    let mut all = Vec::new();
    let (first, ns) = causes[0];
    if share(ns, wall) < 10.0 {
        all.push(
            Text::default().say("No single cause, or too little is known; the parts are below."),
        );
        return all;
    }
    all.extend(because(story, first, ns));
    // A second cause that is nearly as large, or at least a fifth of everything.
    if let Some(&(second, ns)) = causes.get(1)
        && share(ns, wall) >= 20.0
    {
        all.extend(because(story, second, ns));
    }
    all.extend(starts::sentence(story));
    all.extend(link(story));
    all
}

fn because(story: &Story<'_>, cause: Cause, ns: i64) -> Vec<Text> {
    match cause {
        Cause::Cpu => cpu(story, ns),
        Cause::Ready => starved(story, ns),
        Cause::Wait(_) | Cause::Disk => vec![waited(story, cause, ns)],
    }
}

/// Returns what to say of a command that mostly computes.
#[expect(clippy::cast_precision_loss, reason = "ratios for a person")]
fn cpu(story: &Story<'_>, ns: i64) -> Vec<Text> {
    let wall = story.command.wall_ns();
    let used = story.path.all_cpu_ns as f64 / wall.max(1) as f64;
    let cpus = story.facts.trace.as_ref().and_then(|trace| trace.cpus);
    let text = Text::default()
        .strong("It computed")
        .say(" for ")
        .percent(share(ns, wall));
    let mut text = text.say(" of the time");
    match cpus {
        Some(cpus) if cpus > 1 && used < 1.3 && share(ns, wall) >= 50.0 => {
            let one = ", one thing after the other: it used ";
            text = text
                .say(one)
                .ratio(used)
                .say(" of ")
                .count(cpus.into())
                .say(" CPUs.");
        }
        Some(cpus) if cpus > 1 && used >= 0.85 * f64::from(cpus) => {
            text = text.say(", on all CPUs (").ratio(used);
            text = text.say(" of ").count(cpus.into()).say(").");
        }
        _ => text = text.say("."),
    }
    let mut all = vec![text];
    all.extend(place_on_cpu(story));
    all
}

/// Returns where in the program most of the CPU time went.
fn place_on_cpu(story: &Story<'_>) -> Option<Text> {
    let hot = story.hot;
    if hot.samples < 5 {
        return None;
    }
    let frames = &story.stacks.frames;
    let functions: Vec<&Function> = hot.trunk.iter().map(|&id| frames.function(id)).collect();
    // The program's own functions, and the last one whosever it is.
    let last = functions.len().saturating_sub(1);
    let own = |(at, f): &(usize, &&Function)| *at == last || !is_system_module(&f.module);
    let own = functions.iter().enumerate().filter(own);
    let names: Vec<_> = own.map(|(_, f)| plain_name(&f.name)).collect();
    let from = names.len().saturating_sub(4);
    let trunk = names[from..].join(" > ");
    let kernel = share(hot.kernel_ns, hot.ns);
    let leaf = hot
        .leaves
        .first()
        .filter(|leaf| share(leaf.ns, hot.ns) >= 40.0);
    let leaf = leaf.map(|leaf| {
        (
            plain_name(&frames.function(leaf.function).name),
            share(leaf.ns, hot.ns),
        )
    });
    let text = match (trunk.is_empty(), leaf) {
        (false, Some((leaf, part))) if names.last() != Some(&leaf) => {
            let text = Text::default()
                .percent(hot.trunk_share * 100.0)
                .say(" of that below ");
            text.function(&trunk)
                .say(", ")
                .percent(part)
                .say(" in ")
                .function(&leaf)
        }
        (false, _) => {
            let text = Text::default().percent(hot.trunk_share * 100.0);
            text.say(" of that in or below ").function(&trunk)
        }
        (true, Some((leaf, part))) => Text::default()
            .percent(part)
            .say(" of that in ")
            .function(&leaf),
        (true, None) => return None,
    };
    Some(if kernel >= 60.0 {
        text.say("; ")
            .percent(kernel)
            .say(" of it inside the kernel.")
    } else {
        text.say(".")
    })
}

fn starved(story: &Story<'_>, ns: i64) -> Vec<Text> {
    let wall = story.command.wall_ns();
    let text = Text::default()
        .strong("It was starved")
        .say(": for ")
        .percent(share(ns, wall));
    let text = text.say(" of the time it could have run, but got no CPU");
    vec![meanwhile(story, text).say(".")]
}

/// Adds who used the CPUs while the path was ready.
pub(crate) fn meanwhile(story: &Story<'_>, text: Text) -> Text {
    let rivals = story.rivals;
    if rivals.all_ns == 0 {
        return text;
    }
    let own = share(rivals.own_ns, rivals.all_ns);
    let others: Vec<_> = rivals.starvers.iter().take(3).collect();
    let worth = |ns: i64| share(ns, rivals.all_ns) >= 5.0;
    let mut text = text;
    let mut said = false;
    if own >= 50.0 {
        text = text
            .say("; its own processes used ")
            .percent(own)
            .say(" of the CPU time meanwhile");
        said = true;
    }
    for (name, ns) in others.into_iter().filter(|(_, ns)| worth(*ns)) {
        text = text.say(if said {
            ", "
        } else {
            "; meanwhile the CPUs ran "
        });
        text = text
            .process(name)
            .say(" ")
            .percent(share(*ns, rivals.all_ns));
        said = true;
    }
    let cpus = story.facts.trace.as_ref().and_then(|trace| trace.cpus);
    let capacity = i64::from(cpus.unwrap_or(0)).saturating_mul(story.path.ready_ns);
    let idle = 100.0 - share(rivals.all_ns, capacity);
    if capacity > 0 && idle >= 30.0 && story.path.long_ready() {
        text = text.say(", although ").percent(idle);
        text = text
            .say(" of the CPUs' time was idle: it is pinned to busy CPUs, or limited by a quota");
    }
    text
}

fn waited(story: &Story<'_>, cause: Cause, ns: i64) -> Text {
    let wall = story.command.wall_ns();
    let rules = story.classes.rules;
    let groups = story.path.waits.iter();
    let groups = groups.filter(|group| cause_of(rules, group.class) == cause);
    let mut classes: BTreeMap<ClassId, i64> = BTreeMap::new();
    let mut places: BTreeMap<_, Vec<&WaitGroup>> = BTreeMap::new();
    for group in groups {
        *classes.entry(group.class).or_default() += group.ns;
        let place = (&group.process, &group.place);
        places.entry(place).or_default().push(group);
    }
    let text = Text::default().strong("It waited").say(" for ");
    let text = match classes.iter().find(|(_, part)| share(**part, ns) >= 95.0) {
        Some((&class, _)) => text.class(&rules.class(class).phrase),
        None => text.class("the disk"),
    };
    let text = text.say(": ").percent(share(ns, wall)).say(" of the time");
    let time = |groups: &[&WaitGroup]| groups.iter().map(|group| group.ns).sum::<i64>();
    let Some(((process, place), groups)) =
        places.into_iter().max_by_key(|(_, groups)| time(groups))
    else {
        return text.say(".");
    };
    let text = match share(time(&groups), ns) {
        most if most >= 95.0 => text.say(", "),
        most => text.say(", ").percent(most).say(" of that "),
    };
    let text = match &**process == story.root_name() {
        true => text.say("in "),
        false => text.say("by ").process(process).say(" in "),
    };
    let text = text.function(place);
    match groups.iter().find_map(|group| group.main_waker()) {
        Some(id) if is_program(story.facts, id) => {
            let text = text.say(", until ").process(&story.facts.thread_label(id));
            match story.stranger(id) {
                Some(line) => text.say(" (").process(&line).say(") ended it."),
                None => text.say(" ended it."),
            }
        }
        _ => text.say("."),
    }
}

/// Returns the sentence on the most important wait of one thread of the command for another.
fn link(story: &Story<'_>) -> Option<Text> {
    let wall = story.command.wall_ns();
    let rules = story.classes.rules;
    // A parent that waits for its child, or a join, only says that the child took the time.
    let telling = |class: ClassId| {
        let name = rules.class(class).name.as_str();
        !matches!(
            name,
            "child" | "join" | "exit" | "stopped" | "unknown" | "other"
        )
    };
    let heavy = |link: &&Link| telling(link.class) && share(link.ns, wall) >= 15.0;
    let links = || story.path.links.iter().filter(heavy);
    // The end of a chain of waits tells more than its beginning.
    let link = links().find(|link| !passes_on(story, link));
    let link = link.or_else(|| links().next())?;
    let facts = story.facts;
    let waiter = facts.thread_label(link.waiter);
    let text = Text::default()
        .process(&waiter)
        .say(" waited ")
        .time(link.ns);
    let text = text
        .say(" for ")
        .class(&rules.class(link.class).phrase)
        .say(" in ");
    let text = text.function(&link.place);
    let other = facts.thread_label(link.waker);
    let text = match (link.beside, link.count) {
        (true, _) => text.say("; ").process(&other).say(" "),
        (false, 1) => text.say(", until ").process(&other).say(" ended it; that "),
        (false, _) => text
            .say(", each time until ")
            .process(&other)
            .say(" ended it; that "),
    };
    let wait = link.meanwhile_waits.iter().max_by_key(|(_, ns)| **ns);
    let text = match wait {
        Some(((class, place), &ns)) if ns >= link.meanwhile_cpu_ns.max(link.meanwhile_ready_ns) => {
            let text = text.say("meanwhile waited ").percent(share(ns, link.ns));
            let text = text
                .say(" of this time for ")
                .class(&rules.class(*class).phrase);
            text.say(" in ").function(place)
        }
        _ if link.meanwhile_ready_ns > link.meanwhile_cpu_ns => {
            let text = text.say("was itself without a CPU for ");
            text.percent(share(link.meanwhile_ready_ns, link.ns))
                .say(" of this time")
        }
        _ => {
            let text = text.say("meanwhile computed for ");
            text.percent(share(link.meanwhile_cpu_ns, link.ns))
                .say(" of this time")
        }
    };
    Some(text.say("."))
}

/// Returns whether the thread that was waited for itself mostly waited for another one.
fn passes_on(story: &Story<'_>, link: &Link) -> bool {
    let followed = story.classes.rules.followed();
    let waits = link.meanwhile_waits.iter();
    let passed = waits.filter(|((class, _), _)| followed[usize::from(*class)]);
    share(passed.map(|(_, ns)| ns).sum(), link.ns) >= 40.0
}

/// Returns what can be said without switches: only where the CPU time went.
fn sampled_only(story: &Story<'_>) -> Vec<Text> {
    let wall = story.command.wall_ns();
    let part = share(story.hot.all_ns, wall);
    let text = Text::default()
        .say("Its CPU time is ")
        .percent(part)
        .say(" of the wall time");
    let text = match part {
        low if low < 50.0 => text.say(": it mostly waited, but for what is not known."),
        _ => text.say("."),
    };
    let mut all = vec![text];
    all.extend(place_on_cpu(story));
    all
}
