//! Why nothing was set up, or undone.

use std::io;
use std::path::PathBuf;

/// Why nothing was set up, or undone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Only root can give rights to files.
    #[error("only root can do this")]
    NotRoot,
    /// The kernel is older than these capabilities (Linux 5.8).
    #[error("this kernel does not know the capabilities perfmon and bpf")]
    OldKernel,
    /// There is no such group.
    #[error("there is no group {0}")]
    NoGroup(String),
    /// Something is there that we did not make, or that was changed since.
    #[error("{} is not what setup made", .0.display())]
    Foreign(PathBuf),
    /// Others than root can change what is in the directory.
    #[error("others than root can write to {}", .0.display())]
    Open(PathBuf),
    /// The file system is mounted without rights of files.
    #[error("{} is on a file system that is mounted with nosuid, where files give no rights", .0.display())]
    NoRights(PathBuf),
    /// There is nothing to undo.
    #[error("nothing was set up")]
    Nothing,
    /// The system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    System {
        /// What was done.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl Error {
    /// Returns what the user can do.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Self::NotRoot => "begin the command line with sudo".to_owned(),
            Self::OldKernel => "use Linux 5.8 or newer, or record through sudo".to_owned(),
            Self::NoGroup(name) => format!("make it first: groupadd {name}"),
            Self::Foreign(path) => format!("look at {}, and remove it yourself", path.display()),
            Self::Open(path) => format!("chown root and chmod go-w {}", path.display()),
            Self::NoRights(_) => "record through sudo: sudo whyslow run -- COMMAND".to_owned(),
            Self::Nothing => "`whyslow setup` shows what is possible".to_owned(),
            Self::System { .. } => {
                "mend that, and try again; `whyslow setup` shows whether there is a copy".to_owned()
            }
        }
    }

    pub(crate) fn system(
        what: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::System { what, path, source }
    }
}
