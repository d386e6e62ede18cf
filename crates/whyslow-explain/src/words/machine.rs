//! What the whole machine did, in words.

use super::{Line, Names, Shape, causes, commands, healthy};
use crate::answer::Explained;
use crate::machine::{Machine, Program};
use crate::words::parts::{Part, Spent};
use crate::words::text::{Role, Text};
use whyslow_story::story::{share, shortened};

/// The most programs named in the first line.
const MOST_NAMED: usize = 4;

/// Smaller parts of the first line, in percent, are joined.
const LEAST: f64 = 2.0;

/// What a machine does for less of the time than this percentage is no news.
const LITTLE: f64 = 10.0;

/// Returns what the machine did, in words.
#[must_use]
pub fn machine_lines(machine: &Machine, names: Names) -> Vec<Line> {
    let subject = machine.unit.as_ref();
    let subject = subject.map_or("this machine", |unit| &unit.title);
    let title = Text::default().words(Role::Title, &capital(subject));
    let title = title.say(", for ").time(machine.wall_ns);
    let mut lines = vec![
        Line::of(Shape::Title(parts(machine)), title),
        Line::blank(),
        Line::of(Shape::Plain, state(machine)),
    ];
    for (at, program) in machine.programs.iter().enumerate() {
        lines.push(Line::blank());
        lines.extend(of_program(machine, program, at + 1, names));
    }
    if machine.programs.is_empty() {
        lines.push(Line::blank());
        let text = Text::default().say(match &machine.unit {
            _ if !machine.knows_cpus => {
                "No program can be explained without CPU samples or context switches. Record again with them."
            }
            None => "No program did enough to be worth explaining.",
            Some(_) => "None of its processes is in the recording.",
        });
        lines.push(Line::of(Shape::Plain, text));
    }
    for (at, finding) in machine.findings.iter().enumerate() {
        if at == 0 {
            lines.push(Line::blank());
        }
        lines.extend(causes::cause(finding, None, names));
    }
    if !machine.gaps.is_empty() {
        lines.push(Line::blank());
    }
    lines.extend(super::gaps(&machine.gaps, names));
    lines.push(Line::blank());
    lines.extend(commands(&machine.next, machine.extract.as_deref()));
    lines
}

/// Returns what the CPUs ran; the parts are shares of the time of all CPUs.
fn parts(machine: &Machine) -> Vec<Part> {
    if !machine.knows_cpus {
        return Vec::new();
    }
    let mut named: Vec<(&str, i64)> = machine
        .busy
        .iter()
        .map(|(name, ns)| (name.as_str(), *ns))
        .collect();
    let shown = |(_, ns): &&(&str, i64)| machine.of_cpus(*ns) >= LEAST;
    let rest = named.split_off(named.iter().filter(shown).count().min(MOST_NAMED));
    named.push(("the kernel", machine.kernel_ns));
    named.push(("this recording", machine.recorder_ns));
    let rest_ns = rest.iter().map(|&(_, ns)| ns).sum();
    match &machine.unit {
        None => named.push(("others", rest_ns)),
        Some(unit) => {
            named.push(("others in it", rest_ns));
            named.push(("other programs", unit.others_ns));
        }
    }
    let used: i64 = named.iter().map(|&(_, ns)| ns).sum();
    let all = machine
        .wall_ns
        .saturating_mul(machine.cpus.unwrap_or(1).into());
    let mut parts: Vec<Part> = named
        .iter()
        .map(|&(label, ns)| part(machine, Spent::Running, label, ns))
        .collect();
    parts.push(part(machine, Spent::Rest, "idle", all.saturating_sub(used)));
    parts.retain(|part| part.percent > 0);
    parts
}

/// Returns `text` with a capital letter at its start, unless it is a name.
fn capital(text: &str) -> String {
    for word in ["this ", "container "] {
        if let Some((first, rest)) = text.split_at_checked(1)
            && text.starts_with(word)
        {
            return first.to_uppercase() + rest;
        }
    }
    text.to_owned()
}

fn part(machine: &Machine, spent: Spent, label: &str, ns: i64) -> Part {
    let percent = format!("{:.0}", machine.of_cpus(ns.max(0)));
    Part {
        spent,
        label: label.to_owned(),
        percent: percent.parse().unwrap_or(100),
    }
}

/// Returns how busy the CPUs and the disk were, and whether programs lacked CPUs: also what is normal.
fn state(machine: &Machine) -> Text {
    if !machine.knows_cpus {
        return Text::default().say(
            "What the CPUs did, and whether programs had to wait for a CPU or a disk, was not recorded.",
        );
    }
    let programs = machine.busy.iter().map(|&(_, ns)| ns);
    let own_ns = programs.fold(0, i64::saturating_add);
    let others_ns = machine.unit.as_ref().map_or(0, |unit| unit.others_ns);
    let rest = [machine.kernel_ns, machine.recorder_ns, others_ns];
    let used_ns = rest.into_iter().fold(own_ns, i64::saturating_add);
    let text = match &machine.unit {
        None => Text::default().say("The CPUs were "),
        Some(unit) => {
            let text = match unit.processes {
                1 => Text::default().say("Its process used "),
                count => Text::default()
                    .say("Its ")
                    .count(count)
                    .say(" processes used "),
            };
            text.percent(machine.of_cpus(own_ns).min(100.0))
                .say(" of the CPU time of the machine, whose CPUs were ")
        }
    };
    let text = text
        .percent(machine.of_cpus(used_ns).min(100.0))
        .say(" busy. ");
    let [nobody, threads, disk] = match machine.unit {
        None => [
            "No program had to wait long for a CPU.",
            " threads were ready to run, but had no CPU.",
            " The disk was ",
        ],
        Some(_) => [
            "They did not have to wait long for a CPU.",
            " of their threads were ready to run, but had no CPU.",
            " The machine's disk was ",
        ],
    };
    let text = match machine.competing_ns {
        None => text.say("Whether programs had to wait for a CPU or a disk was not recorded."),
        Some(ns) if share(ns, machine.wall_ns) < LITTLE => text.say(nobody),
        Some(ns) => text
            .say("On average ")
            .ratio(share(ns, machine.wall_ns) / 100.0)
            .say(threads),
    };
    match machine.disk_ns {
        None => text,
        Some(ns) if share(ns, machine.wall_ns) < LITTLE => text.say(disk).say("mostly idle."),
        Some(ns) => text
            .say(disk)
            .say("busy for ")
            .percent(share(ns, machine.wall_ns))
            .say(" of the time."),
    }
}

fn of_program(machine: &Machine, program: &Program, number: usize, names: Names) -> Vec<Line> {
    let answer = &program.answer;
    let text = Text::default();
    let text = match answer.command == format!("[{}]", program.os_pid) {
        // Nothing but its pid is known.
        true => text.words(Role::Title, &format!("process {}", program.os_pid)),
        false => {
            let line = shortened(super::without_directories(&answer.command));
            let text = text.words(Role::Title, &line);
            text.say(&format!(" ({})", program.os_pid))
        }
    };
    let text = match program.alike {
        0 => text,
        1 => text.say(", and another one like it"),
        n => text.say(", and ").count(n).say(" like it"),
    };
    let text = text
        .say(": ")
        .percent(machine.of_cpus(program.cpu_ns))
        .say(" of all CPU time");
    let mut lines = vec![Line::of(Shape::Heading { number }, text)];
    let detail = |text| Line::of(Shape::Detail { is_below: false }, text);
    match summary(answer) {
        _ if !answer.suppressed.is_empty() && answer.findings.is_empty() => {
            lines.push(detail(Text::default().say("Nothing else stands out.")));
        }
        Some(summary) => {
            lines.push(detail(summary));
            lines.extend(causes::of_rules(answer, names, false));
        }
        None => lines.extend(causes::brief(answer, names)),
    }
    lines.extend(super::suppressed(answer).map(detail));
    lines
}

fn summary(answer: &Explained) -> Option<Text> {
    let idle = |one: &&crate::Finding| one.below.is_none();
    let first = answer.findings.iter().find(idle);
    match healthy::summary(answer) {
        None if first.is_none() => {
            Some(Text::default().say("Too little is known to say where its time went."))
        }
        summary => summary,
    }
}
