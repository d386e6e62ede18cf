//! The measuring loop: one operation after the other, every one timed and kept.
//!
//! ```text
//! time:   t0      t1      t2      t3
//! work:   │ op 0  │ op 1  │ op 2  │     one reading of the clock per operation: the end of one
//! ```                                    is the start of the next
//!
//! Between two readings lie the operation's system calls, writing 24 bytes into memory that was
//! touched before, and a look at two flags. An operation that must prepare something has a second
//! reading after that.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::io::Errno;

use crate::clock::now_ns;
use whyslow_law::order::median_u64;
use whyslow_series::{Ending, Measured};

/// What is measured.
pub trait Operation {
    /// Does it for the time `at`, which counts from 0; returns its count of what its case counts
    /// (probes, entries, system calls), or 0.
    ///
    /// # Errors
    /// When the system refuses; the series ends with that.
    fn run(&mut self, at: u64) -> Result<u32, Errno>;

    /// Prepares [`Operation::run`] for `at`, as long as `go_on` says so; returns whether it is ready.
    /// That is not timed. Only called if [`Operation::prepares`].
    ///
    /// # Errors
    /// When the system refuses; the series ends before `at`.
    fn prepare(&mut self, _at: u64, _go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        Ok(true)
    }

    /// Returns whether there is something to prepare.
    fn prepares(&self) -> bool {
        false
    }
}

/// How many operations, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most operations.
    pub count: u64,
    /// The most time.
    pub budget: Duration,
}

/// What an operation returns that was not done as there is nothing left to do: it is not kept, and the
/// series is done.
pub(crate) const NOTHING_LEFT: Errno = Errno::CANCELED;

/// What an operation returns that was given up as its time was over: it is not kept, and the series ends
/// with the budget, or as the user stopped it.
pub(crate) const NO_TIME: Errno = Errno::TIME;

/// Measures `operation`; `log` is emptied and takes what was measured. Whoever begins together with
/// others brings a log that has its memory.
pub fn measure(
    operation: &mut dyn Operation,
    limits: Limits,
    stop: &AtomicBool,
    log: &mut Vec<Measured>,
) -> Ending {
    touch(log, limits.count);
    log.clear();
    let prepares = operation.prepares();
    let budget = u64::try_from(limits.budget.as_nanos()).unwrap_or(u64::MAX);
    let mut start_ns = now_ns();
    let deadline = start_ns.saturating_add(budget);
    for at in 0..limits.count {
        if prepares {
            match operation.prepare(at, &|| !stop.load(Ordering::Relaxed) && now_ns() < deadline) {
                Ok(true) => start_ns = now_ns(),
                Ok(false) if stop.load(Ordering::Relaxed) => return Ending::Interrupted,
                Ok(false) => return Ending::Budget,
                Err(NO_TIME) if stop.load(Ordering::Relaxed) => return Ending::Interrupted,
                Err(errno) => return Ending::Failed(errno.raw_os_error()),
            }
        }
        let outcome = operation.run(at);
        let end = now_ns();
        let (count, result) = match outcome {
            Ok(count) => (count, 0),
            Err(NOTHING_LEFT) => return Ending::Done,
            Err(NO_TIME) if stop.load(Ordering::Relaxed) => return Ending::Interrupted,
            Err(NO_TIME) => return Ending::Budget,
            Err(errno) => (0, errno.raw_os_error()),
        };
        log.push(Measured {
            start_ns,
            duration_ns: end - start_ns,
            result,
            count,
        });
        start_ns = end;
        // Ctrl-C also reaches what was started: it has not failed then.
        if stop.load(Ordering::Relaxed) {
            return Ending::Interrupted;
        }
        if result != 0 {
            return Ending::Failed(result);
        }
        if end >= deadline && at + 1 < limits.count {
            return Ending::Budget;
        }
    }
    Ending::Done
}

/// An operation that does nothing.
struct Nothing;

impl Operation for Nothing {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        Ok(0)
    }
}

/// Operations that [`own_ns`] measures.
const FOR_OWN: u64 = 20_000;

/// Returns what measuring adds to every operation, in nanoseconds: the median over operations that do
/// nothing. It takes about a millisecond.
pub fn own_ns() -> u64 {
    let mut nothing = Nothing;
    let limits = Limits {
        count: FOR_OWN,
        budget: Duration::from_millis(100),
    };
    let mut log = Vec::new();
    measure(
        black_box(&mut nothing),
        limits,
        &AtomicBool::new(false),
        &mut log,
    );
    let durations: Vec<u64> = log.iter().map(|one| one.duration_ns).collect();
    median_u64(&durations)
}

/// Most operations whose memory is touched beforehand: what comes later pays for its pages.
const TOUCHED: u64 = 8_000_000;

/// Returns a log with room for `count` operations.
pub(crate) fn room(count: u64) -> Vec<Measured> {
    let mut log = Vec::new();
    touch(&mut log, count);
    log
}

/// Touches the memory of a `log` that has none yet, so that no operation pays for a page of it.
fn touch(log: &mut Vec<Measured>, count: u64) {
    if log.capacity() > 0 {
        return;
    }
    let room = usize::try_from(count.min(TOUCHED)).unwrap_or(0);
    let empty = Measured {
        start_ns: 0,
        duration_ns: 0,
        result: 0,
        count: 1,
    };
    log.resize(room, empty);
    log.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting {
        fails_at: u64,
        stops_at: u64,
        slow_at: u64,
        stop: AtomicBool,
        prepared: u64,
    }

    impl Operation for (&mut Counting, &AtomicBool) {
        fn run(&mut self, at: u64) -> Result<u32, Errno> {
            self.1.store(at == self.0.stops_at, Ordering::Relaxed);
            if at == self.0.fails_at {
                return Err(Errno::NOSPC);
            }
            Ok(7)
        }

        fn prepare(&mut self, at: u64, go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
            self.0.prepared = at + 1;
            Ok(at < self.0.slow_at || go_on())
        }

        fn prepares(&self) -> bool {
            true
        }
    }

    fn ran(fails_at: u64, stops_at: u64, budget: Duration) -> (Ending, Vec<Measured>, u64) {
        let mut counting = Counting {
            fails_at,
            stops_at,
            slow_at: if budget.is_zero() { 1 } else { 30 },
            stop: AtomicBool::new(false),
            prepared: 0,
        };
        let stop = std::mem::take(&mut counting.stop);
        let mut log = Vec::new();
        let limits = Limits { count: 50, budget };
        let ending = measure(&mut (&mut counting, &stop), limits, &stop, &mut log);
        (ending, log, counting.prepared)
    }

    #[test]
    fn every_operation_is_kept_also_the_one_that_failed() {
        let hour = Duration::from_secs(3600);
        let (ending, log, prepared) = ran(99, 99, hour);
        assert_eq!((ending, log.len(), prepared), (Ending::Done, 50, 50));
        assert!(log.iter().all(|one| one.count == 7 && one.result == 0));
        assert!(
            log.windows(2)
                .all(|two| two[0].start_ns + two[0].duration_ns <= two[1].start_ns)
        );
        let (ending, log, _) = ran(9, 99, hour);
        let errno = Errno::NOSPC.raw_os_error();
        assert_eq!((ending, log.len()), (Ending::Failed(errno), 10));
        assert_eq!(log.last().map(|one| one.result), Some(errno));
    }

    #[test]
    fn the_user_and_the_budget_end_it_after_an_operation() {
        let (ending, log, _) = ran(99, 20, Duration::from_secs(3600));
        assert_eq!((ending, log.len()), (Ending::Interrupted, 21));
        let (ending, log, _) = ran(99, 99, Duration::ZERO);
        assert_eq!((ending, log.len()), (Ending::Budget, 1));
    }

    #[test]
    fn what_was_not_done_is_not_kept_and_room_is_made_once() {
        let mut log = room(50);
        let memory = log.as_ptr();
        let stop = AtomicBool::new(false);
        let limits = Limits {
            count: 50,
            budget: Duration::from_secs(3600),
        };
        let mut few = Few(7, NOTHING_LEFT, &stop);
        assert_eq!(measure(&mut few, limits, &stop, &mut log), Ending::Done);
        assert_eq!((log.len(), log.as_ptr()), (7, memory));
        let mut none = Few(0, NO_TIME, &stop);
        assert_eq!(measure(&mut none, limits, &stop, &mut log), Ending::Budget);
        assert_eq!(log, []);
    }

    #[test]
    fn what_ctrl_c_ends_has_not_failed() {
        let (stop, mut log) = (AtomicBool::new(false), Vec::new());
        let limits = Limits {
            count: 50,
            budget: Duration::from_secs(3600),
        };
        let mut struck = Few(100, NO_TIME, &stop);
        let ending = measure(&mut struck, limits, &stop, &mut log);
        assert_eq!((ending, log.len()), (Ending::Interrupted, 10));
        let mut given_up = Few(0, NO_TIME, &stop);
        let ending = measure(&mut given_up, limits, &stop, &mut log);
        assert_eq!((ending, log.len()), (Ending::Interrupted, 0));
    }

    /// So many are done, then this is returned; the tenth is ended by Ctrl-C.
    struct Few<'a>(u64, Errno, &'a AtomicBool);

    impl Operation for Few<'_> {
        fn run(&mut self, at: u64) -> Result<u32, Errno> {
            match at {
                _ if at == self.0 => Err(self.1),
                9 => {
                    self.2.store(true, Ordering::Relaxed);
                    Err(Errno::CHILD)
                }
                _ => Ok(1),
            }
        }
    }

    #[test]
    fn preparing_ends_with_the_budget() {
        let mut counting = Counting {
            fails_at: 99,
            stops_at: 99,
            slow_at: 0,
            stop: AtomicBool::new(false),
            prepared: 0,
        };
        let (stop, mut log) = (AtomicBool::new(false), Vec::new());
        let limits = Limits {
            count: 50,
            budget: Duration::ZERO,
        };
        let ending = measure(&mut (&mut counting, &stop), limits, &stop, &mut log);
        assert_eq!(
            (ending, log.len(), counting.prepared),
            (Ending::Budget, 0, 1)
        );
    }
}
