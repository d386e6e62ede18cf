//! `situations.txt`: its reader, and the passes that a lab would measure.

use crate::machine::Machine;
use crate::mechanism::{Mechanism, Moment};
use crate::random::Random;

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    /// The line as it is written.
    pub(crate) line: &'static str,
    /// Whether it was set aside.
    pub(crate) aside: bool,
    pub(crate) mechanism: Mechanism,
    /// The sizes of a pass.
    pub(crate) sizes: Vec<f64>,
    machine: &'static str,
    /// Verdicts that are right.
    pub(crate) right: Vec<&'static str>,
    /// The least and the most that the true exponent may be called.
    pub(crate) exponent: Option<(f64, f64)>,
    seed: u64,
}

/// Returns all situations that are listed.
pub(crate) fn all() -> Vec<Situation> {
    let lines = include_str!("situations.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(read).collect()
}

/// Returns the situation of a line.
pub(crate) fn read(line: &'static str) -> Situation {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [half, mechanism, sizes, machine, right, p, seed] = parts[..] else {
        panic!("{line}");
    };
    let number = |text: &str| text.parse().expect("a number");
    let exponent = (!p.is_empty()).then(|| match p.split_once("..") {
        Some((low, high)) => (number(low), number(high)),
        None => (number(p), number(p)),
    });
    Situation {
        line,
        aside: half == "aside",
        mechanism: Mechanism::read(mechanism),
        sizes: self::sizes(sizes),
        machine,
        right: right.split_whitespace().collect(),
        exponent,
        seed: seed.parse().expect("a seed"),
    }
}

/// Returns the sizes that `text` stands for: `series 500`, `from 1000 series 500`, `ladder 1..64 x5`,
/// `linear 1..30 x2`.
fn sizes(text: &str) -> Vec<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |text: &str| -> f64 { text.parse().expect("a number") };
    let series = |from: f64, count: f64| (1..=count as u64).map(|n| from + n as f64).collect();
    match words[..] {
        ["series", count] => series(0.0, number(count)),
        ["from", from, "series", count] => series(number(from), number(count)),
        [kind, range, times] => {
            let (from, to) = range.split_once("..").expect("a range");
            let to = number(to);
            let next = |n: &f64| if kind == "ladder" { n * 2.0 } else { n + 1.0 };
            let sizes =
                std::iter::successors(Some(number(from)), |n| Some(next(n)).filter(|n| *n <= to));
            let times = number(times.trim_start_matches('x')) as usize;
            sizes.flat_map(|n| std::iter::repeat_n(n, times)).collect()
        }
        _ => panic!("{text}"),
    }
}

/// What a lab measures of a situation, pass after pass.
#[derive(Debug, Clone)]
pub(crate) struct Lab<'a> {
    situation: &'a Situation,
    random: Random,
    machine: Machine,
    now: f64,
    pass: usize,
}

impl<'a> Lab<'a> {
    pub(crate) fn new(situation: &'a Situation) -> Self {
        let mut random = Random(situation.seed);
        let machine = Machine::new(situation.machine, &mut random);
        Self {
            situation,
            random,
            machine,
            now: 0.0,
            pass: 0,
        }
    }

    /// Measures a pass over the sizes.
    pub(crate) fn pass(&mut self) -> Vec<f64> {
        let costs = self.measure(&self.situation.sizes);
        self.pass += 1;
        costs
    }

    /// Measures the first sizes once more.
    pub(crate) fn again(&mut self) -> Vec<f64> {
        let sizes = &self.situation.sizes;
        let count = (sizes.len() / 20).clamp(10, 2_000).min(sizes.len());
        self.measure(&sizes[..count])
    }

    /// Measures these sizes.
    pub(crate) fn measure(&mut self, sizes: &[f64]) -> Vec<f64> {
        let of = self.situation.sizes.len();
        let most = self.situation.most();
        let mut costs = Vec::with_capacity(sizes.len());
        for (at, &n) in sizes.iter().enumerate() {
            self.now += 1.0 / of as f64;
            let moment = Moment {
                n,
                at,
                pass: self.pass,
                now: self.now,
            };
            let cost = self
                .situation
                .mechanism
                .cost(moment, most, &mut self.random);
            let takes = self.machine.takes(cost, self.now, of, &mut self.random);
            costs.push(if self.situation.is_whole_ms() {
                // What a clock of whole milliseconds shows.
                (takes / 1e6).floor() * 1e6
            } else {
                takes
            });
        }
        costs
    }
}

impl Situation {
    /// Returns the largest size.
    pub(crate) fn most(&self) -> f64 {
        self.sizes.last().copied().unwrap_or(1.0)
    }

    /// Returns by what the machine is slower at times: the speed, and of two busy loops also the slices of others.
    pub(crate) fn slow(&self) -> f64 {
        match self.machine {
            "speeds" => Machine::new(self.machine, &mut Random(self.seed)).speed(),
            "loops" => 1.25 * 1.65,
            _ => 1.0,
        }
    }

    /// Returns whether the clock shows whole milliseconds.
    fn is_whole_ms(&self) -> bool {
        self.line.contains("| ms ")
    }

    /// Returns whether the cost does not depend on n.
    pub(crate) fn is_flat(&self) -> bool {
        let flat = ["| constant ", "| kinds ", "| levels "];
        let every = self.line.contains("| every ") && !self.line.contains("slope");
        every || flat.iter().any(|name| self.line.contains(name))
    }

    /// Returns whether it grows faster than any power.
    pub(crate) fn is_exponential(&self) -> bool {
        self.line.contains("| exponential ")
    }
}
