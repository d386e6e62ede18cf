//! What goes wrong between a client and its server.

use std::io;
use std::time::Duration;

use rustix::io::Errno;

/// Why servers refuse: a protocol's number, its name for it, and what the system would say.
pub(crate) type Reason = (u32, &'static str, Errno);

/// Why a request to a server failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no connection.
    #[error("the server cannot be reached: {0}")]
    Unreachable(io::Error),
    /// The connection broke.
    #[error("the connection to the server broke: {0}")]
    Broken(io::Error),
    /// The server said nothing for so long.
    #[error("the server was silent for {0:?}")]
    Silent(Duration),
    /// The user asked to stop in the middle.
    #[error("interrupted")]
    Interrupted,
    /// The server closed the connection.
    #[error("the server closed the connection")]
    Closed,
    /// The server refused a request.
    #[error("the server refused {request}: {name} ({status:#x})")]
    Refused {
        /// The request.
        request: &'static str,
        /// The protocol's number for the reason.
        status: u32,
        /// The protocol's name for the reason; "unknown" if it is none of the usual ones.
        name: &'static str,
        /// The system's number for it.
        errno: Errno,
    },
    /// What the server sent is not an answer to the request.
    #[error("the server's answer to {request} is damaged at {offset:#x}: {what}")]
    Damaged {
        /// The request.
        request: &'static str,
        /// Offset in the answer, in bytes.
        offset: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

impl Fault {
    /// Returns the system's number that says most nearly the same.
    pub fn errno(&self) -> Errno {
        match self {
            Self::Unreachable(error) => Errno::from_io_error(error).unwrap_or(Errno::HOSTUNREACH),
            Self::Silent(_) => Errno::TIMEDOUT,
            Self::Interrupted => Errno::INTR,
            Self::Broken(error) => Errno::from_io_error(error).unwrap_or(Errno::CONNRESET),
            Self::Closed => Errno::CONNRESET,
            Self::Refused { errno, .. } => *errno,
            Self::Damaged { .. } => Errno::PROTO,
        }
    }

    /// Returns the refusal of `request` with `status`, one of `reasons` if it is a usual one.
    pub(crate) fn refusal(reasons: &[Reason], request: &'static str, status: u32) -> Self {
        let usual = reasons.iter().find(|(number, ..)| *number == status);
        let (_, name, errno) = usual.copied().unwrap_or((status, "unknown", Errno::IO));
        Self::Refused {
            request,
            status,
            name,
            errno,
        }
    }

    /// Returns whether the server's answer is the matter itself: it refused, as a file system does.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

pub(crate) fn timed_out(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}
