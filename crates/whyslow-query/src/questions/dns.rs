//! `dns`: which names were looked up, where, how long it took, and with what result.

use std::collections::BTreeMap;

use whyslow_model::names::{lookup_result_name, record_type_name, response_name};
use whyslow_model::tables::{DnsQueryRow, NameLookupRow};
use whyslow_model::{Capability, ProcessId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::{Labels, dns_queries, joined_ns, name_lookups};
use crate::pattern::Pattern;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; the longest look-ups come first.
pub(super) static QUESTION: Question = Question {
    name: "dns",
    about: "Names that were looked up: by which process, at which server, how long it took, the result",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[NAME, FAILED, LIST],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const NAME: Argument = Argument {
    name: "name",
    doc: "Only names that match, such as '*.example.org;!*.local'",
    takes: Takes::Pattern,
};

const FAILED: Argument = Argument {
    name: "failed",
    doc: "Only look-ups without an answer, and those whose answer is an error",
    takes: Takes::Nothing,
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every look-up in a row of its own",
    takes: Takes::Nothing,
};

const HELP: &str = "\
There are two kinds of rows. `call` is a call of a C library function that resolves a name, such as
`getaddrinfo`; a file or a cache may answer it. `A`, `AAAA` and so on are queries to name servers, as seen
on the wire, including those of programs that do not use the C library. One call may send several
queries, so the times of both kinds do not add up.

Parallel look-ups count once in `Time`, because that is how long a program waits for them.

Encrypted queries (DNS over TLS or HTTPS) look like any other connection, and are not listed here.

Examples:
  whyslow dns x.whyslow
  whyslow dns x.whyslow --failed
  whyslow dns x.whyslow --process client --list";

static TABLE: ResultSchema = ResultSchema::new(
    "dns",
    "Look-ups of names per process, kind, server, name and result.",
    "Names looked up",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process; empty where not known.").priority(0)
        .cell(|row, facts| row.key.process.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, facts| Value::int(row.key.process.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("kind", "kind", "Kind", Kind::Text, "`call` of the system's look-up function (on Windows with the type of record, as `call A`), or the type of record that a name server was asked for, such as `A` or `AAAA`.").priority(0).rigid()
        .cell(|row, _| Value::text(&row.key.kind)),
    ResultColumn::new("server", "server", "Server", Kind::Text, "Address of the name server; empty for calls.").priority(1)
        .cell(|row, _| Value::optional(row.key.server.as_deref())),
    ResultColumn::new("result", "result", "Result", Kind::Text, "`ok`, `no such name`, `no answer`, `temporary failure` of a call, or the error.").priority(0).rigid()
        .cell(|row, _| Value::text(&row.key.result)),
    ResultColumn::new("count", "count", "Count", Kind::Count, "Number of look-ups.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("attempts", "attempts", "Sent", Kind::Count, "How often the queries were sent.").priority(3).summed()
        .cell(|row, _| Value::int(row.sum.attempts)),
    ResultColumn::new("time", "time_ns", "Time", Kind::Duration, "Time in which at least one of them was under way; overlaps count once.").priority(1)
        .cell(|row, _| Value::Int(row.sum.joined_ns)),
    ResultColumn::new("sum", "sum_ns", "Time (sum)", Kind::Duration, "The same, summed over look-ups.").priority(5).summed()
        .cell(|row, _| Value::Int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest look-up.").priority(2)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("at", "first_ns", "First at", Kind::Time, "When the first of them began.").priority(6)
        .cell(|row, _| Value::int(row.sum.first_ns)),
    ResultColumn::new("name", "name", "Name", Kind::Text, "The name; empty where it could not be read.").priority(0)
        .cell(|row, _| Value::optional(row.key.name.as_deref())),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    kind: String,
    server: Option<String>,
    name: Option<String>,
    result: String,
    /// Its number among all, if each has a row.
    number: Option<usize>,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    attempts: Option<i64>,
    ns: i64,
    joined_ns: i64,
    longest_ns: i64,
    first_ns: Option<i64>,
    spans: Vec<(i64, i64)>,
}

impl Sum {
    fn add(&mut self, from_ns: i64, ns: i64, attempts: Option<i32>) {
        let ns = ns.max(0);
        self.count += 1;
        if let Some(attempts) = attempts {
            let sum = self.attempts.get_or_insert(0);
            *sum = sum.saturating_add(attempts.max(0).into());
        }
        self.ns = self.ns.saturating_add(ns);
        self.longest_ns = self.longest_ns.max(ns);
        self.first_ns = Some(self.first_ns.unwrap_or(i64::MAX).min(from_ns));
        self.spans.push((from_ns, from_ns.saturating_add(ns)));
    }
}

struct Row {
    key: Key,
    sum: Sum,
}

struct Choice<'c> {
    wanted: &'c Pattern,
    only_failed: bool,
    lists: bool,
    labels: &'c Labels,
    sums: BTreeMap<Key, Sum>,
    number: usize,
}

impl Choice<'_> {
    fn add(&mut self, key: Key) -> Option<&mut Sum> {
        let is_wanted = self.wanted.matches(key.name.as_deref().unwrap_or_default());
        if !is_wanted || (self.only_failed && key.result == "ok") {
            return None;
        }
        self.number += 1;
        let number = self.lists.then_some(self.number);
        Some(self.sums.entry(Key { number, ..key }).or_default())
    }

    /// A query without an answer lasts until the trace ends or, usually, until nobody waits for it
    /// any more. That moment is not known, so its time counts as 0.
    fn question(&mut self, row: &DnsQueryRow) {
        let key = Key {
            process: row.process,
            kind: record_type_name(row.record_type),
            server: self.labels.get(row.server).map(str::to_owned),
            name: self.labels.get(row.name).map(str::to_owned),
            result: response_name(row.response_code),
            number: None,
        };
        if let Some(sum) = self.add(key) {
            sum.add(
                row.time_ns,
                row.duration_ns.unwrap_or(0),
                Some(row.attempts),
            );
        }
    }

    fn call(&mut self, row: &NameLookupRow) {
        let key = Key {
            process: row.process,
            kind: match row.record_type {
                Some(kind) => format!("call {}", record_type_name(Some(kind))),
                None => "call".to_owned(),
            },
            server: None,
            name: self.labels.get(row.name).map(str::to_owned),
            result: lookup_result_name(row.result),
            number: None,
        };
        if let Some(sum) = self.add(key) {
            sum.add(row.time_ns, row.duration_ns, None);
        }
    }

    fn rows(self) -> Vec<Row> {
        let rows = self.sums.into_iter().map(|(key, mut sum)| {
            sum.joined_ns = joined_ns(&mut sum.spans);
            Row { key, sum }
        });
        rows.collect()
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let wanted = request.arguments.pattern(&NAME);
    shape::ask(views, selection, &TABLE, |view, facts| {
        let (has_wire, has_calls) = (
            facts.has(Capability::DnsQueries),
            facts.has(Capability::NameLookups),
        );
        if !has_wire && !has_calls {
            return Ok(Read::lacks(&facts, Capability::DnsQueries));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let anybody = selection.is_of_anybody();
        let labels = Labels::read(view)?;
        let mut choice = Choice {
            wanted: &wanted,
            only_failed: request.arguments.has(&FAILED),
            lists: request.arguments.has(&LIST),
            labels: &labels,
            sums: BTreeMap::new(),
            number: 0,
        };
        dns_queries(view, &scope, anybody, |row| choice.question(&row))?;
        name_lookups(view, &scope, |row| choice.call(&row))?;
        let rows = choice.rows();
        let mut notes = notes(&facts);
        if !has_wire {
            notes.push(Note::info("what was on the wire was not recorded"));
        }
        if !has_calls {
            notes.push(Note::info("calls of the C library were not recorded"));
        }
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}
