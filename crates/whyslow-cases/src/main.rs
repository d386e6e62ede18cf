//! Builds, runs and scores the programs in `cases/`, whose reason of slowness is known.
//!
//! ```text
//! case.toml ─► case ─► stage: build, prepare, start what runs beside ─► whyslow run -- PROGRAM
//!                                                                              │ answer
//!                         table ◄─ score ◄─ finding (JSON) or prose (text) ◄───┘
//! ```

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers"
)]

mod case;
mod cause;
mod finding;
mod json;
mod load;
mod options;
mod prose;
mod recorder;
mod score;
mod stage;
mod table;
mod tools;

use std::path::Path;
use std::process::ExitCode;

use case::Case;
use options::{Mode, Options};
use recorder::Recorder;
use score::Verdict;
use stage::{Beside, Stage};
use table::Row;

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("cases: {problem}");
            ExitCode::from(2)
        }
    }
}

/// Whether all went as it should: no case failed to run.
fn run(options: &Options) -> Result<bool, String> {
    let cases = read(options)?;
    match options.mode {
        Mode::List => {
            for case in &cases {
                println!("{}", table::listed(case));
            }
            Ok(true)
        }
        // An interrupted run left its own.
        Mode::Plain => {
            stage::clear(&options.out);
            let all = plain(&cases, options);
            stage::clear(&options.out);
            Ok(all)
        }
        Mode::Score => {
            stage::clear(&options.out);
            let all = judge(&cases, options);
            stage::clear(&options.out);
            all
        }
    }
}

fn read(options: &Options) -> Result<Vec<Case>, String> {
    let dir = &options.cases;
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut dirs: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    dirs.retain(|path| path.join("case.toml").exists() && options.wants(path));
    dirs.sort();
    if dirs.is_empty() {
        return Err("no case matches".to_owned());
    }
    let read = |path: &std::path::PathBuf| Case::read(path).map_err(|error| error.to_string());
    dirs.iter().map(read).collect()
}

/// Runs the programs alone and shows what they say about themselves.
fn plain(cases: &[Case], options: &Options) -> bool {
    let mut all = true;
    for case in cases {
        if let Some(need) = tools::missing(&case.needs) {
            println!("skipped  {:<24} needs {need}", case.name);
            continue;
        }
        for _ in 0..options.times {
            match run_plain(case, options) {
                Ok(line) => println!("{line}"),
                Err(problem) => {
                    all = false;
                    println!("failed   {:<24} {problem}", case.name);
                }
            }
        }
    }
    all
}

fn run_plain(case: &Case, options: &Options) -> Result<String, stage::Trouble> {
    let stage = Stage::new(case, &options.out)?;
    stage.build()?;
    let _busy = options.busy.then(Beside::busy).transpose()?;
    let words = stage.command()?;
    let ran = stage.run(&words, &options.out.join(&case.name).join("output.txt"))?;
    let truth = ran.truth.trim().replace('\n', ", ");
    let wall = ran.wall.as_secs_f64();
    Ok(format!("{wall:6.2} s {:<24} {truth}", case.name))
}

fn judge(cases: &[Case], options: &Options) -> Result<bool, String> {
    let recorder = Recorder::find(options)?;
    println!("{}", recorder.describe());
    let mut rows = Vec::new();
    for case in cases {
        let row = judge_one(case, &recorder, options);
        println!("{row}");
        rows.push(row);
    }
    println!("\n{}", table::totals(&rows));
    Ok(rows.iter().all(|row| row.worst() != Some(Verdict::Failed)))
}

fn judge_one<'a>(case: &'a Case, recorder: &Recorder, options: &Options) -> Row<'a> {
    let mut row = Row::new(case);
    if let Some(need) = tools::missing(&case.needs) {
        row.needs = Some(need.to_owned());
        return row;
    }
    for time in 0..options.times {
        let answer = options.out.join(&case.name).join(format!("answer-{time}"));
        match score_once(case, recorder, options, &answer) {
            Ok((score, loud)) => {
                row.scores.push(score);
                row.loud += usize::from(loud);
            }
            Err(problem) => row.fail(&problem),
        }
    }
    row
}

fn score_once(
    case: &Case,
    recorder: &Recorder,
    options: &Options,
    answer: &Path,
) -> Result<(score::Score, bool), String> {
    let text = |trouble: stage::Trouble| trouble.to_string();
    let stage = Stage::new(case, &options.out).map_err(text)?;
    stage.build().map_err(text)?;
    let _busy = options.busy.then(Beside::busy).transpose().map_err(text)?;
    let words = recorder.command(&stage.command().map_err(text)?, answer);
    let ran = stage
        .run(&words, &answer.with_extension("txt"))
        .map_err(text)?;
    let mut findings = recorder.findings(answer)?;
    let others = options.busy || ran.loud;
    let case = case.under(others);
    // On a quiet machine nobody else keeps a program from running, whatever the answer says.
    for finding in findings.iter_mut().filter(|_| !others) {
        finding.kept_out = 0.0;
    }
    let score = score::score(&case, &findings, ran.share());
    Ok((score, ran.loud))
}
