//! What short names cost: on a real NTFS, on FAT, or counted in a simulated directory.

use rustix::io::Errno;

use super::{Context, Run, Way, again_limits, alone, series};
use crate::cases::files::{Deed, Files};
use crate::cases::{Case, Options, SIMULATED};
use crate::error::Error;
use crate::operation::{Ending, Limits, Operation};
use crate::place::{Ground, Name, Place};
use crate::shortnames::{Directory, Generation, real};
use crate::system;
use whyslow_law::order::median_u64;

/// Finds short names in the ways of `options`.
pub(super) fn find(
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let place = Place::make(ground)?;
    let real = real::can(&place)?;
    place.remove()?;
    if real {
        let usual = [None, Some(Generation::Seven), Some(Generation::Xp)];
        return on_disk(&chosen(options, &usual), ground, context, runs);
    }
    let driver = system::driver(ground.dir()).unwrap_or_default();
    if matches!(driver.as_str(), "vfat" | "fusefat") {
        return by_driver(&driver, options, ground, context, runs);
    }
    let all = Generation::ALL.map(Some);
    let options = chosen(options, &all);
    let probe_ns = look_up(ground, &options, context)?;
    for generation in options.short_names.iter().flatten() {
        if context.stopped() {
            break;
        }
        (context.tell)(generation.name());
        runs.push(simulated(*generation, probe_ns, &options, context));
    }
    Ok(())
}

/// Returns the options with the ways that are usual, if none were chosen.
fn chosen(options: &Options, usual: &[Option<Generation>]) -> Options {
    let mut options = options.clone();
    if options.short_names.is_empty() {
        options.short_names = usual.to_vec();
    }
    options
}

fn on_disk(
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    for &short in &options.short_names {
        if context.stopped() {
            break;
        }
        let way = Way {
            short,
            ..Way::new(Deed::Create, Case::ShortNames.words(), options.count)
        };
        series(way, options, ground, context, runs)?;
    }
    Ok(())
}

/// Creates files on FAT, whose driver finds short names itself and does not say how.
fn by_driver(
    driver: &str,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    if !options.short_names.is_empty() {
        let text = format!("{driver} finds short names in its own way: leave out --short-names");
        return Err(Error::Options(text));
    }
    let way = Way::new(Deed::Create, Case::ShortNames.words(), options.count);
    let before = runs.len();
    series(way, options, ground, context, runs)?;
    for run in runs.iter_mut().skip(before) {
        run.arm = format!("8.3 of {driver}");
    }
    Ok(())
}

/// Files among which the cost of a look-up is measured.
const AMONG: u64 = 2_000;

/// Returns what it costs here to find out that a name is taken.
fn look_up(ground: &Ground, options: &Options, context: Context<'_>) -> Result<u64, Error> {
    (context.tell)("measuring a look-up");
    let place = Place::make(ground)?;
    let limits = Limits {
        count: AMONG,
        budget: options.budget / 10,
    };
    let files = Files::new(&place, Deed::Stat, 0, 1);
    let mut files = files.map_err(Error::io("open", place.path()))?;
    let run = alone(&mut files, SIMULATED, limits, context);
    place.remove()?;
    let durations: Vec<u64> = run
        .operations
        .iter()
        .map(|(_, one)| one.duration_ns)
        .collect();
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

/// Returns the probes of `generation`; each operation's time is what they would take.
fn simulated(
    generation: Generation,
    probe_ns: u64,
    options: &Options,
    context: Context<'_>,
) -> Run {
    let limits = Limits {
        count: options.count,
        budget: options.budget,
    };
    let mut operation = Simulated {
        directory: Directory::new(generation),
        name: Name::new(b'w', 0),
    };
    let mut run = alone(&mut operation, SIMULATED, limits, context);
    run.arm = format!("simulated {}", generation.name());
    let (mut now_ns, mut total, mut most) = (0, 0_u64, 0);
    for (_, one) in &mut run.operations {
        one.start_ns = now_ns;
        one.duration_ns = probe_ns * u64::from(one.count);
        now_ns += one.duration_ns;
        total += u64::from(one.count);
        most = most.max(one.count);
    }
    run.notes.push(format!(
        "{total} names were looked up in all, at most {most} for one file. It is simulated: a time is \
         that number × {probe_ns} ns, which a look-up costs here."
    ));
    if run.ending == Ending::Failed(Errno::NOSPC.raw_os_error()) {
        run.notes
            .push("This generation gave up: it had no more names to try.".to_owned());
    }
    // A simulation repeated is the same again.
    let again = again_limits(run.operations.len(), options.budget).count;
    let again = run
        .operations
        .iter()
        .take(usize::try_from(again).unwrap_or(0));
    run.again = again.map(|(_, one)| *one).collect();
    run
}
