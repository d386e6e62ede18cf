//! What is said about goroutines that wait in user space.

use whyslow_model::tables::{FactRow, GoroutineRow};
use whyslow_model::{GoroutineState, Named, Table};

use super::waits::causes_of;
use super::*;

/// A Go program whose threads wait 900 of 1000 ms, 90 times until a timer goes off.
struct Program {
    trace: Literal,
    process: ProcessId,
    main: ThreadId,
    rows: Vec<GoroutineRow>,
}

const LOCK: &str = "runtime.gopark < internal/sync.(*Mutex).lockSlow < sync.(*Mutex).Lock";
const SLEEP: &str = "runtime.gopark < time.Sleep";

impl Program {
    fn new() -> Self {
        Self::waiting("k:ep_poll < k:do_epoll_wait < runtime.netpoll < runtime.findRunnable")
    }

    fn waiting(stack: &str) -> Self {
        let mut trace = Literal::new(1000);
        let (process, main) = process(&mut trace, "ledger", 100, None, (0, 1000));
        trace.capabilities.set(Capability::Goroutines);
        trace.stack("netpoll", stack);
        trace.stack("tick", "k:hrtimer_wakeup < k:__hrtimer_run_queues");
        trace.play(main, &"R1 W9:netpoll<!@tick ".repeat(100));
        Self {
            trace,
            process,
            main,
            rows: Vec::new(),
        }
    }

    /// A goroutine waits at a place from one time to another.
    fn goroutine(&mut self, id: i64, stack: &str, (from, to): (i64, i64)) {
        let stack = self.trace.stack(stack, stack);
        self.rows.push(GoroutineRow {
            from_ns: from * MS,
            process: Some(self.process),
            thread: Some(self.main),
            duration_ns: (to - from) * MS,
            goroutine: id,
            state: GoroutineState::Waiting.code(),
            count: 1,
            stack: Some(stack),
        });
    }

    /// A goroutine waits at a place each time when the threads do, as looks 3 ms later see it.
    fn goroutine_with_threads(&mut self, id: i64, stack: &str) {
        for wait in 0..100 {
            self.goroutine(id, stack, (wait * 10 + 3, wait * 10 + 12));
        }
    }

    fn finish(mut self) -> Literal {
        self.trace.tables.push(Table::from_rows(self.rows));
        self.trace
    }

    fn stack(leaf: &str, users: &str) -> String {
        format!("{leaf} < {users} < runtime.goexit.abi0")
    }
}

#[test]
fn goroutines_queue_for_a_mutex_whose_holder_sleeps() {
    let mut program = Program::new();
    let main = Program::stack("runtime.gopark < sync.(*WaitGroup).Wait", "main.main");
    program.goroutine(1, &main, (0, 1000));
    for id in 2..6 {
        let place = Program::stack(LOCK, "main.post < main.clerk");
        program.goroutine(id, &place, (0, 1000));
    }
    program.goroutine(
        6,
        &Program::stack(SLEEP, "main.post < main.clerk"),
        (0, 1000),
    );
    // The runtime's own, and a library's.
    program.goroutine(
        7,
        "runtime.gopark < runtime.bgsweep < runtime.goexit.abi0",
        (0, 1000),
    );
    program.goroutine(8, &Program::stack(SLEEP, "net/http.helper"), (0, 1000));
    let trace = program.finish();
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "4 of 5 goroutines waited for a mutex: 90 % of the time",
            "The likely holder slept for 100 % of that time, in clerk → post → time.Sleep.",
        ],
    );
    assert_eq!(causes_of(&trace, 100)[0].0, "lock");
}

const SEND: &str = "runtime.gopark < runtime.chansend < runtime.chansend1";

/// Returns the first cause found in a program whose goroutines wait to send to a channel while others work.
fn cause_of_sending(doers: &[&str]) -> (String, String) {
    let mut program = Program::new();
    let main = Program::stack("runtime.gopark < sync.(*WaitGroup).Wait", "main.main");
    program.goroutine(1, &main, (0, 1000));
    for id in 2..6 {
        let place = Program::stack(SEND, "main.fetch < main.gallery");
        program.goroutine(id, &place, (0, 1000));
    }
    for (id, doer) in (6..).zip(doers) {
        program.goroutine(id, &Program::stack(SLEEP, doer), (0, 1000));
    }
    let trace = program.finish();
    let (cause, ..) = causes_of(&trace, 100).swap_remove(0);
    (cause, first_of(&explain_pid(&trace, 100)))
}

#[test]
fn a_channel_that_lets_few_past_is_a_semaphore() {
    let (cause, answer) = cause_of_sending(&["main.fetch < main.gallery"; 2]);
    assert_eq!(cause, "semaphore", "{answer}");
    says(&answer, &["4 of 6 goroutines", "gallery → fetch"]);
}

#[test]
fn a_channel_whose_receiver_is_slow_is_none() {
    let (cause, answer) = cause_of_sending(&["main.collect"]);
    assert_eq!(cause, "sleep", "{answer}");
    let (cause, answer) = cause_of_sending(&["main.fetch < main.gallery", "main.collect"]);
    assert_eq!(cause, "sleep", "{answer}");
}

#[test]
fn one_that_waits_among_many_that_sleep_is_not_what_matters() {
    let mut program = Program::new();
    for id in 1..5 {
        program.goroutine(id, &Program::stack(SLEEP, "main.poll"), (0, 1000));
    }
    program.goroutine(6, &Program::stack(LOCK, "main.post"), (0, 1000));
    let trace = program.finish();
    let (cause, ms, _) = causes_of(&trace, 100).swap_remove(0);
    assert_eq!((cause.as_str(), ms), ("sleep", 900));
    says(&explain_pid(&trace, 100), &["poll → time.Sleep"]);
}

#[test]
fn the_time_is_cut_where_the_goroutines_go_on() {
    let mut program = Program::new();
    program.goroutine(1, &Program::stack(SLEEP, "main.main"), (0, 500));
    program.goroutine(2, &Program::stack(LOCK, "main.post"), (500, 1000));
    let causes = causes_of(&program.finish(), 100);
    let found: Vec<_> = causes
        .iter()
        .map(|(cause, ms, _)| (cause.as_str(), *ms))
        .collect();
    assert!(
        found.contains(&("sleep", 450)) && found.contains(&("lock", 450)),
        "{found:?}"
    );
}

#[test]
fn a_server_without_clients_is_idle_whoever_sleeps_in_it() {
    let mut program = Program::new();
    let accept = "runtime.gopark < internal/poll.runtime_pollWait < internal/poll.(*FD).Accept";
    program.goroutine(1, &Program::stack(accept, "main.main"), (0, 1000));
    let worker = Program::stack(
        "runtime.gopark < runtime.chanrecv < runtime.chanrecv1",
        "main.worker",
    );
    program.goroutine(2, &worker, (0, 1000));
    let causes = causes_of(&program.finish(), 100);
    assert!(
        causes
            .iter()
            .all(|(cause, ..)| cause != "lock" && cause != "channel"),
        "{causes:?}"
    );
}

/// Goroutines queue for a mutex while another one computes, and perhaps one that needs no mutex on the other CPU.
fn computing_holder(is_busy: bool) -> Literal {
    let mut trace = Literal::new(1000);
    let (process, main) = process(&mut trace, "tiles", 100, None, (0, 1000));
    trace.capabilities.set(Capability::Goroutines);
    trace.play(main, "R1000");
    if is_busy {
        let other = trace.thread(process, "other");
        trace.play(other, "R1000");
    }
    let stack = trace.stack("queue", &Program::stack(LOCK, "main.tile"));
    let row = |id, state: GoroutineState, stack| GoroutineRow {
        from_ns: 0,
        process: Some(process),
        thread: Some(main),
        duration_ns: 1000 * MS,
        goroutine: id,
        state: state.code(),
        count: 1,
        stack,
    };
    let waits = (2..9).map(|id| row(id, GoroutineState::Waiting, Some(stack)));
    let runs = row(9, GoroutineState::Running, None);
    trace.tables.push(Table::from_rows(waits.chain([runs])));
    trace
}

#[test]
fn a_mutex_held_while_computing_keeps_others_from_a_free_cpu() {
    says(
        &explain_pid(&computing_holder(false), 100),
        &["7 of 8 goroutines waited for a mutex, while another one computed: 100 % of the time"],
    );
    let causes = causes_of(&computing_holder(true), 100);
    assert!(
        causes.iter().all(|(cause, ..)| cause != "lock"),
        "{causes:?}"
    );
}

const SELECT: &str = "runtime.gopark < runtime.selectgo";
const RECEIVE: &str = "runtime.gopark < runtime.chanrecv < runtime.chanrecv1";
const READ: &str = "runtime.gopark < internal/poll.runtime_pollWait < internal/poll.(*FD).Read";

/// The part of an answer about the thing that took most time.
fn first_of(answer: &str) -> String {
    let lines = answer.lines().skip_while(|line| !line.starts_with("1 "));
    let lines = lines.take_while(|line| !line.starts_with("2 "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_timer_is_that_of_the_select_whose_wait_it_ended() {
    let mut program = Program::new();
    let collects = Program::stack(SELECT, "main.collectBatch < main.store");
    program.goroutine_with_threads(1, &collects);
    for id in 2..6 {
        let sends = Program::stack(RECEIVE, "main.sendReadings");
        program.goroutine_with_threads(id, &sends);
    }
    // It may have a timer, too, but none that ended a wait.
    program.goroutine(6, &Program::stack(SELECT, "main.watch"), (0, 1000));
    let trace = program.finish();
    let answer = first_of(&explain_pid(&trace, 100));
    says(
        &answer,
        &["slept until its next timer", "store → collectBatch"],
    );
    assert_eq!(causes_of(&trace, 100)[0].0, "sleep");
}

#[test]
fn a_deadline_of_a_read_is_no_sleep() {
    let mut program = Program::new();
    program.goroutine_with_threads(1, &Program::stack(READ, "main.askBoat < main.refresh"));
    let trace = program.finish();
    let answer = first_of(&explain_pid(&trace, 100));
    says(&answer, &["until it timed out", "refresh → askBoat"]);
    assert_eq!(causes_of(&trace, 100)[0].0, "timeout");
}

#[test]
fn of_two_that_may_have_set_the_timer_none_is_named() {
    let mut program = Program::new();
    for (id, place) in [(1, "main.collectBatch"), (2, "main.flush")] {
        program.goroutine_with_threads(id, &Program::stack(SELECT, place));
    }
    let answer = explain_pid(&program.finish(), 100);
    assert!(
        !answer.contains("collectBatch") && !answer.contains("flush"),
        "{answer}"
    );
}

#[test]
fn a_timer_that_is_received_from_is_named_if_nobody_else_waits_for_a_message() {
    let answer = |others: bool| {
        let mut program = Program::new();
        program.goroutine_with_threads(1, &Program::stack(RECEIVE, "main.tick"));
        if others {
            program.goroutine_with_threads(2, &Program::stack(RECEIVE, "main.worker"));
        }
        first_of(&explain_pid(&program.finish(), 100))
    };
    says(&answer(false), &["tick"]);
    assert!(!answer(true).contains("tick"));
}

#[test]
fn replies_are_waited_for_where_the_goroutine_reads_them() {
    let mut trace = Literal::new(1000);
    let (process, main) = process(&mut trace, "sms", 100, None, (0, 1000));
    let (_, gateway) = super::process(&mut trace, "gateway", 200, None, (0, 1000));
    trace.capabilities.set(Capability::Goroutines);
    trace.stack(
        "netpoll",
        "k:ep_poll < k:do_epoll_wait < runtime.netpoll < runtime.findRunnable",
    );
    trace.stack("recv", "k:unix_stream_recvmsg < recv < gateway!main");
    // Only when it connects a call of its is sampled.
    trace.stack(
        "dial",
        "k:__x64_sys_connect < net.connect < main.dialGateway",
    );
    trace.called_from(main, &[1], (42, 1), "dial");
    trace.calls(main, (42, 0), 1, None, 1);
    trace.play(main, &"R10 W90:netpoll<gateway ".repeat(10));
    trace.play(gateway, &"W10:recv<sms R90 ".repeat(10));
    let mut program = Program {
        trace,
        process,
        main,
        rows: Vec::new(),
    };
    for wait in 0..10 {
        let place = Program::stack(READ, "main.submitMessage < main.main");
        program.goroutine(1, &place, (wait * 100 + 15, wait * 100 + 103));
    }
    // A connection that nothing comes from.
    program.goroutine(2, &Program::stack(READ, "main.listen"), (0, 1000));
    let answer = explain_pid(&program.finish(), 100);
    says(
        &first_of(&answer),
        &[
            "It waited for replies from gateway(200): 90 % of the time",
            "main → submitMessage",
        ],
    );
}

#[test]
fn a_collection_is_placed_where_the_program_asks_for_it() {
    let answer = |stack: &str, until: i64| {
        let mut trace = Literal::new(1000);
        let (process, main) = process(&mut trace, "map", 100, None, (0, 1000));
        trace.capabilities.set(Capability::Goroutines);
        trace.stack("drain", "runtime.gcDrain < runtime.gcBgMarkWorker");
        trace.play(main, "R1000");
        trace.sample(
            main,
            &(0..100).map(|at| at * 10).collect::<Vec<_>>(),
            "drain",
        );
        let mut program = Program {
            trace,
            process,
            main,
            rows: Vec::new(),
        };
        program.goroutine(
            1,
            &Program::stack(stack, "main.returnMemory < main.serve"),
            (0, until),
        );
        explain_pid(&program.finish(), 100)
    };
    let asked = "runtime.gopark < runtime.gcWaitOnMark < runtime.GC < runtime/debug.FreeOSMemory";
    let told = [
        "It collected garbage: 100 %",
        "serve → returnMemory",
        "The program asked for it",
    ];
    says(&answer(asked, 950), &told);
    assert!(!answer(asked, 100).contains("returnMemory"));
    let assists = answer(
        "runtime.gopark < runtime.gcParkAssist < runtime.gcAssistAlloc",
        950,
    );
    says(&assists, &["serve → returnMemory"]);
    assert!(!assists.contains("asked for it"), "{assists}");
}

#[test]
fn a_collector_that_the_environment_makes_busy_says_so() {
    let answer = |setting: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "map", 100, None, (0, 1000));
        trace.stack("drain", "runtime.gcDrain < runtime.gcBgMarkWorker");
        trace.play(main, "R1000");
        let times: Vec<i64> = (0..100).map(|at| at * 10).collect();
        trace.sample(main, &times, "drain");
        trace.tables.push(Table::from_rows([FactRow {
            subject: "recording".to_owned(),
            key: "go_setting".to_owned(),
            value: setting.to_owned(),
        }]));
        explain_pid(&trace, 100)
    };
    says(
        &answer("100 GOGC=5"),
        &["Its environment has GOGC=5", "grown by 5 %"],
    );
    // Another process's, and settings that let it collect as rarely as usual, or are none.
    for setting in [
        "101 GOGC=5",
        "100 GOGC=100",
        "100 GOGC=off",
        "100 GOMEMLIMIT=5",
    ] {
        let answer = answer(setting);
        assert!(!answer.contains("Its environment"), "{setting}: {answer}");
    }
}

const STOPPED: &str = "k:futex_wait < k:do_futex < runtime.futex < runtime.notesleep < runtime.stopm < runtime.findRunnable";

#[test]
fn a_thread_with_nothing_to_do_waits_for_what_its_goroutines_wait_for() {
    let answer = |runs: bool| {
        let mut program = Program::waiting(STOPPED);
        program.goroutine(1, &Program::stack(SLEEP, "main.retry"), (0, 1000));
        if runs {
            program.goroutine(2, &Program::stack(SLEEP, "main.count"), (0, 1000));
            let last = program.rows.last_mut().expect("one");
            last.state = GoroutineState::Running.code();
        }
        first_of(&explain_pid(&program.finish(), 100))
    };
    says(
        &answer(false),
        &["It slept: 90 % of the time", "retry → time.Sleep"],
    );
    // Another goroutine ran, on another thread.
    assert!(!answer(true).contains("slept"));
}

#[test]
fn who_asks_this_very_program_waits_for_the_sleep_of_one_that_answers() {
    let answer = |server: &str| {
        let mut program = Program::new();
        let asks = "runtime.gopark < runtime.selectgo < net/http.(*persistConn).roundTrip < net/http.(*Transport).roundTrip";
        program.goroutine(1, &Program::stack(asks, "main.fetch"), (0, 1000));
        let serves = format!("{SLEEP} < main.handle < {server} < runtime.goexit.abi0");
        program.goroutine(2, &serves, (0, 1000));
        first_of(&explain_pid(&program.finish(), 100))
    };
    says(
        &answer("net/http.HandlerFunc.ServeHTTP < net/http.(*conn).serve"),
        &["It slept: 90 % of the time", "handle → time.Sleep"],
    );
    assert!(!answer("main.heartbeat").contains("It slept: 90 %"));
}

#[test]
fn a_server_that_shuts_down_waits_and_one_that_serves_has_nothing_to_do() {
    let place = |waits_in: &str| {
        let mut program = Program::new();
        let leaf = format!("runtime.gopark < runtime.selectgo < net/http.(*Server).{waits_in}");
        program.goroutine_with_threads(1, &Program::stack(&leaf, "main.stopService < main.main"));
        explain_pid(&program.finish(), 100)
    };
    says(&place("Shutdown"), &["stopService"]);
    assert!(
        !place("Serve").contains("stopService"),
        "{}",
        place("Serve")
    );
}
