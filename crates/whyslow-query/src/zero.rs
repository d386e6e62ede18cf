//! Times of an answer that count from a mark.

use whyslow_results::{Note, ResultTable, TimePoint, trace_seconds};

use crate::error::QueryError;
use crate::marks;
use crate::view::View;

/// Lets the times of an answer from `views` count from the mark called `name`, in each recording from its own.
///
/// # Errors
/// When a recording has no such mark, or a table cannot be read.
pub fn count_from(
    table: &mut ResultTable,
    views: &[View<'_>],
    name: &str,
) -> Result<(), QueryError> {
    let point = TimePoint::mark(name);
    for file in &mut table.files {
        let mut views = views.iter();
        let Some(&view) = views.find(|view| *view.name() == *file.name) else {
            continue;
        };
        let marks = marks::read(view)?;
        let ns = point.resolve(&file.name, &file.clock, 0, Some(&marks))?;
        file.clock.zero_ns = ns;
        let at = trace_seconds(ns, 3);
        let text = format!("times count from the mark '{name}', {at} s after the start");
        let mut note = Note::info(text);
        note.file = Some(file.name.clone());
        table.notes.push(note);
    }
    Ok(())
}
