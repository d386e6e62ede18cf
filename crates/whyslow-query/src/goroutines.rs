//! Goroutines of Go programs: what each did, and for how long.

use whyslow_model::tables::GoroutineRow;

use crate::error::QueryError;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::view::View;

/// Calls `each` with every row in a scope.
///
/// # Errors
/// When the table cannot be read.
pub fn goroutines(
    view: View<'_>,
    scope: &Scope,
    each: impl FnMut(GoroutineRow),
) -> Result<(), QueryError> {
    recorded(view, scope, false, each)
}
