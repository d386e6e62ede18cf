//! From an extract to the same extract with new names.

use whyslow_extract::Extract;
use whyslow_model::tables::{PROBLEM, ProblemRow, SYMBOL};
use whyslow_model::{MemoryTrace, Renewed, Table, TraceView, ViewError, Watch};
use whyslow_query::rollup::RollUps;
use whyslow_source::Error;

use crate::error::{check, damaged_view, unread_table, unwritable};
use crate::names::{self, Lookup, Named};
use crate::problems::say_nameless;
use crate::watched::Watched;

/// Looks up names again for an extract: renews its names, the sums based on them, and its problems
/// about names.
///
/// # Errors
/// When the extract cannot be read or written, or the watcher asks to stop; the extract is then
/// unchanged, or has some of the new tables.
pub fn symbolize(extract: &Extract, lookup: &Lookup, watch: &dyn Watch) -> Result<Named, Error> {
    let path = extract.path();
    let unreadable = |error: ViewError| unread_table(path, &error);
    let name = extract.name().to_owned();
    let known = extract.read(&SYMBOL, &[]).map_err(unreadable)?;
    let named = names::look_up(extract, &known, lookup, &name, watch).map_err(unreadable)?;
    check(watch, path)?;
    let problems = extract.read(&PROBLEM, &[]).map_err(unreadable)?;
    let mut problems: Vec<ProblemRow> = problems.rows().collect();
    say_nameless(&mut problems, &named);
    watch.step(&format_args!("{name}: summing up"));
    // Names and everything based on them change together, or not at all.
    let new = MemoryTrace::new(&name, vec![named.symbols.clone()]);
    let renewed = Renewed {
        old: extract,
        new: &new,
    };
    let view = &renewed;
    let sums = RollUps::compute(&Watched { view, watch });
    check(watch, path)?;
    let sums = sums.map_err(|error| damaged_view(path, &error))?;
    let problems = Table::from_rows(problems);
    let tables = [named.symbols.clone(), problems, sums.methods, sums.timeline];
    check(watch, path)?;
    whyslow_extract::rewrite(extract, &tables).map_err(|error| unwritable(path, &error))?;
    Ok(named)
}
