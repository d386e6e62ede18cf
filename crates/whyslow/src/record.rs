//! `record`: settings from arguments, the recording, its report.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use whyslow_files::cause::{plain, without_number};
use whyslow_record::{
    CommandEnding, CommandOutcome, DropReason, Error, ExtraTracepoint, Missing, Part, Profile,
    RecordReport, Recorder, Settings,
};
use whyslow_render::{escape, number};

use crate::args::{MarkArgs, RecordArgs, RecordingArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::owner;
use crate::terminal::Terminal;

/// Records until the command ends, the time is over, or Ctrl-C.
pub(crate) fn record(
    args: &RecordArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    if args.output.as_deref().is_some_and(output::is_standard) {
        let failure = Failure::usage("a recording cannot go to standard output");
        return Err(own(failure.hint("give -o the name of a file")));
    }
    let output = args.output.clone();
    let output =
        output.unwrap_or_else(|| PathBuf::from(format!("{}.data", whyslow_stamp::host_and_time())));
    let settings = settings(&args.recording, &output, args.force, words);
    let mut settings = settings.map_err(own)?;
    settings.numbers_output = args.output.is_none();
    if !args.command.is_empty() {
        settings.command_of = owner::of_command(&args.owner, terminal).map_err(own)?;
    }
    let recorder = Recorder::new(settings).map_err(|error| failed(&error))?;
    let finished = if args.command.is_empty() {
        let until = args.time.map_or("until Ctrl-C".to_owned(), |time| {
            let ns = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
            format!("for {}", number::duration(ns))
        });
        if terminal.progress {
            terminal.tell(&format!("recording {until}"));
        }
        recorder.run_for(args.time)
    } else {
        recorder.run_command(&args.command)
    };
    whyslow_person::rights::give_up();
    let report = finished.map_err(|error| failed(&error))?;
    tell(&report, terminal);
    if report.command.is_none() {
        let hint = format!("whyslow extract {}", report.output.display());
        terminal.tell(&format!("next: {}", escape(&hint)));
    }
    Ok(report.command.map_or(Exit::Success, exit_of))
}

/// Returns the recorder's settings.
pub(crate) fn settings(
    args: &RecordingArgs,
    output: &Path,
    replace: bool,
    words: &[OsString],
) -> Result<Settings, Failure> {
    let mut settings = Settings::new(output);
    settings.replace_output = replace;
    settings.use_profile(Profile::of_name(&args.profile).unwrap_or_default());
    settings.ring_bytes = usize::try_from(args.buffer).unwrap_or(usize::MAX);
    settings.stack_dump_bytes = u32::try_from(args.stack_size).unwrap_or(u32::MAX);
    settings.use_bpf = !args.no_bpf;
    choose(&mut settings, args);
    settings.command_line = words.to_vec();
    for event in &args.event {
        let Some((group, name)) = event.split_once(':') else {
            let failure = Failure::usage(format!("{event:?} is not a tracepoint"));
            return Err(failure.hint("name it GROUP:NAME, such as block:block_rq_issue"));
        };
        settings.tracepoints.push(ExtraTracepoint {
            group: group.to_owned(),
            name: name.to_owned(),
            has_stack: true,
        });
    }
    Ok(settings)
}

/// Decides what is recorded: options add to the profile and override it.
fn choose(settings: &mut Settings, args: &RecordingArgs) {
    settings.choose(&args.only, &args.without);
    if args.no_syscalls {
        settings.leave_out(Part::SystemCalls);
    }
    settings.record_network &= !args.no_network;
    settings.sample_hz = args.frequency.unwrap_or(settings.sample_hz);
    settings.stacks_per_second = args.stack_rate.unwrap_or(settings.stacks_per_second);
    if let Some(bytes) = args.stack_budget {
        settings.user_stack_bytes_per_second = u32::try_from(bytes).unwrap_or(u32::MAX);
    }
    if let Some(threshold) = args.wait_threshold {
        settings.wait_threshold_ns = u64::try_from(threshold.as_nanos()).unwrap_or(u64::MAX);
    }
    settings.file_rows_per_second = args.file_list_rate.unwrap_or(settings.file_rows_per_second);
    if args.exact_call_times {
        settings.hot_call_gap_ns = 0;
    }
}

/// Sets marks in the recordings that run.
pub(crate) fn mark(args: MarkArgs) -> Result<Exit, Failure> {
    let values = args.value.into_iter().map(OsString::from);
    if whyslow_marks::spelling::set_all(&args.text.into_iter().chain(values).collect::<Vec<_>>()) {
        return Ok(Exit::Success);
    }
    let failure = Failure::usage("a mark has no text, or one that is too long; none was set");
    Err(failure.hint("give each 1 to 2,000 bytes; % counts as three"))
}

/// Returns the exit code after a command that ended like that.
pub(crate) fn exit_of(command: CommandOutcome) -> Exit {
    Exit::Command(u8::try_from(command.ending.shell_code()).unwrap_or(u8::MAX))
}

/// Returns how the command ended, for the end of a message about something else.
pub(crate) fn ending(command: CommandOutcome) -> String {
    match command.ending {
        CommandEnding::Exited(code) => format!("; the command ended with exit code {code}"),
        CommandEnding::Signaled(signal) => format!("; signal {signal} ended the command"),
    }
}

/// Returns a failure of our own: its exit code must not be mistaken for the command's.
pub(crate) fn own(failure: Failure) -> Failure {
    failure.exit(Exit::RecorderFailed)
}

/// Returns the failure of a recording.
pub(crate) fn failed(error: &Error) -> Failure {
    let failure = match error {
        Error::NotPermitted {
            what,
            source,
            remedy,
        } => Failure::cannot(
            "record",
            format!(
                "the kernel permits no recording ({what}): {}",
                plain(source)
            ),
        )
        .hint(remedy),
        Error::CommandNeeded { remedy } => Failure::cannot(
            "record the whole machine",
            "the kernel permits recording only your own processes",
        )
        .hint(remedy),
        Error::OutputExists { path } => {
            Failure::cannot(format!("write {}", path.display()), "it already exists")
                .hint("choose another name with -o, or replace it with --force")
        }
        Error::Output {
            path,
            source,
            command,
        } => {
            let what = format!("write {}", path.display());
            let end = command.map_or_else(String::new, ending);
            Failure::cannot(what, plain(source) + &end).hint_on(source)
        }
        Error::Command { command, source } => return not_run(command, source),
        Error::Aborted { .. } => {
            return Failure::cannot("record", "interrupted; the recording is discarded")
                .exit(Exit::Interrupted);
        }
        error => Failure::cannot("record", without_number(&error.to_string())),
    };
    own(failure)
}

fn not_run(command: &str, source: &io::Error) -> Failure {
    let failure = Failure::cannot(format!("run {command}"), plain(source));
    match source.kind() {
        io::ErrorKind::NotFound => Failure::cannot(format!("run {command}"), "command not found")
            .hint("check the spelling, or give the path of the program")
            .exit(Exit::NotFound),
        io::ErrorKind::PermissionDenied => failure
            .hint("the file is not executable: chmod +x")
            .exit(Exit::NotExecutable),
        _ => failure.exit(Exit::NotExecutable),
    }
}

/// Reports what a recording contains.
pub(crate) fn tell(report: &RecordReport, terminal: &Terminal) {
    let ns = |time: std::time::Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    let count = |count: u64| number::grouped(i64::try_from(count).unwrap_or(i64::MAX));
    let samples: u64 = report.events.iter().map(|event| event.samples).sum();
    let line = format!(
        "{}: {}, {}, {} events; the recorder used {} of CPU",
        report.output.display(),
        number::duration(ns(report.duration)),
        number::bytes(i64::try_from(report.file_bytes).unwrap_or(i64::MAX)),
        count(samples),
        number::duration(ns(report.recorder_user + report.recorder_system)),
    );
    terminal.tell(&escape(&line));
    tell_losses(report, terminal);
    tell_missing(report, terminal);
}

/// Reports what was lost or deliberately left out.
fn tell_losses(report: &RecordReport, terminal: &Terminal) {
    let count = |count: u64| number::grouped(i64::try_from(count).unwrap_or(i64::MAX));
    if report.lost() > 0 {
        let text = format!(
            "{} events were lost because a buffer was full; record again with a larger --buffer",
            count(report.lost())
        );
        terminal.note("data loss", &text);
    }
    for reason in DropReason::ALL {
        let of_reason = report.dropped_stacks.iter();
        let what: Vec<String> = of_reason
            .filter(|dropped| dropped.reason == reason)
            .map(|dropped| match reason {
                DropReason::Sampled | DropReason::Rate => {
                    format!("{} stacks of {}", count(dropped.count), dropped.name)
                }
                _ => format!("{} {}", count(dropped.count), dropped.name),
            })
            .collect();
        if !what.is_empty() {
            terminal.note(
                "note",
                &format!("{}: {}", reason.in_words(), what.join(", ")),
            );
        }
    }
}

/// Reports what could not be recorded and why, and each remedy once.
fn tell_missing(report: &RecordReport, terminal: &Terminal) {
    for missing in &report.missing {
        terminal.note(
            "not recorded",
            &format!("{} ({})", missing.what, without_number(&missing.why)),
        );
    }
    for remedy in report.remedies() {
        terminal.note("hint", remedy);
    }
}

/// Reports in two lines what could not be recorded and what to do, after an answer. The answer itself says what only
/// root can record.
pub(crate) fn tell_missing_briefly(report: &RecordReport, terminal: &Terminal) {
    let missing = report.missing.iter();
    let missing = missing.filter(|missing| !Missing::is_for_root(&missing.remedy));
    let what: Vec<&str> = missing.map(|missing| missing.what.as_str()).collect();
    if !what.is_empty() {
        terminal.note("not recorded", &what.join("; "));
    }
    let mut remedies = report.remedies().into_iter();
    if let Some(remedy) = remedies.find(|remedy| !Missing::is_for_root(remedy)) {
        terminal.note("hint", remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    #[test]
    fn the_options_defaults_are_the_recorders() {
        let Some(Command::Record(args)) = Cli::parse_from(["whyslow", "record"]).command else {
            panic!("not understood");
        };
        let ours = settings(&args.recording, Path::new("x"), false, &[]).unwrap();
        assert_eq!(format!("{ours:?}"), format!("{:?}", Settings::new("x")));
    }
}
