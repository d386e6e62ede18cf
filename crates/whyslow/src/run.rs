//! `run`: record a command with the whole machine around it, extract, explain.
//!
//! Standard input, output and the exit code belong to the command. Its files are in one
//! directory: the recording `STEM.data` (removed unless asked for) and the extract `STEM.whyslow`,
//! where STEM is `COMMAND-<date>`, or for a test case `NAME_<ms>ms<HOST>.<date>`; then the
//! measured time is known only afterwards, and the recording is renamed.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use whyslow_explain::finding::quoted;
use whyslow_explain::words::Names;
use whyslow_explain::{Answer, Target};
use whyslow_extract::Extract;
use whyslow_extract::name::Stem;
use whyslow_files::PartFile;
use whyslow_files::name::within;
use whyslow_marks::{Measured, Output, Told, TookMark, spelling};
use whyslow_pipeline::Pipeline;
use whyslow_record::{CommandEnding, RecordReport, Recorder, SeenMark};
use whyslow_render::{AnswerOptions, Paint, write_answer, write_answer_json};
use whyslow_source::Part;
use whyslow_symbols::Inlined;

use crate::args::{AnswerArgs, AnswerFormat, ImportArgs, RunArgs};
use crate::ask;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::findings::Filter;
use crate::output;
use crate::owner;
use crate::problem_report;
use crate::progress::Spectator;
use crate::record::{self, exit_of, own};
use crate::reply;
use crate::symbols;
use crate::terminal::Terminal;
use whyslow_pipeline::place::output_path;

/// Records, extracts, explains; returns the command's exit code.
pub(crate) fn run(
    args: &RunArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    run_inner(args, words, terminal).map_err(|failure| match failure.exit {
        Exit::NotFound | Exit::NotExecutable | Exit::Interrupted => failure,
        _ => own(failure),
    })
}

fn run_inner(args: &RunArgs, words: &[OsString], terminal: &Terminal) -> Result<Exit, Failure> {
    let stem = stem(args)?;
    let dir = &args.output_dir;
    let made = whyslow_files::owner::create_dirs(dir);
    made.map_err(|error| Failure::io(format!("create {}", dir.display()), &error))?;
    // The answer's file is claimed before the command runs, so that it is not found unwritable
    // afterwards.
    let answer = AnswerTo::claim(&args.answer)?;
    let filter = Filter::new(&args.findings, terminal).map_err(own)?;
    let recording = within(dir, &format!("{}.data", stem.before()));
    let mut settings = record::settings(&args.recording, &recording, false, words)?;
    settings.numbers_output = true;
    settings.command_of = owner::of_command(&args.owner, terminal)?;
    let recorder = Recorder::new(settings).map_err(|error| record::failed(&error))?;
    let unsearched = |error: io::Error| own(Failure::io("search standard output", &error));
    let output = match &args.measured {
        Some(Measured::Stdout(pattern)) => Some(Output::search(pattern.clone())),
        _ => None,
    };
    let output = output.transpose().map_err(unsearched)?;
    let report = recorder.run_command(&args.command);
    let printed = output.map(Output::finish).transpose().map_err(unsearched)?;
    let report = report.map_err(|error| record::failed(&error))?;
    // What is read and written from now on takes no rights of a recorder.
    whyslow_person::rights::give_up();
    let exit = report.command.map_or(Exit::Success, exit_of);
    let took = measured(args.measured.as_ref(), &report, printed.flatten(), terminal);
    let old = &report.output;
    let trace = stem.rename(old, took);
    let trace = trace.map_err(|error| Failure::io(format!("rename {}", old.display()), &error))?;
    let recorded = Recorded {
        report: &report,
        trace: &trace,
        output: &output_path(&trace, None),
        command: &args.command,
        import: &args.import,
        keep_trace: args.keep_trace,
        answer,
        filter: Some(&filter),
    };
    recorded
        .explain(terminal)
        .map_err(|failure| match report.command {
            Some(command) => failure.add(&record::ending(command)),
            None => failure,
        })?;
    Ok(exit)
}

/// A recording of a command, to be explained.
pub(crate) struct Recorded<'a> {
    pub(crate) report: &'a RecordReport,
    pub(crate) trace: &'a Path,
    /// Where the extract goes.
    pub(crate) output: &'a Path,
    pub(crate) command: &'a [OsString],
    pub(crate) import: &'a ImportArgs,
    pub(crate) keep_trace: bool,
    pub(crate) answer: AnswerTo,
    /// Which findings are shown.
    pub(crate) filter: Option<&'a Filter>,
}

/// Where the answer goes, and in which format.
pub(crate) struct AnswerTo {
    format: AnswerFormat,
    names: Names,
    /// `None` for standard error.
    file: Option<(PartFile, fs::File)>,
    /// To standard output instead.
    is_standard: bool,
}

impl AnswerTo {
    /// The answer as text on standard error.
    pub(crate) fn standard_error() -> Self {
        Self {
            format: AnswerFormat::Text,
            names: Names::Short,
            file: None,
            is_standard: false,
        }
    }

    /// Creates the file of the answer, if there is to be one; `-` is standard output.
    fn claim(args: &AnswerArgs) -> Result<Self, Failure> {
        Ok(Self {
            format: args.format(),
            names: match args.wide {
                true => Names::Full,
                false => Names::Short,
            },
            file: reply::claim(args)?,
            is_standard: args.output.as_deref().is_some_and(output::is_standard),
        })
    }

    /// Writes the answer.
    fn write(self, answer: &Answer, terminal: &Terminal) -> Result<(), Failure> {
        let names = self.names;
        let write = |room: Option<usize>, paint, out: &mut dyn Write| match self.format {
            AnswerFormat::Text => {
                let room = room.unwrap_or(AnswerOptions::default().room);
                write_answer(answer, AnswerOptions { room, paint, names }, out)
            }
            AnswerFormat::Json => write_answer_json(answer, out),
        };
        match self.file {
            Some((part, mut file)) => {
                let path = part.target().to_owned();
                write(None, Paint::Plain, &mut file)
                    .and_then(|()| part.finish())
                    .map_err(|error| Failure::unwritten(&path, &error))
            }
            None if self.is_standard => {
                let _read =
                    output::write_to(None, true, |out| write(terminal.width, terminal.paint, out))?;
                Ok(())
            }
            None => {
                let (width, paint) = (terminal.error_width, terminal.error_paint);
                // If standard error is gone, nobody can be told.
                let _gone = write(width, paint, &mut io::stderr().lock());
                Ok(())
            }
        }
    }
}

impl Recorded<'_> {
    /// Extracts the recording and says what made the command slow.
    pub(crate) fn explain(self, terminal: &Terminal) -> Result<(), Failure> {
        let watch = Spectator::new(terminal)?;
        let mut lookup = symbols::of_import(&self.import.symbols, &watch);
        // A user who tries out a program wants to know which of its functions it was, inlined or
        // not.
        if let Some(lookup) = lookup
            .as_mut()
            .filter(|lookup| lookup.inlined == Inlined::Never)
        {
            lookup.inlined = Inlined::WhereSmall;
        }
        let pipeline = Pipeline {
            memory: usize::try_from(self.import.memory).unwrap_or(usize::MAX),
            lookup: lookup.as_ref(),
            replace: false,
            redact: false,
            watch: Arc::clone(&watch) as _,
        };
        let shown = self.trace.display();
        let extracted = pipeline
            .extract(&[Part::plain(self.trace)], self.output)
            .map_err(|error| {
                let kept = format!("the recording is kept: whyslow extract {shown}");
                Failure::from(error).hint_first(&kept)
            })?;
        watch.clear();
        if !self.keep_trace {
            let removed = fs::remove_file(self.trace);
            removed.map_err(|error| Failure::io(format!("remove {shown}"), &error))?;
        }
        let explained = explain(self.command, &extracted.path, self.filter)?;
        self.answer.write(&explained, terminal)?;
        record::tell_missing_briefly(self.report, terminal);
        let path = extracted.path.display().to_string();
        problem_report::count(
            &path,
            &extracted.problems,
            explained.unknown_share(),
            terminal,
        );
        Ok(())
    }
}

/// Returns what made `command` slow, which the extract at `path` holds.
fn explain(command: &[OsString], path: &Path, filter: Option<&Filter>) -> Result<Answer, Failure> {
    let extract = Extract::open(path).map_err(|error| crate::inputs::unopened(&error))?;
    let words: Vec<String> = command
        .iter()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    let target = Target {
        os_pid: whyslow_explain::recorded_command(&extract).map_err(ask::failed)?,
        command: Some(words.join(" ")),
        from_ns: None,
        to_ns: None,
        extract: Some(path.to_string_lossy().into_owned()),
    };
    let answer = whyslow_explain::explain(&extract, &target).map_err(ask::failed)?;
    let answer = reply::with_packages(answer, &extract);
    match filter {
        Some(filter) => Ok(filter.apply(filter.with_rules(answer, &extract, &target)?)),
        None => Ok(answer),
    }
}

/// Returns the names of the files.
fn stem(args: &RunArgs) -> Result<Stem, Failure> {
    let (host, now) = (whyslow_stamp::host(), whyslow_stamp::now());
    Stem::new(args.name.as_deref(), &args.command, host, now).map_err(|name| {
        let failure = Failure::usage(format!("{name:?} cannot be the name of a test case"));
        failure.hint("use only letters, digits, - and .: files are called NAME_<ms>ms<HOST>")
    })
}

/// Returns how long the command took, by its own account if that was asked for; without one, says why.
fn measured(
    by: Option<&Measured>,
    report: &RecordReport,
    printed: Option<Duration>,
    terminal: &Terminal,
) -> Option<Duration> {
    let outcome = report.command;
    let Some(by) = by else {
        return Some(outcome.map_or(report.duration, |command| command.wall));
    };
    let mark = |mark: &SeenMark| TookMark {
        time_ns: mark.time_ns,
        text: spelling::text(&mark.text),
    };
    let marks = report.marks.as_ref();
    let told = Told {
        exit_code: outcome.and_then(|command| match command.ending {
            CommandEnding::Exited(code) => Some(report.long_exit_code.unwrap_or(code)),
            CommandEnding::Signaled(_) => None,
        }),
        printed,
        marks: marks.map(|marks| marks.iter().map(mark).collect()),
        lost_marks: report.lost_marks,
    };
    let measured = by.of(&told);
    if let Err(why) = measured {
        let text = format!("{why}; so the extract belongs to no test case");
        terminal.note("not measured", &text);
    }
    measured.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_takes_what_the_answer_says_to_ask() {
        use clap::Parser as _;
        use whyslow_testkit::{Literal, MS};

        let mut trace = Literal::new(1000);
        let shell = trace.process("sh", 100, None);
        let main = trace.thread(shell, "main");
        let worker = trace.thread(shell, "worker");
        trace.processes[0].start_ns = Some(0);
        trace.processes[0].end_ns = Some(1000 * MS);
        trace.stack("want", "k:futex_wait < __lll_lock_wait < main");
        trace.stack("nap", "k:do_nanosleep < nap < hold");
        trace.play(main, "R200 P200:want W500:want<worker R100");
        trace.play(worker, "R200 W700:nap<! R100");
        trace.ready_was(main, [200, 0, 0]);
        trace.sample(main, &(0..200).collect::<Vec<_>>(), "want");
        let target = Target {
            os_pid: Some(100),
            ..Target::default()
        };
        let answer = whyslow_explain::explain(&trace.raw("t"), &target).expect("an answer");
        let Answer::Explained(answer) = answer else {
            panic!("not found");
        };
        assert!(answer.findings.len() >= 3, "{answer:?}");
        let evidence = answer.findings.iter().flat_map(|one| &one.evidence);
        for query in evidence.map(|one| &one.query).chain(&answer.next) {
            let words = ["whyslow", query.question, "x.whyslow"].into_iter();
            let words = words.chain(query.arguments.iter().map(String::as_str));
            let parsed = crate::args::Cli::try_parse_from(words);
            assert!(parsed.is_ok(), "{query}: {parsed:?}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.c"), "a/b.c");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
        assert_eq!(quoted(""), "''");
    }
}
