//! Findings whose time lies between marks.

use super::*;
use whyslow_model::tables::{LabelRow, MarkRow};
use whyslow_model::{LabelId, Table};

/// A program that computes, sleeps from 300 ms to 800 ms, and computes again, with marks at these milliseconds.
fn answer(marks: &[(i64, &str)]) -> Explained {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("nap", "k:do_nanosleep < nap < main < _start");
    trace.play(main, "R300 W500:nap<! R200");
    let mut trace = trace.raw("t");
    let id = |at: usize| LabelId(i32::try_from(at).expect("few"));
    let labels = marks.iter().enumerate().map(|(at, (_, text))| LabelRow {
        id: id(at),
        text: (*text).to_owned(),
    });
    let rows = marks.iter().enumerate().map(|(at, (ms, _))| MarkRow {
        time_ns: ms * MS,
        process: None,
        thread: None,
        text: Some(id(at)),
    });
    trace.put(Table::from_rows(labels.collect::<Vec<_>>()));
    trace.put(Table::from_rows(rows.collect::<Vec<_>>()));
    let target = Target {
        os_pid: Some(100),
        ..Target::default()
    };
    let answer = explain(&trace, &target).expect("an answer");
    check(&answer);
    match answer {
        Answer::Explained(answer) => *answer,
        Answer::NotFound(_) => panic!("not found"),
    }
}

/// Returns what is printed about marks.
fn said(marks: &[(i64, &str)]) -> Vec<String> {
    let text = print(&Answer::Explained(Box::new(answer(marks))));
    let lines = text.lines().filter(|line| line.contains("mark"));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_finding_between_two_marks_says_so() {
    let marks = [(310, "load begins"), (805, "load ends")];
    assert_eq!(
        said(&marks),
        ["98 % of it between the marks 'load begins' and 'load ends'."]
    );
    let findings = answer(&marks).findings;
    let finding = findings.iter().find(|one| one.cause == "sleep");
    let finding = finding.expect("it slept");
    let mark = |name: &str| finding.fact(name).cloned();
    assert_eq!(
        mark("after-mark"),
        Some(Value::Text("load begins".to_owned()))
    );
    assert_eq!(
        mark("before-mark"),
        Some(Value::Text("load ends".to_owned()))
    );
    assert!(
        matches!(mark("marked-share"), Some(Value::Share(part)) if (97.9..98.1).contains(&part))
    );
}

#[test]
fn a_single_mark_comes_before_or_after() {
    assert_eq!(
        said(&[(290, "load")]),
        ["100 % of it after the mark 'load'."]
    );
    let before = said(&[(790, "stop")]);
    assert!(
        before.contains(&"98 % of it before the mark 'stop'.".to_owned()),
        "{before:?}"
    );
}

#[test]
fn several_marks_of_one_text_have_numbers() {
    let marks = [(100, "pass"), (290, "pass"), (900, "pass")];
    assert_eq!(
        said(&marks),
        ["100 % of it between the marks 'pass#2' and 'pass#3'."]
    );
}

#[test]
fn without_marks_or_with_marks_elsewhere_nothing_is_said() {
    let none: [&str; 0] = [];
    assert_eq!(said(&[]), none);
    // It lies half on either side.
    assert_eq!(said(&[(550, "half")]), none);
    // All of the command lies there.
    assert_eq!(said(&[(1, "begins"), (999, "ends")]), none);
    // Marks before and after the command.
    assert_eq!(said(&[(-5, "begins"), (2000, "ends")]), none);
}
