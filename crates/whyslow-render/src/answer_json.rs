//! The answer as one JSON object:
//!
//! ```json
//! { "schema": 1,
//!   "command": "make", "wall_ns": 2000000000, "failed": { "exit_code": 2 }, "processes": 3, "threads": 4, "cpu_ns": 400000000,
//!   "parts": [ { "kind": "disk", "ns": 1700000000 } ],
//!   "findings": [ { "id": "disk", "key": "disk-0a1b2", "cause": "disk", "confidence": "certain", "share": 0.85,
//!                   "wall_ns": 1700000000, "explained_ns": 1700000000, "below": null,
//!                   "object": null, "place": ["fsync", "append", "main"], "peer": null,
//!                   "facts": { "count": 1500 }, "text": "It waited for …", "details": [],
//!                   "evidence": [ { "rows": "thread_state", "stack": null, "ns": 1700000000,
//!                                   "count": 1500, "command": "whyslow waits …" } ],
//!                   "advice": null, "verify": null } ],
//!   "nothing_stands_out": false, "suppressed": [],
//!   "unknown": [ "what other processes did: not recorded …" ] }
//! ```
//!
//! `id` names a finding within its answer; `key` is the same for the same finding of other recordings and machines.
//! `suppressed` lists the findings that a reviewed file accepts, with the reason and the last day. `docs/answer.schema.json` is
//! a JSON schema of all this.
//!
//! `failed` is null, or has the `exit_code` that was not zero, or the `signal` that ended the command.
//! `parts` add up to the wall time; `explained_ns` of all findings never exceed it. `share` is 0 to 1.
//! Functions of a place are ordered from the leaf on. Several peers are one text, separated by
//! commas; their shares are in `facts`. A finding of a user's rule has the cause `rule:NAME`, explains no time, has a `share`
//! and `wall_ns` only if the rule says which column is its time (else null), and `rule` in its evidence, with the
//! `file` and the `line`. New members may be added, none changes its
//! meaning without a new `schema`.
//!
//! Of a whole machine the object is
//!
//! ```json
//! { "schema": 1, "machine_ns": 5000000000, "cpus": 2, "unit": null, "kernel_cpu_ns": 1,
//!   "recorder_cpu_ns": 1, "competing_ns": 1, "disk_busy_ns": 1, "busy": [ { "name": "make", "cpu_ns": 1 } ],
//!   "programs": [ { "pid": 17, "cpu_ns": 1, "alike": 0, "answer": { … } } ], "findings": [], "unknown": [] }
//! ```
//!
//! where `answer` is the object above, and `findings` are those of users' rules about no program alone. `unit` is the container or service that was asked for: its `name`, how many
//! `processes` were in it, and `other_cpu_ns`, the CPU time of programs outside; `busy` and `programs` are those in it.

use std::io::{self, Write};

use whyslow_explain::finding::{Evidence, Finding, Message, Shown, Value};
use whyslow_explain::words::sentence;
use whyslow_explain::{Answer, Explained, Failed, Machine};

use whyslow_review::Across;

use crate::answer::plain_text;
use whyslow_model::json::quoted;

use crate::formats::json::{null, object};

/// Version of the object's shape.
pub const ANSWER_SCHEMA: u32 = 1;

/// Writes `answer`.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_answer_json(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let json = match answer {
        Answer::Explained(answer) => explained(answer),
        Answer::NotFound(why) => object(&[
            ("schema", ANSWER_SCHEMA.to_string()),
            ("command", null()),
            ("pid", optional(why.os_pid)),
            ("findings", list([])),
        ]),
    };
    writeln!(out, "{json}")
}

/// Writes what a machine did.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_machine_json(machine: &Machine, out: &mut dyn Write) -> io::Result<()> {
    let by_name = machine.busy.iter();
    let by_name =
        by_name.map(|(name, ns)| object(&[("name", quoted(name)), ("cpu_ns", ns.to_string())]));
    let programs = machine.programs.iter().map(|program| {
        object(&[
            ("pid", program.os_pid.to_string()),
            ("cpu_ns", program.cpu_ns.to_string()),
            ("alike", program.alike.to_string()),
            ("answer", explained(&program.answer)),
        ])
    });
    let unit = machine.unit.as_ref().map_or_else(null, |unit| {
        object(&[
            ("name", quoted(&unit.title)),
            ("processes", unit.processes.to_string()),
            ("other_cpu_ns", unit.others_ns.to_string()),
        ])
    });
    let extract = machine.extract.as_deref().unwrap_or("EXTRACT");
    let findings = machine.findings.iter();
    let findings = findings.map(|one| finding(one, machine.wall_ns, extract));
    let gaps = machine.gaps.iter();
    let gaps = gaps.map(|gap| text(&gap.message, &gap.facts));
    let json = object(&[
        ("schema", ANSWER_SCHEMA.to_string()),
        ("machine_ns", machine.wall_ns.to_string()),
        ("cpus", optional(machine.cpus)),
        ("unit", unit),
        ("kernel_cpu_ns", machine.kernel_ns.to_string()),
        ("recorder_cpu_ns", machine.recorder_ns.to_string()),
        ("competing_ns", optional(machine.competing_ns)),
        ("disk_busy_ns", optional(machine.disk_ns)),
        ("busy", list(by_name)),
        ("programs", list(programs)),
        ("findings", list(findings)),
        ("unknown", list(gaps)),
    ]);
    writeln!(out, "{json}")
}

/// Writes one finding, as it is in the list of an answer.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_finding_json(
    answer: &Explained,
    one: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let extract = answer.extract.as_deref().unwrap_or("EXTRACT");
    let json = object(&[
        ("schema", ANSWER_SCHEMA.to_string()),
        ("command", quoted(&answer.command)),
        ("wall_ns", answer.wall_ns.to_string()),
        ("finding", finding(one, answer.wall_ns, extract)),
    ]);
    writeln!(out, "{json}")
}

/// Writes what many recordings have in common.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_across_json(across: &Across, out: &mut dyn Write) -> io::Result<()> {
    let common = across.common.iter().map(|one| {
        let (message, facts) = &one.claim;
        let range = [one.share.least, one.share.median, one.share.most];
        let share = match one.has_time() {
            true => list(range.map(|share| (share / 100.0).to_string())),
            false => null(),
        };
        object(&[
            ("key", quoted(&one.key)),
            ("cause", quoted(&one.cause)),
            ("about", quoted(&one.about)),
            ("recordings", one.recordings.to_string()),
            ("machines", one.machines.to_string()),
            ("share", share),
            ("text", text(message, facts)),
            ("worst", one.worst.as_deref().map_or_else(null, quoted)),
        ])
    });
    let json = object(&[
        ("schema", ANSWER_SCHEMA.to_string()),
        ("recordings", across.recordings.to_string()),
        ("machines", across.machines.to_string()),
        ("nothing_stands_out", across.healthy.to_string()),
        ("common", list(common)),
    ]);
    writeln!(out, "{json}")
}

fn failed(how: Failed) -> String {
    match how {
        Failed::Code(code) => object(&[("exit_code", code.to_string())]),
        Failed::Signal(signal) => object(&[("signal", signal.to_string())]),
    }
}

fn explained(answer: &Explained) -> String {
    let parts = answer
        .parts
        .iter()
        .map(|part| object(&[("kind", quoted(&part.kind)), ("ns", part.ns.to_string())]));
    let extract = answer.extract.as_deref().unwrap_or("EXTRACT");
    let findings = answer.findings.iter();
    let findings = findings.map(|one| finding(one, answer.wall_ns, extract));
    let suppressed = answer.suppressed.iter().map(|one| {
        object(&[
            ("id", quoted(&one.id)),
            ("key", quoted(&one.key)),
            ("explained_ns", one.ns.to_string()),
            ("reason", quoted(&one.accepted.reason)),
            ("until", quoted(&one.accepted.until)),
        ])
    });
    let gaps = answer.gaps.iter();
    let gaps = gaps.map(|gap| text(&gap.message, &gap.facts));
    object(&[
        ("schema", ANSWER_SCHEMA.to_string()),
        ("command", quoted(&answer.command)),
        ("wall_ns", answer.wall_ns.to_string()),
        ("failed", answer.failed.map_or_else(null, failed)),
        ("processes", answer.processes.to_string()),
        ("threads", answer.threads.to_string()),
        ("cpu_ns", answer.cpu_ns.to_string()),
        ("cpus", optional(answer.cpus)),
        ("parts", list(parts)),
        ("findings", list(findings)),
        ("nothing_stands_out", answer.nothing_stands_out.to_string()),
        ("suppressed", list(suppressed)),
        ("unknown", list(gaps)),
    ])
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn finding(finding: &Finding, wall_ns: i64, extract: &str) -> String {
    let fact = |name| finding.fact(name).map_or_else(null, value);
    let named = |name| finding.fact(name).map_or_else(null, names);
    let message = |message: &Message| text(message, &finding.facts);
    let optional = |it: &Option<Message>| it.as_ref().map_or_else(null, message);
    let share = finding.wall_ns as f64 / wall_ns.max(1) as f64;
    let of_time = |text: String| match finding.has_time() {
        true => text,
        false => null(),
    };
    let list_of_peers = |it: &Value| matches!(it, Value::Shares(_));
    let own = |(name, it): &&(&str, Value)| match *name {
        "share" | "object" | "place" => true,
        "peer" => !list_of_peers(it),
        _ => false,
    };
    let others = finding.facts.iter().filter(|fact| !own(fact));
    let others: Vec<_> = others.map(|(name, it)| (*name, value(it))).collect();
    let evidence = finding.evidence.iter().map(|one| shown(one, extract));
    object(&[
        ("id", quoted(&finding.id)),
        ("key", quoted(&finding.key())),
        ("cause", quoted(&finding.cause)),
        ("confidence", quoted(finding.confidence.name())),
        ("share", of_time(share.to_string())),
        ("wall_ns", of_time(finding.wall_ns.to_string())),
        ("explained_ns", finding.explained_ns.to_string()),
        ("below", finding.below.as_deref().map_or_else(null, quoted)),
        ("object", named("object")),
        ("place", fact("place")),
        ("peer", named("peer")),
        ("facts", object(&others)),
        ("text", message(&finding.claim)),
        ("details", list(finding.details.iter().map(message))),
        ("evidence", list(evidence)),
        ("advice", optional(&finding.advice)),
        ("verify", optional(&finding.verify)),
    ])
}

fn shown(evidence: &Evidence, extract: &str) -> String {
    let (rows, stack) = match &evidence.shown {
        Shown::Rows(table) => (quoted(table), null()),
        Shown::Stack { id, .. } => (null(), id.to_string()),
        Shown::Rule { .. } => (null(), null()),
    };
    let rule = match &evidence.shown {
        Shown::Rule { file, line } => {
            let place = object(&[("file", quoted(file)), ("line", line.to_string())]);
            vec![("rule", place)]
        }
        _ => Vec::new(),
    };
    let shown = [
        ("rows", rows),
        ("stack", stack),
        ("ns", evidence.ns.to_string()),
        ("count", evidence.count.to_string()),
        ("shows", quoted(evidence.query.shows)),
        ("command", quoted(&evidence.query.on(extract))),
    ];
    object(&shown.into_iter().chain(rule).collect::<Vec<_>>())
}

fn value(value: &Value) -> String {
    match value {
        Value::Share(share) => (share / 100.0).to_string(),
        Value::Ratio(ratio) => ratio.to_string(),
        Value::Time(number) | Value::Count(number) | Value::Figure(_, number) => number.to_string(),
        Value::Process(text) | Value::Text(text) | Value::Path { full: text, .. } => quoted(text),
        Value::Place(place) => list(place.functions().map(quoted)),
        Value::Class { name, .. } => quoted(name),
        Value::Shares(all) => list(all.iter().map(|(name, share)| {
            let share = (share / 100.0).to_string();
            object(&[("name", quoted(name)), ("share", share)])
        })),
    }
}

/// Returns the names in a value, one after another, as a JSON string.
fn names(value: &Value) -> String {
    match value {
        Value::Shares(all) if all.is_empty() => null(),
        Value::Shares(all) => {
            let all: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            quoted(&all.join(", "))
        }
        other => self::value(other),
    }
}

/// Returns a sentence as a JSON string.
fn text(message: &Message, facts: &[(&'static str, Value)]) -> String {
    quoted(&plain_text(&sentence(message, facts)))
}

fn optional<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(null, |number| number.to_string())
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_explain::{Target, explain};
    use whyslow_testkit::{Literal, MS};

    #[test]
    fn findings_carry_their_evidence() {
        let mut trace = Literal::new(1000);
        let app = trace.process("my app", 100, None);
        let main = trace.thread(app, "main");
        trace.threads[0].os_tid = 100;
        trace.processes[0].start_ns = Some(0);
        trace.processes[0].end_ns = Some(1000 * MS);
        trace.processes[0].exit_code = Some(2);
        trace.stack("nap", "k:do_nanosleep < nap < hold \"it\" < main < _start");
        trace.play(main, "R200 W300:nap<! W400:nap<! R100");
        let target = Target {
            os_pid: Some(100),
            extract: Some("x.whyslow".to_owned()),
            ..Target::default()
        };
        let answer = explain(&trace.raw("t"), &target).unwrap();
        let mut out = Vec::new();
        write_answer_json(&answer, &mut out).unwrap();
        let json = String::from_utf8(out).unwrap();
        let expected = [
            r#""command":"my app","wall_ns":1000000000,"failed":{"exit_code":2},"#,
            r#""parts":[{"kind":"cpu","ns":300000000},{"kind":"sleep","ns":700000000}]"#,
            r#","cause":"sleep","confidence":"certain","share":0.7,"#,
            r#""explained_ns":700000000,"below":null,"object":null,"#,
            r#""place":["nap","hold \"it\"","main"],"peer":null,"#,
            r#""text":"It slept: 70 % of the time"#,
            r#"{"rows":"thread_state","stack":null,"ns":700000000,"count":2,"shows":"its waits by class","command":"whyslow waits x.whyslow --process 'my app'"}"#,
            r#""command":"whyslow stacks x.whyslow --process 'my app' --by wait""#,
        ];
        for part in expected {
            assert!(json.contains(part), "{part}\nis not in\n{json}");
        }
    }

    #[test]
    fn several_peers_are_one_text() {
        let peers = ["greedy", "make"].map(|name| (name.to_owned(), 50.0));
        assert_eq!(names(&Value::Shares(peers.to_vec())), "\"greedy, make\"");
        assert_eq!(names(&Value::Shares(Vec::new())), "null");
        assert_eq!(names(&Value::Text("one".to_owned())), "\"one\"");
    }
}
