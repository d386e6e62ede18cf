//! The lines of the answer.

use whyslow_model::{Capability, Presence, ThreadId};

use crate::{Answer, Content, Line, Role, Span, Story, Target};
use crate::{path, verdict};
use whyslow_query::facts::Facts;
use whyslow_query::plain_name::plain_name;
use whyslow_query::result::Kind;

/// Shares below this are not worth a line.
const LITTLE: f64 = 1.0;

/// Text under construction.
#[derive(Debug, Default, Clone)]
pub(crate) struct Text(pub(crate) Vec<Span>);

impl Text {
    fn span(mut self, role: Role, content: Content) -> Self {
        self.0.push(Span { role, content });
        self
    }

    fn words(self, role: Role, text: &str) -> Self {
        self.span(role, Content::Text(text.to_owned()))
    }

    /// Adds plain words.
    pub(crate) fn say(self, text: &str) -> Self {
        self.words(Role::Plain, text)
    }

    /// Adds words that are the point.
    pub(crate) fn strong(self, text: &str) -> Self {
        self.words(Role::Strong, text)
    }

    /// Adds words of less interest.
    pub(crate) fn faint(self, text: &str) -> Self {
        self.words(Role::Faint, text)
    }

    /// Adds the name of a process or thread.
    pub(crate) fn process(self, name: &str) -> Self {
        self.words(Role::Process, name)
    }

    /// Adds the name of a function, or a place in the program.
    pub(crate) fn function(self, name: &str) -> Self {
        self.words(Role::Function, name)
    }

    /// Adds a class of waits.
    pub(crate) fn class(self, name: &str) -> Self {
        self.words(Role::WaitClass, name)
    }

    /// Adds a length of time.
    pub(crate) fn time(self, ns: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::Duration, ns))
    }

    /// Adds a number of things.
    pub(crate) fn count(self, count: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::Count, count))
    }

    /// Adds a share, 0 to 100.
    pub(crate) fn percent(self, share: f64) -> Self {
        self.span(Role::Figure, Content::Percent(share))
    }

    /// Adds a number with decimals.
    pub(crate) fn ratio(self, ratio: f64) -> Self {
        self.span(Role::Figure, Content::Ratio(ratio))
    }
}

/// Returns `part` as a share of `whole`, 0 to 100.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
pub(crate) fn share(part: i64, whole: i64) -> f64 {
    if whole > 0 {
        100.0 * part as f64 / whole as f64
    } else {
        0.0
    }
}

/// The lines so far.
#[derive(Debug, Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, label: &'static str, text: Text) {
        self.0.push(Line {
            label,
            indent: 0,
            spans: text.0,
        });
    }

    fn below(&mut self, text: Text) {
        self.0.push(Line {
            label: "",
            indent: 1,
            spans: text.0,
        });
    }
}

/// Returns the answer where the command is not in the recording.
pub(crate) fn not_found(facts: &Facts, target: &Target) -> Answer {
    let text = match (target.os_pid, facts.has(Capability::ProcessEvents)) {
        (Some(pid), true) => format!("no process with pid {pid} is in the recording"),
        (Some(pid), false) => {
            format!("process starts were not recorded, and nothing is known of pid {pid}")
        }
        (None, _) => "the command never started".to_owned(),
    };
    let text = Text::default().words(Role::Warning, &text);
    let mut lines = Lines::default();
    lines.add("data", text);
    lines.below(command("see what was recorded", "stats", target, &[]));
    Answer {
        lines: lines.0,
        wall_ns: 0,
    }
}

/// Returns the answer.
pub(crate) fn answer(story: &Story<'_>, target: &Target) -> Answer {
    let mut lines = Lines::default();
    lines.add("took", headline(story, target));
    for (at, sentence) in verdict::sentences(story).into_iter().enumerate() {
        lines.add(if at == 0 { "why" } else { "" }, sentence);
    }
    on_cpu(story, &mut lines);
    waiting(story, &mut lines);
    ready(story, &mut lines);
    methods(story, &mut lines);
    others(story, &mut lines);
    data(story, &mut lines);
    commands(story, target, &mut lines);
    Answer {
        lines: lines.0,
        wall_ns: story.command.wall_ns(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for a person")]
fn headline(story: &Story<'_>, target: &Target) -> Text {
    let root = &story.facts.processes[story.command.root];
    let line = root.command_line.as_deref();
    let name = target.command.as_deref().or(line).unwrap_or(&root.name);
    let wall = story.command.wall_ns();
    let text = Text::default()
        .time(wall)
        .say("  ")
        .process(&shortened(name));
    let processes = distinct_processes(story);
    let text = match processes {
        1 => text.faint("  1 process, "),
        n => text.faint("  ").count(n).faint(" processes, "),
    };
    let threads = i64::try_from(story.path.tids.len()).unwrap_or(i64::MAX);
    let text = text.count(threads);
    let text = text.faint(if threads == 1 { " thread" } else { " threads" });
    let cpus = story.facts.trace.as_ref().and_then(|trace| trace.cpus);
    let used = story.path.all_cpu_ns as f64 / wall.max(1) as f64;
    match cpus {
        Some(cpus) if story.path.all_cpu_ns > 0 => {
            let text = text.faint(", on average ").ratio(used);
            text.faint(" of ").count(cpus.into()).faint(" CPUs")
        }
        _ => text,
    }
}

/// Returns a command line, or the beginning of a long one.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
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

fn on_cpu(story: &Story<'_>, lines: &mut Lines) {
    let (path, hot) = (story.path, story.hot);
    let wall = story.command.wall_ns();
    if !story.facts.has(Capability::Switches) {
        if hot.all_ns > 0 {
            let text = Text::default().time(hot.all_ns).say(" CPU (sampled)");
            lines.add("on CPU", kernel_share(story, text));
        }
        return;
    }
    if path.too_many {
        let text = Text::default()
            .time(path.all_cpu_ns)
            .say(" over all threads");
        lines.add("on CPU", kernel_share(story, text));
        return;
    }
    let text = Text::default()
        .time(path.cpu_ns)
        .say("  ")
        .percent(share(path.cpu_ns, wall));
    lines.add("on CPU", kernel_share(story, text));
}

fn kernel_share(story: &Story<'_>, text: Text) -> Text {
    let hot = story.hot;
    if hot.samples < 5 {
        return text;
    }
    let kernel = share(hot.kernel_ns, hot.ns);
    let text = text
        .say(", of it ")
        .percent(100.0 - kernel)
        .say(" in programs, ");
    text.percent(kernel).say(" in the kernel")
}

fn waiting(story: &Story<'_>, lines: &mut Lines) {
    let (path, wall) = (story.path, story.command.wall_ns());
    if !story.facts.has(Capability::Switches) || path.too_many {
        return;
    }
    let total = Text::default()
        .time(path.wait_ns)
        .say("  ")
        .percent(share(path.wait_ns, wall));
    lines.add("waiting", total);
    let rules = story.classes.rules;
    let worth = path
        .waits
        .iter()
        .filter(|group| share(group.ns, wall) >= LITTLE);
    for group in worth.take(3) {
        let text = Text::default()
            .time(group.ns)
            .say("  ")
            .percent(share(group.ns, wall));
        let text = text
            .say("  ")
            .class(&rules.class(group.class).name)
            .say("  in ");
        let text = text.function(&group.place);
        let text = match group.count {
            0 | 1 => text,
            n => text.faint("  (").count(n).faint(" waits)"),
        };
        let other = Some(&*group.process).filter(|name| *name != story.root_name());
        let text = match other {
            Some(name) => text.faint("  by ").process(name),
            None => text,
        };
        let text = match group.main_waker() {
            Some(id) if path::is_program(story.facts, id) => text
                .faint("  ended by ")
                .process(&story.facts.thread_label(id)),
            _ => text,
        };
        lines.below(text);
    }
}

fn ready(story: &Story<'_>, lines: &mut Lines) {
    let (path, wall) = (story.path, story.command.wall_ns());
    let known = story.facts.has(Capability::Switches) && !path.too_many;
    if !known || share(path.ready_ns, wall) < LITTLE {
        return;
    }
    let text = Text::default()
        .time(path.ready_ns)
        .say("  ")
        .percent(share(path.ready_ns, wall));
    let text = text.say(", without a CPU");
    lines.add("ready", verdict::meanwhile(story, text));
}

fn methods(story: &Story<'_>, lines: &mut Lines) {
    let hot = story.hot;
    let worth = hot
        .leaves
        .iter()
        .filter(|leaf| share(leaf.ns, hot.ns) >= 5.0);
    let known = !story.facts.has(Capability::Switches);
    let wall = story.command.wall_ns();
    let matters = known || share(story.path.cpu_ns.max(hot.ns), wall) >= 5.0;
    if hot.samples < 5 || !matters {
        return;
    }
    for (at, leaf) in worth.take(3).enumerate() {
        let text = Text::default().percent(share(leaf.ns, hot.ns)).say("  ");
        let function = story.stacks.frames.function(leaf.function);
        let mut text = text.function(&plain_name(&function.name));
        if !function.module.is_empty() && function.resolved {
            text = text.faint(" in ").faint(&function.module);
        }
        let callers = leaf.callers.iter().take(3);
        let name = |&id: &u32| plain_name(&story.stacks.frames.function(id).name);
        let callers: Vec<_> = callers.map(name).collect();
        if !callers.is_empty() {
            text = text.faint("  from ").function(&callers.join(" < "));
        }
        let label = if at == 0 { "CPU in" } else { "" };
        lines.add(label, text);
    }
}

fn others(story: &Story<'_>, lines: &mut Lines) {
    let wall = story.command.wall_ns();
    let rivals = story.rivals;
    let worth = rivals.busy.iter().filter(|(_, ns)| share(*ns, wall) >= 2.0);
    let worth: Vec<_> = worth.take(4).collect();
    if worth.is_empty() {
        return;
    }
    let mut text = Text::default().say("used CPU meanwhile: ");
    for (at, (name, ns)) in worth.into_iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        text = text.say(comma).process(name).say(" ").time(*ns);
    }
    lines.add("others", text);
}

fn data(story: &Story<'_>, lines: &mut Lines) {
    let (facts, path) = (story.facts, story.path);
    let wall = story.command.wall_ns();
    let mut notes: Vec<String> = Vec::new();
    if let Some(lost) = facts.lost() {
        notes.push(format!(
            "the recorder lost {lost}; times around the gaps are unknown"
        ));
    }
    let needed = [
        (Capability::Switches, "waiting and ready times"),
        (Capability::WakeUps, "who ended waits, and ready times"),
        (Capability::SwitchStacks, "what was waited for"),
        (Capability::CpuSamples, "functions on the CPU"),
        (Capability::WholeMachine, "what other processes did"),
    ];
    for (capability, what) in needed {
        if facts.capabilities.presence(capability) == Presence::No {
            notes.push(format!(
                "{what}: not recorded ({})",
                facts.how_to_record(capability)
            ));
        }
    }
    if path.too_many {
        notes
            .push("the command has too many switches to follow its path; see `threads`".to_owned());
    } else if share(path.unknown_ns, wall) >= LITTLE {
        let part = share(path.unknown_ns, wall);
        notes.push(format!("{part:.1} % of the time nothing tells what it did"));
    }
    if share(path.no_user_half_ns, path.wait_ns) >= 20.0 && share(path.wait_ns, wall) >= 5.0 {
        let part = share(path.no_user_half_ns, path.wait_ns);
        notes.push(format!(
            "{part:.0} % of the waiting has no stack in the program"
        ));
    }
    let late = story.hot.leaves.iter().filter(|leaf| {
        enables_interrupts(&story.stacks.frames.function(leaf.function).name)
            && share(leaf.ns, story.hot.ns) >= 10.0
    });
    if let Some(leaf) = late.max_by_key(|leaf| leaf.ns) {
        let name = plain_name(&story.stacks.frames.function(leaf.function).name);
        notes.push(format!(
            "samples cannot interrupt code that runs with interrupts off: {name} also stands for what ran before it"
        ));
    }
    if story.hot.samples < 20
        && share(path.cpu_ns, wall) >= 30.0
        && facts.has(Capability::CpuSamples)
    {
        let samples = story.hot.samples;
        notes.push(format!(
            "only {samples} samples: functions on the CPU are a rough guess"
        ));
    }
    for (at, note) in notes.into_iter().enumerate() {
        let label = if at == 0 { "data" } else { "" };
        lines.add(label, Text::default().words(Role::Warning, &note));
    }
}

/// Returns whether a kernel function lets interrupts in again, and with them the samples that a
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

/// The questions that go on from here, ready to paste.
fn commands(story: &Story<'_>, target: &Target, lines: &mut Lines) {
    let path = story.path;
    let dominant = story.root_name();
    let waiter = path.waits.first().map_or(dominant, |group| &*group.process);
    let runner = path
        .running
        .iter()
        .fold(std::collections::BTreeMap::new(), |mut sums, run| {
            *sums.entry(run.0).or_insert(0_i64) += run.2 - run.1;
            sums
        });
    let runner = runner.into_iter().max_by_key(|&(_, ns)| ns);
    let runner = runner.and_then(|(id, _)| story.facts.thread(id));
    let runner = runner.and_then(|thread| story.facts.process(thread.process));
    let runner = runner.map_or(dominant, |row| row.name.as_str());
    let mut all = Vec::new();
    if path.wait_ns > path.cpu_ns {
        let by = ["--process", waiter, "--by", "wait"];
        all.push(command("where it waited", "stacks", target, &by));
        all.push(command(
            "who waited for whom",
            "threads",
            target,
            &["--process", waiter],
        ));
    } else {
        all.push(command(
            "where the CPU time went",
            "stacks",
            target,
            &["--process", runner],
        ));
        let methods = ["--process", runner, "--functions", "*", "--top", "20"];
        all.push(command("by function", "cpu", target, &methods));
    }
    all.push(command("everything that ran", "timeline", target, &[]));
    for (at, text) in all.into_iter().enumerate() {
        let label = if at == 0 { "look" } else { "" };
        lines.add(label, text);
    }
}

/// Returns a command to paste, with a word on what it shows.
fn command(what: &str, verb: &str, target: &Target, args: &[&str]) -> Text {
    let extract = target.extract.as_deref().unwrap_or("EXTRACT");
    let mut line = format!("whyslow {verb} {}", quoted(extract));
    for arg in args {
        line.push(' ');
        line.push_str(&quoted(arg));
    }
    Text::default()
        .words(Role::Command, &line)
        .faint("  # ")
        .faint(what)
}

/// Returns `text` as one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@%=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

impl Story<'_> {
    /// Returns the command line of a thread outside the command; `None` if it says no more than
    /// the name.
    pub(crate) fn stranger(&self, thread: ThreadId) -> Option<String> {
        let row = self.facts.thread(thread)?;
        let process = self.facts.process(row.process)?;
        let (program, arguments) = process.command_line.as_deref()?.split_once(' ')?;
        let program = program.rsplit('/').next().unwrap_or(program);
        let line = || shortened(&format!("{program} {arguments}"));
        (!self.command.has_thread(thread)).then(line)
    }

    /// Returns the name the command's first process had in the end.
    pub(crate) fn root_name(&self) -> &str {
        let thread = self.command.last_thread;
        let thread = thread.and_then(|id| self.facts.threads.get(id));
        let process = thread.and_then(|thread| self.facts.process(thread.process));
        let process = process.unwrap_or(&self.facts.processes[self.command.root]);
        &process.name
    }
}
