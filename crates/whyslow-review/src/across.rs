//! The same finding over many recordings.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_explain::finding::{Message, OF_RULE, Value};
use whyslow_explain::{Explained, Finding};

/// What many recordings have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Across {
    /// How many recordings were explained.
    pub recordings: usize,
    /// How many machines they come from.
    pub machines: usize,
    /// In how many nothing stood out.
    pub healthy: usize,
    /// Their findings, the most frequent first, and of those the one that costs most.
    pub common: Vec<Common>,
}

/// One finding in some of the recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    /// Its key.
    pub key: String,
    /// Its cause.
    pub cause: String,
    /// What it is about; empty if nothing is known.
    pub about: String,
    /// In how many recordings it is.
    pub recordings: usize,
    /// On how many machines.
    pub machines: usize,
    /// Its share of the wall time, in percent, where it is.
    pub share: Range,
    /// What happened in the recording where its share is the largest, with the values of that sentence.
    pub claim: (Message, Vec<(&'static str, Value)>),
    /// That recording, if it has a name.
    pub worst: Option<String>,
}

impl Common {
    /// Returns whether it is known how much time it takes; of what rules of users find it may not be.
    #[must_use]
    pub fn has_time(&self) -> bool {
        let (_, facts) = &self.claim;
        let is_share =
            |(name, value): &(&str, Value)| *name == "share" && matches!(value, Value::Share(_));
        !self.cause.starts_with(OF_RULE) || facts.iter().any(is_share)
    }
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    /// The smallest.
    pub least: f64,
    /// The one in the middle.
    pub median: f64,
    /// The largest.
    pub most: f64,
}

/// A finding where it was found.
struct Found<'a> {
    finding: &'a Finding,
    share: f64,
    machine: &'a str,
    recording: Option<&'a str>,
}

impl Across {
    /// Compares answers, each with the name of its machine.
    #[must_use]
    pub fn of<'a>(answers: impl Iterator<Item = (&'a str, &'a Explained)>) -> Self {
        let mut across = Self::default();
        let mut machines = BTreeSet::new();
        let mut by_key: BTreeMap<String, Vec<Found<'a>>> = BTreeMap::new();
        for (machine, answer) in answers {
            across.recordings += 1;
            machines.insert(machine);
            across.healthy += usize::from(answer.nothing_stands_out);
            let mut here = BTreeSet::new();
            for finding in answer.findings.iter().filter(|one| one.below.is_none()) {
                let key = finding.key();
                // Twice in one recording is still one recording.
                if here.insert(key.clone()) {
                    by_key.entry(key).or_default().push(Found {
                        finding,
                        share: share(finding.wall_ns, answer.wall_ns),
                        machine,
                        recording: answer.extract.as_deref(),
                    });
                }
            }
        }
        across.machines = machines.len();
        across.common = by_key
            .into_iter()
            .filter_map(|(key, all)| common(key, all))
            .collect();
        across.common.sort_by(|a, b| {
            let by_share = b.share.median.total_cmp(&a.share.median);
            b.recordings
                .cmp(&a.recordings)
                .then(by_share)
                .then_with(|| a.key.cmp(&b.key))
        });
        across
    }
}

fn common(key: String, mut all: Vec<Found<'_>>) -> Option<Common> {
    all.sort_by(|a, b| a.share.total_cmp(&b.share));
    let (first, last) = (all.first()?, all.last()?);
    let machines: BTreeSet<&str> = all.iter().map(|one| one.machine).collect();
    Some(Common {
        key,
        cause: last.finding.cause.clone(),
        about: last.finding.about(),
        recordings: all.len(),
        machines: machines.len(),
        share: Range {
            least: first.share,
            median: all.get(all.len() / 2)?.share,
            most: last.share,
        },
        claim: (last.finding.claim.clone(), last.finding.facts.clone()),
        worst: last.recording.map(str::to_owned),
    })
}

#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn share(part: i64, whole: i64) -> f64 {
    match whole {
        ..=0 => 0.0,
        _ => 100.0 * part as f64 / whole as f64,
    }
}

#[cfg(test)]
mod tests {
    use whyslow_explain::{Answer, Target, explain};
    use whyslow_testkit::{Literal, MS};

    use super::*;

    /// A program that sleeps for a part of 1000 ms, and computes otherwise.
    fn answer(name: &str, slept_ms: i64) -> Explained {
        let mut trace = Literal::new(1000);
        let app = trace.process("app", 100, None);
        let main = trace.thread(app, "app");
        trace.threads[0].os_tid = 100;
        trace.processes[0].start_ns = Some(0);
        trace.processes[0].end_ns = Some(1000 * MS);
        trace.stack("nap", "k:do_nanosleep < nap < hold < main < _start");
        let text = format!("W{slept_ms}:nap<! R{}", 1000 - slept_ms);
        trace.play(main, &text);
        let target = Target {
            os_pid: Some(100),
            extract: Some(name.to_owned()),
            ..Target::default()
        };
        match explain(&trace.raw(name), &target).unwrap() {
            Answer::Explained(answer) => *answer,
            Answer::NotFound(_) => panic!("not found"),
        }
    }

    #[test]
    fn the_same_finding_is_counted_over_recordings_and_machines() {
        let answers = [answer("a", 300), answer("b", 500), answer("c", 900)];
        let named = ["one", "two", "two"].into_iter().zip(&answers);
        let across = Across::of(named);
        assert_eq!((across.recordings, across.machines), (3, 2));
        let sleep = across
            .common
            .iter()
            .find(|one| one.cause == "sleep")
            .unwrap();
        assert_eq!((sleep.recordings, sleep.machines), (3, 2));
        assert_eq!(
            sleep.share,
            Range {
                least: 30.0,
                median: 50.0,
                most: 90.0
            }
        );
        assert_eq!(sleep.worst.as_deref(), Some("c"));
        assert_eq!(across.common[0].recordings, 3);
        assert_eq!(Across::of(std::iter::empty()), Across::default());
    }
}
