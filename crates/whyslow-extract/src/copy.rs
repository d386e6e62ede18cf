//! Copies tables of another extract, row group by row group.

use std::io;
use std::ops::ControlFlow;

use whyslow_model::{Scan, TableSchema, TraceView};

use crate::error::{Error, ErrorKind};
use crate::extract::Extract;
use crate::writer::ExtractWriter;

impl ExtractWriter {
    /// Copies a table of another extract, without columns that this version does not know.
    ///
    /// # Errors
    /// When the table cannot be read or written, or the watcher asks to stop.
    pub fn copy_table(
        &mut self,
        from: &Extract,
        schema: &'static TableSchema,
    ) -> Result<(), Error> {
        let mut file = self.open_file(schema)?;
        let mut written = Ok(());
        let read = from.scan(schema, &Scan::default(), &mut |rows| {
            written = match self.is_interrupted() {
                true => Err(Error::io(
                    from.path(),
                    "cannot copy",
                    io::ErrorKind::Interrupted.into(),
                )),
                false if rows.is_empty() => Ok(()),
                false => file.write(rows),
            };
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        written?;
        read.map_err(|error| Error::new(from.path(), ErrorKind::Damaged, error.to_string()))?;
        file.close()
    }
}
