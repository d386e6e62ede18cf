//! The time that a program measured itself.

use std::str::FromStr;
use std::time::Duration;

use regex_lite::Regex;

use crate::value::value;

/// Name of the mark whose value is the time in milliseconds.
const MEASURED: &str = "measured";

/// Where a program says how long it took.
#[derive(Debug, Clone)]
pub enum Measured {
    /// Its exit code, in milliseconds. Linux keeps only 0 to 255; a recorder may see all that the program passed.
    ExitCode,
    /// The first group of the last line on its standard output that matches.
    Stdout(Regex),
    /// Its marks: the value of the last one that is `measured=NUMBER`, in milliseconds; without one, the time from the
    /// first mark to the last.
    Mark,
}

impl FromStr for Measured {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("stdout", pattern)) => {
                let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
                match pattern.captures_len() {
                    0 | 1 => Err("the expression has no group (…) for the number".to_owned()),
                    _ => Ok(Self::Stdout(pattern)),
                }
            }
            None if text == "exit-code" => Ok(Self::ExitCode),
            None if text == "mark" => Ok(Self::Mark),
            _ => Err("use exit-code, stdout:REGEX or mark".to_owned()),
        }
    }
}

/// A mark that the program set, or a program that it started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TookMark {
    /// When, in nanoseconds of any clock.
    pub time_ns: u64,
    /// Its text.
    pub text: String,
}

/// What is known of a program after its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Its exit code; `None`: a signal ended it.
    pub exit_code: Option<i32>,
    /// The time that [`Output`](crate::Output) found.
    pub printed: Option<Duration>,
    /// Its marks, in the order of time; `None`: marks were not recorded.
    pub marks: Option<Vec<TookMark>>,
    /// Marks of any program for which there was no room.
    pub lost_marks: u64,
}

impl Measured {
    /// Returns the time that the program measured.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(&self, told: &Told) -> Result<Duration, &'static str> {
        match (self, &told.marks) {
            (Self::ExitCode, _) => Self::of_exit_code(told.exit_code),
            (Self::Stdout(_), _) => told
                .printed
                .ok_or("nothing that the command printed has such a time"),
            (Self::Mark, Some(_)) if told.lost_marks > 0 => {
                Err("more marks were set than the recorder had room for, and some are missing")
            }
            (Self::Mark, Some(marks)) => Self::of_marks(marks),
            (Self::Mark, None) => Err("marks were not recorded; record as root, with system calls"),
        }
    }

    fn of_exit_code(code: Option<i32>) -> Result<Duration, &'static str> {
        let code = code.ok_or("a signal ended the command, so it has no exit code")?;
        let ms = u64::try_from(code).map_err(|_| "the exit code is negative")?;
        Ok(Duration::from_millis(ms))
    }

    /// Returns the time that marks mean, which are in the order of time: the value of the last mark `measured=NUMBER`,
    /// in milliseconds; without one, the time from the first mark to the last.
    fn of_marks(marks: &[TookMark]) -> Result<Duration, &'static str> {
        let values = marks.iter().rev().filter_map(|mark| value(&mark.text));
        let mut figures = values.filter(|&(name, _)| name == MEASURED);
        if let Some((_, ms)) = figures.next() {
            return Duration::try_from_secs_f64(ms / 1000.0)
                .map_err(|_| "the value of the mark measured=NUMBER is no length of time");
        }
        match marks {
            [first, .., last] => Ok(Duration::from_nanos(
                last.time_ns.saturating_sub(first.time_ns),
            )),
            _ => Err("the command set neither a mark measured=NUMBER nor two marks"),
        }
    }

    /// Returns the time in a line of output, if the expression matches: its first group is the number, with or without a
    /// unit; a second group may be the unit.
    pub(crate) fn of_line(pattern: &Regex, line: &str) -> Option<Duration> {
        let found = pattern.captures(line)?;
        let number = found.get(1)?.as_str().trim();
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, unit) = number.split_at(end.unwrap_or(number.len()));
        let unit = match unit.trim() {
            "" => found.get(2).map_or("", |unit| unit.as_str().trim()),
            unit => unit,
        };
        let seconds = match unit {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "" | "ms" => 1e-3,
            "s" | "sec" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(ms: u64, text: &str) -> TookMark {
        TookMark {
            time_ns: ms * 1_000_000,
            text: text.to_owned(),
        }
    }

    #[test]
    fn where_the_figure_comes_from_is_a_word() {
        assert!(matches!("exit-code".parse(), Ok(Measured::ExitCode)));
        assert!(matches!("mark".parse(), Ok(Measured::Mark)));
        assert!(matches!(
            "stdout:took (.*)".parse(),
            Ok(Measured::Stdout(_))
        ));
        for wrong in [
            "",
            "stdout",
            "stdout:took",
            "stdout:(",
            "exit-code:3",
            "stderr:(.)",
        ] {
            assert!(wrong.parse::<Measured>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn marks_give_a_value_or_a_span() {
        let ms = |marks: &[TookMark]| Measured::of_marks(marks).ok().map(|time| time.as_millis());
        assert_eq!(ms(&[]), None);
        assert_eq!(ms(&[mark(5, "start")]), None);
        assert_eq!(
            ms(&[mark(5, "start"), mark(9, "middle"), mark(1239, "end")]),
            Some(1234)
        );
        let valued = [
            mark(5, "a"),
            mark(6, "measured=17"),
            mark(7, "measured=18.4"),
            mark(8, "b=1"),
        ];
        assert_eq!(ms(&valued), Some(18));
        assert_eq!(ms(&[mark(1, "measured=-3"), mark(2, "end")]), None);
    }

    #[test]
    fn a_line_gives_a_number_with_a_unit() {
        let ns = |pattern: &str, line: &str| {
            let pattern = Regex::new(pattern).expect("an expression");
            Measured::of_line(&pattern, line).map(|time| time.as_nanos())
        };
        assert_eq!(ns("took (.*)$", "It took 12"), Some(12_000_000));
        assert_eq!(ns("took (.*)$", "It took 1.5 s"), Some(1_500_000_000));
        assert_eq!(ns(r"([0-9.]+ ?[nuµm]?s)", "3µs"), Some(3_000));
        assert_eq!(ns(r"([0-9]+) (s|min)", "in 2 min"), Some(120_000_000_000));
        assert_eq!(ns("took (.*)$", "It took long"), None);
        assert_eq!(ns("took (.*)$", "It took 3 apples"), None);
        assert_eq!(ns("took (.*)$", "nothing"), None);
        assert_eq!(ns("(.*)", "99999999999999999999999999 h"), None);
    }

    #[test]
    fn an_exit_code_is_milliseconds() {
        let ms = |code| {
            Measured::of_exit_code(code)
                .ok()
                .map(|time| time.as_millis())
        };
        assert_eq!(
            (ms(Some(200)), ms(Some(0)), ms(None)),
            (Some(200), Some(0), None)
        );
    }

    #[test]
    fn lost_marks_leave_the_time_unknown() {
        let mut told = Told {
            marks: Some(vec![mark(1, "begin"), mark(9, "measured=5")]),
            ..Told::default()
        };
        assert_eq!(Measured::Mark.of(&told), Ok(Duration::from_millis(5)));
        told.lost_marks = 1;
        assert!(Measured::Mark.of(&told).is_err());
    }
}
