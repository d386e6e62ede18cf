//! The file systems of a trace: from where they are mounted, and which process serves them.

use std::ops::ControlFlow;

use whyslow_model::tables::FactRow;
use whyslow_model::{Scan, TableRow};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::view::View;

/// A file system that was mounted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Major number times 2^20 plus the minor one.
    pub device: i32,
    /// As `ext4`, `nfs4`, `cifs`, `fuse.sshfs`, `overlay`.
    pub kind: String,
    /// What is mounted: a device, a share, a folder of a server.
    pub source: String,
    /// Where.
    pub at: String,
    /// The system's id of the process that serves it.
    pub server_pid: Option<i32>,
    options: String,
}

/// The file systems that were mounted as the recording began and ended.
#[derive(Debug, Default)]
pub struct Mounts(Vec<Mount>);

impl Mounts {
    /// Reads them; none if they were not recorded.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut all = Vec::new();
        view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
            let rows = table.rows::<FactRow>();
            let told = rows.filter(|row| row.key == "file_system");
            all.extend(told.filter_map(|row| Mount::parse(&row.value)));
            ControlFlow::Continue(())
        })?;
        Ok(Self(all))
    }

    /// Returns all of them.
    #[must_use]
    pub fn all(&self) -> &[Mount] {
        &self.0
    }

    /// Returns those that facts describe.
    #[cfg(test)]
    pub(crate) fn of(facts: &[&str]) -> Self {
        Self(facts.iter().filter_map(|text| Mount::parse(text)).collect())
    }

    /// Returns the file system that a path is in: the one that is mounted nearest to it; `None` if that is not known,
    /// or may be one of several.
    #[must_use]
    pub fn of_path(&self, path: &str) -> Option<&Mount> {
        let is_in = |mount: &&Mount| match path.strip_prefix(mount.at.as_str()) {
            Some(rest) => mount.at.ends_with('/') || rest.is_empty() || rest.starts_with('/'),
            None => false,
        };
        let nearest = self
            .0
            .iter()
            .filter(is_in)
            .max_by_key(|mount| mount.at.len())?;
        let mut there = self.0.iter().filter(|mount| mount.at == nearest.at);
        there.all(|mount| mount.is_same(nearest)).then_some(nearest)
    }

    /// Returns the only file system that is like that.
    #[must_use]
    pub fn only(&self, is_wanted: impl Fn(&&Mount) -> bool) -> Option<&Mount> {
        let mut wanted = self.0.iter().filter(is_wanted);
        let first = wanted.next()?;
        wanted.all(|mount| mount.is_same(first)).then_some(first)
    }

    /// Returns the file system of a device; `None` if that is not known, or may be one of several.
    #[must_use]
    pub fn of_device(&self, device: i32) -> Option<&Mount> {
        let mut of_device = self.0.iter().filter(|mount| mount.device == device);
        let first = of_device.next()?;
        of_device.all(|mount| mount.is_same(first)).then_some(first)
    }
}

impl Mount {
    /// Reads a fact: `device kind source where server options`.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.splitn(6, ' ');
        let device = words.next()?.parse().ok()?;
        let (kind, source, at) = (words.next()?, words.next()?, words.next()?);
        Some(Self {
            device,
            kind: kind.to_owned(),
            source: unescape(source),
            at: unescape(at),
            server_pid: words.next()?.parse().ok(),
            options: words.next().unwrap_or_default().to_owned(),
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.kind, &self.source) == (&other.kind, &other.source)
    }

    /// Returns the options that it is mounted with.
    #[must_use]
    pub fn options(&self) -> &str {
        &self.options
    }

    fn option(&self, name: &str) -> Option<String> {
        let mut options = self.options.split(',');
        let value = options.find_map(|option| option.strip_prefix(name)?.strip_prefix('='))?;
        Some(unescape(value))
    }

    /// Returns whether another machine holds its files.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        const REMOTE: [&str; 9] = [
            "nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "virtiofs", "lustre",
        ];
        REMOTE.contains(&self.kind.as_str())
    }

    /// Returns whether a program on the same machine serves it.
    #[must_use]
    pub fn is_served_by_program(&self) -> bool {
        self.kind == "fuse" || self.kind == "fuseblk" || self.kind.starts_with("fuse.")
    }

    /// Returns in words what it is: `//nas/data (SMB 3.1.1)`, `ann@box:/home, served by sshfs (pid 812)`,
    /// `changes in /var/upper, on 3 layers`, `/dev/vda`.
    #[must_use]
    pub fn called(&self, facts: &Facts) -> String {
        let version = self.option("vers");
        let protocol = |name: &str| match &version {
            Some(version) => format!("{} ({name} {version})", self.source),
            None => format!("{} ({name})", self.source),
        };
        match self.kind.as_str() {
            "nfs" | "nfs4" => protocol("NFS"),
            "cifs" | "smb3" => protocol("SMB"),
            "overlay" => self.layers(),
            _ if self.is_served_by_program() => self.served(facts),
            _ => self.source.clone(),
        }
    }

    fn layers(&self) -> String {
        let lower = self.option("lowerdir").unwrap_or_default();
        let count = lower.split(':').filter(|layer| !layer.is_empty()).count();
        let added = self.options.split(',');
        let added = added
            .filter(|option| option.starts_with("lowerdir+="))
            .count();
        let layers = match count + added {
            0 => "layers".to_owned(),
            1 => "1 layer".to_owned(),
            count => format!("{count} layers"),
        };
        match self.option("upperdir") {
            Some(upper) => format!("changes in {upper}, on {layers}"),
            None => format!("{layers}, read-only"),
        }
    }

    fn served(&self, facts: &Facts) -> String {
        let program = self.kind.strip_prefix("fuse.");
        let source = match self.source.as_str() {
            "none" | "fuse" | "" => program.unwrap_or("a file system in user space"),
            source => source,
        };
        let Some(pid) = self.server_pid else {
            return match program {
                Some(program) if program != source => format!("{source}, served by {program}"),
                _ => source.to_owned(),
            };
        };
        // After an exec it is what it became.
        let mut rows = facts.processes.iter().rev();
        match rows.find(|row| row.os_pid == pid) {
            Some(row) => format!("{source}, served by {} (pid {pid})", row.name),
            None => format!("{source}, served by process {pid}"),
        }
    }
}

/// Reads what the kernel escapes in the tables of mounts: `\040` is a blank.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = behind.get(..3).filter(|_| first == b'\\');
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(3..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_testkit::Literal;

    #[track_caller]
    fn check(text: &str, called: &str) {
        let mut trace = Literal::new(1000);
        trace.process("sshfs", 812, None);
        let trace = trace.raw("mounts");
        let facts = Facts::read(&trace).expect("facts");
        let mount = Mount::parse(text).expect("a mount");
        assert_eq!(mount.called(&facts), called);
    }

    #[test]
    fn file_systems_are_called_by_where_their_files_are() {
        check(
            "46 cifs //nas/my\\040data /mnt - rw,vers=3.1.1,addr=10.0.0.9",
            "//nas/my data (SMB 3.1.1)",
        );
        check(
            "47 nfs4 box:/home /home - rw,vers=4.2",
            "box:/home (NFS 4.2)",
        );
        check(
            "48 fuse.sshfs ann@box:/srv /mnt/x 812 rw,user_id=0",
            "ann@box:/srv, served by sshfs (pid 812)",
        );
        check(
            "48 fuse.sshfs ann@box:/srv /mnt/x - rw",
            "ann@box:/srv, served by sshfs",
        );
        check(
            "48 fuse none /mnt/x 99 rw",
            "a file system in user space, served by process 99",
        );
        check(
            "49 overlay overlay / - rw,lowerdir=/a:/b:/c,upperdir=/u,workdir=/w",
            "changes in /u, on 3 layers",
        );
        check(
            "49 overlay overlay / - ro,lowerdir+=/a,lowerdir+=/b",
            "2 layers, read-only",
        );
        check("266338304 ext4 /dev/vda / - rw", "/dev/vda");
    }

    #[test]
    fn a_device_that_was_two_file_systems_is_none() {
        let all = [
            "46 tmpfs a /a - rw",
            "46 tmpfs a /b - ro",
            "47 tmpfs a /a - rw",
            "47 nfs b /a - rw",
            "x",
            "48",
        ];
        let mounts = Mounts(all.iter().filter_map(|text| Mount::parse(text)).collect());
        assert_eq!(
            mounts.of_device(46).map(|mount| mount.at.as_str()),
            Some("/a")
        );
        assert_eq!(mounts.of_device(47), None);
        assert_eq!(mounts.of_device(48), None);
    }

    #[test]
    fn a_path_is_in_what_is_mounted_nearest() {
        let all = [
            "1 ext4 /dev/vda / - rw",
            "2 nfs4 box:/x /mnt/x - rw",
            "3 a b /t - rw",
            "4 c d /t - rw",
        ];
        let mounts = Mounts(all.iter().filter_map(|text| Mount::parse(text)).collect());
        let kind = |path: &str| mounts.of_path(path).map(|mount| mount.kind.as_str());
        assert_eq!(kind("/mnt/x/data"), Some("nfs4"));
        assert_eq!(kind("/mnt/x"), Some("nfs4"));
        assert_eq!(kind("/mnt/xy"), Some("ext4"));
        assert_eq!(kind("/t/a"), None);
        assert_eq!(kind("name"), None);
        let only = mounts.only(|mount| mount.is_remote());
        assert_eq!(only.map(|mount| mount.device), Some(2));
        assert_eq!(mounts.only(|_| true), None);
    }

    #[test]
    fn escapes_are_read_and_others_kept() {
        assert_eq!(unescape("a\\040b\\134c\\9\\0"), "a b\\c\\9\\0");
    }
}
