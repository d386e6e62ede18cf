//! `command`: any command whose cost may grow with a number it is given, or several beside each other; or one
//! that measures itself and prints one duration per line.

mod printed;

use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::account::{children, contended_ns};
use crate::bench::{Bench, Context};
use crate::case::Case;
use crate::checks;
use crate::clock::now_ns;
use crate::error::{Error, errno};
use crate::measuring::again_limits;
use crate::named_command::NamedCommand;
use crate::number::one_of;
use crate::operation::{Limits, room};
use crate::options::{Options, Parameter, Takes, words};
use crate::quota::throttled_ns;
use printed::durations;
use whyslow_series::{Ending, Measured, Run, Spent, Words, run::gather};

use whyslow_law::count as real;

/// Runs a command with growing numbers.
pub(super) static CASE: Case = Case {
    name: "command",
    about: "run any command with growing numbers as {}, or --count times, or take the durations it prints",
    examples: &[
        "command -n 1..1024 -- ./parse --copies {}",
        "command -n 1k..1M --name old -- ./old {} --vs --name new -- ./new {}",
    ],
    words: Words::new("command", "A run of the command", "n"),
    parameters: &[NUMBERS, PRINTED],
    needs_directory: false,
    takes_command: true,
    check,
    larger,
    operations: |options| {
        let each = u64::try_from(options.list(&NUMBERS).len()).unwrap_or(u64::MAX);
        let each = each
            .max(options.count)
            .max(u64::from(options.has(&PRINTED)));
        each.saturating_mul(u64::try_from(options.commands.len()).unwrap_or(u64::MAX))
    },
    series: |options| u32::try_from(options.commands.len()).unwrap_or(u32::MAX),
    measure,
    ..Case::PLAIN
};

/// The same command again and again.
const REPEATED: Words = Words::new("command", "A run of the command", "runs");

/// The numbers, not falling.
const NUMBERS: Parameter = Parameter {
    name: "numbers",
    short: Some('n'),
    value: "LIST",
    help: "the numbers in place of {}: a list such as 1,2,5, or A..B, which doubles from A",
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

/// Returns the numbers in `text`.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| one_of(text, u64::MAX);
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
    let unfit = |what: String, hint: &str| {
        Err(Error::Unfit {
            what,
            hint: hint.to_owned(),
        })
    };
    if options.commands.is_empty() {
        let hint = "for example: whyslow lab command -n 1..1024 -- seq {}";
        return unfit("the command is missing".to_owned(), hint);
    }
    let given = [
        options.has(&NUMBERS),
        options.has(&PRINTED),
        options.count > 0,
    ];
    if given.iter().filter(|given| **given).count() != 1 {
        let hint = "-n runs it with numbers in place of {}, --count that many times, --printed takes the durations \
                    it prints";
        return unfit(
            "a command needs exactly one of --numbers, --count (at least 1) and --printed"
                .to_owned(),
            hint,
        );
    }
    let mut commands = options.commands.iter();
    match commands.find(|command| command.takes_number() != options.has(&NUMBERS)) {
        Some(command) if options.has(&NUMBERS) => {
            let what = format!(
                "\"{}\" would run alike for every number: it has no {{}}",
                command.line()
            );
            let hint = "write {} where the number belongs, for example seq {}; or leave out --numbers, and use --count";
            unfit(what, hint)
        }
        Some(command) => {
            let what = format!(
                "\"{}\" has a place for a number, but there is none",
                command.line()
            );
            unfit(
                what,
                "-n says which numbers take the place of {}, for example -n 1..1024",
            )
        }
        None => Ok(()),
    }
}

/// Returns what asks for larger numbers; a command that measures itself has none.
fn larger(options: &Options, times: u64) -> Option<Options> {
    let numbers = checks::numbers(options.list(&NUMBERS), times)?;
    let mut larger = options.clone();
    larger.given.insert(NUMBERS.name, numbers);
    Some(larger)
}

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let options = bench.options;
    if let Some(unit_ns) = unit_ns(options) {
        for command in &options.commands {
            runs.push(measure_printed(command, unit_ns, bench)?);
        }
        return Ok(());
    }
    let numbers = match options.list(&NUMBERS) {
        [] => Numbers::Times(options.count),
        list => Numbers::List(list),
    };
    let limits = Limits {
        count: numbers.len(),
        budget: options.budget,
    };
    let mut new = in_turns(&numbers, limits, bench);
    if new.iter().all(|run| run.ending == Ending::Done) {
        let done = usize::try_from(limits.count).unwrap_or(usize::MAX);
        let again = again_limits(done, options.budget);
        for (run, again) in new.iter_mut().zip(in_turns(&numbers, again, bench)) {
            run.first.again_cpu_ns.clone_from(&again.first.cpu_ns);
            run.first.again = again.first.into_measured();
        }
    }
    runs.extend(new);
    Ok(())
}

/// What takes the place of `{}`.
enum Numbers<'a> {
    /// These numbers.
    List(&'a [u64]),
    /// Nothing does: it runs this many times.
    Times(u64),
}

impl Numbers<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::List(list) => u64::try_from(list.len()).unwrap_or(u64::MAX),
            Self::Times(times) => *times,
        }
    }

    fn words(&self) -> Words {
        match self {
            Self::List(_) => CASE.words,
            Self::Times(_) => REPEATED,
        }
    }

    /// Returns the number for `at`, which counts from 0.
    fn number(&self, at: u64) -> u64 {
        let listed = |list: &[u64]| {
            usize::try_from(at)
                .ok()
                .and_then(|at| list.get(at).copied())
        };
        match self {
            Self::List(list) => listed(list).unwrap_or(0),
            Self::Times(_) => at + 1,
        }
    }
}

/// What one of several commands measured.
struct Seat<'a> {
    command: &'a NamedCommand,
    log: Vec<Measured>,
    ending: Ending,
    spent: Spent,
    cpu_ns: Vec<u64>,
    contended_ns: u64,
}

/// Runs the commands with each of `numbers`, in turns, so that a change on the machine meanwhile affects all of them.
fn in_turns(numbers: &Numbers<'_>, limits: Limits, bench: &Bench<'_>) -> Vec<Run> {
    let (commands, context) = (&bench.options.commands, bench.context);
    let seat = |command| Seat {
        command,
        log: room(limits.count),
        ending: Ending::Done,
        spent: Spent::default(),
        cpu_ns: Vec::new(),
        contended_ns: 0,
    };
    let mut seats: Vec<Seat<'_>> = commands.iter().map(seat).collect();
    let all = u32::try_from(seats.len()).unwrap_or(u32::MAX);
    let end = Instant::now() + limits.budget.saturating_mul(all);
    for at in 0..limits.count {
        let number = numbers.number(at);
        // Another one begins each time: the first may have it harder.
        let first = usize::try_from(at).unwrap_or(0) % seats.len().max(1);
        seats.rotate_left(first);
        for seat in seats.iter_mut().filter(|seat| seat.ending == Ending::Done) {
            seat.turn(number, end, context);
        }
        seats.rotate_right(first);
        if seats.iter().all(|seat| seat.ending != Ending::Done) {
            break;
        }
        if seats.len() > 1 {
            (context.tell)(&format!("n = {number}"));
        }
    }
    let runs = seats.into_iter().map(|seat| {
        let setup = bench.setup(numbers.words()).asking(limits.count);
        let setup = setup.named(&seat.command.name);
        let mut run = gather(vec![(seat.log, seat.ending)], setup);
        run.first.spent = Some(seat.spent);
        run.first.cpu_ns = seat.cpu_ns;
        run.first.contended_ns = seat.contended_ns;
        let sizes = (0..)
            .take(run.first.operations.len())
            .map(|at| numbers.number(at));
        run.first.n = sizes
            .map(|n| real(usize::try_from(n).unwrap_or(usize::MAX)))
            .collect();
        run
    });
    runs.collect()
}

impl Seat<'_> {
    /// Runs the command with `number`, and keeps how long that took.
    fn turn(&mut self, number: u64, end: Instant, context: Context<'_>) {
        let go_on = || !context.stopped() && Instant::now() < end;
        let over = |context: Context<'_>| match context.stopped() {
            true => Ending::Interrupted,
            false => Ending::Budget,
        };
        if !go_on() {
            self.ending = over(context);
            return;
        }
        let (before, throttled, contended) = (children(), throttled_ns(), contended_ns());
        let start_ns = now_ns();
        let ran = run_once(&self.command.words, number, &go_on);
        let end_ns = now_ns();
        let after = children();
        let failed = match ran {
            // Ctrl-C also reaches what was started: it has not failed then.
            Ok(None) | Err(_) if context.stopped() => None,
            Ok(Some(status)) if context.stopped() && !status.success() => None,
            Ok(None) => None,
            Ok(Some(status)) if status.success() => Some(Ending::Done),
            Ok(Some(status)) => Some(Ending::Exited(code_of(status))),
            Err(errno) => Some(Ending::Failed(errno.raw_os_error())),
        };
        let Some(ending) = failed else {
            self.ending = over(context);
            return;
        };
        self.ending = ending;
        self.spent.wall_ns += end_ns - start_ns;
        let [program, kernel] = [0, 1].map(|of: usize| after[of].saturating_sub(before[of]));
        self.spent.program_ns += program;
        self.spent.kernel_ns += kernel;
        self.cpu_ns.push(program + kernel);
        self.contended_ns += contended_ns().saturating_sub(contended);
        self.spent.throttled_ns += throttled_ns().saturating_sub(throttled);
        self.log.push(Measured {
            start_ns,
            duration_ns: end_ns - start_ns,
            result: match ending {
                Ending::Done => 0,
                Ending::Failed(errno) => errno,
                _ => Errno::CHILD.raw_os_error(),
            },
            count: 0,
        });
    }
}

/// Returns the exit code of `status`; for a signal that ended it, that signal's number below zero.
fn code_of(status: ExitStatus) -> i32 {
    let signal = status.signal().map(|signal| -signal);
    status.code().or(signal).unwrap_or(1)
}

/// Runs `command` with `number`; returns how it ended, or nothing if it had to be ended, as `go_on` said so.
fn run_once(
    command: &[OsString],
    number: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<ExitStatus>, Errno> {
    let mut command = filled(command, number).ok_or(Errno::INVAL)?;
    command.stdout(Stdio::null()).stdin(Stdio::null());
    // What it starts ends with it.
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| errno(&error))?;
    ended(&mut child, go_on).map_err(|error| errno(&error))
}

/// Takes the durations that the command prints.
fn measure_printed(command: &NamedCommand, unit_ns: f64, bench: &Bench<'_>) -> Result<Run, Error> {
    let (options, stop) = (bench.options, bench.context.stop);
    let mut log = Vec::new();
    let (ending, status) = durations(&command.words, unit_ns, options.budget, stop, &mut log)?;
    if log.is_empty() && ending == Ending::Interrupted {
        return Err(Error::Interrupted);
    }
    if log.is_empty() {
        let text =
            "the command printed no durations; it should print one number per line".to_owned();
        return Err(Error::Options(text));
    }
    let setup = bench.setup(PRINTED_WORDS).named(&command.name);
    let printed = u64::try_from(log.len()).unwrap_or(0);
    let setup = setup.asking(printed).timed_elsewhere();
    let mut run = gather(vec![(log, ending)], setup);
    if let Some(status) = status.filter(|status| !ExitStatus::success(status)) {
        run.ending = Ending::Exited(code_of(status));
    }
    Ok(run)
}

/// How often to check whether to continue.
const ASKED: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Waits for `child` as long as `go_on` says so; `None` if it had to be killed.
fn ended(child: &mut Child, go_on: &dyn Fn() -> bool) -> std::io::Result<Option<ExitStatus>> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Kernels before 5.3 cannot tell; there we wait for it to the end.
    let end = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    while let Some(end) = &end {
        match poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&ASKED)) {
            Ok(0) | Err(Errno::INTR) if go_on() => {}
            Ok(0) | Err(Errno::INTR) => {
                // It may have ended by itself meanwhile.
                let _gone = pid.map(|group| kill_process_group(group, Signal::KILL));
                let _killed = child.kill();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use crate::bench::Placed;
    use crate::place::Ground;
    use crate::store::LocalStore;

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

    const MINUTE: Duration = Duration::from_secs(60);

    /// Returns what commands measure in turns.
    fn turns(lines: &[&str], numbers: &Numbers<'_>, budget: Duration) -> Vec<Run> {
        let command = |line: &&str| NamedCommand {
            name: (*line).to_owned(),
            words: words(line),
        };
        let options = Options {
            commands: lines.iter().map(command).collect(),
            ..Options::default()
        };
        let ground = Ground::nowhere();
        let store = LocalStore::new(&ground);
        let stop = AtomicBool::new(false);
        let context = Context {
            program: std::path::Path::new("/"),
            stop: &stop,
            tell: &|_| {},
        };
        let limits = Limits {
            count: numbers.len(),
            budget,
        };
        let bench = Bench {
            options: &options,
            context,
            store: &store,
            place: Placed::default(),
            own_ns: 0,
        };
        in_turns(numbers, limits, &bench)
    }

    #[test]
    fn the_number_stands_where_the_command_wants_it() {
        let numbers = Numbers::List(&[1, 2, 5]);
        let lines = [
            "sh|-c|test {n} -lt 3 -a {} -lt 3",
            "true",
            "/nonexistent/program",
            "sh|-c|kill -9 $$",
        ];
        let runs = turns(&lines, &numbers, MINUTE);
        let endings: Vec<Ending> = runs.iter().map(|run| run.ending).collect();
        let missing = Ending::Failed(Errno::NOENT.raw_os_error());
        assert_eq!(
            endings,
            [Ending::Exited(1), Ending::Done, missing, Ending::Exited(-9)]
        );
        assert_eq!(
            runs[0].first.n,
            [1.0, 2.0, 5.0],
            "the number that failed is the last"
        );
        let results: Vec<i32> = runs[0]
            .first
            .operations
            .iter()
            .map(|(_, one)| one.result)
            .collect();
        assert_eq!(results, [0, 0, Errno::CHILD.raw_os_error()]);
        assert_eq!(
            (runs[1].first.n.len(), runs[2].first.n.len()),
            (3, 1),
            "one that fails does not end the others"
        );
        assert_eq!(runs[1].setup.arm, "true");
    }

    #[test]
    fn commands_take_turns() {
        let runs = turns(&["true", "test|1"], &Numbers::Times(4), MINUTE);
        let starts = |run: &Run| -> Vec<u64> {
            run.first
                .operations
                .iter()
                .map(|(_, one)| one.start_ns)
                .collect()
        };
        let (a, b) = (starts(&runs[0]), starts(&runs[1]));
        let first: Vec<bool> = a.iter().zip(&b).map(|(a, b)| a < b).collect();
        assert_eq!(first, [true, false, true, false]);
        assert_eq!(
            (runs[0].first.n.as_slice(), runs[0].setup.words.things),
            (&[1.0, 2.0, 3.0, 4.0][..], "runs")
        );
    }

    #[test]
    fn a_run_that_does_not_end_is_ended() {
        let brief = Duration::from_millis(300);
        let runs = turns(&["sleep|600"], &Numbers::Times(3), brief);
        assert_eq!(
            (runs[0].ending, runs[0].first.operations.len()),
            (Ending::Budget, 0)
        );
    }

    fn checked(options: &Options) -> Result<(), String> {
        check(options).map_err(|error| error.to_string())
    }

    #[test]
    fn a_number_needs_a_place_and_a_place_a_number() {
        let options = |line: &str, numbers: &[u64], count| Options {
            commands: vec![NamedCommand {
                name: String::new(),
                words: words(line),
            }],
            given: if numbers.is_empty() {
                [].into()
            } else {
                [(NUMBERS.name, numbers.to_vec())].into()
            },
            count,
            ..Options::default()
        };
        assert_eq!(checked(&options("seq|{}", &[1, 2], 0)), Ok(()));
        assert_eq!(checked(&options("seq|10", &[], 5)), Ok(()));
        for (odd, why) in [
            (
                options("seq|10", &[1, 2], 0),
                "\"seq 10\" would run alike for every number: it has no {}",
            ),
            (
                options("seq|{}", &[], 5),
                "\"seq {}\" has a place for a number, but there is none",
            ),
            (
                options("seq|{}", &[1], 5),
                "a command needs exactly one of --numbers, --count (at least 1) and --printed",
            ),
            (
                options("seq|{}", &[], 0),
                "a command needs exactly one of --numbers, --count (at least 1) and --printed",
            ),
        ] {
            assert_eq!(checked(&odd), Err(why.to_owned()));
        }
    }
}
