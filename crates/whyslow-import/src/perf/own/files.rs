//! Files, and the calls on them, as Whyslow's recorder reports them.

use whyslow_perfdata::Record;
use whyslow_perfdata::whyslow_events::{FileCalls, FileFlags, FileName, SingleFileCalls};
use whyslow_settle::File;

use super::super::Frontend;
use crate::error::Error;
use crate::operations::{CountedFileCalls, SingleFileCall};
use crate::payload::perf::lossy;

impl Frontend<'_> {
    /// A name beyond the limits is counted; calls on that file then have its folder, or no file.
    pub(super) fn file_name(&mut self, told: &FileName) {
        let path = match told.path.is_empty() {
            // An object without a folder and a name is named by its kind.
            true => kind_of(told).to_owned(),
            false => lossy(&told.path),
        };
        let file_system = match told.file_system.is_empty() {
            true => None,
            false => self.importer.text(&lossy(&told.file_system)),
        };
        // Sockets, pipes and the like are named by their kind, not by the first one of it.
        let is_one = told.inode != 0 && !told.flags.has(FileFlags::UNREACHABLE);
        self.importer.name_file(told.number, &path, |path| File {
            path,
            inode: is_one.then_some((told.inode, told.device)),
            mode: told.mode,
            file_system,
            flags: told.flags.0.cast_signed(),
        });
    }

    pub(super) fn file_calls(
        &mut self,
        record: &Record<'_>,
        calls: &FileCalls,
    ) -> Result<(), Error> {
        let counted = CountedFileCalls::of(calls);
        self.counted(record, counted.map(|counted| (counted.tid, counted.into())))
    }

    pub(super) fn single_file_calls(
        &mut self,
        record: &Record<'_>,
        calls: &SingleFileCalls,
    ) -> Result<(), Error> {
        let single = SingleFileCall::of(calls);
        self.counted(record, single.map(|call| (call.tid, call.into())))
    }
}

fn kind_of(told: &FileName) -> &'static str {
    match told.mode & 0o170_000 {
        0o140_000 => "[socket]",
        0o010_000 => "[pipe]",
        _ => "[unnamed]",
    }
}
