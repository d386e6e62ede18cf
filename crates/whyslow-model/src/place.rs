//! Where a column is in the rows of its table: by name, with the type of its values.
//!
//! [`table!`](crate::tables) makes a place for every field of a row, with the field's name:
//! `ThreadStateRow::duration_ns`. Code that reads or fills a column names its place. So a new
//! column is added to the row and filled in one place, and no other code changes.

use std::marker::PhantomData;

use crate::column::{Column, NULL_I64};
use crate::table::{Field, Number, Table, TableRow};

/// Where the values `T` of a column are in rows of `R`.
pub struct Place<R, T> {
    index: usize,
    of: PhantomData<fn() -> (R, T)>,
}

impl<R, T> Clone for Place<R, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, T> Copy for Place<R, T> {}

impl<R, T> std::fmt::Debug for Place<R, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Place").field(&self.index).finish()
    }
}

impl<R, T> Place<R, T> {
    /// Returns the place of column number `index`.
    pub(crate) const fn new(index: usize) -> Self {
        Self {
            index,
            of: PhantomData,
        }
    }

    /// Returns the column's number.
    pub const fn index(self) -> usize {
        self.index
    }
}

impl<R: TableRow, T: Field> Place<R, T> {
    /// Returns the column's name.
    pub fn name(self) -> &'static str {
        let columns = R::SCHEMA.columns;
        columns.get(self.index).map_or("", |column| column.name)
    }

    /// Returns the column of a table of such rows; empty if it was not read.
    pub fn column(self, table: &Table) -> &Column {
        debug_assert_eq!(table.schema.name, R::SCHEMA.name);
        static EMPTY: Column = Column::I32(Vec::new());
        table.columns.get(self.index).unwrap_or(&EMPTY)
    }

    /// Appends values to the column of a table of such rows, which is filled column by column.
    pub fn extend(self, table: &mut Table, values: impl IntoIterator<Item = T>) {
        debug_assert_eq!(table.schema.name, R::SCHEMA.name);
        if let Some(column) = table.columns.get_mut(self.index) {
            for value in values {
                value.append(column);
            }
        }
    }

    /// Replaces the column of a table of such rows by a complete one.
    pub fn put(self, table: &mut Table, complete: Column) {
        debug_assert_eq!(table.schema.name, R::SCHEMA.name);
        debug_assert_eq!(complete.column_type(), T::TYPE);
        if let Some(column) = table.columns.get_mut(self.index) {
            *column = complete;
        }
    }
}

impl<R: TableRow, T: Number> Place<R, T> {
    /// Returns the values of the column of a table of such rows.
    pub fn values(self, table: &Table) -> Values<'_, T> {
        Values {
            cells: T::cells(self.column(table)),
        }
    }
}

/// The values of a column of numbers.
#[derive(Debug)]
pub struct Values<'t, T: Number> {
    cells: &'t [T::Cell],
}

impl<T: Number> Values<'_, T> {
    /// Returns the value of a row; outside the column null, or zero if it cannot be null.
    pub fn at(&self, row: usize) -> T {
        T::from_cell(self.cells.get(row).copied())
    }

    /// Returns all values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.cells.iter().map(|&cell| T::from_cell(Some(cell)))
    }

    /// Returns the number of rows; 0 if the column was not read.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// A row of a raw table on its way through the sink: one number per column.
///
/// `C` holds the numbers: an array of its own ([`RawRow::new`]) or a borrowed slice
/// ([`RawRow::over`]). A value that an import does not know yet is a *provisional* number, which
/// only the import understands; settling replaces it.
#[derive(Debug, Clone, Copy)]
pub struct RawRow<R, C> {
    cells: C,
    of: PhantomData<fn() -> R>,
}

impl<R: TableRow> RawRow<R, R::Cells> {
    /// Returns a row in which everything is null.
    pub fn new() -> Self {
        Self {
            cells: R::nulls(),
            of: PhantomData,
        }
    }
}

impl<R: TableRow> Default for RawRow<R, R::Cells> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: TableRow, C: AsRef<[i64]>> RawRow<R, C> {
    /// Returns the row with the numbers `cells`, in the order of the columns.
    pub fn over(cells: C) -> Self {
        Self {
            cells,
            of: PhantomData,
        }
    }

    /// Returns the numbers.
    pub fn cells(&self) -> &[i64] {
        self.cells.as_ref()
    }

    /// Returns a value.
    pub fn get<T: Number>(&self, place: Place<R, T>) -> T {
        T::from_raw(self.provisional(place))
    }

    /// Returns a provisional number.
    pub fn provisional<T>(&self, place: Place<R, T>) -> i64 {
        let cells = self.cells.as_ref();
        cells.get(place.index).copied().unwrap_or(NULL_I64)
    }
}

impl<R: TableRow, C: AsMut<[i64]>> RawRow<R, C> {
    /// Sets a value.
    pub fn set<T: Number>(&mut self, place: Place<R, T>, value: T) {
        self.set_provisional(place, value.to_raw());
    }

    /// Sets a provisional number.
    pub fn set_provisional<T>(&mut self, place: Place<R, T>, number: i64) {
        if let Some(cell) = self.cells.as_mut().get_mut(place.index) {
            *cell = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ProcessId, StackId};
    use crate::tables::{CpuSampleRow, STACK, StackRow, ThreadStateRow};

    #[test]
    fn a_place_is_where_its_field_is() {
        let row = CpuSampleRow {
            time_ns: 7,
            process: ProcessId(1),
            thread: crate::ids::ThreadId(2),
            cpu: 3,
            stack: None,
            weight_ns: 9,
            priority: Some(20),
        };
        let table = Table::from_rows([row]);
        assert_eq!(CpuSampleRow::weight_ns.name(), "weight_ns");
        assert_eq!(CpuSampleRow::weight_ns.values(&table).at(0), 9);
        assert_eq!(CpuSampleRow::process.values(&table).at(0), ProcessId(1));
        assert_eq!(CpuSampleRow::stack.values(&table).at(0), None);
        assert_eq!(CpuSampleRow::priority.values(&table).at(0), Some(20));
        assert_eq!(CpuSampleRow::priority.values(&table).at(1), None);
    }

    #[test]
    fn a_table_is_filled_column_by_column_whatever_the_order() {
        let mut table = Table::new(&STACK);
        StackRow::kind.put(&mut table, Column::I32(vec![2, 3]));
        StackRow::parent.extend(&mut table, [None, Some(StackId(0))]);
        StackRow::id.extend(&mut table, [StackId(0), StackId(1)]);
        let rows = table
            .rows()
            .map(|row: StackRow| (row.id.0, row.parent, row.kind));
        let expected = [(0, None, 2), (1, Some(StackId(0)), 3)];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn raw_rows_hold_values_and_provisional_numbers() {
        let mut row = RawRow::<ThreadStateRow, _>::new();
        assert!(row.cells().iter().all(|&cell| cell == NULL_I64));
        row.set(ThreadStateRow::cpu, Some(4));
        row.set(ThreadStateRow::stack, Some(StackId(5)));
        row.set_provisional(ThreadStateRow::waker_thread, 1 << 40);
        assert_eq!(row.get(ThreadStateRow::cpu), Some(4));
        assert_eq!(row.get(ThreadStateRow::priority), None);
        assert_eq!(row.provisional(ThreadStateRow::waker_thread), 1 << 40);
        let mut cells = row.cells().to_vec();
        let mut same = RawRow::<ThreadStateRow, _>::over(cells.as_mut_slice());
        assert_eq!(same.get(ThreadStateRow::stack), Some(StackId(5)));
        same.set(ThreadStateRow::stack, None);
        assert_eq!(same.provisional(ThreadStateRow::stack), NULL_I64);
    }
}
