//! What is said about a whole machine.

use whyslow_model::tables::{FactRow, GroupMemberRow, GroupRow};
use whyslow_model::{Capabilities, Table, Unit};

use super::*;
use crate::machine::{Machine, UnitAsked, explain_machine, explain_unit};
use crate::words::machine_lines;

fn machine(trace: &Literal) -> Machine {
    let target = Target {
        extract: Some("now.whyslow".to_owned()),
        ..Target::default()
    };
    explain_machine(&trace.raw("t"), &target).unwrap()
}

/// Prints what is said.
fn said(machine: &Machine) -> String {
    machine_lines(machine, Names::Short)
        .iter()
        .flat_map(|line| &line.spans)
        .map(|span| match &span.content {
            Content::Text(words) => words.clone(),
            Content::Percent(share) => format!("{share:.0} %"),
            _ => "…".to_owned(),
        })
        .collect()
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
    let text = said(&machine);
    assert!(
        text.contains("No program had to wait long for a CPU."),
        "{text}"
    );
    assert!(text.contains("No program did enough"), "{text}");
}

#[test]
fn a_machine_of_which_nothing_is_known_is_not_called_idle() {
    let mut trace = trace();
    process(&mut trace, "server", 100, None, (0, 1000));
    trace.states.clear();
    trace.capabilities = Capabilities::default();
    let text = said(&machine(&trace));
    assert!(!text.contains("idle") && !text.contains("busy"), "{text}");
    assert!(text.contains("was not recorded"), "{text}");
    assert!(text.contains("Record again"), "{text}");
}

/// A web server in a service, its worker in a container of its own, and a busy program beside them. `is_known`: whether
/// the recording says who is in which group.
fn with_units(is_known: bool) -> Literal {
    let mut trace = trace();
    let (master, main) = process(&mut trace, "web", 100, None, (0, 1000));
    trace.play(main, "R100 W900");
    let (worker, main) = process(&mut trace, "worker", 101, Some(master), (100, 1000));
    trace.play(main, "R200 W700");
    let (_, helper) = process(&mut trace, "helper", 102, Some(worker), (200, 300));
    trace.play(helper, "R100");
    let (_, beside) = process(&mut trace, "beside", 200, None, (0, 1000));
    trace.play(beside, "R500 W500");
    let paths = [
        "/system.slice/web.service".to_owned(),
        format!("/docker/{}", "ab".repeat(32)),
    ];
    let groups = (0..).zip(paths).map(|(id, path)| GroupRow {
        id,
        resource: "memory".to_owned(),
        name: path.clone(),
        path,
    });
    let member = |process, from_ns, process_group| GroupMemberRow {
        process,
        from_ns,
        process_group,
    };
    if is_known {
        trace.tables.push(Table::from_rows(groups));
        // The worker is started in the service, and moved then.
        let members = [member(master, None, 0), member(worker, Some(150 * MS), 1)];
        trace.tables.push(Table::from_rows(members));
    }
    trace
}

fn of_unit(trace: &Literal, path: &str, os_pids: &[u32]) -> Machine {
    let [unit] = &Unit::all_of(path)[..] else {
        panic!("no unit");
    };
    let asked = UnitAsked { unit, os_pids };
    explain_unit(&trace.raw("t"), &Target::default(), asked).unwrap()
}

#[test]
fn a_unit_is_its_processes_and_what_they_start() {
    let trace = with_units(true);
    let container = of_unit(&trace, &format!("/docker/{}", "ab".repeat(32)), &[]);
    let pids: Vec<i32> = container.programs.iter().map(|one| one.os_pid).collect();
    assert_eq!(pids, [101]);
    assert_eq!(container.programs[0].cpu_ns, 300 * MS);
    let unit = container.unit.as_ref().expect("a unit");
    assert_eq!((unit.processes, unit.others_ns), (2, 600 * MS));
    let text = said(&container);
    for part in [
        "Container abababababab (docker), for ",
        "Its … processes used 15 % of the CPU time of the machine",
        "They did not have to wait long for a CPU.",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let service = of_unit(&trace, "/system.slice/web.service", &[]);
    let pids: Vec<i32> = service.programs.iter().map(|one| one.os_pid).collect();
    assert_eq!(pids, [100]);
    assert!(
        said(&service).contains("Its process used 5 % of"),
        "{}",
        said(&service)
    );
}

#[test]
fn a_unit_that_no_recorded_group_shows_is_known_by_its_processes() {
    let trace = with_units(false);
    let service = of_unit(&trace, "/system.slice/web.service", &[100]);
    assert_eq!(service.unit.as_ref().map(|unit| unit.processes), Some(3));
    assert_eq!(service.busy.iter().map(|(_, ns)| ns).sum::<i64>(), 400 * MS);
    let nobody = of_unit(&trace, "/system.slice/web.service", &[]);
    assert!(nobody.programs.is_empty());
    assert!(
        said(&nobody).contains("None of its processes"),
        "{}",
        said(&nobody)
    );
}

#[test]
fn a_unit_that_is_idle_is_explained() {
    let mut trace = trace();
    let (_, main) = process(&mut trace, "server", 100, None, (0, 1000));
    trace.stack(
        "epoll",
        "k:do_epoll_wait < epoll_wait < serve < main < _start",
    );
    trace.play(main, "R1 W999:epoll");
    let service = of_unit(&trace, "/system.slice/web.service", &[100]);
    assert_eq!(service.programs.len(), 1);
}
