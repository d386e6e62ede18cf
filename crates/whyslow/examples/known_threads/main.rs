//! A program whose threads do known things and print what the kernel says about each of them.
//!
//! Every thread sets two marks; between them it is busy, pinned together with another, sleeping,
//! holding or wanting a lock, reading from a disk past the page cache, taking turns with another
//! one, or waking up all the time. At both marks it notes
//! the monotonic clock and `/proc/thread-self/schedstat` (time on a CPU, time on a run queue), and
//! prints the differences, one line a thread. A mark is set only while the thread keeps the CPU, so that clock
//! and account are of the same moment however busy the machine is. A recording must agree:
//!
//! ```text
//! thread NAME TID FROM_NS TO_NS RUN_NS RUN_QUEUE_NS
//! ```
#![allow(
    unsafe_code,
    reason = "clocks, affinity and O_DIRECT need the C library"
)]
#![expect(clippy::print_stdout, reason = "the figures are its output")]
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test program may stop"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Reading of the clock recordings are kept in.
fn monotonic_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid timespec for the call to fill.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// CPU time of the calling thread. Asking for it brings the kernel's account of the thread up to
/// date, which is otherwise done at switches and clock ticks only.
fn thread_cpu_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid timespec for the call to fill.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// What the kernel says of the calling thread now: time on a CPU, time on a run queue.
fn account(schedstat: &File) -> (i64, i64) {
    thread_cpu_ns();
    let mut bytes = [0; 128];
    let length = schedstat.read_at(&mut bytes, 0).expect("schedstat");
    let text = str::from_utf8(&bytes[..length]).expect("numbers");
    let mut numbers = text.split_whitespace().map(|n| n.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// How often the calling thread has left a CPU.
fn switches() -> i64 {
    // SAFETY: all zeros is a valid rusage.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a valid rusage for the call to fill.
    unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    usage.ru_nvcsw + usage.ru_nivcsw
}

/// What the kernel says of the calling thread at a moment.
struct Mark {
    at_ns: i64,
    run_ns: i64,
    queue_ns: i64,
    /// How long it took to find out.
    took_ns: i64,
}

/// Finds out when and what at one moment: as quickly as in the best of some tries, and with the thread on the
/// CPU all the time.
fn mark(schedstat: &File) -> Mark {
    const TRIES: u32 = 20;
    let attempt = || {
        let (switches_before, start) = (switches(), monotonic_ns());
        let before = account(schedstat);
        let at_ns = monotonic_ns();
        let after = account(schedstat);
        let took_ns = monotonic_ns() - start;
        let found = Mark {
            at_ns,
            // It ran, so half of the time between the two is before the reading of the clock.
            run_ns: i64::midpoint(before.0, after.0),
            queue_ns: before.1,
            took_ns,
        };
        (switches() == switches_before).then_some(found)
    };
    loop {
        let tries = (0..TRIES).filter_map(|_| attempt());
        if let Some(best) = tries.min_by_key(|found| found.took_ns) {
            return best;
        }
    }
}

/// Runs `work` between two marks and returns the line about it.
fn between_marks(name: &str, work: impl FnOnce()) -> String {
    // SAFETY: gettid takes nothing and cannot fail.
    let tid = unsafe { libc::gettid() };
    let schedstat = File::open("/proc/thread-self/schedstat").expect("schedstat");
    // Comes to the CPU a moment before the mark: nothing says which part of a stay an account is of.
    thread::sleep(Duration::from_millis(1));
    let from = mark(&schedstat);
    work();
    let to = mark(&schedstat);
    let (run, queue) = (to.run_ns - from.run_ns, to.queue_ns - from.queue_ns);
    let (from, to) = (from.at_ns, to.at_ns);
    format!("thread {name} {tid} {from} {to} {run} {queue}")
}

/// Burns `ns` of the calling thread's CPU time.
#[inline(never)]
fn burn(ns: i64) {
    let end = thread_cpu_ns() + ns;
    let mut sink = 0_u64;
    while thread_cpu_ns() < end {
        for i in 0..10_000_u64 {
            sink = std::hint::black_box(sink.wrapping_mul(31).wrapping_add(i));
        }
    }
}

fn pin(cpu: usize) {
    // SAFETY: an all-zero cpu_set_t is the empty set; CPU_SET bounds-checks the index.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is valid.
    unsafe { libc::CPU_SET(cpu, &mut set) };
    // SAFETY: `set` is valid and its size is the one given.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) };
}

#[inline(never)]
fn sleep_often() {
    for _ in 0..20 {
        thread::sleep(Duration::from_millis(10));
    }
}

#[inline(never)]
fn hold_lock(lock: &Mutex<()>, held: &mpsc::Sender<()>) {
    let guard = lock.lock().unwrap();
    held.send(()).unwrap();
    thread::sleep(Duration::from_millis(150));
    drop(guard);
}

#[inline(never)]
fn want_lock(lock: &Mutex<()>) {
    drop(lock.lock().unwrap());
}

/// Reads a file in pieces of 1 MB past the page cache.
#[inline(never)]
fn read_directly(path: &Path) {
    let direct = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_DIRECT)
        .open(path);
    let mut file = direct.unwrap_or_else(|_| File::open(path).unwrap());
    let mut buffer = vec![0_u8; (1 << 20) + 4096];
    let start = buffer.as_ptr().align_offset(4096);
    for _ in 0..16 {
        file.read_exact(&mut buffer[start..start + (1 << 20)])
            .unwrap();
    }
}

/// Passes a byte on and waits for the answer, again and again.
#[inline(never)]
fn take_turns(mut from: PipeReader, mut to: PipeWriter, is_first: bool) {
    let mut byte = [0];
    for _ in 0..TURNS {
        if is_first {
            to.write_all(&byte).unwrap();
        }
        from.read_exact(&mut byte).unwrap();
        if !is_first {
            to.write_all(&byte).unwrap();
        }
    }
}

#[inline(never)]
fn tick() {
    for _ in 0..1000 {
        thread::sleep(Duration::from_micros(300));
    }
}

/// How often two threads take turns.
const TURNS: usize = 3000;

/// Starts two threads that take turns, both bound to a CPU or to none.
fn spawn_turns(
    names: [&'static str; 2],
    cpu: Option<usize>,
    lines: &mpsc::Sender<String>,
) -> [thread::JoinHandle<()>; 2] {
    let (there, back) = (io::pipe().unwrap(), io::pipe().unwrap());
    let start = |name, from, to, is_first| {
        spawn(name, lines, move || {
            if let Some(cpu) = cpu {
                pin(cpu);
            }
            take_turns(from, to, is_first);
        })
    };
    let [first, second] = names;
    [
        start(first, back.0, there.1, true),
        start(second, there.0, back.1, false),
    ]
}

fn spawn(
    name: &'static str,
    lines: &mpsc::Sender<String>,
    work: impl FnOnce() + Send + 'static,
) -> thread::JoinHandle<()> {
    let lines = lines.clone();
    let thread = thread::Builder::new().name(name.to_owned());
    thread
        .spawn(move || lines.send(between_marks(name, work)).unwrap())
        .unwrap()
}

fn main() {
    let busy_ms: i64 = std::env::args()
        .nth(1)
        .map_or(300, |ms| ms.parse().unwrap());
    let file = std::env::current_dir()
        .unwrap()
        .join(format!("known-threads-{}", std::process::id()));
    let mut data = File::create(&file).unwrap();
    data.write_all(&vec![7; 16 << 20]).unwrap();
    data.sync_all().unwrap();

    let (sender, lines) = mpsc::channel();
    let lock = Arc::new(Mutex::new(()));
    let (held, is_held) = mpsc::channel();
    let (holder, wanter, path) = (Arc::clone(&lock), lock, file.clone());
    let threads = [
        spawn("busy", &sender, move || burn(busy_ms * 1_000_000)),
        spawn("pinned-a", &sender, || {
            pin(0);
            burn(200_000_000);
        }),
        spawn("pinned-b", &sender, || {
            pin(0);
            burn(200_000_000);
        }),
        spawn("sleeper", &sender, sleep_often),
        spawn("holder", &sender, move || hold_lock(&holder, &held)),
        spawn("reader", &sender, move || read_directly(&path)),
    ];
    is_held.recv().unwrap();
    let last = spawn("wanter", &sender, move || want_lock(&wanter));
    for thread in threads.into_iter().chain([last]) {
        thread.join().unwrap();
    }
    let turns = spawn_turns(["turn-a", "turn-b"], None, &sender);
    let bound = spawn_turns(["bound-a", "bound-b"], Some(0), &sender);
    let ticker = spawn("ticker", &sender, tick);
    for thread in turns.into_iter().chain(bound).chain([ticker]) {
        thread.join().unwrap();
    }
    drop(sender);
    for line in lines {
        println!("{line}");
    }
    fs::remove_file(file).unwrap();
}
