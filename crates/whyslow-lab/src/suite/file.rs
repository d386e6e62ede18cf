//! The file of a suite: experiments as tables, whose keys are the options of the command line.
//!
//! A key is valid where the option is, with the same values and the same messages; so every new
//! parameter of a case can be used in a file at once.

use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::case::Case;
use crate::cases::{named, parameters};
use crate::error::Error;
use crate::named_command::NamedCommand;
use crate::number::counts;
use crate::options::Units;
use crate::request::{Asked, Request};
use crate::systems::System;

/// The time of a suite where the file names none.
const USUAL_BUDGET: Duration = Duration::from_secs(600);

/// The time of a series where the file names none.
const USUAL_SERIES: Duration = Duration::from_secs(60);

/// Passes where the file names none, and the most.
pub const PASSES: (u32, u32) = (7, 9);

/// Keys of every case, beside its parameters.
const OF_EVERY_CASE: [&str; 8] = [
    "case", "command", "count", "budget", "passes", "on", "dir", "force",
];

/// Keys that come before the experiments and apply to all that do not override them.
const FOR_ALL: [&str; 3] = ["on", "dir", "force"];

/// What an experiment works on: one of its own replaces those for all.
const PLACES: [&str; 2] = ["on", "dir"];

/// What is wrong in the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.what)
    }
}

impl Wrong {
    /// Moves it to the line of the option it is about.
    fn about(mut self, lines: &[(&str, usize)]) -> Self {
        let about = |(name, _): &&(&str, usize)| {
            let option = format!("--{name}");
            let mut after = self.what.split(&option).skip(1);
            after.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
        };
        if let Some((_, line)) = lines.iter().find(about) {
            self.line = *line;
        }
        self
    }
}

/// An experiment with one size, on one system or several.
#[derive(Debug)]
pub(super) struct Entry {
    /// What is asked.
    pub(super) request: Request,
    /// Where it begins in the file.
    pub(super) line: usize,
}

/// What a file asks for.
#[derive(Debug)]
pub(super) struct Listed {
    /// Time for everything.
    pub(super) budget: Duration,
    /// The experiments in their order.
    pub(super) entries: Vec<Entry>,
}

/// Bytes of the longest file that is read.
pub const MOST_BYTES: usize = 1 << 20;

/// Experiments of the longest suite.
const MOST_ENTRIES: usize = 1_000;

/// Returns what the file of these bytes asks for.
pub(super) fn parse(bytes: &[u8], units: Units) -> Result<Listed, Wrong> {
    if bytes.len() > MOST_BYTES {
        let what = format!("it has more than {MOST_BYTES} bytes");
        return Err(File { text: "", units }.wrong(0..0, what));
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let file = File {
            text: str::from_utf8(before).unwrap_or_default(),
            units,
        };
        let end = before.len()..before.len();
        file.wrong(end, "this is not text (UTF-8)".to_owned())
    })?;
    let file = File { text, units };
    let root = DeTable::parse(text).map_err(|error| Wrong {
        line: file.line(&error.span().unwrap_or(0..0)),
        what: error.message().to_owned(),
        hint: EXAMPLE_HINT.to_owned(),
    })?;
    let (mut budget, mut cases, mut for_all) = (USUAL_BUDGET, None, Vec::new());
    for (key, value) in root.get_ref() {
        let name: &str = key.get_ref();
        match name {
            "budget" => {
                let text = file.text_of(name, value)?;
                budget = (units.duration)(&text).map_err(|why| file.wrong(value.span(), why))?;
            }
            "case" => cases = Some(value),
            _ if FOR_ALL.contains(&name) => for_all.push((key, value)),
            _ => {
                let known = ["budget", "[[case]]"].into_iter().chain(FOR_ALL);
                return Err(file.unknown(key, "before the experiments", known));
            }
        }
    }
    let cases = cases.and_then(|cases| Some((cases.span(), cases.get_ref().as_array()?)));
    let (_, cases) = cases
        .filter(|(_, cases)| !cases.is_empty())
        .ok_or_else(|| file.wrong(0..0, "there is no [[case]]".to_owned()))?;
    let mut entries = Vec::new();
    for case in cases {
        let Some(table) = case.get_ref().as_table() else {
            return Err(file.wrong(case.span(), "a case is written as [[case]]".to_owned()));
        };
        file.entries(table, case.span(), &for_all, &mut entries)?;
        if entries.len() > MOST_ENTRIES {
            let what = format!("there are more than {MOST_ENTRIES} experiments");
            return Err(file.wrong(case.span(), what));
        }
    }
    Ok(Listed { budget, entries })
}

/// What helps against most mistakes.
const EXAMPLE_HINT: &str = "whyslow lab suite --example prints a file to begin with";

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;
type Pair<'a> = (&'a Key<'a>, &'a Spanned<DeValue<'a>>);

struct File<'t> {
    text: &'t str,
    units: Units,
}

impl File<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    fn wrong(&self, span: Range<usize>, what: String) -> Wrong {
        Wrong {
            line: self.line(&span),
            what,
            hint: EXAMPLE_HINT.to_owned(),
        }
    }

    fn unknown<'k>(
        &self,
        key: &Key<'_>,
        place: &str,
        known: impl Iterator<Item = &'k str>,
    ) -> Wrong {
        let known: Vec<&str> = known.collect();
        Wrong {
            line: self.line(&key.span()),
            what: format!("unknown key {:?} {place}", key.get_ref()),
            hint: format!("known are {}", known.join(", ")),
        }
    }

    /// Returns a value as the command line takes it: lists with commas.
    fn text_of(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
        Ok(match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Array(values) => {
                let texts = values.iter().map(|value| self.text_of(key, value));
                texts.collect::<Result<Vec<_>, _>>()?.join(",")
            }
            other => {
                let what = format!("{key} cannot be a {}", other.type_str());
                return Err(self.wrong(value.span(), what));
            }
        })
    }

    /// Adds the experiments of a `[[case]]`, one per size.
    fn entries(
        &self,
        table: &DeTable<'_>,
        span: Range<usize>,
        for_all: &[Pair<'_>],
        entries: &mut Vec<Entry>,
    ) -> Result<(), Wrong> {
        let mut asked = Asked {
            budget: USUAL_SERIES,
            passes: PASSES.0,
            ..Asked::default()
        };
        let (mut sizes, mut case) = (vec![None], None);
        let mut lines: Vec<(&str, usize)> = Vec::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            match (name, value.get_ref()) {
                ("case", _) => case = Some(self.case(name, value)?),
                ("count", DeValue::Array(values)) if values.is_empty() => {
                    return Err(self.wrong(value.span(), "count is an empty list".to_owned()));
                }
                ("count", _) => {
                    let text = self.text_of(name, value)?;
                    let counts = counts(&text, u64::MAX);
                    let counts = counts.map_err(|why| self.unfit(name, value, &why))?;
                    sizes = counts.into_iter().map(Some).collect();
                }
                _ => self.take(key, value, &mut asked)?,
            }
            lines.push((name, self.line(&key.span())));
        }
        let Some(case) = case else {
            let what = "the key case is missing: create, rename, probe …";
            return Err(self.wrong(span, what.to_owned()));
        };
        let own_place = table.keys().any(|key| PLACES.contains(&&**key.get_ref()));
        let defaults = for_all.iter().filter(|(key, _)| {
            let name: &str = key.get_ref();
            let own = table.keys().any(|own| own.get_ref() == name)
                || own_place && PLACES.contains(&name);
            case.needs_directory && !own
        });
        for (key, value) in defaults {
            self.take(key, value, &mut asked)?;
            lines.push((key.get_ref(), self.line(&key.span())));
        }
        // Each is more than enough already.
        for count in sizes.into_iter().take(MOST_ENTRIES + 1) {
            asked.count = count;
            let request = Request::new(case, &asked);
            let request = request.map_err(|error| self.refused(&error, &span).about(&lines))?;
            let line = self.line(&span);
            entries.push(Entry { request, line });
        }
        Ok(())
    }

    fn case(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<&'static Case, Wrong> {
        let name = self.text_of(key, value)?;
        named(&name)
            .ok_or_else(|| self.wrong(value.span(), format!("{name:?} is not an experiment")))
    }

    /// Takes the value of an option into `asked`.
    fn take(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        asked: &mut Asked,
    ) -> Result<(), Wrong> {
        let name: &str = key.get_ref();
        let unfit = |why: String| self.unfit(name, value, &why);
        match (name, value.get_ref()) {
            ("force", DeValue::Boolean(yes)) => asked.force = *yes,
            ("force", _) => {
                let what = "force is either true or false".to_owned();
                return Err(self.wrong(value.span(), what));
            }
            ("command", DeValue::Array(_)) => {
                let words = self.words(name, value)?;
                asked.commands = vec![NamedCommand {
                    name: String::new(),
                    words,
                }];
            }
            ("command", DeValue::Table(commands)) => {
                asked.commands = self.named_commands(commands)?;
            }
            ("command", _) => {
                let what = "a command is a list: [\"seq\", \"{}\"]; several have names: \
                            { old = [\"./old\", \"{}\"], new = [\"./new\", \"{}\"] }";
                return Err(self.wrong(value.span(), what.to_owned()));
            }
            ("budget", _) => {
                let text = self.text_of(name, value)?;
                asked.budget = (self.units.duration)(&text).map_err(unfit)?;
            }
            ("passes", _) => {
                let text = self.text_of(name, value)?;
                let passes = text.parse().ok();
                let passes = passes.filter(|passes| (1..=PASSES.1).contains(passes));
                let why = || format!("{text:?} is not a number from 1 to {}", PASSES.1);
                asked.passes = passes.ok_or_else(why).map_err(unfit)?;
            }
            ("dir", _) => asked.dir = Some(self.text_of(name, value)?.into()),
            ("on", _) => {
                let text = self.text_of(name, value)?;
                let systems = text.split(',').map(|text| System::named(text, self.units));
                let systems = systems.collect::<Result<_, _>>();
                asked.on = systems.map_err(unfit)?;
            }
            _ => {
                let all = parameters();
                let Some((parameter, _)) = all.iter().find(|(one, _)| one.name == name) else {
                    let own = all.iter().map(|(one, _)| one.name);
                    return Err(self.unknown(
                        key,
                        "of a case",
                        OF_EVERY_CASE.into_iter().chain(own),
                    ));
                };
                let values = parameter.parse(&self.text_of(name, value)?, self.units);
                asked.given.insert(parameter.name, values.map_err(unfit)?);
            }
        }
        Ok(())
    }

    /// Returns the words of a command.
    fn words(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<OsString>, Wrong> {
        let Some(values) = value.get_ref().as_array() else {
            let what = format!("{key} is not a command: a command is a list of words");
            return Err(self.wrong(value.span(), what));
        };
        let words = values
            .iter()
            .map(|value| self.text_of(key, value).map(OsString::from));
        words.collect()
    }

    /// Returns the commands of a table in the order in which they are written.
    fn named_commands(&self, table: &DeTable<'_>) -> Result<Vec<NamedCommand>, Wrong> {
        let mut pairs: Vec<Pair<'_>> = table.iter().collect();
        pairs.sort_by_key(|(name, _)| name.span().start);
        let command = |(name, value): Pair<'_>| {
            let name = name.get_ref().to_string();
            let words = self.words(&name, value)?;
            Ok(NamedCommand { name, words })
        };
        pairs.into_iter().map(command).collect()
    }

    fn unfit(&self, key: &str, value: &Spanned<DeValue<'_>>, why: &str) -> Wrong {
        self.wrong(value.span(), format!("{key}: {why}"))
    }

    fn refused(&self, error: &Error, span: &Range<usize>) -> Wrong {
        let mut wrong = self.wrong(span.clone(), error.to_string());
        if let Error::Unfit { hint, .. } = error {
            hint.clone_into(&mut wrong.hint);
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::tests::UNITS;

    fn parse(bytes: &[u8]) -> Result<Listed, Wrong> {
        super::parse(bytes, UNITS)
    }

    #[test]
    fn the_example_is_understood() {
        let listed = parse(include_bytes!("example.toml")).expect("understood");
        assert!(listed.entries.len() > 4, "{listed:?}");
        assert_eq!(listed.budget, Duration::from_secs(300));
    }

    #[test]
    fn sizes_are_a_run_each_and_places_for_all_give_way() {
        let text = "on = [\"tmpfs\", \"dir:/x\"]\n[[case]]\ncase = \"create\"\ncount = [10, 2_000]\n\
            [[case]]\ncase = \"reopen\"\ndir = \"/y\"\nforce = true\n\
            [[case]]\ncase = \"command\"\nnumbers = [1, 2]\ncommand = [\"seq\", \"{}\"]\n";
        let listed = parse(text.as_bytes()).expect("understood");
        let counts: Vec<_> = listed
            .entries
            .iter()
            .map(|one| one.request.options.count)
            .collect();
        assert_eq!(counts, [10, 2_000, 3_000, 0]);
        let entries = &listed.entries;
        assert_eq!(entries[0].request.systems.len(), 2);
        assert!(entries[2].request.force);
        let own = System::directory("/y".as_ref());
        assert_eq!(entries[2].request.systems, [own]);
        assert_eq!(entries[3].request.case.name, "command");
        assert_eq!(entries[3].request.options.commands[0].words, ["seq", "{}"]);
        assert_eq!((entries[0].line, entries[2].line), (2, 5));
    }

    #[test]
    fn commands_beside_each_other_have_names_in_their_order() {
        let text = "[[case]]\ncase = \"command\"\nnumbers = \"1k..4k\"\n\
            command = { old = [\"sort\", \"{}\"], new = [\"sort\", \"-n\", \"{}\"] }\n";
        let listed = parse(text.as_bytes()).expect("understood");
        let commands = &listed.entries[0].request.options.commands;
        let names: Vec<(&str, usize)> = commands
            .iter()
            .map(|one| (&*one.name, one.words.len()))
            .collect();
        assert_eq!(names, [("old", 2), ("new", 3)]);
        let several = "[[case]]\ncase = \"command\"\nnumbers = 3\n";
        mistaken(
            &format!("{several}command = {{ a = \"seq {{}}\" }}"),
            4,
            "a is not a command",
            "--example",
        );
        mistaken(
            &format!("{several}command = {{ a = [\"seq\"] }}"),
            1,
            "has no {}",
            "for example seq {}",
        );
    }

    fn mistaken(text: &str, line: usize, what: &str, hint: &str) {
        let found = parse(text.as_bytes()).expect_err(text);
        assert!(found.what.contains(what), "{found:?}");
        assert!(found.hint.contains(hint), "{found:?}");
        assert_eq!(found.line, line, "{found:?}");
    }

    #[test]
    fn what_is_for_all_gives_way_and_is_left_out_where_it_means_nothing() {
        let text = "on = [\"smb\"]\nforce = true\n[[case]]\ncase = \"create\"\nforce = false\n\
            [[case]]\ncase = \"open\"\nforce = true\n\
            [[case]]\ncase = \"command\"\nnumbers = 3\ncommand = [\"seq\", \"{}\"]\n";
        let listed = parse(text.as_bytes()).expect("understood");
        let forced: Vec<bool> = listed.entries.iter().map(|one| one.request.force).collect();
        assert_eq!(forced, [false, true, false]);
        let on: Vec<&str> = listed
            .entries
            .iter()
            .map(|one| one.request.systems[0].name.as_str())
            .collect();
        assert_eq!(on, ["smb", "smb", "whyslow-lab"]);
    }

    #[test]
    fn what_is_no_text_or_too_much_is_refused() {
        let refused = |bytes: &[u8]| parse(bytes).expect_err("refused");
        let binary = refused(b"budget = \"1s\"\n[[case]]\n\xff\xfe");
        assert_eq!(
            (binary.line, &*binary.what),
            (3, "this is not text (UTF-8)")
        );
        assert!(binary.hint.contains("--example"), "{binary:?}");
        let long = refused(&vec![b'#'; MOST_BYTES + 1]);
        assert_eq!(long.what, "it has more than 1048576 bytes");
        let many = "1,".repeat(100_000);
        let many = format!("[[case]]\ncase = \"create\"\ncount = [{many}]");
        assert_eq!(
            refused(many.as_bytes()).what,
            "there are more than 1000 experiments"
        );
    }

    #[test]
    fn mistakes_in_a_case_are_told_with_their_line() {
        let example = "--example";
        for (rest, line, what, hint) in [
            ("cuont = 5", 4, "unknown key \"cuont\" of a case", "count"),
            (
                "output = \"x\"",
                4,
                "unknown key \"output\"",
                "known are case",
            ),
            (
                "count = \"many\"",
                4,
                "\"many\" is not a whole number",
                example,
            ),
            ("count = true", 4, "count cannot be a boolean", example),
            ("force = 1", 4, "force is either true or false", example),
            ("threads = [1]", 4, "--threads does not belong", "--help"),
            (
                "on = [\"floppy\"]",
                4,
                "on: whyslow lab systems lists",
                example,
            ),
            ("count = []", 4, "count is an empty list", example),
            ("command = \"seq {}\"", 4, "a command is a list", example),
        ] {
            let text = format!("\n[[case]]\ncase = \"create\"\n{rest}");
            mistaken(&text, line, what, hint);
        }
    }

    #[test]
    fn mistakes_in_the_file_are_told_with_their_line() {
        let example = "--example";
        for (text, line, what, hint) in [
            (
                "bugdet = \"5s\"",
                1,
                "unknown key \"bugdet\" before",
                "budget",
            ),
            (
                "budget = \"5 weeks\"\n",
                1,
                "is not a unit of time",
                example,
            ),
            ("\nx = [\n", 2, "unclosed array", example),
            ("case = 5", 1, "there is no [[case]]", example),
            ("[[case]]\ncount = 5", 1, "the key case is missing", example),
            (
                "[[case]]\ncase = \"suite\"",
                2,
                "is not an experiment",
                example,
            ),
            (
                "[[case]]\ncase = \"dance\"",
                2,
                "\"dance\" is not an experiment",
                example,
            ),
            ("", 1, "there is no [[case]]", example),
        ] {
            mistaken(text, line, what, hint);
        }
    }
}
