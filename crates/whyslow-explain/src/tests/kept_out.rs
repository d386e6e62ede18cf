//! Locks that keep threads out while the path is on their holder.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{FileId, FileOperation, Named, Table};

use super::*;

const CLERK: &str = "k:futex_wait < k:do_futex < RwLock::read < price_of < answer < start_thread";

/// A thread that holds a lock nearly all the time, `holder` says what it does, and two that want it.
fn behind_a_holder(holder: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("want", CLERK);
    trace.stack("unlock", "k:futex_wake < unlock < reload < main");
    trace.stack(
        "fsync",
        "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < reload < main",
    );
    trace.stack(
        "item",
        "k:futex_wait < k:do_futex < pthread_cond_wait < next_item < reload < main",
    );
    trace.stack(
        "accept",
        "k:inet_csk_accept < k:__sys_accept4 < accept < reload < main",
    );
    trace.play(main, &holder.repeat(10));
    for name in ["clerk-1", "clerk-2"] {
        let clerk = trace.thread(app, name);
        trace.play(clerk, &"W95:want<app@unlock R5 ".repeat(10));
    }
    trace
}

fn names_a_lock(trace: &Literal) -> bool {
    findings(trace, 100).iter().any(|one| one.cause == "lock")
}

#[test]
fn the_holder_computes_while_the_others_wait() {
    let trace = behind_a_holder("R100 ");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "2 threads, such as app/clerk-1(1001), waited 950 ms for a lock that app(100) held: 95 % of \
             the time  likely\n    answer → price_of → RwLock::read\n    \
             app(100) held it and computed for 100 % of that time; it released the lock in main → reload → unlock.\n",
        ],
    );
    let all = findings(&trace, 100);
    let lock = all.iter().find(|one| one.cause == "lock").expect("a lock");
    assert_eq!(lock.fact("count"), Some(&Value::Count(20)));
    // The lock is the reason; what its holder did is how.
    assert_eq!(lock.below, None);
    let computed = all.iter().find(|one| one.cause == "cpu");
    let below = computed.and_then(|one| one.below.as_deref());
    assert_eq!(below, Some("lock"));
}

#[test]
fn nobody_else_could_have_gone_on_where_its_own_threads_used_all_cpus() {
    let beside = |mut trace: Literal, is_own: bool| {
        let app = trace.threads[0].process;
        let thread = match is_own {
            true => trace.thread(app, "other"),
            false => process(&mut trace, "other", 200, None, (0, 1000)).1,
        };
        trace.play(thread, "R1000");
        names_a_lock(&trace)
    };
    assert!(!beside(behind_a_holder("R100 "), true));
    // What other programs did says nothing of this one.
    assert!(beside(behind_a_holder("R100 "), false));
    // Where the holder waits for something, the lock costs what the others could have done.
    assert!(beside(behind_a_holder("R5 D90:fsync<! R5 "), true));
    // It would have used all CPUs, had others not had one of them now and then.
    let mut trace = behind_a_holder("R100 ");
    let app = trace.threads[0].process;
    let thread = trace.thread(app, "other");
    trace.play(thread, &"R60 P40 ".repeat(10));
    assert!(!names_a_lock(&trace));
    // A holder that mostly wants a CPU has another problem.
    assert!(!beside(behind_a_holder("R40 P60 "), false));
}

#[test]
fn one_thread_that_waits_for_work_for_all_keeps_nobody_out() {
    for waits in ["accept<!", "item<other"] {
        let mut trace = behind_a_holder(&format!("R5 W90:{waits} R5 "));
        let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
        trace.play(other, "R1000");
        assert!(!names_a_lock(&trace), "{waits}");
    }
}

#[test]
fn a_lock_that_is_given_up_or_of_another_process_has_no_holder() {
    for ended_by in ["!", "stranger"] {
        let mut trace = behind_a_holder("R100 ");
        let (_, other) = process(&mut trace, "stranger", 200, None, (0, 1000));
        trace.play(other, "W1000");
        let waker = trace.threads.iter();
        let waker = waker.filter(|row| row.name.as_deref() == Some(ended_by));
        let waker = waker.map(|row| row.id).next();
        for row in trace
            .states
            .iter_mut()
            .filter(|row| row.waker_thread == Some(ThreadId(0)))
        {
            row.waker_thread = waker;
            row.waker_kind = waker.and(row.waker_kind);
        }
        assert!(!names_a_lock(&trace), "{ended_by}");
    }
}

/// Three threads that want something of an interpreter's, each ended by the one that `waker` names for it.
fn python_threads(wakers: [&str; 3]) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, tool) = process(&mut trace, "tool", 101, Some(app), (0, 1000));
    trace.stack(
        "want",
        "k:futex_wait < k:do_futex < lock_PyThread_acquire_lock < sign < publish",
    );
    trace.stack("wait4", "k:do_wait < k:kernel_wait4 < run < sign < publish");
    trace.stack("join", "k:futex_wait < k:do_futex < Thread.join < main");
    let threads = ["p0", "p1", "p2"].map(|name| trace.thread(app, name));
    trace.play(main, "R10 W980:join<p0 R10");
    trace.play(tool, "R1000");
    for (at, (thread, waker)) in threads.into_iter().zip(wakers).enumerate() {
        let first = 20 + 60 * i64::try_from(at).expect("few");
        let turn = format!("R1 W58:wait4<tool R1 W120:want<{waker} ");
        trace.play(
            thread,
            &format!("R2 W{}:want<{waker} {}", first, turn.repeat(4)),
        );
    }
    trace
}

#[test]
fn threads_that_take_turns_while_each_waits_for_a_child() {
    // Each is woken by the one before it.
    let answer = explain_pid(&python_threads(["p2", "p0", "p1"]), 100);
    says(
        &answer,
        &[
            "One lock made 3 threads take turns: ",
            "    publish → sign → lock_PyThread_acquire_lock\n    The thread that held it, often ",
            " of that time for a child process, in publish → sign → run.\n",
        ],
    );
}

#[test]
fn items_of_a_queue_are_no_lock() {
    // Whoever makes the items does not wait for one.
    assert!(!names_a_lock(&python_threads(["app", "app", "app"])));
}

/// Three threads of which each in turn has the only connection to a server, and then signals the next one;
/// `holder` is what it does meanwhile.
fn pool_of_one(holder: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, server) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.stack(
        "take",
        "k:futex_wait < k:do_futex < pthread_cond_wait < borrow < load < agent",
    );
    trace.stack(
        "ask",
        "k:sk_wait_data < k:tcp_recvmsg < recv < query < load < agent",
    );
    trace.stack("join", "k:futex_wait < k:do_futex < pthread_join < main");
    let agents = ["a0", "a1", "a2"].map(|name| trace.thread(app, name));
    trace.play(main, "R10 W857:join<a2 R10");
    trace.play(server, &"W20:ask<a0 R40 ".repeat(16));
    for (at, (agent, before)) in agents.into_iter().zip(["a2", "a0", "a1"]).enumerate() {
        let first = 20 + 60 * i64::try_from(at).expect("few");
        let turn = format!("R1 {holder} R1 W120:take<{before} ");
        let turns = turn.repeat(4);
        trace.play(agent, &format!("R2 W{first}:take<{before} {turns}R10"));
    }
    trace
}

#[test]
fn threads_that_share_one_connection_wait_for_each_other() {
    let trace = pool_of_one("W58:ask<server");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "3 threads waited for each other to release what they share: ",
            "    load → borrow",
            "    The thread that had it, often ",
        ],
    );
    // Threads that compute until the next one can go on may be making its work.
    let all = findings(&pool_of_one("R58"), 100);
    assert!(all.iter().all(|one| one.cause != "semaphore"), "{all:?}");
}

#[test]
fn one_of_those_who_share_may_never_wait_for_it() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, server) = process(&mut trace, "server", 200, None, (0, 1000));
    let take = "k:futex_wait < k:do_futex < pthread_cond_wait < borrow < load < agent";
    trace.stack("take", take);
    trace.stack(
        "ask",
        "k:sk_wait_data < k:tcp_recvmsg < recv < query < load < agent",
    );
    trace.stack("rest", "k:do_nanosleep < clock_nanosleep < agent");
    trace.stack("join", "k:futex_wait < k:do_futex < pthread_join < main");
    let names = ["first", "a0", "a1", "a2", "a3", "a4"];
    let agents = names.map(|name| trace.thread(app, name));
    trace.play(main, "R10 W965:join<a4 R10");
    trace.play(server, &"W20:ask<a0 R20 ".repeat(24));
    let asks = "R1 W38:ask<server R1";
    trace.play(agents[0], &format!("{asks} W200:rest<! ").repeat(4));
    for (at, pair) in names.windows(2).enumerate() {
        let (before, offset) = (pair[0], 40 * (at + 1));
        let turns = format!("{asks} W200:take<{before} ").repeat(3);
        let play = format!("W{offset}:take<{before} {turns}{asks} R20");
        trace.play(agents[at + 1], &play);
    }
    let all = findings(&trace, 100);
    assert!(all.iter().any(|one| one.cause == "semaphore"), "{all:?}");
}

/// Says that threads locked files, so often and for so many milliseconds each.
fn lock_files(trace: &mut Literal, locks: &[(&str, ThreadId, i64, i64)]) {
    let id = |at: usize| FileId::from_index(at).expect("few");
    let files = locks.iter().enumerate().map(|(at, &(path, ..))| FileRow {
        id: id(at),
        path: path.to_owned(),
        inode: None,
        device: None,
        kind: Some("file".to_owned()),
        file_system: None,
        flags: 0,
    });
    let files = Table::from_rows(files);
    let calls = locks
        .iter()
        .enumerate()
        .map(|(at, &(_, thread, count, ms))| FileCallRow {
            from_ns: 0,
            process: Some(trace.threads[thread.index()].process),
            thread: Some(thread),
            duration_ns: 1000 * MS,
            file: Some(id(at)),
            operation: FileOperation::Lock.code(),
            result: 0,
            flags: 0,
            count,
            bytes: None,
            time_ns: Some(ms * MS),
            longest_ns: Some(ms * MS),
            timed_count: count,
        });
    let calls = Table::from_rows(calls);
    trace.tables.extend([files, calls]);
}

#[test]
fn a_lock_on_a_file_makes_processes_take_turns() {
    let explained = |busy: bool, locks: [(&'static str, i64, i64); 2]| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "make", 100, None, (0, 1000));
        let (_, first) = process(&mut trace, "render", 200, Some(app), (0, 1000));
        let (_, second) = process(&mut trace, "render", 300, Some(app), (0, 1000));
        if busy {
            let (_, other) = process(&mut trace, "report", 400, Some(app), (0, 1000));
            trace.play(other, "R1000");
        }
        trace.threads[first.index()].name = Some("first".to_owned());
        trace.threads[second.index()].name = Some("second".to_owned());
        trace.stack("child", "k:do_wait < wait4 < run < main");
        trace.stack("lock", "k:flock_lock_inode_wait < flock < draw < main");
        trace.play(main, &"W49:child<first R1 W49:child<second R1 ".repeat(10));
        trace.play(first, &"R50 W50:lock<second ".repeat(10));
        trace.play(second, &"W50:lock<first R50 ".repeat(10));
        let locks = locks.map(|(path, count, ms)| (path, first, count, ms));
        lock_files(&mut trace, &locks);
        trace
    };
    // What is locked most often is not what was waited for.
    let locks = [("/w/render.lock", 10, 500), ("/w/books.db", 90_000, 9)];
    let all = findings(&explained(false, locks), 100);
    let lock = all.iter().find(|one| one.cause == "file-lock");
    let lock = lock.expect("a lock on a file");
    assert!(lock.wall_ns >= 900 * MS, "{lock:?}");
    let turns = "A lock on /w/render.lock made 2 processes take turns: ";
    says(&explain_pid(&explained(false, locks), 100), &[turns]);
    // With a third process on the other CPU, nobody loses time.
    let none = |trace: &Literal| {
        findings(trace, 100)
            .iter()
            .all(|one| one.cause != "file-lock")
    };
    assert!(none(&explained(true, locks)));
    // Locks on several files may be those of threads that do not wait for each other.
    let several = [("/w/a.lock", 10, 250), ("/w/b.lock", 10, 250)];
    assert!(none(&explained(false, several)));
}

#[test]
fn processes_that_share_a_semaphore_keep_each_other_out() {
    let about = |wait: &str, semaphores: Option<[i32; 3]>| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("child", "k:do_wait < k:kernel_wait4 < wait4 < main");
        trace.stack(
            "want",
            &format!("k:futex_wait < k:do_futex < {wait} < plan < work < main"),
        );
        trace.stack(
            "give",
            "k:futex_wake < k:do_futex < sem_post < plan < work < main",
        );
        let names = ["w0", "w1", "w2"];
        let workers = names.map(|name| {
            let pid = 101 + i32::from(name.as_bytes()[1] - b'0');
            process(&mut trace, name, pid, Some(app), (0, 999)).1
        });
        trace.play(main, "R1 W998:child<w2 R1");
        for (at, worker) in workers.into_iter().enumerate() {
            // Each holds it for 30 ms, and passes it on to the next one.
            let before = names[(at + 2) % 3];
            let first = match at {
                0 => String::new(),
                at => format!("W{}:want<{before}@give ", 30 * at),
            };
            let turn = format!("R30 W60:want<{before}@give ");
            trace.play(worker, &format!("{first}{}R9", turn.repeat(10)));
            if let Some(ids) = semaphores {
                trace.waited_for(worker, Some(ids[at]), None);
            }
        }
        let all = findings(&trace, 100);
        all.into_iter().find(|one| one.cause == "semaphore")
    };
    let found = about("sem_wait", Some([7, 7, 7])).expect("the cause");
    assert_eq!(found.confidence, Confidence::Likely);
    assert_eq!(
        (found.below.as_deref(), found.fact("processes")),
        (None, Some(&Value::Count(3)))
    );
    // Processes do not end each other's waits for what only the threads of one share.
    assert!(about("pthread_cond_wait", None).is_none());
    // Each signals the next one, with a semaphore of its own: a pipeline.
    assert!(about("sem_wait", Some([7, 8, 9])).is_none());
    // Where that is not known, it may be one.
    let found = about("sem_wait", None).expect("the cause");
    assert_eq!(found.confidence, Confidence::Possible);
}

#[test]
fn the_kernel_looks_again_whether_a_lease_was_given_back() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "shelf", 100, None, (0, 1000));
    trace.stack("timer", "k:process_timeout < k:call_timer_fn");
    trace.stack(
        "lease",
        "k:schedule_timeout < k:__break_lease < open < look_up < main",
    );
    trace.play(main, &"R10 W90:lease<!@timer ".repeat(10));
    let all = findings(&trace, 100);
    let causes: Vec<&str> = all.iter().map(|one| one.cause.as_str()).collect();
    assert_eq!(causes, ["file-lock"]);
}

#[test]
fn processes_queue_for_a_semaphore_of_system_v() {
    const SEMOP: i32 = 65;
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let semop = "k:__do_semtimedop < k:do_semtimedop < k:__x64_sys_semop < semop";
    trace.stack("want", &format!("{semop} < take_slot < probe < main"));
    trace.stack("give", &format!("{semop} < give_slot < probe < main"));
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < probe < main");
    let (_, first) = process(&mut trace, "first", 101, None, (0, 1000));
    trace.play(first, &"W98:nap<! R2 ".repeat(10));
    trace.play(main, &"W98:want<first@give R2 ".repeat(10));
    trace.waited_for(main, Some(0), None);
    trace.tables = objects::object("semaphore", "semaphores 3", None);
    trace.calls(main, (SEMOP, 0), 20, None, 900);
    let all = findings(&trace, 100);
    let semaphore = all.iter().find(|one| one.cause == "semaphore");
    assert!(
        semaphore.is_some_and(|one| one.wall_ns > 900 * MS),
        "{all:?}"
    );
}
