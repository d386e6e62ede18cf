//! The answer in words: lines with a word at the left edge. Nothing is computed here.

mod sentence;
mod text;

use crate::answer::{Answer, Explained, NotFound};
use crate::finding::{Message, Query, Value};
use crate::story::share;
use text::Text;

pub use text::{Content, Line, Role, Span};

/// Findings about less than this percentage of the wall time are not printed.
const WORTH: f64 = 10.0;

/// The most findings that are printed.
const MOST: usize = 5;

/// Fewer samples say nothing.
const FEW_SAMPLES: i64 = 5;

/// The lines so far.
#[derive(Debug, Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, label: &'static str, text: Text) {
        self.0.push(Line {
            label,
            indent: 0,
            spans: text.0,
        });
    }

    fn below(&mut self, text: Text) {
        self.0.push(Line {
            label: "",
            indent: 1,
            spans: text.0,
        });
    }

    /// Adds several texts, the label at the first.
    fn all(&mut self, label: &'static str, texts: impl IntoIterator<Item = Text>) {
        for (at, text) in texts.into_iter().enumerate() {
            self.add(if at == 0 { label } else { "" }, text);
        }
    }
}

/// Returns a message with its values filled in.
#[must_use]
pub fn sentence(message: &Message, facts: &[(&'static str, Value)]) -> Vec<Span> {
    sentence::filled(message, facts, Role::Plain).0
}

/// Returns the answer in words.
#[must_use]
pub fn lines(answer: &Answer) -> Vec<Line> {
    let mut lines = Lines::default();
    match answer {
        Answer::NotFound(why) => not_found(why, &mut lines),
        Answer::Explained(answer) => {
            lines.add("took", headline(answer));
            lines.all("why", findings(answer));
            on_cpu(answer, &mut lines);
            waiting(answer, &mut lines);
            ready(answer, &mut lines);
            functions(answer, &mut lines);
            others(answer, &mut lines);
            let gaps = answer.gaps.iter();
            let gaps = gaps.map(|gap| sentence::filled(&gap.message, &gap.facts, Role::Warning));
            lines.all("data", gaps);
            let extract = answer.extract.as_deref();
            let next = answer.next.iter().map(|query| command(query, extract));
            lines.all("look", next);
        }
    }
    lines.0
}

fn not_found(why: &NotFound, lines: &mut Lines) {
    let text = match (why.os_pid, why.has_starts) {
        (Some(pid), true) => format!("no process with pid {pid} is in the recording"),
        (Some(pid), false) => {
            format!("process starts were not recorded, and nothing is known of pid {pid}")
        }
        (None, _) => "the command never started".to_owned(),
    };
    lines.add("data", Text::default().words(Role::Warning, &text));
    let query = Query::new("see what was recorded", "stats", &[]);
    lines.below(command(&query, why.extract.as_deref()));
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for a person")]
fn headline(answer: &Explained) -> Text {
    let text = Text::default().time(answer.wall_ns).say("  ");
    let text = text.process(&answer.command);
    let text = match answer.processes {
        1 => text.faint("  1 process, "),
        n => text.faint("  ").count(n).faint(" processes, "),
    };
    let text = text.count(answer.threads);
    let text = text.faint(match answer.threads {
        1 => " thread",
        _ => " threads",
    });
    let used = answer.cpu_ns as f64 / answer.wall_ns.max(1) as f64;
    match answer.cpus {
        Some(cpus) if answer.cpu_ns > 0 => {
            let text = text.faint(", on average ").ratio(used);
            text.faint(" of ").count(cpus.into()).faint(" CPUs")
        }
        _ => text,
    }
}

fn findings(answer: &Explained) -> Vec<Text> {
    let worth = answer.findings.iter();
    let worth =
        worth.filter(|one| !answer.has_parts || share(one.wall_ns, answer.wall_ns) >= WORTH);
    let mut texts = Vec::new();
    for finding in worth.take(MOST) {
        for message in std::iter::once(&finding.claim).chain(&finding.details) {
            texts.push(sentence::filled(message, &finding.facts, Role::Plain));
        }
    }
    if texts.is_empty() {
        let text = "No single cause, or too little is known; the parts are below.";
        texts.push(Text::default().say(text));
    }
    texts
}

fn on_cpu(answer: &Explained, lines: &mut Lines) {
    let cpu = answer.part_ns("cpu");
    let text = Text::default();
    let text = if answer.has_parts {
        let part = share(cpu, answer.wall_ns);
        text.time(cpu).say("  ").percent(part)
    } else if answer.cpu_ns > 0 {
        text.time(answer.cpu_ns).say(" over all threads")
    } else if answer.sampled.all_ns > 0 {
        text.time(answer.sampled.all_ns).say(" CPU (sampled)")
    } else {
        return;
    };
    lines.add("on CPU", kernel_share(answer, text));
}

fn kernel_share(answer: &Explained, text: Text) -> Text {
    let sampled = &answer.sampled;
    if sampled.samples < FEW_SAMPLES {
        return text;
    }
    let text = text
        .say(", of it ")
        .percent(100.0 - sampled.kernel_share)
        .say(" in programs, ");
    text.percent(sampled.kernel_share).say(" in the kernel")
}

fn waiting(answer: &Explained, lines: &mut Lines) {
    if !answer.has_parts {
        return;
    }
    let timed = |ns: i64| {
        let text = Text::default().time(ns).say("  ");
        text.percent(share(ns, answer.wall_ns))
    };
    lines.add("waiting", timed(answer.wait_ns()));
    for wait in &answer.waits {
        let text = timed(wait.ns).say("  ").class(&wait.class).say("  in ");
        let text = text.function(&wait.place.to_string());
        let text = match wait.count {
            0 | 1 => text,
            n => text.faint("  (").count(n).faint(" waits)"),
        };
        let text = match &wait.process {
            Some(name) => text.faint("  by ").process(name),
            None => text,
        };
        lines.below(match &wait.peer {
            Some(peer) => text.faint("  ended by ").process(peer),
            None => text,
        });
    }
}

fn ready(answer: &Explained, lines: &mut Lines) {
    let ns = answer.ready_ns();
    let part = share(ns, answer.wall_ns);
    if part < 1.0 {
        return;
    }
    let text = Text::default().time(ns).say("  ").percent(part);
    lines.add("ready", text.say(", without a CPU"));
    let kinds = [
        ("competing", "while others used every CPU that it may use"),
        ("hand-over", "until another thread gave way on the same CPU"),
        ("waking", "for the wake-up itself: a CPU was idle"),
    ];
    for (kind, meaning) in kinds {
        let ns = answer.part_ns(kind);
        if share(ns, answer.wall_ns) >= 1.0 {
            let text = Text::default().time(ns).say("  ");
            let text = text.percent(share(ns, answer.wall_ns));
            lines.below(text.say("  ").say(meaning));
        }
    }
}

fn functions(answer: &Explained, lines: &mut Lines) {
    let sampled = &answer.sampled;
    let cpu = answer.part_ns("cpu").max(sampled.all_ns);
    let matters = !answer.has_parts || share(cpu, answer.wall_ns) >= 5.0;
    if sampled.samples < FEW_SAMPLES || !matters {
        return;
    }
    let texts = sampled.leaves.iter().map(|leaf| {
        let text = Text::default().percent(leaf.share).say("  ");
        let text = text.function(&leaf.function);
        let text = match &leaf.module {
            Some(module) => text.faint(" in ").faint(module),
            None => text,
        };
        match leaf.callers.is_empty() {
            true => text,
            false => text.faint("  from ").function(&leaf.callers.join(" < ")),
        }
    });
    lines.all("CPU in", texts);
}

fn others(answer: &Explained, lines: &mut Lines) {
    if answer.others.is_empty() {
        return;
    }
    let mut text = Text::default().say("used CPU meanwhile: ");
    for (at, (name, ns)) in answer.others.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        text = text.say(comma).process(name).say(" ").time(*ns);
    }
    lines.add("others", text);
}

/// Returns a command to paste, with a word on what it shows.
fn command(query: &Query, extract: Option<&str>) -> Text {
    let line = query.on(extract.unwrap_or("EXTRACT"));
    let text = Text::default().words(Role::Command, &line);
    text.faint("  # ").faint(query.shows)
}
