//! `tcp`: who communicated with whom, with what result, and who waited for whom.

use std::collections::BTreeMap;

use whyslow_model::{Capability, Named, ProcessId, TcpResult, TcpSide};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::{Connection, Labels, Peers, connections, with_port};
use crate::pattern::Pattern;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; connections that were waited for longest come first.
pub(super) static QUESTION: Question = Question {
    name: "tcp",
    about: "TCP connections: peers, results, amounts of data, and how long replies took",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[PEER, FAILED, LIST],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const PEER: Argument = Argument {
    name: "peer",
    doc: "Only connections with these peers, such as '10.0.0.*;!*:22'",
    takes: Takes::Pattern,
};

const FAILED: Argument = Argument {
    name: "failed",
    doc: "Only connections that were refused, reset, timed out or otherwise failed",
    takes: Takes::Nothing,
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every connection in a row of its own",
    takes: Takes::Nothing,
};

const HELP: &str = "\
A connection within this machine has two rows, one for the process at each end. A connection belongs to
the process that connected or accepted it; if that was not seen, to the one that first used it.

A reply is a receive that follows a send: its time runs from the send until the program has the first
bytes, so it includes what the program did in between. An answer is the reverse: a send that follows a
receive. Bytes and calls are those of programs; retransmissions are counted separately.

A server whose listen queue is full drops attempts to connect; the system repeats them after a second or more.
The listening socket's row shows how many attempts were dropped, and the backlog; the client's row shows how many
were repeated.

Examples:
  whyslow tcp x.whyslow --process client
  whyslow tcp x.whyslow --failed
  whyslow tcp x.whyslow --peer '*:5432' --list
  whyslow tcp x.whyslow --columns process,side,peer,port,connect-repeats,dropped,backlog";

static TABLE: ResultSchema = ResultSchema::new(
    "tcp",
    "TCP connections per process, direction, peer and result.",
    "TCP connections",
    &SHOWN,
)
.largest("replies-time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process; empty where no process accepted the connection.").priority(0)
        .cell(|row, facts| row.key.process.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, facts| Value::int(row.key.process.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("side", "side", "Way", Kind::Text, "`out`: this process connected, `in`: it accepted, `listening`: it waits for connections; `unknown`: the connection is older than the recording, and no listener is known at either end.").priority(0).rigid()
        .cell(|row, _| Value::text(named(row.key.side))),
    ResultColumn::new("peer", "peer", "Peer", Kind::Text, "Address and port of the other end; without a port for connections that were accepted, because that is another one each time.").priority(0)
        .cell(|row, _| Value::text(&row.key.peer)),
    ResultColumn::new("port", "local_port", "Own port", Kind::Id, "Its own port, where that is the one that others connect to, and with --list.").priority(2)
        .cell(|row, _| Value::int(row.key.port)),
    ResultColumn::new("peer-process", "peer_process", "With", Kind::Text, "Name of the process at the other end, if that is on this machine.").priority(1)
        .cell(|row, facts| row.peer.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("peer-pid", "peer_pid", "With PID", Kind::Id, "Its process id.").priority(6)
        .cell(|row, facts| Value::int(row.peer.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "`ok`, `refused`, `reset`, `timed out`, `unreachable`, `given up` (by the program before it was connected), `pending` or `failed`.").priority(0).rigid()
        .cell(|row, _| Value::text(named(row.key.result))),
    ResultColumn::new("connections", "connections", "Count", Kind::Count, "Number of connections.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.connections)),
    ResultColumn::new("connect", "connect_ns", "Connect", Kind::Duration, "Time to connect, on average.").priority(3)
        .cell(|row, _| Value::int(row.sum.connect.average())),
    ResultColumn::new("longest-connect", "longest_connect_ns", "Longest connect", Kind::Duration, "The longest time to connect.").priority(5)
        .cell(|row, _| Value::int(row.sum.connect.longest())),
    ResultColumn::new("sent", "sent_bytes", "Sent", Kind::Bytes, "Bytes sent.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.sent_bytes)),
    ResultColumn::new("received", "received_bytes", "Received", Kind::Bytes, "Bytes received.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.received_bytes)),
    ResultColumn::new("sends", "sends", "Sends", Kind::Count, "Calls that sent something.").priority(3).summed()
        .cell(|row, _| Value::Int(row.sum.sends)),
    ResultColumn::new("receives", "receives", "Receives", Kind::Count, "Calls that received something.").priority(3).summed()
        .cell(|row, _| Value::Int(row.sum.receives)),
    ResultColumn::new("small-sends", "small_sends", "Small sends", Kind::Count, "Of the calls that sent something, those that sent less than 256 bytes.").priority(7).summed()
        .cell(|row, _| Value::Int(row.sum.small_sends)),
    ResultColumn::new("small-receives", "small_receives", "Small receives", Kind::Count, "Of the calls that received something, those that received less than 256 bytes.").priority(7).summed()
        .cell(|row, _| Value::int(row.sum.small_receives)),
    ResultColumn::new("partial-receives", "partial_receives", "Partial receives", Kind::Count, "Of the small receives, those after which more data was already there: one call could have received more.").priority(7).summed()
        .cell(|row, _| Value::int(row.sum.partial_receives)),
    ResultColumn::new("replies", "replies", "Replies", Kind::Count, "How often something was received after something was sent.").priority(3).summed()
        .cell(|row, _| Value::Int(row.sum.replies.count)),
    ResultColumn::new("reply", "reply_ns", "Reply", Kind::Duration, "Time from the last send to the next receive, on average.").priority(1)
        .cell(|row, _| Value::int(row.sum.replies.average())),
    ResultColumn::new("longest-reply", "longest_reply_ns", "Longest reply", Kind::Duration, "The longest of these times.").priority(2)
        .cell(|row, _| Value::int(row.sum.replies.longest())),
    ResultColumn::new("replies-time", "replies_ns", "Replies (sum)", Kind::Duration, "These times, summed.").priority(4).summed()
        .cell(|row, _| Value::Int(row.sum.replies.ns)),
    ResultColumn::new("held", "held_replies", "Held back", Kind::Count, "Replies that came while this end held back the end of what was sent for 20 ms or more, waiting for an acknowledgement (Nagle's algorithm).").priority(6).summed()
        .cell(|row, _| Value::Int(row.sum.held)),
    ResultColumn::new("answer", "answer_ns", "Answer", Kind::Duration, "Time from the last receive to the next send, on average.").priority(5)
        .cell(|row, _| Value::int(row.sum.answers.average())),
    ResultColumn::new("retransmits", "retransmits", "Retransmits", Kind::Count, "Segments that were retransmitted because no acknowledgement came.").priority(4).summed()
        .cell(|row, _| Value::Int(row.sum.retransmits)),
    ResultColumn::new("retransmit-wait", "longest_retransmit_ns", "Longest stall", Kind::Duration, "The longest time without progress before a segment was retransmitted.").priority(5)
        .cell(|row, _| Value::int((row.sum.retransmits > 0).then_some(row.sum.longest_retransmit_ns))),
    ResultColumn::new("round-trip", "round_trip_ns", "Round trip", Kind::Duration, "Round-trip time as the system last estimated it; the longest of these connections.").priority(5)
        .cell(|row, _| Value::int(row.sum.round_trip_ns)),
    ResultColumn::new("window", "window_segments", "Window", Kind::Count, "Congestion window: how many unacknowledged segments the system allowed when the connection or the recording ended; the smallest of these connections.").priority(7)
        .cell(|row, _| Value::int(row.sum.window)),
    ResultColumn::new("connect-repeats", "connect_repeats", "Connect repeats", Kind::Count, "How often attempts to connect (SYN) were repeated, because no answer came.").priority(4).summed()
        .cell(|row, _| Value::int(row.sum.connect_repeats)),
    ResultColumn::new("dropped", "dropped", "Dropped", Kind::Count, "Listening sockets: connections that were dropped, most often because the queue was full.").priority(4).summed()
        .cell(|row, _| Value::int(row.sum.dropped)),
    ResultColumn::new("backlog", "backlog", "Backlog", Kind::Count, "Listening sockets: how many connections may wait to be accepted; the smallest limit if there are several sockets.").priority(4)
        .cell(|row, _| Value::int(row.sum.backlog)),
    ResultColumn::new("at", "open_ns", "Opened", Kind::Time, "When the first of them was opened.").priority(7)
        .cell(|row, _| Value::int(row.sum.first_ns)),
    ResultColumn::new("duration", "duration_ns", "Open for", Kind::Duration, "How long the longest of them was open; empty where one was still open at the end.").priority(7)
        .cell(|row, _| Value::int(row.sum.duration_ns)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    side: TcpSide,
    peer: String,
    port: Option<i32>,
    result: TcpResult,
    /// Its number among all, if each has a row.
    number: Option<usize>,
}

/// Times of one kind.
#[derive(Debug, Default, Clone, Copy)]
struct Times {
    count: i64,
    ns: i64,
    longest_ns: i64,
}

impl Times {
    fn add(&mut self, count: Option<i64>, ns: Option<i64>, longest_ns: Option<i64>) {
        let count = count.unwrap_or(0).max(0);
        self.count = self.count.saturating_add(count);
        self.ns = self.ns.saturating_add(ns.unwrap_or(0).max(0));
        self.longest_ns = self.longest_ns.max(longest_ns.unwrap_or(0));
    }

    fn average(&self) -> Option<i64> {
        self.ns.checked_div(self.count)
    }

    fn longest(&self) -> Option<i64> {
        (self.count > 0).then_some(self.longest_ns)
    }
}

#[derive(Debug, Default)]
struct Sum {
    connections: i64,
    connect: Times,
    sent_bytes: i64,
    received_bytes: i64,
    sends: i64,
    receives: i64,
    small_sends: i64,
    small_receives: Option<i64>,
    partial_receives: Option<i64>,
    window: Option<i64>,
    replies: Times,
    answers: Times,
    held: i64,
    retransmits: i64,
    longest_retransmit_ns: i64,
    round_trip_ns: Option<i64>,
    connect_repeats: Option<i64>,
    dropped: Option<i64>,
    backlog: Option<i64>,
    first_ns: Option<i64>,
    duration_ns: Option<i64>,
    is_open: bool,
}

impl Sum {
    fn add(&mut self, one: &Connection) {
        let row = &one.row;
        let plus = |sum: &mut i64, more: i64| *sum = sum.saturating_add(more.max(0));
        plus(&mut self.connections, 1);
        let connect = row.connect_ns.map(|_| 1);
        self.connect.add(connect, row.connect_ns, row.connect_ns);
        plus(&mut self.sent_bytes, row.sent_bytes);
        plus(&mut self.received_bytes, row.received_bytes);
        plus(&mut self.sends, row.sends);
        plus(&mut self.receives, row.receives);
        plus(&mut self.small_sends, row.small_sends.unwrap_or(0));
        let more = |sum: &mut Option<i64>, more: Option<i64>| {
            if let Some(more) = more {
                plus(sum.get_or_insert(0), more);
            }
        };
        more(&mut self.small_receives, row.small_receives);
        more(&mut self.partial_receives, row.partial_receives);
        self.window = self.window.into_iter().chain(row.window_segments).min();
        self.replies
            .add(row.replies, row.reply_ns, row.longest_reply_ns);
        self.answers.add(row.answers, row.answer_ns, None);
        plus(&mut self.held, row.held_replies.unwrap_or(0));
        plus(&mut self.retransmits, row.retransmits);
        let stall_ns = row.longest_retransmit_ns.unwrap_or(0);
        self.longest_retransmit_ns = self.longest_retransmit_ns.max(stall_ns);
        self.round_trip_ns = self.round_trip_ns.max(row.round_trip_ns);
        // This end attempted nothing if the other one did.
        if let Some(repeats) = row.syn_retransmits.filter(|_| one.side == TcpSide::Out) {
            plus(self.connect_repeats.get_or_insert(0), repeats);
        }
        more(&mut self.dropped, row.dropped);
        self.backlog = self.backlog.into_iter().chain(row.backlog).min();
        let first_ns = self.first_ns.unwrap_or(i64::MAX).min(row.open_ns);
        self.first_ns = Some(first_ns);
        self.is_open |= row.duration_ns.is_none();
        let longest_ns = self.duration_ns.max(row.duration_ns);
        self.duration_ns = longest_ns.filter(|_| !self.is_open);
    }
}

struct Row {
    key: Key,
    sum: Sum,
    peer: Option<ProcessId>,
}

fn named<N: Named + PartialEq>(code: N) -> &'static str {
    let found = N::ALL.iter().find(|(one, _)| *one == code);
    found.map_or("unknown", |&(_, name)| name)
}

fn is_failure(result: TcpResult) -> bool {
    !matches!(
        result,
        TcpResult::Ok | TcpResult::Unknown | TcpResult::Pending
    )
}

/// How connections are chosen and grouped.
struct Choice<'c> {
    wanted: &'c Pattern,
    only_failed: bool,
    lists: bool,
}

impl Choice<'_> {
    fn key(&self, one: &Connection, number: usize, labels: &Labels) -> Option<Key> {
        let row = &one.row;
        let full = with_port(labels.get(row.remote_address), row.remote_port);
        let peer = match self.lists && one.side == TcpSide::In {
            true => full,
            false => one.peer(labels),
        };
        if !self.wanted.matches(&peer) || (self.only_failed && !is_failure(one.result)) {
            return None;
        }
        let is_known = matches!(one.side, TcpSide::In | TcpSide::Listening);
        Some(Key {
            process: row.process,
            side: one.side,
            peer,
            port: row.local_port.filter(|_| is_known || self.lists),
            result: one.result,
            number: self.lists.then_some(number),
        })
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let wanted = request.arguments.pattern(&PEER);
    let choice = Choice {
        wanted: &wanted,
        only_failed: request.arguments.has(&FAILED),
        lists: request.arguments.has(&LIST),
    };
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Connections) {
            return Ok(Read::lacks(&facts, Capability::Connections));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let anybody = selection.is_of_anybody();
        let (labels, peers) = (Labels::read(view)?, Peers::read(view)?);
        let mut sums: BTreeMap<Key, (Sum, Option<ProcessId>)> = BTreeMap::new();
        let mut number = 0;
        connections(view, &scope, anybody, |mut one| {
            number += 1;
            one.side = peers.side(&one);
            let Some(key) = choice.key(&one, number, &labels) else {
                return;
            };
            let (sum, peer) = sums.entry(key).or_default();
            sum.add(&one);
            *peer = peer.or_else(|| peers.of(&one));
        })?;
        let rows = sums.into_iter();
        let rows = rows.map(|(key, (sum, peer))| Row { key, sum, peer });
        let rows = rows.collect();
        let mut notes = notes(&facts);
        if selection.functions.is_some() {
            let text = "connections have no stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}
