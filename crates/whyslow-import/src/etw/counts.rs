//! How many events of each kind the trace holds, for the `event_count` table.

use whyslow_etl::kernel::hooks::Hook;
use whyslow_etl::kernel::merged::{image_id, system_config_ex};
use whyslow_etl::{Guid, Identity, Record, kernel, providers};
use whyslow_model::FastMap;
use whyslow_model::tables::EventCountRow;

use super::dispatch;

/// Number of providers counted separately; a damaged file may claim any number.
const MOST_PROVIDERS: usize = 1 << 12;

/// Events by kind.
#[derive(Debug)]
pub(super) struct Counts {
    /// By group and opcode.
    kernel: Vec<Count>,
    /// By class or provider.
    others: FastMap<Guid, Count>,
    /// Providers beyond the limit, messages and placeholders.
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
            others: FastMap::default(),
            rest: Count::default(),
        }
    }

    /// Counts an event of the kernel.
    #[inline]
    pub(super) fn kernel(&mut self, record: &Record<'_>, hook: Hook) {
        if let Some(count) = self.kernel.get_mut(place(hook)) {
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
    pub(super) fn of(&self, hook: Hook) -> u64 {
        let count = self.kernel.get(place(hook));
        count.map_or(0, |count| count.events)
    }

    /// Returns the rows of the `event_count` table; `uses` returns whether any events of a provider
    /// were used.
    pub(super) fn rows(&self, uses: &dyn Fn(Guid) -> bool) -> Vec<EventCountRow> {
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
            .map(|(place, count)| {
                let [opcode, group] = place.to_le_bytes();
                let hook = Hook { group, opcode };
                let known = kernel::event(hook, u16::MAX);
                let name = known.map_or_else(
                    || format!("kernel {group:02x}/{opcode}"),
                    |event| format!("{}/{}", event.class, event.name),
                );
                row(name, count, dispatch::kernel_used_for(hook))
            })
            .collect();
        let mut others: Vec<_> = self.others.iter().collect();
        others.sort_unstable_by_key(|(key, _)| **key);
        rows.extend(others.into_iter().map(|(guid, count)| {
            let name = match *guid {
                image_id::CLASS => Some("ImageID"),
                system_config_ex::CLASS => Some("SystemConfigEx"),
                guid => providers::name(guid),
            };
            let used = dispatch::used_for(*guid).filter(|_| uses(*guid));
            let name = name.map_or_else(|| guid.to_string(), ToOwned::to_owned);
            row(name, count, used)
        }));
        if self.rest.events > 0 {
            rows.push(row("other".to_owned(), &self.rest, None));
        }
        rows
    }
}

fn place(hook: Hook) -> usize {
    usize::from(u16::from_le_bytes([hook.opcode, hook.group]))
}

fn size(record: &Record<'_>) -> u64 {
    u64::try_from(record.bytes().len()).unwrap_or(0)
}
