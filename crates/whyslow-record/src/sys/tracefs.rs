//! Access to `tracefs` without mounting it anywhere.
//!
//! Tracepoints are opened by a number that only `tracefs` tells. Where it is not mounted (minimal
//! systems, containers), `fsopen`/`fsmount` make a mount that belongs to a descriptor and to no
//! directory: nothing changes for anybody else, and it vanishes with us.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::checked;

const FSCONFIG_CMD_CREATE: libc::c_uint = 6;
const CLOEXEC: libc::c_uint = 1;

/// A place where the files of `tracefs` can be read.
#[derive(Debug)]
pub(crate) struct Tracefs {
    root: PathBuf,
    _mount: Option<OwnedFd>,
}

impl Tracefs {
    /// Finds `tracefs` where it is mounted, or else mounts it for ourselves alone.
    pub(crate) fn find() -> io::Result<Self> {
        let mut refused = None;
        for place in ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"] {
            match std::fs::metadata(Path::new(place).join("events/sched")) {
                Ok(_) => {
                    return Ok(Self {
                        root: place.into(),
                        _mount: None,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    refused = Some(error);
                }
                Err(_) => {}
            }
        }
        match detached_mount() {
            Ok(mount) => {
                let root = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
                Ok(Self {
                    root,
                    _mount: Some(mount),
                })
            }
            Err(error) => Err(refused.unwrap_or(error)),
        }
    }

    /// The root directory of `tracefs`; valid in this process only.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

fn detached_mount() -> io::Result<OwnedFd> {
    // SAFETY: the argument is a string that ends with a zero byte.
    let context = unsafe { libc::syscall(libc::SYS_fsopen, c"tracefs".as_ptr(), CLOEXEC) };
    let context = owned(context)?;
    // SAFETY: this command takes no key and no value.
    let created = unsafe {
        libc::syscall(
            libc::SYS_fsconfig,
            context.as_raw_fd(),
            FSCONFIG_CMD_CREATE,
            std::ptr::null::<libc::c_char>(),
            std::ptr::null::<libc::c_void>(),
            0 as libc::c_int,
        )
    };
    checked(created)?;
    // SAFETY: plain numbers.
    let mount = unsafe {
        libc::syscall(
            libc::SYS_fsmount,
            context.as_raw_fd(),
            CLOEXEC,
            0 as libc::c_uint,
        )
    };
    owned(mount)
}

fn owned(answer: libc::c_long) -> io::Result<OwnedFd> {
    let fd = libc::c_int::try_from(checked(answer)?).map_err(io::Error::other)?;
    // SAFETY: the kernel has just made this descriptor for us; nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
