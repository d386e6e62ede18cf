//! Connections and name look-ups: the rows in a scope, with addresses and names as texts, and the
//! process at the other end.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use whyslow_model::tables::{DnsQueryRow, LabelRow, NameLookupRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, ProcessId, Scan, TableRow, TcpResult, TcpSide};

use crate::error::QueryError;
use crate::recorded::{Moment, Recorded, recorded};
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

    /// Returns a text; `None` if it is not known.
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
    /// Its result.
    pub result: TcpResult,
}

impl Connection {
    fn of(row: TcpConnectionRow) -> Self {
        Self {
            side: TcpSide::from_code(row.side).unwrap_or(TcpSide::Unknown),
            result: TcpResult::from_code(row.result).unwrap_or(TcpResult::Unknown),
            row,
        }
    }

    /// When it ended; the end of time if it did not.
    #[must_use]
    pub fn end_ns(&self) -> i64 {
        match self.row.when() {
            Moment::At(end) | Moment::Span(_, end) => end,
        }
    }

    /// Returns the address and port that identify the other end. For a connection that this end
    /// accepted the port is left out, because it is different each time.
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

/// Returns an address with its port, in the usual notation.
#[must_use]
pub fn with_port(address: Option<&str>, port: Option<i32>) -> String {
    let address = address.unwrap_or("?");
    let port = port.map_or_else(|| "?".to_owned(), |port| port.to_string());
    match address.contains(':') {
        true => format!("[{address}]:{port}"),
        false => format!("{address}:{port}"),
    }
}

/// What both ends share: addresses and ports, this end's first.
type Ends = (Option<LabelId>, Option<i32>, Option<LabelId>, Option<i32>);

/// The most listening sockets that are kept.
const MOST_LISTENERS: usize = 1 << 14;

/// Addresses of a socket that listens at all addresses.
const EVERYWHERE: [&str; 2] = ["0.0.0.0", "::"];

/// The processes at the other end of connections within the recorded machine.
#[derive(Debug, Default)]
pub struct Peers {
    /// By the ends as the other end sees them.
    ends: HashMap<Ends, Spans>,
    /// The sockets of this machine that listened, by port.
    listeners: HashMap<i32, Vec<TcpConnectionRow>>,
    /// How many of them were seen.
    listening: usize,
    /// This machine's own addresses, as far as connections have them.
    own: BTreeSet<LabelId>,
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
        peers.ends.values_mut().for_each(Spans::sort);
        Ok(peers)
    }

    fn add(&mut self, one: &Connection) {
        let row = &one.row;
        if one.side == TcpSide::Listening {
            if let Some(port) = row.local_port.filter(|_| self.listening < MOST_LISTENERS) {
                self.listening += 1;
                self.listeners.entry(port).or_default().push(row.clone());
            }
            return;
        }
        self.own.extend(row.local_address);
        let Some(process) = row.process else {
            return;
        };
        let ends = (
            row.remote_address,
            row.remote_port,
            row.local_address,
            row.local_port,
        );
        let spans = self.ends.entry(ends).or_default();
        spans.0.push(Open {
            start_ns: row.open_ns,
            end_ns: one.end_ns(),
            latest_end_ns: i64::MIN,
            process,
        });
    }

    /// Returns who opened a connection: if it is older than the recording, who listens at one of its ends did not.
    #[must_use]
    pub fn side(&self, one: &Connection) -> TcpSide {
        if one.side != TcpSide::Unknown {
            return one.side;
        }
        let listens =
            |port: Option<i32>| port.is_some_and(|port| self.listeners.contains_key(&port));
        let is_here = self.of(one).is_some();
        match (
            listens(one.row.local_port),
            is_here && listens(one.row.remote_port),
        ) {
            (true, false) => TcpSide::In,
            (false, true) => TcpSide::Out,
            _ => TcpSide::Unknown,
        }
    }

    /// Returns the sockets of this machine that listen where a connection leads: at its address, or at all addresses.
    pub fn listeners<'p>(
        &'p self,
        one: &'p Connection,
        labels: &'p Labels,
    ) -> impl Iterator<Item = &'p TcpConnectionRow> {
        let (address, port) = (one.row.remote_address, one.row.remote_port);
        let text = labels.get(address).unwrap_or_default();
        let is_loopback = text.starts_with("127.") || text == "::1";
        let is_own = is_loopback || address.is_some_and(|id| self.own.contains(&id));
        let there = port
            .filter(|_| is_own)
            .and_then(|port| self.listeners.get(&port));
        let all = there.into_iter().flatten();
        all.filter(move |row| {
            let at = labels.get(row.local_address);
            row.local_address == address || at.is_some_and(|at| EVERYWHERE.contains(&at))
        })
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
        self.ends.get(&ends)?.nearest(one.row.open_ns, one.end_ns())
    }
}

/// When a connection was open, and its process.
#[derive(Debug, Clone, Copy)]
struct Open {
    start_ns: i64,
    end_ns: i64,
    /// The latest end among this one and all that began before it.
    latest_end_ns: i64,
    process: ProcessId,
}

/// Connections with the same two ends, by start: ports are reused.
#[derive(Debug, Default)]
struct Spans(Vec<Open>);

impl Spans {
    fn sort(&mut self) {
        self.0.sort_by_key(|open| open.start_ns);
        let mut latest = i64::MIN;
        for open in &mut self.0 {
            latest = latest.max(open.end_ns);
            open.latest_end_ns = latest;
        }
    }

    /// Returns the process of the connection that began closest to `from`, among those that were
    /// open between `from` and `to`.
    fn nearest(&self, from: i64, to: i64) -> Option<ProcessId> {
        let (before, after) = self
            .0
            .split_at(self.0.partition_point(|open| open.start_ns < from));
        let after = after.first().filter(|open| open.start_ns <= to);
        let before = before
            .iter()
            .rev()
            .take_while(|open| open.latest_end_ns >= from)
            .find(|open| open.end_ns >= from);
        let both = before.into_iter().chain(after);
        let nearest = both.min_by_key(|open| open.start_ns.abs_diff(from));
        nearest.map(|open| open.process)
    }
}

/// Passes every connection in `scope` to `each`: those that were open at some time in its window.
/// With `anybody`, those without a process are included.
///
/// # Errors
/// When the extract cannot be read.
pub fn connections(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    mut each: impl FnMut(Connection),
) -> Result<(), QueryError> {
    recorded(view, scope, anybody, |row| each(Connection::of(row)))
}

/// Passes every query to a name server that began in `scope` to `each`.
///
/// # Errors
/// When the extract cannot be read.
pub fn dns_queries(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    each: impl FnMut(DnsQueryRow),
) -> Result<(), QueryError> {
    recorded(view, scope, anybody, each)
}

/// Passes every look-up by the C library that began in `scope` to `each`.
///
/// # Errors
/// When the extract cannot be read.
pub fn name_lookups(
    view: View<'_>,
    scope: &Scope,
    each: impl FnMut(NameLookupRow),
) -> Result<(), QueryError> {
    recorded(view, scope, false, each)
}

/// Joins spans of time, which may overlap and be in any order; returns how long at least one of
/// them lasted.
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
    fn the_other_end_is_the_connection_that_began_nearest() {
        let open = |(start_ns, end_ns, process)| Open {
            start_ns,
            end_ns,
            latest_end_ns: 0,
            process: ProcessId(process),
        };
        // They are not in order, and one of them lasts beyond those after it.
        let all = [
            (50, 60, 5),
            (10, 90, 1),
            (20, 30, 2),
            (40, 45, 4),
            (95, 99, 9),
        ];
        let mut spans = Spans(all.map(open).to_vec());
        spans.sort();
        let nearest = |from, to| spans.nearest(from, to).map(|process| process.0);
        let linear = |from: i64, to| {
            let all = all
                .iter()
                .filter(|&&(start, end, _)| start <= to && end >= from);
            let nearest = all.min_by_key(|(start, _, _)| start.abs_diff(from));
            nearest.map(|&(_, _, process)| process)
        };
        for from in 0..110 {
            for to in from..110 {
                let tie = |process: Option<i32>| {
                    let of = all.iter().find(|one| Some(one.2) == process);
                    of.map(|one| one.0.abs_diff(from))
                };
                assert_eq!(tie(nearest(from, to)), tie(linear(from, to)), "{from} {to}");
            }
        }
        assert_eq!(nearest(32, 33), Some(1));
        assert_eq!(nearest(91, 94), None);
    }

    #[test]
    fn parallel_spans_count_once() {
        assert_eq!(joined_ns(&mut [(5, 9), (0, 2), (6, 12), (1, 3)]), 10);
        assert_eq!(joined_ns(&mut []), 0);
    }
}
