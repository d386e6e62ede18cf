//! Limits the rate of stacks where threads switch extremely often, and never that of switches.
//!
//! A kernel stack costs the switching thread a microsecond. At a million switches per second that is the whole
//! machine, so beyond a given rate only every n-th switch gets a stack. Two events do it,
//! per CPU:
//!
//! ```text
//!              the one with stack     its bare duplicate
//! full         every switch           off
//! limited      every n-th switch      every switch
//! ```
//!
//! While limited, a switch that got a stack arrives twice, and [`crate::duplicates`] removes one of the two.
//! Changing over enables the duplicate first and only then thins out the other one, so no switch
//! is missed; what overlaps is removed the same way.
//!
//! The rate is judged with a token bucket, so a short burst keeps its stacks. `n` is a prime: a
//! ping-pong of two threads switches in a rhythm, and an even `n` would see only one of them.

use std::io;
use std::sync::Arc;

use crate::raw_record::{HEADER_BYTES, header, u64_at};
use crate::sys::perf::PerfEvent;
use whyslow_perfdata::abi::record;

/// Seconds' worth of tokens that may be saved up.
const BURST_SECONDS: f64 = 0.2;
/// How long the rate must stay low before every switch gets its stack again.
const CALM_NS: u64 = 500_000_000;
/// Primes to take one stack of.
const PERIODS: [u64; 13] = [
    3, 7, 13, 29, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381,
];

/// Decides for one CPU and one pair of events.
#[derive(Debug)]
pub(crate) struct Limiter {
    with_stack: Arc<PerfEvent>,
    bare: Arc<PerfEvent>,
    /// Ids of their samples: with stack, bare.
    ids: [u64; 2],
    stacks_per_second: f64,
    tokens: f64,
    period: u64,
    hits: u64,
    last_ns: Option<u64>,
    calm_since_ns: Option<u64>,
}

impl Limiter {
    /// Returns a limiter that lets everything through; `ids` are those of the two events.
    pub(crate) fn new(
        (with_stack, bare): (Arc<PerfEvent>, Arc<PerfEvent>),
        ids: [u64; 2],
        stacks_per_second: u32,
    ) -> Self {
        let stacks_per_second = f64::from(stacks_per_second.max(1));
        Self {
            with_stack,
            bare,
            ids,
            stacks_per_second,
            tokens: stacks_per_second * BURST_SECONDS,
            period: 1,
            hits: 0,
            last_ns: None,
            calm_since_ns: None,
        }
    }

    /// Whether the bare duplicate is running.
    fn is_limited(&self) -> bool {
        self.period > 1
    }

    /// A sample of some event came.
    fn count(&mut self, id: u64) {
        let [with_stack, bare] = self.ids;
        if id == if self.is_limited() { bare } else { with_stack } {
            self.hits += 1;
        }
    }

    /// Adjusts to what happened since the last call.
    fn adjust(&mut self, now_ns: u64) -> io::Result<()> {
        let Some(last) = self.last_ns.replace(now_ns) else {
            return Ok(());
        };
        let elapsed_ns = now_ns.saturating_sub(last);
        if elapsed_ns == 0 {
            return Ok(());
        }
        let elapsed = elapsed_ns as f64 / 1e9;
        let hits = std::mem::take(&mut self.hits) as f64;
        let rate = hits / elapsed;
        let capacity = self.stacks_per_second * BURST_SECONDS;
        self.tokens = (self.tokens + elapsed * self.stacks_per_second - hits).clamp(-1.0, capacity);
        if !self.is_limited() {
            return if self.tokens < 0.0 {
                self.limit(self.period_for(rate))
            } else {
                Ok(())
            };
        }
        if rate > self.stacks_per_second / 2.0 {
            self.calm_since_ns = None;
            let period = self.period_for(rate);
            // Goes up at once, and down only after calm, so that flutter costs no calls.
            return if period > self.period {
                self.thin_out(period)
            } else {
                Ok(())
            };
        }
        let since = *self.calm_since_ns.get_or_insert(now_ns);
        if now_ns.saturating_sub(since) >= CALM_NS {
            self.release()
        } else {
            Ok(())
        }
    }

    fn period_for(&self, rate: f64) -> u64 {
        let wanted = rate / (self.stacks_per_second / 8.0);
        let fits = PERIODS
            .iter()
            .copied()
            .find(|&period| period as f64 >= wanted);
        fits.unwrap_or(16381)
    }

    fn limit(&mut self, period: u64) -> io::Result<()> {
        self.bare.enable()?;
        self.calm_since_ns = None;
        self.thin_out(period)
    }

    fn thin_out(&mut self, period: u64) -> io::Result<()> {
        self.with_stack.set_period(period)?;
        self.period = period;
        Ok(())
    }

    fn release(&mut self) -> io::Result<()> {
        self.with_stack.set_period(1)?;
        self.bare.disable()?;
        self.period = 1;
        self.calm_since_ns = None;
        self.tokens = self.stacks_per_second * BURST_SECONDS / 2.0;
        Ok(())
    }
}

/// The limiters of one ring, which count what they limit in the bytes taken out of it.
#[derive(Debug, Default)]
pub(crate) struct RingLimits {
    limiters: Vec<Limiter>,
}

impl RingLimits {
    /// Returns the limits of a ring.
    pub(crate) fn new(limiters: Vec<Limiter>) -> Self {
        Self { limiters }
    }

    /// Takes account of records that were in the ring until `now_ns`.
    pub(crate) fn take(&mut self, mut records: &[u8], now_ns: u64) -> io::Result<()> {
        if self.limiters.is_empty() {
            return Ok(());
        }
        loop {
            let (kind, _, size) = header(records);
            let Some(rest) = records.get(size.max(HEADER_BYTES)..) else {
                break;
            };
            if kind == record::SAMPLE {
                let id = u64_at(records, 8);
                for limiter in &mut self.limiters {
                    limiter.count(id);
                }
            }
            records = rest;
        }
        self.limiters
            .iter_mut()
            .try_for_each(|limiter| limiter.adjust(now_ns))
    }
}
