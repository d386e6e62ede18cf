//! Command lines, exit codes and ends by signal.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use whyslow_bpf::Config;
use whyslow_bpf::payload::Event;

use crate::on_trial;

#[test]
fn every_short_process_has_its_command_line_and_exit_code() {
    // Next to no stacks, so that the rings hold out on a busy machine.
    let config = Config {
        stack_bytes_per_second: 1000,
        ..Config::default()
    };
    on_trial(&config, |trial| {
        let mut expected = BTreeMap::new();
        for number in 0..300 {
            let text = format!("exit {}; # {number} \u{fc}", number % 256);
            let mut child = Command::new("/bin/sh").args(["-c", &text]).spawn().unwrap();
            expected.insert(
                child.id(),
                (format!("/bin/sh\0-c\0{text}\0"), (number % 256) << 8),
            );
            child.wait().unwrap();
            trial.drain();
        }
        let (mut commands, mut codes) = (BTreeMap::new(), BTreeMap::new());
        for payload in trial.payloads() {
            match payload.event {
                Event::Exec {
                    arguments,
                    total_bytes,
                    ..
                } if expected.contains_key(&payload.pid) => {
                    assert_eq!(arguments.len() as u64, total_bytes);
                    commands.insert(payload.pid, String::from_utf8(arguments.to_vec()).unwrap());
                }
                Event::Exit { wait_status, .. } => drop(codes.insert(payload.pid, wait_status)),
                _ => {}
            }
        }
        for (pid, (command, code)) in expected {
            assert_eq!(commands.get(&pid), Some(&command));
            assert_eq!(codes.get(&pid), Some(&code), "{command:?}");
        }
    });
}

#[test]
fn a_very_long_command_line_is_cut_and_told() {
    on_trial(&Config::default(), |trial| {
        let long = "x".repeat(100_000);
        let mut child = Command::new("/bin/true").arg(&long).spawn().unwrap();
        child.wait().unwrap();
        let payloads = trial.payloads();
        let exec = payloads.iter().find_map(|payload| match payload.event {
            Event::Exec {
                arguments,
                total_bytes,
                ..
            } if payload.pid == child.id() => Some((arguments, total_bytes)),
            _ => None,
        });
        let (arguments, total_bytes) = exec.unwrap();
        assert_eq!(total_bytes, 10 + 100_001);
        assert!(arguments.len() >= 4096 && arguments.len() < 100_000);
        assert!(arguments.starts_with(b"/bin/true\0xxx"));
    });
}

#[test]
fn a_thread_killed_while_it_waits_has_its_stack() {
    on_trial(&crate::generous(), |trial| {
        let mut child = Command::new("sleep")
            .arg("100")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        crate::wait_until_asleep(child.id());
        thread::sleep(Duration::from_millis(40));
        child.kill().unwrap();
        child.wait().unwrap();
        let payloads = trial.payloads();
        let of_child = || payloads.iter().filter(|payload| payload.pid == child.id());
        let wait = of_child().find_map(|payload| match payload.event {
            Event::Wait(wait) if wait.wait_ns >= 30_000_000 => Some(wait),
            _ => None,
        });
        assert!(!wait.unwrap().stack.unwrap().inner.is_empty());
        let exit = of_child().find_map(|payload| match payload.event {
            Event::Exit { wait_status, .. } => Some(wait_status),
            _ => None,
        });
        assert_eq!(exit, Some(9));
    });
}

#[test]
fn a_wait_in_exec_has_no_borrowed_stack() {
    on_trial(
        &Config {
            wait_threshold_ns: 1,
            ..Config::default()
        },
        |trial| {
            let mut children = BTreeSet::new();
            for _ in 0..20 {
                let mut child = Command::new("/bin/true").spawn().unwrap();
                children.insert(child.id());
                child.wait().unwrap();
                trial.drain();
            }
            for payload in trial.payloads() {
                let Event::Wait(wait) = payload.event else {
                    continue;
                };
                let is_exec =
                    matches!(wait.system_call, 59 | 322) && children.contains(&payload.pid);
                assert!(!is_exec || wait.stack.is_none(), "{payload:?}");
            }
        },
    );
}
