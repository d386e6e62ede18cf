//! The tables that experiments make, for help and documentation.

use whyslow_query::questions::Question;

use crate::{dialect_table, operation_table, summary};

/// The tables that experiments make.
pub const TABLES: [Question; 3] = [
    Question {
        name: "lab",
        summary: "What the series of an experiment came to.",
        columns: &summary::COLUMNS,
    },
    Question {
        name: "operations",
        summary: "Every operation of an experiment (operations.parquet).",
        columns: &operation_table::COLUMNS,
    },
    Question {
        name: "dialects",
        summary: "Every pair of SMB dialects of a server and a client (lab dialects).",
        columns: &dialect_table::COLUMNS,
    },
];
