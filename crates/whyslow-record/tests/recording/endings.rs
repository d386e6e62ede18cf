//! The ways a recording ends, and what is left of it.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use whyslow_record::{Error, Settings};
use whyslow_testenv::{Feature, PATIENCE, has, wait_until};

use crate::recording::Recording;
use crate::{Scratch, program, recorder};

#[test]
fn command_that_is_not_there_leaves_no_file() {
    let scratch = Scratch::new();
    let Some(recorder) = recorder(Settings::new(scratch.path("a.data"))) else {
        return;
    };
    let error = recorder
        .run_command(&["no-such-command-anywhere"])
        .unwrap_err();
    assert!(
        matches!(&error, Error::Command { command, .. } if command == "no-such-command-anywhere")
    );
    assert!(
        error
            .to_string()
            .starts_with("cannot run no-such-command-anywhere: "),
        "{error}"
    );
    assert_eq!(scratch.files(), Vec::<String>::new());
    let is_ours = |name: &str| name.starts_with("whyslow-");
    let threads = || std::fs::read_dir("/proc/self/task").unwrap();
    let names = || {
        threads().filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok())
    };
    wait_until("no thread of ours is left", || {
        !names().any(|name| is_ours(&name))
    });
}

#[test]
fn existing_output_is_kept_unless_it_may_be_replaced() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    if recorder(Settings::new(scratch.path("probe"))).is_none() {
        return;
    }
    std::fs::write(&output, "precious").unwrap();
    let refused = whyslow_record::Recorder::new(Settings::new(&output));
    assert!(matches!(refused, Err(Error::OutputExists { .. })));
    assert_eq!(std::fs::read(&output).unwrap(), b"precious");

    let mut settings = Settings::new(&output);
    settings.replace_output = true;
    recorder(settings).unwrap().run_command(&["true"]).unwrap();
    assert_eq!(
        Recording::read(&output).info("command_exit_code"),
        Some("0")
    );
    assert_eq!(scratch.files(), ["a.data"]);
}

#[test]
fn directory_that_is_not_there_is_told_at_once() {
    let scratch = Scratch::new();
    if recorder(Settings::new(scratch.path("probe"))).is_none() {
        return;
    }
    let error = whyslow_record::Recorder::new(Settings::new(scratch.path("no/a.data")));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("cannot write "), "{error}");
}

#[test]
fn exit_code_and_standard_streams_pass_through() {
    let scratch = Scratch::new();
    let Some(program) = program() else {
        return;
    };
    let mut child = recording(
        &program,
        &scratch.path("a.data"),
        &["sh", "-c", "cat; echo out; exit 42"],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"in\n").unwrap();
    let answer = child.wait_with_output().unwrap();
    assert_eq!(answer.status.code(), Some(42));
    assert_eq!(answer.stdout, b"in\nout\n");
}

#[test]
fn interrupt_reaches_the_command_and_the_recording_is_whole() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(program) = program() else {
        return;
    };
    let script = "trap 'exit 5' INT; touch $0; i=0; \
                  while [ $i -lt 3000 ]; do sleep 0.1; i=$((i+1)); done";
    let started = scratch.path("started");
    let mut child = recording(
        &program,
        &output,
        &["sh", "-c", script, started.to_str().unwrap()],
    )
    .stderr(Stdio::null())
    .process_group(0)
    .spawn()
    .unwrap();
    wait_for(&started, &mut child);
    // As a terminal does: to the whole group.
    signal_group(&child, "INT");
    assert_eq!(end_of(&mut child).code(), Some(5));
    let recording = Recording::read(&output);
    assert_eq!(recording.info("command_exit_code"), Some("5"));
    assert_eq!(recording.faults, Vec::<String>::new());
}

#[test]
fn an_interrupt_before_the_command_begins_stops_it() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(program) = program() else {
        return;
    };
    let started = scratch.path("started");
    let script = "touch $0; exec sleep 50";
    // How long it is held nobody knows: try until the signal comes in that time.
    wait_until("it is stopped while it is held", || {
        let command = ["sh", "-c", script, started.to_str().unwrap()];
        let mut child = recording(&program, &output, &command);
        let child = child.stderr(Stdio::piped()).process_group(0);
        let mut child = child.spawn().unwrap();
        let Some(_held) = stopped_while_it_holds(&mut child) else {
            signal_group(&child, "KILL");
            end_of(&mut child);
            let _none = std::fs::remove_file(&started);
            return false;
        };
        signal_group(&child, "INT");
        signal(&child.id().to_string(), "CONT");
        let ended = end_of(&mut child);
        assert!(!started.exists(), "it began: {ended:?}");
        let mut said = String::new();
        let _bytes = child.stderr.take().unwrap().read_to_string(&mut said);
        // A recorder that had decided to let it go still had to do so when it was stopped.
        let let_go = ended.code() == Some(130);
        assert!(let_go || ended.code() == Some(125), "{ended:?}: {said}");
        if !let_go {
            assert!(said.contains("interrupted"), "{said}");
            assert_eq!(scratch.files(), Vec::<String>::new());
        }
        let _none = std::fs::remove_file(&output);
        !let_go
    });
}

/// Stops a recorder as soon as it has a child, and returns the child if it is held: it sleeps until the recorder writes
/// to it, which a stopped recorder does not do.
fn stopped_while_it_holds(recorder: &mut Child) -> Option<String> {
    let pid = recorder.id();
    let children = format!("/proc/{pid}/task/{pid}/children");
    let first = || {
        let all = std::fs::read_to_string(&children).unwrap_or_default();
        all.split(' ').next().unwrap_or_default().to_owned()
    };
    wait_while_running(recorder, || !first().is_empty());
    signal(&pid.to_string(), "STOP");
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
    wait_until("the recorder is stopped", || {
        read(format!("/proc/{pid}/task/{pid}/status")).contains("\nState:\tT")
    });
    let held = first();
    let name = |pid: &str| read(format!("/proc/{pid}/comm"));
    let is_ours = || name(&held) == name(&pid.to_string());
    let reads = || read(format!("/proc/{held}/syscall")).starts_with("0 ");
    wait_until("the child is held, or the command", || {
        reads() || !is_ours()
    });
    (reads() && is_ours()).then_some(held)
}

#[test]
fn second_interrupt_discards_the_recording() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(program) = program() else {
        return;
    };
    let script = "trap '' INT; touch $0; exec sleep 300";
    let started = scratch.path("started");
    let mut child = recording(
        &program,
        &output,
        &["sh", "-c", script, started.to_str().unwrap()],
    )
    .stderr(Stdio::null())
    .process_group(0)
    .spawn()
    .unwrap();
    wait_for(&started, &mut child);
    signal_group(&child, "INT");
    // Two pending signals of a kind are one: let the first one be taken.
    let status = format!("/proc/{}/status", child.id());
    wait_while_running(&mut child, || {
        let status = std::fs::read_to_string(&status).unwrap();
        status.contains("\nShdPnd:\t0000000000000000\n")
    });
    signal_group(&child, "INT");
    assert_eq!(end_of(&mut child).code(), Some(125));
    assert_eq!(scratch.files(), ["started"]);
    signal_group(&child, "KILL");
}

#[test]
fn termination_ends_a_recording_without_command() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(program) = program() else {
        return;
    };
    let mut child = Command::new(&program)
        .arg("-o")
        .arg(&output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let part = scratch.path(&format!("a.data.{}.part", child.id()));
    let is_long = || std::fs::metadata(&part).is_ok_and(|metadata| metadata.len() > 200_000);
    wait_while_running(&mut child, is_long);
    signal(&child.id().to_string(), "TERM");
    assert!(end_of(&mut child).success());
    let mut said = String::new();
    let report = child.stderr.as_mut().unwrap();
    report.read_to_string(&mut said).unwrap();
    assert!(said.contains("interrupted: true"), "{said}");
    assert!(Recording::read(&output).count("sched:sched_switch") > 0);
    assert_eq!(scratch.files(), ["a.data"]);
}

#[test]
fn killed_recorder_leaves_a_part_that_can_be_read() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(program) = program() else {
        return;
    };
    let mut child = Command::new(&program)
        .arg("-o")
        .arg(&output)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let part = scratch.path(&format!("a.data.{}.part", child.id()));
    // How much comes before the first events depends on how many processes the machine has.
    let is_long = || std::fs::metadata(&part).is_ok_and(|metadata| metadata.len() > 200_000);
    let has_events = || is_long() && Recording::read(&part).count("sched:sched_switch") > 0;
    wait_while_running(&mut child, has_events);
    child.kill().unwrap();
    assert_eq!(end_of(&mut child).signal(), Some(9));
    assert!(!output.exists());

    let recording = Recording::read(&part);
    assert!(recording.count("sched:sched_switch") > 0);
    assert_eq!(recording.undescribed, Vec::<String>::new());
    assert!(recording.names.iter().any(|(tid, _, _)| *tid == 1));
    assert!(
        recording
            .faults
            .iter()
            .any(|fault| fault.starts_with("Truncated"))
    );
}

#[test]
fn full_disk_is_told_and_leaves_no_half_file() {
    let scratch = Scratch::new();
    let Some(program) = program() else {
        return;
    };
    if !has(Feature::Namespaces) || !has(Feature::Mount) {
        return;
    }
    let script = "mount -t tmpfs -o size=400k none \"$1\" && cd \"$1\" || exit; \
                  timeout -s KILL 300 \"$0\" -o a.data -- sh -c 'i=0; while [ $i -lt 300 ]; do /bin/true; \
                  i=$((i+1)); done; exit 6'; code=$?; ls -A >&2; exit $code";
    let answer = Command::new("unshare")
        .args(["-m", "sh", "-c", script])
        .arg(&program)
        .arg(&scratch.0)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&answer.stderr);
    assert_eq!(
        answer.status.code(),
        Some(6),
        "the command ran to its end: {message}"
    );
    assert!(
        message.contains("cannot write a.data: No space left on device"),
        "{message}"
    );
    assert!(message.contains("free some space"), "{message}");
    assert!(!message.contains("a.data."), "{message}");
}

#[test]
fn recorder_killed_at_the_start_takes_the_waiting_command_with_it() {
    let scratch = Scratch::new();
    let Some(program) = program() else {
        return;
    };
    // How long it is held nobody knows: try until the kill comes in that time.
    wait_until("the command is held", || {
        let mut child = recording(&program, &scratch.path("a.data"), &["sleep", "50"])
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let Some(held) = stopped_while_it_holds(&mut child) else {
            signal_group(&child, "KILL");
            end_of(&mut child);
            return false;
        };
        child.kill().unwrap();
        end_of(&mut child);
        let name = format!("/proc/{held}/comm");
        wait_until("the command is gone", || !Path::new(&name).exists());
        true
    });
}

fn recording(program: &Path, output: &Path, command: &[&str]) -> Command {
    let mut recording = Command::new(program);
    recording.arg("-o").arg(output).arg("--").args(command);
    recording
}

fn wait_for(path: &Path, child: &mut Child) {
    wait_while_running(child, || path.exists());
}

fn wait_while_running(child: &mut Child, is_so: impl Fn() -> bool) {
    wait_until("the recorder is there", || {
        let has_ended = child.try_wait().unwrap().is_some();
        assert!(is_so() || !has_ended, "the recorder ended too early");
        is_so()
    });
}

/// Waits for the end of a recorder, which a kill ends if nothing else does.
fn end_of(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let is_late = child.try_wait().unwrap().is_none();
    if is_late {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    assert!(!is_late, "the recorder does not end");
    status
}

fn signal_group(child: &Child, signal_name: &str) {
    signal(&format!("-{}", child.id()), signal_name);
}

fn signal(target: &str, name: &str) {
    let _ = Command::new("kill")
        .args(["-s", name, "--", target])
        .status()
        .unwrap();
}
