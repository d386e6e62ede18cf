//! How much memory processes had: at first, at most, at last.

use std::collections::BTreeMap;

use whyslow_model::tables::ProcessMemoryRow;
use whyslow_model::{ProcessId, System};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::view::View;

/// What a process had in the time that counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryOf {
    /// At first: as it was read last before that time, or first in it.
    pub first: Option<ProcessMemoryRow>,
    /// At last.
    pub last: Option<ProcessMemoryRow>,
    /// The most that was in RAM.
    pub peak_bytes: Option<i64>,
    /// When that was; `None` where only the system knows that it was so much at some time.
    pub peak_ns: Option<i64>,
    /// The most that was in the swap area.
    pub swapped_bytes: Option<i64>,
    /// How often a change was read in that time.
    pub readings: i64,
}

impl MemoryOf {
    /// Returns by how much more it had in RAM at last than at first; `None` where it was read only once.
    pub fn growth_bytes(&self) -> Option<i64> {
        let (first, last) = (self.first.as_ref()?, self.last.as_ref()?);
        if last.time_ns <= first.time_ns {
            return None;
        }
        Some(last.resident_bytes?.saturating_sub(first.resident_bytes?))
    }

    fn add(&mut self, mut row: ProcessMemoryRow, is_before: bool, has_peak: bool) {
        if is_before && row.resident_bytes.is_none() {
            return;
        }
        // Where a source does not say something, what another one said last still holds.
        if let Some(last) = self.last.as_ref().filter(|_| row.resident_bytes.is_some()) {
            row.private_bytes = row.private_bytes.or(last.private_bytes);
            row.file_bytes = row.file_bytes.or(last.file_bytes);
            row.shared_bytes = row.shared_bytes.or(last.shared_bytes);
            row.swapped_bytes = row.swapped_bytes.or(last.swapped_bytes);
            row.committed_bytes = row.committed_bytes.or(last.committed_bytes);
        }
        if is_before {
            *self = Self::default();
        } else {
            self.readings += 1;
        }
        let ns = row.time_ns;
        if let Some(bytes) = row
            .resident_bytes
            .filter(|&bytes| Some(bytes) > self.peak_bytes)
        {
            (self.peak_bytes, self.peak_ns) = (Some(bytes), Some(ns));
        }
        if let Some(bytes) = row.peak_bytes.filter(|_| has_peak)
            && Some(bytes) > self.peak_bytes
        {
            (self.peak_bytes, self.peak_ns) = (Some(bytes), None);
        }
        self.swapped_bytes = self.swapped_bytes.max(row.swapped_bytes);
        if row.resident_bytes.is_some() {
            self.first.get_or_insert_with(|| row.clone());
            self.last = Some(row);
        }
    }
}

/// Returns what every process in a scope had.
///
/// # Errors
/// When the table cannot be read.
pub fn memory_of_processes(
    view: View<'_>,
    facts: &Facts,
    scope: &Scope,
) -> Result<BTreeMap<ProcessId, MemoryOf>, QueryError> {
    let os = facts.trace.as_ref().and_then(|trace| trace.os.as_deref());
    let is_windows = System::of(os) == System::Windows;
    let from = scope.window_ns.map_or(i64::MIN, |(from, _)| from);
    let mut found: BTreeMap<ProcessId, MemoryOf> = BTreeMap::new();
    recorded(view, scope, false, |row: ProcessMemoryRow| {
        let Some(process) = row.process else {
            return;
        };
        let is_before = row.time_ns < from;
        // The peak may have been before the time that counts; that of Windows also before the recording.
        let start_ns = facts.process(process).and_then(|process| process.start_ns);
        let has_peak = match start_ns {
            Some(start_ns) => start_ns >= from,
            None => scope.window_ns.is_none() && !is_windows,
        };
        let of = found.entry(process).or_default();
        of.add(row, is_before, has_peak);
    })?;
    Ok(found)
}
