//! Mounts that end with the test that made them, however it ends.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use whyslow_testenv::wait_until;

use crate::failures::SmallDisk;
use crate::harness::Place;

/// Unmounts a directory when it is dropped, or when the process of the test is gone: a killed test drops nothing.
pub(crate) struct EndsWithTest(Child);

impl EndsWithTest {
    /// Watches a mount.
    pub(crate) fn new(point: &Path) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "read -r end; umount -l \"$0\" 2>/dev/null"]);
        // The other end of the pipe is ours alone. Ctrl-C, which ends the test, must not end the shell.
        let watching = shell.arg(point).stdin(Stdio::piped()).process_group(0);
        Self(watching.spawn().expect("a shell"))
    }
}

impl Drop for EndsWithTest {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ended = self.0.wait();
    }
}

#[test]
fn a_mount_ends_with_the_test_that_made_it() {
    let place = Place::new();
    let point = place.path("disk");
    let Some(mut disk) = SmallDisk::mount(&point) else {
        return;
    };
    let is_mounted = || {
        let mounts = fs::read_to_string("/proc/self/mountinfo").expect("mounts");
        mounts.contains(point.to_str().expect("a path"))
    };
    assert!(is_mounted());
    // A test that is killed closes its end of the pipe, and does nothing else.
    drop(disk.watch());
    wait_until("it is unmounted", || !is_mounted());
}
