//! Ranges, sorts, top, totals and columns, in a small question about two files.

use super::*;
use whyslow_results::Outcome;

use crate::error::QueryError;
use crate::literal::RolledUp;
use crate::questions::find;
use crate::selection::{ColumnChoice, ColumnRange, Sort};
use whyslow_testkit::Literal;

fn trace(extra: i64) -> Literal {
    let mut trace = Literal::new(100);
    for (name, pid, samples) in [("cc", 10, 5), ("ld", 11, 2), ("cc", 12, 9)] {
        let process = trace.process(name, pid, None);
        let thread = trace.thread(process, name);
        let times: Vec<i64> = (0..samples + extra).collect();
        trace.sample(thread, &times, "");
        trace.play(thread, &format!("R{} W10", samples + extra));
    }
    trace
}

fn answer(
    question: &str,
    views: &[View<'_>],
    selection: &Selection,
) -> Result<Outcome, QueryError> {
    let question = find(question).expect("a question");
    question.answer(views, selection)
}

fn ask(selection: &Selection) -> ResultTable {
    let (one, two) = (trace(0).trace("one"), trace(1).trace("two"));
    let views: [View<'_>; 2] = [&one, &two];
    let outcome = answer("cpu", &views, selection).expect("an answer");
    outcome.table().expect("recorded")
}

fn column(table: &ResultTable, word: &str) -> Vec<i64> {
    let cells = (0..table.rows.len()).map(|row| table.cell(row, word));
    cells
        .map(|cell| cell.and_then(Value::as_int).unwrap_or(-1))
        .collect()
}

fn with_range(column: &str, range: &str) -> Selection {
    let range = ColumnRange {
        column: column.to_owned(),
        range: range.to_owned(),
    };
    Selection {
        ranges: vec![range],
        ..Selection::default()
    }
}

#[test]
fn rows_of_all_files_sort_together_and_name_their_file() {
    let table = ask(&Selection::default());
    assert_eq!(column(&table, "pid"), [12, 12, 10, 10, 11, 11]);
    let files: Vec<&str> = (0..6)
        .map(|row| &*table.file_of(row).expect("file").name)
        .collect();
    assert_eq!(files, ["two", "one", "two", "one", "two", "one"]);
    assert_eq!(table.cell(0, "file"), Some(&Value::text("two")));
    assert!(table.columns[0].shown, "several files: the column shows");
    assert_eq!(
        table
            .sorted_by
            .map(|(at, order)| (table.columns[at].key, order)),
        Some(("cpu", Order::Descending))
    );
}

#[test]
fn top_keeps_the_totals_of_everything_that_matched() {
    let selection = Selection {
        top: Some(2),
        totals: true,
        ..Selection::default()
    };
    let table = ask(&selection);
    assert_eq!(column(&table, "cpu"), [10_000_000, 9_000_000]);
    assert_eq!(table.matched_rows, 6);
    let totals = table.totals.as_ref().expect("totals");
    let cpu = table.column("cpu").expect("a column");
    assert_eq!(totals[cpu], Value::Int(35_000_000));
    assert_eq!(totals[table.column("pid").expect("a column")], Value::Null);
    let share = table.column("share").expect("a column");
    assert_eq!(totals[share], Value::Null, "of two machines");
}

#[test]
fn ranges_and_sorts_work_on_any_column() {
    assert_eq!(
        column(&ask(&with_range("cpu", "3-6ms")), "pid"),
        [10, 10, 11]
    );
    assert_eq!(column(&ask(&with_range("pid", "11")), "pid"), [11, 11]);
    assert!(column(&ask(&with_range("cpu_sampled_ns", "1s..")), "pid").is_empty());
    let sort = |text: &str| Selection {
        sort: Some(Sort::parse(text)),
        top: Some(3),
        ..Selection::default()
    };
    assert_eq!(column(&ask(&sort("cpu:asc")), "pid"), [11, 11, 10]);
    assert_eq!(column(&ask(&sort("pid")), "pid"), [10, 10, 11]);
    assert_eq!(column(&ask(&sort("-pid")), "pid"), [12, 12, 11]);
    assert_eq!(column(&ask(&sort("process:desc")), "pid"), [11, 11, 10]);
}

#[test]
fn conditions_choose_rows_by_any_column() {
    let with = |conditions: &[&str]| Selection {
        conditions: conditions.iter().map(|&text| text.to_owned()).collect(),
        ..Selection::default()
    };
    let pids = |conditions: &[&str]| column(&ask(&with(conditions)), "pid");
    assert_eq!(pids(&["process=l*"]), [11, 11]);
    assert_eq!(pids(&["process!=l*", "cpu>=6ms"]), [12, 12, 10]);
    assert_eq!(pids(&["cpu<5ms"]), [11, 11]);
    assert!(pids(&["cpu<5ms", "pid=12"]).is_empty());
    let totals = Selection {
        totals: true,
        top: Some(1),
        ..with(&["process=cc", "cpu<=6ms"])
    };
    let table = ask(&totals);
    let cpu = table.column("cpu").expect("a column");
    assert_eq!(table.matched_rows, 2);
    assert_eq!(table.totals.expect("totals")[cpu], Value::Int(11_000_000));
    let trace = trace(0).trace("t");
    let error = answer("cpu", &[&trace], &with(&["colour=red"])).expect_err("wrong");
    assert!(error.to_string().contains("unknown column"), "{error}");
}

#[test]
fn a_process_counts_with_what_it_started() {
    let mut trace = Literal::new(100);
    let make = trace.process("make", 1, None);
    let other = trace.process("other", 2, None);
    let cc = trace.process("cc", 3, Some(make));
    trace.process("as", 4, Some(cc));
    trace.process("cc", 5, Some(other));
    // An exec: the same process, with another image.
    let image = trace.process("ld", 3, None);
    trace.processes[image.index()].predecessor = Some(cc);
    let trace = trace.trace("t");
    let pids = |pattern: &str, with_children: bool| {
        let selection = Selection {
            processes: Some(crate::NamePattern::parse(pattern)),
            with_children,
            ..Selection::default()
        };
        let outcome = answer("processes", &[&trace], &selection).expect("an answer");
        let mut pids = column(&outcome.table().expect("recorded"), "pid");
        pids.sort_unstable();
        pids
    };
    assert_eq!(pids("make", false), [1]);
    assert_eq!(pids("make", true), [1, 3, 3, 4]);
    assert_eq!(pids("cc", true), [3, 3, 4, 5]);
}

#[test]
fn columns_are_chosen_by_word() {
    let keys = |text: &str| {
        let columns = ColumnChoice::parse(text);
        let table = ask(&Selection {
            columns,
            ..Selection::default()
        });
        let keys: Vec<_> = table.columns.iter().map(|column| column.key).collect();
        assert!(table.columns.iter().all(|column| column.shown));
        assert!(table.rows.iter().all(|row| row.len() == keys.len()));
        keys
    };
    assert_eq!(keys("cpu,process"), ["cpu", "process"]);
    assert_eq!(keys("!*,+pid"), ["pid"]);
    assert_eq!(keys("cpu*"), ["cpu", "cpu-precise"]);
    let some = keys("!cpu,!file,+off-cpu");
    assert!(!some.contains(&"cpu") && !some.contains(&"file") && some.contains(&"off-cpu"));
}

#[test]
fn what_is_wrong_is_said() {
    let bad = |selection: &Selection| {
        let trace = trace(0).trace("t");
        answer("cpu", &[&trace], selection)
            .expect_err("wrong")
            .to_string()
    };
    assert!(bad(&with_range("colour", "1")).contains("unknown column"));
    assert!(bad(&with_range("process", "1")).contains("holds text"));
    assert!(bad(&with_range("cpu", "x")).contains("not a range"));
}

#[test]
fn what_was_not_recorded_is_said_not_shown_as_zero() {
    let mut silent = trace(0);
    silent.capabilities = whyslow_model::Capabilities::default();
    let silent = silent.trace("silent");
    let outcome = answer("cpu", &[&silent], &Selection::default()).expect("an answer");
    let Outcome::NotRecorded(missing) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(missing.capability, Capability::CpuSamples);
    // If a second file has the data, there is a table and a note.
    let full = trace(0).trace("full");
    let outcome = answer("cpu", &[&silent, &full], &Selection::default()).expect("an answer");
    let table = outcome.table().expect("a table");
    assert_eq!(table.rows.len(), 3);
    assert_eq!(table.notes[0].file.as_deref(), Some("silent"));
    // Without switches the precise time is unknown, and null.
    let mut sampled = trace(0);
    sampled.capabilities = whyslow_model::Capabilities::default();
    sampled.capabilities.set(Capability::CpuSamples);
    let sampled = sampled.trace("sampled");
    let outcome = answer("cpu", &[&sampled], &Selection::default()).expect("an answer");
    let table = outcome.table().expect("a table");
    assert_eq!(table.cell(0, "cpu-precise"), Some(&Value::Null));
    assert_eq!(table.cell(0, "cpu"), Some(&Value::Int(9_000_000)));
}

#[test]
fn a_range_leaves_a_tree_whose_rows_hang_below_their_own_ancestors() {
    let mut trace = Literal::new(100);
    let root = trace.process("root", 1, None);
    let one = trace.process("one", 2, Some(root));
    let two = trace.process("two", 3, Some(root));
    for (name, pid, parent, code) in [("a", 4, one, 1), ("b", 5, two, 1), ("c", 6, two, 0)] {
        let process = trace.process(name, pid, Some(parent));
        trace.processes[process.index()].exit_code = Some(code);
    }
    trace.processes[two.index()].exit_code = Some(1);
    let trace = trace.trace("t");
    let failed = with_range("exit", "1..");
    let outcome = answer("processes", &[&trace], &failed).expect("an answer");
    let table = outcome.table().expect("recorded");
    assert_eq!(column(&table, "pid"), [4, 3, 5], "a's parent has no row");
    assert_eq!(table.depths, [0, 0, 1]);
}

#[test]
fn a_single_extract_is_not_named_unless_asked_for() {
    let one = trace(0).trace("one");
    let columns = |words: &str| {
        let selection = Selection {
            columns: ColumnChoice::parse(words),
            ..Selection::default()
        };
        let outcome = answer("cpu", &[&one], &selection).expect("an answer");
        let table = outcome.table().expect("recorded");
        let shown = table.columns.iter().filter(|column| column.shown);
        shown.map(|column| column.key).take(2).collect::<Vec<_>>()
    };
    assert_eq!(columns(""), ["process", "pid"]);
    assert_eq!(columns("+off-cpu"), ["process", "pid"]);
    assert_eq!(columns("file,cpu"), ["file", "cpu"]);
}
