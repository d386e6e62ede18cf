//! Stacks as trees, and the timeline.

use super::*;

#[test]
fn stacks_draw_down_and_up() {
    let trace = scene().trace("t");
    let draw = |selection: &Selection, given: &[(&str, ArgumentValue)]| {
        let outcome = put("stacks", &trace, selection, given);
        cells(
            &outcome.table().expect("recorded"),
            &["function", "inclusive", "exclusive"],
        )
    };
    assert_eq!(
        draw(&Selection::default(), &[]),
        [
            "[total] 9 0",
            ".main 9 0",
            "..optimize > fold 5 5",
            "..parse > lex 4 4"
        ]
    );
    let up = [("callers", ArgumentValue::Given), ("by", word("wait"))];
    let locks = Selection {
        functions: Some(FunctionPattern::parse("lock_slow")),
        ..Selection::default()
    };
    assert_eq!(
        draw(&locks, &up),
        ["[total] 150 0", ".lock_slow > parse > main 150 150"]
    );
    let top = Selection {
        top: Some(3),
        ..Selection::default()
    };
    assert_eq!(
        draw(&top, &[]),
        ["[total] 9 0", ".main 9 0", "..optimize > fold 5 5"],
        "the heaviest rows, however many functions stand in one; still a tree"
    );
    let outcome = put("stacks", &trace, &top, &[]);
    let note = &outcome.table().expect("recorded").notes[0].text;
    assert!(note.starts_with("44.4 % of the total is in"), "{note}");
    let per_process = [
        ("per-process", ArgumentValue::Given),
        ("cutoff", ArgumentValue::Percent(50.0)),
    ];
    let rows = draw(&Selection::default(), &per_process);
    assert_eq!(
        rows,
        [
            "[total] 9 0",
            ".cc(51) 9 0",
            "..main 9 0",
            "...optimize > fold 5 5"
        ]
    );
}

#[test]
fn the_timeline_has_every_slice_and_a_chart() {
    let trace = scene().trace("t");
    let of = |selection: &Selection| {
        let one = [("lines", ArgumentValue::Count(1))];
        let outcome = put("timeline", &trace, selection, &one);
        outcome.table().expect("recorded")
    };
    let charts = |table: &ResultTable| -> Vec<Chart> { table.charts.clone().expect("charts") };
    let table = of(&Selection::default());
    let rows = cells(
        &table,
        &["start", "process", "cpu-precise", "wait", "ready"],
    );
    assert_eq!(
        rows,
        [
            "0 daemon 0 100 0",
            "100 daemon 0 100 0",
            "200 daemon 0 100 0",
            "300 daemon 0 100 0",
            "0 sh 10 80 0",
            "100 sh 0 100 0",
            "200 sh 0 100 0",
            "300 sh 75 20 5",
            "0 cc 150 0 0",
            "100 cc 110 80 10",
            "200 cc 130 70 0",
            "300 cc 40 0 0",
        ]
    );
    let all = charts(&table);
    let [chart] = all.as_slice() else {
        panic!("one chart");
    };
    let curves: Vec<_> = chart
        .series
        .iter()
        .map(|s| (s.label.as_str(), &s.values))
        .collect();
    let ms = |values: &[i64]| values.iter().map(|v| v * MS).collect::<Vec<_>>();
    assert_eq!(
        curves,
        [
            ("cc", &ms(&[150, 110, 130, 40])),
            ("other", &ms(&[10, 0, 0, 75]))
        ]
    );
    assert_eq!(chart.full_ns, Some(200 * MS));
    // The same from the raw rows.
    let window = Selection {
        from: Some(TimePoint::Trace(0)),
        ..Selection::default()
    };
    assert_eq!(charts(&of(&window)), charts(&table));
}

#[test]
fn a_timeline_with_conditions_is_rows() {
    let trace = scene().trace("t");
    let selection = Selection {
        conditions: vec!["process=cc".to_owned()],
        ..Selection::default()
    };
    let table = put("timeline", &trace, &selection, &[])
        .table()
        .expect("recorded");
    assert!(table.charts.is_none() && !table.rows.is_empty());
}
