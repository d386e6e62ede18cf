//! The answer, as data: what the wall time is made of, and what explains it.

mod usual;

use std::collections::BTreeMap;

use whyslow_model::Capability;
use whyslow_query::facts::Facts;

use crate::finding::{Finding, Query};
use crate::gaps::{self, Gap};
use whyslow_query::frames::FunctionId;
use whyslow_story::Target;
use whyslow_story::command::Command;
use whyslow_story::hot;
use whyslow_story::story::{Story, share};

/// Where the time of a command went.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The command is not in the recording.
    NotFound(NotFound),
    /// It is.
    Explained(Box<Explained>),
}

/// Why the command is not in the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// Its pid, if it ever had one.
    pub os_pid: Option<i32>,
    /// When it ran, if it is there, but not in the time that was asked for; nanoseconds since the trace's start.
    pub ran_ns: Option<(Option<i64>, Option<i64>)>,
    /// Whether starts of processes were recorded.
    pub has_starts: bool,
    /// The extract.
    pub extract: Option<String>,
}

/// What is known of the command's time.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The extract.
    pub extract: Option<String>,
    /// The command line.
    pub command: String,
    /// When it began and ended, nanoseconds since the trace's start.
    pub span_ns: (i64, i64),
    /// How long it took.
    pub wall_ns: i64,
    /// How it failed, if it did and that was recorded.
    pub failed: Option<Failed>,
    /// How many processes it had.
    pub processes: i64,
    /// How many threads ran.
    pub threads: i64,
    /// CPU time of all its threads.
    pub cpu_ns: i64,
    /// How many CPUs the machine has.
    pub cpus: Option<i32>,
    /// Whether `parts` are known.
    pub has_parts: bool,
    /// What the wall time is made of; the parts add up to it.
    pub parts: Vec<Part>,
    /// The causes, in order of the time they explain.
    pub findings: Vec<Finding>,
    /// Whether it only did what it was asked to do.
    pub nothing_stands_out: bool,
    /// The CPU samples.
    pub sampled: Sampled,
    /// CPU time of other programs meanwhile, by name, largest first.
    pub others: Vec<(String, i64)>,
    /// What is not known.
    pub gaps: Vec<Gap>,
    /// Findings that are not shown, because they are accepted.
    pub suppressed: Vec<Suppressed>,
    /// Questions to ask next.
    pub next: Vec<Query>,
}

/// What a reviewed list says about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Why it is accepted.
    pub reason: String,
    /// Until when, as `yyyy-MM-dd`.
    pub until: String,
}

/// A finding that is not shown, because it is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppressed {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// The time that it explains.
    pub ns: i64,
    /// Why, and until when.
    pub accepted: Accepted,
}

/// The kinds of time ready without a CPU: every CPU that the thread may use ran another one; its
/// waker or others kept the CPU that it then got; a CPU was idle, and waking up took so long; nothing
/// says which; a quota of CPU time was used up.
pub const READY_KINDS: [&str; 5] = ["competing", "hand-over", "waking", "ready", "quota"];

/// How a command failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// It ended with this exit code, not with zero.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

/// What the command did for a part of the wall time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// `cpu`, one of [`READY_KINDS`], `not-known`, or a class of waits.
    pub kind: String,
    /// For how long.
    pub ns: i64,
}

/// What samples say about the CPU time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sampled {
    /// CPU time of all threads by samples.
    pub all_ns: i64,
    /// Number of samples behind the figures below.
    pub samples: i64,
    /// Share of the time in the kernel, 0 to 100.
    pub kernel_share: f64,
    /// The process with the most of it.
    pub process: String,
    /// Functions at the leaf with the most time.
    pub leaves: Vec<Leaf>,
    /// The innermost function of the program, or of a library in source code, that at least half of the time goes
    /// through, and its share, 0 to 100.
    pub through: Option<(String, f64)>,
    /// The function of the program with the most time, itself and in what it calls, and its share, 0 to 100.
    pub own: Option<(String, f64)>,
}

/// A function at the leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// Its name.
    pub function: String,
    /// Its module, if the function is known.
    pub module: Option<String>,
    /// Share of the sampled time, 0 to 100.
    pub share: f64,
    /// Its callers, nearest first.
    pub callers: Vec<String>,
}

impl Answer {
    /// Returns the share of the wall time about which nothing is known, 0 to 1.
    pub fn unknown_share(&self) -> f64 {
        match self {
            Self::NotFound(_) => 0.0,
            Self::Explained(answer) => share(answer.part_ns("not-known"), answer.wall_ns) / 100.0,
        }
    }

    /// Returns the answer where the command is not in the recording.
    pub(crate) fn not_found(facts: &Facts, target: &Target) -> Self {
        Self::NotFound(NotFound {
            os_pid: target.os_pid,
            ran_ns: Command::ran_ns(facts, target),
            has_starts: facts.has(Capability::ProcessEvents),
            extract: target.extract.clone(),
        })
    }

    /// Returns the answer.
    pub(crate) fn of(story: &Story<'_>, target: &Target) -> Self {
        let root = &story.facts.processes[story.command.root];
        let line = root.command_line.as_deref();
        let name = target.command.as_deref().or(line).unwrap_or(&root.name);
        let wall = story.wall_ns();
        let busy = story.rivals.busy.iter();
        let busy = busy.filter(|(_, ns)| share(*ns, wall) >= 2.0).take(4);
        let mut answer = Explained {
            extract: target.extract.clone(),
            command: name.to_owned(),
            span_ns: story.command.span_ns,
            wall_ns: wall,
            failed: failed(story),
            processes: distinct_processes(story),
            threads: i64::try_from(story.path.tids.len()).unwrap_or(i64::MAX),
            cpu_ns: story.path.all_cpu_ns,
            cpus: story.cpus(),
            has_parts: story.has_path(),
            parts: parts(story),
            findings: whyslow_detectors::findings(story),
            sampled: sampled(story),
            others: busy.cloned().collect(),
            gaps: gaps::find(story),
            suppressed: Vec::new(),
            next: next(story),
            nothing_stands_out: false,
        };
        usual::settle(&mut answer);
        let runtime = gaps::runtime(story);
        if !answer.nothing_stands_out {
            answer.gaps.extend(gaps::places(story));
            let nameless = || gaps::nameless(story);
            answer.gaps.extend(runtime.or_else(nameless));
        } else {
            answer.gaps.extend(runtime);
        }
        Self::Explained(Box::new(answer))
    }
}

impl Explained {
    /// Returns how long the command did this; see `Part::kind`.
    #[must_use]
    pub fn part_ns(&self, kind: &str) -> i64 {
        let parts = self.parts.iter().filter(|part| part.kind == kind);
        parts.map(|part| part.ns).sum()
    }

    /// Returns how many CPUs it used on average.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for a person")]
    pub(crate) fn cpus_used(&self) -> f64 {
        self.cpu_ns as f64 / self.wall_ns.max(1) as f64
    }

    /// Returns how long it was ready without a CPU, whatever the reason.
    #[must_use]
    pub fn ready_ns(&self) -> i64 {
        READY_KINDS.iter().map(|kind| self.part_ns(kind)).sum()
    }

    /// Returns how long it waited for something outside the command.
    #[must_use]
    pub fn wait_ns(&self) -> i64 {
        let own = |part: &&Part| {
            let kind = part.kind.as_str();
            !READY_KINDS.contains(&kind) && !matches!(kind, "cpu" | "not-known")
        };
        let waits = self.parts.iter().filter(own);
        waits.map(|part| part.ns).sum()
    }
}

/// Returns how the command's first process failed; an exec makes no new one.
fn failed(story: &Story<'_>) -> Option<Failed> {
    let processes = &story.facts.processes;
    let pid = processes[story.command.root].os_pid;
    let own = processes.iter().zip(&story.command.processes);
    let mut own = own.filter(|(row, of)| **of && row.os_pid == pid);
    let (last, _) = own.next_back()?;
    // It ended later than the time that is looked at.
    if last.end_ns.is_some_and(|end| end > story.command.span_ns.1) {
        return None;
    }
    let signal = last.exit_signal.filter(|&signal| signal != 0);
    let code = last.exit_code.filter(|&code| code != 0);
    signal.map(Failed::Signal).or(code.map(Failed::Code))
}

/// Counts the command's processes; an exec makes no new one.
fn distinct_processes(story: &Story<'_>) -> i64 {
    let rows = story.facts.processes.iter().zip(&story.command.processes);
    let firsts = rows.filter(|(row, of)| {
        let continued = row
            .predecessor
            .is_some_and(|id| story.command.has_process(id));
        **of && !continued
    });
    i64::try_from(firsts.count()).unwrap_or(i64::MAX)
}

fn parts(story: &Story<'_>) -> Vec<Part> {
    if !story.has_path() {
        return Vec::new();
    }
    let path = &story.path;
    let mut waits = BTreeMap::<&str, i64>::new();
    for group in &path.waits {
        *waits
            .entry(&story.rules.class(group.class).name)
            .or_default() += group.ns;
    }
    let mut waits: Vec<_> = waits.into_iter().collect();
    waits.sort_by_key(|&(_, ns)| std::cmp::Reverse(ns));
    let [competing, hand_over, waking, unexplained, quota] = READY_KINDS;
    let own = [
        ("cpu", path.cpu_ns()),
        (competing, path.competing_ns()),
        (hand_over, path.hand_over_ns()),
        (waking, path.waking_ns()),
        (unexplained, path.unexplained_ready_ns()),
        (quota, path.throttled_ns()),
    ];
    let all = own.into_iter().chain(waits);
    let all = all.chain([("not-known", path.unknown_ns())]);
    let part = |(kind, ns): (&str, i64)| Part {
        kind: kind.to_owned(),
        ns,
    };
    all.map(part).filter(|part| part.ns > 0).collect()
}

fn sampled(story: &Story<'_>) -> Sampled {
    let hot = &story.hot;
    let code = story.code;
    let frames = &code.stacks.frames;
    let worth = hot.leaves.iter();
    let worth = worth.filter(|leaf| share(leaf.ns, hot.ns) >= 5.0);
    let leaf = |leaf: &hot::Leaf| {
        let function = frames.function(leaf.function);
        let module =
            (function.resolved && !function.module.is_empty()).then(|| function.module.to_string());
        let callers = leaf.callers.iter().take(3);
        let callers = callers.map(|&id| code.name(id).into_owned());
        Leaf {
            function: code.name(leaf.function).into_owned(),
            module,
            share: share(leaf.ns, hot.ns),
            callers: callers.collect(),
        }
    };
    Sampled {
        all_ns: hot.all_ns,
        samples: hot.samples,
        kernel_share: share(hot.kernel_ns, hot.ns),
        process: story.called(story.runner()),
        leaves: worth.take(3).map(leaf).collect(),
        through: through(story),
        own: own(story),
    }
}

fn own(story: &Story<'_>) -> Option<(String, f64)> {
    let own = story.hot.own.as_ref()?;
    let name = story.code.name(*own.functions.last()?);
    let name = match &own.source {
        Some(line) => format!("{name} ({line})"),
        None => name.into_owned(),
    };
    Some((name, share(own.ns, story.hot.ns)))
}

/// What more of the time than this, 0 to 1, goes through is what every program has.
const ALL: f64 = 0.95;

fn through(story: &Story<'_>) -> Option<(String, f64)> {
    let (hot, code) = (&story.hot, story.code);
    // Its callers have at least that share.
    let trunk = hot.trunk.iter().filter(|_| hot.trunk_share < ALL);
    let last = trunk
        .rev()
        .find(|&&id| !code.name(id).starts_with("(anonymous)"))?;
    // One that only hands work on, such as to the function for each command, says less than that function.
    let is_named = |(id, _): &&(FunctionId, f64)| !code.name(*id).starts_with("(anonymous)");
    let inside = hot.in_trunk.as_ref().filter(is_named);
    let (id, part) = inside.copied().unwrap_or((*last, hot.trunk_share));
    let name = code.name(id);
    let name = match code.whose(id).is_own() {
        true => name.into_owned(),
        // A library in source code has a file to look into, another one a name.
        false => {
            let native = || code.native_module(id).filter(|_| !passes_own_code(story));
            let file = code.source_file(id).or_else(native)?;
            format!("{name} ({file})")
        }
    };
    Some((name, part * 100.0))
}

/// The user's own code with less of the CPU time than this percentage is a detail.
const LITTLE_OWN: f64 = 15.0;

/// Returns whether much of the CPU time passes through a function of the user's own that has a name.
fn passes_own_code(story: &Story<'_>) -> bool {
    let own = story.hot.own.as_ref().map_or(0, |own| own.ns);
    let is_own = |&id: &FunctionId| story.code.whose(id).is_own();
    story.hot.trunk.iter().any(is_own) || share(own, story.hot.ns) >= LITTLE_OWN
}

fn next(story: &Story<'_>) -> Vec<Query> {
    let path = &story.path;
    let waiter = path.waits.first();
    let waiter = waiter.map_or(story.root_name(), |group| &*group.process);
    let runner = story.runner();
    let mut all = Vec::new();
    if path.wait_ns() > path.cpu_ns() {
        let by = ["-p", waiter, "--by", "wait"];
        all.push(Query::new("where it waited", "stacks", &by));
        let process = ["-p", waiter];
        all.push(Query::new("who waited for whom", "threads", &process));
    } else {
        let process = ["-p", runner];
        all.push(Query::new("where the CPU time went", "stacks", &process));
        let functions = ["-p", runner, "--functions", "*", "-n", "20"];
        all.push(Query::new("by function", "cpu", &functions));
    }
    all.push(Query::new("everything that ran", "timeline", &[]));
    all
}
