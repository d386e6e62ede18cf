//! Who and what is named, and where: the peer, the script, the place.

use whyslow_model::tables::WaitObjectRow;
use whyslow_model::{Named, Table, ThreadState};

use super::*;

const RECEIVES: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < fetch < main";

/// A client whose server has a thread for each of its four connections, and what each wait was for.
fn client() -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (server, _) = process(&mut trace, "python3", 200, None, (0, 1000));
    let line = "python3 -u /srv/rate_server.py 8080";
    trace.processes[server.index()].command_line = Some(line.to_owned());
    trace.stack("recv", RECEIVES);
    for at in 0..4 {
        let name = format!("worker-{at}");
        let thread = trace.thread(server, &name);
        trace.play(main, &format!("R10 W200:recv<{name}"));
        trace.play(thread, &format!("W{}:recv<app R200 W10", 10 + at * 210));
    }
    // Each connection has an end of its own.
    let rows = (0..4).map(|at| WaitObjectRow {
        id: at,
        kind: "tcp".to_owned(),
        name: "127.0.0.1:8080".to_owned(),
        local: Some(format!("127.0.0.1:{}", 40_000 + at)),
        peer_pid: None,
        owner_tid: None,
        file_system: None,
        inode: None,
        device: None,
        others: None,
    });
    trace.tables.push(Table::from_rows(rows));
    let waits = trace.states.iter_mut();
    let waits = waits.filter(|row| row.thread == main && row.state == ThreadState::Waiting.code());
    for (row, object) in waits.zip(0..) {
        row.object = Some(object);
    }
    trace
}

#[test]
fn a_server_with_a_thread_for_each_client_is_one_peer_named_by_its_script() {
    let finding = &findings(&client(), 100)[0];
    assert_eq!(finding.cause, "slow-peer");
    assert_eq!(finding.confidence, Confidence::Certain);
    let text = |name: &str| match finding.fact(name) {
        Some(Value::Text(text) | Value::Process(text)) => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text("object"), "127.0.0.1:8080");
    let peer = text("peer");
    assert!(peer.starts_with("rate_server.py/worker-"), "{peer}");
}

/// A program whose child computes for most of the time.
fn waits_for_a_child(child_does: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, child) = process(&mut trace, "encode", 101, Some(app), (100, 900));
    trace.stack(
        "wait4",
        "k:do_wait < k:kernel_wait4 < waitpid < main < _start",
    );
    trace.stack(
        "sync",
        "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < main",
    );
    trace.play(main, "R100 W800:wait4<encode R100");
    trace.play(child, child_does);
    trace.stack("hot", "scale < convert < main < _start");
    trace.sample(child, &(100..900).collect::<Vec<_>>(), "hot");
    trace
}

#[test]
fn what_a_child_computes_comes_before_the_wait_for_it() {
    let all = findings(&waits_for_a_child("R800"), 100);
    let told = |one: &Finding| (one.cause.clone(), one.wall_ns / MS, one.below.clone());
    let told: Vec<_> = all.iter().map(told).collect();
    let below = Some("cpu".to_owned());
    let wanted = [
        ("cpu", 800, None),
        ("child", 800, below),
        ("cpu", 200, None),
    ];
    let wanted = wanted.map(|(cause, ms, below)| (cause.to_owned(), ms, below));
    assert_eq!(told, wanted);
    // What it waited for says more than that it was waited for.
    let trace = waits_for_a_child("R50 D700:sync<! R50");
    assert_eq!(
        findings(&trace, 100)[0].cause,
        "fsync",
        "{}",
        explain_pid(&trace, 100)
    );
}

#[test]
fn copies_of_a_program_that_work_for_it_are_told_once() {
    let mut trace = waits_for_a_child("R800");
    "app".clone_into(&mut trace.processes[1].name);
    let cpu = findings(&trace, 100).into_iter();
    let cpu: Vec<_> = cpu.filter(|one| one.cause == "cpu").collect();
    assert_eq!(cpu.len(), 1, "{cpu:?}");
    assert_eq!(cpu[0].wall_ns, 1000 * MS);
}

#[test]
fn a_short_command_that_failed_says_so_first_and_what_took_its_time() {
    let answer = |code: i32| {
        let mut trace = Literal::new(20);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 20));
        trace.processes[app.index()].exit_code = Some(code);
        trace.stack(
            "load",
            "k:io_schedule < k:folio_wait_bit_common < k:filemap_fault < k:__do_fault < ld.so!_dl_start < ld.so!_start",
        );
        trace.play(main, "R2 D6:load<! R4 D6:load<! R2");
        explain_pid(&trace, 100)
    };
    says(
        &answer(2),
        &[
            "\nIt ended with exit code 2; if that is a failure, look at what it printed. Nothing else stands out: it waited for data to be read from the disk for 60 % of the time, and computed for 40 %.",
        ],
    );
    says(&answer(0), &["\nNothing stands out: it waited for data"]);
}

#[test]
fn who_has_cpus_left_for_all_its_threads_competes_with_others() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    let (_, rival) = process(&mut trace, "rustc", 200, None, (0, 1000));
    trace.stack("loop", "step < main");
    trace.play(main, "R100 P700:loop R200");
    trace.play(worker, "W100 R700 W200");
    trace.play(rival, "W100 R690 W210");
    trace.ready_was(main, [700, 0, 0]);
    assert_eq!(findings(&trace, 100)[0].cause, "competing");
}

#[test]
fn who_keeps_out_itself_blames_nobody_else() {
    let causes = |name: &str, rival_ms: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let worker = trace.thread(app, name);
        let (_, rival) = process(&mut trace, "rustc", 200, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.play(main, "R100 P700:loop R200");
        trace.play(worker, "W100 R700 W200");
        trace.play(rival, &format!("W100 R{rival_ms} W{}", 900 - rival_ms));
        trace.ready_was(main, [700, 0, 0]);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let has = |causes: Vec<String>, cause: &str| causes.iter().any(|one| one == cause);
    assert!(has(causes("worker", 690), "competing"));
    assert!(!has(causes("worker", 100), "competing"));
    assert!(has(causes("worker", 100), "too-many-threads"));
    // Threads of its runtime are not of its own making.
    assert!(!has(causes("C2 CompilerThre", 100), "too-many-threads"));
}

#[test]
fn who_traces_a_program_stops_it() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    process(&mut trace, "strace", 200, None, (0, 1000));
    trace.stack(
        "trace",
        "k:ptrace_stop < k:ptrace_do_notify < stat < answer < main",
    );
    trace.play(main, &"R20 W80:trace<strace ".repeat(10));
    let finding = &findings(&trace, 100)[0];
    assert_eq!(finding.cause, "stopped");
    let words = ["by its tracer", "until strace(200) ended it"];
    says(&explain_pid(&trace, 100), &words);
}

#[test]
fn stacks_that_were_cut_short_do_not_hide_the_place() {
    let answer = |whole: i64| {
        let mut trace = Literal::new(2000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 2000));
        trace.stack("whole", "k:step < hash < log_in < main < _start");
        trace.stack("cut", "libc.so.6!memmove < …");
        trace.stack("nap", "k:do_nanosleep < clock_nanosleep < pause < main");
        trace.play(main, "R1000 W1000:nap<!");
        trace.sample(main, &(0..whole).collect::<Vec<_>>(), "whole");
        trace.sample(main, &(whole..1000).collect::<Vec<_>>(), "cut");
        explain_pid(&trace, 100)
    };
    // What is not known is not added.
    let known = "log_in → hash: 100 % of the CPU time whose callers are known (35 % of all)";
    says(&answer(350), &[known]);
    says(
        &answer(210),
        &["log_in → hash: at least 21 % of the CPU time"],
    );
    says(
        &answer(990),
        &["log_in → hash: 100 % of the CPU time, 99 % in step"],
    );
}

#[test]
fn a_command_that_failed_says_how() {
    let answer = |code: Option<i32>, signal: Option<i32>| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.processes[app.index()].exit_code = code;
        trace.processes[app.index()].exit_signal = signal;
        trace.play(main, "R1000");
        explain_pid(&trace, 100)
    };
    says(
        &answer(Some(3), None),
        &["took 1000 ms, exit code 3  on CPU"],
    );
    says(
        &answer(None, Some(11)),
        &["took 1000 ms, ended by SIGSEGV  on CPU"],
    );
    says(
        &answer(None, Some(40)),
        &["took 1000 ms, ended by signal 40  on CPU"],
    );
    says(&answer(Some(0), Some(0)), &["took 1000 ms  on CPU"]);
}

#[test]
fn a_runtime_says_what_names_its_functions() {
    let of = |name: &str, stack: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, name, 100, None, (0, 1000));
        trace.stack("work", stack);
        trace.play(main, "R1000");
        trace.sample(main, &(0..1000).collect::<Vec<i64>>(), "work");
        let text = explain_pid(&trace, 100);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let interpreted = "ruby3.1!vm_exec < ruby3.1!main";
    let ruby = of("ruby3.1", interpreted);
    assert!(ruby.contains("--yjit-perf"), "{ruby}");
    assert!(of("php8.2", "php8.2!execute_ex < php8.2!main").contains("opcache.jit_debug"));
    // Its functions have names.
    let named = "perf-100.map!P:Work < perf-100.map!P:Main";
    assert!(!of("mono-sgen", named).contains("--jitmap"));
    assert!(!of("tool", "tool!work < tool!main").contains("no names"));
}

#[test]
fn a_recording_of_now_is_about_the_process_that_now_was_asked_about() {
    let about = |line: Option<&str>| {
        let mut trace = Literal::new(1000);
        for (name, pid) in [("sh", 100), ("node", 200)] {
            let (_, main) = process(&mut trace, name, pid, None, (0, 1000));
            trace.play(main, "R1000");
        }
        trace.recorder_line = line.map(str::to_owned);
        let trace = trace.raw("t");
        let line = recorded_line(&trace).expect("a trace");
        assert_eq!(line, None, "it is the recorder's own");
        subject(&trace).expect("a trace")
    };
    assert_eq!(about(Some("whyslow now --for 2s --name node")), Some(200));
    // One that is not there, or none: the whole machine.
    assert_eq!(about(Some("whyslow now --name nodes")), None);
    assert_eq!(about(Some("whyslow now")), None);
    assert_eq!(about(None), None);
}
