//! What threads waited for, by its number.

use std::ops::ControlFlow;

use whyslow_model::tables::WaitObjectRow;
use whyslow_model::{Scan, TableRow};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::mounts::Mounts;
use crate::view::View;

/// The port of name servers.
const DNS: &str = ":53";

/// Only the first things that an epoll watches are counted: with this many others there may be any
/// number.
const FEWEST_UNCOUNTED: i32 = 60;

/// Signals that programs wait for, with what they are called on all of Linux's machines but a few.
const SIGNALS: [(&str, &str); 9] = [
    ("1", "SIGHUP"),
    ("2", "SIGINT"),
    ("3", "SIGQUIT"),
    ("10", "SIGUSR1"),
    ("12", "SIGUSR2"),
    ("14", "SIGALRM"),
    ("15", "SIGTERM"),
    ("17", "SIGCHLD"),
    ("28", "SIGWINCH"),
];

fn signal(number: &str) -> String {
    let name = SIGNALS.iter().find(|(one, _)| *one == number);
    name.map_or_else(
        || format!("signal {number}"),
        |(_, name)| (*name).to_owned(),
    )
}

/// Returns names, each once with how often it is there: `[eventfd], /run/db (3)`.
fn counted(names: &str) -> String {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for name in names.split(", ") {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => all.push((name, 1)),
        }
    }
    let words = all.into_iter().map(|(name, count)| match count {
        1 => name.to_owned(),
        count => format!("{name} ({count})"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The objects of a trace.
#[derive(Debug, Default)]
pub struct Objects {
    rows: Vec<WaitObjectRow>,
    mounts: Mounts,
}

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
        Ok(Self {
            rows: all,
            mounts: Mounts::read(view)?,
        })
    }

    /// Returns an object by its number.
    pub fn get(&self, object: i32) -> Option<&WaitObjectRow> {
        self.rows.get(usize::try_from(object).ok()?)
    }

    /// Returns the usual name of an object: `127.0.0.1:5432`, `/tmp/lock and 2 more`, `child 99`.
    pub fn name(&self, object: i32) -> Option<String> {
        let row = self.get(object)?;
        let name = match row.kind.as_str() {
            "futex" => format!("futex {}", row.name),
            "signal" if row.name.starts_with(|first: char| first.is_ascii_digit()) => {
                signal(&row.name)
            }
            "child" if row.peer_pid.is_some() => format!("child {}", row.name),
            "semaphore" => format!("semaphores {}", row.name),
            "queue" => format!("message queue {}", row.name),
            "epoll" | "poll" => counted(&row.name),
            _ => row.name.clone(),
        };
        Some(match row.others {
            Some(others) if row.kind == "epoll" && others >= FEWEST_UNCOUNTED => {
                format!("{name} and many more")
            }
            Some(others) => format!("{name} and {others} more"),
            None => name,
        })
    }

    /// Returns who is at the other end of an object, sent it, held it when the wait began, was asked whether it may be used,
    /// or serves its file system: a thread of a lock, else a process, as `name (99)`. `None` if that is not known, or may
    /// be one of several.
    pub fn holder(&self, object: i32, facts: &Facts) -> Option<String> {
        let row = self.get(object)?;
        if let Some(tid) = row.owner_tid {
            let mut threads = facts.threads.iter().filter(|thread| thread.os_tid == tid);
            let name = threads.next()?.name.clone().unwrap_or_default();
            return threads.next().is_none().then(|| format!("{name} ({tid})"));
        }
        let pid = row.peer_pid.filter(|_| row.kind != "child");
        let pid = pid.or_else(|| self.server(row))?;
        let mut processes = facts.processes.iter().rev();
        let process = processes.find(|process| process.os_pid == pid)?;
        Some(format!("{} ({pid})", process.name))
    }

    /// Returns the program that serves the file system that a file is in.
    fn server(&self, row: &WaitObjectRow) -> Option<i32> {
        let mount = self.mounts.of_device(row.device?)?;
        mount.server_pid.filter(|_| mount.is_served_by_program())
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

    fn objects(rows: Vec<WaitObjectRow>) -> Objects {
        Objects {
            rows,
            mounts: Mounts::default(),
        }
    }

    fn row(kind: &str, name: &str, peer_pid: Option<i32>, others: Option<i32>) -> WaitObjectRow {
        WaitObjectRow {
            id: 0,
            kind: kind.to_owned(),
            name: name.to_owned(),
            local: None,
            peer_pid,
            owner_tid: None,
            file_system: None,
            inode: None,
            device: None,
            others,
        }
    }

    #[test]
    fn who_held_a_lock_is_a_thread_and_who_is_at_the_other_end_a_process() {
        let mut trace = whyslow_testkit::Literal::new(1000);
        let app = trace.process("app", 100, None);
        let worker = trace.thread(app, "worker");
        let trace = trace.raw("holders");
        let facts = Facts::read(&trace).expect("facts");
        let tid = facts.thread(worker).expect("a thread").os_tid;
        let lock = WaitObjectRow {
            owner_tid: Some(tid),
            ..row("futex", "0x7f00", None, None)
        };
        let all = objects(vec![
            lock,
            row("unix", "/run/x", Some(100), None),
            row("child", "100", Some(100), None),
            row("unix", "/run/x", Some(7), None),
        ]);
        let held = |at| all.holder(at, &facts);
        assert_eq!(held(0), Some(format!("worker ({tid})")));
        assert_eq!(held(1).as_deref(), Some("app (100)"));
        assert_eq!((held(2), held(3)), (None, None));
    }

    #[test]
    fn who_serves_a_file_system_is_at_the_other_end_of_its_files() {
        let mut trace = whyslow_testkit::Literal::new(1000);
        trace.process("photofs", 100, None);
        let mount = whyslow_model::tables::FactRow {
            subject: "recorder".to_owned(),
            key: "file_system".to_owned(),
            value: "46 fuse.photofs photos /mnt/photos 100 rw".to_owned(),
        };
        let file = |device| WaitObjectRow {
            device: Some(device),
            ..row("file", "/mnt/photos/1.jpg", None, None)
        };
        let rows = [file(46), file(47)];
        trace.tables = vec![
            whyslow_model::Table::from_rows([mount]),
            whyslow_model::Table::from_rows(rows),
        ];
        let trace = trace.raw("served");
        let facts = Facts::read(&trace).expect("facts");
        let all = Objects::read(&trace).expect("objects");
        assert_eq!(all.holder(0, &facts).as_deref(), Some("photofs (100)"));
        assert_eq!(all.holder(1, &facts), None);
    }

    #[test]
    fn objects_are_called_by_what_they_are() {
        let all = objects(vec![
            row("tcp", "127.0.0.1:5432", None, None),
            row("udp", "10.0.0.1:53", None, None),
            row("child", "99", Some(99), None),
            row("child", "any child", None, None),
            row("event", "[eventfd]", None, Some(2)),
            row("file", "/a:53", None, None),
            row("epoll", "127.0.0.1:80, [eventfd]", None, Some(3)),
            row("epoll", "127.0.0.1:80", None, Some(62)),
            row("signal", "15", None, None),
            row("signal", "34", None, None),
            row("epoll", "[eventfd], /run/db, /run/db", None, None),
        ]);
        let name = |at| all.name(at).unwrap();
        assert_eq!(name(0), "127.0.0.1:5432");
        assert_eq!(name(2), "child 99");
        assert_eq!(name(3), "any child");
        assert_eq!(name(4), "[eventfd] and 2 more");
        assert_eq!(name(6), "127.0.0.1:80, [eventfd] and 3 more");
        assert_eq!(name(7), "127.0.0.1:80 and many more");
        assert_eq!(
            (name(8).as_str(), name(9).as_str()),
            ("SIGTERM", "signal 34")
        );
        assert_eq!(name(10), "[eventfd], /run/db (2)");
        assert_eq!(all.name(11), None);
        assert_eq!(all.name(-1), None);
        let servers: Vec<i32> = (-1..11).filter(|&at| all.is_name_server(at)).collect();
        assert_eq!(servers, [1]);
    }
}
