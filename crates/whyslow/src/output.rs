//! Where an answer goes: standard output or a file, as a table, CSV, JSON or Parquet.
//!
//! A file appears whole or not at all, and replaces none unless told to. A reader that stops
//! reading (`| head`) is no failure.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Prints `text` on standard output.
pub(crate) fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    printed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Returns what to exit with after writing to standard output.
pub(crate) fn printed(result: io::Result<()>) -> Exit {
    match result {
        Ok(()) => Exit::Success,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => {
            let terminal = Terminal::new(false, false);
            terminal.fail(&Failure::io("write to standard output", &error))
        }
    }
}

/// Writes what `write` writes to `file`, or to standard output; returns whether anybody read it to
/// the end.
pub(crate) fn write_to<T>(
    file: Option<&Path>,
    force: bool,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<Option<T>, Failure> {
    let Some(path) = file else {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
        let result = write(&mut out).and_then(|value| out.flush().map(|()| value));
        return match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
            Err(error) => Err(Failure::io("write to standard output", &error)),
        };
    };
    let part = PartFile::create(path, force)?;
    let mut out = BufWriter::with_capacity(1 << 16, &part.file);
    let result = write(&mut out).and_then(|value| out.flush().map(|()| value));
    drop(out);
    let failed = |error| Failure::io(format!("write {}", path.display()), &error);
    let value = result.map_err(failed)?;
    part.finish(force)?;
    Ok(Some(value))
}

/// A file under a temporary name, beside its final one; removed unless finished.
#[derive(Debug)]
pub(crate) struct PartFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
    done: bool,
}

impl PartFile {
    /// Creates the file.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        if path.is_dir() {
            return Err(Failure::cannot(
                format!("write {}", path.display()),
                "it is a directory",
            ));
        }
        let part = temporary(path);
        let file = OpenOptions::new().write(true).create_new(true).open(&part);
        let file =
            file.map_err(|error| Failure::io(format!("create {}", path.display()), &error))?;
        Ok(Self {
            file,
            part,
            path: path.to_owned(),
            done: false,
        })
    }

    /// Returns the final name.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "for `run`"))]
    pub(crate) fn target(&self) -> &Path {
        &self.path
    }

    /// Returns what to write through.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "for `run`"))]
    pub(crate) fn writer(&self) -> impl Write + '_ {
        &self.file
    }

    /// Gives the file its final name.
    pub(crate) fn finish(mut self, force: bool) -> Result<(), Failure> {
        if !force && self.path.symlink_metadata().is_ok() {
            return Err(exists(&self.path));
        }
        let renamed = fs::rename(&self.part, &self.path);
        renamed.map_err(|error| Failure::io(format!("write {}", self.path.display()), &error))?;
        self.done = true;
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed is under a name that says what it is.
            let _left = fs::remove_file(&self.part);
        }
    }
}

fn exists(path: &Path) -> Failure {
    Failure::cannot(format!("write {}", path.display()), "it exists already")
        .hint("choose another name, or replace it with --force")
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
