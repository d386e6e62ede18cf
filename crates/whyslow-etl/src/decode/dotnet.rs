//! Names of the .NET runtime's events.
//!
//! The runtime's manifest has names such as `GarbageCollection/GCSuspendEEBegin`; people who work
//! with these events know them by the names in the TraceEvent library and `PerfView`, such as
//! `GC/SuspendEEStart`. The table next to this file holds these names by provider and id, from
//! TraceEvent's parsers (MIT).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::guid::Guid;
use crate::record::Descriptor;

static NAMES: LazyLock<HashMap<(Guid, u16), &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    let mut provider = Guid::default();
    for line in include_str!("dotnet_names.txt").lines() {
        let Some((number, name)) = line.split_once(' ') else {
            continue;
        };
        match number.parse() {
            Ok(id) => {
                names.insert((provider, id), name);
            }
            Err(_) => provider = Guid::parse(number).unwrap_or_default(),
        }
    }
    names
});

/// Returns the name of an event of the .NET runtime; `None` for others.
pub(super) fn name(event: &Descriptor) -> Option<&'static str> {
    NAMES.get(&(event.provider, event.id)).copied()
}
