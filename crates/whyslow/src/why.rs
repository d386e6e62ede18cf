//! `why`: the answer of `run`, from extracts that are there already.

use whyslow_explain::words::Names;
use whyslow_explain::{Answer, Target};
use whyslow_extract::Extract;
use whyslow_query::{Clock, NamePattern, QueryError, Selection};
use whyslow_render::{AnswerOptions, Paint, write_answer, write_answer_json};

use crate::args::{AnswerFormat, WhyArgs};
use crate::ask::failed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::output::write_to;
use crate::terminal::Terminal;

/// Explains each extract.
pub(crate) fn why(args: &WhyArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let selection = args.selection()?;
    let inputs = Inputs::open(&args.extracts, terminal)?;
    let mut answers = Vec::with_capacity(inputs.extracts.len());
    let mut unexplained = None;
    for extract in &inputs.extracts {
        match explained(args, extract, &selection, terminal) {
            Ok(answer) => answers.push(answer),
            Err(failure) if inputs.extracts.len() == 1 => return Err(failure),
            // One that fails does not keep the others from being explained.
            Err(failure) => {
                let _code = terminal.fail(&failure);
                unexplained = unexplained.or(Some(failure.exit));
            }
        }
    }
    let format = args.answer.format();
    let file = args.answer.output.as_deref();
    let options = AnswerOptions {
        room: match (file, terminal.width) {
            (None, Some(width)) => width,
            _ => AnswerOptions::default().room,
        },
        paint: if file.is_some() {
            Paint::Plain
        } else {
            terminal.paint
        },
        names: if args.answer.wide {
            Names::Full
        } else {
            Names::Short
        },
    };
    write_to(file, true, |out| {
        for (at, answer) in answers.iter().enumerate() {
            match format {
                AnswerFormat::Json => write_answer_json(answer, out)?,
                AnswerFormat::Text => {
                    if at > 0 {
                        writeln!(out)?;
                    }
                    write_answer(answer, options, out)?;
                }
            }
        }
        Ok(())
    })?;
    let found = answers
        .iter()
        .any(|one| matches!(one, Answer::Explained(_)));
    Ok(match found {
        _ if inputs.unreadable > 0 => Exit::Failure,
        _ if unexplained.is_some() => unexplained.unwrap_or(Exit::Failure),
        true => Exit::Success,
        false => Exit::NothingMatched,
    })
}

/// Explains one extract.
fn explained(
    args: &WhyArgs,
    extract: &Extract,
    selection: &Selection,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let target = target(args, extract, selection, terminal)?;
    whyslow_explain::explain(extract, &target).map_err(failed)
}

/// Returns what is to be explained.
fn target(
    args: &WhyArgs,
    extract: &Extract,
    selection: &Selection,
    terminal: &Terminal,
) -> Result<Target, Failure> {
    let path = extract.path().to_string_lossy().into_owned();
    let os_pid = match &args.process {
        Some(wanted) => {
            let pids = whyslow_explain::processes_of(extract, &NamePattern::parse(wanted));
            let pids = pids.map_err(failed)?;
            if let [first, _, ..] = pids[..] {
                let text = format!(
                    "{} processes in {path} match {wanted}; this is about pid {first}",
                    pids.len()
                );
                terminal.note("note", &text);
            }
            pids.first().copied().ok_or_else(|| {
                Failure::cannot(
                    format!("explain {path}"),
                    format!("no process matches {wanted}"),
                )
                .hint(format!("`whyslow processes {path}` lists them"))
                .exit(Exit::NothingMatched)
            })?
        }
        None => {
            let pid = whyslow_explain::recorded_command(extract).map_err(failed)?;
            pid.ok_or_else(|| {
                let cause = "the recording is not of one command";
                Failure::cannot(format!("explain {path}"), cause)
                    .hint(format!(
                        "name a process: --process NAME; `whyslow processes {path}` lists them"
                    ))
                    .exit(Exit::Usage)
            })?
        }
    };
    let window = window(extract, selection, &path).map_err(failed)?;
    Ok(Target {
        os_pid: Some(os_pid),
        command: None,
        from_ns: window.map(|(from, _)| from),
        to_ns: window.map(|(_, to)| to),
        extract: Some(path),
    })
}

/// Returns the time that is asked for.
fn window(
    extract: &Extract,
    selection: &Selection,
    path: &str,
) -> Result<Option<(i64, i64)>, QueryError> {
    let facts = whyslow_query::facts::Facts::read(extract)?;
    match &facts.trace {
        Some(trace) => selection.window(path, &Clock::of(trace)),
        None => Ok(None),
    }
}
