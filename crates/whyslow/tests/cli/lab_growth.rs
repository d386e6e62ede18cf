//! Laws of a file system whose growth is known: laws are asserted, times are not.

use std::process::Stdio;
use std::time::Duration;

use whyslow_testenv::{Feature, has, need};

use crate::fuse::{Cost, Growing, Rule, go_first};
use crate::harness::{Place, Said};
use crate::lab::column;

/// Files that are created.
const FILES: u64 = 400;

/// Returns the verdict on a file system of such costs: the law, and the range of its exponent.
fn law(cost: Cost) -> Option<(String, String, String)> {
    if !has(Feature::Realtime) {
        return None;
    }
    let place = Place::new();
    let rule = Rule {
        cost,
        most: u64::MAX,
        then: None,
    };
    let mount = need(Feature::Fuse, Growing::mount(&place.path("mount"), rule))?;
    let count = FILES.to_string();
    let args = ["lab", "create", "--dir", "mount", "--count", &count];
    let mut command = place.whyslow(&[&args[..], &["--format", "csv"]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program runs");
    let first = go_first(&child.id().to_string());
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert!(first, "it has a real-time priority");
    let first = |name: &str| column(&said, name)[0].clone();
    assert_eq!(first("operations"), count);
    assert_eq!(first("ending"), "done");
    let law = (first("law"), first("exponent_low"), first("exponent_high"));
    drop(mount);
    Some(law)
}

fn micros(count: u64) -> Duration {
    Duration::from_micros(count)
}

#[test]
fn what_costs_the_same_does_not_grow() {
    if let Some((law, ..)) = law(|_| micros(3_000)) {
        assert!(law != "growth" && law != "steps", "{law}");
    }
}

#[test]
fn a_step_is_a_step() {
    if let Some((law, ..)) = law(|files| micros(if files < FILES / 2 { 1_500 } else { 15_000 })) {
        assert_eq!(law, "steps");
    }
}

/// Asserts growth with an exponent near this one.
fn grows(cost: Cost, exponent: f64) {
    let Some((law, low, high)) = law(cost) else {
        return;
    };
    assert_eq!(law, "growth");
    let bound = |text: &str| text.parse::<f64>().expect("a number");
    let range = bound(&low) - 0.15..bound(&high) + 0.15;
    assert!(range.contains(&exponent), "{exponent}: {range:?}");
}

#[test]
fn growth_with_the_root_is_found() {
    grows(|files| micros(1_000 + 1_000 * files.isqrt()), 0.5);
}

#[test]
fn linear_growth_is_found() {
    grows(|files| micros(1_000 + 50 * files), 1.0);
}

#[test]
fn quadratic_growth_is_found() {
    grows(|files| micros(1_000 + files * files / 6), 2.0);
}
