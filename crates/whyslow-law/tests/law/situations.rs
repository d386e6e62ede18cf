//! `situations.toml`: its reader, and the series made from its entries.

use std::collections::BTreeMap;

use crate::random::Random;
use crate::synthetic::{Noise, series};

/// One entry.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    law: String,
    figures: BTreeMap<String, f64>,
    again: bool,
    /// Verdicts that are right.
    pub(crate) right: Vec<String>,
    /// The true exponent.
    pub(crate) exponent: Option<f64>,
}

impl Situation {
    fn figure(&self, name: &str) -> f64 {
        let found = self.figures.get(name);
        *found.unwrap_or_else(|| panic!("{} has no {name}", self.law))
    }

    /// Returns the cost of `n` when the share `t` of the time is over, out of `count` operations.
    fn cost(&self, n: f64, t: f64, count: f64) -> f64 {
        let a = self.figure("a");
        let after = |share: f64| {
            if t > share {
                self.figure("factor")
            } else {
                1.0
            }
        };
        match self.law.as_str() {
            "constant" => a,
            "power" => {
                let shape = (n / count).powf(self.figure("p"));
                a * (1.0 + (self.figure("rise") - 1.0) * shape)
            }
            "logarithm" => a + self.figure("b") * n.ln(),
            "step" => {
                a * if n / count > self.figure("where") {
                    self.figure("factor")
                } else {
                    1.0
                }
            }
            "stairs" => a * after(0.3) * after(0.6),
            "drift" => a * (1.0 + (self.figure("rise") - 1.0) * t),
            "late" => a * after(self.figure("where")),
            "warm" => a * (1.0 + 20.0 * (-n / (0.005 * count)).exp()),
            "falls" => a * (-2.0 * t).exp(),
            other => panic!("unknown law {other}"),
        }
    }

    /// Returns the costs, and those of the first sizes measured again at the end.
    pub(crate) fn costs(&self) -> (Vec<f64>, Vec<f64>) {
        let noise = Noise {
            scatter: self.figure("scatter"),
            outliers: self.figure("outliers"),
            bursts: self.figure("bursts"),
            load: self.figure("load"),
        };
        let count = self.figure("count");
        let mut random = Random(self.figure("seed") as u64);
        let cost = series(count as usize, noise, &mut random, |n, t| {
            self.cost(n, t, count)
        });
        if !self.again {
            return (cost, Vec::new());
        }
        // The same sizes once more; what comes with time is at its end, what comes with n is not.
        let with_time = matches!(self.law.as_str(), "drift" | "late" | "falls");
        let again = series((count / 20.0) as usize, noise, &mut random, |n, _| {
            let t = if with_time { 1.0 } else { n / count };
            self.cost(n, t, count)
        });
        (cost, again)
    }
}

/// Returns the situations for tuning and those set aside.
pub(crate) fn all() -> (Vec<Situation>, Vec<Situation>) {
    let (mut tuning, mut set_aside) = (Vec::new(), Vec::new());
    for text in include_str!("situations.toml")
        .split("[[situation]]")
        .skip(1)
    {
        let mut situation = Situation {
            law: String::new(),
            figures: BTreeMap::new(),
            again: false,
            right: Vec::new(),
            exponent: None,
        };
        let mut aside = false;
        for (key, value) in text.lines().filter_map(|line| line.split_once(" = ")) {
            let quoted = value.trim_matches('"');
            match key {
                "law" => quoted.clone_into(&mut situation.law),
                "right" => situation.right = quoted.split(' ').map(str::to_owned).collect(),
                "again" => situation.again = value == "true",
                "set_aside" => aside = value == "true",
                _ => {
                    let figure = value.parse().unwrap_or_else(|_| panic!("{key} = {value}"));
                    situation.figures.insert(key.to_owned(), figure);
                }
            }
        }
        situation.exponent = situation.figures.get("p").copied();
        if aside { &mut set_aside } else { &mut tuning }.push(situation);
    }
    (tuning, set_aside)
}
