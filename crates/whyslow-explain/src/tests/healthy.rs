//! Programs that do what they are for, each in a way that looks like waiting: none is accused.

use whyslow_model::tables::{FileCallRow, WaitObjectRow};
use whyslow_model::{FileOperation, Named, Table};

use super::*;

/// What says what a program does, and accuses nobody.
const DESCRIPTIONS: [&str; 3] = ["cpu", "idle", "child"];

#[track_caller]
fn is_quiet(trace: &Literal) {
    let all = findings(trace, 100);
    let accused = all
        .iter()
        .find(|one| !DESCRIPTIONS.contains(&one.cause.as_str()));
    assert!(accused.is_none(), "{}", explain_pid(trace, 100));
}

#[test]
fn a_pool_that_takes_items_from_a_queue() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let one = trace.thread(app, "worker-1");
    let two = trace.thread(app, "worker-2");
    let results = "k:futex_wait < k:do_futex < pthread_cond_wait < next_result < main";
    trace.stack("results", results);
    let items = "k:futex_wait < k:do_futex < pthread_cond_wait < take_item < work";
    trace.stack("items", items);
    trace.play(main, &"R1 W24:results<worker-1 ".repeat(40));
    trace.play(one, &"W1:items<app R24 ".repeat(40));
    trace.play(two, &"W1:items<app R24 ".repeat(40));
    is_quiet(&trace);
}

#[test]
fn a_producer_whose_consumer_computes_all_the_time() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let consumer = trace.thread(app, "consumer");
    let full = "k:futex_wait < k:do_futex < pthread_cond_wait < put_item < main";
    trace.stack("full", full);
    trace.play(main, &"R5 W15:full<consumer ".repeat(50));
    trace.play(consumer, "R1000");
    is_quiet(&trace);
}

#[test]
fn a_pipeline_whose_last_stage_computes() {
    let mut trace = Literal::new(1000);
    let (sh, shell) = process(&mut trace, "sh", 100, None, (0, 1000));
    let (_, first) = process(&mut trace, "seq", 101, Some(sh), (5, 990));
    let (_, last) = process(&mut trace, "wc", 102, Some(sh), (5, 995));
    trace.stack("wait4", "k:do_wait < k:kernel_wait4 < waitpid < main");
    trace.stack(
        "full",
        "k:anon_pipe_write < k:__x64_sys_write < write < main",
    );
    trace.stack("empty", "k:anon_pipe_read < k:__x64_sys_read < read < main");
    trace.play(shell, "R5 W990:wait4<wc R5");
    trace.play(first, &"R2 W8:full<wc ".repeat(98));
    trace.play(last, &"R9 W1:empty<seq ".repeat(99));
    is_quiet(&trace);
}

#[test]
fn xargs_that_keeps_two_programs_busy() {
    let mut trace = Literal::new(1000);
    let (xargs, main) = process(&mut trace, "xargs", 100, None, (0, 1000));
    trace.stack("wait4", "k:do_wait < k:kernel_wait4 < waitpid < main");
    for at in 0..24 {
        for side in 0..2 {
            let start = i64::from(at) * 41 + 1;
            let life = (start, start + 40);
            let pid = 200 + at * 2 + side;
            let (_, child) = process(&mut trace, "sha256sum", pid, Some(xargs), life);
            trace.threads[child.index()].name = Some(format!("sum-{side}-{at}"));
            trace.play(child, "R40");
        }
        trace.play(main, &format!("R1 W40:wait4<sum-0-{at}"));
    }
    trace.play(main, "R16");
    is_quiet(&trace);
}

#[test]
fn a_server_that_answers_all_that_comes() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "server", 100, None, (0, 1000));
    let (_, client) = process(&mut trace, "client", 200, None, (0, 1000));
    let ready = "k:ep_poll < k:do_epoll_wait < epoll_wait < ev_run < main";
    trace.stack("ready", ready);
    trace.stack(
        "reply",
        "k:unix_stream_read_generic < k:__x64_sys_recvfrom < recv < ask",
    );
    trace.play(main, &"W1:ready<client R4 ".repeat(200));
    trace.play(client, &"R1 W4:reply<server ".repeat(200));
    is_quiet(&trace);
}

#[test]
fn a_copy_that_reads_and_writes_in_large_pieces() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "rsync", 100, None, (0, 1000));
    trace.stack(
        "dirty",
        "k:balance_dirty_pages < k:__x64_sys_write < write < copy < main",
    );
    trace.play(main, &"R40 D10:dirty<! ".repeat(20));
    trace.calls(main, (0, 0), 4000, Some(4000 << 18), 300);
    trace.calls(main, (1, 0), 4000, Some(4000 << 18), 600);
    is_quiet(&trace);
}

#[test]
fn a_lock_that_is_held_now_and_then_on_busy_cpus() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let other = trace.thread(app, "other");
    trace.stack(
        "lock",
        "k:futex_wait < k:do_futex < __lll_lock_wait < add < main",
    );
    trace.play(main, &"R80 W20:lock<other ".repeat(10));
    trace.play(other, "R1000");
    is_quiet(&trace);
}

#[test]
fn a_function_is_named_only_if_it_has_much_of_the_time() {
    let answer = |functions: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "cc", 100, None, (0, 1000));
        trace.play(main, "R1000");
        for at in 0..functions {
            let stack = format!("step_{at}");
            trace.stack(&stack, &format!("libc.so.6!{stack} < …"));
            let times = (0..1000).filter(|ms| ms % functions == at);
            trace.sample(main, &times.collect::<Vec<_>>(), &stack);
        }
        explain_pid(&trace, 100)
    };
    says(
        &answer(1),
        &[
            "It computed: 100 % of the time, on 1.0 of 2 CPUs, 100 % of that in step_0. Nothing else stands out.",
        ],
    );
    says(&answer(4), &["1.0 of 2 CPUs, 25 % of that in step_0."]);
    says(&answer(10), &["1.0 of 2 CPUs."]);
}

#[test]
fn a_place_with_much_of_the_time_is_not_denied() {
    let answer = |command_ms: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "server", 100, None, (0, 1000));
        trace.processes[app.index()].path = Some("/usr/bin/app".to_owned());
        let (_, client) = process(&mut trace, "client", 200, None, (0, 1000));
        let ready = "k:ep_poll < k:do_epoll_wait < epoll_wait < ev_run < main";
        trace.stack("ready", ready);
        trace.stack("keys", "keys_command < call < run_command < main");
        trace.stack("get", "get_command < call < run_command < main");
        trace.stack("read", "read_client < main");
        trace.stack("write", "write_client < main");
        trace.stack("parse", "parse_query < main");
        trace.stack("close", "close_client < main");
        trace.play(main, &"W1:ready<client R4 ".repeat(200));
        trace.play(client, "R1000");
        let at = |from: i64, to: i64| (from..to).collect::<Vec<_>>();
        trace.sample(main, &at(0, command_ms), "keys");
        trace.sample(main, &at(command_ms, command_ms + 30), "get");
        let rest_ms = command_ms + 30;
        trace.sample(main, &at(rest_ms, 300), "read");
        trace.sample(main, &at(rest_ms.max(300), 450), "close");
        trace.sample(main, &at(450, 640), "parse");
        trace.sample(main, &at(640, 800), "write");
        // It is not the user's own program.
        for module in &mut trace.modules {
            module.path = format!("/usr/bin/{}", module.name);
        }
        let quiet = |one: &Finding| matches!(one.cause.as_str(), "cpu" | "idle");
        assert!(findings(&trace, 100).iter().all(quiet));
        explain_pid(&trace, 100)
    };
    // The function that carries out any command is named only if none of them has nearly all of its time.
    says(
        &answer(390),
        &[
            "It spent most of its time computing: 80 %, on 0.8 of 2 CPUs, 49 % of that in keys_command. Nothing else",
        ],
    );
    says(
        &answer(100),
        &["Nothing stands out: it computed for 80 % of the time, on 0.8 of 2 CPUs"],
    );
}

#[test]
fn a_library_that_has_names_for_its_callers_only_is_named_by_these() {
    let answer = |library: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "convert", 100, None, (0, 1000));
        trace.play(main, "R1000");
        let blurs = format!("?{library} < {library}!BlurImage < {library}!Command < ?convert");
        trace.stack("blur", &blurs);
        trace.stack(
            "read",
            &format!("?{library} < {library}!ReadImage < ?convert"),
        );
        trace.sample(main, &(0..800).collect::<Vec<_>>(), "blur");
        trace.sample(main, &(800..1000).collect::<Vec<_>>(), "read");
        for module in &mut trace.modules {
            module.path = format!("/usr/bin/{}", module.name);
        }
        explain_pid(&trace, 100)
    };
    says(
        &answer("libMagickCore.so.6"),
        &["80 % of that in BlurImage (libMagickCore.so.6)."],
    );
    // A function of an interpreter says nothing about the program.
    assert!(!answer("libpython3.11.so.1.0").contains("in BlurImage"));
}

#[test]
fn shares_of_the_cpu_time_are_all_of_the_whole() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "cc", 100, None, (0, 1000));
    trace.play(main, "R1000");
    trace.stack("copy", "k:copy_page < libc.so.6!fill < …");
    trace.stack("user", "libc.so.6!step < …");
    for (from, to, stack) in [(0, 400, "copy"), (700, 1000, "user")] {
        trace.sample(main, &(from..to).collect::<Vec<_>>(), stack);
    }
    for at in 400..700 {
        let stack = format!("walk_{}", at % 10);
        trace.stack(&stack, &format!("k:{stack} < libc.so.6!fill < …"));
        trace.sample(main, &[at], &stack);
    }
    let told = "1.0 of 2 CPUs; of the CPU time, 70 % was in the kernel, and 40 % in copy_page.";
    says(&explain_pid(&trace, 100), &[told]);
}

#[test]
fn who_hardly_had_a_cpu_is_told_no_trifles_beside_that() {
    let causes = |waits: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
        trace.stack("ask", "k:do_nanosleep < pause < main");
        trace.play(other, "R1000");
        trace.play(main, &format!("r600 R{} W{waits}:ask<!@timer", 400 - waits));
        trace.ready_was(main, [600, 0, 0]);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let told = |causes: &[String]| causes.iter().any(|one| one == "sleep");
    assert!(!told(&causes(30)), "{:?}", causes(30));
    assert!(told(&causes(100)), "{:?}", causes(100));
}

#[test]
fn threads_that_share_a_permit_per_cpu_lose_nothing() {
    let accused = |uses_all: bool| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (one, two) = (trace.thread(app, "one"), trace.thread(app, "two"));
        let permit = "k:futex_wait < k:do_futex < sem_wait < develop < main";
        trace.stack("permit", permit);
        trace.play(main, &"W40:permit<one R40 ".repeat(12));
        trace.play(one, &"R40 W40:permit<app ".repeat(12));
        match uses_all {
            true => trace.play(two, "R1000"),
            false => trace.play(two, "R10 W990"),
        }
        let all = findings(&trace, 100);
        all.iter().any(|one| one.cause == "semaphore")
    };
    assert!(!accused(true));
    assert!(accused(false));
}

#[test]
fn a_server_at_a_socket_of_its_own_waits_for_work() {
    let causes_at = |(kind, name, others): (&str, &str, Option<i32>), made: &str| {
        let mut trace = waits::pair("app");
        trace.waited_for(ThreadId(0), Some(0), None);
        let row = objects::row(kind, name, None);
        trace.tables = vec![Table::from_rows([WaitObjectRow { others, ..row }])];
        let (app, main) = (ProcessId(0), ThreadId(0));
        let does = (app, main, FileOperation::Create, (0, 0), 1);
        looking::did(&mut trace, &[made.to_owned()], &[does]);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let causes = |made: &str| causes_at(("unix", "store.sock", None), made);
    assert!(causes("/srv/store.sock").contains(&"idle".to_owned()));
    assert!(causes("/srv/other.sock").contains(&"slow-peer".to_owned()));
    // It watches a timer, too.
    let of_list = |list: &str, others| causes_at(("epoll", list, others), "/srv/store.sock");
    let is_idle = |list: &str, others| of_list(list, others).contains(&"idle".to_owned());
    assert!(is_idle("store.sock, [signalfd], [timerfd]", None));
    assert!(!is_idle("store.sock, 127.0.0.1:5432", None));
    assert!(!is_idle("[signalfd], [timerfd]", None));
    // What the others are is not known.
    assert!(!is_idle("store.sock, [timerfd]", Some(17)));
}

#[test]
fn which_program_slept_is_said() {
    let mut trace = Literal::new(1000);
    let (sh, shell) = process(&mut trace, "sh", 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "backup", 101, Some(sh), (1, 999));
    trace.stack("wait4", "k:do_wait < k:kernel_wait4 < waitpid < main");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("nap", "k:do_nanosleep < nanosleep < main");
    trace.play(shell, "R1 W998:wait4<backup R1");
    trace.play(child, "R1 W996:nap<!@timer R1");
    let all = findings(&trace, 100);
    let slept = all.iter().find(|one| one.cause == "sleep");
    let peer = slept.and_then(|one| one.fact("peer"));
    assert_eq!(peer, Some(&Value::Process("backup".to_owned())), "{all:?}");
}

#[test]
fn a_program_whose_child_computed_most_of_the_time_names_the_child() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "report", 100, None, (0, 1000));
    let (_, sort) = process(&mut trace, "sort", 101, Some(app), (10, 800));
    trace.stack(
        "read",
        "k:anon_pipe_read < k:ksys_read < read < next_line < main",
    );
    trace.stack("compare", "libc.so.6!strcoll < libc.so.6!qsort");
    trace.play(main, "R10 W690:read<sort R300");
    trace.play(sort, "W10 R790");
    trace.sample(sort, &(10..700).collect::<Vec<_>>(), "compare");
    trace.sample(main, &(700..1000).collect::<Vec<_>>(), "compare");
    says(
        &explain_pid(&trace, 100),
        &["; sort, which it started, computed for 68 % of the time."],
    );
}

#[test]
fn what_several_programs_computed_is_not_said_of_one() {
    let answer_of = |parts: [i64; 3], (work, count): (&str, usize)| {
        let mut trace = Literal::new(1000);
        let (sh, main) = process(&mut trace, "sh", 100, None, (0, 1000));
        trace.play(main, "R10");
        let mut at = 10;
        for (number, part) in (1..).zip(parts) {
            let life = (at, at + part);
            let name = format!("burn{number}");
            let (_, child) = process(&mut trace, &name, 100 + number, Some(sh), life);
            trace.stack("wait", "k:do_wait < k:kernel_wait4 < wait4 < main");
            trace.play(child, &format!("R{part}"));
            trace.play(main, &format!("W{part}:wait<{name}"));
            at += part;
        }
        trace.play(main, &format!("R{}", 1000 - at));
        let samples: Vec<i64> = (0..1000).collect();
        trace.stack("work", work);
        trace.sample(main, &samples[..count], "work");
        // A library without names does the rest.
        trace.stack("rest", "?libx.so < ?libx.so");
        trace.sample(main, &samples[count..count * 3], "rest");
        explain_pid(&trace, 100)
    };
    let answer = |parts: [i64; 3], work: &str| answer_of(parts, (work, 5));
    let several = answer([300, 500, 180], "main < _start");
    says(
        &several,
        &["on 1.0 of 2 CPUs; of that, burn2 50 %, burn1 30 %, burn3 18 %, sh 2 %."],
    );
    let with_samples = |count| answer_of([300, 500, 180], ("spell < main < _start", count));
    says(
        &with_samples(40),
        &["burn1 30 %, burn3 18 %, sh 2 %; 33 % of all of it was in spell."],
    );
    // A few samples say nothing.
    assert!(!with_samples(5).contains("spell"));
    let one = answer([50, 880, 50], "main < _start");
    says(&one, &["burn2, which it started, computed"]);
}

#[test]
fn a_program_that_computes_as_long_as_its_child_has_a_place() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "xz", 101, Some(app), (400, 1000));
    trace.stack("wait", "k:do_wait < k:kernel_wait4 < wait4 < main");
    trace.stack("screen", "screen < main");
    trace.stack("pack", "?liblzma.so < xz!main");
    trace.play(main, "R400 W600:wait<xz");
    trace.play(child, "R600");
    trace.sample(main, &(0..400).collect::<Vec<_>>(), "screen");
    trace.sample(child, &(400..1000).collect::<Vec<_>>(), "pack");
    says(
        &explain_pid(&trace, 100),
        &[
            "xz computed mostly on one CPU at a time: 60 % of the time",
            "It computed: 40 % of the time",
            "main → screen: 100 % of its CPU time",
        ],
    );
}

#[test]
fn a_program_without_names_of_functions_says_what_it_did_with_files() {
    let said = |leaf: &str, opens: i64, bytes: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "git", 100, None, (0, 1000));
        trace.processes[app.index()].path = Some("/usr/bin/git".to_owned());
        trace.play(main, "R1000");
        trace.stack("hash", &format!("{leaf} < ?git"));
        trace.sample(main, &(0..1000).collect::<Vec<_>>(), "hash");
        for module in &mut trace.modules {
            module.path = format!("/usr/bin/{}", module.name);
        }
        let row = |operation: FileOperation, (count, bytes): (i64, Option<i64>)| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: None,
            operation: operation.code(),
            result: 0,
            flags: 0,
            count,
            bytes,
            time_ns: Some(MS),
            longest_ns: Some(MS),
            timed_count: count,
        };
        trace.tables.push(Table::from_rows([
            row(FileOperation::Open, (opens, None)),
            row(FileOperation::Read, (opens, Some(bytes))),
        ]));
        explain_pid(&trace, 100)
    };
    let answer = said("?git", 45_912, 183_000_000);
    says(
        &answer,
        &["It opened files 45912 times, and read 183 MB. Nothing else stands out."],
    );
    says(
        &said("?git", 45_912, 1000),
        &["It opened files 45912 times."],
    );
    says(
        &said("?git", 10, 183_000_000),
        &["It read 183 MB from files."],
    );
    assert!(!said("?git", 10, 1000).contains("files"));
    says(
        &said("k:ext4_lookup < k:path_openat < git!open", 45_912, 1000),
        &["It opened files 45912 times."],
    );
    // The function says it better.
    assert!(!said("git!hash_object", 45_912, 183_000_000).contains("opened"));
}
