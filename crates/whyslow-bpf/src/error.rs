//! Why the programs cannot be used.

use std::error::Error;
use std::io;

use aya::EbpfError;
use aya::maps::MapError;
use rustix::io::Errno;

/// Bytes that are kept of the beginning and of the end of the kernel's explanation.
const HEAD_BYTES: usize = 100;
const TAIL_BYTES: usize = 500;

/// Why the programs cannot be used. Without them a recording has: no command lines beyond what
/// `/proc` still shows, no exit codes, user stacks only of CPU samples (by plain dumps) and none of
/// waits, preempted threads and wakers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BpfError {
    /// The kernel forbids it: needs `CAP_BPF` and `CAP_PERFMON`, or root.
    #[error("the kernel does not permit eBPF programs (needs CAP_BPF and CAP_PERFMON, or root)")]
    NotPermitted,
    /// The kernel has no type information.
    #[error("the kernel has no BTF type information (/sys/kernel/btf/vmlinux)")]
    NoTypeInformation,
    /// Programs exist for x86-64 only.
    #[error("there are no eBPF programs for this kind of processor")]
    OtherProcessor,
    /// A program or map was refused.
    #[error("the kernel refused {what}: {reason}")]
    Refused {
        /// What was refused.
        what: String,
        /// What the kernel said, shortened.
        reason: String,
    },
    /// The settings make no sense.
    #[error("{0}")]
    Settings(&'static str),
    /// A system call failed.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The error.
        source: io::Error,
    },
}

/// The object does not match the file that loads it.
pub(crate) const MISSING: BpfError = BpfError::Settings("the eBPF object lacks a program or map");

impl BpfError {
    /// An error of the eBPF library while `what` was made or attached.
    pub(crate) fn refused(what: &str, error: &(dyn Error + 'static)) -> Self {
        if is_permission(error) {
            return Self::NotPermitted;
        }
        let mut reason = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !reason.contains(&text) {
                reason = format!("{reason}: {text}");
            }
            cause = error.source();
        }
        Self::Refused {
            what: what.to_owned(),
            reason: shortened(&reason),
        }
    }
}

/// The beginning, which names the error, and the end, which has the verifier's reason.
fn shortened(reason: &str) -> String {
    let at = |wanted: usize| {
        (wanted..=reason.len())
            .find(|&at| reason.is_char_boundary(at))
            .unwrap_or(reason.len())
    };
    let (head, tail) = (at(HEAD_BYTES), at(reason.len().saturating_sub(TAIL_BYTES)));
    if head >= tail {
        return reason.to_owned();
    }
    format!("{} … {}", &reason[..head], &reason[tail..])
}

impl From<EbpfError> for BpfError {
    fn from(error: EbpfError) -> Self {
        match &error {
            EbpfError::MapError(MapError::CreateError { name, .. }) => {
                Self::refused(&format!("map {name}"), &error)
            }
            _ => Self::refused("the eBPF object", &error),
        }
    }
}

/// Whether a system call somewhere at the root of `error` was refused for lack of rights.
fn is_permission(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && error.kind() == io::ErrorKind::PermissionDenied
            && Errno::from_io_error(error) == Some(Errno::PERM)
        {
            return true;
        }
        next = error.source();
    }
    false
}
