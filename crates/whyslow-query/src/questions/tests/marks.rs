//! `marks`, and where the timeline names them.

use whyslow_model::tables::{LabelRow, MarkRow};
use whyslow_model::{LabelId, Table};

use super::*;
use crate::error::QueryError;
use crate::zero;

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

/// Returns what happened between two moments that are written like this.
fn between(from: &str, to: &str) -> Selection {
    let point = |text: &str| Some(TimePoint::parse(text).expect("a time or a mark"));
    Selection {
        from: point(from),
        to: point(to),
        ..Selection::default()
    }
}

#[test]
fn marks_are_the_window_of_every_question() {
    let trace = marked(&["warm-up", "load begins", "load ends", "warm-up"]);
    for question in ALL {
        let answer = |selection: &Selection| {
            let request = Request {
                selection,
                arguments: &Arguments::default(),
                chart_slices: 4,
            };
            let answer = (question.ask)(&[&trace], &request).expect(question.name);
            answer.table().map(|table| table.rows)
        };
        let by_mark = answer(&between("load b", "load ends+5ms"));
        assert_eq!(
            by_mark,
            answer(&between("20ms", "35ms")),
            "{}",
            question.name
        );
    }
    let threads = |from: &str, to: &str| ask("threads", &trace, &between(from, to)).rows;
    assert_eq!(threads("warm-up#2-20ms", "+10ms"), threads("20ms", "30ms"));
    assert_ne!(threads("load begins", "load ends"), threads("0", "400ms"));
    let request = |selection: &Selection| {
        let request = Request {
            selection,
            arguments: &Arguments::default(),
            chart_slices: 4,
        };
        (super::super::threads::QUESTION.ask)(&[&trace], &request)
    };
    let why = |from: &str, to: &str| {
        let failed = request(&between(from, to));
        failed.expect_err("no window").to_string()
    };
    let unknown = why("lunch", "load ends");
    assert!(
        unknown.contains("'warm-up', 'load begins', 'load ends'"),
        "{unknown}"
    );
    assert!(why("warm-up", "load ends").contains("'warm-up#1' to 'warm-up#2'"));
    assert!(why("load ends", "load ends").contains("the window is empty"));
}

#[test]
fn times_count_from_a_mark() {
    let trace = marked(&["warm-up", "load begins"]);
    let mut table = ask("marks", &trace, &Selection::default());
    let views: [crate::View<'_>; 1] = [&trace];
    zero::count_from(&mut table, &views, "load").expect("a mark");
    assert_eq!(table.files[0].clock.zero_ns, 20 * MS);
    let told = "times count from the mark 'load', 0.020 s after the start";
    assert!(
        table.notes.iter().any(|note| note.text == told),
        "{:?}",
        table.notes
    );
    let failed = zero::count_from(&mut table, &views, "lunch");
    assert!(matches!(failed, Err(QueryError::Text(_))), "{failed:?}");
}
