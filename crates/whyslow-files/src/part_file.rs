//! A file while it is not whole: another name, and gone unless it is finished.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::{name, owner, private};

/// Who can read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Its owner alone.
    Owner,
    /// Whoever the user's settings allow.
    Usual,
}

/// `NAME.PID.part` beside `NAME`. Removed when dropped; a process that is killed leaves it behind.
#[derive(Debug)]
pub struct PartFile {
    part: PathBuf,
    target: PathBuf,
    replace: bool,
    is_done: bool,
}

impl PartFile {
    /// Creates the file that will be `target`, open for reading and writing.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where `target` is there and is not to be replaced,
    /// [`io::ErrorKind::IsADirectory`] where it is a directory or no name, else what the system says.
    pub fn create(target: &Path, replace: bool, access: Access) -> io::Result<(Self, File)> {
        if target.is_dir() && replace {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if replace && is_special(target) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "is a device, a pipe or a socket, which no file replaces",
            ));
        }
        if !replace && target.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let Some(name) = target.file_name() else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let mut part_name = name.to_owned();
        part_name.push(format!(".{}.part", std::process::id()));
        let part = target.with_file_name(part_name);
        // Left behind by a killed process that happened to have our number.
        let _none = fs::remove_file(&part);
        let mut options = match access {
            Access::Owner => private::options(),
            Access::Usual => OpenOptions::new(),
        };
        let file = options
            .read(true)
            .write(true)
            .create_new(true)
            .open(&part)?;
        let part_file = Self {
            part,
            target: target.to_owned(),
            replace,
            is_done: false,
        };
        owner::give(&file)?;
        Ok((part_file, file))
    }

    /// Creates the file that will be `target`, or the same name with a number that nothing has.
    ///
    /// # Errors
    /// As [`PartFile::create`].
    pub fn create_as_free(target: &Path, access: Access) -> io::Result<(Self, File)> {
        let mut created = Err(io::ErrorKind::AlreadyExists.into());
        for name in name::numbered(target) {
            created = Self::create(&name, false, access);
            let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
            if !created.as_ref().is_err_and(is_taken) {
                break;
            }
        }
        created
    }

    /// Returns the final name.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the name until then.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// As [`PartFile::create`]; the file is removed then.
    pub fn finish(mut self) -> io::Result<()> {
        if self.replace {
            fs::rename(&self.part, &self.target)?;
        } else {
            rename_new(&self.part, &self.target)?;
        }
        self.is_done = true;
        Ok(())
    }

    /// Gives the file its final name, or, if something else has got that, the same name with a number. Returns the name.
    ///
    /// # Errors
    /// What the system says; the file is removed then.
    pub fn finish_as_free(mut self) -> io::Result<PathBuf> {
        for name in name::numbered(&self.target) {
            match rename_new(&self.part, &name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                renamed => {
                    renamed?;
                    self.is_done = true;
                    return Ok(name);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.is_done {
            // What cannot be removed has a name that says what it is.
            let _left = fs::remove_file(&self.part);
        }
    }
}

/// Returns whether something is there that is neither a file nor leads to one.
fn is_special(target: &Path) -> bool {
    target
        .metadata()
        .is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Renames a file unless that would replace another.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Some file systems know no renaming that spares existing files.
            Err(Errno::INVAL | Errno::NOSYS) => {}
            renamed => return Ok(renamed?),
        }
    }
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A directory that is gone when the test ends.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let name = format!("whyslow-part-{name}-{}", std::process::id());
            let dir = std::env::temp_dir().join(name);
            fs::create_dir_all(&dir).unwrap();
            Self(dir)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
            entries.map(|entry| name(entry.unwrap())).collect()
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_file_appears_when_it_is_finished_and_else_not_at_all() {
        let place = Place::new("whole");
        let target = place.0.join("a");
        let (part, mut file) = PartFile::create(&target, false, Access::Usual).unwrap();
        file.write_all(b"new").unwrap();
        assert!(!target.exists());
        part.finish().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        drop(PartFile::create(&target, true, Access::Usual).unwrap());
        assert_eq!(place.names(), ["a"]);
    }

    #[test]
    fn what_is_there_is_replaced_only_if_wanted() {
        let place = Place::new("there");
        let target = place.0.join("a");
        let (late, _) = PartFile::create(&target, false, Access::Usual).unwrap();
        fs::write(&target, b"old").unwrap();
        let exists = |result: io::Result<()>| result.unwrap_err().kind();
        assert_eq!(exists(late.finish()), io::ErrorKind::AlreadyExists);
        let again = PartFile::create(&target, false, Access::Usual).map(|_| ());
        assert_eq!(exists(again), io::ErrorKind::AlreadyExists);
        let (part, _) = PartFile::create(&target, true, Access::Usual).unwrap();
        part.finish().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"");
        let dir = PartFile::create(&place.0, true, Access::Usual).map(|_| ());
        assert_eq!(exists(dir), io::ErrorKind::IsADirectory);
        assert_eq!(place.names(), ["a"]);
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let place = Place::new("numbered");
        let target = place.0.join("a.b");
        let create = || PartFile::create_as_free(&target, Access::Usual).unwrap().0;
        let late = create();
        fs::write(&target, b"another's").unwrap();
        let there = [late.finish_as_free(), create().finish_as_free()];
        let there = there.map(|name| name.unwrap());
        assert_eq!(there, ["a-2.b", "a-3.b"].map(|name| place.0.join(name)));
        assert_eq!(fs::read(&target).unwrap(), b"another's");
        assert_eq!(place.names().len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_its_owners() {
        use std::os::unix::fs::PermissionsExt;
        let place = Place::new("private");
        let target = place.0.join("a");
        let (part, _) = PartFile::create(&target, false, Access::Owner).unwrap();
        part.finish().unwrap();
        let mode = target.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
