//! What provisional values turn into once the whole trace was seen.
//!
//! Rows carry numbers by first sight and raw stacks. [`Settled`] orders processes and threads,
//! looks up which module an address was in, joins the halves of stacks and shares what is the same
//! in several processes. It works row by row while the sink merges its runs, so that stacks and
//! addresses are numbered by their first use in the final order: the same trace gives the same
//! numbers, however its rows came in.

mod addresses;
mod facts;
mod final_stacks;
mod memo;
mod order;
mod tables;
mod views;

use whyslow_model::tables::{CpuSampleRow, DiskIoRow, ThreadStateRow};
use whyslow_model::{
    Capabilities, NULL_I64, Named, OwnerRef, Problem, ProblemKind, Problems, ProcessId, RawRow,
    RawTable, Settle, StackId, ThreadId, ThreadState,
};

use crate::importer::Affinity;
use crate::mappings::Mappings;
use crate::processes::Process;
use crate::sched::NONE;
use crate::text::Texts;
use crate::threads::Thread;
pub use facts::TraceFacts;
pub(crate) use final_stacks::FINAL_NODE_BYTES;
use final_stacks::{Base, FinalStacks};
use memo::Memo;
use order::Order;
use views::Views;
use whyslow_stacks::{HalfWord, StackWord, Stacks};

/// Everything the trackers leave behind.
pub(crate) struct Parts {
    pub(crate) texts: Texts,
    pub(crate) stacks: Stacks,
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) mappings: Mappings,
    pub(crate) affinities: Vec<Affinity>,
    pub(crate) problems: Problems,
    pub(crate) facts: TraceFacts,
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) final_nodes: u32,
    pub(crate) events: u64,
    pub(crate) lost_events: u64,
    pub(crate) rows: [u64; RawTable::COUNT],
    pub(crate) unknown_ns: i64,
    pub(crate) covered_ns: i64,
    pub(crate) pid_is_first_tid: bool,
}

/// Figures of an import, for whoever tells a person about it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events that went through the trackers.
    pub events: u64,
    /// Events the recorder lost.
    pub lost_events: u64,
    /// Rows of the sample table.
    pub samples: u64,
    /// Rows of the thread-state table.
    pub states: u64,
    /// Rows of the disk table.
    pub disk_requests: u64,
    /// Time in state `unknown`, over all threads.
    pub unknown_ns: i64,
    /// Time in any state, over all threads.
    pub covered_ns: i64,
    /// Process rows.
    pub processes: usize,
    /// Threads.
    pub threads: usize,
    /// Length of the trace.
    pub duration_ns: i64,
}

/// Settles the rows of one trace, then gives its tables of facts.
#[derive(Debug)]
pub struct Settled {
    texts: Texts,
    stacks: Stacks,
    processes: Vec<Process>,
    threads: Vec<Thread>,
    affinities: Vec<Affinity>,
    order: Order,
    views: Views,
    finals: FinalStacks,
    memo: Memo,
    problems: Problems,
    facts: TraceFacts,
    start_ns: i64,
    end_ns: i64,
    summary: Summary,
    halfless_waits: u64,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

impl Settled {
    pub(crate) fn new(mut parts: Parts) -> Self {
        if parts.pid_is_first_tid {
            order::adopt_orphans(&mut parts.processes, &mut parts.threads);
        } else {
            let name = parts.texts.intern("[unknown]");
            order::house_orphans(&mut parts.processes, &mut parts.threads, name);
        }
        let order = Order::new(&parts.processes, &parts.threads);
        parts.stacks.tree.freeze();
        let finals = FinalStacks::new(parts.final_nodes);
        let summary = Summary {
            events: parts.events,
            lost_events: parts.lost_events,
            samples: parts.rows[RawTable::CpuSample.index()],
            states: parts.rows[RawTable::ThreadState.index()],
            disk_requests: parts.rows[RawTable::DiskIo.index()],
            unknown_ns: parts.unknown_ns,
            covered_ns: parts.covered_ns,
            processes: parts.processes.len(),
            threads: parts.threads.len(),
            duration_ns: parts.end_ns.saturating_sub(parts.start_ns),
        };
        Self {
            texts: parts.texts,
            stacks: parts.stacks,
            views: Views::new(parts.mappings, &parts.processes),
            processes: parts.processes,
            threads: parts.threads,
            affinities: parts.affinities,
            order,
            finals,
            memo: Memo::new(),
            problems: parts.problems,
            facts: parts.facts,
            start_ns: parts.start_ns,
            end_ns: parts.end_ns,
            summary,
            halfless_waits: 0,
        }
    }

    /// Returns the figures of the import.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Returns what the recording holds.
    pub fn capabilities(&self) -> &Capabilities {
        &self.facts.capabilities
    }

    /// Returns the trouble seen so far.
    pub fn problems(&self) -> impl Iterator<Item = (ProblemKind, &Problem)> {
        self.problems.iter()
    }

    /// Returns the clock's reading at the trace's start, and at its end.
    pub fn span_ns(&self) -> (i64, i64) {
        (self.start_ns, self.end_ns)
    }

    fn stack(&mut self, column: i64, thread: usize, at_ns: i64) -> Option<StackId> {
        if column == NULL_I64 {
            return None;
        }
        let process = self
            .threads
            .get(thread)
            .map_or(NONE, |thread| thread.process);
        if let Some(id) = self.memo.get(column, process) {
            return final_stack(id);
        }
        let word = StackWord::from_column(column);
        let kernel = self.stacks.resolve(word.kernel);
        let user = self.stacks.resolve(word.user);
        self.finals.begin();
        let base = match user.as_node() {
            Some(node) => {
                let view = self.views.view_of(process);
                self.finals
                    .user(&self.stacks.tree, &mut self.views, view, node, at_ns)
            }
            None if user == HalfWord::IMPOSSIBLE || self.is_kernel(process) => Base::KERNEL_ONLY,
            None => Base::NO_USER_HALF,
        };
        let last = match kernel.as_node() {
            Some(node) => self
                .finals
                .kernel(&self.stacks.tree, &mut self.views, base, node, at_ns),
            None => base,
        };
        let id = last.id();
        if let Some(id) = id.filter(|_| self.finals.is_lasting()) {
            self.memo.put(column, process, id);
        }
        id.and_then(final_stack)
    }

    fn is_kernel(&self, process: u32) -> bool {
        let process = usize::try_from(process)
            .ok()
            .and_then(|at| self.processes.get(at));
        process.is_some_and(|process| process.is_kernel)
    }

    fn has_no_user_half(&self, column: i64, thread: usize) -> bool {
        let word = StackWord::from_column(column);
        let process = self
            .threads
            .get(thread)
            .map_or(NONE, |thread| thread.process);
        column != NULL_I64 && self.stacks.resolve(word.user).is_absent() && !self.is_kernel(process)
    }
}

impl Settle for Settled {
    fn owners(&self) -> Vec<OwnerRef> {
        let threads = self.order.threads.iter().copied().map(OwnerRef);
        threads.chain([OwnerRef::NOBODY]).collect()
    }

    fn settle(&mut self, table: RawTable, owner: OwnerRef, row: &mut [i64]) {
        match table {
            RawTable::CpuSample => self.sample(owner, RawRow::over(row)),
            RawTable::ThreadState => self.state(owner, RawRow::over(row)),
            RawTable::DiskIo => self.disk_io(owner, RawRow::over(row)),
        }
    }
}

impl Settled {
    fn sample(&mut self, owner: OwnerRef, mut row: RawRow<CpuSampleRow, &mut [i64]>) {
        let at_ns = row.get(CpuSampleRow::time_ns);
        let (process, thread) = self.ids(owner);
        row.set(CpuSampleRow::time_ns, self.ns(at_ns));
        row.set(CpuSampleRow::process, process.unwrap_or(ProcessId(-1)));
        row.set(CpuSampleRow::thread, thread.unwrap_or(ThreadId(-1)));
        let stack = row.provisional(CpuSampleRow::stack);
        let stack = self.stack(stack, number(owner), at_ns);
        row.set(CpuSampleRow::stack, stack);
    }

    fn state(&mut self, owner: OwnerRef, mut row: RawRow<ThreadStateRow, &mut [i64]>) {
        let at_ns = row.get(ThreadStateRow::start_ns);
        let (process, thread) = self.ids(owner);
        row.set(ThreadStateRow::start_ns, self.ns(at_ns));
        row.set(ThreadStateRow::process, process.unwrap_or(ProcessId(-1)));
        row.set(ThreadStateRow::thread, thread.unwrap_or(ThreadId(-1)));
        let is_wait = row.get(ThreadStateRow::state) == ThreadState::Waiting.code();
        let stack = row.provisional(ThreadStateRow::stack);
        if is_wait && self.has_no_user_half(stack, number(owner)) {
            self.halfless_waits += 1;
        }
        let stack = self.stack(stack, number(owner), at_ns);
        row.set(ThreadStateRow::stack, stack);
        let wake_ns = if is_wait {
            at_ns.saturating_add(row.get(ThreadStateRow::duration_ns))
        } else {
            at_ns
        };
        let waker = row.provisional(ThreadStateRow::waker_thread);
        let waker = u32::try_from(waker).unwrap_or(NONE);
        let stack = row.provisional(ThreadStateRow::waker_stack);
        let stack = self.stack(stack, number(OwnerRef(waker)), wake_ns);
        row.set(ThreadStateRow::waker_stack, stack);
        if waker != NONE {
            let waker = self.order.thread_id(waker);
            row.set(ThreadStateRow::waker_thread, waker);
        }
    }

    fn disk_io(&mut self, owner: OwnerRef, mut row: RawRow<DiskIoRow, &mut [i64]>) {
        let (process, thread) = self.ids(owner);
        let issue_ns = self.ns(row.get(DiskIoRow::issue_ns));
        row.set(DiskIoRow::issue_ns, issue_ns);
        row.set(DiskIoRow::process, process);
        row.set(DiskIoRow::thread, thread);
    }

    /// Returns a time since the trace's start.
    fn ns(&self, ns: i64) -> i64 {
        ns.saturating_sub(self.start_ns)
    }

    /// Returns the ids of an owner of rows and of its process.
    fn ids(&self, owner: OwnerRef) -> (Option<ProcessId>, Option<ThreadId>) {
        let thread = self.threads.get(number(owner));
        let process = thread.and_then(|thread| self.order.process_id(thread.process));
        (process, self.order.thread_id(owner.0))
    }
}

/// Returns the id of a final stack.
fn final_stack(number: u32) -> Option<StackId> {
    i32::try_from(number).ok().map(StackId)
}

fn number(owner: OwnerRef) -> usize {
    usize::try_from(owner.0).unwrap_or(usize::MAX)
}
