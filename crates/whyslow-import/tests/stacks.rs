//! Stacks: halves that come late, keys that are recycled, mappings that come last.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, Outcome, feed, import, stack, switch};
use whyslow_import::{
    Event, EventKind, HalfRef, Importer, Mapping, Module, ModuleKind, ProcessFacts, Recording,
    Root, Sample, Site, StackRef, UserHalf, UserTarget, WaitTarget,
};
use whyslow_model::tables::{
    AddressRow, CpuSampleRow, ModuleRow, StackRow, ThreadStateRow, WaitObjectRow,
};
use whyslow_model::{Named, ProblemKind, StackEnd, StackId, StateFlags, ThreadState};

const LATE: Recording = Recording {
    late_user_halves: true,
    late_events: false,
    ..EVERYTHING
};

/// A stack as text, leaf first: `module+rva`, `k:` before kernel frames, the end in brackets.
fn stack_text(outcome: &Outcome, stack: Option<StackId>) -> String {
    let stacks: Vec<StackRow> = outcome.rows();
    let addresses: Vec<AddressRow> = outcome.rows();
    let modules: Vec<ModuleRow> = outcome.rows();
    let mut text = String::new();
    let mut node = stack;
    while let Some(id) = node {
        let row = &stacks[id.index()];
        if let Some(address) = row.address {
            let address = &addresses[address.index()];
            let module = address.module.map(|module| &modules[module.index()]);
            let kind = if row.kind == 1 { "k:" } else { "" };
            let name = module.map_or("?", |module| module.name.as_str());
            text += &format!("{kind}{name}+{:x} ", address.rva);
        }
        if let Some(end) = row.end.and_then(StackEnd::from_code) {
            text += &format!("[{}]", end.name());
        }
        node = row.parent;
    }
    if stack.is_none() {
        "none".to_owned()
    } else {
        text
    }
}

/// Waits in order: time, stack, flags.
fn waits(outcome: &Outcome) -> Vec<(i64, String, i32)> {
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let mut waits: Vec<_> = rows
        .iter()
        .filter(|row| row.state == ThreadState::Waiting.code() && row.reason == 1)
        .map(|row| (row.start_ns, stack_text(outcome, row.stack), row.flags))
        .collect();
    waits.sort();
    waits
}

fn samples(outcome: &Outcome) -> Vec<String> {
    let rows: Vec<CpuSampleRow> = outcome.rows();
    rows.iter()
        .map(|row| stack_text(outcome, row.stack))
        .collect()
}

fn send(importer: &mut Importer<'_>, time_ns: i64, kind: EventKind) {
    importer
        .event(&Event {
            time_ns: Some(time_ns),
            cpu: Some(0),
            kind,
        })
        .unwrap();
}

fn sleep(importer: &mut Importer<'_>, ns: i64, tid: u32, kernel: &[u64]) {
    let mut event = switch(tid, "S", 0);
    event.out_stack = stack(importer, kernel, &[]);
    send(importer, ns, EventKind::Switch(event));
}

fn sample(importer: &mut Importer<'_>, ns: i64, (pid, tid): (u32, u32), stack: StackRef) {
    let (pid, tid) = (Some(pid), Some(tid));
    let sample = Sample {
        pid,
        tid,
        weight_ns: 1,
        stack,
        priority: None,
    };
    send(importer, ns, EventKind::Sample(sample));
}

fn user_half(importer: &mut Importer<'_>, ns: i64, tid: u32, target: UserTarget, frames: &[u64]) {
    let half = importer.half(Root::UserComplete, frames);
    send(
        importer,
        ns,
        EventKind::UserHalf(UserHalf { tid, target, half }),
    );
}

fn map(importer: &mut Importer<'_>, place: Option<(u32, Option<i64>)>, name: &str, base: u64) {
    let path = importer.text(name).unwrap();
    let kind = if place.is_none() {
        ModuleKind::Kernel
    } else {
        ModuleKind::Elf
    };
    let module = importer.module(Module::new(path, kind)).unwrap();
    let mapping = Mapping {
        pid: place.map(|(pid, _)| pid),
        module,
        base,
        size_bytes: 0x1000,
        file_offset: 0x100,
        from_ns: place.and_then(|(_, from)| from),
        to_ns: None,
        function: None,
    };
    send(importer, 1_000_000, EventKind::Mapping(mapping));
}

#[test]
fn a_wait_gets_the_user_half_its_system_call_returns_with() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        sleep(importer, 100, 1, &[0xa1, 0xa2]);
        feed(importer, "200 0 wake 1 irq\n 210 0 switch 0 R 1");
        let target = UserTarget::Wait {
            from_ns: Some(101),
            is_sampled: false,
            is_killed: false,
        };
        user_half(importer, 220, 1, target, &[0x11, 0x12]);
        sleep(importer, 300, 1, &[0xa1, 0xa2]);
        feed(
            importer,
            "400 0 wake 1 irq\n 410 0 switch 0 R 1\n 500 0 oncpu 1",
        );
    });
    let whole = "k:?+a1 k:?+a2 ?+11 ?+12 [complete]".to_owned();
    let half = "k:?+a1 k:?+a2 [no user half]".to_owned();
    assert_eq!(waits(&outcome), [(100, whole, 0), (300, half, 0)]);
    let settled = outcome.table("problem");
    assert_eq!(
        settled.column("count").int(0),
        Some(1),
        "one wait without a user half"
    );
}

#[test]
fn a_sampled_wait_lends_its_user_half_to_those_before_with_the_same_kernel_half() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        for (at, kernel) in [(100_000, 0xa), (200_000, 0xb), (300_000, 0xa)] {
            sleep(importer, at, 1, &[kernel]);
            let wake = at + 10_000;
            feed(
                importer,
                &format!("{wake} 0 wake 1 irq\n{wake} 0 switch 0 R 1"),
            );
        }
        let from_ns = Some(300_002);
        let target = UserTarget::Wait {
            from_ns,
            is_sampled: true,
            is_killed: false,
        };
        user_half(importer, 320_000, 1, target, &[0x11]);
        sleep(importer, 400_000, 1, &[0xa]);
        feed(importer, "410000 0 wake 1 irq\n410000 0 switch 0 R 1");
    });
    let approximate = StateFlags::APPROXIMATE_STACK.0;
    assert_eq!(
        waits(&outcome),
        [
            (100_000, "k:?+a ?+11 [complete]".to_owned(), approximate),
            (200_000, "k:?+b [no user half]".to_owned(), 0),
            (300_000, "k:?+a ?+11 [complete]".to_owned(), 0),
            (400_000, "k:?+a [no user half]".to_owned(), 0),
        ]
    );
}

#[test]
fn waits_without_a_stack_have_that_of_the_sample_of_their_site() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        let waits = [
            (100_000, Site(7), &[0xa][..], Some(0x11)),
            (200_000, Site(7), &[][..], None),
            (300_000, Site(8), &[0xb][..], Some(0x22)),
            (400_000, Site(8), &[][..], None),
            (500_000, Site(7), &[][..], None),
            (600_000, Site(9), &[][..], None),
            (700_000, Site(0), &[][..], None),
        ];
        for (at, site, kernel, user) in waits {
            let mut event = switch(1, "S", 0);
            event.out_stack = stack(importer, kernel, &[]);
            event.out_site = site;
            send(importer, at, EventKind::Switch(event));
            let wake = at + 10_000;
            feed(
                importer,
                &format!("{wake} 0 wake 1 irq\n{wake} 0 switch 0 R 1"),
            );
            if let Some(frame) = user {
                let target = UserTarget::Wait {
                    from_ns: Some(at),
                    is_sampled: false,
                    is_killed: false,
                };
                user_half(importer, wake + 5, 1, target, &[frame]);
            }
        }
    });
    let approximate = StateFlags::APPROXIMATE_STACK.0;
    let first = "k:?+a ?+11 [complete]".to_owned();
    let second = "k:?+b ?+22 [complete]".to_owned();
    assert_eq!(
        waits(&outcome),
        [
            (100_000, first.clone(), 0),
            (200_000, first.clone(), approximate),
            (300_000, second.clone(), 0),
            (400_000, second, approximate),
            (500_000, first, approximate),
            (600_000, "none".to_owned(), 0),
            (700_000, "none".to_owned(), 0),
        ]
    );
}

#[test]
fn a_waker_without_a_stack_has_that_of_the_sample_of_its_site() {
    let outcome = import(EVERYTHING, |importer| {
        feed(importer, "0 0 switch 0 R 1\n0 1 switch 0 R 2");
        for (at, site, kernel) in [
            (100_000, Site(7), &[0xa][..]),
            (200_000, Site(0), &[][..]),
            (300_000, Site(7), &[0xc][..]),
            (400_000, Site(0), &[][..]),
        ] {
            sleep(importer, at, 1, &[0x9]);
            let waking = whyslow_import::Waking {
                target_tid: 1,
                waker: whyslow_import::Waker::Thread { tid: 2 },
                stack: stack(importer, kernel, &[]),
                site,
            };
            send(importer, at + 10_000, EventKind::Waking(waking));
            let mut event = switch(0, "R", 1);
            event.in_waker_site = Site(7);
            send(importer, at + 20_000, EventKind::Switch(event));
        }
    });
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let wakers: Vec<String> = rows
        .iter()
        .filter(|row| row.state == ThreadState::Waiting.code() && row.reason == 1)
        .map(|row| stack_text(&outcome, row.waker_stack))
        .collect();
    let of = |frame: &str| format!("k:?+{frame} [no user half]");
    assert_eq!(wakers, [of("a"), of("a"), of("c"), of("c")]);
}

#[test]
fn a_long_wait_in_between_does_not_keep_a_sample_from_those_before() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        let waits = [
            (100_000, 0xa, None),
            (200_000, 0xb, Some((false, 0x22))),
            (300_000, 0xc, Some((true, 0x33))),
            (400_000, 0xa, Some((true, 0x11))),
        ];
        for (at, kernel, taken) in waits {
            sleep(importer, at, 1, &[kernel]);
            let wake = at + 10_000;
            feed(
                importer,
                &format!("{wake} 0 wake 1 irq\n{wake} 0 switch 0 R 1"),
            );
            if let Some((is_sampled, frame)) = taken {
                let target = UserTarget::Wait {
                    from_ns: Some(at),
                    is_sampled,
                    is_killed: false,
                };
                user_half(importer, wake + 5, 1, target, &[frame]);
            }
        }
    });
    let approximate = StateFlags::APPROXIMATE_STACK.0;
    assert_eq!(
        waits(&outcome),
        [
            (100_000, "k:?+a ?+11 [complete]".to_owned(), approximate),
            (200_000, "k:?+b ?+22 [complete]".to_owned(), 0),
            (300_000, "k:?+c ?+33 [complete]".to_owned(), 0),
            (400_000, "k:?+a ?+11 [complete]".to_owned(), 0),
        ]
    );
}

#[test]
fn waits_of_one_system_call_share_its_stack_and_nothing_is_approximate() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        for (at, kernel) in [(100_000, 0xa), (200_000, 0xb), (300_000, 0xc)] {
            sleep(importer, at, 1, &[kernel]);
            feed(
                importer,
                &format!("{at} 0 wake 1 irq\n{} 0 switch 0 R 1", at + 9),
            );
        }
        let from_ns = Some(200_000);
        let target = UserTarget::Wait {
            from_ns,
            is_sampled: false,
            is_killed: true,
        };
        user_half(importer, 320_000, 1, target, &[0x11]);
    });
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let ready: Vec<_> = rows
        .iter()
        .filter(|row| row.state == 2 && row.reason == 1)
        .collect();
    let texts: Vec<_> = ready
        .iter()
        .map(|row| stack_text(&outcome, row.stack))
        .collect();
    assert_eq!(
        texts,
        [
            "k:?+a [no user half]",
            "k:?+b ?+11 [complete]",
            "k:?+c ?+11 [complete]"
        ]
    );
    let flags: Vec<_> = ready.iter().map(|row| row.flags).collect();
    assert_eq!(flags, [0, 0, StateFlags::KILLED.0]);
}

#[test]
fn user_halves_a_moment_before_the_switch_and_the_wake_up_are_taken() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1\n 0 1 oncpu 2");
        user_half(importer, 98, 1, UserTarget::Fault { out_ns: 98 }, &[0x11]);
        sleep(importer, 100, 1, &[0xa]);
        let target = UserTarget::Waker {
            woken_tid: 1,
            at_ns: 199,
        };
        user_half(importer, 199, 2, target, &[0x22]);
        feed(importer, "200 1 wake 1 by 2\n 210 0 switch 0 R 1");
        user_half(
            importer,
            298,
            1,
            UserTarget::Preemption { out_ns: 298 },
            &[0x33],
        );
        feed(importer, "300 0 switch 1 R 0\n 310 0 switch 0 R 1");
    });
    let fault = StateFlags::PAGE_FAULT.0;
    assert_eq!(
        waits(&outcome),
        [(100, "k:?+a ?+11 [complete]".to_owned(), fault)]
    );
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let wait = rows
        .iter()
        .find(|row| row.reason == 1 && row.state == 3)
        .unwrap();
    assert_eq!(stack_text(&outcome, wait.waker_stack), "?+22 [complete]");
    let preempted = rows
        .iter()
        .find(|row| row.reason == 3 && row.state == 2)
        .unwrap();
    assert_eq!(stack_text(&outcome, preempted.stack), "?+33 [complete]");
}

#[test]
fn an_open_wait_is_walked_at_the_end() {
    let outcome = import(LATE, |importer| {
        feed(importer, "0 0 switch 0 R 1");
        sleep(importer, 100, 1, &[0xa]);
        let target = WaitTarget {
            tid: 1,
            from_ns: 0,
            is_open: true,
            object: importer.wait_object(lock()),
            timeout_ns: Some(5),
        };
        let event = Event {
            time_ns: Some(900),
            cpu: None,
            kind: EventKind::WaitTarget(target),
        };
        importer.event(&event).unwrap();
        user_half(importer, 900, 1, UserTarget::OpenWait, &[0x11]);
    });
    let open = StateFlags::OPEN_END.0;
    assert_eq!(
        waits(&outcome),
        [(100, "k:?+a ?+11 [complete]".to_owned(), open)]
    );
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let is_it = |row: &&ThreadStateRow| row.reason == 1 && row.state == 3;
    let wait = rows.iter().find(is_it).unwrap();
    assert_eq!((wait.object, wait.timeout_ns), (Some(0), Some(5)));
}

fn lock() -> WaitObjectRow {
    WaitObjectRow {
        id: 0,
        kind: "file".to_owned(),
        name: "/run/lock/x".to_owned(),
        local: None,
        peer_pid: None,
        owner_tid: None,
        file_system: None,
        inode: None,
        device: None,
        others: None,
    }
}

#[test]
fn an_interrupt_has_no_user_half_and_kernel_threads_neither() {
    let outcome = import(EVERYTHING, |importer| {
        let facts = ProcessFacts {
            pid: 2,
            is_kernel: Some(true),
            ..ProcessFacts::default()
        };
        let kind = EventKind::Process(facts);
        importer
            .event(&Event {
                time_ns: None,
                cpu: None,
                kind,
            })
            .unwrap();
        feed(importer, "- - seen 2 2 kthreadd\n 0 0 switch 0 R 2");
        sleep(importer, 100, 2, &[0xa]);
        let stack = stack(importer, &[0xb], &[0x99]);
        let waker = whyslow_import::Waker::Interrupt;
        let waking = whyslow_import::Waking {
            target_tid: 2,
            waker,
            stack,
            site: Site::default(),
        };
        send(importer, 150, EventKind::Waking(waking));
        feed(importer, "160 0 switch 0 R 2");
    });
    assert_eq!(
        waits(&outcome),
        [(100, "k:?+a [kernel only]".to_owned(), 0)]
    );
    let rows: Vec<ThreadStateRow> = outcome.rows();
    let wait = rows
        .iter()
        .find(|row| row.reason == 1 && row.state == 3)
        .unwrap();
    assert_eq!(
        stack_text(&outcome, wait.waker_stack),
        "k:?+b [kernel only]"
    );
    assert_eq!(outcome.table("problem").len(), 1, "unmapped addresses only");
}

#[test]
fn a_key_stands_for_its_next_definition() {
    let outcome = import(EVERYTHING, |importer| {
        let key = StackRef {
            kernel: HalfRef::Absent,
            user: HalfRef::Key(7),
        };
        let a = importer.stack_node(Root::User, &[0xa]);
        let b = importer.stack_node(Root::User, &[0xb]);
        sample(importer, 10, (1, 1), key);
        sample(importer, 20, (1, 1), key);
        send(
            importer,
            30,
            EventKind::StackDefinition {
                key: 7,
                half: HalfRef::of(a),
            },
        );
        sample(importer, 40, (1, 1), key);
        send(
            importer,
            50,
            EventKind::StackDefinition {
                key: 7,
                half: HalfRef::of(b),
            },
        );
        sample(importer, 60, (1, 1), key);
        // Never defined again.
    });
    assert_eq!(
        samples(&outcome),
        ["?+a [unknown]", "?+a [unknown]", "?+b [unknown]", "none"]
    );
}

#[test]
fn mappings_may_come_last_and_time_decides_between_them() {
    let outcome = import(EVERYTHING, |importer| {
        let stack = stack(importer, &[0xff00_0010], &[0x1010, 0x2010]);
        sample(importer, 10, (1, 1), stack);
        sample(importer, 500, (1, 1), stack);
        map(importer, Some((1, None)), "/lib/a.so", 0x1000);
        map(importer, Some((1, Some(300))), "/lib/b.so", 0x1000);
        map(importer, Some((1, None)), "/bin/prog", 0x2000);
        map(importer, None, "[kernel]", 0xff00_0000);
    });
    assert_eq!(
        samples(&outcome),
        [
            "k:[kernel]+ff000010 a.so+110 prog+110 [unknown]",
            "k:[kernel]+ff000010 b.so+110 prog+110 [unknown]",
        ]
    );
}

#[test]
fn a_child_sees_its_parents_mappings_until_it_maps_over_them_or_becomes_another_program() {
    let outcome = import(EVERYTHING, |importer| {
        let stack = stack(importer, &[], &[0x1010]);
        feed(importer, "- - seen 1 1 sh\n 0 0 oncpu 1");
        feed(importer, "100 0 fork 1 2\n 100 0 fork 1 3\n 100 0 fork 1 4");
        map(importer, Some((1, None)), "/bin/sh", 0x1000);
        map(importer, Some((3, Some(150))), "/lib/over.so", 0x1000);
        sample(importer, 200, (2, 2), stack);
        sample(importer, 201, (3, 3), stack);
        feed(importer, "210 1 exec 4 prog");
        sample(importer, 220, (4, 4), stack);
        sample(importer, 230, (1, 1), stack);
    });
    assert_eq!(
        samples(&outcome),
        [
            "sh+110 [unknown]",
            "sh+110 [unknown]",
            "over.so+110 [unknown]",
            "?+1010 [unknown]"
        ]
    );
    let addresses: Vec<AddressRow> = outcome.rows();
    assert_eq!(
        addresses.len(),
        3,
        "what is the same in two processes is one address"
    );
    assert_eq!(outcome.count(ProblemKind::LimitReached), 0);
}

#[test]
fn equal_stacks_of_several_processes_are_one() {
    let outcome = import(EVERYTHING, |importer| {
        for pid in 1..4 {
            let base = u64::from(pid) * 0x10_0000;
            let stack = stack(importer, &[], &[base + 0x10, base + 0x20]);
            sample(importer, i64::from(pid), (pid, pid), stack);
            map(importer, Some((pid, None)), "/bin/prog", base);
        }
    });
    assert_eq!(outcome.table("stack").len(), 2);
    assert_eq!(samples(&outcome), vec!["prog+110 prog+120 [unknown]"; 3]);
}
