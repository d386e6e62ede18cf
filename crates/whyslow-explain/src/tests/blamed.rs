//! Who is blamed, and for what: children that are read from, peers that slept anyway, CPU time that is left over.

use whyslow_model::tables::{FileCallRow, FileRow, TcpConnectionRow};
use whyslow_model::{FileId, FileOperation, Named, Table};

use super::connections::{made, served};
use super::*;

fn causes_of(trace: &Literal) -> Vec<String> {
    let all = findings(trace, 100).into_iter();
    all.map(|one| one.cause).collect()
}

#[test]
fn who_holds_a_lock_at_last_did_not_hold_it_between_two_tries() {
    let answer = |between: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let holder = trace.thread(app, "holder");
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.stack(
            "try",
            "k:futex_wait < k:do_futex < pthread_mutex_timedlock < store < main",
        );
        let tries = format!("W90:try<!@timer R{between} ").repeat(5);
        trace.stack(
            "nap",
            "k:do_nanosleep < k:hrtimer_nanosleep < nap < keep < start_thread",
        );
        trace.play(main, &format!("{tries} W300:try<holder R50"));
        let until = 745 + 5 * between;
        trace.play(holder, &format!("W{until}:nap<!@timer R50"));
        explain_pid(&trace, 100)
    };
    says(&answer(0), &["app(100) waited 750 ms for a lock"]);
    says(&answer(10), &["app(100) waited 300 ms for a lock"]);
}

/// A program that reads what `writer` writes for most of a second, its child or not.
fn reads_from(is_child: bool) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let parent = is_child.then_some(app);
    let (_, writer) = process(&mut trace, "render", 200, parent, (50, 950));
    trace.stack("read", "k:pipe_read < k:ksys_read < read < preview < main");
    trace.stack("blur", "blur_page < main");
    trace.play(main, "R50 W900:read<render R50");
    trace.play(writer, "R900");
    trace.sample(writer, &(50..950).collect::<Vec<_>>(), "blur");
    trace
}

#[test]
fn who_reads_what_its_child_writes_waits_for_the_child() {
    let all = findings(&reads_from(true), 100);
    let child = all
        .iter()
        .find(|one| one.cause == "child")
        .expect("a wait for the child");
    assert_eq!(
        child.fact("object"),
        Some(&Value::Process("render".to_owned()))
    );
    let Some(Value::Place(place)) = child.fact("place") else {
        panic!("{child:?}");
    };
    assert!(place.functions().any(|name| name == "preview"), "{place:?}");
    assert!(!causes_of(&reads_from(false)).contains(&"child".to_owned()));
}

#[test]
fn a_peer_that_slept_anyway_held_up_no_acknowledgement() {
    let held = |server: &str| {
        let receives = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < send_request < main";
        let play = ("R50 W450:wait<server R50 W400:wait<server R50", server);
        let mut trace = served(receives, play, 850);
        trace
            .tables
            .retain(|table| table.schema.name != "tcp_connection");
        let row = TcpConnectionRow {
            held_replies: Some(4),
            held_ns: Some(850 * MS),
            replies: Some(4),
            reply_ns: Some(850 * MS),
            ..made()
        };
        let its_end = TcpConnectionRow {
            process: Some(ProcessId::from_index(1).expect("few")),
            thread: Some(ThreadId::from_index(1).expect("few")),
            side: whyslow_model::TcpSide::In.code(),
            local_port: row.remote_port,
            remote_port: row.local_port,
            ..made()
        };
        trace.tables.push(Table::from_rows(vec![row, its_end]));
        trace
            .tables
            .extend(objects::object("tcp", "10.1.2.3:5432", None));
        trace.waited_for(ThreadId(0), Some(0), None);
        trace
    };
    let idle = held("W40:asks<app R10 W440:asks<app R20 W480:asks<app R10");
    assert!(
        causes_of(&idle).contains(&"delayed-ack".to_owned()),
        "{}",
        explain_pid(&idle, 100)
    );
    let busy = held("W40:asks<app R460 W50:asks<app R450");
    assert!(
        !causes_of(&busy).contains(&"delayed-ack".to_owned()),
        "{}",
        explain_pid(&busy, 100)
    );
}

#[test]
fn what_the_kernel_did_besides_is_left_over() {
    let trace = |stack: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack(
            "sync",
            "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < deliver < main",
        );
        trace.stack("make", stack);
        trace.play(main, &"D75:sync<! R25 ".repeat(10));
        let on = (0..1000).filter(|at| at % 100 >= 75).collect::<Vec<_>>();
        trace.sample(main, &on, "make");
        trace
    };
    let in_kernel = trace("k:ext4_create < k:__x64_sys_openat < openat < make_file < main");
    assert_eq!(causes_of(&in_kernel), ["fsync"]);
    assert_eq!(
        causes_of(&trace("checksum < check < main")),
        ["fsync", "cpu"]
    );
}

#[test]
fn what_entering_the_kernel_costs_is_part_of_the_calls() {
    const NEWFSTATAT: i32 = 262;
    let stats = |stack: &str| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("stat", stack);
        trace.play(main, "R1000");
        trace.sample(main, &(0..1000).collect::<Vec<_>>(), "stat");
        trace.calls(main, (NEWFSTATAT, 0), 100_000, None, 150);
        trace.called_from(
            main,
            &(0..90).collect::<Vec<_>>(),
            (NEWFSTATAT, 1000),
            "stat",
        );
        let id = FileId::from_index(0).expect("few");
        trace.tables.push(Table::from_rows([FileRow {
            id,
            path: "/t/page".to_owned(),
            inode: None,
            device: None,
            kind: None,
            file_system: None,
            flags: 0,
        }]));
        trace.tables.push(Table::from_rows([FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: Some(id),
            operation: FileOperation::Stat.code(),
            result: 0,
            flags: 0,
            count: 100_000,
            bytes: None,
            time_ns: Some(150 * MS),
            longest_ns: Some(MS),
            timed_count: 100_000,
        }]));
        let all = findings(&trace, 100);
        let found = all.iter().find(|one| one.cause == "stat-storm");
        found.map_or(0, |one| one.wall_ns / MS)
    };
    let in_kernel = "k:entry_SYSCALL_64 < stat < refresh < main";
    assert_eq!(stats(in_kernel), 1000);
    assert_eq!(stats("stat < refresh < main"), 150);
}

#[test]
fn an_event_loop_that_waits_for_one_short_timer_after_the_other_sleeps() {
    let loops = |times: usize, ms: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
        trace.stack(
            "poll",
            "k:ep_poll < k:do_epoll_wait < epoll_pwait < uv__io_poll < uv_run < main",
        );
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.play(main, &format!("R1 W{ms}:poll<!@timer ").repeat(times));
        causes_of(&trace)
    };
    let sleeps = |times, ms| loops(times, ms).contains(&"sleep".to_owned());
    assert!(sleeps(400, 1));
    // Sixty pictures a second, and now and then a moment.
    assert!(!sleeps(58, 16));
    assert!(!sleeps(60, 1));
}

#[test]
fn before_a_helper_got_its_work_whoever_gave_it_mattered() {
    let mut trace = Literal::new(1000);
    let (app, first) = process(&mut trace, "java", 100, None, (0, 1000));
    let main = trace.thread(app, "main");
    let helper = trace.thread(app, "helper");
    trace.stack(
        "join",
        "k:futex_wait < k:do_futex < pthread_join < JLI_Launch",
    );
    trace.stack(
        "wait",
        "k:futex_wait < k:do_futex < pthread_cond_wait < VMThread::loop",
    );
    trace.stack("hot", "fold < Main.sum < Main.main");
    trace.play(first, "R10 W980:join<helper R10");
    trace.play(main, "W10:join R970 W20:join");
    trace.play(helper, "W20:wait W960:wait<main R20");
    trace.sample(main, &(20..970).collect::<Vec<_>>(), "hot");
    let all = findings(&trace, 100);
    assert_eq!(all[0].cause, "cpu", "{}", explain_pid(&trace, 100));
}

#[test]
fn the_path_does_not_return_to_a_helper_that_idled_before() {
    let mut trace = Literal::new(1000);
    let (app, first) = process(&mut trace, "java", 100, None, (0, 1000));
    let main = trace.thread(app, "main");
    let helper = trace.thread(app, "VM-Thread");
    trace.stack(
        "join",
        "k:futex_wait < k:do_futex < pthread_join < JLI_Launch",
    );
    trace.stack(
        "idle",
        "k:futex_wait < k:do_futex < pthread_cond_timedwait < VMThread::wait_for_operation",
    );
    trace.stack("hot", "fold < Main.sum < Main.main");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(first, "R10 W980:join<VM-Thread R10");
    trace.play(main, "W10:join R970 W20:join");
    // It looks once a second whether there is something to do.
    trace.play(helper, "W20:idle W880:idle<!@timer R1 W79:idle<main R20");
    trace.sample(main, &(20..970).collect::<Vec<_>>(), "hot");
    let all = findings(&trace, 100);
    assert_eq!(all[0].cause, "cpu", "{}", explain_pid(&trace, 100));
    assert!(all[0].wall_ns > 900 * MS, "{}", explain_pid(&trace, 100));
}

#[test]
fn a_namespace_of_cpp_is_no_foreign_crate_beside_a_rust_program() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("hot", "libc.so.6!memset < Finder::shortest_way < main");
    trace.stack("before", "runner!runner::main < runner!main");
    trace.play(main, "R1000");
    trace.sample(main, &[0], "before");
    trace.sample(main, &(1..1000).collect::<Vec<_>>(), "hot");
    let all = findings(&trace, 100);
    let Some(Value::Place(place)) = all[0].fact("place") else {
        panic!("{all:?}");
    };
    assert_eq!(place.functions().next(), Some("Finder::shortest_way"));
}

#[test]
fn a_forked_worker_is_not_where_its_parent_was() {
    // Celery and pathos bring their own.
    for library in ["multiprocessing", "billiard", "multiprocess"] {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "python3", 100, None, (0, 1000));
        let file = |name: &str| format!("/usr/lib/python3.11/{library}/{name}");
        let begin = file("process.py!BaseProcess._bootstrap");
        let above = file("context.py!Pool < app.py!main");
        let pool = file("pool.py!worker");
        trace.stack(
            "work",
            &format!("app.py!quote < {pool} < {begin} < {above}"),
        );
        trace.stack("get", &format!("{pool} < {begin} < {above}"));
        trace.play(main, "R1000");
        trace.sample(main, &(0..700).collect::<Vec<_>>(), "get");
        trace.sample(main, &(700..1000).collect::<Vec<_>>(), "work");
        let answer = explain_pid(&trace, 100);
        assert!(!answer.contains("main"), "{answer}");
        says(&answer, &["worker"]);
    }
}

#[test]
fn what_makes_the_items_is_a_part_of_the_function_around_it() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "python3", 100, None, (0, 1000));
    trace.stack("own", "plan.py!count < plan.py!main");
    trace.stack(
        "items",
        "plan.py!count.<locals>.<genexpr> < plan.py!count < plan.py!main",
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..450).collect::<Vec<_>>(), "own");
    trace.sample(main, &(450..1000).collect::<Vec<_>>(), "items");
    says(
        &explain_pid(&trace, 100),
        &["main → count (plan.py:16): 100 % of the CPU time"],
    );
}

#[test]
fn a_function_that_most_goes_through_says_more_than_a_part_of_it() {
    let answer = |others: [&str; 2]| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("one", "read_year < read_date < main < _start");
        for (name, stack) in ["two", "three"].into_iter().zip(others) {
            trace.stack(name, stack);
        }
        trace.play(main, "R1000");
        trace.sample(main, &(0..450).collect::<Vec<_>>(), "one");
        trace.sample(main, &(450..800).collect::<Vec<_>>(), "two");
        trace.sample(main, &(800..1000).collect::<Vec<_>>(), "three");
        explain_pid(&trace, 100)
    };
    let through = answer([
        "read_month < read_date < main < _start",
        "print < main < _start",
    ]);
    says(
        &through,
        &["main → read_date: 80 % of the CPU time, 45 % in read_year"],
    );
    let apart = answer(["write < main < _start", "print < main < _start"]);
    says(&apart, &["Nothing else stands out"]);
    let all = answer([
        "read_month < read_date < main < _start",
        "read_day < read_date < main < _start",
    ]);
    says(&all, &["Nothing else stands out"]);
}
