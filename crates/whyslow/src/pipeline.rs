//! From a recording to an extract, and from an extract to the same with other names.
//!
//! ```text
//! perf.data ─ Reader ─ import_perf ┬─► ExtractWriter: runs ─ merge(settle) ─► raw tables
//! .etl ────── Reader ─ import_etl ─┘   facts ─► names ─► roll-ups ─► finish (rename)
//! ```

use std::fmt::Display;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use whyslow_etl::FileSource;
use whyslow_extract::{Extract, ExtractWriter, Options};
use whyslow_import::{ImportOptions, Limits, Settled, Summary, import_etl, import_perf};
use whyslow_model::tables::{PROBLEM, ProblemRow, SYMBOL, SymbolRow};
use whyslow_model::{MemoryTrace, ProblemKind, Renewed, RowSink, Table, TraceView};
use whyslow_perfdata::Reader;
use whyslow_perfdata::whyslow_events::FEATURE_KALLSYMS;
use whyslow_query::rollup::RollUps;
use whyslow_render::number;
use whyslow_symbols::Reason;

use crate::args::ImportArgs;
use crate::ask;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::names::{self, Lookup, Named};
use crate::progress::Progress;
use crate::source::{self, Kind, Part};
use crate::terminal::Terminal;
use crate::troubles;

/// What one extract came to.
#[derive(Debug)]
pub(crate) struct Extracted {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Figures of the import.
    pub(crate) summary: Summary,
    /// Size of the recording.
    pub(crate) source_bytes: i64,
    /// Size of the extract.
    pub(crate) bytes: u64,
    /// What was damaged, lost or unresolved.
    pub(crate) problems: Vec<ProblemRow>,
}

/// Everything a step of the pipeline needs beside its data.
#[derive(Debug)]
pub(crate) struct Pipeline<'a> {
    /// How recordings become extracts.
    pub(crate) args: &'a ImportArgs,
    /// Where to look for names.
    pub(crate) lookup: Lookup,
    /// Whether extracts that are there already are replaced.
    pub(crate) replace: bool,
    /// Where progress is shown.
    pub(crate) terminal: &'a Terminal,
    /// Whether to stop.
    pub(crate) interrupt: &'a Interrupt,
}

impl Pipeline<'_> {
    /// Makes the extract `output` of a recording: one file, or several of one session on Windows.
    pub(crate) fn extract(&self, files: &[Part], output: &Path) -> Result<Extracted, Failure> {
        let trace = files.first().map_or(Path::new(""), |part| &part.path);
        let facts = source::facts_of_all(files)?;
        let source_bytes = facts.trace.source_bytes;
        let memory = usize::try_from(self.args.memory).unwrap_or(usize::MAX);
        let options = Options {
            // Half of the budget is import's facts, an eighth the reader's window.
            memory_bytes: memory / 8 * 3,
            trace_id: facts.trace.trace_id.clone(),
            replace: self.replace,
        };
        let unwritable = |error: whyslow_extract::Error| unwritable(output, &error);
        let mut writer = ExtractWriter::create(output, options).map_err(unwritable)?;
        let mut progress = Progress::new(self.terminal);
        let name = trace.file_name().unwrap_or_default().to_string_lossy();
        let options = ImportOptions {
            limits: Limits::within(memory / 2),
            facts,
        };
        let mut watch = |at: whyslow_import::Progress| {
            progress.show(|| reading(&name, at.bytes, source_bytes));
            self.interrupt.flow()
        };
        let settled = self.import(files, options, &mut writer, &mut watch)?;
        let mut settled = settled.map_err(|error| failed_import(files, output, &error))?;
        self.interrupt.check()?;
        progress.step(&format!("{name}: sorting"));
        writer.merge(&mut settled).map_err(unwritable)?;
        let summary = settled.summary();
        let mut problems = Vec::new();
        let mut known = Table::new(&SYMBOL);
        let written = settled.each_table(&mut |table| {
            if table.schema.name == PROBLEM.name {
                problems = table.rows().collect();
                return Ok(());
            }
            if table.schema.name == SYMBOL.name {
                known = table;
                return Ok(());
            }
            writer.write_table(&table)
        });
        written.map_err(unwritable)?;
        let lookup = Lookup {
            kallsyms: kallsyms(trace),
            ..self.lookup.clone()
        };
        self.interrupt.check()?;
        // The view of what is written so far; the roll-ups below read the symbols through it.
        let view = writer.view().map_err(unwritable)?;
        let symbols = if self.args.symbols.no_symbols {
            known
        } else {
            let mut step = |module: &str| {
                progress.show(|| format!("{name}: names of {module}"));
                self.interrupt.flow()
            };
            let named =
                names::look_up(&view, &known, &lookup, &mut step).map_err(unreadable_view)?;
            replace_problems(&mut problems, &named);
            named.symbols
        };
        writer.write_table(&symbols).map_err(unwritable)?;
        writer
            .write_table(&Table::from_rows(problems.clone()))
            .map_err(unwritable)?;
        self.interrupt.check()?;
        progress.step(&format!("{name}: summing up"));
        let sums = RollUps::compute(&view).map_err(ask::failed)?;
        writer.write_table(&sums.methods).map_err(unwritable)?;
        writer.write_table(&sums.timeline).map_err(unwritable)?;
        drop(view);
        self.interrupt.check()?;
        progress.clear();
        let path = writer.finish().map_err(unwritable)?;
        let bytes = Extract::open(&path).map_err(unwritable)?.size_bytes();
        Ok(Extracted {
            path,
            summary,
            source_bytes,
            bytes,
            problems,
        })
    }

    /// Reads a recording, whatever wrote it.
    fn import(
        &self,
        files: &[Part],
        options: ImportOptions,
        sink: &mut dyn RowSink,
        watch: &mut dyn FnMut(whyslow_import::Progress) -> ControlFlow<()>,
    ) -> Result<Result<Settled, whyslow_import::Error>, Failure> {
        let kinds: Vec<Kind> = files.iter().map(|file| source::kind(&file.path)).collect();
        match (files, kinds.as_slice()) {
            ([trace], [Kind::Perf]) => {
                let reader = Reader::open(&trace.path);
                self.interrupt.check()?;
                let mut reader = reader.map_err(|error| unreadable(&trace.shown, &error))?;
                reader
                    .set_window_bytes(usize::try_from(self.args.memory / 8).unwrap_or(usize::MAX));
                Ok(import_perf(reader, options, sink, watch))
            }
            (files, kinds) if kinds.iter().all(|kind| *kind == Kind::Etl) => {
                let open = |file: &Part| {
                    let opened = open_etl(&file.path);
                    opened.map_err(|error| Failure::io(format!("read {}", file.shown), &error))
                };
                let sources = files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
                Ok(import_etl(&sources, options, sink, watch))
            }
            _ => Err(Failure::usage("--together is for .etl files only").exit(Exit::Usage)),
        }
    }
}

fn open_etl(path: &Path) -> std::io::Result<FileSource> {
    File::open(path).and_then(FileSource::new)
}

/// Looks up names again for the extract at `path`; returns how many addresses have one, of how many.
pub(crate) fn symbolize(
    path: &Path,
    lookup: &Lookup,
    terminal: &Terminal,
    interrupt: &Interrupt,
) -> Result<Named, Failure> {
    let unwritable = |error: whyslow_extract::Error| unwritable(path, &error);
    let extract = Extract::open(path).map_err(|error| crate::inputs::unopened(&error))?;
    let mut progress = Progress::new(terminal);
    let name = extract.name().to_owned();
    let mut step = |module: &str| {
        progress.show(|| format!("{name}: names of {module}"));
        interrupt.flow()
    };
    let known = extract.read(&SYMBOL, &[]).map_err(unreadable_view)?;
    let named = names::look_up(&extract, &known, lookup, &mut step).map_err(unreadable_view)?;
    interrupt.check()?;
    let problems = extract.read(&PROBLEM, &[]).map_err(unreadable_view)?;
    let mut problems: Vec<ProblemRow> = problems.rows().collect();
    replace_problems(&mut problems, &named);
    progress.step(&format!("{name}: summing up"));
    // Names and what follows from them change together, or not at all.
    let new = MemoryTrace::new(&name, vec![named.symbols.clone()]);
    let renewed = Renewed {
        old: &extract,
        new: &new,
    };
    let sums = RollUps::compute(&renewed).map_err(ask::failed)?;
    let problems = Table::from_rows(problems);
    let tables = [named.symbols.clone(), problems, sums.methods, sums.timeline];
    interrupt.check()?;
    whyslow_extract::rewrite(&extract, &tables).map_err(unwritable)?;
    Ok(named)
}

/// Returns how many addresses of a table of symbols have no name.
pub(crate) fn nameless(symbols: &Table) -> usize {
    symbols
        .rows::<SymbolRow>()
        .filter(|row| row.function.is_none())
        .count()
}

fn reading(name: &str, bytes: u64, of: i64) -> String {
    let done = i64::try_from(bytes).unwrap_or(i64::MAX);
    if of > 0 {
        let percent = done.saturating_mul(100) / of;
        format!("{name}: reading, {percent} % of {}", number::bytes(of))
    } else {
        format!("{name}: reading, {}", number::bytes(done))
    }
}

/// Returns the kernel symbols the recorder put into the recording.
fn kallsyms(trace: &Path) -> Option<Vec<u8>> {
    if !trace.is_file() {
        return None;
    }
    let reader = Reader::open(trace).ok()?;
    reader.features().raw(FEATURE_KALLSYMS).map(<[u8]>::to_vec)
}

/// Says in the problems which addresses have no name, instead of what they said before.
fn replace_problems(problems: &mut Vec<ProblemRow>, named: &Named) {
    let (unresolved, changed) = (ProblemKind::Unresolved, ProblemKind::ChangedModule);
    problems.retain(|row| row.kind != unresolved.name() && row.kind != changed.name());
    let is_changed = |reason: Reason| reason == Reason::FileReplaced;
    for kind in [unresolved, changed] {
        let wanted = named.unresolved.iter();
        let wanted = wanted.filter(|&(&reason, _)| is_changed(reason) == (kind == changed));
        let mut wanted: Vec<_> = wanted
            .map(|(reason, (count, module))| (*count, *reason, module))
            .collect();
        wanted.sort_by_key(|&(count, reason, _)| (std::cmp::Reverse(count), reason));
        let Some(&(_, most, _)) = wanted.first() else {
            continue;
        };
        let count: usize = wanted.iter().map(|&(count, _, _)| count).sum();
        let parts = wanted.iter().take(3).map(|(count, reason, module)| {
            let name = module.rsplit('/').next().unwrap_or(module);
            let example = if name.is_empty() {
                String::new()
            } else {
                format!(" (as {name})")
            };
            format!("{count} because {reason}{example}")
        });
        let parts: Vec<String> = parts.collect();
        let total = count + named.named;
        problems.push(ProblemRow {
            kind: kind.name().to_owned(),
            severity: kind.severity().name().to_owned(),
            count: i64::try_from(count).unwrap_or(i64::MAX),
            first_offset: None,
            first_ns: None,
            detail: format!(
                "{count} of {total} code addresses have no name: {}",
                parts.join(", ")
            ),
            advice: most.advice().to_owned(),
        });
    }
    troubles::sort(problems);
}

/// Returns the failure to read the recording that the user knows as `shown`.
pub(crate) fn unreadable(shown: impl Display, error: &whyslow_perfdata::Error) -> Failure {
    use whyslow_perfdata::ErrorKind as Kind;
    let (what, cause) = (format!("read {shown}"), error.to_string());
    let own = error.path.as_ref();
    let own = own.map_or(String::new(), |path| format!("{}: ", path.display()));
    let cause = cause.strip_prefix(&own).unwrap_or(&cause);
    let failure = Failure::cannot(what, cause);
    match error.kind {
        Kind::Empty => failure
            .hint("the recorder was killed before it wrote anything, or the copy is incomplete"),
        Kind::NotPerfData => failure.hint(
            "recordings come from `whyslow record`, `perf record` or, as .etl files, from Windows; extracts need no extracting",
        ),
        Kind::BadHeader => {
            failure.hint("the file is damaged; compare its checksum with the original")
        }
        Kind::Unsupported => failure.hint("give the file itself instead of a pipe"),
        _ => failure,
    }
}

/// Returns the failure to write the extract `output`.
pub(crate) fn unwritable(output: &Path, error: &whyslow_extract::Error) -> Failure {
    let cause = error.to_string();
    let own = format!("{}: ", error.path.display());
    let cause = cause.strip_prefix(&own).unwrap_or(&cause).to_owned();
    let elsewhere = error.path != output;
    let cause = if elsewhere {
        format!("{cause} ({})", error.path.display())
    } else {
        cause
    };
    let cause = crate::failure::without_number(&cause);
    Failure::cannot(format!("write {}", output.display()), cause).hint(error.hint())
}

fn unreadable_view(error: whyslow_model::ViewError) -> Failure {
    ask::failed(error.into())
}

pub(crate) fn unreadable_etl(shown: impl Display, error: &whyslow_etl::Error) -> Failure {
    Failure::cannot(format!("read {shown}"), error).hint(error.advice())
}

/// Returns what messages call a recording in several files.
fn shown(files: &[Part]) -> String {
    let names: Vec<&str> = files.iter().map(|part| part.shown.as_str()).collect();
    names.join(", ")
}

/// Returns the failure to read a recording in several files: which of them it is of shows when each
/// is opened by itself.
fn unreadable_part(files: &[Part], error: &whyslow_etl::Error) -> Failure {
    let bad = files.iter().find_map(|part| {
        let source = open_etl(&part.path).ok()?;
        let error = whyslow_etl::Reader::new(source).err()?;
        Some(unreadable_etl(&part.shown, &error))
    });
    bad.unwrap_or_else(|| unreadable_etl(shown(files), error))
}

fn failed_import(files: &[Part], output: &Path, error: &whyslow_import::Error) -> Failure {
    let shown = shown(files);
    match error {
        whyslow_import::Error::Read(error) => unreadable(shown, error),
        whyslow_import::Error::ReadEtl(error) => unreadable_part(files, error),
        whyslow_import::Error::Cancelled => Failure::interrupted(),
        whyslow_import::Error::Sink(error) => Failure::io(
            format!("write {} ({})", output.display(), error.what),
            &error.source,
        ),
        whyslow_import::Error::NoEvents => {
            Failure::cannot(format!("extract {shown}"), "it holds no events")
                .hint("the recorder was stopped before anything happened, or the file is cut off; record again")
        }
        whyslow_import::Error::NotTogether(_) => {
            Failure::cannot(format!("extract {shown}"), error)
                .hint("extract each by itself; those of an archive are to be unpacked for that")
        }
        error => Failure::cannot(format!("extract {shown}"), error),
    }
}
