//! The accounts of the machine, as the C library finds them: in files, or on a server.
#![expect(unsafe_code, reason = "calls of the C library")]

use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStringExt;

/// The most room for the texts of one account.
const MOST_BYTES: usize = 1 << 20;

/// The most groups of one person; Linux knows 65,536.
const MOST_GROUPS: usize = 65_536;

/// What the machine knows of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name.
    pub name: OsString,
    /// The home directory.
    pub home: OsString,
    /// The shell.
    pub shell: OsString,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// Returns the account of a name, if there is one.
pub(crate) fn by_name(name: &str) -> Option<Account> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends with a null byte; the other pointers are valid for the call.
    found(|entry, texts, result| unsafe {
        libc::getpwnam_r(
            name.as_ptr(),
            entry,
            texts.as_mut_ptr(),
            texts.len(),
            result,
        )
    })
}

/// Returns the account of a number, if there is one.
pub(crate) fn by_uid(uid: u32) -> Option<Account> {
    // SAFETY: all pointers are valid for the call.
    found(|entry, texts, result| unsafe {
        libc::getpwuid_r(uid, entry, texts.as_mut_ptr(), texts.len(), result)
    })
}

/// Returns the number of the group of a name, if there is one.
#[must_use]
pub fn group_named(name: &str) -> Option<u32> {
    let name = CString::new(name).ok()?;
    let mut texts: Vec<libc::c_char> = vec![0; 1 << 12];
    loop {
        // SAFETY: an all-zero entry is valid; its pointers are not read before the call fills them.
        let mut entry: libc::group = unsafe { std::mem::zeroed() };
        let mut result = std::ptr::null_mut();
        // SAFETY: the name ends with a null byte; the other pointers are valid for the call.
        let answer = unsafe {
            libc::getgrnam_r(
                name.as_ptr(),
                &raw mut entry,
                texts.as_mut_ptr(),
                texts.len(),
                &raw mut result,
            )
        };
        if answer == libc::ERANGE && texts.len() < MOST_BYTES {
            let room = texts.len() * 4;
            texts.resize(room, 0);
            continue;
        }
        return (answer == 0 && !result.is_null()).then_some(entry.gr_gid);
    }
}

/// Asks with more and more room.
fn found(
    ask: impl Fn(*mut libc::passwd, &mut [libc::c_char], *mut *mut libc::passwd) -> libc::c_int,
) -> Option<Account> {
    let mut texts: Vec<libc::c_char> = vec![0; 1 << 12];
    loop {
        // SAFETY: an all-zero entry is valid; its pointers are not read before the call fills them.
        let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
        let mut result = std::ptr::null_mut();
        let answer = ask(&raw mut entry, &mut texts, &raw mut result);
        if answer == libc::ERANGE && texts.len() < MOST_BYTES {
            let room = texts.len() * 4;
            texts.resize(room, 0);
            continue;
        }
        if answer != 0 || result.is_null() {
            return None;
        }
        return Some(Account {
            name: text(entry.pw_name),
            home: text(entry.pw_dir),
            shell: text(entry.pw_shell),
            uid: entry.pw_uid,
            gid: entry.pw_gid,
        });
    }
}

/// Returns the text of an entry that was found.
fn text(pointer: *const libc::c_char) -> OsString {
    if pointer.is_null() {
        return OsString::new();
    }
    // SAFETY: the call that found the entry let it point at texts that end with a null byte, and they still live.
    let text = unsafe { CStr::from_ptr(pointer) };
    OsString::from_vec(text.to_bytes().to_vec())
}

/// Returns all groups of an account.
pub(crate) fn groups(account: &Account) -> Vec<u32> {
    let Ok(name) = CString::new(account.name.clone().into_vec()) else {
        return vec![account.gid];
    };
    let mut groups = vec![0; 64];
    loop {
        let mut count = libc::c_int::try_from(groups.len()).unwrap_or(0);
        // SAFETY: the name ends with a null byte, and there is room for as many groups as we say.
        let answer = unsafe {
            libc::getgrouplist(
                name.as_ptr(),
                account.gid,
                groups.as_mut_ptr(),
                &raw mut count,
            )
        };
        if answer >= 0 {
            groups.truncate(usize::try_from(count).unwrap_or(0));
            return groups;
        }
        if groups.len() >= MOST_GROUPS {
            return vec![account.gid];
        }
        let more = groups.len() * 4;
        groups.resize(more, 0);
    }
}
