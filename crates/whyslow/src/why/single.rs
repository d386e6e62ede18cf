//! `why --finding`: one finding alone, with all its evidence, also for others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_explain::{Answer, Explained, Finding};
use whyslow_extract::Extract;
use whyslow_files::name::safe;
use whyslow_pipeline::Exporter;
use whyslow_render::{AnswerOptions, path_line, write_finding, write_finding_json};

use super::Asked;
use crate::args::{AnswerArgs, AnswerFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs;
use crate::output::{print, write_to};
use crate::progress::Spectator;
use crate::reply;
use crate::terminal::Terminal;

/// Shows or shares the finding of this name in the only extract.
pub(super) fn finding(
    name: &str,
    asked: &Asked<'_>,
    extracts: &[Extract],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let [extract] = extracts else {
        let failure = Failure::usage("--finding shows a finding of one extract");
        return Err(failure.hint("name one extract"));
    };
    let (mut answer, at) = found(name, asked, extract)?;
    let args = asked.args;
    if args.redact {
        let one = answer.findings.first();
        if one.is_some_and(Finding::is_of_rule) {
            let why = "its words, and the names in its rule, are your own";
            let failure = Failure::cannot(format!("redact {name}"), why);
            return Err(failure.hint("share it without --redact, after reading it"));
        }
        let cause = one.map(|one| one.cause.clone());
        answer = redacted((at, &cause.unwrap_or_default()), asked, extract, terminal)?;
    }
    let file = match (&args.answer.output, args.share) {
        (None, true) => Some(usual_name(&answer, &args.answer)),
        (output, _) => output.clone(),
    };
    write(&answer, file.as_deref(), asked, terminal)?;
    if let Some(file) = file.filter(|_| args.share && args.answer.output.is_none()) {
        return Ok(print(path_line(&file, false)));
    }
    Ok(Exit::Success)
}

/// Returns the answer with this finding alone, and its place among all.
fn found(name: &str, asked: &Asked<'_>, extract: &Extract) -> Result<(Explained, usize), Failure> {
    let target = asked.target(extract)?;
    let path = extract.path().display();
    let Answer::Explained(mut answer) = asked.answer(extract, &target)? else {
        let failure = Failure::cannot(format!("explain {path}"), "the command is not in it");
        return Err(failure.exit(Exit::NothingMatched));
    };
    let known = answer.finding(name).map(|one| one.id.clone());
    // Its place among all of them, also those that are not shown: a copy without names has no list of accepted ones.
    let whole = asked.whole(extract, &target)?;
    let at = match (&whole, &known) {
        (Answer::Explained(whole), Some(id)) => whole.place_of(id),
        _ => None,
    };
    let Some((id, at)) = known.zip(at) else {
        let ids: Vec<&str> = answer.findings.iter().map(|one| one.id.as_str()).collect();
        let failure = Failure::cannot(format!("show {name}"), "there is no such finding");
        let hint = match ids.is_empty() {
            true => "nothing was found".to_owned(),
            false => format!("the findings are: {}", ids.join(", ")),
        };
        return Err(failure.hint(hint).exit(Exit::NothingMatched));
    };
    answer.keep_only(&id);
    Ok((*answer, at))
}

/// Returns the same answer from a copy without names, in which the finding is at the same place.
fn redacted(
    (at, cause): (usize, &str),
    asked: &Asked<'_>,
    extract: &Extract,
    terminal: &Terminal,
) -> Result<Explained, Failure> {
    let mut target = asked.target(extract)?;
    (target.command, target.extract) = (None, None);
    let folder = std::env::temp_dir().join(format!("whyslow-share-{}", std::process::id()));
    let made = whyslow_files::private::create_dir(&folder);
    made.map_err(|error| Failure::io(format!("create {}", folder.display()), &error))?;
    let copied = || {
        let copy = folder.join("copy.whyslow");
        let watch = Spectator::new(terminal)?;
        let exported = Exporter::new(true, false, Arc::clone(&watch) as _).export(extract, &copy);
        watch.clear();
        exported?;
        let copy = Extract::open(&copy).map_err(|error| inputs::unopened(&error))?;
        let answer = whyslow_explain::explain(&copy, &target).map_err(crate::ask::failed)?;
        let Answer::Explained(mut answer) = answer else {
            return Err(Failure::cannot(
                "explain the copy",
                "the command is not in it",
            ));
        };
        let is_same = answer.keep_at(at, cause);
        let why = "without names it is another one";
        is_same
            .then_some(*answer)
            .ok_or_else(|| Failure::cannot("share the finding", why))
    };
    let answer = copied();
    // Nobody needs the copy any more.
    let _left = std::fs::remove_dir_all(&folder);
    answer
}

fn usual_name(answer: &Explained, args: &AnswerArgs) -> PathBuf {
    let key = answer
        .findings
        .first()
        .map(|one| safe(&one.key()))
        .unwrap_or_default();
    let ending = match args.format() {
        AnswerFormat::Text => "txt",
        AnswerFormat::Json => "json",
    };
    PathBuf::from(format!("{key}.{ending}"))
}

fn write(
    answer: &Explained,
    file: Option<&Path>,
    asked: &Asked<'_>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let args = &asked.args.answer;
    let options: AnswerOptions = reply::options(file, args, terminal);
    write_to(file, true, |out| {
        match (args.format(), answer.findings.first()) {
            (AnswerFormat::Json, Some(one)) => write_finding_json(answer, one, out),
            _ => write_finding(answer, options, out),
        }
    })?;
    Ok(())
}
