//! Laws that hold for any input: states cover lifetimes exactly, order among CPUs at equal times
//! does not matter, and nothing panics.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::fmt::Write;

use support::{EVERYTHING, Random, feed, import, parse};
use whyslow_import::{
    Event, EventKind, HalfRef, Recording, Snapshot, Sorter, StackRef, UserHalf, UserTarget,
};
use whyslow_model::WaitReason;

/// Returns one random event as a line of a script; `wild` ones make no sense.
fn line(random: &mut Random, ns: &mut i64, wild: bool) -> String {
    *ns += i64::try_from(random.below(4)).unwrap();
    let late = if wild && random.below(20) == 0 { 15 } else { 0 };
    let mut text = format!("{} {} ", (*ns - late).max(1), random.below(3));
    let tid = 1 + random.below(8);
    let other = random.below(9);
    let pid = 1 + random.below(4) * 2;
    let state = random.pick(&["S", "D", "R", "R", "T", "I", "X"]);
    let irq = if random.below(4) == 0 {
        "irq".to_owned()
    } else {
        format!("by {other}")
    };
    let _infallible = match random.below(if wild { 24 } else { 16 }) {
        0..=7 => write!(text, "switch {tid} {state} {other}"),
        8..=11 => write!(text, "wake {tid} {irq}"),
        12 => write!(text, "sample {tid}"),
        13 => write!(text, "new {tid} {irq}"),
        14 => write!(text, "switch 0 R {tid}"),
        15 if random.below(2) == 0 => write!(text, "queue {tid}"),
        15 => write!(text, "oncpu {tid}"),
        16 => write!(text, "lost 3"),
        17 => write!(text, "fork {pid} {tid}"),
        18 => write!(text, "thread {pid} {tid}"),
        19 => write!(text, "exec {pid} prog"),
        20 => write!(text, "exec {pid} prog {tid}"),
        21 => write!(text, "exit {pid} {tid}"),
        22 => write!(text, "rename {pid} {tid} name"),
        _ => write!(text, "seen {pid} {tid} name"),
    };
    text
}

#[test]
fn states_cover_every_lifetime_exactly() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let wild = seed % 3 != 0;
        let mut ns = 1;
        let count = 5 + random.below(60);
        let mut script = String::new();
        for _ in 0..count {
            script += &line(&mut random, &mut ns, wild);
            script.push('\n');
        }
        let recording = Recording {
            wake_ups: seed % 5 != 4,
            whole_machine: seed % 7 != 6,
            late_user_halves: seed % 2 == 1,
            late_events: seed % 4 == 2,
            ..EVERYTHING
        };
        let outcome = import(recording, |importer| {
            for line in script.lines() {
                let mut event = parse(importer, line);
                sprinkle(&mut random, &mut event);
                importer.event(&event).unwrap();
                if random.below(5) == 0 {
                    importer.event(&half(&mut random, &event)).unwrap();
                }
                if wild && random.below(8) == 0 {
                    importer.event(&snapshot(&mut random, &event)).unwrap();
                }
            }
        });
        outcome.assert_covered(&script);
    }
}

/// Gives an event stacks: recorded, named by a key, or none.
fn sprinkle(random: &mut Random, event: &mut Event) {
    let half = match random.below(3) {
        0 => HalfRef::Absent,
        _ => HalfRef::Key(random.below(4)),
    };
    match &mut event.kind {
        EventKind::Switch(switch) => switch.out_stack.kernel = half,
        EventKind::Waking(waking) => waking.stack.kernel = half,
        EventKind::Sample(sample) => sample.stack.user = half,
        _ => {}
    }
}

/// Returns a user half of something, or the definition of a key.
fn half(random: &mut Random, event: &Event) -> Event {
    let tid = u32::try_from(1 + random.below(8)).unwrap();
    let ns = event.time_ns.unwrap_or(0) - i64::try_from(random.below(9)).unwrap();
    let is_sampled = random.below(2) == 0;
    let target = match random.below(8) {
        0 => UserTarget::OpenWait,
        1 => UserTarget::Wait {
            from_ns: None,
            is_sampled,
            is_killed: false,
        },
        2 => UserTarget::Preemption { out_ns: ns },
        3 => UserTarget::Waker {
            woken_tid: tid % 8 + 1,
            at_ns: ns,
        },
        5 => UserTarget::Fault { out_ns: ns },
        6 => UserTarget::Wait {
            from_ns: Some(ns),
            is_sampled,
            is_killed: true,
        },
        4 => UserTarget::Pending,
        _ => {
            let kind = EventKind::StackDefinition {
                key: random.below(4),
                half: HalfRef::Absent,
            };
            return Event { kind, ..*event };
        }
    };
    let half = UserHalf {
        tid,
        target,
        half: HalfRef::Key(random.below(4)),
    };
    Event {
        kind: EventKind::UserHalf(half),
        ..*event
    }
}

/// What a thread does at the start or end of the trace, reported at any time.
fn snapshot(random: &mut Random, event: &Event) -> Event {
    let tid = u32::try_from(1 + random.below(8)).unwrap();
    let reasons = [
        None,
        Some(WaitReason::Interruptible),
        Some(WaitReason::Stopped),
        Some(WaitReason::Idle),
    ];
    let snapshot = Snapshot {
        pid: u32::try_from(1 + random.below(4) * 2).unwrap(),
        tid,
        at_end: random.below(2) == 0,
        reason: *random.pick(&reasons),
        reason_raw: None,
        stack: StackRef::NONE,
    };
    Event {
        kind: EventKind::Snapshot(snapshot),
        ..*event
    }
}

#[test]
fn the_order_of_cpus_at_equal_times_does_not_matter() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let mut ns = 1;
        let lines: Vec<String> = (0..40).map(|_| line(&mut random, &mut ns, true)).collect();
        // Each CPU's events stay in order; the CPUs are interleaved again.
        let cpu = |line: &String| line.split(' ').nth(1).unwrap().to_owned();
        let mut queues: Vec<Vec<String>> = (0..3)
            .map(|number| {
                lines
                    .iter()
                    .filter(move |line| cpu(line) == number.to_string())
            })
            .map(|lines| lines.rev().cloned().collect())
            .collect();
        let mut shuffled = Vec::new();
        while queues.iter().any(|queue| !queue.is_empty()) {
            let queue = &mut queues[usize::try_from(random.below(3)).unwrap()];
            shuffled.extend(queue.pop());
        }
        let sorted = |lines: &[String]| {
            import(EVERYTHING, |importer| {
                let events: Vec<Event> = lines.iter().map(|line| parse(importer, line)).collect();
                let mut sorter = Sorter::new(i64::MAX, 1 << 20);
                let mut each = |event: &Event| importer.event(event);
                for event in events {
                    sorter.push(event, &mut each).unwrap();
                }
                sorter.finish(&mut each).unwrap();
            })
        };
        let (a, b) = (sorted(&lines), sorted(&shuffled));
        assert_eq!(a.states(), b.states(), "{}", lines.join("\n"));
        assert_eq!(a.processes(), b.processes(), "{}", lines.join("\n"));
    }
}

#[test]
fn the_same_events_give_the_same_tables() {
    let mut random = Random(7);
    let mut ns = 1;
    let lines: Vec<String> = (0..500).map(|_| line(&mut random, &mut ns, true)).collect();
    let script = lines.join("\n");
    let tables = || import(EVERYTHING, |importer| feed(importer, &script)).tables;
    assert_eq!(tables(), tables());
}
