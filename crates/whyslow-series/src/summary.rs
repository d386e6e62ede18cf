//! The figures of a run, what it says in sentences, and the table of several runs.

mod compare;
mod fairness;
mod kinds;
mod reason;
mod rows;
mod side_by_side;
mod verdict;

use crate::failure::{errno_text, exited};
use crate::operation::{Ending, Measured};
use crate::run::Run;
use verdict::{Costs, Verdict, computed, counted, succeeded, verdict};
use whyslow_law::bursts::{Bursts, bursts, known_length, known_rhythm};
use whyslow_law::order::percentile;
use whyslow_law::{Judgement, Law, Modes, Wording, sentence};
use whyslow_results::grouped;

pub use compare::{Comparison, compare, comparisons, times};
pub use fairness::Fairness;
pub use rows::{COLUMNS, table};
pub use side_by_side::side_by_side;
pub use verdict::{Computed, in_doubt, judged};

/// The figures of a run; all operations are in them, also outliers.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Operations that were done.
    pub operations: usize,
    /// From the first start to the last end.
    pub span_ns: u64,
    /// The durations of all operations together.
    pub total_ns: u64,
    /// Operations per second.
    pub per_second: f64,
    /// Half of the operations took at most this.
    pub median_ns: u64,
    /// 95 of 100 took at most this.
    pub p95_ns: u64,
    /// 99 of 100 took at most this.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// The law of the durations.
    pub judgement: Judgement,
    /// Whether it seemed to become slower with time, but what was measured later followed a deletion that makes creating
    /// dearer: the law is that of the first pass alone.
    pub after_deletions: bool,
    /// The law of the counts, where they differ.
    pub counted: Option<Judgement>,
    /// The law of the CPU times, where they are known and others wanted the CPUs.
    pub computed: Option<Computed>,
    /// Bands that the costs lie in; as shares of what the law says, where it is a curve.
    pub modes: Modes,
    /// Outliers and bursts.
    pub bursts: Bursts,
    /// How evenly the workers came on, where there were several.
    pub fairness: Option<Fairness>,
}

impl Summary {
    /// Returns the figures of `run`.
    pub fn of(run: &Run) -> Self {
        let all: Vec<&Measured> = run.first.operations.iter().map(|(_, one)| one).collect();
        let durations: Vec<u64> = all.iter().map(|one| one.duration_ns).collect();
        let starts: Vec<u64> = all.iter().map(|one| one.start_ns).collect();
        let mut sorted = durations.clone();
        sorted.sort_unstable();
        let costs = Costs::of(run);
        let Verdict {
            judgement,
            after_deletions,
        } = verdict(run);
        let first = starts.first().copied().unwrap_or(0);
        let ends = all
            .iter()
            .map(|one| one.start_ns.saturating_add(one.duration_ns));
        let span_ns = ends.max().unwrap_or(0).saturating_sub(first);
        let total_ns = durations
            .iter()
            .fold(0, |sum: u64, one| sum.saturating_add(*one));
        let worked = if run.setup.workers > 1 {
            span_ns
        } else {
            total_ns
        };
        Self {
            operations: all.len(),
            span_ns,
            total_ns,
            per_second: whyslow_law::count(all.len()) / (real(worked.max(1)) / 1e9),
            median_ns: percentile(&sorted, 50),
            p95_ns: percentile(&sorted, 95),
            p99_ns: percentile(&sorted, 99),
            max_ns: sorted.last().copied().unwrap_or(0),
            modes: kinds::of(&judgement, &costs.n, &costs.cost),
            judgement,
            after_deletions,
            counted: counted(run),
            computed: computed(run),
            bursts: bursts(&starts, &durations),
            fairness: Fairness::of(run),
        }
    }

    /// Returns what the run says: the verdict, then what else is to be known. `cost` writes a
    /// duration in nanoseconds.
    pub fn sentences(&self, run: &Run, cost: fn(f64) -> String) -> Vec<String> {
        let words = run.setup.words;
        let wording = Wording {
            doing: words.doing,
            things: words.things,
            cost,
        };
        // If it could not continue, that matters more than how it went.
        let mut said: Vec<String> = self.failing(run).into_iter().collect();
        said.extend(reason::of_quota(run));
        let verdict = said.len();
        said.push(sentence(&self.judgement, &wording));
        match (&self.counted, words.counts) {
            // A count has no noise: where it has a law and the times do not, it decides.
            (Some(counted), Some(counts)) if self.decides(counted) => {
                said.insert(verdict, self.counting(run, counted, counts));
            }
            (Some(counted), Some(counts)) => said.push(self.counting(run, counted, counts)),
            (None, Some(counts)) => said.extend(always(run, counts)),
            (_, None) => {}
        }
        let computed = self.computed.as_ref();
        if let Some(found) = computed.filter(|found| self.decides(&found.judgement)) {
            said.insert(verdict, computing(found, &wording));
        }
        let growing = self.judgement.law.at(1.0).is_some();
        said.extend(kinds::sentence(&self.modes, growing, cost));
        said.extend(self.after_deletions.then(reason::of_deletions));
        said.extend(reason::of_levels(run, cost));
        said.extend(reason::of_first_pass(run, cost));
        said.extend(reason::of_busy_machine(run));
        said.extend(self.ending(run));
        said.extend(run.notes.iter().cloned());
        said.extend(self.bursting(run, cost));
        said.extend(
            self.fairness
                .map(|fairness| fairness.sentence(run.setup.workers, cost)),
        );
        let own_ns = run.setup.own_ns.unwrap_or(0);
        if own_ns.saturating_mul(100) > self.median_ns && own_ns > 0 {
            let own = cost(real(own_ns));
            said.push(format!("Measuring itself adds {own} to every operation."));
        }
        if let Some(left) = &run.left {
            said.push(format!("Warning: {left}."));
        }
        said
    }

    /// Returns whether counts or CPU times show a law, and the times none or a less specific one.
    fn decides(&self, other: &Judgement) -> bool {
        let named = |law: &Law| matches!(law, Law::Growth(_) | Law::Exponential(_));
        named(&other.law) && !named(&self.judgement.law)
    }

    /// Returns the law that decides: that of the counts, or of the CPU times on a busy machine, if they show one and the
    /// times do not.
    pub(crate) fn decisive(&self) -> &Judgement {
        let computed = self.computed.iter().map(|found| &found.judgement);
        let mut others = self.counted.iter().chain(computed);
        let decides = others.find(|other| self.decides(other));
        decides.unwrap_or(&self.judgement)
    }

    /// Returns what the counts say, which have no noise.
    fn counting(&self, run: &Run, counted: &Judgement, counts: &str) -> String {
        let (first, last) = (counted.first, counted.last);
        let whole = |count: f64| {
            let text = format!("{count:.0}");
            text.parse().map_or(text, grouped)
        };
        let (first, last) = (whole(first), whole(last));
        if first == last {
            let all = succeeded(run).map(|(_, one)| u64::from(one.count));
            return format!("Counted: {} {counts} in all.", grouped(all.sum()));
        }
        let range = format!("{first} {counts} at first, {last} at the end");
        let grows = match &counted.law {
            Law::Growth(growth) => {
                format!(", growing like n to the power of {:.2}", growth.exponent)
            }
            Law::Exponential(_) => ", growing exponentially with n".to_owned(),
            _ => String::new(),
        };
        format!("Counted: {range}{grows}.")
    }

    /// Returns what of all that was asked for was done, if something ended the series before.
    fn ending(&self, run: &Run) -> Option<String> {
        let why = match run.ending {
            Ending::Budget => "the time budget is used up",
            Ending::Interrupted => "interrupted",
            _ => return None,
        };
        let (done, asked) = (number(self.operations), grouped(run.setup.asked));
        Some(format!("Stopped at {done} of {asked}: {why}."))
    }

    /// Returns why it could not continue, if so.
    fn failing(&self, run: &Run) -> Option<String> {
        let asked = grouped(run.setup.asked);
        let things = match run.setup.words.things {
            "n" => "runs",
            things => things,
        };
        let done = number(succeeded(run).count());
        let after = format!("after {done} of {asked} {things}");
        Some(match run.ending {
            Ending::Done | Ending::Budget | Ending::Interrupted => return None,
            Ending::Full(limit) => limit.sentence(&after),
            Ending::Failed(errno) => format!("It failed {after}: {}.", errno_text(errno)),
            Ending::Exited(code) => {
                let (at, how) = (run.at_n(), exited(code));
                format!("It failed {after}: the command ended with {how}{at}.")
            }
        })
    }

    fn bursting(&self, run: &Run, cost: fn(f64) -> String) -> Option<String> {
        let found = &self.bursts;
        // Only measured costs can be caused by the machine.
        let times = !run.setup.words.simulated;
        if found.operations == 0 {
            return None;
        }
        let where_ = if found.is_spread() {
            "spread over the series".to_owned()
        } else {
            format!("in {}", several(found.bursts, "burst"))
        };
        let mut text = format!(
            "{} of {} operations, {where_}, took over 10 times as long as usual: {:.0} % of the time, the \
             longest {}.",
            number(found.operations),
            number(self.operations),
            found.share * 100.0,
            cost(real(found.longest_ns))
        );
        if let Some(usual) = found.typical_ns {
            text += &format!(" Half of them took about {}", cost(real(usual)));
            let known = known_length(usual).filter(|_| times);
            text += &known.map_or(".".to_owned(), |what| format!(", like {what}."));
        }
        if let Some(every) = found.rhythm_ns {
            text += &format!(" They come every {}", cost(real(every)));
            let known = known_rhythm(every, found.longest_ns).filter(|_| times);
            text += &known.map_or(".".to_owned(), |what| format!(", like {what}."));
        }
        Some(text)
    }
}

/// Returns a number with its thousands in groups.
fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}

/// Returns the law that only the CPU times show.
fn computing(found: &Computed, wording: &Wording<'_>) -> String {
    let mut letters = wording.doing.chars();
    let first = letters.next().map(char::to_lowercase);
    let doing: String = first.into_iter().flatten().chain(letters).collect();
    let within = Wording {
        doing: &doing,
        ..*wording
    };
    format!(
        "Processes waited for a CPU for {:.0} % of the time, which hides what this costs. In CPU time, {}",
        found.contended * 100.0,
        sentence(&found.judgement, &within)
    )
}

fn several(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Returns what every operation of `run` counted, if that is something.
fn always(run: &Run, counts: &str) -> Option<String> {
    let (_, first) = succeeded(run).next()?;
    let one = counts.strip_suffix('s').filter(|_| first.count == 1);
    let text = format!("Counted: {} {} each.", first.count, one.unwrap_or(counts));
    (first.count > 0).then_some(text)
}

/// Returns nanoseconds as a real number.
#[expect(
    clippy::cast_precision_loss,
    reason = "durations below 2⁵³ ns are a hundred days"
)]
pub fn real(ns: u64) -> f64 {
    ns as f64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::limit::Limit;
    use crate::run::Pass;
    use crate::setup::Setup;
    use crate::words::Words;

    /// Returns a run of `count` creates with these durations.
    pub(crate) fn run(count: u64, duration: impl Fn(u64) -> u64) -> Run {
        let mut start_ns = 1_000;
        let operations = (0..count).map(|at| {
            let one = Measured {
                start_ns,
                duration_ns: duration(at),
                result: 0,
                count: 0,
            };
            start_ns += one.duration_ns;
            (0, one)
        });
        let operations: Vec<_> = operations.collect();
        let words = Words::new("create", "Creating a file", "files");
        Run {
            setup: Setup {
                system: "here".to_owned(),
                driver: Some("ext4".to_owned()),
                ..Setup::new(words, count)
            },
            first: Pass {
                n: (1..=operations.len()).map(whyslow_law::count).collect(),
                operations,
                ..Pass::default()
            },
            repeats: Vec::new(),
            beyond: Vec::new(),
            ending: Ending::Done,
            notes: Vec::new(),
            left: None,
        }
    }

    /// Returns the same as the way `arm`.
    pub(crate) fn named(arm: &str, mut run: Run) -> Run {
        arm.clone_into(&mut run.setup.arm);
        run
    }

    pub(crate) fn plain(ns: f64) -> String {
        format!("{:.0} µs", ns / 1e3)
    }

    #[test]
    fn the_figures_are_those_of_all_operations() {
        let run = run(1_000, |at| if at == 500 { 90_000_000 } else { 10_000 });
        let summary = Summary::of(&run);
        assert_eq!((summary.median_ns, summary.p99_ns), (10_000, 10_000));
        assert_eq!(summary.max_ns, 90_000_000);
        assert_eq!(summary.total_ns, 99_990_000);
        assert!((summary.per_second - 10_001.0).abs() < 1.0, "{summary:?}");
        assert_eq!(
            summary.sentences(&run, plain),
            [
                "On average, creating a file costs 100 µs: half of the time went to one of 1,000 (90000 µs). \
                 Typically, creating a file costs 10 µs, the same from 1 to 1,000 files.",
                "1 of 1,000 operations, in 1 burst, took over 10 times as long as usual: 90 % of the time, the \
                 longest 90000 µs.",
            ]
        );
    }

    #[test]
    fn what_failed_is_told_and_not_judged() {
        let mut run = run(1_000, |_| 10_000);
        run.setup.asked = 5_000;
        run.ending = Ending::Failed(28);
        if let Some((_, last)) = run.first.operations.last_mut() {
            last.result = 28;
            last.duration_ns = 77_000_000;
        }
        let said = Summary::of(&run).sentences(&run, plain);
        let failed = "It failed after 999 of 5,000 files: no space left on device.";
        assert_eq!(said[0], failed);
        assert!(said[1].contains("from 1 to 999 files"), "{said:?}");
    }

    #[test]
    fn a_limit_comes_first_and_nothing_is_predicted_beyond_it() {
        let mut run = run(2_000, |at| 10_000 + 50 * at);
        run.first.again = run
            .first
            .operations
            .iter()
            .take(100)
            .map(|(_, one)| *one)
            .collect();
        let free = Summary::of(&run);
        assert!(free.judgement.predicting().is_some());
        run.setup.asked = 5_000;
        run.ending = Ending::Full(Limit::Directory { free: 812 });
        let full = Summary::of(&run);
        assert_eq!(full.judgement.predicting(), None);
        let said = full.sentences(&run, plain);
        let limit = "Limit: the directory is full after 2,000 of 5,000 files. The disk is not: 812 MB are free.";
        assert_eq!(said[0], limit);
        assert!(said[1].contains("grows linearly"), "{said:?}");
        assert!(!said.iter().any(|one| one.contains("expect")), "{said:?}");
    }

    #[test]
    fn counts_have_a_law_of_their_own() {
        let mut run = run(2_000, |_| 10_000);
        run.setup.words = Words::new("probe", "Starting a process", "starts").counting("probes");
        for (at, (_, one)) in (1..).zip(&mut run.first.operations) {
            one.count = at;
        }
        let said = Summary::of(&run).sentences(&run, plain);
        let expected =
            "Counted: 100 probes at first, 1,900 at the end, growing like n to the power of 1.00.";
        assert_eq!(said[0], expected, "they decide");
    }
}
