//! `reopen`: settings in a file, opened anew for every one of them, against read once; on a share also
//! against a new connection for each.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, pread, read};
use whyslow_share::{Access, Remote};

use crate::bench::Bench;
use crate::case::Case;
use crate::error::Error;
use crate::measuring::{again_limits, alone, look_again};
use crate::operation::Operation;
use crate::place::{Ground, Place};
use crate::remote::{Client, ROUND_TRIPS, new_directory, usable};
use crate::store::Base;
use whyslow_series::{Run, Words};

/// Reads settings: reopening the file for each, against reading it once.
pub(super) static CASE: Case = Case {
    name: "reopen",
    about: "read --count settings from a file: open it for each one, or read it once",
    examples: &[
        "reopen --count 3000 --dir /mnt/share/test",
        "reopen --on tmpfs,smb,smb:rtt=10ms",
    ],
    words: WORDS,
    usual_count: Some(3_000),
    series: |_| 2,
    measure,
    on_shares: true,
    ..Case::PLAIN
};

/// The words on this machine; the dialects of a share have the same.
pub(crate) const WORDS: Words =
    Words::new("reopen", "Reading a setting", "settings").counting("system calls");

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    match bench.store.base() {
        Base::Ground(ground) => measure_here(bench, ground, runs),
        Base::Share(access) => measure_on_share(bench, access, runs),
    }
}

fn measure_here(bench: &Bench<'_>, ground: &Ground, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let place = Place::make(ground)?;
    let path = Settings::make(&place, options.count)?;
    for (arm, reading) in [("reopen", Reading::Reopen), ("read once", Reading::Once)] {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut settings = Settings::new(&path, reading, options.count);
        let setup = bench.setup(WORDS).named(arm);
        let mut run = alone(&mut settings, setup.clone(), options.limits(), context);
        if reading == Reading::Reopen {
            look_again(&mut run, options, context, |limits| {
                Ok(alone(&mut settings, setup, limits, context))
            });
        }
        runs.push(run);
    }
    let left = place.remove().err().map(|error| error.plain());
    if let Some(run) = runs.last_mut() {
        run.left = left;
    }
    Ok(())
}

fn measure_on_share(bench: &Bench<'_>, access: &Access, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let (count, reach) = (options.count, (access, context.stop));
    let (mut remote, place) = new_directory(access, context.stop)?;
    remote.write(SETTINGS_FILE, &settings(count))?;
    let arms = [
        ("reopen", ShareReading::Reopen),
        ("read once", ShareReading::Once),
        ("reconnect", ShareReading::Reconnect),
    ];
    let words = WORDS.counting(ROUND_TRIPS);
    for (arm, reading) in arms {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut settings = ShareSettings::new(remote, reach, &place, reading, count);
        let setup = bench.setup(words).named(arm);
        let mut run = alone(&mut settings, setup.clone(), options.limits(), context);
        let connected = settings.client.fault.is_none() && !context.stopped();
        if connected && reading != ShareReading::Once {
            let limits = again_limits(run.first.operations.len(), options.budget);
            let again = alone(&mut settings, setup, limits, context);
            run.first.again = again.first.into_measured();
        }
        runs.push(run);
        remote = usable(settings.client)?;
    }
    Ok(())
}

/// The file's name in its place.
pub(crate) const SETTINGS_FILE: &str = "settings.ini";

/// Bytes that are read at once.
const BLOCK: usize = 4096;

/// How the settings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Open, read the block with the setting, close: for each.
    Reopen,
    /// Open, read all, close: with the first; the others come from memory.
    Once,
}

/// A file of settings and how it is read.
struct Settings {
    path: std::path::PathBuf,
    reading: Reading,
    /// Where each setting begins in the file.
    offsets: Vec<usize>,
    memory: Vec<u8>,
    block: Box<[u8; BLOCK]>,
}

impl Settings {
    /// Makes the file with `count` settings in `place`.
    fn make(place: &Place, count: u64) -> Result<std::path::PathBuf, Error> {
        let path = place.path().join(SETTINGS_FILE);
        let lines: String = (0..count).map(line).collect();
        fs::write(&path, lines).map_err(Error::io("write", &path))?;
        Ok(path)
    }

    /// Returns what reads the file at `path`.
    fn new(path: &Path, reading: Reading, count: u64) -> Self {
        let mut offset = 0;
        let offsets = (0..count).map(|at| {
            let begin = offset;
            offset += line(at).len();
            begin
        });
        Self {
            path: path.to_owned(),
            reading,
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
fn line(at: u64) -> String {
    format!("setting{at:06}=value of setting {at}\r\n")
}

/// Looks whether `text` begins with the setting `at`.
fn found(text: &[u8], at: u64) -> Result<(), Errno> {
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
        match self.reading {
            Reading::Reopen => self.reopen(at),
            Reading::Once => self.once(at),
        }
    }
}

/// Returns the content of a file of `count` settings.
pub(crate) fn settings(count: u64) -> Vec<u8> {
    (0..count).map(line).collect::<String>().into_bytes()
}

/// How settings are read from a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShareReading {
    /// Open, read the block with the setting, close: for each, on one connection.
    Reopen,
    /// Open, read all, close: with the first; the others come from memory.
    Once,
    /// Connect anew, then as [`ShareReading::Reopen`].
    Reconnect,
}

/// ShareSettings in a file on a share.
pub(crate) struct ShareSettings<'a> {
    pub(crate) client: Client<'a>,
    access: Access,
    stop: &'a AtomicBool,
    directory: String,
    reading: ShareReading,
    offsets: Vec<u64>,
    text: Vec<u8>,
}

impl<'a> ShareSettings<'a> {
    /// Returns what reads `count` settings from the file in `directory`, in which `remote` is,
    /// until `stop` is up.
    pub(crate) fn new(
        remote: Box<dyn Remote + 'a>,
        (access, stop): (&Access, &'a AtomicBool),
        directory: &str,
        reading: ShareReading,
        count: u64,
    ) -> Self {
        let mut offset = 0;
        let offsets = (0..count).map(|at| {
            let begin = offset;
            offset += u64::try_from(line(at).len()).unwrap_or(0);
            begin
        });
        Self {
            client: Client::new(remote),
            access: access.clone(),
            stop,
            directory: directory.to_owned(),
            reading,
            offsets: offsets.collect(),
            text: Vec::with_capacity(2 * BLOCK),
        }
    }

    fn offset(&self, at: u64) -> u64 {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.offsets.get(at).copied().unwrap_or(0)
    }

    fn reopen(&mut self, at: u64) -> Result<u32, Errno> {
        let offset = self.offset(at);
        let text = &mut self.text;
        text.clear();
        let most = u32::try_from(BLOCK).unwrap_or(4096);
        let read = self
            .client
            .counted(|remote| remote.read(SETTINGS_FILE, offset, most, text))?;
        found(text, at).map(|()| read)
    }

    fn once(&mut self, at: u64) -> Result<u32, Errno> {
        let text = &mut self.text;
        let mut trips = 0;
        if text.is_empty() {
            trips = self
                .client
                .counted(|remote| remote.read_all(SETTINGS_FILE, text))?;
        }
        let offset = usize::try_from(self.offset(at)).unwrap_or(usize::MAX);
        found(self.text.get(offset..).unwrap_or_default(), at).map(|()| trips)
    }

    fn reconnect(&mut self, at: u64) -> Result<u32, Errno> {
        let connected = self
            .access
            .connect(self.stop)
            .and_then(|mut remote| remote.enter(&self.directory, false).map(|()| remote));
        self.client.remote = self.client.told(connected)?;
        let before = self.client.remote.round_trips();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let read = self.reopen(at)?;
        Ok(self.access.greetings + before + read)
    }
}

impl Operation for ShareSettings<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        match self.reading {
            ShareReading::Reopen => self.reopen(at),
            ShareReading::Once => self.once(at),
            ShareReading::Reconnect => self.reconnect(at),
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
        let calls = |reading| {
            let mut settings = Settings::new(&path, reading, 500);
            (0..500)
                .map(|at| settings.run(at).expect("found"))
                .sum::<u32>()
        };
        assert_eq!(calls(Reading::Reopen), 1_500);
        let size = fs::metadata(&path).expect("there").len();
        assert_eq!(u64::from(calls(Reading::Once)), 3 + size.div_ceil(4096));
        let mut settings = Settings::new(&path, Reading::Reopen, 500);
        assert_eq!(settings.run(501), Err(Errno::BADMSG));
        place.remove().expect("all of it is ours");
    }
}
