//! The parts of the wall time in whole percents that add up to 100.

use std::cmp::Reverse;

use crate::answer::{Explained, READY_KINDS};

/// Parts below this percentage are joined.
const LEAST: i64 = 3;

/// The most parts that are shown by name.
const MOST: usize = 5;

/// What the time of a part is, for the pattern of its bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// On a CPU.
    Running,
    /// Waiting for something.
    Waiting,
    /// Ready, without a CPU.
    Ready,
    /// Not known, or several small parts.
    Rest,
}

/// A part of the wall time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What the time is.
    pub spent: Spent,
    /// Its name, as `on CPU`.
    pub label: String,
    /// Its share of the wall time; all parts add up to 100.
    pub percent: u8,
}

/// Returns the parts, largest first, small ones joined.
pub(super) fn parts(answer: &Explained) -> Vec<Part> {
    let mut named: Vec<(Spent, String, i64)> = Vec::new();
    for part in &answer.parts {
        let (spent, label) = name(&part.kind);
        match named.iter_mut().find(|known| known.1 == label) {
            Some(known) => known.2 = known.2.saturating_add(part.ns),
            None => named.push((spent, label, part.ns)),
        }
    }
    named.sort_by_key(|&(_, _, ns)| Reverse(ns));
    let whole: i128 = named.iter().map(|&(_, _, ns)| i128::from(ns)).sum();
    let shown = |&(at, (_, _, ns)): &(usize, &(Spent, String, i64))| {
        at == 0 || (at < MOST && i128::from(*ns) * 100 >= i128::from(LEAST) * whole)
    };
    let shown = named.iter().enumerate().take_while(shown).count();
    let rest = named.split_off(shown);
    let label = match &rest[..] {
        [only] => only.1.clone(),
        _ => "other".to_owned(),
    };
    let rest_ns = rest.iter().map(|&(_, _, ns)| ns).sum();
    named.push((Spent::Rest, label, rest_ns));
    let percents = percents(&named.iter().map(|&(_, _, ns)| ns).collect::<Vec<_>>());
    let parts = named.into_iter().zip(percents);
    let parts = parts.map(|((spent, label, _), percent)| Part {
        spent,
        label,
        percent,
    });
    parts.filter(|part| part.percent > 0).collect()
}

/// Returns what the time of a kind is, and its name for a person.
fn name(kind: &str) -> (Spent, String) {
    let label = match kind {
        "cpu" => return (Spent::Running, "on CPU".to_owned()),
        "not-known" => return (Spent::Rest, "unknown".to_owned()),
        kind if READY_KINDS.contains(&kind) => return (Spent::Ready, kind.to_owned()),
        "writeback" | "journal" => "disk",
        "unknown" | "other" => "waiting",
        "sleep" => "sleeping",
        "child" => "child process",
        "condition" => "other threads",
        "exit" => "exiting",
        kind => return (Spent::Waiting, kind.replace('-', " ")),
    };
    (Spent::Waiting, label.to_owned())
}

/// Returns the shares of `amounts` in whole percents that add up to 100: what rounding down leaves
/// goes to those that lost most by it.
fn percents(amounts: &[i64]) -> Vec<u8> {
    let whole: i128 = amounts.iter().map(|&ns| i128::from(ns.max(0))).sum();
    if whole == 0 {
        return vec![0; amounts.len()];
    }
    let scaled: Vec<i128> = amounts
        .iter()
        .map(|&ns| i128::from(ns.max(0)) * 100)
        .collect();
    let mut percents: Vec<u8> = scaled
        .iter()
        .map(|ns| u8::try_from(ns / whole).unwrap_or(100))
        .collect();
    let missing = 100
        - percents
            .iter()
            .map(|&part| usize::from(part))
            .sum::<usize>();
    let mut order: Vec<usize> = (0..amounts.len()).collect();
    order.sort_by_key(|&at| Reverse(scaled[at] % whole));
    for at in order.into_iter().take(missing) {
        percents[at] += 1;
    }
    percents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_add_up_however_they_round() {
        assert_eq!(percents(&[1, 1, 1]), [34, 33, 33]);
        assert_eq!(percents(&[995, 5]), [100, 0]);
        assert_eq!(percents(&[i64::MAX, i64::MAX]), [50, 50]);
        assert_eq!(percents(&[0, 0]), [0, 0]);
        for seed in 1..200_i64 {
            let amounts: Vec<i64> = (1..9).map(|n| (seed * n * 7919) % 1009).collect();
            let sum: u32 = percents(&amounts).iter().map(|&part| u32::from(part)).sum();
            assert_eq!(sum, 100, "{amounts:?}");
        }
    }
}
