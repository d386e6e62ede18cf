//! The rights of a file: the extended attribute `security.capability` (`linux/capability.h`, `struct vfs_cap_data`).

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr, getxattr};
use rustix::io::Errno;

const NAME: &str = "security.capability";

/// `VFS_CAP_REVISION_2`, without the flag that would put the rights in effect at once: the program does that itself.
const REVISION: u32 = 0x0200_0000;

/// Names and numbers of the rights that the recorder uses, found by trial:
/// * `perfmon`: events of the whole machine, and of the kernel;
/// * `bpf`: programs in the kernel;
/// * `dac_read_search`: the formats of events, which only root can read (used for `tracefs` alone);
/// * `syslog`: the addresses of the kernel's functions;
/// * `ipc_lock`: buffers of the usual size.
const LENT: [(&str, u32); 5] = [
    ("cap_perfmon", 38),
    ("cap_bpf", 39),
    ("cap_dac_read_search", 2),
    ("cap_syslog", 34),
    ("cap_ipc_lock", 14),
];

/// Returns them as `setcap` takes them.
pub(crate) fn as_text() -> String {
    let names = LENT.map(|(name, _)| name).join(",");
    format!("{names}=p")
}

/// Returns whether the kernel knows all of them; `last` is the highest number that it knows.
pub(crate) fn are_known(last: u32) -> bool {
    LENT.iter().all(|&(_, number)| number <= last)
}

fn bytes() -> [u8; 20] {
    let mut permitted: u64 = 0;
    for (_, number) in LENT {
        permitted |= 1 << number;
    }
    let [a, b, c, d, e, f, g, h] = permitted.to_le_bytes();
    let [r, s, t, u] = REVISION.to_le_bytes();
    // Low permitted, low inheritable, high permitted, high inheritable.
    [r, s, t, u, a, b, c, d, 0, 0, 0, 0, e, f, g, h, 0, 0, 0, 0]
}

/// Gives the rights to a file.
pub(crate) fn give(file: &File) -> io::Result<()> {
    Ok(fsetxattr(file, NAME, &bytes(), XattrFlags::CREATE)?)
}

/// Takes all rights from a file; it may have none.
pub(crate) fn take(file: &File) -> io::Result<()> {
    let mut buffer = [0; 64];
    match fgetxattr(file, NAME, &mut buffer[..]) {
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Ok(_) | Err(Errno::RANGE) => Ok(fremovexattr(file, NAME)?),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether a file has just these rights.
pub(crate) fn has(path: &Path) -> bool {
    let mut buffer = [0; 64];
    let length = getxattr(path, NAME, &mut buffer[..]);
    length.is_ok_and(|length| buffer.get(..length) == Some(&bytes()[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attribute_is_as_the_kernel_reads_it() {
        let expected = [
            0, 0, 0, 2, 0x04, 0x40, 0, 0, 0, 0, 0, 0, 0xc4, 0, 0, 0, 0, 0, 0, 0,
        ];
        assert_eq!(bytes(), expected);
        assert!(are_known(40) && !are_known(37));
        assert_eq!(
            as_text(),
            "cap_perfmon,cap_bpf,cap_dac_read_search,cap_syslog,cap_ipc_lock=p"
        );
    }
}
