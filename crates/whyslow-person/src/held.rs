//! A command that has been forked and waits until it may begin, as whoever it belongs to.
#![expect(unsafe_code, reason = "fork, exec and waiting")]

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, pidfd_open, pidfd_send_signal, setrlimit,
};

use crate::choice::Owner;
use crate::person::Person;

/// Signals that end a program, and that a recorder handles while the command runs.
pub const HANDLED: [libc::c_int; 4] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP];

unsafe extern "C" {
    /// The environment of this process.
    static mut environ: *const *const libc::c_char;
}

/// Exit code of the child when the command could not be executed; only we see it.
const EXEC_FAILED: i32 = 127;

/// What the child has to put back before it becomes the command.
#[derive(Clone, Copy)]
#[expect(
    missing_debug_implementations,
    reason = "a mask of signals has no text"
)]
pub struct ChildState {
    /// The previous mask of blocked signals.
    pub signal_mask: libc::sigset_t,
    /// The previous limit of open files.
    pub open_files: Rlimit,
}

/// A command that has been forked and waits for permission to `exec`.
#[derive(Debug)]
pub struct HeldCommand {
    pid: i32,
    pidfd: OwnedFd,
    release: Option<OwnedFd>,
    failure: OwnedFd,
    is_reaped: bool,
}

/// How a child ended and what it used, its own reaped children included.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// As `wait` gives it.
    pub status: i32,
    /// CPU time in user mode.
    pub user: Duration,
    /// CPU time in the kernel.
    pub system: Duration,
}

impl HeldCommand {
    /// Forks; the child waits for [`release`](Self::release).
    pub fn fork(argv: &[&OsStr], state: &ChildState, owner: Option<&Owner>) -> io::Result<Self> {
        let words = strings(argv.iter().map(|argument| argument.as_bytes().to_vec()))?;
        let words_of_child = pointers(&words);
        let variables = owner.map_or(&[][..], |owner| &owner.environment);
        let joined = variables.iter();
        let joined = joined.map(|(name, value)| [name.as_bytes(), value.as_bytes()].join(&b'='));
        let variables = strings(joined)?;
        let owner = owner.map(|owner| (&owner.person, pointers(&variables)));
        let (wait, release) = pipe_with(PipeFlags::CLOEXEC)?;
        let (failure, report) = pipe_with(PipeFlags::CLOEXEC)?;
        // SAFETY: the child calls async-signal-safe functions only (`child` below) and never
        // returns, so it does not matter which locks other threads held.
        let pid = checked_int(unsafe { libc::fork() })?;
        if pid == 0 {
            // SAFETY: we are the child; the pointers end with a null pointer and stay valid.
            unsafe {
                child(
                    &words_of_child,
                    state,
                    owner.as_ref(),
                    (&wait, &release),
                    &report,
                )
            }
        }
        drop((wait, report));
        let id =
            Pid::from_raw(pid).ok_or_else(|| io::Error::other("a process without a number"))?;
        Ok(Self {
            pid,
            pidfd: pidfd_open(id, PidfdFlags::empty())?,
            release: Some(release),
            failure,
            is_reaped: false,
        })
    }

    /// The process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Releases the command; returns when it has been executed, or the reason why it was not.
    pub fn release(&mut self) -> io::Result<()> {
        if let Some(release) = self.release.take() {
            rustix::io::write(&release, b"x")?;
        }
        let mut code = [0_u8; 4];
        // The pipe is closed by a successful `exec`: then there is nothing to read.
        if rustix::io::read(&self.failure, &mut code) == Ok(code.len()) {
            return Err(io::Error::from_raw_os_error(i32::from_ne_bytes(code)));
        }
        Ok(())
    }

    /// Sends the command a signal.
    pub fn signal(&self, signal: i32) {
        if let Some(signal) = Signal::from_named_raw(signal) {
            // Fails only if it has ended.
            let _ = pidfd_send_signal(&self.pidfd, signal);
        }
    }

    /// Waits for the end of the command.
    pub fn wait(&mut self) -> io::Result<Ended> {
        let mut status = 0;
        // SAFETY: an all-zero `rusage` is valid.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both pointers lead to room for what the kernel writes.
            let answer = unsafe { libc::wait4(self.pid, &raw mut status, 0, &raw mut usage) };
            match checked_int(answer) {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.is_reaped = true;
        Ok(Ended {
            status,
            user: duration(usage.ru_utime),
            system: duration(usage.ru_stime),
        })
    }
}

impl AsFd for HeldCommand {
    /// Readable once the command has ended.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

impl Drop for HeldCommand {
    fn drop(&mut self) {
        // A command that was never released sees the end of its pipe and exits; reap it. One that
        // runs is left alone.
        if self.release.take().is_some() {
            let _ = self.wait();
        }
    }
}

/// Returns texts that end with a null byte, which they must not contain.
fn strings(texts: impl Iterator<Item = Vec<u8>>) -> io::Result<Vec<CString>> {
    texts
        .map(CString::new)
        .collect::<Result<_, _>>()
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Returns pointers to texts, which end with a null pointer.
fn pointers(texts: &[CString]) -> Vec<*const libc::c_char> {
    let all = texts.iter().map(|text| text.as_ptr());
    all.chain([std::ptr::null()]).collect()
}

/// What the forked child does: waits for the parent, puts things back, becomes the owner's, executes.
///
/// # Safety
/// Only for a freshly forked child. `pointers`, and those of the owner, must end with a null pointer.
unsafe fn child(
    pointers: &[*const libc::c_char],
    state: &ChildState,
    owner: Option<&(&Person, Vec<*const libc::c_char>)>,
    (wait, release): (&OwnedFd, &OwnedFd),
    report: &OwnedFd,
) -> ! {
    let mut byte = [0];
    // SAFETY: our own copy of the parent's end must not keep the pipe open; all calls are
    // async-signal-safe and their pointers lead to memory that outlives them.
    unsafe {
        rustix::io::close(release.as_raw_fd());
        if rustix::io::read(wait, &mut byte) != Ok(1) {
            libc::_exit(EXEC_FAILED);
        }
        // Rust ignores SIGPIPE; a command expects the default.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let _ = setrlimit(Resource::Nofile, state.open_files);
        // A signal that came meanwhile must end the command, not run a handler of ours.
        for signal in HANDLED {
            default_unless_ignored(signal);
        }
        libc::sigprocmask(
            libc::SIG_SETMASK,
            &raw const state.signal_mask,
            std::ptr::null_mut(),
        );
        let mut refused = None;
        if let Some((person, variables)) = owner {
            refused = person.become_it().err();
            // It is searched for in the owner's path.
            environ = variables.as_ptr();
        }
        if refused.is_none() {
            libc::execvp(*pointers.as_ptr(), pointers.as_ptr());
        }
        let code = refused.and_then(|error| error.raw_os_error());
        let code = code.unwrap_or(*libc::__errno_location()).to_ne_bytes();
        let _ = rustix::io::write(report, &code);
        libc::_exit(EXEC_FAILED)
    }
}

/// Gives a signal that has a handler its default effect.
///
/// # Safety
/// Only where no handler is needed any more.
unsafe fn default_unless_ignored(signal: libc::c_int) {
    // SAFETY: an all-zero action is valid, and the kernel fills it; both calls are async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action);
        if action.sa_sigaction != libc::SIG_IGN {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

fn checked_int(answer: libc::c_int) -> io::Result<libc::c_int> {
    match answer {
        -1 => Err(io::Error::last_os_error()),
        answer => Ok(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getrlimit;

    extern "C" fn nothing(_: libc::c_int) {}

    #[test]
    fn a_signal_that_comes_while_it_is_held_ends_the_command_whatever_handles_it_here() {
        // SAFETY: a handler that does nothing.
        unsafe { libc::signal(libc::SIGHUP, nothing as *const () as libc::sighandler_t) };
        // SAFETY: all-zero sets are valid.
        let [mut set, mut signal_mask]: [libc::sigset_t; 2] = unsafe { std::mem::zeroed() };
        for signal in HANDLED {
            // SAFETY: the set is initialized, and the signal's number is valid.
            unsafe { libc::sigaddset(&raw mut set, signal) };
        }
        // SAFETY: both sets live until the call returns. Whoever records blocks them, too.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, &raw mut signal_mask) };
        let state = ChildState {
            signal_mask,
            open_files: getrlimit(Resource::Nofile),
        };
        let mut held =
            HeldCommand::fork(&[OsStr::new("sleep"), OsStr::new("5")], &state, None).unwrap();
        held.signal(libc::SIGHUP);
        held.release().unwrap();
        let status = held.wait().unwrap().status;
        assert_eq!(status & 0x7f, libc::SIGHUP);
    }
}
