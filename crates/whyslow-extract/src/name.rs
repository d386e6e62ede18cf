//! What a file's name says: test case, measured duration, machine, time.
//!
//! `CASE_1234msHOST.whyslow`, `CASE_1234msHOST.20261121-101500.whyslow`, and the long form
//! `CASE_1234ms_HOST_ROLE_TestStatus-Passed_20261121-101500.whyslow`. Anything else has no test case.

use std::path::Path;
use std::time::SystemTime;

use whyslow_model::civil::Civil;

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
    /// Returns what the name of `path` says, or `None` where it is not of the form.
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

/// Returns a key that orders files by when their test was performed; without a time in the name,
/// by when the file was written.
pub(crate) fn performed_at(path: &Path) -> String {
    if let Some(performed) = TestName::of(path).and_then(|name| name.performed) {
        return performed;
    }
    let written = path.metadata().and_then(|meta| meta.modified()).ok();
    let since = written.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let seconds = since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0));
    stamp(seconds)
}

/// Formats seconds since 1970 as `yyyyMMdd-HHmmss`.
fn stamp(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let Civil { year, month, day } = Civil::from_days(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(1_795_256_100), "20261121-101500");
        assert_eq!(stamp(951_782_399), "20000228-235959");
    }
}
