//! The kinds of records the file held, for the `event_count` table.

use std::collections::HashMap;

use whyslow_model::tables::EventCountRow;
use whyslow_perfdata::{Event, Features, Record, RecordBody};

use super::plan::Plan;
use super::session::{Session, name_of};

/// Records by kind.
#[derive(Debug)]
pub(super) struct Counts {
    names: Vec<String>,
    events: Vec<Count>,
    others: [Count; Other::NAMES.len()],
    /// Losses that the kernel reported when they happened.
    pub(super) lost_in_time: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    records: u64,
    bytes: u64,
    lost: u64,
}

/// Kinds of records that are not samples.
#[derive(Debug, Clone, Copy)]
enum Other {
    Mapping,
    Name,
    Fork,
    Exit,
    Lost,
    Switch,
    KernelSymbol,
    Rest,
}

impl Other {
    const NAMES: [(&'static str, Option<&'static str>); 8] = [
        ("record:mmap", Some("mappings")),
        ("record:comm", Some("processes")),
        ("record:fork", Some("processes")),
        ("record:exit", Some("processes")),
        ("record:lost", Some("losses")),
        ("record:switch", Some("states")),
        ("record:ksymbol", Some("mappings")),
        ("record:other", None),
    ];
}

impl Counts {
    /// Returns counts of nothing.
    pub(super) fn new(events: &[Event], features: &Features) -> Self {
        let mut counts = Self {
            names: Vec::new(),
            events: Vec::new(),
            others: [Count::default(); Other::NAMES.len()],
            lost_in_time: 0,
        };
        counts.learn(events, features);
        counts
    }

    /// Learns the events declared since the last call.
    pub(super) fn learn(&mut self, events: &[Event], features: &Features) {
        self.names = events
            .iter()
            .map(|event| name_of(event, features))
            .collect();
        self.events.resize(events.len(), Count::default());
    }

    /// Counts a record.
    pub(super) fn take(&mut self, record: &Record<'_>) {
        let index = record.event.and_then(|index| usize::try_from(index.0).ok());
        let event = index.and_then(|index| self.events.get_mut(index));
        let other = match (&record.body, event) {
            (RecordBody::Sample(_), Some(event)) => {
                event.records += 1;
                event.bytes += u64::from(record.size);
                return;
            }
            (RecordBody::Lost { count, .. } | RecordBody::LostSamples { count }, event) => {
                if let Some(event) = event {
                    event.lost = event.lost.saturating_add(*count);
                }
                Other::Lost
            }
            (RecordBody::Mmap(_), _) => Other::Mapping,
            (RecordBody::Comm { .. }, _) => Other::Name,
            (RecordBody::Fork(_), _) => Other::Fork,
            (RecordBody::Exit(_), _) => Other::Exit,
            (RecordBody::Switch { .. }, _) => Other::Switch,
            (RecordBody::Ksymbol { .. }, _) => Other::KernelSymbol,
            _ => Other::Rest,
        };
        if let Some(count) = self.others.get_mut(other as usize) {
            count.records += 1;
            count.bytes += u64::from(record.size);
        }
    }

    /// Returns whether there were samples of an event.
    pub(super) fn has(&self, session: &Session, wanted: impl Fn(&Plan) -> bool) -> bool {
        let mut all = session.plans.iter().zip(&self.events);
        all.any(|(plan, count)| wanted(plan) && count.records > 0)
    }

    /// Returns the rows of the `event_count` table.
    pub(super) fn rows(&self, session: &Session) -> Vec<EventCountRow> {
        let row = |name: &str, count: &Count, used: Option<&str>| EventCountRow {
            event: name.to_owned(),
            count: count.records.cast_signed(),
            lost: count.lost.cast_signed(),
            bytes: count.bytes.cast_signed(),
            used_for: used.map(ToOwned::to_owned),
        };
        let told: HashMap<&str, u64> = session.info.numbers("lost.").collect();
        let events = self.names.iter().zip(&self.events).enumerate();
        let mut rows: Vec<_> = events
            .map(|(index, (name, count))| {
                let mut row = row(
                    name,
                    count,
                    session.plans.get(index).and_then(Plan::used_for),
                );
                let told = told.get(name.as_str());
                row.lost = told.map_or(row.lost, |lost| row.lost.max(lost.cast_signed()));
                row
            })
            .collect();
        let others = Other::NAMES.iter().zip(&self.others);
        let seen = others.filter(|(_, count)| count.records > 0);
        rows.extend(seen.map(|((name, used), count)| row(name, count, *used)));
        rows
    }
}
