//! Waits of one thread or process, by class and by waker.

use whyslow_model::{Named, ThreadState, WakerKind};

use crate::facts::Facts;
use crate::fast_map::FastMap;
use crate::result::Value;
use crate::rows::Interval;
use crate::wait::{ClassId, Rules};

/// Who ended waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Waker {
    /// A thread, by id.
    Thread(i32),
    /// An interrupt.
    Interrupt,
    /// Nothing says who.
    Unknown,
}

impl Waker {
    /// Returns who ended a wait.
    pub(crate) fn of(interval: &Interval) -> Self {
        if interval.waker_kind == WakerKind::Interrupt.code() {
            return Self::Interrupt;
        }
        if interval.waker_thread >= 0 {
            return Self::Thread(interval.waker_thread);
        }
        Self::Unknown
    }

    fn key(self) -> u32 {
        match self {
            Self::Thread(id) => id.cast_unsigned(),
            Self::Interrupt => u32::MAX - 1,
            Self::Unknown => u32::MAX,
        }
    }

    fn from_key(key: u32) -> Self {
        match key {
            u32::MAX => Self::Unknown,
            key if key == u32::MAX - 1 => Self::Interrupt,
            key => Self::Thread(key.cast_signed()),
        }
    }
}

/// Whether an interval is one in which the thread waits (for whatever).
pub(crate) fn is_wait(state: ThreadState) -> bool {
    matches!(
        state,
        ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped
    )
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
    /// Stack of the longest; negative if not recorded.
    pub(crate) longest_stack: i32,
    wakers: FastMap<u32, i64>,
}

impl WaitSum {
    /// Adds a wait.
    pub(crate) fn add(&mut self, interval: &Interval) {
        let ns = interval.ns();
        if self.count == 0 || ns > self.longest_ns {
            self.longest_ns = ns;
            self.longest_at_ns = interval.start_ns;
            self.longest_stack = interval.stack;
        }
        self.ns += ns;
        self.count += 1;
        *self.wakers.entry(Waker::of(interval).key()).or_default() += ns;
    }

    /// Returns who ended most of the time waited, with that time; ties go to the lowest id.
    pub(crate) fn top_waker(&self) -> Option<(Waker, i64)> {
        let most = self.wakers.iter();
        let (key, ns) = most.max_by_key(|&(&key, &ns)| (ns, std::cmp::Reverse(key)))?;
        Some((Waker::from_key(*key), *ns))
    }

    /// Returns who ended most of the time waited, as text; null if nothing says who.
    pub(crate) fn waker(&self, facts: &Facts) -> Value {
        match self.top_waker() {
            Some((Waker::Thread(id), _)) => Value::text(&facts.thread_label(id)),
            Some((Waker::Interrupt, _)) => Value::text("interrupt"),
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
    pub(crate) fn add(&mut self, class: ClassId, interval: &Interval) {
        self.classes[usize::from(class)].add(interval);
    }

    /// Returns the classes that were waited for, by time, the longest first.
    pub(crate) fn ranked(&self) -> Vec<(ClassId, &WaitSum)> {
        let all = (0..).zip(&self.classes);
        let mut waited: Vec<_> = all.filter(|(_, sum)| sum.count > 0).collect();
        waited.sort_by_key(|&(class, sum)| (std::cmp::Reverse(sum.ns), class));
        waited
    }
}
