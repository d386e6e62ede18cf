//! The lines of `/proc/PID/mountinfo`, as the mount namespace of a process sees its mounts.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// A mount. Texts are escaped as the kernel does it: a blank is `\040`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mount<'a> {
    /// The kernel's number of the mount.
    pub id: u64,
    /// Major and minor number of the device.
    pub device: (u32, u32),
    /// Where it is mounted.
    pub at: &'a str,
    /// The file system's type.
    pub kind: &'a str,
    /// What is mounted: a device, a share, a word.
    pub source: &'a str,
    /// The options of the file system.
    pub options: &'a str,
}

impl<'a> Mount<'a> {
    /// Reads a line `27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard`.
    pub fn parse(line: &'a str) -> Option<Self> {
        let (place, storage) = line.split_once(" - ")?;
        let mut place = place.split(' ');
        let id = place.next()?.parse().ok()?;
        let (major, minor) = place.nth(1)?.split_once(':')?;
        let mut storage = storage.splitn(3, ' ');
        Some(Self {
            id,
            device: (major.parse().ok()?, minor.parse().ok()?),
            at: place.nth(1)?,
            kind: storage.next()?,
            source: storage.next()?,
            options: storage.next().unwrap_or_default(),
        })
    }
}

/// Returns the text of the mounts of a process; a path in it that is not UTF-8 is changed.
pub fn of_process(pid: u32) -> String {
    let text = fs::read(format!("/proc/{pid}/mountinfo")).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns the mounts in such a text. What is no line of it is left out.
pub fn mounts(text: &str) -> impl Iterator<Item = Mount<'_>> {
    text.lines().filter_map(Mount::parse)
}

/// The devices of mounts, read once for each mount namespace.
#[derive(Debug, Default)]
pub struct Devices(BTreeMap<PathBuf, BTreeMap<u64, (u32, u32)>>);

impl Devices {
    /// Returns major and minor number of the device of a mount in the namespace of a process.
    pub fn of(&mut self, pid: u32, mount: u64) -> Option<(u32, u32)> {
        let namespace = fs::read_link(format!("/proc/{pid}/ns/mnt")).ok()?;
        if let Some(known) = self.0.get(&namespace) {
            return known.get(&mount).copied();
        }
        let text = of_process(pid);
        let all: BTreeMap<_, _> = mounts(&text).map(|one| (one.id, one.device)).collect();
        let device = all.get(&mount).copied();
        // A process that has ended meanwhile has none.
        if !all.is_empty() {
            self.0.insert(namespace, all);
        }
        device
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_mounted_where() {
        let line = "27 1 8:3 /a /mnt/my\\040disk rw,relatime shared:1 master:2 - ext4 /dev/sda3 rw,discard";
        let mount = Mount {
            id: 27,
            device: (8, 3),
            at: "/mnt/my\\040disk",
            kind: "ext4",
            source: "/dev/sda3",
            options: "rw,discard",
        };
        assert_eq!(Mount::parse(line), Some(mount));
        let without_options = Mount::parse("22 27 0:21 / /proc rw - proc proc");
        assert_eq!(without_options.map(|mount| mount.options), Some(""));
        let nonsense = [
            "",
            "27",
            "27 1 0:46",
            "27 1 0:46 / / rw - ",
            "27 1 x:y / / rw - ext4 a rw",
        ];
        assert_eq!(mounts(&nonsense.join("\n")).count(), 0);
        let own = of_process(std::process::id());
        assert!(mounts(&own).any(|mount| mount.at == "/"));
    }

    #[test]
    fn the_mounts_of_a_namespace_are_read_once() {
        let pid = std::process::id();
        let text = of_process(pid);
        let mount = mounts(&text).next().unwrap();
        let mut devices = Devices::default();
        assert_eq!(devices.of(pid, mount.id), Some(mount.device));
        assert_eq!(devices.of(pid, u64::MAX), None);
        // What was read is not read again.
        for known in devices.0.values_mut() {
            known.insert(u64::MAX, (8, 1));
        }
        assert_eq!(devices.of(pid, u64::MAX), Some((8, 1)));
        assert_eq!(devices.of(u32::MAX, mount.id), None, "no such process");
    }
}
