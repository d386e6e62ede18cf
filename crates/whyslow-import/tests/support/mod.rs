//! Traces as short texts, and the resulting rows as short texts.
//!
//! One event per line: `TIME CPU what …`, with `-` for none. Threads are numbers; 0 is the idle
//! thread.
//!
//! ```text
//! 10 0 switch 1 S 2      CPU 0 changes from thread 1, which blocks, to thread 2
//! 10 0 switch 1 S 2 8    … and the system accounts 8 to the stay of thread 1
//! 20 1 wake 1 by 3       thread 3, on CPU 1, wakes thread 1      (irq: an interrupt does;
//!                                  softirq 3: its deferred work does, on top of thread 3)
//! 20 1 new 4 by 3        … wakes the new thread 4 for the first time
//! 22 0 queue 1           thread 1, which was woken, is on a CPU's queue
//! 30 0 sample 2          a sample hits thread 2
//! 5 0 fork 100 200       process 100 makes process 200
//! 5 0 thread 100 101     process 100 makes thread 101
//! 9 0 exec 100 prog      process 100 becomes prog                (exec 100 prog 101: by thread 101)
//! 9 0 exit 100 101       thread 101 begins to end
//! - - seen 100 101 name  thread 101 is there from the start
//! 9 0 lost 5             CPU 0 lost 5 events
//! - - bind 100 101 5     thread 101 of process 100 may use CPUs 0 and 2
//! ```

#![allow(dead_code, reason = "each test file uses its part")]

use whyslow_import::{
    Event, EventKind, HalfRef, Importer, Limits, MemorySink, Recording, Root, Sample, Settled,
    StackRef, Summary, Switch, TraceFacts, Waker, Waking,
};
use whyslow_model::tables::{AffinityRow, ProcessRow, StackRow, ThreadRow, ThreadStateRow};
use whyslow_model::{
    Named, ProblemKind, StateFlags, Table, TableRow, ThreadState, WaitReason, WakerKind,
};

/// A system-wide recording with wake-ups.
pub(crate) const EVERYTHING: Recording = Recording {
    switches: true,
    wake_ups: true,
    has_all_wake_ups: true,
    whole_machine: true,
    late_user_halves: false,
    late_events: false,
    pid_is_first_tid: true,
    told_first: true,
};

/// The outcome of an import.
pub(crate) struct Outcome {
    pub(crate) tables: Vec<Table>,
    pub(crate) summary: Summary,
    pub(crate) problems: Vec<(ProblemKind, u64)>,
}

/// Imports `feed`'s events with everything recorded.
pub(crate) fn import(recording: Recording, feed: impl FnOnce(&mut Importer<'_>)) -> Outcome {
    let mut sink = MemorySink::new();
    let mut importer = Importer::new(recording, Limits::default(), &mut sink);
    feed(&mut importer);
    let settled = importer.finish(TraceFacts::default()).unwrap();
    outcome(sink, settled)
}

pub(crate) fn outcome(sink: MemorySink, mut settled: Settled) -> Outcome {
    let mut tables = sink.into_tables(&mut settled);
    let summary = settled.summary();
    let problems = settled
        .problems()
        .map(|(kind, problem)| (kind, problem.count))
        .collect();
    tables.extend(settled.into_tables());
    Outcome {
        tables,
        summary,
        problems,
    }
}

impl Outcome {
    pub(crate) fn table(&self, name: &str) -> &Table {
        self.tables
            .iter()
            .find(|table| table.schema.name == name)
            .unwrap()
    }

    pub(crate) fn rows<R: TableRow>(&self) -> Vec<R> {
        self.table(R::SCHEMA.name).rows().collect()
    }

    pub(crate) fn count(&self, kind: ProblemKind) -> u64 {
        self.problems
            .iter()
            .find(|(other, _)| *other == kind)
            .map_or(0, |(_, count)| *count)
    }

    /// The law: the states of every thread cover its lifetime exactly, and parents of stacks come
    /// first.
    #[track_caller]
    pub(crate) fn assert_covered(&self, script: &str) {
        let threads: Vec<ThreadRow> = self.rows();
        let states: Vec<ThreadStateRow> = self.rows();
        let processes: Vec<ProcessRow> = self.rows();
        let end = self.summary.duration_ns;
        let mut covered = 0;
        for (number, thread) in threads.iter().enumerate() {
            assert_eq!(thread.id.index(), number);
            let process = &processes[thread.process.index()];
            let mut at = thread.start_ns.unwrap_or(0);
            let what = || format!("thread {} of {script}\n{}", thread.os_tid, self.states());
            for row in states.iter().filter(|row| row.thread == thread.id) {
                assert_eq!(row.start_ns, at, "gap or overlap: {}", what());
                assert!(row.duration_ns > 0, "empty: {}", what());
                assert_eq!(row.process, thread.process);
                let parts = [row.competing_ns, row.hand_over_ns, row.waking_ns];
                let is_ready = row.state == ThreadState::Ready.code();
                assert!(is_ready || parts == [None; 3], "split: {}", what());
                let parts = parts.map(|part| part.unwrap_or(0));
                assert!(
                    parts.iter().all(|&part| part >= 0),
                    "split: {row:?} {}",
                    what()
                );
                let split: i64 = parts.iter().sum();
                assert!(split <= row.duration_ns, "split: {row:?} {}", what());
                at += row.duration_ns;
                covered = row.duration_ns.saturating_add(covered);
            }
            assert_eq!(at, thread.end_ns.unwrap_or(end), "end: {}", what());
            if let (Some(thread_end), Some(process_end)) = (thread.end_ns, process.end_ns) {
                assert!(thread_end <= process_end.max(thread_end));
            }
        }
        assert_eq!(covered, self.summary.covered_ns);
        let stacks: Vec<StackRow> = self.rows();
        for stack in &stacks {
            assert!(stack.parent.is_none_or(|parent| parent < stack.id));
            assert_eq!(stack.parent.is_none(), stack.end.is_some());
        }
    }

    /// The states of every thread, one per line: `tid: from-to state …`.
    pub(crate) fn states(&self) -> String {
        let threads: Vec<ThreadRow> = self.rows();
        let states: Vec<ThreadStateRow> = self.rows();
        let mut text = String::new();
        for thread in &threads {
            let mine = states.iter().filter(|row| row.thread == thread.id);
            let parts: Vec<String> = mine.map(|row| state_text(row, &threads)).collect();
            text += &format!("{}: {}\n", thread_name(thread), parts.join(" | "));
        }
        text
    }

    /// The ready intervals of a thread: `from-to kind ns …`, with `?` for the unexplained part.
    pub(crate) fn ready(&self, tid: i32) -> String {
        let threads: Vec<ThreadRow> = self.rows();
        let states: Vec<ThreadStateRow> = self.rows();
        let is_of = |row: &&ThreadStateRow| threads[row.thread.index()].os_tid == tid;
        let ready = |row: &&ThreadStateRow| row.state == ThreadState::Ready.code();
        let rows = states.iter().filter(is_of).filter(ready);
        rows.map(ready_text).collect::<Vec<_>>().join(" | ")
    }

    /// The running intervals of a thread: `from-to cpu`, `?` where that is not accounted; and after a minus what
    /// the recorder's programs took of it.
    pub(crate) fn accounted(&self, tid: i32) -> String {
        let threads: Vec<ThreadRow> = self.rows();
        let states: Vec<ThreadStateRow> = self.rows();
        let is_of = |row: &&ThreadStateRow| threads[row.thread.index()].os_tid == tid;
        let text = |row: &ThreadStateRow| {
            assert!(row.cpu_ns.is_none() || row.state == ThreadState::Running.code());
            let cpu = row.cpu_ns.map_or("?".to_owned(), |ns| ns.to_string());
            let recorder = row.recorder_ns.map_or(String::new(), |ns| format!("-{ns}"));
            let end = row.start_ns + row.duration_ns;
            format!("{}-{end} {cpu}{recorder}", row.start_ns)
        };
        let rows = states.iter().filter(is_of);
        let rows = rows.filter(|row| row.state == ThreadState::Running.code());
        rows.map(text).collect::<Vec<_>>().join(" | ")
    }

    /// What threads are bound to: `tid from cpus`.
    pub(crate) fn affinity(&self) -> Vec<String> {
        let threads: Vec<ThreadRow> = self.rows();
        let rows = self.rows::<AffinityRow>().into_iter();
        let line = |row: AffinityRow| {
            let tid = threads[row.thread.index()].os_tid;
            let from = row.from_ns.map_or("…".to_owned(), |ns| ns.to_string());
            format!("{tid} {from} {}", row.cpus)
        };
        rows.map(line).collect()
    }

    /// Processes: `pid name start-end parent predecessor`.
    pub(crate) fn processes(&self) -> String {
        let time = |ns: Option<i64>| ns.map_or("…".to_owned(), |ns| ns.to_string());
        let line = |row: ProcessRow| {
            let mut text = format!(
                "{}: {} {} {}-{}",
                row.id,
                row.os_pid,
                row.name,
                time(row.start_ns),
                time(row.end_ns)
            );
            if let Some(parent) = row.parent {
                text += &format!(" parent {parent}");
            }
            if let Some(before) = row.predecessor {
                text += &format!(" was {before}");
            }
            text + "\n"
        };
        self.rows::<ProcessRow>().into_iter().map(line).collect()
    }
}

fn ready_text(row: &ThreadStateRow) -> String {
    let kinds = [
        ("competing", row.competing_ns),
        ("hand-over", row.hand_over_ns),
        ("waking", row.waking_ns),
    ];
    let end = row.start_ns + row.duration_ns;
    let mut text = format!("{}-{end}", row.start_ns);
    let mut left = row.duration_ns;
    for (name, ns) in kinds.map(|(name, ns)| (name, ns.unwrap_or(0))) {
        left -= ns;
        if ns > 0 {
            text += &format!(" {name} {ns}");
        }
    }
    assert!(left >= 0, "{text}");
    match left {
        0 => text,
        left => format!("{text} ? {left}"),
    }
}

fn thread_name(thread: &ThreadRow) -> String {
    match thread.idle_cpu {
        Some(cpu) => format!("idle{cpu}"),
        None => thread.os_tid.to_string(),
    }
}

fn state_text(row: &ThreadStateRow, threads: &[ThreadRow]) -> String {
    let name = |code: i32| ThreadState::from_code(code).map_or("?", Named::name);
    let mut text = format!(
        "{}-{} {}",
        row.start_ns,
        row.start_ns + row.duration_ns,
        name(row.state)
    );
    match WaitReason::from_code(row.reason) {
        Some(WaitReason::Unknown) | None => {}
        Some(WaitReason::Interruptible) => text += " S",
        Some(WaitReason::Uninterruptible) => text += " D",
        Some(reason) => text += &format!(" {}", reason.name()),
    }
    match row.waker_kind.and_then(WakerKind::from_code) {
        Some(WakerKind::Interrupt) => text += " by irq",
        Some(WakerKind::Softirq) => text += " by softirq",
        Some(WakerKind::Unknown) => text += " by ?",
        _ => {}
    }
    if let Some(waker) = row.waker_thread {
        text += &format!(" by {}", thread_name(&threads[waker.index()]));
    }
    let flags = StateFlags(row.flags);
    let marks = [
        (StateFlags::OPEN_START, " <"),
        (StateFlags::OPEN_END, " >"),
        (StateFlags::NO_WAKE_UP, " no-wake"),
        (StateFlags::AFTER_LOSS, " loss"),
        (StateFlags::APPROXIMATE_STACK, " approx"),
        (StateFlags::KILLED, " killed"),
        (StateFlags::PAGE_FAULT, " fault"),
    ];
    for (flag, mark) in marks {
        if flags.has(flag) {
            text += mark;
        }
    }
    text
}

/// Feeds a script to an importer.
pub(crate) fn feed(importer: &mut Importer<'_>, script: &str) {
    for line in script
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let event = parse(importer, line);
        importer.event(&event).unwrap();
    }
}

/// Imports a script and compares the states of every thread.
#[track_caller]
pub(crate) fn check(script: &str, expected: &str) -> Outcome {
    check_as(EVERYTHING, script, expected)
}

/// Like [`check`], for a recording that holds something else.
#[track_caller]
pub(crate) fn check_as(recording: Recording, script: &str, expected: &str) -> Outcome {
    let outcome = import(recording, |importer| feed(importer, script));
    let trim = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let states = outcome.states();
    assert_eq!(trim(&states), trim(expected), "\n{states}");
    outcome
}

pub(crate) fn parse(importer: &mut Importer<'_>, line: &str) -> Event {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<u32>().unwrap();
    let kind = match words[2] {
        "switch" => EventKind::Switch(Switch {
            out_accounted_ns: words.get(6).map(|word| word.parse().unwrap()),
            out_recorder_ns: words.get(7).map(|word| word.parse().unwrap()),
            ..switch(number(3), words[4], number(5))
        }),
        "wake" => EventKind::Waking(waking(number(3), words[4], words.get(5).copied())),
        "new" => EventKind::FirstWaking(waking(number(3), words[4], words.get(5).copied())),
        "sample" => EventKind::Sample(Sample {
            pid: None,
            tid: Some(number(3)),
            weight_ns: 1,
            stack: StackRef::NONE,
            priority: None,
        }),
        "queue" => EventKind::Queued { tid: number(3) },
        "oncpu" => EventKind::OnCpu { tid: number(3) },
        "fork" => EventKind::Fork {
            parent_pid: number(3),
            pid: number(4),
            tid: number(4),
        },
        "thread" => EventKind::ThreadStart {
            pid: number(3),
            tid: number(4),
        },
        "exec" => EventKind::Exec {
            pid: number(3),
            name: importer.text(words[4]),
            old_tid: words.get(5).map(|word| word.parse().unwrap()),
        },
        "exit" => EventKind::Exit {
            pid: number(3),
            tid: number(4),
        },
        "rename" => EventKind::Rename {
            pid: number(3),
            tid: number(4),
            name: importer.text(words[5]).unwrap(),
        },
        "seen" => EventKind::ThreadSeen {
            pid: number(3),
            tid: number(4),
            name: words.get(5).and_then(|name| importer.text(name)),
        },
        "bind" => EventKind::Affinity {
            pid: number(3),
            tid: number(4),
            cpus: importer.cpu_set(&[number(5).into()]).unwrap(),
        },
        "lost" => EventKind::Lost {
            count: u64::from(number(3)),
            since_ns: words.get(4).map(|word| word.parse().unwrap()),
        },
        other => panic!("unknown event {other}"),
    };
    Event {
        time_ns: words[0].parse().ok(),
        cpu: words[1].parse().ok(),
        kind,
    }
}

pub(crate) fn switch(out_tid: u32, state: &str, in_tid: u32) -> Switch {
    let reason = match state {
        "S" => WaitReason::Interruptible,
        "D" => WaitReason::Uninterruptible,
        "R" => WaitReason::Preempted,
        "Q" => WaitReason::Throttled,
        "T" => WaitReason::Stopped,
        "I" => WaitReason::Idle,
        "X" => WaitReason::Exited,
        other => panic!("unknown state {other}"),
    };
    Switch {
        out_tid,
        out_pid: None,
        reason,
        reason_raw: 0,
        priority: None,
        is_idle_class: false,
        out_stack: StackRef::NONE,
        in_tid,
        in_pid: None,
        in_stack: StackRef::NONE,
        out_site: whyslow_import::Site::default(),
        out_accounted_ns: None,
        out_recorder_ns: None,
        in_waker_site: whyslow_import::Site::default(),
    }
}

fn waking(target_tid: u32, kind: &str, tid: Option<&str>) -> Waking {
    let waker = match (kind, tid) {
        ("irq", _) => Waker::Interrupt,
        ("softirq", Some(tid)) => Waker::Softirq {
            tid: tid.parse().unwrap(),
        },
        (_, Some(tid)) => Waker::Thread {
            tid: tid.parse().unwrap(),
        },
        _ => Waker::Unknown,
    };
    Waking {
        target_tid,
        waker,
        stack: StackRef::NONE,
        site: whyslow_import::Site::default(),
    }
}

/// A stack of a kernel and a user half, leaf first; an empty half is absent.
pub(crate) fn stack(importer: &mut Importer<'_>, kernel: &[u64], user: &[u64]) -> StackRef {
    let mut half = |root, frames: &[u64]| match frames {
        [] => HalfRef::Absent,
        frames => importer.half(root, frames),
    };
    StackRef {
        kernel: half(Root::Kernel, kernel),
        user: half(Root::User, user),
    }
}

/// A repeatable source of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = self.below(u64::try_from(all.len()).unwrap());
        &all[usize::try_from(at).unwrap()]
    }
}
