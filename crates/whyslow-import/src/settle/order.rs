//! The final order and numbers of processes and threads.

use std::collections::HashMap;

use crate::processes::Process;
use crate::sched::NONE;
use crate::text::TextId;
use crate::threads::Thread;

/// Which final number each provisional one gets.
#[derive(Debug)]
pub(super) struct Order {
    /// Provisional numbers of processes, in the final order.
    pub(super) processes: Vec<u32>,
    /// Provisional numbers of threads, in the final order.
    pub(super) threads: Vec<u32>,
    process_ids: Vec<i32>,
    thread_ids: Vec<i32>,
}

impl Order {
    /// Orders processes by start, OS id and first sight; threads by process, start and OS id.
    pub(super) fn new(processes: &[Process], threads: &[Thread]) -> Self {
        let numbers = |len: usize| (0..u32::try_from(len).unwrap_or(u32::MAX)).collect::<Vec<_>>();
        let mut process_order = numbers(processes.len());
        process_order.sort_by_key(|&number| {
            let process = &processes[at(number)];
            (process.start_ns, process.os_pid, number)
        });
        let process_ids = inverse(&process_order);
        let mut thread_order = numbers(threads.len());
        thread_order.sort_by_key(|&number| {
            let thread = &threads[at(number)];
            let process = process_ids
                .get(at(thread.process))
                .copied()
                .unwrap_or(i32::MAX);
            (
                process,
                thread.start_ns,
                thread.os_tid,
                thread.idle_cpu,
                number,
            )
        });
        let thread_ids = inverse(&thread_order);
        Self {
            processes: process_order,
            threads: thread_order,
            process_ids,
            thread_ids,
        }
    }

    /// Returns the final number of a process, or -1 for none.
    pub(super) fn process_id(&self, number: u32) -> i64 {
        self.process_ids
            .get(at(number))
            .copied()
            .unwrap_or(-1)
            .into()
    }

    /// Returns the final number of a thread, or -1 for none.
    pub(super) fn thread_id(&self, number: u32) -> i64 {
        self.thread_ids
            .get(at(number))
            .copied()
            .unwrap_or(-1)
            .into()
    }
}

/// Gives a process to threads of which only their id was ever told: most are single-threaded.
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

/// Gives one process to all threads of which only their id was ever told.
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

fn inverse(order: &[u32]) -> Vec<i32> {
    let mut ids = vec![-1; order.len()];
    for (id, &number) in (0..).zip(order) {
        ids[at(number)] = id;
    }
    ids
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
