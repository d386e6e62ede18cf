//! Writes an extract: rows through the sink, other tables directly; the extract is complete or does
//! not exist.
//!
//! Everything is written into a hidden directory next to the final one, and renamed when it is
//! complete. A writer that is dropped before that leaves nothing behind. Leftovers of a killed
//! writer are removed by the next writer in the same directory, and an extract that it was about to
//! replace is put back. A living writer is recognized by its process id and by a lock on its
//! directory: in another container, the same id may belong to another process, even to ours.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_files::{owner, private};
use whyslow_model::tables::SCHEMA_VERSION;
use whyslow_model::{OwnerRef, RawTable, RowSink, Settle, SinkError, Table, Unwatched, Watch};

use crate::error::{Error, ErrorKind};
use crate::extract::Extract;
use crate::file::TableFile;
use crate::raw_writer::{self, RawWriter};
use crate::spill::Spill;

/// How an extract is written.
#[derive(Debug, Clone)]
pub struct Options {
    /// Memory for rows before they go to disk.
    pub memory_bytes: usize,
    /// Hash of the source, for the footer of every table.
    pub trace_id: String,
    /// Whether an existing extract is replaced.
    pub replace: bool,
    /// The watcher that may stop the writing.
    pub watch: Arc<dyn Watch>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory_bytes: 192 << 20,
            trace_id: String::new(),
            replace: false,
            watch: Arc::new(Unwatched),
        }
    }
}

/// Number of files that are synced at a time.
const SYNCING: usize = 8;

/// Name of the copy of the trace's facts for people.
const META: &str = "meta.json";

/// An extract being written.
#[derive(Debug)]
pub struct ExtractWriter {
    path: PathBuf,
    /// The hidden directory; `None` once it has been renamed.
    dir: Option<PathBuf>,
    /// The hidden directory, locked if the file system supports that.
    lock: fs::File,
    options: Options,
    spills: Vec<Spill>,
    spilled_bytes: u64,
}

impl ExtractWriter {
    /// Starts an extract that will be at `path`.
    ///
    /// # Errors
    /// When something already exists there and must not be replaced, or the directory above it
    /// cannot be written.
    pub fn create(path: &Path, options: Options) -> Result<Self, Error> {
        let parent = parent(path);
        remove_stale(&parent);
        if path.exists() && !options.replace {
            return Err(Error::new(path, ErrorKind::Exists, "already exists"));
        }
        if path.exists() && !path.join("trace.parquet").exists() {
            let what = "exists and is not an extract; it is not replaced";
            return Err(Error::new(path, ErrorKind::NotReplaced, what));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let dir = parent.join(format!(".{name}.{}.tmp", std::process::id()));
        if is_locked(&dir) {
            let what = "is being written by another process";
            return Err(Error::new(path, ErrorKind::NotReplaced, what));
        }
        let _stale = fs::remove_dir_all(&dir);
        let made = private::create_dir(&dir).and_then(|()| owner::open_own_directory(&dir));
        let lock = made.map_err(|e| Error::io(&parent, "cannot write into this directory", e))?;
        let _where_possible = lock.try_lock();
        let spill = |&table: &RawTable| {
            let schema = table.schema();
            Spill::new(
                schema.columns.len(),
                dir.join(format!("{}.run", schema.name)),
            )
        };
        Ok(Self {
            path: path.to_owned(),
            spills: RawTable::ALL.iter().map(spill).collect(),
            dir: Some(dir),
            lock,
            options,
            spilled_bytes: 0,
        })
    }

    fn dir(&self) -> &Path {
        self.dir.as_deref().unwrap_or(&self.path)
    }

    fn file(&self, table: &str) -> PathBuf {
        self.dir().join(format!("{table}.parquet"))
    }

    /// Returns whether the watcher asks to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.options.watch.is_interrupted()
    }

    pub(crate) fn open_file(
        &self,
        schema: &whyslow_model::TableSchema,
    ) -> Result<TableFile, Error> {
        let path = self.file(schema.name);
        TableFile::create(&path, schema, SCHEMA_VERSION, &self.options.trace_id)
    }

    /// Returns the bytes that went through temporary files.
    pub fn spilled_bytes(&self) -> u64 {
        self.spilled_bytes
    }

    /// Writes the raw tables: every row in final order, settled. A separate thread encodes rows
    /// while the next ones are settled.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the watcher asks to stop.
    pub fn merge(&mut self, settle: &mut dyn Settle) -> Result<(), Error> {
        let owners = settle.owners();
        std::thread::scope(|scope| {
            let mut encoders = Vec::new();
            let mut merged = Ok(());
            for &table in RawTable::ALL {
                let file = self.open_file(table.schema())?;
                let (rows, encoder) = raw_writer::open(table);
                encoders.push(scope.spawn(move || encoder.run(file)));
                merged = self.merge_table(table, &owners, settle, rows);
                if merged.is_err() {
                    break;
                }
            }
            for encoder in encoders {
                let written = encoder.join();
                // If encoding failed, that is why no more rows could be merged.
                written.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            merged
        })
    }

    fn merge_table(
        &mut self,
        table: RawTable,
        owners: &[OwnerRef],
        settle: &mut dyn Settle,
        mut rows: RawWriter,
    ) -> Result<(), Error> {
        let run = self.dir().join(format!("{}.run", table.schema().name));
        let Some(spill) = self.spills.get_mut(table.index()) else {
            return Ok(());
        };
        let mut spill = std::mem::replace(spill, Spill::new(0, PathBuf::new()));
        let unreadable = |e| Error::io(&run, "cannot read a temporary file", e);
        spill.finish().map_err(unreadable)?;
        for &owner in owners {
            let each = &mut |piece: &mut [i64]| match self.options.watch.is_interrupted() {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => rows.take(piece, owner, settle),
            };
            spill.read(owner, each).map_err(unreadable)?;
        }
        self.spilled_bytes += spill.spilled_bytes();
        rows.flush().map_err(unreadable)?;
        let _none = fs::remove_file(run);
        Ok(())
    }

    /// Writes a table of any layer except raw.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_table(&mut self, table: &Table) -> Result<(), Error> {
        let mut file = self.open_file(table.schema)?;
        if !table.is_empty() {
            file.write(table)?;
        }
        file.close()
    }

    /// Opens the tables written so far, to compute roll-ups from them.
    ///
    /// # Errors
    /// When the trace table has not been written, or a file cannot be read.
    pub fn view(&self) -> Result<Extract, Error> {
        Extract::open_begun(self.dir())
    }

    /// Completes the extract under its final name, and returns that name. Tables that were not written are empty.
    ///
    /// # Errors
    /// When files cannot be made durable, or something is in the way.
    pub fn finish(mut self) -> Result<PathBuf, Error> {
        let dir = self.dir().to_owned();
        let fail = |e| Error::io(&dir, "cannot complete", e);
        let view = self.view()?;
        for schema in view.missing()? {
            self.write_table(&Table::new(schema))?;
        }
        let meta = crate::meta::describe(&view);
        let mut file = private::create(&dir.join(META)).map_err(fail)?;
        file.write_all(meta.as_bytes()).map_err(fail)?;
        let files: Result<Vec<_>, _> = fs::read_dir(&dir).map_err(fail)?.collect();
        sync_files(&files.map_err(fail)?).map_err(fail)?;
        fs::File::open(&dir)
            .and_then(|dir| dir.sync_all())
            .map_err(fail)?;
        // Until now nobody else could put anything into it.
        owner::give(&self.lock).map_err(fail)?;
        let mut old = None;
        if self.options.replace && self.path.exists() {
            let aside = dir.with_extension("old");
            fs::rename(&self.path, &aside).map_err(fail)?;
            old = Some(aside);
        }
        let renamed = fs::rename(&dir, &self.path);
        if let Err(error) = renamed {
            if let Some(old) = old {
                let _back = fs::rename(old, &self.path);
            }
            let taken = self.path.exists();
            return Err(if taken {
                Error::new(&self.path, ErrorKind::Exists, "appeared meanwhile")
            } else {
                Error::io(&self.path, "cannot put the extract in place", error)
            });
        }
        self.dir = None;
        if let Some(old) = old {
            let _gone = fs::remove_dir_all(old);
        }
        Ok(self.path.clone())
    }
}

impl Drop for ExtractWriter {
    fn drop(&mut self) {
        if let Some(dir) = &self.dir {
            let _gone = fs::remove_dir_all(dir);
        }
    }
}

impl RowSink for ExtractWriter {
    fn push(&mut self, table: RawTable, owner: OwnerRef, row: &[i64]) -> Result<(), SinkError> {
        let failed = |source| SinkError {
            what: "temporary files".to_owned(),
            source,
        };
        let Some(spill) = self.spills.get_mut(table.index()) else {
            return Ok(());
        };
        // Between runs only a bounded part grows: the rows of the current run.
        if !spill.push(owner, row).map_err(failed)? {
            return Ok(());
        }
        let held: usize = self.spills.iter().map(Spill::bytes).sum();
        let places: usize = self.spills.iter().map(Spill::segment_bytes).sum();
        let most = self.options.memory_bytes;
        // The places of segments stay in memory; without room for rows there would be ever more
        // segments.
        if held > most.saturating_sub(places).max(most / 4) {
            for spill in &mut self.spills {
                spill.spill().map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// Makes files durable, several at a time: file systems combine concurrent requests into one write.
fn sync_files(files: &[fs::DirEntry]) -> io::Result<()> {
    let sync = |file: &fs::DirEntry| fs::File::open(file.path())?.sync_data();
    std::thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(SYNCING).max(1));
        let parts: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().try_for_each(sync)))
            .collect();
        parts.into_iter().try_for_each(|part| {
            let synced = part.join();
            synced.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Returns the directory that contains a path.
pub(crate) fn parent(path: &Path) -> PathBuf {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Removes hidden directories of writers that no longer run.
fn remove_stale(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = name.strip_prefix('.').and_then(|name| {
            let old = name.strip_suffix(".old").map(|name| (name, true));
            old.or_else(|| Some((name.strip_suffix(".tmp")?, false)))
        });
        let Some((stem, is_old)) = ours else {
            continue;
        };
        let Some((name, pid)) = stem.rsplit_once('.') else {
            continue;
        };
        let dead = pid.parse::<u32>().is_ok() && !Path::new("/proc").join(pid).exists();
        let is_stale = name.ends_with(".whyslow") && dead && Path::new("/proc/self").exists();
        if !is_stale || is_locked(&dir.join(format!(".{stem}.tmp"))) {
            continue;
        }
        if is_old && !dir.join(name).exists() {
            // The writer was killed between moving the old extract aside and putting the new one in
            // its place.
            let _back = fs::rename(entry.path(), dir.join(name));
        } else {
            let _gone = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether a writer has locked a hidden directory.
fn is_locked(dir: &Path) -> bool {
    // Something else may have such a name, and opening it might block forever.
    if !dir.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return false;
    }
    let tried = fs::File::open(dir).map(|dir| dir.try_lock());
    matches!(tried, Ok(Err(fs::TryLockError::WouldBlock)))
}
