//! The events of a file, and which of them a record belongs to.

use std::collections::HashMap;

use crate::abi::record;
use crate::attr::Attr;
use crate::endian::{Cursor, Endian, count, size};
use crate::layout::Layout;

/// Position of an event in [`Reader::events`](crate::Reader::events).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EventIndex(pub u32);

impl EventIndex {
    /// Returns the position as an index.
    pub fn get(self) -> usize {
        size(u64::from(self.0))
    }
}

/// An event of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The attributes it was opened with.
    pub attr: Attr,
    /// Its name as perf shows it, if the file has it.
    pub name: Option<String>,
    /// Ids of the event's instances, one per CPU or thread.
    pub ids: Vec<u64>,
}

/// The events of a file, by id.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) all: Vec<Event>,
    layouts: Vec<Layout>,
    by_id: HashMap<u64, EventIndex>,
    /// The same for ids from `base` on, which the kernel assigns in order: position + 1, or 0.
    dense: Vec<u32>,
    base: u64,
    /// The event of records without an id: perf synthesizes these for the one event that tracks
    /// mappings.
    fallback: EventIndex,
    /// Ids taken, including those taken before.
    ids_taken: usize,
}

/// Maximum number of events that a file may declare, maximum number of ids in all, and the maximum
/// range of ids in a table.
const MOST_EVENTS: usize = 10_000;
const MOST_IDS: usize = 1_000_000;
const MOST_DENSE: u64 = 1 << 20;

impl Events {
    /// Returns whether the limits allow another event with this many ids.
    pub(crate) fn has_room(&self, ids: u64) -> bool {
        self.all.len() < MOST_EVENTS && ids <= count(self.room_for_ids())
    }

    /// Adds an event; returns `false` if the limits do not allow it.
    pub(crate) fn add(&mut self, attr: Attr, ids: Vec<u64>) -> bool {
        if !self.has_room(count(ids.len())) {
            return false;
        }
        let index = EventIndex(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.learn(&ids, index);
        let layout = Layout::new(&attr);
        let has_tracker = self.layouts.iter().any(|layout| layout.build_ids);
        if layout.build_ids && !has_tracker {
            self.fallback = index;
        }
        self.layouts.push(layout);
        let name = None;
        self.all.push(Event { attr, name, ids });
        true
    }

    /// Returns how many more ids the limits allow.
    fn room_for_ids(&self) -> usize {
        MOST_IDS.saturating_sub(self.ids_taken)
    }

    fn learn(&mut self, ids: &[u64], index: EventIndex) {
        self.ids_taken += ids.len();
        if self.by_id.is_empty() {
            let first = ids.iter().min().copied().unwrap_or(0);
            self.base = first.saturating_sub(MOST_DENSE / 16);
        }
        for &id in ids {
            self.by_id.insert(id, index);
            let Some(slot) = id.checked_sub(self.base).filter(|&at| at < MOST_DENSE) else {
                continue;
            };
            let slot = size(slot);
            if self.dense.len() <= slot {
                self.dense.resize(slot + 1, 0);
            }
            if let Some(slot) = self.dense.get_mut(slot) {
                *slot = index.0 + 1;
            }
        }
    }

    /// Returns the event an id belongs to.
    #[inline]
    fn find(&self, id: u64) -> Option<EventIndex> {
        match self.dense.get(size(id.wrapping_sub(self.base))) {
            Some(&position) => position.checked_sub(1).map(EventIndex),
            None => self.by_id.get(&id).copied(),
        }
    }

    /// Finds the event a record of type `ty` belongs to, and how its records are laid out.
    ///
    /// All events of a file have their id at the same place, or there is only one event: the perf
    /// tool requires this, because the id must be found before the event is known.
    #[inline]
    pub(crate) fn of_record(
        &self,
        ty: u32,
        bytes: &[u8],
        endian: Endian,
    ) -> Option<(EventIndex, &Layout)> {
        let first = self.layouts.first()?;
        if ty >= record::HEADER_ATTR {
            return None;
        }
        let mut index = self.fallback;
        if self.all.len() > 1 {
            if ty == record::SAMPLE {
                if first.id != 0 {
                    let id = endian.u64(bytes, usize::from(first.id))?;
                    index = self.find(id)?;
                }
            } else if first.tail.id != 0
                && let Some(at) = bytes.len().checked_sub(usize::from(first.tail.id))
            {
                let id = endian.u64(bytes, at).and_then(|id| self.find(id));
                index = id.unwrap_or(index);
            }
        }
        Some((index, self.layouts.get(index.get())?))
    }

    /// Names the event that `id` belongs to.
    pub(crate) fn name(&mut self, id: u64, name: String) {
        let index = self.by_id.get(&id).copied();
        if let Some(event) = index.and_then(|index| self.all.get_mut(index.get())) {
            event.name = Some(name);
        }
    }

    /// Takes names, and ids where they are missing, from the `EVENT_DESC` section.
    pub(crate) fn describe(&mut self, section: &[u8], endian: Endian) -> Option<()> {
        let mut cursor = Cursor::new(section, endian);
        let events = size(u64::from(cursor.u32()?));
        let attr_bytes = size(u64::from(cursor.u32()?));
        for position in 0..events.min(MOST_EVENTS) {
            cursor.take(attr_bytes)?;
            let n_ids = u64::from(cursor.u32()?);
            let name = cursor.string()?;
            let ids = cursor.take_count(n_ids * 8)?;
            let room = self.room_for_ids();
            let Some(event) = self.all.get_mut(position) else {
                continue;
            };
            event.name = Some(name);
            if event.ids.is_empty() && ids.len() / 8 <= room {
                let (words, _) = ids.as_chunks::<8>();
                let ids = words.iter().filter_map(|word| endian.u64(word, 0));
                let ids: Vec<_> = ids.collect();
                event.ids.clone_from(&ids);
                let index = EventIndex(u32::try_from(position).unwrap_or(u32::MAX));
                self.learn(&ids, index);
            }
        }
        Some(())
    }
}
