//! A user, and how a process becomes theirs.

use std::fmt;

use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::accounts::{self, Account};

/// A user, by numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The number of the user.
    pub uid: u32,
    /// The number of the first group.
    pub gid: u32,
    groups: Vec<Gid>,
    /// The account, if there is one.
    pub account: Option<Account>,
    told: Option<String>,
}

/// There is no such account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// What was looked for.
    pub name: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no account \"{}\"", self.name)
    }
}

impl std::error::Error for Unknown {}

impl Person {
    /// Returns the person of an account, by name or number. A number needs no account.
    ///
    /// # Errors
    /// When there is no account of that name.
    pub fn named(name: &str) -> Result<Self, Unknown> {
        if let Some(account) = accounts::by_name(name) {
            return Ok(Self::of_account(account));
        }
        match name.parse() {
            Ok(uid) if uid != u32::MAX => Ok(match accounts::by_uid(uid) {
                Some(account) => Self::of_account(account),
                None => Self::without_account(uid, None, None),
            }),
            _ => Err(Unknown {
                name: name.to_owned(),
            }),
        }
    }

    pub(crate) fn of_account(account: Account) -> Self {
        Self {
            uid: account.uid,
            gid: account.gid,
            groups: of_kernel(&accounts::groups(&account)),
            account: Some(account),
            told: None,
        }
    }

    pub(crate) fn without_account(uid: u32, gid: Option<u32>, told: Option<&str>) -> Self {
        let gid = gid.filter(|&gid| gid != u32::MAX).unwrap_or(uid);
        Self {
            uid,
            gid,
            groups: of_kernel(&[gid]),
            account: None,
            told: told.map(str::to_owned),
        }
    }

    /// Returns the name, or the number of one who has none.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.account, &self.told) {
            (Some(account), _) => account.name.to_string_lossy().into_owned(),
            (None, Some(told)) => told.clone(),
            (None, None) => self.uid.to_string(),
        }
    }

    /// Returns the numbers of all groups.
    pub fn groups(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().map(|group| group.as_raw())
    }

    /// Makes the calling thread, which must be the only one of its process, that person's. There is no way back.
    ///
    /// It only makes system calls, so a child may call it between `fork` and `exec`.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn become_it(&self) -> std::io::Result<()> {
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        set_thread_groups(&self.groups)?;
        set_thread_res_gid(gid, gid, gid)?;
        set_thread_res_uid(uid, uid, uid)?;
        Ok(())
    }
}

fn of_kernel(groups: &[u32]) -> Vec<Gid> {
    let mut groups = groups.to_vec();
    groups.retain(|&group| group != u32::MAX);
    groups.into_iter().map(Gid::from_raw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_have_names_and_numbers() {
        let root = Person::named("root").unwrap();
        assert_eq!((root.uid, root.name().as_str()), (0, "root"));
        assert!(root.groups().any(|group| group == 0));
        assert_eq!(Person::named("0").unwrap(), root);
        let without = Person::named("54321").unwrap();
        assert_eq!((without.uid, without.gid), (54_321, 54_321));
        let unknown = Person::named("no such account").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "there is no account \"no such account\""
        );
    }
}
