//! What experiments say to a person.

use std::io::{self, Write};

use whyslow_lab::dialect_table::matrix;
use whyslow_lab::dialects::{Cost, Pair, sentences};
use whyslow_render::{Curve, Paint, Points, TextOptions, escape, wrapped, write_curve, write_text};
use whyslow_results::ResultTable;
use whyslow_series::changes::{Changes, lines};
use whyslow_series::summary::side_by_side;
use whyslow_series::{Run, Summary};

use crate::fit::fit;
use crate::processes::by_processes;
use crate::unit::{cost, with_units};

/// What it is written to.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The columns of the terminal, if it is one.
    pub width: Option<usize>,
    /// Its colors.
    pub paint: Paint,
}

/// Columns of charts and sentences where there is no terminal; sentences have no more anyway.
const USUAL_WIDTH: usize = 100;

impl Page {
    pub(crate) fn table(self, table: &ResultTable, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let options = TextOptions {
            width: self.width,
            paint: self.paint,
            ..TextOptions::default()
        };
        write_text(table, &options, out)?;
        Ok(())
    }

    fn heading(self, text: &str, out: &mut (dyn Write + Send)) -> io::Result<()> {
        writeln!(out, "{}", self.paint.heading(&escape(text)))
    }

    /// Writes sentences on lines that are not too long.
    pub(crate) fn say(self, sentences: &[String], out: &mut (dyn Write + Send)) -> io::Result<()> {
        let room = self.width.unwrap_or(USUAL_WIDTH).min(USUAL_WIDTH);
        for sentence in sentences {
            writeln!(out, "{}", wrapped(&escape(sentence), room, 2))?;
        }
        Ok(())
    }
}

/// An experiment and its figures.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Its series.
    pub runs: &'a [Run],
    /// The figures of each.
    pub summaries: &'a [Summary],
    /// The table of all.
    pub table: &'a ResultTable,
}

/// Writes verdicts, charts and the table of an experiment.
///
/// # Errors
/// When `out` cannot be written.
pub fn experiment(
    measured: Measured<'_>,
    page: Page,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let room = page.width.unwrap_or(USUAL_WIDTH);
    for (run, summary) in measured.runs.iter().zip(measured.summaries) {
        page.heading(&run.title(), out)?;
        page.say(&summary.sentences(run, cost), out)?;
        let durations = run.durations();
        let curve = Curve {
            n: &run.first.n,
            duration_ns: &durations,
            things: run.setup.words.things,
            points: Points::Operations,
        };
        let fit = fit(run, summary);
        write_curve(&curve, fit.as_ref(), room, page.paint, out)?;
        writeln!(out)?;
    }
    for one in by_processes(measured.runs, measured.summaries) {
        one.write(page.paint, out)?;
    }
    page.table(&with_units(measured.table), out)?;
    page.say(&lines(measured.runs, cost), out)
}

/// Writes what every series of a suite says, then the systems side by side.
///
/// # Errors
/// When `out` cannot be written.
pub fn suite(measured: Measured<'_>, page: Page, out: &mut (dyn Write + Send)) -> io::Result<()> {
    for (run, summary) in measured.runs.iter().zip(measured.summaries) {
        page.heading(&run.title(), out)?;
        page.say(&summary.sentences(run, cost), out)?;
    }
    writeln!(out)?;
    page.table(
        &with_units(&side_by_side(measured.runs, measured.table)),
        out,
    )?;
    let ratio = "Ratio: the mean compared with the first line of the same operation, way and count. Typical: the median \
                 compared likewise, with its 95 % interval.";
    page.say(&[ratio.to_owned()], out)?;
    let runs = measured
        .runs
        .iter()
        .filter(|run| run.setup.words.operation == "command");
    let commands: Vec<Run> = runs.cloned().collect();
    page.say(&lines(&commands, cost), out)
}

/// Writes both tables of all pairs of dialects, and what they say.
///
/// # Errors
/// When `out` cannot be written.
pub fn dialects(pairs: &[Pair], page: Page, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut show = |title: &str, of: fn(&Pair) -> Option<Cost>| {
        page.heading(title, out)?;
        page.table(&matrix(pairs, of), out)?;
        writeln!(out)
    };
    let title = "One connection: open, read, close, in ms per setting";
    show(title, |pair| pair.reopen)?;
    let title = "A new connection each time, in ms per setting";
    show(title, |pair| pair.reconnect)?;
    page.say(&sentences(pairs, cost), out)
}

/// Facts of an experiment, in the order in which they are shown.
const FACTS: [&str; 6] = ["measured", "host", "kernel", "cpus", "version", "arguments"];

/// Writes what differs around two experiments, what changed, and the table of it.
///
/// # Errors
/// When `out` cannot be written.
pub fn changes(
    found: &Changes,
    table: &ResultTable,
    page: Page,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let place = |name: &str| {
        FACTS
            .iter()
            .position(|fact| *fact == name)
            .unwrap_or(FACTS.len())
    };
    let mut facts: Vec<_> = found.facts.iter().collect();
    facts.sort_by_key(|(name, ..)| place(name));
    for (name, was, is) in facts {
        writeln!(out, "{}", escape(&format!("{name}: {was} → {is}")))?;
    }
    for change in &found.series {
        page.say(&change.sentences(cost), out)?;
    }
    for (what, names) in [
        ("Only in the first", &found.gone),
        ("Only in the second", &found.new),
    ] {
        if !names.is_empty() {
            writeln!(out, "{}", escape(&format!("{what}: {}.", names.join("; "))))?;
        }
    }
    writeln!(out)?;
    page.table(&with_units(table), out)
}
