//! Functions that every program has, and that say nothing about it.

/// Returns whether a function only starts programs and threads, so that naming it says nothing.
pub(crate) fn is_frame_of_start(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "_start",
        "__libc_start_main",
        "__libc_start_call_main",
        "start_thread",
        "__clone",
        "clone",
        "clone3",
        "__clone3",
        "thread_start",
        "_dl_start",
        "_dl_start_user",
        "runtime.goexit",
        "runtime.goexit.abi0",
        "runtime.mstart",
        "runtime.mcall",
        "runtime.systemstack",
        "runtime.main",
    ];
    const PREFIXES: &[&str] = &[
        "__libc_start_main",
        "std::rt::",
        "std::panic",
        "std::sys::backtrace::__rust_begin_short_backtrace",
        "std::sys_common::backtrace::__rust_begin_short_backtrace",
        "__rust_try",
        "core::ops::function::",
        "<alloc::boxed::Box<F",
        "<core::panic::unwind_safe",
        "std::sys::thread::",
        "std::sys::pal::unix::thread::",
        "std::thread::Builder::spawn_unchecked",
        "std::thread::lifecycle::",
        "entry_SYSCALL_64",
        "do_syscall_64",
    ];
    let starts = |name: &str| PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let inner = name.trim_start_matches('<');
    EXACT.contains(&name)
        || starts(name)
        || starts(inner)
        || name.contains(" as core::ops::function::Fn")
}

/// Returns whether a module is one of the libraries every program is made with, whose functions
/// tell less than the place they are called from.
pub(crate) fn is_system_module(module: &str) -> bool {
    let starts = [
        "libc.",
        "libc-",
        "libpthread",
        "ld-linux",
        "ld-musl",
        "ld-2",
        "[vdso]",
        "librt.",
    ];
    starts.iter().any(|start| module.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_starts() {
        for name in [
            "_start",
            "std::rt::lang_start",
            "<std::sys::thread::unix::Thread>::new::thread_start",
            "<app::main::{closure#0} as core::ops::function::FnOnce<()>>::call_once",
            "runtime.goexit.abi0",
        ] {
            assert!(is_frame_of_start(name), "{name}");
        }
        for name in [
            "main",
            "std::fs::read",
            "<app::It as Iterator>::next",
            "clone_from",
        ] {
            assert!(!is_frame_of_start(name), "{name}");
        }
    }
}
