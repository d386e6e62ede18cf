//! The tables of dialects: a row per pair, and a matrix of servers and clients.

use whyslow_results::{Kind, ResultColumn, ResultTable, Value};
use whyslow_share::Dialect;

use crate::dialects::{Cost, Pair};

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> ResultColumn {
    ResultColumn::new(name, name, name, kind, doc)
}

/// The columns of the table, one row per pair.
pub const COLUMNS: [ResultColumn; 12] = [
    column("server", Kind::Text, "The newest dialect of the server"),
    column(
        "client",
        Kind::Text,
        "The newest dialect of the client, which offers the older ones, too",
    ),
    column("agreed", Kind::Text, "The dialect they agree on"),
    column(
        "alone",
        Kind::Text,
        "Whether the server takes a client that offers this dialect only",
    ),
    column(
        "reopen_ns",
        Kind::Duration,
        "A setting on one connection: open, read, close",
    ),
    column(
        "reopen_low_ns",
        Kind::Duration,
        "Where the interval of that begins (96 of 100)",
    ),
    column(
        "reopen_high_ns",
        Kind::Duration,
        "Where the interval of that ends",
    ),
    column("reopen_round_trips", Kind::Count, "Its round trips"),
    column(
        "reconnect_ns",
        Kind::Duration,
        "A setting on a new connection each time",
    ),
    column(
        "reconnect_low_ns",
        Kind::Duration,
        "Where the interval of that begins (96 of 100)",
    ),
    column(
        "reconnect_high_ns",
        Kind::Duration,
        "Where the interval of that ends",
    ),
    column("reconnect_round_trips", Kind::Count, "Its round trips"),
];

/// Returns the table of `pairs`.
pub fn table(pairs: &[Pair]) -> ResultTable {
    let mut table = ResultTable::new("dialects", "Dialects", &COLUMNS);
    let count = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    for pair in pairs {
        let alone = match &pair.refusal {
            None => Value::text("taken"),
            Some(fault) => Value::text(&fault.to_string()),
        };
        let mut row = vec![
            Value::text(pair.server.name()),
            Value::text(pair.client.name()),
            Value::text(pair.agreed.name()),
            alone,
        ];
        for cost in [pair.reopen, pair.reconnect] {
            let (low, high) = cost.and_then(|cost| cost.interval_ns).unzip();
            let trips = cost.and_then(|cost| cost.round_trips).map(u64::from);
            let cells = [cost.map(|cost| cost.ns), low, high, trips];
            row.extend(cells.map(|cell| cell.map_or(Value::Null, count)));
        }
        table.rows.push(row);
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
