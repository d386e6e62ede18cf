//! Findings of many recordings, and one finding with all its evidence.

use std::io::{self, Write};

use whyslow_explain::finding::{Evidence, Shown};
use whyslow_explain::words::sentence;
use whyslow_explain::{Answer, Explained};
use whyslow_review::{Across, Common};

use crate::answer::{AnswerOptions, plain_text, write_answer};
use crate::escape::escape;
use crate::number;
use crate::prose::wrapped;

/// The most findings that are printed.
const MOST: usize = 20;

/// Where the sentences begin.
const INDENT: usize = 4;

/// Writes what many recordings have in common.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_across(
    across: &Across,
    options: AnswerOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let recordings = of(across.recordings, "recording", "recordings");
    let machines = of(across.machines, "machine", "machines");
    let title = options
        .paint
        .heading(&format!("{recordings} of {machines}"));
    let healthy = match across.healthy {
        0 => String::new(),
        count => format!("; in {count} nothing stands out"),
    };
    writeln!(out, "{title}{healthy}")?;
    for one in across.common.iter().take(MOST) {
        writeln!(out)?;
        write_common(one, across.recordings, options, out)?;
    }
    let more = across.common.len().saturating_sub(MOST);
    if more > 0 {
        writeln!(out)?;
        writeln!(
            out,
            "{}",
            of(more, "other finding is rarer", "other findings are rarer")
        )?;
    }
    Ok(())
}

fn write_common(
    one: &Common,
    recordings: usize,
    options: AnswerOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let range = match one.has_time() {
        false => "time not known".to_owned(),
        true => of_time(one),
    };
    let machines = match one.machines {
        1 => "on 1 machine".to_owned(),
        count => format!("on {count} machines"),
    };
    let head = format!("{} of {recordings}  {}", one.recordings, one.key);
    writeln!(
        out,
        "{}  {range}, {machines}",
        options.paint.heading(&escape(&head))
    )?;
    let (message, facts) = &one.claim;
    let mut text = plain_text(&sentence(message, facts));
    if !one.about.is_empty() && !text.contains(&one.about) {
        text = format!("{text}    {}", one.about);
    }
    let indent = " ".repeat(INDENT);
    let room = options.room.saturating_sub(INDENT).max(INDENT);
    writeln!(out, "{indent}{}", wrapped(&escape(&text), room, INDENT))?;
    if let Some(worst) = &one.worst {
        writeln!(out, "{indent}most in {}", escape(worst))?;
    }
    Ok(())
}

/// Returns how much of the time it takes, over the recordings.
fn of_time(one: &Common) -> String {
    let share = |share: f64| number::whole_percent(share);
    match share(one.share.least) == share(one.share.most) {
        true => format!("{} of the time", share(one.share.median)),
        false => format!(
            "{} of the time ({} to {})",
            share(one.share.median),
            share(one.share.least),
            share(one.share.most)
        ),
    }
}

/// Writes the answer, which should have one finding, and all evidence for it.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_finding(
    answer: &Explained,
    options: AnswerOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_answer(&Answer::Explained(Box::new(answer.clone())), options, out)?;
    let extract = answer.extract.as_deref().unwrap_or("EXTRACT");
    for finding in &answer.findings {
        writeln!(out)?;
        let head = format!("Evidence for {} ({})", finding.id, finding.key());
        writeln!(out, "{}", options.paint.heading(&escape(&head)))?;
        for one in &finding.evidence {
            write_evidence(one, extract, out)?;
        }
        if let Some(verify) = &finding.verify {
            let text = plain_text(&sentence(verify, &finding.facts));
            writeln!(out, "  To verify: {}", escape(&text))?;
        }
    }
    Ok(())
}

fn write_evidence(one: &Evidence, extract: &str, out: &mut dyn Write) -> io::Result<()> {
    let what = match &one.shown {
        Shown::Rows(table) => format!("rows of {table}"),
        Shown::Stack { id, place } => format!("stack {id}, {}", place.full()),
        Shown::Rule { file, line } => return of_rule(one, file, *line, extract, out),
    };
    let count = match one.count {
        1 => "once".to_owned(),
        count => format!("{} times", number::grouped(count)),
    };
    let time = number::duration(one.ns);
    writeln!(
        out,
        "  {}: {count}, {time} in all: {}",
        escape(&what),
        one.query.shows
    )?;
    writeln!(out, "    {}", escape(&one.query.on(extract)))
}

/// Writes evidence for a finding of a user's rule.
fn of_rule(
    one: &Evidence,
    file: &str,
    line: usize,
    extract: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = match one.count {
        1 => "1 row".to_owned(),
        count => format!("{} rows", number::grouped(count)),
    };
    let time = match one.ns {
        0 => String::new(),
        ns => format!(", {} in all", number::duration(ns)),
    };
    let rule = escape(file);
    writeln!(
        out,
        "  your rule, line {line} of {rule}: {rows}{time}: {}",
        one.query.shows
    )?;
    writeln!(out, "    {}", escape(&one.query.on(extract)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_explain::{Target, explain};
    use whyslow_testkit::{Literal, MS};

    fn answer(name: &str) -> Explained {
        let mut trace = Literal::new(1000);
        let app = trace.process("app", 100, None);
        let main = trace.thread(app, "app");
        trace.threads[0].os_tid = 100;
        trace.processes[0].start_ns = Some(0);
        trace.processes[0].end_ns = Some(1000 * MS);
        trace.stack("nap", "k:do_nanosleep < nap < hold < main < _start");
        trace.play(main, "R200 W700:nap<! R100");
        let target = Target {
            os_pid: Some(100),
            extract: Some(name.to_owned()),
            ..Target::default()
        };
        match explain(&trace.raw(name), &target).unwrap() {
            Answer::Explained(answer) => *answer,
            Answer::NotFound(_) => panic!("not found"),
        }
    }

    fn text(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn many_recordings_say_how_often_and_how_much() {
        let answers = [answer("a.whyslow"), answer("b.whyslow")];
        let across = Across::of(["box", "other"].into_iter().zip(&answers));
        let said = text(|out| write_across(&across, AnswerOptions::default(), out));
        assert!(
            said.starts_with("2 recordings of 2 machines\n\n2 of 2  sleep-"),
            "{said}"
        );
        for part in [
            "70 % of the time, on 2 machines",
            "    It slept: 70 % of the time",
            "most in b.whyslow",
        ] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
        let json = text(|out| crate::write_across_json(&across, out));
        assert!(
            json.contains(r#""recordings":2,"machines":2,"share":[0.7,0.7,0.7]"#),
            "{json}"
        );
    }

    #[test]
    fn one_finding_comes_with_its_evidence() {
        let mut answer = answer("a b.whyslow");
        answer.keep_only("sleep");
        let said = text(|out| write_finding(&answer, AnswerOptions::default(), out));
        for part in [
            "1  It slept: 70 % of the time",
            "Evidence for sleep (sleep-",
            "  rows of thread_state: once, 700.0 ms in all: ",
            "    whyslow waits 'a b.whyslow' ",
            "nap",
        ] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
    }
}
