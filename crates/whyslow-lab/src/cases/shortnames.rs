//! `shortnames`: what short names cost: on a real NTFS, on FAT, or counted in a simulated directory.

use std::time::Duration;

use rustix::io::Errno;

use crate::bench::{Bench, Context};
use crate::case::Case;
use crate::error::Error;
use crate::file_operation::{FileOperation, Files};
use crate::file_series::{self, FileSeries, SHORT_NAMES, short_names};
use crate::measuring::{again_limits, alone};
use crate::operation::{Limits, Operation};
use crate::options::Options;
use crate::place::{Name, Place};
use crate::shortnames::{Directory, Generation, real};
use crate::system;
use whyslow_series::{Ending, Limit, Run, Setup, Words};

use whyslow_law::order::median_u64;
use whyslow_results::grouped;

/// Finds short names for new files.
pub(super) static CASE: Case = Case {
    name: "shortnames",
    about: "count what it costs to find short names (8.3): real ones on ntfs, else simulated",
    words: Words::new("shortnames", "Creating a file and its short name", "files")
        .counting("probes"),
    parameters: &[SHORT_NAMES],
    usual_count: Some(100_000),
    series: |options| match short_names(options).len() {
        0 => 4,
        names => u32::try_from(names).unwrap_or(u32::MAX),
    },
    measure,
    ..Case::PLAIN
};

/// Finding short names that are not written anywhere.
const SIMULATED: Words = Words::new("shortnames", "Finding a free short name", "files")
    .counting("probes")
    .simulated();

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let place = Place::make(bench.ground()?)?;
    let real = real::can(&place)?;
    place.remove()?;
    if real {
        let usual = [None, Some(Generation::Seven), Some(Generation::Xp)];
        return on_disk(&chosen(options, &usual), bench, runs);
    }
    let driver = system::driver(bench.ground()?.dir()).unwrap_or_default();
    if matches!(driver.as_str(), "vfat" | "fusefat") {
        return by_driver(&driver, bench, runs);
    }
    let all = Generation::ALL.map(Some);
    let probe_ns = look_up(bench)?;
    for generation in chosen(options, &all).iter().flatten() {
        if context.stopped() {
            break;
        }
        (context.tell)(generation.name());
        let directory = Directory::new(*generation);
        let setup = bench.setup(SIMULATED);
        let setup = setup.named(&format!("simulated {}", generation.name()));
        let files = Simulated::new(directory);
        runs.push(files.run(setup, probe_ns, options.budget, context));
    }
    Ok(())
}

/// Returns who gives the names: those that were chosen, or else the `usual` ones.
fn chosen(options: &Options, usual: &[Option<Generation>]) -> Vec<Option<Generation>> {
    let chosen = short_names(options);
    if chosen.is_empty() {
        return usual.to_vec();
    }
    chosen
}

fn on_disk(
    names: &[Option<Generation>],
    bench: &Bench<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    for &short in names {
        if bench.context.stopped() {
            break;
        }
        let series = FileSeries::new(FileOperation::Create, CASE.words, bench.options.count);
        let series = series.with_short_names(short);
        series.measure(&file_series::naming(short), bench, runs)?;
    }
    Ok(())
}

/// Creates files on FAT, whose driver finds short names itself and does not say how.
fn by_driver(driver: &str, bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    if bench.options.has(&SHORT_NAMES) {
        let text = format!("{driver} makes short names in its own way: leave out --short-names");
        return Err(Error::Options(text));
    }
    let count = bench.options.count;
    let series = FileSeries::new(FileOperation::Create, CASE.words, count);
    series.measure(&format!("8.3 of {driver}"), bench, runs)
}

/// Files among which the cost of a look-up is measured.
const AMONG: u64 = 2_000;

/// Returns what it costs here to find out that a name is taken.
fn look_up(bench: &Bench<'_>) -> Result<u64, Error> {
    let (options, context) = (bench.options, bench.context);
    (context.tell)("measuring a look-up");
    let place = Place::make(bench.ground()?)?;
    let limits = Limits {
        count: AMONG,
        budget: options.budget / 10,
    };
    let files = Files::new(&place, FileOperation::Stat, 0, 1);
    let mut files = files.map_err(Error::io("open", place.path()))?;
    let run = alone(&mut files, bench.setup(SIMULATED), limits, context);
    place.remove()?;
    let durations = run.durations();
    if durations.is_empty() {
        return Err(Error::Interrupted);
    }
    Ok(median_u64(&durations))
}

/// A directory of which only the short names exist.
struct Simulated {
    directory: Directory,
    name: Name,
}

impl Operation for Simulated {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        self.name.set(at);
        let long = self.name.as_c_str().to_str().map_err(|_| Errno::ILSEQ)?;
        self.directory.add(long).ok_or(Errno::NOSPC)
    }
}

impl Simulated {
    fn new(directory: Directory) -> Self {
        Self {
            directory,
            name: Name::new(b'w', 0),
        }
    }

    /// Returns the probes of a series that is made as `setup` says; each operation's time is what they would take.
    fn run(mut self, setup: Setup, probe_ns: u64, budget: Duration, context: Context<'_>) -> Run {
        let limits = Limits {
            count: setup.asked,
            budget,
        };
        let mut run = alone(&mut self, setup, limits, context);
        let (mut now_ns, mut total, mut most) = (0, 0_u64, 0);
        for (_, one) in &mut run.first.operations {
            one.start_ns = now_ns;
            one.duration_ns = probe_ns * u64::from(one.count);
            now_ns += one.duration_ns;
            total += u64::from(one.count);
            most = most.max(one.count);
        }
        run.notes.push(format!(
            "It looked up {} names in all, at most {} for one file. This is a simulation: each time is the number \
             of look-ups × {probe_ns} ns, the cost of one look-up here.",
            grouped(total),
            grouped(u64::from(most))
        ));
        if run.ending == Ending::Failed(Errno::NOSPC.raw_os_error()) {
            run.ending = Ending::Full(Limit::ShortNames);
        }
        // A simulation gives the same each time.
        let again = again_limits(run.first.operations.len(), budget).count;
        let first = run.first.operations.iter();
        let again = first.take(usize::try_from(again).unwrap_or(0));
        run.first.again = again.map(|(_, one)| *one).collect();
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;
    use whyslow_series::Summary;

    #[test]
    fn the_last_short_name_is_a_limit_and_nothing_is_predicted_beyond_it() {
        let generation = Generation::Nt31;
        let mut directory = Directory::new(generation);
        // All of the 999,999 names that begin like those of the series, but for 200.
        for taken in 200..999_999 {
            let long = format!("w00000, taken {taken}");
            assert!(directory.add(&long).is_some(), "{long}");
        }
        let stop = AtomicBool::new(false);
        let context = Context {
            program: Path::new("/"),
            stop: &stop,
            tell: &|_| {},
        };
        let (setup, budget) = (Setup::new(SIMULATED, 5_000), Duration::from_secs(3_600));
        let run = Simulated::new(directory).run(setup, 1_000, budget, context);
        assert_eq!(run.ending, Ending::Full(Limit::ShortNames));
        let summary = Summary::of(&run);
        assert_eq!(summary.judgement.predicting(), None);
        let said = summary.sentences(&run, |ns| format!("{ns:.0} ns"));
        assert_eq!(
            said[0],
            "Limit: Windows finds no free short name (8.3) after 200 of 5,000 files: every one it tries is taken."
        );
    }
}
