//! What is said about TCP connections: where they lead, and what held them up.

use whyslow_model::tables::{LabelRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, Table, TcpResult, TcpSide};

use super::*;

pub(super) const CONNECTED: &str =
    "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < connect_again < main";
const RECEIVES: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < send_request < main";
const CONNECTS: &str = "k:inet_stream_connect < k:__x64_sys_connect < connect < reach < main";

/// A connection that the program tried to make.
pub(super) fn tried(result: TcpResult, (open_ms, length_ms): (i64, i64)) -> TcpConnectionRow {
    TcpConnectionRow {
        open_ns: open_ms * MS,
        process: Some(ProcessId::from_index(0).expect("few")),
        thread: Some(ThreadId::from_index(0).expect("few")),
        duration_ns: Some(length_ms * MS),
        side: TcpSide::Out.code(),
        local_address: LabelId::from_index(0),
        local_port: Some(40_000),
        remote_address: LabelId::from_index(0),
        remote_port: Some(5432),
        result: result.code(),
        connect_ns: None,
        flags: 0,
        sends: 0,
        sent_bytes: 0,
        small_sends: Some(0),
        receives: 0,
        received_bytes: 0,
        retransmits: 0,
        retransmit_ns: Some(0),
        longest_retransmit_ns: Some(0),
        replies: Some(0),
        reply_ns: Some(0),
        longest_reply_ns: Some(0),
        held_replies: Some(0),
        held_ns: Some(0),
        answers: Some(0),
        answer_ns: Some(0),
        round_trip_ns: Some(MS),
        window_segments: Some(10),
        dropped: None,
        backlog: None,
        syn_retransmits: Some(0),
        small_receives: None,
        partial_receives: None,
    }
}

/// A connection that was made, with 20 replies that took 40 ms each.
pub(super) fn made() -> TcpConnectionRow {
    TcpConnectionRow {
        connect_ns: Some(MS),
        sends: 40,
        receives: 20,
        replies: Some(20),
        reply_ns: Some(800 * MS),
        longest_reply_ns: Some(40 * MS),
        ..tried(TcpResult::Ok, (0, 1000))
    }
}

/// A program that waits on a stack as `play` says, with its connections.
pub(super) fn waits(stack: &str, play: &str, rows: Vec<TcpConnectionRow>) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("net", "k:sock_def_readable < k:tcp_rcv_established");
    trace.stack("wait", stack);
    trace.play(main, play);
    trace.tables = objects::object("tcp", "10.1.2.3:5432", None);
    trace.waited_for(main, Some(0), None);
    let address = LabelRow {
        id: LabelId::from_index(0).expect("few"),
        text: "10.1.2.3".to_owned(),
    };
    trace.tables.push(Table::from_rows([address]));
    trace.tables.push(Table::from_rows(rows));
    trace
}

pub(super) fn causes_of(trace: &Literal) -> Vec<String> {
    let all = findings(trace, 100).into_iter();
    all.map(|one| one.cause).collect()
}

/// Sleeps for 200 ms, four times.
pub(super) fn naps() -> String {
    "R50 W200:wait<!@timer ".repeat(4)
}

#[test]
fn who_is_refused_again_and_again_is_told_where_nobody_listens() {
    let refused = |at| tried(TcpResult::Refused, (at, 1));
    let rows = [40, 290, 540, 790].map(refused);
    let trace = waits(CONNECTED, &naps(), rows.to_vec());
    says(
        &explain_pid(&trace, 100),
        &[
            "It tried 4 times to connect to 10.1.2.3:5432, where nothing listens, and waited in \
             between: 80 % of the time  certain",
            "connect_again",
        ],
    );
}

#[test]
fn a_runtime_that_sleeps_shows_where_the_program_makes_its_attempts() {
    let refused = |at| tried(TcpResult::Refused, (at, 1));
    let rows = [40, 290, 540, 790].map(refused);
    let sleeps = "k:ep_poll < k:do_epoll_wait < runtime.netpoll < runtime.findRunnable";
    let mut trace = waits(sleeps, &naps(), rows.to_vec());
    trace.stack(
        "socket",
        "k:__x64_sys_socket < net.socket < main.dial < main.main",
    );
    let main = ThreadId::from_index(0).expect("few");
    trace.calls(main, (41, 0), 4, None, 1);
    trace.called_from(main, &[40], (41, 4), "socket");
    says(&explain_pid(&trace, 100), &["nothing listens", "dial"]);
}

#[test]
fn a_refused_connection_before_one_that_is_made_is_no_habit() {
    let rows = vec![tried(TcpResult::Refused, (40, 1)), made()];
    let trace = waits(CONNECTED, &naps(), rows);
    assert_eq!(causes_of(&trace), ["sleep", "cpu"]);
    // Tries in the beginning do not explain what is slept for later.
    let rows = [1, 3, 5].map(|at| tried(TcpResult::Refused, (at, 1)));
    let trace = waits(CONNECTED, &naps(), rows.to_vec());
    assert_eq!(causes_of(&trace), ["sleep", "cpu"]);
    // Nor do those before it was connected together with those after that.
    let refused = [1, 3, 5, 960, 975, 990].map(|at| tried(TcpResult::Refused, (at, 1)));
    let mut rows = refused.to_vec();
    rows.push(tried(TcpResult::Ok, (50, 900)));
    let trace = waits(CONNECTED, &naps(), rows);
    assert!(!causes_of(&trace).contains(&"connect-refused".to_owned()));
}

#[test]
fn where_nothing_answers_is_told() {
    let rows = vec![tried(TcpResult::TimedOut, (50, 800))];
    let trace = waits(CONNECTS, "R50 W800:wait<!@timer R150", rows);
    says(
        &explain_pid(&trace, 100),
        &["It tried to connect to 10.1.2.3:5432, and nothing answered: 80 % of the time"],
    );
    // It was connected, and waits for other reasons.
    let trace = waits(CONNECTS, "R50 W800:wait<!@timer R150", vec![made()]);
    assert!(!causes_of(&trace).contains(&"no-answer".to_owned()));
    // A connection that is tried while the program sleeps costs it nothing.
    let rows = vec![tried(TcpResult::TimedOut, (50, 800))];
    let trace = waits(CONNECTED, "R50 W800:wait<!@timer R150", rows);
    assert!(!causes_of(&trace).contains(&"no-answer".to_owned()));
}

#[test]
fn an_event_loop_with_other_connections_may_wait_for_those() {
    const LOOP: &str = "k:ep_poll < k:do_epoll_wait < epoll_wait < uv__io_poll < uv_run < main";
    let dead = tried(TcpResult::TimedOut, (50, 800));
    let alone = waits(LOOP, "R50 W800:wait<!@timer R150", vec![dead.clone()]);
    let has = |trace: &Literal| causes_of(trace).contains(&"no-answer".to_owned());
    assert!(has(&alone), "{:?}", causes_of(&alone));
    let database = TcpConnectionRow {
        remote_port: Some(5433),
        ..made()
    };
    let both = waits(LOOP, "R50 W800:wait<!@timer R150", vec![dead, database]);
    assert!(!has(&both), "{:?}", causes_of(&both));
}

/// Waits 20 times for 40 ms.
fn replies() -> String {
    "R10 W40:wait<!@net ".repeat(20)
}

#[test]
fn requests_in_small_parts_that_wait_for_acknowledgements_are_told() {
    let held = TcpConnectionRow {
        held_replies: Some(20),
        held_ns: Some(800 * MS),
        ..made()
    };
    let trace = waits(RECEIVES, &replies(), vec![held]);
    says(
        &explain_pid(&trace, 100),
        &[
            "It sent requests to 10.1.2.3:5432 in small parts; 20 times the last part waited for an \
             acknowledgement, 40 ms each: 80 % of the time  certain",
            "send_request",
        ],
    );
    // The same waits for a server that takes its time.
    let trace = waits(RECEIVES, &replies(), vec![made()]);
    assert!(!causes_of(&trace).contains(&"delayed-ack".to_owned()));
}

#[test]
fn packets_that_are_sent_again_are_told_where_they_took_the_time() {
    let lossy = |stalled_ms: i64| TcpConnectionRow {
        retransmits: 4,
        retransmit_ns: Some(stalled_ms * MS),
        longest_retransmit_ns: Some(stalled_ms * MS / 4),
        ..made()
    };
    let trace = waits(RECEIVES, &replies(), vec![lossy(700)]);
    says(
        &explain_pid(&trace, 100),
        &[
            "It waited for 10.1.2.3:5432 while 4 packets were retransmitted: 80 % of the time  possible",
        ],
    );
    // They took next to nothing of it.
    let trace = waits(RECEIVES, &replies(), vec![lossy(12)]);
    assert!(!causes_of(&trace).contains(&"packet-loss".to_owned()));
}

/// A program and a server that it is connected with, which wakes it; `reply_ms`: how long replies took.
pub(super) fn served(stack: &str, plays: (&str, &str), reply_ms: i64) -> Literal {
    served_after(1, stack, plays, reply_ms)
}

/// The same of a program that sent so many requests.
pub(super) fn served_after(
    sends: i64,
    stack: &str,
    (program, server): (&str, &str),
    reply_ms: i64,
) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, other) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.stack("wait", stack);
    trace.stack("asks", "k:ep_poll < k:do_epoll_wait < select_epoll_poll");
    trace.play(other, server);
    trace.play(main, program);
    let address = LabelRow {
        id: LabelId::from_index(0).expect("few"),
        text: "10.1.2.3".to_owned(),
    };
    let client = TcpConnectionRow {
        replies: Some(1),
        reply_ns: (sends > 0).then_some(reply_ms * MS),
        sends,
        receives: 9,
        ..made()
    };
    let its_end = TcpConnectionRow {
        process: Some(ProcessId::from_index(1).expect("few")),
        thread: Some(ThreadId::from_index(1).expect("few")),
        side: TcpSide::In.code(),
        local_port: client.remote_port,
        remote_port: client.local_port,
        ..made()
    };
    trace.tables.push(Table::from_rows([address]));
    trace.tables.push(Table::from_rows(vec![client, its_end]));
    trace
}

#[test]
fn who_is_spoken_to_first_waits_for_work() {
    let asks_within = |reply_ms: i64, first_ms: i64, answers: i64| {
        let rest = 960 - first_ms;
        let program = format!("R10 W{first_ms}:wait<server R1 W{rest}:wait<server R29");
        let server = format!("W{first_ms} R20 W{rest} R20");
        let mut trace = served_after(2, OF_GO, (&program, &server), 300);
        let to_it = |table: &&mut Table| table.schema.name == "tcp_connection";
        let table = trace.tables.iter_mut().find(to_it).expect("connections");
        let mut rows: Vec<TcpConnectionRow> = table.rows().collect();
        rows[0].answers = Some(answers);
        rows[0].longest_reply_ns = Some(reply_ms * MS);
        *table = Table::from_rows(rows);
        causes_of(&trace)
    };
    let asks = |first_ms, answers| asks_within(400, first_ms, answers);
    let waits_for_replies = |causes: &[String]| causes.contains(&"slow-peer".to_owned());
    // It received, answered, and received again: once it sent after receiving, and once received after sending.
    let asked = asks(300, 1);
    assert!(waits_for_replies(&asked), "{asked:?}");
    let spoken_to = asks(300, 2);
    assert!(!waits_for_replies(&spoken_to), "{spoken_to:?}");
    // A server that greets does so at once.
    let greeted = asks(20, 2);
    assert!(waits_for_replies(&greeted), "{greeted:?}");
    // One that is slow to greet answers sooner afterwards.
    let late = asks_within(1, 300, 2);
    assert!(waits_for_replies(&late), "{late:?}");
}

const OF_GO: &str =
    "k:ep_poll < k:do_epoll_wait < runtime.netpoll < runtime.findRunnable < runtime.schedule";
const OF_LOOP: &str = "k:ep_poll < k:do_epoll_wait < select_epoll_poll < watch < main";

#[test]
fn a_runtime_that_gives_up_on_its_requests_names_who_did_not_answer() {
    let answer = |stack: &str, received_bytes: i64| {
        let row = |at: i64| TcpConnectionRow {
            open_ns: at * 100 * MS,
            duration_ns: Some(90 * MS),
            sends: 1,
            sent_bytes: 100,
            receives: 1,
            received_bytes,
            ..made()
        };
        let play = "R10 W90:wait<!@timer ".repeat(10);
        let trace = waits(stack, &play, (0..10).map(row).collect());
        explain_pid(&trace, 100)
    };
    let says_it = "It waited for answers from 10.1.2.3:5432 that did not come before its time-out: 90 % of the time";
    const POLLS: &str = "k:poll_schedule_timeout < k:do_sys_poll < poll < ask < main";
    for stack in [OF_GO, OF_LOOP, RECEIVES, POLLS] {
        says(
            &answer(stack, 0),
            &[
                says_it,
                "It closed 10 connections, each before an answer came.",
            ],
        );
        assert!(!answer(stack, 10).contains("did not come"));
    }
    // It would take new clients, too, but gives up on its requests.
    let beside = |names: &str| {
        let row = |at: i64| TcpConnectionRow {
            open_ns: at * 100 * MS,
            duration_ns: Some(90 * MS),
            sends: 1,
            sent_bytes: 100,
            receives: 0,
            received_bytes: 0,
            ..made()
        };
        let play = "R10 W90:wait<!@timer ".repeat(10);
        let mut trace = waits(POLLS, &play, (0..10).map(row).collect());
        trace.tables[0] = objects::object("poll", names, None).remove(0);
        explain_pid(&trace, 100)
    };
    let both = beside("127.0.0.1:80 (listening), 10.1.2.3:5432");
    assert!(both.contains("did not come before its time-out"), "{both}");
    // Who only sends does not wait for answers.
    let sender = |sends: i64| {
        let row = TcpConnectionRow {
            open_ns: 0,
            duration_ns: Some(990 * MS),
            sends,
            sent_bytes: 100 * sends,
            receives: 0,
            received_bytes: 0,
            ..made()
        };
        explain_pid(
            &waits(OF_GO, &"R10 W90:wait<!@timer ".repeat(10), vec![row]),
            100,
        )
    };
    assert!(sender(1).contains("did not come"));
    assert!(!sender(10).contains("did not come"));
}

#[test]
fn a_server_that_was_busy_when_it_was_asked_still_serves() {
    // It never waits for the program, and is the first one to wake the other.
    let play = ("R50 W900:wait<server R50", "R1000");
    let trace = served(OF_GO, play, 890);
    says(
        &explain_pid(&trace, 100),
        &["It waited for replies from server(200): 90 % of the time  certain"],
    );
}

#[test]
fn who_connected_asks_even_if_its_first_question_woke_nobody() {
    let waits_for = |last: &str| {
        let client = format!("W80:asks<app R420 W50:asks<app R100 {last}");
        let program = "R100 W200:wait<server R100 W200:wait<server R400";
        let mut trace = served(OF_LOOP, (program, &client), 0);
        trace
            .tables
            .retain(|table| table.schema.name != "tcp_connection");
        let accepted = TcpConnectionRow {
            side: TcpSide::In.code(),
            sends: 3,
            receives: 3,
            ..made()
        };
        let its_end = TcpConnectionRow {
            process: Some(ProcessId::from_index(1).expect("few")),
            thread: Some(ThreadId::from_index(1).expect("few")),
            local_port: accepted.remote_port,
            remote_port: accepted.local_port,
            ..made()
        };
        trace.tables.push(Table::from_rows(vec![accepted, its_end]));
        explain_pid(&trace, 100)
    };
    // It gets its last answer, and is done.
    let asks = waits_for("W50:asks<app R300");
    assert!(!asks.contains("replies from server"), "{asks}");
    // It gets work, and hands in its result.
    says(
        &waits_for("R350"),
        &["It waited for replies from server(200): 40 % of the time"],
    );
}

#[test]
fn a_runtime_that_waits_shows_who_calls_a_library_that_talks() {
    let play = ("R50 W900:wait<server R50", "R1000");
    let mut trace = served(OF_GO, play, 890);
    let main = ThreadId::from_index(0).expect("few");
    trace.stack(
        "dial",
        "net/http.(*Client).Do < app!main.fetchPage < app!main.mirror",
    );
    trace.stack("count", "app!main.indexWords < app!main.mirror");
    trace.sample(main, &(0..10).collect::<Vec<_>>(), "dial");
    trace.sample(main, &(10..50).collect::<Vec<_>>(), "count");
    let answer = explain_pid(&trace, 100);
    let of_wait = answer.lines().nth(3).unwrap_or_default();
    assert!(of_wait.contains("fetchPage"), "{answer}");
}

#[test]
fn who_sends_what_comes_is_not_waited_for() {
    let program = "R10 W90:wait<server ".repeat(9);
    let server = format!("R103 {} R98", "W2:asks<app R98 ".repeat(8));
    let mut trace = served(OF_LOOP, (&program, &server), 90);
    assert_eq!(causes_of(&trace).first().map(String::as_str), Some("idle"));
    // In some protocols the server speaks first.
    trace.processes[1].name = "sshd".to_owned();
    assert_eq!(
        causes_of(&trace).first().map(String::as_str),
        Some("slow-peer")
    );
    let trace = served(OF_LOOP, (&program, &server), 800);
    assert_eq!(
        causes_of(&trace).first().map(String::as_str),
        Some("slow-peer")
    );
}

#[test]
fn who_did_not_answer_is_whom_the_wait_was_for() {
    // Another connection, on which nothing came, says nothing of this wait.
    let elsewhere = |object: &str| {
        let row = |at: i64| TcpConnectionRow {
            open_ns: at * 100 * MS,
            duration_ns: Some(90 * MS),
            sends: 1,
            sent_bytes: 100,
            receives: 0,
            received_bytes: 0,
            ..made()
        };
        let play = "R10 W90:wait<!@timer ".repeat(10);
        let mut trace = waits(RECEIVES, &play, (0..10).map(row).collect());
        let object = objects::object("tcp", object, None);
        trace
            .tables
            .retain(|table| table.schema != object[0].schema);
        trace.tables.extend(object);
        assert_eq!(causes_of(&trace), ["timeout"]);
        explain_pid(&trace, 100).contains("that did not come")
    };
    assert!(elsewhere("10.1.2.3:5432"));
    assert!(!elsewhere("10.9.9.9:80"));
    // A single message may get no answer, either.
    let by_message = |last: &str, sends: i64| {
        let play = "R10 W90:wait<!@timer ".repeat(9) + last;
        let mut trace = waits(RECEIVES, &play, Vec::new());
        let object = objects::object("udp", "10.1.2.3:53000", None);
        trace
            .tables
            .retain(|table| table.schema != object[0].schema);
        trace.tables.extend(object);
        let main = ThreadId::from_index(0).expect("few");
        trace.waited_for(main, Some(0), None);
        trace.calls(main, (44, 0), sends, Some(100), 1);
        trace
    };
    let silent = by_message("R10 W90:wait<!@timer", 10);
    assert_eq!(causes_of(&silent), ["timeout"]);
    says(
        &explain_pid(&silent, 100),
        &["It asked 10 times, in messages (UDP), and got no answer."],
    );
    for other in [
        by_message("R10 W90:wait<!@net", 10),
        by_message("R10 W90:wait<!@timer", 2),
        by_message("R10 W90:wait<!@timer", 1000),
    ] {
        let causes = causes_of(&other);
        assert!(causes.contains(&"timeout".to_owned()), "{causes:?}");
        let text = explain_pid(&other, 100);
        assert!(!text.contains("got no answer"), "{text}");
    }
}
