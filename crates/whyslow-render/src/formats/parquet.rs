//! An answer as a Parquet file: every column of the question, raw values, unknown as null.
//!
//! Numbers are INT64 in the unit the column's name ends in, shares and ratios DOUBLE, text STRING;
//! nothing is nested, so every engine reads it. The footer says which question it answers.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};

use whyslow_results::{Kind, ResultColumn, ResultTable, Value};

use super::{Format, Head, RowWriter};

/// The format.
pub static FORMAT: Format = Format {
    name: "parquet",
    title: "Parquet",
    doc: "A Parquet file; needs -o",
    needs_file: true,
    holds_notes: false,
    holds_json: true,
    block_rows: 1 << 16,
    begin,
};

/// Writes a file; each block becomes a row group.
struct ParquetWriter<'w> {
    writer: SerializedFileWriter<&'w mut (dyn Write + Send)>,
}

fn begin<'w>(
    table: &ResultTable,
    head: &Head<'_>,
    out: &'w mut (dyn Write + Send),
) -> io::Result<Box<dyn RowWriter + 'w>> {
    let writer = file(table, head.arguments, out).map_err(as_io)?;
    Ok(Box::new(ParquetWriter { writer }))
}

impl RowWriter for ParquetWriter<'_> {
    fn rows(&mut self, table: &ResultTable) -> io::Result<()> {
        rows(&mut self.writer, table).map_err(as_io)
    }

    fn end(self: Box<Self>, _: &ResultTable) -> io::Result<()> {
        self.writer.close().map_err(as_io)?;
        Ok(())
    }
}

fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn file<'w>(
    table: &ResultTable,
    arguments: &[String],
    out: &'w mut (dyn Write + Send),
) -> Result<SerializedFileWriter<&'w mut (dyn Write + Send)>, ParquetError> {
    let entry = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("whyslow".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(vec![
            entry("whyslow.question", table.question),
            entry("whyslow.arguments", &arguments.join(" ")),
        ]));
    let properties = Arc::new(properties.build());
    SerializedFileWriter::new(out, schema(table)?, properties)
}

fn rows<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    table: &ResultTable,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    let mut at = 0;
    while let Some(mut column) = group.next_column()? {
        match table.columns.get(at) {
            Some(described) => values(column.untyped(), table, at, described)?,
            None => depths(column.untyped(), table)?,
        }
        column.close()?;
        at += 1;
    }
    group.close()?;
    Ok(())
}

fn schema(table: &ResultTable) -> Result<TypePtr, ParquetError> {
    let field = |name: &str, physical: Physical| {
        let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let builder = Type::primitive_type_builder(name, physical);
        let builder = builder.with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let columns = table.columns.iter();
    let columns = columns.map(|column| field(column.name, physical(column.kind)));
    let depth = table.tree_column.map(|_| field("depth", Physical::INT64));
    let fields = columns.chain(depth).collect::<Result<_, _>>()?;
    let builder = Type::group_type_builder(table.question).with_fields(fields);
    builder.build().map(Arc::new)
}

fn physical(kind: Kind) -> Physical {
    match kind {
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Percent | Kind::Ratio => Physical::DOUBLE,
        _ => Physical::INT64,
    }
}

fn values(
    writer: &mut ColumnWriter<'_>,
    table: &ResultTable,
    at: usize,
    column: &ResultColumn,
) -> Result<(), ParquetError> {
    let cells = || {
        table
            .rows
            .iter()
            .map(|row| row.get(at).unwrap_or(&Value::Null))
    };
    match writer {
        ColumnWriter::Int64ColumnWriter(writer) => {
            let (values, levels) = present(cells().map(Value::as_int));
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            let (values, levels) = present(cells().map(number));
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let (values, levels) = present(cells().map(text));
            writer.write_batch(&values, Some(&levels), None)?;
        }
        _ => {
            let what = format!("column {} has a type of its own", column.name);
            return Err(ParquetError::General(what));
        }
    }
    Ok(())
}

fn depths(writer: &mut ColumnWriter<'_>, table: &ResultTable) -> Result<(), ParquetError> {
    if let ColumnWriter::Int64ColumnWriter(writer) = writer {
        let depth = |row: usize| table.depths.get(row).map(|&depth| i64::from(depth));
        let (values, levels) = present((0..table.rows.len()).map(depth));
        writer.write_batch(&values, Some(&levels), None)?;
    }
    Ok(())
}

/// Splits values into those that are there and the levels that say which are.
fn present<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut there = Vec::new();
    let mut levels = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        there.extend(value);
    }
    (there, levels)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        #[expect(clippy::cast_precision_loss, reason = "a share is far below 2⁵³")]
        Value::Int(value) => Some(*value as f64),
        _ => None,
    }
}

/// Returns the text of a cell; columns that mix kinds hold their numbers as digits.
fn text(value: &Value) -> Option<ByteArray> {
    let text = match value {
        Value::Null => return None,
        Value::Text(text) | Value::Json(text) => text.to_string(),
        Value::Int(value) | Value::Quantity(_, value) => value.to_string(),
        Value::Float(value) => value.to_string(),
    };
    Some(ByteArray::from(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    const COLUMNS: [ResultColumn; 3] = [
        ResultColumn::new("process", "process", "", Kind::Text, ""),
        ResultColumn::new("cpu", "cpu_ns", "", Kind::Duration, ""),
        ResultColumn::new("share", "percent", "", Kind::Percent, ""),
    ];

    #[test]
    fn values_come_back_and_unknown_is_null() {
        let mut table = ResultTable::new("cpu", "", &COLUMNS);
        table.rows = vec![
            vec!["a".into(), Value::Int(7), Value::Float(0.5)],
            vec!["".into(), Value::Null, Value::Null],
        ];
        let mut bytes = Vec::new();
        FORMAT
            .write(&table, &["cpu".to_owned()], &mut bytes)
            .expect("written");
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("read");
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .expect("rows")
            .map(|row| row.expect("a row"))
            .collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_string(0).expect("text"), "a");
        assert_eq!(rows[0].get_long(1).expect("a number"), 7);
        assert!((rows[0].get_double(2).expect("a share") - 0.5).abs() < 1e-9);
        assert_eq!(
            rows[1].to_string(),
            "{process: \"\", cpu_ns: null, percent: null}"
        );
    }
}
