//! System calls of the command's threads, and the total times of these threads.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{Capability, StackId, System, SystemCall, SystemCallResult, ThreadId};
use whyslow_query::View;
use whyslow_query::call_tree::Weights;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::file_calls::counted_file_calls;
use whyslow_query::frames::FunctionId;
use whyslow_query::system_calls::{CallSum, counted_calls, sampled_calls};

use crate::code::{Code, Whose};
use crate::command::Command;
use crate::hot;
use crate::path::Times;
use crate::place::Place;
use crate::requests;

/// What the threads of the command called; empty where calls were not recorded.
#[derive(Debug, Default)]
pub struct Calls {
    /// What each thread called.
    pub threads: BTreeMap<ThreadId, ThreadCalls>,
    /// Where calls were made: a sample by count, for each call and stack.
    made_at: BTreeMap<(SystemCall, Option<StackId>), i64>,
    /// The recorded system. Of Windows, they are requests to file systems.
    system: System,
}

/// What one thread called, and what it did meanwhile.
#[derive(Debug, Default)]
pub struct ThreadCalls {
    /// Calls by call and result.
    pub sums: BTreeMap<(SystemCall, SystemCallResult), CallSum>,
    /// When the stretches began that the calls were counted in.
    stretches: BTreeSet<i64>,
    /// Calls that failed: the stretch, which, how often.
    failed: Vec<(i64, (SystemCall, SystemCallResult), i64)>,
    /// How long they took.
    pub times: Times,
}

impl Calls {
    /// Reads the calls of `command`; `times`: the total times of its threads.
    pub fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        times: &BTreeMap<ThreadId, Times>,
    ) -> Result<Self, QueryError> {
        let mut calls = Self {
            system: requests::system(facts),
            ..Self::default()
        };
        let recorded = match calls.system {
            System::Linux => Capability::SystemCalls,
            System::Windows => Capability::Files,
        };
        if !facts.has(recorded) || !facts.has(Capability::Switches) {
            return Ok(calls);
        }
        let scope = command.scope();
        if calls.system == System::Windows {
            counted_file_calls(view, &scope, |counted| {
                if let Some(call) = requests::call(counted.operation) {
                    let thread = calls.threads.entry(counted.thread).or_default();
                    thread.times = times.get(&counted.thread).copied().unwrap_or_default();
                    let key = (call, requests::result(counted.result));
                    thread.sums.entry(key).or_default().add(&counted.sum);
                }
            })?;
            return Ok(calls);
        }
        counted_calls(view, &scope, |counted| {
            if let (Some(call), Some(result)) = (counted.call, counted.result) {
                let thread = calls.threads.entry(counted.thread).or_default();
                thread.times = times.get(&counted.thread).copied().unwrap_or_default();
                let (key, sum) = ((call, result), &counted.sum);
                thread.sums.entry(key).or_default().add(sum);
                thread.stretches.insert(counted.from_ns);
                if result != SystemCallResult(0) {
                    thread.failed.push((counted.from_ns, key, sum.count));
                }
            }
        })?;
        sampled_calls(view, &scope, |sample| {
            let key = (sample.call, sample.stack);
            let sum: &mut i64 = calls.made_at.entry(key).or_default();
            *sum = sum.saturating_add(sample.count);
        })?;
        Ok(calls)
    }

    /// Returns how often a thread made some of these calls.
    pub fn made(&self, thread: ThreadId, wanted: &[SystemCall]) -> i64 {
        let thread = self.threads.get(&thread);
        thread.map_or(0, |thread| {
            thread.sum(|call, _| wanted.contains(&call)).count
        })
    }

    /// Returns the recorded system.
    pub fn system(&self) -> System {
        self.system
    }

    /// Returns the name of a call: of Windows, what is done to files.
    pub fn name(&self, call: SystemCall) -> String {
        let request = requests::name(call).filter(|_| self.system == System::Windows);
        request.map_or_else(|| call.spelled(), ToOwned::to_owned)
    }

    /// Returns the name of a result in the recorded system.
    pub fn result(&self, result: SystemCallResult) -> String {
        match self.system {
            System::Linux => result.spelled(),
            System::Windows => requests::status(result).spelled(),
        }
    }

    /// Returns the function of the user's own code that makes most of the wanted calls, if it makes
    /// enough of them to count as their place.
    pub fn place(&self, code: &Code<'_>, wanted: &dyn Fn(SystemCall) -> bool) -> Option<Place> {
        let mut weights = Weights::new(code.stacks);
        let mut all: i64 = 0;
        for (&(_, stack), &count) in self.made_at.iter().filter(|((call, _), _)| wanted(*call)) {
            weights.add(code.stacks.tree.node(stack), count);
            all = all.saturating_add(count);
        }
        let own = hot::own(code, &weights.take())?;
        let place = Place::of_functions(code, &own.functions).at(own.source);
        (own.ns.saturating_mul(MUCH) >= all && place.is_known()).then_some(place)
    }
}

/// A function of the user's own code, and the function of a library that it called; `None` where it calls
/// the kernel directly.
pub type Entry = (FunctionId, Option<FunctionId>);

impl Calls {
    /// Returns through which functions of libraries the user's own code makes most of the wanted calls.
    pub fn entries(&self, code: &Code<'_>, wanted: &dyn Fn(SystemCall) -> bool) -> BTreeSet<Entry> {
        self.entries_at(code, wanted, 0)
    }

    /// Returns the same, with the functions of libraries so many calls further in.
    pub fn entries_at(
        &self,
        code: &Code<'_>,
        wanted: &dyn Fn(SystemCall) -> bool,
        depth: usize,
    ) -> BTreeSet<Entry> {
        let mut counts: BTreeMap<Entry, i64> = BTreeMap::new();
        let mut all: i64 = 0;
        for (&(_, stack), &count) in self.made_at.iter().filter(|((call, _), _)| wanted(*call)) {
            all = all.saturating_add(count);
            if let Some(entry) = entry_at(code, code.stacks.tree.node(stack), depth) {
                let sum = counts.entry(entry).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        let much = counts.into_iter();
        let much = much.filter(|&(_, count)| count.saturating_mul(MUCH) >= all);
        much.map(|(entry, _)| entry).collect()
    }
}

/// How many functions of libraries below the user's own are told apart.
pub const DEPTHS: usize = 6;

/// Returns where the stack that ends in `node` leaves the user's own code. Where none of that is on the stack, as below
/// an interpreter whose programs have no frames, it is the function that calls the innermost one.
pub fn entry(code: &Code<'_>, node: u32) -> Option<Entry> {
    entry_at(code, node, 0)
}

/// Returns the same, with the function of a library so many calls further in; the innermost one where there are fewer.
pub fn entry_at(code: &Code<'_>, node: u32, depth: usize) -> Option<Entry> {
    let tree = &code.stacks.tree;
    let is_kernel = tree.kernel[node as usize];
    // The outermost functions of libraries that were found so far, the outermost first.
    let mut called = [None; DEPTHS];
    let (mut leaf, mut caller) = (None, None);
    for at in tree.path(node).filter(|&at| !tree.kernel[at as usize]) {
        for &id in tree.functions(at) {
            match code.whose(id) {
                whose if whose.is_own() => {
                    let leaves = called[0].is_some() || is_kernel;
                    let called = called.iter().take(depth + 1).flatten().last();
                    return leaves.then_some((id, called.copied()));
                }
                Whose::Library => {
                    called.rotate_right(1);
                    called[0] = Some(id);
                }
                Whose::Own | Whose::Program | Whose::Start => {}
            }
            match leaf {
                None => leaf = Some(id),
                Some(_) => caller = caller.or(Some(id)),
            }
        }
    }
    caller.filter(|_| is_kernel).map(|caller| (caller, leaf))
}

/// A function that makes less than one in so many of the calls is not their place.
const MUCH: i64 = 3;

impl ThreadCalls {
    /// Returns the sum of the wanted calls.
    pub fn sum(&self, wanted: impl Fn(SystemCall, SystemCallResult) -> bool) -> CallSum {
        let mut sum = CallSum::default();
        let calls = self.sums.iter();
        for (_, one) in calls.filter(|((call, result), _)| wanted(*call, *result)) {
            sum.add(one);
        }
        sum
    }

    /// Returns when its second stretch began: before that it may still have been starting up and
    /// looking for what it needs.
    pub fn started_ns(&self) -> Option<i64> {
        self.stretches.iter().nth(1).copied()
    }

    /// Returns the calls that failed from a time on, and how often.
    pub fn failed_since(&self, ns: i64) -> BTreeMap<(SystemCall, SystemCallResult), i64> {
        let mut counts = BTreeMap::new();
        for &(_, key, count) in self.failed.iter().filter(|(from, ..)| *from >= ns) {
            let sum: &mut i64 = counts.entry(key).or_default();
            *sum = sum.saturating_add(count);
        }
        counts
    }

    /// Returns how long the thread was on a CPU in calls that took `ns`, at least, if it waited in them for
    /// `waited_ns`, and was preempted in them as often as elsewhere.
    pub fn without_waits(&self, ns: i64, waited_ns: i64) -> i64 {
        let there = i128::from(ns.saturating_sub(waited_ns).max(0));
        let (running_ns, ready_ns) = (self.times.running_ns, self.times.ready_ns);
        let (running, ready) = (i128::from(running_ns), i128::from(ready_ns));
        let part = there * running / (running + ready).max(1);
        i64::try_from(part).unwrap_or(i64::MAX).min(running_ns)
    }

    /// Returns how long the thread waited at most in calls whose purpose is not to wait.
    pub fn waited_in_calls_ns(&self) -> i64 {
        self.times.waiting_ns - self.times.waiting_calls_ns
    }

    /// Returns how long it waited at most in calls about files.
    pub fn waited_for_files_ns(&self) -> i64 {
        self.waited_in_calls_ns() - self.times.waiting_streams_ns
    }

    /// Returns whether the thread hardly waited in comparison with that many calls, so that their
    /// cost is that of the calls themselves.
    pub fn hardly_waited(&self, count: i64) -> bool {
        self.times.waits.saturating_mul(10) <= count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_and_preemptions_are_not_the_cost_of_calls() {
        let thread = ThreadCalls {
            times: Times {
                running_ns: 600,
                ready_ns: 200,
                waiting_ns: 1200,
                waits: 3,
                waiting_calls_ns: 1000,
                waiting_streams_ns: 150,
            },
            ..ThreadCalls::default()
        };
        let cpu_ns = |ns| thread.without_waits(ns, thread.waited_in_calls_ns());
        assert_eq!(cpu_ns(600), 300);
        assert_eq!(cpu_ns(100), 0);
        // What it waited for at pipes was not in calls about files.
        let of_files_ns = thread.without_waits(600, thread.waited_for_files_ns());
        assert_eq!(of_files_ns, 412);
        assert_eq!(cpu_ns(5000), 600);
        assert_eq!(ThreadCalls::default().without_waits(5, 0), 0);
        assert!(thread.hardly_waited(30) && !thread.hardly_waited(29));
    }
}
