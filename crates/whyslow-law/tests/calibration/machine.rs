//! The machines: what disturbs every cost.
//!
//! * `exact`: nothing; counts are so.
//! * `quiet`: a scatter of 3 %, hardly any outlier.
//! * `usual`: 15 %, outliers of 10 to 1000 times, bursts, some load that comes and goes.
//! * `busy`: 30 %, more of each.
//! * `speeds`: slower by 1.3 to 2 times for a tenth of a pass to five passes, as the neighbors of a virtual
//!   machine make it.
//! * `loops`: two busy loops on two CPUs: after about 8 ms of its own time the operation stands still for a
//!   slice or two of the others; and a CPU that works for two is slower by a quarter.

use crate::random::Random;

/// Returns a waiting time with this mean.
fn waiting(mean: f64, random: &mut Random) -> f64 {
    -mean * random.unit().max(1e-300).ln()
}

/// A machine and what it does at the moment.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    kind: String,
    scatter: f64,
    outliers: f64,
    bursts: f64,
    load: f64,
    loaded: f64,
    burst: u32,
    speed: f64,
    stays: f64,
    slow: bool,
    until: f64,
    until_preempted: f64,
}

impl Machine {
    /// Returns the machine of this kind.
    pub(crate) fn new(kind: &str, random: &mut Random) -> Self {
        let (scatter, outliers, bursts, load) = match kind {
            "exact" => (0.0, 0.0, 0.0, 0.0),
            "quiet" => (0.03, 0.0005, 0.0, 0.0),
            "usual" => (0.15, 0.002, 0.001, 0.02),
            "busy" => (0.3, 0.01, 0.005, 0.08),
            "speeds" | "loops" => (0.1, 0.001, 0.0, 0.0),
            other => panic!("unknown machine {other}"),
        };
        Self {
            kind: kind.to_owned(),
            scatter,
            outliers,
            bursts,
            load,
            loaded: 0.0,
            burst: 0,
            speed: if kind == "loops" {
                1.25
            } else {
                1.3 + 0.7 * random.unit()
            },
            stays: 0.1 * 50f64.powf(random.unit()),
            slow: random.unit() < 0.5,
            until: 0.0,
            until_preempted: 8e6 * random.unit(),
        }
    }

    /// Returns how much slower it is when it is slow.
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns what an operation that costs `cost` takes `now`, in passes; a pass has `count` operations.
    pub(crate) fn takes(&mut self, cost: f64, now: f64, count: usize, random: &mut Random) -> f64 {
        if self.kind == "exact" {
            return cost;
        }
        // The load forgets itself after a fifth of a pass.
        let keeps = 1.0 - 5.0 / count.max(50) as f64;
        self.loaded =
            keeps * self.loaded + (1.0 - keeps * keeps).sqrt() * self.load * random.normal();
        let mut factor = (self.scatter * random.normal() + self.loaded).exp();
        if random.unit() < self.outliers {
            factor *= 10f64.powf(1.0 + 2.0 * random.unit());
        }
        if self.burst == 0 && random.unit() < self.bursts / 20.0 {
            self.burst = 20;
        }
        if self.burst > 0 {
            self.burst -= 1;
            factor *= 50.0;
        }
        if matches!(self.kind.as_str(), "speeds" | "loops") {
            while now > self.until {
                self.slow = !self.slow;
                self.until += waiting(self.stays, random);
            }
            factor *= if self.slow { self.speed } else { 1.0 };
        }
        let mut takes = cost * factor;
        if self.kind == "loops" {
            let mut own = takes;
            while own > self.until_preempted {
                own -= self.until_preempted;
                self.until_preempted = waiting(8e6, random);
                takes += if random.unit() < 0.7 { 4e6 } else { 8e6 };
            }
            self.until_preempted -= own;
        }
        takes
    }
}
