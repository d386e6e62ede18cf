//! An experiment as one program that needs nothing of ours: for the machine that has the problem, whatever
//! runs there.
//!
//! The programs are templates, one per language. A line `@if create rename` begins a part that only those cases
//! have, `@end` ends it, and `@COUNT@` is what was asked for.

use std::collections::BTreeMap;
use std::path::Path;

use crate::case::Case;
use crate::error::Error;
use crate::file_operation::FileOperation;
use crate::file_series::PREFILL;
use crate::options::Options;

/// A language that programs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C, for POSIX and Windows: times every operation.
    C,
    /// PowerShell: times every operation.
    PowerShell,
    /// A batch file of Windows.
    Batch,
    /// VBScript.
    VbScript,
    /// A POSIX shell.
    Shell,
}

/// What an experiment is exported with.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// Which experiment.
    pub case: &'static Case,
    /// How much of it.
    pub options: &'a Options,
    /// Where it works if its user names no other directory.
    pub dir: &'a Path,
    /// In which language.
    pub language: Language,
}

/// The cases that there are programs for, and the parameters that each of them takes there.
const CASES: [(&str, &[&str]); 7] = [
    ("create", &["prefill"]),
    ("rename", &["prefill"]),
    ("stat", &["prefill"]),
    ("open", &["prefill"]),
    ("list", &[]),
    ("reopen", &[]),
    ("write", &["size"]),
];

impl Language {
    /// Every language, by what the user calls it.
    pub const ALL: [(&str, Self); 5] = [
        ("c", Self::C),
        ("ps1", Self::PowerShell),
        ("cmd", Self::Batch),
        ("vbs", Self::VbScript),
        ("sh", Self::Shell),
    ];

    /// Returns the language called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(own, _)| *own == name);
        let names = || Self::ALL.map(|(name, _)| name).join(", ");
        found
            .map(|(_, language)| *language)
            .ok_or_else(|| format!("there are {}", names()))
    }

    fn template(self) -> &'static str {
        match self {
            Self::C => include_str!("export/program.c"),
            Self::PowerShell => include_str!("export/program.ps1"),
            Self::Batch => include_str!("export/program.cmd"),
            Self::VbScript => include_str!("export/program.vbs"),
            Self::Shell => include_str!("export/program.sh"),
        }
    }

    /// Returns `text` inside of the quotes that the template has, or as a literal where it has none.
    fn quoted(self, text: &str) -> Option<String> {
        let plain = text.chars().all(|c| c.is_ascii() && !c.is_ascii_control());
        let fits = plain && !(self == Self::Batch && text.contains('"'));
        fits.then(|| match self {
            Self::C => text
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace("??", "?\\?"),
            Self::PowerShell => format!("'{}'", text.replace('\'', "''")),
            Self::Batch => text.replace('%', "%%"),
            Self::VbScript => format!("\"{}\"", text.replace('"', "\"\"")),
            Self::Shell => format!("'{}'", text.replace('\'', "'\\''")),
        })
    }

    /// Returns `text` so that it is one line of a comment and nothing else.
    fn comment(self, text: &str) -> String {
        let text: String = text
            .chars()
            .map(|c| {
                if c.is_control() || !c.is_ascii() {
                    '?'
                } else {
                    c
                }
            })
            .collect();
        match self {
            Self::C => text.replace("*/", "* /").replace('\\', "/"),
            // A percent sign expands in a comment, too.
            Self::Batch => text.replace('%', "%%"),
            _ => text,
        }
    }

    /// Returns how many files are made at once, and how many operations lie between two readings of its clock:
    /// the coarser the clock, and the longer a look at it takes, the more.
    fn blocks(self, name: &str, count: u64) -> (u64, u64) {
        let operation = FileOperation::parse(name);
        let step = operation.map_or(1, |operation| operation.files_at_once(count));
        let least = match self {
            Self::C | Self::PowerShell => return (step, 1),
            // An operation that starts a program takes about as long as a look at the clock, which starts one.
            Self::Shell if name == "rename" => 20,
            Self::Shell => 200,
            Self::Batch | Self::VbScript => 500,
        };
        let every = (count / 100).max(least).min(count.max(1));
        match operation {
            Some(FileOperation::Stat | FileOperation::Open) => (every, every),
            Some(FileOperation::List) => (step, 1),
            _ => (step, every),
        }
    }
}

/// Returns the program.
///
/// # Errors
/// When there is none for this experiment, or not with these options.
pub fn program(export: &Export<'_>) -> Result<String, Error> {
    let Export {
        case,
        options,
        dir,
        language,
    } = *export;
    let known = CASES.iter().find(|(name, _)| *name == case.name);
    let Some((name, parameters)) = known else {
        let names = CASES.map(|(name, _)| name).join(", ");
        return Err(unfit(
            format!("there is no program for the case {}", case.name),
            format!("there are {names}"),
        ));
    };
    if let Some(other) = options
        .given
        .keys()
        .find(|given| !parameters.contains(given))
    {
        let hint = match *other {
            "jobs" => "start the program several times, each with a number of its own: it says how",
            _ => "leave it out",
        };
        return Err(unfit(
            format!("--{other} cannot be exported"),
            hint.to_owned(),
        ));
    }
    let text = dir.to_str().and_then(|dir| language.quoted(dir));
    let Some(quoted) = text else {
        let what = format!(
            "{} cannot be written in a program that all machines read alike",
            dir.display()
        );
        return Err(unfit(
            what,
            "leave out --dir, and name the directory where the program is started".to_owned(),
        ));
    };
    let (prefill, size) = (options.number(&PREFILL, 0), size(options));
    let (step, every) = language.blocks(name, options.count);
    let values = BTreeMap::from([
        ("ABOUT", format!("{}, again and again", case.words.doing)),
        ("COMMAND", language.comment(&command(export, prefill, size))),
        ("CASE", (*name).to_owned()),
        ("DIR", quoted),
        ("COUNT", options.count.to_string()),
        ("BUDGET", options.budget.as_secs().max(1).to_string()),
        ("PREFILL", prefill.to_string()),
        ("STEP", step.to_string()),
        ("SIZE", size.to_string()),
        ("EVERY", every.to_string()),
        ("SLOW", slow(name)),
    ]);
    let text = filled(language.template(), name, &values);
    Ok(match language {
        Language::Batch | Language::VbScript | Language::PowerShell => text.replace('\n', "\r\n"),
        Language::C | Language::Shell => text,
    })
}

fn unfit(what: String, hint: String) -> Error {
    Error::Unfit { what, hint }
}

/// Bytes of a written file.
fn size(options: &Options) -> u64 {
    options
        .given
        .get("size")
        .and_then(|sizes| sizes.last().copied())
        .unwrap_or(100_000)
}

/// Returns the experiment as it is asked for here.
fn command(export: &Export<'_>, prefill: u64, size: u64) -> String {
    let name = export.case.name;
    let mut text = format!("{name} --count {}", export.options.count);
    if prefill > 0 {
        text += &format!(" --prefill {prefill}");
    }
    if name == "write" {
        text += &format!(" --size {size} --strategy serial");
    }
    text
}

/// Returns the operations for which a shell starts a program, for its comment.
fn slow(case: &str) -> String {
    match case {
        "create" => " (deleting: rm)",
        "rename" => " (mv)",
        "list" => " (ls)",
        _ => "",
    }
    .to_owned()
}

/// Returns the parts of `template` that the case `name` has, with `values` in their places.
fn filled(template: &str, name: &str, values: &BTreeMap<&str, String>) -> String {
    let (mut text, mut here) = (String::new(), true);
    for line in template.lines() {
        match line.strip_prefix('@') {
            Some("end") => here = true,
            Some(part) if part.starts_with("if ") => {
                here = part.split(' ').skip(1).any(|case| case == name);
            }
            _ if here => {
                text += line;
                text.push('\n');
            }
            _ => {}
        }
    }
    // One pass: what is filled in is not looked at again.
    let mut parts = text.split('@');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    let mut in_place = false;
    for part in parts {
        match values.get(part).filter(|_| !in_place) {
            Some(value) => {
                whole += value;
                in_place = true;
            }
            None => {
                if !in_place {
                    whole.push('@');
                }
                whole += part;
                in_place = false;
            }
        }
    }
    whole
}
