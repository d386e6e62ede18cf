//! The tables of dialects: a row per pair, and a matrix of servers and clients.

use whyslow_results::{Column, Kind, ResultColumn, ResultTable, Value, shown};
use whyslow_share::Dialect;

use crate::dialects::{Cost, Pair};

const fn column(
    name: &'static str,
    heading: &'static str,
    kind: Kind,
    doc: &'static str,
) -> ResultColumn {
    ResultColumn::new(name, name, heading, kind, doc)
}

type Cell = fn(&Pair) -> Value;

const ROWS: &[Column<Cell>] = &[
    column(
        "server",
        "Server",
        Kind::Text,
        "The newest dialect of the server",
    )
    .cell(|pair| Value::text(pair.server.name())),
    column(
        "client",
        "Client",
        Kind::Text,
        "The newest dialect of the client, which offers the older ones, too",
    )
    .cell(|pair| Value::text(pair.client.name())),
    column("agreed", "Agreed", Kind::Text, "The dialect they agree on")
        .cell(|pair| Value::text(pair.agreed.name())),
    column(
        "alone",
        "Newest alone",
        Kind::Text,
        "Whether the server accepts a client that offers only this dialect",
    )
    .cell(|pair| match &pair.refusal {
        None => Value::text("taken"),
        Some(fault) => Value::text(&fault.to_string()),
    }),
    column(
        "reopen_ns",
        "One connection",
        Kind::Duration,
        "A setting on one connection: open, read, close",
    )
    .cell(|pair| count(pair.reopen.map(|cost| cost.ns))),
    column(
        "reopen_low_ns",
        "At least",
        Kind::Duration,
        "Lower end of its interval (96 %)",
    )
    .cell(|pair| count(low_ns(pair.reopen))),
    column(
        "reopen_high_ns",
        "At most",
        Kind::Duration,
        "Upper end of its interval",
    )
    .cell(|pair| count(high_ns(pair.reopen))),
    column(
        "reopen_round_trips",
        "Round trips",
        Kind::Count,
        "Its round trips",
    )
    .cell(|pair| count(round_trips(pair.reopen))),
    column(
        "reconnect_ns",
        "New connection",
        Kind::Duration,
        "A setting on a new connection each time",
    )
    .cell(|pair| count(pair.reconnect.map(|cost| cost.ns))),
    column(
        "reconnect_low_ns",
        "At least",
        Kind::Duration,
        "Lower end of its interval (96 %)",
    )
    .cell(|pair| count(low_ns(pair.reconnect))),
    column(
        "reconnect_high_ns",
        "At most",
        Kind::Duration,
        "Upper end of its interval",
    )
    .cell(|pair| count(high_ns(pair.reconnect))),
    column(
        "reconnect_round_trips",
        "Round trips",
        Kind::Count,
        "Its round trips",
    )
    .cell(|pair| count(round_trips(pair.reconnect))),
];

/// The columns of the table, one row per pair.
pub const COLUMNS: [ResultColumn; ROWS.len()] = shown(ROWS);

fn count(count: Option<u64>) -> Value {
    count.map_or(Value::Null, |count| {
        Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
    })
}

fn low_ns(cost: Option<Cost>) -> Option<u64> {
    cost?.interval_ns.map(|(low, _)| low)
}

fn high_ns(cost: Option<Cost>) -> Option<u64> {
    cost?.interval_ns.map(|(_, high)| high)
}

fn round_trips(cost: Option<Cost>) -> Option<u64> {
    cost?.round_trips.map(u64::from)
}

/// Returns the table of `pairs`.
pub fn table(pairs: &[Pair]) -> ResultTable {
    let mut table = ResultTable::new("dialects", "Dialects", &COLUMNS);
    for pair in pairs {
        let row = ROWS.iter().map(|column| (column.cell)(pair));
        table.rows.push(row.collect());
    }
    table
}

/// Returns a table with a row per server and a column per client.
pub fn matrix(pairs: &[Pair], of: fn(&Pair) -> Option<Cost>) -> ResultTable {
    let clients = [
        ("c202", "Client 2.02"),
        ("c210", "Client 2.10"),
        ("c300", "Client 3.00"),
        ("c302", "Client 3.02"),
        ("c311", "Client 3.11"),
    ];
    let head = |name, heading| ResultColumn::new(name, name, heading, Kind::Text, "").rigid();
    let columns = clients.map(|(name, heading)| head(name, heading));
    let columns: Vec<_> = [head("server", "Server")]
        .into_iter()
        .chain(columns)
        .collect();
    let mut table = ResultTable::new("dialects", "Dialects", &columns);
    for server in Dialect::ALL {
        let mut row = vec![Value::text(server.name())];
        for pair in pairs.iter().filter(|pair| pair.server == server) {
            row.push(of(pair).map_or(Value::Null, |cost| Value::text(&cell(cost))));
        }
        table.rows.push(row);
    }
    table
}

fn cell(cost: Cost) -> String {
    let ms = |ns: u64| format!("{}.{:03}", ns / 1_000_000, ns / 1_000 % 1_000);
    let interval = cost
        .interval_ns
        .map(|(low, high)| format!(" ({}–{})", ms(low), ms(high)));
    ms(cost.ns) + &interval.unwrap_or_default()
}
