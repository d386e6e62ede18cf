//! What an experiment ran on: the driver of the file system, and what the kernel says of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{major, minor};

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

/// Returns whether the file system at `path` looks past the inodes of files that were deleted in the last minutes when
/// it creates one: ext4 without a journal does.
pub(crate) fn skips_deleted(path: &Path) -> bool {
    let device = fs::metadata(path).map(|found| found.dev());
    device.is_ok_and(|device| without_journal(Path::new("/sys"), device))
}

/// Returns whether the driver of ext4 serves `device` and says, below `sys`, that nothing keeps a journal there.
fn without_journal(sys: &Path, device: u64) -> bool {
    let number = format!("dev/block/{}:{}", major(device), minor(device));
    let device = fs::read_link(sys.join(number)).unwrap_or_default();
    let Some(name) = device.file_name() else {
        return false;
    };
    let task = fs::read_to_string(sys.join("fs/ext4").join(name).join("journal_task"));
    task.is_ok_and(|task| task.trim() == "<none>")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::makedev;

    use super::*;

    #[test]
    fn the_kernel_says_where_there_is_no_journal() {
        let sys = std::env::temp_dir().join(format!("whyslow-sys-{}", std::process::id()));
        fs::create_dir_all(sys.join("dev/block")).expect("a directory");
        let device = |minor: u32, name: &str, task: Option<&str>| {
            let link = sys.join(format!("dev/block/254:{minor}"));
            symlink(format!("../../devices/virtual/block/{name}"), link).expect("a link");
            if let Some(task) = task {
                let dir = sys.join("fs/ext4").join(name);
                fs::create_dir_all(&dir).expect("a directory");
                fs::write(dir.join("journal_task"), task).expect("a file");
            }
            without_journal(&sys, makedev(254, minor))
        };
        assert!(device(0, "vda", Some("<none>\n")));
        assert!(!device(1, "vdb", Some("317\n")), "a journal");
        assert!(!device(2, "vdc", None), "another driver");
        assert!(!without_journal(&sys, makedev(0, 22)), "no device");
        fs::remove_dir_all(&sys).expect("removed");
    }
}
