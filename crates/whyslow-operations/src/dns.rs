//! Queries to name servers: a query and its answer become one row.

mod packet;

use whyslow_model::tables::DnsQueryRow;
use whyslow_model::{DnsFlags, LabelId, ProblemKind, RawRow};

pub use packet::{ParsedDns, parse_dns, printable};

use crate::pairs::Pairs;
use crate::tracker::{Scene, Tracker};

/// What distinguishes a query from all others in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DnsTold {
    /// Address of the client.
    pub asker: Option<LabelId>,
    /// Its port.
    pub asker_port: u16,
    /// Address of the name server.
    pub server: Option<LabelId>,
    /// The number that the client gave it.
    pub number: u16,
    /// The name.
    pub name: Option<LabelId>,
    /// Number of the type of record.
    pub record_type: Option<u16>,
}

/// A message to a name server, or its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsMessage {
    /// Which query it is, or answers.
    pub told: DnsTold,
    /// The thread that sent it, if on this machine.
    pub tid: Option<u32>,
    /// It came over TCP.
    pub is_tcp: bool,
    /// Of an answer: its code, and the number of records if known.
    pub answer: Option<(u8, Option<u16>)>,
    /// The answer did not fit.
    pub is_truncated: bool,
}

/// The same packet on another device of the machine, such as a bridge, comes sooner than a second
/// attempt.
const SAME_PACKET_NS: i64 = 10_000_000;

/// A query without its answer.
#[derive(Debug, Clone, Copy)]
struct Asked {
    ns: i64,
    /// When it was sent the last time.
    last_ns: i64,
    thread: u32,
    attempts: i32,
    message: DnsMessage,
}

/// The queries that have no answer yet.
#[derive(Debug)]
pub struct Questions {
    open: Pairs<DnsTold, Asked>,
}

impl Tracker for Questions {
    type Event = DnsMessage;

    fn new(most_open: u32) -> Self {
        Self {
            open: Pairs::new(most_open),
        }
    }

    fn event(&mut self, message: &Self::Event, scene: &mut dyn Scene) {
        let before = self.open.end(message.told);
        let ns = scene.ns();
        match (message.answer, before) {
            (Some(_), Some(asked)) => push(scene, &asked, Some((ns, message))),
            // The second copy of an answer, or an answer to a query from before the trace.
            (Some(_), None) => {}
            (None, before) => {
                let mut asked = before.unwrap_or_else(|| Asked {
                    ns,
                    last_ns: i64::MIN,
                    thread: scene.thread(message.tid),
                    attempts: 0,
                    message: *message,
                });
                if ns.saturating_sub(asked.last_ns) > SAME_PACKET_NS {
                    asked.attempts += 1;
                    asked.last_ns = ns;
                }
                let _ = self.open.begin(message.told, asked);
            }
        }
    }

    fn loss(&mut self) {}

    fn end(&mut self, scene: &mut dyn Scene) {
        for asked in self.open.take() {
            push(scene, &asked, None);
        }
        let what = "queries to name servers: too many without an answer at once";
        scene.problem(ProblemKind::LimitReached, self.open.refused, what);
    }
}

fn push(scene: &mut dyn Scene, asked: &Asked, answer: Option<(i64, &DnsMessage)>) {
    let told = &asked.message.told;
    let said = answer.and_then(|(_, message)| message.answer);
    let mut flags = DnsFlags::default();
    if asked.message.is_tcp {
        flags = flags.with(DnsFlags::TCP);
    }
    if answer.is_some_and(|(_, message)| message.is_truncated) {
        flags = flags.with(DnsFlags::TRUNCATED);
    }
    let duration_ns = answer.map(|(ns, _)| ns.saturating_sub(asked.ns));
    let mut row = RawRow::<DnsQueryRow, _>::new();
    row.set(DnsQueryRow::time_ns, asked.ns);
    row.set(DnsQueryRow::duration_ns, duration_ns);
    row.set(DnsQueryRow::server, told.server);
    row.set(DnsQueryRow::name, told.name);
    row.set(DnsQueryRow::record_type, told.record_type.map(i32::from));
    row.set(
        DnsQueryRow::response_code,
        said.map(|(code, _)| i32::from(code)),
    );
    row.set(
        DnsQueryRow::answers,
        said.and_then(|(_, answers)| answers.map(i32::from)),
    );
    row.set(DnsQueryRow::attempts, asked.attempts);
    row.set(DnsQueryRow::flags, flags.0);
    scene.push(asked.thread, &row);
}
