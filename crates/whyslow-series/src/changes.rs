//! Two experiments that were kept: what changed from one to the other, and how sure that is.
//!
//! ```text
//! two series ─► the sizes that both have ─► blocks of neighboring sizes ─► a ratio of every figure
//!                                                     │ drawn again and again, and the passes too
//!                                                     └─► its 95 % interval
//! ```
//!
//! The blocks are drawn in pairs, so a cost that grows with the size does not widen the interval. Passes are
//! drawn too, where there are several: the machine's own ups and downs between them are in the interval. Of one
//! pass each, only what varied within it is.

mod beside;
mod blocks;
mod table;

pub use beside::lines;
pub use table::{COLUMNS, table};

use crate::kept::{Kept, KeptSeries};
use blocks::Pair;

/// What two experiments have in common, and what changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// Facts that differ: name, value before, value after.
    pub facts: Vec<(String, String, String)>,
    /// Series that both have.
    pub series: Vec<Change>,
    /// Series that only the first has.
    pub gone: Vec<String>,
    /// Series that only the second has.
    pub new: Vec<String>,
}

/// A series that both experiments have.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What was repeated.
    pub operation: String,
    /// The way; empty where there was only one.
    pub arm: String,
    /// What each was made on.
    pub systems: [String; 2],
    /// The largest size that both have.
    pub largest: f64,
    /// Operations of each that were compared.
    pub operations: [usize; 2],
    /// The passes of each.
    pub passes: [usize; 2],
    /// What changed, the mean first.
    pub figures: Vec<Changed>,
    /// The law of each, as one word.
    pub laws: [&'static str; 2],
}

/// A figure of both series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Changed {
    /// Which one.
    pub figure: Figure,
    /// Its value in each, in nanoseconds.
    pub ns: [f64; 2],
    /// The second over the first.
    pub ratio: f64,
    /// The 95 % interval of that; `None` where there are too few operations to say so.
    pub interval: Option<(f64, f64)>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The mean: what all operations together cost.
    Mean,
    /// The typical operation, size by size.
    Typical,
    /// 95 of 100 operations take at most this.
    P95,
    /// 99 of 100 operations take at most this.
    P99,
}

impl Figure {
    /// Every figure, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Mean, Self::Typical, Self::P95, Self::P99];

    /// Returns what it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Typical => "median",
            Self::P95 => "p95",
            Self::P99 => "p99",
        }
    }
}

/// A change within this factor is none.
const SAME: f64 = 1.02;

/// Where an interval this narrow contains 1, nothing changed.
const NARROW: f64 = 1.1;

/// How sure a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// It costs more now.
    More,
    /// It costs less now.
    Less,
    /// It costs the same.
    Same,
    /// Too few operations, or too much scatter, to tell.
    Open,
}

impl Certainty {
    /// Returns it as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Same => "same",
            Self::Open => "open",
        }
    }
}

impl Changed {
    /// Returns what is certain about it.
    pub fn certainty(&self) -> Certainty {
        match self.interval {
            Some((low, _)) if low > SAME => Certainty::More,
            Some((_, high)) if high < 1.0 / SAME => Certainty::Less,
            Some((low, high)) if low > 1.0 / NARROW && high < NARROW => Certainty::Same,
            _ => Certainty::Open,
        }
    }

    /// Returns by how much it changed, whatever the direction.
    fn size(&self) -> f64 {
        self.ratio.max(f64::MIN_POSITIVE).ln().abs()
    }
}

impl Change {
    /// Returns what it is called.
    pub fn title(&self) -> String {
        let mut title = self.operation.clone();
        if !self.arm.is_empty() {
            title += &format!(", {}", self.arm);
        }
        let [before, after] = &self.systems;
        match (before.as_str(), after.as_str()) {
            ("", "") => title,
            (before, after) if before == after => format!("{title}, on {before}"),
            _ => format!("{title}, on {before} and then on {after}"),
        }
    }

    /// Returns what is certain about it: of its figures the one that changed most, where one surely did.
    pub fn worst(&self) -> Option<&Changed> {
        let sure = |one: &&Changed| matches!(one.certainty(), Certainty::More | Certainty::Less);
        let changed = self.figures.iter().filter(sure);
        changed.max_by(|a, b| a.size().total_cmp(&b.size()))
    }

    /// Returns whether one figure or several surely cost more now.
    pub fn is_worse(&self) -> bool {
        self.figures
            .iter()
            .any(|one| one.certainty() == Certainty::More)
    }

    /// Returns what changed, in sentences; `cost` writes a duration in nanoseconds.
    pub fn sentences(&self, cost: fn(f64) -> String) -> Vec<String> {
        let mut said = vec![match self.worst() {
            Some(_) => self.changed(cost),
            None => self.unchanged(),
        }];
        if self.laws[0] != self.laws[1] && !self.laws.contains(&"too few") {
            said.push(format!(
                "The law was {}, and is now {}.",
                self.laws[0], self.laws[1]
            ));
        }
        if self.passes == [1, 1] && self.worst().is_some() {
            said.push(
                "There was one pass each, so the intervals do not cover how much the machine varies from run to run."
                    .to_owned(),
            );
        }
        said
    }

    /// Returns the figures that surely changed, the one that changed most first.
    fn changed(&self, cost: fn(f64) -> String) -> String {
        let sure = |one: &&Changed| matches!(one.certainty(), Certainty::More | Certainty::Less);
        let mut changed: Vec<&Changed> = self.figures.iter().filter(sure).collect();
        changed.sort_by(|a, b| b.size().total_cmp(&a.size()));
        let parts = changed.iter().map(|one| {
            let [before, after] = one.ns.map(cost);
            let (low, high) = one.interval.unwrap_or((one.ratio, one.ratio));
            let ratio = one.ratio;
            format!(
                "{} {ratio:.2} times ({low:.2}–{high:.2}), from {before} to {after}",
                one.figure.name()
            )
        });
        let parts: Vec<String> = parts.collect();
        let others: Vec<&str> = self.names(Certainty::Same);
        let others = match others.as_slice() {
            [] => String::new(),
            names => format!("; the same: {}", names.join(", ")),
        };
        format!("{}: {}{others}.", self.title(), parts.join("; "))
    }

    fn unchanged(&self) -> String {
        let title = self.title();
        if self.names(Certainty::Open).is_empty() {
            return format!("{title}: the same as before.");
        }
        let intervals = self.figures.iter().filter_map(|one| {
            let (low, high) = one.interval?;
            Some(format!("{} {low:.2}–{high:.2} times", one.figure.name()))
        });
        let intervals: Vec<String> = intervals.collect();
        match intervals.as_slice() {
            [] => format!("{title}: too few operations to compare."),
            intervals => format!(
                "{title}: no change that is certain; {}.",
                intervals.join(", ")
            ),
        }
    }

    fn names(&self, certainty: Certainty) -> Vec<&'static str> {
        let of = self
            .figures
            .iter()
            .filter(|one| one.certainty() == certainty);
        of.map(|one| one.figure.name()).collect()
    }
}

/// Returns what changed from `before` to `after`.
pub fn changes(before: &Kept, after: &Kept) -> Changes {
    let mut left: Vec<&KeptSeries> = after.series.iter().collect();
    let (mut series, mut gone) = (Vec::new(), Vec::new());
    // Where the systems have nothing in common, they are what is compared.
    let on = |kept: &Kept, system: &str| kept.series.iter().any(|one| one.system == system);
    let shared = before.series.iter().any(|one| on(after, &one.system));
    for one in &before.series {
        let same = |other: &&KeptSeries| {
            let system = !shared || other.system == one.system;
            system && other.operation == one.operation && other.arm == one.arm
        };
        match left.iter().position(same) {
            Some(at) => series.push(change(one, left.remove(at))),
            None => gone.push(title(one)),
        }
    }
    let mut names: Vec<&String> = before.facts.keys().chain(after.facts.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let facts = names.into_iter().filter_map(|name| {
        let of = |kept: &Kept| {
            kept.facts
                .get(name)
                .cloned()
                .unwrap_or_else(|| "not known".to_owned())
        };
        let (was, is) = (of(before), of(after));
        (was != is).then(|| (name.clone(), was, is))
    });
    Changes {
        facts: facts.collect(),
        series,
        gone,
        new: left.into_iter().map(title).collect(),
    }
}

fn title(series: &KeptSeries) -> String {
    let parts = [&series.operation, &series.arm, &series.system];
    let parts: Vec<&str> = parts
        .into_iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(", ")
}

fn change(before: &KeptSeries, after: &KeptSeries) -> Change {
    let largest = before.largest().min(after.largest());
    let pair = Pair::new([before, after], largest);
    Change {
        operation: before.operation.clone(),
        arm: before.arm.clone(),
        systems: [before.system.clone(), after.system.clone()],
        largest,
        operations: pair.operations(),
        passes: [before.passes.len(), after.passes.len()],
        figures: pair.figures(),
        laws: [law(before), law(after)],
    }
}

/// Returns the law of a series as one word.
fn law(series: &KeptSeries) -> &'static str {
    let costs = |pass: &Vec<(f64, u64)>| -> Vec<f64> {
        pass.iter()
            .map(|(_, ns)| crate::summary::real(*ns))
            .collect()
    };
    let mut passes = series.passes.iter();
    let Some(first) = passes.next() else {
        return "too few";
    };
    let (n, cost) = (
        first.iter().map(|(n, _)| *n).collect::<Vec<f64>>(),
        costs(first),
    );
    let again: Vec<f64> = series
        .again
        .iter()
        .map(|ns| crate::summary::real(*ns))
        .collect();
    let repeats: Vec<Vec<f64>> = passes.map(costs).collect();
    let judgement = whyslow_law::judge(&whyslow_law::Series {
        n: &n,
        cost: &cost,
        again: &again,
        repeats: &repeats,
        ..whyslow_law::Series::default()
    });
    judgement.law.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a series of `passes` passes over 1,000 sizes.
    fn series(system: &str, passes: u64, ns: impl Fn(u64, u64) -> u64) -> KeptSeries {
        let pass = |pass: u64| {
            (1..=1_000_u32)
                .map(|n| (f64::from(n), ns(pass, u64::from(n))))
                .collect()
        };
        KeptSeries {
            system: system.to_owned(),
            operation: "create".to_owned(),
            arm: String::new(),
            passes: (0..passes).map(pass).collect(),
            again: Vec::new(),
        }
    }

    fn kept(version: &str, series: Vec<KeptSeries>) -> Kept {
        Kept {
            facts: [("version".to_owned(), version.to_owned())].into(),
            series,
        }
    }

    /// Returns something that looks random, below 1,000.
    fn noise(at: u64) -> u64 {
        (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % 1_000
    }

    fn cost(ns: f64) -> String {
        format!("{:.1} µs", ns / 1e3)
    }

    fn of(change: &Change, figure: Figure) -> Changed {
        *change
            .figures
            .iter()
            .find(|one| one.figure == figure)
            .expect("all are there")
    }

    #[test]
    fn what_costs_more_is_told_with_its_interval() {
        let before = kept("1", vec![series("ext4", 1, |_, n| 10_000 + noise(n))]);
        let after = kept("2", vec![series("ext4", 1, |_, n| 13_000 + noise(n + 7))]);
        let found = changes(&before, &after);
        assert_eq!(
            found.facts,
            [("version".to_owned(), "1".to_owned(), "2".to_owned())]
        );
        let [change] = found.series.as_slice() else {
            panic!("{found:?}");
        };
        let mean = of(change, Figure::Mean);
        assert!((mean.ratio - 13.5 / 10.5).abs() < 0.01, "{mean:?}");
        let (low, high) = mean.interval.expect("enough");
        assert!(
            low < mean.ratio && mean.ratio < high && high - low < 0.05,
            "{mean:?}"
        );
        assert_eq!(mean.certainty(), Certainty::More);
        assert!(change.is_worse());
        let said = change.sentences(cost);
        assert!(
            said[0].starts_with("create, on ext4: ") && said[0].contains("mean 1.29 times"),
            "{said:?}"
        );
        assert!(said[1].contains("one pass each"), "{said:?}");
        let back = changes(&after, &before);
        assert_eq!(
            of(&back.series[0], Figure::Mean).certainty(),
            Certainty::Less
        );
        assert!(!back.series[0].is_worse());
    }

    #[test]
    fn a_tail_that_grew_is_seen_while_the_median_stays() {
        let before = kept("1", vec![series("ext4", 1, |_, n| 10_000 + noise(n))]);
        let tail = |_, n| {
            if noise(n) < 30 {
                400_000
            } else {
                10_000 + noise(n + 7)
            }
        };
        let found = changes(&before, &kept("1", vec![series("ext4", 1, tail)]));
        let change = &found.series[0];
        assert_eq!(
            of(change, Figure::Typical).certainty(),
            Certainty::Same,
            "{change:?}"
        );
        assert_eq!(
            change.worst().map(|one| one.figure),
            Some(Figure::P99),
            "{change:?}"
        );
        let said = change.sentences(cost);
        assert!(
            said[0].contains("create, on ext4: p99 3") && said[0].contains("the same: median"),
            "{said:?}"
        );
    }

    #[test]
    fn passes_that_differ_widen_the_interval() {
        let same = |passes| {
            let slow = |pass: u64, n| {
                (if pass.is_multiple_of(2) {
                    10_000
                } else {
                    14_000
                }) + noise(n)
            };
            let before = kept(
                "1",
                vec![series("ext4", passes, |_, n| 12_000 + noise(n + 3))],
            );
            let after = kept("1", vec![series("ext4", passes, slow)]);
            of(&changes(&before, &after).series[0], Figure::Mean)
        };
        let several = same(4);
        assert_eq!(several.certainty(), Certainty::Open, "{several:?}");
        let (low, high) = several.interval.expect("enough");
        assert!(low < 0.9 && high > 1.1, "{several:?}");
    }

    #[test]
    fn growth_does_not_hide_what_stayed_the_same() {
        let grows = |shift| move |_: u64, n: u64| 1_000 + n * 100 + noise(n + shift);
        let before = kept("1", vec![series("ext4", 1, grows(0))]);
        let found = changes(&before, &kept("1", vec![series("ext4", 1, grows(9))]));
        let change = &found.series[0];
        assert!(
            change
                .figures
                .iter()
                .all(|one| one.certainty() == Certainty::Same),
            "{change:?}"
        );
        assert_eq!(
            change.sentences(cost),
            ["create, on ext4: the same as before."]
        );
        assert_eq!(found.facts, []);
    }

    #[test]
    fn few_sizes_and_different_lengths_are_compared_as_far_as_both_go() {
        let few = |factor: u64| KeptSeries {
            passes: vec![
                (0..11_u32)
                    .map(|at| (f64::from(1_u32 << at), factor * (1_000 << at)))
                    .collect(),
            ],
            ..series("", 0, |_, _| 0)
        };
        let found = changes(&kept("1", vec![few(1)]), &kept("1", vec![few(3)]));
        let change = &found.series[0];
        let typical = of(change, Figure::Typical);
        assert!(
            (typical.ratio - 3.0).abs() < 0.01 && typical.certainty() == Certainty::More,
            "{change:?}"
        );
        let mut short = few(1);
        short.passes[0].truncate(3);
        let found = changes(&kept("1", vec![short]), &kept("1", vec![few(3)]));
        let change = &found.series[0];
        assert_eq!(
            (change.operations, change.largest.to_bits()),
            ([3, 3], 4.0_f64.to_bits())
        );
        assert!(
            change.figures.iter().all(|one| one.interval.is_none()),
            "{change:?}"
        );
        assert_eq!(
            change.sentences(cost),
            ["create: too few operations to compare."]
        );
    }

    #[test]
    fn series_find_their_like_and_what_is_alone_is_named() {
        let flat = |system: &str| series(system, 1, |_, n| 10_000 + noise(n));
        let found = changes(
            &kept("1", vec![flat("ext4"), flat("xfs")]),
            &kept("1", vec![flat("xfs"), flat("btrfs")]),
        );
        assert_eq!(
            (found.series.len(), &*found.series[0].systems[0]),
            (1, "xfs")
        );
        assert_eq!(
            (found.gone, found.new),
            (
                vec!["create, ext4".to_owned()],
                vec!["create, btrfs".to_owned()]
            )
        );
        let found = changes(
            &kept("1", vec![flat("ext4")]),
            &kept("1", vec![flat("xfs")]),
        );
        assert_eq!(found.series[0].title(), "create, on ext4 and then on xfs");
    }
}
