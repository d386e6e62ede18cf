//! How often a process is looked at.

/// How often changing goroutines are looked at, in nanoseconds.
const USUAL_NS: u64 = 10_000_000;
/// The same where nothing changed for many looks.
const IDLE_NS: u64 = 40_000_000;
/// So many looks without a change.
const MANY_LOOKS: u32 = 16;
/// A look may take this percentage of the time until the next one.
const MOST_PERCENT: u64 = 1;
/// At least once in this time, whatever it costs.
const LONGEST_NS: u64 = 2_000_000_000;

/// When the next look is due.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    pub(crate) due_ns: u64,
    unchanged: u32,
    /// State of the generator of random numbers.
    random: u64,
}

impl Pace {
    /// Returns a pace whose first look is due at once.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            due_ns: 0,
            unchanged: 0,
            random: seed | 1,
        }
    }

    /// A look took `cost_ns` of CPU time; `others` other processes are looked at, too.
    pub(crate) fn looked(&mut self, now_ns: u64, cost_ns: u64, has_changed: bool, others: usize) {
        self.unchanged = match has_changed {
            true => 0,
            false => self.unchanged.saturating_add(1),
        };
        let usual = match self.unchanged < MANY_LOOKS {
            true => USUAL_NS,
            false => IDLE_NS,
        };
        let sharers = u64::try_from(others).unwrap_or(u64::MAX).saturating_add(1);
        let affordable = cost_ns
            .saturating_mul(100 / MOST_PERCENT)
            .saturating_mul(sharers);
        let interval = usual.max(affordable).min(LONGEST_NS);
        // A program that does something every 10 ms must not always be met at the same place of it: between half
        // and one and a half intervals.
        self.due_ns = now_ns
            .saturating_add(interval / 2)
            .saturating_add(self.next_random() % interval.max(1));
    }

    /// Xorshift.
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}

#[cfg(test)]
mod tests {
    use super::{IDLE_NS, LONGEST_NS, MANY_LOOKS, Pace, USUAL_NS};

    /// The mean interval over many looks of one cost.
    fn mean(cost_ns: u64, has_changed: bool, others: usize) -> u64 {
        let (mut pace, mut now_ns) = (Pace::new(7), 0);
        for _ in 0..MANY_LOOKS {
            pace.looked(now_ns, cost_ns, has_changed, others);
        }
        for _ in 0..1000 {
            pace.looked(now_ns, cost_ns, has_changed, others);
            assert!(pace.due_ns > now_ns);
            now_ns = pace.due_ns;
        }
        now_ns / 1000
    }

    #[test]
    fn looks_come_at_random_and_take_a_hundredth_of_the_time() {
        let is_near = |value: u64, to: u64| value.abs_diff(to) < to / 10;
        assert!(is_near(mean(0, true, 0), USUAL_NS));
        assert!(is_near(mean(0, false, 0), IDLE_NS));
        assert!(is_near(mean(1_000_000, true, 0), 100_000_000));
        assert!(is_near(mean(1_000_000, true, 4), 500_000_000));
        assert!(is_near(mean(u64::MAX, true, 0), LONGEST_NS));
    }
}
