//! Attempts to connect that were dropped because the queue of the listening socket was full: the system repeats them
//! after a second, then after longer pauses.

use whyslow_model::tables::ProcessRow;
use whyslow_query::spans::Spans;

use super::{MUCH, Talks, connecting, draft};
use crate::detector::Draft;
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::network::Talk;
use whyslow_story::story::{Story, share};

pub(super) const CAUSE: &str = "listen-queue";

/// The columns that show it.
const COLUMNS: &str = "process,side,peer,port,longest-connect,connect-repeats,dropped,backlog";

/// Returns the question that shows the attempts of a process, and the socket that the queue belongs to.
pub(super) fn query(process: &ProcessRow, server: Option<&ProcessRow>) -> Query {
    let server = server.filter(|server| server.name != process.name);
    let both = match server {
        Some(server) => format!("{};{}", process.name, server.name),
        None => process.name.clone(),
    };
    let arguments = ["--process", &both, "--columns", COLUMNS];
    Query::new("its attempts, and the queue", "tcp", &arguments)
}

/// It waited to connect while the queue of a server on this machine was full.
pub(super) fn full(story: &Story<'_>, talks: &Talks<'_>) -> Option<Draft> {
    let is_queued = |talk: &Talk| talk.queued().is_some();
    let count = talks.count(is_queued);
    let within = Spans::new(talks.all.iter().filter_map(|talk| talk.queued()));
    if share(within.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let on = connecting(story, talks, &is_queued, &within);
    let mut all = talks.all.iter().filter(|talk| is_queued(talk));
    let overflowed = all.next()?.overflowed?;
    let repeats = talks.sum(|talk| match is_queued(talk) {
        true => talk.connection.row.syn_retransmits.unwrap_or(0),
        false => 0,
    });
    // Each repetition answers a packet that was dropped.
    let confidence = match overflowed.dropped >= repeats && overflowed.is_only_one {
        true => Confidence::Certain,
        false => Confidence::Likely,
    };
    let draft = draft(story, CAUSE, talks, (on, count), confidence)?
        .fact("repeats", Value::Count(repeats))
        .fact("dropped", Value::Count(overflowed.dropped));
    let has_peer = draft.facts.iter().any(|(name, _)| *name == "peer");
    let draft = draft.claim(match has_peer {
        true => " waited to connect to {object} because the listen queue of {peer} was full",
        false => " waited to connect to {object} because the listen queue there was full",
    });
    let draft = match overflowed.backlog {
        Some(backlog) => draft
            .fact("backlog", Value::Count(backlog))
            .claim(" (backlog {backlog})"),
        None => draft,
    };
    Some(
        draft
            .claim(": {share} of the time")
            .detail(Message::new(match (count, repeats) {
                (1, 1) => "The system repeated the attempt (SYN) once, after a second.",
                (1, _) => "The system repeated the attempt (SYN) {repeats} times, the first time after a second.",
                _ => "The full queue dropped {count} connection attempts (SYN). The system repeated them {repeats} times in all, each after a second or more.",
            }))
            .advise("Accept connections in a thread that does nothing else, or pass a larger backlog to listen(); net.core.somaxconn is its limit."),
    )
}
