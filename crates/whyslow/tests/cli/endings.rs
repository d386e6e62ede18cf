//! How recordings end, and what passes through to the command and back.
//!
//! Nothing here waits without a bound: a recorder that does not end is killed and fails its test.

use std::fs;
use std::io::{PipeWriter, Write};
use std::process::{Child, Command, Stdio};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use whyslow_testenv::{Feature, end_of, has, wait_until};

use crate::failures::{SmallDisk, as_nobody};
use crate::harness::{Place, Said};

/// Waits for the end of `child`, whose output must fit into a pipe.
fn ended(child: Child) -> Said {
    Said::of(end_of(child))
}

fn spawned(mut command: Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn kill(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args(["-s", signal, &pid.to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn standard_streams_are_the_commands() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let script = "cat; printf 'no line end' >&2; exit 42";
    let args = ["record", "-o", "x.data", "--", "sh", "-c", script];
    let mut child = spawned(place.whyslow(&args));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"in \xc3\xa4\n").expect("it is written");
    drop(input);
    let said = ended(child);
    assert_eq!((said.code, said.out.as_str()), (Some(42), "in ä\n"));
    assert!(said.err.starts_with("no line endx.data: "), "{said:?}");
    assert!(said.err.contains("the recorder used"), "{said:?}");
}

#[test]
fn a_terminal_is_the_commands_and_an_interrupt_reaches_it_once() {
    if !has(Feature::Recording) || !has(Feature::Terminal) {
        return;
    }
    let place = Place::new();
    place.write(
        "command",
        b"test -t 0 && test -t 1 && test -t 2 || exit 9\n\
          trap 'echo x >> interrupts' INT; touch started\n\
          i=0; while [ ! -s interrupts ] && [ $i -lt 3000 ]; do sleep 0.1; i=$((i+1)); done\n\
          sleep 0.3; exit 4\n",
    );
    let record = format!(
        "exec {} record -o x.data -- sh ./command",
        env!("CARGO_BIN_EXE_whyslow")
    );
    let mut script = Command::new("script");
    script
        .args(["-q", "-e", "-c", &record, "/dev/null"])
        .current_dir(place.path("."));
    let mut child = spawned(script);
    wait_until("it starts", || place.path("started").exists());
    let mut keys = child.stdin.take().expect("a pipe");
    keys.write_all(b"\x03").expect("Ctrl-C");
    let said = ended(child);
    drop(keys);
    assert_eq!(said.code, Some(4), "{said:?}");
    let interrupts = fs::read_to_string(place.path("interrupts"));
    assert_eq!(interrupts.expect("an interrupt"), "x\n");
    assert!(said.out.contains("x.data: "), "{said:?}");
    assert_eq!(
        place.names(),
        ["command", "interrupts", "started", "x.data"]
    );
}

#[test]
fn termination_is_passed_on_to_the_command() {
    if !has(Feature::Recording) {
        return;
    }
    for (signal, code) in [("TERM", 128 + 15), ("HUP", 128 + 1), ("QUIT", 128 + 3)] {
        let place = Place::new();
        let script = "ulimit -c 0; touch started; exec sleep 300";
        let args = ["record", "--no-bpf", "-o", "x.data", "sh", "-c", script];
        let child = spawned(place.whyslow(&args));
        wait_until("it starts", || place.path("started").exists());
        kill(signal, child.id());
        let said = ended(child);
        assert_eq!(said.code, Some(code), "{signal}: {said:?}");
        assert_eq!(place.names(), ["started", "x.data"]);
    }
}

#[test]
fn signals_and_time_end_a_recording_of_the_machine() {
    if !has(Feature::Recording) {
        return;
    }
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let place = Place::new();
        let child = spawned(place.whyslow(&["record", "--no-bpf", "-o", "x.data"]));
        let is_recording = || {
            let names = place.names();
            let part = names.iter().find(|name| name.ends_with(".part"));
            part.is_some_and(|part| fs::metadata(place.path(part)).is_ok_and(|file| file.len() > 0))
        };
        wait_until("it records", is_recording);
        kill(signal, child.id());
        let said = ended(child);
        assert_eq!(said.code, Some(0), "{signal}: {said:?}");
        assert!(said.err.contains("next: whyslow extract x.data"));
        assert_eq!(place.names(), ["x.data"]);
    }
    let place = Place::new();
    let said =
        ended(spawned(place.whyslow(&[
            "record", "--no-bpf", "--for", "50ms", "-o", "x.data",
        ])));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(place.names(), ["x.data"]);
}

#[test]
fn what_a_killed_recorder_leaves_can_be_extracted() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let child = spawned(place.whyslow(&["record", "--no-bpf", "-o", "x.data"]));
    let part = format!("x.data.{}.part", child.id());
    wait_until("it records", || {
        fs::metadata(place.path(&part)).is_ok_and(|file| file.len() > 200_000)
    });
    kill("KILL", child.id());
    assert_eq!(ended(child).code, None);
    assert_eq!(place.names(), std::slice::from_ref(&part));
    let said = place.run(&["extract", &part]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["problems", said.out.trim_end(), "--format", "csv"]);
    assert!(said.out.contains("truncated"), "{said:?}");
}

#[test]
fn a_disk_that_fills_up_ends_the_recording_and_not_the_command() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let path = place.path("small");
    let Some(small) = SmallDisk::mount(&path) else {
        return;
    };
    let script = "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done; touch ended; exit 6";
    let args = [
        "run",
        "--output-dir",
        "small",
        "--no-bpf",
        "sh",
        "-c",
        script,
    ];
    let said = ended(spawned(place.whyslow(&args)));
    said.fails(
        125,
        &["whyslow: cannot write small/sh-", "hint: free some space"],
    );
    assert!(
        said.err
            .contains("no space left on device; the command ended with exit code 6")
    );
    assert!(place.path("ended").exists());
    let left = fs::read_dir(place.path("small")).expect("the disk").count();
    assert_eq!(left, 0);
    drop(small);
}

#[test]
fn without_the_right_to_load_programs_the_rest_is_recorded() {
    if !has(Feature::Recording) || !has(Feature::Root) {
        return;
    }
    let place = Place::new();
    let mut command = Command::new("setpriv");
    command
        .args(["--bounding-set=-bpf,-sys_admin", "--inh-caps=-all"])
        .arg(env!("CARGO_BIN_EXE_whyslow"))
        .args(["record", "-o", "x.data", "sh", "-c", "sleep 0.2; exit 3"])
        .current_dir(place.path("."));
    let said = ended(spawned(command));
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("not recorded: exit codes, "), "{said:?}");
    assert!(said.err.contains("does not permit eBPF"), "{said:?}");
    let hints: Vec<&str> = said
        .err
        .lines()
        .filter(|line| line.starts_with("hint: "))
        .collect();
    assert_eq!(hints.len(), 1, "{said:?}");
    // Of command lines started meanwhile, the name of the program is left.
    assert_eq!(place.run(&["extract", "x.data"]).code, Some(0));
    let said = place.run(&["processes", "x.whyslow", "--process", "sleep", "--wide"]);
    assert!(said.out.contains("/sleep"), "{said:?}");
}

/// Returns whether the kernel forbids users without rights to record even their own programs.
fn is_forbidden() -> bool {
    let level = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let level = level
        .ok()
        .and_then(|level| level.trim().parse::<i32>().ok());
    level.is_some_and(|level| level > 2)
}

#[test]
fn without_rights_one_hint_says_what_to_do() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let opened = Command::new("chmod")
        .arg("777")
        .arg(place.path("."))
        .status();
    assert!(opened.expect("chmod runs").success());
    if !has(Feature::Root) {
        return;
    }
    let said = as_nobody(&place, &["record", "-o", "x.data", "sh", "-c", "exit 9"]);
    if is_forbidden() {
        assert!(
            said.err.contains("the kernel permits no recording"),
            "{said:?}"
        );
        return;
    }
    assert_eq!(said.code, Some(9), "{said:?}");
    let lines: Vec<&str> = said.err.lines().collect();
    let hints = lines.iter().filter(|line| line.starts_with("hint: "));
    assert_eq!(hints.count(), 1, "{lines:#?}");
    assert!(!said.err.contains("os error"), "{lines:#?}");
}

#[test]
fn an_answer_that_cannot_be_written_is_not_recorded_for() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    fs::create_dir(place.path("taken")).expect("a directory");
    let failing = [
        ("taken", "whyslow: cannot write taken: it is a directory"),
        ("gone/a.txt", "whyslow: cannot create gone/a.txt: "),
        (
            "a.whyslow",
            "whyslow: a.whyslow: -o names the file of the answer",
        ),
    ];
    for (output, why) in failing {
        for args in [&["now", "--for", "300ms"][..], &["run", "--", "true"]] {
            let args: Vec<&str> = [&args[..1], &["-o", output], &args[1..]].concat();
            let said = place.run(&args);
            assert!(!matches!(said.code, Some(0 | 1)), "{said:#?}");
            assert!(said.err.starts_with(why), "{said:#?}");
            assert_eq!(place.names(), ["taken"], "nothing was recorded");
        }
    }
}

/// Fills a pipe, however much it holds.
fn fill(writer: &PipeWriter) {
    let flags = fcntl_getfl(writer).expect("its flags");
    fcntl_setfl(writer, flags | OFlags::NONBLOCK).expect("flags");
    let mut to = writer;
    while to.write(&[0; 1 << 12]).is_ok() {}
    while to.write(&[0]).is_ok() {}
    fcntl_setfl(writer, flags).expect("flags");
}

/// Who looks at the answers may do something else for a while.
#[test]
fn watching_ends_while_nobody_reads() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    fill(&writer);
    let mut command = place.whyslow(&["now", "--for", "100ms", "--watch", "--format", "json"]);
    command.stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    drop(command);
    let call = format!("/proc/{}/syscall", child.id());
    let writes = format!("{} 0x1 ", libc::SYS_write);
    wait_until("it waits for its reader", || {
        let call = fs::read_to_string(&call).unwrap_or_default();
        call.starts_with(&writes)
    });
    kill("INT", child.id());
    wait_until("it ends", || child.try_wait().expect("a child").is_some());
    let ended = child.wait().expect("a child");
    // The answer is cut, and who reads it later must be able to know that.
    assert_eq!(ended.code(), Some(130));
    drop(reader);
    assert_eq!(place.names(), [""; 0], "nothing is left");
}

#[test]
fn watching_that_ends_between_two_recordings_leaves_nothing() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let child = spawned(place.whyslow(&["now", "--for", "100ms", "--watch"]));
    let mut first = None;
    wait_until("a second recording begins", || {
        let mut names = place.names().into_iter();
        let recording = names.find(|name| name.ends_with(".data"));
        match &first {
            Some(first) => recording.is_some_and(|name| name != *first),
            None => {
                first = recording;
                false
            }
        }
    });
    kill("INT", child.id());
    let said = ended(child);
    // The signal may have come while the answer was written.
    assert!(matches!(said.code, Some(0 | 130)), "{said:#?}");
    assert_eq!(place.names(), [""; 0], "{said:#?}");
}
