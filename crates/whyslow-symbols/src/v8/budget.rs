//! What reading a program may cost. The program controls its memory, and could make reading it last
//! forever.

/// What may be spent in each interval.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    left: u64,
    interval_ns: u64,
    since_ns: u64,
}

impl Budget {
    pub(super) fn new(most: u64, interval_ns: u64) -> Self {
        Self {
            most,
            left: most,
            interval_ns,
            since_ns: 0,
        }
    }

    /// Sets the time: another interval may have begun.
    pub(super) fn is_now(&mut self, now_ns: u64) {
        if now_ns.saturating_sub(self.since_ns) >= self.interval_ns {
            self.since_ns = now_ns;
            self.left = self.most;
        }
    }

    /// Returns whether this much is left.
    pub(super) fn has(&self, cost: u64) -> bool {
        cost <= self.left
    }

    /// Spends this much; `None`: it is not left.
    pub(super) fn spend(&mut self, cost: u64) -> Option<()> {
        self.left = self.left.checked_sub(cost)?;
        Some(())
    }
}
