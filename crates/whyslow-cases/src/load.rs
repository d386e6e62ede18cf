//! How much programs that are not ours used the CPUs meanwhile, from the kernel's own counts.

use std::fs;

/// From which part of all CPUs on the machine was not quiet.
const LOUD: f64 = 0.15;

/// The kernel's counts at one moment, in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    busy: f64,
    all: f64,
    /// Of our children that have ended.
    ours: f64,
}

impl Reading {
    /// Reads the counts; none where there is no `/proc`.
    pub(crate) fn now() -> Option<Self> {
        let machine = fs::read_to_string("/proc/stat").ok()?;
        let own = fs::read_to_string("/proc/self/stat").ok()?;
        Self::of(&machine, &own)
    }

    fn of(machine: &str, own: &str) -> Option<Self> {
        let counts = machine
            .lines()
            .next()?
            .strip_prefix("cpu ")?
            .split_whitespace();
        let counts: Vec<f64> = counts.filter_map(|count| count.parse().ok()).collect();
        // User, nice, system, idle, waiting for the disk, interrupts, stolen; guests are in the first two.
        let all: f64 = counts.iter().take(8).sum();
        let idle: f64 = counts.iter().skip(3).take(2).sum();
        // The name may have spaces; the two counts of children are the 14th and 15th after it.
        let own = own.rsplit(')').next()?.split_whitespace();
        let ours = own
            .skip(13)
            .take(2)
            .filter_map(|count| count.parse::<f64>().ok());
        Some(Self {
            busy: all - idle,
            all,
            ours: ours.sum(),
        })
    }

    /// Whether others used much of the CPUs since this reading.
    pub(crate) fn is_loud(self) -> bool {
        Self::now().is_some_and(|now| self.foreign(now) > LOUD)
    }

    fn foreign(self, now: Self) -> f64 {
        let all = (now.all - self.all).max(1.0);
        ((now.busy - self.busy) - (now.ours - self.ours)) / all
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn what_is_not_ours_is_foreign() {
        let own = |ticks: u32| format!("7 (a) b) S 1 1 1 0 -1 0 0 0 0 0 5 5 {ticks} 10 20 0");
        let before = Reading::of("cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1", &own(0)).unwrap();
        let after = Reading::of("cpu  180 0 120 900 0 0 0 0 0 0\n", &own(40)).unwrap();
        // 200 ticks went by, 100 of them busy, 40 ours.
        assert!((before.foreign(after) - 0.3).abs() < 1e-9);
    }
}
