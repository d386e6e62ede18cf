//! A sink that keeps every row in memory: for tests, and for traces known to be small.

use whyslow_model::{
    Column, ColumnType, NULL_I32, NULL_I64, OwnerRef, RawTable, RowSink, Settle, SinkError, Table,
};

/// Rows of the raw tables, as they were pushed.
#[derive(Debug, Default)]
pub struct MemorySink {
    rows: [Vec<(OwnerRef, Vec<i64>)>; RawTable::COUNT],
}

impl MemorySink {
    /// Returns a sink without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Settles every row in the final order and returns the raw tables.
    pub fn into_tables(mut self, settle: &mut dyn Settle) -> Vec<Table> {
        let owners = settle.owners();
        let mut rank = vec![usize::MAX; owners.len()];
        for (at, owner) in owners.iter().enumerate() {
            let index = usize::try_from(owner.0).unwrap_or(usize::MAX);
            if let Some(rank) = rank.get_mut(index) {
                *rank = at;
            }
        }
        let mut tables = Vec::new();
        for &raw in RawTable::ALL {
            let mut rows = std::mem::take(&mut self.rows[raw.index()]);
            rows.sort_by_key(|(owner, row)| {
                let index = usize::try_from(owner.0).unwrap_or(usize::MAX);
                // Rows that belong to no thread come last.
                let rank = rank.get(index).copied().unwrap_or(usize::MAX);
                (rank, row.first().copied())
            });
            let mut table = Table::new(raw.schema());
            for (owner, mut row) in rows {
                settle.settle(raw, owner, &mut row);
                append(&mut table, &row);
            }
            tables.push(table);
        }
        tables
    }
}

impl RowSink for MemorySink {
    fn push(&mut self, table: RawTable, owner: OwnerRef, row: &[i64]) -> Result<(), SinkError> {
        self.rows[table.index()].push((owner, row.to_vec()));
        Ok(())
    }
}

fn append(table: &mut Table, row: &[i64]) {
    let types = table.schema.columns.iter().map(|column| column.ty);
    for ((column, ty), &value) in table.columns.iter_mut().zip(types).zip(row) {
        match (column, ty) {
            (Column::I32(values), ColumnType::I32) => {
                values.push(i32::try_from(value).unwrap_or(NULL_I32));
            }
            (Column::I64(values), _) => values.push(value),
            (Column::Str(values), _) => values.push(None),
            _ => debug_assert_eq!(value, NULL_I64),
        }
    }
}
