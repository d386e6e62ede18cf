//! Durations that a command measures itself and prints, one per line.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::ended;
use crate::clock::now_ns;
use crate::error::Error;
use whyslow_series::{Ending, Measured};

/// Most durations that are taken from a command.
const MOST_PRINTED: usize = 8_000_000;
/// Most bytes of a line.
const MOST_LINE: u64 = 1 << 16;

/// Runs `command`, which prints one duration per line in units of `unit_ns`, for `budget` at most; lines
/// that are not numbers are skipped. The starts are sums of what came before.
pub(super) fn durations(
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
        // It ends with the command's output, or when nothing receives the lines any more.
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
    // A command that prints no more may still be running.
    let go_on = || ending == Ending::Done && !stop.load(Ordering::Relaxed) && Instant::now() < end;
    let status = ended(&mut child, &go_on).map_err(failed())?;
    Ok((ending, status.filter(|_| ending == Ending::Done)))
}

/// Sends the lines of `out`, whatever their encoding, until the end, or until nothing receives
/// them.
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

    const MINUTE: Duration = Duration::from_secs(60);

    fn words(line: &str) -> Vec<OsString> {
        line.split('|').map(OsString::from).collect()
    }

    #[test]
    fn printed_durations_are_read() {
        let command = words("printf|ms per call\\n0.5\\n2 ms\\n-3\\nx\\n");
        let (mut log, stop) = (Vec::new(), AtomicBool::new(false));
        let (ending, status) = durations(&command, 1e6, MINUTE, &stop, &mut log).expect("run");
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
        let (ending, _) = durations(&endless, 1.0, MINUTE, &stop, &mut log).expect("run");
        assert_eq!(ending, Ending::Interrupted);
        // It says that it is done, and is not.
        let silent = words("sh|-c|echo 1; exec sleep 600 >&-");
        stop.store(false, Ordering::Relaxed);
        let brief = Duration::from_secs(1);
        let (ending, status) = durations(&silent, 1.0, brief, &stop, &mut log).expect("run");
        assert_eq!((ending, status), (Ending::Done, None));
    }
}
