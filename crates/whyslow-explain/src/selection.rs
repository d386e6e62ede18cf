//! Which findings of an answer are shown: those of some size, those that nobody accepted, or a single one.

use crate::answer::{Accepted, Explained, Suppressed};
use crate::finding::Finding;
use whyslow_story::story::share;

impl Explained {
    /// Leaves out the findings that explain less than this percentage of the time, with those below them. One whose
    /// time is not known stays.
    pub fn leave_out_below(&mut self, least: f64) {
        let wall_ns = self.wall_ns;
        self.retain(&|one| !one.has_time() || share(one.wall_ns, wall_ns) >= least);
    }

    /// Adds findings that rules of users made: each stands before the first finding of a smaller share, or last. None
    /// explains time: what they count may have happened beside the path that mattered.
    pub fn add_of_rules(&mut self, findings: Vec<Finding>) {
        for mut one in findings {
            (one.explained_ns, one.below) = (0, None);
            let mut all = self.findings.iter();
            let at = all.position(|other| {
                let smaller = match other.is_of_rule() {
                    true => other.wall_ns < one.wall_ns,
                    false => other.explained_ns < one.wall_ns,
                };
                other.below.is_none() && smaller
            });
            let at = at.unwrap_or(self.findings.len());
            self.findings.insert(at, one);
        }
    }

    /// Leaves out the findings that `accepted` knows, with those below them, and says so in a line.
    pub fn suppress(&mut self, accepted: impl Fn(&Finding) -> Option<Accepted>) {
        let tops = self.findings.iter().filter(|one| one.below.is_none());
        let found = tops.filter_map(|one| {
            Some(Suppressed {
                id: one.id.clone(),
                key: one.key(),
                ns: one.explained_ns,
                accepted: accepted(one)?,
            })
        });
        let found: Vec<Suppressed> = found.collect();
        self.retain(&|one| found.iter().all(|gone| gone.id != one.id));
        self.suppressed.extend(found);
    }

    /// Returns the finding that a user names: by its number, its id, or its key.
    #[must_use]
    pub fn finding(&self, name: &str) -> Option<&Finding> {
        let number = name
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        let mut tops = self.findings.iter().filter(|one| one.below.is_none());
        match number {
            Some(at) => tops.nth(at),
            None => self
                .findings
                .iter()
                .find(|one| one.id == name || one.key() == name),
        }
    }

    /// Keeps one finding, with those below it.
    pub fn keep_only(&mut self, id: &str) {
        self.findings
            .retain(|one| one.id == id || one.below.as_deref() == Some(id));
        for one in self.findings.iter_mut().filter(|one| one.id == id) {
            one.below = None;
        }
    }

    /// Returns the place of a finding among all.
    #[must_use]
    pub fn place_of(&self, id: &str) -> Option<usize> {
        self.findings.iter().position(|one| one.id == id)
    }

    /// Keeps the finding at a place, with those below it, if it has this cause; returns whether it does.
    pub fn keep_at(&mut self, at: usize, cause: &str) -> bool {
        let same = self.findings.get(at).filter(|one| one.cause == cause);
        let id = same.map(|one| one.id.clone());
        if let Some(id) = &id {
            self.keep_only(id);
        }
        id.is_some()
    }

    /// Keeps the findings that `keeps` keeps; what is below another one goes with it.
    fn retain(&mut self, keeps: &dyn Fn(&Finding) -> bool) {
        let gone: Vec<String> = self
            .findings
            .iter()
            .filter(|one| one.below.is_none() && !keeps(one))
            .map(|one| one.id.clone())
            .collect();
        self.findings.retain(|one| {
            let top = one.below.as_ref().unwrap_or(&one.id);
            !gone.contains(top)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Confidence, Message};

    fn explained(findings: &[(&str, i64, Option<&str>)]) -> Explained {
        let finding = |&(id, ns, below): &(&str, i64, Option<&str>)| Finding {
            id: id.to_owned(),
            cause: id.to_owned(),
            confidence: Confidence::Certain,
            wall_ns: ns,
            explained_ns: ns,
            below: below.map(str::to_owned),
            facts: Vec::new(),
            claim: Message::default(),
            details: Vec::new(),
            evidence: Vec::new(),
            advice: None,
            verify: None,
        };
        Explained {
            extract: None,
            command: "x".to_owned(),
            span_ns: (0, 100),
            wall_ns: 100,
            failed: None,
            processes: 1,
            threads: 1,
            cpu_ns: 0,
            cpus: None,
            has_parts: false,
            parts: Vec::new(),
            findings: findings.iter().map(finding).collect(),
            nothing_stands_out: false,
            sampled: crate::answer::Sampled::default(),
            others: Vec::new(),
            gaps: Vec::new(),
            suppressed: Vec::new(),
            next: Vec::new(),
        }
    }

    fn ids(answer: &Explained) -> Vec<&str> {
        answer.findings.iter().map(|one| one.id.as_str()).collect()
    }

    #[test]
    fn what_is_accepted_goes_with_what_is_below_it_and_is_remembered() {
        let all = [
            ("disk", 60, None),
            ("lock", 50, Some("disk")),
            ("cpu", 30, None),
        ];
        let mut answer = explained(&all);
        answer.suppress(|one| {
            (one.cause == "disk").then(|| Accepted {
                reason: "known".to_owned(),
                until: "2027-01-01".to_owned(),
            })
        });
        assert_eq!(ids(&answer), ["cpu"]);
        let gone: Vec<_> = answer
            .suppressed
            .iter()
            .map(|one| (one.id.as_str(), one.ns))
            .collect();
        assert_eq!(gone, [("disk", 60)]);
        answer.leave_out_below(31.0);
        assert!(ids(&answer).is_empty());
    }

    #[test]
    fn a_finding_is_named_by_number_id_or_key() {
        let all = [
            ("disk", 60, None),
            ("lock", 50, Some("disk")),
            ("cpu", 30, None),
        ];
        let mut answer = explained(&all);
        let id = |name: &str| answer.finding(name).map(|one| one.id.clone());
        assert_eq!(id("2").as_deref(), Some("cpu"));
        assert_eq!(id("lock").as_deref(), Some("lock"));
        let key = answer.findings[0].key();
        assert_eq!(id(&key).as_deref(), Some("disk"));
        assert_eq!([id("0"), id("3"), id("nonsense")], [None, None, None]);
        answer.keep_only("disk");
        assert_eq!(ids(&answer), ["disk", "lock"]);
    }
}
