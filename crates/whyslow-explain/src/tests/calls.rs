//! What is said about system calls that are too many, too small, or fail.

use whyslow_model::FileOperation;

use super::*;

const READ: i32 = 0;
const WRITE: i32 = 1;
const NEWFSTATAT: i32 = 262;
const CLOCK_GETTIME: i32 = 228;
const FCNTL: i32 = 72;
const CONNECT: i32 = 42;
const ENOENT: i32 = 2;
const GETPEERNAME: i32 = 52;
const MKDIR: i32 = 83;
const EEXIST: i32 = 17;
const EAGAIN: i32 = 11;
const ECONNREFUSED: i32 = 111;
const EINPROGRESS: i32 = 115;
const SENDTO: i32 = 44;
const GETRANDOM: i32 = 318;
const POLL: i32 = 7;
const NANOSLEEP: i32 = 35;

/// Returns a program that computes for a second, most of it in `fill_report`.
fn busy() -> (Literal, ThreadId) {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("fill", "fill_report < main < _start");
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "fill");
    (trace, main)
}

#[test]
fn calls_whose_stacks_were_not_recorded_cost_what_samples_in_them_say() {
    let share = |kernel: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack(
            "look",
            &format!("{kernel} < libc.so.6!write < fill_report < main < _start"),
        );
        trace.stack("other", "sum_up < main < _start");
        trace.play(main, "R1000");
        trace.sample(main, &(0..600).collect::<Vec<_>>(), "look");
        trace.sample(main, &(600..1000).collect::<Vec<_>>(), "other");
        trace.calls(main, (WRITE, 0), 500_000, Some(500_000), 250);
        let all = findings(&trace, 100);
        let tiny = all
            .iter()
            .find(|one| one.cause == "tiny-writes")
            .expect("the cause");
        tiny.wall_ns / MS
    };
    // Entering and leaving the kernel is not in the time of the calls.
    assert_eq!(share("k:vfs_write < k:ksys_write"), 600);
    assert_eq!(share("k:vfs_read < k:ksys_read"), 250);
}

#[test]
fn functions_of_libraries_that_do_little_but_call_are_part_of_the_cost() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let print = "libc.so.6!print < debug < main < _start";
    trace.stack("format", &format!("libc.so.6!vfprintf < {print}"));
    let write = "k:ksys_write < libc.so.6!write < libc.so.6!fflush";
    trace.stack("write", &format!("{write} < {print}"));
    trace.stack("flush", &format!("libc.so.6!fflush < {print}"));
    trace.play(main, "R1000");
    trace.sample(main, &(0..500).collect::<Vec<_>>(), "format");
    trace.sample(main, &(500..600).collect::<Vec<_>>(), "flush");
    trace.sample(main, &(600..1000).collect::<Vec<_>>(), "write");
    trace.calls(main, (WRITE, 0), 500_000, Some(500_000), 150);
    trace.called_from(main, &(0..50).collect::<Vec<_>>(), (WRITE, 9000), "write");
    let all = findings(&trace, 100);
    let tiny = all.iter().find(|one| one.cause == "tiny-writes");
    // It flushes for each write; what it formats, it would format anyway.
    assert_eq!(tiny.map(|one| one.wall_ns / MS), Some(500));
}

#[test]
fn a_few_bytes_at_a_time_are_counted_priced_and_placed() {
    let (mut trace, main) = busy();
    trace.calls(main, (WRITE, 0), 500_000, Some(500_000), 700);
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It wrote one byte at a time, 500000 times: 70 % of the time  certain",
            "fill_report",
            "Write files, pipes and connections through a buffer of 4 KiB or more.",
        ],
    );
    let (mut trace, main) = busy();
    trace.calls(main, (READ, 0), 10_000, Some(120_000), 300);
    says(
        &explain_pid(&trace, 100),
        &["It read 12 bytes at a time, 10000 times: 30 % of the time"],
    );
}

#[test]
fn the_place_of_calls_is_where_most_of_them_are_made_not_where_it_computes() {
    let (mut trace, main) = busy();
    trace.stack("put", "put_char < print_line < main < _start");
    trace.stack("log", "log < main < _start");
    trace.stack("clock", "tick < main < _start");
    trace.calls(main, (WRITE, 0), 500_000, Some(500_000), 700);
    trace.called_from(main, &(0..70).collect::<Vec<_>>(), (WRITE, 5000), "put");
    trace.called_from(main, &(70..100).collect::<Vec<_>>(), (WRITE, 5000), "log");
    trace.called_from(
        main,
        &(0..90).collect::<Vec<_>>(),
        (CLOCK_GETTIME, 9000),
        "clock",
    );
    let all = findings(&trace, 100);
    let tiny = all.iter().find(|one| one.cause == "tiny-writes");
    let place = tiny.and_then(|one| one.fact("place")).expect("a place");
    let Value::Place(place) = place else {
        panic!("{place:?}");
    };
    assert_eq!(place.functions().next(), Some("put_char"), "{place}");
}

#[test]
fn calls_without_stacks_are_not_placed_where_other_work_may_be() {
    let place = |in_put: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("put", "libc.so.6!write < put_line < main < _start");
        trace.stack("solve", "solve < main < _start");
        trace.play(main, "R1000");
        trace.sample(main, &(0..in_put).collect::<Vec<_>>(), "put");
        trace.sample(main, &(in_put..1000).collect::<Vec<_>>(), "solve");
        trace.calls(main, (WRITE, 0), 500_000, Some(500_000), 420);
        let all = findings(&trace, 100);
        let tiny = all.iter().find(|one| one.cause == "tiny-writes");
        let place = tiny.expect("tiny writes").fact("place");
        place.map(|place| format!("{place:?}"))
    };
    // The other work has most of the time, and is not where the calls are made.
    let elsewhere = place(430);
    assert!(!elsewhere.is_some_and(|place| place.contains("solve")));
    assert!(place(950).expect("a place").contains("put_line"));
}

#[test]
fn blocks_little_time_and_waits_are_no_habit_of_tiny_calls() {
    let small = |trace: &Literal| {
        let all = findings(trace, 100);
        let tiny = |one: &Finding| one.cause.starts_with("tiny");
        all.iter().any(tiny)
    };
    let (mut trace, main) = busy();
    trace.calls(main, (WRITE, 0), 500_000, Some(500_000 * 4096), 700);
    assert!(!small(&trace), "blocks");
    let (mut trace, main) = busy();
    trace.calls(main, (WRITE, 0), 5_000, Some(5_000), 5);
    assert!(!small(&trace), "little time");
    let (mut trace, main) = busy();
    trace.calls(main, (WRITE, 0), 500_000, Some(500_000 * 8), 700);
    assert!(!small(&trace), "events");

    // Each write wakes somebody who answers: what is passed on has to be passed on.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("token", "k:pipe_read < read < main");
    trace.play(main, &"R4 W1:token ".repeat(200));
    trace.calls(main, (WRITE, 0), 1_000, Some(1_000), 900);
    assert!(!small(&trace), "messages");
}

#[test]
fn habits_share_the_time_and_none_takes_it_from_another() {
    let (mut trace, main) = busy();
    trace.calls(main, (WRITE, 0), 400_000, Some(400_000), 450);
    trace.calls(main, (READ, 0), 400_000, Some(400_000), 400);
    let all = findings(&trace, 100);
    let explained = |cause: &str| {
        let one = all.iter().find(|one| one.cause == cause);
        one.map(|one| (one.explained_ns / MS, one.below.is_none()))
    };
    assert_eq!(explained("tiny-writes"), Some((450, true)));
    assert_eq!(explained("tiny-reads"), Some((400, true)));
}

#[test]
fn questions_that_cost_little_each_are_named() {
    let (mut trace, main) = busy();
    trace.calls(main, (CLOCK_GETTIME, 0), 2_000_000, None, 600);
    says(
        &explain_pid(&trace, 100),
        &["It called clock_gettime 2000000 times: 60 % of the time  certain"],
    );
    let (mut trace, main) = busy();
    trace.calls(main, (GETRANDOM, 0), 400_000, Some(1_600_000), 400);
    says(
        &explain_pid(&trace, 100),
        &[
            "It called getrandom 400000 times",
            "Get many random bytes per call",
        ],
    );
    // Who gets many at a time wants them.
    let (mut trace, main) = busy();
    trace.calls(main, (GETRANDOM, 0), 4_000, Some(4_000 << 18), 700);
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("getrandom"), "{answer}");
}

#[test]
fn files_that_are_not_there_are_counted() {
    let (mut trace, main) = busy();
    trace.calls(main, (NEWFSTATAT, ENOENT), 90_000, None, 400);
    trace.calls(main, (NEWFSTATAT, 0), 1_000, None, 5);
    says(
        &explain_pid(&trace, 100),
        &["It looked for files that are not there, 90000 times: 40 % of the time  certain"],
    );
}

#[test]
fn an_event_loop_that_looks_again_is_not_idle() {
    let looks = |tries: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        let nap = "k:ep_poll < k:do_epoll_wait < uv__io_poll < uv_run < main";
        trace.stack("nap", nap);
        trace.play(main, &"R10 W90:nap<!@timer ".repeat(10));
        trace.calls(main, (READ, 0), 1, None, 1);
        trace.calls_from((main, 500), (MKDIR, EEXIST), tries, None, 1);
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!(
        (looks(5).as_str(), looks(0).as_str()),
        ("poll-loop", "idle")
    );
}

#[test]
fn an_event_loop_looks_again_in_what_it_runs_after_its_sleeps() {
    let place = |named: bool| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        let nap = "k:ep_poll < k:do_epoll_wait < libc.so.6!uv__io_poll";
        trace.stack("nap", nap);
        trace.stack("try", "libc.so.6!uv_fs_mkdir < try_lock < deploy < main");
        trace.stack("log", "libc.so.6!uv_fs_write < deploy < main");
        trace.play(main, &"R10 W90:nap<!@timer ".repeat(10));
        trace.calls(main, (READ, 0), 1, None, 1);
        trace.calls_from((main, 500), (MKDIR, EEXIST), 5, None, 1);
        trace.sample(main, &[105, 106, 205, 306], "log");
        trace.sample(main, &[405], if named { "try" } else { "log" });
        explain_pid(&trace, 100)
    };
    // Rather where the call is made than where most of the time goes.
    says(&place(true), &["main → deploy → try_lock"]);
    says(&place(false), &["main → deploy"]);
}

#[test]
fn who_sleeps_until_there_is_enough_again_says_what_had_run_out() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    // `poll` without descriptors is a sleep, too.
    trace.stack(
        "nap",
        "k:do_sys_poll < k:__x64_sys_ppoll < ppoll < open_book < main",
    );
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(main, &"R10 W90:nap<!@timer ".repeat(10));
    trace.waited_for(main, Some(0), Some(90));
    trace.tables = objects::object("nothing", "", None);
    trace.calls(main, (OPENAT, EMFILE), 5, None, 1);
    trace.calls_from((main, 500), (OPENAT, EMFILE), 5, None, 1);
    let words = [
        "1 It had too many files open, slept, and tried again, 10 times: 90 % of the time  likely",
        "openat failed 10 times with EMFILE, about once per sleep.",
        "raise the limit of open files",
    ];
    says(&explain_pid(&trace, 100), &words);
    assert_eq!(findings(&trace, 100)[0].cause, "retry");
}

#[test]
fn sleeping_and_looking_again_is_told_from_sleeping() {
    let sleeper = || {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let nap = "k:do_nanosleep < clock_nanosleep < lock_spool < main";
        trace.stack("nap", nap);
        trace.play(main, &"R10 W90:nap<! ".repeat(10));
        (trace, main)
    };
    let (mut trace, main) = sleeper();
    trace.calls(main, (FCNTL, EAGAIN), 5, None, 1);
    trace.calls_from((main, 500), (FCNTL, EAGAIN), 5, None, 1);
    let answer = explain_pid(&trace, 100);
    let words = [
        "1 It slept and checked again, 10 times: 90 % of the time  likely",
        "lock_spool",
        "fcntl failed 10 times with EAGAIN, about once per sleep.",
    ];
    says(&answer, &words);

    let (mut trace, main) = sleeper();
    trace.calls(main, (CONNECT, ECONNREFUSED), 5, None, 1);
    trace.calls_from((main, 500), (CONNECT, ECONNREFUSED), 4, None, 1);
    assert_eq!(findings(&trace, 100)[0].cause, "connect-refused");

    // A try that was begun, and nothing was sent after it; also where all is in the first second.
    let tries = |talks: i64| {
        let (mut trace, main) = sleeper();
        trace.calls(main, (CONNECT, EINPROGRESS), 10, None, 1);
        trace.calls(main, (SENDTO, 0), talks, Some(talks * 100), 1);
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!((tries(1).as_str(), tries(10).as_str()), ("retry", "sleep"));
    // Go asks who is at the other end once it is connected, and then only reads and writes.
    let (mut trace, main) = sleeper();
    trace.calls(main, (CONNECT, EINPROGRESS), 10, None, 1);
    trace.calls(main, (GETPEERNAME, 0), 10, None, 1);
    assert_eq!(findings(&trace, 100)[0].cause, "sleep");

    let (mut trace, main) = sleeper();
    trace.calls_from((main, 500), (FCNTL, EAGAIN), 200, None, 1);
    trace.calls(main, (READ, 0), 1, None, 1);
    assert_eq!(findings(&trace, 100)[0].cause, "sleep");

    // What a program does not find while it starts says nothing of its sleeps.
    let (mut trace, main) = sleeper();
    trace.calls(main, (NEWFSTATAT, ENOENT), 10, None, 1);
    trace.calls_from((main, 500), (WRITE, 0), 5, None, 1);
    assert_eq!(findings(&trace, 100)[0].cause, "sleep");
}

/// Explains a program that sleeps before each of four tries to connect to a socket that is not there.
fn backs_off_from(path: Option<&str>, play: &str) -> String {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    if let Some(path) = path {
        let tried = (app, main, FileOperation::Connect, (0, ENOENT), 4);
        looking::did(&mut trace, &[path.to_owned()], &[tried]);
    }
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "nap",
        "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < reach < main",
    );
    trace.play(main, play);
    trace.calls(main, (CONNECT, ENOENT), 4, None, 1);
    explain_pid(&trace, 100)
}

#[test]
fn who_backs_off_from_a_socket_that_is_not_there_tries_again() {
    let sleeps = |play: &str| backs_off_from(None, play);
    let nap = |ms: i64| format!("R20 W{ms}:nap<!@timer ");
    let growing: String = [50, 100, 200, 400].into_iter().map(nap).collect();
    says(
        &sleeps(&growing),
        &[
            "It tried to connect to a socket that was not there, slept, and tried again, 4 times: 75 % of the time",
        ],
    );
    // A log that is not there is missed each time something is written to it.
    let alike = sleeps(&nap(200).repeat(4));
    says(&alike, &["It slept: 80 % of the time"]);
    assert!(!alike.contains("tried"), "{alike}");
    says(
        &backs_off_from(Some("/run/app.sock"), &growing),
        &["It tried to connect to /run/app.sock, which was not there, slept, and tried again"],
    );
}

#[test]
fn a_call_that_would_have_to_wait_again_and_again_is_a_busy_wait() {
    let (mut trace, main) = busy();
    trace.calls(main, (SENDTO, EAGAIN), 500_000, None, 700);
    trace.calls(main, (SENDTO, 0), 80, Some(4_000_000), 5);
    says(
        &explain_pid(&trace, 100),
        &["1 It kept a CPU busy while it waited: sendto failed 500000 times"],
    );
    let all = findings(&trace, 100);
    assert!(
        all[0].cause == "spin" && all[0].fact("place").is_some(),
        "{all:?}"
    );
    // A program that takes all there is learns each time that there is no more.
    let (mut trace, main) = busy();
    trace.calls(main, (READ, EAGAIN), 100_000, None, 300);
    trace.calls(main, (READ, 0), 100_000, Some(100_000 * 4096), 300);
    let spins = |trace: &Literal| findings(trace, 100).iter().any(|one| one.cause == "spin");
    assert!(!spins(&trace));
    // Who asks first, or sleeps, tries when it may go on; others are faster.
    for (call, polls, expected) in [
        (POLL, 500_000, false),
        (POLL, 50, true),
        (NANOSLEEP, 60_000, false),
    ] {
        let (mut trace, main) = busy();
        trace.calls(main, (READ, EAGAIN), 500_000, None, 500);
        trace.calls(main, (call, 0), polls, None, 1);
        assert_eq!(spins(&trace), expected, "{call} {polls}");
    }
    // So does who waits, as the scheduler saw it.
    let spins_beside = |waits: usize| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("fill", "k:ksys_read < read < fill_report < main < _start");
        trace.stack("nap", "k:do_nanosleep < k:hrtimer_nanosleep < nap < main");
        let rest = 1000 - 2 * waits;
        trace.play(main, &format!("{} R{rest}", "R1 W1:nap<! ".repeat(waits)));
        trace.sample(main, &(0..1000).collect::<Vec<_>>(), "fill");
        trace.calls(main, (READ, EAGAIN), 2000, None, 300);
        spins(&trace)
    };
    assert!(spins_beside(10) && !spins_beside(300));
}

const ACCEPT4: i32 = 288;
const EMFILE: i32 = 24;
const OPENAT: i32 = 257;
const CLOSE: i32 = 3;
const EBADF: i32 = 9;

#[test]
fn a_call_that_fails_again_and_again_is_named_with_its_error() {
    let (mut trace, main) = busy();
    trace.calls(main, (ACCEPT4, EMFILE), 300_000, None, 300);
    trace.calls(main, (POLL, 0), 300_000, None, 200);
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It made 300000 accept4 calls that failed with “too many open files” (EMFILE): 50 % of the time  certain",
        ],
    );
    assert_eq!(findings(&trace, 100)[0].cause, "retry");
}

#[test]
fn who_tries_each_folder_for_a_program_searches_a_path() {
    let (mut trace, main) = busy();
    trace.calls(main, (59, 2), 300_000, None, 500);
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It tried 300000 times to start a program in a folder that does not have it (execve): 50 % of the time",
            "first in PATH",
        ],
    );
    assert_eq!(findings(&trace, 100)[0].cause, "search-path");
}

#[test]
fn a_call_that_fails_now_and_then_is_no_habit() {
    let (mut trace, main) = busy();
    trace.calls(main, (ACCEPT4, EMFILE), 300_000, None, 300);
    trace.calls(main, (ACCEPT4, 0), 100_000, None, 100);
    assert!(findings(&trace, 100).iter().all(|one| one.cause != "retry"));
}

#[test]
fn closing_what_is_not_open_is_said() {
    let (mut trace, main) = busy();
    trace.calls(main, (CLOSE, EBADF), 600_000, None, 600);
    says(
        &explain_pid(&trace, 100),
        &["1 It made 600000 close calls for descriptors that were not open: 60 % of the time"],
    );
}

const MMAP: i32 = 9;
const MUNMAP: i32 = 11;

#[test]
fn memory_that_comes_and_goes_is_counted() {
    let (mut trace, main) = busy();
    trace.calls(main, (MMAP, 0), 20_000, None, 100);
    trace.calls(main, (MUNMAP, 0), 20_000, None, 450);
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It got memory from the kernel and gave it back (40000 calls, mostly munmap): 55 % of the time  certain",
            "Keep the memory and reuse it.",
        ],
    );
    let (mut trace, main) = busy();
    trace.calls(main, (MUNMAP, 0), 2000, None, 450);
    assert!(findings(&trace, 100).iter().all(|one| one.cause == "cpu"));
}

#[test]
fn asking_for_the_end_of_a_child_without_a_pause_keeps_a_cpu_busy() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "oven", 100, None, (0, 1000));
    trace.play(main, "R1000");
    trace.calls(main, (61, 0), 2_000_000, None, 700);
    says(
        &explain_pid(&trace, 100),
        &["It kept a CPU busy while it waited: wait4, 2000000 times: 70 % of the time"],
    );
    // Who finds that many children have ended does not wait.
    let mut trace = Literal::new(1000);
    let (shell, main) = process(&mut trace, "shell", 100, None, (0, 1000));
    for at in 0..200 {
        process(&mut trace, "true", 200 + at, Some(shell), (0, 10));
    }
    trace.play(main, "R1000");
    trace.calls(main, (61, 0), 1_500, None, 700);
    let all = findings(&trace, 100);
    assert!(all.iter().all(|one| one.cause != "spin"), "{all:?}");
}

#[test]
fn any_call_that_takes_much_of_the_time_without_waiting_is_named_with_its_cost() {
    let answer = |call: i32, ms: i64| {
        let (mut trace, main) = busy();
        trace.calls(main, (call, 0), 4_000, None, ms);
        let all = findings(&trace, 100);
        let found = all.iter().find(|one| one.cause == "cheap-calls");
        found.map(|one| {
            // 800 ms of 4,000 calls.
            assert_eq!(one.fact("each"), Some(&Value::Time(200_000)));
            (one.fact("object").cloned(), one.advice.clone())
        })
    };
    let text = |text: &str| Some(Value::Text(text.to_owned()));
    let (object, advice) = answer(POLL, 800).expect("the cause");
    assert_eq!(object, text("poll"));
    assert!(format!("{advice:?}").contains("epoll"), "{advice:?}");
    const SETSOCKOPT: i32 = 54;
    let (object, advice) = answer(SETSOCKOPT, 800).expect("the cause");
    assert_eq!(object, text("setsockopt"));
    assert!(!format!("{advice:?}").contains("epoll"), "{advice:?}");
    // A part of what it does, and calls that move its data, are no cause.
    assert_eq!(answer(SETSOCKOPT, 200), None);
    const PREAD: i32 = 17;
    assert_eq!(answer(PREAD, 800), None);
    // So are calls about one file after the other.
    assert_eq!(answer(NEWFSTATAT, 800), None);
}

#[test]
fn paths_that_are_resolved_and_terminals_that_are_none_are_asked_again_and_again() {
    const READLINK: i32 = 89;
    const IOCTL: i32 = 16;
    const EINVAL: i32 = 22;
    const ENOTTY: i32 = 25;
    let cause = |call: (i32, i32)| {
        let (mut trace, main) = busy();
        trace.calls(main, call, 500_000, None, 700);
        let all = findings(&trace, 100).into_iter();
        let mut all = all.filter(|one| one.cause != "cpu");
        all.next().map(|one| (one.cause.clone(), one.wall_ns / MS))
    };
    let found = |cause: &str| Some((cause.to_owned(), 700));
    assert_eq!(cause((READLINK, EINVAL)), found("stat-storm"));
    assert_eq!(cause((IOCTL, ENOTTY)), found("cheap-calls"));
    // What drives a device is none of our business.
    assert_eq!(cause((IOCTL, 0)), None);
}
