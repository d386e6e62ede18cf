//! Waits of one thread or process, by class and by waker.

use whyslow_model::{FastMap, StackId, ThreadId, ThreadState};
use whyslow_results::Value;

use crate::facts::Facts;
use crate::interval::{Interval, Waker};
use crate::stacks::Stacks;
use crate::wait::{ClassId, EndId, Ends, Rules};

/// Returns a number for what ended a wait; threads come first, by id.
fn key(waker: Waker) -> u32 {
    match waker {
        Waker::Thread(id) => id.0.cast_unsigned(),
        Waker::Interrupt | Waker::Softirq(_) => u32::MAX - 1,
        Waker::Unknown => u32::MAX,
    }
}

fn from_key(key: u32) -> Waker {
    match key {
        u32::MAX => Waker::Unknown,
        key if key == u32::MAX - 1 => Waker::Interrupt,
        key => Waker::Thread(ThreadId(key.cast_signed())),
    }
}

/// Returns whether the thread waits in an interval, for whatever reason.
pub(crate) fn is_wait(state: ThreadState) -> bool {
    matches!(
        state,
        ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped
    )
}

/// A wait with what ended it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndedWait {
    pub(crate) interval: Interval,
    pub(crate) end: EndId,
    pub(crate) waker: Waker,
}

/// Waits in order. Each is returned when the next one of its thread is known: only the last wait of
/// a thread may have ended because its process was killed.
#[derive(Debug)]
pub(crate) struct EndedWaits<'a> {
    ends: &'a Ends<'a>,
    stacks: &'a Stacks,
    facts: &'a Facts,
    held: Option<EndedWait>,
}

impl<'a> EndedWaits<'a> {
    pub(crate) fn new(ends: &'a Ends<'a>, stacks: &'a Stacks, facts: &'a Facts) -> Self {
        Self {
            ends,
            stacks,
            facts,
            held: None,
        }
    }

    /// Takes a wait and returns the previous one.
    pub(crate) fn push(&mut self, interval: &Interval) -> Option<EndedWait> {
        let (end, waker) = self.ends.of(self.stacks, interval);
        let same = |held: &EndedWait| held.interval.thread == interval.thread;
        let before = match self.held.as_ref().is_some_and(same) {
            true => self.held.take(),
            false => self.finish(),
        };
        self.held = Some(EndedWait {
            interval: *interval,
            end,
            waker,
        });
        before
    }

    /// Returns the last wait, which is the last one of its thread.
    pub(crate) fn finish(&mut self) -> Option<EndedWait> {
        let mut wait = self.held.take()?;
        let by = (wait.end, wait.waker);
        wait.end = self.ends.or_kill(self.facts, wait.interval.thread, by);
        Some(wait)
    }
}

/// Sums of waits of one class, or of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitSum {
    /// Time waited.
    pub(crate) ns: i64,
    /// How many waits.
    pub(crate) count: i64,
    /// The longest.
    pub(crate) longest_ns: i64,
    /// When the longest began.
    pub(crate) longest_at_ns: i64,
    /// Stack of the longest; `None` if not recorded.
    pub(crate) longest_stack: Option<StackId>,
    wakers: FastMap<u32, i64>,
    ends: FastMap<EndId, i64>,
    objects: FastMap<i32, i64>,
}

impl WaitSum {
    /// Adds a wait.
    pub(crate) fn add(&mut self, wait: &EndedWait) {
        let interval = &wait.interval;
        let ns = interval.ns();
        if self.count == 0 || ns > self.longest_ns {
            self.longest_ns = ns;
            self.longest_at_ns = interval.start_ns;
            self.longest_stack = interval.stack;
        }
        self.ns += ns;
        self.count += 1;
        *self.wakers.entry(key(wait.waker)).or_default() += ns;
        *self.ends.entry(wait.end).or_default() += ns;
        if let Some(object) = interval.object {
            *self.objects.entry(object).or_default() += ns;
        }
    }

    /// Returns the number of the known object that most of the time was waited for.
    pub(crate) fn top_object(&self) -> Option<i32> {
        let most = self.objects.iter();
        let most = most.max_by_key(|&(&object, &ns)| (ns, std::cmp::Reverse(object)));
        most.map(|(&object, _)| object)
    }

    /// Returns the name of what ended most of the time waited; ties go to the one declared first.
    pub(crate) fn ended_by(&self, rules: &Rules) -> Option<String> {
        let most = self.ends.iter();
        let most = most.max_by_key(|&(&end, &ns)| (ns, std::cmp::Reverse(end)));
        most.map(|(&end, _)| rules.end(end).name.clone())
    }

    /// Returns the waker that ended most of the time waited, with that time; ties go to the lowest
    /// id.
    pub(crate) fn top_waker(&self) -> Option<(Waker, i64)> {
        let most = self.wakers.iter();
        let (key, ns) = most.max_by_key(|&(&key, &ns)| (ns, std::cmp::Reverse(key)))?;
        Some((from_key(*key), *ns))
    }

    /// Returns the waker that ended most of the time waited, as text; null if it is not known.
    pub(crate) fn waker(&self, facts: &Facts) -> Value {
        match self.top_waker() {
            Some((Waker::Thread(id), _)) => Value::text(&facts.thread_label(id)),
            Some((Waker::Interrupt | Waker::Softirq(_), _)) => Value::text("interrupt"),
            Some((Waker::Unknown, _)) | None => Value::Null,
        }
    }

    /// Returns the share of the time waited that this waker ended.
    #[expect(clippy::cast_precision_loss, reason = "a share for a person")]
    pub(crate) fn waker_share(&self) -> Value {
        match self.top_waker() {
            Some((Waker::Unknown, _)) | None => Value::Null,
            Some((_, ns)) if self.ns > 0 => Value::Float(100.0 * ns as f64 / self.ns as f64),
            Some(_) => Value::Float(100.0),
        }
    }
}

/// Waits by class.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitsByClass {
    classes: Vec<WaitSum>,
}

impl WaitsByClass {
    /// Returns no waits.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            classes: vec![WaitSum::default(); rules.classes.len()],
        }
    }

    /// Adds a wait of `class`.
    pub(crate) fn add(&mut self, class: ClassId, wait: &EndedWait) {
        self.classes[usize::from(class)].add(wait);
    }

    /// Returns the classes that were waited for, longest time first.
    pub(crate) fn ranked(&self) -> Vec<(ClassId, &WaitSum)> {
        let all = (0..).zip(&self.classes);
        let mut waited: Vec<_> = all.filter(|(_, sum)| sum.count > 0).collect();
        waited.sort_by_key(|&(class, sum)| (std::cmp::Reverse(sum.ns), class));
        waited
    }
}
