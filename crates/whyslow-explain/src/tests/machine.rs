//! What is said about a whole machine.

use whyslow_model::Table;
use whyslow_model::tables::FactRow;

use super::*;
use crate::machine::{Machine, explain_machine};
use crate::words::machine_lines;

fn machine(trace: &Literal) -> Machine {
    let target = Target {
        extract: Some("now.whyslow".to_owned()),
        ..Target::default()
    };
    explain_machine(&trace.raw("t"), &target).unwrap()
}

fn trace() -> Literal {
    let mut trace = Literal::new(1000);
    let (_, recording) = process(&mut trace, "whyslow", 90, None, (0, 1000));
    trace.play(recording, "R100 W900");
    trace.tables.push(Table::from_rows([FactRow {
        subject: String::new(),
        key: "recorder_pid".to_owned(),
        value: "90".to_owned(),
    }]));
    trace
}

#[test]
fn the_busiest_programs_come_first_each_with_what_it_started() {
    let mut trace = trace();
    trace.stack("fsync", "k:ext4_sync_file < save < main < _start");
    let (_, init) = process(&mut trace, "init", 1, None, (0, 1000));
    trace.play(init, "W1000");
    let (shell, main) = process(&mut trace, "sh", 100, None, (0, 1000));
    trace.processes[shell.index()].start_ns = None;
    trace.play(main, "R100 W900");
    for at in 0..4 {
        let (_, child) = process(&mut trace, "step", 200 + at, Some(shell), (100, 200));
        trace.play(child, "R100");
    }
    let (_, saver) = process(&mut trace, "saver", 300, None, (0, 1000));
    trace.play(saver, "R50 D900:fsync R50");
    let machine = machine(&trace);
    let pids: Vec<i32> = machine.programs.iter().map(|one| one.os_pid).collect();
    assert_eq!(pids, [300, 100]);
    assert_eq!(machine.programs[1].cpu_ns, 500 * MS);
    assert_eq!(machine.recorder_ns, 100 * MS);
    assert!(machine.busy.iter().all(|(name, _)| name != "whyslow"));
}

#[test]
fn programs_of_one_name_are_explained_once() {
    let mut trace = trace();
    for pid in [100, 101, 102] {
        let (_, main) = process(&mut trace, "worker", pid, None, (0, 1000));
        trace.play(main, "R300 W700");
    }
    let machine = machine(&trace);
    let [only] = &machine.programs[..] else {
        panic!("{machine:?}");
    };
    assert_eq!((only.alike, only.cpu_ns), (2, 900 * MS));
}

#[test]
fn an_idle_machine_is_called_that() {
    let mut trace = trace();
    let (_, main) = process(&mut trace, "server", 100, None, (0, 1000));
    trace.play(main, "R5 W995");
    let machine = machine(&trace);
    assert!(machine.programs.is_empty(), "{machine:?}");
    let text: String = machine_lines(&machine, Names::Short)
        .iter()
        .flat_map(|line| &line.spans)
        .map(|span| match &span.content {
            Content::Text(words) => words.clone(),
            _ => "…".to_owned(),
        })
        .collect();
    assert!(
        text.contains("No program had to wait long for a CPU."),
        "{text}"
    );
    assert!(text.contains("No program did enough"), "{text}");
}
