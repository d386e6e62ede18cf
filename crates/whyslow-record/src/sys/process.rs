//! The resources that this process uses, and the CPUs that threads may use.
#![expect(unsafe_code, reason = "resource system calls")]

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};

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
