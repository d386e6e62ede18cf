//! `problems`: what was damaged, lost or unresolved, how much, and what to do.

use whyslow_model::tables::{self, ProblemRow};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::question::{Empty, Question, Request, Subject};
use crate::shape::{self, Read};
use crate::view::View;

/// The question; the worst problems come first.
pub(super) static QUESTION: Question = Question {
    name: "problems",
    about: "What was damaged, lost or unresolved, how much, and what to do",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Recording,
    empty: Empty::AllIsWell("no problems"),
    ask,
};

const HELP: &str = "\
Examples:
  whyslow problems x.whyslow
  whyslow problems runs/*.whyslow --sort count";

static TABLE: ResultSchema = ResultSchema::new(
    "problems",
    "What was damaged, lost or unresolved, and what to do about it.",
    "Problems",
    &SHOWN,
);

#[rustfmt::skip]
const COLUMNS: Columns<ProblemRow> = &[
    ResultColumn::new("severity", "severity", "Severity", Kind::Text, "`error`: part of the source was not understood; `data loss`: something that happened is not in the figures; `info`: the figures are not affected.").priority(0).rigid()
        .cell(|row, ()| Value::text(&row.severity)),
    ResultColumn::new("kind", "kind", "Problem", Kind::Text, "The kind of problem.").priority(0).rigid()
        .cell(|row, ()| Value::text(&row.kind)),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How often it happened.").priority(0).summed()
        .cell(|row, ()| Value::Int(row.count)),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "When it happened first.").priority(4)
        .cell(|row, ()| Value::int(row.first_ns)),
    ResultColumn::new("offset", "first_offset", "Offset", Kind::Address, "File offset in the source where it happened first.").priority(5).hidden()
        .cell(|row, ()| Value::int(row.first_offset)),
    ResultColumn::new("detail", "detail", "What happened", Kind::Text, "What happened, with the particulars of the first time.").priority(1).sentences()
        .cell(|row, ()| Value::text(&row.detail)),
    ResultColumn::new("advice", "advice", "What to do", Kind::Text, "What to do about it.").priority(2).sentences()
        .cell(|row, ()| Value::text(&row.advice)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    shape::ask(views, request.selection, &TABLE, |view, _| {
        let table = view.read(&tables::PROBLEM, &[])?;
        let mut problems: Vec<ProblemRow> = table.rows().collect();
        let rank = |row: &ProblemRow| match row.severity.as_str() {
            "error" => 0,
            "data loss" => 1,
            _ => 2,
        };
        problems.sort_by_key(|row| (rank(row), std::cmp::Reverse(row.count)));
        Ok(Read::rows(COLUMNS, problems, (), Vec::new()))
    })
}
