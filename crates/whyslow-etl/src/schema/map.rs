//! Names of values, which descriptions of events refer to.

use super::texts::Texts;
use crate::bytes::{size, u32_at};
use crate::guid::Guid;
use crate::record::{Identity, Record};

/// Names of the values of an enumeration, or of the bits of flags.
///
/// A merge adds them as separate events (opcode 33): the provider's GUID and an `EVENT_MAP_INFO` of
/// `tdh.h`, whose offsets count from the end of the GUID. Seen in merged traces of Windows 8 to 11.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Map {
    /// The provider.
    pub provider: Guid,
    /// Name of the map, which fields refer to.
    pub name: String,
    /// Whether the values are flags, so that several may be set at once.
    pub is_flags: bool,
    pub(crate) entries: Vec<(u32, String)>,
}

impl Map {
    /// Returns the map that an event carries, if it is one that a merge has added.
    pub fn from_event_map_info(record: &Record<'_>) -> Option<Self> {
        match record.identity() {
            Identity::Classic {
                class: super::EVENT_METADATA,
                opcode: 33,
                ..
            } => Self::read(record.payload()),
            _ => None,
        }
    }

    fn read(payload: &[u8]) -> Option<Self> {
        const VALUES: u32 = 1;
        const FLAGS: u32 = 2;
        let info = payload.get(16..)?;
        let mut texts = Texts::of(info);
        let mut text = |at: usize| texts.at(u32_at(info, at)?);
        let is_flags = match u32_at(info, 4)? {
            VALUES => false,
            FLAGS => true,
            _ => return None,
        };
        let count = size(u32_at(info, 8)?);
        if count > info.len() / 8 {
            return None;
        }
        let name = text(0)?;
        let entries = (0..count).map(|index| {
            let at = 16 + 8 * index;
            Some((u32_at(info, at + 4)?, text(at)?))
        });
        Some(Self {
            provider: Guid::read(payload, 0)?,
            name,
            is_flags,
            entries: entries.collect::<Option<_>>()?,
        })
    }

    /// Returns the name of a value, or the names of its flags with `|` between them (`None` if none
    /// is set); nothing if any part of it has no name.
    pub fn name_of(&self, value: u64) -> Option<String> {
        let whole = || {
            let mut entries = self.entries.iter();
            let (_, name) = entries.find(|(of, _)| u64::from(*of) == value)?;
            Some(name.clone())
        };
        if !self.is_flags {
            return whole();
        }
        if value == 0 {
            return whole().or_else(|| Some("None".to_owned()));
        }
        let mut left = value;
        let mut names = Vec::new();
        // Names of several bits are for those that names of single bits do not cover.
        for is_single in [true, false] {
            for (of, name) in &self.entries {
                let bits = u64::from(*of);
                if bits != 0 && left & bits == bits && bits.is_power_of_two() == is_single {
                    names.push((bits, name.as_str()));
                    left &= !bits;
                }
            }
        }
        if left != 0 {
            return whole();
        }
        names.sort_by_key(|(bits, _)| *bits);
        let names: Vec<&str> = names.into_iter().map(|(_, name)| name).collect();
        Some(names.join("|"))
    }
}
