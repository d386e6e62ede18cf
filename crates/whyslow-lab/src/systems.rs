//! What an experiment works on: directories, memory, file systems made for it, shares.

use std::path::{Path, PathBuf};

use rustix::fs::statfs;
use whyslow_share::{Protocol, Server};

use crate::bench::Context;
use crate::case::Case;
use crate::error::Error;
use crate::experiment::{Host, experiment};
use crate::fixture::{FORMATS, Fixture, FixtureSpec};
use crate::options::{Options, Units};
use crate::place::{Ground, PLACE};
use crate::share_name::{ShareName, share};
use whyslow_series::Run;

/// A system to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// What the user calls it.
    pub name: String,
    home: Home,
}

/// Where a system is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Home {
    /// In this directory.
    Dir(PathBuf),
    /// In memory.
    Memory,
    /// In a file system that is made for it.
    Made(FixtureSpec),
    /// On a file server that is started for it.
    Share(ShareName),
}

/// The directory that is made where the user names none.
pub const USUAL_DIR: &str = "whyslow-lab";

/// Where memory is mounted on every Linux system.
const MEMORY: &str = "/dev/shm";

/// The kernel's number for tmpfs.
const TMPFS: rustix::fs::FsWord = 0x0102_1994;

impl System {
    /// Returns the directory `path` as a system.
    pub fn directory(path: &Path) -> Self {
        Self {
            name: path.display().to_string(),
            home: Home::Dir(path.to_owned()),
        }
    }

    /// Returns memory as a system.
    pub fn memory() -> Self {
        Self {
            name: "tmpfs".to_owned(),
            home: Home::Memory,
        }
    }

    /// Returns the system that `text` names.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn named(text: &str, units: Units) -> Result<Self, String> {
        let home = match text.strip_prefix("dir:") {
            Some("") => return Err("dir: needs a path".to_owned()),
            Some(path) => Some(Home::Dir(PathBuf::from(path))),
            None if text == "tmpfs" => Some(Home::Memory),
            None => match share(text, units)? {
                Some(share) => Some(Home::Share(share)),
                None => FixtureSpec::named(text).map(Home::Made),
            },
        };
        let unknown = || "whyslow lab systems lists them".to_owned();
        Ok(Self {
            name: text.to_owned(),
            home: home.ok_or_else(unknown)?,
        })
    }

    /// Returns the share, if it is one.
    pub fn share(&self) -> Option<&ShareName> {
        match &self.home {
            Home::Share(share) => Some(share),
            _ => None,
        }
    }

    /// Returns what this machine lacks for it.
    pub fn lacks(&self) -> Option<String> {
        match &self.home {
            Home::Dir(_) => None,
            Home::Memory => {
                let memory = statfs(MEMORY).is_ok_and(|found| found.f_type == TMPFS);
                (!memory).then(|| format!("{MEMORY} is not a tmpfs"))
            }
            Home::Made(spec) => spec.lacks(),
            Home::Share(ShareName { share, on }) => {
                let on = on.and_then(|spec| spec.lacks());
                share.protocol.lacks().or(on)
            }
        }
    }

    /// Returns the directory that its things are in.
    pub fn dir(&self) -> &Path {
        match &self.home {
            Home::Dir(path) => path,
            Home::Memory => Path::new(MEMORY),
            Home::Made(_) | Home::Share(_) => Path::new(USUAL_DIR),
        }
    }

    /// Makes the experiment `case` on it; `force` allows a directory that is not empty. `runs` gets its
    /// series, also those that ended early, and those before an error.
    ///
    /// # Errors
    /// When something around the measurements failed, or the options make no sense.
    pub fn measure(
        &self,
        case: &Case,
        options: &Options,
        force: bool,
        context: Context<'_>,
        runs: &mut Vec<Run>,
    ) -> Result<(), Error> {
        let tell = |what: &str| (context.tell)(&format!("{}: {what}", self.name));
        let context = Context {
            tell: &tell,
            ..context
        };
        self.measured(case, options, force, context, runs)
    }

    fn measured(
        &self,
        case: &Case,
        options: &Options,
        force: bool,
        context: Context<'_>,
        runs: &mut Vec<Run>,
    ) -> Result<(), Error> {
        if let Home::Share(ShareName { share, on }) = &self.home {
            let site = on.map(|spec| Site::made(spec, force, context.program));
            let site = site.transpose()?;
            let dir = site.as_ref().map(|site| site.ground.dir());
            (context.tell)("starting the server");
            let server = Server::start(share, dir, PLACE, context.stop)?;
            let host = (self.name.as_str(), Host::Share(&server));
            return experiment(case, options, host, context, runs);
        }
        let site = if case.needs_directory {
            Site::enter(self, force, context.program)?
        } else {
            Site {
                ground: Ground::nowhere(),
                _fixture: None,
            }
        };
        let host = (self.name.as_str(), Host::Here(&site.ground));
        experiment(case, options, host, context, runs)
    }
}

/// A system that is ready; what was made for it goes with it, the inner first.
#[derive(Debug)]
struct Site {
    ground: Ground,
    _fixture: Option<(Fixture, Ground)>,
}

impl Site {
    /// Gets `system` ready; `force` allows a directory that is not empty, `program` is our own.
    fn enter(system: &System, force: bool, program: &Path) -> Result<Self, Error> {
        if let Home::Made(spec) = &system.home {
            return Self::made(*spec, force, program);
        }
        let memory = system.home == Home::Memory;
        Ok(Self {
            ground: Ground::enter(system.dir(), force || memory)?,
            _fixture: None,
        })
    }

    /// Makes what `spec` says in the usual directory.
    fn made(spec: FixtureSpec, force: bool, program: &Path) -> Result<Self, Error> {
        let ground = Ground::enter(Path::new(USUAL_DIR), force)?;
        let fixture = Fixture::make(&spec, &ground, program)?;
        Ok(Self {
            ground: Ground::passing(&fixture.dir(), spec.scan.is_some())?,
            _fixture: Some((fixture, ground)),
        })
    }
}

/// A line of the list of systems.
#[derive(Debug)]
pub struct Listed {
    /// What users call it.
    pub name: String,
    /// What it is.
    pub about: &'static str,
    /// What this machine lacks, or who serves it if that is known.
    pub here: Result<Option<&'static str>, String>,
}

/// What a system may have besides.
const SCANNERS: [(&str, &str); 2] = [
    (
        "scanner",
        "one of these, with a scanner that the kernel asks before every open; it allows all",
    ),
    (
        "scanner-reads",
        "the same, but the scanner reads what is opened and what was written",
    ),
];

/// Shares that servers are started for.
const SHARES: [(&str, &str, Protocol); 6] = [
    ("smb", "an SMB share of Samba, in memory", Protocol::Smb),
    (
        "smb:3.11",
        "with this dialect: 2.02, 2.10, 3.00, 3.02 or 3.11",
        Protocol::Smb,
    ),
    ("smb:case", "with names that differ by case", Protocol::Smb),
    (
        "smb:rtt=10ms",
        "with this much added to every round trip; smb:3.11+case+rtt=10ms combines",
        Protocol::Smb,
    ),
    (
        "smb:on=ext4",
        "on a file system above, not in memory; also nfs:on=xfs; comes last",
        Protocol::Smb,
    ),
    (
        "nfs",
        "an NFS 3 export of NFS-Ganesha, in memory; also nfs:rtt=10ms",
        Protocol::Nfs,
    ),
];

/// Returns all systems, and what this machine lacks for each.
pub fn all() -> Vec<Listed> {
    let listed = |name: &str, about, driver, lack: Option<String>| Listed {
        name: name.to_owned(),
        about,
        here: lack.map_or(Ok(driver), Err),
    };
    let memory = System::memory().lacks();
    let mut all = vec![
        listed("dir:PATH", "any directory", None, None),
        listed("tmpfs", "memory, in /dev/shm", Some("tmpfs"), memory),
    ];
    all.extend(FORMATS.iter().map(|format| {
        let lack = FixtureSpec { format, scan: None }.lacks();
        listed(format.name, format.about, format.driver(), lack)
    }));
    all.extend(SCANNERS.map(|(scan, about)| {
        let spec = FixtureSpec::named(&format!("tmpfs+{scan}"));
        let lack = spec.and_then(|spec| spec.lacks());
        listed(&format!("SYSTEM+{scan}"), about, None, lack)
    }));
    all.extend(SHARES.map(|(name, about, protocol)| listed(name, about, None, protocol.lacks())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::tests::UNITS;

    #[test]
    fn systems_are_directories_or_memory() {
        let home = |text: &str| System::named(text, UNITS).map(|one| one.home);
        assert_eq!(home("dir:/x"), Ok(Home::Dir("/x".into())));
        assert_eq!(home("tmpfs"), Ok(Home::Memory));
        assert!(matches!(home("xfs"), Ok(Home::Made(_))));
        assert!(matches!(home("tmpfs+scanner"), Ok(Home::Made(_))));
        assert!(matches!(home("smb:3.11"), Ok(Home::Share { .. })));
        assert!(home("floppy").is_err() && home("dir:").is_err());
    }
}
