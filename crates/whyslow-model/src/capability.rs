//! What a recording holds. A question that needs missing data says so; it never answers zero.

use std::collections::BTreeMap;

use crate::system::System;
use crate::tables::CapabilityRow;
pub use crate::tables::recorded::Capability;

/// Whether a capability is present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Not recorded.
    No,
    /// Recorded in part; the note says which.
    Partial,
    /// Recorded.
    Yes,
}

impl Presence {
    /// Returns the `capability` table's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Partial => "partial",
            Self::Yes => "yes",
        }
    }
}

impl Capability {
    /// Returns whether only root can record it with Whyslow.
    pub fn needs_root(self, on: System) -> bool {
        use Capability::{
            Allocations, CpuSamples, Datagrams, Exceptions, FilterCalls, Handles, Limits,
            ProcessEvents, ProcessMemory, Registry, SampleStacks,
        };
        let anybody = matches!(
            self,
            CpuSamples | SampleStacks | ProcessEvents | ProcessMemory | Limits
        );
        let only_windows = matches!(
            self,
            FilterCalls | Registry | Allocations | Handles | Datagrams | Exceptions
        );
        on == System::Linux && !anybody && !only_windows
    }
}

/// The capabilities of one recording; a capability that was never set is not recorded.
#[derive(Debug, Clone, Default)]
pub struct Capabilities {
    entries: BTreeMap<Capability, (Presence, Option<String>)>,
}

impl Capabilities {
    /// Sets `capability` as recorded.
    pub fn set(&mut self, capability: Capability) {
        self.entries.insert(capability, (Presence::Yes, None));
    }

    /// Sets `capability` as missing or partial, with the reason.
    pub fn note(&mut self, capability: Capability, presence: Presence, note: &str) {
        let entry = (presence, Some(note.to_owned()));
        self.entries.insert(capability, entry);
    }

    /// Returns whether `capability` is present.
    pub fn presence(&self, capability: Capability) -> Presence {
        let entry = self.entries.get(&capability);
        entry.map_or(Presence::No, |entry| entry.0)
    }

    /// Returns the note on `capability`.
    pub fn why(&self, capability: Capability) -> Option<&str> {
        self.entries.get(&capability)?.1.as_deref()
    }

    /// Returns the rows of the `capability` table for a recording of a system, with every
    /// capability.
    pub fn rows(&self, of: System) -> Vec<CapabilityRow> {
        let row = |&capability: &Capability| {
            let presence = self.presence(capability);
            let how = (presence == Presence::No).then(|| capability.how_to_record(of).to_owned());
            CapabilityRow {
                name: capability.name().to_owned(),
                presence: presence.name().to_owned(),
                note: self.why(capability).map(ToOwned::to_owned).or(how),
            }
        };
        Capability::ALL.iter().map(row).collect()
    }

    /// Returns the capabilities that rows of the `capability` table state.
    pub fn from_rows(rows: impl IntoIterator<Item = CapabilityRow>) -> Self {
        let mut entries = BTreeMap::new();
        for row in rows {
            let mut all = Capability::ALL.iter();
            let Some(&capability) = all.find(|c| c.name() == row.name) else {
                continue;
            };
            let presence = match row.presence.as_str() {
                "yes" => Presence::Yes,
                "partial" => Presence::Partial,
                _ => Presence::No,
            };
            entries.insert(capability, (presence, row.note));
        }
        Self { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_root_says_so() {
        for &one in Capability::ALL {
            for on in [System::Linux, System::Windows] {
                let how = one.how_to_record(on);
                assert_eq!(one.needs_root(on), how.contains("as root"), "{how}");
            }
        }
    }
}
