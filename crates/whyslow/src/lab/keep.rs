//! A directory with everything an experiment measured: `operations.parquet`, `runs.csv`, `runs.json`,
//! `report.html` with every operation in it, and a picture per series.

use std::fs;
use std::io::Write;
use std::path::Path;

use whyslow_files::name::safe;
use whyslow_lab::operation_table::write_operations;
use whyslow_lab::summary::comparisons;
use whyslow_lab::{Run, Summary};
use whyslow_law::{Law, Step};
use whyslow_query::ResultTable;
use whyslow_render::{
    Chapter, Curve, Mark, Page, write_csv, write_json, write_page, write_picture,
};

use crate::failure::Failure;
use crate::output;
use crate::stamp;

/// Refuses a directory that is there already, or cannot be made, before anything is measured.
pub(super) fn check(dir: &Path) -> Result<(), Failure> {
    if dir.symlink_metadata().is_ok() {
        let failure = Failure::cannot(format!("write {}", dir.display()), "it exists already");
        return Err(failure.hint("name a new directory"));
    }
    let tried = fs::create_dir(dir).and_then(|()| fs::remove_dir(dir));
    tried.map_err(|error| Failure::io(format!("make the directory {}", dir.display()), &error))
}

/// Writes everything into `dir`.
pub(super) fn keep(
    dir: &Path,
    runs: &[Run],
    summaries: &[Summary],
    table: &ResultTable,
    arguments: &[String],
    notes: &[String],
) -> Result<(), Failure> {
    fs::create_dir(dir)
        .map_err(|error| Failure::io(format!("make the directory {}", dir.display()), &error))?;
    let file = |name: &str, write: &dyn Fn(&mut (dyn Write + Send)) -> std::io::Result<()>| {
        output::write_to(Some(&dir.join(name)), false, |out| write(out)).map(|_| ())
    };
    file("operations.parquet", &|out| {
        write_operations(runs, arguments, out)
    })?;
    file("runs.csv", &|out| write_csv(table, out))?;
    file("runs.json", &|out| write_json(table, arguments, out))?;
    let durations: Vec<Vec<u64>> = runs.iter().map(Run::durations).collect();
    let chapters = runs.iter().zip(summaries).zip(&durations);
    let chapters = chapters.map(|((run, summary), durations)| Chapter {
        title: run.title(),
        said: summary.sentences(run, super::cost),
        curve: Curve {
            n: &run.n,
            duration_ns: durations,
            things: run.words.things,
        },
        workers: if run.workers > 1 {
            run.operations.iter().map(|(worker, _)| *worker).collect()
        } else {
            Vec::new()
        },
        marks: marks(summary),
    });
    let chapters: Vec<Chapter<'_>> = chapters.collect();
    let title = format!("whyslow {}", arguments.join(" "));
    let notes = [notes, &comparisons(runs)].concat();
    file("report.html", &|out| {
        let page = Page {
            title: &title,
            made: &made(),
            notes: &notes,
            table,
            chapters: &chapters,
        };
        write_page(&page, out)
    })?;
    for (number, chapter) in (1..).zip(&chapters) {
        let name = format!("{number}-{}.svg", safe(&chapter.title));
        file(&name, &|out| {
            write_picture(&chapter.curve, &chapter.title, &chapter.marks, out)
        })?;
    }
    Ok(())
}

/// Returns when, where and by what this was measured.
fn made() -> String {
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, Linux {}, {cpus} CPU{}, {}; whyslow {}",
        stamp::host(),
        kernel.trim(),
        if cpus == 1 { "" } else { "s" },
        stamp::local(),
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the steps of a run's cost.
fn marks(summary: &Summary) -> Vec<Mark> {
    let Law::Steps(steps) = &summary.judgement.law else {
        return Vec::new();
    };
    let mark = |step: &Step| Mark {
        n: step.before,
        text: format!("{} → {}", super::cost(step.from), super::cost(step.to)),
    };
    steps.iter().map(mark).collect()
}
