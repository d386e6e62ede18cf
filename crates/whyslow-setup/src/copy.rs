//! A copy of the program with rights of its own.
//!
//! It is in a directory that only root can change. It has its rights before it has its name, and loses them before its
//! name: who made another name for it before keeps nothing.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Gid, OFlags, StatVfsMountFlags, Uid, fchown, fstatvfs};

use crate::error::Error;
use crate::file_rights;
use crate::note::{MOST_BYTES, Note};

/// Where the copy is.
const USUAL: &str = "/usr/local/lib/whyslow";
/// The copy's name.
const COPY: &str = "whyslow";
/// The name of the note beside it.
const NOTE: &str = "setup";

/// The place of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    directory: PathBuf,
}

/// A copy that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Where it is.
    pub path: PathBuf,
    /// The group that may execute it; everybody without one.
    pub group: Option<String>,
}

/// What was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// What is gone.
    pub removed: Vec<PathBuf>,
    /// The directory, if it is still there because of other files.
    pub kept: Option<PathBuf>,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.group {
            Some(group) => write!(f, "made {path}: the members of {group} can now record,")?,
            None => write!(f, "made {path}: everybody can now record,")?,
        }
        writeln!(f, " and so read what all users do")?;
        writeln!(f, "next: whyslow run -- COMMAND")?;
        writeln!(f, "undo: sudo whyslow setup --undo")
    }
}

impl fmt::Display for Undone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for path in &self.removed {
            writeln!(f, "removed {}", path.display())?;
        }
        match &self.kept {
            Some(path) => writeln!(f, "kept {}: it holds other files", path.display()),
            None => Ok(()),
        }
    }
}

impl Copy {
    /// Returns the usual place.
    #[must_use]
    pub fn usual() -> Self {
        Self::at(Path::new(USUAL))
    }

    /// Returns another place; the directory above it must exist.
    #[must_use]
    pub fn at(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    /// Returns the path of the copy.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(COPY)
    }

    /// Returns what is there, if we made it and it has its rights.
    #[must_use]
    pub fn found(&self) -> Option<Made> {
        let note = self.note()?;
        (self.is_ours(&note) && file_rights::has(&self.path())).then(|| Made {
            path: self.path(),
            group: note.group,
        })
    }

    /// Returns whether the copy is one of a program of this version and size.
    pub(crate) fn is_of(&self, version: &str, bytes: u64) -> bool {
        let note = self.note();
        note.is_some_and(|note| note.version == version && note.bytes == bytes)
    }

    /// Copies `program`, which calls itself `version`, and gives the copy its rights. A copy made before is replaced.
    ///
    /// # Errors
    /// [`Error`]; then nothing has changed, or there is only no copy any more.
    pub fn make(
        &self,
        program: &mut File,
        version: &str,
        group: Option<&str>,
    ) -> Result<Made, Error> {
        if !rustix::process::geteuid().is_root() {
            return Err(Error::NotRoot);
        }
        if !file_rights::are_known(last_right()) {
            return Err(Error::OldKernel);
        }
        let number = match group {
            Some(name) => {
                let number = whyslow_person::group_named(name);
                Some(number.ok_or_else(|| Error::NoGroup(name.to_owned()))?)
            }
            None => None,
        };
        let before = self.note();
        if self.path().symlink_metadata().is_ok() || before.is_some() {
            self.undo()?;
        }
        let made_directory = self.ready_directory()?;
        let made = self.fill(program, number);
        let meta = match made {
            Ok(meta) => meta,
            Err(error) => {
                if made_directory {
                    let _kept = fs::remove_dir(&self.directory);
                }
                return Err(error);
            }
        };
        let note = Note {
            version: version.to_owned(),
            group: group.map(str::to_owned),
            made_directory,
            inode: meta.ino(),
            bytes: meta.len(),
        };
        self.finish(&note)
    }

    /// Takes back what was made.
    ///
    /// # Errors
    /// [`Error::Nothing`] if nothing was; [`Error::Foreign`] if it is not as it was made, and nothing has changed then.
    pub fn undo(&self) -> Result<Undone, Error> {
        if !rustix::process::geteuid().is_root() {
            return Err(Error::NotRoot);
        }
        let Some(note) = self.note() else {
            return Err(match self.path().symlink_metadata() {
                Ok(_) => Error::Foreign(self.path()),
                Err(_) => Error::Nothing,
            });
        };
        let path = self.path();
        let mut removed = Vec::new();
        if path.symlink_metadata().is_ok() {
            if !self.is_ours(&note) {
                return Err(Error::Foreign(path));
            }
            remove(&path)?;
            removed.push(path);
        }
        let note_path = self.directory.join(NOTE);
        fs::remove_file(&note_path).map_err(Error::system("remove", &note_path))?;
        removed.push(note_path);
        let is_gone = note.made_directory && fs::remove_dir(&self.directory).is_ok();
        let kept = (note.made_directory && !is_gone).then(|| self.directory.clone());
        if is_gone {
            removed.push(self.directory.clone());
        }
        Ok(Undone { removed, kept })
    }

    /// Makes the directory if it is missing; returns whether it was.
    fn ready_directory(&self) -> Result<bool, Error> {
        let directory = &self.directory;
        let made = match DirBuilder::new().mode(0o755).create(directory) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(Error::system("make", directory)(error)),
        };
        let checked = self.check_directory(made);
        if checked.is_err() && made {
            let _kept = fs::remove_dir(directory);
        }
        checked.map(|()| made)
    }

    fn check_directory(&self, is_new: bool) -> Result<(), Error> {
        let directory = &self.directory;
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits().cast_signed())
            .open(directory);
        let opened = opened.map_err(Error::system("open", directory))?;
        if is_new {
            // The caller's mask may have left out that others can enter it.
            let open_to_all = fs::Permissions::from_mode(0o755);
            let set = opened.set_permissions(open_to_all);
            set.map_err(Error::system("set the mode of", directory))?;
        }
        let meta = opened.metadata();
        let meta = meta.map_err(Error::system("look at", directory))?;
        if meta.uid() != 0 || meta.mode() & 0o022 != 0 {
            return Err(Error::Open(directory.clone()));
        }
        let mounted = fstatvfs(&opened).map_err(io::Error::from);
        let mounted = mounted.map_err(Error::system("look at", directory))?;
        match mounted.f_flag.contains(StatVfsMountFlags::NOSUID) {
            true => Err(Error::NoRights(directory.clone())),
            false => Ok(()),
        }
    }

    /// The name of the copy until it is complete and noted.
    fn part(&self) -> PathBuf {
        self.directory.join(format!("{COPY}.part"))
    }

    /// Writes the copy under another name, and gives it its rights.
    fn fill(&self, program: &mut File, group: Option<u32>) -> Result<fs::Metadata, Error> {
        let part = self.part();
        // Left behind by one that was killed; only root can have made it.
        let _none = remove(&part);
        let filled = fill_part(&part, program, group);
        if filled.is_err() {
            let _none = remove(&part);
        }
        filled
    }

    /// Writes the note, and gives the copy its name: there is none without a note.
    fn finish(&self, note: &Note) -> Result<Made, Error> {
        let path = self.directory.join(NOTE);
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&path);
        let mut file = match made {
            Ok(file) => file,
            Err(error) => {
                let _none = remove(&self.part());
                return Err(match error.kind() {
                    io::ErrorKind::AlreadyExists => Error::Foreign(path),
                    _ => Error::system("make", &path)(error),
                });
            }
        };
        let open_to_all = fs::Permissions::from_mode(0o644);
        let written = file.set_permissions(open_to_all);
        let written = written.and_then(|()| file.write_all(note.to_string().as_bytes()));
        let written = written.map_err(Error::system("write", &path));
        let named = written.and_then(|()| {
            fs::rename(self.part(), self.path()).map_err(Error::system("name", self.path()))
        });
        if let Err(error) = named {
            let _none = remove(&self.part());
            let _none = fs::remove_file(&path);
            return Err(error);
        }
        Ok(Made {
            path: self.path(),
            group: note.group.clone(),
        })
    }

    /// Reads the note, if only root can have written it.
    fn note(&self) -> Option<Note> {
        let file = open(&self.directory.join(NOTE)).ok()?;
        let meta = file.metadata().ok()?;
        if !is_roots(&meta) {
            return None;
        }
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        Note::parse(&text)
    }

    /// Returns whether the copy is the file that the note describes.
    fn is_ours(&self, note: &Note) -> bool {
        let meta = self.path().symlink_metadata();
        meta.is_ok_and(|meta| {
            is_roots(&meta) && meta.ino() == note.inode && meta.len() == note.bytes
        })
    }
}

fn is_roots(meta: &fs::Metadata) -> bool {
    meta.is_file() && meta.uid() == 0 && meta.mode() & 0o022 == 0
}

/// Opens a file for reading; a link is none.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    options.open(path)
}

/// Returns the number of the last capability that the kernel knows.
pub(crate) fn last_right() -> u32 {
    let text = fs::read_to_string("/proc/sys/kernel/cap_last_cap");
    text.ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0)
}

/// Removes a copy; it loses its rights before its name.
fn remove(path: &Path) -> Result<(), Error> {
    let file = open(path).map_err(Error::system("open", path))?;
    file_rights::take(&file).map_err(Error::system("take the rights from", path))?;
    fs::remove_file(path).map_err(Error::system("remove", path))
}

/// Writes the copy, and gives it its rights.
fn fill_part(part: &Path, program: &mut File, group: Option<u32>) -> Result<fs::Metadata, Error> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(part);
    let mut file = made.map_err(Error::system("make", part))?;
    io::copy(program, &mut file).map_err(Error::system("write", part))?;
    // A change of owner takes the rights of a file, so they come last.
    let group_of_file = Gid::from_raw(group.unwrap_or(0));
    let owned = fchown(&file, Some(Uid::ROOT), Some(group_of_file)).map_err(io::Error::from);
    owned.map_err(Error::system("change the group of", part))?;
    let mode = if group.is_some() { 0o750 } else { 0o755 };
    let set = file.set_permissions(fs::Permissions::from_mode(mode));
    set.map_err(Error::system("set the mode of", part))?;
    file_rights::give(&file).map_err(Error::system("give rights to", part))?;
    file.sync_all().map_err(Error::system("write", part))?;
    let meta = file.metadata().map_err(Error::system("look at", part))?;
    Ok(meta)
}

#[cfg(test)]
mod tests;
