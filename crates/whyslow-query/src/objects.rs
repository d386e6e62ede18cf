//! What threads waited for, by its number.

use std::ops::ControlFlow;

use whyslow_model::tables::WaitObjectRow;
use whyslow_model::{Scan, TableRow};

use crate::error::QueryError;
use crate::view::View;

/// The port of name servers.
const DNS: &str = ":53";

/// The objects of a trace.
#[derive(Debug, Default)]
pub struct Objects(Vec<WaitObjectRow>);

impl Objects {
    /// Reads the table; nothing if the extract has none.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut all = Vec::new();
        view.scan(WaitObjectRow::SCHEMA, &Scan::default(), &mut |table| {
            all.extend(table.rows::<WaitObjectRow>());
            ControlFlow::Continue(())
        })?;
        Ok(Self(all))
    }

    /// Returns an object by its number.
    pub fn get(&self, object: i32) -> Option<&WaitObjectRow> {
        self.0.get(usize::try_from(object).ok()?)
    }

    /// Returns the usual name of an object: `127.0.0.1:5432`, `/tmp/lock and 2 more`, `child 99`.
    pub fn name(&self, object: i32) -> Option<String> {
        let row = self.get(object)?;
        let name = match row.kind.as_str() {
            "futex" => format!("futex {}", row.name),
            "child" if row.peer_pid.is_some() => format!("child {}", row.name),
            "semaphore" => format!("semaphores {}", row.name),
            "queue" => format!("message queue {}", row.name),
            _ => row.name.clone(),
        };
        Some(match row.others {
            Some(others) => format!("{name} and {others} more"),
            None => name,
        })
    }

    /// Returns whether an object is a connection to a name server.
    pub fn is_name_server(&self, object: i32) -> bool {
        let row = self.get(object);
        row.is_some_and(|row| {
            ["udp", "tcp"].contains(&row.kind.as_str()) && row.name.ends_with(DNS)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str, name: &str, peer_pid: Option<i32>, others: Option<i32>) -> WaitObjectRow {
        WaitObjectRow {
            id: 0,
            kind: kind.to_owned(),
            name: name.to_owned(),
            local: None,
            peer_pid,
            file_system: None,
            inode: None,
            device: None,
            others,
        }
    }

    #[test]
    fn objects_are_called_by_what_they_are() {
        let all = Objects(vec![
            row("tcp", "127.0.0.1:5432", None, None),
            row("udp", "10.0.0.1:53", None, None),
            row("child", "99", Some(99), None),
            row("child", "any child", None, None),
            row("event", "[eventfd]", None, Some(2)),
            row("file", "/a:53", None, None),
        ]);
        let name = |at| all.name(at).unwrap();
        assert_eq!(name(0), "127.0.0.1:5432");
        assert_eq!(name(2), "child 99");
        assert_eq!(name(3), "any child");
        assert_eq!(name(4), "[eventfd] and 2 more");
        assert_eq!(all.name(6), None);
        assert_eq!(all.name(-1), None);
        let servers: Vec<i32> = (-1..7).filter(|&at| all.is_name_server(at)).collect();
        assert_eq!(servers, [1]);
    }
}
