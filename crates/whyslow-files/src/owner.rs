//! Whose the files are that this process makes.
//!
//! Who records a whole machine does so as root, by `sudo`, but the files are for the person who called it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// User and group.
static OWNER: OnceLock<(u32, u32)> = OnceLock::new();

/// Gives everything that this crate creates from now on to a user and a group; only root can. The first call counts.
pub fn give_to(user: u32, group: u32) {
    // Another one was first.
    let _first = OWNER.set((user, group));
}

/// Gives a new file to its owner.
///
/// # Errors
/// When the system refuses.
pub(crate) fn give(file: &File) -> io::Result<()> {
    match OWNER.get() {
        #[cfg(unix)]
        Some(&(user, group)) => std::os::unix::fs::fchown(file, Some(user), Some(group)),
        _ => Ok(()),
    }
}

/// Gives a new directory to its owner.
pub(crate) fn give_directory(path: &Path) -> io::Result<()> {
    match OWNER.get() {
        #[cfg(unix)]
        Some(&(user, group)) => std::os::unix::fs::lchown(path, Some(user), Some(group)),
        _ => Ok(()),
    }
}

/// Creates a directory and those above it that are missing, for the owner of all new files.
///
/// # Errors
/// When the system refuses.
pub fn create_dirs(path: &Path) -> io::Result<()> {
    let is_there = |path: &Path| path.as_os_str().is_empty() || path.is_dir();
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|path| !is_there(path))
        .collect();
    std::fs::create_dir_all(path)?;
    // A directory that cannot be given away is there all the same.
    missing.into_iter().try_for_each(give_directory)
}
