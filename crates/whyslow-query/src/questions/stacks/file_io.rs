//! Which share of a thread's sampled calls is about which files.
//!
//! A stack is taken of one call in so many, and says which system call it was but not of which file. How often the
//! thread made such calls about each file at that time is counted, so each sample counts by the share of the files
//! that are asked for.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::tables::FileCallRow;
use whyslow_model::{FileId, FileOperation, SystemCall, ThreadId};

use crate::error::QueryError;
use crate::file_calls::{FileNames, single_file_calls};
use crate::pattern::Pattern;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::system_calls::{SampledCall, sampled_calls};
use crate::view::View;

/// Kinds of what is in no folder, as far as it is known; pipes in folders are rare.
const NO_FILES: [&str; 3] = ["pipe", "socket", "other"];

/// Calls of one thread in a stretch of time, by what they did: how many are asked for, of how many.
#[derive(Debug, Default)]
struct Stretch {
    to_ns: i64,
    counts: BTreeMap<i32, (i64, i64)>,
}

/// How often threads made calls on files, and about which.
#[derive(Debug, Default)]
struct Shares {
    /// What calls do, as single ones show.
    operations: BTreeMap<SystemCall, BTreeSet<FileOperation>>,
    /// By thread, and by when a stretch begins.
    threads: BTreeMap<ThreadId, BTreeMap<i64, Stretch>>,
}

/// Gives every sampled call that may be on files with such paths to `each`, with how many it represents.
pub(super) fn sampled_file_calls(
    view: View<'_>,
    scope: &Scope,
    paths: &Pattern,
    mut each: impl FnMut(&SampledCall),
) -> Result<(), QueryError> {
    let shares = Shares::read(view, scope, paths)?;
    sampled_calls(view, scope, |call| {
        if let Some(count) = shares.of(call) {
            each(&SampledCall { count, ..*call });
        }
    })
}

impl Shares {
    fn read(view: View<'_>, scope: &Scope, paths: &Pattern) -> Result<Self, QueryError> {
        let names = FileNames::read(view)?;
        let mut shares = Self::default();
        single_file_calls(view, scope, |call| {
            let operations = shares.operations.entry(call.call).or_default();
            operations.insert(call.operation);
        })?;
        recorded(view, scope, false, |row: FileCallRow| {
            let Some(thread) = row.thread else { return };
            let count = row.count.max(0);
            let is_asked_for = is_file(&names, row.file) && paths.matches(names.path(row.file));
            let stretches = shares.threads.entry(thread).or_default();
            let stretch = stretches.entry(row.from_ns).or_default();
            let to_ns = row.from_ns.saturating_add(row.duration_ns);
            stretch.to_ns = stretch.to_ns.max(to_ns);
            let sum = stretch.counts.entry(row.operation).or_default();
            sum.0 = sum.0.saturating_add(if is_asked_for { count } else { 0 });
            sum.1 = sum.1.saturating_add(count);
        })?;
        Ok(shares)
    }

    /// Returns how many wanted calls a sampled one represents; `None` for none.
    fn of(&self, call: &SampledCall) -> Option<i64> {
        use whyslow_model::Named;
        let operations = self.operations.get(&call.call)?;
        let stretches = self.threads.get(&call.thread)?;
        let (_, stretch) = stretches.range(..=call.time_ns).next_back()?;
        // Samples come a little after their call.
        if call.time_ns > stretch.to_ns.saturating_add(1_000_000) {
            return None;
        }
        let counts = operations.iter();
        let counts = counts.filter_map(|operation| stretch.counts.get(&operation.code()));
        let (asked_for, all) = counts.fold((0_i64, 0_i64), |sum, count| {
            (sum.0.saturating_add(count.0), sum.1.saturating_add(count.1))
        });
        let stands_for = i128::from(call.count) * i128::from(asked_for);
        let stands_for = stands_for.checked_div(i128::from(all))?;
        i64::try_from(stands_for).ok().filter(|&count| count > 0)
    }
}

/// Names that were not opened are names of files, too.
fn is_file(names: &FileNames, file: Option<FileId>) -> bool {
    match names.kind(file) {
        Some(kind) => !NO_FILES.contains(&kind),
        None => !names.path(file).starts_with('['),
    }
}
