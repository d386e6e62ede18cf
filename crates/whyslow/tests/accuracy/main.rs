//! A recording against the kernel's own accounts, from the command line to the answer.
//!
//! `whyslow run` records the example `known_threads`, whose threads do known things and print what
//! the kernel says of each between two marks. What `whyslow threads` and `whyslow cpu` say of the
//! same time must agree. Needs root and a kernel that lets us record the whole machine.
//!
//! **Tolerances.** CPU time within 0.5 % or 0.1 ms, and 0.5 µs per switch, whoever woke the thread.
//!
//! Ready time, but for that of wake-ups while a CPU was idle, within 5 %, 2 µs per wake-up, 5 µs per loss of the CPU
//! and 0.2 ms. Where interrupts wake, per wake-up also as long as the recorder's own programs took there in this
//! recording: the kernel's account of the delay begins after the one at the wake-up, and ends before the one at
//! the switch. On an idle CPU it begins once that CPU has taken the thread onto its queue. A thread that loses the CPU more often than it wakes up
//! is on a queue all the time, so all its ready time counts.
//!
//! Nothing here is a time that a quiet machine would take. What a busy one can do: the whole virtual machine stands
//! still between two readings, or the recorder gets no CPU, and loses events. So up to [`ATTEMPTS`] recordings are
//! made: each thread must agree in one of them, unless nearly all lost events. What did not agree is printed.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test may stop")]

mod known;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use known::{Known, Mark, Row};
use whyslow_extract::Extract;
use whyslow_model::tables::{
    CPU_SAMPLE, CpuSampleRow, THREAD, THREAD_STATE, ThreadRow, ThreadStateRow,
};
use whyslow_model::{Named, StateFlags, ThreadId, ThreadState, TraceView};

/// Recordings that are made before the test fails.
const ATTEMPTS: usize = 6;
/// Of these, how many must have lost no event: what is lost makes time unknown, and is no mistake.
const WHOLE: usize = 3;
/// Busy time of the thread whose samples are counted.
const BUSY_MS: u32 = 2_100;

#[test]
fn the_states_of_every_thread_cover_its_life_and_agree_with_the_kernel() {
    let mut agreed: BTreeSet<String> = BTreeSet::new();
    let mut whole = 0;
    for attempt in 1..=ATTEMPTS {
        let Some(known) = Known::record(BUSY_MS) else {
            return;
        };
        let extract = Extract::open(&known.extract).expect("the extract opens");
        whole += usize::from(known.is_whole());
        let lifetimes = lifetimes(&extract, known.duration_ns());
        states_cover_lifetimes(&extract, &lifetimes);
        let samples = Vec::from_iter(samples_add_up(&extract, &known));
        let unknown = Vec::from_iter(little_is_unknown(&extract, &lifetimes));
        let mut checks = vec![("samples", samples), ("unknown", unknown)];
        for mark in &known.marks {
            let mut faults = times_agree(&known, mark);
            faults.extend(waits_are_explained(&known, &extract, mark));
            checks.push((&mark.name, faults));
        }
        for (check, faults) in &checks {
            match faults.is_empty() {
                true => _ = agreed.insert((*check).to_owned()),
                false => println!("attempt {attempt}:\n  {}", faults.join("\n  ")),
            }
        }
        if checks.iter().all(|(check, _)| agreed.contains(*check)) {
            return;
        }
    }
    if whole < WHOLE && is_crowded() {
        // Others kept the CPUs so busy that the recorder could not keep up: nothing was tested.
        println!("not tested: only {whole} of {ATTEMPTS} recordings lost no event");
        return;
    }
    panic!("of {ATTEMPTS} recordings, only these agree with the kernel: {agreed:?}");
}

/// Returns whether several times as many threads want to run as there are CPUs: far more than this test has.
fn is_crowded() -> bool {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    load.is_some_and(|load| load >= 3.0 * u32::try_from(cpus).map_or(1.0, f64::from))
}

/// Returns start and end of every thread within the trace.
fn lifetimes(extract: &Extract, duration_ns: i64) -> BTreeMap<ThreadId, (i64, i64)> {
    let table = extract.read(&THREAD, &["id", "start_ns", "end_ns"]);
    let rows: Vec<ThreadRow> = table.expect("threads").rows().collect();
    let span = |row: &ThreadRow| {
        let end = row.end_ns.unwrap_or(duration_ns);
        (row.id, (row.start_ns.unwrap_or(0), end))
    };
    rows.iter().map(span).collect()
}

fn states(extract: &Extract) -> Vec<ThreadStateRow> {
    let columns = ["start_ns", "duration_ns", "thread", "state", "flags"];
    let table = extract.read(&THREAD_STATE, &columns);
    table.expect("states").rows().collect()
}

/// No gap, no overlap, from the first to the last nanosecond. This is never forgiven.
fn states_cover_lifetimes(extract: &Extract, lifetimes: &BTreeMap<ThreadId, (i64, i64)>) {
    let mut rows = states(extract);
    rows.sort_by_key(|row| (row.thread, row.start_ns));
    let mut reached: HashMap<ThreadId, i64> = HashMap::new();
    for row in &rows {
        let start = lifetimes[&row.thread].0;
        let at = reached.entry(row.thread).or_insert(start);
        assert_eq!(*at, row.start_ns, "gap or overlap before {row:?}");
        *at += row.duration_ns;
    }
    for (thread, &(start, end)) in lifetimes {
        let at = reached.get(thread).copied().unwrap_or(start);
        assert_eq!(at, end, "the states of thread {thread} end elsewhere");
    }
}

/// Unknown time is below 0.1 % of all threads' time.
fn little_is_unknown(
    extract: &Extract,
    lifetimes: &BTreeMap<ThreadId, (i64, i64)>,
) -> Option<String> {
    let unknown = ThreadState::Unknown.code();
    let unknown_ns: i64 = states(extract)
        .iter()
        .filter(|row| row.state == unknown)
        .map(|row| row.duration_ns)
        .sum();
    let all_ns: i64 = lifetimes.values().map(|(start, end)| end - start).sum();
    println!("unknown: {unknown_ns} of {all_ns} ns");
    (unknown_ns * 1000 >= all_ns).then(|| format!("{unknown_ns} of {all_ns} ns are unknown"))
}

/// Returns the id of the thread that set `mark`.
fn thread_of(extract: &Extract, mark: &Mark) -> ThreadId {
    let threads = extract.read(&THREAD, &["id", "os_tid"]).expect("threads");
    let mut threads = threads.rows::<ThreadRow>();
    let found = threads.find(|row| row.os_tid == mark.tid);
    found.expect("the thread").id
}

/// Returns how long the thread waited between its marks for wake-ups that were not recorded: some
/// kernels hide idle threads from tracing, and with them the interrupts that they serve.
fn unseen_ns(extract: &Extract, mark: &Mark) -> i64 {
    let thread = thread_of(extract, mark);
    let is_unseen = |row: &&ThreadStateRow| {
        row.thread == thread
            && StateFlags(row.flags).has(StateFlags::NO_WAKE_UP)
            && (mark.from_ns..mark.to_ns).contains(&row.start_ns)
    };
    let rows = states(extract);
    rows.iter()
        .filter(is_unseen)
        .map(|row| row.duration_ns)
        .sum()
}

/// Samples times their period are within 5 % of the running time of the busy thread.
fn samples_add_up(extract: &Extract, known: &Known) -> Option<String> {
    let busy = thread_of(extract, known.mark("busy"));
    let samples = extract.read(&CPU_SAMPLE, &["thread", "weight_ns"]);
    let samples = samples.expect("samples");
    let own = samples.rows::<CpuSampleRow>();
    let own = own.filter(|row| row.thread == busy);
    let sampled_ns: i64 = own.map(|row| row.weight_ns).sum();
    let running = ThreadState::Running.code();
    let running_ns: i64 = states(extract)
        .iter()
        .filter(|row| row.thread == busy && row.state == running)
        .map(|row| row.duration_ns)
        .sum();
    if running_ns < 2_000_000_000 {
        return Some(format!("busy: running for {running_ns} ns only"));
    }
    println!("busy: {sampled_ns} ns of samples, {running_ns} ns running");
    (sampled_ns.abs_diff(running_ns) * 20 > running_ns.unsigned_abs())
        .then(|| format!("busy: {sampled_ns} ns of samples for {running_ns} ns"))
}

/// CPU and ready time between the marks are those of the kernel.
fn times_agree(known: &Known, mark: &Mark) -> Vec<String> {
    let columns = "running,ready,wait,unknown,off-cpu,stopped";
    let Some(states) = known.ask("threads", mark, &["-c", columns]).pop() else {
        return vec![format!("{}: no such thread", mark.name)];
    };
    let all: i64 = states.keys().map(|column| number(&states, column)).sum();
    assert_eq!(all, mark.to_ns - mark.from_ns, "{}: {states:?}", mark.name);
    let columns = "cpu,ready,competing,hand-over,waking,unexplained,preempted,switches";
    let row = known.ask("threads", mark, &["-c", columns]).pop();
    let row = row.unwrap_or_default();
    let most = (mark.run_ns / 200).max(100_000) + 500 * number(&row, "switches");
    let cpu = differs(mark, "cpu", number(&row, "cpu_ns"), mark.run_ns, most);
    let mut faults = delays_differ(known, mark, &row);
    faults.extend(cpu);
    faults
}

/// Ready time by its kinds, against the kernel's account of the time on a queue.
fn delays_differ(known: &Known, mark: &Mark, row: &Row) -> Vec<String> {
    let of = |column| number(row, column);
    let ready_ns = of("ready_ns");
    let parts = [
        "competing_ns",
        "hand_over_ns",
        "waking_ns",
        "unexplained_ns",
    ]
    .map(of);
    println!("{}: ready {ready_ns} ns is {parts:?}", mark.name);
    assert_eq!(
        parts.iter().sum::<i64>(),
        ready_ns,
        "{}: {row:?}",
        mark.name
    );
    let [competing, hand_over, waking, unexplained] = parts;
    let most_unexplained = (ready_ns / 20).max(1_000_000);
    let explained = (unexplained > most_unexplained).then(|| {
        let name = &mark.name;
        format!("{name}: {unexplained} of {ready_ns} ns ready are unexplained")
    });
    let losses = of("preempted");
    let wake_ups = of("switches") - losses;
    let queued = match losses > wake_ups {
        true => waking,
        false => 0,
    };
    let by_interrupts = ["ticker", "sleeper", "reader"].contains(&mark.name.as_str());
    let own_ns = match by_interrupts {
        true => known.handler_ns("wake_up") + known.handler_ns("switch"),
        false => 0,
    };
    let most = mark.queue_ns / 20 + (2_000 + own_ns) * wake_ups + 5_000 * losses + 200_000;
    let ours = competing + hand_over + queued;
    let delay = differs(mark, "delay", ours, mark.queue_ns, most + unexplained);
    delay.into_iter().chain(explained).collect()
}

fn number(row: &Row, column: &str) -> i64 {
    row.get(column)
        .and_then(|cell| cell.parse().ok())
        .unwrap_or(0)
}

/// Says so if ours differs from the kernel's by more than `most_ns`.
fn differs(mark: &Mark, what: &str, ours: i64, kernels: i64, most_ns: i64) -> Option<String> {
    let name = &mark.name;
    let text =
        format!("{name}: {what} {ours} ns, the kernel {kernels} ns, {most_ns} ns apart at most");
    println!("{text}");
    ((ours - kernels).abs() > most_ns).then_some(text)
}

/// What the thread waited for, in which function, and who ended it.
fn waits_are_explained(known: &Known, extract: &Extract, mark: &Mark) -> Vec<String> {
    let holder = format!("known_threads/holder({})", known.mark("holder").tid);
    let (class, waker, function) = match mark.name.as_str() {
        "sleeper" => ("sleep", "interrupt", "sleep_often"),
        "holder" => ("sleep", "interrupt", "hold_lock"),
        "wanter" => ("lock", holder.as_str(), "want_lock"),
        "reader" => ("disk", "interrupt", "read_directly"),
        _ => return Vec::new(),
    };
    let columns = "wait,class,class-share,waker,waker-share";
    let row = known.ask("threads", mark, &["-c", columns]).pop();
    let row = row.unwrap_or_default();
    let wait_ns: f64 = row["wait_ns"].parse().unwrap_or(0.0);
    let share = |column: &str| row[column].parse::<f64>().unwrap_or(0.0);
    let mut faults = Vec::new();
    if row["waited_for"] != class || share("waited_for_percent") < 99.0 {
        faults.push(format!("{}: waited not for {class}: {row:?}", mark.name));
    }
    let told_ns = share("waker_percent") / 100.0 * wait_ns + unseen_ns(extract, mark) as f64;
    if row["waker"] != waker || told_ns < 0.99 * wait_ns {
        faults.push(format!("{}: woken not by {waker}: {row:?}", mark.name));
    }
    let pattern = format!("known_threads::{function}");
    let methods = known.ask("cpu", mark, &["--sum", "-m", &pattern, "-c", "method,wait"]);
    let of = |row: &Row| row["wait_ns"].parse().unwrap_or(0.0);
    let inside_ns: f64 = methods.iter().map(of).sum();
    println!(
        "{}: {inside_ns} of {wait_ns} ns wait in {function}",
        mark.name
    );
    // Waits shorter than the threshold, by default 1 ms, are added up; the rest has no user stack.
    if inside_ns < wait_ns - 1e6 || wait_ns == 0.0 {
        faults.push(format!(
            "{}: {inside_ns} of {wait_ns} ns wait in {function}",
            mark.name
        ));
    }
    faults
}
