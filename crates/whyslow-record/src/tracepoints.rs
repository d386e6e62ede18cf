//! Tracepoints: their numbers, and the formats that go into the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use whyslow_perfdata::writer::TracingData;

use crate::sys::tracefs::Tracefs;

/// Reads `tracefs` and remembers every format that was requested.
#[derive(Debug)]
pub(crate) struct Tracepoints {
    tracefs: Tracefs,
    formats: Vec<(String, String, Vec<u8>)>,
}

impl Tracepoints {
    /// Finds `tracefs`.
    pub(crate) fn find() -> io::Result<Self> {
        Ok(Self {
            tracefs: Tracefs::find()?,
            formats: Vec::new(),
        })
    }

    /// The number of a tracepoint, as `perf_event_open` wants it.
    pub(crate) fn id(&mut self, group: &str, name: &str) -> io::Result<u64> {
        let directory = self.path(&format!("events/{group}/{name}"));
        let id = std::fs::read_to_string(directory.join("id"))?;
        let id = id.trim().parse().map_err(io::Error::other)?;
        if !self
            .formats
            .iter()
            .any(|(known, of, _)| known == group && of == name)
        {
            let format = std::fs::read(directory.join("format"))?;
            self.formats
                .push((group.to_owned(), name.to_owned(), format));
        }
        Ok(id)
    }

    /// The format of a tracepoint asked for before.
    pub(crate) fn format(&self, group: &str, name: &str) -> Option<&str> {
        let mut known = self.formats.iter();
        let (_, _, format) = known.find(|(known, of, _)| known == group && of == name)?;
        std::str::from_utf8(format).ok()
    }

    /// The formats of all tracepoints asked for.
    pub(crate) fn tracing_data(&self) -> TracingData {
        TracingData {
            header_page: read_at_once(&self.path("events/header_page")).unwrap_or_default(),
            header_event: read_at_once(&self.path("events/header_event")).unwrap_or_default(),
            formats: self
                .formats
                .iter()
                .map(|(group, _, format)| (group.clone(), format.clone()))
                .collect(),
            page_bytes: u32::try_from(rustix::param::page_size()).unwrap_or(4096),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.tracefs.root().join(name)
    }
}

/// Reads a file whose contents the kernel gives to the first `read` only, however short it was:
/// `header_page` and `header_event` do so, and `std::fs::read` starts with 32 bytes.
fn read_at_once(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = vec![0; 64 << 10];
    let length = File::open(path)?.read(&mut text)?;
    text.truncate(length);
    Ok(text)
}
