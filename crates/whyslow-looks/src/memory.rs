//! How much memory processes have, again and again.
//!
//! A look at a process costs two or three microseconds (`statm`); only where that says that something has changed, a
//! second look says what (`status`). How often all are looked at depends on how long that takes.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use whyslow_proc::memory::{self, ProcessMemory};
use whyslow_proc::processes::{own_cpu_ns, processes, thread_stat};

/// How often it looks at most, and at least.
const EVERY: Duration = Duration::from_millis(200);
const AT_LEAST_EVERY: Duration = Duration::from_secs(10);

/// Looking takes at most one in this many parts of the time of a CPU.
const PART: u32 = 200;

/// A smaller change is none: the kernel itself counts no more exactly on some systems. A change is also none if it is
/// smaller than one in so many parts of what there was.
const LEAST_CHANGE: u64 = 64 << 10;
const LEAST_PART: u64 = 256;

/// How many parents of a process are asked for.
const MOST_DEPTH: usize = 64;

/// Readings that wait to be taken.
const MOST_WAITING: usize = 1 << 15;

/// How much memory a process had at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryReading {
    /// When it was read, on the clock of the caller.
    pub time_ns: u64,
    /// The process.
    pub pid: u32,
    /// What it had; the peak is that since it began to execute its program.
    pub memory: ProcessMemory,
    /// It is from the first look at all processes: the peak was before.
    pub is_first: bool,
}

/// What [`MemorySampler`] has read and nobody has taken yet.
#[derive(Debug)]
pub struct MemoryReadings {
    readings: Receiver<MemoryReading>,
    lost: Arc<AtomicU64>,
}

impl MemoryReadings {
    /// Returns the next one, if there is one.
    pub fn next_reading(&self) -> Option<MemoryReading> {
        self.readings.try_recv().ok()
    }

    /// Returns how many were left out because too many waited.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// Looks at the memory of processes until it is told to stop.
#[derive(Debug)]
pub struct MemorySampler {
    /// Dropped to stop it.
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl MemorySampler {
    /// Looks at all processes, or at one and those that it starts, from now on. `now_ns` tells the time.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub fn start(only: Option<u32>, now_ns: fn() -> u64) -> io::Result<(Self, MemoryReadings)> {
        let (stop, stopped) = channel();
        let (sender, readings) = sync_channel(MOST_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let mut looks = Looks {
            only,
            now_ns,
            known: HashMap::new(),
            round: 0,
            sender,
            lost: Arc::clone(&lost),
        };
        let thread = Builder::new()
            .name("whyslow-memory".to_owned())
            .spawn(move || looks.run(&stopped))?;
        Ok((Self { stop, thread }, MemoryReadings { readings, lost }))
    }

    /// Looks a last time, at the peaks too, and stops.
    pub fn finish(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}

/// A process that was there at the last look.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The look that saw it last.
    round: u64,
    /// Whether it is one of those that are looked at.
    is_wanted: bool,
    /// What was resident as it was last passed on; 0 for what has no memory of its own.
    resident: u64,
    /// The peak at the first look, if that was the first of all.
    before: Option<u64>,
}

struct Looks {
    only: Option<u32>,
    now_ns: fn() -> u64,
    known: HashMap<u32, Known>,
    round: u64,
    sender: SyncSender<MemoryReading>,
    lost: Arc<AtomicU64>,
}

impl Looks {
    fn run(&mut self, stopped: &Receiver<()>) {
        self.look(false);
        let mut pause = EVERY;
        while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            let began_ns = own_cpu_ns();
            self.look(false);
            let took = Duration::from_nanos(own_cpu_ns().saturating_sub(began_ns));
            pause = (took * PART).clamp(EVERY, AT_LEAST_EVERY);
        }
        self.look(true);
    }

    fn look(&mut self, is_last: bool) {
        self.round += 1;
        for pid in processes() {
            let known = self.known.get(&pid).copied();
            let mut known = known.unwrap_or_else(|| Known {
                round: 0,
                is_wanted: self.is_wanted(pid),
                resident: 0,
                before: None,
            });
            known.round = self.round;
            if known.is_wanted {
                self.look_at(pid, &mut known, is_last);
            }
            self.known.insert(pid, known);
        }
        let round = self.round;
        self.known.retain(|_, known| known.round == round);
    }

    /// Whether a process that was not there before is looked at.
    fn is_wanted(&self, pid: u32) -> bool {
        let Some(only) = self.only else {
            return true;
        };
        let parent = |pid: &u32| thread_stat(*pid, *pid).map(|stat| stat.parent_pid);
        let mut line = std::iter::successors(Some(pid), parent).take(MOST_DEPTH);
        let is_known = |pid: &u32| self.known.get(pid).is_some_and(|known| known.is_wanted);
        line.any(|pid| pid == only || is_known(&pid))
    }

    fn look_at(&self, pid: u32, known: &mut Known, is_last: bool) {
        let Some(resident) = memory::resident(pid) else {
            return;
        };
        let least = LEAST_CHANGE.max(known.resident / LEAST_PART);
        let has_changed = resident.abs_diff(known.resident) >= least;
        if resident == 0 || !(is_last || has_changed) {
            return;
        }
        let time_ns = (self.now_ns)();
        let Some(mut memory) = memory::of_process(pid) else {
            return;
        };
        let is_first = self.round == 1;
        if is_first {
            known.before = memory.peak;
        } else if !is_last || memory.peak == known.before {
            memory.peak = None;
        }
        // Of two looks, the one that compares counts.
        known.resident = resident;
        let reading = MemoryReading {
            time_ns,
            pid,
            memory,
            is_first,
        };
        if self.sender.try_send(reading).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(only: Option<u32>, meanwhile: impl FnOnce(&MemoryReadings)) -> Vec<MemoryReading> {
        let (sampler, readings) = MemorySampler::start(only, || 7).unwrap();
        meanwhile(&readings);
        sampler.finish();
        assert_eq!(readings.lost(), 0);
        std::iter::from_fn(|| readings.next_reading()).collect()
    }

    #[test]
    fn every_process_is_read_first_and_last() {
        let own = std::process::id();
        let all = read(None, |_| {});
        let of_own: Vec<_> = all.iter().filter(|reading| reading.pid == own).collect();
        let [first, .., last] = of_own.as_slice() else {
            panic!("{of_own:?}");
        };
        assert!(first.is_first && !last.is_first);
        assert!(first.memory.resident > 0 && first.time_ns == 7);
        // Kernel threads, too, are processes.
        assert!(all.iter().all(|reading| reading.memory.resident > 0));
    }

    #[test]
    fn one_process_and_those_that_it_starts_can_be_read_alone() {
        let own = std::process::id();
        let mut child = std::process::Command::new("sleep")
            .arg("600")
            .spawn()
            .unwrap();
        let all = read(Some(own), |_| {});
        let pids = [own, child.id()];
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(pids.iter().all(|&pid| all.iter().any(|one| one.pid == pid)));
        // Other tests may start processes, too.
        assert!(!all.iter().any(|reading| reading.pid == 1));
    }

    #[test]
    fn what_has_changed_is_read_again() {
        let own = std::process::id();
        let big: Vec<u8> = vec![1; 64 << 20];
        let mut grown = Vec::new();
        let all = read(Some(own), |readings| {
            // Until the first look is over.
            while readings.next_reading().is_none() {
                std::thread::yield_now();
            }
            grown = big.clone();
            // Until a look has seen it.
            while readings
                .next_reading()
                .is_none_or(|reading| reading.memory.resident < 128 << 20)
            {
                std::thread::yield_now();
            }
        });
        let last = all.iter().rfind(|reading| reading.pid == own).unwrap();
        assert!(last.memory.peak.is_some_and(|peak| peak >= 128 << 20));
        drop((big, grown));
    }
}
