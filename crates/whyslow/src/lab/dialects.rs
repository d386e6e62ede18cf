//! `lab dialects`: what a setting on a share costs for every pair of a server's and a client's newest
//! dialect, as a table of both.

use std::io::{self, Write};

use whyslow_lab::remote::dialects::{Cost, Pair, dialects, sentences};
use whyslow_lab::{Context, Options, Run, Summary};
use whyslow_query::{Kind, ResultColumn, ResultTable, Value};
use whyslow_render::{TextOptions, harmless, write_csv, write_json, write_text};
use whyslow_share::{Dialect, Protocol, Share};

use super::Bench;
use crate::args::{LabArgs, LabFormat, Where};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> ResultColumn {
    ResultColumn::new(name, name, name, kind, doc)
}

/// The columns of the table, one row per pair.
pub(super) const COLUMNS: [ResultColumn; 12] = [
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

/// Returns the share to measure: plain SMB if the user names none.
fn share(args: &LabArgs) -> Result<Share, Failure> {
    let plain = Share {
        protocol: Protocol::Smb,
        dialect: None,
        case_sensitive: false,
        rtt: std::time::Duration::ZERO,
    };
    let share = match args.on.as_slice() {
        [] if args.dir.is_none() => plain,
        [system] => match system.place {
            Where::Share { share, on: None }
                if share.protocol == Protocol::Smb && share.dialect.is_none() =>
            {
                share
            }
            _ => return Err(odd()),
        },
        _ => return Err(odd()),
    };
    match share.protocol.lacks() {
        Some(lack) => Err(Failure::cannot("work on smb", lack)
            .hint("whyslow lab systems lists what this machine can provide")),
        None => Ok(share),
    }
}

fn odd() -> Failure {
    Failure::usage("dialects are those of one SMB share")
        .hint("leave --on out, or name one as --on smb:rtt=10ms")
}

/// Measures and shows every pair.
pub(super) fn show(
    args: &LabArgs,
    options: &Options,
    arguments: &[String],
    bench: &Bench,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let share = share(args)?;
    let context = Context {
        program: &bench.program,
        stop: bench.interrupt.flag(),
        tell: &|what| bench.progress.borrow_mut().step(what),
    };
    let mut exit = Exit::Success;
    let (mut pairs, mut runs): (Vec<Pair>, Vec<Run>) = (Vec::new(), Vec::new());
    let measured = dialects(&share, options, context, &mut pairs, &mut runs);
    bench.progress.borrow_mut().clear();
    if let Err(error) = measured {
        let failure = super::failure(&error);
        if runs.is_empty() {
            return Err(failure);
        }
        terminal.fail(&failure);
        exit = failure.exit;
    } else if bench.interrupt.asked() {
        exit = Exit::Interrupted;
    }
    let table = table(&pairs);
    if let Some(dir) = &args.output {
        let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
        super::keep::keep(dir, &runs, &summaries, &table, arguments, &[])?;
        terminal.tell(&format!(
            "every operation is in {}",
            harmless(&dir.display().to_string())
        ));
    }
    output::write_to(None, false, |out| match args.format {
        LabFormat::Table => said(&pairs, terminal, out),
        LabFormat::Csv => write_csv(&table, out),
        LabFormat::Json => write_json(&table, arguments, out),
    })?;
    Ok(exit)
}

fn table(pairs: &[Pair]) -> ResultTable {
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

/// Writes both tables of five times five, and what they say.
fn said(pairs: &[Pair], terminal: &Terminal, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    let mut show = |title: &str, of: fn(&Pair) -> Option<Cost>| {
        writeln!(out, "{}", terminal.paint.heading(title))?;
        write_text(&matrix(pairs, of), &options, out)?;
        writeln!(out)
    };
    let title = "One connection: open, read, close, in ms per setting";
    show(title, |pair| pair.reopen)?;
    let title = "A new connection each time, in ms per setting";
    show(title, |pair| pair.reconnect)?;
    for sentence in sentences(pairs, super::cost) {
        writeln!(out, "{}", harmless(&sentence))?;
    }
    Ok(())
}

/// Returns a table with a row per server and a column per client.
fn matrix(pairs: &[Pair], of: fn(&Pair) -> Option<Cost>) -> ResultTable {
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
