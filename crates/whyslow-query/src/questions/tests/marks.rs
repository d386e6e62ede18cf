//! `marks`, and where the timeline names them.

use whyslow_model::tables::{LabelRow, MarkRow};
use whyslow_model::{LabelId, Table};

use super::*;

/// Marks with these texts, one every ten milliseconds.
fn marked(texts: &[&str]) -> MemoryTrace {
    let mut scene = scene();
    scene.capabilities.set(Capability::Marks);
    let mut trace = scene.trace("t");
    let number = |at: usize| i32::try_from(at).unwrap();
    let labels = texts.iter().enumerate().map(|(at, text)| LabelRow {
        id: LabelId(number(at)),
        text: (*text).to_owned(),
    });
    let marks = (0..texts.len()).map(|at| MarkRow {
        time_ns: i64::from(number(at) + 1) * 10 * MS,
        process: Some(ProcessId(0)),
        thread: Some(ThreadId(0)),
        text: Some(LabelId(number(at))),
    });
    trace.put(Table::from_rows(labels.collect::<Vec<_>>()));
    trace.put(Table::from_rows(marks.collect::<Vec<_>>()));
    trace
}

#[test]
fn a_mark_that_is_a_value_has_a_name_and_a_number() {
    let trace = marked(&["warm-up done", "requests=17.5"]);
    let table = ask("marks", &trace, &Selection::default());
    let told = cells(&table, &["process", "text", "name"]);
    assert_eq!(
        told,
        ["daemon warm-up done -", "daemon requests=17.5 requests"]
    );
    let value = |row| table.cell(row, "value").expect("a column");
    assert_eq!((value(0), value(1)), (&Value::Null, &Value::Float(17.5)));
}

#[test]
fn the_timeline_names_the_first_marks_of_its_time() {
    let note = |trace: &MemoryTrace, selection: &Selection| {
        let table = ask("timeline", trace, selection);
        let mut notes = table.notes.iter().map(|note| note.text.clone());
        notes.find(|text| text.starts_with("marks"))
    };
    let all = Selection::default();
    let trace = marked(&["a", "b"]);
    let told = "marks, at second: 0.010 a; 0.020 b";
    assert_eq!(note(&trace, &all).as_deref(), Some(told));
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let told = note(&marked(&letters), &all).expect("a note");
    assert!(
        told.ends_with("; 0.080 h; 2 more (see `whyslow marks`)"),
        "{told}"
    );
    assert_eq!(note(&marked(&[]), &all), None);
}
