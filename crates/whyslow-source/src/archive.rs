//! Recordings in archives: `.zip`, `.7z`, and the `.diagsession` of Visual Studio, which is a zip.
//!
//! An archive's content is unpacked into a directory next to the extract, or among temporary files.
//! The directory is removed when the recording has been read, whatever happens; if the program was
//! killed, the next one that unpacks there removes it. Names in the archive are only labels: no
//! path is made from them. The amount unpacked is limited, both by what the archive states and by
//! the actual data.
//!
//! A file that comes through a pipe is also kept there, because it is read in several passes.

mod seven_zip;
mod zip_file;

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use whyslow_files::cause::plain;
use whyslow_files::name::safe;
use whyslow_files::private;
use whyslow_model::Watch;

use crate::error::{Error, ErrorKind};
use crate::part::Part;
use crate::pipe::{self, Content, Stream, is_pipe};

/// Suffixes of recordings' names.
pub const ENDINGS: [&str; 4] = ["etl", "data", "perf", "perfdata"];

/// Suffix of the directories that archives are unpacked into.
const UNPACKED: &str = ".unpacked";
/// Maximum length of an unpacked file's name, in bytes, without its suffix.
const MOST_NAME: usize = 200;
/// The file in them that is locked while they are in use.
const LOCK: &str = "in-use";
/// Age from which that file may be left over: it is created before it is locked.
const LEFT_AGE: Duration = Duration::from_secs(60);
/// Number of names tried for a directory; other machines or users may have taken some.
const MOST_TRIES: u32 = 8;
/// The variable that says where temporary files go.
const TEMPORARY: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// Where archives are unpacked.
#[derive(Debug, Clone, Copy)]
pub enum Room<'a> {
    /// Beside this extract, which is about to be written.
    Beside(&'a Path),
    /// Among temporary files, as if next to this file.
    Temporary(&'a Path),
}

impl<'a> Room<'a> {
    fn path(self) -> &'a Path {
        match self {
            Self::Beside(path) | Self::Temporary(path) => path,
        }
    }

    /// Returns the error that an archive's content is not available.
    fn cannot(self, kind: ErrorKind, archive: &Path, why: impl Display) -> Error {
        let verb = match self {
            Self::Beside(_) => "extract",
            Self::Temporary(_) => "read",
        };
        Error::new(kind, format!("{verb} {}", archive.display()), archive, why)
    }

    /// Returns the error that `verb` failed on a path in here.
    fn unwritten(self, verb: &str, path: &Path, error: &io::Error) -> Error {
        let action = format!("{verb} {}", path.display());
        let failed = Error::io(ErrorKind::Unwritable, action, path, error);
        match self {
            Self::Beside(_) => failed,
            Self::Temporary(_) => {
                failed.hint(format!("set {TEMPORARY} to a directory with enough room"))
            }
        }
    }
}

/// A recording as files; unpacked ones are removed when this is dropped.
#[derive(Debug)]
pub struct Opened {
    /// The files to read.
    pub files: Vec<Part>,
    dir: Option<PathBuf>,
    /// Locked while the directory is in use.
    lock: Option<File>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        drop(self.lock.take());
        if let Some(dir) = &self.dir {
            // A directory that cannot be removed is hidden, and its name shows that it is ours.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// Unpacks the archives among a recording's files, at most `limit` bytes, into a directory in
/// `room`.
///
/// # Errors
/// When an archive cannot be read or holds no recording, or the directory cannot be written.
pub fn open(
    files: &[PathBuf],
    room: Room<'_>,
    limit: u64,
    watch: &Arc<dyn Watch>,
) -> Result<Opened, Error> {
    let forms = files.iter().map(|file| form(file, watch));
    let forms = forms.collect::<Result<Vec<_>, _>>()?;
    let mut opened = Opened {
        files: Vec::new(),
        dir: None,
        lock: None,
    };
    if forms.iter().all(|form| matches!(form, Form::Plain(_))) {
        let plain = forms.into_iter().filter_map(|form| match form {
            Form::Plain(part) => Some(part),
            Form::Archive(_) | Form::Pipe(_) => None,
        });
        opened.files = plain.collect();
        return Ok(opened);
    }
    remove_left(room.path());
    let dir = create_dir(room)?;
    opened.dir = Some(dir.clone());
    let lock = dir.join(LOCK);
    let lock = private::create(&lock).map_err(|error| room.unwritten("create", &lock, &error))?;
    // If files cannot be locked, leftovers cannot be distinguished from directories in use.
    opened.lock = lock.lock().is_ok().then_some(lock);
    for (file, form) in files.iter().zip(forms) {
        let before = opened.files.len();
        let mut unpacking = Unpacking {
            archive: file,
            room,
            dir: &dir,
            limit,
            watch: &**watch,
            files: &mut opened.files,
        };
        match form {
            Form::Plain(part) => {
                opened.files.push(part);
                continue;
            }
            Form::Archive(kind) => unpacking.unpack(kind)?,
            Form::Pipe(mut pipe) => unpacking.keep(&mut pipe)?,
        }
        if opened.files.len() == before {
            return Err(room.cannot(ErrorKind::Empty, file, "the recording in it is empty"));
        }
    }
    Ok(opened)
}

/// Returns the beginning of the names of the directories in `room`.
fn start(room: &Path) -> String {
    let name = room.file_name().unwrap_or_default();
    format!(".{}.", name.to_string_lossy())
}

/// Creates a directory that no other user can read.
fn create_dir(room: Room<'_>) -> Result<PathBuf, Error> {
    let own = format!("{}{}", start(room.path()), std::process::id());
    let mut tried = 0;
    loop {
        let number = if tried == 0 {
            String::new()
        } else {
            format!("-{tried}")
        };
        let dir = room
            .path()
            .with_file_name(format!("{own}{number}{UNPACKED}"));
        tried += 1;
        match private::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < MOST_TRIES => {}
            Err(error) => return Err(room.unwritten("create", &dir, &error)),
        }
    }
}

/// Removes directories left next to `room` by earlier runs that were killed: directories of our kind
/// whose lock is free.
fn remove_left(room: &Path) {
    let entries = room.parent().map(|parent| match parent.as_os_str() {
        here if here.is_empty() => fs::read_dir("."),
        _ => fs::read_dir(parent),
    });
    let start = start(room);
    for entry in entries.into_iter().flatten().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(&start);
        let id = middle.and_then(|rest| rest.strip_suffix(UNPACKED));
        let is_ours = id.is_some_and(|id| {
            let (process, number) = id.split_once('-').unwrap_or((id, "0"));
            process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok()
        });
        if is_ours && is_left(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether a directory of our kind is no longer in use.
///
/// Other users may write among temporary files. Their files are not opened: a pipe would block us,
/// and a link may lead to a device.
fn is_left(dir: &Path) -> bool {
    let lock = dir.join(LOCK);
    let (Ok(outer), Ok(inner)) = (dir.symlink_metadata(), lock.symlink_metadata()) else {
        return false;
    };
    let age = inner.modified().ok().and_then(|at| at.elapsed().ok());
    if !outer.is_dir() || !inner.is_file() || age.is_none_or(|age| age < LEFT_AGE) {
        return false;
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        let own = rustix::process::geteuid().as_raw();
        if outer.uid() != own || inner.uid() != own {
            return false;
        }
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    options.open(lock).is_ok_and(|lock| lock.try_lock().is_ok())
}

/// The form in which a recording comes.
enum Form {
    /// Read directly.
    Plain(Part),
    /// To be unpacked.
    Archive(Packing),
    /// Comes through a pipe, and must be kept.
    Pipe(Stream),
}

/// What kind of archive it is.
#[derive(Debug, Clone, Copy)]
enum Packing {
    Zip,
    SevenZip,
}

/// Returns whether a file is an archive.
pub fn is_archive(path: &Path) -> bool {
    kind(path).is_some()
}

fn form(path: &Path, watch: &Arc<dyn Watch>) -> Result<Form, Error> {
    if let Some(kind) = kind(path) {
        return Ok(Form::Archive(kind));
    }
    let mut part = Part::plain(path);
    if is_pipe(path) {
        match pipe::begin(path, watch)? {
            Some(Content::File(pipe)) => return Ok(Form::Pipe(pipe)),
            Some(Content::Flowing(begun)) => part.begun = Some(begun),
            None => {}
        }
    }
    Ok(Form::Plain(part))
}

/// Returns what kind of archive a file is; `None` if it is not one.
fn kind(path: &Path) -> Option<Packing> {
    let mut start = [0; 6];
    // A file that cannot be read is reported when it is opened; what may be a pipe is not touched.
    let mut file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    file.read_exact(&mut start).ok()?;
    match &start {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
        b"7z\xbc\xaf\x27\x1c" => Some(Packing::SevenZip),
        _ => None,
    }
}

/// Returns the names; if there are many, only the first.
fn listed(names: &[impl AsRef<str>]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST).map(AsRef::as_ref);
    let text = first.collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        None | Some(0) => text,
        Some(more) => format!("{text} and {more} more"),
    }
}

/// Used if the size of a file is not known.
const ANY: u64 = u64::MAX;

/// What an archive says about a file in it.
#[derive(Debug)]
struct Entry {
    name: String,
    bytes: u64,
}

impl Entry {
    /// Returns its name without folders.
    fn label(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Returns the suffix of its name if it is a recording's.
    fn ending(&self) -> Option<&'static str> {
        let label = self.label();
        // Names that begin with a dot are Apple's metadata about the other files.
        let (_, ending) = label.rsplit_once('.').filter(|_| !label.starts_with('.'))?;
        ENDINGS
            .into_iter()
            .find(|known| ending.eq_ignore_ascii_case(known))
    }
}

/// Why an archive's content is not available.
#[derive(Debug)]
enum Trouble {
    /// It needs a password.
    Encrypted,
    /// It was packed by an unknown method.
    Method(String),
    /// Any other message of its reader.
    Damaged(String),
    /// An error of our own.
    Ours(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

/// The unpacking of one archive.
#[derive(Debug)]
struct Unpacking<'a> {
    archive: &'a Path,
    room: Room<'a>,
    dir: &'a Path,
    limit: u64,
    watch: &'a dyn Watch,
    /// The files unpacked so far.
    files: &'a mut Vec<Part>,
}

impl Unpacking<'_> {
    fn unpack(&mut self, kind: Packing) -> Result<(), Error> {
        let archive = self.archive;
        let action = || format!("read {}", archive.display());
        let read = |error| Error::io(ErrorKind::Unreadable, action(), archive, &error);
        let file = io::BufReader::new(File::open(archive).map_err(read)?);
        // The libraries may panic on damaged archives.
        let body = || match kind {
            Packing::Zip => zip_file::unpack(file, self),
            Packing::SevenZip => seven_zip::unpack(file, self),
        };
        let unpacked = whyslow_caught::caught(body);
        let unpacked = unpacked.unwrap_or_else(|_| Err(Trouble::Damaged("it is damaged".into())));
        unpacked.map_err(|trouble| match trouble {
            Trouble::Encrypted => self
                .room
                .cannot(ErrorKind::Packed, archive, "it is encrypted")
                .hint("unpack it with its password first"),
            Trouble::Method(method) => {
                let why = format!("its method of compression ({method}) is not known");
                self.room
                    .cannot(ErrorKind::Packed, archive, why)
                    .hint("unpack it first")
            }
            Trouble::Damaged(why) => self
                .room
                .cannot(ErrorKind::Damaged, archive, why)
                .hint("the archive is damaged; compare its checksum with the original"),
            Trouble::Ours(error) => error,
        })
    }

    /// Writes the data from a pipe.
    fn keep(&mut self, pipe: &mut dyn Read) -> Result<(), Error> {
        let plain = Part::plain(self.archive);
        let entry = Entry {
            name: plain.name.clone(),
            bytes: ANY,
        };
        match self.take(&entry, pipe) {
            _ if self.watch.is_interrupted() => return Err(Error::interrupted(self.archive)),
            Err(Trouble::Ours(error)) => return Err(error),
            Err(Trouble::Damaged(why)) => {
                return Err(self.room.cannot(ErrorKind::Unreadable, self.archive, why));
            }
            Err(Trouble::Encrypted | Trouble::Method(_)) | Ok(()) => {}
        }
        if let Some(last) = self.files.last_mut() {
            (last.shown, last.name) = (plain.shown, plain.name);
        }
        Ok(())
    }

    /// Returns which of an archive's files are recordings.
    fn choose(&self, entries: &[Entry]) -> Result<Vec<bool>, Error> {
        let wanted: Vec<_> = entries
            .iter()
            .map(|entry| entry.ending().is_some())
            .collect();
        if !wanted.contains(&true) {
            let names: Vec<_> = entries.iter().map(|entry| &entry.name).collect();
            let why = match listed(&names) {
                names if names.is_empty() => "it is empty".to_owned(),
                names => format!("it holds no recording, only {names}"),
            };
            return Err(self
                .room
                .cannot(ErrorKind::NotARecording, self.archive, why)
                .hint("recordings are .etl or .data files"));
        }
        let chosen = entries.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
        let sizes = chosen.map(|(entry, _)| entry.bytes);
        let bytes = sizes.fold(0, u64::saturating_add);
        if bytes > self.limit {
            return Err(self.too_large(bytes));
        }
        Ok(wanted)
    }

    fn too_large(&self, bytes: u64) -> Error {
        let limit = self.limit;
        let has = match is_pipe(self.archive) {
            true => "it has at least",
            false => "unpacked it has",
        };
        let why = format!("{has} {bytes} bytes, more than {limit}");
        let kind = ErrorKind::TooLarge { bytes, limit };
        self.room.cannot(kind, self.archive, why)
    }

    /// Writes a recording.
    fn take(&mut self, entry: &Entry, from: &mut dyn Read) -> Result<(), Trouble> {
        let number = self.files.len();
        let dir = self.dir.join(number.to_string());
        let label = entry.label();
        let stem = label.rsplit_once('.').map_or(label, |(stem, _)| stem);
        // File systems limit names by bytes.
        let mut stem = safe(stem);
        while stem.len() > MOST_NAME {
            stem.pop();
        }
        if stem.is_empty() {
            "recording".clone_into(&mut stem);
        }
        let path = dir.join(format!("{stem}.{}", entry.ending().unwrap_or_default()));
        let unwritten = |error: io::Error| self.room.unwritten("write", &path, &error);
        private::create_dir(&dir).map_err(unwritten)?;
        let mut out = private::create(&path).map_err(unwritten)?;
        self.copy(entry, from, |bytes| out.write_all(bytes).map_err(unwritten))?;
        let of = Part::plain(self.archive);
        self.files.push(Part {
            shown: format!("{}/{}", of.shown, entry.name),
            name: format!("{}/{label}", of.name),
            path,
            begun: None,
        });
        Ok(())
    }

    /// Reads a file to its end, which must be where the archive says.
    fn copy(
        &self,
        entry: &Entry,
        from: &mut dyn Read,
        mut write: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Trouble> {
        let mut buffer = vec![0; 256 << 10];
        let mut bytes: u64 = 0;
        loop {
            if self.watch.is_interrupted() {
                return Err(Error::interrupted(self.archive).into());
            }
            let count = match from.read(&mut buffer) {
                Ok(0) if bytes == entry.bytes || entry.bytes == ANY => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Trouble::Damaged(plain(&error))),
            };
            bytes = bytes.saturating_add(count as u64);
            if entry.bytes == ANY && bytes > self.limit {
                return Err(self.too_large(bytes).into());
            }
            if count == 0 || bytes > entry.bytes {
                let label = safe(entry.label());
                let why = format!("{label} is not as long as the archive says");
                return Err(Trouble::Damaged(why));
            }
            write(buffer.get(..count).unwrap_or_default())?;
        }
    }
}

#[cfg(test)]
mod tests;
