//! Groups of processes (cgroups): the processes in each, what each may use, and what it used.

use crate::endian::Endian;

/// Name of the event with a [`GroupMember`].
pub const EVENT_GROUP_MEMBER: &str = "whyslow:group_member";
/// Name of the event with a [`GroupReading`].
pub const EVENT_GROUP: &str = "whyslow:group";

/// Maximum length of a group's path.
pub const MOST_GROUP_PATH: usize = 4096;

/// What a hierarchy of groups limits.
///
/// Version 2 has one hierarchy for everything; version 1 has one for each resource, or for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum GroupKind {
    /// CPU time.
    Cpu = 1,
    /// Memory.
    Memory = 2,
    /// Both, and more.
    Unified = 3,
}

impl GroupKind {
    fn from_number(number: u32) -> Option<Self> {
        [Self::Cpu, Self::Memory, Self::Unified]
            .into_iter()
            .find(|&kind| kind as u32 == number)
    }
}

/// Payload of [`EVENT_GROUP_MEMBER`]: a process is in a group when recording starts, or when the
/// recorder looked it up. Later moves are reported by `cgroup:cgroup_attach_task`; new processes
/// are in their parents' groups.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | [`GroupKind`] |
/// | 8 | 4 | `hierarchy` |
/// | 12 | 4 | bytes of the path |
/// | 16 | … | the path |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The process.
    pub pid: u32,
    /// What the group limits.
    pub kind: GroupKind,
    /// The number of the hierarchy, as in `cgroup:cgroup_attach_task`; 0 is version 2.
    pub hierarchy: u32,
    /// The path of the group below the root of its hierarchy.
    pub path: Vec<u8>,
}

impl GroupMember {
    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        for word in [self.pid, self.kind as u32, self.hierarchy] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        encode_path(&self.path, out);
    }

    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            kind: GroupKind::from_number(endian.u32(bytes, 4)?)?,
            hierarchy: endian.u32(bytes, 8)?,
            path: decode_path(bytes, 12, endian)?,
        })
    }
}

/// A figure of a [`GroupReading`]. Counters count since the group was created, except
/// [`MemoryLimit`](Self::MemoryLimit) and others that give a current value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum GroupFigure {
    /// CPU time that it may use in each period, in nanoseconds.
    CpuQuotaNs = 1,
    /// Length of a period, in nanoseconds.
    CpuPeriodNs = 2,
    /// Periods in which any of its threads ran.
    Periods = 3,
    /// Periods in which it was stopped because its quota was used up.
    ThrottledPeriods = 4,
    /// How long its queues were stopped, summed over CPUs, in nanoseconds.
    ThrottledNs = 5,
    /// Memory that it may use, in bytes.
    MemoryLimit = 6,
    /// Memory that it uses, including its cache, in bytes.
    MemoryUsage = 7,
    /// How often it needed more memory than its limit.
    MemoryFailures = 8,
    /// Number of its processes that were killed because memory was short.
    MemoryKills = 9,
    /// Memory above which it is slowed down, in bytes.
    MemoryHigh = 10,
    /// How often it was above that.
    MemoryHighEvents = 11,
    /// How long some of its threads could not continue because they had no CPU, in nanoseconds.
    CpuStallNs = 12,
    /// … because memory was short.
    MemoryStallNs = 13,
    /// … because they waited for disks.
    IoStallNs = 14,
    /// Its share of CPU time when others compete for it; 1024 is usual.
    CpuShares = 15,
    /// Time during which other machines on the same host had the CPUs, in nanoseconds; for the
    /// whole machine.
    StealNs = 16,
    /// Memory that programs can have without swapping, in bytes; for the whole machine.
    MemoryAvailable = 17,
    /// Data in memory that still has to be written to disks, in bytes; for the whole machine.
    MemoryDirty = 18,
    /// What is in the swap area, in bytes; for the whole machine.
    MemorySwapped = 19,
}

impl GroupFigure {
    /// Every figure.
    pub const ALL: [Self; 19] = [
        Self::CpuQuotaNs,
        Self::CpuPeriodNs,
        Self::Periods,
        Self::ThrottledPeriods,
        Self::ThrottledNs,
        Self::MemoryLimit,
        Self::MemoryUsage,
        Self::MemoryFailures,
        Self::MemoryKills,
        Self::MemoryHigh,
        Self::MemoryHighEvents,
        Self::CpuStallNs,
        Self::MemoryStallNs,
        Self::IoStallNs,
        Self::CpuShares,
        Self::StealNs,
        Self::MemoryAvailable,
        Self::MemoryDirty,
        Self::MemorySwapped,
    ];
}

/// Payload of [`EVENT_GROUP`]: the figures of a group at one moment. The root of a hierarchy
/// represents the machine.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | [`GroupKind`] |
/// | 4 | 4 | `hierarchy` |
/// | 8 | 8 | `at_ns` |
/// | 16 | 4 | number of figures |
/// | 20 | 4 | bytes of the path |
/// | 24 | … | the path |
/// | … | 12 each | figures: [`GroupFigure`] (4 bytes), value (8 bytes) |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupReading {
    /// What the group limits.
    pub kind: GroupKind,
    /// The number of the hierarchy; 0 is version 2.
    pub hierarchy: u32,
    /// When, in nanoseconds of the recording's clock.
    pub at_ns: u64,
    /// The path of the group below the root of its hierarchy.
    pub path: Vec<u8>,
    /// The figures that could be read.
    pub figures: Vec<(GroupFigure, u64)>,
}

impl GroupReading {
    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.kind as u32).to_ne_bytes());
        out.extend_from_slice(&self.hierarchy.to_ne_bytes());
        out.extend_from_slice(&self.at_ns.to_ne_bytes());
        let count = u32::try_from(self.figures.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&count.to_ne_bytes());
        encode_path(&self.path, out);
        for &(figure, value) in &self.figures {
            out.extend_from_slice(&(figure as u32).to_ne_bytes());
            out.extend_from_slice(&value.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short or of an unknown kind. Figures added by newer
    /// recorders are left out.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let count = usize::try_from(endian.u32(bytes, 16)?).ok()?;
        let path = decode_path(bytes, 20, endian)?;
        let figures = bytes
            .get(24 + path.len()..)?
            .get(..count.checked_mul(12)?)?;
        let figure = |entry: &[u8]| {
            let number = endian.u32(entry, 0)?;
            let mut all = GroupFigure::ALL.into_iter();
            let figure = all.find(|&figure| figure as u32 == number)?;
            Some((figure, endian.u64(entry, 4)?))
        };
        Some(Self {
            kind: GroupKind::from_number(endian.u32(bytes, 0)?)?,
            hierarchy: endian.u32(bytes, 4)?,
            at_ns: endian.u64(bytes, 8)?,
            figures: figures.chunks_exact(12).filter_map(figure).collect(),
            path,
        })
    }
}

fn encode_path(path: &[u8], out: &mut Vec<u8>) {
    let path = path.get(..MOST_GROUP_PATH).unwrap_or(path);
    let length = u32::try_from(path.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_ne_bytes());
    out.extend_from_slice(path);
}

/// Reads a path whose length is at `offset`.
fn decode_path(bytes: &[u8], offset: usize, endian: Endian) -> Option<Vec<u8>> {
    let length = usize::try_from(endian.u32(bytes, offset)?).ok()?;
    if length > MOST_GROUP_PATH {
        return None;
    }
    Some(bytes.get(offset + 4..)?.get(..length)?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDIAN: Endian = match cfg!(target_endian = "big") {
        true => Endian::Big,
        false => Endian::Little,
    };

    #[test]
    fn readings_survive_and_short_or_unknown_ones_are_refused() {
        let reading = GroupReading {
            kind: GroupKind::Unified,
            hierarchy: 0,
            at_ns: 7,
            path: b"/system.slice/a b.service".to_vec(),
            figures: GroupFigure::ALL.map(|figure| (figure, u64::MAX)).to_vec(),
        };
        let mut bytes = Vec::new();
        reading.encode(&mut bytes);
        let whole = bytes.len();
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(GroupReading::decode(&bytes, ENDIAN), Some(reading.clone()));
        assert_eq!(GroupReading::decode(&bytes[..whole - 1], ENDIAN), None);
        // A figure of a later version.
        let last = whole - 12;
        bytes[last..last + 4].copy_from_slice(&99_u32.to_ne_bytes());
        let read = GroupReading::decode(&bytes, ENDIAN).unwrap();
        assert_eq!(read.figures, reading.figures[..reading.figures.len() - 1]);
        bytes[0..4].copy_from_slice(&99_u32.to_ne_bytes());
        assert_eq!(GroupReading::decode(&bytes, ENDIAN), None);
    }

    #[test]
    fn members_survive_and_endless_paths_are_refused() {
        let member = GroupMember {
            pid: 5,
            kind: GroupKind::Cpu,
            hierarchy: 3,
            path: b"/x".to_vec(),
        };
        let mut bytes = Vec::new();
        member.encode(&mut bytes);
        assert_eq!(GroupMember::decode(&bytes, ENDIAN), Some(member));
        assert_eq!(GroupMember::decode(&bytes[..17], ENDIAN), None);
        let long = u32::try_from(MOST_GROUP_PATH + 1).unwrap();
        bytes[12..16].copy_from_slice(&long.to_ne_bytes());
        bytes.resize(2 * MOST_GROUP_PATH, b'a');
        assert_eq!(GroupMember::decode(&bytes, ENDIAN), None);
    }
}
