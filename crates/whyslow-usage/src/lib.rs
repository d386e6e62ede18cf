//! What is wrong with a command line, in plain words: one sentence says what is wrong, and one what to do.
//!
//! The parser knows both, but prints them in its own words, and does not escape what the user wrote.
//!
//! The longer texts of the help are here, too: [`texts`].

#![forbid(unsafe_code)]

pub mod flowing;
pub mod texts;

use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};
use whyslow_arguments::likeness;

/// What is wrong with a command line. The texts contain words of the user, which are not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misunderstood {
    /// What is wrong: a sentence without a full stop.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

/// Returns in plain words why the words of a command line were not understood.
pub fn explain(error: &Error, program: &Command, words: &[OsString]) -> Misunderstood {
    let command = command(program, words);
    let own = program.get_name();
    let of = Of {
        error,
        called: command.map_or(own.to_owned(), |one| format!("{own} {}", one.get_name())),
        program,
        command: command.unwrap_or(program),
    };
    Misunderstood {
        what: of.what(),
        hint: of.hint(),
    }
}

/// Returns the command that is named.
fn command<'a>(program: &'a Command, words: &[OsString]) -> Option<&'a Command> {
    let mut others = words.iter().skip(1).filter_map(|word| word.to_str());
    let first = others.find(|word| !word.starts_with('-'));
    first.and_then(|word| program.find_subcommand(word))
}

/// An error, and the command that it is about.
struct Of<'a> {
    error: &'a Error,
    called: String,
    program: &'a Command,
    command: &'a Command,
}

impl Of<'_> {
    fn text(&self, kind: ContextKind) -> Option<&str> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text),
            ContextValue::Strings(texts) => texts.first().map(String::as_str),
            _ => None,
        }
    }

    fn texts(&self, kind: ContextKind) -> Vec<&str> {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
            Some(ContextValue::String(text)) => vec![text],
            _ => Vec::new(),
        }
    }

    fn what(&self) -> String {
        let Self { called, .. } = self;
        let argument = self.text(ContextKind::InvalidArg).map(spelled);
        let value = self.text(ContextKind::InvalidValue);
        match (self.error.kind(), argument, value) {
            (ErrorKind::UnknownArgument, Some(argument), _) if argument.starts_with('-') => {
                format!("`{called}` has no option {argument}")
            }
            (ErrorKind::UnknownArgument, Some(argument), _) => {
                format!("`{called}` does not expect \"{argument}\"")
            }
            (ErrorKind::InvalidSubcommand, ..) => {
                let word = self.text(ContextKind::InvalidSubcommand);
                format!("there is no command \"{}\"", word.unwrap_or_default())
            }
            (ErrorKind::InvalidValue, Some(argument), Some("")) => missing(called, &argument),
            (ErrorKind::InvalidValue, Some(argument), Some(value)) => {
                format!("{} cannot be \"{value}\"", name(&argument))
            }
            (ErrorKind::ValueValidation, Some(argument), Some(value)) => {
                self.refused(name(&argument), value)
            }
            (ErrorKind::MissingRequiredArgument, ..) => {
                let missing = self.texts(ContextKind::InvalidArg).into_iter();
                let missing: Vec<String> = missing.map(spelled).collect();
                format!("`{called}` needs {}", missing.join(" and "))
            }
            (ErrorKind::ArgumentConflict, Some(argument), _) => self.conflict(&argument),
            (ErrorKind::InvalidUtf8, ..) => "an argument is not valid UTF-8".to_owned(),
            _ => self.own_words(),
        }
    }

    /// Says why a value was refused.
    fn refused(&self, argument: &str, value: &str) -> String {
        let Some(source) = self.error.source() else {
            return format!("{argument} cannot be \"{value}\"");
        };
        let is_number = source.downcast_ref::<ParseFloatError>().is_some();
        let integer = source.downcast_ref::<ParseIntError>();
        let cause = match integer.map(ParseIntError::kind) {
            Some(IntErrorKind::PosOverflow) => "it is too large".to_owned(),
            Some(IntErrorKind::NegOverflow) => "it is too small".to_owned(),
            Some(_) => "it is not a whole number".to_owned(),
            None if is_number => "it is not a number".to_owned(),
            None => source.to_string(),
        };
        // Some causes name the value themselves.
        let names_it = cause.starts_with(value) || cause.contains(&format!("\"{value}\""));
        match names_it {
            true => format!("{argument}: {cause}"),
            false => format!("{argument} cannot be \"{value}\": {cause}"),
        }
    }

    fn conflict(&self, argument: &str) -> String {
        let others = self.texts(ContextKind::PriorArg).into_iter().map(spelled);
        let others: Vec<String> = others.map(|other| name(&other).to_owned()).collect();
        let argument = name(argument);
        match &others[..] {
            [] => format!("{argument} cannot be used with the other options"),
            [same] if same == argument => format!("{argument} may be given only once"),
            _ => format!("{argument} cannot be used with {}", others.join(" and ")),
        }
    }

    /// Returns the first line of the parser's message.
    fn own_words(&self) -> String {
        let text = self.error.render().to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    }

    fn hint(&self) -> String {
        let called = &self.called;
        let values = self.texts(ContextKind::ValidValue);
        if !values.is_empty() {
            return format!("it can be {}", alternatives(&values));
        }
        let help = match self.error.kind() {
            ErrorKind::InvalidSubcommand => format!("`{called} --help` lists the commands"),
            ErrorKind::UnknownArgument => format!("`{called} --help` lists the options"),
            _ => format!("see `{called} --help`"),
        };
        match self.suggested() {
            Some(suggested) => format!("did you mean {suggested}? {help}"),
            None => help,
        }
    }
}

impl Of<'_> {
    /// Returns the command or option that is written most like the unknown one. The parser knows several, in an order of
    /// its own.
    fn suggested(&self) -> Option<String> {
        match self.error.kind() {
            ErrorKind::InvalidSubcommand => {
                let word = self.text(ContextKind::InvalidSubcommand)?;
                let all = self
                    .program
                    .get_subcommands()
                    .filter(|one| !one.is_hide_set());
                let found = likeness::most_alike(word, all.map(Command::get_name));
                found.map(str::to_owned)
            }
            ErrorKind::UnknownArgument => {
                let word = self.text(ContextKind::InvalidArg)?.strip_prefix("--")?;
                let word = word.split_once('=').map_or(word, |(name, _)| name);
                let all = [self.command, self.program].into_iter();
                let all = all
                    .flat_map(Command::get_arguments)
                    .filter(|one| !one.is_hide_set());
                let found = likeness::most_alike(word, all.filter_map(Arg::get_long));
                found.map(|name| format!("--{name}"))
            }
            _ => None,
        }
    }
}

/// Says that a value is missing.
fn missing(called: &str, argument: &str) -> String {
    match argument.split_once(' ') {
        Some((option, value)) => format!("{option} needs a value: {value}"),
        None => format!("`{called}` needs a value for {argument}"),
    }
}

/// Returns an argument as help spells it, without the parser's marks: `--output DIR` for `--output <DIR>`, `TRACE`
/// for `<TRACE>...`.
fn spelled(argument: &str) -> String {
    let bare = argument.trim_end_matches("...");
    let bare = match bare.strip_prefix('[') {
        Some(optional) => optional.trim_end_matches(']'),
        None => bare,
    };
    bare.replace(['<', '>'], "")
}

/// Returns the name of an option without its value.
fn name(argument: &str) -> &str {
    let option = argument.split_once([' ', '=']);
    option
        .filter(|_| argument.starts_with('-'))
        .map_or(argument, |(option, _)| option)
}

/// Returns `table, csv or json`.
fn alternatives(values: &[&str]) -> String {
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} or {last}", others.join(", "))
        }
        _ => values.concat(),
    }
}

#[cfg(test)]
mod tests;
