//! Commands that are slow for known reasons, and what is said about them.

mod answered;
mod backends;
mod blamed;
mod busy_disk;
mod calls;
mod connections;
mod contended;
mod database_locks;
mod disk_calls;
mod early_end;
mod enders;
mod event_loop;
mod feeds;
mod goroutines;
mod habits;
mod healthy;
mod held_up;
mod kept_out;
mod kinds;
mod limits;
mod listen_queue;
mod logs;
mod looking;
mod looks;
mod machine;
mod marked;
mod meanwhile;
mod memory;
mod named;
mod names;
mod objects;
mod open_waits;
mod plumbing;
mod pools;
mod recorder;
mod reopened;
mod servers;
mod several_files;
mod single_calls;
mod started;
mod starved;
mod timers;
mod waits;
mod works;

use std::collections::BTreeSet;

use super::*;
use crate::finding::{Confidence, Shown, Value};
use crate::words::{Content, Names, Shape, lines};
use whyslow_model::Capability;
use whyslow_model::{ProcessId, ThreadId, TraceView as _};
use whyslow_query::Kind;
use whyslow_query::wait::Rules;
use whyslow_testkit::{Literal, MS, Random, damage, nonsense, random_trace};

/// Prints an answer as plainly as can be.
fn print(answer: &Answer) -> String {
    let mut text = String::new();
    for line in &lines(answer, Names::Short) {
        match line.shape {
            Shape::Cause {
                number: Some(number),
                ..
            } => text.push_str(&format!("{number} ")),
            Shape::Cause { number: None, .. } => text.push_str("  below: "),
            Shape::Detail { .. } => text.push_str("    "),
            _ => {}
        }
        let spans = line.spans.iter().map(|span| match &span.content {
            Content::Text(words) => words.clone(),
            Content::Quantity(Kind::Duration, ns) => format!("{} ms", ns / MS),
            Content::Quantity(_, value) => value.to_string(),
            Content::Percent(share) => format!("{share:.0} %"),
            Content::Ratio(ratio) => format!("{ratio:.1}"),
        });
        let between = match line.shape {
            Shape::Command { .. } => " ",
            _ => "",
        };
        text.push_str(&spans.collect::<Vec<_>>().join(between));
        match &line.shape {
            Shape::Title(parts) => {
                for part in parts {
                    text.push_str(&format!("  {} {} %", part.label, part.percent));
                }
            }
            Shape::Cause { confidence, .. } => text.push_str(&format!("  {}", confidence.name())),
            _ => {}
        }
        text.push('\n');
    }
    text
}

/// Explains, and looks at what must hold of every answer.
fn explained(trace: &Literal, os_pid: i32) -> Answer {
    let trace = trace.raw("t");
    let target = Target {
        os_pid: Some(os_pid),
        command: Some("work --hard".to_owned()),
        extract: Some("my run.whyslow".to_owned()),
        ..Target::default()
    };
    let answer = explain(&trace, &target).expect("an answer");
    check(&answer);
    answer
}

/// What holds of every answer.
#[track_caller]
fn check(answer: &Answer) {
    let title = lines(answer, Names::Short).into_iter().next();
    if let Some(Shape::Title(parts)) = title.map(|line| line.shape) {
        let sum: u32 = parts.iter().map(|part| u32::from(part.percent)).sum();
        // Each part is rounded by itself.
        assert!(parts.is_empty() || (97..=103).contains(&sum), "{parts:?}");
    }
    let Answer::Explained(answer) = answer else {
        return;
    };
    let parts: i64 = answer.parts.iter().map(|part| part.ns).sum();
    assert!(!answer.has_parts || parts == answer.wall_ns, "{answer:?}");
    let explained: i64 = answer.findings.iter().map(|one| one.explained_ns).sum();
    assert!(explained <= answer.wall_ns, "{answer:?}");
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    assert!(tops.map(|one| -one.explained_ns).is_sorted(), "{answer:?}");
    let mut ids = BTreeSet::new();
    for finding in &answer.findings {
        let above = finding.below.as_ref();
        assert!(above.is_none_or(|above| ids.contains(above)), "{finding:?}");
        assert!(ids.insert(finding.id.clone()), "{finding:?}");
        let class = Rules::shipped().find(&finding.cause).is_some();
        let known = causes().any(|(id, _)| id == finding.cause);
        assert!(class || known, "{finding:?}");
        assert!(!finding.evidence.is_empty(), "{finding:?}");
        let messages = [&finding.claim].into_iter().chain(&finding.details);
        let messages = messages.chain(&finding.advice).chain(&finding.verify);
        for name in messages.flat_map(finding::Message::names) {
            assert!(finding.fact(name).is_some(), "{name} in {finding:?}");
        }
    }
    for gap in &answer.gaps {
        for name in gap.message.names() {
            assert!(gap.facts.iter().any(|fact| fact.0 == name), "{gap:?}");
        }
    }
}

fn explain_pid(trace: &Literal, os_pid: i32) -> String {
    print(&explained(trace, os_pid))
}

fn findings(trace: &Literal, os_pid: i32) -> Vec<Finding> {
    match explained(trace, os_pid) {
        Answer::Explained(answer) => answer.findings,
        Answer::NotFound(_) => panic!("not found"),
    }
}

#[track_caller]
fn says(answer: &str, words: &[&str]) {
    for words in words {
        assert!(answer.contains(words), "{words:?} is not said in\n{answer}");
    }
}

/// A process that lives as long as the trace says, with one thread.
fn process(
    trace: &mut Literal,
    name: &str,
    pid: i32,
    parent: Option<ProcessId>,
    life_ms: (i64, i64),
) -> (ProcessId, ThreadId) {
    let id = trace.process(name, pid, parent);
    let row = &mut trace.processes[id.index()];
    (row.start_ns, row.end_ns) = (Some(life_ms.0 * MS), Some(life_ms.1 * MS));
    let thread = trace.thread(id, name);
    let row = &mut trace.threads[thread.index()];
    row.os_tid = pid;
    (row.start_ns, row.end_ns) = (Some(life_ms.0 * MS), Some(life_ms.1 * MS));
    trace.start(thread, life_ms.0);
    (id, thread)
}

#[test]
fn a_lock_held_by_a_sleeping_thread_is_named_with_the_holder() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker-2");
    trace.stack(
        "want",
        "k:futex_wait < k:do_futex < __lll_lock_wait < take_lock < work < main < _start",
    );
    trace.stack(
        "nap",
        "k:do_nanosleep < k:__x64_sys_clock_nanosleep < nap < hold_lock < start_thread",
    );
    trace.play(main, "R50 W850:want<worker-2 r10:want<worker-2 R90");
    trace.play(worker, "R10 W880:nap<! R110");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "work --hard took 1000 ms  sleeping 84 %  on CPU 15 %  ready 1 %",
            "1 app(100) waited 850 ms for a lock that another thread held: 85 % of the time  certain\n    \
             work → take_lock → __lll_lock_wait\n    \
             app/worker-2(1001) ended the wait; until then it slept for 99 % of that time, in \
             hold_lock → nap.\n",
            "  below: It slept: 84 % of the time  certain\n    hold_lock → nap\n",
            "whyslow stacks 'my run.whyslow' -p app --by wait",
        ],
    );
}

/// What is said about a program that runs another one, which makes data safe on the disk.
fn runs_a_child(name: &str) -> String {
    let mut trace = Literal::new(1000);
    let (sh, shell) = process(&mut trace, name, 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "dd", 101, Some(sh), (20, 990));
    trace.stack(
        "wait4",
        "k:do_wait < k:kernel_wait4 < waitpid < main < _start",
    );
    trace.stack(
        "fsync",
        "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < copy < main < _start",
    );
    trace.play(shell, "R20 W970:wait4<dd r2:wait4<dd R8");
    trace.play(child, "R70 D800:fsync<! r10:fsync<! R90");
    explain_pid(&trace, 100)
}

#[test]
fn waiting_for_children_leads_into_the_child() {
    let answer = runs_a_child("app");
    says(
        &answer,
        &[
            "fsync 80 %  on CPU 19 %  ready 1 %",
            "1 dd flushed its data to disk (fsync): 80 % of the time  certain\n    main → copy → fsync\n",
            "2 dd computed: 19 % of the time  certain",
        ],
    );
    let child = "  below: app(100) waited 970 ms for a child process: 97 % of the time  certain";
    says(&answer, &[child]);
    // A shell is there to wait for others.
    let answer = runs_a_child("sh");
    says(&answer, &["1 dd flushed its data to disk"]);
    assert!(!answer.contains("waited"), "{answer}");
}

#[test]
fn waits_about_the_disk_are_one_cause() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "db", 100, None, (0, 1000));
    trace.stack(
        "data",
        "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < commit < main < _start",
    );
    trace.stack(
        "flush",
        "k:submit_bio_wait < k:__x64_sys_fsync < fsync < commit < main < _start",
    );
    trace.stack("lock", "k:futex_wait < k:do_futex < take_lock < main");
    trace.play(main, "R400 D300:data<! D250:flush<! W50:lock<!");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 It flushed its data to disk (fsync): 55 % of the time  certain\n    main → commit → fsync\n",
        ],
    );
}

#[test]
fn computing_names_the_place_in_the_program() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "hot",
        "compare < sort < build_index < main < __libc_start_main < _start",
    );
    trace.stack(
        "cold",
        "read_line < load < main < __libc_start_main < _start",
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..900).collect::<Vec<_>>(), "hot");
    trace.sample(main, &(900..1000).collect::<Vec<_>>(), "cold");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 It computed on one of 2 CPUs: 100 % of the time  certain",
            "    build_index → sort → compare: 90 % of the CPU time\n",
            "whyslow stacks 'my run.whyslow' -p app",
        ],
    );
}

#[test]
fn what_does_as_it_was_asked_is_not_accused() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "sleep", 100, None, (0, 1000));
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < main");
    trace.play(main, "R10 W980:nap<! R10");
    let says_nothing = "Nothing stands out: it slept for 980 ms, as it was asked to.\n";
    says(&explain_pid(&trace, 100), &[says_nothing]);

    // Two threads on two CPUs.
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    trace.stack("mix", "mix < fill < main < _start");
    trace.play(main, "R1000");
    trace.play(worker, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "mix");
    trace.sample(worker, &(0..1000).collect::<Vec<_>>(), "mix");
    says(
        &explain_pid(&trace, 100),
        &[
            "It computed: 100 % of the time, on 2.0 of 2 CPUs, 100 % of that in mix. Nothing else stands out.",
        ],
    );

    // The same on one of two CPUs: where it computes stands out.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("mix", "mix < fill < main < _start");
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "mix");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 It computed on one of 2 CPUs",
            "main → fill → mix: 100 % of the CPU time",
        ],
    );
    assert!(!answer.contains("Nothing stands out"), "{answer}");
}

#[test]
fn an_exec_is_the_same_command() {
    let mut trace = Literal::new(1000);
    let (before, first) = process(&mut trace, "runner", 100, None, (0, 100));
    let (after, second) = process(&mut trace, "tool", 100, None, (100, 1000));
    trace.processes[after.index()].predecessor = Some(before);
    trace.stack("nap", "k:do_nanosleep < sleep < main");
    trace.play(first, "R100");
    trace.play(second, "R100 W700:nap<! R100");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "took 1000 ms  sleeping 70 %  on CPU 30 %",
            "1 It slept: 70 % of the time",
        ],
    );
}

#[test]
fn a_thread_that_begins_after_an_exec_was_started_by_another_one() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (before, first) = process(&mut trace, "runner", 200, Some(app), (10, 50));
    let (after, second) = process(&mut trace, "tool", 200, Some(app), (50, 1000));
    trace.processes[after.index()].predecessor = Some(before);
    let late = trace.thread(after, "late");
    trace.threads[late.index()].os_tid = 201;
    trace.start(late, 600);
    trace.stack("child", "k:do_wait < k:kernel_wait4 < wait4 < main");
    trace.stack("nap", "k:do_nanosleep < sleep < prepare < main");
    trace.play(first, "R40");
    trace.play(second, "R50 W400:nap<! R150 W350:child<late");
    trace.play(late, "R400");
    trace.play(main, "R10 W980:child<late R10");
    let answer = explain_pid(&trace, 100);
    says(&answer, &["tool computed", "tool slept: 40 % of the time"]);
    assert!(!answer.contains("What it did for"), "{answer}");
}

#[test]
fn the_parts_of_the_path_add_up_to_the_wall_time() {
    for seed in 1..60 {
        let mut trace = random_trace(seed);
        for process in &mut trace.processes {
            process.parent = (process.id > ProcessId(0)).then_some(ProcessId(0));
        }
        trace.wake_at_random(seed);
        let trace = trace.raw("t");
        let target = Target {
            os_pid: Some(1),
            ..Target::default()
        };
        let answer = explain(&trace, &target).expect("an answer");
        check(&answer);
        let Answer::Explained(answer) = answer else {
            panic!("not found");
        };
        assert!(answer.has_parts && !answer.findings.is_empty());
    }
}

#[test]
fn what_is_missing_is_said() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.capabilities = whyslow_model::Capabilities::default();
    trace.capabilities.set(Capability::CpuSamples);
    trace.capabilities.set(Capability::SampleStacks);
    trace.stack("hot", "spin < main");
    trace.sample(main, &(0..100).collect::<Vec<_>>(), "hot");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 It computed: its CPU time is 10 % of the wall time; it mostly waited, and what for was not recorded  possible",
            "Not recorded: when it waited, who ended its waits, what it waited for and what other programs did; \
             record with `whyslow` as root.",
        ],
    );
    assert!(
        !answer.contains("waiting 0") && !answer.contains("waiting  "),
        "{answer}"
    );
    says(
        &explain_pid(&trace, 4711),
        &["nothing is known about pid 4711."],
    );
}

#[test]
fn nonsense_gives_some_answer_and_never_a_panic() {
    for seed in 1..=150 {
        let mut random = Random(seed * 77 + 1);
        let mut damaged = random_trace(seed).raw("t");
        for schema in whyslow_model::tables::ALL {
            let mut table = damaged.read(schema, &[]).expect("a table");
            if schema.name != "trace" {
                damage(&mut table, &mut random, &[]);
                damaged.put(table);
            }
        }
        let absurd = [0, 2, 10, 60][usize::try_from(seed % 4).expect("small")];
        let trace = nonsense(random, absurd);
        for os_pid in 0..24 {
            let target = Target {
                os_pid: Some(os_pid),
                ..Target::default()
            };
            let answer = explain(&damaged, &target).expect("an answer");
            let _any = lines(&answer, Names::Full);
            let _any = explain(&trace, &target).map(|answer| lines(&answer, Names::Short));
        }
    }
}

#[test]
fn what_says_more_about_the_same_time_is_below_it_and_explains_nothing_twice() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker-2");
    trace.stack("want", "k:futex_wait < __lll_lock_wait < take_lock < main");
    trace.stack("nap", "k:do_nanosleep < nap < hold_lock");
    trace.play(main, "R50 W850:want<worker-2 r10:want<worker-2 R90");
    trace.play(worker, "R10 W880:nap<! R110");
    let all = findings(&trace, 100);
    let short: Vec<_> = all
        .iter()
        .map(|one| (one.id.as_str(), one.explained_ns / MS, one.below.as_deref()))
        .collect();
    assert_eq!(short, [("lock", 850, None), ("sleep", 0, Some("lock")),]);
    let sleep = &all[1];
    assert_eq!(sleep.confidence, Confidence::Certain);
    let Some(Value::Place(place)) = sleep.fact("place") else {
        panic!("{sleep:?}");
    };
    assert!(place.functions().eq(["nap", "hold_lock"]), "{place:?}");
    assert_eq!(sleep.fact("count"), Some(&Value::Count(1)));
    let shown: Vec<_> = sleep.evidence.iter().map(|one| &one.shown).collect();
    assert!(matches!(
        shown[..],
        [Shown::Rows("thread_state"), Shown::Stack { .. }]
    ));
    let line = sleep.evidence[1].query.to_string();
    assert_eq!(line, "whyslow stacks EXTRACT --process app --by wait");
    let lock = &all[0];
    let peer = Value::Process("app/worker-2(1001)".to_owned());
    assert_eq!(lock.fact("peer"), Some(&peer));
    assert!(lock.advice.is_some() && lock.verify.is_some());
}

#[test]
fn very_many_processes_are_gone_through_once() {
    // In a chain of execs each process was looked up from its beginning to its end.
    let mut trace = Literal::new(1000);
    let (first, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(main, "R1000");
    let mut before = trace.processes[first.index()].clone();
    for id in 1..60_000 {
        before.predecessor = Some(before.id);
        before.id = ProcessId(id);
        trace.processes.push(before.clone());
    }
    let all = findings(&trace, 100);
    assert!(all.is_empty() || all[0].explained_ns <= 1000 * MS);
}
