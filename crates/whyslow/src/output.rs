//! Where an answer goes: standard output or a file, as a table, CSV, JSON or Parquet.
//!
//! A file appears complete or not at all, and replaces an existing one only if asked to. A reader
//! that stops reading (`| head`) is not a failure.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use whyslow_files::{Access, PartFile};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Prints `text` on standard output.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Exit {
    let mut out = io::stdout().lock();
    printed(out.write_all(text.as_ref()).and_then(|()| out.flush()))
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

/// Returns whether a name means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes what `write` writes to `file`, or to standard output; returns whether it was read to the
/// end.
pub(crate) fn write_to<T>(
    file: Option<&Path>,
    force: bool,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<Option<T>, Failure> {
    let Some(path) = file.filter(|path| !is_standard(path)) else {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
        let result = write(&mut out).and_then(|value| out.flush().map(|()| value));
        return match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
            Err(error) => Err(Failure::io("write to standard output", &error)),
        };
    };
    let unwritten = |error| Failure::unwritten(path, &error);
    let created = PartFile::create(path, force, Access::Usual);
    let (part, file) = created.map_err(|error| Failure::uncreated(path, &error))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let result = write(&mut out).and_then(|value| out.flush().map(|()| value));
    drop(out);
    let value = result.map_err(unwritten)?;
    part.finish().map_err(unwritten)?;
    Ok(Some(value))
}
