//! How much memory processes have, again and again.
//!
//! A look at a process costs two or three microseconds (`statm`); only where that says that something has changed, a
//! second look says what (`status`). How often all are looked at depends on how long that takes.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel,
};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use whyslow_proc::memory::{self, MemorySizes, ProcessMemory};
use whyslow_proc::processes::{own_cpu_ns, processes, thread_stat};

/// How often it looks at most, and at least.
const EVERY: Duration = Duration::from_millis(200);
const AT_LEAST_EVERY: Duration = Duration::from_secs(10);

/// Looking takes at most one in this many parts of the time of a CPU, unless it has to look more often.
const PART: u32 = 200;

/// A smaller change is none: the kernel itself counts no more exactly on some systems. A change is also none if it is
/// smaller than one in so many parts of what there was.
const LEAST_CHANGE: u64 = 64 << 10;
const LEAST_PART: u64 = 256;

/// How many parents of a process are asked for.
const MOST_DEPTH: usize = 64;

/// Readings that wait to be taken.
const MOST_WAITING: usize = 1 << 15;

/// Readings of the last look.
const MOST_LAST: usize = 1 << 20;

/// After so many processes, it sees whether it is to stop.
const STOPS_AFTER: usize = 2000;

/// How much memory a process had at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryReading {
    /// When it was read, on the clock of the caller.
    pub time_ns: u64,
    /// The process.
    pub pid: u32,
    /// What it had; the peak is that since it began to execute its program.
    pub memory: ProcessMemory,
    /// It is the first one of a process that was there before: so was the peak.
    pub is_first: bool,
}

/// What [`MemorySampler`] has read and nobody has taken yet.
#[derive(Debug)]
pub struct MemoryReadings {
    readings: Receiver<MemoryReading>,
    /// Those of the last look.
    last: Receiver<MemoryReading>,
    lost: Arc<AtomicU64>,
}

impl MemoryReadings {
    /// Returns the next one, if there is one.
    pub fn next_reading(&self) -> Option<MemoryReading> {
        let next = self.readings.try_recv();
        next.or_else(|_| self.last.try_recv()).ok()
    }

    /// Returns how many were left out because too many waited.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// Looks at the memory of processes until it is stopped.
#[derive(Debug)]
pub struct MemorySampler {
    /// Dropped to stop it.
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl MemorySampler {
    /// Looks at all processes, or at one and those that it starts, from now on. `now_ns` returns the current time.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub fn start(only: Option<u32>, now_ns: fn() -> u64) -> io::Result<(Self, MemoryReadings)> {
        let (stop, stopped) = channel();
        let (mut looks, readings) = Looks::new(only, now_ns, MOST_WAITING);
        let thread = Builder::new()
            .name("whyslow-memory".to_owned())
            .spawn(move || looks.run(&stopped))?;
        Ok((Self { stop, thread }, readings))
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
    /// Whether it began after the first look at all.
    is_new: bool,
    /// What it had as it was last passed on.
    passed: Option<MemorySizes>,
    /// The peak as it was passed on first, if it is not new.
    before: Option<u64>,
}

impl Known {
    fn has_changed(&self, now: MemorySizes) -> bool {
        let has_changed = |before: u64, now: u64| {
            let least = LEAST_CHANGE.max(before / LEAST_PART);
            now.abs_diff(before) >= least
        };
        self.passed.is_none_or(|before| {
            // Where some is swapped out as more is used, as much stays in RAM.
            has_changed(before.resident, now.resident) || has_changed(before.data, now.data)
        })
    }

    /// The peak, where that was within the recording as far as known.
    fn peak_since(&self, peak: Option<u64>) -> Option<u64> {
        let is_since = self.is_new || self.before.is_some() && peak != self.before;
        peak.filter(|_| is_since)
    }
}

struct Looks {
    only: Option<u32>,
    now_ns: fn() -> u64,
    known: HashMap<u32, Known>,
    round: u64,
    /// Whether all processes were looked at once.
    is_begun: bool,
    is_last: bool,
    sender: SyncSender<MemoryReading>,
    /// For the last look: nobody may take readings while it runs, and none is read again.
    last: Sender<MemoryReading>,
    /// How many it may still read.
    left: usize,
    lost: Arc<AtomicU64>,
}

impl Looks {
    fn new(only: Option<u32>, now_ns: fn() -> u64, most_waiting: usize) -> (Self, MemoryReadings) {
        let (sender, readings) = sync_channel(most_waiting);
        let (last, last_readings) = channel();
        let lost = Arc::new(AtomicU64::new(0));
        let looks = Self {
            only,
            now_ns,
            known: HashMap::new(),
            round: 0,
            is_begun: false,
            is_last: false,
            sender,
            last,
            left: MOST_LAST,
            lost: Arc::clone(&lost),
        };
        let readings = MemoryReadings {
            readings,
            last: last_readings,
            lost,
        };
        (looks, readings)
    }

    fn run(&mut self, stopped: &Receiver<()>) {
        self.look(Some(stopped));
        let mut pause = EVERY;
        while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            let began_ns = own_cpu_ns();
            self.look(Some(stopped));
            let took = Duration::from_nanos(own_cpu_ns().saturating_sub(began_ns));
            pause = (took * PART).clamp(EVERY, AT_LEAST_EVERY);
        }
        self.is_last = true;
        self.look(None);
    }

    /// Looks at all processes, or until it is to stop.
    fn look(&mut self, stopped: Option<&Receiver<()>>) {
        self.round += 1;
        for (count, pid) in processes().into_iter().enumerate() {
            let ends = |stopped: &Receiver<()>| stopped.try_recv() != Err(TryRecvError::Empty);
            if count % STOPS_AFTER == STOPS_AFTER - 1 && stopped.is_some_and(ends) {
                return;
            }
            let known = self.known.get(&pid).copied();
            let mut known = known.unwrap_or_else(|| Known {
                round: 0,
                is_wanted: self.is_wanted(pid),
                is_new: self.is_begun,
                passed: None,
                before: None,
            });
            known.round = self.round;
            if known.is_wanted {
                self.look_at(pid, &mut known);
            }
            self.known.insert(pid, known);
        }
        self.is_begun = true;
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

    fn look_at(&mut self, pid: u32, known: &mut Known) {
        let Some(sizes) = memory::sizes(pid) else {
            return;
        };
        let is_last = self.is_last;
        if sizes.resident == 0 || !(is_last || known.has_changed(sizes)) {
            return;
        }
        let time_ns = (self.now_ns)();
        let Some(mut memory) = memory::of_process(pid) else {
            return;
        };
        let is_first = !known.is_new && known.passed.is_none();
        let peak = memory.peak;
        if !is_first {
            memory.peak = known.peak_since(peak).filter(|_| is_last);
        }
        let reading = MemoryReading {
            time_ns,
            pid,
            memory,
            is_first,
        };
        // What was not passed on is read again.
        if self.pass(reading) {
            // Of two looks, the one that compares counts.
            known.passed = Some(sizes);
            if is_first {
                known.before = peak;
            }
        }
    }

    /// Passes a reading on; returns whether that was possible.
    fn pass(&mut self, reading: MemoryReading) -> bool {
        let is_passed = if self.is_last && self.left > 0 {
            self.left -= 1;
            self.last.send(reading).is_ok()
        } else {
            self.sender.try_send(reading).is_ok()
        };
        if !is_passed {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        is_passed
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
        let (mut looks, readings) = Looks::new(None, || 7, MOST_WAITING);
        looks.look(None);
        looks.is_last = true;
        looks.look(None);
        let all: Vec<_> = readings.readings.try_iter().collect();
        let last: Vec<_> = readings.last.try_iter().collect();
        let of_own = |all: &[MemoryReading]| *all.iter().find(|one| one.pid == own).unwrap();
        let (first, last) = (of_own(&all), of_own(&last));
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

    fn known(is_new: bool, before: Option<u64>) -> Known {
        Known {
            round: 1,
            is_wanted: true,
            is_new,
            passed: Some(MemorySizes {
                resident: 1 << 20,
                data: 512 << 20,
            }),
            before,
        }
    }

    #[test]
    fn what_changes_in_ram_or_in_addresses_has_changed() {
        let has_changed = |resident: u64, data: u64| {
            let now = MemorySizes {
                resident: (1 << 20) + (resident << 10),
                data: (512 << 20) + (data << 10),
            };
            known(false, None).has_changed(now)
        };
        assert!(!has_changed(0, 0) && !has_changed(63, 0) && has_changed(64, 0));
        // Of so much, 2 MB are little.
        assert!(!has_changed(0, 2047) && has_changed(0, 2048));
        let fresh = Known {
            passed: None,
            ..known(true, None)
        };
        assert!(fresh.has_changed(MemorySizes::default()));
    }

    #[test]
    fn a_peak_that_may_be_older_than_the_recording_does_not_count() {
        assert_eq!(known(true, None).peak_since(Some(9)), Some(9));
        assert_eq!(known(false, None).peak_since(Some(9)), None);
        assert_eq!(known(false, Some(9)).peak_since(Some(9)), None);
        assert_eq!(known(false, Some(8)).peak_since(Some(9)), Some(9));
    }

    #[test]
    fn what_was_not_passed_on_is_read_again() {
        let own = std::process::id();
        let (mut looks, readings) = Looks::new(Some(own), || 7, 0);
        looks.look(None);
        assert!(readings.next_reading().is_none() && readings.lost() > 0);
        assert_eq!(looks.known[&own].passed, None);
        looks.is_last = true;
        looks.look(None);
        let mut last = std::iter::from_fn(|| readings.next_reading());
        // Its peak may be older.
        assert!(last.find(|reading| reading.pid == own).unwrap().is_first);
    }

    #[test]
    fn the_last_look_keeps_everything() {
        let (mut looks, readings) = Looks::new(Some(std::process::id()), || 7, 0);
        looks.is_last = true;
        looks.look(None);
        assert!(readings.lost() == 0 && readings.next_reading().is_some());
    }
}
