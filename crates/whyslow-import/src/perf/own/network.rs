//! Connections and name look-ups, as Whyslow's recorder reports them.

use whyslow_perfdata::Record;
use whyslow_perfdata::whyslow_events::{self, DnsPacket, TcpReport, address_text};
use whyslow_stacks::StackRef;

use super::super::{Frontend, time};
use crate::error::Error;
use crate::event::{Event, EventKind, OperationEvent};
use crate::operations::{DnsMessage, NameLookup, Operation, TcpEvent};
use whyslow_operations::{DnsTold, ParsedDns, parse_dns, printable};

const TCP: u8 = 6;

impl Frontend<'_> {
    pub(super) fn tcp(&mut self, record: &Record<'_>, told: &TcpReport) -> Result<(), Error> {
        let mut label = |bytes| {
            let text = address_text(told.family, bytes)?;
            self.importer.label(&text)
        };
        let local_address = label(&told.local);
        let has_peer = told.remote_port != 0;
        let remote_address = has_peer.then(|| label(&told.remote)).flatten();
        let event = TcpEvent::of(told, local_address, remote_address);
        self.network(record, Some(told.tid), Operation::from(event))
    }

    /// Among packets on a name server's port, one counts as damaged only if it begins as a single
    /// question or its answer and then cannot be read.
    pub(super) fn dns_packet(
        &mut self,
        record: &Record<'_>,
        told: &DnsPacket<'_>,
    ) -> Result<(), Error> {
        let is_tcp = told.protocol == TCP;
        let Some(parsed) = parse(told) else {
            // Other requests, and continuations of a message over TCP, are ignored.
            return match is_tcp || !may_be_question(told.message) {
                true => Ok(()),
                false => self.bad_payload(record),
            };
        };
        let is_answer = parsed.is_answer;
        let (asker, asker_port, server) = match is_answer {
            true => (&told.target, told.target_port, &told.source),
            false => (&told.source, told.source_port, &told.target),
        };
        let mut label = |bytes| {
            let text = address_text(told.family, bytes)?;
            self.importer.label(&text)
        };
        let (asker, server) = (label(asker), label(server));
        let name = self.importer.label(&parsed.name);
        let message = DnsMessage {
            told: DnsTold {
                asker,
                asker_port,
                server,
                number: parsed.number,
                name,
                record_type: parsed.record_type,
            },
            tid: (!told.is_received).then_some(told.tid),
            is_tcp,
            answer: is_answer.then_some((parsed.response_code, Some(parsed.answers))),
            is_truncated: parsed.is_truncated,
        };
        self.network(record, message.tid, Operation::from(message))
    }

    pub(super) fn name_lookup(
        &mut self,
        record: &Record<'_>,
        told: &whyslow_events::NameLookup<'_>,
    ) -> Result<(), Error> {
        let name = match told.name.is_empty() {
            true => None,
            false => self.importer.label(&printable(told.name)),
        };
        let lookup = NameLookup {
            tid: told.tid,
            from_ns: i64::try_from(told.from_ns).unwrap_or(i64::MAX),
            name,
            record_type: None,
            result: told.result,
        };
        self.network(record, Some(told.tid), Operation::from(lookup))
    }

    fn network(
        &mut self,
        record: &Record<'_>,
        tid: Option<u32>,
        operation: Operation,
    ) -> Result<(), Error> {
        let operation = OperationEvent {
            pid: None,
            tid,
            operation,
            stack: StackRef::NONE,
        };
        let event = Event {
            time_ns: time(record).map(|ns| ns.min(self.whole_to_ns)),
            cpu: None,
            kind: EventKind::Operation(operation),
        };
        Ok(self.importer.event(&event)?)
    }
}

fn parse(told: &DnsPacket<'_>) -> Option<ParsedDns> {
    match told.protocol {
        TCP => parse_segment(told.message),
        _ => parse_dns(told.message),
    }
}

/// Over TCP the length comes before the message, in the same segment or in one of its own. A
/// segment may also begin within a message.
fn parse_segment(bytes: &[u8]) -> Option<ParsedDns> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::from(u16::from_be_bytes(*length));
    if length == rest.len() {
        return parse_dns(rest);
    }
    // Questions have no result code; in the continuation of a message it would be a random value.
    let whole = parse_dns(bytes).filter(|parsed| parsed.is_answer || parsed.response_code == 0);
    // Answers may be longer than the part that is copied.
    let cut_off = || parse_dns(rest).filter(|parsed| parsed.is_answer && length > rest.len());
    whole.or_else(cut_off)
}

/// Returns whether it claims to be an ordinary request with one question, or is too short to say.
fn may_be_question(bytes: &[u8]) -> bool {
    match *bytes {
        [_, _, flags, _, high, low, ..] => flags >> 3 & 15 == 0 && [high, low] == [0, 1],
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(flags: [u8; 2], questions: u8, records: u8) -> Vec<u8> {
        let mut bytes = vec![0x12, 0x34, flags[0], flags[1], 0, questions, 0, records];
        bytes.extend(b"\0\0\0\0\x07example\x03org\0\0\x01\0\x01");
        bytes
    }

    fn segment(length: usize, rest: &[u8]) -> Vec<u8> {
        let length = u16::try_from(length).unwrap();
        [&length.to_be_bytes()[..], rest].concat()
    }

    #[test]
    fn a_dns_message_over_tcp_has_its_length_before_or_had_it_alone() {
        let (question, answer) = (message([1, 0], 1, 0), message([0x81, 0x80], 1, 1));
        for message in [&question, &answer] {
            let parsed = parse_dns(message);
            assert_eq!(parsed.as_ref().unwrap().name, "example.org");
            assert_eq!(parse_segment(&segment(message.len(), message)), parsed);
            assert_eq!(parse_segment(message), parsed);
        }
        // A long answer, with only its beginning copied.
        assert_eq!(parse_segment(&segment(1400, &answer)), parse_dns(&answer));
        assert_eq!(parse_segment(&segment(5, &answer)), None);
        assert_eq!(parse_segment(&segment(answer.len(), &[])), None);
    }

    #[test]
    fn a_dns_segment_that_continues_a_message_is_none() {
        let records = b"\xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04\x0a\x01\x02\x03".repeat(8);
        for at in 0..16 {
            assert_eq!(parse_segment(&records[at..]), None, "{at}");
        }
    }

    #[test]
    fn other_dns_requests_are_not_damaged() {
        let (notify, update) = (message([0x24, 0], 1, 0), message([0x28, 0], 1, 0));
        for other in [notify, update, message([1, 0], 0, 0), message([1, 0], 2, 0)] {
            assert!(parse_dns(&other).is_none() && !may_be_question(&other));
        }
        let mut cut = message([1, 0], 1, 0);
        cut.truncate(14);
        assert!(parse_dns(&cut).is_none() && may_be_question(&cut));
        assert!(may_be_question(&[0; 5]));
    }
}
