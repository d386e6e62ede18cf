//! The goroutines of Go programs ([`whyslow_goroutines`]): finds the programs, and looks at them from a
//! thread of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use whyslow_goroutines::{Change, Intervals, Program, Programs, Report, Watcher};
use whyslow_perfdata::whyslow_events::UserStackEnd;
use whyslow_runtimes::{FileKey, Mapping, ProcessMemory};
use whyslow_symbols::go::GoImage;

use crate::kept_files::Keeper;
use crate::limit_reached::LimitReached;
use crate::mapped::Mapped;
use crate::sys::process::set_niceness;
use whyslow_bpf::now_ns;

/// Files that are remembered.
const MOST_FILES: usize = 4096;

/// What files were found to be.
type Files = Arc<Mutex<HashMap<FileKey, Option<GoImage>>>>;

/// Finds Go programs among the mapped files, and passes them to the thread that looks at them. Since this has
/// to happen soon, the thread that empties the rings reports the mappings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scout {
    /// `None` if the thread could not be started.
    programs: Option<Programs>,
    files: Files,
    /// Sees the same mappings.
    keeper: Keeper,
}

/// What is known of the goroutines of a recording.
#[derive(Debug, Default)]
pub(crate) struct Goroutines {
    pub(crate) watcher: Option<Watcher>,
    /// It is newer than the records that are there.
    next: Option<Change>,
    pub(crate) intervals: Intervals<(UserStackEnd, Vec<u64>)>,
    pub(crate) report: Report,
}

impl Scout {
    /// Takes a record `MMAP2`.
    pub(crate) fn look(&self, record: &[u8]) {
        self.keeper.look(record);
        let Some(mapped) = Mapped::of_record(record).filter(may_be_program) else {
            return;
        };
        let known = self.files.lock().ok();
        let known = known.and_then(|files| files.get(&mapped.file).map(Option::is_some));
        if let Some(programs) = self.programs.as_ref().filter(|_| known != Some(false)) {
            let (record, files) = (record.to_vec(), Arc::clone(&self.files));
            programs.add(move || program(&Mapped::of_record(&record)?, &files));
        }
    }
}

impl Goroutines {
    /// Starts to look at those of programs that the scout finds.
    pub(crate) fn start(keeper: Keeper) -> (Self, Scout) {
        // Without the thread, nothing is known of them.
        let (watcher, programs) = Watcher::start(now_ns, hurry).ok().unzip();
        let goroutines = Self {
            watcher,
            ..Self::default()
        };
        let scout = Scout {
            programs,
            files: Files::default(),
            keeper,
        };
        (goroutines, scout)
    }

    /// The next change that a look of at most this time found.
    pub(crate) fn next(&mut self, until_ns: u64) -> Option<Change> {
        let new = || self.watcher.as_ref().and_then(Watcher::next_change);
        let next = self.next.take().or_else(new)?;
        if next.time_ns > until_ns {
            self.next = Some(next);
            return None;
        }
        Some(next)
    }

    /// What exceeded a limit.
    pub(crate) fn limits(&self) -> [LimitReached; 3] {
        let refused = self.intervals.refused();
        [
            LimitReached::new("goroutines that were not followed: too many", refused),
            LimitReached::new("changes of goroutines: too many at once", self.report.lost),
            LimitReached::new(
                "Go processes whose goroutines were not read: too many at once",
                self.report.refused,
            ),
        ]
    }
}

/// A late look sees little.
fn hurry() {
    let _ = set_niceness(-10);
}

/// Whether a file may be a Go program, and not a library.
fn may_be_program(mapped: &Mapped<'_>) -> bool {
    let is_library = mapped.path.windows(3).any(|part| part == b".so");
    mapped.path.starts_with(b"/") && !is_library
}

/// The Go program that a process mapped, if it is one.
fn program(mapped: &Mapped<'_>, files: &Files) -> Option<Program> {
    let path = std::str::from_utf8(mapped.path).ok()?;
    let known = files.lock().ok()?.get(&mapped.file).cloned();
    let image = match known {
        Some(image) => image,
        None => {
            // A process that is already gone says nothing about the file.
            let image = GoImage::read(&mapped.places(path).next()?);
            let mut files = files.lock().ok()?;
            if files.len() >= MOST_FILES {
                files.clear();
            }
            files.insert(mapped.file, image.clone());
            image
        }
    };
    let image = image?;
    Some(Program {
        pid: mapped.pid,
        memory: Box::new(ProcessMemory::of(mapped)?),
        bias: image.bias(mapped.start, mapped.file_offset)?,
        image,
    })
}
