//! The program continues as its copy with rights, for users who may execute that.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::{Access, access};

use crate::copy::Copy;

/// Variables that the loader takes from the environment of a program with rights; then the command would not get them.
const TAKEN: [&str; 24] = [
    "GCONV_PATH",
    "GETCONF_DIR",
    "GLIBC_TUNABLES",
    "HOSTALIASES",
    "LD_AUDIT",
    "LD_BIND_NOT",
    "LD_BIND_NOW",
    "LD_DEBUG",
    "LD_DEBUG_OUTPUT",
    "LD_DYNAMIC_WEAK",
    "LD_LIBRARY_PATH",
    "LD_ORIGIN_PATH",
    "LD_PRELOAD",
    "LD_PROFILE",
    "LD_SHOW_AUXV",
    "LOCALDOMAIN",
    "LOCPATH",
    "MALLOC_TRACE",
    "NIS_PATH",
    "NLSPATH",
    "RESOLV_HOST_CONF",
    "RES_OPTIONS",
    "TMPDIR",
    "TZDIR",
];

/// Why the program goes on with the user's own rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotHandedOver {
    /// There is no copy that this user may execute, or no need for one.
    Usual,
    /// The copy is of another version of the program.
    Outdated,
    /// The copy could not pass on this variable to the command.
    Variable(&'static str),
}

impl NotHandedOver {
    /// Returns what the user can do to use the copy that is there.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match self {
            Self::Usual => None,
            Self::Outdated => Some(
                "the copy with rights is of another version; make it anew with `sudo whyslow setup --capabilities`"
                    .to_owned(),
            ),
            Self::Variable(name) => Some(format!(
                "the copy with rights would take {name} from the command; unset it, or record with sudo"
            )),
        }
    }
}

/// Continues as the copy with rights, with the same arguments; only returns if that is not possible. `is_set`: whether the
/// environment has a variable.
#[must_use]
pub fn hand_over(
    copy: &Copy,
    words: &[OsString],
    version: &str,
    is_set: impl Fn(&str) -> bool,
) -> NotHandedOver {
    if rustix::process::geteuid().is_root() || whyslow_person::rights::are_lent() {
        return NotHandedOver::Usual;
    }
    let path = copy.path();
    let own = fs::metadata("/proc/self/exe");
    // Only where nobody gave us rights can the copy itself get here: it must not start itself forever.
    let is_it = |own: &fs::Metadata| {
        fs::metadata(&path).is_ok_and(|of| of.ino() == own.ino() && of.dev() == own.dev())
    };
    let Some(own) = own.ok().filter(|own| !is_it(own)) else {
        return NotHandedOver::Usual;
    };
    if copy.found().is_none() || access(&path, Access::EXEC_OK).is_err() {
        return NotHandedOver::Usual;
    }
    if !copy.is_of(version, own.len()) {
        return NotHandedOver::Outdated;
    }
    if let Some(name) = taken(is_set) {
        return NotHandedOver::Variable(name);
    }
    let mut words = words.iter();
    let name = words
        .next()
        .map_or(OsStr::new("whyslow"), OsString::as_os_str);
    let _refused = Command::new(&path).arg0(name).args(words).exec();
    NotHandedOver::Usual
}

/// Returns a variable that is set and would get lost.
fn taken(is_set: impl Fn(&str) -> bool) -> Option<&'static str> {
    TAKEN.into_iter().find(|name| is_set(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_would_get_lost_is_named() {
        assert_eq!(
            taken(|name| name == "LD_LIBRARY_PATH"),
            Some("LD_LIBRARY_PATH")
        );
        assert_eq!(taken(|name| name == "PATH"), None);
    }
}
