//! How the columns of the tables of events are settled: by their types and names.
//!
//! [`whyslow_model::tables::recorded`] says what a column may hold before that.

use std::sync::LazyLock;

use whyslow_model::{ColumnSchema, NULL_I64, RawTable, Reference};

/// How the number in a column becomes final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It is already final, or its table has a rule of its own for it.
    Final,
    /// A time of the trace's clock becomes a time since the trace's start.
    Time,
    /// The process of the owner, or this number.
    Process { none: i64 },
    /// The owner, or this number.
    Thread { none: i64 },
    /// A thread by its number in the import.
    OtherThread,
    /// A stack of the owner at the time of the row.
    Stack,
}

/// Returns the ways of the columns of a table, in their order.
pub(super) fn ways(table: RawTable) -> &'static [Way] {
    static ALL: LazyLock<Vec<Vec<Way>>> = LazyLock::new(|| {
        let tables = RawTable::ALL.iter();
        tables.map(|table| read(table.schema().columns)).collect()
    });
    ALL.get(table.index()).map_or(&[], Vec::as_slice)
}

/// Reads the description of a table.
fn read(columns: &[ColumnSchema]) -> Vec<Way> {
    let way = |(at, column): (usize, &ColumnSchema)| {
        let none = if column.nullable { NULL_I64 } else { -1 };
        match (column.refers_to, column.name) {
            (None, _) if at == 0 => Way::Time,
            (Some(Reference::Process), "process") => Way::Process { none },
            (Some(Reference::Thread), "thread") => Way::Thread { none },
            (Some(Reference::Thread), _) => Way::OtherThread,
            (Some(Reference::Stack), "stack") => Way::Stack,
            _ => Way::Final,
        }
    };
    columns.iter().enumerate().map(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_names_say_how_a_column_is_settled() {
        let of = |table: RawTable, name: &str| {
            let at = table.schema().column(name).unwrap();
            ways(table)[at]
        };
        let nobody = Way::Thread { none: -1 };
        assert_eq!(of(RawTable::CpuSample, "time_ns"), Way::Time);
        assert_eq!(of(RawTable::CpuSample, "thread"), nobody);
        assert_eq!(of(RawTable::CpuSample, "weight_ns"), Way::Final);
        assert_eq!(of(RawTable::ThreadState, "waker_thread"), Way::OtherThread);
        assert_eq!(of(RawTable::ThreadState, "stack"), Way::Stack);
        assert_eq!(of(RawTable::ThreadState, "waker_stack"), Way::Final);
        let none = NULL_I64;
        assert_eq!(of(RawTable::DiskIo, "process"), Way::Process { none });
        assert_eq!(of(RawTable::DiskIo, "duration_ns"), Way::Final);
    }
}
