//! The variables that a command of another person gets.
//!
//! sudo replaces some variables and removes most others; the ones that it was called with are those that the person
//! would have given the command. What was set for the command on purpose (`sudo CC=gcc whyslow run -- make`) wins.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use crate::person::Person;

/// What is set for the person that a session belongs to.
const OF_PERSON: [&str; 8] = [
    "HOME", "LOGNAME", "MAIL", "PATH", "SHELL", "USER", "USERNAME", "OLDPWD",
];

/// What only tells who called.
const OF_CALLERS: [&str; 4] = ["SUDO_", "PKEXEC_", "DOAS_", "XDG_"];

/// A variable and its value.
pub type Variable = (OsString, OsString);

/// Returns the environment of a command of the person who called us.
///
/// `own` is ours, and `called_with` that of the program that made us root; it may be unknown.
#[must_use]
pub(crate) fn of_caller(
    person: &Person,
    own: &[Variable],
    called_with: &[Variable],
) -> Vec<Variable> {
    let mut all: BTreeMap<OsString, OsString> = BTreeMap::new();
    let of_person = |name: &OsStr| OF_PERSON.iter().any(|known| name == *known);
    let of_caller = |name: &OsStr| {
        let bytes = name.as_bytes();
        OF_CALLERS
            .iter()
            .any(|known| bytes.starts_with(known.as_bytes()))
    };
    all.extend(called_with.iter().cloned());
    let is_known = !called_with.is_empty();
    let kept = own.iter().filter(|(name, _)| {
        let is_persons = of_person(name) && (is_known || name != "PATH");
        !of_caller(name) && !is_persons
    });
    all.extend(kept.cloned());
    if !is_known {
        all.extend(of_account(person));
    }
    all.into_iter().collect()
}

/// Returns the environment of a command of a person that has nothing to do with ours.
#[must_use]
pub(crate) fn of_other(person: &Person, own: &[Variable]) -> Vec<Variable> {
    of_caller(person, own, &[])
}

/// Returns what follows from the account. Without one, the home is the root directory, as login programs have it.
fn of_account(person: &Person) -> Vec<Variable> {
    let name = OsString::from(person.name());
    let account = person.account.as_ref();
    let filled = |text: &OsString, usual: &str| match text.is_empty() {
        true => OsString::from(usual),
        false => text.clone(),
    };
    let home = account.map_or_else(|| "/".into(), |one| filled(&one.home, "/"));
    let shell = account.map_or_else(|| "/bin/sh".into(), |one| filled(&one.shell, "/bin/sh"));
    let variables = [
        ("HOME", home),
        ("SHELL", shell),
        ("USER", name.clone()),
        ("LOGNAME", name),
    ];
    variables.map(|(name, value)| (name.into(), value)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(all: &[(&str, &str)]) -> Vec<Variable> {
        all.iter().map(|&(a, b)| (a.into(), b.into())).collect()
    }

    #[test]
    fn what_sudo_was_called_with_is_there_again() {
        let called = variables(&[
            ("CC", "clang"),
            ("EDITOR", "vi"),
            ("HOME", "/home/ann"),
            ("PATH", "/home/ann/bin:/bin"),
            ("XDG_RUNTIME_DIR", "/run/user/7"),
        ]);
        let own = variables(&[
            ("CC", "gcc"),
            ("HOME", "/root"),
            ("MAIL", "/var/mail/root"),
            ("PATH", "/sbin:/bin"),
            ("SUDO_UID", "7"),
            ("TERM", "xterm"),
            ("XDG_RUNTIME_DIR", "/run/user/0"),
        ]);
        let person = Person::without_account(7_000_007, None, Some("ann"));
        let expected = variables(&[
            ("CC", "gcc"),
            ("EDITOR", "vi"),
            ("HOME", "/home/ann"),
            ("PATH", "/home/ann/bin:/bin"),
            ("TERM", "xterm"),
            ("XDG_RUNTIME_DIR", "/run/user/7"),
        ]);
        assert_eq!(of_caller(&person, &own, &called), expected);
    }

    #[test]
    fn otherwise_the_account_says_it() {
        let own = variables(&[("HOME", "/root"), ("PATH", "/bin"), ("SUDO_UID", "7")]);
        let person = Person::without_account(7_000_007, None, None);
        let expected = variables(&[
            ("HOME", "/"),
            ("LOGNAME", "7000007"),
            ("PATH", "/bin"),
            ("SHELL", "/bin/sh"),
            ("USER", "7000007"),
        ]);
        assert_eq!(of_other(&person, &own), expected);
    }
}
