//! `lab systems`: what an experiment can work on here.

use whyslow_lab::systems::all;
use whyslow_query::{Kind, ResultColumn, ResultTable, Value};
use whyslow_render::{TextOptions, write_text};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Prints the systems and what the machine lacks for each.
pub(super) fn list(terminal: &Terminal) -> Result<Exit, Failure> {
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
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    output::write_to(None, false, |out| write_text(&table, &options, out))?;
    Ok(Exit::Success)
}
