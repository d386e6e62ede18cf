//! Writing many files of a size, by one thread or several.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, RwLock};
use std::thread::Builder;
use std::time::Instant;

use rustix::io::Errno;

use super::Options;
use super::files::create;
use super::starts::errno;
use crate::operation::{Ending, Limits, Measured, NO_TIME, NOTHING_LEFT, Operation, measure, room};
use crate::place::{Name, Place};
use crate::system::free_memory;

/// How files are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// One thread writes all.
    Serial,
    /// Every thread gets its part of the files beforehand.
    Parallel,
    /// Every thread takes the next file when it is done with one.
    Tasks,
}

/// Returns the ways of `options`, each with its name and its threads.
pub(crate) fn ways(options: &Options) -> Vec<(String, Strategy, u32)> {
    let mut ways = vec![("serial".to_owned(), Strategy::Serial, 1)];
    for &threads in options.threads.iter().filter(|threads| **threads > 1) {
        ways.push((format!("parallel {threads}"), Strategy::Parallel, threads));
        ways.push((format!("tasks {threads}"), Strategy::Tasks, threads));
    }
    let chosen = &options.strategies;
    ways.retain(|(_, strategy, _)| chosen.is_empty() || chosen.contains(strategy));
    ways
}

/// Writes files of lines, `echo This is line N`, until each has the size.
struct Writer<'a> {
    place: &'a OwnedFd,
    name: Name,
    size: u64,
    /// The next file, where threads take one after the other.
    next: Option<&'a AtomicU64>,
    count: u64,
    /// Whether there is time for more of a file.
    go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Operation for Writer<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let at = self
            .next
            .map_or(at, |next| next.fetch_add(1, Ordering::Relaxed));
        if at >= self.count {
            // The others have written the rest.
            return Err(NOTHING_LEFT);
        }
        self.name.set(at);
        let file = File::from(create(self.place.as_fd(), &self.name)?);
        write_lines(file, self.size, self.go_on).map_err(|error| errno(&error))?;
        Ok(0)
    }
}

/// Bytes of a file after which is asked whether to go on.
const ASKED: u64 = 1 << 20;

fn write_lines(file: File, size: u64, go_on: &dyn Fn() -> bool) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(4096, file);
    let (mut written, mut line, mut ask) = (0, 0_u64, ASKED);
    while written < size {
        if written >= ask {
            ask += ASKED;
            if !go_on() {
                return Err(NO_TIME.into());
            }
        }
        let text = format!("echo This is line {line}\r\n");
        let room = usize::try_from(size - written).unwrap_or(usize::MAX);
        let bytes = text.as_bytes();
        let part = bytes.get(..room).unwrap_or(bytes);
        out.write_all(part)?;
        written += u64::try_from(part.len()).unwrap_or(0);
        line += 1;
    }
    out.flush()
}

/// What several threads measured: per thread its operations and how it ended.
pub(crate) type Threads = Vec<(Vec<Measured>, Ending)>;

/// Most of the free memory that the logs of all threads take together, as its part.
const SHARE_OF_MEMORY: u64 = 4;

/// Returns how many operations there is to be room for in the log of each of `threads`, which write
/// `count` files: a quick one may take nearly all tasks.
pub(crate) fn room_each(strategy: Strategy, count: u64, threads: u64) -> u64 {
    let share = count.div_ceil(threads.max(1));
    if strategy != Strategy::Tasks {
        return share;
    }
    let each = u64::try_from(size_of::<Measured>()).unwrap_or(u64::MAX);
    let free = free_memory().unwrap_or(u64::MAX) / SHARE_OF_MEMORY;
    count.min(free / each / threads.max(1)).max(share)
}

/// Writes `limits.count` files of `size` bytes with `threads` threads.
pub(crate) fn write_files(
    place: &Place,
    strategy: Strategy,
    threads: u32,
    size: u64,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Threads, Errno> {
    let threads = if strategy == Strategy::Serial {
        1
    } else {
        threads
    };
    let next = AtomicU64::new(0);
    let directory = place
        .fd()
        .try_clone_to_owned()
        .map_err(|error| errno(&error))?;
    let end = Instant::now() + limits.budget;
    let go_on = || !stop.load(Ordering::Relaxed) && Instant::now() < end;
    // Whether all are there that the barrier waits for.
    let (all, barrier) = (
        RwLock::new(false),
        Barrier::new(usize::try_from(threads).unwrap_or(1)),
    );
    let total = u64::from(threads);
    let room_each = room_each(strategy, limits.count, total);
    let one = |thread: u32| {
        let part = u64::from(thread);
        let share = (limits.count * (part + 1)) / total - (limits.count * part) / total;
        let tasks = strategy == Strategy::Tasks;
        let mut writer = Writer {
            place: &directory,
            name: Name::new(b'w', if tasks { 0 } else { thread }),
            size,
            next: tasks.then_some(&next),
            count: limits.count,
            go_on: &go_on,
        };
        let count = if tasks { limits.count } else { share };
        let mut log = room(room_each);
        if !all.read().is_ok_and(|all| *all) {
            return (log, Ending::Interrupted);
        }
        barrier.wait();
        let ending = measure(&mut writer, Limits { count, ..limits }, stop, &mut log);
        (log, ending)
    };
    std::thread::scope(|scope| {
        let (one, mut handles, mut waiting) = (&one, Vec::new(), all.write());
        for thread in 0..threads {
            let started = Builder::new().spawn_scoped(scope, move || one(thread));
            handles.push(started.map_err(|error| errno(&error))?);
        }
        if let Ok(all) = &mut waiting {
            **all = true;
        }
        drop(waiting);
        let joined = handles.into_iter().filter_map(|handle| handle.join().ok());
        Ok(joined.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Ground;
    use std::time::Duration;

    #[test]
    fn a_file_without_end_ends_with_the_budget() {
        let dir = std::env::temp_dir().join(format!("lab-endless-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let limits = Limits {
            count: 3,
            budget: Duration::from_millis(1),
        };
        let stop = AtomicBool::new(false);
        let size = 1 << 40;
        let written = write_files(&place, Strategy::Parallel, 2, size, limits, &stop);
        assert_eq!(written, Ok(vec![(Vec::new(), Ending::Budget); 2]));
        place.remove().expect("all of it is ours");
        let place = Place::make(&ground).expect("a place");
        stop.store(true, Ordering::Relaxed);
        let written = write_files(&place, Strategy::Serial, 1, size, limits, &stop);
        assert_eq!(written, Ok(vec![(Vec::new(), Ending::Interrupted)]));
        place.remove().expect("all of it is ours");
    }

    #[test]
    fn each_of_those_who_take_tasks_has_room_for_all() {
        assert_eq!(room_each(Strategy::Parallel, 20, 4), 5);
        assert_eq!(room_each(Strategy::Tasks, 20, 4), 20);
        let threads = 1 << 50;
        assert_eq!(room_each(Strategy::Tasks, 20, threads), 1);
    }

    #[test]
    fn every_strategy_writes_all_files_once() {
        let dir = std::env::temp_dir().join(format!("lab-writing-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        for strategy in [Strategy::Serial, Strategy::Parallel, Strategy::Tasks] {
            let place = Place::make(&ground).expect("a place");
            let limits = Limits {
                count: 31,
                budget: Duration::from_secs(60),
            };
            let stop = AtomicBool::new(false);
            let threads = write_files(&place, strategy, 3, 10_000, limits, &stop).expect("written");
            let written: usize = threads.iter().map(|(log, _)| log.len()).sum();
            assert_eq!(written, 31, "{strategy:?}");
            assert!(threads.iter().all(|(_, ending)| *ending == Ending::Done));
            let files = std::fs::read_dir(place.path()).expect("listed");
            let sizes: Vec<u64> = files
                .map(|file| file.and_then(|file| file.metadata()).expect("a file").len())
                .collect();
            assert_eq!(sizes, [10_000; 31], "{strategy:?}");
            place.remove().expect("all of it is ours");
        }
    }
}
