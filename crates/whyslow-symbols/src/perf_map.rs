//! Names of generated code, from the map file its runtime writes.
//!
//! `/tmp/perf-PID.map` has one line `start size name` per function, numbers in hexadecimal
//! (source: `tools/perf/Documentation/jit-interface.txt` of the kernel). Runtimes append a line
//! whenever they generate code, also over code they dropped: a later line overrides earlier ones
//! where they overlap. The file may be 100 MB; it is read in blocks, and only the lines that
//! cover a wanted address are remembered.
//!
//! Anyone may write to `/tmp`: symbolic links are refused, only regular files are read, and a
//! file that is older than its process, or belongs to neither its user nor root, is left alone.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::file_bytes::FileBytes;
use crate::kallsyms::hex_word;
use crate::nearest::first_free;
use crate::{NameId, Names, Reason};

const MAX_FILE_BYTES: u64 = 4 << 30;
const MAX_LINE_BYTES: usize = 16 << 10;
const BLOCK_BYTES: usize = 256 << 10;
/// Remembered lines before those that later ones have overridden are forgotten.
const MAX_HITS: usize = 1 << 16;
const ROOT: u32 = 0;
/// File times are coarser than process start times.
const CLOCK_SLACK: Duration = Duration::from_secs(2);

/// Where the perf map of a process may be, likeliest first.
///
/// With `is_alive`, the file is looked for as the process itself sees `/tmp`, under the pid it
/// sees itself as.
pub(crate) fn map_paths(os_pid: u32, may_be_alive: bool) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if may_be_alive {
        let own_view = format!("/proc/{os_pid}/root/tmp");
        if let Some(inner) = pid_in_namespace(os_pid) {
            paths.push(Path::new(&own_view).join(format!("perf-{inner}.map")));
        }
    }
    paths.push(PathBuf::from(format!("/tmp/perf-{os_pid}.map")));
    paths
}

/// The pid that a living process has in its own pid namespace.
fn pid_in_namespace(os_pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{os_pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().next_back()?.parse().ok()
}

/// The user of a process, where that was not recorded: as it is now if it is alive, else ourselves.
pub(crate) fn user_here(os_pid: u32, may_be_alive: bool) -> Option<u32> {
    #[cfg(unix)]
    let own = Some(rustix::process::geteuid().as_raw());
    #[cfg(not(unix))]
    let own = None;
    let alive = may_be_alive.then(|| user_of(os_pid)).flatten();
    alive.or(own)
}

/// The user that a living process makes its files as.
fn user_of(os_pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{os_pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    line.split_ascii_whitespace().next_back()?.parse().ok()
}

/// Whose file with names of generated code is believed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writer {
    /// When the process began.
    pub(crate) started: Option<SystemTime>,
    /// Number of the user it ran as; `None`: everybody is believed.
    pub(crate) user: Option<u32>,
}

/// An opened perf map.
#[derive(Debug)]
pub(crate) struct PerfMap {
    bytes: FileBytes,
}

impl PerfMap {
    /// Opens the map at `path`, if `writer` may have written it.
    pub(crate) fn open(path: &Path, writer: Writer) -> Result<Self, Reason> {
        let bytes = open_own(path, writer)?;
        Ok(Self { bytes })
    }

    /// Name and start of the function at each address; `addresses` are sorted ascending.
    pub(crate) fn symbols_of(
        &self,
        addresses: &[u64],
        names: &mut Names,
    ) -> Result<Vec<Option<(NameId, u64)>>, Reason> {
        let mut hits = Hits::new(addresses);
        let mut block = vec![0; BLOCK_BYTES];
        let (mut offset, mut kept) = (0, 0);
        while offset < self.bytes.len_bytes() {
            let rest = self.bytes.len_bytes() - offset;
            let n = usize::try_from(rest)
                .unwrap_or(usize::MAX)
                .min(BLOCK_BYTES - kept);
            let Some(space) = block.get_mut(kept..kept + n) else {
                break;
            };
            self.bytes.read_exact_at(offset, space)?;
            offset += n as u64;
            let filled = block.get(..kept + n).unwrap_or(&[]);
            let is_last = offset == self.bytes.len_bytes();
            let used = hits.take_lines(filled, is_last);
            kept = filled.len() - used;
            if kept > MAX_LINE_BYTES {
                // No perf map has such a line; drop it and continue after it.
                kept = 0;
            }
            block.copy_within(used..used + kept, 0);
        }
        Ok(hits.into_names(names))
    }
}

/// Opens a file in which the process of `writer` names its code.
pub(crate) fn open_own(path: &Path, writer: Writer) -> Result<FileBytes, Reason> {
    let bytes = FileBytes::open_no_follow(path).map_err(|reason| match reason {
        Reason::FileMissing => Reason::PerfMapMissing,
        other => other,
    })?;
    if bytes.len_bytes() > MAX_FILE_BYTES {
        return Err(Reason::TooLarge);
    }
    if let (Some(user), Some(owner)) = (writer.user, bytes.owner())
        && owner != user
        && owner != ROOT
    {
        return Err(Reason::PerfMapForeign);
    }
    if let (Some(started), Some(modified)) = (writer.started, bytes.modified())
        && is_older(modified, started)
    {
        return Err(Reason::PerfMapStale);
    }
    Ok(bytes)
}

/// Returns whether a file is from before a process began. A file may claim to be from any time.
fn is_older(modified: SystemTime, started: SystemTime) -> bool {
    let latest = modified.checked_add(CLOCK_SLACK);
    latest.is_some_and(|latest| latest < started)
}

/// Functions that cover a wanted address, in file order.
pub(crate) struct Hits<'a> {
    addresses: &'a [u64],
    lines: Vec<(u64, u64, Box<[u8]>)>,
}

impl<'a> Hits<'a> {
    pub(crate) fn new(addresses: &'a [u64]) -> Self {
        Self {
            addresses,
            lines: Vec::new(),
        }
    }

    /// Takes the whole lines of `block` and says how many bytes they were.
    fn take_lines(&mut self, block: &[u8], is_last: bool) -> usize {
        let mut used = 0;
        while let Some(tail) = block.get(used..).filter(|tail| !tail.is_empty()) {
            let length = match memchr::memchr(b'\n', tail) {
                Some(length) => length,
                None if is_last => tail.len(),
                None => break,
            };
            self.take_line(tail.split_at(length).0);
            used = (used + length + 1).min(block.len());
        }
        used
    }

    fn take_line(&mut self, line: &[u8]) {
        if let Some((start, size, name)) = parse_line(line) {
            self.take(start, size, name);
        }
    }

    /// Adds a function, which overrides earlier ones where they overlap.
    pub(crate) fn take(&mut self, start: u64, size: u64, name: &[u8]) {
        let end = start.saturating_add(size);
        let first = self.addresses.partition_point(|&a| a < start);
        if self.addresses.get(first).is_some_and(|&a| a < end) {
            self.lines.push((start, end, name.into()));
            if self.lines.len() >= MAX_HITS.max(2 * self.addresses.len()) {
                self.forget_overridden();
            }
        }
    }

    /// Number of the line that has each address: from the last line to the first, each address
    /// keeps the first it gets.
    fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.addresses.len()];
        let mut next: Vec<usize> = (0..=self.addresses.len()).collect();
        for (number, &(start, end, _)) in self.lines.iter().enumerate().rev() {
            let behind = self.addresses.partition_point(|&a| a < end);
            let first = self.addresses.partition_point(|&a| a < start);
            let mut at = first_free(&mut next, first);
            while at < behind {
                if let (Some(owner), Some(entry)) = (owners.get_mut(at), next.get_mut(at)) {
                    *owner = Some(number);
                    *entry = at + 1;
                }
                at = first_free(&mut next, at + 1);
            }
        }
        owners
    }

    fn forget_overridden(&mut self) {
        let mut is_owner = vec![false; self.lines.len()];
        for owner in self.owners().into_iter().flatten() {
            if let Some(entry) = is_owner.get_mut(owner) {
                *entry = true;
            }
        }
        let mut keep = is_owner.into_iter();
        self.lines.retain(|_| keep.next().unwrap_or(false));
    }

    pub(crate) fn into_names(self, names: &mut Names) -> Vec<Option<(NameId, u64)>> {
        let owners = self.owners();
        let mut named = Vec::with_capacity(owners.len());
        for owner in owners {
            let line = owner.and_then(|owner| self.lines.get(owner));
            named.push(line.map(|(start, _, name)| (names.intern_linker_name(name), *start)));
        }
        named
    }
}

/// Start, size and name in a line of a perf map.
fn parse_line(line: &[u8]) -> Option<(u64, u64, &[u8])> {
    let strip = |text: &'_ [u8]| text.strip_prefix(b"0x").map_or(text.len(), <[u8]>::len);
    let line = line.trim_ascii();
    let (start, rest) = hex_word(line.split_at(line.len() - strip(line)).1)?;
    let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
    let (size, rest) = hex_word(rest.split_at(rest.len() - strip(rest)).1)?;
    let name = rest.strip_prefix(b" ")?.trim_ascii();
    (size > 0 && !name.is_empty()).then_some((start, size, name))
}

#[cfg(test)]
mod tests;
