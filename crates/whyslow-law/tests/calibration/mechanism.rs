//! The mechanisms: how a cost comes about, as a function of n and of the time that has passed.

use std::collections::BTreeMap;

use crate::random::Random;

/// What an operation meets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The size.
    pub(crate) n: f64,
    /// The position in the pass, from 0.
    pub(crate) at: usize,
    /// The pass, from 0.
    pub(crate) pass: usize,
    /// Passes since the beginning, with fractions.
    pub(crate) now: f64,
}

/// A mechanism with its figures.
#[derive(Debug, Clone)]
pub(crate) struct Mechanism {
    name: String,
    figures: BTreeMap<String, f64>,
}

impl Mechanism {
    /// Returns what `text` describes: `power a=5000 rise=10 p=1`.
    pub(crate) fn read(text: &str) -> Self {
        let mut words = text.split_whitespace();
        let name = words.next().expect("a name").to_owned();
        let figures = words.map(|word| {
            let (key, value) = word.split_once('=').expect("key=value");
            (key.to_owned(), value.parse().expect("a number"))
        });
        Self {
            name,
            figures: figures.collect(),
        }
    }

    fn of(&self, key: &str) -> f64 {
        let found = self.figures.get(key).copied();
        found.unwrap_or_else(|| panic!("{} has no {key}", self.name))
    }

    fn or(&self, key: &str, usual: f64) -> f64 {
        self.figures.get(key).copied().unwrap_or(usual)
    }

    /// Returns whether the costs are counts.
    pub(crate) fn is_exact(&self) -> bool {
        self.or("count", 0.0) > 0.0
    }

    /// Returns what an operation costs on a machine that disturbs nothing, where the series ends at `most`.
    pub(crate) fn cost(&self, moment: Moment, most: f64, random: &mut Random) -> f64 {
        let n = moment.n;
        let a = self.of("a");
        let cost = match self.name.as_str() {
            "kinds" if random.unit() < self.of("share") => a * self.of("factor"),
            "every" if (moment.at + 1).is_multiple_of(self.of("k") as usize) => {
                a * (self.or("factor", 1.0) + self.or("slope", 0.0) * n / most)
            }
            "mixed" if random.unit() < self.of("share") => {
                a * (1.0 + (self.of("rise") - 1.0) * n / most)
            }
            "tail" if random.unit() < self.of("share") && n > self.of("from") * most => {
                let beyond = (n / most - self.of("from")) / (1.0 - self.of("from"));
                a * (self.of("factor") + self.or("slope", 0.0) * beyond)
            }
            "drift" => a * (1.0 + (self.of("rise") - 1.0) * moment.now.min(1.0)),
            "late" if moment.now > self.of("from") => a * self.of("factor"),
            "warm" => a * (1.0 + self.of("rise") * (-(moment.at as f64) / self.of("first")).exp()),
            "levels" if moment.pass % 2 == 1 => a * self.of("factor"),
            "hash" => {
                a + (random.unit() < (n / self.of("each")).fract()) as u8 as f64
                    + (n / self.of("each")).floor()
            }
            _ => self.typical(n, most),
        };
        if self.is_exact() { cost.round() } else { cost }
    }

    /// Returns what a typical operation costs at `n`, on a machine that disturbs nothing.
    pub(crate) fn typical(&self, n: f64, most: f64) -> f64 {
        let a = self.of("a");
        let share = n / most;
        let power = || a * (1.0 + (self.of("rise") - 1.0) * share.powf(self.of("p")));
        match self.name.as_str() {
            "power" | "ms" => power(),
            "logarithm" => a + self.of("b") * n.ln(),
            "nlogn" => a + self.of("b") * n * n.max(2.0).log2(),
            "exponential" => a + self.of("b") * 2f64.powf(n / self.of("doubles")),
            "cap" => a * (1.0 + (self.of("rise") - 1.0) * (share / self.of("from")).min(1.0)),
            "saturation" => {
                a + a * (self.of("rise") - 1.0) * (1.0 - (-share / self.of("from")).exp())
            }
            "bend" => {
                let beyond = (share - self.of("from")).max(0.0) / (1.0 - self.of("from"));
                a * (1.0 + (self.of("rise") - 1.0) * beyond)
            }
            "broken" if n >= self.of("at") => power() * self.of("factor"),
            "broken" => power(),
            "step" if share > self.of("from") => a * self.of("factor"),
            "stairs" => a * self.of("factor").powf((share * 3.0).floor().min(2.0)),
            "cache" => {
                a * (1.0 + (self.of("factor") - 1.0) / (1.0 + (-(share - 0.4) * 12.0).exp()))
            }
            "saw" => {
                let phase = (n / self.of("period")).fract();
                a * (1.0 + (self.of("rise") - 1.0) * phase)
            }
            "falls" => a * (1.0 + (self.of("rise") - 1.0) * (1.0 - share)),
            "inverse" => a * (1.0 + self.of("rise") / n),
            "hash" => a + n / self.of("each"),
            "search" => a + self.of("b") * n.log2().max(0.0),
            _ => a,
        }
    }
}
