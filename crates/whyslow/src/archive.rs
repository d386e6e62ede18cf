//! Recordings in archives: `.zip`, `.7z`, and the `.diagsession` of Visual Studio, which is a zip.
//!
//! What an archive holds is unpacked into a directory beside the extract, or among temporary files, which
//! is removed when the recording has been read, whatever happens; where the program was killed, by the
//! next one that unpacks there. Names in the archive are labels only: no path is made
//! of them. How much is unpacked is limited, by what the archive says and by what comes out.

mod seven_zip;
mod zip_file;

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use whyslow_render::number;

use crate::failure::{Failure, plain};
use crate::interrupt::Interrupt;
use crate::source::Part;
use crate::stamp;

/// Endings of recordings' names.
pub(crate) const ENDINGS: [&str; 4] = ["etl", "data", "perf", "perfdata"];

/// Ending of the directories that archives are unpacked into.
const UNPACKED: &str = ".unpacked";
/// Longest name of an unpacked file, in bytes, without its ending.
const MOST_NAME: usize = 200;
/// The file in them that is locked as long as they are in use.
const LOCK: &str = "in-use";

/// A recording as files, some of which may be unpacked and are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) files: Vec<Part>,
    dir: Option<PathBuf>,
    /// Locked as long as the directory is in use.
    lock: Option<File>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        drop(self.lock.take());
        if let Some(dir) = &self.dir {
            // What cannot be removed is hidden, and names us.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// Unpacks those of a recording's files that are archives, at most `limit` bytes, into a directory
/// beside `output`.
pub(crate) fn open(
    files: &[PathBuf],
    output: &Path,
    limit: u64,
    interrupt: &Interrupt,
) -> Result<Opened, Failure> {
    let kinds: Vec<_> = files.iter().map(|file| kind(file)).collect();
    let mut opened = Opened {
        files: Vec::new(),
        dir: None,
        lock: None,
    };
    if kinds.iter().all(Option::is_none) {
        opened.files = files.iter().map(|file| Part::plain(file)).collect();
        return Ok(opened);
    }
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let own = format!(".{name}.{}{UNPACKED}", std::process::id());
    let dir = output.with_file_name(own);
    remove_left(&dir, &format!(".{name}."));
    let uncreated = |error| Failure::io(format!("create {}", dir.display()), &error);
    create_dir(&dir).map_err(uncreated)?;
    opened.dir = Some(dir.clone());
    let lock = File::create(dir.join(LOCK)).map_err(uncreated)?;
    // Where files cannot be locked, nothing that is left can be told from what is in use.
    opened.lock = lock.try_lock().is_ok().then_some(lock);
    for (file, kind) in files.iter().zip(kinds) {
        let Some(kind) = kind else {
            opened.files.push(Part::plain(file));
            continue;
        };
        let before = opened.files.len();
        let mut unpacking = Unpacking {
            archive: file,
            dir: &dir,
            limit,
            interrupt,
            files: &mut opened.files,
        };
        unpacking.unpack(kind)?;
        if opened.files.len() == before {
            return Err(cannot(file, "the recording in it is empty"));
        }
        check_one_recording(file, opened.files.get(before..).unwrap_or_default())?;
    }
    Ok(opened)
}

/// Creates a directory that nobody else looks into.
fn create_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Removes what earlier runs left beside `dir` that were killed: directories of our kind whose lock
/// nobody holds.
fn remove_left(dir: &Path, start: &str) {
    let entries = dir.parent().map(|parent| match parent.as_os_str() {
        here if here.is_empty() => fs::read_dir("."),
        _ => fs::read_dir(parent),
    });
    for entry in entries.into_iter().flatten().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(start);
        let id = middle.and_then(|rest| rest.strip_suffix(UNPACKED));
        if id.is_none_or(|id| id.parse::<u32>().is_err()) {
            continue;
        }
        let lock = File::open(entry.path().join(LOCK));
        let is_left = lock.is_ok_and(|lock| lock.try_lock().is_ok());
        if is_left {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The two forms.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Zip,
    SevenZip,
}

/// Returns whether a file is an archive.
pub(crate) fn is_archive(path: &Path) -> bool {
    kind(path).is_some()
}

/// Returns which archive a file is; `None` where it is none.
fn kind(path: &Path) -> Option<Kind> {
    let mut start = [0; 6];
    // What cannot be read is told when it is opened; what may be a pipe is not touched.
    let mut file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    file.read_exact(&mut start).ok()?;
    match &start {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Kind::Zip),
        b"7z\xbc\xaf\x27\x1c" => Some(Kind::SevenZip),
        _ => None,
    }
}

/// Files of Windows' sessions may be of one recording; others are not.
fn check_one_recording(archive: &Path, files: &[Part]) -> Result<(), Failure> {
    let is_etl = |part: &Part| part.path.extension().is_some_and(|ending| ending == "etl");
    if files.len() < 2 || files.iter().all(is_etl) {
        return Ok(());
    }
    let names = files.iter().filter_map(|part| part.path.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let why = format!("it holds several recordings: {}", listed(&names));
    Err(cannot(archive, why).hint("unpack it, and name each"))
}

fn cannot(archive: &Path, why: impl Display) -> Failure {
    Failure::cannot(format!("extract {}", archive.display()), why)
}

/// Returns the names, of many the first.
fn listed(names: &[impl AsRef<str>]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST).map(AsRef::as_ref);
    let text = first.collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        None | Some(0) => text,
        Some(more) => format!("{text} and {more} more"),
    }
}

/// What an archive says of a file in it.
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

    /// Returns the ending of its name if it is that of a recording.
    fn ending(&self) -> Option<&'static str> {
        let label = self.label();
        // Those with a dot before are Apple's, about the others.
        let (_, ending) = label.rsplit_once('.').filter(|_| !label.starts_with('.'))?;
        ENDINGS
            .into_iter()
            .find(|known| ending.eq_ignore_ascii_case(known))
    }
}

/// Why an archive's content cannot be had.
#[derive(Debug)]
enum Trouble {
    /// It needs a password.
    Encrypted,
    /// It was packed by a method that we do not know.
    Method(String),
    /// Anything else that its reader says.
    Damaged(String),
    /// What we say.
    Ours(Failure),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Ours(failure)
    }
}

/// The unpacking of one archive.
#[derive(Debug)]
struct Unpacking<'a> {
    archive: &'a Path,
    dir: &'a Path,
    limit: u64,
    interrupt: &'a Interrupt,
    /// What is unpacked so far.
    files: &'a mut Vec<Part>,
}

impl Unpacking<'_> {
    fn unpack(&mut self, kind: Kind) -> Result<(), Failure> {
        let archive = self.archive;
        let file = File::open(archive);
        let read = |error| Failure::io(format!("read {}", archive.display()), &error);
        let file = io::BufReader::new(file.map_err(read)?);
        // The libraries may panic on damaged archives.
        let body = || match kind {
            Kind::Zip => zip_file::unpack(file, self),
            Kind::SevenZip => seven_zip::unpack(file, self),
        };
        let unpacked = catch_unwind(AssertUnwindSafe(body));
        let unpacked = unpacked.unwrap_or_else(|_| Err(Trouble::Damaged("it is damaged".into())));
        unpacked.map_err(|trouble| match trouble {
            Trouble::Encrypted => {
                cannot(archive, "it is encrypted").hint("unpack it with its password first")
            }
            Trouble::Method(method) => {
                let why = format!("its method of compression ({method}) is not known");
                cannot(archive, why).hint("unpack it first")
            }
            Trouble::Damaged(why) => cannot(archive, why)
                .hint("the archive is damaged; compare its checksum with the original"),
            Trouble::Ours(failure) => failure,
        })
    }

    /// Returns which of an archive's files are recordings.
    fn choose(&self, entries: &[Entry]) -> Result<Vec<bool>, Failure> {
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
            return Err(cannot(self.archive, why).hint("recordings are .etl or .data files"));
        }
        let chosen = entries.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
        let sizes = chosen.map(|(entry, _)| entry.bytes);
        let bytes = sizes.fold(0, u64::saturating_add);
        if bytes > self.limit {
            return Err(self.too_large(bytes));
        }
        Ok(wanted)
    }

    fn too_large(&self, bytes: u64) -> Failure {
        let shown = |bytes| number::bytes(i64::try_from(bytes).unwrap_or(i64::MAX));
        let (is, most) = (shown(bytes), shown(self.limit));
        let why = format!("unpacked it has {is}, more than {most}");
        cannot(self.archive, why).hint("if that is right, allow it with --most-unpacked")
    }

    /// Writes a recording.
    fn take(&mut self, entry: &Entry, from: &mut dyn Read) -> Result<(), Trouble> {
        let number = self.files.len();
        let dir = self.dir.join(number.to_string());
        let label = entry.label();
        let stem = label.rsplit_once('.').map_or(label, |(stem, _)| stem);
        // File systems limit names by bytes.
        let mut stem = stamp::safe(stem);
        while stem.len() > MOST_NAME {
            stem.pop();
        }
        if stem.is_empty() {
            "recording".clone_into(&mut stem);
        }
        let path = dir.join(format!("{stem}.{}", entry.ending().unwrap_or_default()));
        let unwritten = |error: io::Error| {
            let failure = Failure::io(format!("write {}", path.display()), &error);
            match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    failure.hint("free some space, or unpack the archive elsewhere first")
                }
                _ => failure,
            }
        };
        fs::create_dir(&dir).map_err(unwritten)?;
        let mut out = File::create(&path).map_err(unwritten)?;
        self.copy(entry, from, |bytes| out.write_all(bytes).map_err(unwritten))?;
        let of = Part::plain(self.archive);
        self.files.push(Part {
            shown: format!("{}/{}", of.shown, entry.name),
            name: format!("{}/{label}", of.name),
            path,
        });
        Ok(())
    }

    /// Reads a file to its end, which is to be where the archive says.
    fn copy(
        &self,
        entry: &Entry,
        from: &mut dyn Read,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Trouble> {
        let mut buffer = vec![0; 256 << 10];
        let mut bytes: u64 = 0;
        loop {
            self.interrupt.check()?;
            let count = match from.read(&mut buffer) {
                Ok(0) if bytes == entry.bytes => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Trouble::Damaged(plain(&error))),
            };
            bytes = bytes.saturating_add(count as u64);
            if count == 0 || bytes > entry.bytes {
                let label = stamp::safe(entry.label());
                let why = format!("{label} is not as long as the archive says");
                return Err(Trouble::Damaged(why));
            }
            write(buffer.get(..count).unwrap_or_default())?;
        }
    }
}

#[cfg(test)]
mod tests;
