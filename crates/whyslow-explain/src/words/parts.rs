//! The parts of the wall time in whole percents, rounded as the shares of the findings are.

use std::cmp::Reverse;

use crate::answer::{Explained, READY_KINDS};
use whyslow_story::story::share;

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
    /// Its share of the wall time. Each is rounded by itself, so that a finding about all of the part
    /// says the same.
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
        "quota" => return (Spent::Ready, "CPU quota used up".to_owned()),
        "not-known" => return (Spent::Rest, "unknown".to_owned()),
        kind if READY_KINDS.contains(&kind) => return (Spent::Ready, kind.to_owned()),
        "writeback" | "journal" => "disk",
        "unknown" | "other" => "waiting",
        "supervisor" => "stopped",
        "sleep" => "sleeping",
        "cold-read" => "disk reads",
        "dns" => "DNS",
        "gil" => "GIL",
        "goroutines" => "waiting in Go",
        "accept" | "work" | "helper" | "loop" => "idle",
        "terminal-output" => "terminal",
        "child" => "child process",
        "condition" => "other threads",
        "exit" => "exiting",
        kind => return (Spent::Waiting, kind.replace('-', " ")),
    };
    (Spent::Waiting, label.to_owned())
}

/// Returns the shares of `amounts` in whole percents.
fn percents(amounts: &[i64]) -> Vec<u8> {
    let whole: i64 = amounts
        .iter()
        .fold(0, |sum, &ns| sum.saturating_add(ns.max(0)));
    let rounded = |&ns: &i64| {
        format!("{:.0}", share(ns.max(0), whole))
            .parse()
            .unwrap_or(0)
    };
    amounts.iter().map(rounded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_round_as_the_shares_of_findings_do() {
        assert_eq!(percents(&[1, 1, 1]), [33, 33, 33]);
        assert_eq!(percents(&[995, 5]), [100, 0]);
        assert_eq!(percents(&[0, 0]), [0, 0]);
        assert_eq!(percents(&[i64::MAX, i64::MAX]), [100, 100]);
        for seed in 1..200_i64 {
            let amounts: Vec<i64> = (1..9).map(|n| (seed * n * 7919) % 1009).collect();
            let whole: i64 = amounts.iter().sum();
            for (&ns, percent) in amounts.iter().zip(percents(&amounts)) {
                assert_eq!(format!("{:.0}", share(ns, whole)), percent.to_string());
            }
        }
    }
}
