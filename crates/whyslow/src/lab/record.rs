//! `--record`: the same experiment in a process of its own, with the whole machine recorded around it.
//!
//! The recorder starts this program anew without `--record`, as `run` starts a command; so the
//! experiment has no thread of the recorder, and counts as an own process where only those may be
//! recorded.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use whyslow_record::Recorder;
use whyslow_report::waiting;

use crate::args::{ImportArgs, LabArgs, RecordingArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, exit_of};
use crate::run::{AnswerTo, Recorded};
use crate::terminal::Terminal;
use whyslow_pipeline::place::output_path;

/// The extract in the directory of `-o`.
const NAME: &str = "recording.whyslow";

/// What `run` takes where nothing is given.
#[derive(Debug, Parser)]
struct Usual {
    #[command(flatten)]
    recording: RecordingArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Makes the experiment of `words`, recorded; returns what it exited with.
pub(super) fn recorded(
    args: &LabArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let usual = Usual::parse_from(["whyslow"]);
    let mut settings = record::settings(&usual.recording, &trace(args), false, words)?;
    settings.numbers_output = args.output.is_none();
    let recorder = Recorder::new(settings).map_err(|error| record::failed(&error))?;
    let report = recorder
        .run_command(&unrecorded(words)?)
        .map_err(|error| record::failed(&error))?;
    let exit = report.command.map_or(Exit::Success, exit_of);
    let trace = report.output.clone();
    let kept = args.output.as_deref().filter(|dir| dir.is_dir());
    if !matches!(exit.code(), 0 | 130) && kept.is_none() {
        // It measured nothing and has said why.
        let removed = fs::remove_file(&trace);
        removed.map_err(|error| Failure::io(format!("remove {}", trace.display()), &error))?;
        return Ok(exit);
    }
    let output = kept.map_or_else(|| output_path(&trace, None), |dir| dir.join(NAME));
    let recorded = Recorded {
        report: &report,
        trace: &trace,
        output: &output,
        command: words,
        import: &usual.import,
        keep_trace: false,
        answer: AnswerTo::standard_error(),
        filter: None,
    };
    recorded.explain(terminal)?;
    if let Some(said) = waiting::together(&output) {
        terminal.tell(&said);
    }
    Ok(exit)
}

/// Returns where the recording goes until it is extracted.
fn trace(args: &LabArgs) -> PathBuf {
    match &args.output {
        Some(dir) => {
            let mut name = dir.as_os_str().to_owned();
            name.push(".data");
            name.into()
        }
        None => {
            let case = &args.case;
            Path::new(&format!("lab-{case}-{}.data", whyslow_stamp::now())).into()
        }
    }
}

/// Returns the words of the same experiment without the recording, with the path of this program.
fn unrecorded(words: &[OsString]) -> Result<Vec<OsString>, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::io("find whyslow", &error))?;
    let own = words.iter().position(|word| word == OsStr::new("--"));
    let own = own.unwrap_or(words.len());
    let kept = words
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(at, word)| *at > own || *word != OsStr::new("--record"))
        .map(|(_, word)| word.clone());
    Ok(std::iter::once(program.into_os_string())
        .chain(kept)
        .collect())
}
