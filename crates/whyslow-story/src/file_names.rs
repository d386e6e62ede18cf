//! The files of a trace: read once, and only if something needs them.

use std::cell::OnceCell;
use std::fmt;

use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::file_calls::FileNames;

/// The files of a trace.
pub struct Names<'v> {
    view: View<'v>,
    read: OnceCell<FileNames>,
}

impl<'v> Names<'v> {
    /// Returns those of a trace.
    #[must_use]
    pub fn of(view: View<'v>) -> Self {
        let read = OnceCell::new();
        Self { view, read }
    }

    /// Returns them.
    pub(crate) fn get(&self) -> Result<&FileNames, QueryError> {
        if let Some(names) = self.read.get() {
            return Ok(names);
        }
        let names = FileNames::read(self.view)?;
        Ok(self.read.get_or_init(|| names))
    }
}

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names")
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}
