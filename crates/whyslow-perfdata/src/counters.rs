//! Counter values, as `read` on an event returns them: in samples and in READ records.

use crate::abi::read_format::{GROUP, ID, LOST, TOTAL_TIME_ENABLED, TOTAL_TIME_RUNNING};
use crate::endian::Endian;
use crate::layout::ReadLayout;
use crate::words::Words;

/// The values of one counter, or of a group.
#[derive(Debug, Clone, Copy)]
pub struct Counters<'a> {
    words: Words<'a>,
    layout: ReadLayout,
}

/// One counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// Its value.
    pub value: u64,
    /// Id of the event's instance.
    pub id: Option<u64>,
    /// Samples of it that were lost.
    pub lost: Option<u64>,
}

impl<'a> Counters<'a> {
    /// Takes the values at the start of `bytes`; `None` if there are fewer than announced.
    pub(crate) fn take(bytes: &'a [u8], layout: ReadLayout, endian: Endian) -> Option<Self> {
        let words = if layout.format & GROUP != 0 {
            let counters = endian.u64(bytes, 0)?.checked_mul(layout.per_counter)?;
            counters.checked_add(layout.times + 1)?
        } else {
            layout.times + layout.per_counter
        };
        let length = usize::try_from(words.checked_mul(8)?).ok()?;
        let words = Words::new(bytes.get(..length)?, endian);
        Some(Self { words, layout })
    }

    pub(crate) fn as_bytes(&self) -> &'a [u8] {
        self.words.as_bytes()
    }

    /// Returns how long the counter was enabled, in nanoseconds.
    pub fn time_enabled_ns(&self) -> Option<u64> {
        (self.layout.format & TOTAL_TIME_ENABLED != 0).then(|| self.words.get(1))?
    }

    /// Returns how long the counter was counting, in nanoseconds.
    pub fn time_running_ns(&self) -> Option<u64> {
        let enabled = usize::from(self.layout.format & TOTAL_TIME_ENABLED != 0);
        (self.layout.format & TOTAL_TIME_RUNNING != 0).then(|| self.words.get(1 + enabled))?
    }

    /// Returns the counters, the leader of the group first.
    pub fn iter(&self) -> impl Iterator<Item = Counter> + use<'a> {
        let Self { words, layout } = *self;
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (times, per_counter) = (size(layout.times), size(layout.per_counter));
        let group = layout.format & GROUP != 0;
        let counters = if group {
            words.len().saturating_sub(1 + times) / per_counter
        } else {
            1
        };
        let has_id = layout.format & ID != 0;
        let has_lost = layout.format & LOST != 0;
        (0..counters).map_while(move |position| {
            // Alone: value, times, id, lost. In a group: count, times, then value, id and lost for
            // each.
            let (value, more) = if group {
                let value = 1 + times + position * per_counter;
                (value, value + 1)
            } else {
                (0, 1 + times)
            };
            Some(Counter {
                value: words.get(value)?,
                id: has_id.then(|| words.get(more)).flatten(),
                lost: has_lost
                    .then(|| words.get(more + usize::from(has_id)))
                    .flatten(),
            })
        })
    }
}
