//! Cases that compare ways of doing the same.

use std::process::ExitStatus;

use super::{Context, Run, again_limits, alone, gather};
use crate::cases::command::{Runs, durations};
use crate::cases::settings::{Settings, Way};
use crate::cases::starts::{Call, LogName, Probe, Spawn};
use crate::cases::writing::{Strategy, write_files};
use crate::cases::{Case, GROWING, Options, PRINTED};
use crate::error::Error;
use crate::law::real;
use crate::operation::{Ending, Limits};
use crate::place::{Ground, Place};

fn limits(options: &Options) -> Limits {
    Limits {
        count: options.count,
        budget: options.budget,
    }
}

fn named(mut run: Run, arm: &str) -> Run {
    arm.clone_into(&mut run.arm);
    run
}

pub(super) fn reopen(
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let place = Place::make(ground)?;
    let path = Settings::make(&place, options.count)?;
    let words = Case::Reopen.words();
    for (arm, way) in [("reopen", Way::Reopen), ("read once", Way::Once)] {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut settings = Settings::new(&path, way, options.count);
        let mut run = named(alone(&mut settings, words, limits(options), context), arm);
        if way == Way::Reopen {
            let again = again_limits(run.operations.len(), options.budget);
            let again = alone(&mut settings, words, again, context);
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
        }
        runs.push(run);
    }
    finish(place, runs);
    Ok(())
}

/// Removes a place; what stays is noted with the last run.
fn finish(place: Place, runs: &mut [Run]) {
    let left = place.remove().err().map(|error| error.to_string());
    if let Some(run) = runs.last_mut() {
        run.left = left;
    }
}

pub(super) fn probe(
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let words = Case::Probe.words();
    let arms = [
        ("linear search", LogName::Linear),
        ("time-based name", LogName::Time),
        ("no log", LogName::None),
    ];
    for (arm, name) in arms {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let place = Place::make(ground)?;
        let mut probe = Probe::new(context.program, &place, name);
        let mut run = [named(
            alone(&mut probe, words, limits(options), context),
            arm,
        )];
        finish(place, &mut run);
        let [mut run] = run;
        if !context.stopped() {
            let place = Place::make(ground)?;
            let mut probe = Probe::new(context.program, &place, name);
            let again = again_limits(run.operations.len(), options.budget);
            let again = alone(&mut probe, words, again, context);
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
        }
        runs.push(run);
    }
    Ok(())
}

pub(super) fn spawn(
    options: &Options,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let free = crate::system::free_memory().unwrap_or(u64::MAX);
    if options.memory > free / 2 {
        let text = format!("a parent of {} bytes: only {free} are free", options.memory);
        return Err(Error::Options(text));
    }
    let words = if options.memory > 0 {
        GROWING
    } else {
        Case::Spawn.words()
    };
    let step = usize::try_from(options.memory / options.count).unwrap_or(0);
    for (arm, call) in [("fork", Call::Fork), ("posix_spawn", Call::PosixSpawn)] {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut spawn = Spawn::new(call, step, options.descriptors)?;
        let mut run = named(alone(&mut spawn, words, limits(options), context), arm);
        if step > 0 {
            for n in &mut run.n {
                *n *= real(step) / 1e6;
            }
        }
        // A parent that is small again.
        drop(spawn);
        if !context.stopped() {
            let mut spawn = Spawn::new(call, step, options.descriptors)?;
            let again = again_limits(run.operations.len(), options.budget);
            let again = alone(&mut spawn, words, again, context);
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
        }
        runs.push(run);
    }
    Ok(())
}

pub(super) fn write(
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let mut arms = vec![("serial".to_owned(), Strategy::Serial, 1)];
    for &threads in options.threads.iter().filter(|threads| **threads > 1) {
        arms.push((format!("parallel {threads}"), Strategy::Parallel, threads));
        arms.push((format!("tasks {threads}"), Strategy::Tasks, threads));
    }
    for (arm, strategy, threads) in arms {
        if context.stopped() {
            break;
        }
        (context.tell)(&arm);
        let place = Place::make(ground)?;
        let limits = limits(options);
        let written = write_files(
            &place,
            strategy,
            threads,
            options.size,
            limits,
            context.stop,
        );
        let written = written.map_err(Error::io("write into", place.path()))?;
        let mut run = [named(
            gather(written, Case::Write.words(), options.count),
            &arm,
        )];
        finish(place, &mut run);
        let [mut run] = run;
        run.bytes = options.size;
        runs.push(run);
    }
    Ok(())
}

pub(super) fn command(
    options: &Options,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let Some(unit_ns) = options.printed_unit_ns else {
        let mut command = Runs::new(&options.command, &options.numbers);
        let count = options.numbers.len();
        let limits = Limits {
            count: u64::try_from(count).unwrap_or(0),
            budget: options.budget,
        };
        let mut run = alone(&mut command, Case::Command.words(), limits, context);
        let done = run.operations.len();
        let numbers = options.numbers.iter().take(done);
        run.n = numbers
            .map(|&n| real(usize::try_from(n).unwrap_or(usize::MAX)))
            .collect();
        if !context.stopped() && run.ending == Ending::Done {
            let again = again_limits(done, options.budget);
            let again = alone(&mut command, Case::Command.words(), again, context);
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
        }
        runs.push(run);
        return Ok(());
    };
    let mut log = Vec::new();
    let (ending, status) = durations(
        &options.command,
        unit_ns,
        options.budget,
        context.stop,
        &mut log,
    )?;
    if log.is_empty() {
        let text = "the command printed no durations, one number per line".to_owned();
        return Err(Error::Options(text));
    }
    let mut run = gather(vec![(log, ending)], PRINTED, 0);
    run.asked = u64::try_from(run.operations.len()).unwrap_or(0);
    let failed = status.filter(|status| !ExitStatus::success(status));
    run.left = failed.map(|status| format!("the command ended with {status}"));
    runs.push(run);
    Ok(())
}
