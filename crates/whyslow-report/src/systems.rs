//! What an experiment can work on here, and what the machine lacks for the rest.

use std::io::{self, Write};

use whyslow_lab::systems::all;
use whyslow_results::{Kind, ResultColumn, ResultTable, Value};

use crate::said::Page;

/// Writes the systems as a table.
///
/// # Errors
/// When `out` fails.
pub fn list(page: Page, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let column = |name, heading| ResultColumn::new(name, name, heading, Kind::Text, "").rigid();
    let columns = [
        column("system", "System"),
        column("what", "What it is"),
        column("here", "Here"),
    ];
    let mut table = ResultTable::new("systems", "Systems", &columns);
    for listed in all() {
        let here = match listed.here {
            Err(lack) => format!("no: {lack}"),
            Ok(Some(driver)) => format!("yes: {driver}"),
            Ok(None) => "yes".to_owned(),
        };
        let row = vec![
            Value::text(&listed.name),
            listed.about.into(),
            Value::text(&here),
        ];
        table.rows.push(row);
    }
    page.table(&table, out)
}
