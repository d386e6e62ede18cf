//! An extract opened for questions.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use whyslow_model::tables::{ALL, SCHEMA_VERSION};
use whyslow_model::{Layer, Scan, Table, TableSchema, TraceView, ViewError};

use crate::absent::no_directory;
use crate::error::{Error, ErrorKind};
use crate::table_reader::{TableReader, schema_version};

/// An extract on disk; files are opened when a question needs them.
#[derive(Debug)]
pub struct Extract {
    path: PathBuf,
    name: String,
    /// The version of the schema that it was written with.
    version: i32,
}

/// Opens a table. To open a pipe would wait for somebody who writes to it.
fn open_table(path: &Path) -> io::Result<File> {
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        let text = "it is not a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    File::open(path)
}

impl Extract {
    /// Opens the extract at `path`. Roll-ups may be missing, as may tables that are newer than it is.
    ///
    /// # Errors
    /// When there is none, it is damaged, another table is missing, or a newer version wrote it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let extract = Self::open_begun(path)?;
        match extract.missing()?.first() {
            None => Ok(extract),
            Some(table) => {
                let what = format!("it is not whole: {}.parquet is missing", table.name);
                Err(Error::new(path, ErrorKind::Damaged, what))
            }
        }
    }

    /// Opens an extract that may still be written; a table that does not exist yet is empty.
    pub(crate) fn open_begun(path: &Path) -> Result<Self, Error> {
        let trace = path.join("trace.parquet");
        let file = open_table(&trace).map_err(|error| unopened(path, &trace, error))?;
        let version = schema_version(file, &trace)?;
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        match version {
            Some(version) if version <= SCHEMA_VERSION => Ok(Self {
                path: path.to_owned(),
                name: name.unwrap_or_else(|| path.display().to_string()),
                version,
            }),
            Some(version) => {
                let what = format!(
                    "was written by a newer whyslow (schema {version}, this one reads up to {SCHEMA_VERSION})"
                );
                Err(Error::new(path, ErrorKind::NewerSchema, what))
            }
            None => {
                let what = "trace.parquet was not written by whyslow";
                Err(Error::new(path, ErrorKind::NotAnExtract, what))
            }
        }
    }

    /// Returns the tables that every extract of this version has, and this one lacks.
    pub(crate) fn missing(&self) -> Result<Vec<&'static TableSchema>, Error> {
        let entries = std::fs::read_dir(&self.path)
            .map_err(|error| Error::io(&self.path, "cannot read", error))?;
        let names: HashSet<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        let file = |table: &TableSchema| OsString::from(format!("{}.parquet", table.name));
        let needed = ALL
            .iter()
            .filter(|table| table.layer != Layer::RollUp && table.since <= self.version);
        let missing = needed.filter(|table| !names.contains(&file(table)));
        Ok(missing.copied().collect())
    }

    /// Returns where the extract is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of all its files.
    pub fn size_bytes(&self) -> u64 {
        let entries = std::fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .flatten();
        entries
            .filter_map(|entry| entry.metadata().ok())
            .map(|meta| meta.len())
            .sum()
    }

    fn file(&self, table: &TableSchema) -> PathBuf {
        self.path.join(format!("{}.parquet", table.name))
    }

    /// Opens a table; `None` if the extract has none with that name.
    fn reader(&self, table: &'static TableSchema) -> Result<Option<TableReader>, ViewError> {
        let path = self.file(table);
        let opened = match open_table(&path) {
            Ok(file) => TableReader::open(file, &path, table),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(Error::io(&path, "cannot open", error)),
        };
        opened.map(Some).map_err(|error| self.failed(table, &error))
    }

    fn failed(&self, table: &TableSchema, error: &Error) -> ViewError {
        ViewError {
            trace: self.name.clone(),
            table: table.name.to_owned(),
            cause: error.to_string(),
            advice: Some(error.hint_on_reading()),
        }
    }
}

impl TraceView for Extract {
    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.file(table).exists()
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        let Some(reader) = self.reader(table)? else {
            return Ok(());
        };
        for group in reader.groups(scan) {
            let rows = reader.read(group, scan.columns);
            let rows = rows.map_err(|error| self.failed(table, &error))?;
            if each(&rows).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        let Some(reader) = self.reader(table)? else {
            return Ok(Table::new(table));
        };
        let mut whole: Option<Table> = None;
        for group in reader.groups(&Scan::default()) {
            let rows = reader.read(group, columns);
            let rows = rows.map_err(|error| self.failed(table, &error))?;
            match &mut whole {
                None => whole = Some(rows),
                Some(whole) => crate::table_reader::append(whole, &rows),
            }
        }
        Ok(whole.unwrap_or_else(|| Table::new(table)))
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        let Some(reader) = self.reader(table)? else {
            return Ok(Table::new(table));
        };
        let picked = reader.pick(rows);
        picked.map_err(|error| self.failed(table, &error))
    }
}

/// Returns why there is no extract at `path`, whose table `trace` cannot be opened.
fn unopened(path: &Path, trace: &Path, error: io::Error) -> Error {
    if !path.is_dir() {
        return no_directory(path);
    }
    if !trace.exists() {
        let what = "it is not an extract: it has no trace.parquet";
        return Error::new(path, ErrorKind::NotAnExtract, what);
    }
    Error::io(trace, "cannot open", error)
}
