//! Connections and look-ups of names: the rows a scope counts, with addresses and names as texts, and who is
//! at the other end.

use std::collections::HashMap;
use std::ops::ControlFlow;

use whyslow_model::tables::{DnsQueryRow, LabelRow, NameLookupRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, ProcessId, Scan, TableRow, TcpResult, TcpSide};

use crate::error::QueryError;
use crate::scope::Scope;
use crate::view::View;

/// The texts that rows refer to.
#[derive(Debug, Default)]
pub struct Labels {
    rows: Vec<LabelRow>,
}

impl Labels {
    /// Reads them.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let table = view.read(LabelRow::SCHEMA, &[])?;
        let rows = table.rows::<LabelRow>().collect();
        Ok(Self { rows })
    }

    /// Returns a text; `None` where it is not known.
    #[must_use]
    pub fn get(&self, id: Option<LabelId>) -> Option<&str> {
        self.rows.get(id?.index()).map(|row| row.text.as_str())
    }
}

/// One end of a connection.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The row.
    pub row: TcpConnectionRow,
    /// Who opened it.
    pub side: TcpSide,
    /// What came of it.
    pub result: TcpResult,
}

impl Connection {
    fn of(row: TcpConnectionRow) -> Self {
        let side = TcpSide::ALL
            .iter()
            .find(|(side, _)| side.code() == row.side);
        let result = TcpResult::ALL
            .iter()
            .find(|(result, _)| result.code() == row.result);
        Self {
            side: side.map_or(TcpSide::Unknown, |&(side, _)| side),
            result: result.map_or(TcpResult::Unknown, |&(result, _)| result),
            row,
        }
    }

    /// When it ended; the end of time where it did not.
    #[must_use]
    pub fn end_ns(&self) -> i64 {
        let duration_ns = self.row.duration_ns.unwrap_or(i64::MAX).max(0);
        self.row.open_ns.saturating_add(duration_ns)
    }

    /// Returns the address and port by which the other end is known; of a connection that this end accepted
    /// without a port, because that is another one each time.
    #[must_use]
    pub fn peer(&self, labels: &Labels) -> String {
        match self.side {
            TcpSide::Listening => String::new(),
            TcpSide::In => labels
                .get(self.row.remote_address)
                .unwrap_or("?")
                .to_owned(),
            TcpSide::Out | TcpSide::Unknown => {
                with_port(labels.get(self.row.remote_address), self.row.remote_port)
            }
        }
    }
}

/// Returns an address with its port, as people write them.
#[must_use]
pub fn with_port(address: Option<&str>, port: Option<i32>) -> String {
    let address = address.unwrap_or("?");
    let port = port.map_or_else(|| "?".to_owned(), |port| port.to_string());
    match address.contains(':') {
        true => format!("[{address}]:{port}"),
        false => format!("{address}:{port}"),
    }
}

/// What both ends have in common: addresses and ports, this end's first.
type Ends = (Option<LabelId>, Option<i32>, Option<LabelId>, Option<i32>);

/// Who is at the other end of connections within the recorded machine.
#[derive(Debug, Default)]
pub struct Peers {
    /// By the other end's view: when it was open, and whose it is.
    ends: HashMap<Ends, Vec<(i64, i64, ProcessId)>>,
}

impl Peers {
    /// Reads all connections of the trace.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut peers = Self::default();
        let scan = Scan::default();
        view.scan(TcpConnectionRow::SCHEMA, &scan, &mut |table| {
            for row in table.rows::<TcpConnectionRow>() {
                peers.add(&Connection::of(row));
            }
            ControlFlow::Continue(())
        })?;
        Ok(peers)
    }

    fn add(&mut self, one: &Connection) {
        let row = &one.row;
        let Some(process) = row.process else {
            return;
        };
        let open = (row.open_ns, one.end_ns(), process);
        if one.side == TcpSide::Listening {
            return;
        }
        let ends = (
            row.remote_address,
            row.remote_port,
            row.local_address,
            row.local_port,
        );
        self.ends.entry(ends).or_default().push(open);
    }

    /// Returns the process at the other end, if that is on this machine.
    #[must_use]
    pub fn of(&self, one: &Connection) -> Option<ProcessId> {
        let row = &one.row;
        let ends = (
            row.local_address,
            row.local_port,
            row.remote_address,
            row.remote_port,
        );
        nearest(self.ends.get(&ends)?, one.row.open_ns, one.end_ns())
    }
}

/// Ports are used again: of those that overlap, the one that began last before counts.
fn nearest(all: &[(i64, i64, ProcessId)], from: i64, to: i64) -> Option<ProcessId> {
    let overlapping = all
        .iter()
        .filter(|&&(start, end, _)| start <= to && end >= from);
    let nearest = overlapping.min_by_key(|(start, _, _)| start.abs_diff(from));
    nearest.map(|&(_, _, process)| process)
}

/// Gives every connection in `scope` to `each`: those that were open at some time of its window. With
/// `anybody` also those that no process has.
///
/// # Errors
/// When the extract cannot be read.
pub fn connections(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    mut each: impl FnMut(Connection),
) -> Result<(), QueryError> {
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let scan = scan_of(scope, anybody);
    view.scan(TcpConnectionRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<TcpConnectionRow>() {
            let one = Connection::of(row);
            let is_open = one.row.open_ns < to && one.end_ns() >= from;
            if is_open && is_within(scope, anybody, one.row.process, one.row.thread) {
                each(one);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Gives every question to a name server that began in `scope` to `each`.
///
/// # Errors
/// When the extract cannot be read.
pub fn dns_queries(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    mut each: impl FnMut(DnsQueryRow),
) -> Result<(), QueryError> {
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let scan = scan_of(scope, anybody);
    view.scan(DnsQueryRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<DnsQueryRow>() {
            let is_then = row.time_ns >= from && row.time_ns < to;
            if is_then && is_within(scope, anybody, row.process, row.thread) {
                each(row);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Gives every look-up by the C library that began in `scope` to `each`.
///
/// # Errors
/// When the extract cannot be read.
pub fn name_lookups(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(NameLookupRow),
) -> Result<(), QueryError> {
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let scan = scan_of(scope, false);
    view.scan(NameLookupRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<NameLookupRow>() {
            let is_then = row.time_ns >= from && row.time_ns < to;
            if is_then && is_within(scope, false, row.process, row.thread) {
                each(row);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// A connection may have begun long before a window, so the window is left to the caller.
fn scan_of(scope: &Scope, anybody: bool) -> Scan<'_> {
    Scan {
        columns: &[],
        processes: scope.chosen.as_deref().filter(|_| !anybody),
        window_ns: None,
    }
}

fn is_within(
    scope: &Scope,
    anybody: bool,
    process: Option<ProcessId>,
    thread: Option<whyslow_model::ThreadId>,
) -> bool {
    match process {
        Some(process) => scope.process(process) && thread.is_none_or(|thread| scope.thread(thread)),
        None => anybody,
    }
}

/// Joins spans of time, which are of any order and may overlap: how long at least one of them lasted.
#[must_use]
pub fn joined_ns(spans: &mut [(i64, i64)]) -> i64 {
    spans.sort_unstable();
    let (mut reached, mut sum) = (i64::MIN, 0_i64);
    for &(from, to) in spans.iter() {
        let from = from.max(reached);
        sum = sum.saturating_add(to.saturating_sub(from).max(0));
        reached = reached.max(to);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_ports_behind() {
        assert_eq!(with_port(Some("127.0.0.1"), Some(80)), "127.0.0.1:80");
        assert_eq!(with_port(Some("::1"), Some(80)), "[::1]:80");
        assert_eq!(with_port(None, None), "?:?");
    }

    #[test]
    fn parallel_spans_count_once() {
        assert_eq!(joined_ns(&mut [(5, 9), (0, 2), (6, 12), (1, 3)]), 10);
        assert_eq!(joined_ns(&mut []), 0);
    }
}
