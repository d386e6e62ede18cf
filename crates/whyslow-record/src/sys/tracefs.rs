//! Access to `tracefs` without mounting it anywhere.
//!
//! Tracepoints are opened by a number that only `tracefs` provides. Where it is not mounted
//! (minimal
//! systems, containers), `fsopen`/`fsmount` make a mount that belongs to a descriptor and to no
//! directory: nothing changes for anybody else, and it vanishes with us.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsmount, fsopen};

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

    /// A directory that looks like it.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            _mount: None,
        }
    }

    /// The root directory of `tracefs`; valid in this process only.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

fn detached_mount() -> io::Result<OwnedFd> {
    let context = fsopen("tracefs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_create(&context)?;
    let mount = fsmount(
        &context,
        FsMountFlags::FSMOUNT_CLOEXEC,
        MountAttrFlags::empty(),
    )?;
    Ok(mount)
}
