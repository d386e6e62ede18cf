//! `lab suite`: experiments that a file lists, on several systems and with several sizes, in one report.

mod file;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use whyslow_lab::summary::compare;
use whyslow_lab::{Options, Run, Summary};
use whyslow_query::{Kind, ResultColumn, ResultTable, Value};
use whyslow_render::{TextOptions, harmless, write_text};

use file::{Entry, Listed};

use super::{Bench, cost, options, show, systems, title, with_units};
use crate::args::{CaseWord, LabArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// A file to begin with.
pub(super) const EXAMPLE: &str = include_str!("suite/example.toml");

/// Prints [`EXAMPLE`].
pub(super) fn example() -> Result<Exit, Failure> {
    output::write_to(None, false, |out| out.write_all(EXAMPLE.as_bytes()))?;
    Ok(Exit::Success)
}

/// Experiments that a file lists.
#[derive(Debug)]
pub(super) struct Suite(Listed);

/// Reads the file of a suite.
pub(super) fn read(args: &LabArgs) -> Result<Suite, Failure> {
    let Some(path) = &args.file else {
        return Err(Failure::usage("the file of the suite is missing")
            .hint("whyslow lab suite --example prints one to begin with"));
    };
    let given = args.count.is_some() || args.dir.is_some() || !args.on.is_empty() || args.force;
    if given {
        return Err(
            Failure::usage("how much and where a suite says in its file")
                .hint("only --output, --format and --record go with it"),
        );
    }
    let bytes =
        bytes(path).map_err(|error| Failure::io(format!("read {}", path.display()), &error))?;
    let listed = file::parse(&bytes)
        .map_err(|wrong| Failure::usage(format!("{}: {wrong}", path.display())).hint(&wrong.hint));
    listed.map(Suite)
}

/// Returns the content of a file, or as much as is too much for [`file::parse`].
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(file::MOST_BYTES).unwrap_or(u64::MAX);
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// One experiment on one system.
struct Unit {
    entry: usize,
    args: LabArgs,
}

/// What could not be measured, and why.
struct Missing {
    what: String,
    why: String,
}

impl Suite {
    /// Makes all experiments, as far as the time goes, and shows what they say.
    pub(super) fn run(
        &self,
        args: &LabArgs,
        words: &[OsString],
        bench: &Bench,
        terminal: &Terminal,
    ) -> Result<Exit, Failure> {
        let units = units(&self.0.entries);
        let end = Instant::now() + self.0.budget;
        let (mut runs, mut missing, mut failed) = (Vec::new(), Vec::new(), false);
        for (at, unit) in units.iter().enumerate() {
            if bench.interrupt.asked() {
                break;
            }
            let left = end.saturating_duration_since(Instant::now());
            let others = u32::try_from(units.len() - at).unwrap_or(u32::MAX);
            if let Err(failure) = unit.measure(left / others, bench, &mut runs) {
                failed |= failure.1;
                missing.push(Missing {
                    what: unit.name(self.0.entries[unit.entry].line),
                    why: failure.0,
                });
            }
        }
        bench.progress.borrow_mut().clear();
        if runs.is_empty() && bench.interrupt.asked() {
            return Err(Failure::interrupted());
        }
        if let (true, Some(first)) = (runs.is_empty(), missing.first()) {
            return Err(Failure::cannot(
                format!("measure {}", first.what),
                &first.why,
            ));
        }
        let notes: Vec<String> = missing
            .iter()
            .map(|one| format!("Not measured: {}: {}.", one.what, one.why))
            .collect();
        for note in &notes {
            terminal.tell(&harmless(note));
        }
        show(args, &runs, words, &notes, &said, terminal)?;
        Ok(match (bench.interrupt.asked(), failed) {
            (true, _) => Exit::Interrupted,
            (_, true) => Exit::Failure,
            _ => Exit::Success,
        })
    }
}

/// Returns the experiments on one system each; those without files are the same on all.
fn units(entries: &[Entry]) -> Vec<Unit> {
    let mut units = Vec::new();
    for (entry, one) in entries.iter().enumerate() {
        let has_files = options::case(one.args.case).is_some_and(whyslow_lab::Case::has_files);
        let on: Vec<_> = match one.args.on.as_slice() {
            [] => vec![Vec::new()],
            _ if !has_files => vec![Vec::new()],
            on => on.iter().map(|system| vec![system.clone()]).collect(),
        };
        units.extend(on.into_iter().map(|on| Unit {
            entry,
            args: LabArgs {
                on,
                ..one.args.clone()
            },
        }));
    }
    units
}

impl Unit {
    fn name(&self, line: usize) -> String {
        let on: Vec<&str> = self.args.on.iter().map(|on| on.name.as_str()).collect();
        let on = if on.is_empty() {
            String::new()
        } else {
            format!(" on {}", on.join(","))
        };
        format!("the case of line {line}{on}")
    }

    /// Measures it within `share` of the time; otherwise returns why not, and whether that is a failure
    /// and not something this machine lacks.
    fn measure(
        &self,
        share: Duration,
        bench: &Bench,
        runs: &mut Vec<Run>,
    ) -> Result<(), (String, bool)> {
        if share < Duration::from_millis(1) {
            return Err(("the time of the suite is over".to_owned(), false));
        }
        let told = |failure: &Failure| {
            let (line, _) = failure.lines();
            line.strip_prefix("whyslow: ").unwrap_or(&line).to_owned()
        };
        let found = systems::of(&self.args).map_err(|failure| (told(&failure), false))?;
        let options = options::options(&self.args).map_err(|failure| (told(&failure), true))?;
        let case = options::case(self.args.case);
        for system in &found {
            let Some(case) = case else { continue };
            let mut options = options.clone();
            options.budget = options.budget.min(share / self.series(&options));
            let done = bench.measure(case, &options, system, self.args.force, runs);
            done.map_err(|failure| (told(&failure), true))?;
        }
        Ok(())
    }

    /// Returns how many series share its time, with room for what is measured again and removed.
    fn series(&self, options: &Options) -> u32 {
        let len = |list: usize| u32::try_from(list.max(1)).unwrap_or(1);
        let arms = match self.args.case {
            CaseWord::Probe => 3,
            CaseWord::Reopen | CaseWord::Spawn => 2,
            CaseWord::Write => 1 + 2 * len(options.threads.len()),
            CaseWord::ShortNames if options.short_names.is_empty() => 4,
            CaseWord::Create if options.jobs.is_empty() => 2 * len(options.short_names.len()),
            _ => len(options.jobs.len()) * len(options.short_names.len()),
        };
        arms + 1
    }
}

/// The columns of the comparison.
const COLUMNS: [ResultColumn; 10] = [
    column("operation", "Operation", Kind::Text).rigid(),
    column("way", "Way", Kind::Text).rigid(),
    column("times", "Times", Kind::Count),
    column("on", "On", Kind::Text).rigid(),
    column("median", "Median", Kind::Duration),
    column("p99", "p99", Kind::Duration),
    column("ratio", "Ratio", Kind::Ratio),
    column("low", "from", Kind::Ratio),
    column("high", "to", Kind::Ratio),
    column("law", "Law", Kind::Text).rigid(),
];

const fn column(key: &'static str, heading: &'static str, kind: Kind) -> ResultColumn {
    ResultColumn::new(key, key, heading, kind, "")
}

/// Writes what every series says, then the systems side by side.
fn said(
    runs: &[Run],
    summaries: &[Summary],
    table: &ResultTable,
    terminal: &Terminal,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    for (run, summary) in runs.iter().zip(summaries) {
        writeln!(out, "{}", terminal.paint.heading(&harmless(&title(run))))?;
        for sentence in summary.sentences(run, cost) {
            writeln!(out, "{}", harmless(&sentence))?;
        }
    }
    writeln!(out)?;
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    write_text(&with_units(&side_by_side(runs, table)), &options, out)?;
    writeln!(
        out,
        "Ratio: the typical operation over that of the first line of the same operation, way and number, \
         with its 95 % interval."
    )
}

/// Returns the runs grouped by what they did, each compared with the first of its group.
fn side_by_side(runs: &[Run], table: &ResultTable) -> ResultTable {
    let mut side = ResultTable::new("side", "Side by side", &COLUMNS);
    let mut groups: BTreeMap<(usize, &str, u64, u64), Vec<usize>> = BTreeMap::new();
    let first_of = |operation: &str| {
        let found = runs.iter().position(|run| run.words.operation == operation);
        found.unwrap_or(0)
    };
    for (at, run) in runs.iter().enumerate() {
        let key = (
            first_of(run.words.operation),
            run.arm.as_str(),
            run.asked,
            run.prefilled,
        );
        groups.entry(key).or_default().push(at);
    }
    for group in groups.values() {
        let base = group.first().copied().unwrap_or(0);
        for &at in group {
            let (run, base) = (&runs[at], &runs[base]);
            let found = compare(run, base);
            let cell = |name: &str| table.cell(at, name).cloned().unwrap_or(Value::Null);
            let ratio = |value: Option<f64>| value.map_or(Value::Null, Value::Float);
            side.rows.push(vec![
                run.words.operation.into(),
                run.arm.as_str().into(),
                cell("operations"),
                run.system.as_str().into(),
                cell("median_ns"),
                cell("p99_ns"),
                ratio(found.map(|found| found.typical)),
                ratio(found.map(|found| found.range.0)),
                ratio(found.map(|found| found.range.1)),
                cell("law"),
            ]);
        }
    }
    side.matched_rows = side.rows.len();
    side
}
