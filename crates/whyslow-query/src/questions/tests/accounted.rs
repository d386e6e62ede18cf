//! CPU time as the system accounts it.

use super::*;

/// Two threads of which one takes 9 ms more per stay than from switch to switch.
fn trace() -> Literal {
    let mut trace = Literal::new(1000);
    let process = trace.process("prog", 7, None);
    let timer = trace.thread(process, "timer");
    let other = trace.thread(process, "other");
    trace.play(timer, "R1 W99 R1 W99");
    trace.play(other, "R400 W100");
    trace.accounted(timer, 10 * MS);
    trace
}

#[test]
fn cpu_time_is_what_the_system_accounts_and_states_still_add_up() {
    let table = ask("threads", &trace().raw("t"), &Selection::default());
    let words = ["thread", "cpu", "running", "wait"];
    assert_eq!(
        cells(&table, &words),
        ["other 400 400 100", "timer 20 2 198"]
    );
}

#[test]
fn processes_cpu_and_timeline_say_the_same_with_and_without_a_roll_up() {
    for trace in [trace().raw("t"), trace().trace("t")] {
        for question in ["processes", "cpu"] {
            let table = ask(question, &trace, &Selection::default());
            assert_eq!(cells(&table, &["cpu-precise"]), ["420"], "{question}");
        }
        let table = ask("timeline", &trace, &Selection::default());
        let all = table.rows.len();
        let of = |row| match table.cell(row, "cpu-precise") {
            Some(Value::Int(ns)) => *ns,
            other => panic!("{other:?}"),
        };
        assert_eq!((0..all).map(of).sum::<i64>(), 420 * MS);
    }
}

#[test]
fn a_window_has_its_part_of_an_account() {
    let half = Selection {
        from: Some(TimePoint::Trace(0)),
        to: Some(TimePoint::Trace(MS / 2)),
        ..Selection::default()
    };
    let table = ask("threads", &trace().raw("t"), &half);
    assert_eq!(cells(&table, &["thread", "cpu"]), ["timer 5", "other 0"]);
}
