//! An extract that remembers which tables were wanted and are missing.
//!
//! For questions, a missing table is an empty one, because older extracts lack some. For a rule that makes a difference:
//! that there is nothing to count is not the same as that nothing is known.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

use whyslow_model::{Layer, Scan, Table, TableSchema, TraceView, ViewError};
use whyslow_query::View;

/// An extract, and which tables it should have.
pub(crate) struct Complete<'v> {
    inner: View<'v>,
    missing: Mutex<BTreeSet<&'static str>>,
}

impl<'v> Complete<'v> {
    pub(crate) fn new(inner: View<'v>) -> Self {
        Self {
            inner,
            missing: Mutex::default(),
        }
    }

    /// Returns the tables that were wanted and are missing.
    pub(crate) fn missing(self) -> BTreeSet<&'static str> {
        let missing = self.missing.into_inner();
        missing.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Every extract has all tables with a row for each event, even if they are empty.
    fn want(&self, table: &'static TableSchema) {
        if table.layer == Layer::Raw && !self.inner.has(table) {
            let missing = self.missing.lock();
            let mut missing = missing.unwrap_or_else(std::sync::PoisonError::into_inner);
            missing.insert(table.name);
        }
    }
}

impl TraceView for Complete<'_> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.inner.has(table)
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        self.want(table);
        self.inner.scan(table, scan, each)
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        self.want(table);
        self.inner.read(table, columns)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        self.want(table);
        self.inner.pick(table, rows)
    }
}
