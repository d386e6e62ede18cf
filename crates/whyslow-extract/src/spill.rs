//! The sink's memory: rows as they come, then runs sorted by owner in a temporary file.
//!
//! A *run* is what was in memory when the budget was used up: for every owner one packed
//! *segment*. At the end the segments of an owner are read back in the order they were written,
//! and merged where late rows make them overlap. Nothing is written while everything fits.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use whyslow_files::private;
use whyslow_model::OwnerRef;

use crate::segment;

/// Rows of one raw table.
#[derive(Debug)]
pub(crate) struct Spill {
    width: usize,
    path: PathBuf,
    rows: Vec<i64>,
    owners: Vec<u32>,
    file: Option<File>,
    file_bytes: u64,
    /// Segments on disk by owner, in the order of the runs.
    segments: HashMap<u32, Vec<Segment>>,
    /// Rows in memory sorted by owner, once no more come: owner → range in `order`.
    sorted: HashMap<u32, (usize, usize)>,
    order: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    offset: u64,
    bytes: u32,
    rows: u32,
    first: i64,
}

impl Spill {
    /// Returns an empty spill for rows of `width` values; `path` is used when memory runs out.
    pub(crate) fn new(width: usize, path: PathBuf) -> Self {
        Self {
            width,
            path,
            rows: Vec::new(),
            owners: Vec::new(),
            file: None,
            file_bytes: 0,
            segments: HashMap::new(),
            sorted: HashMap::new(),
            order: Vec::new(),
        }
    }

    /// Returns the bytes its rows take in memory.
    pub(crate) fn bytes(&self) -> usize {
        (self.rows.len() + self.owners.len()) * 8
    }

    /// Returns the bytes on disk.
    pub(crate) fn spilled_bytes(&self) -> u64 {
        self.file_bytes
    }

    pub(crate) fn push(&mut self, owner: OwnerRef, row: &[i64]) {
        self.rows.extend_from_slice(row);
        self.owners.push(owner.0);
    }

    /// Row numbers ordered by owner, within an owner by time, then by arrival.
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

    /// Writes what is in memory as a run.
    pub(crate) fn spill(&mut self) -> io::Result<()> {
        let order = self.sort();
        let mut packed = Vec::new();
        let mut rows = Vec::new();
        let owner_of = |row: &u32| self.owners.get(*row as usize).copied().unwrap_or(0);
        let mut found = Vec::new();
        for group in order.chunk_by(|a, b| owner_of(a) == owner_of(b)) {
            rows.clear();
            for &row in group {
                rows.extend_from_slice(self.row(row));
            }
            let start = packed.len();
            segment::pack(&rows, self.width, &mut packed);
            let segment = Segment {
                offset: self.file_bytes + start as u64,
                bytes: u32::try_from(packed.len() - start)
                    .map_err(|_| io::ErrorKind::FileTooLarge)?,
                rows: u32::try_from(group.len()).map_err(|_| io::ErrorKind::FileTooLarge)?,
                first: rows.first().copied().unwrap_or(0),
            };
            found.push((group.first().map_or(0, owner_of), segment));
        }
        for (owner, segment) in found {
            self.segments.entry(owner).or_default().push(segment);
        }
        if self.file.is_none() {
            let mut options = private::options();
            options.read(true).create(true).truncate(true);
            self.file = Some(options.open(&self.path)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&packed)?;
        }
        self.file_bytes += packed.len() as u64;
        self.rows.clear();
        self.owners.clear();
        Ok(())
    }

    /// Sorts what is left in memory; no more rows come.
    pub(crate) fn finish(&mut self) {
        self.order = self.sort();
        let mut start = 0;
        let owner_of = |row: &u32| self.owners.get(*row as usize).copied().unwrap_or(0);
        for group in self.order.chunk_by(|a, b| owner_of(a) == owner_of(b)) {
            let range = (start, start + group.len());
            self.sorted.insert(group.first().map_or(0, owner_of), range);
            start += group.len();
        }
    }

    /// Gives the rows of `owner` in order of time, piece by piece (row after row).
    pub(crate) fn read(
        &mut self,
        owner: OwnerRef,
        each: &mut dyn FnMut(&mut [i64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let width = self.width;
        let mut segments = self.segments.remove(&owner.0).unwrap_or_default();
        segments.sort_by_key(|segment| segment.first);
        let range = self.sorted.get(&owner.0).copied().unwrap_or((0, 0));
        let mut memory = self
            .order
            .get(range.0..range.1)
            .unwrap_or_default()
            .to_vec()
            .into_iter()
            .peekable();
        let time = |rows: &[i64]| rows.first().copied().unwrap_or(0);

        let mut held: Vec<i64> = Vec::new();
        for (position, segment) in segments.iter().enumerate() {
            let mut rows = Vec::new();
            self.load(segment, &mut rows)?;
            held = merge(held, rows, width);
            let Some(next) = segments.get(position + 1) else {
                break;
            };
            // Whatever is older than the next segment can go, that in memory too: a row that came
            // very late is there, and must not keep all the others waiting.
            let mut late = Vec::new();
            while let Some(row) = memory.next_if(|&row| time(self.row(row)) < next.first) {
                late.extend_from_slice(self.row(row));
            }
            held = merge(held, late, width);
            let ready = held
                .chunks_exact(width)
                .take_while(|row| time(row) < next.first);
            let ready = ready.count() * width;
            let rest = held.split_off(ready);
            each(&mut held)?;
            held = rest;
        }
        let mut rows = Vec::with_capacity(memory.len() * width);
        for row in memory {
            rows.extend_from_slice(self.row(row));
        }
        each(&mut merge(held, rows, width))
    }

    fn load(&mut self, segment: &Segment, rows: &mut Vec<i64>) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let mut bytes = vec![0; segment.bytes as usize];
        file.seek(SeekFrom::Start(segment.offset))?;
        file.read_exact(&mut bytes)?;
        let count = segment.rows as usize;
        let damaged = || io::Error::other("a temporary file changed");
        segment::unpack(&bytes, count, self.width, rows).ok_or_else(damaged)
    }
}

/// Merges two lists of rows that are each in order of time; equal times keep the first list first.
fn merge(a: Vec<i64>, b: Vec<i64>, width: usize) -> Vec<i64> {
    let last = a
        .chunks_exact(width)
        .next_back()
        .and_then(|row| row.first().copied());
    let first = b.first().copied();
    if a.is_empty() || b.is_empty() || last <= first {
        let mut a = a;
        if a.is_empty() {
            return b;
        }
        a.extend_from_slice(&b);
        return a;
    }
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let mut left = a.chunks_exact(width).peekable();
    let mut right = b.chunks_exact(width).peekable();
    while let (Some(l), Some(r)) = (left.peek(), right.peek()) {
        let next = if l.first() <= r.first() {
            left.next()
        } else {
            right.next()
        };
        merged.extend_from_slice(next.unwrap_or_default());
    }
    left.chain(right)
        .for_each(|row| merged.extend_from_slice(row));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_late_row_does_not_keep_all_others_waiting() {
        let path = std::env::temp_dir().join(format!("whyslow-late-{}.run", std::process::id()));
        let mut spill = Spill::new(2, path.clone());
        for run in 0..50 {
            for row in 0..100 {
                spill.push(OwnerRef(1), &[run * 100 + row, 0]);
            }
            spill.spill().expect("temporary file");
        }
        spill.push(OwnerRef(1), &[7, 1]);
        spill.finish();
        let (mut all, mut longest) = (Vec::new(), 0);
        let each = &mut |rows: &mut [i64]| {
            longest = longest.max(rows.len() / 2);
            all.extend_from_slice(rows);
            Ok(())
        };
        spill.read(OwnerRef(1), each).expect("read");
        let _gone = std::fs::remove_file(path);
        let rows: Vec<&[i64]> = all.chunks_exact(2).collect();
        assert_eq!(rows.len(), 5001);
        assert!(rows.is_sorted_by_key(|row| row[0]));
        assert_eq!((rows[7], rows[8]), (&[7, 0][..], &[7, 1][..]));
        assert!(longest <= 101, "{longest} rows at a time");
    }
}
