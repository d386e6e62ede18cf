//! Which files of an archive form one recording.

use whyslow_etl::{FileSource, Reader};
use whyslow_import::check_together;
use whyslow_source::{Part, RecordingKind, kind};

use crate::etl_file::open_etl;

/// Returns the files of an archive by recording, in their order: Windows traces with one clock
/// belong together; every other file is a recording of its own, even one that cannot be read.
pub fn recordings(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut all: Vec<(Vec<Reader<FileSource>>, Vec<Part>)> = Vec::new();
    for part in parts {
        let mut alone = reader(part);
        let of_one = all.iter_mut().position(|(readers, _)| {
            // A file that is not a Windows trace is on its own.
            if readers.is_empty() {
                return false;
            }
            let Some(reader) = alone.take() else {
                return false;
            };
            readers.push(reader);
            let is_of_one = check_together(readers).is_ok();
            if !is_of_one {
                alone = readers.pop();
            }
            is_of_one
        });
        match of_one.and_then(|at| all.get_mut(at)) {
            Some((_, files)) => files.push(part.clone()),
            None => all.push((alone.into_iter().collect(), vec![part.clone()])),
        }
    }
    all.into_iter().map(|(_, files)| files).collect()
}

fn reader(part: &Part) -> Option<Reader<FileSource>> {
    let source = (kind(&part.path) == RecordingKind::Etl).then(|| open_etl(&part.path));
    source.and_then(|source| Reader::new(source.ok()?).ok())
}
