//! The reviewed list of findings that are accepted.
//!
//! ```text
//! # cause or key   about what            until when   why
//! fsync            */journal.log         2027-06-30   The journal must survive a power cut.
//! sleep-0a1b2      *                     2026-12-31   Known; the timer goes away with the new scheduler.
//! ```
//!
//! A line has a cause (or a finding's key, which names one finding), a pattern for what the finding is about, the last
//! day on which it is accepted, and the reason. All four are needed: what nobody gave a reason for was not reviewed,
//! and what never ends is forgotten.

use std::fmt;

use whyslow_arguments::pattern::Pattern;
use whyslow_explain::Finding;

/// The largest such file that is read.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// The most lines that count.
const MOST_LINES: usize = 10_000;

/// The findings that are accepted.
#[derive(Debug, Default)]
pub struct Accepted {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    cause: String,
    about: String,
    pattern: Pattern,
    until: String,
    reason: String,
}

/// A line that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Fault {}

impl Accepted {
    /// Reads the text of such a file.
    ///
    /// # Errors
    /// The first line that is not understood: what somebody wanted to accept must not be guessed.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let fault = |line, why| Fault { line, why };
        if text.len() > MOST_BYTES {
            return Err(fault(1, "the file is larger than 1 MiB"));
        }
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if lines.len() >= MOST_LINES {
                return Err(fault(number, "there are more than 10,000 lines"));
            }
            let (cause, rest) = word(line).ok_or(fault(number, "the cause is missing"))?;
            let (about, rest) =
                word(rest).ok_or(fault(number, "what it is about is missing; * is anything"))?;
            let (until, rest) = word(rest).ok_or(fault(
                number,
                "the day until which it is accepted is missing",
            ))?;
            if !is_day(&until) {
                let why = "the third word must be a day such as 2027-06-30";
                return Err(fault(number, why));
            }
            if rest.is_empty() {
                return Err(fault(number, "the reason is missing"));
            }
            lines.push(Line {
                cause,
                pattern: Pattern::parse(&about),
                about,
                until,
                reason: rest.to_owned(),
            });
        }
        Ok(Self { lines })
    }

    /// Returns why a finding is accepted on a day, given as `yyyy-MM-dd`.
    #[must_use]
    pub fn of(&self, finding: &Finding, today: &str) -> Option<whyslow_explain::Accepted> {
        let mut lines = self.lines.iter();
        let known = lines.find(|line| {
            let of_cause = line.cause == finding.cause || line.cause == finding.key();
            of_cause && line.is_valid(today) && line.is_about(&finding.about())
        })?;
        Some(whyslow_explain::Accepted {
            reason: known.reason.clone(),
            until: known.until.clone(),
        })
    }

    /// Returns the lines that no longer hold on a day, each as cause, what it is about, and its last day.
    pub fn expired<'a>(
        &'a self,
        today: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
        let lines = self.lines.iter().filter(move |line| !line.is_valid(today));
        lines.map(|line| {
            (
                line.cause.as_str(),
                line.about.as_str(),
                line.until.as_str(),
            )
        })
    }
}

impl Line {
    /// Days in this form are in the order of their letters.
    fn is_valid(&self, today: &str) -> bool {
        self.until.as_str() >= today
    }

    fn is_about(&self, what: &str) -> bool {
        self.pattern.matches(what)
    }
}

/// Takes the first word, in quotation marks if it has blanks.
fn word(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let (word, rest) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
    };
    (!word.is_empty()).then(|| (word.to_owned(), rest.trim()))
}

fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        let digits = bytes.get(range)?;
        let all = digits.iter().all(u8::is_ascii_digit);
        all.then(|| {
            digits
                .iter()
                .fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
        })
    };
    let (year, month, day) = (digits(0..4), digits(5..7), digits(8..10));
    let marks = [4, 7].map(|at| bytes.get(at) == Some(&b'-'));
    bytes.len() == 10
        && marks == [true, true]
        && year.is_some()
        && month.is_some_and(|month| (1..=12).contains(&month))
        && day.is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use whyslow_explain::finding::{Confidence, Message, Value};

    use super::*;

    fn finding(cause: &str, object: &str) -> Finding {
        Finding {
            id: cause.to_owned(),
            cause: cause.to_owned(),
            confidence: Confidence::Certain,
            wall_ns: 1,
            explained_ns: 1,
            below: None,
            facts: vec![("object", Value::Text(object.to_owned()))],
            claim: Message::default(),
            details: Vec::new(),
            evidence: Vec::new(),
            advice: None,
            verify: None,
        }
    }

    #[test]
    fn a_line_accepts_a_cause_about_something_until_a_day() {
        let text = "\
# reviewed by ann

fsync   */journal.log   2027-06-30   It must survive a power cut.
sleep   \"my file\"  2027-01-01  known
";
        let accepted = Accepted::parse(text).unwrap();
        let fsync = finding("fsync", "/data/journal.log");
        let why = accepted.of(&fsync, "2027-06-30").unwrap();
        assert_eq!(why.reason, "It must survive a power cut.");
        assert_eq!(accepted.of(&fsync, "2027-07-01"), None);
        assert_eq!(
            accepted.of(&finding("fsync", "/data/other"), "2026-01-01"),
            None
        );
        assert_eq!(
            accepted.of(&finding("disk", "/data/journal.log"), "2026-01-01"),
            None
        );
        assert!(
            accepted
                .of(&finding("sleep", "my file"), "2026-01-01")
                .is_some()
        );
        let expired: Vec<_> = accepted.expired("2027-02-01").collect();
        assert_eq!(expired, [("sleep", "my file", "2027-01-01")]);
    }

    #[test]
    fn a_key_accepts_one_finding() {
        let (one, other) = (finding("fsync", "/a/one"), finding("fsync", "/a/other"));
        let text = format!("{} * 2027-01-01 known", one.key());
        let accepted = Accepted::parse(&text).unwrap();
        assert!(accepted.of(&one, "2026-01-01").is_some());
        assert!(accepted.of(&other, "2026-01-01").is_none());
        // It is the same one wherever only a number differs.
        let (a, b) = (
            finding("fsync", "/a/run-17/x"),
            finding("fsync", "/a/run-4711/x"),
        );
        assert_eq!(a.key(), b.key());
    }

    #[test]
    fn a_line_without_a_part_is_refused_with_its_number() {
        let why = |text: &str| Accepted::parse(text).unwrap_err().to_string();
        assert_eq!(
            why("\nfsync"),
            "line 2: what it is about is missing; * is anything"
        );
        assert_eq!(
            why("fsync *"),
            "line 1: the day until which it is accepted is missing"
        );
        assert_eq!(why("fsync * 2027-01-01"), "line 1: the reason is missing");
        for day in [
            "never",
            "2027-13-01",
            "2027-1-1",
            "2027-01-32",
            "01.02.2027",
        ] {
            let text = why(&format!("fsync * {day} because"));
            assert!(text.contains("must be a day"), "{day}: {text}");
        }
        assert!(why(&"x".repeat(MOST_BYTES + 1)).contains("larger than"));
    }
}
