//! What is at a path where no extract is.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind};

/// Returns why there is no extract at a path that is not a directory.
pub(crate) fn no_directory(path: &Path) -> Error {
    let not = |what| Error::new(path, ErrorKind::NotAnExtract, what);
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() == 0 => {
            not("it is an empty file, not an extract")
        }
        Ok(found) if found.is_file() => not("it is a file, not an extract"),
        Ok(_) => not("it is a pipe, a socket or a device, not an extract"),
        Err(_) if path.is_symlink() => {
            let what = "it is a link to something that does not exist";
            Error::new(path, ErrorKind::NotFound, what)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Error::new(path, ErrorKind::NotFound, "not found")
        }
        Err(error) => Error::io(path, "cannot be read", error),
    }
}
