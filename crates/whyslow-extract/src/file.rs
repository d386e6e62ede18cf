//! One table as one Parquet file: the types, encodings and compression of its columns.
//!
//! Times and ascending ids are delta-coded; everything else uses a dictionary. Tables of events, of
//! stacks and of symbols are compressed with zstd. Small facts and roll-ups use LZ4: a question may
//! read a thousand of those, and setting up zstd for each of their columns takes longer than
//! reading it. Every row group has statistics, every page an index entry.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use whyslow_files::private;
use whyslow_model::tables::{ADDRESS, STACK};
use whyslow_model::{
    Column, ColumnSchema, ColumnType, Layer, NULL_I32, NULL_I64, Table, TableSchema,
};

use crate::error::Error;

/// Key of the footer entry that holds the schema version.
pub(crate) const KEY_SCHEMA: &str = "whyslow.schema";
/// Key of the footer entry that holds the name of the table.
pub(crate) const KEY_TABLE: &str = "whyslow.table";
/// Key of the footer entry that holds the trace id.
pub(crate) const KEY_TRACE: &str = "whyslow.trace";
/// Key of the footer entry that says what a row is.
const KEY_ROW: &str = "whyslow.row";

/// Rows in a row group of a raw table: small enough to skip, large enough to compress well.
pub(crate) const RAW_GROUP_ROWS: usize = 256 << 10;

/// Whether a column's values ascend from row to row.
fn grows(column: &ColumnSchema) -> bool {
    let time = column.name.ends_with("_ns") && column.ty == ColumnType::I64;
    time || matches!(column.name, "id" | "parent" | "address" | "base" | "rva")
}

fn parquet_schema(schema: &TableSchema) -> Result<TypePtr, parquet::errors::ParquetError> {
    let field = |column: &ColumnSchema| {
        let repetition = if column.nullable {
            Repetition::OPTIONAL
        } else {
            Repetition::REQUIRED
        };
        let (physical, logical) = match column.ty {
            ColumnType::I32 => (Physical::INT32, None),
            ColumnType::I64 => (Physical::INT64, None),
            ColumnType::Str => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(column.name, physical)
            .with_repetition(repetition)
            .with_converted_type(if logical.is_some() {
                ConvertedType::UTF8
            } else {
                ConvertedType::NONE
            })
            .with_logical_type(logical);
        builder.build().map(Arc::new)
    };
    let fields = schema.columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("whyslow")
        .with_fields(fields)
        .build()
        .map(Arc::new)
}

fn properties(schema: &TableSchema, version: i32, trace_id: &str) -> WriterProperties {
    let is_of_stacks = [&STACK, &ADDRESS].contains(&schema);
    let compression = match schema.layer {
        Layer::RollUp => Compression::LZ4_RAW,
        Layer::Fact if !is_of_stacks => Compression::LZ4_RAW,
        Layer::Fact | Layer::Raw | Layer::Symbol => Compression::ZSTD(ZstdLevel::default()),
    };
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("whyslow".to_owned())
        .set_compression(compression)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_dictionary_page_size_limit(4 << 20)
        .set_key_value_metadata(Some(vec![
            entry(KEY_SCHEMA, version.to_string()),
            entry(KEY_TABLE, schema.name.to_owned()),
            entry(KEY_TRACE, trace_id.to_owned()),
            entry(KEY_ROW, schema.doc.trim().to_owned()),
        ]));
    for column in schema.columns {
        let path = ColumnPath::from(column.name);
        if grows(column) {
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    builder.build()
}

/// A Parquet file being written.
pub(crate) struct TableFile {
    path: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
}

impl TableFile {
    pub(crate) fn create(
        path: &Path,
        schema: &TableSchema,
        version: i32,
        trace_id: &str,
    ) -> Result<Self, Error> {
        let file = private::create(path).map_err(|e| Error::io(path, "cannot create", e))?;
        Self::in_file((file, path), schema, version, trace_id)
    }

    /// Writes into an open file, which is empty; `path` is for errors.
    pub(crate) fn in_file(
        (file, path): (File, &Path),
        schema: &TableSchema,
        version: i32,
        trace_id: &str,
    ) -> Result<Self, Error> {
        let fail = |error| Error::parquet(path, "cannot write", error);
        let types = parquet_schema(schema).map_err(fail)?;
        let properties = Arc::new(properties(schema, version, trace_id));
        let file = BufWriter::with_capacity(1 << 20, file);
        let writer = SerializedFileWriter::new(file, types, properties).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            writer,
        })
    }

    /// Writes rows as one row group.
    pub(crate) fn write(&mut self, table: &Table) -> Result<(), Error> {
        let path = self.path.clone();
        let fail = |error| Error::parquet(&path, "cannot write", error);
        let mut group = self.writer.next_row_group().map_err(fail)?;
        let mut columns = table.columns.iter().zip(table.schema.columns);
        while let Some(mut writer) = group.next_column().map_err(fail)? {
            if let Some((column, schema)) = columns.next() {
                write_column(writer.untyped(), column, schema.nullable).map_err(fail)?;
            }
            writer.close().map_err(fail)?;
        }
        group.close().map(|_| ()).map_err(fail)
    }

    /// Ends the file; the caller makes it durable before renaming it.
    pub(crate) fn close(self) -> Result<(), Error> {
        let fail = |error| Error::parquet(&self.path, "cannot write", error);
        let file = self.writer.into_inner().map_err(fail)?;
        let io = |error| Error::io(&self.path, "cannot write", error);
        file.into_inner()
            .map_err(|e| io(e.into_error()))
            .map(|_| ())
    }
}

fn write_column(
    writer: &mut ColumnWriter<'_>,
    column: &Column,
    nullable: bool,
) -> Result<(), parquet::errors::ParquetError> {
    match (writer, column) {
        (ColumnWriter::Int32ColumnWriter(writer), Column::I32(values)) => {
            if !nullable {
                return writer.write_batch(values, None, None).map(|_| ());
            }
            let levels: Vec<i16> = values.iter().map(|&v| i16::from(v != NULL_I32)).collect();
            let values: Vec<i32> = values.iter().copied().filter(|&v| v != NULL_I32).collect();
            writer.write_batch(&values, Some(&levels), None).map(|_| ())
        }
        (ColumnWriter::Int64ColumnWriter(writer), Column::I64(values)) => {
            if !nullable {
                return writer.write_batch(values, None, None).map(|_| ());
            }
            let levels: Vec<i16> = values.iter().map(|&v| i16::from(v != NULL_I64)).collect();
            let values: Vec<i64> = values.iter().copied().filter(|&v| v != NULL_I64).collect();
            writer.write_batch(&values, Some(&levels), None).map(|_| ())
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Column::Str(strings)) => {
            let texts = strings
                .dictionary
                .iter()
                .map(|text| ByteArray::from(text.as_bytes().to_vec()));
            let texts: Vec<ByteArray> = texts.collect();
            let text = |&key: &i32| texts.get(usize::try_from(key).ok()?).cloned();
            let values: Vec<ByteArray> = if nullable {
                strings.keys.iter().filter_map(text).collect()
            } else {
                strings
                    .keys
                    .iter()
                    .map(|key| text(key).unwrap_or_default())
                    .collect()
            };
            let levels = nullable.then(|| {
                let known = |key: &i32| text(key).is_some();
                strings
                    .keys
                    .iter()
                    .map(|key| i16::from(known(key)))
                    .collect::<Vec<_>>()
            });
            writer
                .write_batch(&values, levels.as_deref(), None)
                .map(|_| ())
        }
        _ => Err(parquet::errors::ParquetError::General(
            "column type differs from schema".to_owned(),
        )),
    }
}
