//! What an experiment ran on: the driver of the file system, and what there still is on a full one.

use std::fs;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::fstatvfs;

use crate::fixture::daemons;
use crate::mounts::mount_in;

/// Returns the driver of the file system at `path`: as the kernel calls it (`ext4`), or the daemon's
/// name (`ntfs-3g`) where it can be found, or else FUSE's name for it (`fuse.bindfs`).
pub fn driver(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let mounts = fs::read("/proc/self/mountinfo").ok()?;
    let (point, driver) = mount_in(&mounts, &path)?;
    let fuse = driver.starts_with("fuse");
    let daemon = fuse.then(|| daemons(&point).pop()).flatten();
    Some(daemon.map_or(driver, |(_, name)| name))
}

/// Returns what there still is where a file system said that no space is left: it may be the table of
/// files that is full, or a directory.
pub(crate) fn left(place: impl AsFd) -> Option<String> {
    let found = fstatvfs(place).ok()?;
    if found.f_files > 0 && found.f_ffree == 0 {
        return Some("No inode is left: it holds as many files as it can.".to_owned());
    }
    let megabytes = found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000;
    (megabytes >= 20).then(|| {
        format!("The disk is not full, {megabytes} MB are free: a directory may be full before.")
    })
}
