//! TCP connections: their owner and their end, reported separately, become one row.

use whyslow_model::tables::TcpConnectionRow;
use whyslow_model::{LabelId, Named, ProblemKind, RawRow, TcpFlags, TcpResult, TcpSide};
use whyslow_perfdata::whyslow_events::TcpReport;

use crate::pairs::Pairs;
use crate::tracker::{Scene, Tracker};

/// A connection that has got an owner, or that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TcpEvent {
    /// What is known about it.
    pub told: TcpReport,
    /// Its own address.
    pub local_address: Option<LabelId>,
    /// The other end's.
    pub remote_address: Option<LabelId>,
    /// It was made, though it may not be known when.
    pub is_made: bool,
    /// It is known how often the attempt to make it was repeated.
    pub counts_attempts: bool,
}

impl TcpEvent {
    /// Returns what Whyslow's recorder reported.
    pub fn of(
        told: &TcpReport,
        local_address: Option<LabelId>,
        remote_address: Option<LabelId>,
    ) -> Self {
        Self {
            told: *told,
            local_address,
            remote_address,
            is_made: told.connected_ns != 0 || told.flags & TcpReport::EXISTED != 0,
            counts_attempts: true,
        }
    }

    /// Returns what another system reported: where, and whether the connection was made.
    #[must_use]
    pub fn seen(
        told: &TcpReport,
        (local_address, remote_address): (Option<LabelId>, Option<LabelId>),
        is_made: bool,
    ) -> Self {
        Self {
            told: *told,
            local_address,
            remote_address,
            is_made,
            counts_attempts: false,
        }
    }
}

/// The connections that are open.
#[derive(Debug)]
pub struct Connections {
    /// By number: whose they are, and the last report.
    open: Pairs<u64, (u32, TcpEvent)>,
}

impl Tracker for Connections {
    type Event = TcpEvent;

    fn new(most_open: u32) -> Self {
        Self {
            open: Pairs::new(most_open),
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let told = &event.told;
        let tid = (told.tid != 0).then_some(told.tid);
        if !told.is_end {
            let thread = owner(tid, told, scene);
            // It has another owner now: one connection is one row.
            let _ = self.open.begin(told.number, (thread, *event));
            return;
        }
        let mut event = *event;
        let thread = match self.open.end(told.number) {
            Some((thread, first)) => {
                // A socket that listened before has counted before.
                event.told.drops = told.drops.saturating_sub(first.told.drops);
                thread
            }
            None => scene.owner(tid),
        };
        push(scene, thread, &event);
    }

    fn loss(&mut self) {}

    /// The recorder reports open ones at the end; without that, their last report counts.
    fn end(&mut self, scene: &mut dyn Scene) {
        for (thread, event) in self.open.take() {
            push(scene, thread, &event);
        }
        let refused = self.open.refused;
        let what = "connections: too many open at once";
        scene.problem(ProblemKind::LimitReached, refused, what);
    }
}

const ECONNREFUSED: u32 = 111;
const ECONNRESET: u32 = 104;
const EPIPE: u32 = 32;
const ETIMEDOUT: u32 = 110;
const UNREACHABLE: [u32; 4] = [100, 101, 112, 113];
/// The kernel's numbers of states.
const SYN_SENT: u8 = 2;
const CLOSE: u8 = 7;

/// Returns the thread that a connection belongs to: where only the process is known, some thread of it.
fn owner(tid: Option<u32>, told: &TcpReport, scene: &mut dyn Scene) -> u32 {
    match tid {
        None if told.pid != 0 => scene.thread_of_process(told.pid),
        tid => scene.thread(tid),
    }
}

fn result(told: &TcpReport, was_made: bool) -> TcpResult {
    let has = |bit| told.flags & bit != 0;
    match told.error {
        ECONNREFUSED if !was_made => TcpResult::Refused,
        ETIMEDOUT => TcpResult::TimedOut,
        error if UNREACHABLE.contains(&error) => TcpResult::Unreachable,
        ECONNRESET | EPIPE | ECONNREFUSED => TcpResult::Reset,
        0 if has(TcpReport::RESET_SENT) || has(TcpReport::RESET_RECEIVED) => TcpResult::Reset,
        0 if was_made || told.side == 3 => TcpResult::Ok,
        0 if told.state == SYN_SENT && told.ended_ns == 0 => TcpResult::Pending,
        0 if told.is_end && (told.ended_ns != 0 || told.state == CLOSE) => TcpResult::GivenUp,
        0 => TcpResult::Unknown,
        _ => TcpResult::Failed,
    }
}

fn side(told: &TcpReport) -> TcpSide {
    match told.side {
        1 => TcpSide::Out,
        2 => TcpSide::In,
        3 => TcpSide::Listening,
        _ => TcpSide::Unknown,
    }
}

fn push(scene: &mut dyn Scene, thread: u32, event: &TcpEvent) {
    let told = &event.told;
    let time = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
    let known = |count: u32| Some(i64::from(count));
    let port = |port: u16| (port != 0).then_some(i32::from(port));
    let side = side(told);
    let open_ns = time(told.opened_ns).clamp(scene.start_ns(), scene.ns());
    let ended_ns = (told.ended_ns != 0).then(|| time(told.ended_ns).max(open_ns));
    let connected = told.connected_ns != 0 && side == TcpSide::Out;
    let connect_ns = connected.then(|| time(told.connected_ns).saturating_sub(open_ns).max(0));
    let mut row = RawRow::<TcpConnectionRow, _>::new();
    row.set(TcpConnectionRow::open_ns, open_ns);
    row.set(
        TcpConnectionRow::duration_ns,
        ended_ns.map(|ns| ns.saturating_sub(open_ns)),
    );
    row.set(TcpConnectionRow::side, side.code());
    row.set(TcpConnectionRow::local_address, event.local_address);
    row.set(TcpConnectionRow::local_port, port(told.local_port));
    row.set(TcpConnectionRow::remote_address, event.remote_address);
    row.set(TcpConnectionRow::remote_port, port(told.remote_port));
    row.set(TcpConnectionRow::result, result(told, event.is_made).code());
    row.set(TcpConnectionRow::connect_ns, connect_ns);
    let flags = i32::from(told.flags & 31);
    row.set(TcpConnectionRow::flags, TcpFlags(flags).0);
    row.set(TcpConnectionRow::sends, told.sends.into());
    row.set(TcpConnectionRow::sent_bytes, time(told.sent_bytes));
    row.set(TcpConnectionRow::small_sends, known(told.small_sends));
    row.set(TcpConnectionRow::receives, told.receives.into());
    let small = told.small_receives.map(i64::from);
    row.set(TcpConnectionRow::small_receives, small);
    let partial = told.partial_receives.map(i64::from);
    row.set(TcpConnectionRow::partial_receives, partial);
    row.set(TcpConnectionRow::received_bytes, time(told.received_bytes));
    row.set(TcpConnectionRow::retransmits, told.retransmits.into());
    row.set(
        TcpConnectionRow::retransmit_ns,
        Some(time(told.retransmit_ns)),
    );
    row.set(
        TcpConnectionRow::longest_retransmit_ns,
        Some(time(told.longest_retransmit_ns)),
    );
    row.set(TcpConnectionRow::replies, known(told.replies));
    row.set(TcpConnectionRow::reply_ns, Some(time(told.reply_ns)));
    row.set(
        TcpConnectionRow::longest_reply_ns,
        Some(time(told.longest_reply_ns)),
    );
    row.set(TcpConnectionRow::held_replies, known(told.held_replies));
    row.set(TcpConnectionRow::held_ns, Some(time(told.held_ns)));
    row.set(TcpConnectionRow::answers, known(told.answers));
    row.set(TcpConnectionRow::answer_ns, Some(time(told.answer_ns)));
    let round_trip = (told.rtt_us != 0).then(|| i64::from(told.rtt_us) * 1000);
    row.set(TcpConnectionRow::round_trip_ns, round_trip);
    let is_listening = side == TcpSide::Listening;
    let window = known(told.window).filter(|_| !is_listening);
    row.set(TcpConnectionRow::window_segments, window);
    let dropped = known(told.drops).filter(|_| is_listening);
    row.set(TcpConnectionRow::dropped, dropped);
    let backlog = known(told.window).filter(|_| is_listening && told.window != 0);
    row.set(TcpConnectionRow::backlog, backlog);
    let repeated = i64::from(told.syn_retransmits);
    let is_counted = event.counts_attempts && side == TcpSide::Out;
    let repeated = is_counted.then_some(repeated);
    row.set(TcpConnectionRow::syn_retransmits, repeated);
    scene.push(thread, &row);
}

#[cfg(test)]
mod tests {
    use whyslow_model::TableRow as _;

    use super::*;

    fn found(told: &TcpReport) -> TcpResult {
        result(told, TcpEvent::of(told, None, None).is_made)
    }

    fn ended(error: u32, connected_ns: u64) -> TcpReport {
        TcpReport {
            is_end: true,
            side: 1,
            state: CLOSE,
            error,
            connected_ns,
            ended_ns: 9,
            ..TcpReport::default()
        }
    }

    #[test]
    fn what_came_of_a_connection_is_told_by_its_error() {
        assert_eq!(found(&ended(0, 5)), TcpResult::Ok);
        assert_eq!(found(&ended(ECONNREFUSED, 0)), TcpResult::Refused);
        assert_eq!(found(&ended(ETIMEDOUT, 0)), TcpResult::TimedOut);
        assert_eq!(found(&ended(113, 0)), TcpResult::Unreachable);
        assert_eq!(found(&ended(0, 0)), TcpResult::GivenUp);
        assert_eq!(found(&ended(ECONNRESET, 5)), TcpResult::Reset);
        assert_eq!(found(&ended(5, 5)), TcpResult::Failed);
        let mut reset = ended(0, 5);
        reset.flags = TcpReport::RESET_SENT;
        assert_eq!(found(&reset), TcpResult::Reset);
        let mut pending = ended(0, 0);
        (pending.state, pending.ended_ns) = (SYN_SENT, 0);
        assert_eq!(found(&pending), TcpResult::Pending);
    }

    /// Keeps the rows of connections.
    #[derive(Default)]
    struct Kept(Vec<Vec<i64>>);

    impl Kept {
        fn cell(&self, name: &str) -> Option<i64> {
            let columns = TcpConnectionRow::SCHEMA.columns.iter();
            let at = columns.into_iter().position(|column| column.name == name)?;
            self.0.last()?.get(at).copied()
        }
    }

    impl Scene for Kept {
        fn ns(&self) -> i64 {
            100
        }
        fn start_ns(&self) -> i64 {
            0
        }
        fn stack(&mut self) -> i64 {
            0
        }
        fn event_thread(&mut self) -> u32 {
            0
        }
        fn owner(&mut self, _: Option<u32>) -> u32 {
            0
        }
        fn thread_of_process(&mut self, _: u32) -> u32 {
            0
        }
        fn thread(&mut self, _: Option<u32>) -> u32 {
            0
        }
        fn known_thread(&self, _: Option<u32>) -> u32 {
            0
        }
        fn file(&self, _: u64) -> Option<whyslow_model::FileId> {
            None
        }
        fn opened(&mut self, _: whyslow_model::FileId, _: u32) {}
        fn push_cells(&mut self, _: whyslow_model::RawTable, _: u32, cells: &[i64]) {
            self.0.push(cells.to_vec());
        }
        fn problem(&mut self, _: ProblemKind, _: u64, _: &'static str) {}
    }

    /// Tells of a socket twice: when it was first known, and at its end.
    fn twice(first: TcpReport, last: TcpReport) -> Kept {
        let mut kept = Kept::default();
        let mut connections = Connections::new(8);
        for told in [first, last] {
            connections.event(&TcpEvent::of(&told, None, None), &mut kept);
        }
        kept
    }

    #[test]
    fn what_a_listening_socket_dropped_before_does_not_count() {
        let at = |is_end: bool, drops: u32| TcpReport {
            is_end,
            side: 3,
            state: 10,
            drops,
            window: 5,
            ..TcpReport::default()
        };
        let kept = twice(at(false, 40), at(true, 43));
        assert_eq!(
            (kept.cell("dropped"), kept.cell("backlog")),
            (Some(3), Some(5))
        );
    }

    #[test]
    fn repeated_attempts_are_those_of_the_end_that_connects() {
        let out = TcpReport {
            syn_retransmits: 2,
            ..ended(0, 5)
        };
        assert_eq!(
            twice(TcpReport::default(), out).cell("syn_retransmits"),
            Some(2)
        );
        let within = TcpReport { side: 2, ..out };
        let kept = twice(TcpReport::default(), within);
        assert_eq!(kept.cell("syn_retransmits"), Some(whyslow_model::NULL_I64));
    }
}
