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

use whyslow_results::{Column, Kind, ResultColumn, shown};

use crate::kept::PREFIX;
use crate::operation::Measured;
use crate::run::{Pass, Run};

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> ResultColumn {
    ResultColumn::new(name, name, name, kind, doc)
}

/// Where the values of a column come from.
#[derive(Clone, Copy)]
enum Cell {
    /// Something of the whole run.
    Text(fn(&Run) -> &str),
    Whole(fn(&Row<'_>) -> i64),
    Real(fn(&Row<'_>) -> f64),
}

const ROWS: &[Column<Cell>] = &[
    column(
        "system",
        Kind::Text,
        "The system the operation used, as given",
    )
    .cell(Cell::Text(|run| &run.setup.system)),
    column("operation", Kind::Text, "What was repeated")
        .cell(Cell::Text(|run| run.setup.words.operation)),
    column(
        "arm",
        Kind::Text,
        "The way it was done, where several are compared",
    )
    .cell(Cell::Text(|run| &run.setup.arm)),
    column(
        "pass",
        Kind::Count,
        "Number of the pass: above 1 where the series was repeated because its curve was in doubt",
    )
    .cell(Cell::Whole(|row| row.pass.into())),
    column(
        "again",
        Kind::Count,
        "1 for the first sizes measured once more at the end, else 0",
    )
    .cell(Cell::Whole(|row| row.again.into())),
    column(
        "index",
        Kind::Count,
        "Its position in the series, from 0, in the order of the starts",
    )
    .cell(Cell::Whole(|row| {
        i64::try_from(row.index).unwrap_or(i64::MAX)
    })),
    column(
        "worker",
        Kind::Id,
        "The process or thread that did it, from 0",
    )
    .cell(Cell::Whole(|row| row.worker.into())),
    column(
        "n",
        Kind::Ratio,
        "The size it met, such as the number of files",
    )
    .cell(Cell::Real(|row| row.n)),
    column(
        "start_ns",
        Kind::Duration,
        "When it started, relative to the first of its series",
    )
    .cell(Cell::Whole(|row| {
        int(row.one.start_ns.saturating_sub(row.begin_ns))
    })),
    column("duration_ns", Kind::Duration, "How long it took")
        .cell(Cell::Whole(|row| int(row.one.duration_ns))),
    column("result", Kind::Id, "0, or the system's error number")
        .cell(Cell::Whole(|row| row.one.result.into())),
    column(
        "count",
        Kind::Count,
        "What the case counts: probes, entries, system calls",
    )
    .cell(Cell::Whole(|row| row.one.count.into())),
];

/// The columns of `operations.parquet`, in their order.
pub const COLUMNS: [ResultColumn; ROWS.len()] = shown(ROWS);

/// Writes the operations of `runs`; `facts` about them are kept in the file, by what they are called.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_operations(
    runs: &[Run],
    facts: &[(String, String)],
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    write(runs, facts, out).map_err(|error| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    })
}

fn write(
    runs: &[Run],
    facts: &[(String, String)],
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let fact =
        |(key, value): &(String, String)| KeyValue::new(format!("{PREFIX}{key}"), value.clone());
    let facts = facts.iter().map(fact).collect();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("whyslow".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(facts))
        .build();
    let mut writer = SerializedFileWriter::new(out, schema()?, Arc::new(properties))?;
    for run in runs {
        let mut group = writer.next_row_group()?;
        for of in ROWS {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            values(column.untyped(), run, of.cell)?;
            column.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn schema() -> Result<TypePtr, ParquetError> {
    let field = |column: &Column<Cell>| {
        let physical = match column.cell {
            Cell::Text(_) => Physical::BYTE_ARRAY,
            Cell::Real(_) => Physical::DOUBLE,
            Cell::Whole(_) => Physical::INT64,
        };
        let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let builder = Type::primitive_type_builder(column.shown.name, physical);
        let builder = builder.with_repetition(Repetition::REQUIRED);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = ROWS.iter().map(field).collect::<Result<_, _>>()?;
    let builder = Type::group_type_builder("operations").with_fields(fields);
    builder.build().map(Arc::new)
}

/// An operation and where it belongs.
struct Row<'a> {
    pass: u32,
    /// Whether it is one of the first sizes measured again.
    again: bool,
    index: usize,
    worker: u32,
    n: f64,
    /// When its pass began.
    begin_ns: u64,
    one: &'a Measured,
}

/// Returns the operations of a run, pass by pass, the ones measured again last.
fn rows(run: &Run) -> impl Iterator<Item = Row<'_>> {
    (1..).zip(run.passes()).flat_map(|(pass, measured)| {
        let Pass {
            operations,
            n,
            again,
            ..
        } = measured;
        let begin_ns = operations.first().map_or(0, |(_, one)| one.start_ns);
        let row = move |again, index, worker, one| Row {
            pass,
            again,
            index,
            worker,
            n: n.get(index).copied().unwrap_or(0.0),
            begin_ns,
            one,
        };
        let once = operations.iter().enumerate();
        let once = once.map(move |(index, (worker, one))| row(false, index, *worker, one));
        let again = again.iter().enumerate();
        once.chain(again.map(move |(index, one)| row(true, index, 0, one)))
    })
}

fn values(writer: &mut ColumnWriter<'_>, run: &Run, cell: Cell) -> Result<(), ParquetError> {
    match (writer, cell) {
        (ColumnWriter::ByteArrayColumnWriter(writer), Cell::Text(of)) => {
            let values = vec![ByteArray::from(of(run)); rows(run).count()];
            writer.write_batch(&values, None, None)?;
        }
        (ColumnWriter::DoubleColumnWriter(writer), Cell::Real(of)) => {
            let values: Vec<f64> = rows(run).map(|row| of(&row)).collect();
            writer.write_batch(&values, None, None)?;
        }
        (ColumnWriter::Int64ColumnWriter(writer), Cell::Whole(of)) => {
            let values: Vec<i64> = rows(run).map(|row| of(&row)).collect();
            writer.write_batch(&values, None, None)?;
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
