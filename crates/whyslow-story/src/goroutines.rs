//! What goroutines of Go programs waited for, where the path waited for one that can run.
//!
//! A goroutine that waits for a mutex, or sleeps, waits in user space; the kernel sees threads of the runtime that
//! wait for something to do. The recorder looks at the goroutines themselves. With what it saw, a wait
//! of the path for "a goroutine that can run" becomes one for a mutex, a semaphore or a sleep, at a place in
//! the user's own code:
//!
//! ```text
//! path         ── waits for a goroutine that can run ──────        two steps instead:
//! goroutine 1  ── waits for the others (WaitGroup) ────────
//! goroutine 2  ── mutex ────┤── sleeps ────────────────────        mutex ───┤── sleep ───
//! goroutine 3  ── mutex ────┤ ended
//! goroutine 4  ── sleeps ───┤ ended
//! ```
//!
//! Goroutines of the runtime and of libraries, which have no function of the user on their stack, are left
//! out; so are those that wait for a client to connect, or for a signal.
//!
//! A wait that was for a connection, or for a timer in a `select`, stays what it is: only its place becomes that of
//! the goroutine whose wait ended with it.

mod kind;
mod moves;
mod queues;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use whyslow_model::tables::GoroutineRow;
use whyslow_model::{Capability, GoroutineState, Named, ProcessId, StackId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::frames::FunctionId;
use whyslow_query::goroutines::goroutines;
use whyslow_query::spans::Spans;
use whyslow_query::wait::{ClassId, Rules};

use crate::code::Code;
use crate::command::Command;
use crate::path::{Collection, MOST_LENGTHS, Path, Step, WaitGroup, What};
use crate::place::Place;
use kind::Kind;
use sweep::Sweep;

/// Most rows that are looked at; of more, the first ones.
const MOST_ROWS: usize = 1 << 20;

/// Waits of goroutines that are alike: same thing, same stack.
#[derive(Debug, Clone)]
struct Group {
    kind: Kind,
    stack: StackId,
    place: Arc<Place>,
    /// The user's functions on the stack.
    own: BTreeSet<FunctionId>,
    /// That of them which waits.
    waits_in: FunctionId,
    /// Whether it answers a request.
    serves: bool,
}

/// What a goroutine did for some time.
#[derive(Debug, Clone, Copy)]
struct Seen {
    from_ns: i64,
    to_ns: i64,
    /// How many goroutines it represents.
    count: i64,
    /// Which group it is of; `None`: it did not wait.
    group: Option<usize>,
}

/// Everything that was seen.
#[derive(Debug, Default)]
struct All {
    groups: Vec<Group>,
    of_process: BTreeMap<ProcessId, Vec<Seen>>,
}

/// Replaces waits of the path for a goroutine that can run by what the user's goroutines waited for.
///
/// # Errors
/// When a table cannot be read.
pub fn refine(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    (code, rules): (&Code<'_>, &Rules),
    path: &mut Path,
) -> Result<(), QueryError> {
    if !facts.has(Capability::Goroutines) || path.steps.is_empty() {
        return Ok(());
    }
    let all = All::read(view, command, code)?;
    if !all.groups.is_empty() {
        Refining::new(facts, rules, Classes::of(rules), &all).refine(path);
        path.collections = all.collections();
        path.kept_out = queues::find(facts, rules, &all, path);
    }
    Ok(())
}

/// Classes of the waits of Go's runtime.
#[derive(Debug, Clone, Copy)]
struct Classes {
    /// By a function of the runtime.
    goroutines: Option<ClassId>,
    /// Where the user half is missing.
    nameless: [Option<ClassId>; 2],
    /// Of its threads that have nothing to do.
    work: Option<ClassId>,
}

impl Classes {
    fn of(rules: &Rules) -> Self {
        Self {
            goroutines: rules.find("goroutines"),
            nameless: ["poll", "futex"].map(|name| rules.find(name)),
            work: rules.find("work"),
        }
    }

    /// Returns whether waits may be the runtime's, if their process is a Go program.
    fn may_be(&self, waits: &WaitGroup) -> bool {
        let class = Some(waits.class);
        let is_runtimes = class == self.goroutines || class == self.work;
        is_runtimes || self.nameless.contains(&class) && !waits.place.is_known()
    }
}

impl All {
    fn read(view: View<'_>, command: &Command, code: &Code<'_>) -> Result<Self, QueryError> {
        let mut all = Self::default();
        let mut known: BTreeMap<StackId, Option<usize>> = BTreeMap::new();
        let mut rows = 0;
        goroutines(view, &command.scope(), |row: GoroutineRow| {
            rows += 1;
            let Some(process) = row.process.filter(|_| rows <= MOST_ROWS) else {
                return;
            };
            let mut group = None;
            if GoroutineState::from_code(row.state) == Some(GoroutineState::Waiting) {
                let Some(stack) = row.stack else {
                    return;
                };
                let of_stack = known.entry(stack).or_insert_with(|| all.group(code, stack));
                group = *of_stack;
                // One of the runtime or of a library, or one that has nothing to do.
                if group.is_none() {
                    return;
                }
            }
            all.of_process.entry(process).or_default().push(Seen {
                from_ns: row.from_ns,
                to_ns: row.from_ns.saturating_add(row.duration_ns.max(0)),
                count: row.count.max(1),
                group,
            });
        })?;
        Ok(all)
    }

    /// Returns where goroutines waited for the garbage collector, and when.
    fn collections(&self) -> Vec<Collection> {
        let mut found = BTreeMap::new();
        for one in self.of_process.values().flatten() {
            let group = one.group.and_then(|at| self.groups.get(at));
            if let Some(group) = group.filter(|group| group.kind.is_collection()) {
                let key = (&group.place, group.kind == Kind::Collection);
                let when: &mut Vec<(i64, i64)> = found.entry(key).or_default();
                when.push((one.from_ns, one.to_ns));
            }
        }
        let found = found.into_iter();
        let found = found.map(|((place, is_asked), when)| Collection {
            place: Arc::clone(place),
            is_asked,
            when: Spans::new(when),
        });
        found.collect()
    }

    /// Adds the group of a stack.
    fn group(&mut self, code: &Code<'_>, stack: StackId) -> Option<usize> {
        let (kind, own) = kind::of(code, stack)?;
        let waits_in = *own.first()?;
        self.groups.push(Group {
            kind,
            stack,
            place: Place::of(code, Some(stack)),
            own: own.into_iter().collect(),
            waits_in,
            serves: kind::serves(code, stack),
        });
        Some(self.groups.len() - 1)
    }
}

/// The path is being refined.
struct Refining<'a> {
    facts: &'a Facts,
    rules: &'a Rules,
    classes: Classes,
    all: &'a All,
    sweeps: BTreeMap<ProcessId, Sweep>,
    /// By the group of waits that was, and the class and place of the one that is.
    made: BTreeMap<(usize, ClassId, Arc<Place>), usize>,
    /// Groups of waits that lost time.
    cut: BTreeSet<usize>,
    moves: moves::Moves,
}

impl<'a> Refining<'a> {
    fn new(facts: &'a Facts, rules: &'a Rules, classes: Classes, all: &'a All) -> Self {
        let sweeps = all.of_process.iter();
        Self {
            facts,
            rules,
            classes,
            all,
            sweeps: sweeps.map(|(&id, seen)| (id, Sweep::new(seen))).collect(),
            made: BTreeMap::new(),
            cut: BTreeSet::new(),
            moves: moves::Moves::default(),
        }
    }

    fn refine(mut self, path: &mut Path) {
        let steps = std::mem::take(&mut path.steps);
        let mut new = Vec::with_capacity(steps.len());
        // The latest is first; go forward in time.
        for step in steps.into_iter().rev() {
            match step.what {
                What::Wait(at) if self.classes.may_be(&path.waits[at]) => {
                    self.step(path, step, at, &mut new);
                }
                _ => new.push(step),
            }
        }
        new.reverse();
        path.steps = new;
        std::mem::take(&mut self.moves).make(&mut path.waits);
        for &at in &self.cut {
            path.waits[at].lengths_ns.clear();
        }
        for step in &path.steps {
            if let What::Wait(at) = step.what
                && self.cut.contains(&at)
                && path.waits[at].lengths_ns.len() < MOST_LENGTHS
            {
                path.waits[at].lengths_ns.push(step.ns());
            }
        }
        arrange(path);
    }

    /// Cuts one step of the path at every change of what the goroutines mostly wait for.
    fn step(&mut self, path: &mut Path, step: Step, at: usize, new: &mut Vec<Step>) {
        let thread = step.thread.and_then(|thread| self.facts.thread(thread));
        let sweep = thread.and_then(|row| self.sweeps.get_mut(&row.process));
        let Some(sweep) = sweep else {
            return new.push(step);
        };
        let end = self.rules.end(path.waits[at].end).name.as_str();
        let by_time = matches!(end, "timeout" | "timer");
        // A thread with nothing to do says nothing by its end; all goroutines together do.
        let has_nothing = Some(path.waits[at].class) == self.classes.work;
        let mut pieces: Vec<(Step, usize)> = Vec::new();
        let cut = sweep.cut(step.from_ns, step.to_ns);
        let has_ended = |group: usize| sweep.has_ended(group, step.to_ns);
        let last = cut.last().map(|(.., counts)| counts);
        let behind = last.filter(|_| !has_nothing);
        let behind = behind.and_then(|last| last.behind(&self.all.groups, by_time, &has_ended));
        for (from_ns, to_ns, counts) in cut {
            let by_time = match has_nothing {
                true => counts.all_wait(),
                false => by_time,
            };
            let main = counts.main(&self.all.groups, by_time);
            let main = main.and_then(|main| {
                let class = self.all.groups[main].kind.class(self.rules)?;
                Some((main, class))
            });
            let ns = to_ns - from_ns;
            let to = match (main, behind) {
                (None, None) => at,
                // It waited for what it seemed to, but the place is known better.
                (None, Some(behind)) => {
                    let class = match self.all.groups[behind].kind {
                        // Its deadline ended the wait for its connection.
                        Kind::Talk if by_time => self.classes.nameless[0],
                        _ => self.classes.goroutines,
                    };
                    let class = class.unwrap_or(path.waits[at].class);
                    let to = self.made(path, (at, class), behind, ns);
                    self.moves.known_better((at, to), ns);
                    to
                }
                (Some((main, class)), _) => {
                    let to = self.made(path, (at, class), main, ns);
                    let crowd = path.waits[to].crowd.get_or_insert_default();
                    counts.add_to(crowd, main, &self.all.groups, ns);
                    self.moves.elsewhere((at, to), ns);
                    to
                }
            };
            match pieces.last_mut() {
                Some((last, of)) if *of == to => last.to_ns = to_ns,
                _ => pieces.push((
                    Step {
                        from_ns,
                        to_ns,
                        what: What::Wait(to),
                        ..step
                    },
                    to,
                )),
            }
        }
        self.book(path, &pieces, at);
        new.extend(pieces.into_iter().map(|(piece, _)| piece));
    }

    /// Returns which group of waits gets time in which a group of goroutines waited.
    fn made(&mut self, path: &mut Path, like: (usize, ClassId), of: usize, ns: i64) -> usize {
        let group = &self.all.groups[of];
        let key = (like.0, like.1, Arc::clone(&group.place));
        let to = *self.made.entry(key).or_insert_with(|| {
            let made = empty(&path.waits[like.0], like.1, Arc::clone(&group.place));
            path.waits.push(made);
            path.waits.len() - 1
        });
        *path.waits[to].stacks.entry(group.stack).or_default() += ns;
        to
    }

    /// Counts the pieces of a step that was of a group.
    fn book(&mut self, path: &mut Path, pieces: &[(Step, usize)], at: usize) {
        let mut moved = pieces.iter().filter(|(_, to)| *to != at).peekable();
        if moved.peek().is_some() {
            self.cut.insert(at);
        }
        for (piece, to) in moved {
            let waits = &mut path.waits[*to];
            waits.count += 1;
            if waits.lengths_ns.len() < MOST_LENGTHS {
                waits.lengths_ns.push(piece.ns());
            }
        }
        if pieces.iter().all(|(_, to)| *to != at) {
            path.waits[at].count -= 1;
        }
    }
}

/// Returns a group of waits like another one, for something else at another place, in which nothing is yet.
fn empty(like: &WaitGroup, class: ClassId, place: Arc<Place>) -> WaitGroup {
    WaitGroup {
        class,
        place,
        process: Arc::clone(&like.process),
        ns: 0,
        count: 0,
        lengths_ns: Vec::new(),
        wakers: BTreeMap::new(),
        stacks: BTreeMap::new(),
        targets: BTreeMap::new(),
        answering_ns: 0,
        crowd: None,
        ..*like
    }
}

/// Sorts the groups of waits, the longest first, and drops those in which nothing is left.
fn arrange(path: &mut Path) {
    let mut order: Vec<usize> = (0..path.waits.len()).collect();
    order.retain(|&at| path.waits[at].ns > 0);
    order.sort_by_key(|&at| (std::cmp::Reverse(path.waits[at].ns), at));
    let mut places = vec![None; path.waits.len()];
    for (new, &old) in order.iter().enumerate() {
        places[old] = Some(new);
    }
    for step in &mut path.steps {
        if let What::Wait(at) = &mut step.what {
            // A step takes time, so its group has some.
            match places[*at] {
                Some(new) => *at = new,
                None => step.what = What::Unknown,
            }
        }
    }
    let mut old: Vec<_> = std::mem::take(&mut path.waits)
        .into_iter()
        .map(Some)
        .collect();
    path.waits = order.iter().filter_map(|&at| old[at].take()).collect();
}
