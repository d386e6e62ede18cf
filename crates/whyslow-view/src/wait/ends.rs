//! What ended a wait: another thread, a device, a signal, its own timeout, or nothing.

use whyslow_model::{StateFlags, ThreadId};

use super::kernel_half::KernelHalves;
use super::{Rules, base_name};
use crate::facts::Facts;
use crate::interval::{Interval, Waker};
use crate::pattern::Pattern;
use crate::stacks::Stacks;
use crate::tree::NO_PARENT;

/// Number of an end in [`Rules::ends`].
pub type EndId = u8;

/// What may end a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitEnd {
    /// The name, such as `timeout`.
    pub name: String,
    /// The end of the sentence "it was ended by …".
    pub phrase: String,
}

/// Functions of a waker that show what ended the wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EndRule {
    pub(super) end: EndId,
    pub(super) strong: bool,
    pub(super) patterns: Pattern,
}

/// The ends that do not come from a rule alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FixedEnds {
    thread: EndId,
    interrupt: EndId,
    timeout: EndId,
    signal: EndId,
    kill: EndId,
    recording: EndId,
    unknown: EndId,
}

impl FixedEnds {
    /// Finds the ends with fixed names, and declares those that are missing.
    pub(super) fn among(ends: &mut Vec<WaitEnd>) -> Self {
        let mut fixed = |name: &str| {
            let known = ends.iter().position(|end| end.name == name);
            let at = known.unwrap_or(ends.len());
            if known.is_none() {
                ends.push(WaitEnd {
                    name: name.to_owned(),
                    phrase: name.to_owned(),
                });
            }
            EndId::try_from(at).unwrap_or(EndId::MAX)
        };
        Self {
            thread: fixed("thread"),
            interrupt: fixed("interrupt"),
            timeout: fixed("timeout"),
            signal: fixed("signal"),
            kill: fixed("kill"),
            recording: fixed("recording"),
            unknown: fixed("unknown"),
        }
    }
}

impl Rules {
    /// Returns whether a wait with this end lasted until its call's own timeout.
    pub fn is_timeout(&self, end: EndId) -> bool {
        end == self.fixed_ends.timeout
    }

    /// Returns whether a wait with this end was cut short, whatever it was for: by a signal, or by
    /// the end of its process or of the recording.
    pub fn is_cut_short(&self, end: EndId) -> bool {
        matches!(
            self.end(end).name.as_str(),
            "signal" | "kill" | "exit" | "recording"
        )
    }

    /// Returns what may end a wait.
    pub fn end(&self, id: EndId) -> &WaitEnd {
        &self.ends[usize::from(id)]
    }

    /// Returns the end called `name`.
    pub fn find_end(&self, name: &str) -> Option<EndId> {
        let at = self.ends.iter().position(|end| end.name == name)?;
        EndId::try_from(at).ok()
    }

    /// Returns what a kernel function of a waker means, and whether the rule is a strong one.
    fn end_rule(&self, function: &str) -> Option<(EndId, bool)> {
        let function = base_name(function);
        let mut rules = self.end_rules.iter();
        let hit = rules.find(|rule| rule.patterns.matches(function))?;
        Some((hit.end, hit.strong))
    }
}

/// What ended each wait of a trace.
#[derive(Debug)]
pub struct Ends<'a> {
    rules: &'a Rules,
    by_stack: KernelHalves<EndId>,
}

impl<'a> Ends<'a> {
    /// Classifies every stack once.
    pub fn new(stacks: &Stacks, rules: &'a Rules) -> Self {
        Self {
            rules,
            by_stack: KernelHalves::new(stacks, |name| rules.end_rule(name)),
        }
    }

    /// Returns what ended a wait, and the thread that ended it, if any.
    ///
    /// Needs the stacks of wakers: `detailed_intervals`. [`Self::or_kill`]
    /// recognizes a signal that its process did not survive.
    pub fn of(&self, stacks: &Stacks, wait: &Interval) -> (EndId, Waker) {
        let fixed = &self.rules.fixed_ends;
        if wait.flags.has(StateFlags::OPEN_END) {
            return (fixed.recording, Waker::Unknown);
        }
        if wait.cut_end {
            return (fixed.unknown, Waker::Unknown);
        }
        let node = stacks.tree.node(wait.waker_stack) as usize;
        let by_stack = wait.waker_stack.and_then(|_| self.by_stack.of(node));
        let by_stack = by_stack.map(|end| match self.rules.end(end).name == "timer" {
            true if wakes_from_timer(stacks, node) => fixed.timeout,
            _ => end,
        });
        match (by_stack, wait.waker) {
            _ if wait.flags.has(StateFlags::KILLED) => (fixed.kill, wait.waker),
            (Some(end), Waker::Softirq(thread)) if end == fixed.thread => {
                (end, Waker::Thread(thread))
            }
            (Some(end), Waker::Softirq(_)) => (end, Waker::Interrupt),
            (Some(end), _) if end == fixed.timeout => (end, Waker::Interrupt),
            (Some(end), waker) if end != fixed.thread => (end, waker),
            (_, Waker::Thread(_)) => (fixed.thread, wait.waker),
            (_, Waker::Softirq(_) | Waker::Interrupt) => (fixed.interrupt, Waker::Interrupt),
            (_, Waker::Unknown) if lasted_as_asked(wait) => (fixed.timeout, Waker::Interrupt),
            (_, Waker::Unknown) => (fixed.unknown, Waker::Unknown),
        }
    }

    /// Returns that the process was killed, instead of another thread's signal, if the wait was the
    /// last one of a thread whose process was ended by a signal.
    pub fn or_kill(&self, facts: &Facts, thread: ThreadId, (end, waker): (EndId, Waker)) -> EndId {
        let fixed = &self.rules.fixed_ends;
        let row = facts.thread(thread).filter(|row| row.end_ns.is_some());
        let process = row.and_then(|row| facts.process(row.process));
        let killed = process.is_some_and(|process| process.exit_signal.is_some_and(|no| no != 0));
        match end == fixed.signal && killed && matches!(waker, Waker::Thread(_)) {
            true => fixed.kill,
            false => end,
        }
    }
}

/// Functions that wake a thread, in a waker's stack.
const WAKES: [&str; 3] = ["try_to_wake_up", "wake_up_process", "wake_up_state"];

/// Functions that call a timer's own function.
const CALLS_TIMER: [&str; 2] = ["call_timer_fn", "__run_timers"];

/// Returns whether a timer's function did nothing but wake the thread. `process_timeout`, which
/// ends the time that a call may wait, jumps to `wake_up_process`, so it is not in the stack
/// itself.
fn wakes_from_timer(stacks: &Stacks, leaf: usize) -> bool {
    let name = |node: usize| {
        let id = u32::try_from(node).unwrap_or(NO_PARENT);
        let first = stacks.tree.functions(id).first();
        first.map(|&id| base_name(&stacks.frames.functions[id as usize].name))
    };
    let parent = |&node: &usize| match stacks.tree.parent[node] {
        NO_PARENT => None,
        parent => Some(parent as usize),
    };
    let nodes = std::iter::successors(Some(leaf), parent);
    let is_one = |names: &[&str], node: usize| name(node).is_some_and(|name| names.contains(&name));
    let mut rest = nodes.skip_while(|&node| !is_one(&WAKES, node));
    rest.find(|&node| !is_one(&WAKES, node))
        .is_some_and(|node| is_one(&CALLS_TIMER, node))
}

/// Returns whether a wait lasted as long as the timeout of its call. The timer may have been set
/// slightly before the wait.
fn lasted_as_asked(wait: &Interval) -> bool {
    let ns = i128::from(wait.end_ns) - i128::from(wait.start_ns);
    let asked = wait.timeout_ns.filter(|&asked| asked > 0);
    asked.is_some_and(|asked| !wait.cut_start && ns * 1000 >= i128::from(asked) * 999)
}
