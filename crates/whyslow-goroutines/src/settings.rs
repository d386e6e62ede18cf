//! Settings of Go's runtime in a program's environment.

use std::fs::File;
use std::io::Read;

/// The settings that change what a program takes.
const NAMES: [&str; 3] = ["GOGC", "GOMEMLIMIT", "GOMAXPROCS"];
/// Largest environment that is read, and longest value.
const MOST_BYTES: u64 = 256 << 10;
const MOST_VALUE: usize = 32;

/// Returns the settings of a process, as `GOGC=5`.
pub(crate) fn of_process(pid: u32) -> Vec<String> {
    let mut bytes = Vec::new();
    let file = File::open(format!("/proc/{pid}/environ"));
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.map(|_| of_environment(&bytes)).unwrap_or_default()
}

fn of_environment(bytes: &[u8]) -> Vec<String> {
    let texts = bytes.split(|&byte| byte == 0);
    let texts = texts.filter_map(|text| std::str::from_utf8(text).ok());
    let is_setting = |text: &&str| {
        text.split_once('=').is_some_and(|(name, value)| {
            let is_plain = value.bytes().all(|byte| byte.is_ascii_graphic());
            NAMES.contains(&name) && is_plain && !value.is_empty() && value.len() <= MOST_VALUE
        })
    };
    let found = texts.filter(is_setting).map(str::to_owned);
    // A name that is there twice means what is said first.
    found.take(NAMES.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_runtime_knows_is_taken() {
        let of = |text: &str| of_environment(text.as_bytes());
        assert_eq!(of("A=1\0GOGC=5\0GOPATH=/x\0"), ["GOGC=5"]);
        assert_eq!(
            of("GOMEMLIMIT=64MiB\0GOGC=off"),
            ["GOMEMLIMIT=64MiB", "GOGC=off"]
        );
        let long = format!("GOGC={}", "9".repeat(33));
        for none in [
            "",
            "GOGC",
            "GOGC=",
            "XGOGC=1\0",
            "GOGC=a b",
            "GOGC=\x1b[1m",
            &long,
        ] {
            assert_eq!(of(none), [""; 0], "{none:?}");
        }
        assert_eq!(of_environment(b"GOGC=\xff\0GOGC=7"), ["GOGC=7"]);
    }
}
