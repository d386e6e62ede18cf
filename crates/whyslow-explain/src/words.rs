//! The answer in words. Nothing is computed here but what is shown.
//!
//! ```text
//! COMMAND took 455 ms    on CPU 58 % ▇▇▇▇▇▇   disk 30 % ▒▒▒   competing 12 % ░    title
//!
//! 1  It waited for the disk: 30 % of the time                           certain    cause
//!      Journal::append → File::sync_all    journal.log                             detail
//!    …
//! Next:  whyslow stacks …                                                          command
//! ```
//!
//! The lines follow from the answer; widths, indents and colors are the renderer's.

mod causes;
mod healthy;
mod machine;
mod parts;
mod sentence;
mod text;

use crate::answer::{Answer, Explained, Failed, NotFound};
use crate::finding::{Message, Query, Value};
use crate::gaps::Gap;
use text::Text;
use whyslow_story::story::share;
use whyslow_story::unit;

pub use machine::machine_lines;
pub use parts::{Part, Spent};
pub use text::{Content, Line, Role, Shape, Span};

/// How much of long names is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// As people write them.
    Short,
    /// As they are in the tables.
    Full,
}

/// Returns a message with its values filled in.
#[must_use]
pub fn sentence(message: &Message, facts: &[(&'static str, Value)]) -> Vec<Span> {
    sentence::filled(message, facts, Role::Plain, Names::Short).0
}

/// Returns the answer in words.
#[must_use]
pub fn lines(answer: &Answer, names: Names) -> Vec<Line> {
    match answer {
        Answer::NotFound(why) => not_found(why),
        Answer::Explained(answer) => explained(answer, names),
    }
}

fn explained(answer: &Explained, names: Names) -> Vec<Line> {
    let mut lines = vec![title(answer), Line::blank()];
    match healthy::summary(answer) {
        _ if !answer.suppressed.is_empty() && answer.findings.is_empty() => {
            let text = Text::default().say("Nothing else stands out.");
            lines.push(Line::of(Shape::Plain, text));
        }
        Some(summary) => {
            lines.push(Line::of(Shape::Plain, summary));
            lines.extend(causes::of_rules(answer, names, true));
        }
        None => lines.extend(causes::lines(answer, names)),
    }
    if let Some(text) = suppressed(answer) {
        lines.extend([Line::blank(), Line::of(Shape::Plain, text)]);
    }
    if !answer.gaps.is_empty() {
        lines.push(Line::blank());
    }
    lines.extend(gaps(&answer.gaps, names));
    lines.push(Line::blank());
    lines.extend(commands(&answer.next, answer.extract.as_deref()));
    lines
}

/// Returns what is not known.
fn gaps(gaps: &[Gap], names: Names) -> impl Iterator<Item = Line> + '_ {
    gaps.iter().map(move |gap| {
        let text = sentence::filled(&gap.message, &gap.facts, Role::Warning, names);
        Line::of(Shape::Plain, text)
    })
}

/// Returns what was found and is not shown, in one line.
fn suppressed(answer: &Explained) -> Option<Text> {
    let first = answer.suppressed.first()?;
    let all = &answer.suppressed;
    let ns = all
        .iter()
        .fold(0_i64, |all, one| all.saturating_add(one.ns));
    // What a rule finds explains no time.
    let text = match ns {
        0 => Text::default().faint("Accepted and not shown: "),
        ns => {
            let text = Text::default().faint("Accepted and not shown, ");
            text.percent(share(ns, answer.wall_ns))
                .faint(" of the time: ")
        }
    };
    let reason = first.accepted.reason.trim_end_matches('.');
    let text = text.words(Role::Faint, &first.id);
    let text = text.faint(&format!(" (until {}: {reason})", first.accepted.until));
    let text = match i64::try_from(all.len() - 1).unwrap_or(i64::MAX) {
        0 => text,
        more => text.faint(" and ").count(more).faint(" more"),
    };
    Some(text.faint("."))
}

fn not_found(why: &NotFound) -> Vec<Line> {
    let text = match (why.os_pid, why.has_starts) {
        (Some(_), _) if why.ran_ns.is_some() => "It did not run in the selected time:".to_owned(),
        (Some(pid), true) => format!("No process with pid {pid} is in the recording."),
        (Some(pid), false) => {
            format!("Process starts were not recorded, and nothing is known about pid {pid}.")
        }
        (None, _) => "The command never started.".to_owned(),
    };
    let text = Text::default().words(Role::Warning, &text);
    let text = match why.ran_ns {
        Some((Some(from), Some(to))) => text
            .say(" it started ")
            .time(from)
            .say(" and ended ")
            .time(to)
            .say(" after the recording began."),
        Some((None, Some(to))) => text
            .say(" it started before the recording, and ended ")
            .time(to)
            .say(" after that began."),
        Some((Some(from), None)) => text
            .say(" it started ")
            .time(from)
            .say(" after the recording began, and still ran at its end."),
        Some((None, None)) => text.say(" when it started and ended is not in the recording."),
        None => text,
    };
    let query = Query::new("what was recorded", "stats", &[]);
    let mut lines = vec![Line::of(Shape::Plain, text), Line::blank()];
    lines.extend(commands(&[query], why.extract.as_deref()));
    lines
}

/// With fewer letters than this, a command line is shown as it is where there is room.
const MOST_LETTERS: usize = 36;

/// Returns how long it took, and what that is made of.
fn title(answer: &Explained) -> Line {
    let brief = unit::brief(&answer.command, MOST_LETTERS);
    let line = brief
        .as_deref()
        .unwrap_or(without_directories(&answer.command));
    let text = Text::default().words(Role::Title, line);
    let text = text.say(" took ").time(answer.wall_ns);
    let text = match answer.processes {
        ..3 => text,
        n => text.faint(" in ").count(n).faint(" processes"),
    };
    let text = match answer.failed {
        None => text,
        Some(Failed::Code(code)) => text.faint(", exit code ").exit_code(code),
        Some(Failed::Signal(signal)) => text.faint(&match signal_name(signal) {
            Some(name) => format!(", ended by {name}"),
            None => format!(", ended by signal {signal}"),
        }),
    };
    Line::of(Shape::Title(parts::parts(answer)), text)
}

/// Returns the name of a signal that ends programs.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

/// Returns a command line without the directories of its program.
fn without_directories(command: &str) -> &str {
    let program = command.find(' ').unwrap_or(command.len());
    match command[..program].rfind('/') {
        Some(at) if !command.starts_with('\'') => &command[at + 1..],
        _ => command,
    }
}

/// Returns commands to paste, each with what it shows.
fn commands(queries: &[Query], extract: Option<&str>) -> Vec<Line> {
    let lines = queries.iter().enumerate().map(|(at, query)| {
        let words = query.words(extract.unwrap_or("EXTRACT"));
        let shape = Shape::Command {
            is_first: at == 0,
            shows: query.shows,
        };
        let mut text = Text::default();
        for word in &words {
            text = text.words(Role::Command, word);
        }
        Line::of(shape, text)
    });
    lines.collect()
}
