//! Numbers that others measured: the file that they are in, and the sentences about counts.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use whyslow_series::imported::{Numbers, sentences};

use crate::said::Page;
use crate::unit::cost;

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Returns the content of a file, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read, or is larger than 1 GiB.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    }
    match u64::try_from(bytes.len()) {
        Ok(len) if len <= MOST_BYTES => Ok(bytes),
        _ => Err(io::ErrorKind::FileTooLarge.into()),
    }
}

/// Writes what each series follows. Counts are not times, which tables and charts need.
///
/// # Errors
/// When `out` fails.
pub fn say(series: &[Numbers], page: Page, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let each = |one: &Numbers| [vec![one.name.clone()], sentences(one, cost)].concat();
    let lines = series.iter().flat_map(each).filter(|line| !line.is_empty());
    page.say(&lines.collect::<Vec<_>>(), out)
}
