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
