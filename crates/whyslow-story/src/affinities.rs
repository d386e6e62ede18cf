//! Which CPUs a thread may use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use whyslow_model::tables::AffinityRow;
use whyslow_model::{Scan, TableRow, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;

/// Most CPUs that are followed.
const MOST_CPUS: i32 = 1 << 13;

/// What threads are bound to; by thread, in order of time.
#[derive(Debug, Default)]
pub struct Affinities(BTreeMap<ThreadId, Vec<(i64, String)>>);

impl Affinities {
    /// Reads the table; nothing where the extract has none.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut all: BTreeMap<ThreadId, Vec<(i64, String)>> = BTreeMap::new();
        view.scan(AffinityRow::SCHEMA, &Scan::default(), &mut |table| {
            for row in table.rows::<AffinityRow>() {
                let from = row.from_ns.unwrap_or(i64::MIN);
                all.entry(row.thread).or_default().push((from, row.cpus));
            }
            ControlFlow::Continue(())
        })?;
        for rows in all.values_mut() {
            rows.sort_by_key(|&(from, _)| from);
        }
        Ok(Self(all))
    }

    /// Returns whether affinities were recorded.
    pub fn is_recorded(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the CPUs that a thread may use at a time, such as `0-3,8`; `None`: all.
    pub fn at(&self, thread: ThreadId, ns: i64) -> Option<&str> {
        let rows = self.0.get(&thread)?;
        let before = rows.partition_point(|&(from, _)| from <= ns);
        let (_, cpus) = rows.get(before.checked_sub(1)?)?;
        Some(cpus)
    }
}

/// Returns a set of CPUs as a list such as `0-3,8`.
pub fn spelled(cpus: &BTreeSet<i32>) -> String {
    let mut ranges: Vec<(i32, i32)> = Vec::new();
    for &cpu in cpus {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => ranges.push((cpu, cpu)),
        }
    }
    let spelled = ranges.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    spelled.collect::<Vec<_>>().join(",")
}

/// Returns the CPUs in a list such as `0-3,8`.
pub fn parse(list: &str) -> BTreeSet<i32> {
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (i32, i32) = (first.parse().ok()?, last.parse().ok()?);
        Some(first.clamp(0, MOST_CPUS)..=last.clamp(-1, MOST_CPUS))
    };
    list.split(',').filter_map(part).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{parse, spelled};

    #[test]
    fn lists_of_cpus() {
        assert_eq!(Vec::from_iter(parse("0-2,5")), [0, 1, 2, 5]);
        assert_eq!(Vec::from_iter(parse("7")), [7]);
        assert_eq!(spelled(&parse("8,0-2,1,3")), "0-3,8");
        assert!(parse("").is_empty());
        assert!(parse("3-1,x").is_empty());
    }
}
