//! Memory stalls: what a thread that wants memory must do or endure before it gets any.

use whyslow_model::tables::MemoryStallRow;
use whyslow_model::{MemoryStall, Named, ProblemKind, RawRow};

use crate::pairs::Pairs;
use crate::tracker::{NO_THREAD, Scene, Tracker};

/// A stall of a thread begins, ends, or is reported as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryEvent {
    /// The thread.
    pub tid: Option<u32>,
    /// What the thread does, or what is done to it.
    pub kind: MemoryStall,
    /// Begin, end, or the whole stall.
    pub phase: MemoryPhase,
}

/// Whether a stall begins, ends, or is reported as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryPhase {
    /// It begins.
    Begin,
    /// It ends.
    End {
        /// Pages that it freed, if known.
        pages: Option<i64>,
    },
    /// It lasted this long, until now.
    Over {
        /// How long.
        duration_ns: i64,
    },
    /// It is to last this long, from now on.
    Ahead {
        /// How long; 0 means no pause.
        duration_ns: i64,
    },
    /// A process is killed to free its memory.
    Kill {
        /// Its first thread.
        victim: u32,
    },
}

/// The stalls that are under way.
#[derive(Debug)]
pub struct Stalls {
    /// By thread and kind: when they began.
    open: Pairs<(u32, i32), i64>,
    without_begin: u64,
}

impl Tracker for Stalls {
    type Event = MemoryEvent;

    fn new(most_open: u32) -> Self {
        Self {
            open: Pairs::new(most_open),
            without_begin: 0,
        }
    }

    fn event(&mut self, event: &MemoryEvent, scene: &mut dyn Scene) {
        let (thread, ns) = (scene.thread(event.tid), scene.ns());
        let key = (thread, event.kind.code());
        let mut row = RawRow::<MemoryStallRow, _>::new();
        let (start_ns, duration_ns) = match event.phase {
            MemoryPhase::Begin => {
                // A stall that never ended is forgotten: its length is unknown.
                self.open.begin(key, ns);
                return;
            }
            MemoryPhase::End { pages } => {
                let Some(begin_ns) = self.open.end(key) else {
                    self.without_begin += 1;
                    return;
                };
                row.set(MemoryStallRow::pages, pages);
                (begin_ns, Some(ns.saturating_sub(begin_ns)))
            }
            MemoryPhase::Over { duration_ns } => {
                let begin_ns = ns.saturating_sub(duration_ns).max(scene.start_ns());
                (begin_ns, Some(ns.saturating_sub(begin_ns)))
            }
            MemoryPhase::Ahead { duration_ns: 0 } => return,
            MemoryPhase::Ahead { duration_ns } => (ns, Some(duration_ns)),
            MemoryPhase::Kill { victim } => {
                let victim = scene.known_thread(Some(victim));
                if victim != NO_THREAD {
                    row.set_provisional(MemoryStallRow::victim_thread, i64::from(victim));
                }
                (ns, None)
            }
        };
        row.set(MemoryStallRow::kind, event.kind.code());
        row.set(MemoryStallRow::start_ns, start_ns);
        row.set(MemoryStallRow::duration_ns, duration_ns);
        scene.push(thread, &row);
    }

    /// Stalls under way may have ended, and the next end may belong to another one.
    fn loss(&mut self) {
        self.open.take();
    }

    /// How long the stalls under way take is unknown.
    fn end(&mut self, scene: &mut dyn Scene) {
        let open = self.open.take().len();
        let unmatched = self.without_begin + self.open.without_end + open as u64;
        let what = "memory stalls whose beginning or end is not in the trace";
        scene.problem(ProblemKind::UnmatchedEnd, unmatched, what);
        let what = "memory stalls: too many under way at once";
        scene.problem(ProblemKind::LimitReached, self.open.refused, what);
    }
}
