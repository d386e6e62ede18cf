//! The final order and numbers of processes and threads.

use std::collections::HashMap;

use whyslow_model::{ProcessId, ThreadId};

use crate::NONE;
use crate::processes::Process;
use crate::text::TextId;
use crate::threads::Thread;

/// The final number for each provisional one.
#[derive(Debug)]
pub(super) struct Order {
    /// Provisional numbers of processes, in the final order.
    pub(super) processes: Vec<u32>,
    /// Provisional numbers of threads, in the final order.
    pub(super) threads: Vec<u32>,
    process_ids: Vec<ProcessId>,
    thread_ids: Vec<ThreadId>,
}

impl Order {
    /// Orders processes by start, OS id and first appearance; threads by process, start and OS id.
    pub(super) fn new(processes: &[Process], threads: &[Thread]) -> Self {
        let numbers = |len: usize| (0..u32::try_from(len).unwrap_or(u32::MAX)).collect::<Vec<_>>();
        let mut process_order = numbers(processes.len());
        process_order.sort_by_key(|&number| {
            let process = &processes[at(number)];
            (process.start_ns, process.os_pid, number)
        });
        let process_ids = inverse(&process_order, ProcessId::all());
        let mut thread_order = numbers(threads.len());
        thread_order.sort_by_key(|&number| {
            let thread = &threads[at(number)];
            let process = process_ids
                .get(at(thread.process))
                .copied()
                .unwrap_or(ProcessId(i32::MAX));
            (
                process,
                thread.start_ns,
                thread.os_tid,
                thread.idle_cpu,
                number,
            )
        });
        let thread_ids = inverse(&thread_order, ThreadId::all());
        Self {
            processes: process_order,
            threads: thread_order,
            process_ids,
            thread_ids,
        }
    }

    /// Returns the id of a process; `None` if there is none with that number.
    pub(super) fn process_id(&self, number: u32) -> Option<ProcessId> {
        self.process_ids.get(at(number)).copied()
    }

    /// Returns the id of a thread; `None` if there is none with that number.
    pub(super) fn thread_id(&self, number: u32) -> Option<ThreadId> {
        self.thread_ids.get(at(number)).copied()
    }
}

/// Gives each thread without a known process the process with the thread's own id: most processes
/// are single-threaded.
pub(super) fn adopt_orphans(processes: &mut Vec<Process>, threads: &mut [Thread]) {
    let mut latest: HashMap<u32, u32> = HashMap::new();
    if threads.iter().all(|thread| thread.process != NONE) {
        return;
    }
    for (number, process) in (0..).zip(processes.iter()) {
        latest.insert(process.os_pid, number);
    }
    for thread in threads.iter_mut().filter(|thread| thread.process == NONE) {
        let known = latest.get(&thread.os_tid).copied().filter(|&number| {
            let process = &processes[at(number)];
            process.start_ns <= thread.start_ns
                && (process.end_ns.is_none() || thread.end_ns <= process.end_ns)
        });
        thread.process = known.unwrap_or_else(|| {
            let number = u32::try_from(processes.len()).unwrap_or(NONE);
            let mut process = Process::new(thread.os_tid, thread.start_ns);
            process.end_ns = thread.end_ns;
            process.name = thread.name;
            processes.push(process);
            number
        });
    }
}

/// Puts all threads without a known process into one process.
pub(super) fn house_orphans(
    processes: &mut Vec<Process>,
    threads: &mut [Thread],
    name: Option<TextId>,
) {
    let orphans = threads.iter_mut().filter(|thread| thread.process == NONE);
    let mut house = None;
    for thread in orphans {
        thread.process = *house.get_or_insert_with(|| {
            let number = u32::try_from(processes.len()).unwrap_or(NONE);
            processes.push(Process {
                name,
                ..Process::new(NONE, None)
            });
            number
        });
    }
}

/// Returns, by number, the id of the entry at each place of `order`, a permutation.
fn inverse<T: Copy>(order: &[u32], ids: impl Iterator<Item = T>) -> Vec<T> {
    let mut pairs: Vec<(u32, T)> = order.iter().copied().zip(ids).collect();
    pairs.sort_unstable_by_key(|&(number, _)| number);
    pairs.into_iter().map(|(_, id)| id).collect()
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
