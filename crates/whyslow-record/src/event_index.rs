//! From the ids in samples to events.

use crate::events::{EventKind, OWN_IDS};
use crate::open::OpenEvent;

/// From the id in a sample to its event.
#[derive(Debug)]
pub(crate) struct EventIndex {
    first_id: u64,
    /// By `id - first_id`: event's number + 1, or 0.
    dense: Vec<u8>,
    kinds: Vec<EventKind>,
    has_dump: Vec<bool>,
    first_ids: Vec<u64>,
}

impl EventIndex {
    /// Returns the index of these events.
    pub(crate) fn new(events: &[OpenEvent]) -> Self {
        let of_kernel = |event: &OpenEvent| {
            event
                .ids
                .iter()
                .copied()
                .filter(|&id| id < OWN_IDS)
                .collect::<Vec<_>>()
        };
        let ids = || events.iter().flat_map(of_kernel);
        let first_id = ids().min().unwrap_or(0);
        // The kernel numbers events as they are opened; others may open some at the same time.
        let span = ids()
            .max()
            .map_or(0, |last| last - first_id + 1)
            .min(1 << 24);
        let mut dense = vec![0; usize::try_from(span).unwrap_or(0)];
        for (number, event) in events.iter().enumerate() {
            for id in of_kernel(event) {
                let place = usize::try_from(id - first_id).ok();
                if let Some(place) = place.and_then(|place| dense.get_mut(place)) {
                    *place = u8::try_from(number + 1).unwrap_or(0);
                }
            }
        }
        Self {
            first_id,
            dense,
            kinds: events.iter().map(|event| event.spec.kind).collect(),
            has_dump: events.iter().map(|event| event.spec.has_dump()).collect(),
            first_ids: events
                .iter()
                .map(|event| event.ids.first().copied().unwrap_or(0))
                .collect(),
        }
    }

    /// Number of events.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The event, as its place in the list, and its kind.
    pub(crate) fn find(&self, id: u64) -> Option<(usize, EventKind)> {
        let place = usize::try_from(id.checked_sub(self.first_id)?).ok()?;
        let event = usize::from(*self.dense.get(place)?).checked_sub(1)?;
        Some((event, *self.kinds.get(event)?))
    }

    /// The event of a kind and one of its ids.
    pub(crate) fn of_kind(&self, kind: EventKind) -> Option<(usize, u64)> {
        let event = self.kinds.iter().position(|&known| known == kind)?;
        Some((event, *self.first_ids.get(event)?))
    }

    /// For the id of a hidden event: an id of the event that its samples become.
    pub(crate) fn shown_id(&self, id: u64) -> Option<u64> {
        let shown = match self.find(id)?.1 {
            EventKind::SwitchBare => EventKind::Switch,
            EventKind::WakingBare => EventKind::Waking,
            EventKind::BpfOutput | EventKind::PythonOutput | EventKind::Bell => {
                EventKind::UserStack
            }
            EventKind::SystemCallOutput => EventKind::SystemCalls,
            EventKind::NetworkOutput => EventKind::Tcp,
            EventKind::DiskOutput => EventKind::Operation,
            EventKind::SwitchNote | EventKind::BpfChained => EventKind::Switch,
            _ => return None,
        };
        self.of_kind(shown).map(|(_, id)| id)
    }

    /// Whether samples of the event come with registers and stack memory.
    pub(crate) fn has_dump(&self, event: usize) -> bool {
        self.has_dump.get(event).copied().unwrap_or(false)
    }
}
