//! The marks of a trace, by name.

use std::ops::ControlFlow;

use whyslow_model::tables::{LabelRow, MarkRow};
use whyslow_model::{Scan, TableRow};
use whyslow_results::Marks;

use crate::error::QueryError;
use crate::view::View;

/// Returns the marks of `view`, by whomever they were set; those whose text is not known have no name.
///
/// # Errors
/// When a table cannot be read.
pub fn read(view: View<'_>) -> Result<Marks, QueryError> {
    let mut all = Vec::new();
    view.scan(MarkRow::SCHEMA, &Scan::default(), &mut |table| {
        all.extend(table.rows::<MarkRow>().map(|row| (row.time_ns, row.text)));
        ControlFlow::Continue(())
    })?;
    if all.is_empty() {
        return Ok(Marks::default());
    }
    let labels = view.read(LabelRow::SCHEMA, &[])?;
    let labels: Vec<LabelRow> = labels.rows().collect();
    let named = all.into_iter().filter_map(|(ns, text)| {
        let label = labels.get(text?.index())?;
        Some((ns, label.text.clone()))
    });
    Ok(Marks::new(named.collect()))
}
