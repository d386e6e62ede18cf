//! `udp`: who sent how many datagrams to whom.

use std::collections::BTreeMap;

use whyslow_model::tables::DatagramRow;
use whyslow_model::{Capability, DatagramWay, Named, ProcessId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::{Labels, with_port};
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; who exchanged most comes first.
pub(super) static QUESTION: Question = Question {
    name: "udp",
    about: "Windows: datagrams (UDP) that processes sent and received, and with whom",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[PEER, BY],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const PEER: Argument = Argument {
    name: "peer",
    doc: "Only datagrams with these peers, such as '*:53;!10.*'",
    takes: Takes::Pattern,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            choice("peer", "process and peer"),
            choice("socket", "process, own address and peer"),
            choice("process", "process"),
        ],
        default: "peer",
    },
};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Peer,
    Socket,
    Process,
}

/// In the order of the choices in [`BY`].
const ALL_BY: [By; 3] = [By::Peer, By::Socket, By::Process];

const HELP: &str = "\
Counts and bytes are exact. The system records which process a datagram belongs to, but not which thread sent it. A multicast address, such as 239.255.255.250, is a peer like any other.

Datagrams are counted in stretches of about a second, so --from and --to are only as precise as that.

Examples:
  whyslow udp x.whyslow --process svchost.exe
  whyslow udp x.whyslow --peer '*:53' --by socket";

static TABLE: ResultSchema = ResultSchema::new(
    "udp",
    "Datagrams per process and peer.",
    "Datagrams (UDP)",
    &SHOWN,
)
.largest("bytes");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process; empty where not known.").priority(0)
        .cell(|row, facts| row.key.process.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, facts| Value::int(row.key.process.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("local", "local", "Own address", Kind::Text, "Its own address and port, with `--by socket`.").priority(2)
        .cell(|row, _| Value::optional(row.key.local.as_deref())),
    ResultColumn::new("peer", "peer", "Peer", Kind::Text, "Address and port of the other end.").priority(0)
        .cell(|row, _| Value::optional(row.key.peer.as_deref())),
    ResultColumn::new("sent", "sent", "Sent", Kind::Count, "Datagrams sent.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.sent)),
    ResultColumn::new("sent-bytes", "sent_bytes", "Bytes sent", Kind::Bytes, "Bytes in them, without headers.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.sent_bytes)),
    ResultColumn::new("received", "received", "Received", Kind::Count, "Datagrams received.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.received)),
    ResultColumn::new("received-bytes", "received_bytes", "Bytes received", Kind::Bytes, "Bytes in them, without headers.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.received_bytes)),
    ResultColumn::new("bytes", "bytes", "Bytes", Kind::Bytes, "Bytes sent and received.").hidden().summed()
        .cell(|row, _| Value::Int(row.sum.sent_bytes.saturating_add(row.sum.received_bytes))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// What datagrams of a row have in common, as far as rows are separate by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    local: Option<String>,
    peer: Option<String>,
}

#[derive(Debug, Default)]
struct Sum {
    sent: i64,
    sent_bytes: i64,
    received: i64,
    received_bytes: i64,
}

struct Row {
    key: Key,
    sum: Sum,
}

impl Sum {
    fn add(&mut self, row: &DatagramRow) {
        let (count, bytes) = match DatagramWay::from_code(row.way) {
            Some(DatagramWay::Sent) => (&mut self.sent, &mut self.sent_bytes),
            _ => (&mut self.received, &mut self.received_bytes),
        };
        *count = count.saturating_add(row.count.max(0));
        *bytes = bytes.saturating_add(row.bytes.max(0));
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let peers = request.arguments.pattern(&PEER);
    let by = ALL_BY.get(request.arguments.choice(&BY)).copied();
    let by = by.unwrap_or(By::Peer);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Datagrams) {
            return Ok(Read::lacks(&facts, Capability::Datagrams));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let labels = Labels::read(view)?;
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let anybody = selection.is_of_anybody();
        recorded(view, &scope, anybody, |row: DatagramRow| {
            let peer = with_port(labels.get(row.remote_address), row.remote_port);
            if !peers.matches(&peer) {
                return;
            }
            let local = || with_port(labels.get(row.local_address), row.local_port);
            let key = Key {
                process: row.process,
                local: (by == By::Socket).then(local),
                peer: (by != By::Process).then_some(peer),
            };
            sums.entry(key).or_default().add(&row);
        })?;
        let rows = sums.into_iter().map(|(key, sum)| Row { key, sum });
        let (rows, mut notes) = (rows.collect(), notes(&facts));
        if selection.functions.is_some() {
            let text = "datagrams have no stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}
