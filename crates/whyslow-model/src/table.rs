//! A table in memory, and its typed rows.
//!
//! [`table!`](crate::tables) describes a row as a struct; all generic code works on [`Table`].

use crate::column::{Column, NULL_I32, NULL_I64};
use crate::schema::{ColumnType, Reference, TableSchema};

/// Rows of one table, column by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Which table this is.
    pub schema: &'static TableSchema,
    /// The columns in the schema's order, all of the same length.
    ///
    /// A reader that was asked for only some columns leaves the others empty.
    pub columns: Vec<Column>,
}

impl Table {
    /// Returns an empty table.
    pub fn new(schema: &'static TableSchema) -> Self {
        let columns = schema.columns.iter().map(|c| Column::new(c.ty)).collect();
        Self { schema, columns }
    }

    /// Returns a table of `rows`.
    pub fn from_rows<R: TableRow>(rows: impl IntoIterator<Item = R>) -> Self {
        let mut table = Self::new(R::SCHEMA);
        let rows = rows.into_iter();
        for column in &mut table.columns {
            column.reserve(rows.size_hint().0);
        }
        for row in rows {
            row.append(&mut table.columns);
        }
        table
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.columns.iter().map(Column::len).max().unwrap_or(0)
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the column called `name`; an unknown name gives an empty column.
    pub fn column(&self, name: &str) -> &Column {
        static EMPTY: Column = Column::I32(Vec::new());
        let position = self.schema.column(name);
        position
            .and_then(|at| self.columns.get(at))
            .unwrap_or(&EMPTY)
    }

    /// Returns the rows with these numbers; numbers beyond the end are left out.
    #[must_use]
    pub fn pick(&self, rows: &[u32]) -> Self {
        let columns = self.columns.iter().map(|column| column.pick(rows));
        Self {
            schema: self.schema,
            columns: columns.collect(),
        }
    }

    /// Returns the rows as structs; columns that were not read become null, zero or empty.
    pub fn rows<R: TableRow>(&self) -> impl Iterator<Item = R> + '_ {
        (0..self.len()).map(|row| R::at(&self.columns, row))
    }
}

/// A row of a table as a struct; implemented by the descriptions in [`crate::tables`].
pub trait TableRow: Sized {
    /// The table the row belongs to.
    const SCHEMA: &'static TableSchema;

    /// One number per column.
    type Cells: AsRef<[i64]> + AsMut<[i64]> + Copy + std::fmt::Debug;

    /// Returns a null for every column.
    fn nulls() -> Self::Cells;

    /// Appends the row to `columns`, which are those of [`Self::SCHEMA`].
    fn append(self, columns: &mut [Column]);

    /// Returns row number `row` of `columns`, which are those of [`Self::SCHEMA`].
    fn at(columns: &[Column], row: usize) -> Self;

    /// Returns a row with nothing known: null, or zero or empty if a column cannot be null.
    fn unknown() -> Self {
        Self::at(&[], 0)
    }
}

/// A value that can be stored in a column.
pub trait Field: Sized {
    /// The column's type.
    const TYPE: ColumnType;
    /// Whether the value may be null.
    const NULLABLE: bool;
    /// What the value refers to, if it is an id.
    const REFERS_TO: Option<Reference> = None;

    /// Appends the value.
    fn append(self, column: &mut Column);

    /// Returns the value of `row`.
    fn at(column: &Column, row: usize) -> Self;
}

impl Field for i32 {
    const TYPE: ColumnType = ColumnType::I32;
    const NULLABLE: bool = false;

    fn append(self, column: &mut Column) {
        if let Column::I32(values) = column {
            values.push(self);
        }
    }

    fn at(column: &Column, row: usize) -> Self {
        column.as_i32().get(row).copied().unwrap_or(0)
    }
}

impl Field for Option<i32> {
    const TYPE: ColumnType = ColumnType::I32;
    const NULLABLE: bool = true;

    fn append(self, column: &mut Column) {
        self.unwrap_or(NULL_I32).append(column);
    }

    fn at(column: &Column, row: usize) -> Self {
        let value = column.as_i32().get(row).copied();
        value.filter(|&value| value != NULL_I32)
    }
}

impl Field for i64 {
    const TYPE: ColumnType = ColumnType::I64;
    const NULLABLE: bool = false;

    fn append(self, column: &mut Column) {
        if let Column::I64(values) = column {
            values.push(self);
        }
    }

    fn at(column: &Column, row: usize) -> Self {
        column.as_i64().get(row).copied().unwrap_or(0)
    }
}

impl Field for Option<i64> {
    const TYPE: ColumnType = ColumnType::I64;
    const NULLABLE: bool = true;

    fn append(self, column: &mut Column) {
        self.unwrap_or(NULL_I64).append(column);
    }

    fn at(column: &Column, row: usize) -> Self {
        let value = column.as_i64().get(row).copied();
        value.filter(|&value| value != NULL_I64)
    }
}

impl Field for String {
    const TYPE: ColumnType = ColumnType::Str;
    const NULLABLE: bool = false;

    fn append(self, column: &mut Column) {
        if let Column::Str(values) = column {
            values.push(Some(&self));
        }
    }

    fn at(column: &Column, row: usize) -> Self {
        column.text(row).unwrap_or_default().to_owned()
    }
}

impl Field for Option<String> {
    const TYPE: ColumnType = ColumnType::Str;
    const NULLABLE: bool = true;

    fn append(self, column: &mut Column) {
        if let Column::Str(values) = column {
            values.push(self.as_deref());
        }
    }

    fn at(column: &Column, row: usize) -> Self {
        column.text(row).map(ToOwned::to_owned)
    }
}

/// A value that is a number in its column: everything but text.
pub trait Number: Field {
    /// The number as stored in a column in memory.
    type Cell: Copy + std::fmt::Debug;

    /// Returns the numbers of a column of this type; none for a column of another type.
    fn cells(column: &Column) -> &[Self::Cell];

    /// Returns the value of a number; `None` means outside the column.
    fn from_cell(cell: Option<Self::Cell>) -> Self;

    /// Returns the value of a number in a row of the sink.
    fn from_raw(raw: i64) -> Self;

    /// Returns the number for a row of the sink.
    fn to_raw(self) -> i64;
}

impl Number for i32 {
    type Cell = i32;

    fn cells(column: &Column) -> &[i32] {
        column.as_i32()
    }

    fn from_cell(cell: Option<i32>) -> Self {
        cell.unwrap_or(0)
    }

    fn from_raw(raw: i64) -> Self {
        Self::try_from(raw).unwrap_or(0)
    }

    fn to_raw(self) -> i64 {
        self.into()
    }
}

impl Number for i64 {
    type Cell = i64;

    fn cells(column: &Column) -> &[i64] {
        column.as_i64()
    }

    fn from_cell(cell: Option<i64>) -> Self {
        cell.unwrap_or(0)
    }

    fn from_raw(raw: i64) -> Self {
        raw
    }

    fn to_raw(self) -> i64 {
        self
    }
}

impl Number for Option<i32> {
    type Cell = i32;

    fn cells(column: &Column) -> &[i32] {
        column.as_i32()
    }

    fn from_cell(cell: Option<i32>) -> Self {
        cell.filter(|&cell| cell != NULL_I32)
    }

    fn from_raw(raw: i64) -> Self {
        i32::try_from(raw).ok()
    }

    fn to_raw(self) -> i64 {
        self.map_or(NULL_I64, i64::from)
    }
}

impl Number for Option<i64> {
    type Cell = i64;

    fn cells(column: &Column) -> &[i64] {
        column.as_i64()
    }

    fn from_cell(cell: Option<i64>) -> Self {
        cell.filter(|&cell| cell != NULL_I64)
    }

    fn from_raw(raw: i64) -> Self {
        (raw != NULL_I64).then_some(raw)
    }

    fn to_raw(self) -> i64 {
        self.unwrap_or(NULL_I64)
    }
}
