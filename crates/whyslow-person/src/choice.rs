//! Whose a command is: the caller's of sudo, that of an account named by the user, or ours.

use std::ffi::OsStr;
use std::fmt;

use crate::ancestors::elevation;
use crate::caller::Caller;
use crate::environment::{Variable, of_caller, of_other};
use crate::person::{Person, Unknown};
use crate::terminal::hand_over_terminal;

/// Whose a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Who.
    pub person: Person,
    /// The variables that the command gets.
    pub environment: Vec<Variable>,
    /// Whether the user may have expected a command of root: a shell of root, or another program, is between sudo and us.
    pub is_unexpected: bool,
}

/// Why a command cannot be a person's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no such account.
    Unknown(Unknown),
    /// Only root can run a command as somebody else.
    NotRoot(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::NotRoot(name) => write!(f, "only root can run a command as {name}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Returns the person who called the program that made us root, according to our environment.
#[must_use]
pub fn caller(own: &[Variable]) -> Option<Person> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let variable = |name: &str| {
        let mut own = own.iter();
        let found = own.find(|(known, _)| known == OsStr::new(name));
        found.map(|(_, value)| value.as_os_str())
    };
    Caller::of(variable).map(|caller| caller.person())
}

/// Returns whose a command is that we start: that of the account `named`, or the caller's; `None` if it is ours.
///
/// # Errors
/// When there is no such account, or we are not root.
pub fn owner_of_command(named: Option<&str>, own: &[Variable]) -> Result<Option<Owner>, Refused> {
    let caller = caller(own);
    let Some(name) = named else {
        return Ok(caller.map(|person| of_the_caller(person, own)));
    };
    let person = Person::named(name).map_err(Refused::Unknown)?;
    if rustix::process::geteuid().as_raw() == person.uid {
        return Ok(None);
    }
    if !rustix::process::geteuid().is_root() {
        return Err(Refused::NotRoot(person.name()));
    }
    Ok(Some(match caller {
        Some(caller) if caller.uid == person.uid => Owner {
            is_unexpected: false,
            ..of_the_caller(caller, own)
        },
        _ => Owner {
            environment: of_other(&person, own),
            is_unexpected: false,
            person,
        },
    }))
}

fn of_the_caller(person: Person, own: &[Variable]) -> Owner {
    let elevation = elevation().unwrap_or_default();
    if elevation.is_direct {
        hand_over_terminal(&person);
    }
    Owner {
        environment: of_caller(&person, own, &elevation.environment),
        is_unexpected: !elevation.is_direct,
        person,
    }
}
