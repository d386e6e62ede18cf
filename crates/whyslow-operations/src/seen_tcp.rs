//! What is known of a connection whose events are told one by one, as on Windows.

use std::collections::VecDeque;

use whyslow_model::LabelId;
use whyslow_perfdata::whyslow_events::TcpReport;

use crate::tcp::TcpEvent;

/// Sends whose acknowledgement is waited for, as far as they are remembered for retransmissions.
const MOST_SENDS: usize = 64;

/// Sends of fewer bytes count as small.
const SMALL: u64 = 256;

/// Who opened a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// This end.
    Out,
    /// The other end.
    In,
}

/// What was sent and received, according to one source.
#[derive(Debug, Default)]
pub struct Traffic {
    sends: u32,
    sent_bytes: u64,
    small_sends: u32,
    receives: u32,
    received_bytes: u64,
    retransmits: u32,
    retransmit_ns: u64,
    longest_retransmit_ns: u64,
    replies: u32,
    reply_ns: u64,
    longest_reply_ns: u64,
    answers: u32,
    answer_ns: u64,
    last_send_ns: Option<i64>,
    last_receive_ns: Option<i64>,
    /// The last event was a send; otherwise a receive.
    is_sending: Option<bool>,
    /// Sequence numbers of the last sends, with their times.
    sequences: VecDeque<(u32, i64)>,
}

impl Traffic {
    /// Data was sent.
    pub fn sent(&mut self, ns: i64, bytes: u64) {
        if self.is_sending == Some(false) {
            self.answers = self.answers.saturating_add(1);
            self.answer_ns = self
                .answer_ns
                .saturating_add(since(self.last_receive_ns, ns));
        }
        self.is_sending = Some(true);
        self.last_send_ns = Some(ns);
        self.sends = self.sends.saturating_add(1);
        self.sent_bytes = self.sent_bytes.saturating_add(bytes);
        self.small_sends = self.small_sends.saturating_add(u32::from(bytes < SMALL));
    }

    /// Data was sent with this sequence number.
    pub fn sent_as(&mut self, ns: i64, bytes: u64, sequence: u32) {
        self.sent(ns, bytes);
        if self.sequences.len() >= MOST_SENDS {
            self.sequences.pop_front();
        }
        self.sequences.push_back((sequence, ns));
    }

    /// Data was received.
    pub fn received(&mut self, ns: i64, bytes: u64) {
        if self.is_sending == Some(true) {
            let reply_ns = since(self.last_send_ns, ns);
            self.replies = self.replies.saturating_add(1);
            self.reply_ns = self.reply_ns.saturating_add(reply_ns);
            self.longest_reply_ns = self.longest_reply_ns.max(reply_ns);
        }
        self.is_sending = Some(false);
        self.last_receive_ns = Some(ns);
        self.receives = self.receives.saturating_add(1);
        self.received_bytes = self.received_bytes.saturating_add(bytes);
    }

    /// A segment was sent again: the one with this sequence number, if that is known.
    pub fn retransmitted(&mut self, ns: i64, sequence: Option<u32>) {
        let same = |&&(of, _): &&(u32, i64)| Some(of) == sequence;
        let sent = self.sequences.iter().rev().find(same).map(|&(_, ns)| ns);
        let delay_ns = since(sent.or(self.last_send_ns), ns);
        self.retransmits = self.retransmits.saturating_add(1);
        self.retransmit_ns = self.retransmit_ns.saturating_add(delay_ns);
        self.longest_retransmit_ns = self.longest_retransmit_ns.max(delay_ns);
    }

    fn is_empty(&self) -> bool {
        self.sends == 0 && self.receives == 0
    }
}

fn since(from: Option<i64>, to: i64) -> u64 {
    let ns = from.map_or(0, |from| to.saturating_sub(from));
    u64::try_from(ns).unwrap_or(0)
}

/// A connection.
#[derive(Debug)]
pub struct Connection {
    /// Identifies it within the trace.
    pub number: u64,
    opened_ns: i64,
    connected_ns: Option<i64>,
    ended_ns: Option<i64>,
    side: Option<Side>,
    /// It was made, though nobody saw when the attempt began.
    is_made: bool,
    is_made_by_kernel: bool,
    /// It was there before.
    existed: bool,
    error: u32,
    flags: u8,
    pid: Option<u32>,
    tid: Option<u32>,
    is_owner_told: bool,
    /// Process and thread in whose context the attempt to make it began: most likely its owner.
    attempted_by: Option<(u32, u32)>,
    /// The totals that the provider states at its end.
    totals: Option<(u64, u64)>,
    /// What was sent and received according to the kernel.
    pub kernel: Traffic,
    /// The same according to its provider of diagnostic events.
    pub provider: Traffic,
}

impl Connection {
    /// Returns a connection of which nothing is known; without `is_new` it was there before.
    pub fn new(number: u64, ns: i64, is_new: bool) -> Self {
        Self {
            number,
            opened_ns: if is_new { ns } else { i64::MIN },
            connected_ns: None,
            ended_ns: None,
            side: None,
            is_made: false,
            is_made_by_kernel: false,
            existed: !is_new,
            error: 0,
            flags: 0,
            pid: None,
            tid: None,
            is_owner_told: false,
            attempted_by: None,
            totals: None,
            kernel: Traffic::default(),
            provider: Traffic::default(),
        }
    }

    /// A process, perhaps one thread of it, uses the connection; the first one owns it.
    pub fn owned_by(&mut self, pid: u32, tid: Option<u32>) {
        if self.pid.is_none() {
            self.pid = Some(pid);
            let by = self.attempted_by.filter(|(by, _)| *by == pid);
            self.tid = tid.or(by.map(|(_, tid)| tid));
        }
    }

    /// The attempt to make it began in the context of a process and thread.
    pub fn attempted_by(&mut self, pid: Option<u32>, tid: Option<u32>) {
        self.attempted_by = pid.zip(tid);
    }

    /// Returns whether its owner is known and nobody was told.
    pub fn is_owner_new(&mut self) -> bool {
        self.pid.is_some() && !std::mem::replace(&mut self.is_owner_told, self.pid.is_some())
    }

    /// Returns thread and process of its owner.
    pub fn owner(&self) -> (Option<u32>, Option<u32>) {
        match (self.pid, self.attempted_by) {
            (None, Some((pid, tid))) => (Some(tid), Some(pid)),
            (pid, _) => (self.tid, pid),
        }
    }

    /// Returns whether the kernel's event that it is made may still come.
    pub fn may_be_made(&self) -> bool {
        !self.existed && !self.is_made_by_kernel && self.ended_ns.is_none()
    }

    /// The kernel says that it is made.
    pub fn made_by_kernel(&mut self, ns: i64, side: Side) {
        self.is_made_by_kernel = true;
        self.made(ns, side);
    }

    /// Returns whether another attempt is another connection.
    pub fn is_over(&self) -> bool {
        self.has_ended() || self.is_made
    }

    /// Returns whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.ended_ns.is_some()
    }

    /// The attempt to make it begins here.
    pub fn begins(&mut self, ns: i64) {
        self.opened_ns = ns;
        self.existed = false;
        self.side = Some(Side::Out);
        // Until it ends, nobody knows.
        self.connected_ns = None;
    }

    /// It is made.
    pub fn made(&mut self, ns: i64, side: Side) {
        self.side.get_or_insert(side);
        let attempt_seen = self.side == Some(Side::Out) && ns > self.opened_ns && !self.existed;
        if attempt_seen && !self.is_made {
            self.connected_ns = Some(ns);
        }
        self.is_made = true;
    }

    /// It was accepted or connected before the trace.
    pub fn was_there(&mut self) {
        self.is_made = true;
    }

    /// It has ended.
    pub fn ended(&mut self, ns: i64) {
        self.ended_ns.get_or_insert(ns);
    }

    /// It has failed with an error of Linux; `is_reset_by` are the bits of [`TcpReport`].
    pub fn failed(&mut self, ns: i64, error: u32, flags: u8) {
        if self.error == 0 {
            self.error = error;
        }
        self.flags |= flags;
        self.ended(ns);
    }

    /// The provider states how many bytes were sent and received at all.
    pub fn summed(&mut self, sent_bytes: u64, received_bytes: u64) {
        self.totals = Some((sent_bytes, received_bytes));
    }

    /// Returns what is known of it.
    pub fn event(
        &self,
        (local_port, remote_port): (u16, u16),
        (local_address, remote_address): (Option<LabelId>, Option<LabelId>),
        is_end: bool,
    ) -> TcpEvent {
        /// The numbers of states in Linux.
        const SYN_SENT: u8 = 2;
        const CLOSE: u8 = 7;
        let time = |ns: Option<i64>| ns.and_then(|ns| u64::try_from(ns).ok()).unwrap_or(0);
        // The provider has no record of small receives on some systems: the kernel's counts are whole.
        let by = match self.kernel.is_empty() {
            true => &self.provider,
            false => &self.kernel,
        };
        // The provider matches retransmissions by sequence numbers.
        let again = match self.provider.retransmits {
            0 => &self.kernel,
            _ => &self.provider,
        };
        let (sent_bytes, received_bytes) = match self.totals.filter(|_| by.is_empty()) {
            Some(totals) => totals,
            None => (by.sent_bytes, by.received_bytes),
        };
        let (tid, pid) = self.owner();
        let mut told = TcpReport {
            is_end,
            local_port,
            remote_port,
            pid: pid.unwrap_or(0),
            tid: tid.unwrap_or(0),
            number: self.number,
            opened_ns: time(Some(self.opened_ns.max(1))),
            connected_ns: time(self.connected_ns),
            ended_ns: time(self.ended_ns),
            side: match self.side {
                Some(Side::Out) => 1,
                Some(Side::In) => 2,
                None => 0,
            },
            state: match self.ended_ns {
                Some(_) => CLOSE,
                None => SYN_SENT,
            },
            flags: self.flags,
            error: self.error,
            sent_bytes,
            received_bytes,
            sends: by.sends,
            receives: by.receives,
            small_sends: by.small_sends,
            retransmits: again.retransmits,
            retransmit_ns: again.retransmit_ns,
            longest_retransmit_ns: again.longest_retransmit_ns,
            replies: by.replies,
            reply_ns: by.reply_ns,
            longest_reply_ns: by.longest_reply_ns,
            answers: by.answers,
            answer_ns: by.answer_ns,
            ..TcpReport::default()
        };
        if self.existed {
            told.flags |= TcpReport::EXISTED;
        }
        if by.is_sending == Some(true) {
            told.flags |= TcpReport::AWAITS_REPLY;
        }
        let is_made = self.is_made || self.existed || !by.is_empty();
        TcpEvent::seen(&told, (local_address, remote_address), is_made)
    }
}
