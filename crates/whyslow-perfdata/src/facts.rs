//! What is known about a file so far, and the records of the perf tool that add to it.
//!
//! In pipe mode there is no header for attributes and sections; they come as records.

use crate::abi::{feature, record};
use crate::attr::Attr;
use crate::endian::{Cursor, Endian, size, text};
use crate::event::Events;
use crate::fault::{FaultKind, Faults};
use crate::features::Features;

/// Events, sections and damage.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) events: Events,
    pub(crate) features: Features,
    pub(crate) faults: Faults,
}

/// Size of an attribute that does not state its size.
const LEAST_ATTR: usize = 64;
const NAME_UPDATE: u64 = 2;
const MOST_NAME_BYTES: usize = 4096;

impl Facts {
    /// Takes a record that states a fact; other records are ignored.
    pub(crate) fn take(&mut self, ty: u32, bytes: &[u8], endian: Endian, offset: u64) {
        let content = bytes.get(8..).unwrap_or_default();
        let cursor = Cursor::new(content, endian);
        let taken = match ty {
            record::HEADER_ATTR => self.take_attr(content, endian, offset),
            record::EVENT_UPDATE => self.take_update(cursor),
            record::FEATURE => self.take_feature(cursor),
            record::BUILD_ID => self.features.take_build_ids(bytes, endian),
            _ => Some(()),
        };
        if taken.is_none() {
            let detail = || format!("type {ty}");
            self.faults.add(FaultKind::ShortRecord, offset, detail);
        }
    }

    fn take_attr(&mut self, content: &[u8], endian: Endian, offset: u64) -> Option<()> {
        let attr_bytes = size(u64::from(endian.u32(content, 4)?)).max(LEAST_ATTR);
        let (attr, ids) = content.split_at_checked(attr_bytes)?;
        let attr = Attr::decode(attr, endian)?;
        let (words, _) = ids.as_chunks::<8>();
        let ids = words.iter().filter_map(|word| endian.u64(word, 0));
        if !self.events.add(attr, ids.collect()) {
            let detail = || "events or ids".to_owned();
            self.faults.add(FaultKind::Limit, offset, detail);
        }
        Some(())
    }

    fn take_update(&mut self, mut cursor: Cursor<'_>) -> Option<()> {
        let (kind, id) = (cursor.u64()?, cursor.u64()?);
        let name = cursor.rest();
        if kind == NAME_UPDATE && name.len() <= MOST_NAME_BYTES {
            self.events.name(id, text(name));
        }
        Some(())
    }

    fn take_feature(&mut self, mut cursor: Cursor<'_>) -> Option<()> {
        let bit = u16::try_from(cursor.u64()?).ok()?;
        self.take_section(bit, cursor.rest(), cursor.endian)
    }

    /// Takes a section; `None` if it does not decode.
    pub(crate) fn take_section(&mut self, bit: u16, bytes: &[u8], endian: Endian) -> Option<()> {
        if bit == feature::EVENT_DESC {
            return self.events.describe(bytes, endian);
        }
        self.features.take(bit, bytes, endian)
    }

    /// Counts facts that records need and the file lacks. Must be called once, at the end.
    pub(crate) fn count_missing(&mut self, offset: u64) {
        let Self {
            events,
            features,
            faults,
        } = self;
        for event in &events.all {
            if event.attr.is_tracepoint() && features.format(event.attr.config).is_none() {
                let id = event.attr.config;
                let detail = || format!("format of tracepoint {id}");
                faults.add(FaultKind::MissingFeature, offset, detail);
            }
        }
        if events.all.len() > 1 && events.all.iter().all(|event| event.name.is_none()) {
            let detail = || "names of the events".to_owned();
            faults.add(FaultKind::MissingFeature, offset, detail);
        }
    }
}
