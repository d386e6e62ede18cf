//! `threads`: exactly what every thread did, and what woke it.

mod scheduling;

use whyslow_model::tables::{ProcessRow, ThreadRow};
use whyslow_model::{Capability, StackId, System, ThreadId, ThreadState};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::interval::{Interval, ReadyTime};
use crate::objects::Objects;
use crate::overhead::{Moments, Overhead};
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::stacks::Stacks;
use crate::sums::{Known, notes};
use crate::system_calls::counted_calls;
use crate::view::View;
use crate::wait::{Classes, Ends};
use crate::waits::{EndedWait, EndedWaits, WaitSum, WaitsByClass, is_wait};

use scheduling::Scheduling;

/// The question.
pub(super) static QUESTION: Question = Question {
    name: "threads",
    about: "Threads: exact running, ready and waiting time, and who woke them",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
The states of a thread add up to its lifetime: running, ready, waiting. CPU (precise) is what the
kernel accounts to it, where Whyslow recorded it, and differs by some microseconds per wake-up.

Examples:
  whyslow threads x.whyslow --top 20
  whyslow threads x.whyslow --sort ready            who was kept from running
  whyslow threads x.whyslow --process postgres --from 10s --to +2s
  whyslow threads x.whyslow --wait 1s..";

static TABLE: ResultSchema = ResultSchema::new(
    "threads",
    "What every thread did: running, ready, waiting, and who woke it.",
    "Threads",
    &SHOWN,
)
.largest("cpu");

#[rustfmt::skip]
const COLUMNS: Columns<Row, File> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(2)
        .cell(|row, of| Value::text(of.process(row).map_or("?", |process| process.name.as_str()))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(6)
        .cell(|row, of| Value::int(of.process(row).map(|process| process.os_pid))),
    ResultColumn::new("thread", "thread", "Thread", Kind::Text, "Name of the thread.").priority(0)
        .cell(|row, of| Value::text(of.facts.thread_name(row.thread))),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's thread id.").priority(1)
        .cell(|row, of| Value::int(of.thread(row).map(|thread| thread.os_tid))),
    ResultColumn::new("start", "start_ns", "Start", Kind::Time, "When it started; empty if before the trace.").hidden()
        .cell(|row, of| Value::int(of.thread(row).and_then(|thread| thread.start_ns))),
    ResultColumn::new("end", "end_ns", "End", Kind::Time, "When it ended; empty if it outlived the trace.").hidden()
        .cell(|row, of| Value::int(of.thread(row).and_then(|thread| thread.end_ns))),
    ResultColumn::new("duration", "lifetime_ns", "Lifetime", Kind::Duration, "How long it lived within the trace.").priority(7)
        .cell(|row, of| of.lifetime(row)),
    ResultColumn::new("cpu", "cpu_ns", "CPU (precise)", Kind::Duration, "CPU time, not sampled: as the system accounts it where the recording has that, else the time between coming to a CPU and leaving it.").priority(0).summed()
        .cell(|row, of| Known::value(of.by_switch, row.sum.cpu_ns)),
    ResultColumn::new("running", "running_ns", "Running", Kind::Duration, "Time between coming to a CPU and leaving it; it adds up with the times in other states.").hidden().summed()
        .cell(|row, of| Known::value(of.by_switch, row.sum.running_ns)),
    ResultColumn::new("recording", "recording_ns", "Recording", Kind::Duration, "Of its CPU (precise): time in the recorder's own programs at its switches, wake-ups, system calls and samples. In older recordings it is estimated from their usual time.").hidden().summed()
        .cell(|row, of| of.recording(row)),
    ResultColumn::new("cpu-alone", "cpu_alone_ns", "CPU (alone)", Kind::Duration, "CPU (precise) without the time in the recorder's own programs: about what it takes when nobody records it.").hidden().summed()
        .cell(|row, of| of.alone(row)),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time runnable without a CPU.").priority(1).summed()
        .cell(|row, of| Known::value(of.known.wakeups, row.sum.ready_ns)),
    ResultColumn::new("competing", "competing_ns", "Competing", Kind::Duration, "Of its ready time: every CPU that it may use ran another thread.").priority(5).summed()
        .cell(|row, of| of.ready_part(row, |ready| ready.competing_ns)),
    ResultColumn::new("hand-over", "hand_over_ns", "Hand-over", Kind::Duration, "Of its ready time: its waker kept the CPU that it then got, until the waker slept, or others used that CPU although another one that it may use was idle.").hidden().summed()
        .cell(|row, of| of.ready_part(row, |ready| ready.hand_over_ns)),
    ResultColumn::new("waking", "waking_ns", "Waking", Kind::Duration, "Of its ready time: a CPU that it may use was idle, the latency of the wake-up itself.").hidden().summed()
        .cell(|row, of| of.ready_part(row, |ready| ready.waking_ns)),
    ResultColumn::new("throttled", "throttled_ns", "Throttled", Kind::Duration, "Of its ready time: its group of processes had used up its quota of CPU time.").hidden().summed()
        .cell(|row, of| of.ready_part(row, |ready| ready.throttled_ns)),
    ResultColumn::new("unexplained", "unexplained_ns", "Unexplained", Kind::Duration, "Of its ready time: it is not known what the CPUs that it may use did.").hidden().summed()
        .cell(|row, of| of.unexplained(row)),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time blocked.").priority(1).summed()
        .cell(|row, of| Known::value(of.known.wakeups, row.sum.wait_ns)),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time off the CPU without a record of when the thread became runnable.").hidden().summed()
        .cell(|row, of| Known::value(of.known.switches, row.sum.off_cpu_ns)),
    ResultColumn::new("stopped", "stopped_ns", "Stopped", Kind::Duration, "Time stopped by a signal or a debugger.").hidden().summed()
        .cell(|row, of| Known::value(of.known.switches, row.sum.stopped_ns)),
    ResultColumn::new("unknown", "unknown_ns", "Unknown", Kind::Duration, "Time about which nothing is known.").hidden().summed()
        .cell(|row, of| Known::value(of.by_switch, row.sum.unknown_ns)),
    ResultColumn::new("cpu-sampled", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples.").hidden().summed()
        .cell(|row, of| Known::value(of.known.sampled, row.sum.sampled_ns)),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times it left a CPU.").priority(5).summed()
        .cell(|row, of| Known::value(of.by_switch, row.sum.switches)),
    ResultColumn::new("preempted", "preempted", "Preempted", Kind::Count, "Times it lost the CPU although it was runnable.").hidden().summed()
        .cell(|row, of| Known::value(of.known.switches, row.sum.preempted)),
    ResultColumn::new("nice", "nice", "Nice", Kind::Id, "Its nice value when it last left a CPU: from -20, the highest priority, to 19; empty for real-time priorities and on Windows.").hidden()
        .cell(|row, _| Value::int(row.sum.nice)),
    ResultColumn::new("scheduling", "scheduling", "Scheduling", Kind::Text, "Its scheduling class and nice value at the switches, each change in order: `nice 0, real-time 50, nice 0`. Empty on Windows.").hidden()
        .cell(|row, of| Value::optional(row.sum.scheduling.words().filter(|_| of.is_linux).as_deref())),
    ResultColumn::new("class", "waited_for", "Waited for", Kind::Text, "What it waited for the longest, by the rules for wait stacks.").priority(3).rigid()
        .cell(|row, _| Value::optional(row.class.as_ref().map(|(class, _)| class.as_str()))),
    ResultColumn::new("object", "object", "Object", Kind::Text, "What most of its waiting was for, where known: a path, the address and port of the other end, a child.").hidden()
        .cell(|row, of| Value::optional(row.sum.all.top_object().and_then(|object| of.objects.name(object)).as_deref())),
    ResultColumn::new("holder", "holder", "Held by", Kind::Text, "Who the wait depended on, if known: the holder of the lock when the wait began, the sender of the signal, the program that decides whether the file may be used (fanotify), the tracer, the program that serves the file system, or the process at the other end. A thread for locks in memory, otherwise a process.").hidden()
        .cell(|row, of| Value::optional(row.sum.all.top_object().and_then(|object| of.objects.holder(object, &of.facts)).as_deref())),
    ResultColumn::new("class-share", "waited_for_percent", "Share of waiting", Kind::Percent, "Share of its waiting that was for this.").hidden()
        .cell(class_share),
    ResultColumn::new("ended-by", "ended_by", "Ended by", Kind::Text, "What ended most of its waiting: `thread`, `timeout` (the call's own time was up), `disk`, `network`, `signal` and others.").hidden()
        .cell(|row, _| Value::optional(row.ended_by.as_deref())),
    ResultColumn::new("waker", "waker", "Woken by", Kind::Text, "The thread that ended most of its waiting, or `interrupt`.").priority(4)
        .cell(|row, of| row.sum.all.waker(&of.facts)),
    ResultColumn::new("waker-share", "waker_percent", "Waker's share", Kind::Percent, "Share of its waiting that this waker ended.").priority(4)
        .cell(|row, _| row.sum.all.waker_share()),
    ResultColumn::new("longest", "longest_wait_ns", "Longest wait", Kind::Duration, "The longest single wait.").priority(3)
        .cell(|row, _| Known::value(row.sum.all.count > 0, row.sum.all.longest_ns)),
    ResultColumn::new("longest-at", "longest_wait_at_ns", "Longest at", Kind::Time, "When the longest wait began.").priority(8)
        .cell(|row, _| Known::value(row.sum.all.count > 0, row.sum.all.longest_at_ns)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// A thread.
struct Row {
    thread: ThreadId,
    sum: ThreadSum,
    /// What it waited for longest, and for how long.
    class: Option<(String, i64)>,
    /// What ended most of the time it waited.
    ended_by: Option<String>,
}

impl Row {
    fn new(thread: ThreadId, mut sum: ThreadSum, classes: &Classes<'_>, known: Known) -> Self {
        let by_class = std::mem::take(&mut sum.classes);
        let ranked = by_class.ranked();
        let longest = ranked.first().filter(|_| known.wait_stacks);
        let class = longest.map(|&(class, sum)| (classes.rules.class(class).name.clone(), sum.ns));
        let ended_by = sum.all.ended_by(classes.rules);
        Self {
            thread,
            sum,
            class,
            ended_by,
        }
    }
}

/// What all rows of a file share.
struct File {
    facts: Facts,
    known: Known,
    /// Whether running times are known.
    by_switch: bool,
    objects: Objects,
    /// Whether priorities are counted as Linux does it.
    is_linux: bool,
    overhead: Overhead,
    /// System calls by thread.
    calls: Vec<i64>,
}

impl File {
    fn thread(&self, row: &Row) -> Option<&ThreadRow> {
        self.facts.thread(row.thread)
    }

    fn process(&self, row: &Row) -> Option<&ProcessRow> {
        self.facts.process(self.thread(row)?.process)
    }

    fn ready_part(&self, row: &Row, part: impl Fn(&ReadyTime) -> i64) -> Value {
        let ready = row.sum.ready.as_ref().filter(|_| self.known.wakeups);
        Value::int(ready.map(part))
    }

    fn recording(&self, row: &Row) -> Value {
        Value::int(self.recording_ns(row))
    }

    fn alone(&self, row: &Row) -> Value {
        let ns = self.recording_ns(row);
        Value::int(ns.map(|ns| row.sum.cpu_ns - ns))
    }

    /// Returns how long the recorder's own programs ran on its account.
    fn recording_ns(&self, row: &Row) -> Option<i64> {
        if let Some(ns) = row.sum.recorder_ns.filter(|_| self.by_switch) {
            return Some(ns.min(row.sum.cpu_ns));
        }
        let moments = Moments {
            switches: row.sum.switches,
            // The threads it woke are not counted, so this is how often it was woken.
            wake_ups: row.sum.all.count,
            system_calls: self.calls.get(row.thread.index()).copied().unwrap_or(0),
            samples: row.sum.samples,
        };
        let ns = self.overhead.ns(moments).min(row.sum.cpu_ns);
        (self.by_switch && self.overhead.is_known()).then_some(ns)
    }

    fn unexplained(&self, row: &Row) -> Value {
        let ready = row.sum.ready.unwrap_or_default();
        Known::value(self.known.wakeups, row.sum.ready_ns - ready.explained_ns())
    }

    fn lifetime(&self, row: &Row) -> Value {
        let thread = self.thread(row);
        let (start, end) = thread.map_or((None, None), |thread| (thread.start_ns, thread.end_ns));
        Value::Int(self.facts.lifetime_ns(start, end))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn class_share(row: &Row, _: &File) -> Value {
    match (&row.class, row.sum.all.ns) {
        (None, _) | (_, 0) => Value::Null,
        (Some((_, ns)), all) => Value::Float(100.0 * *ns as f64 / all as f64),
    }
}

/// What one thread did.
#[derive(Debug, Clone)]
struct ThreadSum {
    cpu_ns: i64,
    /// Of that: the recorder's own programs, where that was measured.
    recorder_ns: Option<i64>,
    running_ns: i64,
    ready_ns: i64,
    /// The split of the ready time, if any of it is known.
    ready: Option<ReadyTime>,
    wait_ns: i64,
    off_cpu_ns: i64,
    stopped_ns: i64,
    unknown_ns: i64,
    sampled_ns: i64,
    samples: i64,
    switches: i64,
    preempted: i64,
    /// Nice value at the last switch.
    nice: Option<i32>,
    scheduling: Scheduling,
    all: WaitSum,
    classes: WaitsByClass,
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    threads(views, request.selection)
}

/// Lists threads.
fn threads(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &TABLE, |view, facts| {
        read(view, facts, selection)
    })
}

fn read(view: View<'_>, facts: Facts, selection: &Selection) -> Result<Read, QueryError> {
    if facts.threads.is_empty() && !facts.has(Capability::Switches) {
        return Ok(Read::lacks(&facts, Capability::Switches));
    }
    let scope = Scope::new(view, &facts, selection)?;
    let stacks = Stacks::read(view)?;
    let classes = Classes::new(&stacks, selection.rules());
    let methods = selection.functions.as_ref();
    let mask = methods.filter(|pattern| !pattern.matches_everything());
    let mask = mask.map(|pattern| stacks.tree.with_function(&stacks.matching(pattern)));
    let counts = |stack: Option<StackId>| {
        let mask = mask.as_ref();
        mask.is_none_or(|mask| mask[stacks.tree.node(stack) as usize])
    };
    let sampled = sampled(view, &facts, &scope, counts)?;
    let known = Known::new(&facts);
    let mut rows: Vec<Option<Row>> = Vec::new();
    rows.resize_with(facts.threads.len(), || None);
    let mut current: Option<(ThreadId, ThreadSum)> = None;
    let finish = |current: Option<(ThreadId, ThreadSum)>, rows: &mut Vec<Option<Row>>| {
        if let Some((thread, sum)) = current
            && let Some(slot) = rows.get_mut(thread.index())
        {
            *slot = Some(Row::new(thread, sum, &classes, known));
        }
    };
    let ends = Ends::new(&stacks, classes.rules);
    let mut ended = EndedWaits::new(&ends, &stacks, &facts);
    let last = |current: &mut Option<(ThreadId, ThreadSum)>, wait: Option<EndedWait>| {
        if let (Some((_, sum)), Some(wait)) = (current, wait) {
            sum.waited(&classes, &stacks, &wait);
        }
    };
    rows::detailed_intervals(view, &scope, |interval| {
        if current
            .as_ref()
            .is_none_or(|(thread, _)| *thread != interval.thread)
        {
            last(&mut current, ended.finish());
            finish(current.take(), &mut rows);
        }
        let (_, sum) = current.get_or_insert_with(|| {
            let sampled = sampled.get(interval.thread.index()).copied();
            (
                interval.thread,
                ThreadSum::new(&classes, sampled.unwrap_or_default()),
            )
        });
        if mask.is_none() || (interval.state != ThreadState::Running && counts(interval.stack)) {
            sum.add(interval);
            if is_wait(interval.state)
                && let Some(wait) = ended.push(interval)
            {
                sum.waited(&classes, &stacks, &wait);
            }
        }
    })?;
    last(&mut current, ended.finish());
    finish(current.take(), &mut rows);
    // Threads that were only sampled, or only named.
    for (id, slot) in ThreadId::all().zip(&mut rows) {
        if slot.is_none() && scope.thread(id) {
            let sampled = sampled.get(id.index()).copied();
            let sum = ThreadSum::new(&classes, sampled.unwrap_or_default());
            *slot = Some(Row::new(id, sum, &classes, known));
        }
    }
    let notes = what_is_missing(&facts, mask.is_some());
    let rows = rows.into_iter().flatten().collect();
    let by_switch = known.switches && mask.is_none();
    let os = facts.trace.as_ref().and_then(|trace| trace.os.as_deref());
    let is_linux = System::of(os) == System::Linux;
    let file = File {
        overhead: Overhead::read(view)?,
        calls: calls(view, &facts, &scope)?,
        facts,
        known,
        by_switch,
        objects: Objects::read(view)?,
        is_linux,
    };
    Ok(Read::rows(COLUMNS, rows, file, notes))
}

/// Returns how many system calls every thread made.
fn calls(view: View<'_>, facts: &Facts, scope: &Scope) -> Result<Vec<i64>, QueryError> {
    let mut calls = vec![0_i64; facts.threads.len()];
    if facts.has(Capability::SystemCalls) {
        counted_calls(view, scope, |counted| {
            if let Some(sum) = calls.get_mut(counted.thread.index()) {
                *sum = sum.saturating_add(counted.sum.count);
            }
        })?;
    }
    Ok(calls)
}

/// Returns every thread's CPU time in samples whose stack counts, and the number of these samples.
fn sampled(
    view: View<'_>,
    facts: &Facts,
    scope: &Scope,
    counts: impl Fn(Option<StackId>) -> bool,
) -> Result<Vec<(i64, i64)>, QueryError> {
    let mut sampled = vec![(0_i64, 0_i64); facts.threads.len()];
    rows::samples(view, scope, |sample| {
        let sum = sampled.get_mut(sample.thread.index());
        if let Some((sum_ns, count)) = sum.filter(|_| counts(sample.stack)) {
            *sum_ns += sample.weight_ns;
            *count += 1;
        }
    })?;
    Ok(sampled)
}

/// Returns notes on the rows.
fn what_is_missing(facts: &Facts, by_function: bool) -> Vec<Note> {
    let mut notes = notes(facts);
    if !facts.has(Capability::Switches) {
        let text = "context switches are not recorded: no times of running, waiting and ready";
        notes.push(Note::warning(Some(&facts.name), text));
    }
    if by_function {
        let text = "with --functions only time off the CPU and samples count: nothing says on which \
                    stack a thread was running between samples";
        notes.push(Note::info(text));
    }
    notes
}

impl ThreadSum {
    fn new(classes: &Classes<'_>, (sampled_ns, samples): (i64, i64)) -> Self {
        Self {
            cpu_ns: 0,
            recorder_ns: None,
            running_ns: 0,
            ready_ns: 0,
            ready: None,
            wait_ns: 0,
            off_cpu_ns: 0,
            stopped_ns: 0,
            unknown_ns: 0,
            sampled_ns,
            samples,
            switches: 0,
            preempted: 0,
            nice: None,
            scheduling: Scheduling::default(),
            all: WaitSum::default(),
            classes: WaitsByClass::new(classes.rules),
        }
    }

    fn add(&mut self, interval: &Interval) {
        let ns = interval.ns();
        match interval.state {
            ThreadState::Running => {
                self.running_ns += ns;
                self.cpu_ns += interval.cpu_ns;
                let sums = [self.recorder_ns, interval.recorder_ns]
                    .into_iter()
                    .flatten();
                self.recorder_ns = sums.reduce(i64::saturating_add);
            }
            ThreadState::Ready => {
                self.ready_ns += ns;
                let sums = [self.ready, interval.ready].into_iter().flatten();
                self.ready = sums.reduce(ReadyTime::and);
            }
            ThreadState::Waiting => self.wait_ns += ns,
            ThreadState::OffCpu => self.off_cpu_ns += ns,
            ThreadState::Stopped => self.stopped_ns += ns,
            ThreadState::Unknown => self.unknown_ns += ns,
        }
        self.switches += i64::from(interval.ends_running());
        self.nice = interval.nice().or(self.nice);
        self.scheduling.add(interval);
        let ready = interval.state == ThreadState::Ready;
        self.preempted += i64::from(ready && interval.is_switch_out());
    }

    fn waited(&mut self, classes: &Classes<'_>, stacks: &Stacks, wait: &EndedWait) {
        self.all.add(wait);
        self.classes.add(classes.of(stacks, &wait.interval), wait);
    }
}
