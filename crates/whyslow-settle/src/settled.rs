//! What provisional values become once the whole trace has been read.
//!
//! Rows carry numbers in the order of first sight, and raw stacks. [`Settled`] orders processes and
//! threads, looks up which module an address was in, joins the halves of stacks, and shares what is
//! the same in several processes. It works row by row while the sink merges its runs, so stacks and
//! addresses are numbered by their first use in the final order: the same trace gives the same
//! numbers, in whatever order its rows came in.

mod addresses;
mod columns;
mod facts;
mod final_stacks;
mod groups;
mod memo;
mod order;
mod tables;
mod views;

use whyslow_model::tables::ThreadStateRow;
use whyslow_model::{
    Capabilities, NULL_I64, Named, Number, OwnerRef, Problem, ProblemKind, Problems, ProcessId,
    RawRow, RawTable, Settle, StackId, ThreadId, ThreadState,
};

use crate::NONE;
use crate::files::File;
use crate::groups::Groups;
use crate::mappings::Mappings;
use crate::objects::Objects;
use crate::processes::Process;
use crate::text::Texts;
use crate::threads::Affinity;
use crate::threads::Thread;
use columns::Way;
pub use facts::TraceFacts;
pub use final_stacks::FINAL_NODE_BYTES;
use final_stacks::{Base, FinalStacks};
use memo::Memo;
use order::Order;
use views::Views;
use whyslow_stacks::{HalfWord, StackWord, Stacks};

/// Everything the trackers leave behind.
pub struct Parts {
    /// Names, paths, command lines.
    pub texts: Texts,
    /// Stacks as addresses.
    pub stacks: Stacks,
    /// Processes, by their numbers.
    pub processes: Vec<Process>,
    /// Threads, by their numbers.
    pub threads: Vec<Thread>,
    /// Modules, and where they were mapped.
    pub mappings: Mappings,
    /// Which CPUs threads may use.
    pub affinities: Vec<Affinity>,
    /// Groups of processes.
    pub groups: Groups,
    /// What threads waited for.
    pub objects: Objects,
    /// The files that calls used.
    pub files: crate::files::Files,
    /// The texts that rows refer to.
    pub labels: crate::labels::Labels,
    /// The problems seen.
    pub problems: Problems,
    /// What the source says about the trace as a whole.
    pub facts: TraceFacts,
    /// The clock's reading at the start of the trace.
    pub start_ns: i64,
    /// … and at its end.
    pub end_ns: i64,
    /// Maximum number of nodes of the final tree of stacks.
    pub final_nodes: u32,
    /// Events that went through the trackers.
    pub events: u64,
    /// Events the recorder lost.
    pub lost_events: u64,
    /// Rows pushed, by [`RawTable::index`].
    pub rows: [u64; RawTable::COUNT],
    /// Time in state `unknown`, over all threads.
    pub unknown_ns: i64,
    /// Time in any state, over all threads.
    pub covered_ns: i64,
    /// The first thread of a process has its id.
    pub pid_is_first_tid: bool,
}

/// Figures of an import, for a report to a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events that went through the trackers.
    pub events: u64,
    /// Events the recorder lost.
    pub lost_events: u64,
    /// Rows of each table of events, by [`RawTable::index`].
    pub rows: [u64; RawTable::COUNT],
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

impl Summary {
    /// Returns the rows of a table of events.
    pub fn rows_of(&self, table: RawTable) -> u64 {
        self.rows[table.index()]
    }
}

/// Settles the rows of one trace, then returns its tables of facts.
#[derive(Debug)]
pub struct Settled {
    texts: Texts,
    stacks: Stacks,
    processes: Vec<Process>,
    threads: Vec<Thread>,
    affinities: Vec<Affinity>,
    groups: Groups,
    objects: Objects,
    files: Vec<File>,
    labels: Vec<crate::text::TextId>,
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
    /// Returns what settles the rows of a trace.
    pub fn new(mut parts: Parts) -> Self {
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
            rows: parts.rows,
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
            groups: parts.groups,
            objects: parts.objects,
            files: parts.files.all,
            labels: parts.labels.all,
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

    /// Returns the problems seen so far.
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

    fn settle(&mut self, table: RawTable, owner: OwnerRef, cells: &mut [i64]) {
        let at_ns = cells.first().copied().unwrap_or(NULL_I64);
        let (process, thread) = self.ids(owner);
        let wake = match table {
            RawTable::ThreadState => Some(self.wake(owner, at_ns, &RawRow::over(&*cells))),
            _ => None,
        };
        for (cell, way) in cells.iter_mut().zip(columns::ways(table)) {
            *cell = match way {
                Way::Final => continue,
                Way::Time => self.ns(*cell),
                Way::Process { none } => process.map_or(*none, Number::to_raw),
                Way::Thread { none } => thread.map_or(*none, Number::to_raw),
                Way::OtherThread => {
                    let number = u32::try_from(*cell).unwrap_or(NONE);
                    self.order.thread_id(number).to_raw()
                }
                Way::Stack => self.stack(*cell, number(owner), at_ns).to_raw(),
            };
        }
        if let Some((stack, waker, wake_ns)) = wake {
            let stack = self.stack(stack, number(waker), wake_ns);
            RawRow::over(cells).set(ThreadStateRow::waker_stack, stack);
        }
    }
}

impl Settled {
    /// Returns the stack of a thread's waker, which thread that was, and when.
    fn wake(
        &mut self,
        owner: OwnerRef,
        at_ns: i64,
        row: &RawRow<ThreadStateRow, &[i64]>,
    ) -> (i64, OwnerRef, i64) {
        let is_wait = row.get(ThreadStateRow::state) == ThreadState::Waiting.code();
        let stack = row.provisional(ThreadStateRow::stack);
        if is_wait && self.has_no_user_half(stack, number(owner)) {
            self.halfless_waits += 1;
        }
        let waited = row.get(ThreadStateRow::duration_ns);
        let wake_ns = at_ns.saturating_add(if is_wait { waited } else { 0 });
        let waker = row.provisional(ThreadStateRow::waker_thread);
        let waker = OwnerRef(u32::try_from(waker).unwrap_or(NONE));
        (row.provisional(ThreadStateRow::waker_stack), waker, wake_ns)
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
