//! File systems of the experiment's own: an image, a loop device, a mount; removed with the fixture.
//!
//! ```text
//! GROUND
//! ├─ whyslow-lab-PID-NR.img    sparse; formatted as asked
//! └─ whyslow-lab-PID-NR.mnt    where it is mounted while it lives
//! ```
//!
//! What a killed run leaves is unmounted and removed by [`crate::place::clean`], by its name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::geteuid;

use crate::error::Error;
use crate::place::{Ground, PLACE};

/// A way to format an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// What users call it.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The kernel's driver.
    driver: &'static str,
    /// The program that formats and its arguments.
    command: &'static [&'static str],
    /// Mount options beside `loop`.
    options: &'static str,
}

/// Every format.
///
/// Tables of inodes are not initialized in the background: that would be measured, too.
pub const FORMATS: [Format; 6] = [
    Format {
        name: "ext4",
        about: "ext4 on a loop device",
        driver: "ext4",
        command: &["mke2fs", "-q", "-F", "-t", "ext4", "-N", "1500000"],
        options: "loop,noinit_itable",
    },
    Format {
        name: "ext4-nodirindex",
        about: "ext4 without hashed directories: every look-up reads the directory",
        driver: "ext4",
        command: &[
            "mke2fs",
            "-q",
            "-F",
            "-t",
            "ext4",
            "-N",
            "1500000",
            "-O",
            "^dir_index",
        ],
        options: "loop,noinit_itable",
    },
    Format {
        name: "ext3-1k",
        about: "ext3 with blocks of 1 KiB: a directory is full after some 300,000 files",
        driver: "ext3",
        command: &[
            "mke2fs", "-q", "-F", "-t", "ext3", "-b", "1024", "-N", "1500000",
        ],
        options: "loop,noinit_itable",
    },
    Format {
        name: "ext2",
        about: "ext2, which has no journal",
        driver: "ext2",
        command: &["mke2fs", "-q", "-F", "-t", "ext2", "-N", "1500000"],
        options: "loop",
    },
    Format {
        name: "xfs",
        about: "XFS on a loop device",
        driver: "xfs",
        command: &["mkfs.xfs", "-q", "-f"],
        options: "loop",
    },
    Format {
        name: "btrfs",
        about: "Btrfs on a loop device",
        driver: "btrfs",
        command: &["mkfs.btrfs", "-q", "-f"],
        options: "loop",
    },
];

/// Bytes of an image; it takes as much of the disk as is written.
const IMAGE_BYTES: u64 = 6 << 30;

impl Format {
    /// Returns the format called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns what this machine lacks for it; `None` if it can have it.
    pub fn lacks(&self) -> Option<String> {
        if !geteuid().is_root() {
            return Some("only root may mount".to_owned());
        }
        let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
        let has = |line: &str| line.split_whitespace().next_back() == Some(self.driver);
        if !known.lines().any(has) {
            return Some(format!("the kernel has no driver {}", self.driver));
        }
        if !Path::new("/dev/loop-control").exists() {
            return Some("the kernel has no loop devices".to_owned());
        }
        let program = self.command.first().copied().unwrap_or_default();
        let mut version = Command::new(program);
        version
            .arg("-V")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match version.status() {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("the program {program} is not installed"))
            }
            Err(error) => Some(format!("{program} cannot be run: {error}")),
        }
    }
}

/// A mounted image.
#[derive(Debug)]
pub struct Fixture {
    image: PathBuf,
    mount: PathBuf,
}

impl Fixture {
    /// Makes an image of `format` on `ground` and mounts it.
    ///
    /// # Errors
    /// When the machine lacks what it takes, or a step fails; what was made is removed.
    pub fn make(format: &Format, ground: &Ground) -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if let Some(lack) = format.lacks() {
            return Err(Error::Options(format!("{}: {lack}", format.name)));
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PLACE}{}-{number}", std::process::id());
        let fixture = Self {
            image: ground.dir().join(format!("{name}.img")),
            mount: ground.dir().join(format!("{name}.mnt")),
        };
        let image = File::create_new(&fixture.image);
        let sized = image.and_then(|image| image.set_len(IMAGE_BYTES));
        sized.map_err(Error::io("make the image", &fixture.image))?;
        fs::create_dir(&fixture.mount).map_err(Error::io("make the directory", &fixture.mount))?;
        let (program, arguments) = format.command.split_first().unwrap_or((&"false", &[]));
        let mut formatting = Command::new(program);
        run(
            formatting.args(arguments).arg(&fixture.image),
            "format",
            &fixture.image,
        )?;
        let mut mounting = Command::new("mount");
        mounting.args(["-t", format.driver, "-o", format.options]);
        run(
            mounting.arg(&fixture.image).arg(&fixture.mount),
            "mount",
            &fixture.image,
        )?;
        // A new file system may hold something: ext has lost+found.
        let work = fixture.dir();
        fs::create_dir(&work).map_err(Error::io("make the directory", &work))?;
        Ok(fixture)
    }

    /// Returns an empty directory on it.
    pub fn dir(&self) -> PathBuf {
        self.mount.join("work")
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // What stays is found again by its name.
        let _left = discard(&self.mount).and_then(|()| discard(&self.image));
    }
}

/// Runs a step; its complaint becomes the reason.
fn run(command: &mut Command, what: &'static str, path: &Path) -> Result<(), Error> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let done = command.output().map_err(Error::io(what, path))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let line = said
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("it failed");
    Err(Error::io(what, path)(io::Error::other(
        line.trim().to_owned(),
    )))
}

/// Removes an image, or unmounts and removes the directory of a mount.
pub(crate) fn discard(path: &Path) -> Result<(), Error> {
    if path.extension().is_some_and(|suffix| suffix == "img") {
        return fs::remove_file(path).map_err(Error::io("remove", path));
    }
    let mounted = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mounted = mounted.contains(&*path.to_string_lossy());
    if mounted {
        run(Command::new("umount").arg(path), "unmount", path)?;
    }
    match fs::remove_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_comes_and_goes() {
        let dir = std::env::temp_dir().join(format!("lab-fixture-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        for format in &FORMATS[..2] {
            if let Some(lack) = format.lacks() {
                println!("skipped: {}: {lack}", format.name);
                continue;
            }
            let fixture = match Fixture::make(format, &ground) {
                Ok(fixture) => fixture,
                Err(Error::Io { what: "mount", .. }) => {
                    println!("skipped: {} cannot be mounted here", format.name);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let driver = crate::system::driver(&fixture.dir());
            assert_eq!(driver.as_deref(), Some(format.driver));
            drop(fixture);
            assert_eq!(fs::read_dir(&dir).expect("ground").count(), 0);
        }
    }

    #[test]
    fn formats_have_names() {
        assert_eq!(
            Format::named("xfs").map(|format| format.driver),
            Some("xfs")
        );
        assert_eq!(Format::named("floppy"), None);
    }
}
