//! Names of files: events of disks and files refer to them by a kernel number, and other events
//! give the name of that number.
//!
//! A key means the file as long as the file is open anywhere; all open files are listed at the
//! session's end. A file object means one opening of the file. Both are addresses and are reused:
//!
//! ```text
//! FileCreate      FileDelete          FileRundown
//!     | the name from here on, | to here    | the name since the one before, if any
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::kernel;
use crate::kernel::hooks::{Hook, file_io};
use crate::record::Record;
use crate::value::Value;

/// Maximum number of names that are kept.
const MOST: usize = 1 << 19;

/// Maximum number of names for one number.
const MOST_OF_ONE: usize = 1 << 10;

/// What one event says about a number.
#[derive(Debug, Clone)]
struct Told {
    time: i64,
    /// It names nothing from here on.
    is_end: bool,
    /// It named nothing, or something else, before.
    is_start: bool,
    name: Arc<str>,
}

/// Names of files over time.
#[derive(Debug, Default)]
pub(super) struct Files {
    keys: FxHashMap<u64, Vec<Told>>,
    objects: FxHashMap<u64, Vec<Told>>,
    names: HashSet<Arc<str>>,
    count: usize,
}

impl Files {
    /// Learns what an event says about a file; other events are ignored.
    #[inline]
    pub(super) fn learn(&mut self, record: &Record<'_>) {
        if let Some((
            hook @ (file_io::NAME
            | file_io::FILE_CREATE
            | file_io::FILE_DELETE
            | file_io::FILE_RUNDOWN
            | file_io::CREATE),
            _,
        )) = kernel::hook(record)
        {
            self.take(record, hook);
        }
    }

    fn take(&mut self, record: &Record<'_>, hook: Hook) {
        let Some(event) = kernel::describe(record) else {
            return;
        };
        let (mut number, mut name) = (None, None);
        for field in event.fields(record.payload(), record.pointer_size()) {
            match field {
                ("FileObject", value) => number = value.as_u64(),
                (_, Value::Utf16(text)) if !text.is_empty() => name = Some(super::name_of(text)),
                _ => {}
            }
        }
        let (Some(number @ 1..), Some(name)) = (number, name) else {
            return;
        };
        let all = match hook {
            file_io::CREATE => &mut self.objects,
            _ => &mut self.keys,
        };
        let all = all.entry(number).or_default();
        if self.count >= MOST || all.len() >= MOST_OF_ONE {
            return;
        }
        self.count += 1;
        let name = match self.names.get(name.as_str()) {
            Some(name) => Arc::clone(name),
            None => {
                let name: Arc<str> = name.into();
                self.names.insert(Arc::clone(&name));
                name
            }
        };
        let time = record.raw_time;
        // Files of one session may be read one after another.
        let at = all.partition_point(|told| told.time <= time);
        all.insert(
            at,
            Told {
                time,
                is_end: hook == file_io::FILE_DELETE,
                is_start: matches!(hook, file_io::FILE_CREATE | file_io::CREATE),
                name,
            },
        );
    }

    /// Returns the name of a file by its key or its file object; `None` if no event gives it.
    pub(super) fn name_of(&self, key: u64, object: u64, time: i64) -> Option<&str> {
        let by_key = self.keys.get(&key).and_then(|all| at(all, time));
        by_key.or_else(|| at(self.objects.get(&object)?, time))
    }
}

fn at(all: &[Told], time: i64) -> Option<&str> {
    let behind = all.partition_point(|told| told.time <= time);
    let before = behind.checked_sub(1).and_then(|at| all.get(at));
    let before = before.filter(|told| !told.is_end || told.time == time);
    let after = || all.get(behind).filter(|told| !told.is_start);
    before.or_else(after).map(|told| &*told.name)
}
