//! Results as text, charts, CSV, JSON and Parquet. Rendering is dull: it never computes a figure, it only
//! gives the figures of a [`ResultTable`](whyslow_results::ResultTable) a shape.
//!
//! * [`mod@text`]: the table for a person: fits the terminal, aligns numbers, cuts names with `…`;
//! * [`answer`], [`answer_json`]: what `run` explains a command with, as lines and as data;
//! * [`across`]: findings of many recordings, and one finding with its evidence;
//! * [`chart`]: lines of eighth blocks over time;
//! * [`curve`]: costs over *n*;
//! * [`picture`], [`page`]: the same as SVG, and as an HTML page with every operation;
//! * [`formats`]: the same figures as data: CSV, JSON, Parquet.
//!
//! Text from a trace is never trusted: [`escape()`] spells out control characters before a terminal
//! sees them.

#![forbid(unsafe_code)]

pub mod across;
pub mod answer;
pub mod answer_json;
pub mod cell;
pub mod chart;
pub mod curve;
pub mod escape;
mod exit_code;
mod extract_format;
pub mod fit;
pub mod formats;
pub mod heat_map;
pub mod layout;
pub mod measure;
pub mod number;
pub mod page;
mod page_table;
pub mod paint;
pub mod picture;
pub mod prose;
pub mod text;
pub mod tree;

pub use across::{write_across, write_finding};
pub use answer::{AnswerOptions, write_answer, write_machine};
pub use answer_json::{
    write_across_json, write_answer_json, write_finding_json, write_machine_json,
};
pub use chart::{plot_width, write_chart, write_charts};
pub use curve::{Curve, Points, write_curve};
pub use escape::{escape, message, path_line};
pub use extract_format::extract_format;
pub use fit::{Fit, FitPoint};
pub use formats::{Format, Head, RowWriter};
pub use heat_map::{HeatMap, write_heat_map};
pub use page::{Chapter, Page, write_page};
pub use paint::Paint;
pub use picture::{Labels, Level, Mark, write_picture};
pub use prose::wrapped;
pub use text::{TextOptions, TextWriter, write_text};
