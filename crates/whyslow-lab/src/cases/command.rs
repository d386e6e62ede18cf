//! `command`: any command whose cost may grow with a number it is given; or one that measures itself and
//! prints one duration per line.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::bench::Bench;
use crate::case::Case;
use crate::clock::now_ns;
use crate::error::{Error, errno};
use crate::operation::{Ending, Limits, Measured, NO_TIME, Operation};
use crate::options::{Options, Parameter, Takes, words};
use crate::run::{Run, alone, gather, look_again};
use crate::words::Words;

use whyslow_law::count as real;

/// Runs a command with growing numbers.
pub(super) static CASE: Case = Case {
    name: "command",
    about: "run any command with growing numbers as {}, or take the durations it prints",
    examples: &["command -n 1..1024 -- ./parse --copies {}"],
    words: Words::new("command", "A run of the command", "units of n"),
    parameters: &[NUMBERS, PRINTED],
    needs_directory: false,
    takes_command: true,
    check,
    operations: |options| {
        let numbers = u64::try_from(options.list(&NUMBERS).len()).unwrap_or(u64::MAX);
        numbers.max(u64::from(options.has(&PRINTED)))
    },
    measure,
    ..Case::PLAIN
};

/// The numbers, not falling.
const NUMBERS: Parameter = Parameter {
    name: "numbers",
    short: Some('n'),
    value: "LIST",
    help: "the numbers in place of {}: a list as 1,2,5, or A..B, which doubles from A",
    takes: Takes::List(numbers),
    local_only: false,
};

/// The unit of durations that the command prints.
const PRINTED: Parameter = Parameter {
    name: "printed",
    short: None,
    value: "UNIT",
    help: "do not time it, take the numbers it prints, one per line, as ns, us, ms or s",
    takes: Takes::List(|text| words(text, &["ns", "us", "ms", "s"])),
    local_only: false,
};

/// What a command printed.
const PRINTED_WORDS: Words = Words::new("command", "An operation of the command", "operations");

/// Returns the nanoseconds of the unit in which the command prints; `None` if it is timed.
fn unit_ns(options: &Options) -> Option<f64> {
    let at = usize::try_from(*options.list(&PRINTED).last()?).ok()?;
    [1.0, 1e3, 1e6, 1e9].get(at).copied()
}

/// Returns the numbers `text` stands for.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| -> Result<u64, String> {
        let number = text.trim().parse();
        number.map_err(|_| format!("{:?} is not a whole number", text.trim()))
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let Some((from, to)) = part.split_once("..") else {
            numbers.push(number(part)?);
            continue;
        };
        let (from, to) = (number(from)?, number(to)?);
        if from == 0 || to < from {
            return Err("A..B doubles from A, at least 1, to at most B".to_owned());
        }
        let doubled = |n: &u64| n.checked_mul(2).filter(|n| *n <= to);
        numbers.extend(std::iter::successors(Some(from), doubled));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn check(options: &Options) -> Result<(), Error> {
    let (what, hint) = if options.command.is_empty() {
        (
            "the command is missing",
            "as in: whyslow lab command -n 1..1024 -- seq {}",
        )
    } else if options.has(&NUMBERS) == options.has(&PRINTED) {
        (
            "a command needs either --numbers or --printed",
            "-n gives it numbers in place of {}, --printed takes the durations it prints",
        )
    } else {
        return Ok(());
    };
    Err(Error::Unfit {
        what: what.to_owned(),
        hint: hint.to_owned(),
    })
}

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    if let Some(unit_ns) = unit_ns(options) {
        runs.push(measure_printed(unit_ns, bench)?);
        return Ok(());
    }
    let numbers = options.list(&NUMBERS);
    let pass = |limits: Limits| {
        let end = Instant::now() + limits.budget;
        let go_on = || !context.stopped() && Instant::now() < end;
        let mut command = Runs::new(&options.command, numbers, &go_on);
        alone(&mut command, CASE.words, limits, context)
    };
    let mut run = pass(Limits {
        count: u64::try_from(numbers.len()).unwrap_or(0),
        budget: options.budget,
    });
    let done = numbers.iter().take(run.operations.len());
    run.n = done
        .map(|&n| real(usize::try_from(n).unwrap_or(usize::MAX)))
        .collect();
    if run.ending == Ending::Done {
        look_again(&mut run, options, context, |limits| Ok(pass(limits)));
    }
    runs.push(run);
    Ok(())
}

/// Takes the durations that the command prints.
fn measure_printed(unit_ns: f64, bench: &Bench<'_>) -> Result<Run, Error> {
    let (options, stop) = (bench.options, bench.context.stop);
    let mut log = Vec::new();
    let (ending, status) = durations(&options.command, unit_ns, options.budget, stop, &mut log)?;
    if log.is_empty() && ending == Ending::Interrupted {
        return Err(Error::Interrupted);
    }
    if log.is_empty() {
        let text =
            "the command printed no durations; it should print one number per line".to_owned();
        return Err(Error::Options(text));
    }
    let mut run = gather(vec![(log, ending)], PRINTED_WORDS, 0);
    run.asked = u64::try_from(run.operations.len()).unwrap_or(0);
    run.measured_here = false;
    let failed = status.filter(|status| !ExitStatus::success(status));
    run.left = failed.map(|status| format!("the command ended with {status}"));
    Ok(run)
}

/// Runs of a command, one per number.
struct Runs<'a> {
    command: &'a [OsString],
    numbers: &'a [u64],
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> Runs<'a> {
    /// Returns runs of `command` with each of `numbers` in place of `{}` or `{n}`; one that runs when
    /// `go_on` says no is ended.
    fn new(command: &'a [OsString], numbers: &'a [u64], go_on: &'a dyn Fn() -> bool) -> Self {
        Self {
            command,
            numbers,
            go_on,
        }
    }
}

impl Operation for Runs<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let number = self.numbers.get(at).copied().unwrap_or(0);
        let mut command = filled(self.command, number).ok_or(Errno::INVAL)?;
        command.stdout(Stdio::null()).stdin(Stdio::null());
        let mut child = command.spawn().map_err(|error| errno(&error))?;
        let status = ended(&mut child, self.go_on).map_err(|error| errno(&error))?;
        match status {
            Some(status) if status.success() => Ok(0),
            Some(_) => Err(Errno::CHILD),
            None => Err(NO_TIME),
        }
    }
}

/// How often is asked whether to go on.
const ASKED: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Waits for `child` as long as `go_on` says so; `None` if it had to be killed.
fn ended(child: &mut Child, go_on: &dyn Fn() -> bool) -> std::io::Result<Option<ExitStatus>> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Kernels before 5.3 cannot tell; there it is waited for to the end.
    let end = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    while let Some(end) = &end {
        match poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&ASKED)) {
            Ok(0) | Err(Errno::INTR) if go_on() => {}
            Ok(0) | Err(Errno::INTR) => {
                // It may have ended by itself meanwhile.
                let _gone = child.kill();
                child.wait()?;
                return Ok(None);
            }
            _ => break,
        }
    }
    child.wait().map(Some)
}

/// Returns `command` with `number` in place of `{}` or `{n}`.
fn filled(command: &[OsString], number: u64) -> Option<Command> {
    let word = |word: &OsString| match word.to_str() {
        Some(text) => {
            let number = number.to_string();
            OsString::from(text.replace("{n}", &number).replace("{}", &number))
        }
        None => word.clone(),
    };
    let (program, words) = command.split_first()?;
    let mut filled = Command::new(word(program));
    filled.args(words.iter().map(word));
    Some(filled)
}

/// Most durations that are taken from a command.
const MOST_PRINTED: usize = 8_000_000;
/// Most bytes of a line.
const MOST_LINE: u64 = 1 << 16;

/// Runs `command`, which prints one duration per line in units of `unit_ns`, for `budget` at most; lines
/// that are no number are passed over. The starts are sums of what came before.
fn durations(
    command: &[OsString],
    unit_ns: f64,
    budget: Duration,
    stop: &AtomicBool,
    log: &mut Vec<Measured>,
) -> Result<(Ending, Option<ExitStatus>), Error> {
    let (program, words) = command
        .split_first()
        .ok_or_else(|| Error::Options("a command is missing".to_owned()))?;
    let failed = || Error::io::<std::io::Error>("run", std::path::Path::new(program));
    let mut running = Command::new(program);
    running
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = running.spawn().map_err(failed())?;
    let (sender, lines) = sync_channel(1024);
    if let Some(out) = child.stdout.take() {
        // It ends with the command's output, or when nobody takes the lines any more.
        std::thread::spawn(move || tell_lines(out, &sender));
    }
    let end = Instant::now() + budget;
    let mut start_ns = now_ns();
    let ending = loop {
        if stop.load(Ordering::Relaxed) {
            break Ending::Interrupted;
        }
        if Instant::now() >= end || log.len() >= MOST_PRINTED {
            break Ending::Budget;
        }
        match lines.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => {
                let Some(duration_ns) = duration(&line, unit_ns) else {
                    continue;
                };
                log.push(Measured {
                    start_ns,
                    duration_ns,
                    result: 0,
                    count: 0,
                });
                start_ns = start_ns.saturating_add(duration_ns);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break Ending::Done,
        }
    };
    // Who says no more may still go on.
    let go_on = || ending == Ending::Done && !stop.load(Ordering::Relaxed) && Instant::now() < end;
    let status = ended(&mut child, &go_on).map_err(failed())?;
    Ok((ending, status.filter(|_| ending == Ending::Done)))
}

/// Sends the lines of `out`, whatever their encoding, until the end, or until nobody takes them.
fn tell_lines(out: impl Read, lines: &SyncSender<String>) {
    let mut out = BufReader::new(out);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut out).take(MOST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        if lines.send(text).is_err() {
            return;
        }
    }
}

/// Returns the first number of a line, as nanoseconds.
fn duration(line: &str, unit_ns: f64) -> Option<u64> {
    let number = line
        .split([' ', '\t', '\r', '\n', ',', ';'])
        .find_map(|word| word.parse::<f64>().ok())?;
    let fits = (0.0..9e18 / unit_ns).contains(&number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    fits.then(|| (number * unit_ns).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_lists_and_doublings() {
        assert_eq!(numbers("5,1,2"), Ok(vec![1, 2, 5]));
        assert_eq!(numbers("3..25"), Ok(vec![3, 6, 12, 24]));
        assert_eq!(numbers("1..4,100"), Ok(vec![1, 2, 4, 100]));
        let far = numbers("9223372036854775808..18446744073709551615");
        assert_eq!(far.map(|numbers| numbers.len()), Ok(1));
        for odd in ["", "x", "0..5", "5..1", "1,,2", "-1"] {
            assert!(numbers(odd).is_err(), "{odd}");
        }
    }

    fn words(line: &str) -> Vec<OsString> {
        line.split('|').map(OsString::from).collect()
    }

    #[test]
    fn the_number_stands_where_the_command_wants_it() {
        let command = words("sh|-c|test {n} -lt 3 -a {} -lt 3");
        let mut runs = Runs::new(&command, &[1, 2, 5], &|| true);
        assert_eq!((runs.run(0), runs.run(1)), (Ok(0), Ok(0)));
        assert_eq!(runs.run(2), Err(Errno::CHILD));
        let missing = words("/nonexistent/program");
        assert_eq!(
            Runs::new(&missing, &[1], &|| true).run(0),
            Err(Errno::NOENT)
        );
    }

    #[test]
    fn a_run_that_does_not_end_is_ended() {
        let endless = words("sleep|600");
        assert_eq!(Runs::new(&endless, &[1], &|| false).run(0), Err(NO_TIME));
    }

    #[test]
    fn printed_durations_are_read() {
        let command = words("printf|ms per call\\n0.5\\n2 ms\\n-3\\nx\\n");
        let (mut log, stop) = (Vec::new(), AtomicBool::new(false));
        let minute = Duration::from_secs(60);
        let (ending, status) = durations(&command, 1e6, minute, &stop, &mut log).expect("run");
        assert_eq!(ending, Ending::Done);
        assert!(status.is_some_and(|status| status.success()));
        let took: Vec<u64> = log.iter().map(|one| one.duration_ns).collect();
        assert_eq!(took, [500_000, 2_000_000]);
    }

    #[test]
    fn a_command_that_does_not_end_is_ended() {
        let endless = words("sh|-c|printf 'caf\\351 1\\n2\\n'; exec sleep 600");
        let (mut log, stop) = (Vec::new(), AtomicBool::new(false));
        let brief = Duration::from_secs(3);
        let (ending, status) = durations(&endless, 1.0, brief, &stop, &mut log).expect("run");
        assert_eq!((ending, status), (Ending::Budget, None));
        assert_eq!(log.len(), 2);
        stop.store(true, Ordering::Relaxed);
        let minute = Duration::from_secs(60);
        let (ending, _) = durations(&endless, 1.0, minute, &stop, &mut log).expect("run");
        assert_eq!(ending, Ending::Interrupted);
        // It says that it is done, and is not.
        let silent = words("sh|-c|echo 1; exec sleep 600 >&-");
        stop.store(false, Ordering::Relaxed);
        let brief = Duration::from_secs(1);
        let (ending, status) = durations(&silent, 1.0, brief, &stop, &mut log).expect("run");
        assert_eq!((ending, status), (Ending::Done, None));
    }
}
