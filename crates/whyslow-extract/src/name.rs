//! The information in a file's name: test case, measured duration, machine, time.
//!
//! `CASE_1234msHOST.whyslow`, `CASE_1234msHOST.20261121-101500.whyslow`, and the long form
//! `CASE_1234ms_HOST_ROLE_TestStatus-Passed_20261121-101500.whyslow`. Anything else has no test case.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use whyslow_files::name::{free, safe};
use whyslow_model::civil::Civil;

use crate::meta;

/// The parts of a test case's file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestName {
    /// Name of the test case.
    pub case: String,
    /// Measured duration in milliseconds.
    pub measured_ms: i64,
    /// Name of the machine; may be empty.
    pub host: String,
    /// When it was performed, as `yyyyMMdd-HHmmss` in the recorded machine's local time.
    pub performed: Option<String>,
}

impl TestName {
    /// Returns the information in the name of `path`, or `None` if it does not have this form.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let mut stem = name.as_str();
        for ending in [".whyslow", ".data", ".etl", ".perf"] {
            stem = stem.strip_suffix(ending).unwrap_or(stem);
        }
        let (case, rest) = stem.split_once('_')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, rest) = rest.split_at(digits);
        let rest = rest.strip_prefix("ms")?;
        if case.is_empty() {
            return None;
        }
        let performed = stem.rsplit(['_', '.']).next().filter(|text| is_stamp(text));
        let host = match performed {
            Some(stamp) => rest.strip_suffix(stamp).unwrap_or(rest),
            None => rest,
        };
        let host = host.trim_matches(['_', '.', '-']);
        let host = host.split("_TestStatus-").next().unwrap_or_default();
        let host = ["_CLT", "_SRV", "_SINGLE"]
            .iter()
            .fold(host, |host, role| host.strip_suffix(role).unwrap_or(host));
        Some(Self {
            case: case.to_owned(),
            measured_ms: number.parse().ok()?,
            host: host.to_owned(),
            performed: performed.map(ToOwned::to_owned),
        })
    }
}

/// The name that the files of a recorded command get: `COMMAND-STAMP`, or for a test case `CASE_1234msHOST.STAMP`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stem {
    /// Name of the test case, if it is one.
    pub case: Option<String>,
    /// The command, without its folder.
    pub command: String,
    /// The machine.
    pub host: String,
    /// When it began, as `yyyyMMdd-HHmmss`.
    pub stamp: String,
}

impl Stem {
    /// Returns the names for a command on a machine at a time, as `yyyyMMdd-HHmmss`; `case` is a test case.
    ///
    /// # Errors
    /// Returns the name of the test case if files cannot be called like that.
    pub fn new(
        case: Option<&str>,
        command: &[OsString],
        host: String,
        stamp: String,
    ) -> Result<Self, String> {
        if let Some(name) = case.filter(|name| safe(name) != *name) {
            return Err(name.to_owned());
        }
        let command = command.first().map(Path::new);
        let command = command.and_then(Path::file_name).unwrap_or_default();
        let command = safe(&command.to_string_lossy());
        Ok(Self {
            case: case.map(ToOwned::to_owned),
            command: match command.is_empty() {
                true => "command".to_owned(),
                false => command,
            },
            host,
            stamp,
        })
    }

    /// Returns the stem while the command runs, and if it is not known how long it took.
    pub fn before(&self) -> String {
        let name = self.case.as_ref().unwrap_or(&self.command);
        format!("{name}-{}", self.stamp)
    }

    /// Returns the stem once it is known how long the command took.
    pub fn after(&self, measured: Duration) -> String {
        match &self.case {
            Some(case) => {
                let ms = (measured.as_micros() + 500) / 1000;
                format!("{case}_{ms}ms{}.{}", self.host, self.stamp)
            }
            None => self.before(),
        }
    }

    /// Gives a recording its final name, with a number if something else has that name; returns its path.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn rename(&self, recording: &Path, measured: Option<Duration>) -> io::Result<PathBuf> {
        let is_taken = |path: &Path| {
            (path.exists() && path != recording) || path.with_extension("whyslow").exists()
        };
        let stem = measured.map_or_else(|| self.before(), |measured| self.after(measured));
        let new = free(&recording.with_file_name(format!("{stem}.data")), is_taken);
        if new != recording {
            fs::rename(recording, &new)?;
        }
        Ok(new)
    }
}

fn is_stamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().enumerate().all(|(at, byte)| {
        if at == 8 {
            *byte == b'-'
        } else {
            byte.is_ascii_digit()
        }
    });
    bytes.len() == 15 && digits
}

/// Returns a key that orders extracts by when their test was performed, in seconds since 1970 UTC:
/// when the recording began; if that is not known, the time in the name, although in local time;
/// else when the directory was written. Extracts with the same second are ordered by name.
pub(crate) fn performed_at(path: &Path) -> (i64, Option<String>) {
    let performed = TestName::of(path).and_then(|name| name.performed);
    let named = || performed.as_deref().and_then(seconds_of);
    let started = meta::start_unix_ns(path).map(|ns| ns.div_euclid(1_000_000_000));
    let seconds = started.or_else(named).unwrap_or_else(|| written_at(path));
    (seconds, performed)
}

/// Returns when a file was written, in seconds since 1970 UTC; 0 if that is not known.
fn written_at(path: &Path) -> i64 {
    let written = path.metadata().and_then(|meta| meta.modified()).ok();
    let since = written.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0))
}

/// Returns the seconds since 1970 of `yyyyMMdd-HHmmss`, as if it were UTC.
fn seconds_of(stamp: &str) -> Option<i64> {
    let part = |from, to| stamp.get(from..to)?.parse::<i64>().ok();
    let date = format!(
        "{}-{}-{}",
        stamp.get(..4)?,
        stamp.get(4..6)?,
        stamp.get(6..8)?
    );
    let (hour, minute, second) = (part(9, 11)?, part(11, 13)?, part(13, 15)?);
    let days = Civil::parse(&date)?.days();
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_case_carries_its_time() {
        let stem = |case, command: &str| {
            let (host, stamp) = ("box".to_owned(), "20261121-101500".to_owned());
            Stem::new(case, &[command.into()], host, stamp)
        };
        let name = stem(Some("open"), "make").unwrap();
        let before = name.before();
        let name = name.after(Duration::from_micros(1_234_500));
        let parsed = TestName::of(Path::new(&format!("{name}.data"))).expect("a test case's name");
        assert_eq!((parsed.case.as_str(), parsed.measured_ms), ("open", 1235));
        assert_eq!(parsed.performed.as_deref(), Some("20261121-101500"));
        // Without a time it is none.
        assert_eq!(TestName::of(Path::new(&format!("{before}.data"))), None);
        assert_eq!(stem(Some("a/b"), "make"), Err("a/b".to_owned()));
        let plain = stem(None, "/usr/bin/make").unwrap();
        assert_eq!(plain.before(), "make-20261121-101500");
        assert_eq!(plain.after(Duration::ZERO), plain.before());
    }

    #[test]
    fn names_of_test_cases_are_understood() {
        let of = |name: &str| TestName::of(Path::new(name));
        let name = of("dir/Open_1234msbox.whyslow").expect("short form");
        assert_eq!((name.case.as_str(), name.measured_ms), ("Open", 1234));
        assert_eq!(name.host, "box");
        let name = of("Open_9ms_box_a_SINGLE_TestStatus-Passed_20261121-101500.etl");
        let name = name.expect("long form");
        assert_eq!(name.host, "box_a");
        assert_eq!(name.performed.as_deref(), Some("20261121-101500"));
        assert_eq!(
            of("Open_9msbox.20261121-101500.data").expect("stamp").host,
            "box"
        );
        assert_eq!(of("something_else.data"), None);
        assert_eq!(of("_9ms.data"), None);
    }

    #[test]
    fn stamps_are_dates() {
        assert_eq!(seconds_of("19700101-000000"), Some(0));
        assert_eq!(seconds_of("20261121-101500"), Some(1_795_256_100));
        assert_eq!(seconds_of("20000228-235959"), Some(951_782_399));
        assert_eq!(seconds_of("20991231-235959"), Some(4_102_444_799));
        assert_eq!(seconds_of("20261321-101500"), None);
    }

    #[test]
    fn the_start_of_the_recording_counts_more_than_local_time_in_a_name() {
        let dir = std::env::temp_dir().join(format!("whyslow-name-{}", std::process::id()));
        // 10:15 in Vienna is before 10:00 in London.
        let vienna = dir.join("Open_9msa.20261121-101500.whyslow");
        let london = dir.join("Open_9msb.20261121-100000.whyslow");
        let starts = [
            (&vienna, 1_795_252_500_000_000_000_i64),
            (&london, 1_795_255_200_000_000_000),
        ];
        for (path, start) in starts {
            fs::create_dir_all(path).expect("a directory");
            let meta = format!("{{\n  \"start_unix_ns\": {start},\n  \"cpus\": 2,\n}}\n");
            fs::write(path.join("meta.json"), meta).expect("a file");
        }
        assert!(performed_at(&vienna) < performed_at(&london));
        let old = dir.join("Open_9msc.20000228-235959.whyslow");
        assert_eq!(performed_at(&old).0, 951_782_399);
        fs::remove_dir_all(&dir).expect("removed");
    }
}
