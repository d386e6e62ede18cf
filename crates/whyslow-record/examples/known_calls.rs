//! Makes system calls of which a test knows how many: `known_calls [bits32 | again]`.
#![expect(
    unsafe_code,
    reason = "system calls as they are, without a library's additions"
)]
#![expect(clippy::expect_used, reason = "a program of a test may stop")]

use std::sync::Barrier;

use libc::{c_long, syscall};

const NOTHING: c_long = -1;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("bits32") => bits_32(25),
        Some("again") => times(33, || call(libc::SYS_getgid, [0; 4])),
        _ => known(),
    }
}

fn known() {
    let zero = open(c"/dev/zero", libc::O_RDONLY);
    let null = open(c"/dev/null", libc::O_WRONLY);
    let mut seven = [0_u8; 7];
    let part = libc::iovec {
        iov_base: seven.as_mut_ptr().cast(),
        iov_len: seven.len(),
    };
    let part = (&raw const part).addr().cast_signed() as c_long;
    times(1000, || call(libc::SYS_preadv, [zero, part, 1, 0]));
    times(300, || call(libc::SYS_preadv, [NOTHING, part, 1, 0]));
    times(500, || call(libc::SYS_pwritev, [null, part, 1, 0]));
    let absent = c"/absent/at/all".as_ptr().addr().cast_signed() as c_long;
    let cwd = libc::AT_FDCWD.into();
    times(200, || call(libc::SYS_readlinkat, [cwd, absent, part, 7]));
    times(300_000, || call(libc::SYS_getppid, [0; 4]));
    threads();
    children();
    // What ends here ends while a thread is in a call.
}

/// Two threads with calls of their own; a third one is in a call when the process ends.
fn threads() {
    let work = |count| move || times(count, || call(libc::SYS_getpgrp, [0; 4]));
    for thread in [401, 402].map(|count| std::thread::spawn(work(count))) {
        thread.join().expect("it ends");
    }
    let started: &'static Barrier = Box::leak(Box::new(Barrier::new(2)));
    std::thread::spawn(move || {
        started.wait();
        call(libc::SYS_pause, [0; 4]);
    });
    started.wait();
}

/// A child that goes on with this program, and one that begins another.
fn children() {
    // SAFETY: the child makes system calls only, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        times(50, || call(libc::SYS_getuid, [0; 4]));
        // SAFETY: ends the child.
        unsafe { libc::_exit(0) };
    }
    // SAFETY: waits for the child, whose status is of no interest.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    let own = std::env::current_exe().expect("it runs");
    let status = std::process::Command::new(own).arg("again").status();
    assert!(status.is_ok_and(|status| status.success()));
}

fn times(count: u32, mut work: impl FnMut() -> c_long) {
    for _ in 0..count {
        work();
    }
}

fn call(number: c_long, arguments: [c_long; 4]) -> c_long {
    let [a, b, c, d] = arguments;
    // SAFETY: whoever calls gives pointers to living memory of the size that the call uses.
    unsafe { syscall(number, a, b, c, d, 0) }
}

fn open(path: &std::ffi::CStr, flags: i32) -> c_long {
    // SAFETY: the path ends with a zero.
    let file = unsafe { libc::open(path.as_ptr(), flags) };
    assert!(file >= 0);
    file.into()
}

/// Asks for the process id by the calls of 32-bit programs.
#[cfg(target_arch = "x86_64")]
fn bits_32(count: u32) {
    for _ in 0..count {
        let mut answer: i64 = 20;
        // SAFETY: the call has no arguments, and changes no memory.
        unsafe {
            core::arch::asm!("int 0x80", inout("rax") answer, out("r8") _, out("r9") _,
                out("r10") _, out("r11") _);
        }
        assert_eq!(answer, i64::from(std::process::id()));
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn bits_32(_count: u32) {
    assert!(
        cfg!(target_arch = "x86_64"),
        "other machines have no such calls"
    );
}
