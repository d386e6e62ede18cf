//! Rows whose cells have all been computed.

use whyslow_results::Value;

use super::Rows;

/// Rows whose cells have all been computed.
pub(crate) struct ReadyRows(Vec<Vec<Value>>);

impl ReadyRows {
    /// Returns the cells of these rows.
    pub(crate) fn new(rows: &[u32], columns: usize, cell: impl Fn(usize, usize) -> Value) -> Self {
        let cells = |row: usize| (0..columns).map(|column| cell(row, column)).collect();
        Self(rows.iter().map(|&row| cells(row as usize)).collect())
    }
}

impl Rows for ReadyRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize, column: usize) -> Value {
        let cell = self.0.get(row).and_then(|row| row.get(column));
        cell.cloned().unwrap_or(Value::Null)
    }
}
