//! Status numbers of SMB, what they are called and what the system would say.
//!
//! From MS-ERREF 2.3, those a file server answers to our requests.

use rustix::io::Errno;

use crate::fault::{Fault, Reason};

pub(super) const SUCCESS: u32 = 0;
/// The answer comes later; MS-SMB2 3.3.4.4.
pub(super) const PENDING: u32 = 0x0000_0103;
pub(super) const NO_MORE_FILES: u32 = 0x8000_0006;
pub(super) const END_OF_FILE: u32 = 0xC000_0011;
pub(super) const MORE_PROCESSING: u32 = 0xC000_0016;

const KNOWN: &[Reason] = &[
    (0x8000_0005, "STATUS_BUFFER_OVERFLOW", Errno::OVERFLOW),
    (0xC000_000D, "STATUS_INVALID_PARAMETER", Errno::INVAL),
    (END_OF_FILE, "STATUS_END_OF_FILE", Errno::NODATA),
    (
        MORE_PROCESSING,
        "STATUS_MORE_PROCESSING_REQUIRED",
        Errno::PROTO,
    ),
    (0xC000_0022, "STATUS_ACCESS_DENIED", Errno::ACCESS),
    (0xC000_0033, "STATUS_OBJECT_NAME_INVALID", Errno::INVAL),
    (0xC000_0034, "STATUS_OBJECT_NAME_NOT_FOUND", Errno::NOENT),
    (0xC000_0035, "STATUS_OBJECT_NAME_COLLISION", Errno::EXIST),
    (0xC000_003A, "STATUS_OBJECT_PATH_NOT_FOUND", Errno::NOENT),
    (0xC000_0043, "STATUS_SHARING_VIOLATION", Errno::BUSY),
    (0xC000_0044, "STATUS_QUOTA_EXCEEDED", Errno::DQUOT),
    (0xC000_0056, "STATUS_DELETE_PENDING", Errno::BUSY),
    (0xC000_006D, "STATUS_LOGON_FAILURE", Errno::ACCESS),
    (0xC000_007F, "STATUS_DISK_FULL", Errno::NOSPC),
    (0xC000_009A, "STATUS_INSUFFICIENT_RESOURCES", Errno::NOMEM),
    (0xC000_00A2, "STATUS_MEDIA_WRITE_PROTECTED", Errno::ROFS),
    (0xC000_00B5, "STATUS_IO_TIMEOUT", Errno::TIMEDOUT),
    (0xC000_00BA, "STATUS_FILE_IS_A_DIRECTORY", Errno::ISDIR),
    (0xC000_00BB, "STATUS_NOT_SUPPORTED", Errno::OPNOTSUPP),
    (0xC000_00C9, "STATUS_NETWORK_NAME_DELETED", Errno::STALE),
    (0xC000_00CC, "STATUS_BAD_NETWORK_NAME", Errno::NOENT),
    (0xC000_0101, "STATUS_DIRECTORY_NOT_EMPTY", Errno::NOTEMPTY),
    (0xC000_0103, "STATUS_NOT_A_DIRECTORY", Errno::NOTDIR),
    (0xC000_0106, "STATUS_NAME_TOO_LONG", Errno::NAMETOOLONG),
    (0xC000_011F, "STATUS_TOO_MANY_OPENED_FILES", Errno::MFILE),
    (0xC000_0203, "STATUS_USER_SESSION_DELETED", Errno::STALE),
    (0xC000_0205, "STATUS_INSUFF_SERVER_RESOURCES", Errno::NOMEM),
];

/// Returns the refusal of `request` with `status`.
pub(super) fn refused(request: &'static str, status: u32) -> Fault {
    Fault::refusal(KNOWN, request, status)
}
