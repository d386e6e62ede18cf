//! Who called the program that made us root, as it says in the environment.

use std::ffi::OsStr;

use crate::accounts;
use crate::person::Person;

/// Who called sudo or its like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    uid: u32,
    gid: Option<u32>,
    name: Option<String>,
}

impl Caller {
    /// Returns who called, according to the variables that `sudo`, `run0`, `pkexec` and `doas` set. `None` if nobody
    /// did, or root.
    ///
    /// Only root may rely on it: everybody else can set such variables.
    pub(crate) fn of<'a>(variable: impl Fn(&str) -> Option<&'a OsStr>) -> Option<Self> {
        let text = |name: &str| variable(name).and_then(OsStr::to_str);
        let number = |name: &str| text(name)?.parse::<u32>().ok();
        let of_sudo = || {
            Some(Self {
                uid: number("SUDO_UID")?,
                gid: number("SUDO_GID"),
                name: text("SUDO_USER").map(str::to_owned),
            })
        };
        let of_pkexec = || {
            Some(Self {
                uid: number("PKEXEC_UID")?,
                gid: None,
                name: None,
            })
        };
        let of_doas = || {
            let account = accounts::by_name(text("DOAS_USER")?)?;
            Some(Self {
                uid: account.uid,
                gid: None,
                name: None,
            })
        };
        let caller = of_sudo().or_else(of_pkexec).or_else(of_doas)?;
        // The kernel uses the largest number for "no one".
        (caller.uid != 0 && caller.uid != u32::MAX).then_some(caller)
    }

    /// Returns the person; one without an account has the numbers that sudo told.
    #[must_use]
    pub(crate) fn person(&self) -> Person {
        match accounts::by_uid(self.uid) {
            Some(account) => Person::of_account(account),
            None => Person::without_account(self.uid, self.gid, self.name.as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(variables: &[(&str, &str)]) -> Option<Caller> {
        Caller::of(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsStr::new(*value))
        })
    }

    #[test]
    fn who_called_is_in_the_environment() {
        let ann = [
            ("SUDO_UID", "54321"),
            ("SUDO_GID", "54322"),
            ("SUDO_USER", "ann"),
        ];
        let person = caller(&ann).unwrap().person();
        assert_eq!((person.uid, person.gid), (54_321, 54_322));
        assert!(person.groups().eq([54_322]));
        assert_eq!(person.name(), "ann");
        let pkexec = caller(&[("PKEXEC_UID", "54321")]).unwrap().person();
        assert_eq!((pkexec.uid, pkexec.gid), (54_321, 54_321));
        assert_eq!(pkexec.name(), "54321");
    }

    #[test]
    fn nobody_called_or_root_did() {
        for variables in [
            [].as_slice(),
            &[("SUDO_UID", "0")],
            &[("SUDO_UID", "-1")],
            &[("SUDO_UID", "4294967295")],
            &[("SUDO_UID", "ann")],
            &[("SUDO_USER", "ann")],
            &[("DOAS_USER", "no such account")],
        ] {
            assert_eq!(caller(variables), None, "{variables:?}");
        }
    }
}
