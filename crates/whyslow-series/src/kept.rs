//! Runs that were kept: reads `operations.parquet` again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

/// The file with every operation, in the directory of an experiment.
pub const OPERATIONS: &str = "operations.parquet";

/// What the keys of the file's facts begin with.
pub(crate) const PREFIX: &str = "whyslow.";

/// Most operations that are read.
const MOST_OPERATIONS: i64 = 50_000_000;

/// Most series that are read.
const MOST_SERIES: usize = 10_000;

/// Most bytes of a fact that is kept.
const MOST_FACT: usize = 4_096;

/// An experiment that was kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// When, where, how and by what it was measured, by what it is called: `version`, `kernel` …
    pub facts: BTreeMap<String, String>,
    /// What was measured, in its order.
    pub series: Vec<KeptSeries>,
}

/// A series that was kept; only what succeeded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeptSeries {
    /// What it was made on.
    pub system: String,
    /// What was repeated.
    pub operation: String,
    /// The way; empty where there was only one.
    pub arm: String,
    /// The passes, each with its sizes and durations in nanoseconds.
    pub passes: Vec<Vec<(f64, u64)>>,
    /// The first sizes, measured again at the end of the first pass.
    pub again: Vec<u64>,
}

impl KeptSeries {
    /// Returns the largest size of its first pass.
    pub(crate) fn largest(&self) -> f64 {
        let first = self.passes.first().into_iter().flatten();
        first.map(|(n, _)| *n).fold(0.0, f64::max)
    }
}

/// Why an experiment could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The system refused.
    #[error("cannot read {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not what an experiment writes.
    #[error("{}: {why}", .path.display())]
    Odd {
        /// The file.
        path: PathBuf,
        /// What is odd.
        why: String,
    },
}

impl Kept {
    /// Reads the experiment that was kept in the directory `path`, or in the file of that name.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn read(path: &Path) -> Result<Self, Unreadable> {
        let path = match path.is_dir() {
            true => path.join(OPERATIONS),
            false => path.to_owned(),
        };
        let file = File::open(&path).map_err(|source| Unreadable::Io {
            path: path.clone(),
            source,
        })?;
        // The reader of Parquet was not written for damaged files.
        let read = whyslow_caught::caught(|| read(file));
        let why = match read {
            Ok(Ok(kept)) => return Ok(kept),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it is damaged".to_owned(),
        };
        Err(Unreadable::Odd { path, why })
    }
}

fn read(file: File) -> Result<Kept, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let meta = reader.metadata();
    let about = meta.file_metadata();
    if about.num_rows() > MOST_OPERATIONS || reader.num_row_groups() > MOST_SERIES {
        return odd("it holds more than can be compared");
    }
    let pairs = about.key_value_metadata().into_iter().flatten();
    let facts = pairs.filter_map(|pair| {
        let key = pair.key.strip_prefix(PREFIX)?.to_owned();
        let value = pair
            .value
            .clone()
            .filter(|value| value.len() <= MOST_FACT)?;
        Some((key, value))
    });
    let facts = facts.collect();
    let names: Vec<String> = about
        .schema_descr()
        .columns()
        .iter()
        .map(|one| one.name().to_owned())
        .collect();
    let mut kept = Kept {
        facts,
        series: Vec::new(),
    };
    for at in 0..reader.num_row_groups() {
        let group = reader.get_row_group(at)?;
        let group = Group {
            rows: usize::try_from(meta.row_group(at).num_rows()).unwrap_or(0),
            reader: &*group,
            names: &names,
        };
        kept.series.extend(group.series()?);
    }
    Ok(kept)
}

fn odd<T>(why: &str) -> Result<T, ParquetError> {
    Err(ParquetError::General(why.to_owned()))
}

/// The operations of one series.
struct Group<'a> {
    rows: usize,
    reader: &'a dyn RowGroupReader,
    names: &'a [String],
}

impl Group<'_> {
    fn series(&self) -> Result<Option<KeptSeries>, ParquetError> {
        if self.rows == 0 {
            return Ok(None);
        }
        let mut series = KeptSeries {
            system: self.text("system")?,
            operation: self.text("operation")?,
            arm: self.text("arm")?,
            ..KeptSeries::default()
        };
        let (pass, again) = (self.whole("pass")?, self.whole("again")?);
        let (duration, result) = (self.whole("duration_ns")?, self.whole("result")?);
        let n = self.real("n")?;
        let rows = pass.iter().zip(&again).zip(&duration).zip(&result).zip(&n);
        for ((((pass, again), duration), result), n) in rows {
            let duration = u64::try_from(*duration).unwrap_or(0);
            let pass = usize::try_from(*pass)
                .ok()
                .filter(|pass| (1..=1_000).contains(pass));
            let Some(pass) = pass.filter(|_| *result == 0 && n.is_finite()) else {
                continue;
            };
            if *again == 0 {
                while series.passes.len() < pass {
                    series.passes.push(Vec::new());
                }
                if let Some(all) = series.passes.get_mut(pass - 1) {
                    all.push((*n, duration));
                }
            } else if pass == 1 {
                series.again.push(duration);
            }
        }
        Ok((!series.passes.is_empty()).then_some(series))
    }

    fn column(&self, name: &str) -> Result<ColumnReader, ParquetError> {
        match self.names.iter().position(|one| one == name) {
            Some(at) => self.reader.get_column_reader(at),
            None => odd(&format!(
                "it has no column {name}: it was not kept by whyslow lab"
            )),
        }
    }

    fn whole(&self, name: &str) -> Result<Vec<i64>, ParquetError> {
        match self.column(name)? {
            ColumnReader::Int64ColumnReader(reader) => values(reader, self.rows),
            _ => odd(&format!("its column {name} holds something else")),
        }
    }

    fn real(&self, name: &str) -> Result<Vec<f64>, ParquetError> {
        match self.column(name)? {
            ColumnReader::DoubleColumnReader(reader) => values(reader, self.rows),
            _ => odd(&format!("its column {name} holds something else")),
        }
    }

    /// Returns the text that all rows share.
    fn text(&self, name: &str) -> Result<String, ParquetError> {
        let first = match self.column(name)? {
            ColumnReader::ByteArrayColumnReader(reader) => values(reader, 1)?.pop(),
            _ => return odd(&format!("its column {name} holds something else")),
        };
        let first = first.map(|first| String::from_utf8_lossy(first.data()).into_owned());
        Ok(first.unwrap_or_default())
    }
}

/// Rows that are read at once.
const AT_ONCE: usize = 65_536;

/// Returns the first `count` values of a column.
fn values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    count: usize,
) -> Result<Vec<T::T>, ParquetError> {
    let mut all = Vec::new();
    while all.len() < count {
        let (read, _, _) =
            reader.read_records(AT_ONCE.min(count - all.len()), None, None, &mut all)?;
        if read == 0 {
            return odd("it is cut off");
        }
    }
    all.truncate(count);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation_table::write_operations;
    use crate::summary::tests::{named, run};

    fn written() -> Vec<u8> {
        let mut first = named("a", run(100, |at| 1_000 + at));
        first.first.again = first
            .first
            .operations
            .iter()
            .take(10)
            .map(|(_, one)| *one)
            .collect();
        let pass = run(90, |at| 2_000 + at);
        first.repeats.push(pass.first);
        let mut failed = run(5, |_| 7);
        if let Some((_, last)) = failed.first.operations.last_mut() {
            last.result = 28;
        }
        let facts = [("version", "1.2.3"), ("arguments", "lab create")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()));
        let mut bytes = Vec::new();
        write_operations(&[first, failed], &facts, &mut bytes).expect("written");
        bytes
    }

    fn read_back(name: &str, bytes: &[u8]) -> Result<Kept, Unreadable> {
        let path = std::env::temp_dir().join(format!("lab-kept-{name}-{}", std::process::id()));
        std::fs::write(&path, bytes).expect("written");
        let kept = Kept::read(&path);
        std::fs::remove_file(&path).expect("removed");
        kept
    }

    #[test]
    fn what_was_written_is_read_again() {
        let kept = read_back("whole", &written()).expect("read");
        assert_eq!(kept.facts.get("version").map(String::as_str), Some("1.2.3"));
        let [first, failed] = kept.series.as_slice() else {
            panic!("{kept:?}");
        };
        assert_eq!(
            (&*first.operation, &*first.arm, &*first.system),
            ("create", "a", "here")
        );
        assert_eq!(
            (
                first.passes[0].len(),
                first.passes[1].len(),
                first.again.len()
            ),
            (100, 90, 10)
        );
        assert_eq!(
            (first.passes[0][99], first.passes[1][0]),
            ((100.0, 1_099), (1.0, 2_000))
        );
        assert!((first.largest() - 100.0).abs() < 0.1);
        assert_eq!(failed.passes[0].len(), 4, "what failed is no cost");
    }

    #[test]
    fn damage_is_an_error_and_no_panic() {
        let bytes = written();
        assert!(matches!(
            Kept::read(Path::new("/nonexistent/x")),
            Err(Unreadable::Io { .. })
        ));
        for cut in [0, 1, 10, bytes.len() / 2, bytes.len() - 1] {
            let error = read_back("cut", &bytes[..cut]).expect_err("cut off");
            assert!(matches!(error, Unreadable::Odd { .. }), "{error}");
        }
        for at in (0..bytes.len()).step_by(11) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // It may still be readable; it must not panic, and not grow.
            if let Ok(kept) = read_back("damaged", &damaged) {
                assert!(kept.series.len() <= 2);
            }
        }
    }
}
