//! Short names on a real NTFS: the index on the disk says which are taken.
//!
//! ntfs-3g generates none, but stores one as the extended attribute `system.ntfs_dos_name`: an entry of
//! its own in the directory's B-tree, refused if it is there. So this generator does over it what
//! Windows does inside, and each name that is tried is a look-up on real structures, and a call.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{XattrFlags, fsetxattr};
use rustix::io::Errno;

use super::{Candidates, Generation};
use crate::error::Error;
use crate::place::{Name, Place, create, unlink};

/// The attribute that holds the short name.
const ATTRIBUTE: &CStr = c"system.ntfs_dos_name";

/// Gives the open file `long` a short name; returns how many were tried.
pub(crate) fn give(
    file: BorrowedFd<'_>,
    generation: Generation,
    long: &CStr,
) -> Result<u32, Errno> {
    let long = long.to_str().map_err(|_| Errno::ILSEQ)?;
    let Some(candidates) = Candidates::new(generation, long) else {
        return Ok(0);
    };
    for at in 0.. {
        let name = candidates.get(at).ok_or(Errno::NOSPC)?.to_string();
        match fsetxattr(file, ATTRIBUTE, name.as_bytes(), XattrFlags::empty()) {
            Ok(()) => return Ok(at + 1),
            Err(Errno::EXIST) => {}
            Err(other) => return Err(other),
        }
    }
    Err(Errno::NOSPC)
}

/// Returns whether files in `place` can have short names.
pub(crate) fn can(place: &Place) -> Result<bool, Error> {
    let name = Name::new(b'w', 998);
    let tried = create(place.fd(), &name).and_then(|file| {
        let given = give(file.as_fd(), Generation::Seven, name.as_c_str());
        unlink(place.fd(), name.as_c_str())?;
        match given {
            Ok(_) => Ok(true),
            Err(Errno::NOTSUP | Errno::INVAL | Errno::PERM) => Ok(false),
            Err(other) => Err(other),
        }
    });
    tried.map_err(Error::io("try short names in", place.path()))
}
