//! Rates of right and wrong verdicts over many series, half of them set aside: nothing was tuned to them.

use std::collections::BTreeMap;

use whyslow_law::Law;

use crate::random::Random;
use crate::synthetic::{Noise, series};
use crate::{judged, verdict};

/// Where the random numbers of the two halves begin.
const HALVES: [(&str, u64); 2] = [("tuning", 10_000), ("set aside", 77_000_000)];

/// Noise of an ordinary to a busy machine.
fn noise(random: &mut Random) -> Noise {
    Noise {
        scatter: 0.02 + 0.38 * random.unit(),
        outliers: 0.005 * random.unit(),
        bursts: 0.002 * random.unit(),
        load: 0.08 * random.unit(),
    }
}

/// Noise of a machine that others use meanwhile.
fn load(random: &mut Random) -> Noise {
    Noise {
        scatter: 0.1 + 0.4 * random.unit(),
        outliers: 0.01 * random.unit(),
        bursts: 0.01 * random.unit(),
        load: 0.25 * random.unit(),
    }
}

const COUNTS: [usize; 4] = [500, 1_000, 5_000, 20_000];

/// How often the range holds the true exponent, of the growths that were seen.
#[test]
fn the_range_of_p_holds_the_true_one() {
    for (half, seed) in HALVES {
        let (mut seen, mut inside, mut width) = (0, 0, 0.0);
        for round in 0..160 {
            let mut random = Random(seed + round);
            let noise = noise(&mut random);
            let rise = [2.5, 4.0, 10.0, 40.0][round as usize % 4];
            let p = [0.5, 1.0, 1.5, 2.0][round as usize / 4 % 4];
            let count = COUNTS[round as usize / 16 % 4];
            let cost = series(count, noise, &mut random, |_, t| {
                5_000.0 * (1.0 + (rise - 1.0) * t.powf(p))
            });
            if let Law::Growth(growth) = judged(&cost, &[], false).law {
                seen += 1;
                let (low, high) = (growth.exponent_low, growth.exponent_high);
                let holds = low <= p && p <= high;
                inside += i32::from(holds);
                width += high - low;
            }
        }
        let width = width / f64::from(seen);
        println!(
            "{half}: growth seen in {seen} of 160, the true p in the range in {inside}; mean width {width:.2}"
        );
        assert!(
            seen >= 140 && inside * 100 >= seen * 93,
            "{inside} of {seen}"
        );
    }
}

/// What flat series under load are called.
#[test]
fn flat_series_under_load() {
    for (half, seed) in HALVES {
        let mut verdicts = BTreeMap::new();
        for round in 0..200 {
            let mut random = Random(seed + 5_000 + round);
            let noise = load(&mut random);
            let cost = series(COUNTS[round as usize % 4], noise, &mut random, |_, _| {
                5_000.0
            });
            *verdicts
                .entry(verdict(&judged(&cost, &[], false).law))
                .or_insert(0) += 1;
        }
        println!("{half}: 200 flat series under load: {verdicts:?}");
        let of = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
        assert!(of("growth") + of("falls") <= 2, "{verdicts:?}");
        assert!(of("constant") >= 170, "{verdicts:?}");
    }
}

/// How often true steps are seen.
#[test]
fn steps_are_seen() {
    for (half, seed) in HALVES {
        for factor in [1.5f64, 2.0, 4.0] {
            let mut verdicts = BTreeMap::new();
            for round in 0..60 {
                let mut random = Random(seed + 9_000 + round);
                let noise = noise(&mut random);
                let place = 0.2 + 0.6 * random.unit();
                let count = COUNTS[round as usize % 4];
                let stepped = |_, t: f64| 5_000.0 * factor.powi(i32::from(t > place));
                let cost = series(count, noise, &mut random, stepped);
                *verdicts
                    .entry(verdict(&judged(&cost, &[], false).law))
                    .or_insert(0) += 1;
            }
            println!("{half}: a step by {factor}, 60 series: {verdicts:?}");
            let seen = verdicts.get("steps").copied().unwrap_or(0);
            assert!(factor < 2.0 || seen >= 55, "{verdicts:?}");
        }
    }
}
