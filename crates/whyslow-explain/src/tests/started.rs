//! Programs that are started often.

use whyslow_model::Table;
use whyslow_model::tables::FactRow;

use super::*;

#[test]
fn the_copy_of_a_recorder_that_is_not_recorded_is_not_the_command() {
    let answer = |is_recorded: bool| {
        let mut trace = Literal::new(1000);
        let (copy, before) = process(&mut trace, "whyslow", 100, None, (0, 800));
        let (image, after) = process(&mut trace, "app", 100, None, (800, 1000));
        trace.processes[copy.index()].start_ns = None;
        trace.processes[image.index()].predecessor = Some(copy);
        trace.threads[after.index()].name = Some("app".to_owned());
        trace.stack("held", "k:pipe_read < read < main");
        trace.play(before, "W800:held<!");
        trace.play(after, "R200");
        let pid = if is_recorded { "100" } else { "200" };
        trace.tables.push(Table::from_rows([FactRow {
            subject: String::new(),
            key: "command_pid".to_owned(),
            value: pid.to_owned(),
        }]));
        explain_pid(&trace, 100)
    };
    let recorded = answer(true);
    assert!(
        recorded.starts_with("work --hard took 200 ms"),
        "{recorded}"
    );
    // A process that was running, and became another one, was there all the time.
    let other = answer(false);
    assert!(other.starts_with("work --hard took 1000 ms"), "{other}");
}

#[test]
fn a_program_started_again_and_again_is_counted() {
    let mut trace = Literal::new(1000);
    let (sh, shell) = process(&mut trace, "sh", 100, None, (0, 1000));
    trace.stack("wait4", "k:do_wait < waitpid < main < _start");
    trace.start(shell, 0);
    for at in 0..40 {
        let pid = 200 + at;
        let start = i64::from(at) * 25 + 5;
        let (copy, before) = process(&mut trace, "sh", pid, Some(sh), (start, start + 2));
        let life = (start + 2, start + 15);
        let (image, after) = process(&mut trace, "basename", pid, Some(sh), life);
        trace.processes[image.index()].predecessor = Some(copy);
        trace.threads[after.index()].name = Some(format!("basename-{at}"));
        trace.play(before, "R2");
        trace.play(after, "R13");
        trace.play(shell, &format!("R5 W15:wait4<basename-{at} R5"));
    }
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "work --hard took 1000 ms in 41 processes",
            "1 It started basename 40 times, 15 ms each: 60 % of the time  certain",
        ],
    );
}

#[test]
fn a_program_started_often_explains_what_its_processes_did() {
    let mut trace = Literal::new(1000);
    let (sh, shell) = process(&mut trace, "sh", 100, None, (0, 1000));
    trace.stack("wait4", "k:do_wait < waitpid < main < _start");
    for at in 0..40 {
        let start = i64::from(at) * 25 + 5;
        let life = (start, start + 15);
        let (_, child) = process(&mut trace, "basename", 200 + at, Some(sh), life);
        trace.threads[child.index()].name = Some(format!("basename-{at}"));
        trace.play(child, "R15");
        trace.play(shell, &format!("R5 W15:wait4<basename-{at} R5"));
    }
    let all = findings(&trace, 100);
    let short: Vec<_> = all
        .iter()
        .map(|one| (one.cause.as_str(), one.wall_ns / MS, one.explained_ns / MS))
        .collect();
    assert_eq!(short, [("process-storm", 600, 600), ("cpu", 1000, 400)]);
    assert_eq!(all[1].below.as_deref(), Some("process-storm"));
}

/// A build: a compiler works on one large file, and two more of them and another program on little.
fn build() -> Literal {
    let mut trace = Literal::new(1000);
    let (make, main) = process(&mut trace, "make", 100, None, (0, 1000));
    trace.stack(
        "wait4",
        "k:do_wait < k:kernel_wait4 < waitpid < main < _start",
    );
    let parts = [
        ("cc1", "small/a.c", 20),
        ("cc1", "small/b.c", 30),
        ("as", "/tmp/x.s", 250),
        ("cc1", "sqlite3/sqlite3.c", 600),
    ];
    let mut at = 0;
    for (pid, (name, source, ms)) in (200..).zip(parts) {
        let (child, thread) = process(&mut trace, name, pid, Some(make), (at, at + ms));
        let line = format!(
            "/usr/lib/gcc/12/{name} -quiet -imultiarch x86_64-linux-gnu -D A {source} -o y"
        );
        trace.processes[child.index()].command_line = Some(line);
        trace.threads[thread.index()].name = Some(format!("{name}-{pid}"));
        trace.play(thread, &format!("R{ms}"));
        trace.play(main, &format!("W{ms}:wait4<{name}-{pid}"));
        at += ms;
    }
    trace.play(main, "R100");
    trace
}

#[test]
fn one_compiler_that_takes_long_is_named_by_its_source() {
    let all = findings(&build(), 100);
    let cpu = all.iter().filter(|one| one.cause == "cpu");
    let told: Vec<_> = cpu
        .map(|one| (one.wall_ns / MS, one.fact("unit").cloned()))
        .collect();
    let source = Some(Value::Text("sqlite3/sqlite3.c".to_owned()));
    assert_eq!(told, [(600, source), (400, None)], "{all:?}");
    let answer = explain_pid(&build(), 100);
    says(
        &answer,
        &["cc1 (sqlite3/sqlite3.c), which it started, computed for 60 % of the time"],
    );
    assert!(!answer.contains("such processes"), "{answer}");
}

#[test]
fn one_process_that_did_the_work_is_not_one_of_several() {
    let mut trace = build();
    for row in &mut trace.processes {
        row.command_line = None;
    }
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("such processes"), "{answer}");
}

#[test]
fn the_title_of_a_compiler_shows_what_it_translates() {
    let Answer::Explained(mut answer) = explained(&build(), 203) else {
        panic!("not found");
    };
    answer.command = "/usr/lib/gcc/12/cc1 -quiet -imultiarch x86_64-linux-gnu x.c -o y".to_owned();
    let answer = print(&Answer::Explained(answer));
    assert!(answer.starts_with("cc1 … x.c took 600 ms"), "{answer}");
}
