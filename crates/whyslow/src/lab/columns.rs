//! The columns of the lab's tables, for help and documentation.

use whyslow_lab::summary;
use whyslow_query::{Kind, ResultColumn, ResultSchema};

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> ResultColumn {
    ResultColumn::new(name, name, name, kind, doc)
}

/// The columns of `operations.parquet`, in their order.
pub(super) const OPERATIONS: [ResultColumn; 12] = [
    column(
        "system",
        Kind::Text,
        "What the operation was made on, as given",
    ),
    column("operation", Kind::Text, "What was repeated"),
    column(
        "arm",
        Kind::Text,
        "The way it was done, where several are compared",
    ),
    column(
        "pass",
        Kind::Count,
        "1, or more where the series was made again because its curve left a doubt",
    ),
    column(
        "again",
        Kind::Count,
        "1 for the first sizes measured once more at the end, else 0",
    ),
    column(
        "index",
        Kind::Count,
        "The how manieth of its series, from 0, in the order of the starts",
    ),
    column(
        "worker",
        Kind::Id,
        "The process or thread that did it, from 0",
    ),
    column("n", Kind::Ratio, "The size it met, as the number of files"),
    column(
        "start_ns",
        Kind::Duration,
        "When it started, after the first of its series",
    ),
    column("duration_ns", Kind::Duration, "How long it took"),
    column("result", Kind::Id, "0, or the system's error number"),
    column(
        "count",
        Kind::Count,
        "What the case counts: probes, entries, system calls",
    ),
];

/// The tables that experiments make.
pub(crate) static TABLES: [ResultSchema; 3] = [
    ResultSchema::new(
        "lab",
        "What the series of an experiment came to.",
        "Runs",
        &summary::COLUMNS,
    ),
    ResultSchema::new(
        "operations",
        "Every operation of an experiment (operations.parquet).",
        "Operations",
        &OPERATIONS,
    ),
    ResultSchema::new(
        "dialects",
        "Every pair of SMB dialects of a server and a client (lab dialects).",
        "Dialects",
        &super::dialects::COLUMNS,
    ),
];
