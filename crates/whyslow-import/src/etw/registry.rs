//! The registry: operations on its keys, and the names of keys.
//!
//! The kernel knows an open key by the address of its control block. It names these when it makes or
//! forgets them, and in lists at the start and the end. A key that is not named yet gets a row whose
//! path is filled in when a list names it. Addresses are used again.

use whyslow_etl::kernel::RegistryCall;
use whyslow_etl::kernel::hooks::{Hook, registry};
use whyslow_model::registry as told;
use whyslow_model::{FastMap, FileId, RegistryOperation as Does, windows_calls};

use super::emitter::Emitter;
use super::notes::harmless;
use crate::operations::RegistryEvent;
use whyslow_etl::kernel::KernelRecord;

/// The kernel's events that are read.
#[rustfmt::skip]
pub(super) const EVENTS: &[Hook] = &[
    registry::CREATE, registry::OPEN, registry::DELETE, registry::QUERY, registry::SET_VALUE,
    registry::DELETE_VALUE, registry::QUERY_VALUE, registry::ENUMERATE_KEY,
    registry::ENUMERATE_VALUE_KEY, registry::QUERY_MULTIPLE_VALUE, registry::SET_INFORMATION,
    registry::FLUSH, registry::VIRTUALIZE, registry::CLOSE, registry::SET_SECURITY,
    registry::QUERY_SECURITY, registry::KCB_CREATE, registry::KCB_DELETE,
    registry::KCB_RUNDOWN_BEGIN, registry::KCB_RUNDOWN_END,
];

/// The placeholder for a key whose name is not known, before names relative to it.
const UNNAMED: &str = "[unnamed]";

/// A key that an address means.
#[derive(Debug)]
struct Key {
    file: FileId,
    /// `None` if it is not known yet.
    path: Option<Box<str>>,
}

/// The keys that addresses mean now.
#[derive(Debug)]
pub(super) struct Registry {
    keys: FastMap<u64, Key>,
    most: usize,
    pub(super) is_there: bool,
}

impl Registry {
    /// Returns no keys; at most about `most` are known at a time.
    pub(super) fn new(most: u32) -> Self {
        Self {
            keys: FastMap::default(),
            most: usize::try_from(most).unwrap_or(usize::MAX),
            is_there: false,
        }
    }

    /// Takes an event.
    pub(super) fn take(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let call = RegistryCall::read(record.payload(), of.version, record.pointer_size());
        let Some(call) = call else {
            return out.bad(record, "a registry event");
        };
        let name = call.name.to_string();
        let Some(operation) = told::operation(of.hook.opcode) else {
            self.name(call.key, &name, out);
            if of.hook == registry::KCB_DELETE {
                self.keys.remove(&call.key);
            }
            return;
        };
        self.is_there = true;
        let is_of_value = matches!(
            operation,
            Does::SetValue | Does::DeleteValue | Does::QueryValue
        );
        let (key, value) = match (is_of_value, &*name) {
            (true, "") => (self.key(call.key, out), out.label("(default)")),
            (true, name) => (self.key(call.key, out), out.label(&harmless(name))),
            (false, name) => (self.below(call.key, name, out), None),
        };
        let ticks = call
            .since
            .map(|since| record.raw_time.saturating_sub(since));
        let ticks = ticks.filter(|&ticks| ticks >= 0);
        let event = RegistryEvent {
            duration_ns: ticks.map(|ticks| out.clock().duration_ns(ticks)),
            key,
            value,
            operation,
            result: windows_calls::result(call.status),
        };
        let ids = (record.thread_id(), record.process_id());
        out.push_operation(record, ids, event.into());
    }

    /// Takes the name of a key; its row without a path gets it.
    fn name(&mut self, address: u64, name: &str, out: &mut Emitter<'_>) {
        let path = told::key(name);
        if address == 0 || path.is_empty() {
            return;
        }
        if let Some(key) = self.keys.get_mut(&address).filter(|key| key.path.is_none()) {
            out.set_file_path(key.file, &path);
            key.path = Some(path.into());
        } else if let Some(file) = out.file(&path) {
            let path = Some(path.into());
            self.know(address, Key { file, path });
        }
    }

    /// Returns the key at an address.
    fn key(&mut self, address: u64, out: &mut Emitter<'_>) -> Option<FileId> {
        if let Some(key) = self.keys.get(&address) {
            return Some(key.file);
        }
        let file = out.unnamed_file()?;
        self.know(address, Key { file, path: None });
        Some(file)
    }

    /// Returns the key with a name, which may be relative to the one at an address.
    fn below(&mut self, address: u64, name: &str, out: &mut Emitter<'_>) -> Option<FileId> {
        match name {
            "" => self.key(address, out),
            whole if address == 0 || whole.starts_with('\\') => out.file(&told::key(whole)),
            name => {
                let base = self.keys.get(&address);
                let base = base.and_then(|key| key.path.as_deref());
                out.file(&format!("{}\\{name}", base.unwrap_or(UNNAMED)))
            }
        }
    }

    fn know(&mut self, address: u64, key: Key) {
        if self.keys.len() < self.most || self.keys.contains_key(&address) {
            self.keys.insert(address, key);
        }
    }
}
