//! The descriptions of events that a trace contains.
//!
//! Programs of several versions may run at once, or one after another. Each describes its events in
//! a manifest of its own, at the start, at the end, or both. So if descriptions of an event differ,
//! they apply in this order: the last one its own process wrote before the event, the first one its
//! own process wrote after it, the last one other processes wrote before it, the first one other
//! processes wrote after it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::guid::Guid;
use crate::providers;
use crate::record::{Descriptor, Record};
use crate::schema::{Field, Schema};

/// Maximum number of descriptions that are kept.
const MOST: usize = 1 << 15;
/// Maximum number of times recorded for one event's descriptions, if they differ.
const MOST_OF_ONE: usize = 1 << 7;

/// Descriptions by provider, id and version.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    by_event: FxHashMap<(Guid, u16, u8), Told>,
    kept: usize,
    /// Number of events with differing descriptions.
    contested: usize,
}

/// The descriptions of one event.
#[derive(Debug, Default)]
struct Told {
    /// Descriptions that differ.
    distinct: Vec<Arc<Schema>>,
    /// Raw time, process, and index of the description.
    by: Vec<(i64, Option<u32>, usize)>,
}

/// Which of the descriptions of an event applies; 0 if there is no choice.
pub(super) type Variant = u8;

impl Schemas {
    /// Takes a description that a record contains.
    pub(super) fn add(&mut self, schema: Schema, record: &Record<'_>) {
        let key = (schema.provider, schema.id, schema.version);
        let told = self.by_event.entry(key).or_default();
        let known = told.distinct.iter().position(|known| **known == schema);
        if told.by.len() >= MOST_OF_ONE || known.is_none() && self.kept >= MOST {
            return;
        }
        let which = known.unwrap_or(told.distinct.len());
        if known.is_none() {
            self.kept += 1;
            self.contested += usize::from(which == 1);
            told.distinct.push(Arc::new(schema));
        }
        told.by.push((record.raw_time, record.process_id(), which));
    }

    /// Returns which description of an event applies.
    #[inline]
    pub(super) fn variant(&self, event: &Descriptor, record: &Record<'_>) -> Variant {
        if self.contested == 0 {
            return 0;
        }
        self.choose(event, record)
    }

    #[cold]
    fn choose(&self, event: &Descriptor, record: &Record<'_>) -> Variant {
        let key = (event.provider, event.id, event.version);
        let Some(told) = self.by_event.get(&key) else {
            return 0;
        };
        if told.distinct.len() < 2 {
            return 0;
        }
        let (now, process) = (record.raw_time, record.process_id());
        let worth = |&&(time, of, _): &&(i64, Option<u32>, usize)| {
            let is_before = time <= now;
            let distance = std::cmp::Reverse(now.abs_diff(time));
            (of == process, is_before, distance)
        };
        let best = told.by.iter().max_by_key(worth);
        let which = best.map_or(0, |(_, _, which)| *which);
        Variant::try_from(which + 1).unwrap_or(0)
    }

    /// Returns the description of an event; names of values that it leaves out are taken from the
    /// shipped ones.
    pub(super) fn get(&self, event: &Descriptor, variant: Variant) -> Option<Arc<Schema>> {
        let key = (event.provider, event.id, event.version);
        let told = self.by_event.get(&key)?;
        let which = usize::from(variant.saturating_sub(1));
        let own = told.distinct.get(which)?;
        Some(with_maps(own, providers::schema(event)))
    }
}

fn with_maps(own: &Arc<Schema>, shipped: Option<&Schema>) -> Arc<Schema> {
    let Some(shipped) = shipped else {
        return Arc::clone(own);
    };
    let fields = own.fields.iter().map(|field| {
        let same = |of: &&Field| of.name == field.name && of.kind == field.kind;
        let known = shipped.fields.iter().find(same);
        let map = known.map_or("", |of| of.map.as_str());
        Field {
            map: if field.map.is_empty() {
                map
            } else {
                &field.map
            }
            .to_owned(),
            ..field.clone()
        }
    });
    Arc::new(Schema {
        fields: fields.collect(),
        ..Schema::clone(own)
    })
}
