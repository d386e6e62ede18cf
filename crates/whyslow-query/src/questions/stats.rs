//! `stats`: the machine, the recording, and how far its figures can be trusted.

use whyslow_model::tables::{self, CapabilityRow, EventCountRow, FactRow};
use whyslow_model::{StackEnd, StackId, ThreadState};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::Stacks;
use crate::view::View;
use crate::waits::is_wait;

/// The question.
pub(super) static QUESTION: Question = Question {
    name: "stats",
    about: "The machine, the recording, what it holds, what it lost",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Recording,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
Examples:
  whyslow stats x.whyslow
  whyslow stats runs/*.whyslow --format json";

static TABLE: ResultSchema = ResultSchema::new(
    "stats",
    "The machine, the recording and its quality.",
    "Statistics",
    &SHOWN,
);

#[rustfmt::skip]
const COLUMNS: Columns<Row> = &[
    ResultColumn::new("section", "section", "Section", Kind::Text, "What the fact is about: trace, machine, session, recorder, recorded, events, quality.").priority(0).rigid()
        .cell(|row, ()| Value::text(&row.section)),
    ResultColumn::new("key", "key", "Fact", Kind::Text, "The fact.").priority(0).rigid()
        .cell(|row, ()| Value::text(&row.key)),
    ResultColumn::new("value", "value", "Value", Kind::Text, "Its value, in the unit its name says.").priority(0)
        .cell(|row, ()| row.value.clone()),
    ResultColumn::new("note", "note", "Note", Kind::Text, "Further details: lost events, bytes, the reason why something is missing.").priority(1).sentences()
        .cell(|row, ()| Value::optional(row.note.as_deref())),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// A fact.
#[derive(Debug)]
struct Row {
    section: String,
    key: String,
    value: Value,
    note: Option<String>,
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    shape::ask(views, request.selection, &TABLE, |view, facts| {
        let mut list = List::default();
        trace(&facts, &mut list);
        let table = view.read(&tables::FACT, &[])?;
        let facts_told = table.rows::<FactRow>();
        for fact in facts_told.filter(|fact| !is_told(&fact.subject, &fact.key)) {
            let value = quantity(&fact.key, &fact.value);
            list.add(&fact.subject, &fact.key, value, "");
        }
        let table = view.read(&tables::CAPABILITY, &[])?;
        for row in table.rows::<CapabilityRow>() {
            let note = row.note.as_deref().unwrap_or_default();
            list.add("recorded", &row.name, Value::text(&row.presence), note);
        }
        let table = view.read(&tables::EVENT_COUNT, &[])?;
        for row in table.rows::<EventCountRow>() {
            let use_ = row.used_for.as_deref().unwrap_or("counted only");
            let note = format!("{} bytes, {} lost, {use_}", row.bytes, row.lost);
            list.add(
                "events",
                &row.event,
                Value::Quantity(Kind::Count, row.count),
                &note,
            );
        }
        quality(view, &facts, &mut list)?;
        let rows = list.by_section();
        Ok(Read::rows(COLUMNS, rows, (), Vec::new()))
    })
}

#[derive(Debug, Default)]
struct List {
    rows: Vec<Row>,
}

impl List {
    fn add(&mut self, section: &str, key: &str, value: Value, note: &str) {
        self.rows.push(Row {
            section: section.to_owned(),
            key: key.to_owned(),
            value,
            note: (!note.is_empty()).then(|| note.to_owned()),
        });
    }

    /// Returns the rows grouped by section; sections are in the order they first appeared.
    fn by_section(self) -> Vec<Row> {
        let mut sections: Vec<Vec<Row>> = Vec::new();
        for row in self.rows {
            let same = |rows: &&mut Vec<Row>| rows[0].section == row.section;
            match sections.iter_mut().find(same) {
                Some(rows) => rows.push(row),
                None => sections.push(vec![row]),
            }
        }
        sections.into_iter().flatten().collect()
    }

    fn text(&mut self, section: &str, key: &str, value: Option<&str>) {
        self.add(section, key, value.map_or(Value::Null, Value::text), "");
    }

    fn number(&mut self, section: &str, key: &str, kind: Kind, value: Option<i64>) {
        let value = value.map_or(Value::Null, |value| Value::Quantity(kind, value));
        self.add(section, key, value, "");
    }

    /// Adds a share with its count.
    #[expect(clippy::cast_precision_loss, reason = "a share for a person")]
    fn share(&mut self, key: &str, part: i64, whole: i64, of: &str) {
        if whole > 0 {
            let share = 100.0 * part as f64 / whole as f64;
            self.add("quality", key, Value::text(&format!("{share:.1} %")), of);
        }
    }
}

/// Returns whether another row shows a fact of our recorder: one about the trace or the machine, or
/// one among the events.
fn is_told(subject: &str, key: &str) -> bool {
    match subject {
        "machine" => matches!(
            key,
            "host" | "system" | "kernel" | "cpu_model" | "memory_kb" | "time_zone" | "boot_unix_s"
        ),
        "session" => key == "command_argument",
        "recorder" => key == "recorder" || key.starts_with("samples.") || key.starts_with("lost."),
        _ => false,
    }
}

/// Returns a number of the kind given by the unit at the end of its key, or else text.
fn quantity(key: &str, value: &str) -> Value {
    let kind = match key.rsplit('_').next() {
        Some("ns") => Kind::Duration,
        Some("bytes") => Kind::Bytes,
        Some("count" | "events") => Kind::Count,
        _ => return Value::text(value),
    };
    value.parse().map_or_else(
        |_| Value::text(value),
        |number| Value::Quantity(kind, number),
    )
}

fn trace(facts: &Facts, list: &mut List) {
    let Some(trace) = &facts.trace else {
        return;
    };
    let int = |value: Option<i32>| value.map(i64::from);
    list.text("trace", "source", Some(&trace.source));
    list.number(
        "trace",
        "source_bytes",
        Kind::Bytes,
        Some(trace.source_bytes),
    );
    list.number("trace", "start", Kind::WallTime, trace.start_unix_ns);
    list.number(
        "trace",
        "duration_ns",
        Kind::Duration,
        Some(trace.duration_ns),
    );
    list.text("trace", "command", trace.command.as_deref());
    list.text("trace", "test_case", trace.test_case.as_deref());
    let measured = trace.measured_ms.map(|ms| ms.saturating_mul(1_000_000));
    list.number("trace", "measured_ns", Kind::Duration, measured);
    list.number("trace", "lost_events", Kind::Count, Some(trace.lost_events));
    list.number("trace", "lost_buffers", Kind::Count, trace.lost_buffers);
    list.number(
        "trace",
        "sample_period_ns",
        Kind::Duration,
        trace.sample_period_ns,
    );
    list.text("trace", "clock", trace.clock.as_deref());
    list.text("trace", "recorder", trace.recorder.as_deref());
    list.text("trace", "tool_version", Some(&trace.tool_version));
    list.number(
        "trace",
        "processes",
        Kind::Count,
        i64::try_from(facts.processes.len()).ok(),
    );
    list.number(
        "trace",
        "threads",
        Kind::Count,
        // There are none if nothing in the trace is about threads.
        i64::try_from(facts.threads.len()).ok().filter(|&of| of > 0),
    );
    list.text("machine", "host", trace.host.as_deref());
    list.text("machine", "os", trace.os.as_deref());
    list.text("machine", "arch", trace.arch.as_deref());
    list.text("machine", "cpu", trace.cpu_name.as_deref());
    list.number("machine", "cpus", Kind::Count, int(trace.cpus));
    list.number("machine", "memory_bytes", Kind::Bytes, trace.memory_bytes);
    list.text("machine", "zone", trace.zone.as_deref());
    list.number("machine", "boot", Kind::WallTime, trace.boot_unix_ns);
}

/// Counts and times by the end of their stack.
#[derive(Debug, Default, Clone, Copy)]
struct Ends {
    complete: i64,
    truncated: i64,
    no_user_half: i64,
    kernel_only: i64,
    unknown: i64,
    none: i64,
}

impl Ends {
    fn add(&mut self, end: Option<StackEnd>, recorded: bool, weight: i64) {
        let slot = match end {
            _ if !recorded => &mut self.none,
            Some(StackEnd::Complete) => &mut self.complete,
            Some(StackEnd::Truncated) => &mut self.truncated,
            Some(StackEnd::NoUserHalf) => &mut self.no_user_half,
            Some(StackEnd::KernelOnly) => &mut self.kernel_only,
            Some(StackEnd::Unknown) | None => &mut self.unknown,
        };
        *slot += weight;
    }

    fn list(&self, what: &str, list: &mut List) {
        let all = [
            (
                "complete",
                self.complete,
                "the stack reaches the function its thread began in",
            ),
            (
                "kernel only",
                self.kernel_only,
                "kernel threads and interrupts: there is no user half",
            ),
            (
                "truncated",
                self.truncated,
                "the walk stopped early: callers further out are missing",
            ),
            (
                "no user half",
                self.no_user_half,
                "only the kernel half was recorded",
            ),
            (
                "end unknown",
                self.unknown,
                "nothing says whether the stack is whole",
            ),
            ("no stack", self.none, "no stack was recorded"),
        ];
        let whole = all.iter().map(|&(_, part, _)| part).sum();
        for (name, part, note) in all.into_iter().filter(|&(_, part, _)| part > 0) {
            list.share(&format!("{what}: {name}"), part, whole, note);
        }
    }
}

/// How complete the stacks are, and how much time is unknown.
fn quality(view: View<'_>, facts: &Facts, list: &mut List) -> Result<(), QueryError> {
    let scope = Scope::whole(facts);
    let stacks = Stacks::read(view)?;
    let tree = &stacks.tree;
    // The end is in the root; copy it to every node.
    let mut ends = tree.end.clone();
    for node in 0..tree.len() {
        if let Some(end) = ends.get(tree.parent[node] as usize) {
            ends[node] = *end;
        }
    }
    let end = |stack: Option<StackId>| ends[tree.node(stack) as usize];
    let (mut sampled, mut unresolved, mut samples) = (Ends::default(), 0, 0);
    rows::samples(view, &scope, |sample| {
        sampled.add(end(sample.stack), sample.stack.is_some(), 1);
        let leaf = stacks
            .frames
            .function(tree.functions(tree.node(sample.stack))[0]);
        samples += 1;
        unresolved += i64::from(!leaf.resolved);
    })?;
    let (mut waits, mut wait_time) = (Ends::default(), Ends::default());
    let (mut all_ns, mut unknown_ns) = (0_i64, 0_i64);
    rows::intervals(view, &scope, |interval| {
        all_ns = all_ns.saturating_add(interval.ns());
        if interval.state == ThreadState::Unknown {
            unknown_ns += interval.ns();
        }
        if is_wait(interval.state) {
            let (end, recorded) = (end(interval.stack), interval.stack.is_some());
            waits.add(end, recorded, 1);
            wait_time.add(end, recorded, interval.ns());
        }
    })?;
    sampled.list("sample stacks", list);
    list.share(
        "samples: leaf without a name",
        unresolved,
        samples,
        "see `whyslow problems`",
    );
    waits.list("wait stacks (by count)", list);
    wait_time.list("wait stacks (by time)", list);
    list.share(
        "thread time unknown",
        unknown_ns,
        all_ns,
        "before a thread's first event, or after a loss",
    );
    Ok(())
}
