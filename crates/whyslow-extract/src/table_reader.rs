//! Reads one table: the row groups that may matter, and the wanted columns.
//!
//! A file is untrusted: its footer may claim anything. Counts are checked against limits before
//! memory is allocated. The Parquet library, which has panicked on damaged files before, runs
//! behind a guard that turns a panic into an error.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArrayType, DataType};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, Length, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescriptor;

use whyslow_model::{
    Column, ColumnType, FastMap, NULL_I32, NULL_I64, Scan, StrColumn, Table, TableSchema,
};

use crate::error::{Error, ErrorKind};
use crate::file::{KEY_SCHEMA, KEY_TABLE};
use crate::source::Source;
use crate::thrift;

/// Maximum number of rows that a row group may claim.
const MOST_GROUP_ROWS: i64 = 16 << 20;

/// Maximum number of rows per byte of a file. In a table with constant columns, 20,000 rows take a
/// page's header and two index entries per column: some 300 bytes.
const MOST_ROWS_PER_BYTE: u64 = 128;

/// A table's file, opened.
pub(crate) struct TableReader {
    path: PathBuf,
    schema: &'static TableSchema,
    reader: SerializedFileReader<Source>,
    /// Bytes claimed by the pages of the column being read.
    claimed: Arc<AtomicU64>,
}

/// Runs `body`, turning the Parquet library's errors and panics into ours.
fn guarded<T>(
    path: &Path,
    body: impl FnOnce() -> Result<T, parquet::errors::ParquetError>,
) -> Result<T, Error> {
    match whyslow_caught::caught(body) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Error::unread(path, error)),
        Err(_) => Err(Error::new(
            path,
            ErrorKind::Damaged,
            "it is too damaged to be read",
        )),
    }
}

/// Returns the schema version in a file's footer, or `None` if we did not write the file.
pub(crate) fn schema_version(file: File, path: &Path) -> Result<Option<i32>, Error> {
    let source = Source::new(file).map_err(|e| Error::io(path, "cannot read", e))?;
    guarded(path, || {
        let footer = source.footer()?;
        // It was checked when it was read.
        let version = thrift::entry(&footer, KEY_SCHEMA).unwrap_or_default();
        let version = version.and_then(|version| std::str::from_utf8(version).ok());
        Ok(version.and_then(|version| version.parse().ok()))
    })
}

impl TableReader {
    pub(crate) fn open(
        file: File,
        path: &Path,
        schema: &'static TableSchema,
    ) -> Result<Self, Error> {
        let source = Source::new(file).map_err(|e| Error::io(path, "cannot read", e))?;
        let most_rows = source.len().saturating_mul(MOST_ROWS_PER_BYTE);
        let claimed = source.claimed();
        let reader = guarded(path, || SerializedFileReader::new(source))?;
        let reader = Self {
            path: path.to_owned(),
            schema,
            reader,
            claimed,
        };
        for group in reader.reader.metadata().row_groups() {
            if !(0..=MOST_GROUP_ROWS).contains(&group.num_rows()) {
                let what = format!("claims {} rows in one group", group.num_rows());
                return Err(Error::new(path, ErrorKind::Damaged, what));
            }
        }
        let groups = reader.reader.metadata().row_groups().iter();
        let rows: u64 = groups.map(|group| group.num_rows().unsigned_abs()).sum();
        if rows > most_rows {
            let what = format!("claims {rows} rows, more than it has room for");
            return Err(Error::new(path, ErrorKind::Damaged, what));
        }
        reader.check_columns()?;
        Ok(reader)
    }

    /// Checks that the file holds this table: by its name, and by its columns. An older file may lack columns that were
    /// added since, so these are nullable, all of them; see [`whyslow_model::tables`].
    fn check_columns(&self) -> Result<(), Error> {
        let damaged = |what: String| Err(Error::new(&self.path, ErrorKind::Damaged, what));
        let table = self.schema.name;
        let about = self.reader.metadata().file_metadata();
        let mut entries = about.key_value_metadata().into_iter().flatten();
        let named = entries.find(|entry| entry.key == KEY_TABLE);
        if named.is_some_and(|entry| entry.value.as_deref() != Some(table)) {
            return damaged(format!("it does not hold the table {table}"));
        }
        let columns = about.schema_descr().columns();
        for schema in self.schema.columns {
            let (name, ty) = (schema.name, schema.ty);
            let mut found = columns.iter().filter(|column| column.name() == name);
            match found.next() {
                Some(column) if !is_of_type(column, ty) => {
                    return damaged(format!("its column {name} has another type"));
                }
                None if !schema.nullable => {
                    return damaged(format!("it has no column {name}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the row groups that may hold wanted rows.
    pub(crate) fn groups(&self, scan: &Scan<'_>) -> Vec<usize> {
        let groups = self.reader.metadata().row_groups().iter().enumerate();
        let wanted = groups.filter(|(_, group)| self.may_match(group, scan));
        wanted.map(|(index, _)| index).collect()
    }

    fn may_match(&self, group: &RowGroupMetaData, scan: &Scan<'_>) -> bool {
        if let Some(processes) = scan.processes
            && let Some((low, high)) = range(group, "process")
        {
            let first = processes.partition_point(|&process| i64::from(process.0) < low);
            let inside = processes
                .get(first)
                .is_some_and(|&process| i64::from(process.0) <= high);
            if !inside {
                return false;
            }
        }
        let Some((from, to)) = scan.window_ns else {
            return true;
        };
        let first = self.schema.columns.first().map_or("", |column| column.name);
        let longest = match range(group, "duration_ns") {
            // A row without an end reaches to the end of the trace.
            _ if has_nulls(group, "duration_ns") => i64::MAX,
            range => range.map_or(0, |(_, high)| high),
        };
        range(group, first)
            .is_none_or(|(low, high)| low < to && high.saturating_add(longest) >= from)
    }

    /// Returns the number of rows of a row group.
    fn rows(&self, group: usize) -> usize {
        let rows = self.reader.metadata().row_group(group).num_rows();
        usize::try_from(rows).unwrap_or(0)
    }

    /// Reads the wanted columns of a row group.
    pub(crate) fn read(&self, group: usize, columns: &[&str]) -> Result<Table, Error> {
        let all = 0..self.rows(group);
        self.read_runs(group, columns, std::slice::from_ref(&all))
    }

    /// Reads the rows with these ascending numbers; pages without any of them are skipped.
    pub(crate) fn pick(&self, rows: &[u32]) -> Result<Table, Error> {
        let mut picked = Table::new(self.schema);
        let mut before = 0;
        for group in 0..self.reader.metadata().num_row_groups() {
            let end = before + self.rows(group);
            let from = rows.partition_point(|&row| (row as usize) < before);
            let to = rows.partition_point(|&row| (row as usize) < end);
            let runs = runs(rows.get(from..to).unwrap_or_default(), before);
            if !runs.is_empty() {
                append(&mut picked, &self.read_runs(group, &[], &runs)?);
            }
            before = end;
        }
        Ok(picked)
    }

    fn read_runs(
        &self,
        group: usize,
        columns: &[&str],
        runs: &[Range<usize>],
    ) -> Result<Table, Error> {
        guarded(&self.path, || {
            let group = self.reader.get_row_group(group)?;
            let rows = runs.iter().map(Range::len).sum();
            let mut table = Table::new(self.schema);
            for (column, schema) in table.columns.iter_mut().zip(self.schema.columns) {
                if !columns.is_empty() && !columns.contains(&schema.name) {
                    continue;
                }
                self.claimed.store(0, Ordering::Relaxed);
                *column = match position(group.as_ref(), schema.name, schema.ty) {
                    Some(position) => read_column(group.get_column_reader(position)?, runs)?,
                    None => Column::nulls(schema.ty, rows),
                };
            }
            Ok(table)
        })
    }
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableReader")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Returns whether a column has the expected type.
fn is_of_type(column: &ColumnDescriptor, ty: ColumnType) -> bool {
    let physical = match ty {
        ColumnType::I32 => Physical::INT32,
        ColumnType::I64 => Physical::INT64,
        ColumnType::Str => Physical::BYTE_ARRAY,
    };
    column.physical_type() == physical && column.max_rep_level() == 0 && column.max_def_level() <= 1
}

/// Returns the position of a column in the file, if it exists with the expected type.
fn position(group: &dyn RowGroupReader, name: &str, ty: ColumnType) -> Option<usize> {
    let columns = group.metadata().columns();
    let columns = columns.iter().map(|column| column.column_descr());
    let mut columns = columns.enumerate();
    let found = columns.find(|(_, column)| column.name() == name && is_of_type(column, ty));
    found.map(|(position, _)| position)
}

/// Whether a column may have nulls in a row group.
fn has_nulls(group: &RowGroupMetaData, name: &str) -> bool {
    let mut columns = group.columns().iter();
    let column = columns.find(|column| column.column_descr().name() == name);
    let statistics = column.and_then(|column| column.statistics());
    let nulls = statistics.and_then(|statistics| statistics.null_count_opt());
    nulls.is_some_and(|nulls| nulls > 0)
}

/// Smallest and largest value of a column in a row group.
fn range(group: &RowGroupMetaData, name: &str) -> Option<(i64, i64)> {
    let mut columns = group.columns().iter();
    let column = columns.find(|column| column.column_descr().name() == name)?;
    match column.statistics()? {
        Statistics::Int32(stats) => {
            Some((i64::from(*stats.min_opt()?), i64::from(*stats.max_opt()?)))
        }
        Statistics::Int64(stats) => Some((*stats.min_opt()?, *stats.max_opt()?)),
        _ => None,
    }
}

/// Returns ascending row numbers as ranges relative to row `first`.
fn runs(rows: &[u32], first: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &row in rows {
        let row = row as usize - first;
        match runs.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs
}

fn read_column(
    reader: ColumnReader,
    runs: &[Range<usize>],
) -> Result<Column, parquet::errors::ParquetError> {
    Ok(match reader {
        ColumnReader::Int32ColumnReader(reader) => {
            Column::I32(read_values(reader, runs, NULL_I32)?)
        }
        ColumnReader::Int64ColumnReader(reader) => {
            Column::I64(read_values(reader, runs, NULL_I64)?)
        }
        ColumnReader::ByteArrayColumnReader(reader) => Column::Str(read_texts(reader, runs)?),
        _ => {
            let what = "a column of an unexpected type".to_owned();
            return Err(parquet::errors::ParquetError::General(what));
        }
    })
}

/// A column's values without nulls, and one level per row, which is 0 for null (empty if the column
/// cannot be null).
struct Packed<T> {
    rows: usize,
    values: Vec<T>,
    levels: Vec<i16>,
}

/// Reads the values of these rows, which are in ascending order.
fn read_packed<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    runs: &[Range<usize>],
) -> Result<Packed<T::T>, parquet::errors::ParquetError> {
    let rows = runs.iter().map(Range::len).sum::<usize>();
    let mut values = Vec::with_capacity(rows.min(1 << 20));
    let mut levels = Vec::new();
    let mut at = 0;
    for run in runs {
        at += reader.skip_records(run.start.saturating_sub(at))?;
        while at < run.end {
            let left = run.end - at;
            let (records, _, _) =
                reader.read_records(left, Some(&mut levels), None, &mut values)?;
            if records == 0 || at < run.start {
                let what = format!("expected row {}, found {at} rows", run.end - 1);
                return Err(parquet::errors::ParquetError::General(what));
            }
            at += records;
        }
    }
    Ok(Packed {
        rows,
        values,
        levels,
    })
}

/// Reads the values of a column; `null` replaces missing ones.
fn read_values<T: DataType>(
    reader: ColumnReaderImpl<T>,
    runs: &[Range<usize>],
    null: T::T,
) -> Result<Vec<T::T>, parquet::errors::ParquetError>
where
    T::T: Copy,
{
    let Packed {
        rows,
        mut values,
        levels,
    } = read_packed(reader, runs)?;
    if values.len() == rows {
        return Ok(values);
    }
    // Values are packed at the front; spread them, from the back, to the places given by the
    // levels.
    let mut next = values.len();
    values.resize(rows, null);
    for row in (0..rows).rev() {
        let known = levels.get(row).is_none_or(|&level| level > 0) && next > 0;
        next -= usize::from(known);
        let value = if known {
            values.get(next).copied()
        } else {
            None
        };
        if let Some(slot) = values.get_mut(row) {
            *slot = value.unwrap_or(null);
        }
    }
    Ok(values)
}

fn read_texts(
    reader: ColumnReaderImpl<ByteArrayType>,
    runs: &[Range<usize>],
) -> Result<StrColumn, parquet::errors::ParquetError> {
    let packed = read_packed(reader, runs)?;
    let mut texts = Texts::default();
    let mut values = packed.values.iter();
    let key = |row: usize| {
        let known = packed.levels.get(row).is_none_or(|&level| level > 0);
        let value = if known { values.next() } else { None };
        value.map_or(-1, |value| texts.key(value.data()))
    };
    let keys = (0..packed.rows).map(key).collect();
    Ok(StrColumn::from_parts(keys, texts.dictionary))
}

/// Distinct texts of a column; values of one dictionary page share their bytes, so most are
/// recognized by their address. Where hardly any are, addresses are no longer looked at.
#[derive(Default)]
struct Texts {
    dictionary: Vec<Arc<str>>,
    by_place: FastMap<(usize, usize), i32>,
    known_by_place: usize,
    by_text: std::collections::HashMap<Arc<str>, i32>,
}

impl Texts {
    fn key(&mut self, bytes: &[u8]) -> i32 {
        let place = (bytes.as_ptr() as usize, bytes.len());
        let places = self.by_place.len();
        let has_places = places < 4096 || self.known_by_place > places;
        if has_places && let Some(&key) = self.by_place.get(&place) {
            self.known_by_place += 1;
            return key;
        }
        let text = String::from_utf8_lossy(bytes);
        let key = match self.by_text.get(text.as_ref()) {
            Some(&key) => key,
            None => {
                let text: Arc<str> = text.into();
                let key = i32::try_from(self.dictionary.len()).unwrap_or(-1);
                self.dictionary.push(Arc::clone(&text));
                self.by_text.insert(text, key);
                key
            }
        };
        if has_places {
            self.by_place.insert(place, key);
        }
        key
    }
}

/// Appends the rows of `more` to `whole`; both were read with the same columns.
pub(crate) fn append(whole: &mut Table, more: &Table) {
    for (column, more) in whole.columns.iter_mut().zip(&more.columns) {
        match (column, more) {
            (Column::I32(values), Column::I32(more)) => values.extend_from_slice(more),
            (Column::I64(values), Column::I64(more)) => values.extend_from_slice(more),
            (Column::Str(values), Column::Str(more)) => {
                for row in 0..more.keys.len() {
                    values.push(more.get(row));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::Int32Type;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use whyslow_model::tables::STACK;

    #[test]
    fn a_small_file_cannot_claim_millions_of_rows() {
        let path =
            std::env::temp_dir().join(format!("whyslow-rows-{}.parquet", std::process::id()));
        let message = parse_message_type("message m { REQUIRED INT32 id; }").expect("a schema");
        let properties = WriterProperties::builder()
            .set_data_page_row_count_limit(usize::MAX)
            .build();
        let file = File::create(&path).expect("a file");
        let writer = SerializedFileWriter::new(file, Arc::new(message), Arc::new(properties));
        let mut writer = writer.expect("a writer");
        let mut group = writer.next_row_group().expect("a group");
        let mut column = group.next_column().expect("the writer").expect("a column");
        let values = vec![7; 3_000_000];
        let written = column.typed::<Int32Type>().write_batch(&values, None, None);
        written.expect("values");
        column.close().expect("the column's end");
        group.close().expect("the group's end");
        writer.close().expect("the file's end");
        let opened = TableReader::open(File::open(&path).expect("the file"), &path, &STACK);
        let _gone = std::fs::remove_file(&path);
        let refused = opened
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(refused.contains("claims 3000000 rows"), "{refused}");
    }
}
