//! Commands that an experiment runs, and what they are called.

use std::ffi::{OsStr, OsString};

use whyslow_results::shell_line;

use crate::error::Error;

/// What separates commands that are compared.
const VERSUS: &str = "--vs";

/// What a command is called.
const NAME: &str = "--name";

/// A command and what it is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedCommand {
    /// What it is called; empty for one that is not compared.
    pub name: String,
    /// The program and its arguments.
    pub words: Vec<OsString>,
}

impl NamedCommand {
    /// Returns the commands in the words after the first `--`, of which the first is called `name`:
    /// `A… --vs --name b -- B…`.
    ///
    /// # Errors
    /// When one is missing, or two have one name.
    pub fn all(name: Option<&str>, words: &[OsString]) -> Result<Vec<Self>, Error> {
        if words.is_empty() {
            return match name {
                None => Ok(Vec::new()),
                Some(name) => Err(missing(&format!("{NAME} {name}"))),
            };
        }
        let mut commands = Vec::new();
        let mut next = name.map(str::to_owned);
        let mut rest = words;
        loop {
            let end = rest.iter().position(|word| word == VERSUS);
            let (own, others) = rest.split_at(end.unwrap_or(rest.len()));
            if own.is_empty() {
                return Err(missing(VERSUS));
            }
            commands.push(Self {
                name: next.unwrap_or_default(),
                words: own.to_vec(),
            });
            if others.is_empty() {
                break;
            }
            (next, rest) = after_versus(others.get(1..).unwrap_or_default())?;
        }
        Self::told_apart(commands)
    }

    /// Returns `commands` with names for those without one.
    ///
    /// # Errors
    /// When two have one name.
    pub(crate) fn told_apart(mut commands: Vec<Self>) -> Result<Vec<Self>, Error> {
        if commands.len() > 1 {
            for command in &mut commands {
                if command.name.is_empty() {
                    command.name = command.line();
                }
            }
        }
        for (at, command) in commands.iter().enumerate() {
            let earlier = commands.get(..at).unwrap_or_default();
            if earlier.iter().any(|other| other.name == command.name) {
                return Err(Error::Unfit {
                    what: format!("two commands are called {:?}", command.name),
                    hint: format!(
                        "give each a name of its own: {NAME} a -- … {VERSUS} {NAME} b -- …"
                    ),
                });
            }
        }
        Ok(commands)
    }

    /// Returns whether it has a place for a number.
    pub(crate) fn takes_number(&self) -> bool {
        let mut texts = self.words.iter().filter_map(|word| word.to_str());
        texts.any(|text| text.contains("{}") || text.contains("{n}"))
    }

    /// Returns its words as a line for a shell.
    pub(crate) fn line(&self) -> String {
        shell_line(self.words.iter().map(|word| word.to_string_lossy()))
    }
}

/// Returns the name of the command that follows, and its words.
fn after_versus(words: &[OsString]) -> Result<(Option<String>, &[OsString]), Error> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    match words {
        [dashes, rest @ ..] if dashes == OsStr::new("--") => Ok((None, rest)),
        [option, name, dashes, rest @ ..]
            if option == OsStr::new(NAME) && dashes == OsStr::new("--") =>
        {
            Ok((Some(text(name)), rest))
        }
        [option, dashes, rest @ ..]
            if dashes == OsStr::new("--") && option.to_string_lossy().starts_with("--name=") =>
        {
            let option = text(option);
            Ok((
                option.split_once('=').map(|(_, name)| name.to_owned()),
                rest,
            ))
        }
        _ => Err(missing(VERSUS)),
    }
}

fn missing(after: &str) -> Error {
    Error::Unfit {
        what: format!("the command after {after} is missing"),
        hint: format!(
            "for example: whyslow lab command -n 1..1024 {NAME} a -- ./a {{}} {VERSUS} {NAME} b -- ./b {{}}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn all(name: Option<&str>, line: &str) -> Result<Vec<(String, String)>, String> {
        let commands = NamedCommand::all(name, &words(line)).map_err(|error| error.to_string())?;
        Ok(commands
            .iter()
            .map(|one| (one.name.clone(), one.line()))
            .collect())
    }

    fn named(pairs: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
        let owned = |&(name, line): &(&str, &str)| (name.to_owned(), line.to_owned());
        Ok(pairs.iter().map(owned).collect())
    }

    #[test]
    fn commands_are_separated_and_named() {
        assert_eq!(all(None, ""), named(&[]));
        assert_eq!(all(None, "sort -n {}"), named(&[("", "sort -n {}")]));
        assert_eq!(
            all(Some("a"), "x --name -- y"),
            named(&[("a", "x --name -- y")])
        );
        let three = all(Some("a"), "x 1 --vs --name b -- y 2 --vs --name=c -- z 3");
        assert_eq!(three, named(&[("a", "x 1"), ("b", "y 2"), ("c", "z 3")]));
        assert_eq!(
            all(None, "x 1 --vs -- y 2"),
            named(&[("x 1", "x 1"), ("y 2", "y 2")])
        );
    }

    #[test]
    fn what_is_missing_or_twice_is_refused() {
        for (name, line, why) in [
            (Some("a"), "", "the command after --name a is missing"),
            (None, "x --vs", "the command after --vs is missing"),
            (None, "x --vs y", "the command after --vs is missing"),
            (
                None,
                "x --vs --name b y",
                "the command after --vs is missing",
            ),
            (None, "x --vs --", "the command after --vs is missing"),
            (None, "--vs -- y", "the command after --vs is missing"),
            (
                Some("a"),
                "x --vs --name a -- y",
                "two commands are called \"a\"",
            ),
            (None, "x --vs -- x", "two commands are called \"x\""),
        ] {
            assert_eq!(all(name, line), Err(why.to_owned()), "{line}");
        }
    }

    #[test]
    fn a_place_for_the_number_is_found() {
        let takes = |line: &str| {
            NamedCommand {
                name: String::new(),
                words: words(line),
            }
            .takes_number()
        };
        assert!(takes("seq {}") && takes("x --n={n}") && !takes("seq 10") && !takes("x { }"));
    }
}
