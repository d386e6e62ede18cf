//! CPU samples, and the time between two of them.

use whyslow_etl::Record;
use whyslow_etl::kernel::Sample as KernelSample;

use super::emitter::Emitter;
use crate::event::{EventKind, Sample};
use whyslow_stacks::StackRef;

/// Nanoseconds of the unit in which Windows counts the time between samples.
const UNIT_NS: i64 = 100;
/// The profiling timer among the sources of samples.
const TIMER: u32 = 0;
/// Time between two samples where the trace does not say: the default of Windows.
const DEFAULT_INTERVAL_NS: i64 = 1_000_000;

/// Samples, and the CPU time that each represents.
#[derive(Debug)]
pub(super) struct Samples {
    seen: u64,
    /// Samples from before the interval was known.
    assumed: u64,
    interval_ns: i64,
    is_interval_known: bool,
}

impl Default for Samples {
    fn default() -> Self {
        Self {
            seen: 0,
            assumed: 0,
            interval_ns: DEFAULT_INTERVAL_NS,
            is_interval_known: false,
        }
    }
}

impl Samples {
    /// Returns a tracker without samples, starting at this interval if it is known.
    pub(super) fn new(interval_ns: Option<i64>) -> Self {
        let mut samples = Self::default();
        if let Some(ns) = interval_ns {
            (samples.interval_ns, samples.is_interval_known) = (ns, true);
        }
        samples
    }

    /// Takes a CPU sample.
    pub(super) fn sample(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        match KernelSample::read(record.payload(), record.pointer_size()) {
            Some(sample) => self.push(record, &sample, out),
            None => out.bad(record, "a sample"),
        }
    }

    /// Takes several samples that the kernel had held back for a while.
    pub(super) fn kept_back(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        for sample in KernelSample::read_cache(record.payload(), record.pointer_size()) {
            self.push(record, &sample, out);
        }
    }

    fn push(&mut self, record: &Record<'_>, sample: &KernelSample, out: &mut Emitter<'_>) {
        let count = i64::from(sample.count.max(1));
        self.seen += 1;
        self.assumed += u64::from(!self.is_interval_known);
        let kind = EventKind::Sample(Sample {
            pid: None,
            tid: Some(sample.thread_id),
            weight_ns: self.interval_ns.saturating_mul(count),
            stack: StackRef::NONE,
            priority: Some(sample.priority.into()).filter(|&priority: &i32| priority != 0),
        });
        out.push(record, kind);
    }

    /// Takes the time between two samples, which is reported at the start, at the end, or when it
    /// changes.
    pub(super) fn interval(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some(interval) = Interval::read(record.payload()) else {
            return out.bad(record, "a sampling interval");
        };
        if let Some(ns) = interval.new_ns() {
            if ns == self.interval_ns {
                self.assumed = 0;
            }
            (self.interval_ns, self.is_interval_known) = (ns, true);
        }
    }

    /// Returns whether there were any.
    pub(super) fn are_there(&self) -> bool {
        self.seen > 0
    }

    /// Returns the CPU time that one sample represents, if there were any.
    pub(super) fn interval_ns(&self) -> Option<i64> {
        self.are_there().then_some(self.interval_ns)
    }

    /// Returns the text of a problem if the trace does not give the time between samples, or gives
    /// it late.
    pub(super) fn lack_interval(&self) -> Option<&'static str> {
        match (self.assumed, self.is_interval_known) {
            (0, _) => None,
            (_, false) => Some("the trace does not say how often; 1 ms is assumed"),
            (_, true) => Some("the trace does not say how often at first; 1 ms is assumed there"),
        }
    }
}

/// What an event says about the time between two samples, in units of [`UNIT_NS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    source: u32,
    new: u32,
    old: u32,
}

impl Interval {
    /// Reads the event of a change, of the start or of the end; `None` if it is too short.
    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        let [source, new, old] = words(payload)?;
        Some(Self { source, new, old })
    }

    /// Returns the interval from then on; `None` for performance counters.
    pub(super) fn new_ns(self) -> Option<i64> {
        self.ns(self.new)
    }

    /// Returns the interval until then; `None` for performance counters.
    pub(super) fn old_ns(self) -> Option<i64> {
        self.ns(self.old)
    }

    fn ns(self, units: u32) -> Option<i64> {
        (self.source == TIMER && units > 0).then(|| i64::from(units) * UNIT_NS)
    }
}

/// Returns the first words of a payload.
fn words<const N: usize>(payload: &[u8]) -> Option<[u32; N]> {
    let (words, _) = payload.as_chunks::<4>();
    let words = words.first_chunk::<N>()?;
    Some(words.map(u32::from_le_bytes))
}
