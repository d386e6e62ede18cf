//! `marks`: what somebody marked in the recording.

use std::ops::ControlFlow;

use whyslow_model::tables::MarkRow;
use whyslow_model::{Capability, Scan, TableRow};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::Labels;
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; in the order of time.
pub(super) static QUESTION: Question = Question {
    name: "marks",
    about: "Marks that somebody set in the recording, to find a moment again",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[TEXT],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const TEXT: Argument = Argument {
    name: "text",
    doc: "Only marks whose text matches, such as 'test *'",
    takes: Takes::Pattern,
};

const HELP: &str = "\
`whyslow mark TEXT` sets a mark while a recording runs on Linux; on Windows, programs and
`wpr -marker` do. A mark whose text is NAME=NUMBER also has a name and a value.

--from and --to of every question, and of `why`, take the text of a mark, or its beginning if only
one text begins so: --from 'load begins' --to 'load ends'. 'load ends+1s' is one second later, '-1s'
earlier; 'pass#2' is the second of several marks with the text 'pass'. What can be read as a time is
one. With --time-format 'mark:load begins', times are seconds since that mark.

Examples:
  whyslow marks x.whyslow
  whyslow marks x.whyslow --text 'requests=*'
  whyslow marks x.whyslow --text '*started*'
  whyslow marks x.whyslow --time-format 'mark:load begins'
  whyslow files x.whyslow --from 'load begins' --to 'load ends'";

static TABLE: ResultSchema = ResultSchema::new(
    "marks",
    "Marks that somebody set in the recording.",
    "Marks",
    &SHOWN,
);

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("at", "time_ns", "At", Kind::Time, "When it was set.").priority(0)
        .cell(|row, _| Value::Int(row.mark.time_ns)),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process that set it; empty where not known.").priority(2)
        .cell(|row, facts| row.mark.process.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, facts| Value::int(row.mark.process.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("text", "text", "Text", Kind::Text, "Its text.").priority(0)
        .cell(|row, _| Value::optional(row.text.as_deref())),
    ResultColumn::new("name", "name", "Name", Kind::Text, "For a mark NAME=NUMBER, the name.").hidden()
        .cell(|row, _| Value::optional(row.value().map(|(name, _)| name))),
    ResultColumn::new("value", "value", "Value", Kind::Ratio, "For a mark NAME=NUMBER, the number.").priority(1)
        .cell(|row, _| row.value().map_or(Value::Null, |(_, number)| Value::Float(number))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

struct Row {
    mark: MarkRow,
    text: Option<String>,
}

/// Most marks that a note names.
const MOST_NOTED: usize = 8;

/// Returns which marks were set between two moments, by whomever, for a picture of that time.
pub(super) fn note(
    view: View<'_>,
    facts: &Facts,
    window: (i64, i64),
) -> Result<Option<Note>, QueryError> {
    if !facts.has(Capability::Marks) {
        return Ok(None);
    }
    let labels = Labels::read(view)?;
    let scan = Scan {
        columns: &[],
        processes: None,
        window_ns: Some(window),
    };
    let mut marks = Vec::new();
    view.scan(MarkRow::SCHEMA, &scan, &mut |table| {
        let rows = table.rows::<MarkRow>().map(|row| (row.time_ns, row.text));
        marks.extend(rows.filter(|(ns, _)| (window.0..window.1).contains(ns)));
        ControlFlow::Continue(())
    })?;
    marks.sort_unstable_by_key(|&(ns, _)| ns);
    let named = marks.iter().take(MOST_NOTED).map(|&(ns, text)| {
        let us = ns.div_euclid(1_000);
        let (s, us) = (us.div_euclid(1_000_000), us.rem_euclid(1_000_000));
        format!("{s}.{:03} {}", us / 1_000, labels.get(text).unwrap_or("?"))
    });
    let mut named: Vec<String> = named.collect();
    if named.is_empty() {
        return Ok(None);
    }
    if marks.len() > MOST_NOTED {
        let more = marks.len() - MOST_NOTED;
        named.push(format!("{more} more (see `whyslow marks`)"));
    }
    Ok(Some(Note::info(format!(
        "marks, at second: {}",
        named.join("; ")
    ))))
}

impl Row {
    fn value(&self) -> Option<(&str, f64)> {
        whyslow_marks::value(self.text.as_deref()?)
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let wanted = request.arguments.pattern(&TEXT);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Marks) {
            return Ok(Read::lacks(&facts, Capability::Marks));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let labels = Labels::read(view)?;
        let mut rows = Vec::new();
        recorded(view, &scope, selection.is_of_anybody(), |mark: MarkRow| {
            let text = labels.get(mark.text).map(str::to_owned);
            if wanted.matches(text.as_deref().unwrap_or_default()) {
                rows.push(Row { mark, text });
            }
        })?;
        rows.sort_by_key(|row| row.mark.time_ns);
        let notes = notes(&facts);
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}
