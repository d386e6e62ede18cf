//! What a process inherits and a test must not depend on.

/// Gives this process the signals and the file modes of a program started by nobody in particular;
/// the programs it starts inherit them.
///
/// A shell starts background jobs with interrupts ignored, and a program cannot trap what was ignored
/// before it; `nohup` does the same with hangups, and a strict umask hides files from other users.
#[cfg(unix)]
pub fn fresh() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let signals = [
            libc::SIGHUP,
            libc::SIGINT,
            libc::SIGQUIT,
            libc::SIGTERM,
            libc::SIGUSR1,
            libc::SIGUSR2,
            libc::SIGCHLD,
            libc::SIGALRM,
            libc::SIGTSTP,
            libc::SIGTTIN,
            libc::SIGTTOU,
        ];
        for signal in signals {
            #[expect(unsafe_code, reason = "std has no call for it")]
            // SAFETY: the default disposition runs no code of ours.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
        #[expect(unsafe_code, reason = "std has no call for it")]
        // SAFETY: changes a number of the process.
        unsafe {
            libc::umask(0o022);
        }
    });
}

/// There is nothing of the kind.
#[cfg(not(unix))]
pub fn fresh() {}
