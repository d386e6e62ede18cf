//! `lab`: which experiment, how much of it, on what.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use whyslow_lab::fixture::Plan;
use whyslow_lab::shortnames::Generation;
use whyslow_share::Share;

use super::share::share;
use super::size;

/// What is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaseWord {
    /// Create files in one directory, then delete them
    #[value(alias = "delete")]
    Create,
    /// Create and rename files in one directory
    Rename,
    /// Read the status of files in a growing directory
    Stat,
    /// Open files in a growing directory
    Open,
    /// List a growing directory
    List,
    /// Count what finding short names (8.3) costs: on ntfs real ones, else simulated
    #[value(name = "shortnames")]
    ShortNames,
    /// Read settings: reopen the file for each, against read it once
    Reopen,
    /// Start processes that search for a free log name, against a time-based name
    Probe,
    /// Start processes by fork, against posix_spawn
    Spawn,
    /// Write files: serial, parallel, as tasks
    Write,
    /// Run a command with growing numbers, or take the durations it prints
    Command,
    /// Compare every SMB dialect of a server with every one of a client
    Dialects,
    /// Make the experiments that a file lists, and one report of all
    Suite,
    /// Say which systems this machine can provide
    Systems,
    /// Remove what killed runs left in --dir, or here and in memory
    Clean,
}

/// How the result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabFormat {
    /// Verdicts, charts and a table
    Table,
    /// One record per series
    Csv,
    /// One object
    Json,
}

/// The unit of printed durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimeUnit {
    /// Nanoseconds
    Ns,
    /// Microseconds
    Us,
    /// Milliseconds
    Ms,
    /// Seconds
    S,
}

impl TimeUnit {
    /// Returns its nanoseconds.
    pub(crate) fn ns(self) -> f64 {
        match self {
            Self::Ns => 1.0,
            Self::Us => 1e3,
            Self::Ms => 1e6,
            Self::S => 1e9,
        }
    }
}

/// `lab`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LabArgs {
    /// What to repeat; the list below explains
    #[arg(value_name = "CASE", hide_possible_values = true)]
    pub(crate) case: CaseWord,
    /// suite: the file that lists the experiments
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// suite: print an example of such a file
    #[arg(long, help_heading = "How much")]
    pub(crate) example: bool,
    /// Repeat it this often, also called --files, --settings, --starts; without it as the case usually needs
    #[arg(long, value_name = "N", aliases = ["files", "settings", "starts"], help_heading = "How much")]
    pub(crate) count: Option<u64>,
    /// Stop a series after this time, as 10s or 2min, and judge what is there
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = size::duration, help_heading = "How much")]
    pub(crate) budget: Duration,
    /// Make a series up to so many times where its curve may be the machine's own doing: only what the
    /// passes agree on is a law; none begins that would end after the budget
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=9), help_heading = "How much")]
    pub(crate) passes: u32,
    /// create, rename, stat, open: so many processes at the same time; a list compares, as 1,5,20
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        help_heading = "How much"
    )]
    pub(crate) jobs: Vec<u32>,
    /// create, rename, stat, open: begin with so many files in the directory
    #[arg(long, value_name = "N", help_heading = "How much")]
    pub(crate) prefill: Option<u64>,
    /// create, rename, shortnames: give new files short names as these do, and compare: off, nt3.1, nt4,
    /// windowsxp, windows7; create and rename can on ntfs
    #[arg(
        long,
        value_name = "WHO",
        value_delimiter = ',',
        value_parser = short_names,
        help_heading = "How much"
    )]
    pub(crate) short_names: Vec<ShortNames>,
    /// write: bytes per file (usually 100KB)
    #[arg(long, value_name = "SIZE", value_parser = size::size, help_heading = "How much")]
    pub(crate) size: Option<u64>,
    /// write: compare with so many threads, a list as 2,4 or 1..5 (usually 2)
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        value_parser = counts,
        help_heading = "How much"
    )]
    pub(crate) threads: Vec<Counts>,
    /// write: only by these: serial, parallel (each thread has its part), tasks (each takes the next file)
    #[arg(
        long,
        value_name = "HOW",
        value_delimiter = ',',
        hide_possible_values = true,
        help_heading = "How much"
    )]
    pub(crate) strategy: Vec<StrategyWord>,
    /// spawn: let the starting process grow to this size
    #[arg(long, value_name = "SIZE", value_parser = size::size, help_heading = "How much")]
    pub(crate) memory: Option<u64>,
    /// spawn: open files that the starting process has more than usual
    #[arg(long, value_name = "N", help_heading = "How much")]
    pub(crate) descriptors: Option<u32>,
    /// command: the numbers in place of {}: a list as 1,2,5, or A..B, which doubles from A
    #[arg(
        long,
        short,
        value_name = "LIST",
        value_parser = numbers,
        help_heading = "How much"
    )]
    pub(crate) numbers: Option<Numbers>,
    /// command: do not time it, take the numbers it prints, one per line, as ns, us, ms or s
    #[arg(
        long,
        value_name = "UNIT",
        hide_possible_values = true,
        help_heading = "How much"
    )]
    pub(crate) printed: Option<TimeUnit>,
    /// Work in DIR, which is made or empty; without it in a new directory below the current one
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "on",
        help_heading = "Where"
    )]
    pub(crate) dir: Option<PathBuf>,
    /// Work on these in turn and compare: dir:PATH, tmpfs, ext4, xfs …; `lab systems` lists them
    #[arg(
        long,
        value_name = "SYSTEM",
        value_delimiter = ',',
        help_heading = "Where"
    )]
    pub(crate) on: Vec<System>,
    /// Work also in a directory that is not empty; what is in it stays untouched
    #[arg(long, help_heading = "Where")]
    pub(crate) force: bool,
    /// Print as table, csv or json
    #[arg(
        long,
        short,
        value_name = "FORMAT",
        default_value = "table",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub(crate) format: LabFormat,
    /// Also write every operation and the charts into DIR, which must be new
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Also record the machine meanwhile, and extract it: into DIR of -o, or beside it by name
    #[arg(long, help_heading = "Output")]
    pub(crate) record: bool,
    /// command: the command and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// A system to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    /// What the user calls it.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) place: Where,
}

impl System {
    /// Returns whether it is a share of a file server.
    pub(crate) fn is_share(&self) -> bool {
        matches!(self.place, Where::Share { .. })
    }
}

/// Where a system is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Where {
    /// In this directory.
    Dir(PathBuf),
    /// In memory.
    Memory,
    /// In a file system that is made for it.
    Made(Plan),
    /// On a file server that is started for it.
    Share {
        /// The share.
        share: Share,
        /// The file system under it; `None` for memory.
        on: Option<Plan>,
    },
}

impl std::str::FromStr for System {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = match text.strip_prefix("dir:") {
            Some("") => return Err("dir: needs a path".to_owned()),
            Some(path) => Some(Where::Dir(PathBuf::from(path))),
            None if text == "tmpfs" => Some(Where::Memory),
            None => match share(text)? {
                Some((share, on)) => Some(Where::Share { share, on }),
                None => Plan::named(text).map(Where::Made),
            },
        };
        let unknown = || "whyslow lab systems lists what there is".to_owned();
        Ok(Self {
            name: text.to_owned(),
            place: place.ok_or_else(unknown)?,
        })
    }
}

/// Who gives new names a short one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortNames(pub(crate) Option<Generation>);

/// Returns who `text` names.
fn short_names(text: &str) -> Result<ShortNames, String> {
    if text == "off" {
        return Ok(ShortNames(None));
    }
    let names = Generation::ALL.map(Generation::name).join(", ");
    let named = Generation::named(text).ok_or_else(|| format!("there are off, {names}"))?;
    Ok(ShortNames(Some(named)))
}

/// How files are shared out among threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyWord {
    /// One thread writes all
    Serial,
    /// Every thread has its part
    Parallel,
    /// Every thread takes the next file
    Tasks,
}

/// Numbers of threads, one after the other: `4`, `1..5`.
pub(crate) type Counts = std::ops::RangeInclusive<u32>;

/// Returns the numbers `text` stands for.
fn counts(text: &str) -> Result<Counts, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        let number = text.trim().parse::<u32>();
        number.map_err(|_| format!("{:?} is no number of threads", text.trim()))
    };
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err("A..B counts from A to B".to_owned());
    }
    if to - from > 500 {
        return Err(format!("{to} threads are too many: at most 500 threads"));
    }
    Ok(from..=to)
}

/// Numbers for a command, not falling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Vec<u64>);

/// Returns the numbers `text` stands for.
fn numbers(text: &str) -> Result<Numbers, String> {
    let number = |text: &str| -> Result<u64, String> {
        let number = text.trim().parse();
        number.map_err(|_| format!("{:?} is no whole number", text.trim()))
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let Some((from, to)) = part.split_once("..") else {
            numbers.push(number(part)?);
            continue;
        };
        let (from, to) = (number(from)?, number(to)?);
        if from == 0 || to < from {
            return Err("A..B doubles from A, at least 1, to at most B".to_owned());
        }
        let doubled = |n: &u64| n.checked_mul(2).filter(|n| *n <= to);
        numbers.extend(std::iter::successors(Some(from), doubled));
    }
    numbers.sort_unstable();
    Ok(Numbers(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_lists_and_doublings() {
        let of = |text: &str| numbers(text).map(|numbers| numbers.0);
        assert_eq!(of("5,1,2"), Ok(vec![1, 2, 5]));
        assert_eq!(of("3..25"), Ok(vec![3, 6, 12, 24]));
        assert_eq!(of("1..4,100"), Ok(vec![1, 2, 4, 100]));
        assert_eq!(
            of("9223372036854775808..18446744073709551615").map(|n| n.len()),
            Ok(1)
        );
        for odd in ["", "x", "0..5", "5..1", "1,,2", "-1"] {
            assert!(of(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn threads_are_counted() {
        assert_eq!((counts("4"), counts("1..5")), (Ok(4..=4), Ok(1..=5)));
        for odd in ["", "x", "5..1", "1..4294967295", "..", "-1"] {
            assert!(counts(odd).is_err(), "{odd}");
        }
        let many = counts("1..600").expect_err("too many");
        assert!(many.contains("at most 500 threads"), "{many}");
    }

    #[test]
    fn short_names_are_off_or_of_a_generation() {
        assert_eq!(short_names("off"), Ok(ShortNames(None)));
        let seven = ShortNames(Some(Generation::Seven));
        assert_eq!(short_names("windows7"), Ok(seven));
        assert!(short_names("windows95").is_err_and(|why| why.contains("nt3.1, nt4")));
    }

    #[test]
    fn systems_are_directories_or_memory() {
        let system = |text: &str| text.parse::<System>();
        let place = |text: &str| system(text).map(|one| one.place);
        assert_eq!(place("dir:/x"), Ok(Where::Dir("/x".into())));
        assert_eq!(place("tmpfs"), Ok(Where::Memory));
        assert!(matches!(place("xfs"), Ok(Where::Made(_))));
        assert!(matches!(place("tmpfs+scanner"), Ok(Where::Made(_))));
        assert!(matches!(place("smb:3.11"), Ok(Where::Share { .. })));
        assert!(system("floppy").is_err() && system("dir:").is_err());
    }
}
