//! A case: a folder with a program and `case.toml`, which says what a right answer contains.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::de::{DeTable, DeValue};

use crate::cause;

/// Why a case cannot be read.
#[derive(Debug, Error)]
pub(crate) enum BadCase {
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    #[error("{0}: {1}")]
    Syntax(PathBuf, String),
}

/// A command with its arguments.
pub(crate) type Command = Vec<String>;

/// What one finding of a right answer says. Of each list one entry suffices; an empty list asks nothing.
#[derive(Debug, Default, Clone)]
pub(crate) struct Expect {
    /// Ids of causes, the best first.
    pub(crate) cause: Vec<String>,
    /// Parts of the object's name.
    pub(crate) object: Vec<String>,
    /// Functions of the program.
    pub(crate) place: Vec<String>,
    /// Processes or threads that are behind it.
    pub(crate) peer: Vec<String>,
    /// Part of the wall time.
    pub(crate) share: Option<RangeInclusive<f64>>,
}

/// A program with a known reason of slowness, or a healthy one.
#[derive(Debug, Default, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) dir: PathBuf,
    pub(crate) title: String,
    pub(crate) healthy: bool,
    /// What must be installed or allowed.
    pub(crate) needs: Vec<String>,
    /// Run before each recording, in the working directory.
    pub(crate) prepare: Vec<Command>,
    /// Started before each recording; must create the file `ready`.
    pub(crate) beside: Vec<Command>,
    /// The recorded command; without it, the program that belongs to the main source.
    pub(crate) run: Command,
    /// Run after each recording.
    pub(crate) cleanup: Vec<Command>,
    /// How the truth is known.
    pub(crate) known_from: String,
    pub(crate) expect: Vec<Expect>,
    /// Causes that no answer may claim.
    pub(crate) never: Vec<String>,
    /// Causes that an answer may name beside, or of a healthy program.
    pub(crate) may: Vec<String>,
}

impl Case {
    /// Reads `case.toml` in a folder.
    pub(crate) fn read(dir: &Path) -> Result<Self, BadCase> {
        let path = dir.join("case.toml");
        let text = fs::read_to_string(&path).map_err(|error| BadCase::Read(path.clone(), error))?;
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        Self::parse(&name, dir, &text).map_err(|what| BadCase::Syntax(path, what))
    }

    /// The case beside other programs that compute: that they compete is true, so an answer may say it, and
    /// that they have a higher priority if the program is nice.
    pub(crate) fn under(&self, busy: bool) -> Self {
        let mut case = self.clone();
        if busy {
            for cause in ["competing", "low-priority"] {
                case.never.retain(|id| id != cause);
                case.may.push(cause.to_owned());
            }
        }
        case
    }

    /// Whether an answer may name this cause, expected or not.
    pub(crate) fn allows(&self, cause: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|id| id == cause);
        named(&self.may) || (cause::DESCRIPTIONS.contains(&cause) && !named(&self.never))
    }

    fn parse(name: &str, dir: &Path, text: &str) -> Result<Self, String> {
        let table = DeTable::parse(text).map_err(|error| error.to_string())?;
        let mut case = Self {
            name: name.to_owned(),
            dir: dir.to_owned(),
            ..Self::default()
        };
        for (key, value) in table.get_ref() {
            let (key, value) = (key.get_ref().as_ref(), value.get_ref());
            case.take(key, value)
                .map_err(|wanted| format!("{key}: {wanted}"))?;
        }
        case.check()?;
        Ok(case)
    }

    fn take(&mut self, key: &str, value: &DeValue<'_>) -> Result<(), String> {
        match key {
            "title" => self.title = string(value)?,
            "healthy" => self.healthy = value.as_bool().ok_or("true or false")?,
            "needs" => self.needs = strings(value)?,
            "prepare" => self.prepare = commands(value)?,
            "beside" => self.beside = commands(value)?,
            "run" => self.run = strings(value)?,
            "cleanup" => self.cleanup = commands(value)?,
            "known_from" => self.known_from = string(value)?,
            "never" => self.never = causes(value)?,
            "may" => self.may = causes(value)?,
            "expect" => {
                let entries = value.as_array().ok_or("write [[expect]]")?;
                for entry in entries {
                    self.expect.push(Expect::parse(entry.get_ref())?);
                }
            }
            _ => return Err("no such key".to_owned()),
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        if self.title.is_empty() || self.known_from.is_empty() {
            return Err("title and known_from are missing".to_owned());
        }
        if self.healthy != self.expect.is_empty() {
            return Err("a slow program has [[expect]], a healthy one has none".to_owned());
        }
        let expected = self.expect.iter().flat_map(|expect| &expect.cause);
        match expected.chain(&self.may).find(|id| self.never.contains(id)) {
            Some(id) => Err(format!("{id} is expected or allowed, and forbidden")),
            None => Ok(()),
        }
    }
}

impl Expect {
    fn parse(value: &DeValue<'_>) -> Result<Self, String> {
        let table = value.as_table().ok_or("write [[expect]]")?;
        let mut expect = Self::default();
        for (key, value) in table {
            let value = value.get_ref();
            match key.get_ref().as_ref() {
                "cause" => expect.cause = causes(value)?,
                "object" => expect.object = strings(value)?,
                "place" => expect.place = strings(value)?,
                "peer" => expect.peer = strings(value)?,
                "share" => expect.share = Some(range(value)?),
                other => return Err(format!("{other}: no such key")),
            }
        }
        if expect.cause.is_empty() {
            return Err("an expectation needs a cause".to_owned());
        }
        Ok(expect)
    }
}

fn string(value: &DeValue<'_>) -> Result<String, String> {
    Ok(value.as_str().ok_or("write a string")?.to_owned())
}

fn strings(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let entries = value.as_array().ok_or("write [\"…\"]")?;
    entries
        .iter()
        .map(|entry| string(entry.get_ref()))
        .collect()
}

fn commands(value: &DeValue<'_>) -> Result<Vec<Command>, String> {
    let entries = value.as_array().ok_or("write [[\"program\", \"…\"]]")?;
    entries
        .iter()
        .map(|entry| strings(entry.get_ref()))
        .collect()
}

fn causes(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let ids = strings(value)?;
    match ids.iter().find(|id| !cause::is_known(id)) {
        Some(id) => Err(format!("{id} is no cause that cause.rs lists")),
        None => Ok(ids),
    }
}

fn range(value: &DeValue<'_>) -> Result<RangeInclusive<f64>, String> {
    let wanted = "write [0.6, 1.0]";
    let ends = value.as_array().ok_or(wanted)?;
    let mut numbers = ends.iter().map(|end| match end.get_ref() {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) => integer.as_str().parse().ok(),
        _ => None,
    });
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(low), Some(high)) if low <= high => Ok(low..=high),
        _ => Err(wanted.to_owned()),
    }
}

#[cfg(test)]
mod tests;
