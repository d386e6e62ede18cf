//! A pipe that can be left: whoever watches may stop the wait for data, or for somebody to write.

use std::path::Path;
use std::sync::Arc;

use whyslow_model::Watch;
use whyslow_perfdata::Reader;

use crate::error::Error;
use crate::part::Part;

impl Part {
    /// Opens it as a `perf.data` file, or as a pipe that is written in pipe mode.
    ///
    /// # Errors
    /// When it cannot be read, is no `perf.data`, or `watch` stops the wait for a pipe.
    pub fn open_perf(&self, watch: &Arc<dyn Watch>) -> Result<Reader, Error> {
        let reader = match open_pipe(&self.path, watch) {
            Some(pipe) => pipe.and_then(Reader::from_stream),
            None => Reader::open(&self.path),
        };
        reader.map_err(|error| match watch.is_interrupted() {
            true => Error::interrupted(&self.path),
            false => self.unreadable_perf(&error),
        })
    }
}

type Opened = Result<Box<dyn std::io::Read + Send>, Box<whyslow_perfdata::Error>>;

/// Opens what is no file and no directory; `None` where it is one, or is not there.
#[cfg(unix)]
fn open_pipe(path: &Path, watch: &Arc<dyn Watch>) -> Option<Opened> {
    if !is_pipe(path) {
        return None;
    }
    // What cannot be opened so says why when it is opened as a file.
    let watch = Arc::clone(watch);
    let pipe = Pipe::open(path, move || watch.is_interrupted()).ok()?;
    Some(Ok(Box::new(pipe)))
}

/// Returns whether something is there that is neither a file nor a directory.
pub(crate) fn is_pipe(path: &Path) -> bool {
    let kind = path.metadata().map(|meta| meta.file_type());
    kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

#[cfg(unix)]
pub(crate) use unix::Pipe;

/// What is read as it is, where pipes cannot be watched.
#[cfg(not(unix))]
pub(crate) struct Pipe(std::fs::File);

#[cfg(not(unix))]
impl Pipe {
    pub(crate) fn open(path: &Path, _: impl Fn() -> bool) -> std::io::Result<Self> {
        std::fs::File::open(path).map(Self)
    }
}

#[cfg(not(unix))]
impl std::io::Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(not(unix))]
fn open_pipe(_path: &Path, _watch: &Arc<dyn Watch>) -> Option<Opened> {
    None
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    /// How long to wait before asking whoever watches.
    const STEP: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };

    /// A pipe, and what says whether to leave it.
    pub(crate) struct Pipe<F> {
        file: File,
        is_interrupted: F,
    }

    impl<F: Fn() -> bool> Pipe<F> {
        /// Opens a pipe without waiting for somebody to write.
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
