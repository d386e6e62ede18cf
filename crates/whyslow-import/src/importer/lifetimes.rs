//! Which lifetime an id means: births, execs, ends, and what is known only because it was seen.

use whyslow_model::{FastMap, ProblemKind as P, WaitReason};
use whyslow_settle::{Process, TextId, Thread};
use whyslow_stacks::{HalfWord, Key};

use super::Importer;
use super::running::Sight;
use crate::event::Event;
use whyslow_schedule::{At, Live, NONE, Off, Slot};

impl Importer<'_> {
    pub(super) fn fork(&mut self, event: &Event, parent_pid: u32, pid: u32, tid: u32) {
        let Some(ns) = event.time_ns else {
            self.seen_process(pid, Some(parent_pid));
            self.thread_seen(pid, tid, None);
            return;
        };
        let parent = self.processes.living(parent_pid).or_else(|| {
            let start = self.default_start(ns);
            self.process_of(parent_pid, start)
        });
        let mut process = Process::new(pid, Some(ns));
        process.os_ppid = Some(parent_pid);
        if let Some((number, entry)) =
            parent.and_then(|number| Some((number, *self.processes.get(number)?)))
        {
            process = entry.child(number, pid, ns);
        }
        self.vanish(tid, ns);
        if let Some(old) = self.processes.living(pid) {
            self.process_ended(old, ns);
        }
        if let Some(number) = self.processes.add(process) {
            self.newborn(tid, number, ns, process.name);
            self.inherit(event, parent_pid, tid);
        }
    }

    pub(super) fn process_start(&mut self, event: &Event, parent_pid: Option<u32>, pid: u32) {
        let Some(ns) = event.time_ns else {
            self.seen_process(pid, parent_pid);
            return;
        };
        let start = self.default_start(ns);
        let parent = parent_pid.and_then(|parent| self.process_of(parent, start));
        if let Some(old) = self.processes.living(pid) {
            self.process_ended(old, ns);
        }
        self.processes.add(Process {
            parent: parent.unwrap_or(NONE),
            os_ppid: parent_pid,
            ..Process::new(pid, Some(ns))
        });
    }

    /// Marks a process as ending. Its threads end one by one; it ends with the last of them.
    pub(super) fn process_end(&mut self, event: &Event, pid: u32) {
        let number = self.processes.living(pid);
        let Some(process) = number.and_then(|number| self.processes.get_mut(number)) else {
            return;
        };
        process.exit_ns = event.time_ns;
        if let (Some(number), Some(ns), 0) = (number, event.time_ns, process.threads) {
            self.process_ended(number, ns);
        }
    }

    pub(super) fn thread_start(&mut self, event: &Event, pid: u32, tid: u32) {
        let Some(ns) = event.time_ns else {
            self.thread_seen(pid, tid, None);
            return;
        };
        self.vanish(tid, ns);
        let start = self.default_start(ns);
        if let Some(number) = self.process_of(pid, start) {
            let name = self.processes.get(number).and_then(|process| process.name);
            self.newborn(tid, number, ns, name);
            self.inherit(event, pid, tid);
        }
    }

    pub(super) fn exec(
        &mut self,
        event: &Event,
        pid: u32,
        old_tid: Option<u32>,
        name: Option<TextId>,
    ) {
        let Some(ns) = event.time_ns else {
            return;
        };
        let cpu = event
            .cpu
            .filter(|&cpu| self.schedule.follows(cpu))
            .unwrap_or(NONE);
        let start = self.default_start(ns);
        let Some(old) = self.process_of(pid, start) else {
            return;
        };
        let old_tid = old_tid
            .or_else(|| self.exec_runner(cpu, old))
            .unwrap_or(pid);
        if old_tid != pid {
            self.vanish(pid, ns);
        }
        let at = At { ns, cpu };
        let Some(slot) = self.sighted(old_tid, Some(pid), at, Sight::Other) else {
            return;
        };
        let Some(mut next) = self
            .processes
            .get(old)
            .map(|process| process.successor(old, ns))
        else {
            return;
        };
        next.name = name.or(next.name);
        let at = At {
            ns: ns.max(self.schedule.live(slot).known_ns()),
            cpu,
        };
        let Some(number) = self.processes.add(next) else {
            return;
        };
        let before = self.schedule.live(slot).thread;
        let mut thread = Thread::new(pid, number, Some(at.ns));
        thread.name = next.name;
        let Some(after) = self.threads.add(thread) else {
            return;
        };
        self.some_threads.entry(number).or_insert(after);
        self.schedule.exec(at, slot, after, &mut self.out);
        self.keep_affinity(slot, at.ns);
        self.thread_ended(before, at.ns);
        self.process_ended(old, at.ns);
        if let Some(process) = self.processes.get_mut(number) {
            process.start_ns = Some(at.ns);
            process.threads = 1;
        }
        self.threads.forget(old_tid, slot);
        self.threads.name_slot(pid, slot);
        self.schedule.live_mut(slot).os_tid = pid;
    }

    pub(super) fn exit(&mut self, event: &Event, tid: u32) {
        let (Some(ns), Some(slot)) = (event.time_ns, self.threads.slot(tid)) else {
            return;
        };
        self.schedule.exit(slot, ns);
        if !self.schedule.recorded().switches {
            self.vanish(tid, ns);
        }
    }

    pub(super) fn rename(&mut self, event: &Event, pid: u32, tid: u32, name: TextId) {
        let at = At {
            ns: event.time_ns.unwrap_or(i64::MIN),
            cpu: NONE,
        };
        let slot = match event.time_ns {
            None => {
                self.thread_seen(pid, tid, Some(name));
                return;
            }
            Some(_) => self.sighted(tid, Some(pid), at, Sight::Other),
        };
        let Some(slot) = slot else {
            return;
        };
        let number = self.schedule.live(slot).thread;
        self.name_thread(number, pid == tid, name);
    }

    pub(super) fn thread_seen(&mut self, pid: u32, tid: u32, name: Option<TextId>) {
        self.has_rundown = self.told_first;
        if tid == 0 {
            return;
        }
        let number = match self.threads.slot(tid) {
            Some(slot) => {
                self.settle_process(slot, pid);
                self.schedule.live(slot).thread
            }
            None => {
                let Some(process) = self.process_of(pid, None) else {
                    return;
                };
                let Some(number) = self.add_thread(Thread::new(tid, process, None)) else {
                    return;
                };
                let since = self.start_ns.unwrap_or(i64::MIN);
                self.enlist(Live::new(number, tid, since, true));
                number
            }
        };
        if let Some(name) = name {
            self.name_thread(number, pid == tid, name);
        }
    }

    /// Returns the living process with this id; one not known yet began at `start`.
    pub(super) fn process_of(&mut self, pid: u32, start: Option<i64>) -> Option<u32> {
        self.processes
            .living(pid)
            .or_else(|| self.processes.add(Process::new(pid, start)))
    }

    /// Returns the living thread that `tid` means at `at`, adding it if it is new.
    pub(super) fn sighted(
        &mut self,
        tid: u32,
        pid: Option<u32>,
        at: At,
        sight: Sight,
    ) -> Option<Slot> {
        if tid == 0 || tid == NONE {
            return if tid == 0 { self.idle(at) } else { None };
        }
        if let Some(slot) = self.threads.slot(tid) {
            if let Some(pid) = pid {
                self.settle_process(slot, pid);
            }
            return Some(slot);
        }
        let was_here = match sight {
            Sight::Leaving(cpu) => self.schedule.is_untouched(cpu) && !self.schedule.has_loss(),
            Sight::Other => false,
        };
        let start = self.default_start(at.ns).filter(|_| !was_here);
        if start.is_some() {
            self.counts.missing_starts += 1;
            self.counts.missing_start_ns.get_or_insert(at.ns);
        }
        let process = match pid {
            Some(pid) => self.process_of(pid, start)?,
            None => NONE,
        };
        let number = self.add_thread(Thread::new(tid, process, start))?;
        let since = start.or(self.start_ns).unwrap_or(at.ns);
        Some(self.enlist(Live::new(number, tid, since, start.is_none())))
    }

    /// Adds a thread whose first wake-up is the only sign of its birth.
    pub(super) fn born(&mut self, tid: u32, ns: i64) -> Option<Slot> {
        self.counts.missing_starts += 1;
        self.counts.missing_start_ns.get_or_insert(ns);
        let number = self.add_thread(Thread::new(tid, NONE, Some(ns)))?;
        Some(self.enlist(Live::newborn(number, tid, ns)))
    }

    /// The thread in `slot` left its CPU for good.
    pub(super) fn died(&mut self, slot: Slot) {
        let live = self.schedule.live(slot);
        let (number, tid, ns) = (live.thread, live.os_tid, live.since_ns);
        self.threads.forget(tid, slot);
        self.schedule.forget(slot, &mut self.out);
        self.thread_ended(number, ns);
    }

    pub(super) fn thread_ended(&mut self, number: u32, ns: i64) {
        let Some(thread) = self.threads.get_mut(number) else {
            return;
        };
        thread.end_ns = Some(ns);
        let process = thread.process;
        self.stacks
            .keys
            .define(Key::Thread(thread.os_tid), HalfWord::ABSENT);
        if let Some(entry) = self.processes.get_mut(process) {
            entry.threads = entry.threads.saturating_sub(1);
            // If the recording is not complete, there may be threads that were never seen.
            if entry.threads == 0 && (self.told_first || entry.exit_ns.is_some()) {
                self.process_ended(process, ns);
            }
        }
    }

    pub(super) fn count_problems(&mut self) {
        let faults = self.schedule.faults;
        let counts = self.counts;
        let problems = &mut self.problems;
        let mut add = |kind, count, ns, detail: &str| {
            problems.add_many(kind, count, None, ns, || detail.to_owned());
        };
        let late = "events older than what was known of their threads were left out";
        add(P::LateEvents, faults.late, faults.late_ns, late);
        let broken = "a thread left or entered a CPU it was not known to be on or off";
        add(P::BrokenSchedule, faults.broken, faults.broken_ns, broken);
        let missing = "waits that ended without a wake-up";
        add(
            P::MissingWakeUp,
            faults.missing_wake_ups,
            faults.missing_wake_up_ns,
            missing,
        );
        let start = "threads whose start was not recorded";
        add(
            P::MissingStart,
            counts.missing_starts,
            counts.missing_start_ns,
            start,
        );
        add(
            P::BadRecord,
            counts.homeless_samples,
            None,
            "samples that belong to no known thread",
        );
        let stray = "user stacks that belong to no known wait";
        add(P::DroppedStacks, faults.stray_halves, None, stray);
        let mut limit = |count: u64, what: &str| add(P::LimitReached, count, None, what);
        limit(
            self.stacks.tree.refused(),
            "stacks left out: too many distinct ones",
        );
        limit(
            self.stacks.keys.refused(),
            "stacks left out: too many keys without definition",
        );
        limit(self.threads.refused, "events left out: too many threads");
        limit(self.processes.refused, "processes left out");
        limit(self.mappings.refused, "modules or mappings left out");
        limit(self.texts.refused(), "names or command lines left out");
        limit(
            self.files.others,
            "files listed only by their folder: too many to keep apart",
        );
        limit(
            self.labels.refused,
            "addresses or names of the network left out",
        );
        limit(
            self.schedule.refused_cpu_sets() + counts.affinities_refused,
            "sets of CPUs that threads may use left out",
        );
        limit(
            self.groups.refused,
            "groups of processes, their members or figures left out",
        );
        limit(self.objects.refused, "objects of waits left out");
    }

    fn seen_process(&mut self, pid: u32, ppid: Option<u32>) {
        let Some(number) = self.process_of(pid, None) else {
            return;
        };
        let parent = ppid
            .filter(|&ppid| ppid != pid)
            .and_then(|ppid| self.processes.living(ppid));
        if let Some(process) = self.processes.get_mut(number) {
            if process.os_ppid.is_none() && parent.is_none() {
                self.orphans.extend(ppid.map(|ppid| (number, ppid)));
            }
            process.os_ppid = process.os_ppid.or(ppid);
            if process.parent == NONE {
                process.parent = parent.unwrap_or(NONE);
            }
        }
    }

    /// Gives processes that were there before the recording their parents, if these were listed after them. An id may be
    /// used again, so only processes without a start count.
    pub(super) fn adopt(&mut self) {
        let numbers = (0..).zip(&self.processes.all);
        let before = numbers.filter(|(_, process)| process.start_ns.is_none());
        let before: FastMap<u32, u32> = before.map(|(number, one)| (one.os_pid, number)).collect();
        for (number, ppid) in std::mem::take(&mut self.orphans) {
            let parent = before.get(&ppid).filter(|&&parent| parent != number);
            let process = self.processes.get_mut(number);
            if let (Some(&parent), Some(process)) = (parent, process)
                && process.parent == NONE
                && process.start_ns.is_none()
            {
                process.parent = parent;
            }
        }
    }

    fn newborn(&mut self, tid: u32, process: u32, ns: i64, name: Option<TextId>) {
        if tid == 0 {
            return;
        }
        let mut thread = Thread::new(tid, process, Some(ns));
        thread.name = name;
        if let Some(number) = self.add_thread(thread) {
            self.enlist(Live::newborn(number, tid, ns));
        }
    }

    fn add_thread(&mut self, thread: Thread) -> Option<u32> {
        let number = self.threads.add(thread)?;
        if let Some(process) = self.processes.get_mut(thread.process) {
            process.threads += 1;
            self.some_threads.entry(thread.process).or_insert(number);
        }
        Some(number)
    }

    fn enlist(&mut self, live: Live) -> Slot {
        let tid = live.os_tid;
        let process = self
            .threads
            .get(live.thread)
            .map_or(NONE, |thread| thread.process);
        let is_kernel = self
            .processes
            .get(process)
            .is_some_and(|process| process.is_kernel);
        let has_name = self
            .threads
            .get(live.thread)
            .is_some_and(|thread| thread.name.is_some());
        self.counts.nameless += u64::from(!has_name);
        let slot = self.schedule.add(Live { is_kernel, ..live });
        self.threads.name_slot(tid, slot);
        if let Some(ns) = self.events_ns {
            self.schedule.slot_known_from(slot, ns, &mut self.out);
        }
        slot
    }

    fn idle(&mut self, at: At) -> Option<Slot> {
        if at.cpu == NONE || !self.schedule.follows(at.cpu) {
            return None;
        }
        if let Some(slot) = self.schedule.idle(at.cpu) {
            return Some(slot);
        }
        let process = match self.idle_process {
            Some(process) => process,
            None => {
                let name = self.texts.intern("idle");
                let idle = Process {
                    name,
                    is_kernel: true,
                    ..Process::new(0, None)
                };
                let number = self.processes.add(idle)?;
                self.idle_process = Some(number);
                number
            }
        };
        let name = self.texts.intern(&format!("idle/{}", at.cpu));
        let thread = Thread {
            name,
            idle_cpu: at.cpu,
            ..Thread::new(0, process, None)
        };
        let number = self.add_thread(thread)?;
        let since = self.start_ns.unwrap_or(at.ns);
        let mut live = Live {
            is_kernel: true,
            ..Live::new(number, 0, since, true)
        };
        live.off = Off::because(WaitReason::Idle);
        let slot = self.schedule.add(live);
        self.schedule.set_idle(at.cpu, slot);
        Some(slot)
    }

    /// Ends the thread that had this id: the id is used again.
    fn vanish(&mut self, tid: u32, ns: i64) {
        let Some(slot) = self.threads.slot(tid) else {
            return;
        };
        let number = self.schedule.live(slot).thread;
        self.threads.forget(tid, slot);
        let end = self.schedule.end(slot, ns, &mut self.out);
        self.thread_ended(number, end);
    }

    fn process_ended(&mut self, number: u32, ns: i64) {
        if let Some(process) = self.processes.get_mut(number) {
            process.end_ns.get_or_insert(ns);
        }
    }

    fn name_thread(&mut self, number: u32, is_main: bool, name: TextId) {
        let Some(thread) = self.threads.get_mut(number) else {
            return;
        };
        thread.name = Some(name);
        let process = thread.process;
        if let Some(process) = self.processes.get_mut(process).filter(|_| is_main) {
            process.name = Some(name);
        }
    }

    /// Sets the process of a thread, perhaps after the thread was seen.
    fn settle_process(&mut self, slot: Slot, pid: u32) {
        let number = self.schedule.live(slot).thread;
        let Some(thread) = self.threads.get(number).copied() else {
            return;
        };
        if thread.process != NONE {
            return;
        }
        let Some(process) = self.process_of(pid, thread.start_ns) else {
            return;
        };
        if let Some(thread) = self.threads.get_mut(number) {
            thread.process = process;
        }
        self.some_threads.entry(process).or_insert(number);
        if let Some(process) = self.processes.get_mut(process) {
            process.threads += 1;
            self.schedule.live_mut(slot).is_kernel = process.is_kernel;
        }
    }

    /// Returns when something first seen at `ns` began; `None` means before the trace.
    fn default_start(&self, ns: i64) -> Option<i64> {
        (self.has_rundown || self.schedule.has_loss()).then_some(ns)
    }

    /// Returns the thread of the process that runs on the CPU of its exec: this thread called it.
    fn exec_runner(&self, cpu: u32, process: u32) -> Option<u32> {
        let live = self.schedule.live(self.schedule.runner(cpu)?);
        let thread = self.threads.get(live.thread)?;
        (thread.process == process).then_some(live.os_tid)
    }
}
