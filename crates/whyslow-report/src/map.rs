//! Pairs of dialects as maps: servers by clients.

use whyslow_lab::dialects::{Cost, Pair};
use whyslow_render::HeatMap;

use crate::unit::cost;

/// Returns the maps of `pairs`: on one connection, and on a new one each time.
pub fn dialects(pairs: &[Pair]) -> [HeatMap; 2] {
    [
        map(pairs, "A setting on one connection", |pair| pair.reopen),
        map(pairs, "A setting on a new connection", |pair| {
            pair.reconnect
        }),
    ]
}

fn map(pairs: &[Pair], title: &str, of: fn(&Pair) -> Option<Cost>) -> HeatMap {
    let mut servers: Vec<_> = pairs.iter().map(|pair| pair.server).collect();
    servers.dedup();
    let mut clients: Vec<_> = pairs.iter().map(|pair| pair.client).collect();
    clients.truncate(
        pairs
            .iter()
            .take_while(|pair| Some(&pair.server) == servers.first())
            .count(),
    );
    let cell = |server, client| {
        let mut found = pairs
            .iter()
            .filter(|pair| pair.server == server && pair.client == client);
        let ns = found.next().and_then(of)?.ns;
        #[expect(clippy::cast_precision_loss, reason = "a color has fewer digits")]
        let ns = ns as f64;
        Some((ns, cost(ns)))
    };
    let row = |server| clients.iter().map(|client| cell(server, *client)).collect();
    let names = |all: &[whyslow_lab::dialects::Dialect]| {
        all.iter().map(|one| one.name().to_owned()).collect()
    };
    HeatMap {
        title: title.to_owned(),
        rows: ("server".to_owned(), names(&servers)),
        columns: ("client".to_owned(), names(&clients)),
        cells: servers.iter().map(|server| row(*server)).collect(),
    }
}
