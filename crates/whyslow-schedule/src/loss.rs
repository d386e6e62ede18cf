//! When events were lost, so that nothing is claimed about those times.
//!
//! The windows of all CPUs together, merged: a thread may have run on any CPU while events were
//! lost there.

/// Maximum number of windows; beyond it the two oldest are joined, which only claims less.
const MAX_WINDOWS: usize = 1 << 14;

/// Merged windows of lost events, in time order.
#[derive(Debug, Default)]
pub(crate) struct LossWindows {
    windows: Vec<(i64, i64)>,
}

impl LossWindows {
    /// Adds the window from `from_ns` to `to_ns`.
    pub(crate) fn add(&mut self, from_ns: i64, to_ns: i64) {
        let mut from = from_ns.min(to_ns);
        let mut to = to_ns.max(from.saturating_add(1));
        let keep = self.windows.partition_point(|&(_, end)| end < from);
        let after = self.windows.partition_point(|&(start, _)| start <= to);
        for &(start, end) in self.windows.get(keep..after).unwrap_or_default() {
            from = from.min(start);
            to = to.max(end);
        }
        self.windows.splice(keep..after.max(keep), [(from, to)]);
        if self.windows.len() > MAX_WINDOWS {
            let (_, end) = self.windows.remove(1);
            if let Some(first) = self.windows.first_mut() {
                first.1 = end;
            }
        }
    }

    /// Returns when events were first lost between two times, or `None` if none were.
    pub(crate) fn first_in(&self, from_ns: i64, to_ns: i64) -> Option<i64> {
        if self.windows.last().is_none_or(|&(_, end)| end <= from_ns) {
            return None;
        }
        let at = self.windows.partition_point(|&(_, end)| end <= from_ns);
        let &(start, _) = self.windows.get(at)?;
        (start < to_ns).then_some(start.max(from_ns))
    }

    /// Returns the end of the last loss of events between two times, or `None` if none were lost.
    pub(crate) fn last_in(&self, from_ns: i64, to_ns: i64) -> Option<i64> {
        let before = self.windows.partition_point(|&(start, _)| start < to_ns);
        let &(_, end) = self.windows.get(before.checked_sub(1)?)?;
        (end > from_ns).then_some(end.min(to_ns))
    }

    /// Returns whether nothing was ever lost.
    pub(crate) fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_merge_and_the_first_is_found() {
        let mut loss = LossWindows::default();
        for (from, to) in [(10, 20), (40, 50), (15, 30), (60, 61), (5, 8)] {
            loss.add(from, to);
        }
        assert_eq!(loss.windows, [(5, 8), (10, 30), (40, 50), (60, 61)]);
        assert_eq!(loss.first_in(0, 100), Some(5));
        assert_eq!(loss.first_in(12, 100), Some(12));
        assert_eq!(loss.first_in(31, 40), None);
        assert_eq!(loss.first_in(31, 41), Some(40));
        assert_eq!(loss.first_in(62, 100), None);
        assert_eq!(loss.last_in(0, 100), Some(61));
        assert_eq!(loss.last_in(12, 45), Some(45));
        assert_eq!(loss.last_in(12, 40), Some(30));
        assert_eq!(loss.last_in(30, 40), None);
        assert_eq!(loss.last_in(0, 5), None);
        loss.add(0, 100);
        assert_eq!(loss.windows, [(0, 100)]);
    }
}
