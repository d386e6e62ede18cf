//! Settled rows on their way into a file: one thread fills columns, another encodes them.

use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use whyslow_model::{Column, NULL_I32, NULL_I64, OwnerRef, RawTable, Settle, Table};

use crate::error::Error;
use crate::file::{RAW_GROUP_ROWS, TableFile};

/// Fills the columns of row groups.
pub(crate) struct RawWriter {
    table: RawTable,
    columns: Vec<Column>,
    rows: usize,
    full: SyncSender<Vec<Column>>,
    empty: Receiver<Vec<Column>>,
}

/// Encodes row groups.
pub(crate) struct Encoder {
    table: RawTable,
    full: Receiver<Vec<Column>>,
    empty: Sender<Vec<Column>>,
}

/// Returns the two ends of the path into a table's file. At most one row group is in transit.
pub(crate) fn open(table: RawTable) -> (RawWriter, Encoder) {
    let (to_encoder, full) = sync_channel(0);
    let (to_writer, empty) = channel();
    let writer = RawWriter {
        table,
        columns: columns(table),
        rows: 0,
        full: to_encoder,
        empty,
    };
    let encoder = Encoder {
        table,
        full,
        empty: to_writer,
    };
    (writer, encoder)
}

fn columns(table: RawTable) -> Vec<Column> {
    Table::new(table.schema()).columns
}

impl RawWriter {
    /// Settles rows and appends them.
    ///
    /// # Errors
    /// When the encoder has failed; its own error says more.
    pub(crate) fn take(
        &mut self,
        rows: &mut [i64],
        owner: OwnerRef,
        settle: &mut dyn Settle,
    ) -> io::Result<()> {
        for row in rows.chunks_exact_mut(self.columns.len()) {
            settle.settle(self.table, owner, row);
            for (column, &value) in self.columns.iter_mut().zip(row.iter()) {
                match column {
                    Column::I64(values) => values.push(value),
                    Column::I32(values) => values.push(narrow(value)),
                    Column::Str(_) => {}
                }
            }
            self.rows += 1;
            if self.rows >= RAW_GROUP_ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Hands the remaining rows to the encoder.
    ///
    /// # Errors
    /// When the encoder has failed; its own error says more.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let next = self.empty.try_recv();
        let next = next.unwrap_or_else(|_| columns(self.table));
        let full = std::mem::replace(&mut self.columns, next);
        self.rows = 0;
        let sent = self.full.send(full);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Encoder {
    /// Encodes row groups until there are no more.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn run(self, mut file: TableFile) -> Result<(), Error> {
        let mut table = Table::new(self.table.schema());
        for columns in self.full {
            table.columns = columns;
            file.write(&table)?;
            let mut columns = std::mem::take(&mut table.columns);
            for column in &mut columns {
                match column {
                    Column::I64(values) => values.clear(),
                    Column::I32(values) => values.clear(),
                    Column::Str(_) => {}
                }
            }
            let _unless_ended = self.empty.send(columns);
        }
        file.close()
    }
}

fn narrow(value: i64) -> i32 {
    if value == NULL_I64 {
        return NULL_I32;
    }
    i32::try_from(value).unwrap_or(NULL_I32)
}
