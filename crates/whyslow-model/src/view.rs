//! Read access to the tables of one trace, whatever holds them.
//!
//! Queries read through [`TraceView`]; the extract crate implements it for files, [`MemoryTrace`]
//! for tables in memory (tests use it to write traces as literals).

use std::ops::ControlFlow;

use crate::ids::ProcessId;
use crate::schema::TableSchema;
use crate::table::Table;

/// What a reader is asked for.
#[derive(Debug, Clone, Default)]
pub struct Scan<'a> {
    /// Names of the wanted columns; empty means all.
    pub columns: &'a [&'a str],
    /// Wanted processes, ascending; `None` means all.
    ///
    /// A hint: the reader skips parts that certainly have no such row, and may return more than
    /// asked for.
    pub processes: Option<&'a [ProcessId]>,
    /// Wanted time window `[from, to)` by the table's first time column; `None` means all.
    ///
    /// A hint like `processes`; rows that overlap the window from before it are included.
    pub window_ns: Option<(i64, i64)>,
}

/// The tables of one trace.
pub trait TraceView {
    /// Returns a short name of the trace for a person: the extract's file name.
    fn name(&self) -> &str;

    /// Returns whether the table is present.
    fn has(&self, table: &TableSchema) -> bool;

    /// Passes the rows of a table to `each` in order, batch by batch, until it breaks off.
    ///
    /// Columns that were not asked for are empty. For a missing table there is no batch.
    ///
    /// # Errors
    /// When the table cannot be read.
    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError>;

    /// Returns a whole table (or the wanted columns of it) at once.
    ///
    /// # Errors
    /// When the table cannot be read.
    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError>;

    /// Returns some rows of a table by their numbers, in ascending order; numbers beyond its end
    /// are left out.
    ///
    /// # Errors
    /// When the table cannot be read.
    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError>;
}

/// Why a table could not be read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("cannot read table {table} of {trace}: {cause}{}", advice.map_or(String::new(), |advice| format!("; {advice}")))]
pub struct ViewError {
    /// Name of the trace.
    pub trace: String,
    /// Name of the table.
    pub table: String,
    /// What went wrong, and in which file.
    pub cause: String,
    /// What to do.
    pub advice: Option<&'static str>,
}

/// A trace whose tables are in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryTrace {
    name: String,
    tables: Vec<Table>,
}

impl MemoryTrace {
    /// Returns a trace called `name` with these tables.
    pub fn new(name: &str, tables: Vec<Table>) -> Self {
        Self {
            name: name.to_owned(),
            tables,
        }
    }

    /// Adds or replaces a table.
    pub fn put(&mut self, table: Table) {
        self.tables
            .retain(|old| old.schema.name != table.schema.name);
        self.tables.push(table);
    }

    fn find(&self, schema: &TableSchema) -> Option<&Table> {
        let mut tables = self.tables.iter();
        tables.find(|table| table.schema.name == schema.name)
    }
}

impl TraceView for MemoryTrace {
    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.find(table).is_some()
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        _scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        if let Some(table) = self.find(table) {
            let _stopped = each(table);
        }
        Ok(())
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        let mut read = Table::new(table);
        if let Some(found) = self.find(table) {
            let pairs = read.columns.iter_mut().zip(&found.columns);
            for ((column, found), schema) in pairs.zip(table.columns) {
                if columns.is_empty() || columns.contains(&schema.name) {
                    column.clone_from(found);
                }
            }
        }
        Ok(read)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        let found = self.find(table).map(|found| found.pick(rows));
        Ok(found.unwrap_or_else(|| Table::new(table)))
    }
}

/// A trace with new rows for some of its tables, which are not written yet.
#[derive(Clone, Copy)]
pub struct Renewed<'a> {
    /// The trace before the change.
    pub old: &'a (dyn TraceView + Sync),
    /// The tables that replace its own.
    pub new: &'a MemoryTrace,
}

impl<'a> Renewed<'a> {
    fn holder(&self, table: &TableSchema) -> &'a (dyn TraceView + Sync) {
        if self.new.has(table) {
            self.new
        } else {
            self.old
        }
    }
}

impl TraceView for Renewed<'_> {
    fn name(&self) -> &str {
        self.old.name()
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.holder(table).has(table)
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        self.holder(table).scan(table, scan, each)
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        self.holder(table).read(table, columns)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        self.holder(table).pick(table, rows)
    }
}

impl std::fmt::Debug for Renewed<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Renewed")
            .field("old", &self.old.name())
            .finish_non_exhaustive()
    }
}
