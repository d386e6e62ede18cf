//! Files and directories that only their owner can read: recordings and extracts contain the command
//! lines of all users and addresses of the kernel.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::owner;

/// Creates a file, or empties the one that is there, which keeps its owner.
///
/// # Errors
/// When the system refuses, or a symbolic link is there: somebody else may have made it.
pub fn create(path: &Path) -> io::Result<File> {
    match options().create_new(true).open(path) {
        Ok(file) => owner::give(&file).map(|()| file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            options().truncate(true).open(path)
        }
        Err(error) => Err(error),
    }
}

/// Returns options for a file to be written that only its owner can read. They follow no symbolic link.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, owner::NO_LINK);
    options
}

/// Creates a directory. It stays ours: what is in it is nobody else's business until it is finished.
///
/// # Errors
/// When the system refuses, or something is there already.
pub fn create_dir(path: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "the mode is set on Unix"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_link_that_somebody_planted_is_not_followed() {
        let dir = std::env::temp_dir().join(format!("whyslow-planted-{}", std::process::id()));
        create_dir(&dir).unwrap();
        std::fs::write(dir.join("secret"), "kept").unwrap();
        std::os::unix::fs::symlink("secret", dir.join("table")).unwrap();
        let made = create(&dir.join("table"));
        let kept = std::fs::read(dir.join("secret")).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(made.is_err());
        assert_eq!(kept, b"kept");
    }

    #[test]
    fn only_the_owner_has_access() {
        let dir = std::env::temp_dir().join(format!("whyslow-private-{}", std::process::id()));
        let file = dir.join("file");
        create_dir(&dir).unwrap();
        create(&file).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let modes = (mode(&dir), mode(&file));
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(modes, (0o700, 0o600));
    }
}
