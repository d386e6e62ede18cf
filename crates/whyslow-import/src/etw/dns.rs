//! Names that programs look up, and queries to name servers: Microsoft-Windows-DNS-Client.
//!
//! A program's look-up begins and ends in its own process. The queries are sent by the system's
//! service. Look-ups of several types of record of one name run at the same time, often in one
//! thread, so a look-up is known by process, name and type.

use std::collections::BTreeMap;

use whyslow_etl::{Descriptor, Guid, Record, Value};
use whyslow_model::LabelId;
use whyslow_operations::{DnsMessage, DnsTold, NameLookup, printable};
use whyslow_stacks::StackRef;

use super::emitter::Emitter;
use crate::event::{EventKind, OperationEvent};
use crate::operations::Operation;
use crate::payload::etw::Fields;

/// Microsoft-Windows-DNS-Client.
pub(super) const DNS_CLIENT: Guid = Guid::new(
    0x1c95_126e,
    0x7eea,
    0x49a9,
    [0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d],
);

/// A program asks for a name, and gets the result.
const LOOK_UP: u16 = 3006;
const LOOKED_UP: u16 = 3008;
/// A query is sent to a server, and its answer comes.
const SENT: u16 = 3010;
const ANSWERED: u16 = 3011;
/// A server did not answer in time.
const SERVER_TIMED_OUT: u16 = 1015;

pub(super) const DNS_CLIENT_IDS: &[u16] = &[SERVER_TIMED_OUT, LOOK_UP, LOOKED_UP, SENT, ANSWERED];

/// Errors of the C library on Linux that mean the same.
const UNKNOWN_NAME: i32 = -2;
const TRY_AGAIN: i32 = -3;
const NO_SUCH_RECORD: i32 = -5;
/// The trace ended before the look-up did.
const IN_PROGRESS: i32 = -100;

/// Statuses (`DNS_ERROR_*`, `ERROR_*`) that have such a meaning.
const NAME_ERROR: u32 = 9003;
const NO_RECORDS: u32 = 9501;
const RECORD_DOES_NOT_EXIST: u32 = 9701;
const FIRST_RESPONSE: u32 = 9000;
const TIMEOUT: u32 = 1460;
const SERVER_FAILURE: u32 = 9002;
const NO_SERVERS: u32 = 9852;

/// What distinguishes a look-up: process, name and type of record.
type Key = (u32, LabelId, u32);

/// A look-up under way.
#[derive(Debug, Clone, Copy)]
struct Begun {
    ns: i64,
    tid: Option<u32>,
}

/// The look-ups under way.
#[derive(Debug)]
pub(super) struct Dns {
    /// Several that are alike end in the order in which they began, those of a thread first.
    open: BTreeMap<Key, Vec<Begun>>,
    length: usize,
    most: usize,
    pub(super) has_lookups: bool,
    pub(super) has_queries: bool,
}

impl Dns {
    /// Returns an empty set of at most `most` look-ups.
    pub(super) fn new(most: u32) -> Self {
        Self {
            open: BTreeMap::new(),
            length: 0,
            most: usize::try_from(most).unwrap_or(usize::MAX),
            has_lookups: false,
            has_queries: false,
        }
    }

    /// Takes an event.
    pub(super) fn take(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        let Some(fields) = Fields::of_provider(record, of) else {
            return out.bad(record, "an event of a name");
        };
        let Some(name) = fields.text("QueryName") else {
            return out.bad(record, "an event of a name");
        };
        let Some(name) = out.label(&printable(name.as_bytes())) else {
            return;
        };
        let kind = fields.id("QueryType");
        match of.id {
            LOOK_UP | LOOKED_UP => {
                let key = (record.process_id().unwrap_or(0), name, kind.unwrap_or(0));
                self.has_lookups = true;
                if of.id == LOOK_UP {
                    return self.begin(key, record, out);
                }
                let status = fields.id("QueryStatus").unwrap_or(0);
                self.end(key, status, record, out);
            }
            _ => self.query((of.id, name, kind), &fields, record, out),
        }
    }

    fn begin(&mut self, key: Key, record: &Record<'_>, out: &mut Emitter<'_>) {
        if self.length >= self.most {
            return out.refuse("look-ups of names: too many under way at once");
        }
        self.length += 1;
        let begun = Begun {
            ns: out.ns(record.raw_time),
            tid: record.thread_id(),
        };
        self.open.entry(key).or_default().push(begun);
    }

    fn end(&mut self, key: Key, status: u32, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some(alike) = self.open.get_mut(&key) else {
            // It began before the trace.
            return;
        };
        // Of those that a thread began, the last one ends; where the end of an earlier one was lost, it has none.
        let tid = record.thread_id();
        let own = alike.iter().rposition(|begun| begun.tid == tid);
        let begun = alike.remove(own.unwrap_or(0));
        let before = alike.len();
        if own.is_some() {
            alike.retain(|one| one.tid != tid || one.ns > begun.ns);
        }
        let ended = 1 + before - alike.len();
        if alike.is_empty() {
            self.open.remove(&key);
        }
        self.length -= ended;
        out.push(record, looked_up(key, begun, result(status)));
    }

    fn query(
        &mut self,
        (id, name, kind): (u16, LabelId, Option<u32>),
        fields: &Fields<'_>,
        record: &Record<'_>,
        out: &mut Emitter<'_>,
    ) {
        self.has_queries = true;
        if id == SERVER_TIMED_OUT {
            // Its query has no answer, which the missing answer says.
            return;
        }
        let server = match fields.value("DnsServerIpAddress") {
            Some(Value::Socket(address)) => Some(address.ip().to_string()),
            _ => fields.text("DnsServerIpAddress"),
        };
        let server = server.and_then(|server| out.label(&printable(server.as_bytes())));
        let answer = (id == ANSWERED).then(|| {
            let status = fields.id("ResponseStatus").unwrap_or(0);
            (response(status), None)
        });
        let message = DnsMessage {
            told: DnsTold {
                asker: None,
                asker_port: 0,
                server,
                number: 0,
                name: Some(name),
                record_type: kind.and_then(|kind| u16::try_from(kind).ok()),
            },
            tid: record.thread_id(),
            is_tcp: false,
            answer,
            is_truncated: false,
        };
        out.push(
            record,
            event(record.thread_id(), record.process_id(), message),
        );
    }

    /// Ends the trace: look-ups under way last until its end.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) {
        for (key, all) in std::mem::take(&mut self.open) {
            for begun in all {
                out.push_at_end(looked_up(key, begun, IN_PROGRESS));
            }
        }
    }
}

fn looked_up((pid, name, kind): Key, begun: Begun, result: i32) -> EventKind {
    let lookup = NameLookup {
        tid: begun.tid.unwrap_or(0),
        from_ns: begun.ns,
        name: Some(name),
        record_type: u16::try_from(kind).ok().filter(|&kind| kind != 0),
        result,
    };
    event(begun.tid, Some(pid), lookup)
}

fn event(tid: Option<u32>, pid: Option<u32>, operation: impl Into<Operation>) -> EventKind {
    EventKind::Operation(OperationEvent {
        tid,
        pid,
        stack: StackRef::NONE,
        operation: operation.into(),
    })
}

/// Returns the error of the C library on Linux that a status is; its own number if there is none.
fn result(status: u32) -> i32 {
    match status {
        0 => 0,
        NAME_ERROR => UNKNOWN_NAME,
        NO_RECORDS | RECORD_DOES_NOT_EXIST => NO_SUCH_RECORD,
        TIMEOUT | SERVER_FAILURE | NO_SERVERS => TRY_AGAIN,
        other => i32::try_from(other).unwrap_or(i32::MAX),
    }
}

/// Returns the code of an answer that a status is; "server failure" for others.
fn response(status: u32) -> u8 {
    const SERVER_FAILURE_CODE: u8 = 2;
    match status {
        0 | NO_RECORDS => 0,
        // `DNS_ERROR_RCODE_*` are the codes of answers.
        status => match status.checked_sub(FIRST_RESPONSE).map(u8::try_from) {
            Some(Ok(code)) if code < 24 => code,
            _ => SERVER_FAILURE_CODE,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_what_the_same_errors_are_on_linux() {
        let results = [0, 9003, 9501, 1460, 87].map(result);
        assert_eq!(results, [0, UNKNOWN_NAME, NO_SUCH_RECORD, TRY_AGAIN, 87]);
        assert_eq!([0, 9003, 9002, 9501, 1460].map(response), [0, 3, 2, 0, 2]);
    }
}
