//! A column of an answer: what it shows and where its cells come from, beside each other.
//!
//! A question lists its columns once, each with its accessor. Help, options and renderers see the
//! [`ResultColumn`]s alone ([`shown`]); the rows of the question answer with the accessors.

use crate::result::{ResultColumn, Value};

/// A column with its accessor.
#[derive(Debug, Clone, Copy)]
pub struct Column<A> {
    /// What help, options and renderers know of it.
    pub shown: ResultColumn,
    /// Where its cells come from.
    pub cell: A,
}

/// Returns the cell of a row; the context is what all rows of a file share.
pub type Cell<R, C = ()> = fn(&R, &C) -> Value;

/// Columns of rows of type `R` with a shared context `C`.
pub type Columns<R, C = ()> = &'static [Column<Cell<R, C>>];

impl ResultColumn {
    /// Returns the column with an accessor.
    pub const fn cell<A>(self, cell: A) -> Column<A> {
        Column { shown: self, cell }
    }
}

/// Returns the columns without their accessors; `N` is the length of `columns`.
///
/// # Panics
/// At compile time, when `N` is another number.
pub const fn shown<A, const N: usize>(columns: &[Column<A>]) -> [ResultColumn; N] {
    assert!(columns.len() == N, "one result column per column");
    let mut all = [ResultColumn::new("", "", "", crate::result::Kind::Text, ""); N];
    let mut at = 0;
    while at < N {
        all[at] = columns[at].shown;
        at += 1;
    }
    all
}
