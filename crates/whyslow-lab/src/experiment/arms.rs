//! Cases that compare ways of doing the same.

use std::process::ExitStatus;
use std::time::Instant;

use super::{Context, Run, alone, gather, look_again};
use crate::cases::command::{Runs, durations};
use crate::cases::settings::{Settings, Way};
use crate::cases::starts::{Call, LogName, Probe, Spawn};
use crate::cases::writing::{ways, write_files};
use crate::cases::{Case, GROWING, Options, PRINTED};
use crate::error::Error;
use crate::operation::{Ending, Limits};
use crate::place::{Ground, Place};
use whyslow_law::count as real;

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
            look_again(&mut run, options, context, |limits| {
                Ok(alone(&mut settings, words, limits, context))
            });
        }
        runs.push(run);
    }
    finish(place, runs);
    Ok(())
}

/// Removes a place; what stays is noted with the last run.
fn finish(place: Place, runs: &mut [Run]) {
    let left = place.remove().err().map(|error| error.plain());
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
        look_again(&mut run, options, context, |limits| {
            let place = Place::make(ground)?;
            let mut probe = Probe::new(context.program, &place, name);
            Ok(alone(&mut probe, words, limits, context))
        });
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
    if options.memory > 0 && step == 0 {
        let text = "a parent that grows grows by a byte or more at every start";
        return Err(Error::Options(text.to_owned()));
    }
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
        look_again(&mut run, options, context, |limits| {
            let mut spawn = Spawn::new(call, step, options.descriptors)?;
            Ok(alone(&mut spawn, words, limits, context))
        });
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
    for (arm, strategy, threads) in ways(options) {
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
        let written = written.map_err(Error::io("start the threads for", place.path()))?;
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
        let pass = |limits: Limits| {
            let end = Instant::now() + limits.budget;
            let go_on = || !context.stopped() && Instant::now() < end;
            let mut command = Runs::new(&options.command, &options.numbers, &go_on);
            alone(&mut command, Case::Command.words(), limits, context)
        };
        let mut run = pass(Limits {
            count: u64::try_from(options.numbers.len()).unwrap_or(0),
            budget: options.budget,
        });
        let done = run.operations.len();
        let numbers = options.numbers.iter().take(done);
        run.n = numbers
            .map(|&n| real(usize::try_from(n).unwrap_or(usize::MAX)))
            .collect();
        if run.ending == Ending::Done {
            look_again(&mut run, options, context, |limits| Ok(pass(limits)));
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
    if log.is_empty() && ending == Ending::Interrupted {
        return Err(Error::Interrupted);
    }
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
