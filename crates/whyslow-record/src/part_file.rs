//! The output while it is not whole: another name, and gone unless it is finished.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::sys::process::rename_new;

/// `NAME.PID.part` beside the output. Removed when dropped; a killed recorder leaves it behind.
#[derive(Debug)]
pub(crate) struct PartFile {
    part: PathBuf,
    output: PathBuf,
    replace: bool,
    is_done: bool,
}

impl PartFile {
    /// Creates the file.
    pub(crate) fn create(output: &Path, replace: bool) -> Result<(Self, File), Error> {
        if !replace && output.symlink_metadata().is_ok() {
            return Err(Error::OutputExists {
                path: output.to_owned(),
            });
        }
        let fail = |source| Error::Output {
            path: output.to_owned(),
            source,
            command: None,
        };
        let Some(name) = output.file_name() else {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        };
        let mut part_name = name.to_owned();
        part_name.push(format!(".{}.part", std::process::id()));
        let part = output.with_file_name(part_name);
        // Left behind by a killed recorder that happened to have our number.
        let _ = std::fs::remove_file(&part);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&part)
            .map_err(fail)?;
        Ok((
            Self {
                part,
                output: output.to_owned(),
                replace,
                is_done: false,
            },
            file,
        ))
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let renamed = if self.replace {
            std::fs::rename(&self.part, &self.output)
        } else {
            match rename_new(&self.part, &self.output) {
                // Some file systems know no renaming that spares existing files.
                Err(error)
                    if error.raw_os_error() == Some(libc::EINVAL)
                        && self.output.symlink_metadata().is_err() =>
                {
                    std::fs::rename(&self.part, &self.output)
                }
                renamed => renamed,
            }
        };
        match renamed {
            Ok(()) => {
                self.is_done = true;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::OutputExists {
                    path: self.output.clone(),
                })
            }
            Err(source) => Err(Error::Output {
                path: self.output.clone(),
                source,
                command: None,
            }),
        }
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}
