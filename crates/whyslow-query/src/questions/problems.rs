//! `problems`: what was damaged, lost or unresolved, how much, and what to do.

use whyslow_model::tables::{self, ProblemRow};

use crate::error::QueryError;
use crate::result::{Kind, Outcome, ResultColumn, Value};
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Shape};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("severity", "severity", "Severity", Kind::Text, "`error`: part of the source was not understood; `data loss`: something that happened is not in the figures; `info`: the figures stand.").priority(0).rigid(),
    ResultColumn::new("kind", "kind", "Problem", Kind::Text, "The kind of trouble.").priority(0).rigid(),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How often it happened.").priority(0).summed(),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "When it happened first.").priority(4),
    ResultColumn::new("offset", "first_offset", "Offset", Kind::Address, "File offset in the source where it happened first.").priority(5).hidden(),
    ResultColumn::new("detail", "detail", "What happened", Kind::Text, "What happened, with the particulars of the first time.").priority(1).sentences(),
    ResultColumn::new("advice", "advice", "What to do", Kind::Text, "What to do about it.").priority(2).sentences(),
];

static SHAPE: Shape = Shape {
    question: "problems",
    title: "Problems",
    columns: COLUMNS,
    tree: None,
    order: None,
    top_order: None,
    swap: &[],
};

/// Lists problems, the worst first.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn problems(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &SHAPE, |view, _| {
        let table = view.read(&tables::PROBLEM, &[])?;
        let mut problems: Vec<ProblemRow> = table.rows().collect();
        let rank = |row: &ProblemRow| match row.severity.as_str() {
            "error" => 0,
            "data loss" => 1,
            _ => 2,
        };
        problems.sort_by_key(|row| (rank(row), std::cmp::Reverse(row.count)));
        let row = |row: ProblemRow| {
            vec![
                Value::text(&row.severity),
                Value::text(&row.kind),
                Value::Int(row.count),
                Value::int(row.first_ns),
                Value::int(row.first_offset),
                Value::text(&row.detail),
                Value::text(&row.advice),
            ]
        };
        let rows = problems.into_iter().map(row).collect();
        Ok(Read::Part(Part::list(rows, Vec::new())))
    })
}
