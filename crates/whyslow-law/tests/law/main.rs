//! The detector on series whose law is known: shares of right verdicts, false alarms and misses.
//!
//! `cargo test -p whyslow-law --test law -- --nocapture` prints them.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop, and tells what it measured"
)]

mod passes;
#[path = "../calibration/random.rs"]
mod random;
mod rates;
mod situations;
mod synthetic;

use random::Random;
use situations::{Situation, all};
use synthetic::{Noise, series};
use whyslow_law::{Judgement, Law, Series, is_settled, judge};

/// Returns the verdict as the situations spell it.
fn verdict(law: &Law) -> &'static str {
    match law {
        Law::TooFew => "too-few",
        law => law.name(),
    }
}

fn judged(cost: &[f64], again: &[f64], exact: bool) -> Judgement {
    let n: Vec<f64> = (1..=cost.len()).map(|n| n as f64).collect();
    let n = &n;
    judge(&Series {
        n,
        cost,
        again,
        repeats: &[],
        beyond: &[],
        exact,
    })
}

/// Returns the situations that were judged wrong, as lines.
fn wrong(situations: &[Situation]) -> Vec<String> {
    let mut wrong = Vec::new();
    for situation in situations {
        let (cost, again) = situation.costs();
        let judgement = judged(&cost, &again, false);
        let mut right = situation
            .right
            .contains(&verdict(&judgement.law).to_owned());
        if let (Law::Growth(growth), Some(p)) = (&judgement.law, situation.exponent) {
            right &= growth.exponent_low - 0.1 <= p && p <= growth.exponent_high + 0.1;
        }
        if !right {
            wrong.push(format!("{situation:?}\n    is {:?}", judgement.law));
        }
    }
    wrong
}

fn judge_all(name: &str, situations: &[Situation]) {
    let wrong = wrong(situations);
    let right = situations.len() - wrong.len();
    println!("{name}: {right} of {} right", situations.len());
    for line in &wrong {
        println!("  {line}");
    }
    assert!(situations.len() >= 60);
    assert!(right * 100 >= situations.len() * 95, "{right} right");
}

#[test]
fn situations_for_tuning() {
    let (tuning, _) = all();
    judge_all("for tuning", &tuning);
}

#[test]

fn situations_set_aside() {
    let (_, set_aside) = all();
    judge_all("set aside", &set_aside);
}

/// Flat series under load, as a busy machine makes them.
#[test]
fn no_growth_is_claimed_on_flat_noisy_series() {
    let mut random = Random(4_000);
    let mut verdicts = std::collections::BTreeMap::new();
    for round in 0..100 {
        let noise = Noise {
            scatter: 0.1 + 0.4 * random.unit(),
            outliers: 0.01 * random.unit(),
            bursts: 0.01 * random.unit(),
            load: 0.25 * random.unit(),
        };
        let count = [300, 3_000, 30_000][round % 3];
        let cost = series(count, noise, &mut random, |_, _| 5_000.0);
        let law = judged(&cost, &[], false).law;
        *verdicts.entry(verdict(&law)).or_insert(0) += 1;
    }
    println!("100 flat series under load, without a second look: {verdicts:?}");
    assert_eq!(verdicts.get("growth"), None, "{verdicts:?}");
    assert_eq!(verdicts.get("falls"), None, "{verdicts:?}");
}

/// How often linear growth by a factor is seen, and whether the range holds the true exponent.
#[test]
fn growth_is_seen_from_a_doubling_on() {
    let mut random = Random(7);
    for rise in [1.3, 2.0, 3.0, 10.0] {
        let (mut seen, mut inside) = (0, 0);
        for round in 0..60 {
            let noise = Noise {
                scatter: 0.3 * random.unit(),
                outliers: 0.003,
                bursts: 0.001,
                load: 0.02,
            };
            let count = [1_000, 5_000, 20_000][round % 3];
            let cost = series(count, noise, &mut random, |_, t| {
                5_000.0 * (1.0 + (rise - 1.0) * t)
            });
            if let Law::Growth(growth) = judged(&cost, &[], false).law {
                seen += 1;
                inside += i32::from(growth.exponent_low <= 1.0 && 1.0 <= growth.exponent_high);
            }
        }
        println!("linear growth by {rise}: seen in {seen} of 60, 1.0 in the range in {inside}");
        if rise >= 3.0 {
            assert!(seen >= 57, "{rise}: {seen}");
            assert!(inside * 100 >= seen * 85, "{rise}: {inside} of {seen}");
        }
        if rise < 2.0 {
            assert!(seen <= 3, "{rise}: {seen}");
        }
    }
}

#[test]
fn exact_counts_have_a_law_without_a_second_look() {
    let count: Vec<f64> = (0..2_000).map(|n| 500.0 + n as f64).collect();
    let judgement = judged(&count, &[], true);
    let growth = judgement.predicting().expect("a law");
    assert!((growth.exponent - 1.0).abs() < 0.06, "{growth:?}");
    let expected = 500.0 + 20_000.0;
    let (low, high) = growth.at_ten_times_range;
    assert!(low < expected && expected < high, "{growth:?}");
    assert!((high / low) < 1.1, "{growth:?}");
    // Less than a doubling is described.
    let little: Vec<f64> = (0..2_000).map(|n| 500.0 + (n / 10) as f64).collect();
    let judgement = judged(&little, &[], true);
    assert_eq!(judgement.law.name(), "rise", "{judgement:?}");
    assert_eq!(judgement.predicting(), None);
}

#[test]
fn odd_series_do_not_confuse() {
    for cost in [
        vec![],
        vec![5.0],
        vec![0.0; 100],
        vec![f64::MAX; 100],
        vec![1e-300; 9],
    ] {
        let law = judged(&cost, &cost, false).law;
        assert!(matches!(law, Law::TooFew | Law::Constant), "{law:?}");
    }
    let n = [0.0; 50];
    let law = judge(&Series {
        n: &n,
        cost: &[1.0; 50],
        again: &[],
        repeats: &[],
        beyond: &[],
        exact: true,
    });
    assert_eq!(law.law, Law::TooFew);
    let mixed: Vec<f64> = (0..90)
        .map(|at| if at % 2 == 0 { 1.0 } else { 1e9 })
        .collect();
    judged(&mixed, &mixed, false);
}

#[test]
fn what_grows_from_some_size_on_is_no_step() {
    let cost: Vec<f64> = (0..4_000)
        .map(|n| 900.0 + 50.0 * f64::from(1_500_i32.max(n) - 1_500))
        .collect();
    let Law::Bend(bend) = judged(&cost, &cost[..200], false).law else {
        panic!("{:?}", judged(&cost, &cost[..200], false).law);
    };
    assert!((1_400.0..1_700.0).contains(&bend.from), "{bend:?}");
    let near = |n: f64, cost: f64| (bend.at(n) / cost - 1.0).abs() < 0.1;
    assert!(near(500.0, 900.0) && near(3_500.0, 100_900.0), "{bend:?}");
    let stairs: Vec<f64> = (0..4_000)
        .map(|n| 900.0 * f64::from(1 << (n / 1_000)))
        .collect();
    let law = judged(&stairs, &stairs[..200], false).law;
    assert!(matches!(law, Law::Steps(_) | Law::Growth(_)), "{law:?}");
}

/// Returns the judgement of sizes that double from 1 on, each measured once in each of `passes`. The first sizes,
/// measured again, cost the same.
fn ladder(passes: &[Vec<f64>]) -> Judgement {
    let n: Vec<f64> = (0..passes[0].len()).map(|at| f64::from(1 << at)).collect();
    judge(&Series {
        n: &n,
        cost: &passes[0],
        again: &passes[0][..n.len() - 1],
        repeats: &passes[1..],
        ..Series::default()
    })
}

/// Costs of 100 ms that scatter by a few percent, differently in each pass.
fn scattered(pass: usize, sizes: usize) -> Vec<f64> {
    let off = |at: usize| ((at * 7 + pass * 5) % 11) as f64 * 0.7e6;
    (0..sizes).map(|at| 100e6 + off(at)).collect()
}

#[test]
fn a_power_is_seen_behind_a_cost_that_hides_its_beginning() {
    let pass = |pass: usize| -> Vec<f64> {
        let start = scattered(pass, 13).into_iter();
        let sizes = (0..13).map(|at| f64::from(1 << at));
        start
            .zip(sizes)
            .map(|(cost, n)| cost + 29.0 * n * n)
            .collect()
    };
    let judgement = ladder(&[pass(2)]);
    let Law::Growth(growth) = &judgement.law else {
        panic!("{judgement:?}");
    };
    assert!(
        growth.exponent_low <= 2.0 && 2.0 <= growth.exponent_high,
        "{growth:?}"
    );
}

#[test]
fn what_the_largest_size_costs_more_in_every_pass_is_a_rise() {
    let with = |last: &dyn Fn(usize) -> f64| -> Vec<Vec<f64>> {
        let pass = |pass: usize| {
            let mut costs = scattered(pass, 9);
            costs[8] = last(pass);
            costs
        };
        (0..5).map(pass).collect()
    };
    let high = with(&|_| 134e6);
    let judgement = ladder(&high[..1]);
    assert!(
        judgement.law == Law::Constant && judgement.in_doubt(),
        "{judgement:?}"
    );
    let judgement = ladder(&high);
    assert_eq!(
        (judgement.law.name(), judgement.predicting()),
        ("rise", None)
    );
    let higher = ladder(&with(&|_| 310e6));
    assert_eq!(higher.law.name(), "rise", "{higher:?}");
    let once = ladder(&with(&|pass| if pass == 3 { 103e6 } else { 134e6 }));
    assert_eq!(once.law, Law::Constant, "one pass does not show it");
}

#[test]
fn nothing_that_costs_nothing_is_constant_without_a_doubt() {
    let judgement = judged(&[0.0; 100], &[], false);
    assert_eq!(judgement.law, Law::Constant);
    assert!(!judgement.in_doubt(), "{judgement:?}");
}

#[test]
fn the_beginnings_of_further_passes_are_a_second_look() {
    let pass: Vec<f64> = (0..1_000).map(|n| 1_000.0 + 10.0 * n as f64).collect();
    let n: Vec<f64> = (1..=pass.len()).map(|n| n as f64).collect();
    let series = Series {
        n: &n,
        cost: &pass,
        again: &[],
        repeats: &[pass.clone(), pass.clone()],
        beyond: &[],
        exact: false,
    };
    let judgement = judge(&series);
    assert!(judgement.predicting().is_some(), "{judgement:?}");
    assert!(is_settled(&series));
}
