//! Tracepoints: their numbers, and the formats that go into the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use whyslow_perfdata::writer::TracingData;
use whyslow_person::rights::while_reading_tracefs;

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
            tracefs: while_reading_tracefs(Tracefs::find)?,
            formats: Vec::new(),
        })
    }

    /// The number of a tracepoint, as `perf_event_open` wants it.
    pub(crate) fn id(&mut self, group: &str, name: &str) -> io::Result<u64> {
        // A user names them, and may be one who cannot read what we can: the path must not leave tracefs.
        let is_name =
            |text: &str| !text.is_empty() && !text.starts_with('.') && !text.contains('/');
        if !is_name(group) || !is_name(name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let directory = self.path(&format!("events/{group}/{name}"));
        let read = |file: &str| while_reading_tracefs(|| std::fs::read(directory.join(file)));
        let id = String::from_utf8(read("id")?).map_err(io::Error::other)?;
        let id = id.trim().parse().map_err(io::Error::other)?;
        if !self
            .formats
            .iter()
            .any(|(known, of, _)| known == group && of == name)
        {
            let format = read("format")?;
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
    let length = while_reading_tracefs(|| File::open(path))?.read(&mut text)?;
    text.truncate(length);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_tracefs() {
        let dir = std::env::temp_dir().join(format!("whyslow-events-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("events/sched/one")).unwrap();
        std::fs::create_dir_all(dir.join("secret")).unwrap();
        for place in ["events/sched/one", "secret"] {
            std::fs::write(dir.join(place).join("id"), "7\n").unwrap();
            std::fs::write(dir.join(place).join("format"), "secret").unwrap();
        }
        let mut tracepoints = Tracepoints {
            tracefs: Tracefs::at(&dir),
            formats: Vec::new(),
        };
        assert_eq!(tracepoints.id("sched", "one").unwrap(), 7);
        for (group, name) in [
            ("sched", "../../secret"),
            ("..", "secret"),
            ("sched/../..", "secret"),
            ("", "/secret"),
            ("sched", ""),
        ] {
            let id = tracepoints.id(group, name);
            assert!(id.is_err(), "{group}:{name} is {id:?}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
