//! The trackers together: one event in, rows out.
//!
//! The importer finds out which lifetimes an event's ids mean, keeps processes and threads up to
//! date, and passes the rest to the tracker responsible.

mod affinities;
mod groups;
mod lifetimes;
mod operations;
mod running;

use std::collections::HashMap;

use whyslow_model::tables::WaitObjectRow;
use whyslow_model::{FastMap, FileId, LabelId, Problems, RowSink, SinkError};
use whyslow_settle::{
    Affinity, File, Files, Groups, Labels, Mapped, Mappings, Module, ModuleId, Objects, Processes,
    Settled, TextId, Texts, Threads, TraceFacts,
};
use whyslow_stacks::{HalfRef, Key, NodeId, Root, StackWord, Stacks};

use crate::event::{Event, EventKind, Mapping, ProcessFacts, Snapshot, WaitTarget};
use crate::limits::Limits;
use crate::operations::Operations;
use whyslow_schedule::{NONE, Output, Recorded, Schedule};

/// What a recording holds, as far as the trackers must know beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recording {
    /// Context switches are recorded.
    pub switches: bool,
    /// Wake-ups are recorded.
    pub wake_ups: bool,
    /// No wake-up can be missing unnoticed: a thread that nothing woke was ready all the time.
    pub has_all_wake_ups: bool,
    /// All threads on all CPUs are recorded.
    pub whole_machine: bool,
    /// User halves of waits come later; waits are held back for them.
    pub late_user_halves: bool,
    /// Side-band records begin before the events that show which threads run. What threads did
    /// before the first of those events is unknown.
    pub late_events: bool,
    /// The first thread of a process has the process's id.
    pub pid_is_first_tid: bool,
    /// Everything that existed before is reported first: what first appears later began in between.
    pub told_first: bool,
}

/// The trackers of one trace.
#[derive(Debug)]
pub struct Importer<'s> {
    texts: Texts,
    stacks: Stacks,
    processes: Processes,
    threads: Threads,
    schedule: Schedule,
    /// Taken out while one of them handles an event.
    operations: Option<Box<Operations>>,
    mappings: Mappings,
    affinities: Vec<Affinity>,
    groups: Groups,
    objects: Objects,
    files: Files,
    labels: Labels,
    /// The first thread that was known of each process.
    some_threads: FastMap<u32, u32>,
    problems: Problems,
    out: Output<'s>,
    limits: Limits,
    start_ns: Option<i64>,
    end_ns: i64,
    has_rundown: bool,
    told_first: bool,
    pid_is_first_tid: bool,
    /// When the first event showed which threads run; nothing is known before that. `None` until
    /// then.
    events_ns: Option<i64>,
    idle_process: Option<u32>,
    /// Processes that were listed before their parents, with the parents' ids.
    orphans: Vec<(u32, u32)>,
    counts: Counts,
}

/// What the importer counts on the way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) events: u64,
    pub(crate) lost_events: u64,
    pub(crate) missing_starts: u64,
    pub(crate) missing_start_ns: Option<i64>,
    pub(crate) homeless_samples: u64,
    pub(crate) nameless: u64,
    pub(crate) affinities_refused: u64,
}

impl<'s> Importer<'s> {
    /// Returns an importer that pushes its rows into `sink`.
    pub fn new(recording: Recording, limits: Limits, sink: &'s mut dyn RowSink) -> Self {
        let recorded = Recorded {
            switches: recording.switches,
            wake_ups: recording.wake_ups,
            all_wake_ups: recording.wake_ups && recording.has_all_wake_ups,
            whole_machine: recording.whole_machine,
            late_halves: recording.late_user_halves,
        };
        let mut out = Output::new(sink);
        out.has_states = recording.switches;
        Self {
            texts: Texts::new(limits.text_bytes),
            stacks: Stacks::new(limits.stack_nodes, limits.stack_handles),
            processes: Processes::new(limits.processes),
            threads: Threads::new(limits.threads),
            schedule: Schedule::new(recorded),
            operations: Some(Box::new(Operations::new(&limits))),
            mappings: Mappings::new(limits.modules, limits.mappings),
            affinities: Vec::new(),
            groups: Groups::default(),
            objects: Objects::default(),
            files: Files::new(limits.files),
            labels: Labels::new(limits.labels),
            some_threads: FastMap::default(),
            problems: Problems::default(),
            out,
            limits,
            start_ns: None,
            end_ns: i64::MIN,
            has_rundown: false,
            told_first: recording.told_first,
            pid_is_first_tid: recording.pid_is_first_tid,
            events_ns: (!(recording.late_events && recording.switches)).then_some(i64::MIN),
            idle_process: None,
            orphans: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Returns the id of a text, or `None` at the limit.
    pub fn text(&mut self, text: &str) -> Option<TextId> {
        self.texts.intern(text)
    }

    /// Returns the number of something that threads wait for, or `None` at the limit.
    pub fn wait_object(&mut self, row: WaitObjectRow) -> Option<u32> {
        self.objects.intern(row)
    }

    fn wait_target(&mut self, target: &WaitTarget) {
        if let Some(slot) = self.threads.slot(target.tid) {
            self.schedule.wait_target(slot, target);
        }
    }

    /// Sets which file a number means from now on.
    pub fn name_file(&mut self, number: u64, path: &str, file: impl FnOnce(TextId) -> File) {
        self.files.name(number, path, file, &mut self.texts);
    }

    /// Returns the file with a path, or what represents it beyond the limit.
    pub fn file(&mut self, path: &str) -> Option<FileId> {
        let row = self.files.add(path, File::of_name, &mut self.texts)?;
        i32::try_from(row).ok().map(FileId)
    }

    /// Notes that there is such a file, not only its name.
    pub fn file_exists(&mut self, file: FileId) {
        if let Ok(row) = u32::try_from(file.0) {
            self.files.set_opened(row, 0);
        }
    }

    /// Returns a new file whose path is not known yet.
    pub fn unnamed_file(&mut self) -> Option<FileId> {
        let text = self.texts.intern(UNNAMED_FILE)?;
        let row = self.files.add_unnamed(text)?;
        i32::try_from(row).ok().map(FileId)
    }

    /// Gives a file its path, which became known late.
    pub fn set_file_path(&mut self, file: FileId, path: &str) {
        if let (Ok(row), Some(path)) = (u32::try_from(file.0), self.texts.intern(path)) {
            self.files.set_path(row, path);
        }
    }

    /// Returns the number of a text that rows refer to, or `None` at a limit.
    pub fn label(&mut self, text: &str) -> Option<LabelId> {
        let text = self.texts.intern(text)?;
        let number = self.labels.number(text)?;
        i32::try_from(number).ok().map(LabelId)
    }

    /// Gives a label another text, which became known late.
    pub fn set_label(&mut self, label: LabelId, text: &str) {
        if let (Ok(number), Some(text)) = (u32::try_from(label.0), self.texts.intern(text)) {
            self.labels.set(number, text);
        }
    }

    /// Returns the id of a module, or `None` at the limit.
    pub fn module(&mut self, module: Module) -> Option<ModuleId> {
        self.mappings.module(module)
    }

    /// Returns the stack half whose frames are `frames`, the leaf first; absent at the limit.
    pub fn half(&mut self, root: Root, frames: &[u64]) -> HalfRef {
        HalfRef::of(self.stack_node(root, frames))
    }

    /// Returns the node of the stack half whose frames are `frames`, or `None` at the limit.
    pub fn stack_node(&mut self, root: Root, frames: &[u64]) -> Option<NodeId> {
        self.stacks.tree.intern(root, frames)
    }

    /// Returns whether an event with a time was taken.
    pub fn has_begun(&self) -> bool {
        self.start_ns.is_some()
    }

    /// Extends the trace to `ns` at least; without this it ends with its last event.
    pub fn extend(&mut self, ns: i64) {
        self.end_ns = self.end_ns.max(ns);
    }

    /// Returns how many threads were added without a name.
    pub fn nameless_births(&self) -> u64 {
        self.counts.nameless
    }

    /// Names the newest process with a process id, if it has no name yet.
    pub fn suggest_process_name(&mut self, pid: u32, name: &str) {
        let name = self.texts.intern(name);
        let number = self.processes.latest(pid);
        if let Some(process) = number.and_then(|number| self.processes.get_mut(number)) {
            process.name = process.name.or(name);
        }
    }

    /// Sets the executable's path of the process that has a process id at a time, if it has none
    /// yet.
    pub fn suggest_path(&mut self, pid: u32, ns: Option<i64>, path: TextId) {
        let number = self.processes.at(pid, ns);
        if let Some(process) = number.and_then(|number| self.processes.get_mut(number)) {
            process.path.get_or_insert(path);
        }
    }

    /// Sets the services that the newest process with a process id runs.
    pub fn set_services(&mut self, pid: u32, services: &str) {
        let services = self.texts.intern(services);
        let number = self.processes.latest(pid);
        if let Some(process) = number.and_then(|number| self.processes.get_mut(number)) {
            process.services = services;
        }
    }

    /// Returns whether the thread is known to be on the CPU.
    pub fn is_running(&self, cpu: u32, tid: u32) -> bool {
        let runner = self.schedule.runner(cpu);
        runner.is_some_and(|slot| self.schedule.live(slot).os_tid == tid)
    }

    /// Returns a module, to add facts that become known late; the fields it is looked up by must
    /// not change.
    pub fn module_mut(&mut self, id: ModuleId) -> Option<&mut Module> {
        let at = usize::try_from(id.0).ok()?;
        self.mappings.modules.get_mut(at)
    }

    /// Returns whether a path is that of a Windows program.
    pub fn is_path_of_program(&self, path: TextId) -> bool {
        let path = self.texts.get(path);
        let ending = path.len().checked_sub(4).and_then(|at| path.get(at..));
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".exe"))
    }

    /// Returns path and command line of each process that has both.
    pub fn commands(&self) -> impl Iterator<Item = (&str, &str)> {
        let processes = self.processes.all.iter();
        let both = processes.filter_map(|process| Some((process.path?, process.command_line?)));
        both.map(|(path, line)| (self.texts.get(path), self.texts.get(line)))
    }

    /// Renames the paths of modules and processes for which `rename` returns a new one.
    pub fn rename_paths(&mut self, rename: &mut dyn FnMut(&str) -> Option<String>) {
        let modules = self
            .mappings
            .modules
            .iter_mut()
            .map(|module| &mut module.path);
        let processes = self.processes.all.iter_mut();
        let processes = processes.filter_map(|process| process.path.as_mut());
        for path in modules.chain(processes).chain(self.files.paths()) {
            let new = rename(self.texts.get(*path));
            *path = new.and_then(|new| self.texts.intern(&new)).unwrap_or(*path);
        }
    }

    /// Counts losses whose time is unknown.
    pub fn lost_unseen(&mut self, count: u64, detail: impl FnOnce() -> String) {
        self.counts.lost_events = self.counts.lost_events.saturating_add(count);
        let kind = whyslow_model::ProblemKind::LostEvents;
        self.problems.add_many(kind, count, None, None, detail);
    }

    /// Sets build ids by path, for the modules that lack one.
    pub fn suggest_build_ids<'a>(&mut self, ids: impl Iterator<Item = (&'a str, &'a [u8])>) {
        let known = ids.filter_map(|(path, id)| Some((self.texts.find(path)?, id)));
        let by_path: HashMap<TextId, &[u8]> = known.collect();
        for module in &mut self.mappings.modules {
            if let Some(id) = by_path
                .get(&module.path)
                .filter(|_| module.build_id.is_none())
            {
                module.build_id = self.texts.intern(&hex(id));
            }
        }
    }

    /// Returns whether a living thread has no name yet.
    pub fn lacks_name(&self, tid: u32) -> bool {
        let slot = self.threads.slot(tid);
        let thread = slot.map(|slot| self.schedule.live(slot).thread);
        thread
            .and_then(|number| self.threads.get(number))
            .is_some_and(|thread| thread.name.is_none())
    }

    /// Names a living thread that has no name yet.
    pub fn suggest_name(&mut self, tid: u32, name: &str) {
        let Some(slot) = self.threads.slot(tid) else {
            return;
        };
        let name = self.texts.intern(name);
        if let Some(thread) = self.threads.get_mut(self.schedule.live(slot).thread) {
            thread.name = thread.name.or(name);
        }
    }

    /// Returns the problems so far, for the frontend to add its own.
    pub fn problems(&mut self) -> &mut Problems {
        &mut self.problems
    }

    /// Takes one event. Events must come in time order; one that does not is left out and counted.
    ///
    /// # Errors
    /// When the sink cannot take a row.
    pub fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.counts.events += 1;
        let mut event = *event;
        if let Some(ns) = event.time_ns {
            self.begin(ns);
            self.end_ns = self.end_ns.max(ns);
            // The trace starts at its first event; an event with an older time is a little late.
            event.time_ns = event.time_ns.max(self.start_ns);
        }
        let event = &event;
        if let (None, Some(ns), true) = (self.events_ns, event.time_ns, event.kind.is_scheduling())
        {
            self.events_ns = Some(ns);
            self.schedule.known_from(ns, &mut self.out);
        }
        match event.kind {
            EventKind::Switch(switch) => self.switch(event, &switch),
            EventKind::Waking(waking) => self.waking(event, &waking, false),
            EventKind::FirstWaking(waking) => self.waking(event, &waking, true),
            EventKind::Queued { tid } => self.queued(event, tid),
            EventKind::Sample(sample) => self.sample(event, &sample),
            EventKind::Operation(operation) => self.operation(event, &operation),
            EventKind::OnCpu { tid } => self.on_cpu(event, tid),
            EventKind::Lost { count, since_ns } => self.lost(event, count, since_ns),
            EventKind::UserHalf(half) => self.user_half(&half),
            EventKind::StackDefinition { key, half } => {
                let half = self.stacks.half(half);
                self.stacks.keys.define(Key::Named(key), half);
            }
            EventKind::Fork {
                parent_pid,
                pid,
                tid,
            } => self.fork(event, parent_pid, pid, tid),
            EventKind::ProcessStart { parent_pid, pid } => {
                self.process_start(event, parent_pid, pid);
            }
            EventKind::ProcessEnd { pid } => self.process_end(event, pid),
            EventKind::ThreadStart { pid, tid } => self.thread_start(event, pid, tid),
            EventKind::Exec { pid, old_tid, name } => self.exec(event, pid, old_tid, name),
            EventKind::Exit { tid, .. } => self.exit(event, tid),
            EventKind::Rename { pid, tid, name } => self.rename(event, pid, tid, name),
            EventKind::Process(facts) => self.facts(event, &facts),
            EventKind::ThreadSeen { pid, tid, name } => self.thread_seen(pid, tid, name),
            EventKind::Snapshot(snapshot) => self.snapshot(&snapshot),
            EventKind::Affinity { pid, tid, cpus } => self.affinity(event, pid, tid, cpus),
            EventKind::WaitTarget(target) => self.wait_target(&target),
            EventKind::GroupMember { pid, group } => self.group_member(event, pid, group),
            EventKind::Mapping(mapping) => self.mapping(event, &mapping),
            EventKind::Unmapping { pid, base } => self.unmapping(event, pid, base),
        }
        if let Some(ns) = event.time_ns {
            self.schedule.tick(ns, event.cpu);
        }
        self.out.check()
    }

    /// Ends the trace: closes what is open, and returns what settles the rows that were pushed.
    ///
    /// # Errors
    /// When the sink cannot take a row.
    pub fn finish(mut self, facts: TraceFacts) -> Result<Settled, SinkError> {
        let end = self.end_ns.max(self.start_ns.unwrap_or(0));
        self.begin(end);
        self.end_operations(end);
        let mut ended = Vec::new();
        self.schedule.finish(end, &mut self.out, &mut |thread, ns| {
            ended.push((thread, ns));
        });
        for (thread, ns) in ended {
            self.thread_ended(thread, ns);
        }
        self.out.check()?;
        for process in &mut self.processes.all {
            process.end_ns = process.end_ns.or(process.exit_ns);
        }
        self.adopt();
        if !self.out.has_states {
            self.start_threads_with_processes();
        }
        self.count_problems();
        let start = self.start_ns.unwrap_or(end);
        Ok(Settled::new(whyslow_settle::Parts {
            texts: self.texts,
            stacks: self.stacks,
            processes: self.processes.all,
            threads: self.threads.all,
            mappings: self.mappings,
            affinities: self.affinities,
            groups: self.groups,
            objects: self.objects,
            files: self.files,
            labels: self.labels,
            problems: self.problems,
            facts,
            start_ns: start,
            end_ns: end,
            final_nodes: self.limits.final_nodes,
            events: self.counts.events,
            lost_events: self.counts.lost_events,
            rows: self.out.rows,
            unknown_ns: self.out.unknown_ns,
            covered_ns: self.out.covered_ns,
            pid_is_first_tid: self.pid_is_first_tid,
        }))
    }

    /// Starts the trace at `ns` if no event has started it yet; otherwise the first event with a
    /// time does.
    pub fn begin(&mut self, ns: i64) {
        if self.start_ns.is_none() {
            self.start_ns = Some(ns);
            self.schedule.begin(ns);
        }
    }

    fn lost(&mut self, event: &Event, count: u64, since_ns: Option<i64>) {
        use whyslow_model::ProblemKind::LostEvents;
        self.counts.lost_events = self.counts.lost_events.saturating_add(count);
        self.problems
            .add_many(LostEvents, count, None, event.time_ns, || match event.cpu {
                Some(cpu) => format!("{count} events of CPU {cpu} at first"),
                None => format!("{count} events at first"),
            });
        if let Some(operations) = &mut self.operations {
            operations.loss();
        }
        let now = event.time_ns.unwrap_or(self.end_ns);
        if self.start_ns.is_some() {
            self.schedule
                .lose(event.cpu.unwrap_or(NONE), since_ns, now, &mut self.out);
        }
    }

    fn facts(&mut self, event: &Event, facts: &ProcessFacts) {
        let number = match self.processes.at(facts.pid, event.time_ns) {
            Some(number) => Some(number),
            None => self.process_of(facts.pid, None),
        };
        let parent = facts
            .ppid
            .filter(|_| !facts.is_parent_gone)
            .and_then(|ppid| self.processes.at(ppid, event.time_ns));
        let start = self.start_ns;
        let Some(process) = number.and_then(|number| self.processes.get_mut(number)) else {
            return;
        };
        process.name = facts.name.or(process.name);
        process.path = facts.path.or(process.path);
        process.command_line = facts.command_line.or(process.command_line);
        process.user = facts.user.or(process.user);
        process.session = facts.session.or(process.session);
        process.exit_code = facts.exit_code.or(process.exit_code);
        process.exit_signal = facts.exit_signal.or(process.exit_signal);
        process.is_kernel = facts.is_kernel.unwrap_or(process.is_kernel);
        if event.time_ns.is_none() && process.os_ppid.is_none() && parent.is_none() {
            let ppid = facts.ppid.filter(|_| !facts.is_parent_gone);
            self.orphans.extend(number.zip(ppid));
        }
        process.os_ppid = process.os_ppid.or(facts.ppid);
        if process.parent == NONE && parent != number {
            process.parent = parent.unwrap_or(NONE);
        }
        if let (Some(told), Some(start)) = (facts.start_ns, start) {
            process.starts_at(told, start);
        }
    }

    fn mapping(&mut self, event: &Event, mapping: &Mapping) {
        let at = mapping.from_ns.or(event.time_ns);
        let process = match mapping.pid {
            None => NONE,
            Some(pid) => {
                let known = self.processes.at(pid, at);
                let Some(number) = known.or_else(|| self.process_of(pid, event.time_ns)) else {
                    return;
                };
                number
            }
        };
        self.mappings.add(Mapped {
            process,
            module: mapping.module,
            base: mapping.base,
            size_bytes: mapping.size_bytes,
            file_offset: mapping.file_offset,
            from_ns: mapping.from_ns.unwrap_or(whyslow_model::NULL_I64),
            to_ns: mapping.to_ns.unwrap_or(whyslow_model::NULL_I64),
            function: mapping.function,
        });
    }

    fn unmapping(&mut self, event: &Event, pid: Option<u32>, base: u64) {
        let process = pid.map(|pid| self.processes.at(pid, event.time_ns));
        if let (Some(process), Some(ns)) = (process.unwrap_or(Some(NONE)), event.time_ns) {
            self.mappings.unmap(process, base, ns);
        }
    }

    /// Starts each thread whose start was not recorded when its process started.
    fn start_threads_with_processes(&mut self) {
        for thread in &mut self.threads.all {
            let process = self.processes.get(thread.process);
            let start = process.and_then(|process| process.start_ns);
            let start = start.filter(|&start| thread.end_ns.is_none_or(|end| start <= end));
            thread.start_ns = thread.start_ns.or(start);
        }
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.thread_seen(snapshot.pid, snapshot.tid, None);
        let Some(slot) = self.threads.slot(snapshot.tid) else {
            return;
        };
        let stack: StackWord = self.stacks.word(snapshot.stack);
        self.schedule.snapshot(slot, snapshot, stack);
    }
}

/// The path of files whose path never became known.
const UNNAMED_FILE: &str = "[unnamed]";

/// Returns bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
