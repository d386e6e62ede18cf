//! `operations.parquet`: a row per operation, none left out.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use whyslow_lab::{Measured, Run};
use whyslow_query::{Kind, ResultColumn};

use super::columns::OPERATIONS;

/// Writes the operations of `runs`.
pub(super) fn write_operations(
    runs: &[Run],
    arguments: &[String],
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    write(runs, arguments, out).map_err(|error| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    })
}

fn write(
    runs: &[Run],
    arguments: &[String],
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let command = KeyValue::new("whyslow.arguments".to_owned(), arguments.join(" "));
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("whyslow".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(vec![command]))
        .build();
    let mut writer = SerializedFileWriter::new(out, schema()?, Arc::new(properties))?;
    for run in runs {
        let mut group = writer.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            values(column.untyped(), run, at)?;
            column.close()?;
            at += 1;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn schema() -> Result<TypePtr, ParquetError> {
    let field = |column: &ResultColumn| {
        let physical = match column.kind {
            Kind::Text => Physical::BYTE_ARRAY,
            Kind::Ratio => Physical::DOUBLE,
            _ => Physical::INT64,
        };
        let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let builder = Type::primitive_type_builder(column.name, physical);
        let builder = builder.with_repetition(Repetition::REQUIRED);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = OPERATIONS.iter().map(field).collect::<Result<_, _>>()?;
    let builder = Type::group_type_builder("operations").with_fields(fields);
    builder.build().map(Arc::new)
}

/// Returns the operations of a run, the ones measured again last: whether so, worker, operation.
fn rows(run: &Run) -> impl Iterator<Item = (bool, u32, &Measured)> {
    let first = run
        .operations
        .iter()
        .map(|(worker, one)| (false, *worker, one));
    first.chain(run.again.iter().map(|one| (true, 0, one)))
}

fn values(writer: &mut ColumnWriter<'_>, run: &Run, at: usize) -> Result<(), ParquetError> {
    match writer {
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let text = match at {
                0 => run.system.as_str(),
                1 => run.words.operation,
                _ => run.arm.as_str(),
            };
            let values = vec![ByteArray::from(text); rows(run).count()];
            writer.write_batch(&values, None, None)?;
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            let sizes = run.n.iter().chain(run.n.iter().take(run.again.len()));
            writer.write_batch(&sizes.copied().collect::<Vec<_>>(), None, None)?;
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            let begin = run.operations.first().map_or(0, |(_, one)| one.start_ns);
            let count = run.operations.len();
            let rows = rows(run).enumerate();
            let values = rows.map(|(row, (again, worker, one))| match at {
                3 => i64::from(again),
                4 => int(u64::try_from(if again { row - count } else { row }).unwrap_or(0)),
                5 => i64::from(worker),
                7 => int(one.start_ns.saturating_sub(begin)),
                8 => int(one.duration_ns),
                9 => i64::from(one.result),
                _ => i64::from(one.count),
            });
            writer.write_batch(&values.collect::<Vec<_>>(), None, None)?;
        }
        _ => {
            return Err(ParquetError::General(
                "a column has a type of its own".to_owned(),
            ));
        }
    }
    Ok(())
}

fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
