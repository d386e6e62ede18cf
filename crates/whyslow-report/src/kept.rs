//! A directory with everything an experiment measured: `operations.parquet`, `runs.csv`, `runs.json`,
//! `report.html` with every operation in it, and a picture per series.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use whyslow_files::name::safe;
use whyslow_files::{Access, PartFile};
use whyslow_law::{Law, Step};
use whyslow_render::formats::{csv, json};
use whyslow_render::{
    Chapter, Curve, HeatMap, Labels, Mark, Page, Points, write_heat_map, write_page, write_picture,
};
use whyslow_results::{ResultTable, shell_line};
use whyslow_series::changes::lines;
use whyslow_series::kept::OPERATIONS;
use whyslow_series::operation_table::write_operations;
use whyslow_series::{Run, Summary};

use crate::fit::fit;
use crate::levels::levels;
use crate::processes::{ByProcesses, by_processes};
use crate::unit::cost;

/// What is to be known about an experiment besides what it measured.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The words of the command line.
    pub arguments: &'a [String],
    /// When, where and by what it was made, by what each is called: `measured`, `host`, `version` …
    pub facts: &'a [(String, String)],
    /// Sentences about all of it.
    pub notes: &'a [String],
    /// What depends on two names.
    pub maps: &'a [HeatMap],
}

/// A file that could not be written.
#[derive(Debug)]
pub struct Unwritten {
    /// The file, or the directory.
    pub path: PathBuf,
    /// Why not.
    pub error: io::Error,
}

/// Writes everything into `dir`, which is made; `table` is that of `runs`. If not even the operations can be written,
/// `dir` is removed again.
///
/// # Errors
/// When something cannot be written.
pub fn keep(
    dir: &Path,
    runs: &[Run],
    summaries: &[Summary],
    table: &ResultTable,
    about: &About<'_>,
) -> Result<(), Unwritten> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| Unwritten { path, error }
    };
    fs::create_dir(dir).map_err(at(dir))?;
    let file = |name: &str, write: &dyn Fn(&mut (dyn Write + Send)) -> io::Result<()>| {
        let path = dir.join(name);
        whole(&path, write).map_err(at(&path))
    };
    let arguments = about.arguments;
    let operations = file(OPERATIONS, &|out| {
        write_operations(runs, &facts(about), out)
    });
    if operations.is_err() {
        // Nothing was kept; an empty directory would be in the way of another attempt.
        let _left = fs::remove_dir(dir);
    }
    operations?;
    file("runs.csv", &|out| csv::FORMAT.write(table, arguments, out))?;
    file("runs.json", &|out| {
        json::FORMAT.write(table, arguments, out)
    })?;
    let durations: Vec<Vec<u64>> = runs.iter().map(Run::durations).collect();
    let chapters = runs.iter().zip(summaries).zip(&durations);
    let mut chapters: Vec<Chapter<'_>> = chapters
        .map(|((run, summary), durations)| chapter(run, summary, durations))
        .collect();
    let together = by_processes(runs, summaries);
    let points: Vec<_> = together.iter().map(ByProcesses::points).collect();
    let compared = together.iter().zip(&points);
    chapters.extend(compared.map(|(one, (n, durations))| Chapter {
        title: one.title.clone(),
        said: vec!["The dashed line is the mean, the other one the p99.".to_owned()],
        curve: Curve {
            n,
            duration_ns: durations,
            things: "processes",
            points: Points::Slow,
        },
        workers: Vec::new(),
        labels: Labels::default(),
        fit: Some(one.line()),
    }));
    let title = format!("whyslow {}", shell_line(arguments));
    // A map shows all pairs at once; a sentence for each would hide it.
    let beside = match about.maps {
        [] => lines(runs, cost),
        _ => Vec::new(),
    };
    let notes = [about.notes, &beside].concat();
    file("report.html", &|out| {
        let page = Page {
            title: &title,
            made: &made(about),
            notes: &notes,
            table,
            maps: about.maps,
            chapters: &chapters,
        };
        write_page(&page, out)
    })?;
    for map in about.maps {
        let name = format!("map-{}.svg", safe(&map.title));
        file(&name, &|out| write_heat_map(map, out))?;
    }
    for (number, chapter) in (1..).zip(&chapters) {
        let name = format!("{number}-{}.svg", safe(&chapter.title));
        file(&name, &|out| {
            write_picture(
                &chapter.curve,
                &chapter.title,
                &chapter.labels,
                chapter.fit.as_ref(),
                out,
            )
        })?;
    }
    Ok(())
}

/// Writes a file that appears whole or not at all.
fn whole(path: &Path, write: &dyn Fn(&mut (dyn Write + Send)) -> io::Result<()>) -> io::Result<()> {
    let (part, file) = PartFile::create(path, false, Access::Usual)?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    part.finish()
}

fn chapter<'a>(run: &'a Run, summary: &Summary, durations: &'a [u64]) -> Chapter<'a> {
    Chapter {
        title: run.title(),
        said: summary.sentences(run, cost),
        curve: Curve {
            n: &run.first.n,
            duration_ns: durations,
            things: run.setup.words.things,
            points: Points::Operations,
        },
        workers: if run.setup.workers > 1 {
            run.first
                .operations
                .iter()
                .map(|(worker, _)| *worker)
                .collect()
        } else {
            Vec::new()
        },
        labels: Labels {
            marks: marks(summary),
            levels: levels(run, summary),
        },
        fit: fit(run, summary),
    }
}

/// Returns what the machine is, for [`About::facts`].
pub fn machine() -> [(String, String); 2] {
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let facts = [
        ("kernel", kernel.trim().to_owned()),
        ("cpus", cpus.to_string()),
    ];
    facts.map(|(name, value)| (name.to_owned(), value))
}

/// Returns what the file of operations holds besides them.
fn facts(about: &About<'_>) -> Vec<(String, String)> {
    let mut facts = vec![("arguments".to_owned(), shell_line(about.arguments))];
    facts.extend_from_slice(about.facts);
    facts
}

/// Returns when, where and by what it was measured, in a line.
fn made(about: &About<'_>) -> String {
    let of = |name: &str| {
        let found = about.facts.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let cpus = of("cpus");
    format!(
        "{}, Linux {}, {cpus} CPU{}, {}; whyslow {}",
        of("host"),
        of("kernel"),
        if cpus == "1" { "" } else { "s" },
        of("measured"),
        of("version")
    )
}

/// Returns the sizes at which a run's cost changes.
fn marks(summary: &Summary) -> Vec<Mark> {
    let one = |n: f64, text: String| vec![Mark { n, text }];
    match &summary.judgement.law {
        Law::Steps(steps) => {
            let mark = |step: &Step| Mark {
                n: step.before,
                text: format!("{} → {}", cost(step.from), cost(step.to)),
            };
            steps.iter().map(mark).collect()
        }
        Law::Bend(bend) => one(bend.from, "grows from here".to_owned()),
        Law::GrowthWithStep(found) => one(found.from, format!("{:.1} times", found.factor)),
        Law::LevelsOff(found) => one(found.from, "levels off".to_owned()),
        _ => Vec::new(),
    }
}
