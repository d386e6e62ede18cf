//! What is printed: a line for each case, and totals.

use std::fmt;

use crate::case::Case;
use crate::score::{Score, Verdict};

/// Longest reason that is printed.
const LONGEST: usize = 110;

/// A case's answers.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    case: &'a Case,
    /// What it needs and this machine does not have.
    pub(crate) needs: Option<String>,
    /// One for each time.
    pub(crate) scores: Vec<Score>,
    /// How often other programs used the CPUs meanwhile.
    pub(crate) loud: usize,
}

impl<'a> Row<'a> {
    /// A case without answers yet.
    pub(crate) fn new(case: &'a Case) -> Self {
        Self {
            case,
            needs: None,
            scores: Vec::new(),
            loud: 0,
        }
    }

    /// It could not be run.
    pub(crate) fn fail(&mut self, problem: &str) {
        self.scores.push(Score {
            verdict: Verdict::Failed,
            why: problem.to_owned(),
        });
    }

    /// The worst answer.
    pub(crate) fn worst(&self) -> Option<Verdict> {
        self.scores.iter().map(|score| score.verdict).max()
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.case.name;
        let Some(worst) = self.scores.iter().max_by_key(|score| score.verdict) else {
            let need = self.needs.as_deref().unwrap_or("nothing");
            return write!(out, "skipped      {name:<24} needs {need}");
        };
        let alike = self
            .scores
            .iter()
            .filter(|score| score.verdict == worst.verdict);
        let times = match self.scores.len() {
            1 => String::new(),
            all => format!("{}/{all}", alike.count()),
        };
        let why: String = worst.why.chars().take(LONGEST).collect();
        write!(out, "{:<8} {times:<3} {name:<24} {why}", worst.verdict)
    }
}

/// How many of each verdict, slow and healthy programs apart.
pub(crate) fn totals(rows: &[Row<'_>]) -> String {
    let mut lines = Vec::new();
    for (healthy, kind) in [(false, "slow"), (true, "healthy")] {
        let of_kind = || rows.iter().filter(|row| row.case.healthy == healthy);
        let judged = of_kind().filter(|row| row.worst().is_some()).count();
        let counts = Verdict::ALL.iter().filter_map(|verdict| {
            let count = of_kind()
                .filter(|row| row.worst() == Some(*verdict))
                .count();
            (count > 0).then(|| format!("{count} {verdict}"))
        });
        let counts: Vec<_> = counts.collect();
        let skipped = of_kind().count() - judged;
        lines.push(format!(
            "{judged} {kind}: {}; {skipped} skipped",
            counts.join(", ")
        ));
    }
    let loud: usize = rows.iter().map(|row| row.loud).sum();
    if loud > 0 {
        lines.push(format!(
            "{loud} runs while other programs used the CPUs, too"
        ));
    }
    lines.join("\n")
}

/// A case and what a right answer contains.
pub(crate) fn listed(case: &Case) -> String {
    let expected = case.expect.iter().map(|expect| {
        let mut parts = expect.cause.join("|");
        for (label, list) in [
            ("", &expect.object),
            ("in ", &expect.place),
            ("by ", &expect.peer),
        ] {
            if !list.is_empty() {
                parts.push_str(&format!(", {label}{}", list.join("|")));
            }
        }
        parts
    });
    let expected: Vec<_> = expected.collect();
    let expected = match case.healthy {
        true => "healthy".to_owned(),
        false => expected.join("; "),
    };
    format!("{:<24} {}\n{:<24} {expected}", case.name, case.title, "")
}
