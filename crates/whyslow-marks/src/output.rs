//! What a command prints on standard output: passed on as it comes, and searched.
//!
//! Standard output of this process becomes a pipe, which commands that it starts inherit; a thread passes on what comes
//! out of the pipe to where standard output led before. So the command does not write to a terminal, as in
//! `COMMAND | cat`.
#![expect(unsafe_code, reason = "the mask of signals of a thread")]

use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use regex_lite::Regex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::{dup2_stdout, stdout};

use crate::figure::Measured;

/// Most bytes of a line that are searched.
const MOST_LINE: usize = 64 << 10;

/// Standard output while it is searched.
#[derive(Debug)]
pub struct Output {
    /// Where it led before.
    before: OwnedFd,
    /// Closed when the command has ended.
    goes_on: OwnedFd,
    thread: JoinHandle<Option<Duration>>,
}

impl Output {
    /// Begins to pass on what commands print that are started from now on. Signals stay those of the calling thread.
    ///
    /// # Errors
    /// If there are no descriptors or no threads left.
    pub fn search(pattern: Regex) -> io::Result<Self> {
        let before = stdout().try_clone_to_owned()?;
        let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
        let (ended, goes_on) = pipe_with(PipeFlags::CLOEXEC)?;
        fcntl_setfl(&from, fcntl_getfl(&from)? | OFlags::NONBLOCK)?;
        let target = before.try_clone()?;
        let search = Search {
            pattern,
            line: Vec::new(),
            found: None,
        };
        let pass = move || pass_on(&File::from(from), &ended, File::from(target), search);
        let thread = without_signals(|| {
            thread::Builder::new()
                .name("whyslow-output".to_owned())
                .spawn(pass)
        })?;
        dup2_stdout(&to)?;
        Ok(Self {
            before,
            goes_on,
            thread,
        })
    }

    /// Passes on the rest, and returns the time in the last line that matches. What programs in the background print
    /// later is no longer read.
    ///
    /// # Errors
    /// If standard output cannot be put back.
    pub fn finish(self) -> io::Result<Option<Duration>> {
        dup2_stdout(&self.before)?;
        drop(self.goes_on);
        Ok(self.thread.join().unwrap_or_default())
    }
}

/// Once the command has ended, at most this much is still read: what was in the pipe (by default 64 KiB, at most 1 MiB
/// unless root sets more).
const MOST_REST: usize = 1 << 20;

/// Passes on what comes `from` the pipe, until nobody can write any more, or the command has `ended` and the pipe is
/// empty, or programs in the background go on writing into it. If the target is gone, so is the pipe: the command then learns it as it would have.
fn pass_on(
    mut from: &File,
    ended: &OwnedFd,
    mut target: File,
    mut search: Search,
) -> Option<Duration> {
    let mut bytes = vec![0; 64 << 10];
    let mut rest: Option<usize> = None;
    while rest != Some(0) {
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                let new = bytes.get(..count).unwrap_or_default();
                if target.write_all(new).is_err() {
                    break;
                }
                search.take(new);
                rest = match rest {
                    Some(rest) => Some(rest.saturating_sub(count)),
                    None => is_closed(ended).then_some(MOST_REST),
                };
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if has_ended(from, ended) {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    search.end()
}

/// Returns whether the command has ended.
fn is_closed(ended: &OwnedFd) -> bool {
    let mut fds = [PollFd::new(ended, PollFlags::IN)];
    let now = Timespec::default();
    poll(&mut fds, Some(&now)).is_ok_and(|count| count > 0)
}

/// Waits until there is something to read; returns whether the command has ended instead.
fn has_ended(from: &File, ended: &OwnedFd) -> bool {
    let mut fds = [
        PollFd::from_borrowed_fd(from.as_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
    ];
    match poll(&mut fds, None) {
        Ok(_) => {
            let [from, ended] = fds.map(|fd| !fd.revents().is_empty());
            ended && !from
        }
        Err(error) => error != Errno::INTR,
    }
}

/// The search for a time, line by line.
#[derive(Debug)]
struct Search {
    pattern: Regex,
    line: Vec<u8>,
    found: Option<Duration>,
}

impl Search {
    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MOST_LINE.saturating_sub(self.line.len());
            let kept = part.get(..room).unwrap_or(part);
            self.line.extend_from_slice(kept);
            if part.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        let line = line.trim_end_matches(['\n', '\r']);
        self.found = Measured::of_line(&self.pattern, line).or(self.found);
        self.line.clear();
    }

    fn end(mut self) -> Option<Duration> {
        self.end_line();
        self.found
    }
}

/// Runs `start` with all signals blocked, so that a thread that it starts takes none.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: `all` is filled before it is used, and `before` by the call that succeeds with valid arguments.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let started = start();
    // SAFETY: filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(pattern: &str) -> Search {
        Search {
            pattern: Regex::new(pattern).expect("an expression"),
            line: Vec::new(),
            found: None,
        }
    }

    #[test]
    fn the_last_line_that_matches_counts_wherever_output_is_cut() {
        let text = b"took 5 ms\r\nnothing\ntook 7 ms\nrest took 9 ms";
        for cut in 1..text.len() {
            let mut all = search(r"^took (.+)$");
            text.chunks(cut).for_each(|part| all.take(part));
            assert_eq!(all.end(), Some(Duration::from_millis(7)));
        }
        let mut last = search("took (.+)");
        last.take(text);
        assert_eq!(last.end(), Some(Duration::from_millis(9)));
    }

    #[test]
    fn long_lines_are_bounded() {
        let mut long = search("took (.+)");
        for _ in 0..10 {
            long.take(&[b'x'; MOST_LINE / 2]);
        }
        assert!(long.line.len() <= MOST_LINE);
        long.take(b"\ntook 3\n");
        assert_eq!(long.end(), Some(Duration::from_millis(3)));
    }

    #[test]
    fn everything_is_passed_on_even_if_somebody_keeps_the_pipe_open() {
        let (from, to) = pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
        let (ended, goes_on) = pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
        let (shown, target) = pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
        fcntl_setfl(&from, OFlags::NONBLOCK).expect("a flag");
        File::from(to.try_clone().expect("a copy"))
            .write_all(b"a\ntook 4\n")
            .expect("written");
        drop(goes_on);
        let found = pass_on(
            &File::from(from),
            &ended,
            File::from(target),
            search("took (.+)"),
        );
        assert_eq!(found, Some(Duration::from_millis(4)));
        let mut text = String::new();
        File::from(shown).read_to_string(&mut text).expect("read");
        assert_eq!(text, "a\ntook 4\n");
        drop(to);
    }

    #[test]
    fn somebody_who_goes_on_printing_is_not_waited_for() {
        let (from, to) = pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
        let (ended, goes_on) = pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
        let null = File::options().write(true).open("/dev/null");
        fcntl_setfl(&from, OFlags::NONBLOCK).expect("a flag");
        let mut to = File::from(to);
        to.write_all(b"took 4\n").expect("written");
        drop(goes_on);
        // It ends when nobody reads any more.
        let prints = thread::spawn(move || while to.write_all(b"more\n").is_ok() {});
        let target = null.expect("a device");
        let found = pass_on(&File::from(from), &ended, target, search("took (.+)"));
        assert_eq!(found, Some(Duration::from_millis(4)));
        prints.join().expect("the pipe is closed");
    }
}
