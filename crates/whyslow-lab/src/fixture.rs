//! File systems of the experiment's own: an image, a mount, daemons; all gone with the fixture.
//!
//! ```text
//! GROUND
//! ├─ whyslow-lab-PID-NR.img    sparse; formatted as asked
//! └─ whyslow-lab-PID-NR.mnt    where it is mounted while it lives
//! ```
//!
//! The kernel mounts the image through a loop device, or a FUSE daemon serves it. What a killed run
//! leaves is found by its name and removed by [`crate::clean::clean`].

mod dismantle;
mod formats;
pub(crate) mod scanner;

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, fcntl_setfl, fstat, mkdirat, openat};
use rustix::process::geteuid;

use crate::error::Error;
use crate::mounts::mount_points;
use crate::place::{Ground, PLACE, hold, is_free};

pub(crate) use dismantle::{daemons, dismantle};
pub use formats::FORMATS;
pub use scanner::{SCANNER, Scan, Scanner, Watched, serve as scan};

/// A program, and the Debian package that brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Program {
    name: &'static str,
    package: &'static str,
}

/// Who serves a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mounting {
    /// The kernel, through a loop device.
    Kernel {
        driver: &'static str,
        options: &'static str,
    },
    /// A daemon that gets the image, or the loop `device` of it.
    Fuse {
        program: Program,
        options: &'static [&'static str],
        device: bool,
    },
    /// The kernel's overlayfs, on the kernel's ext4.
    Overlay,
    /// Memory.
    Memory,
}

/// A way to format an image, and the ways to mount it; the first that the machine can is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// What users call it.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    formatter: Option<Program>,
    arguments: &'static [&'static str],
    ways: &'static [Mounting],
}

/// A file system to be made, and who watches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixtureSpec {
    /// How it is formatted.
    pub format: &'static Format,
    /// The simulated virus scanner, if there is one.
    pub scan: Option<Scan>,
}

/// Bytes of an image; it takes as much of the disk as is written.
const IMAGE_BYTES: u64 = 6 << 30;

impl Program {
    /// Returns what this machine lacks to run it.
    fn lacks(self) -> Option<String> {
        let Self { name, package } = self;
        let mut version = Command::new(name);
        version.arg("-V").stdin(Stdio::null());
        match version.stdout(Stdio::null()).stderr(Stdio::null()).status() {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(format!(
                "the program {name} is not installed (package {package})"
            )),
            Err(error) => Some(format!("{name} cannot be run: {error}")),
        }
    }
}

impl Mounting {
    /// Returns who serves it, as reports name it.
    fn driver(self) -> &'static str {
        match self {
            Self::Kernel { driver, .. } => driver,
            Self::Fuse { program, .. } => dismantle::plain(program.name),
            Self::Overlay => "overlay",
            Self::Memory => "tmpfs",
        }
    }

    fn lacks(self) -> Vec<String> {
        let (drivers, device): (&[&str], bool) = match &self {
            Self::Kernel { driver, .. } => (std::slice::from_ref(driver), true),
            Self::Fuse { device, .. } => (&["fuse"], *device),
            Self::Overlay => (&["overlay", "ext4"], true),
            Self::Memory => (&["tmpfs"], false),
        };
        let missing = drivers.iter().filter(|driver| !kernel_has(driver));
        let missing = missing.map(|driver| format!("the kernel has no driver {driver}"));
        let mut lacks: Vec<String> = missing.collect();
        if device && !Path::new("/dev/loop-control").exists() {
            lacks.push("the kernel has no loop devices (/dev/loop-control)".to_owned());
        }
        if let Self::Fuse { program, .. } = self {
            if !Path::new("/dev/fuse").exists() {
                lacks.push("there is no /dev/fuse".to_owned());
            }
            lacks.extend(program.lacks());
        }
        lacks
    }
}

/// Returns whether the kernel has a file system, or a module for it.
fn kernel_has(driver: &str) -> bool {
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let known = text("/proc/filesystems");
    if known
        .lines()
        .any(|line| line.split_whitespace().next_back() == Some(driver))
    {
        return true;
    }
    let release = text("/proc/sys/kernel/osrelease");
    let aliases = text(&format!("/lib/modules/{}/modules.alias", release.trim()));
    let alias = format!("alias fs-{driver} ");
    aliases.lines().any(|line| line.starts_with(&alias))
}

impl Format {
    /// Returns the format called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns everything this machine lacks for it; `None` if it can have it.
    pub fn lacks(&self) -> Option<String> {
        let mut lacks: Vec<String> = self
            .formatter
            .iter()
            .filter_map(|one| one.lacks())
            .collect();
        if self.way().is_none() {
            let ways = self.ways.iter().map(|way| way.lacks().join(", "));
            lacks.push(ways.collect::<Vec<_>>().join(", or else "));
        }
        if !geteuid().is_root() {
            lacks.push("only root may mount".to_owned());
        }
        (!lacks.is_empty()).then(|| lacks.join("; "))
    }

    /// Returns the driver that would serve it here; `None` if there is none.
    pub fn driver(&self) -> Option<&'static str> {
        self.way().map(Mounting::driver)
    }

    fn way(&self) -> Option<Mounting> {
        self.ways.iter().copied().find(|way| way.lacks().is_empty())
    }
}

impl FixtureSpec {
    /// Returns what `text` names: `xfs`, `ext4+scanner`; `None` if there is none.
    ///
    /// Memory without a scanner needs no fixture.
    pub fn named(text: &str) -> Option<Self> {
        let (name, scan) = match text.split_once('+') {
            Some((name, modifier)) => (name, Some(Scan::named(modifier)?)),
            None => (text, None),
        };
        let format = match (name, scan) {
            ("tmpfs", Some(_)) => Some(&formats::MEMORY),
            _ => Format::named(name),
        };
        format.map(|format| Self { format, scan })
    }

    /// Returns everything this machine lacks for it; `None` if it can have it.
    pub fn lacks(&self) -> Option<String> {
        let scanner = self.scan.and_then(|_| scanner::lacks());
        let lacks = self.format.lacks().into_iter().chain(scanner);
        let lacks: Vec<String> = lacks.collect();
        (!lacks.is_empty()).then(|| lacks.join("; "))
    }
}

/// A mounted file system of ours.
#[derive(Debug)]
pub struct Fixture {
    /// Ground and name, without the suffix.
    base: PathBuf,
    work: PathBuf,
    scanner: Option<Scanner>,
    /// Held as long as the fixture lives.
    _image: Option<File>,
}

/// Returns whether the fixture `base`, which exists at least in part, is ours and not in use; without an
/// image there is no lock to check, and its process must be `gone`.
pub(crate) fn is_left(base: &Path, gone: bool) -> bool {
    let image = image_of(base);
    if !is_ours(base) {
        return false;
    }
    let is_file = fs::symlink_metadata(&image).is_ok_and(|meta| meta.is_file());
    match is_file {
        true => File::open(&image).is_ok_and(|image| is_free(image, gone)),
        false => gone,
    }
}

/// Returns whether what there is of the fixture `base` belongs to this user; what is mounted is looked at
/// through its image or the directory around it, because it has owners of its own.
fn is_ours(base: &Path) -> bool {
    let mount = mount_of(base);
    let owned = |path: &Path| match fs::symlink_metadata(path) {
        Ok(meta) => meta.uid() == geteuid().as_raw(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    let is_mounted = mount_points().contains(&mount);
    owned(&image_of(base))
        && if is_mounted {
            base.parent().is_some_and(owned)
        } else {
            owned(&mount)
        }
}

/// Returns the open directory `dir`, in which no other user can replace files: a formatter
/// overwrites whatever it finds under a name.
fn private(dir: &Path) -> Result<OwnedFd, Error> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let fd = openat(CWD, dir, flags, Mode::empty()).map_err(Error::io("open", dir))?;
    let found = fstat(&fd).map_err(Error::io("look at", dir))?;
    let mode = Mode::from_raw_mode(found.st_mode);
    let others_write = mode.intersects(Mode::WGRP | Mode::WOTH) && !mode.contains(Mode::SVTX);
    if found.st_uid != geteuid().as_raw() || others_write {
        let dir = dir.to_owned();
        return Err(Error::NotPrivate { dir });
    }
    Ok(fd)
}

impl Fixture {
    /// Makes what `spec` says on `ground` and mounts it; `program` is our own, for the scanner.
    ///
    /// # Errors
    /// When the machine lacks what it takes, or a step fails; what was made is removed.
    pub fn make(spec: &FixtureSpec, ground: &Ground, program: &Path) -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let format = spec.format;
        let (None, Some(way)) = (spec.lacks(), format.way()) else {
            let lack = spec.lacks().unwrap_or_default();
            return Err(Error::Options(format!("{}: {lack}", format.name)));
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PLACE}{}-{number}", std::process::id());
        let base = ground.dir().join(name);
        let (mount, image) = (mount_of(&base), image_of(&base));
        let dir = private(ground.dir())?;
        let inside = |path: &Path| Path::new(".").join(path.file_name().unwrap_or_default());
        // Only what is made here is taken apart again.
        mkdirat(
            &dir,
            inside(&mount),
            Mode::RWXU | Mode::RGRP | Mode::XGRP | Mode::ROTH | Mode::XOTH,
        )
        .map_err(Error::io("make the directory", &mount))?;
        let new = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let file = format
            .formatter
            .map(|_| openat(&dir, inside(&image), new, Mode::RUSR | Mode::WUSR).map(File::from));
        let file = file.transpose().map_err(|error| {
            let _left = fs::remove_dir(&mount);
            Error::io("make the image", &image)(error)
        })?;
        let mut fixture = Self {
            work: mount.join("work"),
            base,
            scanner: None,
            _image: None,
        };
        if let (Some(formatter), Some(file)) = (format.formatter, file) {
            let sized = file.set_len(IMAGE_BYTES);
            sized.map_err(Error::io("make the image", &image))?;
            let mut formatting = Command::new(formatter.name);
            // By a name in the open directory: no other user can put another file there.
            formatting.args(format.arguments).arg(inside(&image));
            formatting.current_dir(format!("/proc/self/fd/{}", dir.as_raw_fd()));
            run(&mut formatting, "format", &image)?;
            let _held = hold(&file);
            fixture._image = Some(file);
        }
        fixture.mount(way)?;
        // A new file system may hold something: ext has lost+found.
        let work = &fixture.work;
        fs::create_dir(work).map_err(Error::io("make the directory", work))?;
        if let Some(scan) = spec.scan {
            fixture.scanner = Some(Scanner::start(program, scan, Watched::Mount, work)?);
        }
        Ok(fixture)
    }

    fn mount(&mut self, way: Mounting) -> Result<(), Error> {
        let (image, mount) = (image_of(&self.base), mount_of(&self.base));
        let mut mounting = Command::new("mount");
        match way {
            Mounting::Kernel { driver, options } => {
                let options = format!("loop,{options}");
                mounting.args(["-t", driver, "-o", options.trim_end_matches(',')]);
                mounting.arg(&image);
            }
            Mounting::Overlay => {
                self.mount(FORMATS[0].ways[0])?;
                for layer in ["lower", "upper", "inner", "merged"] {
                    let layer = mount.join(layer);
                    fs::create_dir(&layer).map_err(Error::io("make the directory", &layer))?;
                }
                let merged = mount.join("merged");
                let options = "lowerdir=lower,upperdir=upper,workdir=inner";
                mounting.args(["-t", "overlay", "-o", options, "overlay"]);
                mounting.arg(&merged).current_dir(&mount);
                self.work = merged.join("work");
                return run(&mut mounting, "mount", &merged);
            }
            Mounting::Memory => {
                mounting.args(["-t", "tmpfs", "-o", "size=80%,nr_inodes=0", "tmpfs"]);
            }
            Mounting::Fuse {
                program,
                options,
                device,
            } => {
                let source = if device { attach(&image)? } else { image };
                mounting = Command::new(program.name);
                mounting.args(options).arg(source);
            }
        }
        run(mounting.arg(&mount), "mount", &mount)
    }

    /// Returns an empty directory on it.
    pub fn dir(&self) -> PathBuf {
        self.work.clone()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        drop(self.scanner.take());
        // What stays is found again by its name.
        let _left = dismantle(&self.base);
    }
}

/// Returns where a fixture is mounted.
fn mount_of(base: &Path) -> PathBuf {
    base.with_extension("mnt")
}

/// Returns the image of a fixture.
fn image_of(base: &Path) -> PathBuf {
    base.with_extension("img")
}

/// Returns a loop device of `image`.
fn attach(image: &Path) -> Result<PathBuf, Error> {
    let mut attaching = Command::new("losetup");
    attaching.args(["--find", "--show"]).arg(image);
    let done = attaching.stdin(Stdio::null()).process_group(0).output();
    let done = done.map_err(Error::io("attach", image))?;
    if !done.status.success() {
        return Err(Error::io("attach", image)(complaint(&done.stderr)));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().into())
}

/// The longest that a step may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a step; its complaint becomes the reason. Ctrl-C does not reach it, so none is left half done.
fn run(command: &mut Command, what: &'static str, path: &Path) -> Result<(), Error> {
    run_within(PATIENCE, command).map_err(Error::io(what, path))
}

/// Runs a step for at most `patience`.
fn run_within(patience: Duration, command: &mut Command) -> io::Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).process_group(0).spawn()?;
    let end = Instant::now() + patience;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > end {
            child.kill()?;
            return Err(io::Error::other("it does not end"));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    if status.success() {
        return Ok(());
    }
    // A daemon may still hold the other end of the pipe.
    let mut said = vec![0; 4096];
    let length = child.stderr.take().map_or(Ok(0), |mut pipe| {
        fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
        pipe.read(&mut said)
    });
    said.truncate(length.unwrap_or(0));
    Err(complaint(&said))
}

/// Returns the first line of what a program said.
fn complaint(said: &[u8]) -> io::Error {
    let said = String::from_utf8_lossy(said);
    let mut lines = said.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty());
    io::Error::other(line.unwrap_or("it failed").to_owned())
}

#[cfg(test)]
mod tests;
