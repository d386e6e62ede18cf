//! `threads`: what every thread did, exactly, and who woke it.

use whyslow_model::{Capability, StackId, ThreadId, ThreadState};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::{Kind, Note, Order, Outcome, ResultColumn, Value};
use crate::rows::{self, Interval};
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Shape};
use crate::stacks::Stacks;
use crate::sums::{Known, notes};
use crate::wait::Classes;
use crate::waits::{WaitSum, WaitsByClass, is_wait};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(2),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(6),
    ResultColumn::new("thread", "thread", "Thread", Kind::Text, "Name of the thread.").priority(0),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's thread id.").priority(1),
    ResultColumn::new("start", "start_ns", "Start", Kind::Time, "When it started; empty if before the trace.").hidden(),
    ResultColumn::new("end", "end_ns", "End", Kind::Time, "When it ended; empty if it outlived the trace.").hidden(),
    ResultColumn::new("duration", "lifetime_ns", "Lifetime", Kind::Duration, "How long it lived within the trace.").priority(7),
    ResultColumn::new("cpu", "running_ns", "CPU (precise)", Kind::Duration, "Time on a CPU.").priority(0).summed(),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time runnable without a CPU.").priority(1).summed(),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time blocked.").priority(1).summed(),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time off the CPU of which nothing says when the thread became runnable.").hidden().summed(),
    ResultColumn::new("stopped", "stopped_ns", "Stopped", Kind::Duration, "Time stopped by a signal or a debugger.").hidden().summed(),
    ResultColumn::new("unknown", "unknown_ns", "Unknown", Kind::Duration, "Time that nothing tells about.").hidden().summed(),
    ResultColumn::new("cpu-sampled", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples.").hidden().summed(),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times it left a CPU.").priority(5).summed(),
    ResultColumn::new("preempted", "preempted", "Preempted", Kind::Count, "Times it lost the CPU although it was runnable.").hidden().summed(),
    ResultColumn::new("class", "waited_for", "Waited for", Kind::Text, "What it waited for the longest, by the rules for wait stacks.").priority(3).rigid(),
    ResultColumn::new("class-share", "waited_for_percent", "of it", Kind::Percent, "Share of its waiting that was for this.").hidden(),
    ResultColumn::new("waker", "waker", "Woken by", Kind::Text, "The thread that ended most of its waiting, or `interrupt`.").priority(4),
    ResultColumn::new("waker-share", "waker_percent", "of it", Kind::Percent, "Share of its waiting that this waker ended.").priority(4),
    ResultColumn::new("longest", "longest_wait_ns", "Longest wait", Kind::Duration, "The longest single wait.").priority(3),
    ResultColumn::new("longest-at", "longest_wait_at_ns", "Longest at", Kind::Time, "When the longest wait began.").priority(8),
];

static SHAPE: Shape = Shape {
    question: "threads",
    title: "Threads",
    columns: COLUMNS,
    tree: None,
    order: Some(("cpu", Order::Descending)),
    top_order: None,
    swap: &[],
};

/// What one thread did.
#[derive(Debug, Clone)]
struct ThreadSum {
    running_ns: i64,
    ready_ns: i64,
    wait_ns: i64,
    off_cpu_ns: i64,
    stopped_ns: i64,
    unknown_ns: i64,
    sampled_ns: i64,
    switches: i64,
    preempted: i64,
    all: WaitSum,
    classes: WaitsByClass,
}

/// Lists threads.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn threads(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &SHAPE, |view, facts| {
        read(view, facts, selection)
    })
}

fn read(view: View<'_>, facts: &Facts, selection: &Selection) -> Result<Read, QueryError> {
    if facts.threads.is_empty() && !facts.has(Capability::Switches) {
        return Ok(Read::NotRecorded(Capability::Switches));
    }
    let scope = Scope::new(facts, selection)?;
    let stacks = Stacks::read(view)?;
    let classes = Classes::new(&stacks, selection.rules());
    let methods = selection.methods.as_ref();
    let mask = methods.filter(|pattern| !pattern.matches_everything());
    let mask = mask.map(|pattern| stacks.tree.with_function(&stacks.matching(pattern)));
    let counts = |stack: Option<StackId>| {
        let mask = mask.as_ref();
        mask.is_none_or(|mask| mask[stacks.tree.node(stack) as usize])
    };
    let mut sampled = vec![0_i64; facts.threads.len()];
    rows::samples(view, &scope, |sample| {
        let sum = sampled.get_mut(sample.thread.index());
        if let Some(sum) = sum.filter(|_| counts(sample.stack)) {
            *sum += sample.weight_ns;
        }
    })?;
    let mut rows = vec![None; facts.threads.len()];
    let mut current: Option<(ThreadId, ThreadSum)> = None;
    let finish = |current: Option<(ThreadId, ThreadSum)>, rows: &mut Vec<Option<Vec<Value>>>| {
        if let Some((thread, sum)) = current
            && let Some(slot) = rows.get_mut(thread.index())
        {
            *slot = Some(row(facts, &classes, thread, &sum, mask.is_some()));
        }
    };
    rows::intervals(view, &scope, |interval| {
        if current
            .as_ref()
            .is_none_or(|(thread, _)| *thread != interval.thread)
        {
            finish(current.take(), &mut rows);
        }
        let (_, sum) = current.get_or_insert_with(|| {
            let sampled_ns = sampled.get(interval.thread.index()).copied().unwrap_or(0);
            (interval.thread, ThreadSum::new(&classes, sampled_ns))
        });
        if mask.is_none() || (interval.state != ThreadState::Running && counts(interval.stack)) {
            sum.add(&classes, &stacks, interval);
        }
    })?;
    finish(current.take(), &mut rows);
    // Threads that were only sampled, or only named.
    for (id, slot) in ThreadId::all().zip(&mut rows) {
        if slot.is_none() && scope.thread(id) {
            let sampled_ns = sampled.get(id.index()).copied().unwrap_or(0);
            let sum = ThreadSum::new(&classes, sampled_ns);
            *slot = Some(row(facts, &classes, id, &sum, mask.is_some()));
        }
    }
    let mut notes = notes(facts);
    if !facts.has(Capability::Switches) {
        let text = "context switches are not recorded: no times of running, waiting and ready";
        notes.push(Note::warning(Some(&facts.name), text));
    }
    if mask.is_some() {
        let text = "with --methods only time off the CPU and samples count: nothing says on which \
                    stack a thread was running between samples";
        notes.push(Note::info(text));
    }
    let rows = rows.into_iter().flatten().collect();
    Ok(Read::Part(Part::list(rows, notes)))
}

impl ThreadSum {
    fn new(classes: &Classes<'_>, sampled_ns: i64) -> Self {
        Self {
            running_ns: 0,
            ready_ns: 0,
            wait_ns: 0,
            off_cpu_ns: 0,
            stopped_ns: 0,
            unknown_ns: 0,
            sampled_ns,
            switches: 0,
            preempted: 0,
            all: WaitSum::default(),
            classes: WaitsByClass::new(classes.rules),
        }
    }

    fn add(&mut self, classes: &Classes<'_>, stacks: &Stacks, interval: &Interval) {
        let ns = interval.ns();
        match interval.state {
            ThreadState::Running => self.running_ns += ns,
            ThreadState::Ready => self.ready_ns += ns,
            ThreadState::Waiting => self.wait_ns += ns,
            ThreadState::OffCpu => self.off_cpu_ns += ns,
            ThreadState::Stopped => self.stopped_ns += ns,
            ThreadState::Unknown => self.unknown_ns += ns,
        }
        self.switches += i64::from(interval.ends_running());
        let ready = interval.state == ThreadState::Ready;
        self.preempted += i64::from(ready && interval.is_switch_out());
        if is_wait(interval.state) {
            self.all.add(interval);
            self.classes.add(classes.of(stacks, interval), interval);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn row(
    facts: &Facts,
    classes: &Classes<'_>,
    thread: ThreadId,
    sum: &ThreadSum,
    by_stack: bool,
) -> Vec<Value> {
    let known = Known::new(facts);
    let row = facts.thread(thread);
    let process = row.and_then(|row| facts.process(row.process));
    let top = sum
        .classes
        .ranked()
        .first()
        .map(|&(class, sum)| (class, sum.ns));
    let top = top.filter(|_| known.wait_stacks);
    let share = |ns: i64| match sum.all.ns {
        0 => Value::Null,
        all => Value::Float(100.0 * ns as f64 / all as f64),
    };
    let (waker, waker_share) = super::waits::waker(facts, &sum.all);
    let waited = sum.all.count > 0;
    let by_switch = known.switches && !by_stack;
    let (start, end) = row.map_or((None, None), |row| (row.start_ns, row.end_ns));
    vec![
        Value::text(process.map_or("?", |process| process.name.as_str())),
        Value::int(process.map(|process| process.os_pid)),
        Value::text(facts.thread_name(thread)),
        Value::int(row.map(|row| row.os_tid)),
        Value::int(start),
        Value::int(end),
        Value::Int(facts.lifetime_ns(start, end)),
        Known::value(by_switch, sum.running_ns),
        Known::value(known.wakeups, sum.ready_ns),
        Known::value(known.wakeups, sum.wait_ns),
        Known::value(known.switches, sum.off_cpu_ns),
        Known::value(known.switches, sum.stopped_ns),
        Known::value(by_switch, sum.unknown_ns),
        Known::value(known.sampled, sum.sampled_ns),
        Known::value(by_switch, sum.switches),
        Known::value(known.switches, sum.preempted),
        top.map_or(Value::Null, |(class, _)| {
            Value::text(&classes.rules.class(class).name)
        }),
        top.map_or(Value::Null, |(_, ns)| share(ns)),
        waker,
        waker_share,
        Known::value(waited, sum.all.longest_ns),
        Known::value(waited, sum.all.longest_at_ns),
    ]
}
