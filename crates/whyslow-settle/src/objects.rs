//! What threads waited for, each once.

use std::collections::HashMap;

use whyslow_model::tables::WaitObjectRow;

/// Maximum number of objects.
const MOST_OBJECTS: usize = 1 << 18;
/// Maximum size of their names, in bytes.
const MOST_NAME_BYTES: usize = 32 << 20;

/// The objects of a trace, in the order they were first seen.
#[derive(Debug, Default)]
pub struct Objects {
    by_row: HashMap<Key, u32>,
    /// The rows; the position is the number.
    pub all: Vec<WaitObjectRow>,
    name_bytes: usize,
    /// What was left out because of a limit.
    pub refused: u64,
}

/// The identity of an object.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: String,
    name: String,
    local: Option<String>,
    peer_pid: Option<i32>,
    owner_tid: Option<i32>,
    inode: Option<i64>,
    device: Option<i32>,
    others: Option<i32>,
}

impl Objects {
    /// Returns the number of an object; `None` at the limit.
    pub fn intern(&mut self, row: WaitObjectRow) -> Option<u32> {
        let key = Key {
            kind: row.kind.clone(),
            name: row.name.clone(),
            local: row.local.clone(),
            peer_pid: row.peer_pid,
            owner_tid: row.owner_tid,
            inode: row.inode,
            device: row.device,
            others: row.others,
        };
        if let Some(&known) = self.by_row.get(&key) {
            return Some(known);
        }
        let bytes = self.name_bytes.saturating_add(row.name.len());
        let number = u32::try_from(self.all.len()).ok();
        let is_room = self.all.len() < MOST_OBJECTS && bytes <= MOST_NAME_BYTES;
        let Some(number) = number.filter(|_| is_room) else {
            self.refused += 1;
            return None;
        };
        self.name_bytes = bytes;
        self.by_row.insert(key, number);
        self.all.push(WaitObjectRow {
            id: number.cast_signed(),
            ..row
        });
        Some(number)
    }
}
