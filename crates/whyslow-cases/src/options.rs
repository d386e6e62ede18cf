//! The command line.

use std::path::{Path, PathBuf};

const USAGE: &str = "\
Usage: cases/score [OPTIONS]

Builds the programs in cases/, records each with `whyslow run`, and scores the answers.

  --only PATTERN   only cases whose name contains this (may be repeated)
  --list           list the cases and what a right answer contains
  --plain          run the programs without recording; show what they measured themselves
  --times N        run each case N times; the worst answer counts
  --busy           let one program for each CPU compute beside each case
  --text           score the printed text even if the answer comes as JSON, too
  --whyslow FILE   the program (default: target/release/whyslow)
  --cases DIR      the cases (default: cases/)
  --out DIR        where programs are built and answers kept (default: target/cases)";

/// What to do with the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Score,
    Plain,
    List,
}

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) only: Vec<String>,
    pub(crate) times: u32,
    pub(crate) busy: bool,
    pub(crate) text: bool,
    pub(crate) whyslow: PathBuf,
    pub(crate) cases: PathBuf,
    pub(crate) out: PathBuf,
}

impl Options {
    /// Reads the command line; the error is what to print.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().unwrap_or(root);
        let mut options = Self {
            mode: Mode::Score,
            only: Vec::new(),
            times: 1,
            busy: false,
            text: false,
            whyslow: root.join("target/release/whyslow"),
            cases: root.join("cases"),
            out: root.join("target/cases"),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--list" => options.mode = Mode::List,
                "--plain" => options.mode = Mode::Plain,
                "--busy" => options.busy = true,
                "--text" => options.text = true,
                "--only" => options.only.push(value()?),
                "--times" => options.times = count(&value()?)?,
                "--whyslow" => options.whyslow = absolute(&value()?)?,
                "--cases" => options.cases = absolute(&value()?)?,
                "--out" => options.out = absolute(&value()?)?,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether a case is asked for.
    pub(crate) fn wants(&self, dir: &Path) -> bool {
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part))
    }
}

fn count(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{text} is not a number of times"))
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{path}: {error}"))
}
