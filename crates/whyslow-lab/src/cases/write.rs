//! `write`: many files of a size, by one thread or several.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, RwLock};
use std::thread::Builder;
use std::time::Instant;

use rustix::io::Errno;
use whyslow_share::{Access, Fault, MOST_CONTENT, Remote};

use super::reopen::settings;
use crate::bench::Bench;
use crate::case::Case;
use crate::error::{Error, errno};
use crate::fixture::scanner::lacks;
use crate::fixture::{Scan, Scanner, Watched};
use crate::measuring::{find_limit, remove};
use crate::memory;
use crate::number::one_of;
use crate::operation::{
    Limits, NO_TIME, NOTHING_LEFT, Operation, measure as measure_operation, room,
};
use crate::options::{Options, Parameter, Takes, words};
use crate::place::{Ground, Name, Place, create};
use crate::remote::{Client, ROUND_TRIPS, new_directory};
use crate::store::Base;
use whyslow_series::{Ending, Measured, Run, Words, run::gather, words::SCANNED};

/// Writes files with one thread or several.
pub(super) static CASE: Case = Case {
    name: "write",
    about: "write files of --size: one after another, in parallel, as tasks, and under a scanner",
    words: WORDS,
    parameters: &[SIZE, THREADS, STRATEGY],
    usual_count: Some(500),
    check,
    series: |options| u32::try_from(ways(options).len()).unwrap_or(u32::MAX),
    measure,
    on_shares: true,
    is_heavy: |_| true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("write", "Writing a file", "files");

/// Bytes per file.
const SIZE: Parameter = Parameter {
    name: "size",
    short: None,
    value: "SIZE",
    help: "bytes per file (usually 100KB)",
    takes: Takes::Size,
    local_only: false,
};

/// Numbers of threads.
const THREADS: Parameter = Parameter {
    name: "threads",
    short: None,
    value: "N",
    help: "compare with this many threads, a list such as 2,4 or 1..5 (usually 2)",
    takes: Takes::List(counts),
    local_only: false,
};

/// How files are divided among threads.
const STRATEGY: Parameter = Parameter {
    name: "strategy",
    short: None,
    value: "HOW",
    help: "only these: serial, parallel (each thread has its part), tasks (each takes the next file), scanned \
           (serial, while a simulated virus scanner reads each file)",
    takes: Takes::List(|text| words(text, &["serial", "parallel", "tasks", "scanned"])),
    local_only: false,
};

/// Most threads.
const MOST_THREADS: u64 = 500;

/// Returns the numbers in `text`: `4`, `2,4`, `1..5`.
fn counts(text: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| one_of(text, u64::MAX);
    let mut all = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once("..").unwrap_or((part, part));
        let (from, to) = (number(from)?, number(to)?);
        if from > to {
            return Err("A..B counts from A to B".to_owned());
        }
        if to > MOST_THREADS {
            return Err(format!(
                "{to} threads are too many: at most {MOST_THREADS} threads"
            ));
        }
        all.extend(from..=to);
    }
    Ok(all)
}

fn size(options: &Options) -> u64 {
    options.number(&SIZE, 100_000)
}

fn check(options: &Options) -> Result<(), Error> {
    if options.list(&THREADS).contains(&0) {
        return Err(Error::NothingToDo);
    }
    let (ways, chosen) = (ways(options), options.list(&STRATEGY));
    if ways.is_empty() {
        let text = "parallel and tasks need at least 2 threads";
        return Err(Error::Options(text.to_owned()));
    }
    let only = !chosen.is_empty() && ways.iter().any(|way| way.1 == Strategy::Scanned);
    match lacks().filter(|_| only) {
        Some(lack) => Err(Error::Options(format!("scanned: {lack}"))),
        None => Ok(()),
    }
}

/// How files are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// One thread writes all.
    Serial,
    /// Every thread gets its part of the files beforehand.
    Parallel,
    /// Every thread takes the next file when it is done with one.
    Tasks,
    /// One thread writes all, and a scanner reads what it wrote.
    Scanned,
}

/// Returns the ways of `options`, each with its name and its threads.
fn ways(options: &Options) -> Vec<(String, Strategy, u32)> {
    let mut ways = vec![("serial".to_owned(), Strategy::Serial, 1)];
    let threads = match options.list(&THREADS) {
        [] => &[2],
        threads => threads,
    };
    let several = threads.iter().filter(|threads| **threads > 1);
    for threads in several.filter_map(|threads| u32::try_from(*threads).ok()) {
        ways.push((format!("parallel {threads}"), Strategy::Parallel, threads));
        ways.push((format!("tasks {threads}"), Strategy::Tasks, threads));
    }
    ways.push((SCANNED.to_owned(), Strategy::Scanned, 1));
    let all = [
        Strategy::Serial,
        Strategy::Parallel,
        Strategy::Tasks,
        Strategy::Scanned,
    ];
    let chosen = options.list(&STRATEGY).iter();
    let chosen = chosen.filter_map(|at| all.get(usize::try_from(*at).ok()?));
    let chosen: Vec<_> = chosen.collect();
    ways.retain(|(_, strategy, _)| chosen.is_empty() || chosen.contains(&strategy));
    ways
}

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    match bench.store.base() {
        Base::Ground(ground) => measure_here(bench, ground, runs),
        Base::Share(access) => measure_on_share(bench, access, runs),
    }
}

fn measure_here(bench: &Bench<'_>, ground: &Ground, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    for (arm, strategy, threads) in ways(options) {
        if context.stopped() {
            break;
        }
        let place = Place::make(ground)?;
        // Where every file is scanned anyway, there is nothing to compare.
        let scans = strategy == Strategy::Scanned;
        if scans && (lacks().is_some() || ground.is_scanned()) {
            continue;
        }
        (context.tell)(&arm);
        let scanner = scans.then(|| {
            let (scan, watched) = (Scan::Reads, Watched::Directory);
            Scanner::start(context.program, scan, watched, place.path())
        });
        let _scanner = scanner.transpose()?;
        let (limits, size) = (options.limits(), size(options));
        let written = write_files(&place, strategy, threads, size, limits, context.stop);
        let written = written.map_err(Error::io("start the threads for", place.path()))?;
        let setup = bench.setup(WORDS).named(&arm).by(threads).writing(size);
        let mut run = gather(written, setup);
        find_limit(&mut run, &place);
        remove(&mut run, place);
        runs.push(run);
    }
    Ok(())
}

fn measure_on_share(bench: &Bench<'_>, access: &Access, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let bytes = size(options);
    if bytes > MOST_CONTENT {
        let text = format!("files on a share have at most {MOST_CONTENT} bytes");
        return Err(Error::Options(text));
    }
    let mut content = settings(bytes / 20 + 1);
    content.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
    let unscanned = ways(options).into_iter();
    for (arm, strategy, threads) in unscanned.filter(|way| way.1 != Strategy::Scanned) {
        if context.stopped() {
            break;
        }
        (context.tell)(&arm);
        let (first, place) = new_directory(access, context.stop)?;
        let mut clients = vec![first];
        for _ in 1..threads {
            let mut remote = access.connect(context.stop)?;
            remote.enter(&place, false)?;
            clients.push(remote);
        }
        let (logs, faults) = written(bench, strategy, clients, &content)?;
        let setup = bench.setup(WORDS.counting(ROUND_TRIPS)).named(&arm);
        runs.push(gather(logs, setup.by(threads).writing(bytes)));
        if let Some(fault) = faults.into_iter().find(|fault| !fault.is_refusal()) {
            return Err(fault.into());
        }
    }
    Ok(())
}

/// Writes files of lines, `echo This is line N`, until each has the size.
struct Writer<'a> {
    place: &'a OwnedFd,
    name: Name,
    size: u64,
    /// The next file, where threads take one after another.
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

/// Bytes of a file after which to check whether to continue.
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
type Threads = Vec<(Vec<Measured>, Ending)>;

/// Most of the free memory that the logs of all threads take together, as its part.
const SHARE_OF_MEMORY: u64 = 4;

/// Returns how many operations there is to be room for in the log of each of `threads`, which write
/// `count` files: a quick one may take nearly all tasks.
fn room_each(strategy: Strategy, count: u64, threads: u64) -> u64 {
    let share = count.div_ceil(threads.max(1));
    if strategy != Strategy::Tasks {
        return share;
    }
    let each = u64::try_from(size_of::<Measured>()).unwrap_or(u64::MAX);
    let free = memory::free().unwrap_or(u64::MAX) / SHARE_OF_MEMORY;
    count.min(free / each / threads.max(1)).max(share)
}

/// Writes `limits.count` files of `size` bytes with `threads` threads.
fn write_files(
    place: &Place,
    strategy: Strategy,
    threads: u32,
    size: u64,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Threads, Errno> {
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
        let ending = measure_operation(&mut writer, Limits { count, ..limits }, stop, &mut log);
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

/// Writes files of one content.
struct ShareWriter<'a> {
    client: Client<'a>,
    name: Name,
    content: &'a [u8],
    /// The next file, where threads take one after another.
    next: Option<&'a AtomicU64>,
    count: u64,
}

impl Operation for ShareWriter<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let next = self.next.map(|next| next.fetch_add(1, Ordering::Relaxed));
        let at = next.unwrap_or(at);
        if at >= self.count {
            // The others have written the rest.
            return Err(NOTHING_LEFT);
        }
        self.name.set(at);
        let (name, content) = (&self.name, self.content);
        self.client
            .counted(|remote| remote.write(name.as_str(), content))
    }
}

/// Writes with a thread for each of `clients`; returns what each measured, and the faults.
///
/// # Errors
/// When a thread cannot be started; nothing is written then.
fn written<'a>(
    bench: &Bench<'a>,
    strategy: Strategy,
    clients: Vec<Box<dyn Remote + 'a>>,
    content: &[u8],
) -> Result<(Threads, Vec<Fault>), Error> {
    let (limits, stop) = (bench.options.limits(), bench.context.stop);
    let total = u64::try_from(clients.len()).unwrap_or(1);
    // Whether all are there that the barrier waits for.
    let (all, barrier) = (RwLock::new(false), Barrier::new(clients.len()));
    let next = AtomicU64::new(0);
    let room_each = room_each(strategy, limits.count, total);
    let tasks = strategy == Strategy::Tasks;
    let one = |part: u64, remote| {
        let share = (limits.count * (part + 1)) / total - (limits.count * part) / total;
        let worker = u32::try_from(part).unwrap_or(0);
        let mut writer = ShareWriter {
            client: Client::new(remote),
            name: Name::new(b'w', if tasks { 0 } else { worker }),
            content,
            next: tasks.then_some(&next),
            count: limits.count,
        };
        let count = if tasks { limits.count } else { share };
        let mut log = room(room_each);
        if !all.read().is_ok_and(|all| *all) {
            return ((log, Ending::Interrupted), None);
        }
        barrier.wait();
        let ending = measure_operation(&mut writer, Limits { count, ..limits }, stop, &mut log);
        ((log, ending), writer.client.fault)
    };
    let done: Vec<_> = std::thread::scope(|scope| {
        let (one, mut threads, mut waiting) = (&one, Vec::new(), all.write());
        let at = Path::new("the share");
        for (part, remote) in (0..).zip(clients) {
            let started = Builder::new().spawn_scoped(scope, move || one(part, remote));
            let started = started.map_err(Error::io("start the threads for", at));
            threads.push(started?);
        }
        if let Ok(all) = &mut waiting {
            **all = true;
        }
        drop(waiting);
        let joined = threads.into_iter().filter_map(|thread| thread.join().ok());
        Ok::<_, Error>(joined.collect())
    })?;
    let (logs, faults): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    Ok((logs, faults.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted() {
        assert_eq!(counts("4"), Ok(vec![4]));
        assert_eq!(counts("1..3,9"), Ok(vec![1, 2, 3, 9]));
        for odd in ["", "x", "5..1", "1..4294967295", "..", "-1"] {
            assert!(counts(odd).is_err(), "{odd}");
        }
        let many = counts("1..600").expect_err("too many");
        assert!(many.contains("at most 500 threads"), "{many}");
    }
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
            let count = if strategy == Strategy::Serial { 1 } else { 3 };
            let threads =
                write_files(&place, strategy, count, 10_000, limits, &stop).expect("written");
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
