//! Which other processes used the CPUs while the command ran, and while its path competed for one.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{Capability, ProcessId, ThreadId, ThreadState};

use crate::affinities::{self, Affinities};
use crate::budget::Budget;
use crate::command::Command;
use crate::path::{Path, Step, What};
use crate::priorities::{Favored, Priorities};
use crate::recorded::recorder;
use whyslow_query::View;
use whyslow_query::called;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Interval;
use whyslow_query::rows;
use whyslow_query::scope::Scope;
use whyslow_query::spans::{Rest, Spans};

/// The most sets of CPUs that are looked at; of a command that is bound to more of them, those with the
/// least time are left out.
const MOST_CONTESTS: usize = 64;

/// How many more pieces all contests together may be cut into; one that would be cut into more is dropped.
const MOST_PIECES: usize = 1 << 20;

/// A process that sends something less often does not work with the command.
const OFTEN: i64 = 10;

/// The other processes.
#[derive(Debug, Default)]
pub struct Rivals {
    /// CPU time of others during the command, by name; largest first.
    pub busy: Vec<(String, i64)>,
    /// When the path was ready, and every CPU that its thread may use ran another one.
    pub competing: Spans,
    /// CPU time meanwhile on those CPUs, by name of the others, without the processes that talk with the command; largest
    /// first.
    pub competitors: Vec<(String, i64)>,
    /// The same by the command itself.
    pub own_ns: i64,
    /// Of it, that of threads of the process that the path was in.
    pub own_threads_ns: i64,
    /// Of it, that of threads that share the work with the path's: both have the same name, and neither or both
    /// are the first thread of their process.
    pub alike_ns: i64,
    /// The same by the recorder, which is no competitor.
    pub recorder_ns: i64,
    /// The same by processes that talk with the command, such as its clients: their work is part of its own.
    pub partners_ns: i64,
    /// For how long of it all those CPUs ran threads of the command: without them, it would have had one.
    pub own_only_ns: i64,
    /// CPU time of all processes meanwhile on those CPUs.
    pub all_ns: i64,
    /// Time meanwhile that CPUs were idle which the path's thread may not use.
    pub idle_elsewhere_ns: i64,
    /// The CPUs that it may use, for most of the time, if not all.
    pub bound_to: Option<String>,
    /// The last nice value of each thread of the command.
    pub nice: BTreeMap<ThreadId, i32>,
    /// When the path was ready, but had used up its time in the deadline class.
    pub used_up: Spans,
    /// The others that have a much lower nice value.
    pub favored: Option<Favored>,
    /// Whether it is recorded which CPUs threads may use.
    pub is_binding_recorded: bool,
}

impl Rivals {
    /// Returns the programs with a much higher priority, if they used the CPUs for half of the time or more; the
    /// command's own use counts as well.
    pub fn favored(&self) -> Option<&Favored> {
        let favored = self.favored.as_ref();
        favored.filter(|favored| favored.ns > 0 && favored.ns.saturating_mul(2) >= self.all_ns)
    }

    /// Returns whether a thread waited for another one of much lower priority, which others kept from running.
    pub fn is_inverted(&self, waiter: ThreadId, holder: ThreadId) -> bool {
        let nice = |thread| self.nice.get(&thread);
        let much_lower =
            |(waiter, holder): (&i32, &i32)| waiter + crate::priorities::MUCH <= *holder;
        self.favored().is_some() && nice(waiter).zip(nice(holder)).is_some_and(much_lower)
    }
}

/// The path's ready time in which its thread may use certain CPUs.
struct Contest {
    /// The CPUs, `None`: all.
    cpus: Option<BTreeSet<i32>>,
    spans: Spans,
    /// When which thread was the path's.
    threads: BTreeMap<ThreadId, Spans>,
    /// When the path was in which process.
    processes: BTreeMap<ProcessId, Spans>,
}

impl Contest {
    /// Returns how long the interval is one of the path itself.
    fn of_path(&self, interval: &Interval) -> i64 {
        let Some(spans) = self.threads.get(&interval.thread) else {
            return 0;
        };
        let parts = spans.cut(interval.start_ns, interval.end_ns).into_iter();
        parts.map(|(from, to)| self.spans.within(from, to)).sum()
    }

    /// Returns how long an interval of the path's own process is while it competes.
    fn of_process(&self, interval: &Interval) -> i64 {
        let Some(spans) = self.processes.get(&interval.process) else {
            return 0;
        };
        let parts = spans.cut(interval.start_ns, interval.end_ns).into_iter();
        parts.map(|(from, to)| self.spans.within(from, to)).sum()
    }

    fn is_about(&self, cpu: Option<i32>) -> bool {
        let Some(cpus) = &self.cpus else {
            return true;
        };
        cpu.is_some_and(|cpu| cpus.contains(&cpu))
    }
}

/// Finds the processes that ran meanwhile.
pub fn find(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    path: &Path,
) -> Result<Rivals, QueryError> {
    let mut scope = Scope::whole(facts);
    scope.window_ns = Some(command.span_ns);
    let mut busy = vec![0_i64; facts.processes.len()];
    let mut meanwhile = vec![0_i64; facts.processes.len()];
    let add = |sums: &mut Vec<i64>, process: ProcessId, ns: i64| {
        if let Some(sum) = sums.get_mut(process.index()) {
            *sum += ns;
        }
    };
    let mut rivals = Rivals::default();
    let recorder = recorder(view, facts)?;
    if facts.has(Capability::Switches) {
        let affinities = Affinities::read(view)?;
        let mut contests = contests(facts, path, &affinities, &mut rivals);
        rivals.idle_elsewhere_ns = leave_out_idle(view, facts, command, &mut contests)?;
        let mut own_only = rests(&contests);
        let (mut priorities, mut budget) = (Priorities::default(), Budget::default());
        let alike = alike(facts, command, &contests);
        rows::detailed_intervals(view, &scope, |interval| {
            let span = (interval.start_ns, interval.end_ns);
            let is_own = command.has_process(interval.process);
            let is_rival = !is_own && Some(interval.process) != recorder;
            if let Some(nice) = interval.nice().filter(|_| is_own) {
                rivals.nice.insert(interval.thread, nice);
            }
            if interval.state == ThreadState::Ready && is_own {
                let ready = contests.iter().map(|one| one.of_path(interval));
                priorities.add_own(interval.nice(), ready.sum());
                budget.look_at(interval);
            }
            if interval.state != ThreadState::Running {
                return;
            }
            add(&mut busy, interval.process, interval.ns());
            let about = contests.iter().zip(&mut own_only);
            for (contest, own_only) in about.filter(|(one, _)| one.is_about(interval.cpu)) {
                let shared = contest.spans.within(span.0, span.1);
                add(&mut meanwhile, interval.process, shared);
                if shared > 0 && is_own {
                    let ns = contest.of_process(interval);
                    rivals.own_threads_ns = rivals.own_threads_ns.saturating_add(ns);
                }
                if shared > 0 && is_own && alike.contains(&interval.thread) {
                    rivals.alike_ns = rivals.alike_ns.saturating_add(shared);
                }
                if shared > 0 && !is_own {
                    own_only.cut(span.0, span.1);
                }
                if shared > 0 && is_rival {
                    priorities.add_other(interval.process, interval.nice(), shared);
                }
            }
        })?;
        rivals.favored = priorities.favored();
        rivals.own_only_ns = own_only.into_iter().map(|one| one.left().ns()).sum();
        let all = contests.iter().map(|contest| &contest.spans);
        rivals.competing = all.fold(Spans::default(), |all, spans| all.and(spans));
        rivals.used_up = budget.used_up(path, &rivals.competing);
    } else {
        rows::samples(view, &scope, |sample| {
            add(&mut busy, sample.process, sample.weight_ns);
        })?;
    }
    let own = ProcessId::all()
        .zip(&meanwhile)
        .filter(|&(id, _)| command.has_process(id));
    let is_partner = |id: ProcessId| Some(id) != recorder && works_with(path, id);
    let is_other = |id: ProcessId| !command.has_process(id) && Some(id) != recorder;
    rivals.busy = by_name(facts, &is_other, &busy);
    rivals.competitors = by_name(facts, &|id| is_other(id) && !is_partner(id), &meanwhile);
    rivals.own_ns = own.map(|(_, ns)| ns).sum();
    rivals.all_ns = meanwhile.iter().sum();
    let partners = path.partners.keys().filter(|&&id| is_partner(id));
    let of_partners = partners.filter_map(|id| meanwhile.get(id.index()));
    rivals.partners_ns = of_partners.sum();
    let of_recorder = recorder.and_then(|id| meanwhile.get(id.index()));
    rivals.recorder_ns = of_recorder.copied().unwrap_or(0);
    Ok(rivals)
}

/// Returns whether a process works with the command.
fn works_with(path: &Path, process: ProcessId) -> bool {
    let count = path.partners.get(&process).copied();
    count.is_some_and(|count| count >= OFTEN)
}

/// Returns the CPU time of some processes by name, largest first.
fn by_name(facts: &Facts, wanted: &dyn Fn(ProcessId) -> bool, sums: &[i64]) -> Vec<(String, i64)> {
    let mut names: BTreeMap<String, i64> = BTreeMap::new();
    for (id, (&ns, row)) in ProcessId::all().zip(sums.iter().zip(&facts.processes)) {
        if ns > 0 && wanted(id) {
            *names.entry(called::process(row)).or_default() += ns;
        }
    }
    let mut all: Vec<_> = names.into_iter().collect();
    all.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
    all
}

/// What threads that share work have in common: the names of their process and of themselves without numbers, and
/// whether they are the first thread of their process.
type Kind = (String, String, bool);

fn kind_of(facts: &Facts, thread: ThreadId) -> Option<Kind> {
    let row = facts.thread(thread)?;
    let process = facts.process(row.process)?;
    let name = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
    let is_first = row.os_tid == process.os_pid;
    Some((
        name(&process.name),
        name(facts.thread_name(thread)),
        is_first,
    ))
}

/// Returns the threads of the command that share the work with those that competed, of those that
/// are not the only ones of their kind. A program may do one kind of work after the other.
fn alike(facts: &Facts, command: &Command, contests: &[Contest]) -> BTreeSet<ThreadId> {
    let mut kinds: BTreeMap<Kind, BTreeSet<ThreadId>> = BTreeMap::new();
    let all = ThreadId::all().take(facts.threads.len());
    for id in all.filter(|&id| command.has_thread(id)) {
        if let Some(kind) = kind_of(facts, id) {
            kinds.entry(kind).or_default().insert(id);
        }
    }
    let (mut alike, mut shared_ns, mut all_ns) = (BTreeSet::new(), 0_i64, 0_i64);
    for (&thread, spans) in contests.iter().flat_map(|one| &one.threads) {
        all_ns = all_ns.saturating_add(spans.ns());
        let kind = kind_of(facts, thread).and_then(|kind| kinds.get(&kind));
        if let Some(kind) = kind.filter(|kind| kind.len() > 1) {
            shared_ns = shared_ns.saturating_add(spans.ns());
            // A kind is always added as a whole.
            if !alike.contains(&thread) {
                alike.extend(kind);
            }
        }
    }
    // What kept a thread waiting that is the only one of its kind is not its own work.
    match shared_ns.saturating_mul(SHARED) > all_ns {
        true => alike,
        false => BTreeSet::new(),
    }
}

/// Threads that share work must have competed for at least this part (one in so many) of the time.
const SHARED: i64 = 5;

/// Returns the ready time of the path in which its thread competed, at least in part, by the CPUs
/// that it may use.
fn contests(
    facts: &Facts,
    path: &Path,
    affinities: &Affinities,
    rivals: &mut Rivals,
) -> Vec<Contest> {
    type ByThread = BTreeMap<Option<ThreadId>, Vec<(i64, i64)>>;
    let mut by_cpus: BTreeMap<Option<BTreeSet<i32>>, ByThread> = BTreeMap::new();
    let mut parsed: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
    let competed = |step: &&Step| step.what == What::Ready && step.ready.competing_ns > 0;
    for step in path.steps.iter().filter(competed) {
        let cpus = step.thread.and_then(|id| affinities.at(id, step.from_ns));
        let cpus = cpus.map(|text| {
            let cpus = parsed.entry(text);
            cpus.or_insert_with(|| affinities::parse(text)).clone()
        });
        let threads = by_cpus.entry(cpus).or_default();
        let spans = threads.entry(step.thread).or_default();
        spans.push((step.from_ns, step.to_ns));
    }
    let contests = by_cpus.into_iter().map(|(cpus, threads)| Contest {
        cpus,
        spans: Spans::new(threads.values().flatten().copied()),
        processes: by_process(facts, &threads),
        threads: threads
            .into_iter()
            .filter_map(|(id, spans)| Some((id?, Spans::new(spans))))
            .collect(),
    });
    let mut contests: Vec<_> = contests.collect();
    contests.sort_by_key(|contest| std::cmp::Reverse(contest.spans.ns()));
    contests.truncate(MOST_CONTESTS);
    let longest = contests.first().and_then(|contest| contest.cpus.as_ref());
    rivals.bound_to = longest.map(affinities::spelled);
    rivals.is_binding_recorded = affinities.is_recorded();
    contests
}

/// Returns when the path was in which process, of the times by thread.
fn by_process(
    facts: &Facts,
    threads: &BTreeMap<Option<ThreadId>, Vec<(i64, i64)>>,
) -> BTreeMap<ProcessId, Spans> {
    let mut times: BTreeMap<ProcessId, Vec<(i64, i64)>> = BTreeMap::new();
    for (thread, spans) in threads {
        if let Some(row) = thread.and_then(|id| facts.thread(id)) {
            times.entry(row.process).or_default().extend(spans);
        }
    }
    let times = times.into_iter();
    times.map(|(id, spans)| (id, Spans::new(spans))).collect()
}

/// Returns all the time of each contest, to cut from.
fn rests(contests: &[Contest]) -> Vec<Rest> {
    let most = MOST_PIECES / contests.len().max(1);
    let spans = contests.iter().map(|contest| contest.spans.clone());
    spans.map(|spans| Rest::new(spans, most)).collect()
}

/// Leaves out of each contest the time in which one of its CPUs was idle; returns how long others
/// were idle in the rest.
fn leave_out_idle(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    contests: &mut [Contest],
) -> Result<i64, QueryError> {
    let is_idle = |process: ProcessId| {
        facts
            .process(process)
            .is_some_and(|row| row.is_kernel != 0 && row.os_pid == 0)
    };
    let idle: Vec<ProcessId> = ProcessId::all()
        .take(facts.processes.len())
        .filter(|&id| is_idle(id))
        .collect();
    let mut scope = Scope::whole(facts);
    scope.threads = facts.threads.iter().map(|t| t.idle_cpu.is_some()).collect();
    scope.chosen = Some(idle);
    scope.window_ns = Some(command.span_ns);
    let mut busy = rests(contests);
    let is_running = |interval: &Interval| interval.state == ThreadState::Running;
    rows::detailed_intervals(view, &scope, |interval| {
        let about = contests.iter().zip(&mut busy);
        let about = about.filter(|(one, _)| is_running(interval) && one.is_about(interval.cpu));
        for (_, busy) in about {
            busy.cut(interval.start_ns, interval.end_ns);
        }
    })?;
    for (contest, busy) in contests.iter_mut().zip(busy) {
        contest.spans = busy.left();
    }
    let mut elsewhere_ns = 0_i64;
    if contests.iter().all(|contest| contest.cpus.is_none()) {
        return Ok(elsewhere_ns);
    }
    rows::detailed_intervals(view, &scope, |interval| {
        let others = contests.iter().filter(|one| !one.is_about(interval.cpu));
        for contest in others.filter(|_| is_running(interval)) {
            let shared = contest.spans.within(interval.start_ns, interval.end_ns);
            elsewhere_ns = elsewhere_ns.saturating_add(shared);
        }
    })?;
    Ok(elsewhere_ns)
}
