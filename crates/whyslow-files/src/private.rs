//! Files and directories that only their owner can read: recordings and extracts contain the command
//! lines of all users and addresses of the kernel.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::owner;

/// Creates a file, or empties the one that is there, which keeps its owner.
///
/// # Errors
/// When the system refuses.
pub fn create(path: &Path) -> io::Result<File> {
    let is_new = path.symlink_metadata().is_err();
    let file = options().create(true).truncate(true).open(path)?;
    match is_new {
        true => owner::give(&file).map(|()| file),
        false => Ok(file),
    }
}

/// Returns options for a file to be written that only its owner can read.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a directory.
///
/// # Errors
/// When the system refuses, or something is there already.
pub fn create_dir(path: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "the mode is set on Unix"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    owner::give_directory(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

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
