//! `extract` and `symbolize`: several inputs, each on its own; one that fails does not stop the
//! others.

use std::collections::BTreeSet;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_extract::Extract;
use whyslow_model::{RawTable, Watch};
use whyslow_pipeline::place::{names_extract, output_among, output_path};
use whyslow_pipeline::{Extracted, Lookup, Pipeline, recordings, symbolize as renew};
use whyslow_render::{number, path_line};
use whyslow_source::archive::{self, Room};

use crate::args::{ExtractArgs, SymbolizeArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs;
use crate::output;
use crate::problem_report;
use crate::progress::Spectator;
use crate::symbols;
use crate::terminal::Terminal;

/// Extracts recordings; their extracts' paths go to standard output.
pub(crate) fn extract(args: &ExtractArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let names_one = args.output.as_deref().filter(|path| names_extract(path));
    let parts = if args.together { args.traces.len() } else { 1 };
    let named = args.traces.chunks(parts.max(1));
    if names_one.is_some() && named.len() > 1 {
        let why = "several extracts cannot share one name";
        return Err(Failure::usage(why)
            .hint("give -o a directory")
            .exit(Exit::Usage));
    }
    let dir = names_one.map_or(args.output.as_deref(), Path::parent);
    if let Some(dir) = dir.filter(|dir| !dir.as_os_str().is_empty()) {
        let made = whyslow_files::owner::create_dirs(dir);
        made.map_err(|error| Failure::io(format!("create {}", dir.display()), &error))?;
    }
    let watch = Spectator::new(terminal)?;
    let lookup = symbols::of_import(&args.import.symbols, &watch);
    let pipeline = Pipeline {
        memory: usize::try_from(args.import.memory).unwrap_or(usize::MAX),
        lookup: lookup.as_ref(),
        replace: args.force,
        redact: args.redact,
        watch: Arc::clone(&watch) as _,
    };
    let mut failed = false;
    for recording in named.clone() {
        let first = recording.first().map(PathBuf::as_path);
        if let Some(pipe) = first.filter(|path| args.output.is_none() && is_nameless(path)) {
            let why = format!("cannot put an extract beside {}", pipe.display());
            return Err(Failure::usage(why)
                .hint("give -o a name, such as -o slow.whyslow")
                .exit(Exit::Usage));
        }
        let output = match (names_one, first) {
            (Some(path), _) => path.to_owned(),
            (None, first) => output_path(first.unwrap_or(Path::new("")), args.output.as_deref()),
        };
        let outcomes = each_of(recording, (&output, names_one.is_some()), args, &pipeline);
        watch.clear();
        let is_only = named.len() == 1 && outcomes.len() == 1;
        for outcome in outcomes {
            match outcome {
                Ok(extracted) => {
                    let line = path_line(&extracted.path, stdout().is_terminal());
                    failed |= output::print(line) != Exit::Success;
                    tell(&extracted, terminal);
                }
                Err(failure) if is_only || failure.exit == Exit::Interrupted => {
                    return Err(failure);
                }
                Err(failure) => {
                    terminal.fail(&failure);
                    failed = true;
                }
            }
        }
    }
    Ok(if failed { Exit::Failure } else { Exit::Success })
}

/// Extracts a recording, or each of those that an archive holds. `output` is where one goes, and
/// whether the user named it.
fn each_of(
    recording: &[PathBuf],
    output: (&Path, bool),
    args: &ExtractArgs,
    pipeline: &Pipeline<'_>,
) -> Vec<Result<Extracted, Failure>> {
    let (output, is_named) = output;
    let (room, limit) = (Room::Beside(output), args.most_unpacked);
    let opened = match archive::open(recording, room, limit, &pipeline.watch) {
        Ok(opened) => opened,
        Err(error) => return vec![Err(error.into())],
    };
    let is_archive = recording.iter().any(|path| archive::is_archive(path));
    let parts = match is_archive && !args.together {
        true => recordings(&opened.files),
        false => vec![opened.files.clone()],
    };
    if parts.len() > 1 && is_named {
        let archive = recording.first().map(|path| path.display().to_string());
        let (archive, count) = (archive.unwrap_or_default(), parts.len());
        let why = format!("several extracts cannot share one name: {archive} holds {count}");
        let failure = Failure::usage(why).hint("give -o a directory");
        return vec![Err(failure.exit(Exit::Usage))];
    }
    let mut taken = BTreeSet::new();
    let extracted = parts.iter().map(|files| {
        let output = match parts.len() {
            1 => output.to_owned(),
            _ => output_among(output, files, &mut taken),
        };
        Ok(pipeline.extract(files, &output)?)
    });
    extracted.collect()
}

/// Returns whether a recording is in a place that cannot hold files, such as `/dev/stdin`.
fn is_nameless(path: &Path) -> bool {
    ["/dev", "/proc"]
        .iter()
        .any(|system| path.starts_with(system))
        && !path.is_file()
}

/// Reports what an extract contains.
pub(crate) fn tell(extracted: &Extracted, terminal: &Terminal) {
    let summary = extracted.summary;
    let count = |count: u64| number::grouped(i64::try_from(count).unwrap_or(i64::MAX));
    let name = extracted.path.display().to_string();
    // What the recording does not hold is not mentioned.
    let counts = [
        (summary.processes as u64, "processes"),
        (summary.threads as u64, "threads"),
        (summary.rows_of(RawTable::CpuSample), "samples"),
        (summary.rows_of(RawTable::ThreadState), "thread states"),
    ];
    let held = counts.into_iter().filter(|&(of, _)| of > 0);
    let held: String = held
        .map(|(of, what)| format!(", {} {what}", count(of)))
        .collect();
    let line = format!(
        "{name}: {}{held}; {} from {}",
        number::duration(summary.duration_ns),
        number::bytes(i64::try_from(extracted.bytes).unwrap_or(i64::MAX)),
        number::bytes(extracted.source_bytes),
    );
    terminal.tell(&whyslow_render::escape(&line));
    problem_report::tell(&name, &extracted.problems, terminal);
}

/// Looks up names again.
pub(crate) fn symbolize(args: &SymbolizeArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    for dir in &args.from {
        if !dir.is_dir() {
            let what = format!("look for symbols in {}", dir.display());
            return Err(Failure::cannot(what, "there is no such directory"));
        }
    }
    let watch = Spectator::new(terminal)?;
    let lookup = Lookup {
        from: args.from.clone(),
        inlined: symbols::inlined(args.inlined),
        ..symbols::of_windows(&args.windows, &watch)
    };
    let paths = inputs::find(&args.extracts)?;
    let mut failed = false;
    for path in &paths {
        let opened = Extract::open(path).map_err(|error| inputs::unopened(&error));
        let named = opened.and_then(|extract| Ok(renew(&extract, &lookup, &*watch)?));
        watch.clear();
        match named {
            Ok(named) => {
                let total = named.named + named.nameless();
                let line = format!(
                    "{}: {} of {total} code addresses have a name",
                    path.display(),
                    named.named
                );
                terminal.tell(&whyslow_render::escape(&line));
                for (reason, (count, module)) in &named.unresolved {
                    let example = match module.as_str() {
                        "" => String::new(),
                        module => format!(", as {module}"),
                    };
                    terminal.tell(&whyslow_render::escape(&format!(
                        "  {count}: {reason}{example}; {}",
                        reason.advice()
                    )));
                }
            }
            Err(failure) if paths.len() == 1 || watch.is_interrupted() => return Err(failure),
            Err(failure) => {
                terminal.fail(&failure);
                failed = true;
            }
        }
    }
    Ok(if failed { Exit::Failure } else { Exit::Success })
}
