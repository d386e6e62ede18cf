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

/// Flag of `open`: fails where the path ends in a symbolic link.
#[cfg(target_os = "linux")]
pub(crate) const NO_LINK: i32 = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();

/// Gives a new file or directory, which is open, to its owner. On a file system that knows no owners it stays as it is.
///
/// # Errors
/// When the system refuses for another reason.
pub fn give(file: &File) -> io::Result<()> {
    match OWNER.get() {
        #[cfg(unix)]
        Some(&(user, group)) => {
            use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
            match std::os::unix::fs::fchown(file, Some(user), Some(group)) {
                Err(error)
                    if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) =>
                {
                    Ok(())
                }
                given => given,
            }
        }
        _ => Ok(()),
    }
}

/// Opens a directory that we made just now. Whoever owns the one above it may have put another one in its place.
///
/// # Errors
/// When it is not there, no directory, or not ours.
pub fn open_own_directory(path: &Path) -> io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        let directory = rustix::fs::OFlags::DIRECTORY.bits().cast_signed();
        let file = options.custom_flags(NO_LINK | directory).open(path)?;
        let is_ours = file.metadata()?.uid() == rustix::process::geteuid().as_raw();
        match is_ours {
            true => Ok(file),
            false => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }
    #[cfg(not(target_os = "linux"))]
    options.open(path)
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
    for path in missing.into_iter().rev() {
        match std::fs::create_dir(path) {
            Ok(()) if OWNER.get().is_some() => give(&open_own_directory(path)?)?,
            // Such as `out/..`, once `out` is there; it is not ours to give away.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            made => made?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_directories_are_made_from_the_top() {
        let dir = std::env::temp_dir().join(format!("whyslow-dirs-{}", std::process::id()));
        create_dirs(&dir.join("out/../runs/today")).unwrap();
        let made = dir.join("runs/today").is_dir() && dir.join("out").is_dir();
        create_dirs(&dir.join("runs")).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(made);
    }
}
