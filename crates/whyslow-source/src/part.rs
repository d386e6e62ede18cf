//! One file of a recording, and the program that wrote it.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use whyslow_files::cause::{self, plain};
use whyslow_model::Watch;
use whyslow_perfdata::Reader;

use crate::error::{Error, ErrorKind};
use crate::pipe::Begun;

/// A file of a recording.
#[derive(Debug, Clone)]
pub struct Part {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in messages; for a file in an archive, its place there.
    pub shown: String,
    /// Its name in tables.
    pub name: String,
    /// A pipe whose beginning has been read already.
    pub(crate) begun: Option<Begun>,
}

impl Part {
    /// Returns a file that the user named.
    pub fn plain(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self {
            path: path.to_owned(),
            shown: path.display().to_string(),
            name: name.to_string_lossy().into_owned(),
            begun: None,
        }
    }

    /// Opens it as a `perf.data` file, or as a pipe that is written in pipe mode.
    ///
    /// # Errors
    /// When it cannot be read, is not a `perf.data`, or `watch` stops the wait for a pipe.
    pub fn open_perf(&self, watch: &dyn Watch) -> Result<Reader, Error> {
        let reader = match self.begun.as_ref().and_then(Begun::take) {
            Some(pipe) => Reader::from_stream(pipe),
            None => Reader::open(&self.path),
        };
        reader.map_err(|error| match watch.is_interrupted() {
            true => Error::interrupted(&self.path),
            false => self.unreadable_perf(&error),
        })
    }

    /// Returns the error that it cannot be read as a `perf.data` file.
    pub fn unreadable_perf(&self, error: &whyslow_perfdata::Error) -> Error {
        use whyslow_perfdata::ErrorKind as Perf;
        let cause = error.to_string();
        let own = error.path.as_ref();
        let own = own.map_or(String::new(), |path| format!("{}: ", path.display()));
        let cause = cause.strip_prefix(&own).unwrap_or(&cause);
        let action = format!("read {}", self.shown);
        let (kind, hint) = match error.kind {
            Perf::Empty => (
                ErrorKind::Empty,
                "the recorder was killed before it wrote anything, or the copy is incomplete",
            ),
            Perf::NotPerfData => (
                ErrorKind::NotARecording,
                "recordings come from `whyslow record`, `perf record` or, as .etl files, from Windows; extracts need no extracting",
            ),
            Perf::BadHeader => (
                ErrorKind::Damaged,
                "the file is damaged; compare its checksum with the original",
            ),
            Perf::Unsupported => (
                ErrorKind::NotARecording,
                "give the file itself instead of a pipe",
            ),
            _ => (ErrorKind::Unreadable, ""),
        };
        let failed = Error::new(kind, action, &self.path, cause).at(error.offset);
        if hint.is_empty() {
            failed
        } else {
            failed.hint(hint)
        }
    }

    /// Returns the error that it cannot be read as a Windows trace.
    pub fn unreadable_etl(&self, error: &whyslow_etl::Error) -> Error {
        use whyslow_etl::ErrorKind as Etl;
        let kind = match error.kind {
            Etl::Io => ErrorKind::Unreadable,
            Etl::Empty => ErrorKind::Empty,
            Etl::NotEtl => ErrorKind::NotARecording,
            _ => ErrorKind::Damaged,
        };
        let action = format!("read {}", self.shown);
        let failed = Error::new(kind, action, &self.path, error);
        failed.at(error.offset).hint(error.advice())
    }
}

/// What wrote a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingKind {
    /// `perf`, or our recorder.
    Perf,
    /// A session of Event Tracing for Windows.
    Etl,
}

/// Returns what wrote the recording at `path`, according to its first bytes, or else its name.
pub fn kind(path: &Path) -> RecordingKind {
    const START: u64 = 4096;
    let mut start = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        // A file that cannot be read is not a trace; the next attempt to open it reports why.
        let _unread = file.take(START).read_to_end(&mut start);
    }
    let is_named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("etl"));
    let is_perf = start.starts_with(b"PERFILE2") || start.starts_with(b"2ELIFREP");
    if whyslow_etl::is_trace(&start) || is_named && !is_perf {
        RecordingKind::Etl
    } else {
        RecordingKind::Perf
    }
}

/// Returns whether a file looks like a recording, whatever it is called.
pub fn looks_recorded(path: &Path) -> bool {
    // Opening a pipe waits until somebody writes to it.
    if !path.is_file() {
        return false;
    }
    let mut magic = [0_u8; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && (&magic == b"PERFILE2" || &magic == b"2ELIFREP")
        || kind(path) == RecordingKind::Etl
}

/// Returns the system's metadata of the recording at `path`, which may be a pipe.
///
/// # Errors
/// When there is none, or it is a directory.
pub fn metadata(path: &Path) -> Result<Metadata, Error> {
    let meta = path.metadata().map_err(|error| unread(path, &error))?;
    if meta.is_dir() {
        let action = format!("read {}", path.display());
        let error = Error::new(ErrorKind::NotARecording, action, path, "it is a directory");
        return Err(error.hint("name a perf.data or .etl file; extracts need no extracting"));
    }
    Ok(meta)
}

/// Returns the error that the recording at `path` cannot be read.
pub(crate) fn unread(path: &Path, error: &io::Error) -> Error {
    let action = format!("read {}", path.display());
    let failed = |kind, cause: &str| Error::new(kind, &action, path, cause);
    match (error.kind(), cause::hint(error)) {
        (io::ErrorKind::NotFound, _) => failed(ErrorKind::NotFound, "no such file")
            .hint("record one with `whyslow record`, or with `perf record -a -g`"),
        (io::ErrorKind::PermissionDenied, _) => failed(ErrorKind::Unreadable, &plain(error))
            .hint("recordings of root belong to root: use sudo, or chown the file"),
        _ => Error::io(ErrorKind::Unreadable, action, path, error),
    }
}
