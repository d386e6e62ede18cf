//! Settings in a file: opened anew for every one of them, against read once.

use std::fs;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, pread, read};

use crate::error::Error;
use crate::operation::Operation;
use crate::place::Place;

/// The file's name in its place.
pub(crate) const FILE: &str = "settings.ini";

/// Bytes that are read at once.
pub(crate) const BLOCK: usize = 4096;

/// How the settings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Open, read the block with the setting, close: for each.
    Reopen,
    /// Open, read all, close: with the first; the others come from memory.
    Once,
}

/// A file of settings and a way to read them.
pub(crate) struct Settings {
    path: std::path::PathBuf,
    way: Way,
    /// Where each setting begins in the file.
    offsets: Vec<usize>,
    memory: Vec<u8>,
    block: Box<[u8; BLOCK]>,
}

impl Settings {
    /// Makes the file with `count` settings in `place`.
    pub(crate) fn make(place: &Place, count: u64) -> Result<std::path::PathBuf, Error> {
        let path = place.path().join(FILE);
        let lines: String = (0..count).map(line).collect();
        fs::write(&path, lines).map_err(Error::io("write", &path))?;
        Ok(path)
    }

    /// Returns the way to read the file at `path`.
    pub(crate) fn new(path: &Path, way: Way, count: u64) -> Self {
        let mut offset = 0;
        let offsets = (0..count).map(|at| {
            let begin = offset;
            offset += line(at).len();
            begin
        });
        Self {
            path: path.to_owned(),
            way,
            offsets: offsets.collect(),
            memory: Vec::new(),
            block: Box::new([0; BLOCK]),
        }
    }

    fn offset(&self, at: u64) -> usize {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.offsets.get(at).copied().unwrap_or(0)
    }

    fn reopen(&mut self, at: u64) -> Result<u32, Errno> {
        let offset = self.offset(at);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = openat(CWD, &self.path, flags, Mode::empty())?;
        let from = u64::try_from(offset).unwrap_or(0);
        let got = pread(&file, &mut self.block[..], from)?;
        drop(file);
        found(self.block.get(..got).unwrap_or_default(), at)?;
        Ok(3)
    }

    fn once(&mut self, at: u64) -> Result<u32, Errno> {
        let mut calls = 0;
        if self.memory.is_empty() {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC;
            let file = openat(CWD, &self.path, flags, Mode::empty())?;
            calls = 3;
            loop {
                let got = read(&file, &mut self.block[..])?;
                if got == 0 {
                    break;
                }
                calls += 1;
                self.memory
                    .extend(self.block.get(..got).unwrap_or_default());
            }
        }
        let rest = self.memory.get(self.offset(at)..).unwrap_or_default();
        found(rest, at)?;
        Ok(calls)
    }
}

/// Returns the line of a setting.
pub(crate) fn line(at: u64) -> String {
    format!("setting{at:06}=value of setting {at}\r\n")
}

/// Looks whether `text` begins with the setting `at`.
pub(crate) fn found(text: &[u8], at: u64) -> Result<(), Errno> {
    let name = text.split(|byte| *byte == b'=').next();
    let digits = name.and_then(|name| name.strip_prefix(b"setting"));
    let number = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    if number == Some(at) {
        Ok(())
    } else {
        Err(Errno::BADMSG)
    }
}

impl Operation for Settings {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        match self.way {
            Way::Reopen => self.reopen(at),
            Way::Once => self.once(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Ground;

    #[test]
    fn both_ways_read_every_setting_with_the_calls_they_say() {
        let dir = std::env::temp_dir().join(format!("lab-settings-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let path = Settings::make(&place, 500).expect("a file");
        let calls = |way| {
            let mut settings = Settings::new(&path, way, 500);
            (0..500)
                .map(|at| settings.run(at).expect("found"))
                .sum::<u32>()
        };
        assert_eq!(calls(Way::Reopen), 1_500);
        let size = fs::metadata(&path).expect("there").len();
        assert_eq!(u64::from(calls(Way::Once)), 3 + size.div_ceil(4096));
        let mut settings = Settings::new(&path, Way::Reopen, 500);
        assert_eq!(settings.run(501), Err(Errno::BADMSG));
        place.remove().expect("all of it is ours");
    }
}
