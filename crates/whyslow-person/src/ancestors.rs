//! The process that made us root: whether it started us itself, and with which environment it was called.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// Programs that give their caller other rights.
const PROGRAMS: [&str; 6] = ["sudo", "sudo-rs", "sudo.ws", "doas", "pkexec", "run0"];

/// How far to look.
const MOST_ANCESTORS: usize = 32;

/// The most of an environment that is read; Linux allows 6 MB.
const MOST_BYTES: u64 = 8 << 20;

/// The call of sudo that we owe our rights to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elevation {
    /// Whether it started this process itself, not a shell or another program in between.
    pub(crate) is_direct: bool,
    /// The environment it was called with, if that can be read.
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// Returns the nearest call of sudo among our ancestors, if it still runs.
#[must_use]
pub(crate) fn elevation() -> Option<Elevation> {
    elevation_of(Path::new("/proc"), std::process::id())
}

fn elevation_of(proc: &Path, pid: u32) -> Option<Elevation> {
    let mut found = None;
    let mut next = parent(proc, pid)?;
    for distance in 0..MOST_ANCESTORS {
        let folder = proc.join(next.to_string());
        if !is_elevator(&folder) {
            // With a terminal of its own, sudo runs as two processes; the upper one was called.
            if found.is_some() {
                break;
            }
        } else {
            let is_direct = found
                .as_ref()
                .map_or(distance == 0, |one: &Elevation| one.is_direct);
            found = Some(Elevation {
                is_direct,
                environment: environment(&folder.join("environ")),
            });
        }
        match parent(proc, next) {
            Some(above) if above > 0 => next = above,
            _ => break,
        }
    }
    found
}

fn is_elevator(folder: &Path) -> bool {
    let program = fs::read_link(folder.join("exe")).ok();
    let name = program.as_deref().and_then(Path::file_name);
    name.is_some_and(|name| PROGRAMS.iter().any(|known| name == *known))
}

fn parent(proc: &Path, pid: u32) -> Option<u32> {
    let stat = fs::read(proc.join(pid.to_string()).join("stat")).ok()?;
    // The name may contain anything.
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

fn environment(path: &Path) -> Vec<(OsString, OsString)> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    if read.is_err() {
        return Vec::new();
    }
    let all = bytes.split(|&byte| byte == 0);
    all.filter_map(|one| {
        let at = one
            .iter()
            .position(|&byte| byte == b'=')
            .filter(|&at| at > 0)?;
        let name = OsString::from_vec(one[..at].to_vec());
        Some((name, OsString::from_vec(one[at + 1..].to_vec())))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    /// A `/proc` of the test's own, gone when it ends.
    struct Proc(PathBuf);

    impl Proc {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("whyslow-{name}-{}", std::process::id()));
            fs::create_dir_all(&dir).unwrap();
            Self(dir)
        }

        fn process(&self, pid: u32, parent: u32, program: &str, environment: &[u8]) {
            let folder = self.0.join(pid.to_string());
            fs::create_dir_all(&folder).unwrap();
            let stat = format!("{pid} (a) b) S {parent} 1 1 0");
            fs::write(folder.join("stat"), stat).unwrap();
            fs::write(folder.join("environ"), environment).unwrap();
            symlink(program, folder.join("exe")).unwrap();
        }
    }

    impl Drop for Proc {
        fn drop(&mut self) {
            let _left = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_environment_is_that_of_the_upper_of_sudos_two_processes() {
        let proc = Proc::new("sudo");
        proc.process(2, 1, "/bin/bash", b"");
        proc.process(3, 2, "/usr/bin/sudo", b"HOME=/home/ann\0=x\0EMPTY=\0broken");
        proc.process(4, 3, "/usr/bin/sudo", b"HOME=/root\0");
        proc.process(5, 4, "/usr/bin/whyslow", b"");
        let found = elevation_of(&proc.0, 5).unwrap();
        assert!(found.is_direct);
        let expected = [("HOME", "/home/ann"), ("EMPTY", "")];
        assert_eq!(
            found.environment,
            expected.map(|(a, b)| (a.into(), b.into()))
        );
    }

    #[test]
    fn a_shell_of_root_is_in_between() {
        let proc = Proc::new("shell");
        proc.process(3, 1, "/usr/bin/sudo", b"A=b\0");
        proc.process(4, 3, "/bin/bash", b"");
        proc.process(5, 4, "/usr/bin/whyslow", b"");
        assert!(!elevation_of(&proc.0, 5).unwrap().is_direct);
        assert_eq!(elevation_of(&proc.0, 3), None);
        assert_eq!(elevation_of(&proc.0, 77), None);
    }
}
