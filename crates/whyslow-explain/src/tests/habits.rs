//! What is said about programs that start others, threads, or look again and again; and of those that only
//! seem to.

use super::*;

const VFORK: i32 = 58;

const CLONE: i32 = 56;
const WAIT4: i32 = 61;
const SCHED_YIELD: i32 = 24;
const READ: i32 = 0;

fn causes_of(trace: &Literal) -> Vec<String> {
    let all = findings(trace, 100).into_iter();
    all.map(|one| one.cause).collect()
}

fn about(trace: &Literal, cause: &str) -> Finding {
    let mut all = findings(trace, 100).into_iter();
    let found = all.find(|one| one.cause == cause);
    found.unwrap_or_else(|| panic!("no {cause} in\n{}", explain_pid(trace, 100)))
}

/// A program that starts others one after the other; each computes for `work_ms`.
fn starts(names: &[&str], count: i32, work_ms: i64, stack: &str) -> Literal {
    let each = work_ms + 2;
    let mut trace = Literal::new(i64::from(count) * each);
    let life = (0, i64::from(count) * each);
    let (app, main) = process(&mut trace, "app", 100, None, life);
    trace.processes[app.index()].command_line = Some("app --all list.csv".to_owned());
    trace.stack("wait4", "k:do_wait < waitpid < convert < main < _start");
    trace.stack("work", stack);
    for at in 0..count {
        let name = names[usize::try_from(at).expect("small") % names.len()];
        let start = i64::from(at) * each + 1;
        let life = (start, start + work_ms);
        let (_, child) = process(&mut trace, name, 200 + at, Some(app), life);
        trace.threads[child.index()].name = Some(format!("child-{at}"));
        trace.play(child, &format!("R{work_ms}"));
        let samples: Vec<i64> = (start..start + work_ms).collect();
        trace.sample(child, &samples, "work");
        trace.play(main, &format!("R1 W{work_ms}:wait4<child-{at} R1"));
    }
    trace
}

#[test]
fn short_programs_add_up_and_name_who_starts_them_where() {
    let trace = starts(&["expr", "cut"], 80, 5, "tool!main < tool!_start");
    let storm = about(&trace, "process-storm");
    assert_eq!(storm.wall_ns, 400 * MS);
    assert_eq!(storm.fact("count"), Some(&Value::Count(80)));
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "It started cut and other programs 80 times, 5 ms each",
            "It started cut 40 times, expr 40 times.",
            "convert",
        ],
    );
}

#[test]
fn all_short_programs_are_counted_with_the_copies_of_a_shell_apart() {
    let mut trace = starts(&["awk", "bash", "cut", "expr", "bash"], 150, 5, "tool!main");
    for row in &mut trace.processes[..1] {
        "bash".clone_into(&mut row.name);
    }
    says(
        &explain_pid(&trace, 100),
        &[
            "It started bash (a subshell) 60 times, awk 30 times, cut 30 times, and others 30 times.",
            "It started 150 short processes, 5 ms each",
            "Start each program once",
        ],
    );
}

#[test]
fn what_a_library_does_to_start_programs_is_part_of_their_price() {
    let mut trace = starts(&["git"], 100, 5, "k:do_syscall_64");
    let main = ThreadId(0);
    let spawn = "libc.so.6!vfork < libc.so.6!execSync < header_of < main";
    trace.stack("spawn", spawn);
    let before = about(&trace, "process-storm").wall_ns;
    // A seventh of the time, about one millisecond before each child and one after it.
    let at: Vec<i64> = (0..100).flat_map(|at| [at * 7, at * 7 + 6]).collect();
    trace.sample(main, &at, "spawn");
    trace.calls(main, (VFORK, 0), 100, None, 100);
    trace.called_from(main, &[0, 7, 14], (VFORK, 33), "spawn");
    let after = about(&trace, "process-storm").wall_ns;
    assert_eq!((before / MS, after / MS), (500, 700));
}

#[test]
fn that_a_short_program_computes_says_no_more_than_that_it_is_started_again_and_again() {
    let trace = starts(&["sqlite3"], 80, 5, "k:do_syscall_64");
    let answer = explain_pid(&trace, 100);
    says(&answer, &["It started sqlite3 80 times, 5 ms each"]);
    assert!(!answer.contains("sqlite3 computed"), "{answer}");
}

#[test]
fn programs_that_have_something_to_do_are_no_storm() {
    let trace = starts(&["test"], 40, 60, "tool!parse < tool!main < tool!_start");
    assert!(!causes_of(&trace).contains(&"process-storm".to_owned()));
    // An interpreter that computes for as long only to start is one.
    let import =
        "libpython3.11.so.1.0!read < libpython3.11.so.1.0!import_find_and_load < tool!main";
    let trace = starts(&["test"], 40, 60, import);
    assert_eq!(causes_of(&trace)[0], "process-storm");
    // A runtime that computes for as long has hardly started, wherever it did so.
    let java = starts(&["java"], 25, 60, "Receipt.total < Receipt.main");
    assert_eq!(causes_of(&java)[0], "process-storm");
    // A few that take long to start are one, too; a few short ones are not.
    let boots = "node!node::crypto::UseExtraCaCerts < node!node::InitializeOncePerProcessInternal < node!main";
    assert_eq!(
        causes_of(&starts(&["node"], 10, 100, boots))[0],
        "process-storm"
    );
    let few = starts(&["test"], 10, 10, "tool!parse < tool!main < tool!_start");
    assert!(!causes_of(&few).contains(&"process-storm".to_owned()));
}

#[test]
fn a_thread_for_every_item_is_named_with_its_price() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("join", "k:futex_wait < pthread_join < handle_item < main");
    for at in 0..200 {
        let start = at * 5 + 2;
        let thread = trace.thread(app, &format!("item-{at}"));
        let row = &mut trace.threads[thread.index()];
        (row.start_ns, row.end_ns) = (Some(start * MS), Some((start + 2) * MS));
        trace.start(thread, start);
        trace.play(thread, "r1 R1");
        trace.play(main, &format!("R2 W2:join<item-{at} R1"));
    }
    trace.calls(main, (CLONE, 0), 200, None, 20);
    let storm = about(&trace, "thread-storm");
    assert_eq!(storm.fact("count"), Some(&Value::Count(200)));
    says(
        &explain_pid(&trace, 100),
        &["It started 200 threads", "handle_item"],
    );
}

#[test]
fn all_that_a_library_does_to_start_a_thread_is_part_of_its_price() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "make",
        "k:do_mprotect_pkey < libc.so.6!mprotect < libc.so.6!pthread_create < handle_item < main",
    );
    trace.stack(
        "clone",
        "libc.so.6!clone3 < libc.so.6!pthread_create < handle_item < main",
    );
    trace.play(main, "R1000");
    let times: Vec<i64> = (0..800).collect();
    trace.sample(main, &times, "make");
    trace.stack("work", "handle_item < main");
    let times: Vec<i64> = (800..1000).collect();
    trace.sample(main, &times, "work");
    for at in 0..200 {
        let thread = trace.thread(app, &format!("item-{at}"));
        let row = &mut trace.threads[thread.index()];
        (row.start_ns, row.end_ns) = (Some(at * 5 * MS), Some((at * 5 + 1) * MS));
        trace.start(thread, at * 5);
        trace.play(thread, "R1");
    }
    trace.calls(main, (CLONE, 0), 200, None, 20);
    trace.called_from(main, &[500], (CLONE, 200), "clone");
    let storm = about(&trace, "thread-storm");
    let ms = storm.wall_ns / MS;
    assert!((700..=900).contains(&ms), "{ms} ms");
}

/// Two threads that pass 1,100 items; each waits until the other one woke it.
pub(super) fn turns(class: &str) -> Literal {
    turns_at(&format!("{class} < pass_item < main"))
}

/// The same of threads that wait there.
fn turns_at(stack: &str) -> Literal {
    let mut trace = Literal::new(4400);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 4400));
    let other = trace.thread(app, "consumer");
    trace.stack("wait", &format!("k:futex_wait < {stack}"));
    trace.play(main, &"R1 W2:wait<consumer r1:wait<consumer ".repeat(1100));
    trace.play(other, "W1:wait<app");
    trace.play(other, &"r1:wait<app R1 W2:wait<app ".repeat(1099));
    trace.play(other, "r1:wait<app R1 W1:wait<app");
    trace
}

#[test]
fn two_threads_that_pass_one_item_at_a_time_are_named() {
    let turn = about(&turns("pthread_cond_wait"), "hand-over");
    let peer = Value::Process("app/consumer(1001)".to_owned());
    assert_eq!(turn.fact("peer"), Some(&peer));
    // Two semaphores pass turns; one that both wait for keeps one of them out.
    let semaphores = |other: i32| {
        let mut trace = turns("sem_wait");
        trace.waited_for(ThreadId(0), Some(1), None);
        trace.waited_for(ThreadId(1), Some(other), None);
        trace
    };
    assert!(causes_of(&semaphores(2)).contains(&"hand-over".to_owned()));
    assert!(!causes_of(&semaphores(1)).contains(&"hand-over".to_owned()));
    // Semaphores that are not known may be the same.
    assert!(!causes_of(&turns("sem_wait")).contains(&"hand-over".to_owned()));
    // Who keeps the other one out with a lock is another cause.
    assert!(!causes_of(&turns("__lll_lock_wait")).contains(&"hand-over".to_owned()));
}

#[test]
fn where_a_runtime_waits_for_them_their_own_function_is_the_place() {
    let mut trace = turns_at("libc.so.6!pthread_cond_wait");
    trace.stack("send", "libc.so.6!memcpy < set_pixel < main");
    trace.sample(
        ThreadId(0),
        &(0..1000).map(|at| at * 4).collect::<Vec<_>>(),
        "send",
    );
    let turn = about(&trace, "hand-over");
    let Some(Value::Place(place)) = turn.fact("place") else {
        panic!("{turn:?}");
    };
    assert_eq!(place.functions().next(), Some("set_pixel"), "{place}");
}

/// The same of two processes that talk through a socket or a pipe.
fn messages(call: &str) -> Literal {
    let mut trace = Literal::new(4400);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 4400));
    let (_, other) = process(&mut trace, "registry", 101, Some(app), (0, 4400));
    trace.stack(
        "wait",
        &format!("k:{call} < k:ksys_read < read < ask < main"),
    );
    trace.play(main, &"R1 W2:wait<registry r1:wait<registry ".repeat(1100));
    trace.play(other, "W1:wait<app");
    trace.play(other, &"r1:wait<app R1 W2:wait<app ".repeat(1099));
    trace.play(other, "r1:wait<app R1 W1:wait<app");
    trace
}

#[test]
fn two_processes_that_send_one_message_at_a_time_are_named() {
    let turn = about(&messages("unix_stream_read_generic"), "hand-over");
    let peer = Value::Process("registry(101)".to_owned());
    assert_eq!(turn.fact("peer"), Some(&peer));
    let answer = explain_pid(&messages("unix_stream_read_generic"), 100);
    says(
        &answer,
        &["sent each other one message at a time, 1100 times", "ask"],
    );
    // In a pipeline, each does its own work.
    assert!(!causes_of(&messages("pipe_read")).contains(&"hand-over".to_owned()));
}

#[test]
fn who_sends_what_it_reads_from_a_disk_gets_no_messages_back() {
    let stream = |waits: &str| {
        let mut trace = Literal::new(4400);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 4400));
        let (_, reader) = process(&mut trace, "reader", 101, Some(app), (0, 4400));
        trace.stack(
            "block",
            "k:unix_stream_read_generic < k:ksys_read < read < ask < main",
        );
        trace.stack(
            "disk",
            "k:folio_wait_bit_common < k:filemap_read < k:ksys_read < read < blocks < main",
        );
        trace.play(main, &"R1 W2:block<reader r1:block<reader ".repeat(1100));
        trace.play(reader, &format!("{waits}R2 ").repeat(1100));
        causes_of(&trace)
    };
    let is_told = |causes: Vec<String>| causes.contains(&"hand-over".to_owned());
    assert!(!is_told(stream("D2:disk<! ")));
    assert!(is_told(stream("W1:block<app r1:block<app ")));
}

#[test]
fn few_turns_of_much_work_are_as_they_should_be() {
    let mut trace = Literal::new(1600);
    let (app, main) = process(&mut trace, "game", 100, None, (0, 1600));
    let other = trace.thread(app, "other");
    trace.stack(
        "wait",
        "k:futex_wait < pthread_cond_wait < wait_for_turn < main",
    );
    trace.play(main, &"R20 W20:wait<other ".repeat(40));
    trace.play(other, &"W20:wait<game R20 ".repeat(40));
    let causes = causes_of(&trace);
    assert!(causes.iter().all(|cause| cause == "cpu"), "{causes:?}");
}

/// A program that waits for a child with sleeps of 50 ms; the child fills a pipe, or computes.
fn looks_for_its_child(child_does: &str) -> Literal {
    let mut trace = Literal::new(2000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 2000));
    let (child, worker) = process(&mut trace, "converter", 101, Some(app), (10, 1990));
    trace.processes[child.index()].exit_signal = Some(9);
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < convert < main");
    let full = "k:anon_pipe_write < k:__x64_sys_write < write < warn < main";
    trace.stack("full", full);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
    trace.play(main, &"R1 W49:nap<!@timer ".repeat(40));
    trace.start(worker, 10);
    trace.play(worker, child_does);
    trace.calls(main, (WAIT4, 0), 40, None, 1);
    trace.calls(main, (READ, 0), 1, None, 1);
    trace
}

#[test]
fn a_child_that_fills_a_pipe_which_nobody_reads_is_named() {
    let trace = looks_for_its_child("R10 W1970:full<app@kill");
    let pipe = about(&trace, "pipe");
    assert!(pipe.wall_ns > 1900 * MS && pipe.below.is_none(), "{pipe:?}");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "1 converter waited for room in a pipe that nobody read",
            "main → warn → write",
            "app started it, and was waiting for it to end.",
        ],
    );
}

#[test]
fn a_pipe_that_is_read_slowly_until_the_end_is_read() {
    let slow = "R10 W900:full<app R10 W1060:full<app@kill";
    let answer = explain_pid(&looks_for_its_child(slow), 100);
    assert!(!answer.contains("nobody read"), "{answer}");
}

/// A program that starts a child every 200 ms, and sleeps and asks until it ended.
fn starts_and_asks(sleeps: &str, child_ms: i64) -> Literal {
    let mut trace = Literal::new(2000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 2000));
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < convert < main");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("hot", "encode < main");
    trace.play(main, &format!("R4 {sleeps} ").repeat(10));
    for round in 0..10 {
        let from = round * 200 + 2;
        let life = (from, from + child_ms);
        let pid = 101 + i32::try_from(round).expect("few");
        let (_, child) = process(&mut trace, "encoder", pid, Some(app), life);
        trace.play(child, &format!("R{child_ms}"));
        trace.sample(child, &(life.0..life.1).collect::<Vec<_>>(), "hot");
    }
    trace.calls(main, (WAIT4, 0), 50, None, 1);
    trace
}

#[test]
fn only_who_asks_for_a_child_after_each_sleep_waits_for_it() {
    let answer = |asks_from_main: bool, asks: i64| {
        let mut trace = Literal::new(2000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 2000));
        let watchdog = trace.thread(app, "watchdog");
        let (_, child) = process(&mut trace, "helper", 101, Some(app), (1, 2000));
        trace.stack(
            "nap",
            "k:do_nanosleep < clock_nanosleep < fetch_again < main",
        );
        trace.stack(
            "look",
            "k:do_nanosleep < clock_nanosleep < look_after < start_thread",
        );
        trace.stack("rest", "k:do_nanosleep < clock_nanosleep < rest < main");
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.play(main, &"R1 W199:nap<!@timer ".repeat(10));
        trace.start(watchdog, 0);
        trace.play(watchdog, &"R1 W199:look<!@timer ".repeat(10));
        trace.play(child, "R9 W1990:rest<!@timer");
        let asker = if asks_from_main { main } else { watchdog };
        trace.calls(asker, (WAIT4, 0), asks, None, 1);
        // Other calls are counted later, too.
        trace.calls_from((main, 300), (READ, 0), 1, None, 1);
        explain_pid(&trace, 100)
    };
    // Another thread looks after the child.
    assert!(!answer(false, 10).contains("checked again"));
    says(&answer(false, 10), &["It slept: 100 %", "fetch_again"]);
    // It asked at first, and slept for something else later.
    says(&answer(true, 10), &["fetch_again"]);
}

#[test]
fn who_asks_whether_a_child_still_runs_waits_for_the_child() {
    let answer = explain_pid(&starts_and_asks(&"R1 W48:nap<!@timer ".repeat(4), 190), 100);
    says(&answer, &["encoder", "computed", "main → encode"]);
    assert!(!answer.contains("checked again"), "{answer}");
    assert!(!answer.contains("slept"), "{answer}");
    // It ended long before it was asked for again.
    let answer = explain_pid(
        &starts_and_asks(
            "R1 W6:nap<!@timer R1 W12:nap<!@timer R1 W25:nap<!@timer R1 W50:nap<!@timer R1 W98:nap<!@timer",
            104,
        ),
        100,
    );
    says(
        &answer,
        &[
            "It slept and checked again, 50 times: 47 % of the time",
            "It called wait4 50 times to see whether a process still runs, about once per sleep.",
        ],
    );
    // Who starts one between two sleeps asks for the end of each.
    let mut trace = looks_for_its_child("R1980");
    let app = trace.processes[0].id;
    for pid in 102..130 {
        process(&mut trace, "tool", pid, Some(app), (20, 30));
    }
    assert!(!explain_pid(&trace, 100).contains("still runs"));
}

#[test]
fn a_signal_of_a_child_that_ended_is_what_a_build_waits_for() {
    let mut trace = Literal::new(1000);
    let (make, main) = process(&mut trace, "make", 100, None, (0, 1000));
    trace.stack(
        "token",
        "k:poll_schedule_timeout < k:do_select < pselect < jobserver < main",
    );
    trace.stack(
        "ended",
        "k:complete_signal < k:do_notify_parent < k:exit_notify < k:do_exit",
    );
    trace.play(main, "R10");
    for at in 0..9 {
        let life = (at * 100 + 10, at * 100 + 110);
        let pid = 200 + i32::try_from(at).expect("small");
        let (_, child) = process(&mut trace, "cc1", pid, Some(make), life);
        trace.threads[child.index()].name = Some(format!("cc1-{at}"));
        trace.play(child, "R100");
        trace.play(main, &format!("W99:token<cc1-{at}@ended R1"));
    }
    let causes = causes_of(&trace);
    assert!(causes.iter().all(|cause| cause == "cpu"), "{causes:?}");
    assert_eq!(about(&trace, "cpu").wall_ns, 910 * MS);
}

#[test]
fn a_process_did_until_its_end_what_the_thread_did_that_ended_it() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.thread(app, "worker");
    let worker = ThreadId(1);
    trace.stack(
        "park",
        "k:futex_wait < k:do_futex < runtime.futex < runtime.stopm",
    );
    trace.stack("exit", "k:zap_other_threads < k:do_group_exit");
    trace.play(main, "R100 W900:park<worker@exit");
    trace.play(worker, "W100 R900");
    assert_eq!(about(&trace, "cpu").wall_ns, 1000 * MS);
}

#[test]
fn yielding_all_the_time_keeps_a_cpu_busy() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "yield",
        "k:do_sched_yield < sched_yield < wait_for_frame < main < _start",
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "yield");
    trace.calls(main, (SCHED_YIELD, 0), 1_000_000, None, 700);
    let spin = about(&trace, "spin");
    assert_eq!(spin.confidence, Confidence::Certain);
}

/// A trace whose tables are there, but one cannot be read.
struct Damaged(whyslow_model::MemoryTrace, &'static str);

impl whyslow_model::TraceView for Damaged {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn has(&self, table: &whyslow_model::TableSchema) -> bool {
        self.0.has(table)
    }

    fn scan(
        &self,
        table: &'static whyslow_model::TableSchema,
        scan: &whyslow_model::Scan<'_>,
        each: &mut dyn FnMut(&whyslow_model::Table) -> std::ops::ControlFlow<()>,
    ) -> Result<(), whyslow_model::ViewError> {
        match table.name == self.1 {
            true => Err(self.error()),
            false => self.0.scan(table, scan, each),
        }
    }

    fn read(
        &self,
        table: &'static whyslow_model::TableSchema,
        columns: &[&str],
    ) -> Result<whyslow_model::Table, whyslow_model::ViewError> {
        match table.name == self.1 {
            true => Err(self.error()),
            false => self.0.read(table, columns),
        }
    }

    fn pick(
        &self,
        table: &'static whyslow_model::TableSchema,
        rows: &[u32],
    ) -> Result<whyslow_model::Table, whyslow_model::ViewError> {
        self.0.pick(table, rows)
    }
}

impl Damaged {
    fn error(&self) -> whyslow_model::ViewError {
        whyslow_model::ViewError {
            trace: "t".to_owned(),
            table: self.1.to_owned(),
            cause: "checksum".to_owned(),
            advice: Some("extract the trace again"),
        }
    }
}

#[test]
fn a_damaged_table_costs_only_what_is_known_from_it() {
    let trace = turns("pthread_cond_wait");
    for table in [
        "system_call",
        "call_sample",
        "file_call",
        "wait_object",
        "group_reading",
    ] {
        let damaged = Damaged(trace.raw("t"), table);
        let target = Target {
            os_pid: Some(100),
            ..Target::default()
        };
        let answer = explain(&damaged, &target).expect("an answer");
        let Answer::Explained(explained) = &answer else {
            panic!("{answer:?}");
        };
        let mut causes = explained.findings.iter().map(|one| one.cause.as_str());
        assert!(causes.any(|cause| cause == "hand-over"), "{table}");
        // Where the recording has none of it, nothing was looked at.
        let said = print(&answer).contains("Part of the extract is damaged");
        assert!(said || table == "call_sample" || table == "system_call" || table == "file_call");
    }
}
