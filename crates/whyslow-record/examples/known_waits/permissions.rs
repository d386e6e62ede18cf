//! A program that listens decides whether a file may be opened (fanotify).

use std::fmt::Write as _;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;

use super::WHILE;

/// Opens a file, which another thread of this process allows after a while.
pub(crate) fn opened(folder: &Path, told: &mut String) {
    let path = folder.join("watched");
    std::fs::write(&path, "text").expect("a file");
    let Some(group) = listener(&path) else {
        // It needs more rights than recording does, or another kernel.
        return;
    };
    let answers = thread::spawn(move || allow_one(&group));
    drop(File::open(&path).expect("allowed"));
    answers.join().expect("it answers");
    let path = std::fs::canonicalize(path).expect("a path");
    writeln!(told, "allowed {} {}", path.display(), std::process::id()).expect("memory");
}

fn listener(path: &Path) -> Option<OwnedFd> {
    let name = std::ffi::CString::new(path.as_os_str().as_bytes()).expect("a name");
    // SAFETY: plain calls; the name lives longer, and nobody else has the descriptor.
    unsafe {
        let group = libc::fanotify_init(libc::FAN_CLASS_CONTENT | libc::FAN_CLOEXEC, 0);
        if group < 0 {
            return None;
        }
        let group = OwnedFd::from_raw_fd(group);
        let (add, what) = (libc::FAN_MARK_ADD, libc::FAN_OPEN_PERM);
        let here = libc::AT_FDCWD;
        let marked = libc::fanotify_mark(group.as_raw_fd(), add, what, here, name.as_ptr());
        (marked == 0).then_some(group)
    }
}

fn allow_one(group: &OwnedFd) {
    // SAFETY: numbers only.
    let mut event: libc::fanotify_event_metadata = unsafe { std::mem::zeroed() };
    let group = group.as_raw_fd();
    // SAFETY: as many bytes as there are.
    let bytes = unsafe { libc::read(group, (&raw mut event).cast(), size_of_val(&event)) };
    assert!(bytes > 0, "somebody opens it");
    thread::sleep(WHILE);
    let answer: [RawFd; 2] = [event.fd, libc::FAN_ALLOW.cast_signed()];
    // SAFETY: as many bytes as there are; the descriptor came with the event.
    unsafe {
        let written = libc::write(group, answer.as_ptr().cast(), size_of_val(&answer));
        assert!(written > 0, "answered");
        libc::close(event.fd);
    }
}
