//! Status numbers of NFS version 3 (RFC 1813, 2.6) and of its mount protocol (5.1.5).

use rustix::io::Errno;

use crate::fault::{Fault, Reason};

const KNOWN: &[Reason] = &[
    (1, "NFS3ERR_PERM", Errno::PERM),
    (2, "NFS3ERR_NOENT", Errno::NOENT),
    (5, "NFS3ERR_IO", Errno::IO),
    (13, "NFS3ERR_ACCES", Errno::ACCESS),
    (17, "NFS3ERR_EXIST", Errno::EXIST),
    (20, "NFS3ERR_NOTDIR", Errno::NOTDIR),
    (21, "NFS3ERR_ISDIR", Errno::ISDIR),
    (22, "NFS3ERR_INVAL", Errno::INVAL),
    (27, "NFS3ERR_FBIG", Errno::FBIG),
    (28, "NFS3ERR_NOSPC", Errno::NOSPC),
    (30, "NFS3ERR_ROFS", Errno::ROFS),
    (63, "NFS3ERR_NAMETOOLONG", Errno::NAMETOOLONG),
    (66, "NFS3ERR_NOTEMPTY", Errno::NOTEMPTY),
    (69, "NFS3ERR_DQUOT", Errno::DQUOT),
    (70, "NFS3ERR_STALE", Errno::STALE),
    (10001, "NFS3ERR_BADHANDLE", Errno::STALE),
    (10004, "NFS3ERR_NOTSUPP", Errno::OPNOTSUPP),
    (10006, "NFS3ERR_SERVERFAULT", Errno::IO),
    (10008, "NFS3ERR_JUKEBOX", Errno::AGAIN),
];

/// Returns the refusal of `request` with `status`.
pub(super) fn refused(request: &'static str, status: u32) -> Fault {
    Fault::refusal(KNOWN, request, status)
}
