//! The sink's memory: rows as they come, then packed runs sorted by owner, and finally a file.
//!
//! A *run* is a fixed number of rows, few enough to be sorted in the processor's cache; it has one
//! packed *segment* for every owner. Runs are kept in memory until the budget is used up, and then
//! go to a temporary file. At the end, the segments of an owner are read back, and merged where
//! late rows make them overlap: rows are ordered by time, and rows with the same time by arrival,
//! wherever runs end.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use whyslow_files::private;
use whyslow_model::OwnerRef;

use crate::segment;

/// Number of rows in a run.
const RUN_ROWS: usize = 1 << 15;

/// Bytes of segment places that are kept before runs become longer, so that there are fewer.
const SEGMENTS_BYTES: usize = 8 << 20;

/// How often the length of runs may be doubled: a run is sorted in memory.
const MOST_DOUBLINGS: u32 = 4;

/// Rows of one raw table.
#[derive(Debug)]
pub(crate) struct Spill {
    width: usize,
    path: PathBuf,
    /// The run being filled, and how many rows it takes.
    rows: Vec<i64>,
    owners: Vec<u32>,
    most_rows: usize,
    /// Packed runs: those in the file first, then those in memory.
    runs: Vec<Run>,
    packed_bytes: usize,
    file: Option<File>,
    file_bytes: u64,
    /// Segments by owner, in the order of the runs.
    segments: Vec<Vec<Segment>>,
    /// Segments of rows that belong to no thread.
    of_nobody: Vec<Segment>,
    segment_count: usize,
    /// Memory for one segment and for one run, which is reused.
    group: Vec<i64>,
    bytes: Vec<u8>,
}

/// The segments of a run.
#[derive(Debug)]
enum Run {
    /// In memory, in an allocation of its own: the allocation that holds all runs would be copied
    /// whenever it grows.
    Packed(Box<[u8]>),
    /// At an offset in the file.
    Spilled(u64),
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    run: u32,
    /// Its place in its run.
    at: u32,
    bytes: u32,
    rows: u32,
    first: i64,
}

/// A segment being read.
#[derive(Debug)]
struct Open {
    /// Its index among the segments of its owner.
    number: usize,
    rows: Vec<i64>,
    at: usize,
}

impl Spill {
    /// Returns an empty spill for rows of `width` values; `path` is used when memory runs out.
    pub(crate) fn new(width: usize, path: PathBuf) -> Self {
        Self {
            width,
            path,
            rows: Vec::new(),
            owners: Vec::new(),
            most_rows: RUN_ROWS,
            runs: Vec::new(),
            packed_bytes: 0,
            file: None,
            file_bytes: 0,
            segments: Vec::new(),
            of_nobody: Vec::new(),
            segment_count: 0,
            group: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Returns the bytes that its rows take in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * 8 + self.owners.len() * 4 + self.packed_bytes
    }

    /// Returns the bytes for the places of its segments; they stay in memory to the end.
    pub(crate) fn segment_bytes(&self) -> usize {
        self.segments.len() * size_of::<Vec<Segment>>() + self.segment_count * size_of::<Segment>()
    }

    /// Returns how many rows the current run takes.
    fn run_rows(&self) -> usize {
        let doublings = (self.segment_bytes() / SEGMENTS_BYTES + 1).ilog2();
        RUN_ROWS << doublings.min(MOST_DOUBLINGS)
    }

    /// Returns the bytes on disk.
    pub(crate) fn spilled_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Takes a row; returns whether one more run was packed.
    pub(crate) fn push(&mut self, owner: OwnerRef, row: &[i64]) -> io::Result<bool> {
        self.rows.extend_from_slice(row);
        self.owners.push(owner.0);
        let is_full = self.owners.len() >= self.most_rows;
        if is_full {
            self.pack()?;
        }
        Ok(is_full)
    }

    /// Returns row numbers ordered by owner, within an owner by time, then by arrival.
    fn sort(&self) -> Vec<u32> {
        let count = u32::try_from(self.owners.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..count).collect();
        let time = |row: u32| self.row(row).first().copied().unwrap_or(0);
        let owner = |row: u32| self.owners.get(row as usize).copied().unwrap_or(0);
        order.sort_by_key(|&row| owner(row));
        for group in order.chunk_by_mut(|&a, &b| owner(a) == owner(b)) {
            if !group.is_sorted_by_key(|&row| time(row)) {
                group.sort_by_key(|&row| time(row));
            }
        }
        order
    }

    fn row(&self, row: u32) -> &[i64] {
        let start = row as usize * self.width;
        self.rows.get(start..start + self.width).unwrap_or_default()
    }

    /// Packs the current rows as a run.
    fn pack(&mut self) -> io::Result<()> {
        if self.owners.is_empty() {
            return Ok(());
        }
        let order = self.sort();
        let mut rows = std::mem::take(&mut self.group);
        let mut packed = std::mem::take(&mut self.bytes);
        packed.clear();
        let mut segments = std::mem::take(&mut self.segments);
        let mut of_nobody = std::mem::take(&mut self.of_nobody);
        let mut segment_count = self.segment_count;
        let too_large = |_| io::ErrorKind::FileTooLarge;
        let run = u32::try_from(self.runs.len()).map_err(too_large)?;
        let owner_of = |row: &u32| self.owners.get(*row as usize).copied().unwrap_or(0);
        for group in order.chunk_by(|a, b| owner_of(a) == owner_of(b)) {
            rows.clear();
            for &row in group {
                rows.extend_from_slice(self.row(row));
            }
            let start = packed.len();
            segment::pack(&rows, self.width, &mut packed);
            let segment = Segment {
                run,
                at: u32::try_from(start).map_err(too_large)?,
                bytes: u32::try_from(packed.len() - start).map_err(too_large)?,
                rows: u32::try_from(group.len()).map_err(too_large)?,
                first: rows.first().copied().unwrap_or(0),
            };
            segment_count += 1;
            let owner = OwnerRef(group.first().map_or(0, owner_of));
            if owner == OwnerRef::NOBODY {
                of_nobody.push(segment);
                continue;
            }
            let owner = owner.0 as usize;
            if owner >= segments.len() {
                segments.resize_with(owner + 1, Vec::new);
            }
            if let Some(of_owner) = segments.get_mut(owner) {
                of_owner.push(segment);
            }
        }
        self.packed_bytes += packed.len();
        self.runs.push(Run::Packed(packed.as_slice().into()));
        (self.group, self.bytes) = (rows, packed);
        (self.segments, self.of_nobody) = (segments, of_nobody);
        self.segment_count = segment_count;
        self.rows.clear();
        self.owners.clear();
        self.most_rows = self.run_rows();
        Ok(())
    }

    /// Writes the runs in memory to the file.
    pub(crate) fn spill(&mut self) -> io::Result<()> {
        self.pack()?;
        if self.file.is_none() {
            // Nothing that was there is written to.
            let _none = std::fs::remove_file(&self.path);
            let mut options = private::options();
            options.read(true).create_new(true);
            self.file = Some(options.open(&self.path)?);
        }
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        for run in &mut self.runs {
            let Run::Packed(packed) = run else {
                continue;
            };
            file.write_all(packed)?;
            let offset = self.file_bytes;
            self.file_bytes += packed.len() as u64;
            *run = Run::Spilled(offset);
        }
        self.packed_bytes = 0;
        Ok(())
    }

    /// Packs the remaining rows; no more rows come.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.pack()?;
        (self.rows, self.owners) = (Vec::new(), Vec::new());
        Ok(())
    }

    /// Passes on the rows of `owner` in order of time, piece by piece (row by row).
    pub(crate) fn read(
        &mut self,
        owner: OwnerRef,
        each: &mut dyn FnMut(&mut [i64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let segments = match owner {
            OwnerRef::NOBODY => Some(&mut self.of_nobody),
            owner => self.segments.get_mut(owner.0 as usize),
        };
        let segments = segments.map(std::mem::take).unwrap_or_default();
        let mut segments: Vec<_> = segments.into_iter().enumerate().collect();
        segments.sort_by_key(|(_, segment)| segment.first);
        let mut open: Vec<Open> = Vec::new();
        let mut merged = Vec::new();
        for (place, (number, segment)) in segments.iter().enumerate() {
            let mut rows = Vec::new();
            self.load(segment, &mut rows)?;
            open.push(Open {
                number: *number,
                rows,
                at: 0,
            });
            // Rows older than the next segment can be passed on.
            let next = segments.get(place + 1).map(|(_, next)| next.first);
            if let [only] = open.as_mut_slice() {
                each(only.take_until(next, self.width))?;
            } else {
                merged.clear();
                while let Some(row) = least(&mut open, next, self.width) {
                    merged.extend_from_slice(row);
                }
                each(&mut merged)?;
            }
            open.retain(|open| open.at < open.rows.len());
        }
        Ok(())
    }

    fn load(&mut self, segment: &Segment, rows: &mut Vec<i64>) -> io::Result<()> {
        let (start, size) = (segment.at as usize, segment.bytes as usize);
        let bytes = match self.runs.get(segment.run as usize) {
            Some(Run::Packed(packed)) => packed.get(start..start + size).unwrap_or_default(),
            Some(Run::Spilled(offset)) => {
                self.bytes.resize(size, 0);
                if let Some(file) = &mut self.file {
                    file.seek(SeekFrom::Start(offset + u64::from(segment.at)))?;
                    file.read_exact(&mut self.bytes)?;
                }
                self.bytes.as_slice()
            }
            None => &[],
        };
        let count = segment.rows as usize;
        let damaged = || io::Error::other("a temporary file changed");
        segment::unpack(bytes, count, self.width, rows).ok_or_else(damaged)
    }
}

impl Open {
    /// Returns the next row's time.
    fn time(&self) -> Option<i64> {
        self.rows.get(self.at).copied()
    }

    /// Takes all rows older than a time, or all rows.
    fn take_until(&mut self, until: Option<i64>, width: usize) -> &mut [i64] {
        let rows = self.rows.get_mut(self.at..).unwrap_or_default();
        let is_older = |row: &[i64]| until.is_none_or(|until| row.first() < Some(&until));
        let count = rows
            .chunks_exact(width)
            .take_while(|row| is_older(row))
            .count();
        self.at += count * width;
        rows.get_mut(..count * width).unwrap_or_default()
    }
}

/// Takes the next row of several segments, if it is older than a time: the oldest one, and among
/// equals the one that arrived first.
fn least(open: &mut [Open], until: Option<i64>, width: usize) -> Option<&[i64]> {
    let rows = open
        .iter()
        .enumerate()
        .filter_map(|(place, open)| Some((open.time()?, open.number, place)));
    let (time, _, place) = rows.min()?;
    if until.is_some_and(|until| time >= until) {
        return None;
    }
    let open = open.get_mut(place)?;
    let row = open.rows.get(open.at..open.at + width);
    open.at += width;
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("whyslow-{name}-{}.run", std::process::id()))
    }

    /// Returns all rows of an owner, and the maximum number of rows passed on at once.
    fn read(spill: &mut Spill, owner: u32) -> (Vec<[i64; 2]>, usize) {
        let (mut all, mut longest) = (Vec::new(), 0);
        let each = &mut |rows: &mut [i64]| {
            longest = longest.max(rows.len() / 2);
            all.extend(rows.chunks_exact(2).map(|row| [row[0], row[1]]));
            Ok(())
        };
        spill.read(OwnerRef(owner), each).expect("read");
        (all, longest)
    }

    #[test]
    fn one_late_row_does_not_keep_all_others_waiting() {
        let path = path("late");
        let mut spill = Spill::new(2, path.clone());
        for run in 0..50 {
            for row in 0..100 {
                let row = [run * 100 + row, 0];
                spill.push(OwnerRef(1), &row).expect("memory");
            }
            spill.spill().expect("temporary file");
        }
        spill.push(OwnerRef(1), &[7, 1]).expect("memory");
        spill.finish().expect("memory");
        let (rows, longest) = read(&mut spill, 1);
        let _gone = std::fs::remove_file(path);
        assert_eq!(rows.len(), 5001);
        assert!(rows.is_sorted_by_key(|row| row[0]));
        assert_eq!((rows[7], rows[8]), ([7, 0], [7, 1]));
        assert!(longest <= 101, "{longest} rows at a time");
    }

    #[test]
    fn runs_become_longer_when_there_are_many_segments() {
        let mut spill = Spill::new(2, path("longer"));
        assert_eq!(spill.run_rows(), RUN_ROWS);
        // Each run holds one row of each of its owners: one segment per row.
        let owners = u32::try_from(RUN_ROWS).expect("few");
        let mut lengths = Vec::new();
        for run in 0..48 {
            for owner in 0..owners {
                spill.push(OwnerRef(owner), &[run, 0]).expect("memory");
            }
            lengths.push(spill.run_rows() / RUN_ROWS);
        }
        spill.finish().expect("memory");
        assert!(spill.segment_bytes() >= spill.segment_count * size_of::<Segment>());
        assert!(
            lengths.is_sorted() && lengths.last() > Some(&1),
            "{lengths:?}"
        );
        assert!(lengths.iter().all(|&length| length <= 1 << MOST_DOUBLINGS));
        assert!(spill.segment_count < 48 * RUN_ROWS, "fewer than one a row");
        assert_eq!(read(&mut spill, 7).0.len(), 48);
    }

    #[test]
    fn rows_of_nobody_need_no_room_for_everybody() {
        let mut spill = Spill::new(2, path("nobody"));
        spill.push(OwnerRef::NOBODY, &[5, 1]).expect("memory");
        spill.push(OwnerRef(2), &[3, 2]).expect("memory");
        spill.finish().expect("memory");
        assert_eq!(spill.segments.len(), 3);
        assert_eq!(read(&mut spill, OwnerRef::NOBODY.0).0, [[5, 1]]);
        assert_eq!(read(&mut spill, 2).0, [[3, 2]]);
    }

    /// Rows of equal times stay in order of arrival, wherever a run ends and wherever it is kept.
    #[test]
    fn order_does_not_depend_on_where_runs_end() {
        let path = path("order");
        let mut random = 1_u32;
        let mut rows = Vec::new();
        for number in 0..2000_i64 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let late = i64::from(random >> 27);
            rows.push([number / 8 - late, number]);
        }
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| row[0]);
        for every in [1, 7, 100, 5000] {
            let mut spill = Spill::new(2, path.clone());
            for (number, row) in (1..).zip(&rows) {
                spill.push(OwnerRef(3), row).expect("memory");
                if number % every == 0 {
                    spill.pack().expect("memory");
                }
                if number % (every * 3) == 0 {
                    spill.spill().expect("temporary file");
                }
            }
            spill.finish().expect("memory");
            assert_eq!(read(&mut spill, 3).0, sorted, "runs of {every}");
        }
        let _gone = std::fs::remove_file(path);
    }
}
