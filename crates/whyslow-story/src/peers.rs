//! Which of two processes that wake each other serves the other: the one that was asked first.
//!
//! ```text
//! client  ██ sends ──── waits ──────██        a wait of the client is one for a reply,
//! server  ─ waits ─██████ works █ sends ──    a wait of the server one for work
//! ```

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, SystemCallResult};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Waker;
use whyslow_query::rows;
use whyslow_query::scope::Scope;
use whyslow_query::stacks::Stacks;
use whyslow_query::wait::{Ends, Rules};

use crate::calls::Calls;
use crate::command::Command;
use crate::network::{GREETING_NS, Network};
use crate::path::Path;

/// What a process outside the command is to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It serves the command: the command waited for replies on connections that it had made, or woke it
    /// first and about as often as it was woken.
    Serves,
    /// It woke the command first: the command serves it, or follows what it sends.
    Asks,
}

/// Of the waits for a process that serves the command, at least one in so many came after the command had
/// sent something, or as much of the time was that of replies. A process that only streams data was asked
/// once.
const REPLIES: i64 = 3;

/// Servers whose protocols let them speak first, however slow they are to do so: SSH, MySQL, SMTP, FTP, POP3 and IMAP.
const GREETERS: [&str; 13] = [
    "sshd",
    "sshd-session",
    "mysqld",
    "mariadbd",
    "smtpd",
    "exim4",
    "sendmail",
    "vsftpd",
    "proftpd",
    "pure-ftpd",
    "dovecot",
    "imap-login",
    "pop3-login",
];

/// When the command woke another process, and how often.
#[derive(Debug, Clone, Copy)]
struct Asked {
    first_ns: i64,
    last_ns: i64,
    count: i64,
}

impl Asked {
    /// Adds when it woke another one.
    fn and(self, other: Self) -> Self {
        Self {
            first_ns: self.first_ns.min(other.first_ns),
            last_ns: self.last_ns.max(other.last_ns),
            count: self.count.saturating_add(other.count),
        }
    }
}

/// Returns the roles of processes that ended waits of the path; processes whose role neither
/// connections nor wake-ups show are left out.
pub fn roles(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    stacks: &Stacks,
    rules: &Rules,
    (path, network, calls): (&Path, &Network, &Calls),
) -> Result<BTreeMap<ProcessId, Role>, QueryError> {
    let alike = alike(facts, command, path);
    if alike.is_empty() {
        return Ok(BTreeMap::new());
    }
    let asked = asked_by(view, facts, command, (stacks, rules), &alike, network)?;
    let answers = |process: ProcessId| {
        let ended = path.waits.iter().filter(|group| {
            let waker = group
                .main_waker(facts)
                .and_then(|waker| facts.thread(waker));
            waker.is_some_and(|row| row.process == process)
        });
        ended.fold((0, 0), |(count, ns), group| {
            (count + group.count, ns + group.ns)
        })
    };
    let clients = clients(facts, rules, path);
    let name = |process| facts.process(process).map(|row| &*row.name);
    // The process that answers may be another one of that name than the one that took the connection.
    let greets = |process| {
        let greeter = name(process).filter(|name| GREETERS.contains(name));
        greeter.is_some() && network.asks(&|peer| name(peer) == greeter)
    };
    let role = |process: ProcessId| {
        if clients.contains(&process) || network.only_receives(process) {
            return Some(Role::Asks);
        }
        if greets(process) {
            return Some(Role::Serves);
        }
        // Those that are alike are one peer, also in when they woke the command.
        let woke = alike.get(&process).into_iter().flatten();
        let woke = woke.filter_map(|id| path.woken_ns.get(id)).copied();
        let woke = woke.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        let (first_ns, last_ns) = woke.unwrap_or((i64::MAX, i64::MAX));
        // A server that greets does so at once. A peer that speaks first, but later, asks for something.
        let spoken_to = network.spoken_to_since(process);
        if spoken_to.is_some_and(|opened_ns| first_ns.saturating_sub(opened_ns) >= GREETING_NS) {
            return Some(Role::Asks);
        }
        let (answers, waited_ns) = answers(process);
        // The time of replies on its connections says more than wake-ups: a server that is busy with
        // others does not wait for its clients.
        if let Some((sends, reply_ns)) = network.replies(process) {
            let replies = reply_ns.saturating_mul(REPLIES) >= waited_ns
                || sends.saturating_mul(REPLIES) >= answers;
            return replies.then_some(Role::Serves);
        }
        if began_here(facts, command) && only_accepts(calls) {
            return Some(Role::Asks);
        }
        if !began_here(facts, command)
            && network.only_accepted(process)
            && !network.speaks_first(process)
        {
            return Some(Role::Asks);
        }
        // One that was started for a connection may have what it asks for already.
        let of_parent = network.parent(process).and_then(|id| asked.get(&id));
        let own = alike.get(&process)?.iter();
        let own = own.filter_map(|id| asked.get(id)).copied();
        let asked = own.reduce(Asked::and).or(of_parent.copied())?;
        let asked_first_ns =
            of_parent.map_or(asked.first_ns, |one| one.first_ns.min(asked.first_ns));
        // A process that connected usually asks. A worker that only waits for work also sends last: its result.
        let is_worker = !network.only_accepted(process) || asked.last_ns <= last_ns;
        match asked_first_ns <= first_ns && is_worker {
            // A program that asked once, at its start, does not wait for replies ever after.
            true if asked.count.saturating_mul(2) < answers => None,
            true => Some(Role::Serves),
            false => Some(Role::Asks),
        }
    };
    let known = alike.keys().map(|&id| Some((id, role(id)?)));
    Ok(known.flatten().collect())
}

/// Returns the processes outside the command that ended most of some waits, each with those of its name that ended others
/// of these: a server may have one for each connection.
fn alike(
    facts: &Facts,
    command: &Command,
    path: &Path,
) -> BTreeMap<ProcessId, BTreeSet<ProcessId>> {
    let mut alike: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for group in &path.waits {
        let waker = group.main_waker(facts).and_then(|id| facts.thread(id));
        let peer = waker.and_then(|row| facts.process(row.process));
        let Some(peer) = peer.filter(|row| !command.has_process(row.id)) else {
            continue;
        };
        let wakers = group.wakers.keys().filter_map(|&id| facts.thread(id));
        let rows = wakers.filter_map(|row| facts.process(row.process));
        let alike = alike.entry(peer.id).or_default();
        alike.extend(rows.filter(|row| row.name == peer.name).map(|row| row.id));
    }
    alike
}

/// Returns when the command woke these processes, and the parents of those that began meanwhile: who takes a connection
/// may start a process that serves it.
fn asked_by(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    (stacks, rules): (&Stacks, &Rules),
    peers: &BTreeMap<ProcessId, BTreeSet<ProcessId>>,
    network: &Network,
) -> Result<BTreeMap<ProcessId, Asked>, QueryError> {
    let ends = Ends::new(stacks, rules);
    let mut asked: BTreeMap<ProcessId, Asked> = BTreeMap::new();
    let mut looked_at: Vec<_> = peers.values().flatten().copied().collect();
    looked_at.extend(peers.keys().filter_map(|&peer| network.parent(peer)));
    looked_at.sort_unstable();
    looked_at.dedup();
    let scope = Scope {
        processes: of(facts.processes.len(), |id| looked_at.contains(&id)),
        threads: vec![true; facts.threads.len()],
        chosen: Some(looked_at),
        window_ns: None,
        by_thread: true,
    };
    rows::detailed_intervals(view, &scope, |interval| {
        if let (_, Waker::Thread(waker)) = ends.of(stacks, interval)
            && command.has_thread(waker)
        {
            let once = Asked {
                first_ns: interval.end_ns,
                last_ns: interval.end_ns,
                count: 1,
            };
            let known = asked.get(&interval.process).copied();
            let all = known.map_or(once, |known: Asked| known.and(once));
            asked.insert(interval.process, all);
        }
    })?;
    Ok(asked)
}

const CONNECT: SystemCall = SystemCall(42);

/// Results of a connection that is made, or is being made: success, EINPROGRESS.
const CONNECTED: [i32; 2] = [0, 115];

/// Returns whether the command began while it was looked at: one that ran before may have made connections then.
fn began_here(facts: &Facts, command: &Command) -> bool {
    let processes = facts.processes.iter().zip(&command.processes);
    let mut own = processes.filter(|&(_, &of_command)| of_command);
    own.all(|(row, _)| row.start_ns.is_some_and(|ns| ns >= command.span_ns.0))
}

/// Returns whether the command took connections, and made none itself: who talks to it asks.
fn only_accepts(calls: &Calls) -> bool {
    let count = |calls_of: &[SystemCall]| {
        let wanted = |call: SystemCall, result: SystemCallResult| {
            calls_of.contains(&call) && CONNECTED.contains(&result.0)
        };
        let threads = calls.threads.values();
        threads
            .map(|thread| thread.sum(wanted).count)
            .fold(0, i64::saturating_add)
    };
    count(&SystemCall::ACCEPTS) > 0 && count(&[CONNECT]) == 0
}

/// Returns the processes that connected to the command while it waited for connections.
fn clients(facts: &Facts, rules: &Rules, path: &Path) -> BTreeSet<ProcessId> {
    let accept = rules.find("accept");
    let groups = path
        .waits
        .iter()
        .filter(|group| Some(group.class) == accept);
    let wakers = groups.flat_map(|group| group.wakers.keys());
    let rows = wakers.filter_map(|&waker| facts.thread(waker));
    rows.map(|row| row.process).collect()
}

fn of(count: usize, is: impl Fn(ProcessId) -> bool) -> Vec<bool> {
    ProcessId::all().take(count).map(is).collect()
}
