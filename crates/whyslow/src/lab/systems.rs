//! What an experiment works on: directories, memory, file systems made for it.

use std::path::{Path, PathBuf};

use rustix::fs::statfs;
use whyslow_lab::fixture::{FORMATS, Fixture, Plan};
use whyslow_lab::{Error, Ground};
use whyslow_query::{Kind, ResultColumn, ResultTable, Value};
use whyslow_render::{TextOptions, write_text};
use whyslow_share::Protocol;

use crate::args::{LabArgs, System, Where};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// The directory that is made where the user names none.
pub(super) const USUAL_DIR: &str = "whyslow-lab";

/// Where memory is mounted on every Linux system.
const MEMORY: &str = "/dev/shm";

/// The kernel's number for tmpfs.
const TMPFS: rustix::fs::FsWord = 0x0102_1994;

/// Returns the systems to work on.
pub(super) fn of(args: &LabArgs) -> Result<Vec<System>, Failure> {
    let dir = |path: &Path| System {
        name: path.display().to_string(),
        place: Where::Dir(path.to_owned()),
    };
    let systems = match (&args.dir, args.on.as_slice()) {
        (Some(path), _) => vec![dir(path)],
        (None, []) => vec![dir(Path::new(USUAL_DIR))],
        (None, on) => on.to_vec(),
    };
    for system in &systems {
        if let Some(lack) = lacks(&system.place) {
            return Err(Failure::cannot(format!("work on {}", system.name), lack)
                .hint("whyslow lab systems lists what this machine can provide"));
        }
    }
    Ok(systems)
}

/// Returns what this machine lacks for a system.
fn lacks(place: &Where) -> Option<String> {
    match place {
        Where::Dir(_) => None,
        Where::Memory => {
            let memory = statfs(MEMORY).is_ok_and(|found| found.f_type == TMPFS);
            (!memory).then(|| format!("{MEMORY} is no tmpfs"))
        }
        Where::Made(plan) => plan.lacks(),
        Where::Share { share, on } => {
            let on = on.and_then(|plan| plan.lacks());
            share.protocol.lacks().or(on)
        }
    }
}

/// Returns the directory that a system's things are in.
pub(super) fn directory(system: &System) -> PathBuf {
    match &system.place {
        Where::Dir(path) => path.clone(),
        Where::Memory => PathBuf::from(MEMORY),
        Where::Made(_) | Where::Share { .. } => PathBuf::from(USUAL_DIR),
    }
}

/// A system that is ready; what was made for it goes with it, the inner first.
#[derive(Debug)]
pub(super) struct Site {
    ground: Ground,
    _fixture: Option<(Fixture, Ground)>,
}

impl Site {
    /// Gets `system` ready; `force` allows a directory that is not empty, `program` is our own.
    pub(super) fn enter(system: &System, force: bool, program: &Path) -> Result<Self, Error> {
        if let Where::Made(plan) = &system.place {
            return Self::made(*plan, force, program);
        }
        let memory = system.place == Where::Memory;
        Ok(Self {
            ground: Ground::enter(&directory(system), force || memory)?,
            _fixture: None,
        })
    }

    /// Makes what `plan` says in the usual directory.
    pub(super) fn made(plan: Plan, force: bool, program: &Path) -> Result<Self, Error> {
        let ground = Ground::enter(Path::new(USUAL_DIR), force)?;
        let fixture = Fixture::make(&plan, &ground, program)?;
        Ok(Self {
            ground: Ground::passing(&fixture.dir())?,
            _fixture: Some((fixture, ground)),
        })
    }

    /// Returns what cases get that need no files.
    pub(super) fn nowhere() -> Self {
        Self {
            ground: Ground::nowhere(),
            _fixture: None,
        }
    }

    /// Returns the ground to work on.
    pub(super) fn ground(&self) -> &Ground {
        &self.ground
    }
}

/// What a system may have besides.
const SCANNERS: [(&str, &str); 2] = [
    (
        "scanner",
        "one of these, and a scanner is asked for every open; it allows",
    ),
    (
        "scanner-reads",
        "the same, and the scanner reads what is opened and was written",
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
        "with so much more per round trip; smb:3.11+case+rtt=10ms combines",
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

/// Prints the systems and what the machine lacks for each.
pub(super) fn list(terminal: &Terminal) -> Result<Exit, Failure> {
    let column = |name, heading| ResultColumn::new(name, name, heading, Kind::Text, "").rigid();
    let columns = [
        column("system", "System"),
        column("what", "What it is"),
        column("here", "Here"),
    ];
    let mut table = ResultTable::new("systems", "Systems", &columns);
    let mut add = |name: &str, about: &str, driver: Option<&str>, lack: Option<String>| {
        let here = match (lack, driver) {
            (Some(lack), _) => format!("no: {lack}"),
            (None, Some(driver)) => format!("yes: {driver}"),
            (None, None) => "yes".to_owned(),
        };
        let row = vec![name.into(), about.into(), Value::text(&here)];
        table.rows.push(row);
    };
    add("dir:PATH", "any directory", None, None);
    let memory = lacks(&Where::Memory);
    add("tmpfs", "memory, in /dev/shm", Some("tmpfs"), memory);
    for format in &FORMATS {
        let plan = Plan { format, scan: None };
        add(format.name, format.about, format.driver(), plan.lacks());
    }
    for (scan, about) in SCANNERS {
        let plan = Plan::named(&format!("tmpfs+{scan}"));
        let lack = plan.and_then(|plan| plan.lacks());
        add(&format!("SYSTEM+{scan}"), about, None, lack);
    }
    for (name, about, protocol) in SHARES {
        add(name, about, None, protocol.lacks());
    }
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    output::write_to(None, false, |out| write_text(&table, &options, out))?;
    Ok(Exit::Success)
}
