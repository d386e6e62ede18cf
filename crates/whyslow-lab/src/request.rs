//! An experiment as a user requests it, on the command line or in the file of a suite; refused if it
//! makes no sense.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::case::Case;
use crate::cases::parameters;
use crate::error::Error;
use crate::named_command::NamedCommand;
use crate::options::Options;
use crate::systems::{System, USUAL_DIR};

/// What is asked, as it was given.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Operations per series.
    pub count: Option<u64>,
    /// Time per series.
    pub budget: Duration,
    /// Passes at most.
    pub passes: u32,
    /// Parameters of cases, with their values.
    pub given: BTreeMap<&'static str, Vec<u64>>,
    /// Commands.
    pub commands: Vec<NamedCommand>,
    /// Systems to work on.
    pub on: Vec<System>,
    /// A directory to work in.
    pub dir: Option<PathBuf>,
    /// Whether a directory may hold something.
    pub force: bool,
}

/// An experiment that makes sense.
#[derive(Debug, Clone)]
pub struct Request {
    /// What is repeated.
    pub case: &'static Case,
    /// How much of it.
    pub options: Options,
    /// On what, one after another.
    pub systems: Vec<System>,
    /// Whether a directory may hold something.
    pub force: bool,
}

impl Asked {
    /// Returns the systems: those that were named, or a new directory.
    pub fn systems(&self) -> Vec<System> {
        match (&self.dir, self.on.as_slice()) {
            (Some(path), _) => vec![System::directory(path)],
            (None, []) => vec![System::directory(USUAL_DIR.as_ref())],
            (None, on) => on.to_vec(),
        }
    }

    /// Returns the options, with `usual` operations where no number was given.
    pub fn options(&self, usual: u64) -> Options {
        Options {
            count: self.count.unwrap_or(usual),
            budget: self.budget,
            passes: self.passes,
            commands: self.commands.clone(),
            given: self.given.clone(),
        }
    }

    /// Refuses what belongs to cases, for commands that are none.
    ///
    /// # Errors
    /// When something of a case was given.
    pub fn without_parameters(&self) -> Result<(), Error> {
        self.only(&Case::PLAIN)
    }

    /// Refuses parameters and commands that `case` does not take.
    fn only(&self, case: &Case) -> Result<(), Error> {
        let own = |name: &str| case.parameters.iter().any(|one| one.name == name);
        let foreign = self.given.keys().find(|name| !own(name));
        let foreign = foreign.map(|name| format!("--{name}"));
        let command = !self.commands.is_empty() && !case.takes_command;
        match foreign.or_else(|| command.then(|| "a command".to_owned())) {
            Some(what) => Err(unfit(
                format!("{what} does not belong to this case"),
                "whyslow lab --help says which options a case has",
            )),
            None => Ok(()),
        }
    }
}

impl Request {
    /// Returns the experiment that `asked` asks for.
    ///
    /// # Errors
    /// When something of it does not belong to the case, or makes no sense.
    pub fn new(case: &'static Case, asked: &Asked) -> Result<Self, Error> {
        asked.only(case)?;
        let placed = asked.dir.is_some() || !asked.on.is_empty() || asked.force;
        if placed && !case.needs_directory {
            return Err(unfit(
                "this case has no files that could be somewhere".to_owned(),
                "leave out --dir, --on and --force",
            ));
        }
        let local = parameters().into_iter().map(|(one, _)| one);
        let local = local.filter(|one| one.local_only && asked.given.contains_key(one.name));
        let local = local.count() > 0 || !case.on_shares;
        let mut shares = asked.on.iter().filter(|system| system.share().is_some());
        if let Some(share) = shares.next().filter(|_| local) {
            return Err(unfit(
                format!("{}: files on a share get no short names here", share.name),
                "--on ntfs gives them real ones; shortnames simulates them in any directory, as --on tmpfs",
            ));
        }
        let options = asked.options(case.usual_count.unwrap_or(0));
        case.check(&options)?;
        Ok(Self {
            case,
            options,
            systems: asked.systems(),
            force: asked.force,
        })
    }
}

fn unfit(what: String, hint: &str) -> Error {
    Error::Unfit {
        what,
        hint: hint.to_owned(),
    }
}
