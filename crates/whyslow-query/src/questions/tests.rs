//! Questions against hand-written tables, and against each other.

mod accounted;
mod costs;
mod disks;
mod files;
mod filters;
mod handles;
mod language;
mod limits;
mod marks;
mod memory;
mod network;
mod pictures;
mod registry;
mod syscalls;
mod waits;

use whyslow_model::tables::DiskIoRow;
use whyslow_model::{
    Capability, DiskOperation, MemoryTrace, Named, Presence, ProcessId, ThreadId, TraceView,
};
use whyslow_results::{Chart, Order, Outcome, ResultTable, TimePoint, Value};
use whyslow_testkit::{Literal, MS, Random, damage, random_trace};

use super::{ALL, EVENT_TABLES, find};
use crate::argument::{ArgumentValue, Arguments};
use crate::literal::RolledUp;
use crate::pattern::{FunctionPattern, NamePattern, Pattern};
use crate::question::Request;
use crate::selection::{Selection, Sort};

/// A shell that starts a compiler with two threads, and a daemon that is there all the time.
fn scene() -> Literal {
    let mut trace = Literal::new(400);
    let daemon = trace.process("daemon", 7, None);
    let shell = trace.process("sh", 50, None);
    let compiler = trace.process("cc", 51, Some(shell));
    trace.processes[shell.index()].start_ns = Some(10 * MS);
    trace.processes[compiler.index()].start_ns = Some(20 * MS);
    trace.processes[compiler.index()].end_ns = Some(320 * MS);
    trace.processes[compiler.index()].exit_code = Some(1);
    trace.processes[compiler.index()].command_line = Some("cc -O2 big.c".to_owned());
    let d = trace.thread(daemon, "daemon");
    let s = trace.thread(shell, "sh");
    let (a, b) = (
        trace.thread(compiler, "cc"),
        trace.thread(compiler, "helper"),
    );
    trace.stack("idle", "k:ep_poll < k:do_epoll_wait < poll < main");
    trace.stack("child", "k:do_wait < waitpid < main");
    trace.stack("lock", "k:futex_wait < lock_slow < parse < main");
    trace.stack("parse", "lex < parse < main");
    trace.stack("opt", "fold < optimize < main");
    trace.play(d, "W400:idle");
    trace.start(s, 10);
    trace.play(s, "R10 W300:child<cc r5:child<cc R75");
    trace.start(a, 20);
    trace.play(a, "R100 W50:lock<helper r10:lock<helper R140");
    trace.start(b, 30);
    trace.play(b, "R140 W100:lock<cc R50");
    trace.sample(a, &[30, 40, 50, 60], "parse");
    trace.sample(a, &[200, 210, 220], "opt");
    trace.sample(b, &[40, 250], "opt");
    trace
}

/// Asks a question of the list, with its own arguments.
fn put(
    question: &str,
    trace: &MemoryTrace,
    selection: &Selection,
    given: &[(&str, ArgumentValue)],
) -> Outcome {
    let question = find(question).expect("a question");
    let mut arguments = Arguments::default();
    for (name, value) in given {
        arguments.set(question.argument(name).expect(name), value.clone());
    }
    let request = Request {
        selection,
        arguments: &arguments,
        chart_slices: 4,
    };
    (question.ask)(&[trace], &request).expect("an answer")
}

fn ask(question: &str, trace: &MemoryTrace, selection: &Selection) -> ResultTable {
    put(question, trace, selection, &[])
        .table()
        .expect("recorded")
}

/// Returns the selection with all functions, if it names none.
fn by_function(selection: &Selection) -> Selection {
    let mut selection = selection.clone();
    let all = || Some(FunctionPattern::parse("*"));
    selection.functions = selection.functions.or_else(all);
    selection
}

fn word(word: &str) -> ArgumentValue {
    ArgumentValue::Word(word.to_owned())
}

/// Returns the cells of some columns: texts, milliseconds, counts; `-` for null.
fn cells(table: &ResultTable, words: &[&str]) -> Vec<String> {
    let cell = |row: usize, word: &str| match table.cell(row, word).expect(word) {
        Value::Null => "-".to_owned(),
        Value::Text(text) | Value::Json(text) => text.to_string(),
        Value::Float(value) => format!("{value:.0}%"),
        Value::Int(ns) if word_is_time(table, word) => (ns / MS).to_string(),
        Value::Int(value) | Value::Quantity(_, value) => value.to_string(),
    };
    let row = |row: usize| {
        let cells: Vec<String> = words.iter().map(|word| cell(row, word)).collect();
        let depth = table.depths.get(row).copied().unwrap_or(0);
        format!("{}{}", ".".repeat(depth.into()), cells.join(" "))
    };
    (0..table.rows.len()).map(row).collect()
}

fn word_is_time(table: &ResultTable, word: &str) -> bool {
    let column = table.column(word).expect(word);
    table.columns[column].name.ends_with("_ns")
}

/// A trace may have processes without any event of their threads: how many threads there were is
/// not known.
#[test]
fn threads_that_no_event_was_about_are_not_counted() {
    let mut trace = Literal::new(100);
    let known = trace.process("known", 7, None);
    trace.process("listed", 8, None);
    trace.thread(known, "known");
    let table = ask("processes", &trace.raw("t"), &Selection::default());
    assert_eq!(
        cells(&table, &["process", "threads"]),
        ["known 1", "listed -"]
    );
}

#[test]
fn processes_are_a_tree_with_their_costs() {
    let trace = scene().trace("t");
    let table = ask("processes", &trace, &Selection::default());
    let words = [
        "process",
        "pid",
        "parent",
        "start",
        "end",
        "duration",
        "exit",
        "cpu-precise",
        "wait",
        "ready",
        "threads",
        "cmdline",
    ];
    assert_eq!(
        cells(&table, &words),
        [
            "daemon 7 - - - 400 - 0 400 0 1 -",
            "sh 50 - 10 - 390 - 85 300 5 1 -",
            ".cc 51 50 20 320 300 1 430 150 10 2 cc -O2 big.c",
        ]
    );
    let exited = Selection {
        exited: Some(true),
        ..Selection::default()
    };
    assert_eq!(
        cells(&ask("processes", &trace, &exited), &["process"]),
        ["cc"]
    );
    let old = Selection {
        new: Some(false),
        ..Selection::default()
    };
    assert_eq!(
        cells(&ask("processes", &trace, &old), &["process"]),
        ["daemon"]
    );
    let line = Selection {
        command_line: Some(Pattern::parse("*big.c*")),
        ..Selection::default()
    };
    assert_eq!(
        cells(&ask("processes", &trace, &line), &["process"]),
        ["cc"]
    );
}

#[test]
fn threads_tell_their_nice_values() {
    let mut trace = Literal::new(100);
    for (number, (name, priority)) in [
        ("usual", 120),
        ("nice", 139),
        ("urgent", 50),
        ("windows", 8),
    ]
    .into_iter()
    .enumerate()
    {
        let process = trace.process(name, i32::try_from(number).unwrap() + 1, None);
        let thread = trace.thread(process, name);
        trace.play(thread, "R50 W50");
        trace.priority(thread, priority);
    }
    let table = ask("threads", &trace.raw("t"), &Selection::default());
    assert_eq!(
        cells(&table, &["thread", "nice"]),
        ["usual 0", "nice 19", "urgent -", "windows -"]
    );
    assert_eq!(
        cells(&table, &["scheduling"])[..3],
        ["nice 0", "nice 19", "real-time 49"]
    );
}

#[test]
fn threads_tell_what_they_waited_for_and_who_woke_them() {
    let trace = scene().trace("t");
    let table = ask("threads", &trace, &Selection::default());
    let words = [
        "thread",
        "tid",
        "cpu",
        "ready",
        "wait",
        "class",
        "waker",
        "waker-share",
        "longest",
        "longest-at",
        "switches",
    ];
    assert_eq!(
        cells(&table, &words),
        [
            "cc 510 240 10 50 lock cc/helper(511) 100% 50 120 2",
            "helper 511 190 0 100 lock cc(510) 100% 100 170 2",
            "sh 500 85 5 300 child cc(510) 100% 300 20 2",
            "daemon 70 0 0 400 poll - - 400 0 0",
        ]
    );
    let cut = Selection {
        from: Some(TimePoint::Trace(100 * MS)),
        to: Some(TimePoint::Relative(50 * MS)),
        threads: Some(NamePattern::parse("cc;helper")),
        ..Selection::default()
    };
    let table = ask("threads", &trace, &cut);
    assert_eq!(
        cells(&table, &["thread", "cpu", "wait"]),
        ["helper 50 0", "cc 20 30"]
    );
}

#[test]
fn samples_without_stacks_tell_where_cpu_was_spent() {
    let mut scene = scene();
    scene.capabilities = whyslow_model::Capabilities::default();
    scene.capabilities.set(Capability::CpuSamples);
    let selection = Selection {
        processes: Some(NamePattern::parse("51")),
        top: Some(2),
        ..Selection::default()
    };
    let table = ask("cpu", &scene.trace("t"), &by_function(&selection));
    let words = ["method", "cpu", "exclusive", "samples", "wait"];
    assert_eq!(cells(&table, &words), ["fold - 5 - -", "lex - 4 - -"]);
}

#[test]
fn methods_come_alike_from_the_rollup_and_from_the_rows() {
    let trace = scene().trace("t");
    let words = [
        "process",
        "method",
        "cpu",
        "exclusive",
        "wait",
        "ready",
        "switches",
        "threads",
        "first",
        "last",
    ];
    let selection = Selection {
        processes: Some(NamePattern::parse("51")),
        ..Selection::default()
    };
    let table = ask("cpu", &trace, &by_function(&selection));
    assert_eq!(
        cells(&table, &words),
        [
            "cc main 9 0 150 10 2 2 30 270",
            "cc optimize 5 0 0 0 0 2 40 250",
            "cc fold 5 5 0 0 0 2 40 250",
            "cc parse 4 0 150 10 2 2 30 270",
            "cc lex 4 4 0 0 0 1 30 60",
            "cc lock_slow 0 0 150 10 2 2 120 270",
            "cc futex_wait 0 0 150 10 2 2 120 270",
        ]
    );
    let few = Selection {
        functions: Some(FunctionPattern::parse("app!*l*;!lex")),
        top: Some(2),
        sort: Some(Sort {
            column: "method".to_owned(),
            order: Some(Order::Ascending),
        }),
        ..selection
    };
    let table = ask("cpu", &trace, &by_function(&few));
    assert_eq!(cells(&table, &["method"]), ["fold", "lock_slow"]);
    assert_eq!(table.matched_rows, 2);
}

#[test]
fn rollups_and_raw_rows_give_the_same_answers() {
    for seed in 1..=25 {
        let literal = random_trace(seed);
        let (raw, whole) = (literal.raw("t"), literal.trace("t"));
        // A window around everything forces a pass over the rows.
        let window = Selection {
            from: Some(TimePoint::Trace(-MS)),
            to: Some(TimePoint::Trace(1000 * MS)),
            ..Selection::default()
        };
        let all = Selection::default();
        let functions: fn(&Selection) -> Selection = by_function;
        for (question, of) in [
            ("cpu", functions),
            ("cpu", Selection::clone),
            ("processes", Selection::clone),
        ] {
            let expected = ask(question, &whole, &of(&all));
            let strip = |mut table: ResultTable| {
                // The share of the machine depends on the window's length.
                table.rows.iter_mut().for_each(|row| {
                    row.retain(|cell| !matches!(cell, Value::Float(_)));
                });
                table.rows
            };
            assert_eq!(
                strip(ask(question, &raw, &of(&all))),
                strip(expected.clone()),
                "seed {seed}"
            );
            assert_eq!(
                strip(ask(question, &whole, &of(&window))),
                strip(expected),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn windows_add_up_to_the_whole() {
    for seed in 1..=10 {
        let trace = random_trace(seed).trace("t");
        let sums = |from: i64, to: i64| {
            let selection = Selection {
                from: Some(TimePoint::Trace(from * MS)),
                to: Some(TimePoint::Trace(to * MS)),
                totals: true,
                ..Selection::default()
            };
            let table = ask("threads", &trace, &selection);
            let totals = table.totals.clone().expect("totals");
            let of = |word: &str| {
                totals[table.column(word).expect(word)]
                    .as_int()
                    .unwrap_or(0)
            };
            [
                of("cpu"),
                of("ready"),
                of("wait"),
                of("unknown"),
                of("cpu-sampled"),
            ]
        };
        let (one, two, all) = (sums(0, 123), sums(123, 1000), sums(0, 1000));
        for column in 0..all.len() {
            assert_eq!(
                one[column] + two[column],
                all[column],
                "seed {seed}, column {column}"
            );
        }
    }
}

#[test]
fn the_states_of_processes_cover_what_their_threads_lived() {
    let mut trace = scene();
    let odd = trace.process("odd", 60, None);
    let thread = trace.thread(odd, "odd");
    trace.play(thread, "R100 O250 U50");
    let trace = trace.trace("t");
    let words = [
        "process",
        "cpu-precise",
        "wait",
        "ready",
        "off-cpu",
        "unknown",
    ];
    let selection = Selection {
        processes: Some(NamePattern::parse("cc;odd")),
        ..Selection::default()
    };
    assert_eq!(
        cells(&ask("processes", &trace, &selection), &words),
        ["odd 100 0 0 250 50", "cc 430 150 10 - 0"],
        "also where a trace with wake-ups misses one"
    );
}

#[test]
fn system_calls_weigh_what_they_stand_for() {
    let mut trace = scene();
    trace.called_from(ThreadId(2), &[40, 60, 80], (1, 200), "parse");
    trace.called_from(ThreadId(2), &[50, 70], (4, 100), "opt");
    trace.called_from(ThreadId(0), &[50], (4, 1000), "idle");
    let trace = trace.trace("t");
    let cc = Selection {
        processes: Some(NamePattern::parse("cc")),
        ..Selection::default()
    };
    let outcome = put("stacks", &trace, &cc, &[("by", word("calls"))]);
    let table = outcome.table().expect("recorded");
    assert_eq!(
        cells(&table, &["function", "calls", "count"]),
        [
            "[total] 800 5",
            ".main 800 5",
            "..parse > lex 600 3",
            "..optimize > fold 200 2"
        ]
    );
}

#[test]
fn without_wake_ups_wait_and_ready_are_unknown_not_zero() {
    let mut trace = scene();
    let why = "no sched_waking events";
    trace
        .capabilities
        .note(Capability::WakeUps, Presence::No, why);
    let trace = trace.trace("t");
    let table = ask("processes", &trace, &Selection::default());
    assert_eq!(cells(&table, &["wait", "ready", "off-cpu"])[0], "- - 0");
    assert!(
        table
            .notes
            .iter()
            .any(|note| note.text.contains("wake-ups"))
    );
}

#[test]
fn every_column_is_described_and_unique() {
    let tables = ALL.iter().flat_map(|question| question.tables);
    for question in tables.chain(EVENT_TABLES) {
        let mut seen = std::collections::BTreeSet::new();
        for column in question.columns {
            assert!(seen.insert(column.key), "{}: {}", question.name, column.key);
            assert!(
                seen.insert(column.name) || column.key == column.name,
                "{}",
                column.name
            );
            assert!(
                column.doc.ends_with('.'),
                "{}: {}",
                question.name,
                column.key
            );
            let unit = match column.kind {
                crate::Kind::Duration | crate::Kind::Time => "_ns",
                crate::Kind::Percent => "_percent",
                _ => "",
            };
            assert!(
                column.name.ends_with(unit),
                "{}: {}",
                question.name,
                column.name
            );
        }
    }
}

#[test]
fn damaged_tables_give_some_answer_and_never_a_panic() {
    for seed in 1..=150 {
        let mut dice = Random(seed * 77 + 1);
        let mut trace = random_trace(seed).trace("t");
        for schema in whyslow_model::tables::ALL {
            let mut table = trace.read(schema, &[]).expect("a table");
            if schema.name != "trace" {
                damage(&mut table, &mut dice, &[]);
                trace.put(table);
            }
        }
        let window = Selection {
            from: Some(TimePoint::Trace(3 * MS)),
            functions: Some(FunctionPattern::parse("f1;f2")),
            ..Selection::default()
        };
        for selection in [&Selection::default(), &window] {
            for question in ALL {
                let _answer = put(question.name, &trace, selection, &[]);
            }
            let _answer = put("cpu", &trace, &by_function(selection), &[]);
            let up = [("callers", ArgumentValue::Given), ("by", word("wait"))];
            let _answer = put("stacks", &trace, selection, &up);
        }
        let _rollups = crate::RollUps::compute(&trace).expect("roll-ups");
    }
}
