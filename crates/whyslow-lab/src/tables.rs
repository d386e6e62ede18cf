//! The tables that experiments make, for help and documentation.

use whyslow_results::ResultSchema;
use whyslow_series::{changes, operation_table, summary};

use crate::dialect_table;

/// The tables that experiments make.
pub static TABLES: [ResultSchema; 4] = [
    ResultSchema::new(
        "lab",
        "Results of the series of an experiment.",
        "Runs",
        &summary::COLUMNS,
    ),
    ResultSchema::new(
        "operations",
        "Every operation of an experiment (operations.parquet).",
        "Operations",
        &operation_table::COLUMNS,
    ),
    ResultSchema::new(
        "dialects",
        "Every pair of SMB dialects of a server and a client (lab dialects).",
        "Dialects",
        &dialect_table::COLUMNS,
    ),
    ResultSchema::new(
        "lab-changes",
        "What changed between two kept experiments (lab compare).",
        "Changes",
        &changes::COLUMNS,
    ),
];
