//! Connections and name look-ups: their rows, and the meaning of their codes.
//!
//! As in [`recorded`](super::recorded), whose lists include these rows.

use super::Width;
use crate::codes::{self, Named};
use crate::column::{Column, NULL_I64};
use crate::ids::{LabelId, ProcessId, ThreadId};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::table::{Field, TableRow};

table! {
    /// A text that rows of events refer to: the address of a machine, a name that was looked up.
    LabelRow LABEL "label" Fact since 2 {
        /// Row number.
        id: LabelId,
        /// The text; what could disturb a terminal is escaped.
        text: String,
    }
}

table! {
    /// One end of a TCP connection, or a socket that listens for connections. Where both ends are on the recorded machine, each has a row.
    TcpConnectionRow TCP_CONNECTION "tcp_connection" Raw since 2 {
        /// When it was opened: when a program began to connect, or the system had made the connection that a program then accepts; one that is older than the trace begins with it.
        open_ns: i64,
        /// The process that connected, accepted or first used it; null where none did.
        process: Option<ProcessId>,
        /// The thread that did.
        thread: Option<ThreadId>,
        /// Time until the program closed it, or it ended in another way; null where it was open at the end of the trace.
        duration_ns: Option<i64>,
        /// Code of `TcpSide`.
        side: i32 = TcpSide,
        /// Its own address.
        local_address: Option<LabelId>,
        /// Its own port; null where it had none.
        local_port: Option<i32>,
        /// The other end's address; null for a socket that listens.
        remote_address: Option<LabelId>,
        /// The other end's port.
        remote_port: Option<i32>,
        /// Code of `TcpResult`.
        result: i32 = TcpResult,
        /// Time from `open_ns` until it was connected; null for those that were not, that others opened, or that are older than the trace.
        connect_ns: Option<i64>,
        /// Bits of `TcpFlags`.
        flags: i32 = TcpFlags,
        /// Calls that sent something.
        sends: i64,
        /// Bytes that they sent.
        sent_bytes: i64,
        /// Of these calls, those that sent less than 256 bytes; null where that was not recorded.
        small_sends: Option<i64>,
        /// Calls that received something.
        receives: i64,
        /// Bytes that they received.
        received_bytes: i64,
        /// Segments that were retransmitted.
        retransmits: i64,
        /// Time from the last send to each retransmission, summed: how long nothing moved. Null where that was not recorded.
        retransmit_ns: Option<i64>,
        /// The longest of these times.
        longest_retransmit_ns: Option<i64>,
        /// How often something was received after something was sent; null where that was not recorded.
        replies: Option<i64>,
        /// Time from the last send to each of these, summed.
        reply_ns: Option<i64>,
        /// The longest of these times.
        longest_reply_ns: Option<i64>,
        /// Of these, those that came while this end held back the end of what was sent for 20 ms or more, because what it had sent before was not acknowledged.
        held_replies: Option<i64>,
        /// Time from when it was held back to each of these, summed.
        held_ns: Option<i64>,
        /// How often something was sent after something was received.
        answers: Option<i64>,
        /// Time from the last receive to each of these, summed.
        answer_ns: Option<i64>,
        /// The smoothed round-trip time as the system last estimated it; null: not known.
        round_trip_ns: Option<i64>,
        /// How many segments the system would have sent at once (congestion window), at the end.
        window_segments: Option<i64>,
        /// Listening sockets: connections that were dropped, most often because the queue was full.
        dropped: Option<i64>,
        /// Listening sockets: how many connections may wait to be accepted (the backlog); null where that was not recorded.
        backlog: Option<i64>,
        /// How often the attempt to connect (SYN) was repeated, because no answer came; null where that was not recorded.
        syn_retransmits: Option<i64>,
        /// Of the calls that received something, those that received less than 256 bytes; null where that was not recorded.
        small_receives: Option<i64>,
        /// Of these, those after which more data was already there; null where that was not recorded.
        partial_receives: Option<i64>,
    }
}

codes! {
    /// Who opened a connection.
    TcpSide {
        /// Not known: it is older than the trace.
        Unknown = 0 "unknown",
        /// This end: a program connected.
        Out = 1 "out",
        /// The other end: a program accepted.
        In = 2 "in",
        /// It is not a connection: a program listens.
        Listening = 3 "listening",
    }
}

codes! {
    /// The result of a connection.
    TcpResult {
        /// Not known.
        Unknown = 0 "unknown",
        /// It was made, and ended normally or was open at the end of the trace.
        Ok = 1 "ok",
        /// No program listens there.
        Refused = 2 "refused",
        /// One end reset it.
        Reset = 3 "reset",
        /// The other end did not answer.
        TimedOut = 4 "timed out",
        /// There is no way to the other end.
        Unreachable = 5 "unreachable",
        /// The program gave up before it was made.
        GivenUp = 6 "given up",
        /// It had not been made yet at the end of the trace.
        Pending = 7 "pending",
        /// Another error.
        Failed = 8 "failed",
    }
}

flags! {
    /// Bits of the `flags` column of `tcp_connection`.
    TcpFlags {
        /// It was open when the trace began: the counts cover only the time since.
        EXISTED = 1 "existed",
        /// The other end closed it first.
        PEER_CLOSED_FIRST = 2 "peer closed first",
        /// This end reset it.
        RESET_SENT = 4 "reset sent",
        /// The other end reset it.
        RESET_RECEIVED = 8 "reset received",
        /// This end sent something, and had received nothing after it when the connection or the trace ended.
        AWAITS_REPLY = 16 "awaits a reply",
    }
}

table! {
    /// Datagrams (UDP) of one process that were sent, or received, between the same addresses and ports in a stretch of at most about a second: counted exactly.
    DatagramRow DATAGRAM "datagram" Raw since 2 {
        /// When the first of the process's datagrams in this stretch was sent or received; never before the last one of the previous stretch.
        from_ns: i64,
        /// The process.
        process: Option<ProcessId>,
        /// Any thread of the process; which one sent or received them is not recorded.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the process's datagrams in this stretch.
        duration_ns: i64,
        /// Code of `DatagramWay`.
        way: i32 = DatagramWay,
        /// The process's own address; null where it is not known.
        local_address: Option<LabelId>,
        /// Its own port.
        local_port: Option<i32>,
        /// The other end's address; null where it is not known.
        remote_address: Option<LabelId>,
        /// The other end's port.
        remote_port: Option<i32>,
        /// How many there were.
        count: i64,
        /// How many bytes they had, without headers.
        bytes: i64,
    }
}

codes! {
    /// Whether datagrams were sent or received.
    DatagramWay {
        /// Not known.
        Unknown = 0 "unknown",
        /// Sent.
        Sent = 1 "sent",
        /// Received.
        Received = 2 "received",
    }
}

table! {
    /// A query to a name server, as seen on the wire, with its answer.
    DnsQueryRow DNS_QUERY "dns_query" Raw since 2 {
        /// When it was first sent.
        time_ns: i64,
        /// The process that sent it.
        process: Option<ProcessId>,
        /// The thread that sent it.
        thread: Option<ThreadId>,
        /// Time until its answer; null where none came.
        duration_ns: Option<i64>,
        /// Address of the name server.
        server: Option<LabelId>,
        /// The name that was asked for; null where the packet could not be read.
        name: Option<LabelId>,
        /// Number of the type of record that was asked for, such as 1 for A and 28 for AAAA.
        record_type: Option<i32>,
        /// What the answer says: 0 for success, 3 for a name that does not exist; null where none came.
        response_code: Option<i32>,
        /// How many records the answer has; null where none came, or that was not recorded.
        answers: Option<i32>,
        /// How often the query was sent.
        attempts: i32,
        /// Bits of `DnsFlags`.
        flags: i32 = DnsFlags,
    }
}

flags! {
    /// Bits of the `flags` column of `dns_query`.
    DnsFlags {
        /// Over TCP.
        TCP = 1 "tcp",
        /// The answer did not fit.
        TRUNCATED = 2 "truncated",
    }
}

table! {
    /// A call of a C library function that resolves a name.
    NameLookupRow NAME_LOOKUP "name_lookup" Raw since 2 {
        /// When it was called.
        time_ns: i64,
        /// The process that called it.
        process: Option<ProcessId>,
        /// The thread that called it.
        thread: Option<ThreadId>,
        /// Time until it returned.
        duration_ns: i64,
        /// The name as the program gave it; null where it gave none.
        name: Option<LabelId>,
        /// 0, or an error number of `getaddrinfo`: -2 for a name that is not known, -3 for a temporary failure, such as when no server answers; on Windows also the system's own number, and -100 if the recording ended first.
        result: i32,
        /// Number of the type of record that was looked up; null where all addresses were, as on Linux.
        record_type: Option<i32>,
    }
}
