//! Directories that experiments work in: made, used, and removed again.
//!
//! ```text
//! DIR                      the ground: empty, or the user insists; never touched beyond its places
//! └─ whyslow-lab-PID-NR    a place per series, new each time
//!    └─ w000000000-000     files, named by number and worker
//! ```
//!
//! A place is removed by name: only files that are called like ours go, and the directory only once it
//! is empty. What a killed run leaves is found by its name: [`clean`](crate::clean::clean).

use std::ffi::{CStr, OsStr};
use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{
    AtFlags, CWD, Dir, FlockOperation, IFlags, Mode, OFlags, flock, fstat, ioctl_getflags,
    ioctl_setflags, openat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::error::Error;

/// What the names of places begin with.
pub const PLACE: &str = "whyslow-lab-";

/// The directory of an experiment, removed at the end if it was made for it.
#[derive(Debug)]
pub struct Ground {
    dir: PathBuf,
    made: bool,
    /// It goes with its file system, with everything on it.
    passing: bool,
    /// A scanner watches it already.
    scanned: bool,
}

impl Ground {
    /// Returns `dir` as ground; it is made if it does not exist.
    ///
    /// # Errors
    /// When it is not a directory, cannot be made, or is not empty and the user does not insist.
    pub fn enter(dir: &Path, insist: bool) -> Result<Self, Error> {
        let made = match fs::DirBuilder::new().mode(0o755).create(dir) {
            Ok(()) => {
                spread(dir);
                true
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(Error::io("make the directory", dir)(error)),
        };
        let mut entries = fs::read_dir(dir).map_err(Error::io("use the directory", dir))?;
        if entries.next().is_some() && !insist {
            let dir = dir.to_owned();
            return Err(Error::NotEmpty { dir });
        }
        let dir = fs::canonicalize(dir).map_err(Error::io("find", dir))?;
        Ok(Self {
            dir,
            made,
            passing: false,
            scanned: false,
        })
    }

    /// Returns `dir`, a new directory of a fixture, as ground that goes with the fixture; `scanned` says whether a
    /// scanner watches it.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn passing(dir: &Path, scanned: bool) -> Result<Self, Error> {
        let mut ground = Self::enter(dir, false)?;
        ground.passing = true;
        ground.scanned = scanned;
        Ok(ground)
    }

    /// Returns the ground of cases that need none.
    pub fn nowhere() -> Self {
        Self {
            dir: PathBuf::from("/"),
            made: false,
            passing: false,
            scanned: false,
        }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns whether a scanner watches it already.
    pub(crate) fn is_scanned(&self) -> bool {
        self.scanned
    }
}

/// Asks the file system to put each directory in `dir` into a part of the disk of its own.
///
/// ext4 without a journal gives no inode again within a minute of its deletion (`recently_deleted` in
/// `fs/ext4/ialloc.c`), and a new file searches beyond all of them in its part: what one place
/// deleted would cost the next one. Other systems do not know the flag.
fn spread(dir: &Path) {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let set = openat(CWD, dir, flags, Mode::empty())
        .and_then(|fd| ioctl_setflags(&fd, ioctl_getflags(&fd)? | IFlags::TOPDIR));
    let _unknown = set;
}

impl Drop for Ground {
    fn drop(&mut self) {
        if self.made {
            // What is not empty holds something that is not ours, and stays.
            let _left = fs::remove_dir(&self.dir);
        }
    }
}

/// A new directory for one series.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    fd: OwnedFd,
    owned: bool,
    passing: bool,
}

impl Place {
    /// Makes a place on `ground`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(ground: &Ground) -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PLACE}{}-{number}", std::process::id());
        let path = ground.dir.join(name);
        fs::create_dir(&path).map_err(Error::io("make the directory", &path))?;
        let mut place = Self::open(&path).inspect_err(|_| {
            // It was empty a moment ago.
            let _left = fs::remove_dir(&path);
        })?;
        let _held = hold(&place.fd);
        place.owned = !ground.passing;
        place.passing = ground.passing;
        Ok(place)
    }

    /// Opens the place of another process; it is not removed.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        // Somebody else may have put a link to something else there.
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let fd = openat(CWD, path, flags, Mode::empty()).map_err(Error::io("open", path))?;
        Ok(Self {
            path: path.to_owned(),
            fd,
            owned: false,
            passing: false,
        })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open directory.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Removes the files of the place and the place. On ground that passes that is only to make room:
    /// what takes too long goes with the file system.
    ///
    /// # Errors
    /// When something of it stays: it is not ours, or cannot be removed.
    pub fn remove(mut self) -> Result<(), Error> {
        self.owned = false;
        let until = self.passing.then(|| Instant::now() + PATIENCE);
        self.empty(until)
    }

    /// Removes our files and the directory; what is left at the time `until` stays.
    fn empty(&self, until: Option<Instant>) -> Result<(), Error> {
        let entries = Dir::read_from(&self.fd).map_err(Error::io("list", &self.path))?;
        for entry in entries {
            let entry = entry.map_err(Error::io("list", &self.path))?;
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(());
            }
            self.remove_ours(entry.file_name())?;
        }
        fs::remove_dir(&self.path).map_err(Error::io("remove", &self.path))
    }

    /// Removes a file if it is called as we call ours.
    fn remove_ours(&self, name: &CStr) -> Result<(), Error> {
        if !is_ours(OsStr::from_bytes(name.to_bytes())) {
            return Ok(());
        }
        unlink(self.fd(), name).map_err(|errno| {
            let file = self.path.join(OsStr::from_bytes(name.to_bytes()));
            Error::io("remove", &file)(errno)
        })
    }

    /// Removes the files of all but one worker; the place stays.
    pub(crate) fn remove_but(&self, worker: u32) -> Result<(), Error> {
        let kept = format!("-{:03}", worker % 1000);
        // A list may skip entries while others are removed.
        loop {
            let entries = Dir::read_from(&self.fd).map_err(Error::io("list", &self.path))?;
            let mut removed = false;
            for entry in entries {
                let entry = entry.map_err(Error::io("list", &self.path))?;
                let name = entry.file_name();
                let goes = is_ours(OsStr::from_bytes(name.to_bytes()))
                    && !name.to_bytes().ends_with(kept.as_bytes());
                if goes {
                    self.remove_ours(name)?;
                    removed = true;
                }
            }
            if !removed {
                return Ok(());
            }
        }
    }

    /// Removes what a run left that is not alive any more; returns whether it was that. `gone` says
    /// whether its process surely is.
    pub(crate) fn discard(path: &Path, gone: bool) -> Result<bool, Error> {
        let Ok(place) = Self::open(path) else {
            return Ok(false);
        };
        let ours = fstat(&place.fd).is_ok_and(|stat| stat.st_uid == geteuid().as_raw());
        if !ours || !is_free(&place.fd, gone) {
            return Ok(false);
        }
        place.empty(None).map(|()| true)
    }
}

/// Holds a file or directory as long as it is open; [`Errno::WOULDBLOCK`] where another run holds it.
///
/// Process ids alone do not show that: another container or machine has its own.
pub(crate) fn hold(file: impl AsFd) -> rustix::io::Result<()> {
    flock(file, FlockOperation::NonBlockingLockExclusive)
}

/// Returns whether no run holds `file`; where nothing can be held, whether its process is `gone`.
pub(crate) fn is_free(file: impl AsFd, gone: bool) -> bool {
    match hold(file) {
        Ok(()) => true,
        Err(Errno::WOULDBLOCK) => false,
        Err(_) => gone,
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.owned {
            // Whoever wants to know why not calls `remove`.
            let _left = self.empty(None);
        }
    }
}

/// How long files are removed that go anyway.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns whether a file of a place is called as we call ours.
fn is_ours(name: &OsStr) -> bool {
    let numbers = |text: &[u8]| text.iter().all(|b| b.is_ascii_digit() || *b == b'-');
    match name.as_bytes() {
        b"settings.ini" => true,
        [b'w' | b'r', rest @ ..] if rest.len() == NAME_LENGTH - 1 => numbers(rest),
        name => name.strip_prefix(b"log.").is_some_and(numbers),
    }
}

/// A file name that counts: `w000000042-003`, changed in place, ready for the system.
///
/// The number comes before the worker, so that all names begin alike: their short names compete
/// with each other.
#[derive(Debug, Clone)]
pub struct Name {
    bytes: [u8; NAME_LENGTH + 1],
}

/// Length of the names of files.
const NAME_LENGTH: usize = "w000000000-000".len();

/// Where their number ends.
const NUMBER_END: usize = "w000000000".len();

impl Name {
    /// Returns the first name of `worker`; `kind` is `w`, or `r` for renamed files.
    pub fn new(kind: u8, worker: u32) -> Self {
        let text = format!("{}000000000-{:03}\0", char::from(kind), worker % 1000);
        let mut bytes = [0; NAME_LENGTH + 1];
        bytes.copy_from_slice(text.as_bytes().get(..=NAME_LENGTH).unwrap_or(&[0; 15]));
        Self { bytes }
    }

    /// Sets the number.
    pub fn set(&mut self, number: u64) {
        let mut rest = number;
        for digit in self.bytes[1..NUMBER_END].iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
        }
    }

    /// Returns the name as text.
    pub(crate) fn as_str(&self) -> &str {
        self.as_c_str().to_str().unwrap_or("w")
    }

    /// Returns the name as the system takes it.
    pub fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_with_nul(&self.bytes).unwrap_or(c"w")
    }
}

/// Creates the file `name`.
pub(crate) fn create(place: BorrowedFd<'_>, name: &Name) -> Result<OwnedFd, Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    openat(place, name.as_c_str(), flags, Mode::from_raw_mode(0o644))
}

/// Removes the file `name` of a place.
pub(crate) fn unlink(place: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    unlinkat(place, name, AtFlags::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::clean;

    #[test]
    fn names_count_in_place() {
        let mut name = Name::new(b'w', 3);
        name.set(1_234_567);
        assert_eq!(name.as_c_str(), c"w001234567-003");
        assert!(is_ours(OsStr::new("w001234567-003")));
        for foreign in [
            "w001234567-003.bak",
            "work",
            "w",
            "",
            "log.txt",
            "résumé",
            "ärger.txt",
            "x000000000-000",
        ] {
            assert!(!is_ours(OsStr::new(foreign)), "{foreign}");
        }
    }

    #[test]
    fn places_of_new_ground_lie_apart_on_ext4() {
        if !whyslow_testenv::has(whyslow_testenv::Feature::Disk) {
            return;
        }
        let dir = std::env::temp_dir().join(format!("lab-apart-{}", std::process::id()));
        let _ground = Ground::enter(&dir, false).expect("a new directory");
        let open = fs::File::open(&dir).expect("there");
        let flags = ioctl_getflags(&open).expect("flags");
        assert!(flags.contains(IFlags::TOPDIR), "{flags:?}");
    }

    #[test]
    fn only_own_files_are_removed() {
        let dir = std::env::temp_dir().join(format!("lab-place-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("a new directory");
        let place = Place::make(&ground).expect("a place");
        let path = place.path().to_owned();
        fs::write(path.join("w000000001-000"), "").expect("ours");
        fs::write(path.join("precious"), "").expect("not ours");
        assert!(matches!(
            Ground::enter(&dir, false),
            Err(Error::NotEmpty { .. })
        ));
        place.remove().expect_err("something stays");
        let names: Vec<_> = fs::read_dir(&path).expect("there").collect();
        assert_eq!(names.len(), 1);
        fs::remove_file(path.join("precious")).expect("still there");
        assert_eq!(clean(&dir).expect("listed"), 0, "its process lives");
        fs::rename(&path, dir.join("whyslow-lab-2147483646-0")).expect("renamed");
        assert_eq!(clean(&dir).expect("listed"), 1);
        drop(ground);
        assert!(!dir.exists());
    }

    #[test]
    fn what_resists_does_not_keep_the_rest() {
        let dir = std::env::temp_dir().join(format!("lab-resists-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("a new directory");
        // The first process is there always, and never one of ours.
        let of = |number: u32| dir.join(format!("whyslow-lab-1-{number}"));
        for number in 0..8 {
            fs::create_dir(of(number)).expect("a directory");
            fs::write(of(number).join("settings.ini"), "").expect("a file");
        }
        fs::write(of(3).join("ärger.txt"), "").expect("a file");
        clean(&dir).expect_err("something stays");
        assert!(of(3).join("ärger.txt").exists());
        fs::remove_dir_all(of(3)).expect("there");
        drop(ground);
        assert!(!dir.exists(), "the rest is gone");
    }

    #[test]
    fn what_cannot_be_held_stays_while_a_process_has_its_number() {
        let dir = std::env::temp_dir().join(format!("lab-called-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("a new directory");
        // A mount point without an image has nothing to hold.
        let (alive, gone) = ("whyslow-lab-1-0.mnt", "whyslow-lab-2147483646-0.mnt");
        fs::create_dir(dir.join(alive)).expect("a directory");
        assert_eq!(clean(&dir).expect("listed"), 0);
        fs::rename(dir.join(alive), dir.join(gone)).expect("still there");
        assert_eq!(clean(&dir).expect("listed"), 1);
        drop(ground);
        assert!(!dir.exists());
    }

    #[test]
    fn what_another_holds_or_points_elsewhere_stays() {
        let dir = std::env::temp_dir().join(format!("lab-foreign-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("a new directory");
        let (held, link) = ("whyslow-lab-2147483646-1", "whyslow-lab-2147483646-2");
        let place = Place::make(&ground).expect("a place");
        // As if another container's, whose process numbers are not ours.
        fs::rename(place.path(), dir.join(held)).expect("renamed");
        fs::write(dir.join(held).join("w000000001-000"), "").expect("a file");
        let victim = dir.join("victim");
        fs::create_dir(&victim).expect("a directory");
        fs::write(victim.join("settings.ini"), "").expect("a file");
        std::os::unix::fs::symlink(&victim, dir.join(link)).expect("a link");
        assert_eq!(clean(&dir).expect("listed"), 0);
        assert!(dir.join(held).join("w000000001-000").exists());
        assert!(victim.join("settings.ini").exists());
        drop(place);
        assert_eq!(clean(&dir).expect("listed"), 1);
        assert!(!dir.join(held).exists() && victim.exists());
        fs::remove_dir_all(&victim).expect("there");
        fs::remove_file(dir.join(link)).expect("there");
    }
}
