//! A pipe whose reading can be interrupted: the watcher may stop the wait for data, or for a
//! writer.

use std::fmt;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use whyslow_model::Watch;

use crate::error::{Error, ErrorKind};

/// How many bytes of a pipe show what wrote it.
const START: usize = 4096;
/// Length of the header of `perf.data` in pipe mode, which holds its own length.
const PIPE_MODE: usize = 16;

/// A pipe, from its beginning.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The content of a pipe, judged by its beginning.
pub(crate) enum Content {
    /// Read as it comes.
    Flowing(Begun),
    /// A file, which is read in several passes and must be kept first.
    File(Stream),
}

/// A pipe whose beginning is known already: the first caller that opens it gets it.
#[derive(Clone)]
pub(crate) struct Begun(Arc<Mutex<Option<Stream>>>);

impl Begun {
    /// Returns the pipe to the first caller.
    pub(crate) fn take(&self) -> Option<Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Begun")
    }
}

/// Waits for the first data of a pipe; `None` if it cannot be opened: opening it as a file will
/// report why.
///
/// # Errors
/// When it cannot be read, or `watch` stops the wait.
pub(crate) fn begin(path: &Path, watch: &Arc<dyn Watch>) -> Result<Option<Content>, Error> {
    let watching = Arc::clone(watch);
    let Ok(mut pipe) = Pipe::open(path, move || watching.is_interrupted()) else {
        return Ok(None);
    };
    let mut start = Vec::new();
    let mut read = |bytes: usize, start: &mut Vec<u8>| {
        let more = bytes.saturating_sub(start.len()) as u64;
        pipe.by_ref()
            .take(more)
            .read_to_end(start)
            .map_err(|error| {
                let action = format!("read {}", path.display());
                match watch.is_interrupted() {
                    true => Error::interrupted(path),
                    false => Error::io(ErrorKind::Unreadable, action, path, &error),
                }
            })
    };
    // A program that records into a pipe may write nothing more for a long time.
    read(PIPE_MODE, &mut start)?;
    let is_file = match perf_header_bytes(&start) {
        Some(bytes) => bytes != PIPE_MODE as u64,
        None => {
            read(START, &mut start)?;
            let is_named = path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("etl"));
            is_named || whyslow_etl::is_trace(&start)
        }
    };
    let whole: Stream = Box::new(Cursor::new(start).chain(pipe));
    Ok(Some(match is_file {
        true => Content::File(whole),
        false => Content::Flowing(Begun(Arc::new(Mutex::new(Some(whole))))),
    }))
}

/// Returns the header length that the start of a `perf.data` states.
fn perf_header_bytes(start: &[u8]) -> Option<u64> {
    let bytes = start.get(8..16)?.try_into().ok()?;
    match start.get(..8)? {
        b"PERFILE2" => Some(u64::from_le_bytes(bytes)),
        b"2ELIFREP" => Some(u64::from_be_bytes(bytes)),
        _ => None,
    }
}

/// Returns whether something is there that is neither a file nor a directory.
pub(crate) fn is_pipe(path: &Path) -> bool {
    let kind = path.metadata().map(|meta| meta.file_type());
    kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

#[cfg(unix)]
use unix::Pipe;

/// A plain file, on systems where pipes cannot be watched.
#[cfg(not(unix))]
struct Pipe(std::fs::File);

#[cfg(not(unix))]
impl Pipe {
    fn open(path: &Path, _: impl Fn() -> bool) -> std::io::Result<Self> {
        std::fs::File::open(path).map(Self)
    }
}

#[cfg(not(unix))]
impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    /// How long to wait before asking the watcher.
    const STEP: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };

    /// A pipe, and the function that says whether to stop reading it.
    pub(crate) struct Pipe<F> {
        file: File,
        is_interrupted: F,
    }

    impl<F: Fn() -> bool> Pipe<F> {
        /// Opens a pipe without waiting for a writer.
        pub(crate) fn open(path: &Path, is_interrupted: F) -> io::Result<Self> {
            let mut options = File::options();
            let file = options
                .read(true)
                .custom_flags(libc::O_NONBLOCK)
                .open(path)?;
            Ok(Self {
                file,
                is_interrupted,
            })
        }
    }

    impl<F: Fn() -> bool> Read for Pipe<F> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                if (self.is_interrupted)() {
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                let mut wanted = [PollFd::new(&self.file, PollFlags::IN)];
                match poll(&mut wanted, Some(&STEP)) {
                    Ok(0) | Err(Errno::INTR) => continue,
                    Ok(_) => {}
                    Err(error) => return Err(error.into()),
                }
                match self.file.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                }
            }
        }
    }
}
