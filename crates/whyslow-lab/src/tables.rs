//! The tables that experiments make, for help and documentation.

use whyslow_results::ResultSchema;

use crate::{changes, dialect_table, operation_table, summary};

/// The tables that experiments make.
pub static TABLES: [ResultSchema; 4] = [
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
        "What changed from one experiment that was kept to another (lab compare).",
        "Changes",
        &changes::COLUMNS,
    ),
];
