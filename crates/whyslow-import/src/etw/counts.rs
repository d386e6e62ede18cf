//! How many events of each kind the trace holds, for the `event_count` table.

use std::collections::HashMap;

use whyslow_etl::{Guid, Identity, Record, kernel, providers};
use whyslow_model::tables::EventCountRow;

use super::clr::{RUNDOWN, RUNTIME};
use super::{IMAGE_ID, KERNEL_PROCESS, SYSTEM_CONFIG};

/// Providers that are told apart; a damaged file may claim any number.
const MOST_PROVIDERS: usize = 1 << 12;

/// Events by kind.
#[derive(Debug)]
pub(super) struct Counts {
    /// By group and opcode.
    kernel: Vec<Count>,
    /// By class or provider.
    others: HashMap<Guid, Count>,
    /// Of providers beyond the limit, messages and placeholders.
    rest: Count,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    events: u64,
    bytes: u64,
}

impl Count {
    fn add(&mut self, bytes: u64) {
        self.events += 1;
        self.bytes += bytes;
    }
}

impl Counts {
    /// Returns counts of nothing.
    pub(super) fn new() -> Self {
        Self {
            kernel: vec![Count::default(); 1 << 16],
            others: HashMap::new(),
            rest: Count::default(),
        }
    }

    /// Counts an event of the kernel.
    #[inline]
    pub(super) fn kernel(&mut self, record: &Record<'_>, group: u8, opcode: u8) {
        if let Some(count) = self.kernel.get_mut(hook(group, opcode)) {
            count.add(size(record));
        }
    }

    /// Counts any other event.
    pub(super) fn other(&mut self, record: &Record<'_>, identity: &Identity) {
        let key = match identity {
            Identity::Classic { class, .. } => *class,
            Identity::Event(of) => of.provider,
            _ => return self.rest.add(size(record)),
        };
        let is_full = self.others.len() >= MOST_PROVIDERS;
        match self.others.get_mut(&key) {
            Some(count) => count.add(size(record)),
            None if is_full => self.rest.add(size(record)),
            None => self.others.entry(key).or_default().add(size(record)),
        }
    }

    /// Returns how many events of the kernel of a kind there were.
    pub(super) fn of(&self, group: u8, opcode: u8) -> u64 {
        let count = self.kernel.get(hook(group, opcode));
        count.map_or(0, |count| count.events)
    }

    /// Returns the rows of the `event_count` table.
    pub(super) fn rows(&self, uses_kernel_process: bool) -> Vec<EventCountRow> {
        let row = |event: String, count: &Count, used: Option<&str>| EventCountRow {
            event,
            count: count.events.cast_signed(),
            lost: 0,
            bytes: count.bytes.cast_signed(),
            used_for: used.map(ToOwned::to_owned),
        };
        let kernel = (0_u16..=u16::MAX).zip(&self.kernel);
        let seen = kernel.filter(|(_, count)| count.events > 0);
        let mut rows: Vec<_> = seen
            .map(|(hook, count)| {
                let [opcode, group] = hook.to_le_bytes();
                let known = kernel::event(group, opcode, u16::MAX);
                let name = known.map_or_else(
                    || format!("kernel {group:02x}/{opcode}"),
                    |event| format!("{}/{}", event.class, event.name),
                );
                row(name, count, used_for(group, opcode))
            })
            .collect();
        let mut others: Vec<_> = self.others.iter().collect();
        others.sort_unstable_by_key(|(key, _)| **key);
        rows.extend(others.into_iter().map(|(guid, count)| {
            let (name, used) = match *guid {
                IMAGE_ID => (Some("ImageID"), Some("modules")),
                KERNEL_PROCESS if uses_kernel_process => {
                    (providers::name(KERNEL_PROCESS), Some("processes"))
                }
                SYSTEM_CONFIG => (Some("SystemConfigEx"), Some("facts")),
                RUNTIME | RUNDOWN => (providers::name(*guid), Some("names of methods")),
                guid => (providers::name(guid), None),
            };
            let name = name.map_or_else(|| guid.to_string(), ToOwned::to_owned);
            row(name, count, used)
        }));
        if self.rest.events > 0 {
            rows.push(row("other".to_owned(), &self.rest, None));
        }
        rows
    }
}

fn hook(group: u8, opcode: u8) -> usize {
    usize::from(u16::from_le_bytes([opcode, group]))
}

fn size(record: &Record<'_>) -> u64 {
    u64::try_from(record.bytes().len()).unwrap_or(0)
}

/// Returns what events of a kind are used for.
fn used_for(group: u8, opcode: u8) -> Option<&'static str> {
    Some(match (group, opcode) {
        (0x0f, 46 | 55 | 72..=74) => "samples",
        (0x05, 36 | 37 | 50) => "states",
        (0x03, 1..=4) => "processes",
        (0x05, 1..=4 | 72) => "threads",
        (0x14, 2..=4 | 10) => "mappings",
        (0x18, 32 | 35..=38) => "stacks",
        (0x00, 0 | 66) | (0x0b, 10) => "facts",
        _ => return None,
    })
}
