//! `now`: record the machine for a few seconds, and say what it does.

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_explain::{Target, UnitAsked, explain_machine, explain_unit};
use whyslow_extract::Extract;
use whyslow_files::name::within;
use whyslow_groups::RunningUnits;
use whyslow_model::{Unit, UnitsOf, WantedUnit, Watch};
use whyslow_pipeline::Pipeline;
use whyslow_record::{Error, RecordReport, Recorder, Standby};
use whyslow_render::number;
use whyslow_source::Part;
use whyslow_symbols::Inlined;

use crate::args::NowArgs;
use crate::ask::failed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::findings::Filter;
use crate::inputs;
use crate::output;
use crate::progress::Spectator;
use crate::record;
use crate::reply::{self, Reply};
use crate::symbols;
use crate::terminal::Terminal;
use crate::why;
use whyslow_pipeline::place::output_path;

/// Clears the screen of a terminal.
const CLEAR: &str = "\x1b[H\x1b[2J\x1b[3J";

/// Records, and explains; with `--watch` again and again.
pub(crate) fn now(
    args: &NowArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    // A mistyped name is an error before anything is recorded.
    let unit = args.unit.wanted().map(unit_named).transpose()?;
    let filter = Filter::new(&args.findings, terminal)?;
    let dir = &args.output_dir;
    let made = whyslow_files::owner::create_dirs(dir);
    made.map_err(|error| Failure::io(format!("create {}", dir.display()), &error))?;
    // It is created again when there is something to write.
    drop(reply::claim(&args.answer)?);
    let watch = Spectator::new(terminal)?;
    // All rounds share what is loaded and opened.
    let mut standby = args.watch.then(Standby::default);
    loop {
        let name = format!("now-{}.data", whyslow_stamp::now());
        let trace = within(dir, &name);
        watch
            .interrupt
            .remove_at_end(args.watch.then(|| trace.clone()));
        let report = recorded(args, &trace, words, (terminal, standby.as_mut()))?;
        if !args.watch {
            whyslow_person::rights::give_up();
        }
        if args.watch && (report.duration < args.time || watch.is_interrupted()) {
            removed(&report.output)?;
            return Ok(Exit::Success);
        }
        let path = match extracted(args, &report.output, &watch) {
            Err(failure) if args.watch => {
                removed(&report.output)?;
                let is_over = watch.is_interrupted();
                return is_over.then_some(Exit::Success).ok_or(failure);
            }
            extracted => extracted?,
        };
        let reply = explained((args, &filter), unit.as_ref(), &path, terminal);
        if args.watch {
            let gone = fs::remove_dir_all(&path);
            gone.map_err(|error| Failure::io(format!("remove {}", path.display()), &error))?;
            if io::stdout().is_terminal() && args.answer.output.is_none() {
                let _gone = io::stdout().write_all(CLEAR.as_bytes());
            }
        }
        let reply = reply?;
        let found = reply.is_found();
        // Whoever reads the answers may not do so for long.
        let to = args.answer.output.as_deref();
        let at_once = args.watch && to.is_none_or(output::is_standard);
        watch.interrupt.end_at_once(at_once);
        if args.watch && watch.is_interrupted() {
            return Ok(Exit::Success);
        }
        let is_read = reply::write(&[reply], &args.answer, terminal)?;
        watch.interrupt.end_at_once(false);
        record::tell_missing_briefly(&report, terminal);
        let is_over = report.interrupted || watch.is_interrupted();
        match (args.watch && is_read && !is_over, found) {
            (true, _) => {}
            (false, true) => return Ok(Exit::Success),
            (false, false) => return Ok(Exit::NothingMatched),
        }
    }
}

fn recorded(
    args: &NowArgs,
    trace: &Path,
    words: &[OsString],
    (terminal, standby): (&Terminal, Option<&mut Standby>),
) -> Result<RecordReport, Failure> {
    // There is no command whose exit code could be mistaken for ours.
    let failed = |error: &Error| match record::failed(error) {
        failure if failure.exit == Exit::RecorderFailed => failure.exit(Exit::Failure),
        failure => failure,
    };
    let mut settings = record::settings(&args.recording, trace, false, words)?;
    settings.numbers_output = true;
    let recorder = Recorder::new(settings).map_err(|error| failed(&error))?;
    if terminal.progress {
        let ns = i64::try_from(args.time.as_nanos()).unwrap_or(i64::MAX);
        terminal.tell(&format!("recording for {}", number::duration(ns)));
    }
    let finished = recorder.run_round(args.time, standby);
    finished.map_err(|error| failed(&error))
}

/// Extracts the recording, and removes it.
fn extracted(args: &NowArgs, trace: &Path, watch: &Arc<Spectator>) -> Result<PathBuf, Failure> {
    watch.clear();
    let mut lookup = symbols::of_import(&args.import.symbols, watch);
    if let Some(lookup) = lookup.as_mut().filter(|one| one.inlined == Inlined::Never) {
        lookup.inlined = Inlined::WhereSmall;
    }
    let pipeline = Pipeline {
        memory: usize::try_from(args.import.memory).unwrap_or(usize::MAX),
        lookup: lookup.as_ref(),
        replace: false,
        redact: false,
        watch: Arc::clone(watch) as _,
    };
    let extracted = pipeline.extract(&[Part::plain(trace)], &output_path(trace, None));
    let extracted = extracted.map_err(|error| {
        let kept = format!("the recording is kept: whyslow extract {}", trace.display());
        match args.watch {
            true => Failure::from(error),
            false => Failure::from(error).hint_first(&kept),
        }
    })?;
    watch.clear();
    removed(trace)?;
    Ok(extracted.path)
}

fn removed(trace: &Path) -> Result<(), Failure> {
    let removed = fs::remove_file(trace);
    removed.map_err(|error| Failure::io(format!("remove {}", trace.display()), &error))
}

/// Returns the container or service of that name, and its processes.
fn unit_named(wanted: WantedUnit<'_>) -> Result<(Unit, Vec<u32>), Failure> {
    let running = RunningUnits::now();
    let unit = running.find(wanted).map_err(|why| {
        let cause = why.cause(wanted, UnitsOf::Now);
        Failure::cannot(format!("explain {wanted}"), cause).hint(why.advice(wanted, UnitsOf::Now))
    })?;
    Ok((unit.clone(), running.processes_of(unit).to_vec()))
}

fn explained(
    (args, filter): (&NowArgs, &Filter),
    unit: Option<&(Unit, Vec<u32>)>,
    path: &Path,
    terminal: &Terminal,
) -> Result<Reply, Failure> {
    let extract = Extract::open(path).map_err(|error| inputs::unopened(&error))?;
    // An extract that is removed again cannot be queried.
    let shown = (!args.watch).then(|| path.to_string_lossy().into_owned());
    let mut target = Target {
        extract: shown,
        ..Target::default()
    };
    let machine = match (unit, &args.process) {
        (Some((unit, before)), _) => {
            let after = RunningUnits::now();
            let os_pids = &[before, after.processes_of(unit)].concat();
            explain_unit(&extract, &target, UnitAsked { unit, os_pids })
        }
        (None, Some(wanted)) => {
            target.os_pid = Some(why::pid_of(&extract, wanted, terminal)?);
            let answer = whyslow_explain::explain(&extract, &target).map_err(failed)?;
            let answer = filter.with_rules(answer, &extract, &target)?;
            return Ok(Reply::Process(filter.apply(answer)));
        }
        (None, None) => explain_machine(&extract, &target),
    };
    let machine = machine.map_err(failed)?;
    let shown = filter.apply_to_all(machine, &extract, &target)?;
    Ok(Reply::Machine(Box::new(shown)))
}
