//! What is said about kinds of work: for the disk, and on the CPU.

use super::*;

/// Returns the finding about a cause.
fn about(trace: &Literal, cause: &str) -> Option<Finding> {
    let all = findings(trace, 100);
    all.into_iter().find(|one| one.cause == cause)
}

#[test]
fn calls_that_wait_for_the_disk_and_compute_for_it_are_one_cause() {
    const FDATASYNC: i32 = 75;
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "db", 100, None, (0, 1000));
    let wait =
        "k:folio_wait_writeback < k:do_fsync < k:__x64_sys_fdatasync < fdatasync < commit < main";
    trace.stack("wait", wait);
    trace.stack(
        "work",
        "k:submit_bio < k:do_fsync < k:__x64_sys_fdatasync < fdatasync < commit < main",
    );
    trace.stack("other", "parse < main");
    trace.play(main, "R2 W6:wait<! R2");
    trace.play(main, &"R4 W6:wait<! ".repeat(99));
    let at: Vec<i64> = (0..100).map(|n| n * 10 + 1).collect();
    let (for_disk, rest) = at.split_at(75);
    trace.sample(main, for_disk, "work");
    trace.sample(main, rest, "other");
    trace.calls(main, (FDATASYNC, 0), 100, None, 900);
    let finding = about(&trace, "fsync").expect("the cause");
    // 60 % waiting, and three quarters of 40 % computing.
    assert_eq!(finding.wall_ns, 900 * MS, "{finding:?}");
    assert_eq!(finding.fact("calls"), Some(&Value::Count(100)));
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "flushed its data to disk 100 times (fdatasync): 90 %",
            "commit → fdatasync",
        ],
    );
}

#[test]
fn a_program_that_is_read_while_it_starts_is_told_from_its_data() {
    let read = |stack: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let fault = "k:folio_wait_bit_common < k:filemap_fault < k:exc_page_fault";
        trace.stack("fault", &format!("{fault} < {stack}"));
        trace.play(main, "R100 D400:fault<! R500");
        findings(&trace, 100)
            .into_iter()
            .map(|one| one.cause)
            .collect::<Vec<_>>()
    };
    let causes = read("libc.so.6!init < libc.so.6!JNI_CreateJavaVM < JavaMain");
    assert!(!causes.contains(&"cold-read".to_owned()), "{causes:?}");
    // What a module's own code reads is data.
    let causes = read("parse < libc.so.6!import_find_and_load < main < _start");
    assert!(causes.contains(&"cold-read".to_owned()), "{causes:?}");
    let causes = read("look_up < main < _start");
    assert!(causes.contains(&"cold-read".to_owned()), "{causes:?}");
}

#[test]
fn direct_writes_cost_what_they_compute_for_the_disk_too() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "film", 100, None, (0, 1000));
    trace.stack(
        "wait",
        "k:iomap_dio_rw < k:ksys_pwrite64 < pwrite < record < main",
    );
    trace.stack(
        "work",
        "k:submit_bio < k:iomap_dio_rw < k:ksys_pwrite64 < pwrite < record < main",
    );
    trace.stack("other", "encode < main");
    trace.play(main, &"R5 D4:wait<! r1:wait<! ".repeat(99));
    trace.play(main, "R10");
    let at: Vec<i64> = (0..100).map(|n| n * 10 + 1).collect();
    let (for_disk, rest) = at.split_at(80);
    trace.sample(main, for_disk, "work");
    trace.sample(main, rest, "other");
    let finding = about(&trace, "disk").expect("the cause");
    // 40 % waiting, 10 % waking up, and four fifths of 50 % computing.
    let ms = finding.wall_ns / MS;
    assert!((880..=920).contains(&ms), "{finding:?}");
}

#[test]
fn reads_of_what_is_not_in_memory_are_told_from_other_waits_for_the_disk() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "db", 100, None, (0, 1000));
    trace.stack(
        "read",
        "k:folio_wait_bit_common < k:filemap_get_pages < k:vfs_read < pread < look_up < main",
    );
    trace.stack(
        "map",
        "k:folio_wait_bit_common < k:filemap_fault < k:exc_page_fault < look_up < main",
    );
    trace.stack(
        "list",
        "k:__wait_on_buffer < k:ext4_bread < k:iterate_dir < list < main",
    );
    trace.play(main, "R100 D400:read<! R100 D200:map<! R50 D100:list<! R50");
    assert_eq!(
        about(&trace, "cold-read").map(|one| one.wall_ns / MS),
        Some(600)
    );
    assert_eq!(about(&trace, "disk").map(|one| one.wall_ns / MS), Some(100));
}

#[test]
fn work_that_costs_more_than_expected_is_a_cause_with_its_place() {
    for (cause, leaf) in [
        ("gc", "runtime.gcDrainN < runtime.gcAssistAlloc"),
        ("copying", "__memmove_avx_unaligned_erms"),
        (
            "copying",
            "k:exc_page_fault < runtime.memmove < runtime.concatstrings",
        ),
        ("copying", "java.util.concurrent.CopyOnWriteArrayList.add"),
        ("exceptions", "_Unwind_Find_FDE < __cxa_throw"),
    ] {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("hot", &format!("{leaf} < load_rows < main < _start"));
        trace.stack("other", "main < _start");
        trace.play(main, "R1000");
        trace.sample(main, &(0..60).collect::<Vec<_>>(), "hot");
        trace.sample(main, &(60..100).collect::<Vec<_>>(), "other");
        let finding = about(&trace, cause).expect(cause);
        assert_eq!(finding.wall_ns / MS, 600);
        let place = match finding.fact("place") {
            Some(Value::Place(place)) => place.to_string(),
            other => panic!("{cause}: {other:?}"),
        };
        assert!(place.contains("load_rows"), "{place}");
    }
    // What a program is for is no cause.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("hot", "longest_match < deflate < main < _start");
    trace.play(main, "R1000");
    trace.sample(main, &(0..100).collect::<Vec<_>>(), "hot");
    let all: Vec<String> = findings(&trace, 100)
        .into_iter()
        .map(|one| one.cause)
        .collect();
    assert_eq!(all, ["cpu"]);
}

#[test]
fn what_a_tool_is_made_for_stands_out_only_in_the_users_own_function() {
    let answer = |stack: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "grep", 100, None, (0, 1000));
        trace.stack("hot", stack);
        trace.play(main, "R1000");
        trace.sample(main, &(0..100).collect::<Vec<_>>(), "hot");
        explain_pid(&trace, 100)
    };
    let tool = "libc.so.6!re_search_internal < libc.so.6!regexec < libc.so.6!__libc_start_main";
    says(
        &answer(tool),
        &["It computed: 100 % of the time", "Nothing else stands out."],
    );
    let own = "libc.so.6!re_search_internal < libc.so.6!regexec < is_order < main";
    says(
        &answer(own),
        &[
            "1 It matched regular expressions: 100 % of the time",
            "It called regexec for most of this.",
        ],
    );
}

#[test]
fn what_did_less_than_half_of_the_work_is_not_most_of_it() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("a", "libpcre2.so.0!pcre2_match_8 < titles < scan < main");
    trace.stack("b", "libc.so.6!regexec < names < scan < main");
    trace.stack("c", "libonig.so.5!onig_search < dates < scan < main");
    for module in &mut trace.modules {
        if module.name.contains(".so") {
            module.path = format!("/usr/lib/{}", module.name);
        }
    }
    trace.play(main, "R1000");
    for (stack, at) in [("a", 0..400), ("b", 400..700), ("c", 700..1000)] {
        trace.sample(main, &at.collect::<Vec<_>>(), stack);
    }
    let answer = explain_pid(&trace, 100);
    says(&answer, &["It matched regular expressions: 100 %"]);
    assert!(!answer.contains("for most of this"), "{answer}");
}

#[test]
fn what_a_tool_is_made_for_is_no_cause_beside_others_that_used_the_cpus() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "grep", 100, None, (0, 1000));
    let (_, one) = process(&mut trace, "greedy", 200, None, (0, 1000));
    let (_, two) = process(&mut trace, "greedy", 201, None, (0, 1000));
    trace.stack(
        "hot",
        "libc.so.6!re_search_internal < libc.so.6!regexec < libc.so.6!__libc_start_main",
    );
    trace.play(main, "R500 P500:hot");
    trace.play(one, "R1000");
    trace.play(two, "P500 R500");
    trace.ready_was(main, [500, 0, 0]);
    trace.sample(main, &(0..50).collect::<Vec<_>>(), "hot");
    let causes: Vec<String> = findings(&trace, 100)
        .into_iter()
        .map(|one| one.cause)
        .collect();
    assert!(
        causes.iter().any(|cause| cause == "competing"),
        "{causes:?}"
    );
    assert!(causes.iter().all(|cause| cause != "regex"), "{causes:?}");
}

#[test]
fn what_nobody_notices_does_not_stand_out() {
    let answer = |play: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 8));
        trace.stack("fault", "k:folio_wait_bit_common < k:exc_page_fault < main");
        trace.play(main, play);
        explain_pid(&trace, 100)
    };
    says(&answer("R4 W3:fault<! R1"), &["Nothing stands out"]);
}

#[test]
fn a_little_computing_beside_the_reason_is_not_worth_a_line() {
    let computes = |part: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("nap", "k:do_nanosleep < pause < main");
        trace.stack("work", "load < main");
        trace.play(main, &format!("R{part} W{}:nap<!@timer", 1000 - part));
        trace.sample(main, &(0..part).collect::<Vec<_>>(), "work");
        about(&trace, "cpu").is_some()
    };
    assert!(!computes(80));
    assert!(computes(200));
}

#[test]
fn a_sleep_that_was_cut_short_was_not_as_asked() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "sleep", 100, None, (0, 1000));
    trace.stack("nap", "k:do_nanosleep < nanosleep < main");
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill");
    let (_, shell) = process(&mut trace, "sh", 200, None, (0, 1000));
    trace.play(shell, "R1000");
    trace.play(main, "R1 W998:nap<sh@kill R1");
    says(
        &explain_pid(&trace, 100),
        &["Nothing stands out: it slept for 998 ms, until a signal ended it."],
    );
}

#[test]
fn who_gave_up_in_time_did_not_wait_for_a_sleeper() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let other = trace.thread(app, "producer");
    trace.stack(
        "take",
        "k:futex_wait < k:do_futex < pthread_cond_timedwait < take_item < main",
    );
    trace.stack("nap", "k:do_nanosleep < usleep < produce");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(main, &"R10 W490:take<!@timer ".repeat(2));
    trace.play(other, &"R1 W99:nap<!@timer ".repeat(10));
    let finding = about(&trace, "timeout").expect("the cause");
    assert_eq!(finding.wall_ns / MS, 980);
}

#[test]
fn who_was_kept_from_running_is_told_its_own_causes_too() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "db", 100, None, (0, 1000));
    let (_, other) = process(&mut trace, "greedy", 200, None, (0, 1000));
    trace.stack(
        "read",
        "k:folio_wait_bit_common < k:filemap_get_pages < pread < look_up < main",
    );
    trace.stack("loop", "look_up < main");
    trace.play(main, "R20 P860:loop D90:read<! R30");
    trace.play(other, "R1000");
    trace.ready_was(main, [860, 0, 0]);
    let found = about(&trace, "cold-read").map(|one| one.wall_ns / MS);
    assert_eq!(found, Some(90));
}

#[test]
fn a_lock_that_spins_is_told_from_computing() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let lock = "<app::SpinLock<T>>::lock < app::record < app::main";
    trace.stack("spins", lock);
    trace.stack("sorts", "app::median < app::main");
    trace.play(main, "R1000");
    trace.sample(main, &(0..700).collect::<Vec<_>>(), "spins");
    trace.sample(main, &(700..1000).collect::<Vec<_>>(), "sorts");
    let finding = about(&trace, "spin").expect("the cause");
    assert_eq!(finding.wall_ns, 700 * MS, "{finding:?}");
    says(
        &explain_pid(&trace, 100),
        &["It kept a CPU busy while it waited for another thread: 70 % of the time"],
    );
}

#[test]
fn what_the_users_own_function_calls_of_libraries_is_named() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "pack",
        "libc.so.6!__memmove < libc.so.6!fill < libc.so.6!pack < store < main",
    );
    trace.stack("name", "libc.so.6!name < store < main");
    trace.stack("hash", "libc.so.6!hash < store < main");
    trace.stack("own", "store < main");
    trace.play(main, "R1000");
    let at: Vec<i64> = (0..1000).collect();
    trace.sample(main, &at[..600], "pack");
    trace.sample(main, &at[600..800], "hash");
    trace.sample(main, &at[800..850], "name");
    trace.sample(main, &at[850..], "own");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "main → store: 100 % of the CPU time",
            "CPU time of what it called: pack 60 %, hash 20 %\n",
        ],
    );
}

#[test]
fn work_that_several_functions_do_is_placed_in_the_one_that_calls_them() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "copy",
        "libc.so.6!__memmove_avx_unaligned_erms < copy_bikes < nearest < main < _start",
    );
    trace.stack(
        "drop",
        "libc.so.6!__memmove_avx_unaligned_erms < move_bikes < nearest < main < _start",
    );
    trace.stack(
        "sort",
        "libc.so.6!__memmove_avx_unaligned_erms < sort_bikes < nearest < main < _start",
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..40).collect::<Vec<_>>(), "copy");
    trace.sample(main, &(40..80).collect::<Vec<_>>(), "drop");
    trace.sample(main, &(80..100).collect::<Vec<_>>(), "sort");
    let finding = about(&trace, "copying").expect("it copies all the time");
    match finding.fact("place") {
        Some(Value::Place(place)) => assert!(place.to_string().ends_with("nearest"), "{place}"),
        other => panic!("{other:?}"),
    }
    says(
        &explain_pid(&trace, 100),
        &["1 It copied memory: 100 % of the time"],
    );
}

#[test]
fn the_rest_beside_what_took_nearly_all_of_the_time_is_no_second_cause() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "sleep",
        "k:hrtimer_nanosleep < clock_nanosleep < rest < main < _start",
    );
    trace.stack("hot", "compute < main < _start");
    trace.play(main, "R40 D290:sleep<! R40 D290:sleep<! R40 D300:sleep<!");
    trace.sample(main, &(0..40).collect::<Vec<_>>(), "hot");
    let all: Vec<_> = findings(&trace, 100)
        .into_iter()
        .map(|one| one.cause)
        .collect();
    assert_eq!(all, ["sleep"]);
}

#[test]
fn a_collection_by_a_runtimes_own_threads_is_placed_where_a_function_waited_for_it() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "java", 100, None, (0, 1000));
    trace.stack(
        "ask",
        "k:futex_wait < k:do_futex < libjvm.so!Monitor::wait < libjvm.so!VMThread::execute < newFrame < main",
    );
    trace.stack(
        "start",
        "libjvm.so!G1CollectedHeap::try_collect < newFrame < main",
    );
    trace.stack(
        "mark",
        "libjvm.so!mark_step < libjvm.so!GangWorker::loop < libjvm.so!start_thread",
    );
    let worker = trace.thread(app, "GC-0");
    trace.play(
        main,
        &"R2 W8:ask<GC-0 ".repeat(100).replace("java/GC", "GC-0"),
    );
    trace.play(worker, "R1000");
    trace.sample(worker, &(0..1000).collect::<Vec<_>>(), "mark");
    // The function that asks for it does a trace of the work.
    trace.sample(main, &[1, 101, 201], "start");
    let all = findings(&trace, 100);
    let gc = all.iter().find(|one| one.cause == "gc").expect("the cause");
    let place = match gc.fact("place") {
        Some(Value::Place(place)) => place.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(place.contains("newFrame"), "{place}");
    assert!(all.iter().all(|one| one.cause != "cpu"), "{all:?}");
    // A thread of the user's own with such a name collects nothing.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("work", "app!WorkerThread::run < app!main");
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "work");
    assert!(findings(&trace, 100).iter().all(|one| one.cause != "gc"));
}

#[test]
fn computing_beside_calls_that_wait_for_a_disk_is_placed_without_them() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let fsync = "k:__x64_sys_fsync < fsync < save_card < main";
    trace.stack("wait", &format!("k:folio_wait_writeback < {fsync}"));
    trace.stack("flush", &format!("k:submit_bio < {fsync}"));
    trace.stack("parse", "parse < load_card < main");
    trace.play(main, &"R6 D4:wait<! ".repeat(100));
    let at = |part: std::ops::Range<i64>| {
        let all = (0..100).flat_map(|turn| part.clone().map(move |ms| turn * 10 + ms));
        all.collect::<Vec<_>>()
    };
    trace.sample(main, &at(0..3), "flush");
    trace.sample(main, &at(3..6), "parse");
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["main → load_card → parse: 100 % of the CPU time outside calls that wait for a disk"],
    );
    assert!(!answer.contains("in the kernel"), "{answer}");
}

#[test]
fn what_a_library_does_on_the_way_to_something_else_is_not_the_reason() {
    let causes = |matches: usize| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "mail", 100, None, (0, 1000));
        trace.stack(
            "match",
            "libc.so.6!regexec < libc.so.6!read_mail < sort_mails < main",
        );
        trace.stack("split", "libc.so.6!read_mail < sort_mails < main");
        trace.play(main, "R1000");
        let at: Vec<i64> = (0..1000).collect();
        let (matching, rest) = at.split_at(matches);
        trace.sample(main, matching, "match");
        trace.sample(main, rest, "split");
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let few = causes(400);
    assert!(!few.contains(&"regex".to_owned()), "{few:?}");
    let most = causes(700);
    assert!(most.contains(&"regex".to_owned()), "{most:?}");
}

#[test]
fn what_moves_all_that_comes_behind_copies_and_what_looks_for_a_partner_spins() {
    let cause = |function: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "java", 100, None, (0, 1000));
        trace.stack(
            "work",
            &format!("perf-100.map!{function} < Feed.build < Feed.main"),
        );
        trace.play(main, "R1000");
        trace.sample(main, &(0..1000).collect::<Vec<_>>(), "work");
        let all = findings(&trace, 100);
        all[0].cause.clone()
    };
    assert_eq!(cause("java.lang.StringBuilder.insert"), "copying");
    assert_eq!(cause("java.util.concurrent.Exchanger.slotExchange"), "spin");
    assert_eq!(cause("java.lang.StringBuilder.append"), "cpu");
}
