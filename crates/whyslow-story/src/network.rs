//! Whom the command talked to, over TCP.

use std::collections::{BTreeMap, VecDeque};

use whyslow_model::tables::TcpConnectionRow;
use whyslow_model::{Capability, ProcessId, TcpResult, TcpSide, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::network::{
    Connection, Labels, Peers, connections, dns_queries, name_lookups, with_port,
};

use crate::command::Command;
use whyslow_query::spans::Spans;

/// A server that greets its clients, and answers, takes less time than this.
pub(crate) const GREETING_NS: i64 = 50_000_000;

/// The most connections, and the most look-ups, that are considered.
const MOST: usize = 1 << 18;

/// `EAI_AGAIN`: no name server answered, or one had a failure of its own.
const TRY_AGAIN: i32 = -3;

/// A name server's answer for a name that does not exist (NXDOMAIN).
const NO_SUCH_NAME: i32 = 3;

/// The shortest time that the C library waits for an answer.
const SHORTEST_WAIT_NS: i64 = 1_000_000_000;

/// Fewer attempts do not matter.
pub const FEW: usize = 3;

/// The connections of the command, and the names it looked up; none where they were not recorded.
#[derive(Debug, Default)]
pub struct Network {
    /// Connections of the command.
    pub talks: Vec<Talk>,
    /// Names that it looked up.
    pub questions: Vec<Question>,
    /// Peers that kept it waiting on connections that it closed before an answer came.
    pub silent: Vec<Silent>,
    /// Processes outside the command that began meanwhile: their parents, and when.
    forked: BTreeMap<ProcessId, (ProcessId, i64)>,
    /// The connection that each of them took over from its parent, by its place among `talks`.
    taken: BTreeMap<ProcessId, usize>,
}

/// A name that was looked up: a query to a name server, or a call of the C library.
#[derive(Debug)]
pub struct Question {
    /// Which thread asked, if known.
    pub thread: Option<ThreadId>,
    /// The name asked for.
    pub name: String,
    /// Address of the name server; `None` for a call.
    pub server: Option<String>,
    /// When, nanoseconds since the trace's start.
    pub time_ns: i64,
    /// How long until the answer, nanoseconds; `None` if none came.
    pub took_ns: Option<i64>,
    /// Whether an answer came, whatever it says.
    pub is_answered: bool,
    /// Whether the answer says that there is no such name.
    pub is_missing: bool,
}

/// An end of a connection that the command has.
#[derive(Debug)]
pub struct Talk {
    /// What is known of the connection itself.
    pub connection: Connection,
    /// Whose it is.
    pub process: ProcessId,
    /// Address and port of the other end.
    pub remote: String,
    /// Those of this end.
    pub local: String,
    /// The process there, if it is on this machine.
    pub peer: Option<ProcessId>,
    /// The socket that listens there, if it is on this machine and dropped connections.
    pub overflowed: Option<Overflowed>,
}

/// A listening socket that dropped connections: its queue was full.
#[derive(Debug, Clone, Copy)]
pub struct Overflowed {
    /// Whose it is.
    pub process: Option<ProcessId>,
    /// How many connections may wait there to be accepted.
    pub backlog: Option<i64>,
    /// How many attempts to connect it dropped.
    pub dropped: i64,
    /// Whether no other socket listens there.
    pub is_only_one: bool,
}

impl Overflowed {
    fn of(row: &TcpConnectionRow) -> Option<Self> {
        let dropped = row.dropped.filter(|&dropped| dropped > 0)?;
        Some(Self {
            process: row.process,
            backlog: row.backlog,
            dropped,
            is_only_one: true,
        })
    }
}

/// A request is sent in a few pieces. A program that sends more and gets no answer expects none, such as one
/// that sends a log.
const ONE_REQUEST: i64 = 3;

/// Who receives so many messages without having sent anything follows what the other end has to say.
const MESSAGES: i64 = 3;

/// Somebody who did not answer.
#[derive(Debug, Clone)]
pub struct Silent {
    /// Address and port.
    pub remote: String,
    /// How long at least one connection was open, nanoseconds.
    pub ns: i64,
    /// How many connections there were.
    pub count: i64,
}

impl Talk {
    /// Returns whether the command made it, sent something, and closed it before anything came back.
    pub fn is_given_up(&self) -> bool {
        let row = &self.connection.row;
        self.connection.side == TcpSide::Out
            && row.connect_ns.is_some()
            && (1..=ONE_REQUEST).contains(&row.sends)
            && row.received_bytes == 0
            && row.duration_ns.is_some()
    }

    /// Returns whether the peer refused it.
    pub fn is_refused(&self) -> bool {
        self.connection.result == TcpResult::Refused
    }

    /// Returns when its attempts to connect were dropped by a full queue, if they were repeated.
    pub fn queued(&self) -> Option<(i64, i64)> {
        let row = &self.connection.row;
        let is_repeated = row.syn_retransmits.is_some_and(|count| count > 0);
        let is_queued = self.connection.side == TcpSide::Out && is_repeated;
        self.overflowed.filter(|_| is_queued)?;
        let until = row.connect_ns.map(|ns| row.open_ns.saturating_add(ns));
        let until_ns = until.unwrap_or_else(|| self.connection.end_ns());
        Some((row.open_ns, until_ns))
    }

    /// Returns whether the attempt to connect got no answer.
    pub fn is_unanswered(&self) -> bool {
        let result = self.connection.result;
        let row = &self.connection.row;
        let gave_up = matches!(
            result,
            TcpResult::TimedOut | TcpResult::GivenUp | TcpResult::Pending
        );
        self.connection.side == TcpSide::Out
            && row.connect_ns.is_none()
            && row.sends == 0
            && (gave_up || result == TcpResult::Unreachable)
    }
}

impl Network {
    /// Reads what the processes of `command` had.
    pub fn read(view: View<'_>, facts: &Facts, command: &Command) -> Result<Self, QueryError> {
        let mut network = Self::default();
        if !facts.has(Capability::Switches) {
            return Ok(network);
        }
        let labels = Labels::read(view)?;
        network.ask(view, command, &labels)?;
        network.forked = forked(facts, command);
        if !facts.has(Capability::Connections) {
            return Ok(network);
        }
        let peers = Peers::read(view)?;
        connections(view, &command.scope(), false, |mut connection| {
            connection.side = peers.side(&connection);
            let row = &connection.row;
            let Some(process) = row.process.filter(|_| network.talks.len() < MOST) else {
                return;
            };
            if connection.side == TcpSide::Listening {
                return;
            }
            // Few attempts are repeated, and several sockets may listen.
            let overflowed = row
                .syn_retransmits
                .filter(|&count| count > 0)
                .and_then(|_| {
                    let mut there = peers.listeners(&connection, &labels);
                    let found = there.find_map(Overflowed::of)?;
                    let others = peers.listeners(&connection, &labels).nth(1).is_some();
                    Some(Overflowed {
                        is_only_one: !others,
                        ..found
                    })
                });
            network.talks.push(Talk {
                process,
                remote: with_port(labels.get(row.remote_address), row.remote_port),
                local: with_port(labels.get(row.local_address), row.local_port),
                peer: peers.of(&connection),
                overflowed,
                connection,
            });
        })?;
        network
            .talks
            .sort_by_key(|talk| talk.connection.row.open_ns);
        network.silent = network.find_silent();
        network.taken = network.find_taken();
        Ok(network)
    }

    /// Reads which names were looked up.
    fn ask(
        &mut self,
        view: View<'_>,
        command: &Command,
        labels: &Labels,
    ) -> Result<(), QueryError> {
        let questions = &mut self.questions;
        let mut add = |question: Question| {
            if questions.len() < MOST {
                questions.push(question);
            }
        };
        let scope = command.scope();
        dns_queries(view, &scope, false, |row| {
            if let (Some(name), Some(server)) = (labels.get(row.name), labels.get(row.server)) {
                add(Question {
                    thread: row.thread,
                    name: name.to_owned(),
                    server: Some(server.to_owned()),
                    time_ns: row.time_ns,
                    took_ns: row.duration_ns,
                    is_answered: row.response_code.is_some(),
                    is_missing: row.response_code == Some(NO_SUCH_NAME),
                });
            }
        })?;
        name_lookups(view, &scope, |row| {
            if let Some(name) = labels.get(row.name) {
                add(Question {
                    thread: row.thread,
                    name: name.to_owned(),
                    server: None,
                    time_ns: row.time_ns,
                    took_ns: Some(row.duration_ns),
                    is_answered: row.result != TRY_AGAIN || row.duration_ns < SHORTEST_WAIT_NS,
                    is_missing: false,
                });
            }
        })?;
        Ok(())
    }

    /// Returns whether a process is at the other end of a connection, by itself or in place of the parent that took it:
    /// servers such as PostgreSQL start a process for each of their clients.
    fn is_with(&self, talk: &Talk, process: ProcessId) -> bool {
        let taken = || self.taken.get(&process).and_then(|&at| self.talks.get(at));
        talk.peer == Some(process) || taken().is_some_and(|taken| std::ptr::eq(taken, talk))
    }

    /// Returns the parent of a process outside the command that began meanwhile.
    pub fn parent(&self, process: ProcessId) -> Option<ProcessId> {
        self.forked.get(&process).map(|&(parent, _)| parent)
    }

    /// Returns whether a process had connections with no other peer during these times.
    pub fn is_only_peer(&self, process: ProcessId, remote: &str, when: &Spans) -> bool {
        let talks = self.talks.iter();
        let mut others = talks.filter(|talk| talk.process == process && talk.remote != remote);
        !others.any(|talk| {
            let connection = &talk.connection;
            when.within(connection.row.open_ns, connection.end_ns()) > 0
        })
    }

    /// Returns how often the command sent something on the connections that it made to a process, and the time
    /// until it received something next; `None` if none reports it.
    pub fn replies(&self, process: ProcessId) -> Option<(i64, i64)> {
        let mut made = None;
        let to_it =
            |talk: &&Talk| talk.connection.side == TcpSide::Out && self.is_with(talk, process);
        for talk in self.talks.iter().filter(to_it) {
            let row = &talk.connection.row;
            if let Some(reply_ns) = row.reply_ns {
                let (sends, ns): &mut (i64, i64) = made.get_or_insert((0, 0));
                *sends = sends.saturating_add(row.sends);
                *ns = ns.saturating_add(reply_ns);
            }
        }
        made
    }

    /// Returns the one process on this machine that all connections of some processes are with, if each of these waited
    /// so long for replies: an event loop has nothing else to wait for then.
    pub fn keeps_waiting(&self, is_it: &dyn Fn(ProcessId) -> bool, ns: i64) -> Option<ProcessId> {
        let mut talks = self.talks.iter().filter(|talk| is_it(talk.process));
        let peer = talks.clone().next()?.peer?;
        let waits = |talk: &Talk| {
            let asks = talk.connection.side == TcpSide::Out && talk.peer == Some(peer);
            asks && talk
                .connection
                .row
                .reply_ns
                .is_some_and(|reply_ns| reply_ns >= ns)
        };
        talks.all(waits).then_some(peer)
    }

    /// Returns whether a process has connections, and each has both its ends in this process.
    pub fn talks_with_itself(&self, process: ProcessId) -> bool {
        let talks = self.talks.iter();
        let mut own = talks.filter(|talk| talk.process == process).peekable();
        own.peek().is_some() && own.all(|talk| talk.peer == Some(process))
    }

    /// Returns whether the command made a connection to such a process.
    pub fn asks(&self, is_it: &dyn Fn(ProcessId) -> bool) -> bool {
        let mut talks = self.talks.iter();
        talks.any(|talk| talk.connection.side == TcpSide::Out && talk.peer.is_some_and(is_it))
    }

    /// Returns whether the command only received on connections that it made to a process: it follows what that has to
    /// say, and asks for nothing.
    pub fn only_receives(&self, process: ProcessId) -> bool {
        let talks = self.talks.iter();
        let made = talks.filter(|talk| self.is_with(talk, process));
        let rows = || {
            made.clone()
                .map(|talk| (&talk.connection.row, talk.connection.side))
        };
        let silent = rows().all(|(row, side)| side == TcpSide::Out && row.sends == 0);
        silent && rows().any(|(row, _)| row.receives >= MESSAGES)
    }

    /// Returns when the command opened its first connection to a process, if the process speaks first on all of them:
    /// the command sent more often after receiving than the other way round.
    pub fn spoken_to_since(&self, process: ProcessId) -> Option<i64> {
        let talks = self.talks.iter();
        let mut rows = talks.filter(|talk| self.is_with(talk, process));
        let is_first = |talk: &Talk| {
            let row = &talk.connection.row;
            let is_new = talk.connection.side == TcpSide::Out && row.connect_ns.is_some();
            // A server that is slow only to greet answers sooner afterwards.
            let goes_on = row.longest_reply_ns.is_none_or(|ns| ns >= GREETING_NS);
            is_new && goes_on && row.answers.unwrap_or(0) > row.replies.unwrap_or(i64::MAX)
        };
        // They are in the order in which they were opened.
        let opened_ns = rows.clone().next()?.connection.row.open_ns;
        rows.all(is_first).then_some(opened_ns)
    }

    /// Returns whether all connections between the command and a process were made by the process, and there is one.
    pub fn only_accepted(&self, process: ProcessId) -> bool {
        let talks = self.talks.iter();
        let mut sides = talks
            .filter(|talk| self.is_with(talk, process))
            .map(|talk| talk.connection.side)
            .peekable();
        sides.peek().is_some() && sides.all(|side| side == TcpSide::In)
    }

    /// Returns whether the command received answers on connections to a process more often than it gave some: it gives
    /// that one work.
    pub fn speaks_first(&self, process: ProcessId) -> bool {
        let talks = self.talks.iter();
        let rows = talks.filter(|talk| self.is_with(talk, process));
        let rows = rows.map(|talk| &talk.connection.row);
        let (replies, answers) = rows.fold((0_i64, 0_i64), |(replies, answers), row| {
            let more = |sum: i64, of: Option<i64>| sum.saturating_add(of.unwrap_or(0));
            (more(replies, row.replies), more(answers, row.answers))
        });
        replies > answers
    }

    /// Returns the peers that kept the command waiting on connections that it closed before an answer came.
    fn find_silent(&self) -> Vec<Silent> {
        let mut open: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
        for talk in self.talks.iter().filter(|talk| talk.is_given_up()) {
            let connection = &talk.connection;
            let span = (connection.row.open_ns, connection.end_ns());
            open.entry(&talk.remote).or_default().push(span);
        }
        let silent = open.into_iter().map(|(remote, spans)| Silent {
            remote: remote.to_owned(),
            count: i64::try_from(spans.len()).unwrap_or(i64::MAX),
            ns: Spans::new(spans).ns(),
        });
        let mut silent: Vec<Silent> = silent.collect();
        silent.sort_by_key(|one| std::cmp::Reverse(one.ns));
        silent
    }

    /// Returns for each process that began meanwhile the latest connection of its parent that was open then, unless an
    /// earlier one took that over.
    fn find_taken(&self) -> BTreeMap<ProcessId, usize> {
        // They are in the order in which they were opened.
        let mut by_peer: BTreeMap<ProcessId, (VecDeque<usize>, Vec<usize>)> = BTreeMap::new();
        for (at, talk) in self.talks.iter().enumerate() {
            if let Some(peer) = talk.peer {
                by_peer.entry(peer).or_default().0.push_back(at);
            }
        }
        let row = |at: usize| self.talks.get(at).map(|talk| &talk.connection);
        let mut forked: Vec<_> = self.forked.iter().collect();
        forked.sort_by_key(|&(_, &(_, since_ns))| since_ns);
        let mut taken = BTreeMap::new();
        for (&process, (parent, since_ns)) in forked {
            let Some((later, free)) = by_peer.get_mut(parent) else {
                continue;
            };
            let is_open = |&at: &usize| row(at).is_some_and(|row| row.row.open_ns <= *since_ns);
            while let Some(at) = later.front().copied().filter(is_open) {
                later.pop_front();
                free.push(at);
            }
            let is_over = |&at: &usize| row(at).is_none_or(|row| row.end_ns() < *since_ns);
            while free.last().is_some_and(is_over) {
                free.pop();
            }
            if let Some(at) = free.pop() {
                taken.insert(process, at);
            }
        }
        taken
    }

    /// Returns the process at an address that the command has connections with.
    pub fn process_at(&self, remote: &str) -> Option<ProcessId> {
        let mut talks = self.talks.iter().filter(|talk| talk.remote == remote);
        talks.find_map(|talk| talk.peer)
    }

    /// Returns the peer of most of the calls that sent or received data, as `calls` counts them.
    pub fn busiest_peer(&self, calls: impl Fn(&Talk) -> i64) -> Option<&str> {
        let mut sums = BTreeMap::<&str, i64>::new();
        for talk in &self.talks {
            let sum = sums.entry(&talk.remote).or_default();
            *sum = sum.saturating_add(calls(talk).max(0));
        }
        let all = sums
            .values()
            .fold(0, |all: i64, &sum| all.saturating_add(sum));
        let (remote, most) = sums.into_iter().max_by_key(|&(_, sum)| sum)?;
        (most > all / 2).then_some(remote)
    }

    /// Returns the peer whose replies took most of the time of all replies, and at least half of `ns`; also
    /// its process, if that is on this machine.
    pub fn slowest_peer(&self, ns: i64) -> Option<(&str, Option<ProcessId>)> {
        let mut sums = BTreeMap::<&str, (i64, Option<ProcessId>)>::new();
        let asks = |talk: &&Talk| talk.connection.side == TcpSide::Out;
        for talk in self.talks.iter().filter(asks) {
            let (sum, peer) = sums.entry(&talk.remote).or_default();
            *sum = sum.saturating_add(talk.connection.row.reply_ns.unwrap_or(0).max(0));
            *peer = peer.or(talk.peer);
        }
        let all = sums
            .values()
            .map(|(ns, _)| *ns)
            .fold(0, i64::saturating_add);
        let (remote, (most, peer)) = sums.into_iter().max_by_key(|&(_, (ns, _))| ns)?;
        (most > all / 2 && most >= ns / 2).then_some((remote, peer))
    }
}

/// Returns the processes outside the command that began during its time, with their parents and when they began.
fn forked(facts: &Facts, command: &Command) -> BTreeMap<ProcessId, (ProcessId, i64)> {
    let rows = facts.processes.iter();
    let others = rows.filter(|row| row.is_kernel == 0 && !command.has_process(row.id));
    let began = others.filter_map(|row| {
        let start_ns = row.start_ns.filter(|&ns| ns >= command.span_ns.0)?;
        Some((row.id, (row.parent?, start_ns)))
    });
    began.collect()
}
