//! Ids of rows: unique within one extract, dense from 0, never an operating system's id.
//!
//! An OS reuses pids and tids; these ids name one lifetime. They equal the row number of the row
//! they name, so a lookup is an index.

use std::fmt;

use crate::column::{Column, NULL_I32, NULL_I64};
use crate::schema::{ColumnType, Reference};
use crate::table::{Field, Number};

macro_rules! id_type {
    ($(#[doc = $doc:literal])* $name:ident $refers_to:ident) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);

        impl $name {
            /// Returns the row number of the row this id names.
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }

            /// Returns the id a column value holds, or `None` for null or any negative value.
            pub fn from_column(value: i32) -> Option<Self> {
                (value >= 0).then_some(Self(value))
            }

            /// Returns the id of row number `row`, or `None` beyond what a column can hold.
            pub fn from_index(row: usize) -> Option<Self> {
                i32::try_from(row).ok().map(Self)
            }

            /// Returns the ids of all rows, from the first on.
            pub fn all() -> impl Iterator<Item = Self> {
                (0..=i32::MAX).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl Field for $name {
            const TYPE: ColumnType = ColumnType::I32;
            const NULLABLE: bool = false;
            const REFERS_TO: Option<Reference> = Some(Reference::$refers_to);

            fn append(self, column: &mut Column) {
                self.0.append(column);
            }

            fn at(column: &Column, row: usize) -> Self {
                Self(i32::at(column, row))
            }
        }

        impl Number for $name {
            type Cell = i32;

            fn cells(column: &Column) -> &[i32] {
                column.as_i32()
            }

            fn from_cell(cell: Option<i32>) -> Self {
                Self(cell.unwrap_or(NULL_I32))
            }

            fn from_raw(raw: i64) -> Self {
                Self(i32::try_from(raw).unwrap_or(NULL_I32))
            }

            fn to_raw(self) -> i64 {
                self.0.into()
            }
        }

        impl Number for Option<$name> {
            type Cell = i32;

            fn cells(column: &Column) -> &[i32] {
                column.as_i32()
            }

            fn from_cell(cell: Option<i32>) -> Self {
                cell.and_then($name::from_column)
            }

            fn from_raw(raw: i64) -> Self {
                i32::try_from(raw).ok().and_then($name::from_column)
            }

            fn to_raw(self) -> i64 {
                self.map_or(NULL_I64, |id| id.0.into())
            }
        }

        impl Field for Option<$name> {
            const TYPE: ColumnType = ColumnType::I32;
            const NULLABLE: bool = true;
            const REFERS_TO: Option<Reference> = Some(Reference::$refers_to);

            fn append(self, column: &mut Column) {
                self.map_or(NULL_I32, |id| id.0).append(column);
            }

            fn at(column: &Column, row: usize) -> Self {
                let value = column.as_i32().get(row).copied();
                value.and_then($name::from_column)
            }
        }
    };
}

id_type! {
    /// One executable image of a process: row of the `process` table.
    ProcessId Process
}
id_type! {
    /// One lifetime of a thread: row of the `thread` table.
    ThreadId Thread
}
id_type! {
    /// One row per file and name: row of the `file` table.
    ModuleId Module
}
id_type! {
    /// One file by one of its names: row of the `file` table.
    FileId File
}
id_type! {
    /// One text that events refer to: row of the `label` table.
    LabelId Label
}
id_type! {
    /// One distinct code location: row of the `address` table.
    AddressId Address
}
id_type! {
    /// One node of the prefix tree of stacks, and the stack that ends there: row of `stack`.
    StackId Stack
}
