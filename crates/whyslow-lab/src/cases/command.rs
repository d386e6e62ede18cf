//! Any command whose cost may grow with a number it is given; or one that measures itself and prints
//! one duration per line.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

use super::starts::errno;
use crate::clock::now_ns;
use crate::error::Error;
use crate::operation::{Ending, Measured, Operation};

/// Runs of a command, one per number.
pub(crate) struct Runs<'a> {
    command: &'a [OsString],
    numbers: &'a [u64],
}

impl<'a> Runs<'a> {
    /// Returns runs of `command` with each of `numbers` in place of `{}` or `{n}`.
    pub(crate) fn new(command: &'a [OsString], numbers: &'a [u64]) -> Self {
        Self { command, numbers }
    }
}

impl Operation for Runs<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let number = self.numbers.get(at).copied().unwrap_or(0);
        let mut command = filled(self.command, number).ok_or(Errno::INVAL)?;
        command.stdout(Stdio::null()).stdin(Stdio::null());
        let status = command.status().map_err(|error| errno(&error))?;
        if status.success() {
            Ok(0)
        } else {
            Err(Errno::CHILD)
        }
    }
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

/// Runs `command`, which prints one duration per line in units of `unit_ns`; lines that are no number
/// are passed over. The starts are sums of what came before.
pub(crate) fn durations(
    command: &[OsString],
    unit_ns: f64,
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
    let mut start_ns = now_ns();
    let lines = child.stdout.take().map(BufReader::new);
    for line in lines.into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(failed())?;
        let number = line
            .split([' ', '\t', ',', ';'])
            .find_map(|word| word.parse::<f64>().ok());
        let Some(number) = number.filter(|number| (0.0..9e18 / unit_ns).contains(number)) else {
            continue;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked"
        )]
        let duration_ns = (number * unit_ns).round() as u64;
        log.push(Measured {
            start_ns,
            duration_ns,
            result: 0,
            count: 0,
        });
        start_ns = start_ns.saturating_add(duration_ns);
        if stop.load(Ordering::Relaxed) {
            // It may have ended by itself meanwhile.
            let _gone = child.kill();
            let _status = child.wait();
            return Ok((Ending::Interrupted, None));
        }
    }
    let status = child.wait().map_err(failed())?;
    Ok((Ending::Done, Some(status)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split('|').map(OsString::from).collect()
    }

    #[test]
    fn the_number_stands_where_the_command_wants_it() {
        let command = words("sh|-c|test {n} -lt 3 -a {} -lt 3");
        let mut runs = Runs::new(&command, &[1, 2, 5]);
        assert_eq!((runs.run(0), runs.run(1)), (Ok(0), Ok(0)));
        assert_eq!(runs.run(2), Err(Errno::CHILD));
        let missing = words("/nonexistent/program");
        assert_eq!(Runs::new(&missing, &[1]).run(0), Err(Errno::NOENT));
    }

    #[test]
    fn printed_durations_are_read() {
        let command = words("printf|ms per call\\n0.5\\n2 ms\\n-3\\nx\\n");
        let (mut log, stop) = (Vec::new(), AtomicBool::new(false));
        let (ending, status) = durations(&command, 1e6, &stop, &mut log).expect("run");
        assert_eq!(ending, Ending::Done);
        assert!(status.is_some_and(|status| status.success()));
        let took: Vec<u64> = log.iter().map(|one| one.duration_ns).collect();
        assert_eq!(took, [500_000, 2_000_000]);
    }
}
