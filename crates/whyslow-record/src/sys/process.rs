//! Starting a command that waits until the recording runs, and the resources we use.
#![expect(unsafe_code, reason = "fork, exec and resource system calls")]

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, pidfd_open, pidfd_send_signal,
    setpriority_process, setrlimit,
};

use super::checked_int;
use super::signals::HANDLED;

/// Exit code of the child when the command could not be executed; only we see it.
const EXEC_FAILED: i32 = 127;

/// What the child has to put back before it becomes the command.
#[derive(Clone, Copy)]
pub(crate) struct ChildState {
    /// The previous mask of blocked signals.
    pub(crate) signal_mask: libc::sigset_t,
    /// The previous limit of open files.
    pub(crate) open_files: Rlimit,
}

/// A command that has been forked and waits for permission to `exec`.
#[derive(Debug)]
pub(crate) struct HeldCommand {
    pid: i32,
    pidfd: OwnedFd,
    release: Option<OwnedFd>,
    failure: OwnedFd,
    is_reaped: bool,
}

/// How a child ended and what it used, its own reaped children included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// As `wait` gives it.
    pub(crate) status: i32,
    /// CPU time in user mode.
    pub(crate) user: Duration,
    /// CPU time in the kernel.
    pub(crate) system: Duration,
}

impl HeldCommand {
    /// Forks; the child waits for [`release`](Self::release).
    pub(crate) fn fork(argv: &[&OsStr], state: &ChildState) -> io::Result<Self> {
        let strings = argv
            .iter()
            .map(|argument| CString::new(argument.as_bytes()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let mut pointers: Vec<*const libc::c_char> =
            strings.iter().map(|text| text.as_ptr()).collect();
        pointers.push(std::ptr::null());
        let (wait, release) = pipe_with(PipeFlags::CLOEXEC)?;
        let (failure, report) = pipe_with(PipeFlags::CLOEXEC)?;
        // SAFETY: the child calls async-signal-safe functions only (`child` below) and never
        // returns, so it does not matter which locks other threads held.
        let pid = checked_int(unsafe { libc::fork() })?;
        if pid == 0 {
            // SAFETY: we are the child; the pointers end with a null pointer and stay valid.
            unsafe { child(&pointers, state, (&wait, &release), &report) }
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
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Releases the command; returns when it has been executed, or the reason why it was not.
    pub(crate) fn release(&mut self) -> io::Result<()> {
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
    pub(crate) fn signal(&self, signal: i32) {
        if let Some(signal) = Signal::from_named_raw(signal) {
            // Fails only if it has ended.
            let _ = pidfd_send_signal(&self.pidfd, signal);
        }
    }

    /// Waits for the end of the command.
    pub(crate) fn wait(&mut self) -> io::Result<Ended> {
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

/// What the forked child does: waits for the parent, puts things back, executes.
///
/// # Safety
/// Only for a freshly forked child. `pointers` must end with a null pointer.
unsafe fn child(
    pointers: &[*const libc::c_char],
    state: &ChildState,
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
        libc::execvp(*pointers.as_ptr(), pointers.as_ptr());
        let code = (*libc::__errno_location()).to_ne_bytes();
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

/// Raises the limit of open files to the hard limit; returns the limit of before.
pub(crate) fn raise_open_files() -> Rlimit {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    // If this fails, the old limit remains.
    let _ = setrlimit(Resource::Nofile, raised);
    limit
}

/// CPU time of this process so far: user, system.
pub(crate) fn own_cpu() -> (Duration, Duration) {
    // SAFETY: an all-zero `rusage` is valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer leads to room for what the kernel writes; cannot fail for ourselves.
    let _ = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    (duration(usage.ru_utime), duration(usage.ru_stime))
}

/// Offset of this machine's local time from UTC at `unix_s`, in seconds east.
pub(crate) fn utc_offset_s(unix_s: i64) -> i64 {
    // SAFETY: an all-zero `tm` is valid; its one pointer is not read.
    let mut parts: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are valid for the call. Where it fails, the offset stays 0.
    let _ = unsafe { libc::localtime_r(&raw const unix_s, &raw mut parts) };
    parts.tm_gmtoff
}

/// Gives the calling thread precedence over ordinary ones (negative: more), where that is
/// permitted.
pub(crate) fn set_niceness(niceness: i32) -> bool {
    // No process means the calling thread on Linux.
    setpriority_process(None, niceness).is_ok()
}

/// The CPUs that a thread may use and that are online, a bit each, the last word not empty; `None`
/// if the thread is gone.
pub(crate) fn allowed_cpus(tid: u32) -> Option<Vec<u64>> {
    // Linux is built for 8192 CPUs at most; the sets of `rustix` end at 1024, and the call fails on larger
    // machines then.
    let mut words = [0_u64; 128];
    let tid = libc::pid_t::try_from(tid).ok()?;
    // SAFETY: the kernel writes at most so many bytes into the array.
    let bytes = unsafe {
        libc::syscall(
            libc::SYS_sched_getaffinity,
            tid,
            size_of_val(&words),
            words.as_mut_ptr(),
        )
    };
    let written = words.get(..usize::try_from(bytes).ok()? / 8)?;
    let last = written.iter().rposition(|&word| word != 0)?;
    Some(written[..=last].to_vec())
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::signals::SignalTrap;

    extern "C" fn nothing(_: libc::c_int) {}

    #[test]
    fn a_signal_that_comes_while_it_is_held_ends_the_command_whatever_handles_it_here() {
        // SAFETY: a handler that does nothing.
        unsafe { libc::signal(libc::SIGHUP, nothing as *const () as libc::sighandler_t) };
        let trap = SignalTrap::set().unwrap();
        let state = ChildState {
            signal_mask: trap.previous_mask(),
            open_files: getrlimit(Resource::Nofile),
        };
        let mut held = HeldCommand::fork(&[OsStr::new("sleep"), OsStr::new("5")], &state).unwrap();
        held.signal(libc::SIGHUP);
        held.release().unwrap();
        let status = held.wait().unwrap().status;
        assert_eq!(status & 0x7f, libc::SIGHUP);
    }
}
