//! What the answer cannot know: lost, not recorded, or too much.

mod runtimes;

use std::collections::BTreeMap;

use whyslow_model::{Capability, Presence, System};
use whyslow_query::facts::Facts;
use whyslow_query::overhead::Moments;

use crate::finding::{Message, Value};
use whyslow_story::code::is_generated;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

/// Shares below this are not worth a line.
const LITTLE: f64 = 1.0;

/// Waits without a known reason that are less of the command's own time than this are not worth a
/// line.
const UNEXPLAINED: f64 = 5.0;

/// From this share of the time on, the cost of recording is worth a line.
const MUCH_OVERHEAD: f64 = 5.0;

/// If functions without names have less of the time than this percentage, names would not help.
const NAMELESS: f64 = 10.0;

/// The sentence about a module without names.
const NO_NAMES: &str = "The functions of {module} have no names. Run `whyslow symbolize` on the extract: --symbols \
    asks the servers in DEBUGINFOD_URLS, --from DIR takes an unstripped copy.";

/// Something that is not known, and what it means for the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// What is missing.
    pub message: Message,
    /// The values of the message.
    pub facts: Vec<(&'static str, Value)>,
}

impl Gap {
    pub(crate) fn new(message: &'static str, facts: Vec<(&'static str, Value)>) -> Self {
        let message = Message::new(message);
        Self { message, facts }
    }

    /// Returns the module whose functions have no names, if it is about one with a file.
    #[must_use]
    pub fn nameless_module(&self) -> Option<&str> {
        match &self.facts[..] {
            [("module", Value::Process(name))] if self.message == Message::new(NO_NAMES) => {
                Some(name)
            }
            _ => None,
        }
    }

    /// Adds the package that has the names of that module's functions.
    pub fn name_package(&mut self, package: String) {
        self.message = Message::new(
            "The functions of {module} have no names. Install {package} and run `whyslow symbolize` on \
             the extract, or let --symbols ask the servers in DEBUGINFOD_URLS.",
        );
        self.facts.push(("package", Value::Text(package)));
    }

    /// Returns whether it is about waits whose reason is not known and that took at least this share of
    /// the time.
    pub(crate) fn is_unexplained(&self, least: f64) -> bool {
        let has = |wanted: &dyn Fn(&str, &Value) -> bool| {
            self.facts.iter().any(|(name, value)| wanted(name, value))
        };
        has(&|name, _| name == "class")
            && has(&|_, value| matches!(value, Value::Share(part) if *part >= least))
    }
}

/// Returns what is not known about the command.
pub(crate) fn find(story: &Story<'_>) -> Vec<Gap> {
    let mut gaps = not_recorded(story);
    gaps.extend(on_path(story));
    let cost = share(recording_ns(story), story.wall_ns());
    if cost >= MUCH_OVERHEAD && story.has_path() {
        let text = "Recording cost about {share} of this run.";
        gaps.push(Gap::new(text, vec![("share", Value::Share(cost))]));
    }
    gaps
}

/// Returns how little is known about where the command waited and computed. If nothing stands out, that does
/// not matter.
pub(crate) fn places(story: &Story<'_>) -> Vec<Gap> {
    let mut gaps = waits(story);
    gaps.extend(samples(story));
    gaps
}

/// Returns about how much of the time on the path was the recorder's own.
fn recording_ns(story: &Story<'_>) -> i64 {
    let path = &story.path;
    let own_ns = path
        .recorder_ns
        .unwrap_or_else(|| usual_recording_ns(story));
    let all_cpu_ns = path.all_cpu_ns.max(1);
    let on_path = i128::from(own_ns.min(all_cpu_ns)) * i128::from(path.cpu_ns());
    i64::try_from(on_path / i128::from(all_cpu_ns)).unwrap_or(i64::MAX)
}

/// Returns the same for all of the command's threads, by the usual time of the recorder's programs.
fn usual_recording_ns(story: &Story<'_>) -> i64 {
    let path = &story.path;
    let waits = path.times.values().map(|times| times.waits).sum();
    let threads = story.calls.threads.values();
    let counts = threads.flat_map(|thread| thread.sums.values().map(|sum| sum.count));
    let moments = Moments {
        switches: waits,
        // Its threads wake each other, or are woken by threads that they work with.
        wake_ups: waits,
        system_calls: counts.fold(0, i64::saturating_add),
        samples: story.hot.all_samples,
    };
    story.overhead.ns(moments)
}

fn not_recorded(story: &Story<'_>) -> Vec<Gap> {
    let facts = story.facts;
    let lost = facts.lost().map(|lost| {
        let text = "The recorder lost {lost}; what happened then is not known.";
        Gap::new(text, vec![("lost", Value::Text(lost))])
    });
    let damaged = story.damaged.iter().map(|why| {
        let text = "Part of the extract is damaged and left out: {why}.";
        Gap::new(text, vec![("why", Value::Text(why.clone()))])
    });
    let missing = missing(facts, whyslow_detectors::looks_say(story));
    lost.into_iter().chain(damaged).chain(missing).collect()
}

/// Says what was not recorded. One sentence sums up what only root can record.
fn missing(facts: &Facts, is_sampled: bool) -> Vec<Gap> {
    let needed = [
        (Capability::Switches, "when it waited"),
        (Capability::WakeUps, "who ended its waits"),
        (Capability::SwitchStacks, "what it waited for"),
        (Capability::CpuSamples, "which functions computed"),
        (Capability::WholeMachine, "what other programs did"),
    ];
    let missing = needed.into_iter();
    let missing = missing.filter(|(what, _)| facts.capabilities.presence(*what) == Presence::No);
    let missing = missing.filter(|(what, _)| !is_sampled || *what != Capability::SwitchStacks);
    let os = facts.trace.as_ref().and_then(|trace| trace.os.as_deref());
    let is_of_root = |one: &(Capability, &str)| one.0.needs_root(System::of(os));
    let (of_root, others): (Vec<_>, Vec<_>) = missing.partition(is_of_root);
    let one = |what: String, how: &str| {
        let what = ("what", Value::Text(what));
        let how = ("how", Value::Text(how.to_owned()));
        Gap::new("Not recorded: {what}; {how}.", vec![what, how])
    };
    let of_root = match of_root.as_slice() {
        [] => None,
        &[(capability, what)] => Some(one(what.to_owned(), facts.how_to_record(capability))),
        [first @ .., (_, last)] => {
            let first: Vec<&str> = first.iter().map(|(_, what)| *what).collect();
            let all = format!("{} and {last}", first.join(", "));
            Some(one(all, "record with `whyslow` as root"))
        }
    };
    let others = others.into_iter();
    let others =
        others.map(|(capability, what)| one(what.to_owned(), facts.how_to_record(capability)));
    of_root.into_iter().chain(others).collect()
}

fn on_path(story: &Story<'_>) -> Vec<Gap> {
    let (path, wall) = (&story.path, story.wall_ns());
    let mut gaps = Vec::new();
    let unknown = share(path.unknown_ns(), wall);
    if path.too_many {
        let text =
            "It switched threads too often to follow its time; `whyslow threads` has the sums.";
        gaps.push(Gap::new(text, Vec::new()));
    } else if unknown >= LITTLE {
        let text = "What it did for {share} of the time is not known.";
        gaps.push(Gap::new(text, vec![("share", Value::Share(unknown))]));
    }
    if let Some((ns, class)) = whyslow_detectors::unexplained(story)
        && share(ns, story.own_ns()) >= UNEXPLAINED
    {
        let text = "It waited for {class} for {share} of the time; the reason is not known.";
        let facts = vec![("share", Value::Share(share(ns, wall))), ("class", class)];
        gaps.push(Gap::new(text, facts));
    }
    gaps
}

fn waits(story: &Story<'_>) -> Vec<Gap> {
    let (path, wall) = (&story.path, story.wall_ns());
    let mut gaps = Vec::new();
    let waited = path.wait_ns();
    let part = share(path.no_user_half_ns, waited);
    let is_sampled = whyslow_detectors::looks_say(story);
    if !is_sampled && part >= 20.0 && share(waited, wall) >= 5.0 {
        let text = "For {share} of its waiting time, the place in the program is not known.";
        gaps.push(Gap::new(text, vec![("share", Value::Share(part))]));
    }
    if path.own_stacks.is_sample() && share(waited, wall) >= 5.0 {
        let text =
            "Where and why it waited is known from a sample: the stacks of {own} of {waits} waits.";
        let count = |count: u64| Value::Count(i64::try_from(count).unwrap_or(i64::MAX));
        let own = ("own", count(path.own_stacks.own()));
        let waits = ("waits", count(path.own_stacks.waits));
        gaps.push(Gap::new(text, vec![own, waits]));
    }
    gaps
}

fn samples(story: &Story<'_>) -> Vec<Gap> {
    let hot = &story.hot;
    let mut gaps = Vec::new();
    let late = hot.leaves.iter().filter(|leaf| {
        enables_interrupts(&story.code.stacks.frames.function(leaf.function).name)
            && share(leaf.ns, hot.ns) >= 10.0
            && share(leaf.ns, story.wall_ns()) >= 10.0
    });
    if let Some(leaf) = late.max_by_key(|leaf| leaf.ns) {
        let name = story.code.name(leaf.function);
        let text = "The time in {function} includes what ran just before with interrupts off, where no \
                    sample can be taken.";
        let name = Value::Place(Place::function(&name));
        gaps.push(Gap::new(text, vec![("function", name)]));
    }
    let computed = share(story.path.cpu_ns(), story.wall_ns());
    let sampled = story.facts.has(Capability::CpuSamples);
    if hot.samples < 20 && computed >= 30.0 && sampled {
        let text = match hot.samples {
            0 => "Where it computed is not known: no sample was taken in so short a time.",
            1 => "Where it computed is a guess from a single sample.",
            _ => "Where it computed is a guess from only {samples} samples.",
        };
        let count = Value::Count(hot.samples);
        gaps.push(Gap::new(text, vec![("samples", count)]));
    }
    gaps
}

/// Returns what the user can do about the program's runtime, if its functions are not recorded.
pub(crate) fn runtime(story: &Story<'_>) -> Option<Gap> {
    let runtime = runtimes::busiest(story);
    let (help, ns) = runtime.filter(|(help, _)| help.interprets)?;
    // Functions that its JIT compiled may have names.
    let is_nameless = story.hot.own.is_none();
    let is_much = share(ns, story.wall_ns()) >= NAMELESS;
    (is_nameless && is_much).then(|| Gap::new(help.text, Vec::new()))
}

/// Returns what the user can do about the program's module that lacks most names.
pub(crate) fn nameless(story: &Story<'_>) -> Option<Gap> {
    let mut modules: BTreeMap<&str, i64> = BTreeMap::new();
    for wait in &story.path.waits {
        if let Some(module) = wait.place.nameless_module() {
            *modules.entry(module).or_default() += wait.ns;
        }
    }
    for leaf in &story.hot.leaves {
        let function = story.code.stacks.frames.function(leaf.function);
        let is_own = story.code.whose(leaf.function).is_own();
        if is_own && !function.resolved {
            *modules.entry(&function.module).or_default() += leaf.ns;
        }
    }
    let (module, ns) = modules.into_iter().max_by_key(|&(_, ns)| ns)?;
    let text = match (is_generated(module), runtimes::busiest(story)) {
        (true, Some((help, _))) => help.text,
        (true, None) => {
            "Functions that its runtime compiled have no names. Let the runtime write them out: \
             java -XX:+DumpPerfMapAtExit, node --perf-basic-prof, or DOTNET_PerfMapEnabled=1."
        }
        (false, _) => NO_NAMES,
    };
    let values = vec![("module", Value::Process(module.to_owned()))];
    (share(ns, story.wall_ns()) >= NAMELESS).then(|| Gap::new(text, values))
}

/// Returns whether a kernel function enables interrupts again, and with them the samples that a
/// software clock could not take before.
fn enables_interrupts(function: &str) -> bool {
    let names = [
        "finish_task_switch",
        "_raw_spin_unlock_irqrestore",
        "_raw_spin_unlock_irq",
        "do_softirq",
        "handle_softirqs",
        "__do_softirq",
    ];
    names.contains(&function.split('.').next().unwrap_or(function))
}
