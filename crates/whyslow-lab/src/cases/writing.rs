//! Writing many files of a size, by one thread or several.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::io::Errno;

use super::files::create;
use super::starts::errno;
use crate::operation::{Ending, Limits, Measured, Operation, measure};
use crate::place::{Name, Place};

/// How the files are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// One thread writes all.
    Serial,
    /// Every thread gets its part of the files beforehand.
    Parallel,
    /// Every thread takes the next file when it is done with one.
    Tasks,
}

/// Writes files of lines, `echo This is line N`, until each has the size.
struct Writer<'a> {
    place: &'a OwnedFd,
    name: Name,
    size: u64,
    /// The next file, where threads take one after the other.
    next: Option<&'a AtomicU64>,
    count: u64,
}

impl Operation for Writer<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let at = self
            .next
            .map_or(at, |next| next.fetch_add(1, Ordering::Relaxed));
        if at >= self.count {
            // The others have written the rest.
            return Err(Errno::CANCELED);
        }
        self.name.set(at);
        let file = File::from(create(self.place.as_fd(), &self.name)?);
        write_lines(file, self.size).map_err(|error| errno(&error))?;
        Ok(0)
    }
}

fn write_lines(file: File, size: u64) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(4096, file);
    let (mut written, mut line) = (0, 0_u64);
    while written < size {
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
    let barrier = Barrier::new(usize::try_from(threads).unwrap_or(1));
    let one = |thread: u32| {
        let (part, total) = (u64::from(thread), u64::from(threads));
        let share = (limits.count * (part + 1)) / total - (limits.count * part) / total;
        let tasks = strategy == Strategy::Tasks;
        let mut writer = Writer {
            place: &directory,
            name: Name::new(b'w', if tasks { 0 } else { thread }),
            size,
            next: tasks.then_some(&next),
            count: limits.count,
        };
        let count = if tasks { limits.count } else { share };
        let mut log = Vec::new();
        barrier.wait();
        let ending = measure(&mut writer, Limits { count, ..limits }, stop, &mut log);
        if ending == Ending::Failed(Errno::CANCELED.raw_os_error()) {
            log.pop();
            return (log, Ending::Done);
        }
        (log, ending)
    };
    Ok(std::thread::scope(|scope| {
        let one = &one;
        let handles: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || one(thread)))
            .collect();
        let joined = handles.into_iter().filter_map(|handle| handle.join().ok());
        joined.collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Ground;
    use std::time::Duration;

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
