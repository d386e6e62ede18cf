//! Why a server did not start.

use std::io;
use std::path::{Path, PathBuf};

use crate::fault::Fault;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The machine lacks what a server needs.
    #[error("{protocol}: {lack}")]
    Lacks {
        /// The protocol.
        protocol: &'static str,
        /// What is missing.
        lack: String,
    },
    /// The system refused something around the server, or the server said why it did not start.
    #[error("cannot {what} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The server runs, and our client cannot get on with it.
    #[error("{program} runs, but its client fails: {fault}")]
    Client {
        /// The program of the server.
        program: &'static str,
        /// Why the client failed.
        fault: Fault,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Returns what turns an error of the system into one of ours.
    pub(crate) fn io<E: Into<io::Error>>(
        what: &'static str,
        path: &Path,
    ) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            what,
            path,
            source: source.into(),
        }
    }
}
