//! What an experiment ran on: the driver of the file system.

use std::fs;
use std::path::Path;

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
