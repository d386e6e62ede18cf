//! Stretches of time that do not overlap. All times are in nanoseconds; a stretch ends before its
//! second time.

/// Stretches of time, in order; none overlaps or touches another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spans(Vec<(i64, i64)>);

impl Spans {
    /// Joins stretches given in any order.
    pub fn new(parts: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut parts: Vec<_> = parts.into_iter().filter(|(from, to)| from < to).collect();
        parts.sort_unstable();
        let mut spans: Vec<(i64, i64)> = Vec::new();
        for (from, to) in parts {
            match spans.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => spans.push((from, to)),
            }
        }
        Self(spans)
    }

    /// Returns their total length.
    pub fn ns(&self) -> i64 {
        self.0.iter().map(|(from, to)| to - from).sum()
    }

    /// Returns how much of `[from, to)` they cover.
    pub fn within(&self, from: i64, to: i64) -> i64 {
        let first = self.0.partition_point(|&(_, end)| end <= from);
        let spans = self.0[first..].iter();
        let spans = spans.take_while(|&&(start, _)| start < to);
        spans
            .map(|&(start, end)| end.min(to) - start.max(from))
            .sum()
    }

    /// Returns the stretches, in order.
    pub fn parts(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }

    /// Returns the parts of `[from, to)` that they cover, in order.
    pub fn cut(&self, from: i64, to: i64) -> Vec<(i64, i64)> {
        let first = self.0.partition_point(|&(_, end)| end <= from);
        let spans = self.0[first..].iter();
        let spans = spans.take_while(|&&(start, _)| start < to);
        spans
            .map(|&(start, end)| (start.max(from), end.min(to)))
            .collect()
    }

    /// Returns how long the two overlap.
    pub fn overlap(&self, other: &Self) -> i64 {
        let parts = other.0.iter();
        parts.map(|&(from, to)| self.within(from, to)).sum()
    }

    /// Returns the time covered by this one but not by the other.
    pub fn without(&self, other: &Self) -> Self {
        let mut left = Vec::new();
        for &(from, to) in &self.0 {
            let first = other.0.partition_point(|&(_, end)| end <= from);
            let cuts = other.0[first..].iter();
            let mut at = from;
            for &(start, end) in cuts.take_while(|&&(start, _)| start < to) {
                left.push((at, start));
                at = end.min(to);
            }
            left.push((at, to));
        }
        Self::new(left)
    }

    /// Returns the time that both cover.
    pub fn common(&self, other: &Self) -> Self {
        self.without(&self.without(other))
    }

    /// Returns the time covered by either.
    pub fn and(&self, other: &Self) -> Self {
        Self::new(self.0.iter().chain(&other.0).copied())
    }
}

/// What is left of stretches of time after others are cut out. The cuts are not kept: there may be
/// as many as there are rows.
#[derive(Debug)]
pub struct Rest {
    left: Spans,
    /// Those still to be cut out.
    cuts: Vec<(i64, i64)>,
    /// Maximum number of stretches that may be left.
    most: usize,
}

impl Rest {
    /// Number of stretches that are cut out at once.
    const AT_ONCE: usize = 1 << 14;

    /// Starts with `spans`; the cuts may add `most` stretches.
    pub fn new(spans: Spans, most: usize) -> Self {
        Self {
            most: spans.0.len().saturating_add(most),
            left: spans,
            cuts: Vec::new(),
        }
    }

    /// Cuts out a stretch.
    pub fn cut(&mut self, from: i64, to: i64) {
        if self.left.within(from, to) == 0 {
            return;
        }
        self.cuts.push((from, to));
        if self.cuts.len() >= Self::AT_ONCE.max(self.left.0.len()) {
            self.settle();
        }
    }

    /// Returns what is left: nothing, if that is in too many pieces.
    pub fn left(mut self) -> Spans {
        self.settle();
        self.left
    }

    fn settle(&mut self) {
        let cuts = Spans::new(std::mem::take(&mut self.cuts));
        self.left = self.left.without(&cuts);
        if self.left.0.len() > self.most {
            self.left = Spans::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cuts_are_not_kept() {
        let whole = Spans::new([(0, 100_000)]);
        let rest = |most| Rest::new(whole.clone(), most);
        let mut all = rest(100);
        // Cuts everything but the last ten, each several times.
        for at in (0..99_990).chain(0..99_990) {
            all.cut(at, at + 3);
            assert!(all.cuts.len() < Rest::AT_ONCE, "{at}");
        }
        assert_eq!(all.left(), Spans(vec![(99_992, 100_000)]));
        // Cuts every second one.
        let halves = |most| {
            let mut rest = rest(most);
            for at in 0..100 {
                rest.cut(2 * at, 2 * at + 1);
            }
            rest.left()
        };
        assert_eq!(halves(100).ns(), 100_000 - 100);
        assert_eq!(halves(50), Spans::default());
    }

    #[test]
    fn what_overlaps_counts_once() {
        let some = Spans::new([(10, 20), (0, 5), (5, 7), (15, 30), (40, 40)]);
        assert_eq!(some, Spans(vec![(0, 7), (10, 30)]));
        assert_eq!(some.ns(), 27);
        assert_eq!(some.within(6, 12), 3);
        assert_eq!(some.cut(6, 12), [(6, 7), (10, 12)]);
        let other = Spans::new([(6, 11), (29, 50)]);
        assert_eq!((some.overlap(&other), other.overlap(&some)), (3, 3));
        assert_eq!(some.and(&other), Spans::new([(0, 50)]));
        assert_eq!(some.without(&other), Spans(vec![(0, 6), (11, 29)]));
        assert_eq!(other.without(&some), Spans(vec![(7, 10), (30, 50)]));
        assert_eq!(some.without(&some), Spans::default());
        assert_eq!(some.common(&other), Spans(vec![(6, 7), (10, 11), (29, 30)]));
    }
}
