//! Everything that is known about the command before any cause is claimed.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use whyslow_model::{Capability, ProcessId, ThreadId};
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::mounts::Mounts;
use whyslow_query::objects::Objects;
use whyslow_query::overhead::Overhead;
use whyslow_query::wait::{Classes, Rules};
use whyslow_query::{Marks, View, marks};

use crate::answering;
use crate::calls::Calls;
use crate::code::Code;
use crate::command::Command;
use crate::disks::Disks;
use crate::file_names::Names;
use crate::files::Files;
use crate::goroutines;
use crate::held_up::{self, HeldUp};
use crate::hot::{self, Hot};
use crate::limits::Limits;
use crate::looks::Looks;
use crate::memory::Memory;
use crate::network::Network;
use crate::path::{Path, Step, What};
use crate::peers::{self, Role};
use crate::recorded;
use crate::rivals::{self, Rivals};
use crate::single_calls::SingleCalls;
use crate::unit;
use crate::walk;
use whyslow_query::called;

/// What detectors look at.
#[derive(Debug)]
pub struct Story<'a> {
    /// Processes and threads of the trace.
    pub facts: &'a Facts,
    /// What the story is about.
    pub command: &'a Command,
    /// The folder in which it began.
    pub folder: Option<String>,
    /// The moments that somebody marked.
    pub marks: Marks,
    /// Whose code is whose.
    pub code: &'a Code<'a>,
    /// How waits are classified.
    pub rules: &'a Rules,
    /// The path that mattered.
    pub path: Path,
    /// System calls.
    pub calls: Calls,
    /// Limits that the command ran under.
    pub limits: Limits,
    /// When its threads were held up because memory was short.
    pub memory: Memory,
    /// What threads waited for.
    pub objects: Objects,
    /// The file systems, and where their files are.
    pub mounts: Mounts,
    /// What it did with files.
    pub files: Files,
    /// Who used its disks.
    pub disks: Disks,
    /// What its single calls about files say.
    pub single_calls: SingleCalls,
    /// Whom it talked with.
    pub network: Network,
    /// The roles of the processes that ended the command's waits.
    pub roles: BTreeMap<ProcessId, Role>,
    /// Where it computed.
    pub hot: Hot,
    /// Its threads that held up others that they serve.
    pub held_up: Vec<HeldUp>,
    /// Which other processes wanted its CPUs.
    pub rivals: Rivals,
    /// What the environments of Go programs tell their runtimes: pids, and settings as `GOGC=5`.
    pub go_settings: Vec<(i32, String)>,
    /// Data that only some detectors need, and that could not be read.
    pub damaged: Vec<String>,
    /// What it was seen doing, where it could not be recorded why it waited.
    pub looks: Looks,
    /// What the recording itself cost the command.
    pub overhead: Overhead,
    /// What other processes did while the path waited for them.
    pub meanwhile: Option<Box<Story<'a>>>,
}

/// Returns what was read; if something is damaged, the other detectors still find what they look for.
fn optional<T: Default>(
    read: Result<T, QueryError>,
    damaged: &mut Vec<String>,
) -> Result<T, QueryError> {
    match read {
        Err(QueryError::View(error)) => {
            damaged.push(error.to_string());
            Ok(T::default())
        }
        read => read,
    }
}

impl<'a> Story<'a> {
    /// Follows the command through the trace.
    pub fn read(
        view: View<'_>,
        facts: &'a Facts,
        command: &'a Command,
        code: &'a Code<'a>,
        names: &Names<'_>,
    ) -> Result<Self, QueryError> {
        let classes = Classes::new(code.stacks, Rules::shipped());
        let mut path = match facts.has(Capability::Switches) {
            true => walk::follow(view, facts, command, code, &classes)?,
            false => Path::default(),
        };
        let rivals = rivals::find(view, facts, command, &path)?;
        let mut damaged = Vec::new();
        let of_code = (code, classes.rules);
        let refined = goroutines::refine(view, facts, command, of_code, &mut path);
        optional(refined, &mut damaged)?;
        let limits = optional(Limits::read(view, command), &mut damaged)?;
        let memory = optional(Memory::read(view, facts, command), &mut damaged)?;
        let overhead = optional(Overhead::read(view), &mut damaged)?;
        let single_calls = optional(SingleCalls::read(view, facts, command, names), &mut damaged)?;
        let mut disks = optional(Disks::read(view, facts, command, names), &mut damaged)?;
        disks.look_at_rings(&path, classes.rules);
        let looks = optional(Looks::read(view), &mut damaged)?;
        let marks = optional(marks::read(view), &mut damaged)?;
        let mut story = Self::along((view, names), (facts, command), code, classes.rules, path)?;
        let known = held_up::Known {
            facts,
            command,
            code,
            path: &story.path,
            calls: &story.calls,
            network: &story.network,
        };
        let held_up = optional(HeldUp::find(view, &known, &classes), &mut damaged)?;
        damaged.append(&mut story.damaged);
        // Several of them may need the same table.
        damaged.sort_unstable();
        damaged.dedup();
        Ok(Self {
            folder: recorded::folder(view)?,
            marks,
            go_settings: recorded::go_settings(view)?,
            looks,
            limits,
            memory,
            overhead,
            single_calls,
            disks,
            rivals,
            held_up,
            damaged,
            ..story
        })
    }

    /// Reads what explains a path, but not who else used the machine meanwhile.
    pub(crate) fn along(
        (view, names): (View<'_>, &Names<'_>),
        (facts, command): (&'a Facts, &'a Command),
        code: &'a Code<'a>,
        rules: &'a Rules,
        mut path: Path,
    ) -> Result<Self, QueryError> {
        answering::note(&mut path, rules);
        let mut damaged = Vec::new();
        let network = optional(Network::read(view, facts, command), &mut damaged)?;
        let calls = optional(Calls::read(view, facts, command, &path.times), &mut damaged)?;
        let known = (&path, &network, &calls);
        let roles = peers::roles(view, facts, command, code.stacks, rules, known)?;
        Ok(Self {
            facts,
            command,
            folder: None,
            marks: Marks::default(),
            go_settings: Vec::new(),
            code,
            rules,
            files: optional(Files::read(view, facts, command, names), &mut damaged)?,
            calls,
            limits: Limits::default(),
            memory: Memory::default(),
            objects: optional(Objects::read(view), &mut damaged)?,
            mounts: optional(Mounts::read(view), &mut damaged)?,
            looks: Looks::default(),
            overhead: Overhead::default(),
            single_calls: SingleCalls::default(),
            disks: Disks::default(),
            roles,
            network,
            hot: hot::find(view, command, code, &path)?,
            held_up: Vec::new(),
            rivals: Rivals::default(),
            meanwhile: None,
            path,
            damaged,
        })
    }

    /// Returns whether the path of the wall time is known.
    pub fn has_path(&self) -> bool {
        self.facts.has(Capability::Switches) && !self.path.too_many
    }

    /// Returns how long the command took.
    pub fn wall_ns(&self) -> i64 {
        self.command.wall_ns()
    }

    /// Returns the time that the command had for itself: without that in which others had the CPUs, or a
    /// quota stopped it.
    /// If something is much of it, it is worth reporting however busy the machine was.
    pub fn own_ns(&self) -> i64 {
        let kept_out = self.path.competing_ns() + self.path.throttled_ns();
        (self.wall_ns() - kept_out).max(0)
    }

    /// Returns how many CPUs the machine has.
    pub fn cpus(&self) -> Option<i32> {
        self.facts.trace.as_ref().and_then(|trace| trace.cpus)
    }

    /// Returns whether the command used nearly all of the CPU time that others left it. Then it could not get more,
    /// whatever its threads waited for.
    pub fn uses_all_cpus(&self) -> bool {
        let Some(cpus) = self.cpus().map(i64::from) else {
            return false;
        };
        let others = self.rivals.busy.iter().map(|&(_, ns)| ns);
        let others = others.fold(0, i64::saturating_add);
        let left = self.wall_ns().saturating_mul(cpus).saturating_sub(others);
        left <= 0 || share(self.path.all_cpu_ns, left) >= NEARLY_ALL
    }

    /// Returns the name the command's first process had in the end.
    pub fn root_name(&self) -> &str {
        let thread = self.command.last_thread;
        let thread = thread.and_then(|id| self.facts.threads.get(id));
        let process = thread.and_then(|thread| self.facts.process(thread.process));
        let process = process.unwrap_or(&self.facts.processes[self.command.root]);
        &process.name
    }

    /// Returns the name of the process of a thread.
    pub fn process_of(&self, thread: ThreadId) -> Option<&str> {
        let process = self.facts.thread(thread)?.process;
        let process = self.facts.process(process)?;
        Some(&process.name)
    }

    /// Returns whether two threads are of the same process.
    pub fn are_of_one_process(&self, one: ThreadId, other: ThreadId) -> bool {
        let process = |thread| self.facts.thread(thread).map(|row| row.process);
        process(one).is_some() && process(one) == process(other)
    }

    /// Returns the name of a thread: that of its process, or, for an interpreter, of the script that
    /// it runs.
    pub fn label(&self, thread: ThreadId) -> String {
        let row = self.facts.thread(thread);
        let process = row.and_then(|row| self.facts.process(row.process));
        let (Some(row), Some(process)) = (row, process) else {
            return self.facts.thread_label(thread);
        };
        let name = self.facts.thread_name(thread);
        match called::script(process) {
            Some(script) if name == process.name => format!("{script} ({name} {})", row.os_tid),
            Some(script) => format!("{script}/{name}({})", row.os_tid),
            None => self.facts.thread_label(thread),
        }
    }

    /// Returns the name for the command's processes of a name: for an interpreter, that of the
    /// script, if all of them run the same one.
    pub fn called(&self, name: &str) -> String {
        let rows = self.facts.processes.iter().zip(&self.command.processes);
        let rows = rows.filter(|(row, of)| **of && row.name == name);
        let mut scripts = rows.map(|(row, _)| called::script(row));
        let first = scripts.next().flatten();
        let same = |script: &String| scripts.all(|other| other.as_ref() == Some(script));
        match first.filter(same) {
            Some(script) => format!("{script} ({name})"),
            None => name.to_owned(),
        }
    }

    /// Returns the name of the process the path ran in most, the command's own if it never ran.
    pub fn runner(&self) -> &str {
        self.runner_while(&|_| true)
    }

    /// Returns the name of the processes the path ran in most in some of its steps.
    pub fn runner_while(&self, wanted: &dyn Fn(&Step) -> bool) -> &str {
        let most = self.runners_while(wanted).first().copied();
        most.map_or_else(|| self.root_name(), |(name, _)| name)
    }

    /// Returns the processes the path ran in in some of its steps, with the time.
    pub fn ran_while(&self, wanted: &dyn Fn(&Step) -> bool) -> BTreeMap<ProcessId, i64> {
        let mut sums: BTreeMap<ProcessId, i64> = BTreeMap::new();
        let ran = |step: &&Step| step.what == What::Cpu && wanted(step);
        for step in self.path.steps.iter().filter(ran) {
            if let Some(thread) = step.thread.and_then(|thread| self.facts.thread(thread)) {
                let sum = sums.entry(thread.process).or_default();
                *sum = sum.saturating_add(step.ns());
            }
        }
        sums
    }

    /// Returns the names of all processes the path ran in in some of its steps, with the time, longest first.
    pub fn runners_while(&self, wanted: &dyn Fn(&Step) -> bool) -> Vec<(&str, i64)> {
        let mut sums = BTreeMap::<&str, i64>::new();
        for (process, ns) in self.ran_while(wanted) {
            if let Some(row) = self.facts.process(process) {
                *sums.entry(&row.name).or_default() += ns;
            }
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by_key(|&(name, ns)| (Reverse(ns), Reverse(name)));
        sums
    }

    /// Returns the command line of a thread outside the command; `None` if it says no more than
    /// the name.
    pub fn stranger(&self, thread: ThreadId) -> Option<String> {
        let row = self.facts.thread(thread)?;
        let process = self.facts.process(row.process)?;
        let (program, arguments) = process.command_line.as_deref()?.split_once(' ')?;
        let program = program.rsplit('/').next().unwrap_or(program);
        let line = || shortened(&format!("{program} {arguments}"));
        (!self.command.has_thread(thread)).then(line)
    }
}

/// The most letters of a command line.
const MOST_LETTERS: usize = 60;

/// Returns a command line as one line, or the beginning of a long one; of a compiler's, what it translates.
pub fn shortened(line: &str) -> String {
    if let Some(brief) = unit::brief(line, MOST_LETTERS) {
        return brief;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST_LETTERS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// From this percentage of the CPU time that others left it, a command used all CPUs: switches, wake-ups and the
/// recording take some.
const NEARLY_ALL: f64 = 75.0;

/// Returns `part` as a share of `whole`, 0 to 100.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
pub fn share(part: i64, whole: i64) -> f64 {
    if whole > 0 {
        100.0 * part as f64 / whole as f64
    } else {
        0.0
    }
}
