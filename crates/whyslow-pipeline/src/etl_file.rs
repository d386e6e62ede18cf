//! Windows traces as files.

use std::fs::File;
use std::io;
use std::path::Path;

use whyslow_etl::FileSource;

/// Opens a Windows trace.
pub(crate) fn open_etl(path: &Path) -> io::Result<FileSource> {
    File::open(path).and_then(FileSource::new)
}
