//! A machine with two speeds, as virtual ones have whose neighbors come and go: one pass shows what
//! is not there, several do not agree on it.

use std::collections::BTreeMap;

use whyslow_law::{Judgement, Law, Series, is_settled, judge};

use crate::random::Random;
use crate::verdict;

/// Passes at most, as the lab makes them.
const PASSES: usize = 7;

/// Machines that are tried.
const ROUNDS: u64 = 50;

/// A machine that is slower by `factor` for a while, and quick again for a while.
struct TwoSpeeds {
    random: Random,
    factor: f64,
    /// How long it stays as it is, on average, as a share of a pass.
    stays: f64,
    slow: bool,
    until: f64,
    /// Passes since the beginning, with fractions.
    now: f64,
}

impl TwoSpeeds {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let stays = 0.1 * 50f64.powf(random.unit());
        let factor = 1.3 + 0.7 * random.unit();
        let slow = random.unit() < 0.5;
        Self {
            random,
            factor,
            stays,
            slow,
            until: 0.0,
            now: 0.0,
        }
    }

    /// Returns the costs of the sizes 1 to `count` where `of` is a whole pass.
    fn pass(&mut self, count: usize, of: usize, law: &dyn Fn(f64, f64) -> f64) -> Vec<f64> {
        let mut costs = Vec::new();
        for at in 0..count {
            self.now += 1.0 / of as f64;
            if self.now > self.until {
                self.slow = !self.slow;
                self.until = self.now - self.stays * self.random.unit().max(1e-9).ln();
            }
            let speed = if self.slow { self.factor } else { 1.0 };
            let scatter = (0.1 * self.random.normal()).exp();
            costs.push(law((at + 1) as f64 / of as f64, self.now) * speed * scatter);
        }
        costs
    }

    /// Returns what one pass says, and what all say that are made.
    fn judge(&mut self, law: &dyn Fn(f64, f64) -> f64) -> (Judgement, Judgement) {
        const COUNT: usize = 1_200;
        let n: Vec<f64> = (1..=COUNT).map(|n| n as f64).collect();
        let cost = self.pass(COUNT, COUNT, law);
        let again = self.pass(COUNT / 20, COUNT, law);
        let mut repeats = Vec::new();
        let mut first = None;
        loop {
            let series = Series {
                n: &n,
                cost: &cost,
                again: &again,
                repeats: &repeats,
                beyond: &[],
                exact: false,
            };
            let judgement = judge(&series);
            let first = first.get_or_insert_with(|| judgement.clone());
            if !judgement.in_doubt() || is_settled(&series) || repeats.len() + 1 == PASSES {
                return (first.clone(), judgement);
            }
            repeats.push(self.pass(COUNT, COUNT, law));
            self.pass(COUNT / 20, COUNT, law);
        }
    }
}

/// Returns the shares of verdicts over many machines, of one pass and of all, in percent.
fn rates(seed: u64, law: &dyn Fn(f64, f64) -> f64) -> [BTreeMap<&'static str, u32>; 2] {
    let mut rates = [BTreeMap::new(), BTreeMap::new()];
    for round in 0..ROUNDS {
        let (one, all) = TwoSpeeds::new(seed + round).judge(law);
        for (rates, judgement) in rates.iter_mut().zip([one, all]) {
            *rates.entry(verdict(&judgement.law)).or_insert(0) += 100 / ROUNDS as u32;
        }
    }
    rates
}

fn share(rates: &BTreeMap<&'static str, u32>, verdict: &str) -> u32 {
    rates.get(verdict).copied().unwrap_or(0)
}

#[test]
fn what_the_machine_does_is_not_taken_for_a_law() {
    for (half, seed) in [("tuning", 1_000_000), ("set aside", 88_000_000)] {
        let [one, all] = rates(seed, &|_, _| 5_000.0);
        println!("{half}: flat on a machine of two speeds: one pass {one:?}, several {all:?}");
        assert_eq!(share(&all, "growth"), 0);
        assert!(share(&all, "constant") >= 90, "{all:?}");
        assert!(share(&one, "constant") < share(&all, "constant"));
    }
}

#[test]
fn what_is_there_is_seen_on_a_machine_of_two_speeds() {
    type Cost = dyn Fn(f64, f64) -> f64;
    let laws: [(&str, u32, &Cost); 4] = [
        ("steps", 60, &|t, _| {
            if t < 0.4 { 5_000.0 } else { 10_000.0 }
        }),
        ("growth", 85, &|t, _| 5_000.0 * (1.0 + 4.0 * t)),
        ("rise", 55, &|t, _| 5_000.0 * (1.0 + 0.8 * t)),
        ("drift", 85, &|_, now| 5_000.0 * (1.0 + 4.0 * now)),
    ];
    for (name, least, law) in laws {
        let [one, all] = rates(99_000_000, law);
        println!("{name} on a machine of two speeds: one pass {one:?}, several {all:?}");
        assert!(share(&all, name) >= least, "{all:?}");
    }
}

#[test]
fn a_check_narrows_the_law_that_the_passes_show_together() {
    // Copying n blocks on a busy machine, in milliseconds: the first two passes lost the CPU where they took long.
    const PASSES: [[f64; 18]; 3] = [
        [
            2.03, 1.91, 1.59, 1.57, 1.90, 1.73, 2.02, 2.71, 3.50, 2.50, 5.87, 4.09, 5.44, 6.47,
            12.4, 20.7, 29.0, 46.1,
        ],
        [
            2.12, 2.46, 1.56, 1.96, 1.55, 1.75, 1.58, 1.76, 1.68, 1.65, 2.66, 2.47, 2.73, 4.04,
            11.5, 20.3, 20.9, 41.6,
        ],
        [
            1.58, 1.28, 1.37, 1.19, 1.17, 1.18, 1.24, 1.31, 1.20, 1.44, 1.37, 1.62, 1.91, 2.98,
            4.37, 9.00, 13.4, 25.7,
        ],
    ];
    let n: Vec<f64> = (0..18).map(|power| f64::from(1_u32 << power)).collect();
    let [first, second, third] = PASSES.map(|pass| pass.map(|ms| ms * 1e6));
    let judgement = judge(&Series {
        n: &n,
        cost: &first,
        again: &[2.6e6, 2.5e6, 1.9e6, 2.4e6, 1.9e6, 2.4e6, 1.8e6, 1.7e6],
        repeats: &[second.to_vec(), third.to_vec()],
        beyond: &[
            (131_072.0, 21.0e6),
            (262_144.0, 54.2e6),
            (524_288.0, 102.0e6),
        ],
        exact: false,
    });
    assert!(
        judgement.checks.iter().all(|check| check.holds),
        "{judgement:?}"
    );
    let Law::Growth(growth) = judgement.law else {
        panic!("{judgement:?}");
    };
    let range = growth.exponent_low..=growth.exponent_high;
    assert!(range.contains(&1.0), "{growth:?}");
    let (low, high) = growth.at_ten_times_range;
    // Every block takes as long as the others.
    assert!(
        (low..=high).contains(&250e6) && growth.at_ten_times > 200e6,
        "{growth:?}"
    );
}

#[test]
fn a_machine_that_changes_its_speed_makes_no_step_of_growth() {
    // Starting a process that looks at n names, on a machine that became slower after a sixth of the series, and faster
    // in its middle: milliseconds, medians of 32 parts.
    const PARTS: [f64; 32] = [
        1.93, 2.19, 2.52, 2.66, 2.95, 3.21, 5.62, 6.01, 6.47, 7.05, 7.48, 7.8, 8.16, 8.66, 9.3,
        9.45, 9.55, 10.14, 7.12, 7.12, 7.81, 8.0, 7.46, 8.03, 8.11, 8.41, 8.52, 8.8, 7.78, 7.95,
        8.84, 8.5,
    ];
    let mut random = Random(4_711);
    let n: Vec<f64> = (1..=4_992).map(f64::from).collect();
    let scatter = |ms: f64, random: &mut Random| ms * 1e6 * (0.08 * random.normal()).exp();
    let cost: Vec<f64> = (0..4_992)
        .map(|at| scatter(PARTS[at / 156], &mut random))
        .collect();
    let again: Vec<f64> = (0..250).map(|_| scatter(1.9, &mut random)).collect();
    let judgement = judge(&Series {
        n: &n,
        cost: &cost,
        again: &again,
        repeats: &[],
        beyond: &[],
        exact: false,
    });
    assert_eq!(verdict(&judgement.law), "rise", "{judgement:?}");
}
